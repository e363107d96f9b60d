// Package des is the discrete-event core: a virtual clock and the queue of what is still to happen.
//
//	des.go    the queue
//	wheel.go  what fits no lane: a wheel for what is near, a heap for the rest
//
// Events leave the queue in a total order: by time, and at one time in the order in which they were scheduled. Most
// events of a simulation are timeouts of a few fixed lengths, which are scheduled in the order in which they fall due; each
// such class gets a [Lane], a plain ring in which pushing and popping cost next to nothing. What fits no lane goes into a
// wheel, and the two are merged. Nothing allocates once the slices have grown.
package des

import (
	"math"
	"slices"
	"time"
)

// Event is one thing to happen. What is the caller's own; the queue does not look at it.
type Event struct {
	At     time.Duration
	Ticket Ticket
	What   uint32
}

// Ticket tells events apart. An event can't be taken back; whoever no longer wants one forgets its ticket, and ignores
// the event when it comes. Never 0, so that 0 can mean none.
type Ticket uint32

// before is the queue's order. Tickets wrap around after four billion events, so it is their difference that counts:
// right as long as fewer than two billion are waiting.
func (e Event) before(o Event) bool {
	return e.At < o.At || e.At == o.At && int32(e.Ticket-o.Ticket) < 0
}

// Queue is a clock with the events to come. The zero value is empty, at time 0.
type Queue struct {
	// Dead, if set, tells whether an event is one that nobody wants any more. Such events are dropped, unseen, when they
	// come to the head of their lane: cheaper than popping them, and most timeouts are dead by then. An event that dies
	// later, or in the wheel, is popped like any other.
	Dead func(Event) bool

	now   time.Duration
	last  Ticket
	wheel wheel
	lanes []ring
	heads []Event // of the lanes, side by side; never is that of an empty one
	first int     // the lane whose head comes first; −1 if all are empty
}

// never is later than every event.
const never = time.Duration(math.MaxInt64)

// Lane is a class of events that are mostly scheduled in the order in which they fall due. It is a hint: an event that
// would break the order of its lane goes to the wheel.
type Lane int

// NewLane adds a lane.
func (q *Queue) NewLane() Lane {
	q.lanes = append(q.lanes, ring{})
	q.heads = append(q.heads, Event{At: never})
	q.merge()
	return Lane(len(q.lanes) - 1)
}

// Now is the time of the event that was popped last.
func (q *Queue) Now() time.Duration { return q.now }

// Len is how many events are waiting, forgotten ones included.
func (q *Queue) Len() int {
	n := q.wheel.n
	for i := range q.lanes {
		n += q.lanes[i].n
	}
	return n
}

// Schedule adds an event at a time, or now if that has passed.
func (q *Queue) Schedule(at time.Duration, what uint32) Ticket {
	e := q.event(at, what)
	q.wheel.push(e, q.now)
	return e.Ticket
}

// ScheduleOn does the same on a lane.
func (q *Queue) ScheduleOn(l Lane, at time.Duration, what uint32) Ticket {
	e := q.event(at, what)
	r := &q.lanes[l]
	if r.n > 0 && e.At < r.last {
		q.wheel.push(e, q.now)
		return e.Ticket
	}
	if r.n == len(r.events) {
		r.makeRoom(q.Dead)
	}
	r.events[(r.first+r.n)&(len(r.events)-1)] = e
	r.n++
	r.last = e.At
	if r.n == 1 {
		q.heads[l] = e
		if q.first < 0 || e.before(q.heads[q.first]) {
			q.first = int(l)
		}
	}
	return e.Ticket
}

func (q *Queue) event(at time.Duration, what uint32) Event {
	q.last++
	if q.last == 0 {
		q.last = 1
	}
	return Event{At: max(at, q.now), Ticket: q.last, What: what}
}

// Pop takes the next event and moves the clock to it; false if there is none.
func (q *Queue) Pop() (Event, bool) { return q.PopBy(never) }

// PopBy is Pop for an event that is due by t; false if the next one is later.
func (q *Queue) PopBy(t time.Duration) (e Event, ok bool) {
	e = Event{At: never}
	if q.wheel.n > 0 {
		e = q.wheel.head
	}
	if q.first >= 0 && len(q.lanes) > 0 && q.heads[q.first].before(e) {
		e = q.heads[q.first]
		if e.At > t {
			return Event{}, false
		}
		q.now = e.At
		q.drop(q.first)
		return e, true
	}
	if q.wheel.n == 0 || e.At > t {
		return Event{}, false
	}
	q.now = e.At
	q.wheel.pop()
	return e, true
}

// Due is when the next event is; later than everything if there is none.
func (q *Queue) Due() time.Duration {
	due := never
	if q.wheel.n > 0 {
		due = q.wheel.head.At
	}
	if len(q.lanes) > 0 && q.first >= 0 {
		due = min(due, q.heads[q.first].At)
	}
	return due
}

// Pass moves the clock to t, or to just before the next event if that is sooner.
func (q *Queue) Pass(t time.Duration) { q.now = max(q.now, min(t, q.Due())) }

// Copy is another queue with the same events to come. Its Dead is not set.
func (q *Queue) Copy() Queue {
	c := *q
	c.Dead = nil
	c.wheel = q.wheel.copy()
	c.heads = slices.Clone(q.heads)
	c.lanes = slices.Clone(q.lanes)
	for i := range c.lanes {
		c.lanes[i].events = slices.Clone(q.lanes[i].events)
	}
	return c
}

// drop takes the head off a lane, and the dead behind it.
func (q *Queue) drop(lane int) {
	r := &q.lanes[lane]
	r.pop()
	for r.n > 0 && q.Dead != nil && q.Dead(r.events[r.first]) {
		r.pop()
	}
	q.heads[lane] = Event{At: never}
	if r.n > 0 {
		q.heads[lane] = r.events[r.first]
	}
	q.merge()
}

// merge finds the lane that comes first.
func (q *Queue) merge() {
	first := 0
	for i := 1; i < len(q.heads); i++ {
		if q.heads[i].before(q.heads[first]) {
			first = i
		}
	}
	q.first = first
	if q.heads[first].At == never {
		q.first = -1
	}
}

// ring is a queue of events in order. Its length is a power of two.
type ring struct {
	n      int
	last   time.Duration // when the latest one falls due
	first  int
	events []Event
}

// bury drops the dead behind the head, so that a lane of very long timeouts, most of them dead by the next one, needs no
// more room than the living.
func (r *ring) bury(dead func(Event) bool) {
	mask := len(r.events) - 1
	kept := 1
	for i := 1; i < r.n; i++ {
		if e := r.events[(r.first+i)&mask]; !dead(e) {
			r.events[(r.first+kept)&mask] = e
			kept++
		}
	}
	r.n = kept
}

// makeRoom makes room for another event, where the dead are if half of them are.
func (r *ring) makeRoom(dead func(Event) bool) {
	if dead != nil && r.n > 0 {
		r.bury(dead)
	}
	if 2*r.n >= len(r.events) { // else the next pushes would look for the dead again
		bigger := make([]Event, max(64, 2*len(r.events)))
		for i := range r.n {
			bigger[i] = r.events[(r.first+i)&(len(r.events)-1)]
		}
		r.events, r.first = bigger, 0
	}
}

func (r *ring) pop() {
	r.first = (r.first + 1) & (len(r.events) - 1)
	r.n--
}
