package view

import (
	"math"
	"slices"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/frame"
)

// Scene is the picture of one run, kept from frame to frame: Resize, then for each frame Update and Marks. Words change
// less often: Labels. It allocates nothing once it has seen its world.
type Scene struct {
	// Still says that nothing may travel (reduced motion): states only.
	Still bool
	// Tag is a word in the top left corner that tells this picture from another one beside it.
	Tag string
	// Beside is the picture of the same traffic under another rule: the same request is followed in both. It is updated
	// before this one.
	Beside *Scene
	// Last is the last second's numbers, kept up to date by whoever updates the scene: the ways are as thick as they say.
	// nil: not known.
	Last *Numbers

	terms    terms
	layout   Layout
	w, h     float32
	flights  flights
	waits    waits
	follow   follow
	next     follow // the one to follow after it, as far as it has come
	unseen   uint64 // the least number of a request that may arrive for the first time
	moods    []mood
	load     []float32 // requests in each process, smoothed
	order    rows      // of all
	rows     rows      // of those in the picture
	cast     cast
	done     []lately
	ways     []way   // to the dependencies
	sources  []way   // from the operations
	normal   float64 // requests a second that the scenario has come at first; 0: it doesn't say
	usual    float64 // the most that came, in its place
	rest     []bar
	marks    []frame.Mark
	words    typesetter
	at       time.Duration // real time
	tagged   bool          // the layout has room for a tag
	snapshot *model.Snapshot
}

// lately is how much a second a count grows, smoothed over virtual time.
type lately struct {
	count int64
	at    time.Duration
	rate  float64
}

// NewScene starts the picture of a run of s.
func NewScene(s *scenario.Scenario) *Scene {
	v := &Scene{marks: make([]frame.Mark, 0, 4096), terms: newTerms(s), order: order(s), cast: newCast(s)}
	for _, op := range s.Operations {
		v.normal += op.Rate
	}
	return v
}

// Set takes in a scenario whose rule has changed, of the same system.
func (s *Scene) Set(to *scenario.Scenario) { s.terms = newTerms(to) }

// Hedges tells whether some call of the scenario hedges, so that diamonds are to be expected.
func (s *Scene) Hedges() bool { return s.terms.hedges }

// order is what stands above what: busy operations first, and dependencies as those come to them. The snapshot's indices
// go by name.
func order(s *scenario.Scenario) rows {
	var r rows
	operations, dependencies := scenario.Names(s.Operations), scenario.Names(s.Dependencies)
	for _, name := range Busiest(s) {
		r.operations = append(r.operations, slices.Index(operations, name))
	}
	for _, name := range Path(s) {
		r.dependencies = append(r.dependencies, slices.Index(dependencies, name))
	}
	return r
}

// Resize sets the stage's size in CSS pixels.
func (s *Scene) Resize(w, h float32) {
	if w != s.w || h != s.h {
		s.w, s.h = w, h
		s.layout = Layout{}
	}
}

// Layout is where everything stands, as of the last Update.
func (s *Scene) Layout() *Layout { return &s.layout }

// Frame is the passing of time between two updates.
type Frame struct {
	Real   time.Duration // since the last update
	Speed  float64       // virtual seconds a second
	Moving bool          // false: the world stands, so that all is shown as it is
}

// Update takes in the newest snapshot, and keeps it until the next one.
func (s *Scene) Update(snap *model.Snapshot, f Frame) {
	s.snapshot = snap
	s.at += f.Real
	s.arrange(snap)
	s.survey()
	length := time.Duration(float64(flightTime) * max(f.Speed, .001))
	if !s.flights.move(snap.Now, length) {
		s.waits.clear()
		s.follow, s.next, s.unseen = follow{}, follow{}, 0
		clear(s.done)
	}
	for _, i := range s.rows.dependencies {
		d := &snap.Dependencies[i]
		turnover := s.done[i].read(freed(d), snap.Now) * f.Speed / float64(max(1, len(d.Slots)))
		s.moods[i].update(d, s.layout.Places[i].Per, turnover, !f.Moving, snap.Now, s.terms.places[i].patience, f.Real, s.at)
	}
	for i := range snap.Trace {
		if !s.Still {
			s.fly(snap.Trace, i, snap.Now, length)
		}
		s.wait(&snap.Trace[i], length)
		s.watch(&snap.Trace[i])
	}
	if !f.Moving {
		s.flights.settle(snap.Now)
	}
	s.waits.expire(snap.Now, snap.SampleEvery)
	s.follow.pass(snap.Now, f.Real, snap.SampleEvery)
	s.next.pass(snap.Now, f.Real, snap.SampleEvery)
	s.alike()
	k := float32(f.Real) / float32(smoothing+f.Real)
	if !f.Moving {
		k = 1
	}
	for i := range snap.Processes {
		s.load[i] += (float32(snap.Processes[i].InFlight) - s.load[i]) * k
	}
}

