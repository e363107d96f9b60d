package view

import (
	"slices"
	"time"

	"stormbin/engine/model"
	"stormbin/wasm/internal/frame"
)

// flightTime is how long a mark takes from one box to the next, in real time at the chosen speed: long enough to follow.
// It moves by virtual time, so it stands while the world stands.
const flightTime = 260 * time.Millisecond

// flightLimit bounds how many are under way; what comes beyond is not drawn.
const flightLimit = 1500

// drawnPerPixel is about how many flights start in a second of real time for each pixel of the stage's width: some hundreds
// are under way then on a large one, which is a stream and no longer one and then another.
const drawnPerPixel = 1.5

// drawnNarrow is that of a narrow one, whose ways are so short that more would be a worm.
const drawnNarrow = .3

// SampleEvery is of how many requests one is traced: so few that at rate (requests a second) and speed, with legs
// flights for each, as many are under way as a stage of that width (CSS pixels) has room for. It goes by requests and not
// by attempts, so that a storm looks like more. 1, 2 or 5 times a power of ten.
func SampleEvery(rate, speed float64, legs int, width float32) int {
	room := drawnPerPixel * width
	if width < narrow {
		room = drawnNarrow * max(width, 200)
	}
	return steps(rate * speed * float64(legs) / float64(room))
}

// steps is the least of 1, 2, 5, 10, 20 and so on that x is not above.
func steps(x float64) int {
	for n := 1; ; n *= 10 {
		for _, m := range [...]int{1, 2, 5} {
			if x <= float64(n*m)*1.001 {
				return n * m
			}
		}
	}
}

// flight is one mark on its way: what happened, and how far it has come since. Where that is on the stage goes by how the
// stage is laid out when it is drawn.
type flight struct {
	event model.Event
	done  float32 // 0 to 1 of the way; below 0 it waits for its turn
	more  float32 // how much larger it is than others
	slot  int     // of what fades: in which slot; −1: before the place
	door  int     // of what fades before it: at which door
	shape frame.Shape
	color frame.Color
	kind  flightKind
	back  bool // it goes the other way, in the other lane
}

type flightKind uint8

const (
	goes    flightKind = iota
	leaves             // goes on and fades
	loses              // fades half of the way there
	bounces            // there and back
	fades              // stays where it is, grows and fades
	stays              // stays where it is for a while
)

// flights is all that is under way. The zero value is ready.
type flights struct {
	all []flight
	// turn is when each traced request's last flight ends, so that one mark goes source, process, slot, process,
	// source rather than being in two places. By the request's number; those that share a place only wait too long.
	turn [256]struct {
		request uint64
		ends    time.Duration
	}
	lastNow time.Duration
}

// move carries all flights on to now, and tells whether that was forward. length is flightTime in virtual time at the
// present speed.
func (f *flights) move(now, length time.Duration) (forward bool) {
	if now < f.lastNow {
		*f = flights{all: f.all[:0], lastNow: now}
		return false
	}
	step := float32(now-f.lastNow) / float32(length)
	f.lastNow = now
	kept := f.all[:0]
	for _, one := range f.all {
		if one.done += step; one.done < 1 {
			kept = append(kept, one)
		}
	}
	f.all = kept
	return true
}

// since is when a request's last flight ends, or at if that is later.
func (f *flights) since(request uint64, at time.Duration) time.Duration {
	return max(at, f.ends(request))
}

// ends is when a request's last flight ends; 0 if it has none.
func (f *flights) ends(request uint64) time.Duration {
	if turn := &f.turn[request%uint64(len(f.turn))]; turn.request == request {
		return turn.ends
	}
	return 0
}

// settle takes away what tells of more than the last second, which is what the numbers beside the picture tell of: at five
// times the speed a flight takes longer than that. While the world moves, nobody can hold the two against each other.
func (f *flights) settle(now time.Duration) {
	f.all = slices.DeleteFunc(f.all, func(one flight) bool { return now-one.event.At >= window })
}

// launch starts a flight. Those of one request follow each other, as far as that tells of the last second, and where they are
// more, each a little behind the last, so that they don't hide each other; the reader's own do however long it takes.
func (f *flights) launch(one flight, now, length time.Duration) {
	request := one.event.Request
	at := f.since(request, one.event.At)
	if one.event.Holder < model.Yours {
		at = min(at, max(one.event.At+max(0, window-length), f.ends(request)-length+length/20))
	}
	// A chain too far behind is cut: showing it would be telling of the past.
	if at > now+12*length {
		return
	}
	if one.kind != stays && one.kind != fades { // the way goes on meanwhile
		turn := &f.turn[request%uint64(len(f.turn))]
		turn.request, turn.ends = request, at+length
	}
	one.done = float32(now-at) / float32(length)
	if one.done >= 1 || len(f.all) == flightLimit || f.hidden(&one) {
		return
	}
	f.all = append(f.all, one)
}

