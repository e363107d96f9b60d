package view

import (
	"math"

	"stormbin/engine/model"
	"stormbin/wasm/internal/frame"
)

// A single mark is one request of many, so that marks alone don't tell a storm from a calm. The ways between the boxes do:
// each is a pair of bands as thick as what passed in the last second, what goes above the line and what comes back below
// it, by kind.

// way leads from a, nearer to the users, to b.
type way struct {
	a, b      Point
	out, back [3]stream
}

// stream is what of one kind flows along a way.
type stream struct {
	color frame.Color
	rate  float64 // a second
	y     float32 // of its middle, from the way's
	thick float32 // 0: nothing flows
	part  float32 // of the way that it goes
}

// lane is how far from the line a stream's middle is at least: marks that meet don't touch.
const lane = 5

// flow lays out what goes along the ways: thick is how many pixels one request a second is, most how many there is room
// for on either side.
func (w *way) flow(thick, most float32) {
	for side, all := range [...]*[3]stream{&w.out, &w.back} {
		total := float32(0)
		for i := range all {
			s := &all[i]
			if s.thick = 0; s.rate > 0 {
				s.thick = max(float32(s.rate)*thick, 1)
			}
			total += s.thick
		}
		y := float32(lane) - min(total/2, lane-1.5)
		for i := range all {
			s := &all[i]
			s.thick *= min(1, most/max(total, 1))
			if s.y = y + s.thick/2; side == 0 {
				s.y = -s.y
			}
			y += s.thick
		}
	}
}

// off is how far from the line a mark of a colour goes: somewhere in its stream, each request in its own place.
func (w *way) off(back bool, color frame.Color, request uint64) float32 {
	all, y := &w.out, float32(-lane)
	if back {
		all, y = &w.back, lane
	}
	s := &all[0]
	for i := range all {
		if all[i].color == color {
			s = &all[i]
		}
	}
	if s.thick > 0 {
		y = s.y
	}
	return y + (spread(request)-.5)*max(s.thick-4, 4)
}

// survey brings the ways up to date.
func (s *Scene) survey() {
	l, n := &s.layout, s.Last
	thick, most := float32(0), float32(0)
	if n != nil {
		if s.normal == 0 {
			s.usual = max(s.usual, n.Offered)
		}
		if usual := max(s.normal, s.usual); usual > 0 {
			thick = l.Thick / float32(usual)
		}
		most = mostThick * l.Thick
	}
	for i, at := range l.Sources {
		w := &s.sources[i]
		w.a, w.b = Point{at.X + l.source()/2 + 2, at.Y}, l.Gates[i]
		if n != nil {
			o := &n.Operations[i]
			w.out = [3]stream{{color: frame.First, rate: o.Offered, part: 1}, {color: frame.Retry, rate: o.Again, part: 1}}
			w.back = [3]stream{{color: frame.OK, rate: o.OK, part: 1}, {color: frame.Failed, rate: o.Failed, part: 1}}
		}
		w.flow(thick, most)
	}
	for _, i := range s.rows.dependencies {
		w, at := &s.ways[i], &l.Places[i]
		w.a, w.b = at.Gate, at.In()
		if n != nil && s.terms.places[i].called {
			p := &n.Places[i]
			w.out = [3]stream{{color: frame.First, rate: p.First, part: 1}, {color: frame.Retry, rate: p.Retries, part: 1}, {color: frame.Hedge, rate: p.Hedges, part: 1}}
			// What nobody waits for gets lost on the way.
			w.back = [3]stream{{color: frame.OK, rate: p.Done - p.ForNobody, part: 1}, {color: frame.Failed, rate: p.Refused, part: 1}, {color: frame.Abandoned, rate: p.ForNobody, part: .5}}
		}
		w.flow(thick, most)
	}
}

// drawWay draws what flows along a way.
func (s *Scene) drawWay(w *way) {
	for _, all := range [...]*[3]stream{&w.out, &w.back} {
		for i := range all {
			f := &all[i]
			if f.thick == 0 {
				continue
			}
			alpha := uint8(115)
			if f.thick < 2 { // a line, and as strong as one
				alpha = 255
			}
			a := between(w.b, w.a, f.part) // what comes back begins at b; what goes, goes all of it
			s.marks = append(s.marks, frame.Mark{
				Shape: frame.Band, Color: f.color, Alpha: alpha, Part: uint8(min(f.thick*4+.5, 255)),
				X: (a.X + w.b.X) / 2, Y: (a.Y+w.b.Y)/2 + f.y, W: w.b.X - a.X, H: w.b.Y - a.Y,
			})
			if s.Still && f.thick >= 3 {
				s.drawStanding(f, a, w.b)
			}
		}
	}
}

