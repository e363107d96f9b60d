package model

import (
	"time"

	"stormbin/engine/des"
	"stormbin/engine/policy"
	"stormbin/engine/rng"
)

// Enter lets a request of the reader's own into the process whose turn it is; false if the cap of its operation turns it
// away. Leave ends it.
func (w *World) Enter(operation int) (process int, ok bool) {
	process = w.turn()
	p := &w.processes[process]
	if !p.caps[operation].Acquire() {
		return process, false
	}
	p.inFlight++
	return process, true
}

// Leave ends what Enter began.
func (w *World) Leave(operation, process int) {
	w.processes[process].caps[operation].Release()
	w.processes[process].inFlight--
}

// Operation is the index of an operation, −1 if there is none of that name.
func (w *World) Operation(name string) int {
	for i := range w.operations {
		if w.operations[i].name == name {
			return i
		}
	}
	return -1
}

// Rule is the policy's line for a call; false if there is none of that name.
func (w *World) Rule(call string) (policy.Rule, bool) {
	for i := range w.lines {
		if w.lines[i].name == call {
			return w.lines[i].rule, true
		}
	}
	return policy.Rule{}, false
}

// Caller is what bounds the retries of a process, and where it draws its waits.
func (w *World) Caller(process int) (*policy.Budget, *rng.Stream) {
	return w.budget(process), &w.processes[process].jitter
}

// Bound is what the calls of an operation that begins now are told of its deadline.
func (w *World) Bound(operation int) (deadline, bound time.Duration) {
	deadline = policy.NoDeadline
	if d := w.operations[operation].deadline; d > 0 {
		deadline = w.Now() + d
	}
	return deadline, w.bound(deadline)
}

// Outstanding is an attempt of the reader's own that was sent.
type Outstanding struct {
	answer  func(policy.Outcome)
	attempt int32 // none once the dependency is through with it, or if it will never be heard of
	line    uint16
	process uint16
	number  uint8
	n       uint64
}

// Send puts an attempt of the reader's own into the queue of its call's dependency. answer is called once, by the world's
// loop, when the dependency is through with it, whether or not anybody still waits: with policy.Lost if it has done the
// work and the answer goes missing, so that the caller must not be told. An outcome other than OK is an answer at once,
// and then answer is never called. n is which of the reader's requests it is.
func (w *World) Send(call string, process, number int, n uint64, answer func(policy.Outcome)) (*Outstanding, policy.Outcome) {
	for i := range w.lines {
		if w.lines[i].name != call {
			continue
		}
		key := rng.Named(w.settings.Seed, "yours/"+call)
		index := draw(n, number)
		visit := w.visits.take()
		out := &Outstanding{answer: answer, line: uint16(i), process: uint16(process), number: uint8(number), n: n}
		w.visits.rows[visit] = out
		at, o := w.admit(&attempt{
			owner: visit, process: out.process, line: out.line, number: out.number, n: n, yours: true, counted: true,
		}, key.At(index), key.Sub(1).At(index), key.Sub(2).At(index))
		out.attempt = at
		if o != policy.OK {
			w.visits.rows[visit] = nil
			w.visits.put(visit)
		}
		return out, o
	}
	return &Outstanding{attempt: none}, policy.Error
}

// GiveUp is the reader who stops waiting for an attempt whose answer has not come. The dependency works on, unless it
// cancels.
func (w *World) GiveUp(out *Outstanding) {
	l := &w.lines[out.line]
	d := &w.dependencies[l.dependency]
	d.Timeouts++
	w.note(TimedOut, Yours, int(out.number), int(out.process), l.dependency, out.n)
	if out.attempt == none {
		return
	}
	w.attempts.rows[out.attempt].awaited = false
	if d.cancel {
		w.killed(out.attempt)
	}
}

// visitAnswer tells a visitor that a dependency is through with an attempt.
func (w *World) visitAnswer(visit int32, o policy.Outcome) {
	out := w.visits.rows[visit]
	w.visits.rows[visit] = nil
	w.visits.put(visit)
	out.attempt = none
	out.answer(o)
}

// At calls f once at t, from the world's loop. stop takes that back.
func (w *World) At(t time.Duration, f func()) (stop func()) {
	i := w.timers.take()
	w.timers.rows[i] = timer{f, w.queue.Schedule(t, visitEvent|uint32(i))}
	set := w.timers.rows[i].ticket
	return func() {
		if at := &w.timers.rows[i]; at.ticket == set {
			at.f = nil
		}
	}
}

// timer is a visitor's.
type timer struct {
	f      func()
	ticket des.Ticket
}

func (w *World) visitTimer(i int32) {
	f := w.timers.rows[i].f
	w.timers.rows[i] = timer{}
	w.timers.put(i)
	if f != nil {
		f()
	}
}
