package model

import (
	"math/bits"
	"time"

	"stormbin/engine/des"
	"stormbin/engine/metrics"
	"stormbin/engine/policy"
	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// dependency is a server: slots, and one queue before them.
type dependency struct {
	name  string
	slots int
	limit int // slots in working order now
	busy  int
	held  []int32  // by slot, the attempt in it
	free  []uint64 // a bit for each free slot; the lowest is taken first

	head, tail int32 // of the queue: who came first and who came last
	waiting    int
	queueLimit int // 0: none
	lifo       bool
	queueAge   time.Duration // 0: none
	retryAfter time.Duration // 0: who is turned away is refused

	dist     dist
	constant time.Duration // base and mean
	mean     rng.Fixed
	base     time.Duration
	spread   *rng.Lognormal
	sigma    float64 // of spread
	table    []scenario.Duration
	load     rng.Units
	hits     float64 // hit share when no flush is on
	hit      rng.Chance
	cache    *cache // nil unless it has keys
	cancel   bool
	unique   bool
	services des.Lane

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
	d.lifo = set.Discipline == "lifo"
	d.queueAge = time.Duration(set.QueueAge)
	d.retryAfter = time.Duration(set.RetryAfter)
	d.dist = dists[set.Service.Dist]
	d.mean = rng.FixedOf(time.Duration(set.Service.Mean))
	d.base = time.Duration(set.Service.Base)
	d.constant = d.base + time.Duration(set.Service.Mean)
	d.table = set.Service.Table
	d.load = rng.UnitsOf(set.Service.Load)
	if d.dist == lognormal && d.sigma != set.Service.Sigma {
		d.sigma, d.spread = set.Service.Sigma, rng.NewLognormal(set.Service.Sigma)
	}
	d.hits = set.HitShare
	d.cancel = set.Cancel
	d.unique = set.Unique
}

type dist uint8

const (
	constant dist = iota
	exponential
	lognormal
	table
)

var dists = map[string]dist{"constant": constant, "exponential": exponential, "lognormal": lognormal, "table": table}

// demand is how long an attempt takes when all is well.
func (d *dependency) demand(draw rng.Draw) time.Duration {
	switch d.dist {
	case exponential:
		return d.base + d.mean.Times(draw.Exponential())
	case lognormal:
		return d.base + d.mean.Times(d.spread.Draw(draw))
	case table:
		return d.base + time.Duration(d.table[draw.Below(len(d.table))])
	}
	return d.constant
}

// crowded is how much longer a service takes for all that are here.
func (d *dependency) crowded() rng.Units {
	const most = 1<<64 - 1 - rng.One
	hi, lo := bits.Mul64(uint64(d.load), uint64(d.waiting+d.busy))
	if hi >= uint64(d.slots) {
		return rng.One + most
	}
	more, _ := bits.Div64(hi, lo, uint64(d.slots))
	return rng.One + min(rng.Units(more), most)
}

// turnAway is the answer to an attempt that there is no room or no time for.
func (d *dependency) turnAway(c *counts) (o policy.Outcome, after time.Duration) {
	if d.retryAfter > 0 {
		c.Shed++
		return policy.Shed, d.retryAfter
	}
	c.Refused++
	return policy.Refused, 0
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

// serveWaiting fills the slots from the queue. One who has waited too long is turned away when his turn comes.
func (w *World) serveWaiting(d *dependency) {
	for d.waiting > 0 && d.busy < d.limit && !d.health.Stalled {
		i := d.head
		if d.lifo {
			i = d.tail
		}
		w.dequeue(d, i)
		a := &w.attempts.rows[i]
		if d.queueAge == 0 || w.Now()-a.arrived < d.queueAge {
			w.serve(d, i)
			continue
		}
		w.noteOf(a, Refusal)
		d.measure(w.Now())
		o, after := d.turnAway(d.counting(a.counted))
		w.answer(w.drop(i), o, after)
	}
}
