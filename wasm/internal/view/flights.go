package view

import (
	"time"

	"stormbin/engine/model"
	"stormbin/wasm/internal/frame"
)

// flightTime is how long a mark takes from one box to the next, in real time at the chosen speed: long enough to follow.
// It moves by virtual time, so it stands while the world stands.
const flightTime = 260 * time.Millisecond

// flightLimit bounds how many are under way; what comes beyond is not drawn.
const flightLimit = 640

// DrawnPerSecond is about how many flights a reader can bear to look at in a second.
const DrawnPerSecond = 80

// SampleEvery is of how many requests one is traced: so few that at rate (requests a second) and speed, with legs
// flights for each, about DrawnPerSecond flights start in a second. It goes by requests and not by attempts, so that a
// storm looks like more. 1, 2 or 5 times a power of ten.
func SampleEvery(rate, speed float64, legs int) int {
	need := rate * speed * float64(legs) / DrawnPerSecond
	for n := 1; ; n *= 10 {
		for _, m := range [...]int{1, 2, 5} {
			if need <= float64(n*m)*1.001 {
				return n * m
			}
		}
	}
}

// flight is one mark on its way.
type flight struct {
	from, to Point
	request  uint64
	done     float32 // 0 to 1 of the way; below 0 it waits for its turn
	size     float32
	shape    frame.Shape
	color    frame.Color
	kind     flightKind
}

type flightKind uint8

const (
	goes    flightKind = iota
	leaves             // goes on and fades
	bounces            // half of the way there, and back
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
	if turn := &f.turn[request%uint64(len(f.turn))]; turn.request == request && turn.ends > at {
		return turn.ends
	}
	return at
}

// launch starts a flight for what happened at at. Those of one request follow each other.
func (f *flights) launch(one flight, at, now, length time.Duration) {
	at = f.since(one.request, at)
	// A chain too far behind is cut: showing it would be telling of the past.
	if at > now+8*length {
		return
	}
	if one.kind != stays { // the way goes on meanwhile
		turn := &f.turn[one.request%uint64(len(f.turn))]
		turn.request, turn.ends = one.request, at+length
	}
	one.done = float32(now-at) / float32(length)
	if one.done >= 1 || len(f.all) == flightLimit {
		return
	}
	f.all = append(f.all, one)
}

// lane is how far to the side of the line one way is from the other.
const lane = 5

// fly turns the i-th thing that happened into a flight.
func (s *Scene) fly(trace []model.Event, i int, now, length time.Duration) {
	f, l := &s.flights, &s.layout
	if f.all == nil {
		f.all = make([]flight, 0, flightLimit)
	}
	e := &trace[i]
	from, to, ok := s.ends(e)
	if !ok {
		return
	}
	size := float32(9)
	if l.Narrow() || l.low() {
		size = 7
	}
	shape, color := mark(e.Holder)
	if e.Holder == model.Yours {
		size = 18
	}
	out, in := Point{to.X, to.Y - lane}, Point{to.X, to.Y + lane}
	above, below := Point{from.X, from.Y - lane}, Point{from.X, from.Y + lane}
	one := flight{shape: shape, color: color, size: size, request: e.Request}
	switch e.Kind {
	case model.Arrived:
		one.from, one.to = out, above
	case model.Sent:
		one.from, one.to = above, out
	case model.Completed:
		one.from, one.to = in, below
		if e.Holder == model.Abandoned || e.Holder == model.YoursLeft {
			// Nobody is there to take the answer: it is lost on the way.
			one.to, one.kind = Point{(in.X + below.X) / 2, (in.Y + below.Y) / 2}, leaves
		} else if s.hit(trace, i) {
			tick := one
			tick.shape, tick.color, tick.kind = frame.Tick, frame.OK, stays
			tick.from = Point{to.X - size, to.Y}
			tick.size += 3
			f.launch(tick, e.At, now, length)
		}
	case model.Answered:
		one.from, one.to, one.kind = below, Point{in.X - 14, in.Y}, leaves
		one.shape = frame.Tick
		one.size += 3
		if e.Holder != model.Yours {
			one.color = frame.OK
		}
	case model.Failure:
		one.from, one.to, one.kind = below, Point{in.X - 14, in.Y}, leaves
		one.shape = frame.Cross
		one.size += 2
		if e.Holder != model.Yours {
			one.color = frame.Failed
		}
	case model.ShedAtCap:
		one.from, one.to, one.kind = out, above, bounces
		one.shape, one.color = frame.Bar, frame.Shed
		one.size += 4
	case model.Refusal:
		one.from, one.to, one.kind = above, out, bounces
		one.shape, one.color = frame.Cross, frame.Failed
	case model.TimedOut, model.Beaten:
		// Whoever waited has left: the attempt goes on as a ring, so a ring opens where it is.
		one.from, one.kind = s.seat(e, out), fades
		one.to, one.shape = one.from, frame.Ring
		if e.Holder != model.Yours {
			one.color = frame.Abandoned
		}
	case model.Killed:
		one.from, one.kind = s.seat(e, in), fades
		one.to, one.shape = one.from, frame.Cross
	default:
		return
	}
	f.launch(one, e.At, now, length)
}

