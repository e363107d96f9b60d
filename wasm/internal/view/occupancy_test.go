package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/frame"
)

// filmed is a run and its picture.
type filmed struct {
	t    testing.TB
	run  *run.Run
	snap model.Snapshot
	*Occupancy
}

func filmSlots(t testing.TB, s *scenario.Scenario, w, h float32) *filmed {
	r, err := run.New(*s)
	if err != nil {
		t.Fatal(err)
	}
	v := &filmed{t: t, run: r, Occupancy: NewOccupancy(s)}
	v.Resize(w, h)
	return v
}

// to plays on at a speed, sixty frames a second.
func (v *filmed) to(at time.Duration, speed float64) {
	frame := time.Duration(float64(time.Second/60) * speed)
	for now := v.run.Now(); now < at; {
		now = min(now+frame, at)
		for !v.run.Advance(now, 1_000_000) {
		}
		v.run.Snapshot(&v.snap)
		v.Update(&v.snap, Frame{Real: time.Second / 60, Speed: speed, Moving: true})
	}
}

// said is the words about a pool, which begin with its name.
func (v *filmed) said(name string) string {
	v.Marks()
	var s []string
	on := false
	for _, l := range v.Labels() {
		if l.Kind == Name {
			on = l.Text == name
		}
		if on {
			s = append(s, l.Text)
		}
	}
	return strings.Join(s, "; ")
}

func (v *filmed) pool(name string) *pool {
	for i := range v.pools {
		if v.pools[i].name == name {
			return &v.pools[i]
		}
	}
	v.t.Fatalf("no pool %s", name)
	return nil
}

func with(t testing.TB, s *scenario.Scenario, changes ...scenario.Change) *scenario.Scenario {
	c := s.Clone()
	for _, change := range changes {
		if err := change.Apply(&c); err != nil {
			t.Fatal(err)
		}
	}
	return &c
}

// The lesson's figures: 200 slots in front of a dead bucket give 200 creates a second a go if each waits for one second, 40
// if it waits for five. Nine slots in each of 23 processes are 207.
func TestSlotsTurnOverAsOftenAsTheirTimeoutLetsThem(t *testing.T) {
	dead := find(t, "pastebin")
	dead.Operations = map[string]scenario.Operation{"create": dead.Operations["create"]}
	dead.Jobs = nil
	dead.Faults = []scenario.Fault{{Target: "bucket", Kind: "blackhole"}}
	waits := func(timeout string) *scenario.Scenario {
		s := with(t, dead, scenario.Change{Path: "policy.calls.object_put.timeout", Value: timeout})
		create := s.Operations["create"]
		create.Deadline = 0
		s.Operations["create"] = create
		return s
	}
	for _, c := range []struct {
		timeout     string
		least, most float64
		words       string
	}{
		{"1s", 193, 207, " of 207 in 23 processes; "},
		{"5s", 39.5, 41.5, "207 of 207 in 23 processes"},
	} {
		v := filmSlots(t, waits(c.timeout), 1100, 460)
		v.to(7*time.Second, 2)
		p, sum := v.pool("create"), 0.
		for second := 1; second <= 20; second++ {
			v.to(time.Duration(7+second)*time.Second, 2)
			sum += p.turnover
		}
		if mean := sum / 20; mean < c.least || mean > c.most {
			t.Errorf("a PUT timeout of %s: %.1f /s turn over, want %v to %v", c.timeout, mean, c.least, c.most)
		}
		if said := v.said("create"); !strings.Contains(said, c.words) || !strings.Contains(said, PerSecond(p.turnover)+" turn over") {
			t.Errorf("a PUT timeout of %s: %q", c.timeout, said)
		}
	}

	// A stall of two seconds is in it for two more, which is said.
	calm := filmSlots(t, find(t, "put-timeout"), 1100, 460)
	calm.to(4500*time.Millisecond, 1)
	if said := calm.said("bucket"); !strings.Contains(said, " /s turn over in the last 2 s") {
		t.Errorf("after a stall: %q", said)
	}
	calm.to(5500*time.Millisecond, 1)
	if said := calm.said("bucket"); strings.Contains(said, "in the last") {
		t.Errorf("long after a stall: %q", said)
	}
	if p := calm.pool("bucket"); p.turnover < 345 || p.turnover > 355 {
		t.Errorf("a bucket that gets 350 creates a second turns over %.1f /s", p.turnover)
	}

	// Whoever gives up in the queue frees no slot: a primary that stands still turns over none.
	stalls := find(t, "blip")
	stalls.Faults[0].For = 0 // until it is mended
	stalled := filmSlots(t, stalls, 1100, 460)
	stalled.to(4*time.Second, 2)
	if p := stalled.pool("primary"); p.turnover != 0 {
		t.Errorf("a primary that has stood still for 3 s turns over %.1f /s", p.turnover)
	}

	// With no timeout nothing moves any more, and everything is as dark as can be.
	v := filmSlots(t, waits("0s"), 1100, 460)
	v.to(25*time.Second, 2)
	p := v.pool("create")
	if p.turnover != 0 || p.busy != 207 {
		t.Errorf("with no timeout %.1f /s turn over, and %d are busy", p.turnover, p.busy)
	}
	if p.oldest < 24*time.Second {
		t.Errorf("with no timeout the oldest is held for %v", p.oldest)
	}
	v.Marks()
	if n := insideStrip(v.marks, &p.strip, frame.First, 255); n != 1 {
		t.Errorf("with no timeout there are %d dark marks, want one block", n)
	}
	for step := v.step - stepsShown/2; step <= v.step; step++ {
		for _, c := range p.history.column(step) {
			if c.shade() != shades-1 {
				t.Fatalf("step %d has a slot that was held for less: %v", step, p.history.column(step))
			}
		}
	}
}

