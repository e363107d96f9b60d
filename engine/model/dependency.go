package model

import (
	"math/bits"
	"time"

	"stormbin/engine/des"
	"stormbin/engine/metrics"
	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// dependency is a server: slots, and one queue before them, first come, first served.
type dependency struct {
	name  string
	slots int
	limit int // slots in working order now
	busy  int
	held  []int32  // by slot, the attempt in it
	free  []uint64 // a bit for each free slot; the lowest is taken first

	head, tail int32 // of the queue
	waiting    int
	queueLimit int // 0: none

	exponential bool
	mean        rng.Fixed
	base        time.Duration
	hit         rng.Chance
	cancel      bool
	services    des.Lane

	health      Health
	flaky, lose rng.Chance
	slow        rng.Units
	stalledAt   time.Duration
	paused      time.Duration // how long it has stalled in all, up to the last time it went on
	stopped     []int32       // attempts that would have been served while it stalls

	counts
	atEnd counts // as they stood when the scenario's duration was over
	after counts // what is about requests that came later, which only keep up the load
	wait  metrics.Histogram
}

// configure takes over its numbers. Slots that are taken away are given up as they fall free.
func (d *dependency) configure(set scenario.Dependency) {
	d.slots = set.Slots
	for len(d.held) < d.slots {
		if i := len(d.held); i%64 == 0 {
			d.free = append(d.free, 0)
		}
		d.free[len(d.held)/64] |= 1 << (len(d.held) % 64)
		d.held = append(d.held, none)
	}
	d.queueLimit = set.QueueLimit
	d.exponential = set.Service.Dist == "exponential"
	d.mean = rng.FixedOf(time.Duration(set.Service.Mean))
	d.base = time.Duration(set.Service.Base)
	d.hit = rng.ChanceOf(set.HitShare)
	d.cancel = set.Cancel
}

// counting is where to count what is about a request: not among the rest if it came after the world's end.
func (d *dependency) counting(counted bool) *counts {
	if counted {
		return &d.counts
	}
	return &d.after
}

// canStart tells whether the next to arrive is served at once.
func (d *dependency) canStart() bool {
	return d.busy < d.limit && d.waiting == 0 && !d.health.Stalled
}

func (w *World) enqueue(d *dependency, i int32) {
	rows := w.attempts.rows
	rows[i].prev = d.tail
	if d.tail == none {
		d.head = i
	} else {
		rows[d.tail].next = i
	}
	d.tail = i
	d.waiting++
	d.MaxQueue = max(d.MaxQueue, d.waiting)
}

func (w *World) dequeue(d *dependency, i int32) {
	rows := w.attempts.rows
	a := &rows[i]
	if a.prev == none {
		d.head = a.next
	} else {
		rows[a.prev].next = a.next
	}
	if a.next == none {
		d.tail = a.prev
	} else {
		rows[a.next].prev = a.prev
	}
	d.waiting--
}

func (d *dependency) takeSlot(i int32) int32 {
	for word, bitset := range d.free {
		if bitset != 0 {
			slot := word*64 + bits.TrailingZeros64(bitset)
			d.free[word] &^= 1 << (slot % 64)
			d.held[slot] = i
			d.busy++
			return int32(slot)
		}
	}
	panic("model: a slot was promised and none is free")
}

func (d *dependency) freeSlot(slot int32) {
	d.held[slot] = none
	d.free[slot/64] |= 1 << (slot % 64)
	d.busy--
}

// serveWaiting fills the slots from the queue.
func (w *World) serveWaiting(d *dependency) {
	for d.waiting > 0 && d.busy < d.limit && !d.health.Stalled {
		i := d.head
		w.dequeue(d, i)
		w.serve(d, i)
	}
}
