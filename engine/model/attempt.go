package model

import (
	"time"

	"stormbin/engine/des"
	"stormbin/engine/policy"
	"stormbin/engine/rng"
)

// attempt is one attempt at a dependency, from its arrival until the dependency is through with it.
type attempt struct {
	owner      int32 // the request, the library's run or the visit
	next, prev int32 // in the queue
	slot       int32 // none while it waits in the queue
	intent     int32 // what its click has stored; none for what stores nothing
	line       uint16
	place      uint16 // the dependency
	process    uint16
	operation  uint16
	number     uint8
	step       uint8
	by         ownerKind
	again      bool // some layer has tried before
	hedge      bool
	awaited    bool // somebody waits for the answer
	counted    bool // of a request that is
	lost       bool // nobody will hear of it
	leaves     bool // jobs, when it has taken effect
	stopped    bool // its service has run its time, and the dependency stalls
	repeated   bool // its key was known when the service began
	n          uint64
	arrived    time.Duration
	demand     time.Duration // how long its service takes when all is well
	done       des.Ticket    // of the end of its service
	kill       des.Ticket
	started    time.Duration // its service
	doneAt     time.Duration
	paused     time.Duration // the dependency's when the service began
}

// ownerKind is who waits for an attempt.
type ownerKind uint8

const (
	byRequest ownerKind = iota
	byLibrary
	byVisitor
	byNobody // any more
)

// holder says what the attempt is to those who look on.
func (a *attempt) holder() Holder {
	switch {
	case a.by == byVisitor && a.awaited:
		return Yours
	case a.by == byVisitor:
		return YoursLeft
	case !a.awaited:
		return Abandoned
	}
	return sender(a.again, a.hedge)
}

func sender(again, hedge bool) Holder {
	switch {
	case hedge:
		return Hedge
	case again:
		return Retry
	}
	return First
}

// send is an attempt of request i's call being sent. An outcome other than OK is an answer at once.
func (w *World) send(i int32, number int, hedge bool) (o policy.Outcome, after time.Duration) {
	var row int32
	library := w.lines[w.requests.rows[i].line].library.present
	if library {
		row, o, after = w.run(i, number, hedge)
	} else {
		row, o, after = w.sendAttempt(i, none, number, 1, hedge)
	}
	if o == policy.OK {
		*w.requests.rows[i].outstanding(0) = out{number: uint8(number), row: row, library: library, hedge: hedge}
	}
	return o, after
}

// sendAttempt is an attempt arriving at the dependency of request i's call: the number-th of the call, and if the run of
// a library sends it, the tried-th of that. An outcome other than OK is an answer at once; row is none if there will never
// be one.
func (w *World) sendAttempt(i, run int32, number, tried int, hedge bool) (row int32, o policy.Outcome, after time.Duration) {
	r := &w.requests.rows[i]
	k := w.attempts.take()
	a := &w.attempts.rows[k]
	// Field by field, in a row as it was left: a whole attempt would be made elsewhere first, and copied.
	a.owner, a.by, a.intent = i, byRequest, r.intent
	a.process, a.line, a.operation, a.step = r.process, r.line, r.operation, r.step
	a.n, a.number, a.hedge, a.counted = r.n, uint8(number), hedge, r.counted
	a.again = number > 1 || tried > 1 || r.path%copyPath > 0
	a.stopped, a.repeated, a.leaves = false, false, false
	if op := &w.operations[r.operation]; op.leaves[onEffect] {
		a.leaves = int(r.step)+1 == len(op.steps) && !r.atEdge
	}
	if run != none {
		a.owner, a.by, a.number = run, byLibrary, uint8(tried)
	}
	return w.admit(k, w.at(r), uint64(r.path)+uint64(tried-1), draw(r.n, number))
}

