package view

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/frame"
)

func find(t testing.TB, id string) *scenario.Scenario {
	s, ok := scenario.Find(id)
	if !ok {
		t.Fatalf("no scenario %s", id)
	}
	return &s
}

// still is the world of a scenario with nothing going on.
func still(s *scenario.Scenario) *model.Snapshot {
	snap := &model.Snapshot{SampleEvery: 1, Processes: make([]model.ProcessNow, s.Processes.Count)}
	for _, name := range sortedNames(s.Operations) {
		snap.Operations = append(snap.Operations, model.OperationNow{Name: name, Rate: s.Operations[name].Rate})
	}
	for _, name := range sortedNames(s.Dependencies) {
		snap.Dependencies = append(snap.Dependencies, model.DependencyNow{
			Name: name, Slots: make([]model.SlotNow, s.Dependencies[name].Slots), Health: model.Health{Slow: 1, Capacity: 1},
		})
	}
	return snap
}

func count(marks []frame.Mark, shape frame.Shape, color frame.Color) int {
	n := 0
	for _, m := range marks {
		if m.Shape == shape && m.Color == color {
			n++
		}
	}
	return n
}

var sizes = []struct{ w, h float32 }{{1100, 480}, {900, 460}, {328, 246}, {288, 216}}

func TestNothingLeavesTheStageOrOverlaps(t *testing.T) {
	for _, id := range []string{"two-service", "pastebin", "queue"} {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s %v", id, size), func(t *testing.T) {
				s := find(t, id)
				scene := NewScene(s)
				scene.Resize(size.w, size.h)
				scene.Update(still(s), Frame{})
				for _, m := range scene.Marks() {
					w, h := max(m.W, -m.W), max(m.H, -m.H)
					if m.X-w/2 < 0 || m.Y-h/2 < 0 || m.X+w/2 > size.w || m.Y+h/2 > size.h {
						t.Errorf("%+v is not inside %v", m, size)
					}
				}
				l := scene.Layout()
				for i := range l.Places {
					a := &l.Places[i]
					if a.X < l.Fleet.X+l.Fleet.W {
						t.Errorf("%s overlaps the processes", s.ID)
					}
					if a.Slots.X < a.Queue.X+a.Queue.W || a.Queue.Rows*a.Queue.Cols < 4 {
						t.Errorf("place %d: queue %+v and slots %+v", i, a.Queue, a.Slots)
					}
					for j := range l.Places[:i] {
						b := &l.Places[j]
						if a.Y < b.Y+b.H && b.Y < a.Y+a.H {
							t.Errorf("places %d and %d overlap: %+v %+v", i, j, a.Box, b.Box)
						}
					}
				}
				for _, label := range scene.Labels() {
					if label.At.X < 0 || label.At.X > size.w || label.At.Y < 6 || label.At.Y > size.h-6 {
						t.Errorf("%q at %v is not inside %v", label.Text, label.At, size)
					}
				}
			})
		}
	}
}

// A stage may have no room yet, or no longer: a panel that is folded, a window being dragged.
func TestAStageWithoutRoomIsNoTrouble(t *testing.T) {
	for _, id := range []string{"two-service", "pastebin", "queue"} {
		for _, size := range []struct{ w, h float32 }{{0, 0}, {800, 0}, {0, 300}, {1, 1}, {30, 20}, {3000, 40}} {
			s := find(t, id)
			scene := NewScene(s)
			snap := still(s)
			for i := range snap.Dependencies {
				snap.Dependencies[i].Slots[0].Holder = model.Retry
				snap.Dependencies[i].Waiting, snap.Dependencies[i].Queue = []model.Holder{model.First}, 5000
			}
			scene.Resize(size.w, size.h)
			scene.Update(snap, Frame{Real: time.Second / 60, Speed: 1, Moving: true})
			for _, m := range scene.Marks() {
				if m.X != m.X || m.Y != m.Y || m.W != m.W || m.H != m.H {
					t.Fatalf("%s on %v: %+v is nowhere", id, size, m)
				}
			}
			scene.Labels()
		}
	}
}

