package run

import (
	"time"

	"stormbin/engine/policy"
	"stormbin/engine/rng"
)

// Visit is a reader's own request in the world: it runs in one of the simulated processes, under its budget and cap. Its
// fields and methods are what a live.Caller wants.
type Visit struct {
	Process int
	Budget  *policy.Budget
	Jitter  *rng.Stream
	// Deadline is when the operation must be over; Bound is what its calls are told of that: policy.NoDeadline unless
	// deadlines are propagated.
	Deadline, Bound time.Duration

	run       *Run
	operation int
	n         uint64
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
	process, ok := r.world.Enter(op)
	if !ok {
		return nil
	}
	r.Hold()
	v := &Visit{run: r, operation: op, Process: process, n: r.yours}
	r.yours++
	v.Budget, v.Jitter = r.world.Caller(process)
	v.Deadline, v.Bound = r.world.Bound(op)
	return v
}

// Rule is the policy's line for a call as it is now. Of a call that the scenario doesn't name: one attempt, no timeout.
func (v *Visit) Rule(call string) policy.Rule {
	v.run.mu.Lock()
	defer v.run.mu.Unlock()
	rule, _ := v.run.world.Rule(call)
	return rule
}

// Send puts an attempt into the dependency's queue, among the crowd's. For live.Caller.Send.
func (v *Visit) Send(call string, attempt int, answer func(policy.Outcome)) (leave func(), o policy.Outcome) {
	r := v.run
	r.mu.Lock()
	defer r.mu.Unlock()
	answered := false
	out, o := r.world.Send(call, v.Process, attempt, v.n, func(o policy.Outcome) {
		answered = o != policy.Lost
		r.Hold()
		answer(o)
	})
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !answered {
			r.world.GiveUp(out)
		}
	}, o
}

// Leave ends the visit, and its hold.
func (v *Visit) Leave() {
	v.run.mu.Lock()
	defer v.run.mu.Unlock()
	v.run.world.Leave(v.operation, v.Process)
	v.run.Release()
}