// freed is how often a slot was freed.
func freed(d *model.DependencyNow) int64 { return d.Completed + d.Killed - d.Unserved }

// read takes the count in and tells the smoothed rate.
func (l *lately) read(count int64, now time.Duration) float64 {
	if dt := now - l.at; dt > 0 {
		rate := float64(count-l.count) / dt.Seconds()
		k := float64(dt) / float64(dt+500*time.Millisecond)
		l.rate += (rate - l.rate) * k
		l.count, l.at = count, now
	}
	return l.rate
}

func (s *Scene) arrange(snap *model.Snapshot) {
	came := s.cast.look(snap.Dependencies)
	same := s.layout.W == s.w && len(s.layout.Places) == len(snap.Dependencies) && len(s.layout.Processes) == len(snap.Processes) &&
		len(s.layout.Sources) == len(snap.Operations) && s.tagged == (s.Tag != "") && !came
	for _, i := range s.rows.dependencies {
		same = same && s.layout.Places[i].Count == len(snap.Dependencies[i].Slots)
	}
	if same {
		return
	}
	s.rows = rows{operations: s.order.operations}
	for _, i := range s.order.dependencies {
		if s.cast.in[i] {
			s.rows.dependencies = append(s.rows.dependencies, i)
		}
	}
	slots := make([]int, len(snap.Dependencies))
	for i := range slots {
		slots[i] = len(snap.Dependencies[i].Slots)
	}
	s.tagged = s.Tag != ""
	of := world{rows: s.rows, processes: len(snap.Processes), slots: slots, tagged: s.tagged}
	if s.terms.jobs {
		of.workers = snap.Workers.Count
	}
	s.layout = arrange(&of, s.w, s.h)
	if len(s.moods) != len(slots) {
		s.moods, s.rest = make([]mood, len(slots)), make([]bar, len(slots))
		s.done, s.ways = make([]lately, len(slots)), make([]way, len(slots))
	}
	if len(s.sources) != len(snap.Operations) {
		s.sources = make([]way, len(snap.Operations))
	}
	if len(s.load) != len(snap.Processes) {
		s.load = make([]float32, len(snap.Processes))
	}
}

func (s *Scene) add(shape frame.Shape, color frame.Color, alpha uint8, at Point, w, h float32) {
	s.marks = append(s.marks, frame.Mark{Shape: shape, Color: color, Alpha: alpha, X: at.X, Y: at.Y, W: w, H: h})
}

func (s *Scene) line(a, b Point) {
	s.add(frame.Line, frame.Border, 255, Point{(a.X + b.X) / 2, (a.Y + b.Y) / 2}, b.X-a.X, b.Y-a.Y)
}

// Marks is the picture. It is valid until the next call.
func (s *Scene) Marks() []frame.Mark {
	s.marks = s.marks[:0]
	l, snap := &s.layout, s.snapshot
	if snap == nil {
		return nil
	}
	s.drawLines()
	s.drawFleet()
	for _, i := range s.rows.dependencies {
		p := &l.Places[i]
		d := &snap.Dependencies[i]
		middle := Point{p.X + p.W/2, p.Y + p.H/2}
		s.add(frame.Rect, frame.Surface, 255, middle, p.W, p.H)
		if d.Health.Well() {
			s.add(frame.Frame, frame.Border, 255, middle, p.W, p.H)
		} else {
			s.add(frame.Rect, frame.Failed, 14, middle, p.W, p.H)
			s.add(frame.Frame, frame.Failed, 255, middle, p.W, p.H)
			s.add(frame.Frame, frame.Failed, 255, middle, p.W-2, p.H-2)
		}
		s.drawSlots(i)
		s.rest[i] = s.drawQueue(p, &s.moods[i], d)
	}
	s.drawWorkers()
	s.drawWaits()
	s.drawFlights()
	for i := range l.Sources { // over the marks, which come out of them
		// A square, like all that stands still: a ring would be abandoned work.
		s.add(frame.Rect, frame.Surface, 255, l.Sources[i], l.source(), l.source())
		s.add(frame.Frame, frame.Border, 255, l.Sources[i], l.source(), l.source())
	}
	s.drawBar()
	return s.marks
}

