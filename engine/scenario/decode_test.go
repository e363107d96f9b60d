package scenario_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/scenario"
)

// example is the format as it is documented, every part of it spelled out.
const example = `
{ "version": 1, "id": "two-service", "seed": 1, "duration": "30s",
  "operations": {"call": {"rate": 20, "arrivals": "poisson", "deadline": "0s", "idempotent": true, "steps": ["b"],
                          "client": {"attempts": 1}}},
  "processes": {"count": 1, "cap": {}},
  "dependencies": {"b": {"slots": 8, "service": {"dist": "constant", "mean": "100ms"}, "queue_limit": 0, "discipline": "fifo",
                         "statement_timeout": "0s", "cancel": false}},
  "policy": {"propagate_deadline": true,
             "calls": {"b": {"timeout": "1s", "attempts": 4, "retry_on": ["timeout", "error", "refused"],
                             "backoff": {"kind": "none"}, "jitter": "none", "idempotency_key": false, "hedge_after": "0s"}},
             "budget": {"percent": 0}, "breaker": {"enabled": false}},
  "faults": [{"at": "3s", "for": "3s", "target": "b", "kind": "slow", "factor": 8}] }
`

func TestParseExample(t *testing.T) {
	s := parse(t, example)
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(find(t, "two-service"), s); diff != "" {
		t.Errorf("the example is two-service itself (-built-in +parsed):\n%s", diff)
	}
}

func TestParseOverlaysTheBuiltIn(t *testing.T) {
	// The id may come last: it counts all the same.
	s := parse(t, `{"policy": {"calls": {"b": {"attempts": 1}}}, "processes": {"cap": {"call": 5}},
		"faults": [{"target": "b", "kind": "down"}], "id": "two-service"}`)
	want := find(t, "two-service")
	b := want.Policy.Calls["b"]
	b.Attempts = 1
	want.Policy.Calls["b"] = b
	want.Processes.Cap = map[string]int{"call": 5}
	want.Faults = []scenario.Fault{{Target: "b", Kind: "down", Factor: 1}}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	if s := parse(t, `{"id": "two-service", "faults": [], "policy": {"calls": {"b": {"retry_on": ["lost"]}}}}`); len(s.Faults) != 0 ||
		!cmp.Equal(s.Policy.Calls["b"].RetryOn, []string{"lost"}) {
		t.Errorf("lists are taken whole, not merged: %v, %v", s.Faults, s.Policy.Calls["b"].RetryOn)
	}
}

