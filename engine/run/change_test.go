package run_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

func changes(set ...any) (list []scenario.Change) {
	for i := 0; i < len(set); i += 2 {
		list = append(list, scenario.Change{Path: set[i].(string), Value: set[i+1]})
	}
	return list
}

// again is a new run of what was played, as far as that was.
func again(t interface {
	Helper()
	Fatal(...any)
}, r *run.Run) *run.Run {
	t.Helper()
	again, err := run.New(r.Scenario())
	if err != nil {
		t.Fatal(err)
	}
	again.Advance(r.Now(), 1<<30)
	return again
}

// rule is what of a run's settings can be changed.
func rule(r *run.Run) scenario.Scenario {
	s := r.Settings()
	s.Changes, s.Faults = nil, nil
	return s
}

// Several paths change together if, and only if, what they come to is valid, whatever it is half-way; and what was played is
// a scenario that does the same.
func TestChange(t *testing.T) {
	paths := map[string][]any{
		"policy.calls.b.attempts":          {1, 60, 100, 101},
		"policy.calls.b.hedge_after":       {"0s", "10ms"},
		"policy.calls.b.library.attempts":  {1, 2, 100},
		"policy.calls.b":                   {map[string]any{"attempts": 3}, map[string]any{"attempts": 70}},
		"policy.balancer.attempts":         {1, 2, 100},
		"policy.balancer":                  {map[string]any{"attempts": 3}},
		"policy.budget.percent":            {0, 10, 2000},
		"policy.breaker.enabled":           {true, false},
		"policy.breaker":                   {map[string]any{"enabled": true, "on": []any{"timeout"}}},
		"dependencies.b.service.dist":      {"constant", "table"},
		"dependencies.b.service.table":     {[]any{}, []any{"0s"}, []any{"5ms", "40ms"}},
		"dependencies.b.service.mean":      {"0s", "97ms"},
		"dependencies.b.service.base":      {"0s", "1ms"},
		"dependencies.b.service":           {map[string]any{"mean": "50ms"}},
		"dependencies.b.slots":             {1, 8},
		"dependencies.b.statement_timeout": {"0s", "400ms"},
		"operations.call.rate":             {5, 60},
	}
	together, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		r := start(t, "two-service", "faults", []any{})
		for range rapid.IntRange(1, 6).Draw(rt, "changes") {
			r.Advance(r.Now()+time.Duration(rapid.IntRange(0, 300).Draw(rt, "on"))*time.Millisecond, 1<<30)
			var list []scenario.Change
			for _, path := range rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(paths))), 0, 5, rapid.ID).Draw(rt, "paths") {
				list = append(list, scenario.Change{At: scenario.Duration(rapid.IntRange(0, 9).Draw(rt, "ignored")), Path: path, Value: rapid.SampledFrom(paths[path]).Draw(rt, "value")})
			}
			want, inTurn := rule(r), true
			before := r.Scenario()
			for _, c := range list {
				if err := scenario.Set(&want, c.Path, c.Value); err != nil {
					rt.Fatal(err)
				}
				inTurn = inTurn && want.Validate() == nil
			}
			err := r.Change(list)
			if valid := want.Validate(); (err == nil) != (valid == nil) {
				rt.Fatalf("%v: the error is %v, and of what it comes to %v", list, err, valid)
			}
			if err != nil {
				refused++
				if diff := cmp.Diff(before, r.Scenario()); diff != "" {
					rt.Fatalf("%v was refused, and yet it changes:\n%s", list, diff)
				}
				continue
			}
			if !inTurn {
				together++
			}
			if diff := cmp.Diff(want, rule(r)); diff != "" {
				rt.Fatalf("%v (- should be, + is):\n%s", list, diff)
			}
			made := r.Scenario().Changes[len(before.Changes):]
			if len(list) == 0 && len(made) > 0 {
				rt.Fatalf("no changes make %v", made)
			}
			for _, c := range made {
				if c.At != made[0].At {
					rt.Fatalf("%v are made at more than one instant: %v", list, made)
				}
			}
		}
		r.Advance(r.Now()+time.Second, 1<<30)
		if diff := cmp.Diff(sightOf(r), sightOf(again(rt, r))); diff != "" {
			rt.Fatalf("played again, it is another run (- played, + again):\n%s", diff)
		}
	})
	if together == 0 || refused == 0 {
		t.Errorf("%d changes only made sense together, and %d were refused; want some of each", together, refused)
	}
}

