package scenario_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/scenario"
)

func TestSet(t *testing.T) {
	for _, c := range []struct {
		path  string
		value any
		same  string // what parsing this over two-service gives
	}{
		{"operations.call.rate", 40, `{"operations": {"call": {"rate": 40}}}`},
		{"operations.call.rate", 0.25, `{"operations": {"call": {"rate": 0.25}}}`},
		{"operations.call.deadline", "300ms", `{"operations": {"call": {"deadline": "300ms"}}}`},
		{"operations.call.deadline", 300 * time.Millisecond, `{"operations": {"call": {"deadline": "300ms"}}}`},
		{"operations.call.deadline", dur(300 * time.Millisecond), `{"operations": {"call": {"deadline": "300ms"}}}`},
		{"policy.calls.b.retry_on", []string{"error"}, `{"policy": {"calls": {"b": {"retry_on": ["error"]}}}}`},
		{"policy.calls.b.retry_on", []string(nil), `{"policy": {"calls": {"b": {"retry_on": []}}}}`},
		{"policy.calls.b", map[string]any{"attempts": 2.0, "jitter": "full"}, `{"policy": {"calls": {"b": {"attempts": 2, "jitter": "full"}}}}`},
		{"policy.calls.c", scenario.Call{On: "b", Attempts: 1}, `{"policy": {"calls": {"c": {"on": "b", "backoff": {"kind": ""}, "jitter": "",
			"library": {"attempts": 0, "retry_on": [], "backoff": {"kind": ""}, "jitter": ""}}}}}`},
		{"policy.propagate_deadline", false, `{"policy": {"propagate_deadline": false}}`},
		{"processes.cap.call", 3, `{"processes": {"cap": {"call": 3}}}`},
		{"faults", []scenario.Fault{}, `{"faults": []}`},
		{"faults", []scenario.Fault{{At: dur(time.Second), Target: "b", Kind: "flaky", P: 0.2}}, `{"faults": [{"at": "1s", "target": "b", "kind": "flaky", "p": 0.2, "factor": 0}]}`},
		{"faults.0.for", "2s", `{"faults": [{"at": "3s", "for": "2s", "target": "b", "kind": "slow", "factor": 8}]}`},
		{"faults.0", map[string]any{"kind": "down"}, `{"faults": [{"at": "3s", "for": "3s", "target": "b", "kind": "down", "factor": 8}]}`},
		{"seed", uint64(math.MaxUint64), `{"seed": 18446744073709551615}`},
		{"operations.other", map[string]any{"steps": []any{"b"}}, `{"operations": {"other": {"steps": ["b"]}}}`},
	} {
		s := find(t, "two-service")
		if err := scenario.Set(&s, c.path, c.value); err != nil {
			t.Error(err)
		}
		want := parse(t, c.same[:1]+`"id": "two-service", `+c.same[1:])
		if diff := cmp.Diff(want, s); diff != "" {
			t.Errorf("%s = %v (-want +got):\n%s", c.path, c.value, diff)
		}
	}
}

func TestSetText(t *testing.T) {
	for _, c := range []struct{ path, text, same string }{
		{"policy.calls.b.attempts", "1", `{"policy": {"calls": {"b": {"attempts": 1}}}}`},
		{"policy.calls.b.timeout", "20ms", `{"policy": {"calls": {"b": {"timeout": "20ms"}}}}`},
		{"policy.calls.b.timeout", `"20ms"`, `{"policy": {"calls": {"b": {"timeout": "20ms"}}}}`},
		{"policy.calls.b.on", "", `{"policy": {"calls": {"b": {"on": ""}}}}`},
		{"policy.calls.b.on", `"5"`, `{"policy": {"calls": {"b": {"on": "5"}}}}`},
		{"policy.calls.b.retry_on", `["lost"]`, `{"policy": {"calls": {"b": {"retry_on": ["lost"]}}}}`},
		{"policy.propagate_deadline", "false", `{"policy": {"propagate_deadline": false}}`},
		{"operations.call.arrivals", "even", `{"operations": {"call": {"arrivals": "even"}}}`},
		{"faults", `[{"target": "b", "kind": "stall"}]`, `{"faults": [{"target": "b", "kind": "stall"}]}`},
	} {
		s := find(t, "two-service")
		if err := scenario.SetText(&s, c.path, c.text); err != nil {
			t.Error(err)
		}
		want := parse(t, c.same[:1]+`"id": "two-service", `+c.same[1:])
		if diff := cmp.Diff(want, s); diff != "" {
			t.Errorf("%s = %s (-want +got):\n%s", c.path, c.text, diff)
		}
	}
}

