package run_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// Whatever is set, broken and mended while a run goes on, its scenario is the whole of it: played again, it is the same
// run, to the last count.
func TestPlayedSessionIsAScenario(t *testing.T) {
	sessions := []struct {
		id      string
		set     []any
		targets []string
		paths   map[string][]any
	}{
		{"two-service", []any{"operations.call.copies", 3}, []string{"b"}, map[string][]any{
			"policy.calls.b.hedge_after":       {"0s", "1ns", "120ms"},
			"policy.calls.b.library":           {map[string]any{"attempts": 1}, map[string]any{"attempts": 2, "timeout": "150ms"}},
			"policy.balancer.attempts":         {1, 2},
			"policy.breaker":                   {map[string]any{"enabled": false}, map[string]any{"enabled": true, "on": []any{"timeout"}, "open_for": "1s"}},
			"policy.budget.kind":               {"ratio", "tokens", "in_flight"},
			"dependencies.b.discipline":        {"fifo", "lifo"},
			"dependencies.b.queue_age":         {"0s", "50ms"},
			"dependencies.b.retry_after":       {"0s", "30ms"},
			"operations.call.rate":             {5, 60, 200},
			"policy.calls.b.timeout":           {"0s", "300ms", "1s"},
			"policy.calls.b.attempts":          {1, 2, 4},
			"policy.calls.b.backoff":           {map[string]any{"kind": "none"}, map[string]any{"kind": "exponential", "base": "50ms"}},
			"policy.calls.b.jitter":            {"none", "full", "decorrelated"},
			"policy.budget.percent":            {0, 10},
			"policy.propagate_deadline":        {true, false},
			"dependencies.b.slots":             {1, 8, 70},
			"dependencies.b.service.mean":      {"20ms", "97ms"},
			"dependencies.b.service.dist":      {"constant", "exponential"},
			"dependencies.b.queue_limit":       {0, 10},
			"dependencies.b.cancel":            {true, false},
			"dependencies.b.statement_timeout": {"0s", "400ms"},
		}},
		{"pastebin", []any{"operations.read.rate", 300, "operations.create.rate", 50}, []string{"primary", "cache", "bucket"}, map[string][]any{
			"operations.read.rate":               {0, 100, 900},
			"policy.calls.primary_read.attempts": {1, 4},
			"policy.calls.primary_read.retry_on": {[]any{"refused"}, []any{"timeout", "error", "refused"}},
			"dependencies.cache.hit_share":       {0, 0.5, 1},
			"dependencies.primary.slots":         {1, 30},
		}},
	}
	for _, session := range sessions {
		t.Run(session.id, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				r := start(t, session.id, append([]any{"seed", rapid.IntRange(0, 1000).Draw(rt, "seed")}, session.set...)...)
				on := func() {
					if rapid.Bool().Draw(rt, "a step") {
						r.Step() // to the very instant at which something happens
						return
					}
					// All of it, or so much that it ends in the middle of an instant.
					events := rapid.SampledFrom([]int{1 << 30, 1, 37, 38}).Draw(rt, "events")
					r.Advance(r.Now()+time.Duration(rapid.IntRange(0, 900).Draw(rt, "on"))*time.Millisecond, events)
				}
				for range rapid.IntRange(1, 8).Draw(rt, "steps") {
					on()
					switch rapid.IntRange(0, 4).Draw(rt, "what") {
					case 0:
						r.Mend()
					case 1, 2:
						path := rapid.SampledFrom(slices.Sorted(maps.Keys(session.paths))).Draw(rt, "path")
						if err := r.Set(path, rapid.SampledFrom(session.paths[path]).Draw(rt, "value")); err != nil {
							rt.Fatal(err)
						}
					default:
						f := scenario.Fault{
							Target: rapid.SampledFrom(session.targets).Draw(rt, "target"),
							Kind:   rapid.SampledFrom([]string{"slow", "stall", "down", "blackhole", "flaky", "lose", "capacity"}).Draw(rt, "kind"),
							For:    scenario.Duration(rapid.IntRange(0, 600).Draw(rt, "for")) * ms,
							Factor: rapid.SampledFrom([]float64{0.25, 0.5, 1}).Draw(rt, "factor"),
							P:      0.3,
						}
						if err := r.Break(f); err != nil {
							rt.Fatal(err)
						}
					}
				}
				on()
				r.Advance(r.Now(), 1<<30) // what is left of this instant
				again, err := run.New(r.Scenario())
				if err != nil {
					rt.Fatal(err)
				}
				again.Advance(r.Now(), 1<<30)
				if diff := cmp.Diff(r.Report(), again.Report()); diff != "" {
					rt.Errorf("played again, it is another run (- played, + again):\n%s", diff)
				}
				var was, is model.Snapshot
				r.Snapshot(&was)
				again.Snapshot(&is)
				if diff := cmp.Diff(was, is); diff != "" {
					rt.Errorf("played again, the world looks otherwise (- played, + again):\n%s", diff)
				}
			})
		})
	}
}

