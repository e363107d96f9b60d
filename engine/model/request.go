package model

import (
	"time"

	"stormbin/engine/des"
	"stormbin/engine/policy"
)

// request is one user's request while a process works on it, call after call.
type request struct {
	call      policy.Call
	operation uint16
	process   uint16
	step      uint8
	counted   bool      // arrived before the world's end
	ended     bool      // answered; kept only until the last of its attempts is gone
	stored    [2]uint64 // steps that have taken effect, a bit each; there are at most 100
	attempt   int32     // the attempt that is waited for; none if there is none, or if it will never answer
	attempts  int32     // of writes: those not yet gone
	timer     des.Ticket
	n         uint64 // which arrival of its operation
	arrived   time.Duration
	deadline  time.Duration // policy.NoDeadline if the user waits for ever
}

// begin starts the call of the request's current step.
func (w *World) begin(i int32) {
	w.perform(i, w.start(&w.requests.rows[i]))
}

func (w *World) start(r *request) policy.Actions {
	r.call.Rule = &w.lines[w.operations[r.operation].steps[r.step].line].rule
	r.call.Budget = w.budget(int(r.process))
	return r.call.Start(w.Now(), w.bound(r.deadline))
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
		w.perform(i, r.call.Timer(w.Now()))
	}
}

// result brings a request the answer to an attempt.
func (w *World) result(i int32, attempt int, o policy.Outcome) {
	r := &w.requests.rows[i]
	r.attempt = none
	w.perform(i, r.call.Result(w.Now(), attempt, o))
}

// perform does what a request's call has decided, and goes on to what follows from it at this same instant.
func (w *World) perform(i int32, a policy.Actions) {
	for {
		r := &w.requests.rows[i]
		if a.Abandon > 0 {
			w.giveUp(r, a.Abandon)
		}
		if a.Done {
			r.timer = 0
			more, ended := w.callEnded(i, a.Outcome)
			if ended {
				return
			}
			a = more
			continue
		}
		at := &w.operations[r.operation].steps[r.step]
		if a.Send > 0 {
			if o := w.send(i, a.Send, at); o != policy.OK {
				r.attempt = none
				a = r.call.Result(w.Now(), a.Send, o)
				continue
			}
		}
		r.timer = 0
		if a.Timer > 0 {
			r.timer = w.queue.ScheduleOn(w.lines[at.line].timers, a.Timer, timerEvent|uint32(i))
		}
		return
	}
}

// callEnded goes on to the request's next call, or ends the request.
func (w *World) callEnded(i int32, o policy.Outcome) (a policy.Actions, ended bool) {
	r := &w.requests.rows[i]
	op := &w.operations[r.operation]
	at := op.steps[r.step]
	l := &w.lines[at.line]
	enough := o == policy.OK && at.hit.At(r.n).Happens(w.dependencies[l.dependency].hit)
	if l.optional && o != policy.OK {
		o = policy.OK
	}
	if o != policy.OK || enough || int(r.step)+1 == len(op.steps) {
		w.finish(i, o)
		return policy.Actions{}, true
	}
	r.step++
	return w.start(r), false
}

// finish answers a request. An answer after its deadline finds the user gone.
func (w *World) finish(i int32, o policy.Outcome) {
	r := &w.requests.rows[i]
	kind := Failure
	if o == policy.OK && w.Now() <= r.deadline {
		kind = Answered
	}
	if r.counted {
		w.count(r, o)
	}
	w.note(kind, First, r.call.Attempt(), int(r.process), int(r.operation), r.n)
	p := &w.processes[r.process]
	p.caps[r.operation].Release()
	p.inFlight--
	r.ended = true
	w.release(i)
}

// count counts how a request has ended.
func (w *World) count(r *request, o policy.Outcome) {
	c := &w.operations[r.operation].counts
	now := w.Now()
	c.InFlight--
	w.latency.Add(min(now, r.deadline) - r.arrived)
	w.windows.End(r.arrived, o == policy.OK && now <= r.deadline)
	switch {
	case now > r.deadline:
		c.Late++
		w.late++
		return
	case o == policy.OK:
		c.OK++
	default:
		c.Failed++
	}
	w.results[o]++
}

// release frees the row of an answered request once no attempt refers to it.
func (w *World) release(i int32) {
	if r := &w.requests.rows[i]; r.ended && r.attempts == 0 {
		r.timer = 0
		w.requests.put(i)
	}
}