func TestSetErrors(t *testing.T) {
	const rate = "must be a number, 0 to 1000000"
	for _, c := range []struct {
		path  string
		value any
		want  string
	}{
		{"operations.call.rate", math.NaN(), `operations.call.rate: NaN: must be a value that JSON can hold`},
		{"operations.call.rate", math.Inf(1), `operations.call.rate: +Inf: must be a value that JSON can hold`},
		{"operations.call.rate", 1i, `operations.call.rate: (0+1i): must be a value that JSON can hold`},
		{"operations.call.rate", -1, `operations.call.rate: -1: must be 0 to 1000000`},
		{"operations.call.rate", nil, `operations.call.rate: null: ` + rate},
		{"operations.call.rate", "fast", `operations.call.rate: "fast": ` + rate},
		{"operations.call.rate", map[int]int{1: 2}, `operations.call.rate: {…}: ` + rate},
		{"policy.calls.b.attempts", 1.5, `policy.calls.b.attempts: 1.5: must be a whole number, 1 to 100`},
		{"policy.calls.b.attempts", 1e300, `policy.calls.b.attempts: 1e+300: must be a whole number, 1 to 100`},
		{"policy.calls.b.timeout", -time.Second, `policy.calls.b.timeout: "-1s": must be "0s" to "4h0m0s"`},
		{"policy.calls.b.timout", "1s", `policy.calls.b.timout: no such field; must be one of timeout, on, attempts, retry_on, backoff, jitter, optional, statement_timeout, idempotency_key, hedge_after, hedge_cancel, library`},
		{"policy.calls.c.timeout", "1s", `policy.calls.c: no such name; must be one of b`},
		{"policy.calls.b.timeout.ms", 1, `policy.calls.b.timeout.ms: no such field; policy.calls.b.timeout is a single value`},
		{"processes.cap.call.max", 1, `processes.cap.call: no such name; processes.cap has none yet`},
		{"faults.1.for", "1s", `faults.1: no such entry; faults has 1, counted from 0`},
		{"faults.-1.for", "1s", `faults.-1: no such entry; faults has 1, counted from 0`},
		{"faults.0.fro", "1s", `faults.0.fro: no such field; must be one of for, at, target, kind, factor, p`},
		{"faults", map[string]any{}, `faults: {}: must be a list, like [{…}]`},
		{"operations.call", map[string]any{"rate": 1, "stps": 1}, `operations.call.stps: no such field; must be one of steps, rate, arrivals, clients, think, shape, repeat, copies, deadline, idempotent, edge, client`},
		{"changes.0", 1, `changes.0: no such entry; changes has 0, counted from 0`},
		{"id", "queue", `id: "queue": cannot be set, as the defaults hang on it`},
		{"", 1, `the path is empty; must be like policy.calls.b.timeout`},
	} {
		s := find(t, "two-service")
		if got := line(scenario.Set(&s, c.path, c.value)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.path, got, c.want)
		}
		if diff := cmp.Diff(find(t, "two-service"), s); diff != "" {
			t.Errorf("%s: changed in spite of the error:\n%s", c.path, diff)
		}
	}
	s := find(t, "two-service")
	if got, want := line(scenario.SetText(&s, "faults", `[{"p": 1, "p": 2}]`)), "faults.0.p: given twice; give it once"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