func TestDependenciesStandInTheOrderOfTheirCalls(t *testing.T) {
	s := find(t, "pastebin")
	scene := NewScene(s)
	scene.Resize(900, 460)
	scene.Update(still(s), Frame{})
	// By name: bucket, cache, primary. A read asks cache, primary, bucket.
	p := scene.Layout().Places
	if !(p[1].Y < p[2].Y && p[2].Y < p[0].Y) {
		t.Errorf("cache at %v, primary at %v, bucket at %v", p[1].Y, p[2].Y, p[0].Y)
	}
}

func TestYoursIsAStarEvenWhereSlotsAreTiny(t *testing.T) {
	for _, size := range sizes {
		s := find(t, "pastebin")
		scene := NewScene(s)
		scene.Resize(size.w, size.h)
		snap := still(s)
		snap.Dependencies[0].Slots[500].Holder = model.Yours // of the bucket's thousand
		snap.Dependencies[0].Busy = 1
		scene.Update(snap, Frame{})
		if stars := count(scene.Marks(), frame.Star, frame.Yours); stars != 1 {
			t.Errorf("at %v: %d stars, want 1", size, stars)
		}
	}
}

func TestEverySlotIsDrawn(t *testing.T) {
	for _, size := range sizes {
		s := find(t, "pastebin")
		scene := NewScene(s)
		scene.Resize(size.w, size.h)
		snap := still(s)
		scene.Update(snap, Frame{})
		free := count(scene.Marks(), frame.Rect, frame.SlotFree) + count(scene.Marks(), frame.Frame, frame.SlotFree)
		if want := 64 + 30 + 1000; free != want {
			t.Errorf("at %v: %d free slots drawn, want %d", size, free, want)
		}
	}
}

func TestHoldersAreToldApartByColourAndShape(t *testing.T) {
	s := find(t, "two-service")
	scene := NewScene(s)
	scene.Resize(900, 460)
	snap := still(s)
	snap.Now = 10 * time.Second
	b := &snap.Dependencies[0]
	for i, h := range []model.Holder{model.First, model.Retry, model.Abandoned, model.Yours} {
		b.Slots[i] = model.SlotNow{Holder: h, Since: snap.Now - time.Second/10}
	}
	b.Waiting = []model.Holder{model.Abandoned, model.Retry, model.First}
	b.Queue, b.Busy = 3, 4
	scene.Update(snap, Frame{})
	marks := scene.Marks()
	for _, want := range []struct {
		shape frame.Shape
		color frame.Color
		n     int
	}{
		{frame.Disc, frame.First, 2}, {frame.Triangle, frame.Retry, 2}, {frame.Ring, frame.Abandoned, 2}, {frame.Star, frame.Yours, 1},
		{frame.Frame, frame.SlotFree, 4},
	} {
		if got := count(marks, want.shape, want.color); got != want.n {
			t.Errorf("%d marks of shape %d and colour %s, want %d", got, want.shape, want.color.Name(), want.n)
		}
	}
	if !hasLabel(scene.Labels(), "you") {
		t.Error("the reader's own attempt has no label")
	}
}

func hasLabel(labels []Label, text string) bool {
	for _, l := range labels {
		if l.Text == text {
			return true
		}
	}
	return false
}

func TestASlotDarkensWhileItIsHeld(t *testing.T) {
	s := find(t, "two-service")
	scene := NewScene(s)
	scene.Resize(900, 460)
	snap := still(s)
	snap.Dependencies[0].Slots[0] = model.SlotNow{Holder: model.First}
	last := -1
	for _, now := range []time.Duration{0, 300 * time.Millisecond, time.Second} {
		snap.Now = now
		scene.Update(snap, Frame{})
		for _, m := range scene.Marks() {
			if m.Shape == frame.Rect && m.Color == frame.First {
				if int(m.Alpha) <= last {
					t.Errorf("after %v its fill is %d, was %d", now, m.Alpha, last)
				}
				last = int(m.Alpha)
			}
		}
	}
	if last < 0 {
		t.Error("no held slot was drawn")
	}
}

