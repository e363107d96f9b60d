package model

import (
	"time"

	"stormbin/engine/des"
	"stormbin/engine/policy"
	"stormbin/engine/rng"
)

// attempt is one attempt at a dependency, from its arrival until the dependency is through with it.
type attempt struct {
	owner      int32 // the request, or with yours the visit
	next, prev int32 // in the queue
	slot       int32 // none while it waits in the queue
	line       uint16
	process    uint16
	number     uint8
	yours      bool // the reader's own
	awaited    bool // somebody waits for the answer
	write      bool // has an effect when it is served
	counted    bool // of a request that is
	lost       bool // nobody will hear of it
	stopped    bool // its service has run its time, and the dependency stalls
	step       uint8
	n          uint64
	arrived    time.Duration
	demand     time.Duration // how long its service takes when all is well
	done       des.Ticket    // of the end of its service
	started    time.Duration // its service
	doneAt     time.Duration
	kill       des.Ticket
	paused     time.Duration // the dependency's when the service began
}

// holder says what the attempt is to those who look on.
func (a *attempt) holder() Holder {
	switch {
	case a.yours && a.awaited:
		return Yours
	case a.yours:
		return YoursLeft
	case !a.awaited:
		return Abandoned
	case a.number > 1:
		return Retry
	}
	return First
}

// send is an attempt of request r arriving at its dependency. OK: it is there, and its answer, if any, will come. Any
// other outcome is an answer at once.
func (w *World) send(r int32, number int, at *step) policy.Outcome {
	row := &w.requests.rows[r]
	op := &w.operations[row.operation]
	index := draw(row.n, number)
	i, o := w.admit(&attempt{
		owner: r, process: row.process, line: uint16(at.line), number: uint8(number), step: row.step, n: row.n,
		write: !op.idempotent, counted: row.counted,
	}, at.demand.At(index), at.flaky.At(index), at.lose.At(index))
	row.attempt = i
	if i != none && !op.idempotent {
		row.attempts++
	}
	return o
}

// admit lets an attempt in, with what fate has drawn for it: how much work it is, whether it fails, whether its answer
// gets lost. The index is none if it was refused or will never be heard of.
func (w *World) admit(a *attempt, demand, flaky, lose rng.Draw) (int32, policy.Outcome) {
	l := &w.lines[a.line]
	d := &w.dependencies[l.dependency]
	now := w.Now()
	a.awaited = true
	holder := a.holder()
	c := d.counting(a.counted)
	if a.number == 1 {
		c.First++
	} else {
		c.Retries++
	}
	w.note(Sent, holder, int(a.number), int(a.process), l.dependency, a.n)
	var o policy.Outcome
	switch {
	case d.health.Blackhole:
		return none, policy.OK
	case d.health.Down, d.queueLimit > 0 && d.waiting >= d.queueLimit && !d.canStart(), w.attempts.held() >= w.room:
		c.Refused++
		o = policy.Refused
	case flaky.Happens(d.flaky):
		o = policy.Error
	default:
		u := rng.One
		if d.exponential {
			u = demand.Exponential()
		}
		a.demand = d.base + d.mean.Times(u)
		a.arrived, a.lost, a.slot, a.next, a.prev = now, lose.Happens(d.lose), none, none, none
		i := w.attempts.take()
		if l.killAfter > 0 {
			a.kill = w.queue.ScheduleOn(l.kills, now+l.killAfter, killEvent|uint32(i))
		}
		w.attempts.rows[i] = *a
		d.measure(now)
		if d.canStart() {
			w.serve(d, i)
		} else {
			w.enqueue(d, i)
		}
		return i, policy.OK
	}
	w.note(Refusal, holder, int(a.number), int(a.process), l.dependency, a.n)
	return none, o
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
	a.doneAt = now + took
	a.done = w.queue.ScheduleOn(d.services, a.doneAt, serviceEvent|uint32(i))
	if !w.frozen {
		d.wait.Add(now - a.arrived)
	}
	w.note(Started, a.holder(), int(a.number), int(a.process), w.lines[a.line].dependency, a.n)
}

// served is the end of an attempt's service, unless the dependency stalls, or has stalled since.
func (w *World) served(i int32, ticket des.Ticket) {
	a := &w.attempts.rows[i]
	if a.done != ticket {
		return
	}
	d := &w.dependencies[w.lines[a.line].dependency]
	now := w.Now()
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
	if a.write {
		c := d.counting(a.counted)
		c.Stored++
		done := &w.requests.rows[a.owner].stored[a.step/64]
		if bit := uint64(1) << (a.step % 64); *done&bit != 0 {
			c.Duplicates++
		} else {
			*done |= bit
		}
	}
	w.note(Completed, a.holder(), int(a.number), int(a.process), w.lines[a.line].dependency, a.n)
	d.measure(now)
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
	d := &w.dependencies[w.lines[a.line].dependency]
	d.Killed++
	w.note(Killed, a.holder(), int(a.number), int(a.process), w.lines[a.line].dependency, a.n)
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
// has the answer. An answer that is lost never comes.
func (w *World) leave(d *dependency, i int32, o policy.Outcome) {
	row := &w.attempts.rows[i]
	owner, number, yours, awaited, write := row.owner, int(row.number), row.yours, row.awaited, row.write
	if row.slot == none {
		w.dequeue(d, i)
	} else {
		d.freeSlot(row.slot)
	}
	row.done, row.kill = 0, 0 // its events are about nothing now
	w.attempts.put(i)
	w.serveWaiting(d)
	if yours {
		w.visitAnswer(owner, o)
		return
	}
	if write {
		r := &w.requests.rows[owner]
		r.attempts--
		if r.attempt == i {
			r.attempt = none
		}
		if !awaited {
			w.release(owner)
		}
	}
	switch {
	case !awaited:
	case o == policy.Lost:
		w.requests.rows[owner].attempt = none
	default:
		w.result(owner, number, o)
	}
}

// giveUp is a request that stops waiting for an attempt. The dependency works on, unless it cancels.
func (w *World) giveUp(r *request, number int) {
	l := &w.lines[w.operations[r.operation].steps[r.step].line]
	d := &w.dependencies[l.dependency]
	d.counting(r.counted).Timeouts++
	holder := First
	if number > 1 {
		holder = Retry
	}
	w.note(TimedOut, holder, number, int(r.process), l.dependency, r.n)
	i := r.attempt
	r.attempt = none
	if i == none {
		return
	}
	w.attempts.rows[i].awaited = false
	if d.cancel {
		w.killed(i)
	}
}
