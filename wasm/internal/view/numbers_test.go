package view

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// What is the same in two runs reads the same of both, though one was looked at while it was played and the other is on its
// way there, and whatever frames it makes on the way.
func TestAMeterBesideAnotherReadsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	came := make([]int64, 4000) // requests by the millisecond, by chance
	for i := 1; i < len(came); i++ {
		came[i] = came[i-1] + int64(r.IntN(40))
	}
	at := func(ms int) *model.Snapshot {
		s := &model.Snapshot{Now: time.Duration(ms) * time.Millisecond}
		s.Requests.Offered = came[ms]
		return s
	}
	for range 50 {
		var a, b Meter
		b.Beside(&a)
		goal := 2000 + r.IntN(100)
		for ms := 0; ms < goal; ms = min(ms+1+r.IntN(40), goal) {
			a.Read(at(ms))
		}
		a.Read(at(goal))
		same := func(ms int) {
			t.Helper()
			if a, b := a.Read(at(ms)).Offered, b.Read(at(ms)).Offered; a != b {
				t.Fatalf("at %d ms: %v a second in A, %v in B", ms, a, b)
			}
		}
		for ms := 0; ms < goal; {
			s := at(ms)
			b.Read(s)
			b.Keep(s, time.Duration(goal)*time.Millisecond)
			ms = min(ms+1+r.IntN(300), goal, int(a.After(s.Now)/time.Millisecond))
		}
		for ms := goal; ms < goal+1500; ms += 1 + r.IntN(30) {
			same(ms)
		}
	}
}

// However often it is looked at: every frame as it plays, or once a second before a link's moment and once at it.
func TestSlotsBusyIsAMeanOfTheLastSecond(t *testing.T) {
	for _, id := range []string{"two-service", "pastebin"} {
		s, ok := scenario.Find(id)
		if !ok {
			t.Fatal(id)
		}
		used := func(step time.Duration) (used []float64) {
			r, err := run.New(s)
			if err != nil {
				t.Fatal(err)
			}
			var m Meter
			var snap model.Snapshot
			var n *Numbers
			for at := time.Duration(0); at <= 3*time.Second; at += step {
				r.Advance(at, 1<<30)
				r.Snapshot(&snap)
				n = m.Read(&snap)
			}
			for _, p := range n.Places {
				used = append(used, p.Used)
			}
			return used
		}
		often, seldom := used(time.Second/64), used(time.Second)
		for i := range often {
			if math.Abs(often[i]-seldom[i]) > 1e-9 || seldom[i] > 1 || i == 0 && seldom[i] == 0 {
				t.Errorf("%s, dependency %d: %v of its slots are busy if looked at often, and %v if seldom", id, i, often[i], seldom[i])
			}
		}
	}
}

// How many times the load an attempt makes is said where there is one: in the figures and in their table alike.
func TestTheMultipleOfNothingIsNone(t *testing.T) {
	for _, c := range []struct {
		first, retries float64
		want           string
	}{
		{0, 0, "–"},
		{1e-12, 0, "–"}, // as counters that grow evenly between two looks have it
		{20, 0, "1.00×"},
		{20, 56, "3.80×"},
		{0, 5, "only retries"},
	} {
		p := PlaceNumbers{First: c.first, Retries: c.retries}
		if got := p.Multiple(); got != c.want || p.Cells()[2] != c.want {
			t.Errorf("%v first ones and %v retries are %q, in the table %q; want %q", c.first, c.retries, got, p.Cells()[2], c.want)
		}
	}
}

// A fault whose number is that nothing changes has nobody sick, and nothing to be mended of.
func TestAFaultThatDoesNothingMakesNobodySick(t *testing.T) {
	for _, f := range []scenario.Fault{
		{Target: "b", Kind: "slow", Factor: 1}, {Target: "b", Kind: "capacity", Factor: 1},
		{Target: "b", Kind: "flaky", Factor: 1}, {Target: "b", Kind: "lose", Factor: 1},
	} {
		s := builtin(t, "two-service")
		f.At, f.For = scenario.Duration(time.Second), scenario.Duration(time.Second)
		s.Faults = []scenario.Fault{f}
		r, err := run.New(s)
		if err != nil {
			t.Fatal(err)
		}
		var m Meter
		m.Learn(s.Faults)
		var now model.Snapshot
		for at := 500 * time.Millisecond; at <= 3*time.Second; at += 500 * time.Millisecond {
			for !r.Advance(at, 1_000_000) {
			}
			r.Snapshot(&now)
			if n := m.Read(&now); n.Places[0].WasSick {
				t.Errorf("%s that does nothing: B was sick at %v, and it is said: %s", f.Kind, at, Sentence(n))
			}
		}
	}
}
