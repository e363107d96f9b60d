package view

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/frame"
)

// dejaVu is how wide the letters of DejaVu Sans and of its bold are, which is the widest of what systems have for a
// sans-serif, in thousandths of their size.
var dejaVu = func() [2]map[rune]float32 {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789ABCDIOQRY ,.:;/+×()-%"
	widths := [2][]float32{
		{613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525,
			636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 684, 686, 698, 770, 295, 787, 787, 695, 611, 318, 318, 318, 337, 337, 337, 838, 838, 390, 390, 361, 950},
		{675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582,
			696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 774, 762, 734, 830, 372, 850, 850, 770, 724, 348, 380, 380, 400, 400, 365, 838, 838, 457, 457, 415, 1002},
	}
	var m [2]map[rune]float32
	for bold := range m {
		m[bold] = map[rune]float32{}
		for i, r := range []rune(letters) {
			m[bold][r] = widths[bold][i]
		}
	}
	return m
}()

// measured is the box that a label's letters fill.
func measured(t *testing.T, l *Label, narrow bool) Box {
	bold := 1
	if l.Kind == Note {
		bold = 0
	}
	w := float32(0)
	for _, r := range l.Text {
		em, ok := dejaVu[bold][r]
		if !ok {
			t.Fatalf("no width is known of %q in %q", r, l.Text)
		}
		w += em / 1000
	}
	size := float32(13) // as page.css has it
	if l.Kind == Name {
		size = 14
	}
	if narrow {
		size--
	}
	w *= size
	return Box{l.At.X - w*float32(l.Anchor)/2, l.At.Y - size/2, w, size}
}

// played is what a run looks like at a moment, and what of it was traced until then.
func played(t *testing.T, s *scenario.Scenario, at time.Duration) *model.Snapshot {
	r, err := run.New(*s)
	if err != nil {
		t.Fatal(err)
	}
	r.SampleEvery(50)
	var snap model.Snapshot
	if at > 100*time.Millisecond {
		r.Advance(at-100*time.Millisecond, 1<<30)
		r.Snapshot(&snap)
	}
	r.Advance(at, 1<<30)
	r.Snapshot(&snap)
	return &snap
}

// broken is a built-in with a fault from its third second to its fifth.
func broken(t *testing.T, id, target, kind string, factor float64) *scenario.Scenario {
	s := find(t, id)
	s.Faults = []scenario.Fault{{
		At: scenario.Duration(3 * time.Second), For: scenario.Duration(2 * time.Second), Target: target, Kind: kind, Factor: factor,
	}}
	s.Policy.Breaker.Enabled = kind == "down"
	return s
}

