package run

import "time"

// trail is when something happened to a request on a stretch of a run that was looked at. The zero value is no stretch.
type trail struct {
	from, now    time.Duration // the stretch
	before, last time.Duration // the last instant but one, and the last; −1: there was none
}

// begin goes on with a stretch, or begins another where the run has gone elsewhere since.
func (t *trail) begin(now time.Duration) {
	if t.now != now || now == 0 {
		*t = trail{now, now, -1, -1}
	}
}

func (t *trail) note(now time.Duration) {
	if now > t.last {
		t.before, t.last = t.last, now
	}
}

// Before is just before the last instant at which something happened to a request: a Step from there is here again. At the
// start it is the start. It is known where Approach has just come to, if it has passed two such instants or begun at the start.
func (r *Run) Before() (at time.Duration, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, now := &r.trail, r.world.Now()
	if now > 0 && (t.now != now || t.before < 0 && t.from > 0) {
		return 0, false
	}
	return min(max(t.before, 0), now), true
}
