package run_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// peaks are the two loads of L2: the peak, and ten times that on ten times of everything.
var peaks = []struct {
	name  string
	times float64
	set   sets
}{
	{"17,400/s", 1, nil},
	{"174,000/s", 10, sets{
		"operations.read.rate", 174_000, "operations.create.rate", 3_500, "operations.delete.rate", 200, "processes.count", 230,
		"dependencies.edge.slots", 10_000, "dependencies.cache.slots", 640, "dependencies.primary.slots", 300,
		"dependencies.bucket.slots", 10_000, "dependencies.cdn.slots", 500, "workers.count", 80,
	}},
}

// onlyReads and onlyCreates leave the rest of the traffic out.
var (
	onlyReads   = sets{"operations.create.rate", 0, "operations.delete.rate", 0}
	onlyCreates = sets{"operations.read.rate", 0, "operations.delete.rate", 0}
)

func TestL2Load(t *testing.T) {
	for _, peak := range peaks {
		t.Run("L2 "+peak.name, func(t *testing.T) {
			rep := do(t, "pastebin", all(peak.set, sets{"duration", "1s"})...)
			// Of so many arrivals the count is known to three times its root.
			count := func(what string, got int64, perSecond float64) {
				want := perSecond * peak.times
				near(t, what, float64(got), want, 3*math.Sqrt(want))
			}
			count("origin reads, the edge being cold", rep.Operations["read"].Offered, 17_400)
			count("creates", rep.Operations["create"].Offered, 350)
			if hits := rep.Dependencies["edge"].Hits; hits != 0 {
				t.Errorf("%d hits of a cold edge", hits)
			}
			if with(t, "pastebin").Operations["create"].Idempotent {
				t.Error("a create is idempotent, want that nobody may send it again")
			}
			rep = do(t, "pastebin", all(peak.set, onlyReads, sets{"duration", "1s", "dependencies.cache.hit_share", 0})...)
			want := 15_000 * peak.times
			near(t, "what the primary does a second when more is asked", float64(rep.Dependencies["primary"].Completed), want, 0.02*want)
		})
	}
}

// 200 creates in flight over 23 processes are 8.7 each. The built-in says 9 each, 207 in all.
func TestL2InFlightCap(t *testing.T) {
	r, err := run.New(with(t, "pastebin", all(onlyCreates, sets{"duration", "1s", "faults", fault("bucket", "blackhole", "0s", "0s")})...))
	if err != nil {
		t.Fatal(err)
	}
	var snap model.Snapshot
	most := 0
	for to := time.Duration(0); to < 2*time.Second; to += 10 * time.Millisecond {
		r.Advance(to, math.MaxInt)
		r.Snapshot(&snap)
		held := 0
		for _, p := range snap.Processes {
			held += p.InFlight
		}
		most = max(most, held)
	}
	between(t, "creates in flight with a dead bucket", most, 200, 207)
	if snap.Requests.Shed == 0 {
		t.Error("350 creates a second for a second each, and nobody is turned away at 207")
	}
}

// A fifth of the reads time out, and are tried three times more. Three different worlds are meant by that, and the load
// differs: the same sick fifth, say a shard that stalls, fails each time, 1 + p·n; each attempt may fail by its own luck,
// say as answers get lost, 1 + p + … + pⁿ; or the load itself makes them fail, and only a run can tell.
func TestL3Multiplication(t *testing.T) {
	for _, peak := range peaks {
		for _, c := range []struct {
			row    string
			sick   bool    // a fifth of the requests go to a sick dependency; else each answer is lost with 20 %
			perS   float64 // attempts at 17,400/s
			within float64
		}{
			{"same sick fifth: 3,480 time out, and 10,440 more are sent", true, 27_840, 5}, // a gap is whole parts of a nanosecond
			{"each on its own", false, 21_715, 220},                                        // the extra of one read has a variance of 0.36 − 0.248²: three times the root of all
		} {
			t.Run(fmt.Sprintf("L3 %s, %s", c.row, peak.name), func(t *testing.T) {
				s := fifths(t, 17_400*peak.times, c.sick)
				rep, err := run.Do(s)
				if err != nil {
					t.Fatal(err)
				}
				got := float64(rep.Dependencies["well"].Attempts + rep.Dependencies["sick"].Attempts)
				near(t, "attempts a second", got, c.perS*peak.times, c.within*math.Sqrt(peak.times))
				sum := metrics.Sum(&s, 0.2)
				if c.sick {
					near(t, "times the load of the sick fifth", rep.Dependencies["sick"].Amplification, 4, 0)
					return
				}
				step := sum.Operations["well"].Steps[0].Failures[0]
				near(t, "by the sum, the same fifth", step.Same.PerS, 27_840*peak.times, 1e-6*peak.times)
				near(t, "by the sum, extra", step.Same.PerS-17_400*peak.times, 10_440*peak.times, 1e-6*peak.times)
				near(t, "by the sum, factor", step.Same.Factor, 1.6, 1e-9)
				near(t, "by the sum, each on its own", step.Independent.Factor, 1.248, 1e-9)
				near(t, "by the sum, each on its own a second", step.Independent.PerS, 21_715.2*peak.times, 1e-6*peak.times)
			})
		}
	}
	// The third world: the primary at 116 %, since nothing is cached, is what makes reads time out. At first it is one in
	// seven; each retry makes it more, until all fail, and the tree has all its branches.
	t.Run("L3 the load itself makes them fail, 17,400/s", func(t *testing.T) {
		rep := do(t, "pastebin", all(onlyReads, retryEverything, sets{"duration", "3s", "dependencies.cache.hit_share", 0,
			"operations.read.deadline", "2s"})...)
		near(t, "attempts ÷ reads", rep.Dependencies["primary"].Amplification, 4, 0.15)
	})
}

