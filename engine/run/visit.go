package run

import (
	"time"

	"stormbin/engine/live"
	"stormbin/engine/model"
	"stormbin/engine/policy"
)

// Visit is a reader's own request in the world: it runs in one of the simulated processes, under its budget, breakers and
// cap. It is the live.Clock of its calls, too.
type Visit struct {
	Process int
	// Deadline is when the operation must be over; its calls are told of that if deadlines are propagated.
	Deadline time.Duration

	*Run
	bound     time.Duration
	operation int
	place     int32 // in the process
	n         uint64
	calls     map[string]*calling
}

// calling is a call that a visit makes: the rules that there were when it began, and until when each attempt of it is waited
// for, the runs of a library among them.
type calling struct {
	rule, library policy.Rule
	until         map[int]time.Duration
}

// Visit lets a request of the operation in, and holds the run until Leave, but for the times when it waits. nil if the
// process whose turn it is has no place for it, or if the scenario has no such operation; then nothing is held.
func (r *Run) Visit(operation string) *Visit {
	r.mu.Lock()
	defer r.mu.Unlock()
	op := r.world.Operation(operation)
	if op < 0 {
		return nil
	}
	r.act()
	r.tape.write(r.world, input{kind: entered, operation: op})
	process, place, ok := r.world.Enter(op)
	if !ok {
		return nil
	}
	r.wake(process)
	r.open++
	v := &Visit{Run: r, operation: op, Process: process, place: place, n: r.yours, calls: map[string]*calling{}}
	r.yours++
	v.Deadline, v.bound = r.world.Bound(op)
	return v
}

// Caller makes the calls of the visit.
func (v *Visit) Caller() *live.Caller {
	v.mu.Lock()
	defer v.mu.Unlock()
	return &live.Caller{
		Clock: v, Rule: v.rule, Library: v.library, Budget: v.budget, Breaker: v.breaker, Jitter: v.world.Jitter(v.Process),
		Deadline: v.bound, Send: v.send,
	}
}

// wake holds the run for a visitor in that process. Until the run goes on, nobody else touches what they share.
func (r *Run) wake(process int) {
	r.tape.look(r.world, process)
	r.Hold()
}

// At calls f once at t, in the middle of Advance, with a hold for whoever it wakes.
func (v *Visit) At(t time.Duration, f func()) (stop func()) {
	r := v.Run
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tape.write(r.world, input{kind: alarmed, alarm: t})
	take := r.world.At(t, func() {
		r.wake(v.Process)
		f()
	})
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		take()
	}
}

// rule is the policy's line for a call as it is now. Of a call that the scenario doesn't name: one attempt, no timeout.
func (v *Visit) rule(call string) policy.Rule {
	v.mu.Lock()
	defer v.mu.Unlock()
	rule, _ := v.world.Rule(call)
	return rule
}

// library is what the client library under a call does by itself; false if that is nothing.
func (v *Visit) library(call string) (policy.Rule, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.world.Library(call)
}

// budget is what bounds the retries of the visit's process to the dependency of a call.
func (v *Visit) budget(call string) *policy.Budget {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.world.Budget(v.Process, call)
}

// breaker is the one between the visit's process and the dependency of a call; nil if none stands there.
func (v *Visit) breaker(call string) *policy.Breaker {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.world.Breaker(v.Process, call)
}

// send puts an attempt into the dependency's queue, among the crowd's.
func (v *Visit) send(call string, try live.Try, answer func(policy.Outcome, time.Duration)) (leave func(beaten bool), o policy.Outcome, after time.Duration) {
	r := v.Run
	r.mu.Lock()
	defer r.mu.Unlock()
	answered := false
	until := v.until(call, try)
	r.tape.write(r.world, input{kind: sent, call: call, process: v.Process, try: try, n: v.n, until: until})
	attempt, o, after := r.world.Send(call, v.Process, try, v.n, until, func(o policy.Outcome, after time.Duration) {
		answered = o != policy.Lost
		r.wake(v.Process)
		answer(o, after)
	})
	return func(beaten bool) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !answered {
			r.tape.write(r.world, input{kind: gaveUp, attempt: attempt, beaten: beaten})
			r.world.GiveUp(attempt, beaten)
		}
	}, o, after
}

// until is until when an attempt that is sent now is waited for.
func (v *Visit) until(call string, try live.Try) time.Duration {
	if try.Attempt == 1 && try.Library <= 1 { // it begins
		c := &calling{until: map[int]time.Duration{}}
		c.rule, _ = v.world.Rule(call)
		c.library, _ = v.world.Library(call)
		v.calls[call] = c
	}
	c := v.calls[call]
	if try.Library <= 1 {
		c.until[try.Attempt] = model.Patience(v.world.Now(), c.rule.Timeout, v.bound)
	}
	if try.Library == 0 {
		return c.until[try.Attempt]
	}
	return model.Patience(v.world.Now(), c.library.Timeout, c.until[try.Attempt])
}

// Leave ends the visit, and its hold.
func (v *Visit) Leave() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.tape.write(v.world, input{kind: left, operation: v.operation, process: v.Process, place: v.place})
	v.world.Leave(v.operation, v.Process, v.place)
	v.open--
	v.Release()
}