// insideStrip counts the marks of a colour and darkness in a strip.
func insideStrip(marks []frame.Mark, b *Box, color frame.Color, alpha uint8) (n int) {
	for _, m := range marks {
		if m.Color == color && m.Alpha == alpha && m.Shape == frame.Rect && m.Y > b.Y && m.Y < b.Y+b.H {
			n++
		}
	}
	return n
}

// What is drawn is, cell by cell, what was seen: a dumb twin looks up each pixel's time and row.
func TestThePictureIsWhatWasSeen(t *testing.T) {
	for _, c := range []struct {
		id    string
		pool  string
		speed float64
		until time.Duration
	}{
		{"two-service", "b", 1, 9 * time.Second},
		{"two-service", "b", 10, 20 * time.Second},
		{"two-service", "b", .1, 400 * time.Millisecond},
		{"pastebin", "primary", 1, 300 * time.Millisecond},
	} {
		v := filmSlots(t, find(t, c.id), 900, 460)
		v.to(c.until, c.speed)
		v.Marks()
		p := v.pool(c.pool)
		s := &p.strip
		group := time.Duration(v.every) * v.length()
		wrong, checked := 0, 0
		for k := int64(0); k <= int64(v.now/group); k++ {
			middle := time.Duration(k)*group + group/2
			x := s.X + s.W*(1-float32(v.now-middle)/float32(v.Window()))
			if x < s.X+2 || middle > v.now {
				continue
			}
			var cells []held
			for step := (k+1)*v.every - 1; step >= k*v.every; step-- {
				if seen := p.history.column(step); seen != nil {
					cells = seen
				}
			}
			for row, want := range cells {
				y, _ := p.row(row, row+1)
				checked++
				if got := v.at(x, y); got != want&^begun {
					wrong++
				}
			}
		}
		if wrong > 0 || checked < 100 {
			t.Errorf("%s at %v×: %d of %d cells are drawn as something else", c.id, c.speed, wrong, checked)
		}
	}
}

// A slot that one call leaves to the next at once is held by two, and is seen to be: there is a line between them.
func TestCallsEndToEndAreNotOneLongCall(t *testing.T) {
	for _, width := range []float32{900, 328} {
		v := filmSlots(t, find(t, "two-service"), width, 460)
		v.to(8*time.Second, 1)
		v.Marks()
		p := v.pool("b")
		group := time.Duration(v.every) * v.length()
		held := func(step int64, row int) held { return p.history.column(step)[row] }
		seen := 0
		for row := range p.history.rows {
			y, _ := p.row(row, row+1)
			for step := int64(8*time.Second/v.length()) - 150; step < v.step-20; step++ {
				if held(step, row)&begun == 0 || held(step-1, row) == 0 {
					continue
				}
				long := true
				for next := step + 1; next < step+6; next++ {
					long = long && held(next, row)&begun == 0 && held(next, row) != 0
				}
				if !long {
					continue
				}
				seen++
				k := (step + v.every - 1) / v.every // the group from which on it is seen
				x := p.strip.X + p.strip.W*(1-float32(v.now-time.Duration(k)*group)/float32(stepsShown*v.length()))
				if got := v.at(x+.5, y); got != 0 {
					t.Fatalf("%v px: the call that took slot %d at step %d begins with no line before it, but as %d", width, row, step, got)
				}
			}
		}
		if seen < 20 {
			t.Errorf("%v px: %d calls took over a slot at once, want dozens", width, seen)
		}
	}
}

