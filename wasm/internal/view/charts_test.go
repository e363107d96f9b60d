package view

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// lived is a run of a scenario of the catalogue until to, with faults of its own.
func lived(t *testing.T, id string, to time.Duration, faults ...scenario.Fault) *run.Run {
	t.Helper()
	s, _ := scenario.Find(id)
	s.Faults = faults
	r, err := run.New(s)
	if err != nil {
		t.Fatal(err)
	}
	r.Advance(to, 1<<40)
	return r
}

// storm is two services in a storm: B slow from 3 s to 6 s.
var slowAt3s = scenario.Fault{At: scenario.Duration(3 * time.Second), For: scenario.Duration(3 * time.Second), Target: "b", Kind: "slow", Factor: 8}

// sampleOf is what charts are drawn of a run, with its dependency at place.
func sampleOf(r *run.Run, place int) *Sample {
	var h History
	rows := r.Report().Series
	h.Take(rows, 0)
	s := r.Scenario()
	sample := &Sample{B: &h, Place: place, Faults: s.Faults, Now: r.Now(), Span: ChartSpan(r.Now(), time.Duration(s.Duration))}
	if place < len(h.Places) {
		sample.Name = h.Places[place].Name
		sample.Capacities = Capacities(&s, sample.Name)
	}
	return sample
}

