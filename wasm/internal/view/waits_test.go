package view

import (
	"testing"
	"time"

	"stormbin/engine/model"
	"stormbin/wasm/internal/frame"
)

// picked is the marks of that shape and colour.
func picked(marks []frame.Mark, shape frame.Shape, color frame.Color) (all []frame.Mark) {
	for _, m := range marks {
		if m.Shape == shape && m.Color == color {
			all = append(all, m)
		}
	}
	return all
}

// film is a scene of the two services and its snapshot, to which things happen.
type film struct {
	*Scene
	snap *model.Snapshot
}

func newFilm(t *testing.T, reduced bool) *film {
	s := find(t, "two-service")
	f := &film{NewScene(s), still(s)}
	f.Resize(900, 460)
	f.Still = reduced
	f.snap.Now = time.Second
	f.to(0)
	return f
}

// to lets so much time go by, in one frame, and has events happen at its end.
func (f *film) to(dt time.Duration, events ...model.Event) []frame.Mark {
	f.snap.Now += dt
	for i := range events {
		events[i].At = f.snap.Now
		if events[i].Holder == model.Nobody {
			events[i].Holder = model.First
		}
	}
	f.snap.Trace = events
	f.Update(f.snap, Frame{Real: max(dt, time.Second), Speed: 1, Moving: true})
	f.snap.Trace = nil
	return f.Marks()
}

func TestTheRingOfAWaitShrinksToItsTimeout(t *testing.T) {
	for _, still := range []bool{false, true} {
		f := newFilm(t, still)
		f.to(0, model.Event{Kind: model.Sent, Attempt: 1, Request: 7, Until: f.snap.Now + 2*time.Second})
		last := float32(1000)
		for range 3 {
			rings := picked(f.to(500*time.Millisecond), frame.Arc, frame.First)
			if len(rings) != 1 || rings[0].Part != 255 {
				t.Fatalf("still %t: it is %v, want one whole ring", still, rings)
			}
			if rings[0].W >= last {
				t.Errorf("still %t: after a while it is %v wide, was %v", still, rings[0].W, last)
			}
			last = rings[0].W
		}
		if rings := picked(f.to(500*time.Millisecond), frame.Arc, frame.First); len(rings) != 0 {
			t.Errorf("still %t: past the timeout there is %v", still, rings)
		}
	}
}

func TestARingIsAroundItsMarkInTheSlot(t *testing.T) {
	f := newFilm(t, false)
	d := &f.snap.Dependencies[0]
	f.to(0, model.Event{Kind: model.Sent, Attempt: 1, Request: 7, Until: f.snap.Now + 2*time.Second})
	d.Slots[5] = model.SlotNow{Holder: model.First, Since: f.snap.Now + 100*time.Millisecond}
	f.to(100*time.Millisecond, model.Event{Kind: model.Started, Attempt: 1, Request: 7})
	at := f.Layout().Places[0].Slots.At(5)
	rings := picked(f.to(100*time.Millisecond), frame.Arc, frame.First)
	if len(rings) != 1 || rings[0].X != at.X || rings[0].Y != at.Y {
		t.Fatalf("the rings are %v, want one at %v, where slot 5 is", rings, at)
	}
	if side := glyph(f.Layout().Places[0].Slots.Cell); rings[0].W <= side {
		t.Errorf("it is %v wide, and the mark in it %v", rings[0].W, side)
	}
	// The caller leaves. The ring snaps there, and the slot is still held.
	d.Slots[5].Holder = model.Abandoned
	marks := f.to(1800*time.Millisecond, model.Event{Kind: model.TimedOut, Attempt: 1, Request: 7})
	if rings := picked(marks, frame.Arc, frame.Surface); len(rings) > 0 || len(picked(marks, frame.Arc, frame.First)) > 0 {
		t.Error("nobody waits, and there is a ring")
	}
	here := 0
	for _, m := range picked(marks, frame.Ring, frame.Abandoned) {
		if m.X == at.X && m.Y == at.Y {
			here++
		}
	}
	if here == 0 {
		t.Error("nothing is seen to snap where it is served")
	}
}