// What the legend says of this picture is so: at the end of a row is who holds the slot where it says so, and hedges are drawn
// where some call hedges.
func TestTheLegendIsOfWhatIsDrawn(t *testing.T) {
	for id, rows := range map[string]bool{"two-service": true, "pastebin": false, "hedging": false} {
		s := find(t, id)
		v := filmSlots(t, s, 900, 460)
		v.to(4*time.Second, 1)
		shapes, hedges := 0, 0
		for _, m := range v.Marks() {
			switch m.Shape {
			case frame.Disc, frame.Triangle, frame.Diamond, frame.Ring:
				shapes++
			}
			if m.Color == frame.Hedge {
				hedges++
			}
		}
		if v.Rows() != rows || shapes > 0 != rows {
			t.Errorf("%s: rows have marks at their ends: %v, and there are %d; want %v", id, v.Rows(), shapes, rows)
		}
		if want := id == "hedging"; NewScene(s).Hedges() != want || hedges > 0 != want {
			t.Errorf("%s: hedges are said to be: %v, and there are %d; want %v", id, NewScene(s).Hedges(), hedges, want)
		}
	}
}

// at is what is drawn at a point of a strip, the last over the first.
func (v *filmed) at(x, y float32) (c held) {
	for _, m := range v.marks {
		if m.Shape != frame.Rect || x < m.X-m.W/2 || x >= m.X+m.W/2 || y < m.Y-m.H/2 || y > m.Y+m.H/2 {
			continue
		}
		c = 0
		for shade, alpha := range alphas {
			for _, h := range ranks {
				if _, color := mark(h); color == m.Color && alpha == m.Alpha {
					c = held(h) | held(shade)<<4
				}
			}
		}
	}
	return c
}

func TestSharesAddUpAndNobodyOfTheReadersIsLost(t *testing.T) {
	rows := func(c *tally, slots, there, n int) map[held]int {
		to := make([]held, n)
		c.sort(to, slots, there)
		found := map[held]int{}
		for _, cell := range to {
			found[cell]++
		}
		return found
	}
	cell := func(h model.Holder, shade int) held { return held(h) | held(shade)<<4 }
	var c tally
	c[model.First][0], c[model.Abandoned][4], c[model.Yours][1] = 500, 250, 1
	got := rows(&c, 1000, 1000, 64)
	if got[cell(model.Abandoned, 4)] != 16 || got[cell(model.Yours, 1)] != 1 || got[cell(model.First, 0)] != 31 || got[0] != 16 {
		t.Errorf("of 1,000: %v", got)
	}
	if got := rows(&tally{}, 1000, 1000, 64); got[0] != 64 {
		t.Errorf("of 1,000 free ones: %v", got)
	}
	if got := rows(&tally{}, 1000, 500, 64); got[0] != 32 || got[gone] != 32 {
		t.Errorf("of 1,000 of which half are gone: %v", got)
	}
	c = tally{}
	c[model.First][2] = 8
	if got := rows(&c, 8, 8, 8); got[cell(model.First, 2)] != 8 {
		t.Errorf("of eight: %v", got)
	}
	// The longest held stands lowest.
	c = tally{}
	c[model.First][0], c[model.Retry][4] = 1, 1
	to := make([]held, 4)
	c.sort(to, 4, 4)
	if to[0] != cell(model.Retry, 4) || to[1] != cell(model.First, 0) || to[2] != 0 {
		t.Errorf("two of four: %v", to)
	}
}

