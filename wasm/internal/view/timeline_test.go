package view

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"stormbin/engine/scenario"
)

func TestTimelineOfAStorm(t *testing.T) {
	const width, span = 816, 60 * time.Second
	s := sampleOf(lived(t, "two-service", 20*time.Second, slowAt3s), 0)
	planned := scenario.Fault{At: scenario.Duration(30 * time.Second), Target: "b", Kind: "down"}
	var l Timeline
	l.Update(s.B, 0, append(s.Faults, planned), []time.Duration{3 * time.Second, 3010 * time.Millisecond, 6 * time.Second}, span, width)
	if len(l.Load) == 0 || len(l.Failed) == 0 || len(l.Queue) == 0 {
		t.Error("something is not drawn")
	}
	if n := bytes.Count(l.Marks, []byte("M")); n != 2 {
		t.Errorf("%d marks, want 2: two of them are at one place", n)
	}
	if from, to := l.X(0), l.X(span); from != TimelineEdge || to != width-TimelineEdge {
		t.Errorf("from %v to %v, want %v to %v", from, to, TimelineEdge, width-TimelineEdge)
	}
	if got, want := l.Seen(s.B), l.X(20*time.Second); got != want {
		t.Errorf("what was seen ends at %v, want %v", got, want)
	}
	if len(l.Faults) != 2 {
		t.Fatalf("%d faults, want 2", len(l.Faults))
	}
	slow, down := l.Faults[0], l.Faults[1]
	if slow.Text != "B 8× slower" || slow.X != l.X(3*time.Second) || !close(slow.X+slow.Width, l.X(6*time.Second)) {
		t.Errorf("%+v, want it from %v to %v", slow, l.X(3*time.Second), l.X(6*time.Second))
	}
	// Without an end it lasts to the end.
	if down.Text != "B down" || down.X != l.X(30*time.Second) || !close(down.X+down.Width, l.X(span)) {
		t.Errorf("%+v, want it from %v to %v", down, l.X(30*time.Second), l.X(span))
	}
	if !slow.Named || !down.Named {
		t.Error("a name is missing, though there is room")
	}
}

func TestNamesOnTheTimelineHaveRoom(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		width, span := float32(300+r.IntN(600)), time.Duration(10+r.IntN(14_400))*time.Second
		var faults []scenario.Fault
		for range 1 + r.IntN(8) {
			faults = append(faults, scenario.Fault{At: scenario.Duration(r.Int64N(int64(span))), For: scenario.Duration(r.Int64N(int64(span / 4))),
				Target: "primary", Kind: []string{"down", "stall", "blackhole"}[r.IntN(3)]})
		}
		var l Timeline
		l.Update(&History{}, 0, faults, nil, span, width)
		if len(l.Faults) != len(faults) || !l.Faults[0].Named {
			t.Fatalf("%d faults, want %d, the first with its name", len(l.Faults), len(faults))
		}
		for i, a := range l.Faults {
			if a.X < TimelineEdge || a.Width < 1 || a.X+a.Width > width-TimelineEdge+1 {
				t.Fatalf("a fault from %v, %v wide, on %v", a.X, a.Width, width)
			}
			if !a.Named {
				continue
			}
			if a.TextX < 0 || a.TextX+roomFor(a.Text) > width {
				t.Fatalf("%q at %v is not on %v", a.Text, a.TextX, width)
			}
			for _, b := range l.Faults[i+1:] {
				if b.Named && a.TextX < b.TextX+roomFor(b.Text) && b.TextX < a.TextX+roomFor(a.Text) {
					t.Fatalf("%q at %v and %q at %v", a.Text, a.TextX, b.Text, b.TextX)
				}
			}
		}
		end := float32(0)
		for _, tick := range l.Ticks {
			size := roomFor(tick.Text)
			from := tick.At.X - map[Anchor]float32{Left: 0, Middle: size / 2, Right: size}[tick.Anchor]
			if from < end || from+size > width {
				t.Fatalf("%q from %v on, of %v, the one before ends at %v", tick.Text, from, width, end)
			}
			end = from + size
		}
	}
}

