package view

import (
	"math"
	"time"

	"stormbin/engine/model"
	"stormbin/wasm/internal/frame"
)

// waits is the waiting of traced requests that lasts long enough to be seen: for an answer, as a ring that shrinks to
// nothing at the timeout, and before a retry, as an arc that fills. The zero value is ready.
type waits struct {
	answers []wait
	pauses  []pause
}

// waitLimit bounds how many of each are kept; more could not be told apart.
const waitLimit = 64

// seen is how long in real time a wait must last to be drawn.
const seen = 300 * time.Millisecond

// wait is somebody waiting for the answer to an attempt.
type wait struct {
	request     uint64
	place       uint16
	attempt     uint8
	holder      model.Holder
	sent, until time.Duration
	arrives     time.Duration // when the flight to the place is over
	// started is when a slot took the attempt up, slot which: −1 while it is not known.
	started time.Duration
	slot    int
}

// pause is a process waiting before a retry.
type pause struct {
	request   uint64
	process   uint16
	at, until time.Duration
}

func (w *waits) clear() { w.answers, w.pauses = w.answers[:0], w.pauses[:0] }

// expire drops what has ended, or would end without a word: when fewer are traced, one in every, or the trace was full.
func (w *waits) expire(now time.Duration, every int) {
	answers, pauses := w.answers[:0], w.pauses[:0]
	for _, one := range w.answers {
		if now < one.until && (one.holder == model.Yours || traced(one.request, every)) {
			answers = append(answers, one)
		}
	}
	for _, one := range w.pauses {
		if now < one.until && traced(one.request, every) {
			pauses = append(pauses, one)
		}
	}
	w.answers, w.pauses = answers, pauses
}

// find is the wait for an event's attempt; nil if there is none.
func (w *waits) find(e *model.Event) *wait {
	for i := range w.answers {
		if one := &w.answers[i]; one.request == e.Request && one.place == e.Place && one.attempt == e.Attempt {
			return one
		}
	}
	return nil
}

func (w *waits) end(e *model.Event) {
	if one := w.find(e); one != nil {
		last := len(w.answers) - 1
		*one = w.answers[last]
		w.answers = w.answers[:last]
	}
}

// wait takes in what an event tells of waiting, once it has its flight. length is flightTime in virtual time.
func (s *Scene) wait(e *model.Event, length time.Duration) {
	w := &s.waits
	if w.answers == nil {
		w.answers, w.pauses = make([]wait, 0, waitLimit), make([]pause, 0, waitLimit)
	}
	long := time.Duration(float64(length) * float64(seen) / float64(flightTime))
	switch e.Kind {
	case model.Sent:
		if e.Until-e.At >= long && len(w.answers) < waitLimit && int(e.Place) < len(s.layout.Places) {
			w.answers = append(w.answers, wait{
				request: e.Request, place: e.Place, attempt: e.Attempt, holder: e.Holder,
				sent: e.At, until: e.Until, arrives: s.flights.since(e.Request, e.At), started: -1, slot: -1,
			})
		}
	case model.Started:
		if one := w.find(e); one != nil {
			one.started, one.slot = e.At, s.taken(e)
		}
	case model.BackingOff:
		if e.Until-e.At >= long/2 && len(w.pauses) < waitLimit {
			w.pauses = append(w.pauses, pause{e.Request, e.Process, e.At, e.Until})
		}
	case model.Completed, model.Refusal, model.TimedOut, model.Beaten, model.Killed:
		w.end(e)
	}
}

// taken is the slot that took up an attempt, −1 if another has it already: the snapshot knows since when each is held.
func (s *Scene) taken(e *model.Event) int {
	for i, slot := range s.snapshot.Dependencies[e.Place].Slots {
		if slot.Since != e.At || slot.Holder == model.Nobody {
			continue
		}
		free := true
		for k := range s.waits.answers {
			one := &s.waits.answers[k]
			free = free && (one.place != e.Place || one.slot != i || one.started != e.At)
		}
		if free {
			return i
		}
	}
	return -1
}

// roomy is a cell's side from which on a ring fits around the mark in it.
const roomy = 24

// seated is whether a wait's attempt is seen in its slot.
func (s *Scene) seated(one *wait) bool {
	m := &s.moods[one.place]
	return one.slot >= 0 && one.slot < len(m.cells) && !m.calm && s.layout.Places[one.place].Slots.Cell >= roomy &&
		m.cells[one.slot].slot.Since == one.started
}

// seat is the slot in which an event's attempt is seen, −1 if it is in none.
func (s *Scene) seat(e *model.Event) int {
	if one := s.waits.find(e); one != nil && s.seated(one) {
		return one.slot
	}
	return -1
}

// atDoor is how large a ring is before a place at first.
const atDoor = 15

func (s *Scene) drawWaits() {
	now := s.snapshot.Now
	all := s.waits.answers
	for i := range all {
		one := &all[i]
		if !s.cast.in[one.place] {
			continue
		}
		left := float32(one.until-now) / float32(one.until-one.sent)
		if s.Still {
			left = float32(math.Ceil(float64(left)*4)) / 4
		}
		_, color := mark(one.holder)
		p := &s.layout.Places[one.place]
		if s.seated(one) {
			g := &p.Slots
			if light(share(now-one.started, s.terms.places[one.place].patience)) {
				color = frame.Surface
			}
			inner := glyph(g.Cell) * (ground + .1)
			s.arc(color, 255, g.At(one.slot), inner+(g.Cell*.94-inner)*left, 1)
			continue
		}
		if now < one.arrives || s.behind(all[:i], one) {
			continue
		}
		at := p.door(one.request)
		at.X -= atDoor/2 + 3
		s.arc(color, 255, at, atDoor*left, 1)
	}
	for i := range s.waits.pauses {
		s.drawPause(i)
	}
}

// behind tells whether one of those before has the same door.
func (s *Scene) behind(before []wait, one *wait) bool {
	p := &s.layout.Places[one.place]
	for i := range before {
		b := &before[i]
		if b.place == one.place && p.at(b.request) == p.at(one.request) && !s.seated(b) {
			return true
		}
	}
	return false
}

// drawPause draws the i-th arc, in its process: one in a small one, several side by side in a large one.
func (s *Scene) drawPause(i int) {
	one := &s.waits.pauses[i]
	if int(one.process) >= len(s.layout.Processes) {
		return
	}
	b := &s.layout.Processes[one.process]
	cols, rows := max(1, int(b.W/16)), max(1, int(b.H/16))
	cell := func(request uint64) int { return int(spread(request) * float32(cols*rows)) }
	at := cell(one.request)
	for k := range i {
		if before := &s.waits.pauses[k]; before.process == one.process && cell(before.request) == at {
			return
		}
	}
	part := float32(s.snapshot.Now-one.at) / float32(one.until-one.at)
	if s.Still {
		part = float32(math.Ceil(float64(part)*4)) / 4
	}
	w, h := b.W/float32(cols), b.H/float32(rows)
	s.arc(frame.Retry, 255, Point{b.X + (float32(at%cols)+.5)*w, b.Y + (float32(at/cols)+.5)*h}, min(w-2, h-2, 14), max(part, .04))
}

func (s *Scene) arc(color frame.Color, alpha uint8, at Point, side, part float32) {
	s.marks = append(s.marks, frame.Mark{
		Shape: frame.Arc, Color: color, Alpha: alpha, Part: uint8(255*max(0, min(part, 1)) + .5), X: at.X, Y: at.Y, W: side, H: side,
	})
}
