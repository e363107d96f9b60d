//go:build js && wasm

package page

import (
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/view"
)

// sight is what there is to see of one run.
type sight struct {
	run      *run.Run
	snapshot model.Snapshot
	meter    view.Meter
	numbers  *view.Numbers // of the snapshot
	path     *view.Scene
	learned  int // at which second the picture learned the rule
	// rows is a row for each second that was seen, also of those that come after now, if somebody went back.
	rows []metrics.Row
	// history is the rows in columns.
	history view.History
}

func newSight(r *run.Run, s *scenario.Scenario, still bool) *sight {
	v := &sight{run: r, path: view.NewScene(s)}
	v.path.Still = still
	v.read()
	return v
}

// settling is for how long after its end a second may still change: until the requests of it have their answers.
const settling = 10

// read takes in the run as it stands.
func (v *sight) read() {
	v.run.Snapshot(&v.snapshot)
	v.numbers = v.meter.Read(&v.snapshot)
	over := int(v.snapshot.Now / time.Second)
	if over != v.learned {
		v.learn()
	}
	if over > len(v.rows) {
		from := max(0, len(v.rows)-settling)
		v.rows = append(v.rows[:from], v.run.Rows(from)...)
		v.history.Take(v.rows, v.history.Seconds())
	}
}

// learn has the picture know the rule as it is now. It changes with time, too: a change that was made comes again after
// going back.
func (v *sight) learn() {
	v.learned = int(v.run.Now() / time.Second)
	now := v.run.Settings()
	v.path.Set(&now)
}

// forget drops what was seen of the time after now: something was done that changes it.
func (v *sight) forget() {
	v.rows = v.rows[:min(len(v.rows), int(v.run.Now()/time.Second))]
	v.learn()
	v.history.Take(v.rows, len(v.rows))
}

// picture is the drawing of it on the stage, nil if it is not drawn there.
func (v *sight) picture(l look) view.Picture {
	switch l {
	case lookPath:
		return v.path
	}
	return nil
}
