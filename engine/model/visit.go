package model

import (
	"slices"
	"time"

	"stormbin/engine/des"
	"stormbin/engine/live"
	"stormbin/engine/policy"
	"stormbin/engine/rng"
)

// Enter lets a request of the reader's own into the process whose turn it is; false if the cap of its operation turns it
// away. Leave ends it, with the place that it got.
func (w *World) Enter(operation int) (process int, place int32, ok bool) {
	process = w.choose()
	place, ok = w.letIn(operation, process)
	return process, place, ok
}

// Leave ends what Enter began.
func (w *World) Leave(operation, process int, place int32) { w.letOut(operation, process, place) }

// Operation is the index of an operation, −1 if there is none of that name.
func (w *World) Operation(name string) int {
	for i := range w.operations[:w.users] {
		if w.operations[i].name == name {
			return i
		}
	}
	return -1
}

// line is the line of the policy that a call has; nil if there is none of that name.
func (w *World) line(call string) *line {
	for i := range w.lines {
		if w.lines[i].name == call {
			return &w.lines[i]
		}
	}
	return nil
}

// Rule is the policy's line for a call; false if there is none of that name.
func (w *World) Rule(call string) (policy.Rule, bool) {
	if l := w.line(call); l != nil {
		return l.rule, true
	}
	return policy.Rule{}, false
}

// Library is what the library under a call does by itself; false if that is nothing.
func (w *World) Library(call string) (policy.Rule, bool) {
	if l := w.line(call); l != nil && l.library.present {
		return l.library.rule, true
	}
	return policy.Rule{}, false
}

// Breaker is the one between a process and the dependency of a call; nil if none stands there.
func (w *World) Breaker(process int, call string) *policy.Breaker {
	if l := w.line(call); l != nil {
		return w.processes[process].breakers[l.dependency]
	}
	return nil
}

// Budget is what bounds the retries of a process to the dependency of a call; nil if the policy has no such call.
func (w *World) Budget(process int, call string) *policy.Budget {
	if l := w.line(call); l != nil {
		return &w.processes[process].budgets[l.dependency]
	}
	return nil
}

// Jitter is where a process draws its waits.
func (w *World) Jitter(process int) *rng.Stream { return &w.processes[process].jitter }

// Bound is what the calls of an operation that begins now are told of its deadline.
func (w *World) Bound(operation int) (deadline, bound time.Duration) {
	deadline = policy.NoDeadline
	if d := w.operations[operation].deadline; d > 0 {
		deadline = w.Now() + d
	}
	return deadline, w.bound(deadline)
}

// outstanding is an attempt of the reader's own that was sent.
type outstanding struct {
	answer  func(policy.Outcome, time.Duration) // nil in a copy of the world, where nobody listens
	attempt int32                               // none once the dependency is through with it, or if it will never be heard of
	line    uint16
	process uint16
	number  uint8
	n       uint64
	until   time.Duration // its caller waits; policy.NoDeadline: for ever
}

// Send puts an attempt of the reader's own into the queue of its call's dependency, and gives it a number for GiveUp. answer
// is called once, by the world's loop, when the dependency is through with it, whether or not anybody still waits: with
// policy.Lost if it has done the work and the answer goes missing, so that the caller must not be told; with policy.Shed
// and when to come again. An outcome other than OK is an answer at once, and then answer is never called. n is which of the
// reader's requests it is, until how long its caller waits, policy.NoDeadline if for ever.
func (w *World) Send(call string, process int, try live.Try, n uint64, until time.Duration, answer func(policy.Outcome, time.Duration)) (sent int, o policy.Outcome, after time.Duration) {
	line := slices.IndexFunc(w.lines, func(l line) bool { return l.name == call })
	if line < 0 {
		return int(none), policy.Error, 0
	}
	key := rng.Named(w.settings.Seed, "yours/"+call)
	sent = len(w.visits)
	number := try.Attempt
	if try.Library > 0 {
		number = try.Library
	}
	w.visits = append(w.visits, outstanding{answer: answer, line: uint16(line), process: uint16(process), number: uint8(number), n: n, until: until})
	out := &w.visits[sent]
	i := w.attempts.take()
	w.attempts.rows[i] = attempt{
		owner: int32(sent), by: byVisitor, process: out.process, line: out.line, number: out.number, n: n, counted: true,
		again: try.Attempt > 1 || try.Library > 1, hedge: try.Hedge, intent: none,
	}
	draws := step{demand: key, flaky: key.Sub(1), lose: key.Sub(2)}
	out.attempt, o, after = w.admit(i, &draws, uint64(max(try.Library-1, 0)), draw(n, try.Attempt))
	return sent, o, after
}

// GiveUp is the reader who stops waiting for an attempt whose answer has not come: its time is up, or it was beaten. The
// dependency works on, unless it cancels, or is told to stop.
func (w *World) GiveUp(sent int, beaten bool) {
	if sent < 0 {
		return
	}
	out := &w.visits[sent]
	l := &w.lines[out.line]
	d := &w.dependencies[l.dependency]
	kind := Beaten
	if !beaten {
		kind = TimedOut
		d.Timeouts++
	}
	w.note(kind, Yours, int(out.number), int(out.process), l.dependency, out.n)
	if out.attempt == none {
		return
	}
	w.attempts.rows[out.attempt].awaited = false
	if d.cancel || beaten && l.rule.HedgeCancel {
		w.killed(out.attempt)
	}
}

// visitAnswer tells a visitor that a dependency is through with an attempt.
func (w *World) visitAnswer(sent int32, o policy.Outcome, after time.Duration) {
	out := &w.visits[sent]
	out.attempt = none
	if out.answer != nil {
		out.answer(o, after)
	}
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

// Bearing is what visitors share with the crowd in a process: what of the budget is spent, which waits come next, and what
// the breakers have seen.
type Bearing struct {
	Process  int
	budgets  []policy.Budget
	jitter   rng.Stream
	breakers []policy.Breaker
}

// Bearing is that of a process now. It keeps room of its own in b.
func (w *World) Bearing(process int, b *Bearing) {
	p := &w.processes[process]
	b.Process, b.jitter = process, p.jitter
	b.budgets, b.breakers = append(b.budgets[:0], p.budgets...), b.breakers[:0]
	for _, breaker := range p.breakers {
		if breaker != nil {
			b.breakers = append(b.breakers, *breaker)
		}
	}
}

// Equal tells whether two are the same.
func (b *Bearing) Equal(o *Bearing) bool {
	return b.Process == o.Process && b.jitter == o.jitter && slices.Equal(b.budgets, o.budgets) && slices.Equal(b.breakers, o.breakers)
}

// Bear gives a process the bearing that it had at this point of the same run.
func (w *World) Bear(b *Bearing) {
	p := &w.processes[b.Process]
	p.jitter = b.jitter
	copy(p.budgets, b.budgets)
	left := b.breakers
	for _, breaker := range p.breakers {
		if breaker != nil {
			*breaker, left = left[0], left[1:]
		}
	}
}