func TestALongQueueIsABarWithItsNumber(t *testing.T) {
	s := find(t, "two-service")
	scene := NewScene(s)
	scene.Resize(900, 460)
	snap := still(s)
	b := &snap.Dependencies[0]
	b.Queue = 1234
	for range model.WaitingLimit {
		b.Waiting = append(b.Waiting, model.Retry)
	}
	scene.Update(snap, Frame{})
	drawn := count(scene.Marks(), frame.Triangle, frame.Retry)
	if bars := count(scene.Marks(), frame.Rect, frame.Queue); bars != 1 {
		t.Errorf("%d bars, want 1", bars)
	}
	if want := "+ " + Count(int64(1234-drawn)); !hasLabel(scene.Labels(), want) {
		t.Errorf("%d are drawn one by one, and no label says %q", drawn, want)
	}
}

func TestNoCellChangesMoreThanSixTimesASecond(t *testing.T) {
	// Six changes are three blinks. Slots that flicker with every frame, at all speeds of turnover.
	for _, rate := range []int64{1, 5, 20, 1000, 17_400} {
		s := find(t, "two-service")
		scene := NewScene(s)
		scene.Resize(900, 460)
		snap := still(s)
		b := &snap.Dependencies[0]
		shown := make([]model.Holder, len(b.Slots))
		changes := make([]int, len(b.Slots))
		const frames = 240
		for f := range frames {
			snap.Now += time.Second / 60
			b.Completed += rate * 8 / 60
			for i := range b.Slots {
				b.Slots[i] = model.SlotNow{Holder: model.Holder((f*7+i*3)%int(model.Yours)) % 4, Since: snap.Now}
			}
			scene.Update(snap, Frame{Real: time.Second / 60, Speed: 1, Moving: true})
			for i := range shown {
				if h := scene.cellShows(0, i); h != shown[i] {
					shown[i] = h
					changes[i]++
				}
			}
		}
		for i, n := range changes {
			if n > 6*frames/60+1 {
				t.Errorf("at %d a second cell %d changed %d times in %d s", rate, i, n, frames/60)
			}
		}
	}
}

// cellShows is the holder that cell i of a dependency is drawn with.
func (s *Scene) cellShows(place, i int) model.Holder {
	s.marks = s.marks[:0]
	g := &s.layout.Places[place].Slots
	s.drawSlots(g, &s.moods[place], s.patience[place], s.snapshot.Now)
	at := g.At(i)
	for _, m := range s.marks {
		if m.X != at.X || m.Y != at.Y || m.Shape == frame.Rect || m.Shape == frame.Frame {
			continue
		}
		for h := model.First; h <= model.YoursLeft; h++ {
			if shape, color := mark(h); shape == m.Shape && color == m.Color {
				return h
			}
		}
	}
	return model.Nobody
}

func TestCalmPictureKeepsTheShares(t *testing.T) {
	s := find(t, "pastebin")
	scene := NewScene(s)
	scene.Resize(900, 460)
	snap := still(s)
	p := &snap.Dependencies[2]
	// 12 of 30 busy, never the same ones.
	for f := range 120 {
		snap.Now += time.Second / 60
		p.Completed += 150
		for i := range p.Slots {
			p.Slots[i] = model.SlotNow{}
			if (i+f)%5 < 2 {
				p.Slots[i] = model.SlotNow{Holder: model.First, Since: snap.Now}
			}
		}
		scene.Update(snap, Frame{Real: time.Second / 60, Speed: 1, Moving: true})
	}
	if !scene.moods[2].calm {
		t.Fatal("9,000 a second in 30 slots is not drawn calmly")
	}
	busy := 0
	for i := range p.Slots {
		if scene.cellShows(2, i) == model.First {
			busy++
			if i >= 12 {
				t.Errorf("cell %d is busy: the calm picture is not sorted", i)
			}
		}
	}
	if busy != 12 {
		t.Errorf("%d cells are busy, want 12", busy)
	}
	// Standing still, each cell is its slot.
	scene.Update(snap, Frame{Real: time.Second / 60, Speed: 1})
	for i := range p.Slots {
		if got := scene.cellShows(2, i); got != p.Slots[i].Holder {
			t.Errorf("paused, cell %d shows %d, its slot has %d", i, got, p.Slots[i].Holder)
		}
	}
}