// What is planned for later must still make sense after a change, which a change before it in time can take from it.
func TestChangeWithWhatIsPlanned(t *testing.T) {
	r := start(t, "two-service", "changes", []any{map[string]any{"at": "5s", "path": "policy.calls.b.attempts", "value": 100}})
	r.Advance(time.Second, 1<<30)
	before := r.Scenario()
	err := r.Change(changes("policy.calls.b.timeout", "1s", "policy.balancer.attempts", 2, "policy.calls.b.library.attempts", 100))
	if err == nil || !strings.Contains(err.Error(), "planned for 5s") || !strings.Contains(err.Error(), "policy.calls.b.attempts") {
		t.Errorf("the error is %v, want one that names what is planned for 5s", err)
	}
	if diff := cmp.Diff(before, r.Scenario()); diff != "" {
		t.Errorf("it was refused, and yet it changes:\n%s", diff)
	}
}

// A fault that is planned while the run goes on is one that was in its scenario from the start: also for those who go back,
// and come again.
func TestPlan(t *testing.T) {
	f := scenario.Fault{Target: "b", Kind: "slow", At: scenario.Duration(3 * time.Second), For: scenario.Duration(2 * time.Second), Factor: 10}
	known := start(t, "two-service", "faults", []any{})
	s := known.Settings()
	s.Faults = []scenario.Fault{f}
	known, err := run.New(s)
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, "two-service", "faults", []any{})
	r.Advance(time.Second, 1<<30)
	if err := r.Plan(f); err != nil {
		t.Fatal(err)
	}
	moments := map[time.Duration]sight{}
	for _, at := range []time.Duration{2 * time.Second, 4 * time.Second, 9 * time.Second} {
		r.Advance(at, 1<<30)
		known.Advance(at, 1<<30)
		moments[at] = sightOf(known)
		same(t, "with a fault planned, at "+at.String(), sightOf(r), moments[at])
	}
	if moments[4*time.Second].Snap.Dependencies[0].Health.Well() {
		t.Error("nothing was wrong while the fault was on")
	}
	same(t, "played again", sightOf(again(t, r)), moments[9*time.Second])
	if err := r.Back(500 * time.Millisecond); err != nil { // before it was planned
		t.Fatal(err)
	}
	for _, at := range []time.Duration{4 * time.Second, 9 * time.Second} {
		r.Advance(at, 1<<30)
		same(t, "after going back, at "+at.String(), sightOf(r), moments[at])
	}
	if err := r.Back(2 * time.Second); err != nil {
		t.Fatal(err)
	}
	r.Mend()
	if left := r.Settings().Faults; len(left) > 0 {
		t.Errorf("after it was mended, %v are still to come", left)
	}
}

func TestPlanRefuses(t *testing.T) {
	r := start(t, "two-service", "faults", []any{}, "operations.call.rate", 0.001)
	r.Advance(2*time.Second, 1<<30)
	at := func(t time.Duration) scenario.Fault {
		return scenario.Fault{Target: "b", Kind: "down", At: scenario.Duration(t), Factor: 1}
	}
	elsewhere := at(3 * time.Second)
	elsewhere.Target = "c"
	for _, c := range []struct {
		fault scenario.Fault
		names []string
	}{
		{at(0), []string{"at:", `"0s"`, `"2s"`}},
		{at(2 * time.Second), []string{"at:", `"2s"`, "later"}},
		{at(-1), []string{"at:", "0s"}},
		{at(run.Limit + 1), []string{"at:", "4h"}},
		{elsewhere, []string{"target", `"c"`}},
	} {
		err := r.Plan(c.fault)
		for _, part := range c.names {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("a fault at %v of %s: the error is %v, want %s in it", c.fault.At, c.fault.Target, err, part)
			}
		}
	}
	if faults := r.Scenario().Faults; len(faults) > 0 {
		t.Errorf("what was refused is planned: %v", faults)
	}
	r.Advance(run.Limit, 1<<30)
	if err := r.Plan(at(run.Limit)); err != run.ErrOver {
		t.Errorf("at the end: %v, want %v", err, run.ErrOver)
	}
}

// However many faults somebody adds, what was played is a scenario.
func TestNoMoreFaultsThanAScenarioHas(t *testing.T) {
	r := start(t, "two-service", "faults", []any{})
	f := scenario.Fault{Target: "b", Kind: "down", At: scenario.Duration(time.Hour), For: 1, Factor: 1}
	n := 0
	for r.Plan(f) == nil && n < 10_000 {
		n++
	}
	if err := r.Break(f); err == nil {
		t.Errorf("after %d faults, when no more can be planned, one can be broken", n)
	}
	if err := r.Scenario().Validate(); err != nil {
		t.Error(err)
	}
}