func TestWaitsThatEndHaveNoRing(t *testing.T) {
	for kind, name := range map[model.EventKind]string{
		model.Completed: "an answer", model.Refusal: "a refusal", model.TimedOut: "a timeout", model.Beaten: "a twin's answer", model.Killed: "a statement timeout",
	} {
		f := newFilm(t, true)
		f.to(0, model.Event{Kind: model.Sent, Attempt: 1, Request: 7, Until: f.snap.Now + 2*time.Second})
		if n := count(f.to(100*time.Millisecond), frame.Arc, frame.First); n != 1 {
			t.Fatalf("%d rings before %s", n, name)
		}
		if n := count(f.to(100*time.Millisecond, model.Event{Kind: kind, Attempt: 1, Request: 7}), frame.Arc, frame.First); n != 0 {
			t.Errorf("%d rings after %s", n, name)
		}
	}
}

// What is over in a blink of the reader's is not drawn.
func TestWaitsTooShortToBeSeenHaveNoRing(t *testing.T) {
	f := newFilm(t, true)
	f.to(0, model.Event{Kind: model.Sent, Attempt: 1, Request: 7, Until: f.snap.Now + 20*time.Millisecond},
		model.Event{Kind: model.BackingOff, Attempt: 2, Request: 8, Until: f.snap.Now + 20*time.Millisecond})
	if marks := f.to(time.Millisecond); count(marks, frame.Arc, frame.First)+count(marks, frame.Arc, frame.Retry) > 0 {
		t.Error("20 ms at full speed are drawn")
	}
	f.snap.Trace = []model.Event{{At: f.snap.Now, Kind: model.Sent, Attempt: 1, Holder: model.First, Request: 9, Until: f.snap.Now + 20*time.Millisecond}}
	f.Update(f.snap, Frame{Real: time.Second / 60, Speed: .01, Moving: true})
	if count(f.Marks(), frame.Arc, frame.First) != 1 {
		t.Error("20 ms at a hundredth of the speed, two seconds, are not drawn")
	}
}

func TestBackoffIsAnArcThatFillsAtItsProcess(t *testing.T) {
	for _, still := range []bool{false, true} {
		f := newFilm(t, still)
		b := f.Layout().Fleet
		f.to(0, model.Event{Kind: model.BackingOff, Holder: model.Retry, Attempt: 2, Request: 7, Until: f.snap.Now + time.Second})
		last := uint8(0)
		for range 3 {
			arcs := picked(f.to(300*time.Millisecond), frame.Arc, frame.Retry)
			if len(arcs) != 1 || arcs[0].Part <= last {
				t.Fatalf("still %t: %v, want one arc that has more than %d of 255", still, arcs, last)
			}
			if m := arcs[0]; m.X < b.X || m.X > b.X+b.W || m.Y < b.Y || m.Y > b.Y+b.H {
				t.Errorf("%v is not in the process, %v", m, b)
			}
			last = arcs[0].Part
		}
		if arcs := picked(f.to(300*time.Millisecond), frame.Arc, frame.Retry); len(arcs) != 0 {
			t.Errorf("still %t: the retry has gone, and there is %v", still, arcs)
		}
	}
}

// A cache's hit turns back there. What goes on has no tick.
func TestHitsTurnBackAtTheCache(t *testing.T) {
	s := find(t, "pastebin")
	snap := still(s)
	_, cache := dependency(t, snap, "cache")
	_, primary := dependency(t, snap, "primary")
	read := 2 // create, delete, read
	for _, test := range []struct {
		name  string
		trace []model.Event
		want  int // ticks at the place's door
	}{
		{"a hit", []model.Event{{Kind: model.Completed, Place: uint16(cache)}, {Kind: model.Answered, Place: uint16(read)}}, 1},
		{"a miss", []model.Event{{Kind: model.Completed, Place: uint16(cache)}, {Kind: model.Sent, Attempt: 1, Place: uint16(primary)}}, 0},
		{"the last call", []model.Event{{Kind: model.Completed, Place: uint16(primary)}, {Kind: model.Answered, Place: uint16(read)}}, 0},
	} {
		scene := NewScene(s)
		scene.Resize(900, 460)
		snap := still(s)
		scene.Update(snap, Frame{Speed: 1, Moving: true})
		snap.Now = time.Second
		for i := range test.trace {
			e := &test.trace[i]
			e.At, e.Holder, e.Request = snap.Now, model.First, 7
		}
		snap.Trace = test.trace
		scene.Update(snap, Frame{Speed: 1, Moving: true})
		door := scene.Layout().Places[test.trace[0].Place].door(7)
		got := 0
		for _, m := range picked(scene.Marks(), frame.Tick, frame.OK) {
			if m.X > door.X-20 && m.Y > door.Y-10 && m.Y < door.Y+10 {
				got++
			}
		}
		if got != test.want {
			t.Errorf("%s: %d ticks at its door, want %d", test.name, got, test.want)
		}
	}
}