// The second that is not over is drawn from its beginning to now, and to the same scales; what was seen beyond now is drawn
// already.
func TestTheSecondThatIsNotOver(t *testing.T) {
	h := &History{Offered: []float32{20, 40, 20}, Failed: []float32{0, 10, 20}, Places: []PlaceHistory{{Queue: []float32{0, 50, 25}}}}
	var l Timeline
	l.Update(h, 0, nil, nil, 10*time.Second, 1016) // a second is 100 pixels
	if got := l.QueueScale(); got != ", 50 at most at a second’s end" {
		t.Errorf("the scale of who waits is said as %q", got)
	}
	half := float32(TimelineTop+TimelineBottom) / 2
	path := func(x, y, w float32) string { return string(box(nil, x, y, w, TimelineBottom-y)) }
	for _, test := range []struct {
		at                  time.Duration
		load, failed, queue string
	}{
		{3500 * time.Millisecond, path(308, half, 50), path(308, TimelineTop, 50), string(tenth(append(point(nil, 'M', 308, half), 'h'), 50))},
		{3 * time.Second, "", "", ""},         // just over
		{1500 * time.Millisecond, "", "", ""}, // gone back
		{5 * time.Second, "", "", ""},         // further than was seen
	} {
		l.Rest(h, 0, &Numbers{Now: test.at, Offered: 20, Failed: 40, Places: []PlaceNumbers{{Queue: 25}}})
		if string(l.PartLoad) != test.load || string(l.PartFailed) != test.failed || string(l.PartQueue) != test.queue {
			t.Errorf("at %v: %s, %s and %s, want %s, %s and %s", test.at, l.PartLoad, l.PartFailed, l.PartQueue, test.load, test.failed, test.queue)
		}
	}
	if l.Update(&History{Places: []PlaceHistory{{}}}, 0, nil, nil, 10*time.Second, 1016); l.QueueScale() != "" {
		t.Errorf("the scale of nothing is said as %q", l.QueueScale())
	}
}

func TestTimelineSpan(t *testing.T) {
	s := time.Second
	for _, test := range []struct{ duration, furthest, want time.Duration }{
		{60 * s, 0, 60 * s}, {60 * s, 61 * s, 61 * s}, {0, 0, s},
	} {
		if got := TimelineSpan(test.duration, test.furthest); got != test.want {
			t.Errorf("%v, seen %v: %v, want %v", test.duration, test.furthest, got, test.want)
		}
	}
}

func TestTimelineOfLittle(t *testing.T) {
	var l Timeline
	l.Update(&History{}, -1, nil, nil, time.Second, 0)
	if len(l.Load)+len(l.Queue)+len(l.Marks) != 0 {
		t.Errorf("something is drawn of nothing: %+v", l)
	}
	one := &History{Offered: []float32{0}, Failed: []float32{0}, Places: []PlaceHistory{{Queue: []float32{0}}}}
	l.Update(one, 0, nil, nil, 10*time.Second, 300)
	for _, path := range [][]byte{l.Load, l.Failed, l.Queue} {
		if len(path) == 0 || bytes.ContainsAny(path, "NaIn") {
			t.Errorf("%q of one second in which nothing came", path)
		}
	}
}

func TestMoment(t *testing.T) {
	h := &History{Offered: []float32{20, 20, 20, 0}, InTime: []float32{20, 12, 0, 0}, Failed: []float32{0, 8, 0, 0}}
	faults := []scenario.Fault{{At: scenario.Duration(time.Second), For: scenario.Duration(time.Second), Target: "b", Kind: "slow", Factor: 8}}
	for _, test := range []struct {
		at   time.Duration
		want string
	}{
		{0, "0.0 s, 0 % failed"},
		{1300 * time.Millisecond, "1.3 s, B 8× slower, 40 % failed"},
		{2 * time.Second, "2.0 s, nobody answered"},
		{3900 * time.Millisecond, "3.9 s, nothing came"},
		{4 * time.Second, "4.0 s, nothing came"}, // the second is not over
		{5 * time.Second, "5.0 s"},               // nobody has been there
	} {
		if got := Moment(h, faults, test.at); got != test.want {
			t.Errorf("%v: %q, want %q", test.at, got, test.want)
		}
	}
	if got := Moment(&History{}, nil, 0); got != "0.0 s" {
		t.Errorf("%q before anything was seen", got)
	}
}

func TestTenths(t *testing.T) {
	for at, want := range map[time.Duration]string{0: "0.0", 12_369 * time.Millisecond: "12.3", 4 * time.Hour: "14400.0"} {
		if got := Tenths(at); got != want {
			t.Errorf("%v is %q, want %q", at, got, want)
		}
	}
}

func TestTimelineDrawnAgainCostsLittle(t *testing.T) {
	s := sampleOf(lived(t, "two-service", 20*time.Second), 0)
	var l Timeline
	draw := func() { l.Update(s.B, 0, nil, nil, time.Minute, 800) }
	draw()
	if n := testing.AllocsPerRun(20, draw); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
