package view

import (
	"time"

	"stormbin/engine/model"
	"stormbin/wasm/internal/frame"
)

// At 17,400 requests a second every slot changes hands between any two frames, and drawing that is noise that flashes.
// So a dependency is drawn in one of two ways:
//
//   - exact, while its slots change hands at most calmAt times a second of real time, and whenever the world stands
//     still: each cell is that slot, with its holder and how long it has been held;
//   - calm, above that: as many cells as there were such holders lately, sorted by kind. What is told is how many slots
//     work for whom, which is what the eye can take in, rather than which.
//
// Where there are so many slots that a cell stands for several, it is the calm one, which is exact while the world stands.
//
// In both a cell changes at most once in settle, so nothing blinks more than three times a second. Going slower
// (or pausing) turns the calm picture into the exact one.
const (
	calmAt  = 3.0
	exactAt = 2.0 // lower, so that it does not go back and forth
	settle  = 170 * time.Millisecond
	// smoothing is the time constant of the calm shares.
	smoothing = 400 * time.Millisecond
)

const holders = int(model.YoursLeft) + 1

// mood keeps how a dependency is drawn from frame to frame.
type mood struct {
	calm   bool
	cells  []cell // one for each slot; none where a cell stands for several
	slots  shares
	queue  shares
	length float32 // of the queue, smoothed
}

// cell is what a slot's cell shows, and since when of real time.
type cell struct {
	slot    model.SlotNow
	changed time.Duration
}

// shares is how many of each holder there were lately, and for how long each had held.
type shares struct {
	smooth  [holders]float32
	held    [holders]float32 // as a share of the patience, 0 to 1
	shown   [holders]int
	changed time.Duration
	started bool
}

// look takes in the newest counts. dt is real time since the last look, at is real time.
func (s *shares) look(count *[holders]int, dt, at time.Duration) {
	if !s.started {
		s.is(count, at)
		return
	}
	k := float32(dt) / float32(smoothing+dt)
	for h, n := range count {
		s.smooth[h] += (float32(n) - s.smooth[h]) * k
	}
	if at-s.changed < settle {
		return
	}
	for h := range s.shown {
		// A count changes once it is clearly another one, not each time it crosses a half.
		if d := s.smooth[h] - float32(s.shown[h]); d > .7 || d < -.7 {
			s.shown[h] = int(s.smooth[h] + .5)
			s.changed = at
		}
	}
}

// is makes the counts those of now.
func (s *shares) is(count *[holders]int, at time.Duration) {
	s.started, s.changed, s.shown = true, at, *count
	for h, n := range count {
		s.smooth[h] = float32(n)
	}
}

// update decides between the two ways and takes in the snapshot. per is how many slots a cell stands for; turnover is how
// often a slot changes hands a second of real time; still says that the world stands; patience is after how long a slot is
// held for long.
func (m *mood) update(d *model.DependencyNow, per int, turnover float64, still bool, now, patience, dt, at time.Duration) {
	if turnover > calmAt {
		m.calm = true
	} else if turnover < exactAt {
		m.calm = false
	}
	if still {
		m.calm = false
	}
	n := len(d.Slots)
	if per > 1 {
		m.calm, n = true, 0
	}
	if len(m.cells) != n {
		m.cells = make([]cell, n)
		m.slots.started, m.queue.started = false, false
	}
	for i := range m.cells {
		// The same holder going on to be held is no change to the eye.
		if c := &m.cells[i]; d.Slots[i] != c.slot && (still || at-c.changed >= settle) {
			*c = cell{d.Slots[i], at}
		}
	}
	var count [holders]int
	var since [holders]time.Duration
	for i := range d.Slots {
		s := &d.Slots[i]
		count[s.Holder]++
		since[s.Holder] += s.Since
	}
	k := float32(dt) / float32(smoothing+dt)
	if still {
		m.slots.is(&count, at)
		k = 1
	} else {
		m.slots.look(&count, dt, at)
	}
	for h, n := range count {
		if n > 0 {
			held := share(now-since[h]/time.Duration(n), patience)
			m.slots.held[h] += (held - m.slots.held[h]) * k
		}
	}

	count = [holders]int{}
	for _, h := range d.Waiting {
		count[h]++
	}
	k = float32(dt) / float32(smoothing/2+dt)
	if still {
		m.queue.is(&count, at)
		k = 1
	} else {
		m.queue.look(&count, dt, at)
	}
	m.length += (float32(d.Queue) - m.length) * k
}

// sorted is the order of the calm picture: what matters most first.
var sorted = [...]model.Holder{model.Yours, model.YoursLeft, model.Abandoned, model.Hedge, model.Retry, model.First}

// mark is a holder's shape and colour.
func mark(h model.Holder) (frame.Shape, frame.Color) {
	switch h {
	case model.Retry:
		return frame.Triangle, frame.Retry
	case model.Hedge:
		return frame.Diamond, frame.Hedge
	case model.Abandoned:
		return frame.Ring, frame.Abandoned
	case model.Yours:
		return frame.Star, frame.Yours
	case model.YoursLeft:
		return frame.Ring, frame.Yours
	default:
		return frame.Disc, frame.First
	}
}

// share is for how long a slot has been held, as a part of the patience: 0 to 1.
func share(held, patience time.Duration) float32 {
	return min(1, float32(max(0, held))/float32(max(patience, time.Microsecond)))
}