// drawLines draws who asks whom, and how much. A line with an open breaker in it has a gap.
func (s *Scene) drawLines() {
	l := &s.layout
	if s.tagged {
		s.line(Point{0, .5}, Point{l.W, .5})
	}
	for i := range s.sources {
		w := &s.sources[i]
		s.drawWay(w)
		s.line(w.a, w.b)
	}
	for _, i := range s.rows.dependencies {
		w := &s.ways[i]
		p := &s.terms.places[i]
		if p.edge >= 0 {
			from := l.Sources[p.edge]
			s.line(Point{from.X + l.source()/2 + 2, from.Y}, w.b)
		}
		if p.worked && l.Workers.W > 0 {
			s.line(Point{l.Workers.X + l.Workers.W, l.Workers.middle().Y}, w.b)
		}
		switch {
		case !p.called:
		case s.snapshot.Dependencies[i].Open > 0:
			s.drawWay(w)
			s.gap(w.a, w.b)
		default:
			s.drawWay(w)
			s.line(w.a, w.b)
		}
	}
}

// gap is a line that leads nowhere: each end of it stops at a bar.
func (s *Scene) gap(a, b Point) {
	dx, dy := b.X-a.X, b.Y-a.Y
	length := max(1, float32(math.Hypot(float64(dx), float64(dy))))
	dx, dy = dx/length, dy/length
	for _, at := range [...]struct{ from, to float32 }{{0, .5 - 5/length}, {1, .5 + 5/length}} {
		from, to := between(a, b, at.from), between(a, b, at.to)
		s.line(from, to)
		for thick := range 2 {
			s.add(frame.Line, frame.Failed, 255, Point{to.X + dx*float32(thick), to.Y + dy*float32(thick)}, -dy*14, dx*14)
		}
	}
}

// drawWorkers draws the workers: those at work are filled.
func (s *Scene) drawWorkers() {
	g := &s.layout.Workers
	if g.W == 0 {
		return
	}
	for i := range s.snapshot.Workers.Count {
		at := g.At(i)
		s.add(frame.Rect, frame.Surface, 255, at, g.Cell, g.Cell)
		if i < s.snapshot.Workers.Busy {
			s.add(frame.Rect, frame.Queue, 190, at, g.Cell, g.Cell)
		}
		s.add(frame.Frame, frame.Border, 255, at, g.Cell, g.Cell)
	}
}

// drawFleet draws the processes, each filled as far as it holds requests: a few are a little, hundreds are all of it.
func (s *Scene) drawFleet() {
	if f := &s.layout.Fleet; len(s.layout.Processes) > 1 {
		middle := Point{f.X + f.W/2, f.Y + f.H/2}
		s.add(frame.Rect, frame.Surface, 255, middle, f.W, f.H)
		s.add(frame.Frame, frame.Border, 255, middle, f.W, f.H)
	}
	for i := range s.layout.Processes {
		b := &s.layout.Processes[i]
		middle := Point{b.X + b.W/2, b.Y + b.H/2}
		s.add(frame.Rect, frame.Surface, 255, middle, b.W, b.H)
		if level := s.load[i] / (s.load[i] + 40); level > .01 {
			h := b.H * level
			s.add(frame.Rect, frame.Queue, 120, Point{middle.X, b.Y + b.H - h/2}, b.W, h)
		}
		s.add(frame.Frame, frame.Border, 255, middle, b.W, b.H)
	}
}

func log10(x float32) float32 { return float32(math.Log10(float64(x))) }
