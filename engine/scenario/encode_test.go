package scenario_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"stormbin/engine/scenario"
)

func TestFullSpellsOutEverything(t *testing.T) {
	var documented, full any
	if err := json.Unmarshal([]byte(example), &documented); err != nil {
		t.Fatal(err)
	}
	s := find(t, "two-service")
	if err := json.Unmarshal(write(t, s.Full), &full); err != nil {
		t.Fatal(err)
	}
	contains(t, "", full, documented)
	for _, path := range []string{"bad_share", "changes", "dependencies.b.hit_share", "policy.calls.b.on", "policy.budget.floor_per_second", "policy.calls.b.backoff.max"} {
		v := full
		for key := range strings.SplitSeq(path, ".") {
			v = v.(map[string]any)[key]
		}
		if v == nil {
			t.Errorf("no %s", path)
		}
	}
}

// contains checks that all of part is in whole.
func contains(t *testing.T, path string, whole, part any) {
	switch p := part.(type) {
	case map[string]any:
		w, ok := whole.(map[string]any)
		if !ok {
			t.Errorf("%s is %v", path, whole)
		}
		for key, v := range p {
			contains(t, path+"."+key, w[key], v)
		}
	case []any:
		w, ok := whole.([]any)
		if !ok || len(w) != len(p) {
			t.Fatalf("%s is %v", path, whole)
		}
		for i, v := range p {
			contains(t, path, w[i], v)
		}
	default:
		if whole != part {
			t.Errorf("%s is %v, not %v", path, whole, part)
		}
	}
}

