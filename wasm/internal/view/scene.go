package view

import (
	"maps"
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
	// Still says that nothing may travel (reduced motion): boxes, slots and queues only.
	Still bool

	layout   Layout
	w, h     float32
	flights  flights
	moods    []mood
	load     []float32 // requests in each process, smoothed
	patience []time.Duration
	order    rows // of all
	rows     rows // of those in the picture
	cast     cast
	done     []lately
	rest     []bar
	marks    []frame.Mark
	labels   []Label
	at       time.Duration // real time
	snapshot *model.Snapshot
}

// lately is how many services a second ended, smoothed over virtual time.
type lately struct {
	count int64
	at    time.Duration
	rate  float64
}

// NewScene starts the picture of a run of s.
func NewScene(s *scenario.Scenario) *Scene {
	v := &Scene{marks: make([]frame.Mark, 0, 2048)}
	calls := slices.Sorted(maps.Keys(s.Policy.Calls))
	for _, name := range slices.Sorted(maps.Keys(s.Dependencies)) {
		longest := time.Duration(0)
		for _, call := range calls {
			if c := s.Policy.Calls[call]; c.Target(call) == name {
				longest = max(longest, time.Duration(c.Timeout))
			}
		}
		if longest == 0 {
			d := s.Dependencies[name].Service
			longest = 10 * time.Duration(d.Base+d.Mean)
		}
		v.patience = append(v.patience, longest)
	}
	v.order, v.cast = order(s), newCast(s)
	return v
}

// order is what stands above what: busy operations first, and dependencies as those come to them. The snapshot's indices
// go by name.
func order(s *scenario.Scenario) rows {
	var r rows
	operations, dependencies := slices.Sorted(maps.Keys(s.Operations)), slices.Sorted(maps.Keys(s.Dependencies))
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
		s.flights.all = s.flights.all[:0]
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
	length := time.Duration(float64(flightTime) * max(f.Speed, .001))
	s.flights.move(snap.Now, length)
	if !s.Still {
		s.take(snap.Trace, snap.Now, length)
	}
	for _, i := range s.rows.dependencies {
		d := &snap.Dependencies[i]
		turnover := s.done[i].read(d, snap.Now) * f.Speed / float64(max(1, len(d.Slots)))
		s.moods[i].update(d, turnover, !f.Moving, f.Real, s.at)
	}
	k := float32(f.Real) / float32(smoothing+f.Real)
	for i := range snap.Processes {
		s.load[i] += (float32(snap.Processes[i].InFlight) - s.load[i]) * k
	}
}

// read takes the count in and tells the smoothed rate.
func (l *lately) read(d *model.DependencyNow, now time.Duration) float64 {
	ended := d.Completed + d.Killed
	if dt := now - l.at; dt > 0 {
		rate := float64(ended-l.count) / dt.Seconds()
		k := float64(dt) / float64(dt+500*time.Millisecond)
		l.rate += (rate - l.rate) * k
		l.count, l.at = ended, now
	}
	return l.rate
}

func (s *Scene) arrange(snap *model.Snapshot) {
	came := s.cast.look(snap.Dependencies)
	same := s.layout.W == s.w && len(s.layout.Places) == len(snap.Dependencies) && len(s.layout.Processes) == len(snap.Processes) &&
		len(s.layout.Sources) == len(snap.Operations) && !came
	for _, i := range s.rows.dependencies {
		same = same && len(s.moods[i].cells) == len(snap.Dependencies[i].Slots)
	}
	if same {
		return
	}
	if came {
		s.flights.all = s.flights.all[:0] // they are on their way to where things stood
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
	s.layout = arrange(s.rows, len(snap.Processes), slots, s.w, s.h)
	if len(s.moods) != len(slots) {
		s.moods, s.done, s.rest = make([]mood, len(slots)), make([]lately, len(slots)), make([]bar, len(slots))
	}
	if len(s.load) != len(snap.Processes) {
		s.load = make([]float32, len(snap.Processes))
	}
}

func (s *Scene) add(shape frame.Shape, color frame.Color, alpha uint8, at Point, w, h float32) {
	s.marks = append(s.marks, frame.Mark{Shape: shape, Color: color, Alpha: alpha, X: at.X, Y: at.Y, W: w, H: h})
}

func (s *Scene) line(a, b Point) {
	s.add(frame.Line, frame.Border, 110, Point{(a.X + b.X) / 2, (a.Y + b.Y) / 2}, b.X-a.X, b.Y-a.Y)
}

// Marks is the picture. It is valid until the next call.
func (s *Scene) Marks() []frame.Mark {
	s.marks = s.marks[:0]
	l, snap := &s.layout, s.snapshot
	if snap == nil {
		return nil
	}
	hub := Point{l.Fleet.X, l.Fleet.Y + l.Fleet.H/2}
	for _, from := range l.Sources {
		s.line(Point{from.X + 10, from.Y}, hub)
	}
	hub.X += l.Fleet.W
	for _, i := range s.rows.dependencies {
		s.line(hub, l.Places[i].In())
	}
	for i := range l.Sources {
		// A square, like all that stands still: a ring would be abandoned work.
		s.add(frame.Rect, frame.Surface, 255, l.Sources[i], 16, 16)
		s.add(frame.Frame, frame.Border, 255, l.Sources[i], 16, 16)
	}
	s.drawFleet()
	for _, i := range s.rows.dependencies {
		p := &l.Places[i]
		d := &snap.Dependencies[i]
		middle := Point{p.X + p.W/2, p.Y + p.H/2}
		s.add(frame.Rect, frame.Surface, 255, middle, p.W, p.H)
		if d.Health.Well() {
			s.add(frame.Frame, frame.Border, 160, middle, p.W, p.H)
		} else {
			s.add(frame.Rect, frame.Failed, 14, middle, p.W, p.H)
			s.add(frame.Frame, frame.Failed, 255, middle, p.W, p.H)
			s.add(frame.Frame, frame.Failed, 255, middle, p.W-2, p.H-2)
		}
		s.drawSlots(&p.Slots, &s.moods[i], s.patience[i], snap.Now)
		s.rest[i] = s.drawQueue(p, &s.moods[i], d)
	}
	s.drawFlights()
	return s.marks
}

// drawFleet draws the processes, each filled as far as it holds requests: a few are a little, hundreds are all of it.
func (s *Scene) drawFleet() {
	if f := &s.layout.Fleet; len(s.layout.Processes) > 1 {
		middle := Point{f.X + f.W/2, f.Y + f.H/2}
		s.add(frame.Rect, frame.Surface, 255, middle, f.W, f.H)
		s.add(frame.Frame, frame.Border, 110, middle, f.W, f.H)
	}
	for i := range s.layout.Processes {
		b := &s.layout.Processes[i]
		middle := Point{b.X + b.W/2, b.Y + b.H/2}
		s.add(frame.Rect, frame.Surface, 255, middle, b.W, b.H)
		if level := s.load[i] / (s.load[i] + 40); level > .01 {
			h := b.H * level
			s.add(frame.Rect, frame.Queue, 120, Point{middle.X, b.Y + b.H - h/2}, b.W, h)
		}
		s.add(frame.Frame, frame.Border, 200, middle, b.W, b.H)
	}
}

func log10(x float32) float32 { return float32(math.Log10(float64(x))) }