func TestWordsNeverOverlap(t *testing.T) {
	type moment struct {
		name string
		s    *scenario.Scenario
		snap *model.Snapshot
	}
	var moments []moment
	for _, of := range []struct {
		name string
		s    *scenario.Scenario
	}{
		{"two services", broken(t, "two-service", "b", "slow", 8)},
		{"two services, down", broken(t, "two-service", "b", "down", 0)},
		{"pastebin", broken(t, "pastebin", "primary", "slow", 10)},
		{"pastebin, down", broken(t, "pastebin", "primary", "down", 0)},
		{"pastebin, its cdn too", broken(t, "pastebin", "cdn", "down", 0)},
	} {
		for _, at := range []time.Duration{0, 2500 * time.Millisecond, 4900 * time.Millisecond, 6 * time.Second} {
			moments = append(moments, moment{fmt.Sprint(of.name, " at ", at), of.s, played(t, of.s, at)})
		}
	}
	said := map[Kind]int{}
	for _, m := range moments {
		for _, h := range []float32{107, 123, 160, 230, 246, 345, 460} {
			for w := float32(286); w <= 1200; w += 37 {
				for _, tag := range []string{"", "Run A"} {
					for _, still := range []bool{false, true} {
						scene := NewScene(m.s)
						scene.Tag, scene.Still = tag, still
						scene.Resize(w, h)
						yours := *m.snap
						yours.Dependencies = append([]model.DependencyNow(nil), m.snap.Dependencies...)
						d := &yours.Dependencies[len(yours.Dependencies)/2]
						d.Slots = append([]model.SlotNow(nil), d.Slots...)
						d.Slots[len(d.Slots)/3].Holder = model.Yours
						scene.Update(&yours, Frame{Real: time.Second, Speed: 1})
						scene.Marks()
						l := scene.Layout()
						all := scene.Labels()
						where := fmt.Sprintf("%s, %v × %v, tag %q, still %t", m.name, w, h, tag, still)
						walls := scene.outlines()
						for i := range all {
							said[all[i].Kind]++
							a := measured(t, &all[i], l.Narrow())
							if a.X < 0 || a.Y < 0 || a.X+a.W > w || a.Y+a.H > h {
								t.Fatalf("%s: %q leaves the stage: %v", where, all[i].Text, a)
							}
							for k := range all[:i] {
								if b := measured(t, &all[k], l.Narrow()); a.overlaps(&b) {
									t.Fatalf("%s: %q and %q overlap: %v %v", where, all[i].Text, all[k].Text, a, b)
								}
							}
							for _, b := range walls {
								if a.overlaps(&b) && !b.contains(&a) {
									t.Fatalf("%s: %q lies across the border of a box: %v %v", where, all[i].Text, a, b)
								}
							}
						}
						for _, i := range scene.rows.dependencies {
							if name := Title(yours.Dependencies[i].Name); !hasLabel(all, name) {
								t.Fatalf("%s: %s has no name", where, name)
							}
						}
						for _, i := range scene.rows.dependencies {
							d := &yours.Dependencies[i]
							if d.Queue > 0 && !hasLabelWith(all, Count(int64(d.Queue))+" wait") {
								t.Fatalf("%s: nothing says that %d wait for %s: %v", where, d.Queue, d.Name, all)
							}
							if !d.Health.Well() && !hasLabelWith(all, Sickness(d.Health)) && !hasLabelWith(all, ailment(d.Health)) {
								t.Fatalf("%s: nothing says what is wrong with %s: %v", where, d.Name, all)
							}
						}
						if tag != "" && !hasLabel(all, tag) {
							t.Fatalf("%s: nothing says which picture this is", where)
						}
					}
				}
			}
		}
	}
	for kind := range Run + 1 {
		if said[kind] == 0 {
			t.Errorf("no label of kind %d was ever seen", kind)
		}
	}
}

// On a phone the ways are so short that what goes along them would lie over the words beside them. One that passes now and
// then may; a stream may not. What is wrong is said before all else, and has a ground of its own.
func TestMarksDoNotLieOverWords(t *testing.T) {
	for _, s := range []*scenario.Scenario{find(t, "two-service"), broken(t, "pastebin", "primary", "stall", 0)} {
		for _, size := range []struct{ w, h float32 }{{288, 216}, {328, 246}, {368, 276}, {288, 192}, {313, 208}, {328, 218}} {
			r, err := run.New(*s)
			if err != nil {
				t.Fatal(err)
			}
			scene := NewScene(s)
			scene.Resize(size.w, size.h)
			if size.h < .7*size.w {
				scene.Tag = "Run A"
			}
			rate := 0.
			for _, o := range s.Operations {
				rate += o.Rate
			}
			r.SampleEvery(SampleEvery(rate, 1, 6, size.w))
			var snap model.Snapshot
			var meter Meter
			looks, over := map[Point]int{}, map[Point]int{}
			for at := time.Duration(0); at < 6*time.Second; at += 20 * time.Millisecond {
				r.Advance(at, 1<<30)
				r.Snapshot(&snap)
				scene.Last = meter.Read(&snap)
				scene.Update(&snap, Frame{Real: 20 * time.Millisecond, Speed: 1, Moving: true})
				if at%(100*time.Millisecond) != 0 {
					continue
				}
				marks := scene.Marks()
				labels := scene.Labels()
				for _, o := range snap.Operations {
					if !hasLabel(labels, o.Name) || !hasLabelWith(labels, Quantity(o.Rate)) {
						t.Fatalf("%s, %v × %v: at %v it is not said how many come to %s: %v", s.ID, size.w, size.h, at, o.Name, labels)
					}
				}
				if n := len(snap.Processes); n > 1 && !hasLabelWith(labels, strconv.Itoa(n)+" apps") && !hasLabelWith(labels, strconv.Itoa(n)+" processes") {
					t.Fatalf("%s, %v × %v: at %v it is not said what the %d are: %v", s.ID, size.w, size.h, at, n, labels)
				}
				if scene.follow.going && scene.layout.Bar.W > 0 && !(hasLabelWith(labels, "One ") && hasLabel(labels, "0")) {
					t.Fatalf("%s, %v × %v: at %v the bar does not say whose time it is, and from where on: %v", s.ID, size.w, size.h, at, labels)
				}
				for _, l := range labels {
					if l.Kind == You || l.Kind == Sick {
						continue
					}
					b := measured(t, &l, true)
					b.Y, b.H = b.Y+2, b.H-4 // its letters, and not what is between lines
					looks[l.At]++
					for _, m := range marks {
						still := m.Shape == frame.Rect || m.Shape == frame.Frame || m.Shape == frame.Line || m.Shape == frame.Band
						if !still && b.overlaps(&Box{m.X - m.W/2, m.Y - m.H/2, m.W, m.H}) {
							if over[l.At]++; over[l.At] > 5 && 10*over[l.At] > looks[l.At] {
								t.Errorf("%s, %v × %v: at %v a mark lies over %q, as it did in %d of %d looks", s.ID, size.w, size.h, at, l.Text, over[l.At], looks[l.At])
							}
							break
						}
					}
				}
			}
		}
	}
}

