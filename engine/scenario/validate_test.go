package scenario_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/scenario"
)

func TestValidateTakes(t *testing.T) {
	for _, set := range [][2]string{
		{"operations.read.rate", "0"},
		{"operations.read.rate", "1e6"},
		{"operations.read.arrivals", "even"},
		{"operations.read.steps", `["primary_read", "primary_read"]`},
		{"dependencies.primary.slots", "100000"},
		{"dependencies.primary.queue_limit", "100"},
		{"dependencies.primary.cancel", "true"},
		{"dependencies.primary.service", `{"dist": "constant", "mean": "0s", "base": "1ms"}`},
		{"processes.count", "1000"},
		{"processes.cap.read", "0"},
		{"duration", "4h"},
		{"duration", "1ns"},
		{"policy.calls.primary_read.attempts", "100"},
		{"policy.calls.primary_read.retry_on", `["timeout", "error", "refused", "lost", "shed"]`},
		{"policy.calls.primary_read.backoff", `{"kind": "exponential", "base": "10ms", "max": "1s"}`},
		{"policy.calls.primary_read.jitter", "decorrelated"},
		{"policy.budget", `{"percent": 10, "floor_per_second": 3}`},
		{"bad_share", "0"},
		{"faults", `[{"target": "primary", "kind": "stall", "for": "2s"}, {"target": "primary", "kind": "down"},
			{"target": "cache", "kind": "blackhole"}, {"target": "bucket", "kind": "slow", "factor": 0.5},
			{"target": "cache", "kind": "flaky", "p": 0.2}, {"target": "cache", "kind": "lose", "p": 1},
			{"target": "primary", "kind": "capacity", "factor": 0}, {"target": "read", "kind": "surge", "factor": 10}]`},
		{"changes", `[{"at": "1s", "path": "operations.read.rate", "value": 10}, {"at": "1s", "path": "policy.calls.primary_read.timeout", "value": "5ms"},
			{"at": "2s", "path": "policy.budget.percent", "value": 10}, {"at": "2s", "path": "dependencies.primary.service.mean", "value": "1ms"},
			{"at": "4h", "path": "dependencies.primary.slots", "value": 4}]`},
	} {
		s := find(t, "pastebin")
		path, text := set[0], set[1]
		if err := scenario.SetText(&s, path, text); err != nil {
			t.Error(err)
		}
		before := s.Clone()
		if err := s.Validate(); err != nil {
			t.Errorf("%s = %s: %v", path, text, err)
		}
		if diff := cmp.Diff(before, s); diff != "" {
			t.Errorf("%s: checking changed it:\n%s", path, diff)
		}
	}
}

