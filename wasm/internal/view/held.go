package view

import (
	"math/bits"
	"time"

	"stormbin/engine/model"
)

// held is what one slot did for one step of time: who held it, and how long it had been held by then. The zero value is
// a free slot.
type held uint8

const (
	gone  held = 255 // there was no such slot
	begun held = 128 // who holds it has taken it since the step before
)

// shades is into how many steps the time is divided for which a slot is held: the last is for whatever is past patience.
const shades = 5

func hold(h model.Holder, since, now, patience time.Duration) held {
	if h == model.Nobody {
		return 0
	}
	shade := held(min(max(0, now-since)*(shades-1)/max(patience, 1), shades-1))
	return held(h) | shade<<4
}

func (c held) holder() model.Holder { return model.Holder(c & 15) }
func (c held) shade() int           { return int(c >> 4 & 7) }

const (
	// stepsShown is how many steps of time are in the picture. kept is how many are kept, so that those at the left edge
	// stand while they leave.
	stepsShown = 192
	kept       = 208
	// mostRows is how many rows a pool has. With more slots than that a row is as many of them as it takes.
	mostRows = 64
)

// history is who held the slots of one pool, step by step.
type history struct {
	rows  int
	cells []held      // a column for each step that is kept, of rows cells, the lowest first
	steps [kept]int64 // which step a column is of; negative: none
}

func newHistory(slots int) history {
	h := history{rows: min(max(slots, 1), mostRows)}
	h.cells = make([]held, kept*h.rows)
	h.forget(0)
	return h
}

// column is the cells of a step, nil if it was not seen.
func (h *history) column(step int64) []held {
	if step < 0 || h.steps[step%kept] != step {
		return nil
	}
	i := int(step%kept) * h.rows
	return h.cells[i : i+h.rows]
}

// write is the cells of a step, to be filled in.
func (h *history) write(step int64) []held {
	h.steps[step%kept] = step
	return h.column(step)
}

// forget drops the steps from from on.
func (h *history) forget(from int64) {
	for i := range h.steps {
		if h.steps[i] >= from {
			h.steps[i] = -1
		}
	}
}

// zoom makes steps 1<<by times as long, shorter if by is negative; last is the newest of the new ones.
func (h *history) zoom(by int, last int64) {
	old := *h
	h.cells = make([]held, len(old.cells))
	h.forget(0)
	for step := max(0, last-kept+1); step <= last; step++ {
		if from := old.column(shift(step, by)); from != nil {
			copy(h.write(step), from)
		}
	}
}

// bridge has the steps before step be as the one before them, if they are only a few: frames may be further apart than
// steps are.
func (h *history) bridge(from, step int64) {
	last := h.column(from)
	if last == nil || step-from > bridged {
		return
	}
	for gap := from + 1; gap < step; gap++ {
		for i, c := range last {
			if c != gone {
				c &^= begun
			}
			h.write(gap)[i] = c
		}
	}
}

const bridged = 12

func shift(x int64, by int) int64 {
	if by < 0 {
		return x >> -by
	}
	return x << by
}

// zoomOf is the power of two that is nearest to a speed, within reason.
func zoomOf(speed float64) int {
	x := uint64(min(max(speed, 1./64), 8) * 64 * 1.414)
	return bits.Len64(x) - 7
}

// bySlot has a row for each slot. last is when the step before was looked at.
func bySlot(to []held, slots []model.SlotNow, last, now, patience time.Duration) {
	for i := range to {
		to[i] = gone
		if i < len(slots) {
			s := &slots[i]
			to[i] = hold(s.Holder, s.Since, now, patience)
			if s.Holder != model.Nobody && s.Since > last {
				to[i] |= begun
			}
		}
	}
}

// tally is slots by who holds them and for how long.
type tally [holders][shades]int

func (c *tally) add(h held) { c[h.holder()][h.shade()]++ }

// ranks is who comes first of those who have held a slot for as long.
var ranks = [...]model.Holder{model.YoursLeft, model.Yours, model.Abandoned, model.Retry, model.Hedge, model.First}

// sort has the share of each in a pool of so many slots, those at the bottom that are held longest; there of them exist.
func (c *tally) sort(to []held, slots, there int) {
	row, passed := 0, 0
	add := func(n int, cell held, atLeast int) {
		passed += n
		end := min(max((passed*len(to)+slots/2)/max(slots, 1), row+atLeast), len(to))
		for ; row < end; row++ {
			to[row] = cell
		}
	}
	for shade := shades - 1; shade >= 0; shade-- {
		for _, h := range ranks {
			n, least := c[h][shade], 0
			if n > 0 && (h == model.Yours || h == model.YoursLeft) {
				least = 1 // the reader's own is seen, however many there are
			}
			if n > 0 {
				add(n, held(h)|held(shade)<<4, least)
			}
		}
	}
	add(max(0, there-passed), 0, 0)
	for ; row < len(to); row++ {
		to[row] = gone
	}
	if there >= slots { // all exist: what is left over by rounding is free
		for i := len(to) - 1; i >= 0 && to[i] == gone; i-- {
			to[i] = 0
		}
	}
}

// pace is how often slots change hands.
type pace struct {
	past    [96]handed
	next, n int
}

// handed is how often slots had changed hands by at, and for how long the slot had been held by then that was held longest.
type handed struct {
	at, oldest time.Duration
	count      int64
}

// pacing is how far apart the looks are that are kept.
const pacing = time.Second / 8

// read takes in a look, and tells how many slots change hands a second, and over how long: over the last second, or over as long as slots are
// held if that is longer. Where all are taken at once, all are freed at once, and no one second would tell. What was held
// earlier counts for as long again.
func (p *pace) read(now handed) (rate float64, window time.Duration) {
	if p.n > 0 && now.at < p.ago(0).at {
		*p = pace{}
	}
	window = max(time.Second, now.oldest)
	for i := range p.n {
		if then := &p.past[i]; now.at-then.at <= then.oldest {
			window = max(window, then.oldest)
		}
	}
	next := now
	for i := range p.n {
		then := p.ago(i)
		if over := now.at - then.at; over >= window {
			// In between it is taken to grow evenly.
			part := float64(over-window) / float64(max(1, next.at-then.at))
			from := float64(then.count) + part*float64(next.count-then.count)
			rate = (float64(now.count) - from) / window.Seconds()
			break
		} else if over > 0 {
			rate = float64(now.count-then.count) / over.Seconds()
		}
		next = *then
	}
	if p.n == 0 || now.at-p.ago(0).at >= pacing {
		p.past[p.next] = now
		p.next, p.n = (p.next+1)%len(p.past), min(p.n+1, len(p.past))
	}
	return rate, window
}

// ago is the look before the last i.
func (p *pace) ago(i int) *handed { return &p.past[(p.next-1-i+2*len(p.past))%len(p.past)] }