func TestFlights(t *testing.T) {
	s := find(t, "two-service")
	event := func(kind model.EventKind, attempt uint8, h model.Holder) model.Event {
		return model.Event{At: time.Second, Kind: kind, Attempt: attempt, Holder: h, Request: 7}
	}
	for _, test := range []struct {
		name  string
		event model.Event
		shape frame.Shape
		color frame.Color
	}{
		{"a request comes", event(model.Arrived, 0, model.First), frame.Disc, frame.First},
		{"a first attempt goes", event(model.Sent, 1, model.First), frame.Disc, frame.First},
		{"a retry goes", event(model.Sent, 2, model.Retry), frame.Triangle, frame.Retry},
		{"it is refused", event(model.Refusal, 1, model.First), frame.Cross, frame.Failed},
		{"its caller leaves", event(model.TimedOut, 1, model.First), frame.Ring, frame.Abandoned},
		{"the answer", event(model.Answered, 0, model.First), frame.Tick, frame.OK},
		{"the failure", event(model.Failure, 0, model.First), frame.Cross, frame.Failed},
		{"turned away", event(model.ShedAtCap, 0, model.First), frame.Bar, frame.Shed},
		{"the reader's own", event(model.Sent, 1, model.Yours), frame.Star, frame.Yours},
		{"the reader's own answer", event(model.Answered, 0, model.Yours), frame.Tick, frame.Yours},
	} {
		t.Run(test.name, func(t *testing.T) {
			scene := NewScene(s)
			scene.Resize(900, 460)
			snap := still(s)
			snap.Now = time.Second
			scene.Update(snap, Frame{Speed: 1, Moving: true})
			before := count(scene.Marks(), test.shape, test.color)
			flying := func() int { return count(scene.Marks(), test.shape, test.color) - before }

			snap.Trace = []model.Event{test.event}
			scene.Update(snap, Frame{Speed: 1, Moving: true})
			snap.Trace = nil
			snap.Now += flightTime / 2
			scene.Update(snap, Frame{Real: flightTime / 2, Speed: 1, Moving: true})
			if flying() != 1 {
				t.Errorf("half way there are %d marks, want 1", flying())
			}
			scene.Update(snap, Frame{Real: 10 * time.Second, Speed: 1})
			if flying() != 1 {
				t.Error("it went on while the world stood still")
			}
			snap.Now += flightTime
			scene.Update(snap, Frame{Real: flightTime, Speed: 1, Moving: true})
			if flying() != 0 {
				t.Error("it never arrives")
			}

			scene.Still = true
			snap.Trace = []model.Event{test.event}
			snap.Trace[0].At = snap.Now
			scene.Update(snap, Frame{Speed: 1, Moving: true})
			if flying() != 0 {
				t.Error("it travels though motion is reduced")
			}
		})
	}
}

