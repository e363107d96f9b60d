// Package des is the discrete-event core: a virtual clock and the queue of what is still to happen.
//
// Events leave the queue in a total order: by time, and at one time in the order in which they were scheduled. Most
// events of a simulation are timeouts of a few fixed lengths, which are scheduled in the order in which they fall due; each
// such class gets a [Lane], a plain ring in which pushing and popping cost next to nothing. What fits no lane goes into a
// 4-ary heap, and the two are merged. Nothing allocates once the slices have grown.
package des

import (
	"math"
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
	now   time.Duration
	last  Ticket
	heap  []Event
	lanes []ring
}

// Lane is a class of events that are mostly scheduled in the order in which they fall due. It is a hint: an event that
// would break the order of its lane goes to the heap.
type Lane int

// NewLane adds a lane.
func (q *Queue) NewLane() Lane {
	q.lanes = append(q.lanes, ring{})
	return Lane(len(q.lanes) - 1)
}

// Now is the time of the event that was popped last.
func (q *Queue) Now() time.Duration { return q.now }

// Len is how many events are waiting, forgotten ones included.
func (q *Queue) Len() int {
	n := len(q.heap)
	for i := range q.lanes {
		n += q.lanes[i].n
	}
	return n
}

// Schedule adds an event at a time, or now if that has passed.
func (q *Queue) Schedule(at time.Duration, what uint32) Ticket {
	e := q.event(at, what)
	q.push(e)
	return e.Ticket
}

// ScheduleOn does the same on a lane.
func (q *Queue) ScheduleOn(l Lane, at time.Duration, what uint32) Ticket {
	e := q.event(at, what)
	if r := &q.lanes[l]; r.n == 0 || r.last <= e.At {
		r.push(e)
	} else {
		q.push(e)
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

// Peek is the time of the next event; false if there is none.
func (q *Queue) Peek() (time.Duration, bool) {
	e, _, ok := q.next()
	return e.At, ok
}

// Pop takes the next event and moves the clock to it; false if there is none.
func (q *Queue) Pop() (Event, bool) { return q.PopBy(math.MaxInt64) }

// PopBy is Pop for an event that is due by t; false if the next one is later.
func (q *Queue) PopBy(t time.Duration) (Event, bool) {
	e, from, ok := q.next()
	if !ok || e.At > t {
		return Event{}, false
	}
	if from >= 0 {
		q.lanes[from].pop()
	} else {
		q.pop()
	}
	q.now = e.At
	return e, true
}

// Pass moves the clock to t, if no event is due before.
func (q *Queue) Pass(t time.Duration) {
	if at, ok := q.Peek(); t > q.now && (!ok || at >= t) {
		q.now = t
	}
}

// next finds the first event: the lane that it heads, or −1 for the heap.
func (q *Queue) next() (first Event, from int, ok bool) {
	from = -1
	if len(q.heap) > 0 {
		first, ok = q.heap[0], true
	}
	for i := range q.lanes {
		if r := &q.lanes[i]; r.n > 0 && (!ok || r.head.before(first)) {
			first, from, ok = r.head, i, true
		}
	}
	return first, from, ok
}

// ring is a queue of events in order. Its length is a power of two.
type ring struct {
	head   Event // a copy of events[first], so that a merge touches no other memory
	n      int
	last   time.Duration // when the latest one falls due
	first  int
	events []Event
}

func (r *ring) push(e Event) {
	if r.n == len(r.events) {
		bigger := make([]Event, max(64, 2*r.n))
		for i := range r.n {
			bigger[i] = r.events[(r.first+i)&(r.n-1)]
		}
		r.events, r.first = bigger, 0
	}
	r.events[(r.first+r.n)&(len(r.events)-1)] = e
	r.n++
	r.last = e.At
	if r.n == 1 {
		r.head = e
	}
}

func (r *ring) pop() {
	r.first = (r.first + 1) & (len(r.events) - 1)
	r.n--
	r.head = r.events[r.first]
}

const arity = 4 // of the heap: fewer levels than two, and a node's children share a cache line

func (q *Queue) push(e Event) {
	q.heap = append(q.heap, e)
	h := q.heap
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / arity
		if !e.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

func (q *Queue) pop() {
	n := len(q.heap) - 1
	e := q.heap[n]
	q.heap = q.heap[:n]
	h := q.heap
	if n == 0 {
		return
	}
	i := 0
	for {
		down := arity*i + 1
		if down >= n {
			break
		}
		least := down
		for c := down + 1; c < min(down+arity, n); c++ {
			if h[c].before(h[least]) {
				least = c
			}
		}
		if !h[least].before(e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
}