// Nor do the ways, however much flows, and the lines between the boxes.
func TestWaysDoNotLieOverWords(t *testing.T) {
	for _, s := range []*scenario.Scenario{
		find(t, "recovery"), find(t, "layers"), find(t, "hedging"), find(t, "blip-retries"), find(t, "sinkhole"), find(t, "queue"),
		broken(t, "pastebin", "primary", "stall", 0), broken(t, "pastebin", "bucket", "slow", 10),
	} {
		r, err := run.New(*s)
		if err != nil {
			t.Fatal(err)
		}
		var scenes []*Scene
		for _, size := range []struct{ w, h float32 }{{1100, 480}, {815, 388}, {600, 400}, {815, 209}, {368, 276}, {328, 246}, {288, 216}, {328, 200}} {
			scene := NewScene(s)
			scene.Resize(size.w, size.h)
			if size.h < 215 {
				scene.Tag = "Run A"
			}
			scenes = append(scenes, scene)
		}
		var snap model.Snapshot
		var meter Meter
		said := map[string]bool{}
		for at := time.Duration(0); at < 7*time.Second; at += 250 * time.Millisecond {
			for !r.Advance(at, 1_000_000) {
			}
			r.Snapshot(&snap)
			last := meter.Read(&snap)
			for _, scene := range scenes {
				scene.Last = last
				scene.Update(&snap, Frame{Speed: 1})
				marks := scene.Marks()
				for _, l := range scene.Labels() {
					b := measured(t, &l, scene.layout.Narrow())
					b.Y, b.H = b.Y+3, b.H-6 // its letters, and not what is between lines
					for _, m := range marks {
						thick := float32(m.Part) / 4
						switch {
						case m.Shape != frame.Line && m.Shape != frame.Band || m.W == 0:
							continue
						case m.Shape == frame.Line:
							thick = 1
						}
						over := float32(0) // how far it goes through the words
						for x := max(b.X, m.X-abs(m.W)/2); x < min(b.X+b.W, m.X+abs(m.W)/2); x++ {
							if y := m.Y + (x-m.X)*m.H/m.W; y+thick/2 > b.Y && y-thick/2 < b.Y+b.H {
								over++
							}
						}
						what := fmt.Sprintf("%s, %v × %v: %q", s.ID, scene.w, scene.h, l.Text)
						if over > 2 && l.Kind != Sick && !said[what] {
							said[what] = true
							t.Errorf("%s at %v: a way lies over %v pixels of it", what, at, over)
						}
					}
				}
			}
		}
	}
}

func abs(x float32) float32 { return max(x, -x) }

func hasLabelWith(labels []Label, part string) bool {
	for _, l := range labels {
		if strings.Contains(l.Text, part) {
			return true
		}
	}
	return false
}