// What could not be done changes nothing.
func TestWhatIsRefusedIsNotPlayed(t *testing.T) {
	r := start(t, "two-service")
	r.Advance(time.Second, 1<<30)
	before := r.Scenario()
	if r.Set("policy.calls.b.attempts", 0) == nil || r.Set("processes.count", 3) == nil || r.Break(scenario.Fault{Target: "c", Kind: "down"}) == nil {
		t.Error("what can't be is done without an error")
	}
	if diff := cmp.Diff(before, r.Scenario()); diff != "" {
		t.Errorf("and changes the scenario:\n%s", diff)
	}
}

func TestStepGoesOnByOneInstant(t *testing.T) {
	r := start(t, "two-service", "operations.call.rate", 200, "operations.call.arrivals", "even")
	stepped := start(t, "two-service", "operations.call.rate", 200, "operations.call.arrivals", "even")
	var snap model.Snapshot
	last := time.Duration(-1)
	for range 500 {
		stepped.Step()
		stepped.Snapshot(&snap)
		if len(snap.Trace) == 0 {
			t.Fatalf("a step to %v, and nothing happened to any request", snap.Now)
		}
		for _, e := range snap.Trace {
			if e.At != snap.Now {
				t.Fatalf("one step holds what happened at %v and at %v", e.At, snap.Now)
			}
		}
		if snap.Now <= last {
			t.Fatalf("a step from %v to %v: what happens at one instant was not one step", last, snap.Now)
		}
		last = snap.Now
	}
	r.Advance(last, 1<<30)
	if a, b := r.Report().TraceHash, stepped.Report().TraceHash; a != b {
		t.Errorf("step by step it is another run: %s and %s", b, a)
	}
	stepped.Hold()
	stepped.Step()
	if now := stepped.Now(); now != last {
		t.Errorf("a step while a visitor works goes on from %v to %v", last, now)
	}
}

// A run goes no further than its limit, and says that it is there.
func TestARunHasALimit(t *testing.T) {
	r := start(t, "two-service", "operations.call.rate", 0.001, "faults", []any{})
	if !r.Advance(run.Limit+time.Hour, 1<<30) || r.Now() != run.Limit {
		t.Errorf("it got to %v, want %v", r.Now(), run.Limit)
	}
	if err := r.Set("policy.calls.b.attempts", 2); err != run.ErrOver {
		t.Errorf("a change after the end: %v, want %v", err, run.ErrOver)
	}
	if err := r.Break(scenario.Fault{Target: "b", Kind: "down", Factor: 1}); err != run.ErrOver {
		t.Errorf("a fault after the end: %v, want %v", err, run.ErrOver)
	}
	r.Mend()
	r.Step()
	if s := r.Scenario(); s.Validate() != nil {
		t.Errorf("what was played is no scenario: %v", s.Validate())
	}
}