// admit lets attempt i in. Fate decides how much work it is, whether it fails and whether its answer gets lost: with the
// draw at the index, from the keys of the step, or from keys of its own on a path that is not the first. The row is none if
// it was refused or will never be heard of.
func (w *World) admit(i int32, at *step, path, index uint64) (row int32, o policy.Outcome, after time.Duration) {
	a := &w.attempts.rows[i]
	l := &w.lines[a.line]
	d := &w.dependencies[l.dependency]
	now := w.Now()
	a.place = uint16(l.dependency)
	a.awaited, a.done, a.kill = true, 0, 0
	c := d.counting(a.counted)
	switch {
	case !a.again:
		c.First++
	case a.hedge:
		c.Hedges++
	default:
		c.Retries++
	}
	if w.noteOf(a, Sent) {
		w.trace.last().Until = w.until(a)
	}
	switch {
	case d.health.Blackhole:
		w.attempts.put(i)
		return none, policy.OK, 0
	case d.health.Down, w.attempts.held() > w.room:
		c.Refused++
		o = policy.Refused
	case d.queueLimit > 0 && d.waiting >= d.queueLimit && !d.canStart():
		o, after = d.turnAway(c)
	case d.flaky > 0 && onPath(at.flaky, path).At(index).Happens(d.flaky):
		o = policy.Error
	default:
		if d.dist == constant {
			a.demand = d.constant
		} else {
			a.demand = d.demand(onPath(at.demand, path).At(index))
		}
		a.lost = d.lose > 0 && onPath(at.lose, path).At(index).Happens(d.lose)
		a.arrived, a.slot, a.next, a.prev = now, none, none, none
		w.hold(a.intent)
		if l.killAfter > 0 {
			a.kill = w.queue.ScheduleOn(l.kills, now+l.killAfter, killEvent|uint32(i))
		}
		d.measure(now)
		if d.canStart() {
			w.serve(d, i)
		} else {
			w.enqueue(d, i)
		}
		return i, policy.OK, 0
	}
	w.noteOf(a, Refusal)
	w.attempts.put(i)
	return none, o, after
}

// Patience is until when an attempt that is sent now is waited for, under a timeout, 0 for none, and at most until bound:
// policy.NoDeadline if for ever.
func Patience(now, timeout, bound time.Duration) time.Duration {
	if timeout > 0 && timeout < bound-now {
		return now + timeout
	}
	return bound
}

// until is until when an attempt that is sent now is waited for; 0 if for ever.
func (w *World) until(a *attempt) (t time.Duration) {
	l := &w.lines[a.line]
	switch a.by {
	case byRequest:
		t = Patience(w.Now(), l.rule.Timeout, w.requests.rows[a.owner].bound)
	case byLibrary:
		t = Patience(w.Now(), l.library.rule.Timeout, w.libraries.rows[a.owner].until)
	case byVisitor:
		t = w.visits[a.owner].until
	}
	if t == policy.NoDeadline {
		return 0
	}
	return t
}

// serve puts an attempt into a slot. How long it takes is settled here: what is begun while the dependency is slow ends
// slowly, even if it is well again meanwhile.
func (w *World) serve(d *dependency, i int32) {
	a := &w.attempts.rows[i]
	now := w.Now()
	a.slot = d.takeSlot(i)
	a.started, a.paused = now, d.paused
	took := a.demand
	if d.slow != rng.One {
		took = d.slow.Of(took)
	}
	if d.load > 0 {
		took = d.crowded().Of(took)
	}
	a.doneAt = now + took
	a.done = w.queue.ScheduleOn(d.services, a.doneAt, serviceEvent|uint32(i))
	if !w.frozen {
		d.wait.Add(now - a.arrived)
	}
	if a.intent != none && !d.unique && w.lines[a.line].keyed {
		a.repeated = w.intents.rows[a.intent].has(a.step)
	}
	w.noteOf(a, Started)
}

// served is the end of an attempt's service, unless the dependency stalls, or has stalled since.
func (w *World) served(i int32, ticket des.Ticket) {
	a := &w.attempts.rows[i]
	if a.done != ticket {
		return
	}
	d := &w.dependencies[a.place]
	if d.health.Stalled {
		a.stopped = true
		d.stopped = append(d.stopped, i)
		return
	}
	if d.paused != a.paused {
		w.resume(d, i)
		return
	}
	d.Completed++
	if !a.awaited {
		d.Abandoned++
	}
	if a.intent != none {
		w.store(d, a)
	}
	w.noteOf(a, Completed)
	d.measure(w.Now())
	if a.leaves {
		w.leaveJobs(int(a.operation), onEffect, a.counted, a.intent)
	}
	o := policy.OK
	if a.lost {
		o = policy.Lost
	}
	w.leave(d, i, o)
}