func TestGoingBackForgetsOnlyWhatComesAfter(t *testing.T) {
	v := filmSlots(t, find(t, "two-service"), 900, 460)
	v.to(5*time.Second, 1)
	p := v.pool("b")
	early := append([]held(nil), p.history.column(int64(3*time.Second/v.length()))...)
	if err := v.run.Rewind(4 * time.Second); err != nil {
		t.Fatal(err)
	}
	for !v.run.Advance(4*time.Second, 1_000_000) {
	}
	v.run.Snapshot(&v.snap)
	v.Update(&v.snap, Frame{Speed: 1})
	if got := p.history.column(int64(3 * time.Second / v.length())); fmt.Sprint(got) != fmt.Sprint(early) {
		t.Errorf("at 3 s it was %v, after going back to 4 s it is %v", early, got)
	}
	for step := v.step + 1; step < v.step+kept/2; step++ {
		if p.history.column(step) != nil {
			t.Fatalf("step %d, which is to come, is known", step)
		}
	}
	if err := v.run.Rewind(0); err != nil {
		t.Fatal(err)
	}
	for !v.run.Advance(0, 1_000_000) {
	}
	v.run.Snapshot(&v.snap)
	v.Update(&v.snap, Frame{Speed: 1})
	for step := int64(1); step < kept; step++ {
		if p.history.column(step) != nil {
			t.Fatalf("back at the start, step %d is known", step)
		}
	}
}

// A finer look does not lose what was seen, and a coarser one neither.
func TestAnotherSpeedKeepsWhatWasSeen(t *testing.T) {
	v := filmSlots(t, find(t, "two-service"), 900, 460)
	v.to(5*time.Second, 1)
	p := v.pool("b")
	at := func(t time.Duration) string { return fmt.Sprint(p.history.column(int64(t / v.length()))) }
	late := at(4800 * time.Millisecond)
	v.Update(&v.snap, Frame{Speed: .1, Moving: true})
	if got := at(4800 * time.Millisecond); got != late {
		t.Errorf("at 1× 4.8 s was %s, at 0.1× it is %s", late, got)
	}
	v.Update(&v.snap, Frame{Speed: 1, Moving: true})
	if got := at(4800 * time.Millisecond); got != late {
		t.Errorf("at 1× again it is %s", got)
	}
}

func TestStripsAndWordsDoNotOverlap(t *testing.T) {
	for _, id := range []string{"two-service", "pastebin", "queue", "hidden-retries"} {
		for _, size := range []struct{ w, h float32 }{{1200, 460}, {900, 460}, {900, 230}, {600, 200}, {560, 120}, {328, 246}, {328, 123}, {320, 120}, {288, 216}} {
			for _, tag := range []string{"", "B"} {
				s := find(t, id)
				s.Faults = nil
				for name, d := range s.Dependencies {
					if d.Slots > 1 && name != "cdn" {
						s.Faults = append(s.Faults, scenario.Fault{Target: name, Kind: "slow", Factor: 20}, scenario.Fault{Target: name, Kind: "flaky", P: .2})
					}
				}
				v := filmSlots(t, s, size.w, size.h)
				v.Tag = tag
				v.to(300*time.Millisecond, 1)
				v.see(t, fmt.Sprintf("%s on %v, tag %q", id, size, tag), size.w, size.h)
			}
		}
	}
}

// see checks that all is on the stage, and no words stand on others or on what a strip has seen.
func (v *filmed) see(t *testing.T, what string, w, h float32) {
	t.Helper()
	for _, m := range v.Marks() {
		if m.X-m.W/2 < 0 || m.Y-m.H/2 < 0 || m.X+m.W/2 > w || m.Y+m.H/2 > h || m.X != m.X || m.Y != m.Y {
			t.Errorf("%s: %+v is not on it", what, m)
			return
		}
	}
	var boxes []Box
	var texts []string
	for _, i := range v.shown {
		strip := v.pools[i].strip
		began := strip.W * max(0, 1-float32(v.snap.Now.Seconds()/v.Window().Seconds()))
		boxes = append(boxes, Box{strip.X + began, strip.Y, strip.W - began, strip.H})
		texts = append(texts, "the strip of "+v.pools[i].name)
	}
	named := 0
	for _, l := range v.Labels() {
		if l.Kind == You {
			continue
		}
		if l.Kind == Name {
			named++
		}
		width, height := l.Kind.width(l.Text, w < 560), float32(16)
		x := l.At.X
		switch l.Anchor {
		case Middle:
			x -= width / 2
		case Right:
			x -= width
		}
		box := Box{x, l.At.Y - height/2, width, height}
		if x < 0 || x+width > w || box.Y < 0 || box.Y+height > h {
			t.Errorf("%s: %q at %v is not on it", what, l.Text, box)
		}
		for i, b := range boxes {
			if box.X < b.X+b.W && b.X < box.X+box.W && box.Y < b.Y+b.H && b.Y < box.Y+box.H {
				t.Errorf("%s: %q at %v is over %s at %v", what, l.Text, box, texts[i], b)
			}
		}
		boxes, texts = append(boxes, box), append(texts, fmt.Sprintf("%q", l.Text))
	}
	if want := len(v.shown); named < want {
		t.Errorf("%s: %d of %d strips have a name", what, named, want)
	}
}