// hidden tells whether a mark that would grow and fade before a place would do so over one that has only just begun to: many
// make a blot.
func (f *flights) hidden(one *flight) bool {
	if one.kind != fades || one.slot >= 0 || one.event.Holder >= model.Yours {
		return false
	}
	const apart = .35 // of a flight
	for i := range f.all {
		if o := &f.all[i]; o.kind == fades && o.slot < 0 && o.event.Place == one.event.Place && o.door == one.door && o.done-one.done < apart {
			return true
		}
	}
	return false
}

// fly turns the i-th thing that happened into a flight.
func (s *Scene) fly(trace []model.Event, i int, now, length time.Duration) {
	f := &s.flights
	if f.all == nil {
		f.all = make([]flight, 0, flightLimit)
	}
	e := &trace[i]
	if _, ok := s.road(e, frame.First, false); !ok {
		return
	}
	shape, color := mark(e.Holder)
	one := flight{event: *e, shape: shape, color: color, slot: -1}
	if int(e.Place) < len(s.layout.Places) {
		one.door = s.layout.Places[e.Place].at(e.Request)
	}
	switch e.Kind {
	case model.Arrived, model.Sent:
	case model.Completed:
		one.back = true
		if e.Holder == model.Abandoned || e.Holder == model.YoursLeft {
			one.kind = loses
		} else if s.hit(trace, i) {
			tick := one
			tick.shape, tick.color, tick.kind, tick.more = frame.Tick, frame.OK, stays, 3
			f.launch(tick, now, length)
		}
	case model.Answered:
		one.back, one.kind, one.more = true, leaves, 3
		one.shape = frame.Tick
		if e.Holder != model.Yours {
			one.color = frame.OK
		}
	case model.Failure:
		one.back, one.kind, one.more = true, leaves, 2
		one.shape = frame.Cross
		if e.Holder != model.Yours {
			one.color = frame.Failed
		}
	case model.ShedAtCap:
		one.kind, one.more = bounces, 4
		one.shape, one.color = frame.Bar, frame.Shed
	case model.Refusal:
		one.kind = bounces
		one.shape, one.color = frame.Cross, frame.Failed
	case model.TimedOut, model.Beaten:
		// Whoever waited has left: the attempt goes on as a ring, so a ring opens where it is.
		one.kind, one.slot = fades, s.seat(e)
		one.shape = frame.Ring
		if e.Holder != model.Yours {
			one.color = frame.Abandoned
		}
	case model.Killed:
		one.kind, one.slot = fades, s.seat(e)
		one.shape = frame.Cross
	default:
		return
	}
	f.launch(one, now, length)
}

// hit tells whether the i-th event is a cache's answer that was all its request needed.
func (s *Scene) hit(trace []model.Event, i int) bool {
	if i+1 == len(trace) || !s.terms.places[trace[i].Place].cache {
		return false
	}
	e, next := &trace[i], &trace[i+1]
	return next.Kind == model.Answered && next.Request == e.Request && next.At == e.At
}

func (s *Scene) drawFlights() {
	ring := s.follow.going && !s.follow.yours // one: many around all that it sends would be a heap
	for i := range s.flights.all {
		f := &s.flights.all[i]
		if f.done < 0 {
			continue
		}
		at, alpha, size := s.look(f)
		s.add(f.shape, f.color, alpha, at, size, size)
		if ring && f.event.Request == s.follow.request && f.kind != fades && f.kind != stays && f.color != frame.Yours {
			ring = false
			s.arc(frame.Text, alpha, at, size+9, 1)
		}
	}
}

// look is how a flight looks, and where it is.
func (s *Scene) look(f *flight) (at Point, alpha uint8, size float32) {
	t, a := f.done, float32(255)
	road, _ := s.road(&f.event, f.color, f.back)
	size = 9
	switch {
	case f.event.Holder == model.Yours:
		size = 18
	case s.layout.Narrow() || s.layout.low():
		size = 7
	}
	size += f.more
	switch f.kind {
	case leaves: // beyond who asked
		road[0].X -= 14
		a = 255 * min(1, 2.5*(1-t))
	case loses: // nobody is there to take it
		a = 255 * min(1, 2.5*(1-t))
		t /= 2
	case bounces:
		t = min(t, 1-t) * 2
		a = 255 * min(1, 3*(1-f.done))
	case fades:
		at = road[3]
		if f.slot >= 0 {
			at = s.layout.Places[f.event.Place].Slots.At(f.slot)
		}
		return at, uint8(130 * (1 - t)), size * (1 + t)
	case stays:
		return Point{road[3].X - size, road[3].Y}, uint8(255 * min(1, 3*(1-t))), size
	}
	if f.back {
		t = 1 - t
	}
	return along(&road, t), uint8(a), size
}
