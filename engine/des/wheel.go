package des

import (
	"math/bits"
	"slices"
	"time"
)

// wheel holds events in the order of time. Those that are due soon wait in slots, one for each short span of time, in any
// order; only those of the span that comes next are in order, in a heap, which is small. What is farther off than the
// wheel goes round is in a heap of its own. The zero value is empty.
//
// The events of all slots share one slice, and a place that falls free is the first to be taken again: so they stay in as
// little memory as they need, and that in the processor's cache.
type wheel struct {
	n    int
	head Event // the first; of no meaning if n is 0

	next   heap               // what is due before the span after current
	span   int64              // the current one, since time 0
	slots  [slots]int32       // the event of each that was put there last: where it is in places, from 1; 0: none
	full   [slots / 64]uint64 // a bit for each slot that has events
	places []place
	free   int32 // the place that fell free last, as in slots
	far    heap
}

// place is where an event of a slot waits; or it is free.
type place struct {
	Event
	next int32 // in the same slot, or of those that are free; as in slots
}

const (
	spanBits = 16 // of nanoseconds: 66 µs, in which even a busy world has a handful of events
	slots    = 1024
)

func spanOf(t time.Duration) int64 { return int64(t >> spanBits) }

// push adds an event that is due now or later.
func (w *wheel) push(e Event, now time.Duration) {
	if w.n == len(w.far) { // the wheel itself is empty: let it begin here
		w.span = spanOf(now)
	}
	if w.n == 0 || e.before(w.head) {
		w.head = e
	}
	w.n++
	switch ahead := spanOf(e.At) - w.span; {
	case ahead <= 0:
		w.next.push(e)
	case ahead < slots:
		i := spanOf(e.At) % slots
		p := w.free
		if p == 0 {
			w.places = append(w.places, place{})
			p = int32(len(w.places))
		}
		at := &w.places[p-1]
		w.free = at.next
		at.Event, at.next, w.slots[i] = e, w.slots[i], p
		w.full[i/64] |= 1 << (i % 64)
		if len(w.next) == 0 {
			w.turn()
		}
	default:
		w.far.push(e)
	}
}

// pop takes the head off.
func (w *wheel) pop() {
	if len(w.next) > 0 && w.next[0].Ticket == w.head.Ticket {
		w.next.pop()
		if len(w.next) == 0 && w.n-1 > len(w.far) {
			w.turn()
		}
	} else {
		w.far.pop()
	}
	w.n--
	switch {
	case w.n == 0:
	case len(w.next) == 0, len(w.far) > 0 && w.far[0].before(w.next[0]):
		w.head = w.far[0]
	default:
		w.head = w.next[0]
	}
}

// turn goes on to the next slot that has events. There is one, and next is empty.
func (w *wheel) turn() {
	from := (w.span + 1) % slots
	word := from / 64
	set := w.full[word] &^ (1<<(from%64) - 1)
	for set == 0 {
		word = (word + 1) % int64(len(w.full))
		set = w.full[word]
	}
	i := word*64 + int64(bits.TrailingZeros64(set))
	w.span += (i-w.span%slots+slots-1)%slots + 1
	w.full[word] &^= 1 << (i % 64)
	p := w.slots[i]
	w.slots[i] = 0
	for p > 0 {
		at := &w.places[p-1]
		w.next = append(w.next, at.Event)
		p, at.next, w.free = at.next, w.free, p
	}
	w.next.order()
}

func (w *wheel) copy() wheel {
	c := *w
	c.next, c.far, c.places = slices.Clone(w.next), slices.Clone(w.far), slices.Clone(w.places)
	return c
}

// heap has the first event at index 0.
type heap []Event

const arity = 4 // fewer levels than two, and a node's children share a cache line

func (h *heap) push(e Event) {
	*h = append(*h, e)
	s := *h
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / arity
		if !e.before(s[up]) {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = e
}

func (h *heap) pop() {
	s := *h
	n := len(s) - 1
	e := s[n]
	s = s[:n]
	*h = s
	if n > 0 {
		s.sink(0, e)
	}
}

// order makes a heap of events that are in no order.
func (h heap) order() {
	for i := (len(h) - 2) / arity; i >= 0 && len(h) > 1; i-- {
		h.sink(i, h[i])
	}
}

// sink puts e at i or below, in place of what is there.
func (h heap) sink(i int, e Event) {
	n := len(h)
	for {
		down := arity*i + 1
		if down >= n {
			break
		}
		least, first := down, h[down]
		for c, o := range h[down+1 : min(down+arity, n)] {
			if o.before(first) {
				least, first = down+1+c, o
			}
		}
		if !first.before(e) {
			break
		}
		h[i] = first
		i = least
	}
	h[i] = e
}