// outlines are the boxes whose borders are drawn.
func (s *Scene) outlines() (boxes []Box) {
	for _, m := range s.Marks() {
		if m.Shape == frame.Frame && (m.Color == frame.Border || m.Color == frame.Failed) { // slots have others
			boxes = append(boxes, Box{m.X - m.W/2, m.Y - m.H/2, m.W, m.H})
		}
	}
	return boxes
}

func TestABreakerThatIsOpenIsAGap(t *testing.T) {
	s := find(t, "pastebin")
	scene := NewScene(s)
	scene.Resize(900, 460)
	snap := still(s)
	scene.Update(snap, Frame{})
	if n := count(scene.Marks(), frame.Line, frame.Failed); n != 0 {
		t.Fatalf("%d red lines while all is well", n)
	}
	lines := count(scene.Marks(), frame.Line, frame.Border)
	primary, _ := dependency(t, snap, "primary")
	primary.Open = 3
	scene.Update(snap, Frame{})
	if got := count(scene.Marks(), frame.Line, frame.Border); got != lines+1 {
		t.Errorf("%d lines, want one more than %d: the one to the primary is in two", got, lines)
	}
	if count(scene.Marks(), frame.Line, frame.Failed) == 0 {
		t.Error("no end of it is marked")
	}
	if !hasLabel(scene.Labels(), "open 3 of 23") {
		t.Error("it does not say of how many processes")
	}
}

// Every slot that is held is dark by how much of its call's timeout has gone, whatever else is called.
func TestHeldForLongIsByTheCallsTimeout(t *testing.T) {
	s := find(t, "pastebin")
	terms := newTerms(s)
	for i, want := range map[string]time.Duration{"cache": 5 * time.Millisecond, "primary": 20 * time.Millisecond, "bucket": 200 * time.Millisecond} {
		_, at := dependency(t, still(s), i)
		if got := terms.places[at].patience; got != want {
			t.Errorf("%s: a slot is held for long after %v, want the %v after which a read gives up", i, got, want)
		}
	}
	b := find(t, "two-service")
	scene := NewScene(b)
	scene.Resize(900, 460)
	snap := still(b)
	snap.Now = time.Second
	snap.Dependencies[0].Slots[0] = model.SlotNow{Holder: model.First, Since: 900 * time.Millisecond}
	fill := func() uint8 {
		scene.Update(snap, Frame{})
		for _, m := range scene.Marks() {
			if m.Shape == frame.Rect && m.Color == frame.First {
				return m.Alpha
			}
		}
		return 0
	}
	before := fill()
	c := b.Policy.Calls["b"]
	c.Timeout = scenario.Duration(100 * time.Millisecond)
	b.Policy.Calls["b"] = c
	scene.Set(b)
	if after := fill(); after <= before {
		t.Errorf("held for 100 ms its fill is %d, with a timeout of 100 ms in place of 1 s; it was %d", after, before)
	}
}

func TestAPictureBesideAnotherSaysWhichItIs(t *testing.T) {
	s := find(t, "two-service")
	scene := NewScene(s)
	scene.Resize(900, 230)
	scene.Update(still(s), Frame{})
	before := count(scene.Marks(), frame.Line, frame.Border)
	scene.Tag = "Run B"
	scene.Update(still(s), Frame{})
	if got := count(scene.Marks(), frame.Line, frame.Border); got != before+1 {
		t.Error("no line parts it from the one above")
	}
	if !hasLabel(scene.Labels(), "Run B") {
		t.Error("it has no tag")
	}
}

// On its way the reader's own says so, for most of it even on a phone, where names leave little room; and none gives way.
func TestYouIsSaidOnItsWay(t *testing.T) {
	s := find(t, "pastebin")
	for _, size := range []struct {
		w, h  float32
		least int // of ten moments
	}{{832, 460, 10}, {832, 230, 10}, {328, 246, 6}} {
		for place := range 5 {
			scene := NewScene(s)
			scene.Resize(size.w, size.h)
			snap := still(s)
			scene.Update(snap, Frame{Speed: 1, Moving: true})
			if !scene.cast.in[place] {
				continue
			}
			snap.Trace = []model.Event{{Kind: model.Sent, Attempt: 1, Holder: model.Yours, Place: uint16(place), Process: 5}}
			said := 0
			for range 10 {
				scene.Update(snap, Frame{Real: time.Second / 60, Speed: 1, Moving: true})
				snap.Trace = nil
				scene.Marks()
				labels := scene.Labels()
				if hasLabel(labels, "you") {
					said++
				}
				for _, name := range []string{"cache", "primary", "bucket"} {
					if !hasLabel(labels, name) {
						t.Fatalf("%v, on its way to place %d: %s has no name", size, place, name)
					}
				}
				snap.Now += flightTime / 10
			}
			if said < size.least {
				t.Errorf("%v, on its way to place %d: it is said %d times of 10, want %d or more", size, place, said, size.least)
			}
		}
	}
}

