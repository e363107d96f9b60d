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
	slots    *view.Occupancy
	learned  int // at which second the pictures learned the rule
	// rows is a row for each second that was seen, also of those that come after now, if somebody went back.
	rows []metrics.Row
	// history is the rows in columns.
	history view.History
}

func newSight(r *run.Run, s *scenario.Scenario, still bool) *sight {
	v := &sight{run: r, path: view.NewScene(s), slots: view.NewOccupancy(s)}
	v.path.Still, v.slots.Still = still, still
	v.read()
	v.path.Last = v.numbers
	return v
}

// settling is for how long after its end a second may still change: until the requests of it have their answers.
const settling = 10

// read takes in the run as it stands, and what happened since it was last read.
func (v *sight) read() {
	v.run.Snapshot(&v.snapshot)
	v.take()
}

// peek is read that leaves what happened to whoever draws it.
func (v *sight) peek() {
	v.run.Glance(&v.snapshot)
	v.take()
}

func (v *sight) take() {
	over := int(v.snapshot.Now / time.Second)
	if over != v.learned {
		v.learn()
	}
	v.numbers = v.meter.Read(&v.snapshot)
	if over > len(v.rows) {
		from := max(0, len(v.rows)-settling)
		v.rows = append(v.rows[:from], v.run.Rows(from)...)
		v.history.Take(v.rows, v.history.Seconds())
	}
}

// glance looks at who holds the slots, if it is time to. Nothing else is brought up to date.
func (v *sight) glance(f view.Frame) {
	if due, _ := v.slots.Due(v.run.Now()); due {
		v.run.Glance(&v.snapshot)
		v.slots.Update(&v.snapshot, f)
	}
}

// learn has the pictures know the rule as it is now, and the numbers what breaks. It changes with time, too: a change that
// was made comes again after going back.
func (v *sight) learn() {
	v.learned = int(v.run.Now() / time.Second)
	now := v.run.Settings()
	v.path.Set(&now)
	v.slots.Set(&now)
	v.meter.Learn(now.Faults)
}

// forget drops what was seen of the time after now: something was done that changes it.
func (v *sight) forget() {
	v.rows = v.rows[:min(len(v.rows), int(v.run.Now()/time.Second))]
	v.learn()
	v.history.Take(v.rows, len(v.rows))
}

// tag says which of two runs it is; beside is the other, if it has its picture above.
func (v *sight) tag(name string, beside *sight) {
	v.path.Tag, v.slots.Tag, v.path.Beside = name, name, nil
	if beside != nil {
		v.path.Beside = beside.path
	}
}

// picture is the drawing of it on the stage, nil if it is not drawn there.
func (v *sight) picture(l look) view.Picture {
	switch l {
	case lookPath:
		return v.path
	case lookSlots:
		return v.slots
	}
	return nil
}