func TestRequestsSideBySideDoNotHideEachOther(t *testing.T) {
	f := newFilm(t, false)
	var events []model.Event
	for i := range uint64(8) {
		events = append(events, model.Event{Kind: model.Sent, Attempt: 1, Request: i * 50})
	}
	f.to(0, events...)
	marks := picked(f.to(flightTime*3/4), frame.Disc, frame.First)
	if len(marks) != 8 {
		t.Fatalf("%d on their way, want 8", len(marks))
	}
	apart := map[float32]bool{}
	for _, m := range marks {
		apart[m.Y] = true
	}
	if len(apart) < 5 {
		t.Errorf("8 that were sent at once are in %d places", len(apart))
	}
}

func TestWorkersSendFromTheirLane(t *testing.T) {
	s := find(t, "pastebin")
	scene := NewScene(s)
	scene.Resize(900, 460)
	snap := still(s)
	snap.Workers = model.WorkersNow{Count: 8, Busy: 3, Waiting: 12}
	scene.Update(snap, Frame{Speed: 1, Moving: true})
	lane := scene.Layout().Workers
	filled := 0
	for _, m := range picked(scene.Marks(), frame.Rect, frame.Queue) {
		if m.Y > lane.Y && m.Y < lane.Y+lane.H {
			filled++
		}
	}
	if filled != 3 || !hasLabel(scene.Labels(), "3 of 8 workers busy, 12 jobs left") {
		t.Errorf("%d of the workers are filled, want 3; the words are %v", filled, scene.Labels())
	}
	_, bucket := dependency(t, snap, "bucket")
	before := count(scene.Marks(), frame.Disc, frame.First)
	snap.Trace = []model.Event{{Kind: model.Sent, Attempt: 1, Holder: model.First, Process: 23, Place: uint16(bucket)}}
	scene.Update(snap, Frame{Speed: 1, Moving: true})
	all := picked(scene.Marks(), frame.Disc, frame.First)
	if len(all) != before+1 {
		t.Fatalf("%d marks on their way, want 1", len(all)-before)
	}
	if m := all[len(all)-1]; m.X < lane.X || m.X > lane.X+lane.W || m.Y < lane.Y-lane.H || m.Y > lane.Y+2*lane.H {
		t.Errorf("it begins at %v, %v, not among the workers, %v", m.X, m.Y, lane.Box)
	}
}

// Who goes back in time sees nothing of what has not happened yet.
func TestGoingBackForgetsWhatWasUnderWay(t *testing.T) {
	f := newFilm(t, false)
	empty := len(f.Marks())
	f.to(time.Second,
		model.Event{Kind: model.Arrived, Request: 7},
		model.Event{Kind: model.Sent, Attempt: 1, Request: 7, Until: f.snap.Now + 9*time.Second},
		model.Event{Kind: model.BackingOff, Attempt: 2, Request: 8, Until: f.snap.Now + 9*time.Second})
	if n := len(f.to(300 * time.Millisecond)); n <= empty {
		t.Fatalf("%d marks with much under way, %d with nothing", n, empty)
	}
	if n := len(f.to(-time.Second)); n != empty {
		t.Errorf("a second earlier there are %d marks, want the %d of nothing", n, empty)
	}
}

func TestHedgesAreDiamonds(t *testing.T) {
	f := newFilm(t, false)
	d := &f.snap.Dependencies[0]
	d.Slots[0] = model.SlotNow{Holder: model.Hedge, Since: f.snap.Now}
	d.Waiting, d.Queue = []model.Holder{model.Hedge}, 1
	f.to(0)
	f.snap.Trace = []model.Event{{At: f.snap.Now, Kind: model.Sent, Attempt: 2, Holder: model.Hedge, Request: 7}}
	f.Update(f.snap, Frame{Real: time.Second / 60, Speed: 1})
	if n := count(f.Marks(), frame.Diamond, frame.Hedge); n != 3 {
		t.Errorf("%d diamonds, want 3: in a slot, in the queue and on its way", n)
	}
}
