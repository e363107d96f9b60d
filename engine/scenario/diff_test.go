package scenario_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"stormbin/engine/scenario"
)

func TestDiff(t *testing.T) {
	type changes = []scenario.Change
	for _, c := range []struct {
		name string
		turn func(*scenario.Scenario)
		want changes
	}{
		{"nothing", func(s *scenario.Scenario) {}, nil},
		{"none is as good as an empty list", func(s *scenario.Scenario) { s.Changes, s.Processes.Cap = changes{}, nil }, nil},
		{"never the id and the version", func(s *scenario.Scenario) { s.ID, s.Version = "mine", 2 }, nil},
		{"a seed that no float64 holds", func(s *scenario.Scenario) { s.Seed = math.MaxUint64 }, changes{{Path: "seed", Value: uint64(math.MaxUint64)}}},
		{"one value of each kind, in the order of the types", func(s *scenario.Scenario) {
			s.Policy.PropagateDeadline = false
			b := s.Policy.Calls["b"]
			b.Jitter, b.Attempts = "full", 2
			b.Backoff.Base = dur(20 * time.Millisecond)
			s.Policy.Calls["b"] = b
			o := s.Operations["call"]
			o.Rate = 2.5
			s.Operations["call"] = o
		}, changes{
			{Path: "operations.call.rate", Value: 2.5},
			{Path: "policy.propagate_deadline", Value: false},
			{Path: "policy.calls.b.attempts", Value: 2.0},
			{Path: "policy.calls.b.backoff.base", Value: "20ms"},
			{Path: "policy.calls.b.jitter", Value: "full"},
		}},
		{"a list is one value", func(s *scenario.Scenario) {
			s.Faults = append(s.Faults, scenario.Fault{At: dur(time.Second), Target: "b", Kind: "down", Factor: 1})
			b := s.Policy.Calls["b"]
			b.RetryOn = nil
			s.Policy.Calls["b"] = b
		}, changes{
			{Path: "policy.calls.b.retry_on", Value: []any{}},
			{Path: "faults", Value: []any{
				map[string]any{"at": "3s", "for": "3s", "target": "b", "kind": "slow", "factor": 8.0, "p": 0.0},
				map[string]any{"at": "1s", "for": "0s", "target": "b", "kind": "down", "factor": 1.0, "p": 0.0},
			}},
		}},
		{"so is an entry that is new or gone", func(s *scenario.Scenario) {
			s.Processes.Cap = map[string]int{"order": 3}
			delete(s.Operations, "call")
			s.Jobs = map[string]scenario.Job{"j": {After: "order", On: "ok", Call: "b"}}
		}, changes{
			{Path: "operations.call"},
			{Path: "processes.cap.order", Value: 3.0},
			{Path: "jobs.j", Value: map[string]any{
				"after": "order", "on": "ok", "call": "b", "delay": "0s", "backoff": map[string]any{"kind": "", "base": "0s", "max": "0s"},
			}},
		}},
	} {
		from := find(t, "two-service")
		to := from.Clone()
		c.turn(&to)
		if diff := cmp.Diff(c.want, scenario.Diff(from, to)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Set one after the other they make the one of the other, and none of them could be left out.
func TestDiffLeadsFromAnyScenarioToAny(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := draw(t), draw(t)
		if rapid.Bool().Draw(t, "near") { // most often it is a few fields of one scenario
			far := to
			to = from.Clone()
			for _, c := range scenario.Diff(from, far) {
				if rapid.IntRange(0, 4).Draw(t, "take") == 0 {
					set(t, &to, c)
				}
			}
		}
		leads(t, from, to)
		leads(t, to, from)
	})
}

// Every field that there is, by reflection.
func TestDiffKnowsEveryField(t *testing.T) {
	empty := scenario.Scenario{}
	for _, truth := range []bool{true, false} {
		leads(t, empty, filled(t, truth))
		leads(t, filled(t, truth), empty)
	}
	leads(t, filled(t, true), filled(t, false))
}

func TestDiffBetweenBuiltIns(t *testing.T) {
	list := scenario.List() // all pairs of it would take minutes
	for i, a := range list {
		leads(t, find(t, list[0].ID), find(t, a.ID))
		leads(t, find(t, a.ID), find(t, list[(i+1)%len(list)].ID))
	}
}

type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func set(t tester, s *scenario.Scenario, c scenario.Change) {
	t.Helper()
	if err := scenario.Set(s, c.Path, c.Value); err != nil {
		t.Fatal(err)
	}
}

func leads(t tester, from, to scenario.Scenario) {
	t.Helper()
	to.ID, to.Version = from.ID, from.Version
	same := func(a, b scenario.Scenario) string { return cmp.Diff(a, b, cmpopts.EquateEmpty()) }
	changes := scenario.Diff(from, to)
	got := from.Clone()
	for i, c := range changes {
		before := got.Clone()
		set(t, &got, c)
		if same(before, got) == "" {
			t.Fatalf("%s = %v changes nothing", c.Path, c.Value)
		}
		for _, other := range changes[:i] {
			if strings.HasPrefix(c.Path+".", other.Path+".") || strings.HasPrefix(other.Path+".", c.Path+".") {
				t.Fatalf("%s and %s: one is in the other", other.Path, c.Path)
			}
		}
	}
	if diff := same(to, got); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
	if again := scenario.Diff(from, to); !slices.EqualFunc(changes, again, func(a, b scenario.Change) bool { return cmp.Equal(a, b) }) {
		t.Fatalf("%v the second time, not %v", again, changes)
	}
}

// What is removed from a built-in stays away when the scenario is written and read.
func TestNullRemoves(t *testing.T) {
	s := find(t, "pastebin")
	for _, path := range []string{"jobs.purge", "operations.delete", "processes.cap.create", "policy.calls.purge", "dependencies.cdn"} {
		for range 2 { // what is not there may be removed as well
			if err := scenario.SetText(&s, path, "null"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(s.Jobs) != 2 || len(s.Operations) != 2 || len(s.Processes.Cap) != 0 || len(s.Policy.Calls) != 7 || len(s.Dependencies) != 4 {
		t.Errorf("%d jobs, %d operations, %d caps, %d calls, %d dependencies are left",
			len(s.Jobs), len(s.Operations), len(s.Processes.Cap), len(s.Policy.Calls), len(s.Dependencies))
	}
	readsBack(t, s)
	if diff := cmp.Diff(s, parse(t, `{"id": "pastebin", "jobs": {"purge": null}, "operations": {"delete": null}, "processes": {"cap": {"create": null}},
		"policy": {"calls": {"purge": null}}, "dependencies": {"cdn": null}}`), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("read otherwise than set (-set +read):\n%s", diff)
	}
}

// The world has its calls for as long as the run goes on.
func TestChangesRemoveNoCall(t *testing.T) {
	for path, value := range map[string]any{
		"policy.calls.b": nil, "policy.calls": map[string]any{"b": nil},
	} {
		s := find(t, "two-service")
		s.Changes = []scenario.Change{{Path: path, Value: value}}
		if got, want := line(s.Validate()), "changes.0: policy.calls.b: null: must be a call"; !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
