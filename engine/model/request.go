package model

import (
	"time"

	"stormbin/engine/des"
	"stormbin/engine/policy"
)

// request is a user's request while a process works on it, call after call. At the edge it is in no process yet.
type request struct {
	origin
	call    policy.Call
	bound   time.Duration // what its present call was told of the deadline
	process uint16
	line    uint16 // of the call that it is at
	step    uint8
	atEdge  bool
	job     int32  // the job that a worker runs; none for what users ask for
	out     [2]out // the attempts that are waited for
	turn    uint32 // one more with all that it does, whoever has the row
	place   int32  // in its process; none where there is no cap
	timer   des.Ticket
}

// out is an attempt that was sent and is waited for.
type out struct {
	number  uint8 // 0: none is
	library bool  // it is a run of the library
	hedge   bool
	row     int32 // of the attempt, or of the library's run; none if no answer will ever come
}

func (w *World) newRequest(o *origin, process int) int32 {
	w.hold(o.intent)
	i := w.requests.take()
	r := &w.requests.rows[i]
	r.origin = *o
	r.process = uint16(process)
	r.step = 0
	r.atEdge = false
	r.job = none
	r.out = [2]out{}
	r.timer = 0
	return i
}

// at is the call that the request is at.
func (w *World) at(r *request) *step {
	op := &w.operations[r.operation]
	if r.atEdge {
		return &op.edge
	}
	return &op.steps[r.step]
}

// callTerms is what the request's present call is made under.
func (w *World) callTerms(r *request) *policy.Terms {
	return &w.processes[r.process].terms[r.line]
}

func (w *World) start(r *request) policy.Actions {
	r.line = uint16(w.at(r).line)
	r.bound = w.bound(r.deadline)
	return r.call.Start(w.callTerms(r), w.Now(), r.bound)
}

// bound is what calls are told of a deadline: none, unless it is propagated.
func (w *World) bound(deadline time.Duration) time.Duration {
	if w.settings.Policy.PropagateDeadline {
		return deadline
	}
	return policy.NoDeadline
}

// timer wakes the call of a request.
func (w *World) timer(i int32, ticket des.Ticket) {
	if r := &w.requests.rows[i]; r.timer == ticket {
		r.timer = 0
		w.goOn(i, r.call.Timer(w.callTerms(r), w.Now()))
	}
}

// answered brings a request the answer to an attempt that it waits for.
func (w *World) answered(i int32, number int, o policy.Outcome, after time.Duration) {
	r := &w.requests.rows[i]
	r.forget(number)
	act := heard(&r.call, w.callTerms(r), w.Now(), number, o, after)
	if act.Done || act.Send > 0 || act.Timer > 0 { // or the call is just giving this attempt up
		w.goOn(i, act)
	}
}

// heard is a call hearing what an attempt came to, and if that was shed, when to come again.
func heard(c *policy.Call, t *policy.Terms, now time.Duration, number int, o policy.Outcome, after time.Duration) policy.Actions {
	if o == policy.Shed {
		return c.Shed(t, now, number, after)
	}
	return c.Result(t, now, number, o)
}

// goOn does what a request's call has decided, and tells those above if that was the end of the request.
func (w *World) goOn(i int32, act policy.Actions) {
	r := &w.requests.rows[i]
	above, number := r.above, r.number
	if a, done := w.perform(i, act); done && above != none {
		w.answerLayer(above, number, a)
	}
}

// outstanding is where the request keeps an attempt; number 0 finds a place for another.
func (r *request) outstanding(number int) *out {
	if int(r.out[0].number) == number {
		return &r.out[0]
	}
	return &r.out[1]
}

// forget is nobody waiting for an attempt any more.
func (r *request) forget(number int) { *r.outstanding(number) = out{} }