// drawStanding says by marks that stand what flows, for those who want little motion.
func (s *Scene) drawStanding(f *stream, a, b Point) {
	n := max(1, int(distance(a, b)/28))
	for i := range n {
		at := between(a, b, (float32(i)+.5)/float32(n))
		side := min(9, f.thick+3)
		s.add(shapes[f.color], f.color, 255, Point{at.X, at.Y + f.y}, side, side)
	}
}

// shapes are those of the colours that flow.
var shapes = map[frame.Color]frame.Shape{
	frame.First: frame.Disc, frame.Retry: frame.Triangle, frame.Hedge: frame.Diamond,
	frame.OK: frame.Tick, frame.Failed: frame.Cross, frame.Abandoned: frame.Ring,
}

// road is the points between which an event goes on: from where it comes from to what is asked for it, along the way
// between. back says that it goes there in the lane of those that come back. ok: both ends are in the picture.
func (s *Scene) road(e *model.Event, color frame.Color, back bool) (p [4]Point, ok bool) {
	l := &s.layout
	place := int(e.Place)
	if e.Kind == model.Arrived || e.Kind == model.Answered || e.Kind == model.Failure || e.Kind == model.ShedAtCap {
		if place >= len(l.Sources) || int(e.Process) >= len(l.Processes) {
			return p, false
		}
		w := &s.sources[place]
		y := w.off(back, color, e.Request)
		from := l.Sources[place]
		return [4]Point{{from.X, from.Y + y}, {w.a.X, w.a.Y + y}, {w.b.X, w.b.Y + y}, s.process(e)}, true
	}
	if place >= len(l.Places) || !s.cast.in[place] {
		return p, false
	}
	to := l.Places[place].door(e.Request)
	var from Point
	switch edge := s.terms.places[place].edge; {
	case int(e.Process) < len(l.Processes):
		w := &s.ways[place]
		y := w.off(back, color, e.Request)
		mouth := between(w.b, w.a, min(.35, 28/max(distance(w.a, w.b), 1)))
		return [4]Point{s.process(e), {w.a.X, w.a.Y + y}, {mouth.X, mouth.Y + y}, to}, true
	case edge >= 0:
		from = l.Sources[edge] // who asks an edge is the user
	case l.Workers.W > 0:
		from = l.Workers.middle()
	default:
		// There is nothing to travel from and to. What happens in the place itself is drawn all the same.
		return [4]Point{to, to, to, to}, e.Kind == model.TimedOut || e.Kind == model.Beaten || e.Kind == model.Killed
	}
	y := float32(-lane)
	if back {
		y = lane
	}
	from.Y, to.Y = from.Y+y, to.Y+y
	return [4]Point{from, from, to, to}, true
}

// process is where in its process a request is worked on.
func (s *Scene) process(e *model.Event) Point {
	b := &s.layout.Processes[e.Process]
	at := b.middle()
	at.Y += (spread(e.Request) - .5) * b.H * .6
	return at
}

// along is the point that lies a part of the way along a road. Most of the time goes by on the way itself, wherever among
// the processes its end is.
func along(p *[4]Point, part float32) Point {
	const end = .4 // of the way, at most
	way := distance(p[1], p[2])
	length := [3]float32{min(distance(p[0], p[1]), end*way), way, min(distance(p[2], p[3]), end*way)}
	left := part * (length[0] + length[1] + length[2])
	for i, d := range length {
		if left <= d && d > 0 {
			return between(p[i], p[i+1], left/d)
		}
		left -= d
	}
	return p[3]
}

// between is the point that lies a part of the way from a to b.
func between(a, b Point, part float32) Point {
	return Point{a.X + (b.X-a.X)*part, a.Y + (b.Y-a.Y)*part}
}

func distance(a, b Point) float32 {
	return float32(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)))
}