// However rows come in, and whatever was taken before, the columns are those of the rows.
func TestHistoryIsTheRows(t *testing.T) {
	rows := lived(t, "pastebin", 8*time.Second).Report().Series
	var whole History
	whole.Take(rows, 0)
	if whole.Seconds() != len(rows) || len(whole.Places) != len(rows[0].Dependencies) {
		t.Fatalf("%d seconds of %d dependencies, want %d of %d", whole.Seconds(), len(whole.Places), len(rows), len(rows[0].Dependencies))
	}
	for i, r := range rows {
		ended, ok := int64(0), int64(0)
		for _, o := range r.Operations {
			ended, ok = ended+o.Ended, ok+o.EndedOK
		}
		if whole.Offered[i] != float32(r.Offered) || whole.InTime[i] != float32(ok) || whole.Failed[i] != float32(ended-ok) {
			t.Errorf("second %d: %v offered, %v in time, %v failed of %+v", i, whole.Offered[i], whole.InTime[i], whole.Failed[i], r)
		}
		for _, p := range whole.Places {
			d := r.Dependencies[p.Name]
			if int64(p.Sent[i]) != d.Attempts || int64(p.Tried[i]-p.First[i]) != d.Retries || int64(p.Sent[i]-p.Tried[i]) != d.Hedges ||
				int64(p.Queue[i]) != d.Queue || p.Busy[i] != float32(d.BusyMean) {
				t.Errorf("second %d of %s: %+v", i, p.Name, d)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	var h History
	for range 200 {
		to := r.IntN(len(rows) + 1)
		h.Take(rows[:to], r.IntN(h.Seconds()+1))
		if h.Seconds() != to {
			t.Fatalf("%d seconds, want %d", h.Seconds(), to)
		}
	}
	h.Take(rows, h.Seconds())
	h.Version = whole.Version
	if !reflect.DeepEqual(h, whole) {
		t.Error("rows taken bit by bit are others than all at once")
	}
	other := lived(t, "two-service", 3*time.Second).Report().Series
	h.Take(other, 0)
	if h.Seconds() != 3 || len(h.Places) != 1 || h.Places[0].Name != "b" {
		t.Errorf("%d seconds of %d dependencies after another scenario", h.Seconds(), len(h.Places))
	}
}

// What a second's chart says is busy is what the figures say at the end of it of the last second, and of a queue what waits then.
func TestASecondReadsAlikeInChartsAndFigures(t *testing.T) {
	for _, id := range []string{"two-service", "pastebin"} {
		s, _ := scenario.Find(id)
		r, err := run.New(s)
		if err != nil {
			t.Fatal(err)
		}
		var m Meter
		var snap model.Snapshot
		between := false
		for at := time.Duration(0); at <= 8*time.Second; at += time.Second / 32 {
			r.Advance(at, 1<<30)
			r.Snapshot(&snap)
			n := m.Read(&snap)
			second := int(at/time.Second) - 1
			if at%time.Second != 0 || second < 0 {
				continue
			}
			var h History
			h.Take(r.Report().Series, 0)
			for i, p := range n.Places {
				want := p.Used * float64(p.Slots)
				if got := float64(h.Places[i].Busy[second]); math.Abs(got-want) > 1e-3 || h.Places[i].Queue[second] != float32(p.Queue) {
					t.Errorf("%s, second %d of %s: %v busy and %v waiting in the chart, %v and %d in the figures", id, second, p.Name, got, h.Places[i].Queue[second], want, p.Queue)
				}
				between = between || math.Abs(want-float64(p.Busy)) > .5
			}
		}
		if !between {
			t.Errorf("%s: as many are busy at each second’s end as over it", id)
		}
	}
}

func TestChartsAreOfWhatIsInTrouble(t *testing.T) {
	calm, sick := lived(t, "pastebin", 5*time.Second), lived(t, "pastebin", 5*time.Second, scenario.Fault{
		At: scenario.Duration(2 * time.Second), For: scenario.Duration(2 * time.Second), Target: "bucket", Kind: "slow", Factor: 2})
	s := calm.Settings()
	var a, b History
	name := func(faults []scenario.Fault, runs ...*History) string {
		if i := Focus(&s, faults, runs...); i >= 0 {
			return a.Places[i].Name
		}
		return ""
	}
	if got := name(nil, &a, &b); got != "" {
		t.Errorf("%q before anything was seen", got)
	}
	a.Take(calm.Report().Series, 0)
	if got := name(nil, &a, &b); got != "primary" {
		t.Errorf("%q in calm, want the one with the least room", got)
	}
	b.Take(sick.Report().Series, 0)
	if got := name(sick.Scenario().Faults, &a, &b); got != "bucket" {
		t.Errorf("%q, want the one that is broken", got)
	}
}

func TestHistoryOfASecondWithoutAnswers(t *testing.T) {
	var h History
	h.Take([]metrics.Row{{Offered: 5, Operations: map[string]metrics.RowOperation{"call": {Offered: 5}}}}, 0)
	if !math.IsNaN(float64(h.P50[0])) || !math.IsNaN(float64(h.P99[0])) {
		t.Errorf("p50 %v and p99 %v of no answers", h.P50[0], h.P99[0])
	}
}

// What a dependency can do by the sum is what it does when more is asked of it.
func TestCapacitiesAreWhatIsDone(t *testing.T) {
	s, _ := scenario.Find("two-service")
	sec := scenario.Duration(time.Second)
	s.Faults = []scenario.Fault{
		{At: 10 * sec, For: 10 * sec, Target: "b", Kind: "slow", Factor: 4},
		{At: 15 * sec, For: 10 * sec, Target: "b", Kind: "capacity", Factor: .5},
		{At: 30 * sec, For: 5 * sec, Target: "b", Kind: "stall", Factor: 1},
		{At: 40 * sec, For: 5 * sec, Target: "b", Kind: "down", Factor: 1},
		{At: 50 * sec, Target: "b", Kind: "slow", Factor: 2},
		{At: 5 * sec, For: 50 * sec, Target: "call", Kind: "surge", Factor: 10},
	}
	s.Changes = []scenario.Change{{At: 45 * sec, Path: "dependencies.b.slots", Value: 4}}
	r, err := run.New(s)
	if err != nil {
		t.Fatal(err)
	}
	r.Advance(60*time.Second, 1<<40)
	lived := r.Scenario()
	all := Capacities(&lived, "b")
	rows := r.Report().Series
	for i, c := range all {
		end := 60 * time.Second
		if i+1 < len(all) {
			end = all[i+1].From
		}
		// Between what was begun before and what follows.
		from, to := int(c.From/time.Second)+2, int(end/time.Second)-1
		if from < 8 || from >= to {
			continue
		}
		done := int64(0)
		for _, row := range rows[from:to] {
			if d := row.Dependencies["b"]; d.Refused < d.Attempts {
				done += d.Completed
			} // while it is down it goes on with what it has, and takes nothing on
		}
		if got := float64(done) / float64(to-from); math.Abs(got-c.Rate) > .15*c.Rate+1 {
			t.Errorf("from %v on: %v a second are done, by the sum it is %v", c.From, got, c.Rate)
		}
	}
	var from []time.Duration
	var slots []int
	for _, c := range all {
		from, slots = append(from, c.From/time.Second), append(slots, c.Slots)
	}
	if want := []time.Duration{0, 10, 15, 20, 25, 30, 35, 40, 45, 50}; !slices.Equal(from, want) {
		t.Errorf("it changes at %d, want %d", from, want)
	}
	if want := []int{8, 8, 4, 4, 8, 8, 8, 8, 4, 4}; !slices.Equal(slots, want) {
		t.Errorf("%d slots, want %d", slots, want)
	}
	if Capacities(&lived, "nobody") != nil {
		t.Error("what isn't there can do something")
	}
}

func TestChartsOfAStorm(t *testing.T) {
	s := sampleOf(lived(t, "two-service", 20*time.Second, slowAt3s), 0)
	row := func(second int) (offered, ok, failed, first, retries float32) {
		p := s.B.Places[0]
		return s.B.Offered[second], s.B.InTime[second], s.B.Failed[second], p.First[second], p.Tried[second] - p.First[second]
	}
	for kind := range Charts {
		c := NewChart(kind)
		c.Resize(404, 150)
		c.Update(s)
		if len(c.Curves[0].Line) == 0 || len(c.Faults) == 0 || len(c.Grid) == 0 || c.Title == "" {
			t.Errorf("chart %d: something is missing: %+v", kind, c)
		}
	}
	requests, attempts, slots, queue := NewChart(RequestChart), NewChart(AttemptChart), NewChart(SlotChart), NewChart(QueueChart)
	for _, c := range []*Chart{requests, attempts, slots, queue} {
		c.Resize(404, 150)
		c.Update(s)
	}
	offered, ok, failed, first, retries := row(4)
	if retries == 0 {
		t.Fatal("there is no storm to be seen")
	}
	for _, test := range []struct{ got, want string }{
		{requests.Read(s, 4), "From 4 to 5 s: offered " + Count(int64(offered)) + ", in time " + Count(int64(ok)) + ", failed " + Count(int64(failed)) + " /s; B 8× slower."},
		{attempts.Read(s, 4), "From 4 to 5 s: first " + Count(int64(first)) + ", retries " + Count(int64(retries)) + " /s; ceiling 10 /s; B 8× slower."},
		{slots.Read(s, 4), "From 4 to 5 s: busy 8 of 8; B 8× slower."},
		{queue.Read(s, 4), "From 4 to 5 s: waiting " + Count(int64(s.B.Places[0].Queue[4])) + " at its end; B 8× slower."},
		{slots.Read(s, 1_000_000), slots.Read(s, 19)},
		{slots.Read(s, -5), slots.Read(s, 0)},
		{attempts.Title, "Attempts at B, a second"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
	if got := attempts.LimitTag.Text; got != "ceiling" || len(attempts.Limit) == 0 {
		t.Errorf("the ceiling is called %q", got)
	}
	if len(requests.Limit) != 0 {
		t.Error("requests have a ceiling")
	}
}

// What was broken in a part of a second may be why that second is as it is.
func TestASecondSaysWhatWasBrokenInAnyPartOfIt(t *testing.T) {
	fault := scenario.Fault{Target: "b", Kind: "slow", Factor: 8, At: scenario.Duration(3500 * time.Millisecond), For: scenario.Duration(2 * time.Second)}
	s := sampleOf(lived(t, "two-service", 8*time.Second, fault), 0)
	c := NewChart(RequestChart)
	c.Resize(400, 156)
	c.Update(s)
	for second, want := range []bool{2: false, 3: true, 4: true, 5: true, 6: false} {
		if text := c.Read(s, second); strings.Contains(text, "8× slower") != want {
			t.Errorf("broken from 3.5 to 5.5 s, and second %d says %q", second, text)
		}
	}
}

func TestTwoRunsInOneChart(t *testing.T) {
	s := sampleOf(lived(t, "two-service", 20*time.Second, slowAt3s), 0)
	calm := sampleOf(lived(t, "two-service", 12*time.Second), 0)
	s.A, s.B = s.B, calm.B
	c := NewChart(AttemptChart)
	c.Resize(404, 150)
	c.Update(s)
	if len(c.Curves[0].Other) == 0 || len(c.Curves[1].Other) == 0 || len(c.Curves[1].Line) != 0 {
		t.Errorf("A’s first attempts %q and retries %q, B’s retries %q: want some, some and none", c.Curves[0].Other, c.Curves[1].Other, c.Curves[1].Line)
	}
	text := c.Read(s, 5)
	if !strings.Contains(text, "retries in run A ") || !strings.Contains(text, ", in run B 0 /s") {
		t.Errorf("%q does not tell the two apart", text)
	}
	if got, want := c.Columns(s), []string{"second", "run A: first", "run B: first", "run A: retries", "run B: retries", "run A: hedges", "run B: hedges"}; !slices.Equal(got, want) {
		t.Errorf("columns %q, want %q", got, want)
	}
	if cells := bytes.Count(c.Table(nil, s), []byte("<td")); cells != 12*6 {
		t.Errorf("%d cells, want 12 seconds of 6", cells)
	}
}

// Whatever there is to be drawn, no name runs into another or out of the chart, and nothing is not a number.
func TestChartsOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for round := range 90 {
		n := []int{0, 1, 2, 60, 700, 14_400}[round%6]
		b := randomHistory(r, n)
		s := &Sample{B: b, Place: 0, Now: time.Duration(r.IntN(n+1)) * time.Second,
			Faults:     []scenario.Fault{slowAt3s, {At: slowAt3s.At, Target: "b", Kind: "down"}},
			Capacities: []Capacity{{0, 8, 80}, {3 * time.Second, 8, 0}, {9 * time.Second, 8, 1e5}}}
		s.Span = ChartSpan(time.Duration(n)*time.Second, time.Duration(1+r.IntN(14_400))*time.Second)
		if round%3 == 0 {
			s.A = randomHistory(r, r.IntN(100))
		}
		if n == 0 && round%2 == 0 {
			s.Place = -1
		}
		for kind := range Charts {
			c := NewChart(kind)
			width, height := float32(250+r.IntN(500)), float32(120+r.IntN(80))
			c.Resize(width, height)
			c.Update(s)
			for _, path := range [][]byte{c.Grid, c.Faults, c.Limit, c.Curves[0].Line, c.Curves[0].Fill, c.Curves[0].Other} {
				if bytes.ContainsAny(path, "NaIn") {
					t.Fatalf("chart %d of %d seconds: %q", kind, n, path)
				}
			}
			if c.Now < chartLeft-.1 || c.Now > width-chartRight+.1 || c.Seen < c.Now {
				t.Fatalf("chart %d of %d seconds: the present is at %v, what was seen ends at %v, of %v", kind, n, c.Now, c.Seen, width)
			}
			tags := []Label{c.LimitTag}
			for _, k := range c.Curves {
				tags = append(tags, k.Tag)
			}
			tags = slices.DeleteFunc(tags, func(l Label) bool { return l.Text == "" })
			for i, a := range tags {
				if a.At.X+roomFor(a.Text) > width || a.At.Y < c.Top() || a.At.Y > c.Bottom() {
					t.Fatalf("chart %d of %d seconds: %q at %v is outside of %v × %v", kind, n, a.Text, a.At, width, height)
				}
				for _, b := range tags[i+1:] {
					if math.Abs(float64(a.At.Y-b.At.Y)) < tagHeight-.1 {
						t.Fatalf("chart %d of %d seconds: %q at %v and %q at %v", kind, n, a.Text, a.At, b.Text, b.At)
					}
				}
			}
			if second := c.Second(width/2, s); n > 0 && (second < 0 || second >= n) {
				t.Fatalf("second %d of %d", second, n)
			}
			if text := c.Read(s, r.IntN(n+1)); !strings.HasSuffix(text, ".") || strings.Contains(text, "NaN") {
				t.Fatalf("chart %d of %d seconds reads %q", kind, n, text)
			}
			if rows := bytes.Count(c.Table(nil, s), []byte("<tr>")); n < 1000 && rows != min(n, TableMost) {
				t.Fatalf("a table of %d rows for %d seconds", rows, n)
			}
		}
	}
}

// randomHistory has so many seconds of one dependency.
func randomHistory(r *rand.Rand, n int) *History {
	h := &History{}
	if n == 0 {
		return h
	}
	h.Places = []PlaceHistory{{Name: "b"}}
	most := math.Pow(10, r.Float64()*5)
	h.columns(func(c *[]float32) {
		for range n {
			*c = append(*c, float32(math.Floor(r.Float64()*most)))
		}
	})
	for i := range n {
		h.P50[i] /= 1e4
		h.P99[i] /= 1e4
		if r.IntN(5) == 0 {
			h.P50[i], h.P99[i] = nan, nan
		}
	}
	return h
}

// The labels of the axes have room: those of numbers left of the chart, those of time beside each other.
func TestTicksHaveRoom(t *testing.T) {
	for _, most := range []float32{0, 8, 80, 17_400, 87_000, 250_000, 3e6} {
		h := &History{Places: []PlaceHistory{{Name: "b"}}}
		h.columns(func(c *[]float32) { *c = append(*c, most) })
		for _, span := range []time.Duration{10 * time.Second, time.Minute, time.Hour, 4 * time.Hour} {
			for _, width := range []float32{288, 404} {
				c := NewChart(RequestChart)
				c.Resize(width, 150)
				c.Update(&Sample{B: h, Span: span})
				end := float32(-100)
				for _, l := range c.Ticks {
					size := l.Kind.width(l.Text, true)
					if l.Anchor == Right && l.At.X-size < -6 {
						t.Errorf("%q at %v has no room", l.Text, l.At)
					}
					if l.Anchor == Middle {
						if l.At.X-size/2 < end {
							t.Errorf("%v of %v: %q runs into the one before", span, width, l.Text)
						}
						end = l.At.X + size/2
					}
				}
			}
		}
	}
}

func TestChartsDrawnAgainCostNothing(t *testing.T) {
	s := sampleOf(lived(t, "two-service", 20*time.Second, slowAt3s), 0)
	for kind := range Charts {
		c := NewChart(kind)
		c.Resize(404, 150)
		c.Update(s)
		if n := testing.AllocsPerRun(20, func() { c.Update(s) }); n > 0 {
			t.Errorf("chart %d: %v allocations", kind, n)
		}
	}
}

func BenchmarkChartsOfFourHours(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	s := &Sample{A: randomHistory(r, 14_400), B: randomHistory(r, 14_400), Now: 4 * time.Hour, Span: 4 * time.Hour}
	var all [Charts]*Chart
	for kind := range all {
		all[kind] = NewChart(kind)
		all[kind].Resize(404, 150)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, c := range all {
			c.Update(s)
		}
	}
}
