package model

import (
	"time"

	"stormbin/engine/policy"
	"stormbin/engine/rng"
)

// origin says for whom something is done: for which click, by which of the layers above, and until when.
type origin struct {
	operation uint16
	counted   bool
	number    uint8  // which attempt of the layer above; 0 if there is none
	path      uint32 // which copy, and which attempts of client and balancer this is, a byte each; 0: the first of all
	above     int32  // the layer that waits for it; none if that is the user himself
	intent    int32  // what the click's writes have stored; none if there are none
	n         uint64 // which arrival of its operation
	arrived   time.Duration
	deadline  time.Duration // policy.NoDeadline if the user waits for ever
}

const (
	clientPath   = 1 << 16
	balancerPath = 1 << 8
	copyPath     = 1 << 24
)

// onPath is the source of a draw for something on that path: that of the first attempts, or one of its own.
func onPath(k rng.Key, path uint64) rng.Key {
	if path != 0 {
		return k.Sub(path)
	}
	return k
}

// answer is how a request ended: as those above see it, and what it came to where it failed.
type answer struct {
	seen, cause policy.Outcome
	left        bool // the user had left before there was one
}

// seenAbove is an outcome as it looks from further up: whatever failed, what comes is an answer that says no.
func seenAbove(cause policy.Outcome) answer {
	if cause == policy.OK {
		return answer{seen: policy.OK, cause: policy.OK}
	}
	return answer{seen: policy.Error, cause: cause}
}

// click is one arrival, counted as offered: a request, or a few at one instant, sent by whoever it is.
func (w *World) click(op *operation, n uint64, user int32) {
	it := none
	if !op.idempotent {
		it = w.intend(op, w.Now() < w.end)
	}
	var o origin
	for i := range op.copies {
		// Field by field, in place: a whole origin would be made elsewhere first, and copied.
		o.operation, o.counted, o.number, o.path, o.above = uint16(op.index), w.Now() < w.end, 0, uint32(i*copyPath), none
		o.intent, o.n, o.arrived, o.deadline = it, n, w.Now(), policy.NoDeadline
		if o.counted {
			op.counts.Offered++
			op.counts.InFlight++
			w.windows.Offer(o.arrived)
			w.series.offer(op.index)
		}
		if !op.client.present {
			w.request(&o)
			continue
		}
		if w.layers.held() >= w.room && user == none {
			w.noRoom(&o)
			continue
		}
		l := w.newLayer(clientLayer, &o, user)
		w.drive(l, w.layers.rows[l].call.Start(w.terms(&w.layers.rows[l]), w.Now(), policy.NoDeadline))
	}
	if it != none {
		w.release(it)
	}
}

// request sends a request on its way, from the user to the edge or further. done: it has its answer already.
func (w *World) request(o *origin) (a answer, done bool) {
	op := &w.operations[o.operation]
	if o.counted {
		op.counts.Tries++
	}
	if op.deadline > 0 {
		o.deadline = w.Now() + op.deadline
	}
	if op.edge.line != int(none) {
		d := &w.dependencies[w.lines[op.edge.line].dependency]
		if h := &d.health; h.Down || h.Blackhole || h.Stalled || d.hit > 0 && w.edgeHit(op, o) {
			if w.requests.held() >= w.room {
				return w.noRoom(o)
			}
			return w.toEdge(o)
		}
	}
	return w.toBalancer(o)
}

// edgeHit tells whether the edge has the answer to a request.
func (w *World) edgeHit(op *operation, o *origin) bool {
	d := &w.dependencies[w.lines[op.edge.line].dependency]
	return onPath(op.edge.hit, uint64(o.path)).At(o.n).Happens(d.hit)
}

// toEdge lets the edge answer a request, or pass it on.
func (w *World) toEdge(o *origin) (a answer, done bool) {
	i := w.newRequest(o, w.outside())
	r := &w.requests.rows[i]
	r.atEdge = true
	return w.perform(i, w.start(r))
}

// toBalancer brings a request to the balancer, which tries again by itself if it has been told to.
func (w *World) toBalancer(o *origin) (a answer, done bool) {
	if !w.balancer.present {
		return w.enter(o)
	}
	if w.layers.held() >= w.room {
		return w.noRoom(o)
	}
	l := w.newLayer(balancerLayer, o, none)
	return w.drive(l, w.layers.rows[l].call.Start(w.terms(&w.layers.rows[l]), w.Now(), w.bound(o.deadline)))
}

// enter hands a request to a process, which serves it, or turns it away at its cap.
func (w *World) enter(o *origin) (a answer, done bool) {
	process := w.choose()
	w.note(Arrived, First, 0, process, int(o.operation), o.n)
	place, ok := none, false
	if w.requests.held() < w.room {
		place, ok = w.letIn(int(o.operation), process)
	}
	if !ok {
		w.note(ShedAtCap, First, 0, process, int(o.operation), o.n)
		return w.noRoom(o)
	}
	i := w.newRequest(o, process)
	w.requests.rows[i].place = place
	return w.perform(i, w.start(&w.requests.rows[i]))
}

// noRoom turns a request away.
func (w *World) noRoom(o *origin) (a answer, done bool) {
	a = answer{seen: policy.Shed, cause: policy.Shed}
	w.clickEnded(o, a)
	return a, true
}

// clickEnded is the user having an answer, or having left, unless somebody above o is still at it. An answer after the
// deadline finds the user gone.
func (w *World) clickEnded(o *origin, a answer) {
	if o.above != none || !o.counted {
		return
	}
	now := w.Now()
	op := &w.operations[o.operation]
	c := &op.counts
	c.InFlight--
	late := a.left || now > o.deadline
	ok := a.cause == policy.OK && !late
	took := min(now, o.deadline) - o.arrived
	op.latency.Add(took)
	w.windows.End(o.arrived, ok)
	if now < w.end {
		w.series.end(int(o.operation), took, ok)
	}
	switch {
	case late:
		c.Late++
		return
	case ok:
		c.OK++
	case a.seen == policy.Shed:
		c.Shed++
	default:
		c.Failed++
	}
	op.results[a.cause]++
}