// However many wait, on however small a phone, a word says what is wrong.
func TestWhatIsWrongIsSaidHoweverManyWait(t *testing.T) {
	s := broken(t, "pastebin", "primary", "slow", 10)
	snap := played(t, s, 4900*time.Millisecond)
	for _, size := range []struct{ w, h float32 }{{271, 203}, {286, 214}, {328, 246}, {328, 123}, {816, 442}} {
		for _, queue := range []int{0, 7, 45, 197, 1234, 23456} {
			scene := NewScene(s)
			scene.Resize(size.w, size.h)
			ill := *snap
			ill.Dependencies = append([]model.DependencyNow(nil), snap.Dependencies...)
			for i := range ill.Dependencies {
				if d := &ill.Dependencies[i]; d.Name == "primary" {
					d.Queue, d.Waiting = queue, d.Waiting[:min(queue, len(d.Waiting))]
				}
			}
			scene.Update(&ill, Frame{Real: time.Second, Speed: 1})
			scene.Marks()
			if all := scene.Labels(); !hasLabelWith(all, "slow") {
				t.Errorf("on %v, with %d waiting, nothing says that the primary is slow: %v", size, queue, all)
			}
		}
	}
}

// Slots that are free while somebody waits are a riddle: where it is stalled the box says that it serves nobody, and how many
// attempts come to it is said as of any other.
func TestWhyTheSlotsOfWhatIsStalledAreFree(t *testing.T) {
	s := broken(t, "pastebin", "primary", "stall", 0)
	r, err := run.New(*s)
	if err != nil {
		t.Fatal(err)
	}
	var snap model.Snapshot
	var meter Meter
	for at := time.Duration(0); at <= 4500*time.Millisecond; at += 100 * time.Millisecond {
		for !r.Advance(at, 1_000_000) {
		}
		r.Snapshot(&snap)
		meter.Read(&snap)
	}
	for _, size := range []struct {
		w, h float32
		room bool // for all of it
	}{{1100, 480, true}, {815, 388, true}, {328, 246, false}} {
		scene := NewScene(s)
		scene.Last = meter.Read(&snap)
		scene.Resize(size.w, size.h)
		scene.Update(&snap, Frame{Speed: 1})
		scene.Marks()
		labels := scene.Labels()
		_, i := dependency(t, &snap, "primary")
		p := scene.layout.Places[i]
		why, rate := false, false
		for _, l := range labels {
			why = why || l.Kind == Sick && p.contains(&Box{l.At.X, l.At.Y, 0, 0}) && strings.HasSuffix(l.Text, "serves nobody")
			rate = rate || l.At.Y == p.Y-scene.layout.line()/2 && strings.HasPrefix(l.Text, PerSecond(scene.Last.Places[i].Attempts()))
		}
		if !hasLabel(labels, "stalled") || size.room && !why {
			t.Errorf("%v × %v: it is not said that it is stalled, and in its box that it serves nobody: %v", size.w, size.h, labels)
		}
		if size.room && !rate {
			t.Errorf("%v × %v: how many attempts come to it is not said: %v", size.w, size.h, labels)
		}
		slots := NewOccupancy(s)
		slots.Resize(size.w, size.h)
		slots.Update(&snap, Frame{Speed: 1})
		slots.Marks()
		if all := slots.Labels(); !hasLabel(all, "stalled") || size.room && !hasLabelWith(all, ", serves nobody") {
			t.Errorf("%v × %v: the slots do not say so: %v", size.w, size.h, all)
		}
	}
}