func TestValidateErrors(t *testing.T) {
	long := strings.Repeat("n", 41)
	for _, c := range []struct{ path, text, want string }{
		{"version", "2", `version: 2: must be 1`},
		{"duration", "0s", `duration: "0s": must be more than "0s", up to "4h0m0s"`},
		{"duration", "4h1ns", `duration: "4h0m0.000000001s": must be more than "0s", up to "4h0m0s"`},
		{"bad_share", "1.01", `bad_share: 1.01: must be 0 to 1`},

		{"operations.Read", `{"steps": ["cache_get"]}`, `operations.Read: "Read": must be a name of 1 to 40 of a-z, 0-9, _ and -`},
		{"operations", `{"a.b": {"steps": ["cache_get"]}}`, `operations."a.b": "a.b": must be a name of 1 to 40 of a-z, 0-9, _ and -`},
		{"operations." + long, `{"steps": ["cache_get"]}`, `operations.` + long + `: "` + long[:40] + `…": must be a name of 1 to 40 of a-z, 0-9, _ and -`},
		{"operations.read.rate", "1000001", `operations.read.rate: 1.000001e+06: must be 0 to 1000000`},
		{"operations.read.arrivals", "closed", `operations.read.arrivals: "closed": closed arrivals are not simulated yet; use poisson or even`},
		{"operations.read.arrivals", "evn", `operations.read.arrivals: "evn": must be one of even, poisson`},
		{"operations.read.deadline", "5h", `operations.read.deadline: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"operations.read.steps", "[]", `operations.read.steps: 0 steps: must be 1 to 100`},
		{"operations.read.steps", `["cache"]`, `operations.read.steps.0: "cache": must be one of cache_get, object_get, object_put, primary_delete, primary_insert, primary_read`},
		{"operations.read.client.attempts", "0", `operations.read.client.attempts: 0: must be 1 to 100`},
		{"operations.read.client.attempts", "3", `operations.read.client.attempts: 3: users who try again are not simulated yet; leave it 1`},

		{"processes.count", "0", `processes.count: 0: must be 1 to 1000`},
		{"processes.count", "1001", `processes.count: 1001: must be 1 to 1000`},
		{"processes.cap.craete", "9", `processes.cap.craete: "craete": must be one of create, delete, read`},
		{"processes.cap.create", "2000000000", `processes.cap.create: 2000000000: must be 0 to 1000000000`},

		{"dependencies.primary.slots", "0", `dependencies.primary.slots: 0: must be 1 to 100000`},
		{"dependencies.primary.slots", "100001", `dependencies.primary.slots: 100001: must be 1 to 100000`},
		{"dependencies.primary.service.dist", "lognormal", `dependencies.primary.service.dist: "lognormal": these service times are not simulated yet; use constant or exponential`},
		{"dependencies.primary.service.dist", "table", `dependencies.primary.service.dist: "table": these service times are not simulated yet; use constant or exponential`},
		{"dependencies.primary.service.dist", "normal", `dependencies.primary.service.dist: "normal": must be one of constant, exponential`},
		{"dependencies.primary.service.mean", "0s", `dependencies.primary.service.mean: "0s": must be more than "0s", unless base is`},
		{"dependencies.primary.service.base", "5h", `dependencies.primary.service.base: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"dependencies.primary.queue_limit", "2000000000", `dependencies.primary.queue_limit: 2000000000: must be 0 to 1000000000`},
		{"dependencies.primary.discipline", "lifo", `dependencies.primary.discipline: "lifo": last in, first out is not simulated yet; use fifo`},
		{"dependencies.primary.discipline", "random", `dependencies.primary.discipline: "random": must be one of fifo`},
		{"dependencies.primary.statement_timeout", "5h", `dependencies.primary.statement_timeout: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"dependencies.cache.hit_share", "1.5", `dependencies.cache.hit_share: 1.5: must be 0 to 1`},

		{"policy.calls.cache", `{"on": "chache"}`, `policy.calls.cache.on: "chache": must be one of cache, bucket, primary`},
		{"policy.calls.object_get.on", "", `policy.calls.object_get.on: "object_get": must be one of bucket, cache, primary`},
		{"policy.calls.object_get.timeout", "5h", `policy.calls.object_get.timeout: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"policy.calls.object_get.attempts", "0", `policy.calls.object_get.attempts: 0: must be 1 to 100`},
		{"policy.calls.object_get.attempts", "101", `policy.calls.object_get.attempts: 101: must be 1 to 100`},
		{"policy.calls.object_get.retry_on", `["timeout", "open"]`, `policy.calls.object_get.retry_on.1: "open": must be one of shed, timeout, error, refused, lost`},
		{"policy.calls.object_get.backoff.kind", "expo", `policy.calls.object_get.backoff.kind: "expo": must be one of none, constant, linear, exponential`},
		{"policy.calls.object_get.backoff.base", "5h", `policy.calls.object_get.backoff.base: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"policy.calls.object_get.backoff.max", "5h", `policy.calls.object_get.backoff.max: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"policy.calls.object_get.jitter", "ful", `policy.calls.object_get.jitter: "ful": must be one of full, none, equal, decorrelated`},
		{"policy.calls.object_get.statement_timeout", "5h", `policy.calls.object_get.statement_timeout: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"policy.calls.object_get.idempotency_key", "true", `policy.calls.object_get.idempotency_key: true: idempotency keys are not simulated yet; leave it false`},
		{"policy.calls.object_get.hedge_after", "6ms", `policy.calls.object_get.hedge_after: "6ms": hedging is not simulated yet; leave it "0s"`},
		{"policy.budget.percent", "1001", `policy.budget.percent: 1001: must be 0 to 1000`},
		{"policy.budget.floor_per_second", "2e6", `policy.budget.floor_per_second: 2e+06: must be 0 to 1000000`},
		{"policy.breaker.enabled", "true", `policy.breaker.enabled: true: breakers are not simulated yet; leave it false`},

		{"faults", `[{"target": "primary", "kind": "slw"}]`, `faults.0.kind: "slw": must be one of slow, stall, down, blackhole, flaky, lose, capacity, surge`},
		{"faults", `[{"target": "cache", "kind": "flush"}]`, `faults.0.kind: "flush": caches with keys are not simulated yet; there is nothing to flush`},
		{"faults", `[{"target": "primary", "kind": "down"}, {"target": "read", "kind": "down"}]`, `faults.1.target: "read": must be one of cache, bucket, primary`},
		{"faults", `[{"target": "cache", "kind": "surge"}]`, `faults.0.target: "cache": must be one of create, delete, read`},
		{"faults", `[{"target": "cache", "kind": "slow", "factor": 0}]`, `faults.0.factor: 0: must be more than 0, up to 1000000`},
		{"faults", `[{"target": "cache", "kind": "slow", "factor": 1000001}]`, `faults.0.factor: 1.000001e+06: must be more than 0, up to 1000000`},
		{"faults", `[{"target": "read", "kind": "surge", "factor": 1001}]`, `faults.0.factor: 1001: must be more than 0, up to 1000`},
		{"faults", `[{"target": "cache", "kind": "capacity", "factor": 2}]`, `faults.0.factor: 2: must be 0 to 1`},
		{"faults", `[{"target": "cache", "kind": "flaky", "p": 20}]`, `faults.0.p: 20: must be 0 to 1`},
		{"faults", `[{"target": "cache", "kind": "lose", "p": 1.1}]`, `faults.0.p: 1.1: must be 0 to 1`},
		{"faults", `[{"target": "cache", "kind": "down", "at": "5h"}]`, `faults.0.at: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"faults", `[{"target": "cache", "kind": "down", "for": "5h"}]`, `faults.0.for: "5h0m0s": must be "0s" to "4h0m0s"`},

		{"changes", `[{"at": "2s", "path": "operations.read.rate", "value": 1}, {"at": "1s", "path": "operations.read.rate", "value": 1}]`,
			`changes.1.at: "1s": must be at least "2s", as changes stand in order of time`},
		{"changes", `[{"at": "5h", "path": "operations.read.rate", "value": 1}]`, `changes.0.at: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"changes", `[{"path": "seed", "value": 1}]`, frozen("seed")},
		{"changes", `[{"path": "policy.calls.cache_get.on", "value": "primary"}]`,
			`changes.0: policy.calls.cache_get: "primary": must be a call there was from the start, on the same dependency: the world keeps its shape while a run goes on`},
		{"changes", `[{"path": "policy.calls.new", "value": {"on": "primary"}}]`,
			`changes.0: policy.calls.new: "primary": must be a call there was from the start, on the same dependency: the world keeps its shape while a run goes on`},
		{"changes", `[{"path": "operations.read.steps", "value": ["cache_get"]}]`, frozen("operations.read.steps")},
		{"changes", `[{"path": "dependencies.cache.discipline", "value": "fifo"}]`, frozen("dependencies.cache.discipline")},
		{"changes", `[{"path": "dependencies.cache", "value": {}}]`, frozen("dependencies.cache")},
		{"changes", `[{"path": "policy", "value": {}}]`, frozen("policy")},
		{"changes", `[{"path": "policy.budget.percent", "value": "10%"}]`, `changes.0: policy.budget.percent: "10%": must be a finite number, 0 or more`},
		{"changes", `[{"path": "policy.budget.percent", "value": 10}, {"path": "policy.breaker.enabled", "value": true}]`,
			`changes.1: policy.breaker.enabled: true: breakers are not simulated yet; leave it false`},
		{"changes", `[{"path": "policy.calls.object_get.on", "value": "q"}]`, `changes.0: policy.calls.object_get.on: "q": must be one of cache, bucket, primary`},
		{"changes", `[{"path": "policy.budget.percent"}]`, `changes.0: policy.budget.percent: null: must be a finite number, 0 or more`},
	} {
		s := find(t, "pastebin")
		if err := scenario.SetText(&s, c.path, c.text); err != nil {
			t.Errorf("Validate's to say, not Set's: %v", err)
		}
		if got := line(s.Validate()); got != c.want {
			t.Errorf("%s = %s\n got %s\nwant %s", c.path, c.text, got, c.want)
		}
	}
}

func frozen(path string) string {
	return "changes.0: " + path + ": cannot change while a run goes on; what can is an operation's rate, the policy, and how a dependency serves"
}

func TestValidateWhatJSONCannotSay(t *testing.T) {
	for _, c := range []struct {
		spoil func(*scenario.Scenario)
		want  string
	}{
		{func(s *scenario.Scenario) { *s = scenario.Scenario{} }, `version: 0: must be 1`},
		{func(s *scenario.Scenario) { s.ID = "My own" }, `id: "My own": must be a name of 1 to 40 of a-z, 0-9, _ and -`},
		{func(s *scenario.Scenario) { s.BadShare = math.NaN() }, `bad_share: NaN: must be 0 to 1`},
		{func(s *scenario.Scenario) { s.Policy.Budget.Percent = math.Inf(1) }, `policy.budget.percent: +Inf: must be 0 to 1000`},
		{func(s *scenario.Scenario) { s.Duration = -1 }, `duration: "-1ns": must be more than "0s", up to "4h0m0s"`},
		{func(s *scenario.Scenario) { s.Operations = nil }, `operations: {}: must be at least one operation, like {"call": {"rate": 20, "steps": ["b"]}}`},
		{func(s *scenario.Scenario) { s.Dependencies = nil }, `policy.calls.b.on: "b": must be left out, as there is none to name`},
		{func(s *scenario.Scenario) { s.Policy.Calls = nil }, `operations.call.steps.0: "b": must be left out, as there is none to name`},
		{func(s *scenario.Scenario) { s.Faults = make([]scenario.Fault, 1001) }, `faults: 1001 faults: must be 0 to 1000`},
		{func(s *scenario.Scenario) { s.Changes = make([]scenario.Change, 10_001) }, `changes: 10001 changes: must be 0 to 10000`},
		{func(s *scenario.Scenario) {
			for i := range 100 {
				s.Dependencies[fmt.Sprint("d", i)] = s.Dependencies["b"]
			}
		}, `dependencies: 101 names: must be 0 to 100`},
	} {
		s := find(t, "two-service")
		c.spoil(&s)
		if got := line(s.Validate()); got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

func TestChangeApply(t *testing.T) {
	s := find(t, "two-service")
	if err := (scenario.Change{Path: "policy.calls.b.timeout", Value: 20 * time.Millisecond}).Apply(&s); err != nil {
		t.Error(err)
	}
	if got := s.Policy.Calls["b"].Timeout; got != dur(20*time.Millisecond) {
		t.Errorf("timeout is %v", got)
	}
	before := s.Clone()
	if err := (scenario.Change{Path: "policy.calls.b.attempts", Value: 0}).Apply(&s); err == nil {
		t.Error("no error for 0 attempts")
	}
	if diff := cmp.Diff(before, s); diff != "" {
		t.Errorf("changed in spite of the error:\n%s", diff)
	}
}