func TestThereAreNotTooManyMarksAndNoGarbage(t *testing.T) {
	s := find(t, "pastebin")
	s.Faults = []scenario.Fault{{At: scenario.Duration(500 * time.Millisecond), Target: "primary", Kind: "slow", Factor: 10}}
	v := filmSlots(t, s, 1200, 460)
	for at := 100 * time.Millisecond; at <= 1500*time.Millisecond; at += 100 * time.Millisecond {
		v.to(at, .25)
		if n := len(v.Marks()); n > markLimit {
			t.Errorf("%d marks at %v", n, at)
		}
	}
	now := v.snap.Now
	n := testing.AllocsPerRun(100, func() {
		v.snap.Now += 3 * time.Millisecond
		v.Update(&v.snap, Frame{Real: time.Second / 60, Speed: .25, Moving: true})
		v.Marks()
	})
	if n > 0 {
		t.Errorf("a frame allocates %v times, from %v on", n, now)
	}
}

// The reader's own is in the picture with its star, in whatever pool it is, and is called "you".
func TestTheReadersOwnIsSeenInItsSlot(t *testing.T) {
	for _, id := range []string{"two-service", "pastebin"} {
		s := find(t, id)
		o := NewOccupancy(s)
		o.Resize(900, 460)
		snap := still(s)
		for i := range snap.Dependencies {
			snap.Dependencies[i].Slots[1].Holder = model.Yours
			snap.Dependencies[i].Busy = 1
		}
		o.Update(snap, Frame{Speed: 1, Moving: true})
		stars, you := 0, 0
		for _, m := range o.Marks() {
			if m.Shape == frame.Star && m.Color == frame.Yours {
				stars++
			}
		}
		for _, l := range o.Labels() {
			if l.Kind == You {
				you++
			}
		}
		if want := len(o.shown) - o.caps; stars < want || you != want {
			t.Errorf("%s: %d stars and %d times \"you\" in %d pools", id, stars, you, want)
		}
	}
}

func TestAnOccupancyWithoutRoomIsNoTrouble(t *testing.T) {
	for _, size := range []struct{ w, h float32 }{{0, 0}, {800, 0}, {0, 300}, {1, 1}, {30, 20}, {3000, 40}} {
		s := find(t, "pastebin")
		o := NewOccupancy(s)
		o.Resize(size.w, size.h)
		o.Marks()
		o.Labels()
		o.Update(still(s), Frame{Speed: 1})
		for _, m := range o.Marks() {
			if m.X != m.X || m.Y != m.Y || m.W != m.W || m.H != m.H {
				t.Fatalf("on %v: %+v is nowhere", size, m)
			}
		}
		o.Labels()
	}
}

func BenchmarkOccupancy(b *testing.B) {
	s := find(b, "pastebin")
	s.Faults = []scenario.Fault{{At: scenario.Duration(300 * time.Millisecond), Target: "primary", Kind: "slow", Factor: 10}}
	v := filmSlots(b, s, 1200, 460)
	v.to(time.Second, .25)
	var snaps [64]model.Snapshot
	for i := range snaps {
		v.to(v.run.Now()+4*time.Millisecond, .25)
		v.run.Snapshot(&snaps[i])
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		snap := &snaps[i%len(snaps)]
		snap.Now = v.now + 4*time.Millisecond
		v.Update(snap, Frame{Real: time.Second / 60, Speed: .25, Moving: true})
		v.Marks()
	}
	b.ReportMetric(float64(len(v.marks)), "marks")
}

// With reduced motion the strips do not flow: they stand, and then have gone on.
func TestStillStripsGoOnInSteps(t *testing.T) {
	moves := func(still bool) (n int) {
		v := filmSlots(t, find(t, "pastebin"), 900, 460)
		v.Still = still
		v.to(500*time.Millisecond, 1)
		last := ""
		for frame := 1; frame <= 60; frame++ {
			v.to(500*time.Millisecond+time.Duration(frame)*time.Second/60, 1)
			if now := fmt.Sprint(v.Marks()); now != last {
				n, last = n+1, now
			}
		}
		return n
	}
	if n := moves(true); n < 2 || n > 6 {
		t.Errorf("they went on %d times in a second, want about 4", n)
	}
	if n := moves(false); n < 50 {
		t.Errorf("where they may flow they went on %d times in a second", n)
	}
}