func TestParseDefaults(t *testing.T) {
	s := parse(t, `{"id": "mine", "operations": {"o": {"shape": [{}]}}, "dependencies": {"d": {}}, "policy": {"calls": {"c": {}}},
		"faults": [{}], "jobs": {"j": {}}}`)
	every := []string{"timeout", "error", "refused", "lost", "shed"}
	layer := scenario.Layer{Attempts: 1, RetryOn: every, Backoff: scenario.Backoff{Kind: "none"}, Jitter: "none"}
	want := scenario.Scenario{
		Version: 1, ID: "mine", Seed: 1, Duration: dur(30 * time.Second), BadShare: 0.01,
		Operations: map[string]scenario.Operation{"o": {
			Arrivals: "poisson", Clients: 1, Think: dur(time.Second), Copies: 1, Idempotent: true, Client: layer,
			Shape: []scenario.Point{{Factor: 1}},
		}},
		Processes: scenario.Processes{Count: 1, Pick: "turn"},
		Dependencies: map[string]scenario.Dependency{"d": {
			Slots: 1, Service: scenario.Service{Dist: "constant", Sigma: 1}, Discipline: "fifo", Unique: true,
		}},
		Policy: scenario.Policy{
			PropagateDeadline: true,
			Calls: map[string]scenario.Call{
				"c": {Attempts: 1, Backoff: scenario.Backoff{Kind: "none"}, Jitter: "none", Library: layer},
			},
			Balancer: layer,
			Budget:   scenario.Budget{Kind: "ratio", MaxTokens: 10, TokenRatio: 0.1, MinConcurrent: 3},
			Breaker: scenario.Breaker{
				On: []string{"refused"}, Threshold: 0.5, MinCalls: 10, Window: dur(time.Second), OpenFor: dur(5 * time.Second), Probes: 1, Per: "process",
			},
		},
		Faults:  []scenario.Fault{{Factor: 1}},
		Jobs:    map[string]scenario.Job{"j": {On: "ok", Backoff: scenario.Backoff{Kind: "exponential", Base: dur(time.Second), Max: dur(time.Hour)}}},
		Workers: scenario.Workers{Count: 1},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
}

func TestParseNumbersAndDurations(t *testing.T) {
	s := parse(t, `{"seed": 18446744073709551615, "duration": "1h1.5s", "bad_share": 1e-2, "processes": {"count": 2.3e1},
		"operations": {"o": {"rate": 0.5}}, "changes": [{"at": "1us", "path": "p", "value": {"a": [1, "x", true]}}]}`)
	if s.Seed != 1<<64-1 || s.Duration != dur(time.Hour+1500*time.Millisecond) || s.BadShare != 0.01 || s.Processes.Count != 23 ||
		s.Operations["o"].Rate != 0.5 {
		t.Errorf("%+v", s)
	}
	want := []scenario.Change{{At: dur(time.Microsecond), Path: "p", Value: map[string]any{"a": []any{1.0, "x", true}}}}
	if diff := cmp.Diff(want, s.Changes); diff != "" {
		t.Error(diff)
	}
}

func TestParseErrors(t *testing.T) {
	const (
		unit     = `must be a duration with a unit, like "20ms", of `
		timeout  = unit + `"0s" to "4h0m0s"`
		duration = unit + `more than "0s", up to "4h0m0s"`
	)
	for _, c := range []struct{ in, want string }{
		{``, `line 1: not JSON: ends where a value must be`},
		{"{\n  \"seed\": 1,\n}", `line 3: not JSON: '}' where a name in quotes must be`},
		{`{} {}`, `line 1: not JSON: '{' where the end must be`},
		{`{"id" "x"}`, `line 1: not JSON: '"' where a colon must be`},
		{"{\"id\": \"x\"\n\"seed\": 1}", `line 2: not JSON: '"' where a comma or } must be`},
		{"\n\n[1, é]", `line 3: not JSON: 'é' where a value must be`},
		{`{"seed": -}`, `line 1: not JSON: '}' where a digit must be`},
		{`{"id": "x`, `line 1: not JSON: ends where a closing quote must be`},
		{"{\"id\": \"x\ny\"}", `line 1: not JSON: '\n' where an escape like \n must be`},
		{`{"id": "\x"}`, `line 1: not JSON: '\\' where an escape like \n or \u00e9 must be`},
		{`{"seed": 1, "seed": 1`, `line 1: not JSON: ends where a comma or } must be`},
		{`[]`, `[…]: a scenario must be an object, like {"id": "two-service"}`},
		{`null`, `null: a scenario must be an object, like {"id": "two-service"}`},
		{`{"seed": 1, "seed": 2}`, `seed: given twice; give it once`},
		{`{"policy": {"calls": {"b": {}, "b": {}}}}`, `policy.calls.b: given twice; give it once`},
		{`{"policy": {"budget": {"percnt": 10}}}`, `policy.budget.percnt: no such field; must be one of percent, kind, floor_per_second, max_tokens, token_ratio, min_concurrent`},
		{`{"Seed": 1}`, `Seed: no such field; must be one of seed, version, id, duration, operations, processes, dependencies, policy, faults, jobs, workers, changes, bad_share`},
		{`{"a.b\n": 1}`, `"a.b\n": no such field; must be one of jobs, version, id, seed, duration, operations, processes, dependencies, policy, faults, workers, changes, bad_share`},
		{`{"` + strings.Repeat("x", 99) + `": 1}`, `"` + strings.Repeat("x", 40) + `…": no such field; must be one of version, id, seed, duration, operations, processes, dependencies, policy, faults, jobs, workers, changes, bad_share`},
		{`{"policy": {"calls": {"b": {"timeout": "20"}}}}`, `policy.calls.b.timeout: "20": ` + timeout},
		{`{"policy": {"calls": {"b": {"timeout": 20}}}}`, `policy.calls.b.timeout: 20: ` + timeout},
		{`{"policy": {"calls": {"b": {"timeout": "20 ms"}}}}`, `policy.calls.b.timeout: "20 ms": ` + timeout},
		{`{"policy": {"calls": {"b": {"timeout": null}}}}`, `policy.calls.b.timeout: null: ` + timeout},
		{`{"duration": "99999999h"}`, `duration: "99999999h": ` + duration},
		{`{"duration": "-1s"}`, `duration: "-1s": must be more than "0s", up to "4h0m0s"`},
		{`{"seed": -1}`, `seed: -1: must be a whole number, 0 to 18446744073709551615`},
		{`{"seed": 1.5}`, `seed: 1.5: must be a whole number, 0 to 18446744073709551615`},
		{`{"seed": 18446744073709551616}`, `seed: 18446744073709551616: must be a whole number, 0 to 18446744073709551615`},
		{`{"seed": "1"}`, `seed: "1": must be a whole number, 0 to 18446744073709551615`},
		{`{"processes": {"count": 2147483648}}`, `processes.count: 2147483648: must be a whole number, 1 to 1000`},
		{`{"processes": {"cap": {"read": -1}}}`, `processes.cap.read: -1: must be a whole number, 0 to 1000000000`},
		{`{"operations": {"o": {"rate": 1e400}}}`, `operations.o.rate: 1e400: must be a number, 0 to 1000000`},
		{`{"operations": {"o": {"rate": -0.1}}}`, `operations.o.rate: -0.1: must be 0 to 1000000`},
		{`{"operations": {"o": {"rate": true}}}`, `operations.o.rate: true: must be a number, 0 to 1000000`},
		{`{"operations": {"o": {"steps": "b"}}}`, `operations.o.steps: "b": must be a list, like ["…"]`},
		{`{"operations": {"o": {"steps": ["b", 1]}}}`, `operations.o.steps.1: 1: must be a string in quotes, one of policy.calls; there is none yet`},
		{`{"operations": {"o": {"idempotent": "yes"}}}`, `operations.o.idempotent: "yes": must be true or false`},
		{`{"operations": {"o": {"client": 1}}}`, `operations.o.client: 1: must be an object, like {"attempts": …}`},
		{`{"operations": []}`, `operations: […]: must be an object, like {"name": …}`},
		{`{"faults": {"kind": "slow"}}`, `faults: {…}: must be a list, like [{…}]`},
		{`{"faults": null}`, `faults: null: must be a list, like [{…}]`},
		{`{"faults": [{}, {"at": 3}]}`, `faults.1.at: 3: ` + timeout},
		{`{"changes": [{"value": [1, 1e400]}]}`, `changes.0.value.1: 1e400: must be a finite number`},
		{`{"id": 7}`, `id: 7: must be a string in quotes`},
		{`{"id": {"id": "` + strings.Repeat("x", 99) + `"}, "duration": 1}`, `id: {…}: must be a string in quotes`},
		{`{"duration": "` + strings.Repeat("x", 99) + `"}`, `duration: "` + strings.Repeat("x", 40) + `…": ` + duration},
	} {
		s, err := scenario.Parse([]byte(c.in))
		if got := first(err); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
		if diff := cmp.Diff(scenario.Scenario{}, s); diff != "" {
			t.Errorf("%s: an error comes with no scenario:\n%s", c.in, diff)
		}
	}
	if _, err := scenario.Parse([]byte(strings.Repeat("[", 1_000_000))); err == nil {
		t.Error("a million brackets are no scenario")
	}
}

func parse(t *testing.T, text string) scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func find(t *testing.T, id string) scenario.Scenario {
	t.Helper()
	s, ok := scenario.Find(id)
	if !ok {
		t.Fatalf("no %s", id)
	}
	return s
}

func line(err error) string {
	if err == nil {
		return "no error"
	}
	return err.Error()
}

// first is the first thing that is wrong.
func first(err error) string {
	if err == nil {
		return "no error"
	}
	return scenario.Each(err)[0].Error()
}

func dur(d time.Duration) scenario.Duration { return scenario.Duration(d) }