// drawSlots draws every slot of a dependency.
func (s *Scene) drawSlots(place int) {
	p, m, patience, now := &s.layout.Places[place], &s.moods[place], s.terms.places[place].patience, s.snapshot.Now
	g := &p.Slots
	if !m.calm {
		for i := range m.cells {
			c := &m.cells[i].slot
			s.drawCell(g, i, c.Holder, share(now-c.Since, patience))
		}
		for i := range m.cells {
			s.drawYours(g, i, m.cells[i].slot.Holder)
		}
		return
	}
	i := 0
	for _, h := range sorted {
		for n := m.slots.shown[h]; n > 0 && i < p.Cells(); n -= p.Per {
			s.drawCell(g, i, h, m.slots.held[h])
			i++
		}
	}
	for ; i < p.Cells(); i++ {
		s.drawCell(g, i, model.Nobody, 0)
	}
	if m.slots.shown[model.Yours] > 0 {
		s.drawYours(g, 0, model.Yours)
	}
}

// drawYours draws the reader's mark over a cell that is too small to have it inside.
func (s *Scene) drawYours(g *Grid, i int, h model.Holder) {
	if g.Cell < 9 && (h == model.Yours || h == model.YoursLeft) {
		shape, color := mark(h)
		s.add(shape, color, 255, g.At(i), 16, 16)
	}
}

// busy is how many slots are drawn as busy.
func (m *mood) busy(d *model.DependencyNow) int {
	if !m.calm {
		return d.Busy
	}
	n := 0
	for _, shown := range m.slots.shown {
		n += shown
	}
	return min(n-m.slots.shown[model.Nobody], len(d.Slots))
}

func (s *Scene) drawCell(g *Grid, i int, h model.Holder, held float32) {
	at, side := g.At(i), g.Cell
	big := side >= 9
	if h == model.Nobody {
		if big {
			s.add(frame.Frame, frame.SlotFree, 255, at, side, side)
		} else { // a dot, which is seen and yet not taken for a slot that is held
			s.add(frame.Rect, frame.SlotFree, 255, at, side/2, side/2)
		}
		return
	}
	shape, color := mark(h)
	if !big {
		// Too small for a shape inside: the cell's colour tells, and the order, and the words above.
		s.add(frame.Rect, color, uint8(140+115*held), at, side, side)
		return
	}
	s.add(frame.Rect, color, fill(held), at, side, side)
	s.add(frame.Frame, color, 255, at, side, side)
	// However dark the cell is, the mark has its colour, on a ground of its own.
	s.add(frame.Disc, frame.Surface, 255, at, glyph(side)*ground, glyph(side)*ground)
	s.add(shape, color, 255, at, glyph(side), glyph(side))
}

// fill is how dark a cell is that has been held for a share of the patience.
func fill(held float32) uint8 { return uint8(24 + 196*held) }

// light tells whether that is so dark that a ring around its mark must be light.
func light(held float32) bool { return fill(held) > 130 }

// ground is how much larger the ground of a mark is than the mark.
const ground = 1.3

// glyph is how large the mark in a cell is.
func glyph(side float32) float32 { return min(side*.56, 20) }

// bar is the part of a queue that is not drawn one by one: how many those are, and its upper right corner.
type bar struct {
	count int
	top   Point
}

// drawQueue draws who waits, the head of the queue next to the slots: one by one as far as they fit, the rest as a bar.
func (s *Scene) drawQueue(p *Place, m *mood, d *model.DependencyNow) bar {
	q := &p.Queue
	length := int(m.length + .5)
	shown := min(length, q.Rows*q.Cols, model.WaitingLimit)
	if length > shown {
		shown = min(shown, q.Rows*max(1, q.Cols*2/3)) // the bar needs its place
	}
	if m.calm {
		s.drawWaitingCalm(q, &m.queue, shown)
	} else {
		for i, h := range d.Waiting[:min(shown, len(d.Waiting))] {
			s.drawWaiting(q, i, h)
		}
	}
	rest := length - shown
	if rest <= 0 {
		return bar{}
	}
	// The bar grows with the logarithm: a tenfold queue is a step, and it never outgrows its place.
	used := float32((shown+q.Rows-1)/q.Rows) * q.Pitch
	width := max(0, q.W-used-4)
	w := width * min(1, .2+.25*log10(float32(rest)/10+1))
	at, h := Point{q.X + q.W - used - 2 - w/2, q.Y + q.H/2}, q.H*.5
	s.add(frame.Rect, frame.Queue, 190, at, w, h)
	// Its length is smoothed; its number is true.
	return bar{max(0, d.Queue-shown), Point{at.X + w/2, at.Y - h/2}}
}

// drawWaitingCalm draws n places in the queue by the smoothed shares. A queue's head has waited longest, so that is where
// the abandoned are; of the others each kind is spread over the rest.
func (s *Scene) drawWaitingCalm(q *Grid, of *shares, n int) {
	all := 0
	for _, count := range of.shown {
		all += count
	}
	if all == 0 {
		return
	}
	i := 0
	for _, h := range [...]model.Holder{model.Abandoned, model.YoursLeft, model.Yours} {
		for k := of.shown[h] * n / all; k > 0 && i < n; k-- {
			s.drawWaiting(q, i, h)
			i++
		}
	}
	retries, hedges := of.shown[model.Retry], of.shown[model.Hedge]
	others := max(1, retries+hedges+of.shown[model.First])
	for k := 0; i < n; k, i = k+1, i+1 {
		h := model.First
		switch {
		case (k+1)*retries/others > k*retries/others:
			h = model.Retry
		case (k+1)*hedges/others > k*hedges/others:
			h = model.Hedge
		}
		s.drawWaiting(q, i, h)
	}
}

func (s *Scene) drawWaiting(q *Grid, i int, h model.Holder) {
	shape, color := mark(h)
	side := q.Cell
	if h == model.Yours || h == model.YoursLeft {
		side += 4
	}
	s.add(shape, color, 255, q.FromRight(i), side, side)
}