// hit tells whether the i-th event is a cache's answer that was all its request needed.
func (s *Scene) hit(trace []model.Event, i int) bool {
	if i+1 == len(trace) || !s.terms.places[trace[i].Place].cache {
		return false
	}
	e, next := &trace[i], &trace[i+1]
	return next.Kind == model.Answered && next.Request == e.Request && next.At == e.At
}

// ends is between which two points an event goes on: where the request is worked on (from), and where it comes from or
// what is asked for it (to). ok: both are in the picture.
func (s *Scene) ends(e *model.Event) (from, to Point, ok bool) {
	l := &s.layout
	place := int(e.Place)
	if e.Kind == model.Arrived || e.Kind == model.Answered || e.Kind == model.Failure || e.Kind == model.ShedAtCap {
		if place >= len(l.Sources) || int(e.Process) >= len(l.Processes) {
			return from, to, false
		}
		to = l.Sources[place]
		to.Y += (spread(e.Request) - .5) * min(24, l.H/12)
		return s.process(e), to, true
	}
	if place >= len(l.Places) || !s.cast.in[place] {
		return from, to, false
	}
	to = l.Places[place].door(e.Request)
	switch edge := s.terms.places[place].edge; {
	case int(e.Process) < len(l.Processes):
		from = s.process(e)
	case edge >= 0:
		from = l.Sources[edge] // who asks an edge is the user
	case l.Workers.W > 0:
		from = l.Workers.middle()
	default:
		// There is nothing to travel from and to. What happens in the place itself is drawn all the same.
		return to, to, e.Kind == model.TimedOut || e.Kind == model.Beaten || e.Kind == model.Killed
	}
	return from, to, true
}

// process is where in its process a request is worked on.
func (s *Scene) process(e *model.Event) Point {
	b := &s.layout.Processes[e.Process]
	at := b.middle()
	at.Y += (spread(e.Request) - .5) * b.H * .6
	return at
}

func (s *Scene) drawFlights() {
	followed := s.follow.request
	for i := range s.flights.all {
		f := &s.flights.all[i]
		if f.done < 0 {
			continue
		}
		at, alpha, size := f.now()
		s.add(f.shape, f.color, alpha, at, size, size)
		if f.request == followed && s.follow.going && !s.follow.yours && f.kind != fades && f.kind != stays && f.color != frame.Yours {
			s.arc(frame.Text, alpha, at, size+9, 1)
		}
	}
}

// now is how a flight looks.
func (f *flight) now() (at Point, alpha uint8, size float32) {
	t, a := f.done, float32(255)
	size = f.size
	switch f.kind {
	case leaves:
		a = 255 * min(1, 2.5*(1-t))
	case bounces:
		t = min(t, 1-t) * 2
		a = 255 * min(1, 3*(1-f.done))
	case fades:
		a = 130 * (1 - t)
		size *= 1 + t
		t = 0
	case stays:
		a = 255 * min(1, 3*(1-t))
		t = 0
	}
	return Point{f.from.X + (f.to.X-f.from.X)*t, f.from.Y + (f.to.Y-f.from.Y)*t}, uint8(a), size
}