func TestShortLeavesOutDefaults(t *testing.T) {
	got := string(write(t, parse(t, `{"id": "mine", "operations": {"o": {"rate": 5, "arrivals": "poisson", "steps": ["d"]}},
		"dependencies": {"d": {"slots": 1, "service": {"dist": "constant", "mean": "2ms", "base": "0s"}}}, "policy": {"calls": {"d": {"attempts": 1}}},
		"processes": {"count": 1, "cap": {"o": 0}}, "faults": [{"target": "d", "kind": "down", "factor": 1, "p": 0}]}`).Short))
	want := `{
  "version": 1,
  "id": "mine",
  "operations": {
    "o": {
      "rate": 5,
      "steps": [
        "d"
      ]
    }
  },
  "processes": {
    "cap": {
      "o": 0
    }
  },
  "dependencies": {
    "d": {
      "service": {
        "mean": "2ms"
      }
    }
  },
  "policy": {
    "calls": {
      "d": {}
    }
  },
  "faults": [
    {
      "target": "d",
      "kind": "down"
    }
  ]
}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEncodedReadsBack(t *testing.T) {
	for _, e := range scenario.List() {
		readsBack(t, find(t, e.ID))
	}
	// A built-in that was set to what is a plain default, so that leaving it out would bring the built-in's value back.
	s := find(t, "two-service")
	for path, text := range map[string]string{"policy.calls.b.timeout": "0s", "policy.calls.b.retry_on": "[]", "faults": "[]", "dependencies.b.slots": "1"} {
		if err := scenario.SetText(&s, path, text); err != nil {
			t.Fatal(err)
		}
	}
	readsBack(t, s)
}

func TestAnyScenarioReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		readsBack(t, s)
	})
}

func readsBack(t interface {
	Helper()
	Fatal(...any)
	Errorf(string, ...any)
}, s scenario.Scenario) {
	t.Helper()
	for name, write := range map[string]func() ([]byte, error){"Full": s.Full, "Short": s.Short} {
		text, err := write()
		if err != nil {
			t.Fatal(err)
		}
		back, err := scenario.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, back, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-was +read):\n%s\n%s", name, diff, text)
		}
	}
}

func write(t *testing.T, encode func() ([]byte, error)) []byte {
	t.Helper()
	text, err := encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// draw is any valid scenario of one's own.
func draw(t *rapid.T) scenario.Scenario {
	name := rapid.StringMatching(`[a-z0-9_-]{1,40}`)
	length := rapid.Custom(func(t *rapid.T) scenario.Duration {
		return dur(time.Duration(rapid.Int64Range(0, int64(4*time.Hour)).Draw(t, "ns")))
	})
	share := rapid.Float64Range(0, 1)
	of := func(words ...string) *rapid.Generator[string] { return rapid.SampledFrom(words) }
	names := func(label string) []string { return rapid.SliceOfNDistinct(name, 1, 3, rapid.ID).Draw(t, label) }

	s := scenario.Scenario{
		Version: 1, ID: "own-" + rapid.StringMatching(`[a-z0-9_-]{0,30}`).Draw(t, "id"), Seed: rapid.Uint64().Draw(t, "seed"),
		Duration: length.Draw(t, "duration") + 1, BadShare: share.Draw(t, "bad_share"),
		Operations: map[string]scenario.Operation{}, Dependencies: map[string]scenario.Dependency{},
		Processes: scenario.Processes{Count: rapid.IntRange(1, 1000).Draw(t, "count"), Cap: map[string]int{}},
		Policy: scenario.Policy{
			PropagateDeadline: rapid.Bool().Draw(t, "propagate"), Calls: map[string]scenario.Call{},
			Budget: scenario.Budget{Percent: rapid.Float64Range(0, 1000).Draw(t, "percent"), FloorPerSecond: rapid.Float64Range(0, 1e6).Draw(t, "floor")},
		},
	}
	s.Duration = min(s.Duration, dur(4*time.Hour))
	operations, dependencies, calls := names("operations"), names("dependencies"), names("calls")
	for _, n := range operations {
		s.Operations[n] = scenario.Operation{
			Rate: rapid.Float64Range(0, 1e6).Draw(t, "rate"), Arrivals: of("poisson", "even").Draw(t, "arrivals"), Deadline: length.Draw(t, "deadline"),
			Idempotent: rapid.Bool().Draw(t, "idempotent"), Steps: rapid.SliceOfN(of(calls...), 1, 4).Draw(t, "steps"), Client: scenario.Client{Attempts: 1},
		}
		if rapid.Bool().Draw(t, "capped") {
			s.Processes.Cap[n] = rapid.IntRange(0, 1_000_000_000).Draw(t, "cap")
		}
	}
	for _, n := range dependencies {
		s.Dependencies[n] = scenario.Dependency{
			Slots:      rapid.IntRange(1, 100_000).Draw(t, "slots"),
			Service:    scenario.Service{Dist: of("constant", "exponential").Draw(t, "dist"), Mean: max(1, length.Draw(t, "mean")), Base: length.Draw(t, "base")},
			QueueLimit: rapid.IntRange(0, 1_000_000_000).Draw(t, "limit"), Discipline: "fifo", StatementTimeout: length.Draw(t, "statement"),
			Cancel: rapid.Bool().Draw(t, "cancel"), HitShare: share.Draw(t, "hit"),
		}
	}
	for _, n := range calls {
		s.Policy.Calls[n] = scenario.Call{
			On: of(dependencies...).Draw(t, "on"), Timeout: length.Draw(t, "timeout"), Attempts: rapid.IntRange(1, 100).Draw(t, "attempts"),
			RetryOn: rapid.SliceOfN(of("timeout", "error", "refused", "lost", "shed"), 0, 5).Draw(t, "retry_on"),
			Backoff: scenario.Backoff{Kind: of("none", "constant", "linear", "exponential").Draw(t, "backoff"), Base: length.Draw(t, "base"), Max: length.Draw(t, "max")},
			Jitter:  of("none", "full", "equal", "decorrelated").Draw(t, "jitter"), Optional: rapid.Bool().Draw(t, "optional"),
			StatementTimeout: length.Draw(t, "statement"),
		}
	}
	for range rapid.IntRange(0, 4).Draw(t, "faults") {
		f := scenario.Fault{
			At: length.Draw(t, "at"), For: length.Draw(t, "for"), Target: of(dependencies...).Draw(t, "target"),
			Kind:   of("slow", "stall", "down", "blackhole", "flaky", "lose", "capacity", "surge").Draw(t, "kind"),
			Factor: max(1e-9, share.Draw(t, "factor")), P: share.Draw(t, "p"),
		}
		if f.Kind == "surge" {
			f.Target = operations[0]
		}
		s.Faults = append(s.Faults, f)
	}
	at := scenario.Duration(0)
	for range rapid.IntRange(0, 4).Draw(t, "changes") {
		at += dur(time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "later")))
		s.Changes = append(s.Changes, rapid.SampledFrom([]scenario.Change{
			{At: at, Path: "operations." + operations[0] + ".rate", Value: rapid.Float64Range(0, 1e6).Draw(t, "rate")},
			{At: at, Path: "policy.calls." + calls[0] + ".timeout", Value: "20ms"},
			{At: at, Path: "policy.calls." + calls[0], Value: map[string]any{"retry_on": []any{"error"}, "optional": true}},
		}).Draw(t, "change"))
	}
	return s
}