// perform does what a request's call has decided, and goes on to what follows from it at this same instant. done: the
// request has ended, and this is its answer.
func (w *World) perform(i int32, act policy.Actions) (a answer, done bool) {
	w.requests.rows[i].turn++
	turn := w.requests.rows[i].turn
	for {
		if act.Abandon|act.Beaten > 0 {
			w.letGo(i, act)
			if w.requests.rows[i].turn != turn {
				return answer{}, false // giving up one attempt has brought the answer of its twin, and that was seen to
			}
		}
		r := &w.requests.rows[i]
		if act.Done {
			r.timer = 0
			if r.atEdge {
				return w.leaveEdge(i, act.Outcome)
			}
			more, ended := w.callEnded(i, act.Outcome)
			if ended {
				return w.finish(i, more.Outcome), true
			}
			act = more
			continue
		}
		if act.Send > 0 {
			if o, after := w.send(i, int(act.Send), act.Hedge); o != policy.OK {
				r = &w.requests.rows[i]
				act = heard(&r.call, w.callTerms(r), w.Now(), int(act.Send), o, after)
				continue
			}
			r = &w.requests.rows[i]
		}
		r.timer = 0
		if act.Timer > 0 {
			r.timer = w.queue.ScheduleOn(w.lines[r.line].timers, act.Timer, timerEvent|uint32(i))
			if r.out[0].number|r.out[1].number == 0 {
				w.noteBackoff(r, r.call.Attempt()+1, act.Timer)
			}
		}
		return answer{}, false
	}
}

// letGo is a request no longer waiting for the attempts that its call has given up.
func (w *World) letGo(i int32, act policy.Actions) {
	for _, number := range act.Abandoned() {
		if number > 0 {
			w.giveUp(i, int(number), TimedOut)
		}
	}
	if act.Beaten > 0 {
		w.giveUp(i, int(act.Beaten), Beaten)
	}
}

// callEnded goes on to the request's next call; or the request has ended, with the outcome in the actions.
func (w *World) callEnded(i int32, o policy.Outcome) (act policy.Actions, ended bool) {
	r := &w.requests.rows[i]
	op := &w.operations[r.operation]
	at := &op.steps[r.step]
	l := &w.lines[at.line]
	d := &w.dependencies[l.dependency]
	if o == policy.Open {
		d.counting(r.counted).TurnedAway++
	}
	enough := o == policy.OK && (d.hit > 0 || d.cache != nil) && w.hit(d, at, r)
	if l.optional && o != policy.OK {
		o = policy.OK
	}
	if o != policy.OK || enough || int(r.step)+1 == len(op.steps) {
		return policy.Actions{Ending: policy.Ending{Done: true, Outcome: o}}, true
	}
	r.step++
	return w.start(r), false
}

// leaveEdge is a request that the edge has dealt with: it is answered, or goes on to the balancer.
func (w *World) leaveEdge(i int32, outcome policy.Outcome) (a answer, done bool) {
	r := &w.requests.rows[i]
	o := r.origin
	op := &w.operations[o.operation]
	if outcome == policy.OK && !w.edgeHit(op, &o) {
		w.requests.put(i)
		a, done = w.toBalancer(&o)
		w.release(o.intent)
		return a, done
	}
	if outcome == policy.OK {
		w.dependencies[w.lines[op.edge.line].dependency].counting(o.counted).Hits++
	}
	return w.finish(i, outcome), true
}

// finish answers a request.
func (w *World) finish(i int32, o policy.Outcome) answer {
	r := &w.requests.rows[i]
	op := &w.operations[r.operation]
	if r.job != none {
		w.jobRan(i, o)
		return answer{}
	}
	kind := Failure
	if o == policy.OK && w.Now() <= r.deadline {
		kind = Answered
	}
	w.note(kind, First, r.call.Attempt(), int(r.process), int(r.operation), r.n)
	a := seenAbove(o)
	w.clickEnded(&r.origin, a)
	if !r.atEdge {
		w.letOut(int(r.operation), int(r.process), r.place)
		if o == policy.OK && op.asks {
			w.remember(r)
		}
		switch {
		case o == policy.OK && op.leaves[onOK]:
			w.leaveJobs(int(r.operation), onOK, r.counted, r.intent)
		case o != policy.OK && op.leaves[onFailed]:
			w.leaveJobs(int(r.operation), onFailed, r.counted, r.intent)
		}
	}
	w.requests.put(i)
	if r.intent != none {
		w.release(r.intent)
	}
	return a
}
