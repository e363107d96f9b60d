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
	done     float32 // 0 to 1 of the way; below 0 it waits for its turn
	shape    frame.Shape
	color    frame.Color
	size     float32
	kind     flightKind
}

type flightKind uint8

const (
	goes    flightKind = iota
	leaves             // goes on and fades
	bounces            // half of the way there, and back
	fades              // stays where it is, grows and fades
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

// move carries all flights on to now. length is flightTime in virtual time at the present speed.
func (f *flights) move(now, length time.Duration) {
	step := float32(0)
	if now > f.lastNow {
		step = float32(now-f.lastNow) / float32(length)
	}
	f.lastNow = now
	kept := f.all[:0]
	for _, one := range f.all {
		if one.done += step; one.done < 1 {
			kept = append(kept, one)
		}
	}
	f.all = kept
}

// launch starts a flight for what happened at at. Those of one request follow each other.
func (f *flights) launch(one flight, request uint64, at, now, length time.Duration) {
	turn := &f.turn[request%uint64(len(f.turn))]
	if turn.request == request && turn.ends > at {
		at = turn.ends
	}
	// A chain too far behind is cut: showing it would be telling of the past.
	if at > now+8*length {
		return
	}
	turn.request, turn.ends = request, at+length
	one.done = float32(now-at) / float32(length)
	if one.done >= 1 || len(f.all) == flightLimit {
		return
	}
	f.all = append(f.all, one)
}

// lane is how far to the side of the line one way is from the other.
const lane = 5

// take turns what happened into flights.
func (s *Scene) take(trace []model.Event, now, length time.Duration) {
	f, l := &s.flights, &s.layout
	if f.all == nil {
		f.all = make([]flight, 0, flightLimit)
	}
	for i := range trace {
		e := &trace[i]
		size := float32(9)
		if l.Narrow() {
			size = 7
		}
		shape, color := mark(e.Holder)
		if e.Holder == model.Yours {
			size = 18
		}
		request := e.Kind == model.Arrived || e.Kind == model.Answered || e.Kind == model.Failure || e.Kind == model.ShedAtCap
		if request && int(e.Place) >= len(l.Sources) || !request && (int(e.Place) >= len(l.Places) || !s.cast.in[e.Place]) {
			continue
		}
		var process Point
		if i := int(e.Process); i < len(l.Processes) {
			b := &l.Processes[i]
			process = Point{b.X + b.W/2, b.Y + b.H/2}
		} else if e.Kind != model.TimedOut && e.Kind != model.Beaten && e.Kind != model.Killed {
			// The edge's and the workers' attempts have no process to travel from and to. What happens in the place itself
			// is drawn all the same.
			continue
		}
		var outer Point
		if request {
			outer = l.Sources[e.Place]
		} else {
			outer = l.Places[e.Place].In()
		}
		out, in := Point{outer.X, outer.Y - lane}, Point{outer.X, outer.Y + lane}
		above, below := Point{process.X, process.Y - lane}, Point{process.X, process.Y + lane}
		one := flight{shape: shape, color: color, size: size}
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
			// Whoever waited has left: the attempt goes on as a ring, so a ring opens where it went in.
			one.from, one.to, one.kind = out, out, fades
			one.shape = frame.Ring
			if e.Holder != model.Yours {
				one.color = frame.Abandoned
			}
		case model.Killed:
			one.from, one.to, one.kind = in, in, fades
			one.shape = frame.Cross
		default:
			continue
		}
		f.launch(one, e.Request, e.At, now, length)
	}
}

func (s *Scene) drawFlights() {
	for i := range s.flights.all {
		f := &s.flights.all[i]
		if f.done < 0 {
			continue
		}
		t, alpha, size := f.done, float32(255), f.size
		switch f.kind {
		case leaves:
			alpha = 255 * min(1, 2.5*(1-t))
		case bounces:
			t = min(t, 1-t) * 2
			alpha = 255 * min(1, 3*(1-f.done))
		case fades:
			alpha = 130 * (1 - t)
			size *= 1 + t
			t = 0
		}
		at := Point{f.from.X + (f.to.X-f.from.X)*t, f.from.Y + (f.to.Y-f.from.Y)*t}
		s.add(f.shape, f.color, uint8(alpha), at, size, size)
	}
}