func TestFlightsOfARequestFollowEachOther(t *testing.T) {
	s := find(t, "two-service")
	scene := NewScene(s)
	scene.Resize(900, 460)
	snap := still(s)
	snap.Trace = []model.Event{
		{Kind: model.Arrived, Holder: model.First, Request: 1},
		{Kind: model.Sent, Attempt: 1, Holder: model.First, Request: 1},
	}
	scene.Update(snap, Frame{Speed: 1, Moving: true})
	snap.Trace = nil
	seen := 0
	for range 10 {
		if n := count(scene.Marks(), frame.Disc, frame.First); n > 1 {
			t.Errorf("one request is in %d places", n)
		} else if n == 1 {
			seen++
		}
		snap.Now += flightTime / 4
		scene.Update(snap, Frame{Speed: 1, Moving: true})
	}
	if seen < 6 {
		t.Errorf("it was seen in %d of 10 quarters of a flight, want about the 8 that two flights take", seen)
	}
}

func TestCalmCountsDoNotFlickerWithTheWorld(t *testing.T) {
	// All of a thousand slots busy, then none, ten times a second.
	var s shares
	changes, last := 0, 0
	for f := range 240 {
		var count [holders]int
		if f/3%2 == 0 {
			count[model.First] = 1000
		}
		s.look(&count, time.Second/60, time.Duration(f)*time.Second/60)
		if n := s.shown[model.First]; n != last {
			last = n
			changes++
		}
	}
	if changes > 6*4+1 {
		t.Errorf("%d changes in 4 s, want at most 6 a second", changes)
	}
}

func TestSampleEvery(t *testing.T) {
	for _, test := range []struct {
		rate, speed float64
		legs, want  int
	}{
		{20, 1, 4, 1}, {20, 10, 4, 10}, {20, .1, 4, 1}, {0, 1, 4, 1}, {200, 1, 4, 10}, {17_770, 1, 6, 2000}, {1_000_000, 10, 8, 1_000_000},
	} {
		if got := SampleEvery(test.rate, test.speed, test.legs); got != test.want {
			t.Errorf("SampleEvery(%v, %v, %d) = %d, want %d", test.rate, test.speed, test.legs, got, test.want)
		}
	}
}

// busyWorld is a pastebin in a storm: what a frame costs at its most.
func busyWorld(t testing.TB) (*Scene, *model.Snapshot) {
	s := find(t, "pastebin")
	scene := NewScene(s)
	scene.Resize(1100, 480)
	snap := still(s)
	for i := range snap.Dependencies {
		d := &snap.Dependencies[i]
		for j := range d.Slots {
			d.Slots[j].Holder = model.Holder(j%3) + model.First
		}
		for range model.WaitingLimit {
			d.Waiting = append(d.Waiting, model.Retry)
		}
		d.Queue, d.Busy = 5000, len(d.Slots)
	}
	for i := range 40 {
		snap.Trace = append(snap.Trace, model.Event{Kind: model.Sent, Attempt: 1, Holder: model.First, Request: uint64(i), Place: uint16(i % 3)})
	}
	return scene, snap
}

func advance(scene *Scene, snap *model.Snapshot, n *int) int {
	*n++
	snap.Now += 8 * time.Millisecond
	for i := range snap.Trace {
		snap.Trace[i].At = snap.Now
		snap.Trace[i].Request += 40
	}
	for i := range snap.Dependencies {
		snap.Dependencies[i].Completed += 100
	}
	scene.Update(snap, Frame{Real: 16 * time.Millisecond, Speed: .5, Moving: true})
	return len(scene.Marks())
}

func TestAFrameAllocatesNothing(t *testing.T) {
	scene, snap := busyWorld(t)
	n := 0
	for range 100 {
		advance(scene, snap, &n)
	}
	if got := testing.AllocsPerRun(100, func() { advance(scene, snap, &n) }); got != 0 {
		t.Errorf("%v allocations a frame, want 0", got)
	}
}

func BenchmarkFrame(b *testing.B) {
	scene, snap := busyWorld(b)
	n, marks := 0, 0
	for range 100 {
		advance(scene, snap, &n)
	}
	b.ReportAllocs()
	for b.Loop() {
		marks = advance(scene, snap, &n)
	}
	b.ReportMetric(float64(marks), "marks")
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