// fifths is reads that make one call each, with four attempts when they time out, for a second: evenly spaced, so that
// there is no luck in their number. Either a fifth of them goes to a dependency that stalls, or all go to one that loses
// a fifth of its answers.
func fifths(t testing.TB, rate float64, sick bool) scenario.Scenario {
	t.Helper()
	share, lose := 0.0, 0.2
	if sick {
		share, lose = 0.2, 0
	}
	call := `{"timeout": "20ms", "attempts": 4, "retry_on": ["timeout"]}`
	s, err := scenario.Parse([]byte(fmt.Sprintf(`{"version": 1, "duration": "1s",
		"operations": {
			"well": {"rate": %v, "arrivals": "even", "steps": ["well"]},
			"sick": {"rate": %v, "arrivals": "even", "steps": ["sick"]}},
		"dependencies": {"well": {"slots": 10000, "service": {"mean": "2ms"}}, "sick": {"slots": 10000, "service": {"mean": "2ms"}}},
		"policy": {"calls": {"well": %s, "sick": %s}},
		"faults": [{"target": "sick", "kind": "stall"}, {"target": "well", "kind": "lose", "p": %v}]}`,
		rate*(1-share), rate*share, call, call, lose)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestL3HedgingEveryRead(t *testing.T) {
	for _, peak := range peaks {
		t.Run("L3 hedging every read, "+peak.name, func(t *testing.T) {
			s := with(t, "pastebin", all(peak.set, onlyReads, sets{"duration", "1s", "operations.read.arrivals", "even",
				"dependencies.cache.hit_share", 0, "policy.calls.primary_read.hedge_after", "1ns"})...)
			rep, err := run.Do(s)
			if err != nil {
				t.Fatal(err)
			}
			// A read in two million is served within the nanosecond.
			near(t, "attempts a second", float64(rep.Dependencies["primary"].Attempts), 34_800*peak.times, 5)
			near(t, "by the sum", metrics.Sum(&s, 0.2).Operations["read"].Steps[1].HedgedPerS, 34_800*peak.times, 1e-6*peak.times)
		})
	}
}

// Retries multiply over layers: one click, a B that fails, and all that it is asked.
func TestL3Layers(t *testing.T) {
	for _, c := range []struct {
		client, balancer, app, library int
		attempts                       int64
	}{
		{1, 1, 1, 1, 1}, {3, 1, 1, 1, 3}, {1, 2, 1, 1, 2}, {1, 1, 2, 1, 2}, {1, 1, 1, 5, 5},
		{3, 2, 2, 1, 12}, // the row of numbers.md
		{3, 2, 2, 5, 60},
	} {
		for _, kind := range []string{"flaky", "down"} {
			t.Run(fmt.Sprintf("L3 layers %d × %d × %d × %d, %s", c.balancer, c.app, c.client, c.library, kind), func(t *testing.T) {
				s := with(t, "two-service", "duration", "1s", "operations.call.rate", 1, "operations.call.arrivals", "even",
					"operations.call.client.attempts", c.client, "policy.balancer.attempts", c.balancer,
					"policy.calls.b.attempts", c.app, "policy.calls.b.library.attempts", c.library,
					"faults", fault("b", kind, "0s", "0s", "p", 1))
				rep, err := run.Do(s)
				if err != nil {
					t.Fatal(err)
				}
				b := rep.Dependencies["b"]
				if b.Attempts != c.attempts || b.FirstAttempts != 1 || rep.Requests.Failed != 1 {
					t.Errorf("one click is %d attempts, %d of them first ones, and %d failed; want %d, 1, 1", b.Attempts, b.FirstAttempts, rep.Requests.Failed, c.attempts)
				}
				for _, m := range metrics.Sum(&s, 1).Operations["call"].Steps[0].Failures {
					if m.On[0] == "error" && int64(m.Attempts) != c.attempts {
						t.Errorf("by the sum it is %d", m.Attempts)
					}
				}
			})
		}
	}
}

// A budget of 10 % is never more than 1.1 times the load, over any window, whatever fails. Beyond that a process may spend
// what its bucket holds.
func TestL3Budget(t *testing.T) {
	const bucket = 10
	for _, peak := range peaks {
		kinds := []string{"down", "stall", "blackhole", "slow", "flaky", "lose", "capacity"}
		if peak.times > 1 {
			kinds = kinds[1:2] // it is the same budget in each process
		}
		for _, kind := range kinds {
			t.Run(fmt.Sprintf("L3 budget of 10 %%, %s, %s", kind, peak.name), func(t *testing.T) {
				s := with(t, "pastebin", all(peak.set, retryEverything, sets{"duration", "3s", "policy.budget.percent", 10,
					"faults", fault("primary", kind, "500ms", "2s", "p", 0.9, "factor", map[string]float64{"capacity": 0.1}[kind]+map[string]float64{"slow": 10}[kind])})...)
				rep, err := run.Do(s)
				if err != nil {
					t.Fatal(err)
				}
				processes := float64(s.Processes.Count)
				for name := range rep.Dependencies {
					for from := range rep.Series {
						var first, more float64
						for to := from; to < len(rep.Series); to++ {
							d := rep.Series[to].Dependencies[name]
							first += float64(d.Attempts - d.Retries - d.Hedges)
							more += float64(d.Retries + d.Hedges)
							if most := 0.1*first + bucket*processes; more > most {
								t.Fatalf("%s, from second %d to the end of %d: %.0f retries of %.0f first attempts, want %.0f at the most", name, from, to, more, first, most)
							}
						}
					}
				}
			})
		}
	}
}

// 200 slots, each given back after the PUT's timeout, let so many creates through a cap when the bucket is dead.
func TestL3CapTurnover(t *testing.T) {
	for _, peak := range peaks {
		for _, c := range []struct {
			timeout  string
			perS     float64
			duration string
		}{{"1s", 200, "6s"}, {"5s", 40, "21s"}} {
			t.Run(fmt.Sprintf("L3 200 slots ÷ %s, %s", c.timeout, peak.name), func(t *testing.T) {
				s := with(t, "pastebin", all(peak.set, onlyCreates, sets{
					"processes.count", 20 * peak.times, "processes.cap.create", 10, // 200
					"operations.create.arrivals", "even", "operations.create.deadline", "10s",
					"policy.calls.object_put.timeout", c.timeout, "faults", fault("bucket", "blackhole", "0s", "0s"),
					"jobs.reap.delay", "1h", "duration", c.duration})...)
				rep, err := run.Do(s)
				if err != nil {
					t.Fatal(err)
				}
				var puts int64
				turns := rep.Series[1 : len(rep.Series)-len(rep.Series)%5+1] // whole turns, after the first rush
				for _, row := range turns {
					puts += row.Dependencies["bucket"].Attempts
				}
				near(t, "PUTs a second", float64(puts)/float64(len(turns)), c.perS*peak.times, 0.03*c.perS*peak.times)
				sums := metrics.Sum(&s, 1).Operations["create"].Cap
				near(t, "by the sum", sums.TurnoverPerS, c.perS*peak.times, 1e-6*peak.times)
				if rep.Requests.Shed == 0 {
					t.Error("nobody was turned away at the cap")
				}
			})
		}
	}
}

// A create that the app sends again when it doesn't know what became of it is two pastes, or two objects for one 500.
func TestL3RetriedCreate(t *testing.T) {
	for _, c := range []struct {
		row, call, on   string
		pastes, objects int64
		orphans         int64 // of the two objects of one click the model counts one orphan: one step that nothing refers to
	}{
		{"two pastes", "primary_insert", "primary", 2, 1, 0},
		{"two objects for one 500", "object_put", "bucket", 0, 2, 1},
	} {
		t.Run("L3 a create retried once by the app: "+c.row, func(t *testing.T) {
			rep := do(t, "pastebin", all(alone("create"), sets{"duration", "5s", "policy.calls." + c.call + ".attempts", 2,
				"policy.calls." + c.call + ".retry_on", []string{"timeout"}, "policy.calls." + c.call + ".timeout", "500ms",
				"faults", fault(c.on, "lose", "0s", "0s", "p", 1)})...)
			primary, bucket := rep.Dependencies["primary"], rep.Dependencies["bucket"]
			if primary.Stored != c.pastes || bucket.Stored != c.objects || bucket.Orphans != c.orphans || rep.Requests.Failed != 1 {
				t.Errorf("%d pastes, %d objects, %d orphans, %v; want %d, %d, %d and a failure", primary.Stored, bucket.Stored, bucket.Orphans,
					rep.Requests.Outcomes, c.pastes, c.objects, c.orphans)
			}
			if d := rep.Dependencies[c.on].Duplicates; d != 1 {
				t.Errorf("%d duplicates at %s, want 1", d, c.on)
			}
		})
	}
}