// resume lets a service that a stall interrupted run on for what was left of it.
func (w *World) resume(d *dependency, i int32) {
	a := &w.attempts.rows[i]
	a.doneAt += d.paused - a.paused
	a.paused = d.paused
	a.stopped = false
	a.done = w.queue.ScheduleOn(d.services, a.doneAt, serviceEvent|uint32(i))
}

// statementTimeout ends an attempt that has reached its age.
func (w *World) statementTimeout(i int32, ticket des.Ticket) {
	if w.attempts.rows[i].kill == ticket {
		w.killed(i)
	}
}

// killed ends an attempt before it is served.
func (w *World) killed(i int32) {
	a := &w.attempts.rows[i]
	d := &w.dependencies[a.place]
	d.Killed++
	if a.slot == none {
		d.Unserved++
	}
	w.noteOf(a, Killed)
	d.measure(w.Now())
	if a.stopped {
		for k, s := range d.stopped {
			if s == i {
				d.stopped = append(d.stopped[:k], d.stopped[k+1:]...)
				break
			}
		}
	}
	w.leave(d, i, policy.Error)
}

// leave is an attempt leaving its dependency, which goes on to the next; then the one who waits for it, if anybody does,
// has the answer.
func (w *World) leave(d *dependency, i int32, o policy.Outcome) {
	if slot := w.attempts.rows[i].slot; slot == none {
		w.dequeue(d, i)
	} else {
		d.freeSlot(slot)
	}
	gone := w.drop(i)
	if d.waiting > 0 {
		w.serveWaiting(d)
	}
	w.answer(gone, o, 0)
}

// gone is what is left to say of an attempt that is no more: four fields, since the compiler keeps a struct of more in
// memory.
type gone struct {
	owner  int32
	intent int32
	number uint8
	by     ownerKind
}

// drop frees the row of an attempt.
func (w *World) drop(i int32) gone {
	a := &w.attempts.rows[i]
	a.done, a.kill = 0, 0 // its events are about nothing now
	w.attempts.put(i)
	by := a.by
	if !a.awaited && by != byVisitor { // who is told in any case
		by = byNobody
	}
	return gone{a.owner, a.intent, a.number, by}
}

// answer tells whoever waits for an attempt what became of it. An answer that is lost never comes; that it is lost, its
// machine is told for when its time is up.
func (w *World) answer(g gone, o policy.Outcome, after time.Duration) {
	switch {
	case g.by == byVisitor:
		w.visitAnswer(g.owner, o, after)
	case g.by == byNobody:
	case o == policy.Lost && g.by == byLibrary:
		l := &w.libraries.rows[g.owner]
		l.out.row = none
		l.call.Lost(int(g.number))
	case o == policy.Lost:
		r := &w.requests.rows[g.owner]
		r.outstanding(int(g.number)).row = none
		r.call.Lost(int(g.number))
	case g.by == byLibrary:
		w.libraryAnswered(g.owner, int(g.number), o, after)
	default:
		w.answered(g.owner, int(g.number), o, after)
	}
	if g.intent != none {
		w.release(g.intent)
	}
}

// giveUp is request i no longer waiting for an attempt of its call, unless that was answered at this very instant, in the
// place of another that was given up.
func (w *World) giveUp(i int32, number int, kind EventKind) {
	r := &w.requests.rows[i]
	sent := *r.outstanding(number)
	if int(sent.number) != number {
		return
	}
	r.forget(number)
	if sent.library {
		w.stopLibrary(r, sent.row, kind)
		return
	}
	w.giveUpAttempt(r, sent, number, number > 1, kind)
}

// giveUpAttempt is the end of waiting for an attempt at the dependency. That works on, unless it cancels, or is told to
// stop since the attempt was beaten.
func (w *World) giveUpAttempt(r *request, sent out, number int, again bool, kind EventKind) {
	l := &w.lines[r.line]
	d := &w.dependencies[l.dependency]
	if kind == TimedOut {
		d.counting(r.counted).Timeouts++
	}
	w.note(kind, sender(again || r.path%copyPath > 0, sent.hedge), number, int(r.process), l.dependency, r.n)
	if sent.row == none {
		return
	}
	w.attempts.rows[sent.row].awaited = false
	if d.cancel || kind == Beaten && l.rule.HedgeCancel {
		w.killed(sent.row)
	}
}
