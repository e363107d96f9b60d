package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"stormbin/engine/model"
	"stormbin/engine/run"
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

// dependency is the one of that name, and its index.
func dependency(t testing.TB, s *model.Snapshot, name string) (d *model.DependencyNow, i int) {
	for i := range s.Dependencies {
		if s.Dependencies[i].Name == name {
			return &s.Dependencies[i], i
		}
	}
	t.Fatalf("no dependency %s", name)
	return nil, 0
}

// standing is the names of the dependencies in the picture, from top to bottom.
func (s *Scene) standing() (names []string) {
	for _, i := range s.rows.dependencies {
		names = append(names, s.snapshot.Dependencies[i].Name)
	}
	return names
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
	for _, id := range []string{"two-service", "pastebin", "all of the pastebin", "queue"} {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s %v", id, size), func(t *testing.T) {
				s := find(t, strings.TrimPrefix(id, "all of the "))
				scene := NewScene(s)
				scene.Resize(size.w, size.h)
				snap := still(s)
				if id != s.ID {
					for i := range snap.Dependencies {
						snap.Dependencies[i].Queue = 1 // so that all are in the picture
					}
				}
				scene.Update(snap, Frame{})
				for _, m := range scene.Marks() {
					w, h := max(m.W, -m.W), max(m.H, -m.H)
					if m.X-w/2 < 0 || m.Y-h/2 < 0 || m.X+w/2 > size.w || m.Y+h/2 > size.h {
						t.Errorf("%+v is not inside %v", m, size)
					}
				}
				l := scene.Layout()
				for row, i := range scene.rows.dependencies {
					a := &l.Places[i]
					if a.X < l.Fleet.X+l.Fleet.W {
						t.Errorf("%s overlaps the processes", s.ID)
					}
					if a.Slots.X < a.Queue.X+a.Queue.W || a.Queue.Rows*a.Queue.Cols < 4 {
						t.Errorf("place %d: queue %+v and slots %+v", i, a.Queue, a.Slots)
					}
					for _, j := range scene.rows.dependencies[:row] {
						b := &l.Places[j]
						if a.Y < b.Y+b.H {
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
	if got, want := scene.standing(), []string{"cache", "primary", "bucket"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v as a read asks them", got, want)
	}
	y := float32(0)
	for _, i := range scene.rows.dependencies {
		if next := scene.Layout().Places[i].Y; next <= y {
			t.Errorf("%v is drawn at %v, under %v", scene.standing(), next, y)
		} else {
			y = next
		}
	}
}

// A cold edge, and what only workers call, take no room from what users wait for. Whoever has come in stays.
func TestWhoIsInThePicture(t *testing.T) {
	path := []string{"cache", "primary", "bucket"}
	see := func(scene *Scene, snap *model.Snapshot, want ...string) {
		t.Helper()
		snap.Now += time.Second / 60
		scene.Update(snap, Frame{Real: time.Second / 60, Speed: 1, Moving: true})
		scene.Marks()
		if got := scene.standing(); !slices.Equal(got, want) {
			t.Errorf("in the picture: %v, want %v", got, want)
		}
		for _, name := range []string{"edge", "cdn"} {
			if in := slices.Contains(want, name); in != hasLabel(scene.Labels(), name) {
				t.Errorf("%s has a label: %v", name, !in)
			}
		}
	}
	start := func(s *scenario.Scenario) (*Scene, *model.Snapshot) {
		scene := NewScene(s)
		scene.Resize(900, 460)
		return scene, still(s)
	}
	t.Run("workers at work", func(t *testing.T) {
		scene, snap := start(find(t, "pastebin"))
		see(scene, snap, path...)
		before := *scene.Layout()
		cdn, _ := dependency(t, snap, "cdn")
		for busy := range 50 {
			cdn.Busy, cdn.First, cdn.Slots[busy].Holder = busy, cdn.First+1, model.First
			see(scene, snap, path...)
		}
		if after := scene.Layout(); !slices.Equal(before.Places, after.Places) || !slices.Equal(before.Processes, after.Processes) {
			t.Error("purges move what stands in the picture")
		}
	})
	t.Run("a sick one", func(t *testing.T) {
		scene, snap := start(find(t, "pastebin"))
		see(scene, snap, path...)
		cdn, _ := dependency(t, snap, "cdn")
		cdn.Health.Down = true
		see(scene, snap, "cache", "primary", "bucket", "cdn")
		cdn.Health.Down = false
		see(scene, snap, "cache", "primary", "bucket", "cdn")
	})
	t.Run("one that is waited for", func(t *testing.T) {
		scene, snap := start(find(t, "pastebin"))
		cdn, _ := dependency(t, snap, "cdn")
		cdn.Queue, cdn.Waiting = 1, []model.Holder{model.First}
		see(scene, snap, "cache", "primary", "bucket", "cdn")
	})
	t.Run("a warm edge", func(t *testing.T) {
		s := find(t, "pastebin")
		edge := s.Dependencies["edge"]
		edge.HitShare = .9
		s.Dependencies["edge"] = edge
		scene, snap := start(s)
		see(scene, snap, "edge", "cache", "primary", "bucket")
	})
	t.Run("an edge that is warmed", func(t *testing.T) {
		scene, snap := start(find(t, "pastebin"))
		see(scene, snap, path...)
		edge, _ := dependency(t, snap, "edge")
		edge.First = 1
		see(scene, snap, "edge", "cache", "primary", "bucket")
	})
}

func TestYoursIsAStarEvenWhereSlotsAreTiny(t *testing.T) {
	for _, size := range sizes {
		s := find(t, "pastebin")
		scene := NewScene(s)
		scene.Resize(size.w, size.h)
		snap := still(s)
		bucket, _ := dependency(t, snap, "bucket")
		bucket.Slots[500].Holder, bucket.Busy = model.Yours, 1 // one of its thousand
		scene.Update(snap, Frame{})
		if stars := count(scene.Marks(), frame.Star, frame.Yours); stars != 1 {
			t.Errorf("at %v: %d stars, want 1", size, stars)
		}
	}
}

// The palette's test holds each colour to what must be seen of it, which is so only where nothing shines through. A thick
// stream may let its marks be seen, and what is filled has its outline.
func TestLinesAndFreeSlotsAreOpaque(t *testing.T) {
	for _, id := range []string{"two-service", "pastebin"} {
		for _, size := range sizes {
			s := find(t, id)
			scene := NewScene(s)
			scene.Resize(size.w, size.h)
			snap := played(t, s, 2*time.Second)
			var m Meter
			scene.Last = m.Read(snap)
			scene.Update(snap, Frame{})
			lines, slots := 0, 0
			for _, m := range scene.Marks() {
				line := m.Shape == frame.Line || m.Shape == frame.Frame || m.Shape == frame.Band && m.Part <= 4
				slot := m.Color == frame.SlotFree
				if (line || slot) && m.Alpha < 255 {
					t.Fatalf("%s at %v: shape %d in %s is only %d of 255 strong", id, size, m.Shape, m.Color.Name(), m.Alpha)
				}
				if line {
					lines++
				}
				if slot {
					slots++
				}
			}
			if lines == 0 || slots == 0 {
				t.Errorf("%s at %v: %d lines, %d free slots", id, size, lines, slots)
			}
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

// Where there are more slots than cells can be told apart a cell stands for several, and says for how many: the parts of
// them that work for whom are the same, and none that works is left out.
func TestMoreSlotsThanCells(t *testing.T) {
	for _, test := range []struct{ slots, per int }{{1000, 1}, {1100, 2}, {10_000, 10}, {100_000, 100}} {
		for _, moving := range []bool{true, false} {
			s := find(t, "two-service")
			b := s.Dependencies["b"]
			b.Slots = test.slots
			s.Dependencies["b"] = b
			scene := NewScene(s)
			scene.Resize(900, 460)
			snap := still(s)
			now := &snap.Dependencies[0]
			for i := range now.Slots {
				switch {
				case i == 0:
					now.Slots[i].Holder = model.Yours
				case i%10 == 0:
					now.Slots[i].Holder = model.Retry
				case i%2 == 0:
					now.Slots[i].Holder = model.First
				}
			}
			now.Busy = test.slots / 2
			scene.Update(snap, Frame{Real: time.Second, Speed: 1, Moving: moving})
			marks := scene.Marks()
			cells := map[frame.Color]int{}
			for _, m := range marks {
				if m.X > scene.Layout().Places[0].Slots.X && (m.Shape == frame.Rect || m.Shape == frame.Frame) {
					cells[m.Color]++
				}
			}
			for color, want := range map[frame.Color]int{frame.Retry: test.slots / 10, frame.First: test.slots * 4 / 10} {
				if got := cells[color] * test.per; got < want-test.per || got > want+test.per {
					t.Errorf("%d slots, moving %v: cells of %s for %d slots, want %d", test.slots, moving, color.Name(), got, want)
				}
			}
			if cells[frame.Yours] == 0 {
				t.Errorf("%d slots, moving %v: the reader's own is not among %v", test.slots, moving, cells)
			}
			if len(marks) > 1200 {
				t.Errorf("%d slots are %d marks", test.slots, len(marks))
			}
			said := Count(int64(now.Busy)) + " of " + Count(int64(test.slots)) + " busy"
			if test.per > 1 {
				said += ", " + Count(int64(test.per)) + " to a cell"
			}
			if !hasLabel(scene.Labels(), said) {
				t.Errorf("no label says %q", said)
			}
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
	s.drawSlots(place)
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
	p, primary := dependency(t, snap, "primary")
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
	if !scene.moods[primary].calm {
		t.Fatal("9,000 a second in 30 slots is not drawn calmly")
	}
	busy := 0
	for i := range p.Slots {
		if scene.cellShows(primary, i) == model.First {
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
		if got := scene.cellShows(primary, i); got != p.Slots[i].Holder {
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
		{"its twin is answered", event(model.Beaten, 2, model.Retry), frame.Ring, frame.Abandoned},
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

// The edge's and the workers' attempts come from no process, so none is seen to come from one. That one of them has been
// given up is seen where it was sent, if that is in the picture.
func TestNothingTravelsFromOutsideOfTheProcesses(t *testing.T) {
	for _, id := range []string{"two-service", "pastebin"} {
		s := find(t, id)
		for kind := model.Arrived; kind <= model.Beaten; kind++ {
			for place := range len(s.Dependencies) + 1 {
				scene := NewScene(s)
				scene.Resize(900, 460)
				snap := still(s)
				scene.Update(snap, Frame{Speed: 1, Moving: true})
				before := len(scene.Marks())
				snap.Trace = []model.Event{{Kind: kind, Attempt: 1, Holder: model.First, Process: uint16(s.Processes.Count), Place: uint16(place)}}
				scene.Update(snap, Frame{Speed: 1, Moving: true})
				want := 0
				if kind == model.TimedOut || kind == model.Beaten || kind == model.Killed {
					if place < len(s.Dependencies) && slices.Contains(scene.rows.dependencies, place) {
						want = 1
					}
				}
				if got := len(scene.Marks()) - before; got != want {
					t.Errorf("%s: an event of kind %d at place %d from outside is %d marks, want %d", id, kind, place, got, want)
				}
			}
		}
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

// What is on its way in a picture that stands still has happened in the second that the numbers beside it are of, at any
// speed, and however long it takes a mark to be seen.
func TestAPictureThatStandsIsOfTheNumbersSecond(t *testing.T) {
	for _, speed := range []float64{.1, 1, 2, 5, 100} {
		s := find(t, "recovery")
		r, err := run.New(*s)
		if err != nil {
			t.Fatal(err)
		}
		var snap model.Snapshot
		var meter Meter
		scene := NewScene(s)
		scene.Resize(900, 460)
		const step = time.Second / 60
		seen, start := map[model.EventKind]int{}, time.Duration(0)
		if speed < 1 { // there is no need to see all of it
			start = 5 * time.Second
			for !r.Advance(start-time.Second, 1_000_000) {
			}
		}
		r.Snapshot(&snap)
		meter.Read(&snap)
		for now, n := start, 0; now < 18*time.Second; n++ {
			now += time.Duration(float64(step) * speed)
			for !r.Advance(now, 1_000_000) {
			}
			r.Snapshot(&snap)
			numbers := meter.Read(&snap)
			scene.Update(&snap, Frame{Real: step, Speed: speed, Moving: true})
			if n%20 != 0 && speed < 5 {
				continue
			}
			snap.Trace = nil
			scene.Update(&snap, Frame{Speed: speed})
			on := map[model.EventKind]int{}
			for _, f := range scene.flights.all {
				on[f.event.Kind]++
				seen[f.event.Kind]++
			}
			if on[model.Failure] > 0 && numbers.Failed == 0 || on[model.Answered] > 0 && numbers.OK == 0 || on[model.Arrived] > 0 && numbers.Offered == 0 ||
				on[model.Sent] > 0 && numbers.Places[0].Attempts() == 0 || on[model.TimedOut] > 0 && numbers.Places[0].Timeouts == 0 {
				t.Fatalf("at %v× and %v the numbers of the last second are %+v, and on their way are %v", speed, snap.Now, *numbers, on)
			}
		}
		for _, kind := range []model.EventKind{model.Arrived, model.Sent, model.Completed, model.Answered, model.Failure, model.TimedOut} {
			if seen[kind] == 0 {
				t.Errorf("at %v× nothing of kind %d is ever on its way", speed, kind)
			}
		}
	}
}

// What is smoothed while the world moves is, in a picture that stands, as the counts beside it are: the same as in one that
// has seen nothing before.
func TestAPictureThatStandsIsNotOnItsWay(t *testing.T) {
	for _, s := range []*scenario.Scenario{find(t, "recovery"), broken(t, "pastebin", "primary", "stall", 0), find(t, "hedging")} {
		for _, size := range sizes {
			r, err := run.New(*s)
			if err != nil {
				t.Fatal(err)
			}
			var snap model.Snapshot
			seen := NewScene(s)
			seen.Resize(size.w, size.h)
			const step = time.Second / 20
			for now := step; now < 7*time.Second; now += step {
				for !r.Advance(now, 1_000_000) {
				}
				r.Snapshot(&snap)
				seen.Update(&snap, Frame{Real: step, Speed: 1, Moving: true})
				if now%(700*time.Millisecond) != 0 {
					continue
				}
				snap.Trace = nil
				seen.Update(&snap, Frame{Speed: 1})
				fresh := NewScene(s)
				fresh.cast = seen.cast
				fresh.Resize(size.w, size.h)
				fresh.Update(&snap, Frame{Speed: 1})
				flying, waiting, followed := seen.flights.all, seen.waits, seen.follow
				seen.flights.all, seen.waits, seen.follow = nil, waits{}, follow{}
				got, want := seen.Marks(), fresh.Marks()
				if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, .01)); d != "" {
					t.Fatalf("%s, %v × %v: at %v it is drawn otherwise than by who has seen nothing before (-fresh +seen):\n%s", s.ID, size.w, size.h, snap.Now, d)
				}
				seen.flights.all, seen.waits, seen.follow = flying, waiting, followed
			}
		}
	}
}

// A thousand that are given up at one door are a mark that grows and fades now and then, and no blot; the reader's own is
// always seen.
func TestManyGivenUpAreNoBlot(t *testing.T) {
	s := find(t, "pastebin")
	scene := NewScene(s)
	scene.Resize(900, 460)
	snap := still(s)
	_, at := dependency(t, snap, "primary")
	for f := range 60 {
		snap.Now = time.Duration(f) * time.Second / 60
		snap.Trace = snap.Trace[:0]
		for i := range 20 {
			snap.Trace = append(snap.Trace, model.Event{At: snap.Now, Kind: model.TimedOut, Attempt: 1, Request: uint64(f*20 + i), Place: uint16(at), Holder: model.First})
		}
		scene.Update(snap, Frame{Speed: 1, Moving: true})
		doors := map[Point]int{}
		for _, m := range scene.Marks() {
			if m.Shape == frame.Ring {
				doors[Point{m.X, m.Y}]++
			}
		}
		if len(doors) == 0 {
			t.Fatal("nobody is seen to give up")
		}
		for door, n := range doors {
			if n > 3 {
				t.Fatalf("%d rings at %v", n, door)
			}
		}
	}
	snap.Trace = []model.Event{{At: snap.Now, Kind: model.TimedOut, Attempt: 1, Place: uint16(at), Holder: model.Yours}}
	scene.Update(snap, Frame{Speed: 1, Moving: true})
	if count(scene.Marks(), frame.Ring, frame.Yours) == 0 {
		t.Error("the reader's own is not seen to be given up")
	}
}

// A phone is turned, or something comes into the picture, while the world stands: what was on its way still is.
func TestWhatIsOnItsWayStaysWhenTheStageChanges(t *testing.T) {
	s := find(t, "pastebin")
	scene := NewScene(s)
	scene.Resize(900, 460)
	snap := still(s)
	_, cache := dependency(t, snap, "cache")
	primary, at := dependency(t, snap, "primary")
	cdn, _ := dependency(t, snap, "cdn")
	snap.Trace = []model.Event{
		{Kind: model.Arrived, Holder: model.First, Request: 1, Place: 2},
		{Kind: model.Sent, Holder: model.Retry, Attempt: 2, Request: 2, Place: uint16(at)},
		{Kind: model.Completed, Holder: model.Abandoned, Attempt: 1, Request: 3, Place: uint16(cache)},
		{Kind: model.TimedOut, Holder: model.First, Attempt: 1, Request: 4, Place: uint16(at)},
	}
	scene.Update(snap, Frame{Speed: 1, Moving: true})
	snap.Trace = nil
	snap.Now += flightTime / 3
	scene.Update(snap, Frame{Speed: 1, Moving: true})
	moving := func() [3]int {
		marks := scene.Marks()
		return [3]int{count(marks, frame.Disc, frame.First), count(marks, frame.Triangle, frame.Retry), count(marks, frame.Ring, frame.Abandoned)}
	}
	want := moving()
	if want != [3]int{1, 1, 2} {
		t.Fatalf("%v marks on their way, want one of each and two of what is abandoned", want)
	}
	for _, change := range []struct {
		name string
		to   func()
	}{
		{"a phone upright", func() { scene.Resize(328, 246) }},
		{"and on its side", func() { scene.Resize(700, 525) }},
		{"half of it", func() { scene.Resize(700, 262) }},
		{"one that is sick comes in", func() { cdn.Health.Down = true }},
		{"what flows", func() { primary.Queue = 0; scene.Last = new(Meter).Read(snap); scene.Last.Places[at].Retries = 26_000 }},
	} {
		change.to()
		scene.Update(snap, Frame{Speed: 1})
		if got := moving(); got != want {
			t.Errorf("%s: %v marks on their way, want %v", change.name, got, want)
		}
		for _, m := range scene.Marks() {
			if l := scene.Layout(); m.X < 0 || m.X > l.W || m.Y < 0 || m.Y > l.H {
				t.Errorf("%s: %+v is not on a stage of %v × %v", change.name, m, l.W, l.H)
			}
		}
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
		legs        int
		width       float32
		want        int
	}{
		{20, 1, 4, 800, 1}, {20, 100, 4, 800, 10}, {20, .1, 4, 800, 1}, {0, 1, 4, 800, 1}, {2000, 1, 4, 800, 10},
		{17_770, 1, 6, 800, 100}, {17_770, 1, 6, 328, 2000}, {17_770, 1, 6, 0, 2000}, {1_000_000, 10, 8, 800, 100_000},
	} {
		if got := SampleEvery(test.rate, test.speed, test.legs, test.width); got != test.want {
			t.Errorf("SampleEvery(%v, %v, %d, %v) = %d, want %d", test.rate, test.speed, test.legs, test.width, got, test.want)
		}
	}
}

// busyWorld is a pastebin in a storm: what a frame costs at its most.
func busyWorld(t testing.TB) (*Scene, *model.Snapshot) {
	s := find(t, "pastebin")
	scene := NewScene(s)
	scene.Resize(1100, 480)
	snap := still(s)
	scene.Last = new(Meter).Read(snap)
	for i := range snap.Dependencies {
		d := &snap.Dependencies[i]
		p := &scene.Last.Places[i]
		p.First, p.Retries, p.Done, p.ForNobody = 8000, 24_000, 15_000, 14_000
		for j := range d.Slots {
			d.Slots[j].Holder = model.Holder(j%3) + model.First
		}
		for range model.WaitingLimit {
			d.Waiting = append(d.Waiting, model.Retry)
		}
		d.Queue, d.Busy = 5000, len(d.Slots)
	}
	for i := range 40 {
		kind := model.Sent
		switch i % 8 {
		case 1:
			kind = model.BackingOff
		case 2:
			kind = model.Started
		case 3:
			kind = model.Arrived
		case 4:
			kind = model.TimedOut
		}
		snap.Trace = append(snap.Trace, model.Event{Kind: kind, Attempt: 1, Holder: model.First, Request: uint64(i), Place: uint16(i % 3)})
	}
	return scene, snap
}

func advance(scene *Scene, snap *model.Snapshot, n *int) int {
	*n++
	snap.Now += 8 * time.Millisecond
	for i := range snap.Trace {
		snap.Trace[i].At = snap.Now
		snap.Trace[i].Until = snap.Now + 400*time.Millisecond
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

// BenchmarkCrowd is a frame of the page with about 5,000 marks, as it is played: ten times the pastebin at a tenth of its pace.
func BenchmarkCrowd(b *testing.B) {
	s := find(b, "ten-times-retries")
	for path, value := range map[string]any{
		"dependencies.edge.hit_share": .01, "dependencies.edge.slots": 1000, "dependencies.cache.slots": 1000,
		"dependencies.primary.slots": 1000, "dependencies.primary.service.mean": "6.7ms",
	} {
		if err := scenario.Set(s, path, value); err != nil {
			b.Fatal(err)
		}
	}
	r, err := run.New(*s)
	if err != nil {
		b.Fatal(err)
	}
	const every, speed = time.Second / 60, .1
	var snap model.Snapshot
	var meter Meter
	var picture frame.Picture
	var sent []byte
	scene, slots := NewScene(s), NewOccupancy(s)
	scene.Resize(866, 460)
	slots.Resize(866, 460)
	r.SampleEvery(SampleEvery(178_000, speed, Legs(s), 866))
	next := func() {
		r.Advance(r.Now()+every/10, 1<<40)
		r.Snapshot(&snap)
		scene.Last = meter.Read(&snap)
		slots.Update(&snap, Frame{every, speed, true})
		scene.Update(&snap, Frame{every, speed, true})
		picture.Marks = scene.Marks()
		sent = frame.Append(sent[:0], &picture)
	}
	for r.Now() < 700*time.Millisecond {
		next()
	}
	b.ReportAllocs()
	for b.Loop() {
		next()
	}
	b.ReportMetric(float64(len(picture.Marks)), "marks")
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
