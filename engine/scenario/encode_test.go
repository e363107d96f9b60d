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

// Every field there is, by reflection.
func TestEveryFieldReadsBack(t *testing.T) {
	readsBack(t, filled(t, true))
	readsBack(t, filled(t, false))
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
	const longest = int64(4 * time.Hour)
	name := rapid.StringMatching(`[a-z0-9_-]{1,40}`)
	between := func(low, high int64, label string) scenario.Duration {
		return dur(time.Duration(rapid.Int64Range(low, high).Draw(t, label)))
	}
	length := func(label string) scenario.Duration { return between(0, longest, label) }
	pause := func(label string) scenario.Duration { return between(int64(time.Millisecond), longest, label) }
	count := func(low, high int, label string) int { return rapid.IntRange(low, high).Draw(t, label) }
	number := func(low, high float64, label string) float64 { return rapid.Float64Range(low, high).Draw(t, label) }
	flag := func(label string) bool { return rapid.Bool().Draw(t, label) }
	of := func(label string, words ...string) string { return rapid.SampledFrom(words).Draw(t, label) }
	some := func(label string, words ...string) []string {
		return rapid.SliceOfN(rapid.SampledFrom(words), 0, 5).Draw(t, label)
	}
	names := func(label string) []string { return rapid.SliceOfNDistinct(name, 1, 3, rapid.ID).Draw(t, label) }
	const billion = 1_000_000_000

	backoff := func() scenario.Backoff {
		return scenario.Backoff{Kind: of("kind", "none", "constant", "linear", "exponential"), Base: length("base"), Max: length("max")}
	}
	outcomes := []string{"timeout", "error", "refused", "lost", "shed"}
	// Only one layer has many attempts, since all of them multiply: 3 copies, 4 steps and 2 × 2 × 2 × 100 are 9,600.
	layers, many := 0, count(0, 8, "many")
	layer := func() scenario.Layer {
		most := 2
		if layers++; layers == many {
			most = 100
		}
		return scenario.Layer{
			Attempts: count(1, most, "attempts"), Timeout: length("timeout"), RetryOn: some("retry_on", outcomes...),
			Backoff: backoff(), Jitter: of("jitter", "none", "full", "equal", "decorrelated"),
		}
	}

	operations, dependencies, calls := names("operations"), names("dependencies"), names("calls")
	s := scenario.Scenario{
		Version: 1, ID: "own-" + rapid.StringMatching(`[a-z0-9_-]{0,30}`).Draw(t, "id"), Seed: rapid.Uint64().Draw(t, "seed"),
		Duration: between(1, longest, "duration"), BadShare: number(0, 1, "bad_share"),
		Operations: map[string]scenario.Operation{}, Dependencies: map[string]scenario.Dependency{}, Jobs: map[string]scenario.Job{},
		Processes: scenario.Processes{Count: count(1, 1000, "count"), Pick: of("pick", "turn", "random", "least", "two"), Cap: map[string]int{}},
		Workers:   scenario.Workers{Count: count(1, 1000, "workers")},
		Policy: scenario.Policy{
			PropagateDeadline: flag("propagate"), Calls: map[string]scenario.Call{}, Balancer: layer(),
			Budget: scenario.Budget{
				Kind: of("budget", "ratio", "tokens", "in_flight"), Percent: number(0, 1000, "percent"), FloorPerSecond: number(0, 1e6, "floor"),
				MaxTokens: count(1, 1000, "tokens"), TokenRatio: number(1e-9, 1, "ratio"), MinConcurrent: count(0, billion, "concurrent"),
			},
			Breaker: scenario.Breaker{
				Enabled: flag("breaker"), On: some("on", outcomes...), Threshold: number(1e-9, 1, "threshold"), MinCalls: count(1, billion, "min"),
				Window: pause("window"), OpenFor: pause("open_for"), Probes: count(1, 1000, "probes"),
				Targets: some("targets", dependencies...), Per: of("per", "process", "target"),
			},
		},
	}
	for _, n := range operations {
		o := scenario.Operation{
			Rate: number(0, 1e6, "rate"), Arrivals: of("arrivals", "poisson", "even", "closed"), Clients: count(1, 33_333, "clients"), Think: pause("think"),
			Copies: 1, Deadline: length("deadline"), Idempotent: flag("idempotent"), Edge: of("edge", append(dependencies, "")...),
			Steps: rapid.SliceOfN(rapid.SampledFrom(calls), 1, 4).Draw(t, "steps"), Client: layer(),
		}
		if o.Arrivals != "closed" {
			o.Copies = count(1, 3, "copies")
		}
		last := int64(-1)
		for range count(0, 4, "points") {
			at := between(last+1, last+int64(time.Hour)-1, "point")
			o.Shape = append(o.Shape, scenario.Point{At: at, Factor: number(0, 1000, "factor"), Ramp: flag("ramp")})
			last = int64(at)
		}
		if flag("repeats") {
			o.Repeat = between(max(last+1, int64(time.Millisecond)), longest, "repeat")
		}
		s.Operations[n] = o
		if flag("capped") {
			s.Processes.Cap[n] = count(0, billion, "cap")
		}
	}
	for _, n := range dependencies {
		keys := count(0, 333_333, "keys")
		d := scenario.Dependency{
			Slots: count(1, 100_000, "slots"), QueueLimit: count(0, billion, "limit"), Discipline: of("discipline", "fifo", "lifo"),
			QueueAge: length("age"), RetryAfter: length("after"), StatementTimeout: length("statement"), Cancel: flag("cancel"), HitShare: number(0, 1, "hit"),
			Keys:   scenario.Keys{Count: keys, Zipf: number(0, 3, "zipf"), TTL: length("ttl"), Capacity: count(0, keys, "capacity")},
			Unique: flag("unique"),
			Service: scenario.Service{
				Dist: of("dist", "constant", "exponential", "lognormal", "table"), Mean: between(1, longest, "mean"), Base: length("base"),
				Sigma: number(1e-9, 3, "sigma"), Load: number(0, 1000, "load"),
			},
		}
		if flag("table") || d.Service.Dist == "table" {
			d.Service.Table = []scenario.Duration{length("entry"), between(1, longest, "entry")}
		}
		s.Dependencies[n] = d
	}
	for _, n := range calls {
		l := layer()
		c := scenario.Call{
			On: of("on", dependencies...), Timeout: l.Timeout, Attempts: l.Attempts, RetryOn: l.RetryOn, Backoff: l.Backoff, Jitter: l.Jitter,
			Optional: flag("optional"), StatementTimeout: length("statement"), IdempotencyKey: flag("key"), HedgeCancel: flag("hedge_cancel"), Library: layer(),
		}
		if c.Attempts <= 50 {
			c.HedgeAfter = length("hedge_after")
		}
		s.Policy.Calls[n] = c
	}
	for _, n := range rapid.SliceOfNDistinct(name, 0, 3, rapid.ID).Draw(t, "jobs") {
		s.Jobs[n] = scenario.Job{
			After: of("after", operations...), On: of("on", "ok", "failed"), Call: of("call", calls...), Delay: length("delay"),
			Backoff: scenario.Backoff{Kind: of("kind", "constant", "linear", "exponential"), Base: pause("base"), Max: pause("max")},
		}
	}
	for range count(0, 4, "faults") {
		f := scenario.Fault{
			At: length("at"), For: length("for"), Target: of("target", dependencies...), Factor: number(1e-9, 1, "factor"), P: number(0, 1, "p"),
			Kind: of("kind", "slow", "stall", "down", "blackhole", "flaky", "lose", "capacity", "surge", "flush"),
		}
		if f.Kind == "surge" {
			f.Target = operations[0]
		}
		s.Faults = append(s.Faults, f)
	}
	at := scenario.Duration(0)
	for range count(0, 4, "changes") {
		at += between(0, int64(time.Hour), "later")
		s.Changes = append(s.Changes, rapid.SampledFrom([]scenario.Change{
			{At: at, Path: "operations." + operations[0] + ".rate", Value: number(0, 1e6, "rate")},
			{At: at, Path: "policy.calls." + calls[0] + ".timeout", Value: "20ms"},
			{At: at, Path: "policy.calls." + calls[0], Value: map[string]any{"retry_on": []any{"error"}, "optional": true}},
			{At: at, Path: "policy.breaker.enabled", Value: true},
			{At: at, Path: "dependencies." + dependencies[0] + ".discipline", Value: "lifo"},
		}).Draw(t, "change"))
	}
	return s
}
