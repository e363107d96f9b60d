package model

import (
	"slices"
	"time"
)

// capped is an operation's requests in the processes, in the order in which they were let in. It is kept only of an operation
// that has a cap, and no operation gets one, or loses it, while a world runs.
type capped struct {
	on          bool
	first, last int32 // of the list; none if it is empty
	busy        int
	ended       int64
}

// place is what one request takes of a cap.
type place struct {
	since      time.Duration
	next, prev int32
}

// letIn lets a request of an operation into a process, unless its cap turns it away. letOut ends that; place is none where
// there is no cap.
func (w *World) letIn(operation, process int) (place int32, ok bool) {
	p := &w.processes[process]
	if !p.caps[operation].Acquire() {
		return none, false
	}
	p.inFlight++
	if !w.operations[operation].capped.on {
		return none, true
	}
	return w.takePlace(&w.operations[operation].capped), true
}

// letOut ends what letIn began.
func (w *World) letOut(operation, process int, place int32) {
	p := &w.processes[process]
	p.caps[operation].Release()
	p.inFlight--
	if place != none {
		w.freePlace(&w.operations[operation].capped, place)
	}
}

func (w *World) takePlace(c *capped) int32 {
	i := w.places.take()
	w.places.rows[i] = place{since: w.Now(), next: none, prev: c.last}
	if c.last == none {
		c.first = i
	} else {
		w.places.rows[c.last].next = i
	}
	c.last = i
	c.busy++
	return i
}

func (w *World) freePlace(c *capped, i int32) {
	at := w.places.rows[i]
	if at.prev == none {
		c.first = at.next
	} else {
		w.places.rows[at.prev].next = at.next
	}
	if at.next == none {
		c.last = at.prev
	} else {
		w.places.rows[at.next].prev = at.prev
	}
	c.busy--
	c.ended++
	w.places.put(i)
}

// lookAtCaps fills in the operations that are capped.
func (w *World) lookAtCaps(s *Snapshot) {
	n := 0
	for i := range w.operations[:w.users] {
		c := &w.operations[i].capped
		if !c.on {
			continue
		}
		if n == len(s.Caps) {
			s.Caps = append(s.Caps, CapNow{})
		}
		now := &s.Caps[n]
		n++
		held := slices.Grow(now.Held[:0], min(c.busy, CapHeldLimit))
		for k := c.first; k != none && len(held) < CapHeldLimit; k = w.places.rows[k].next {
			held = append(held, w.places.rows[k].since)
		}
		name := w.operations[i].name
		*now = CapNow{
			Operation: name, Slots: w.settings.Processes.Cap[name] * w.outside(), Busy: c.busy, Held: held, Ended: c.ended,
		}
	}
	s.Caps = s.Caps[:n]
}
