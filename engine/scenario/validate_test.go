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
		{"operations.read.arrivals", "closed"},
		{"operations.read", `{"arrivals": "closed", "clients": 100000, "think": "1ms"}`},
		{"operations.read.clients", "100000"},
		{"operations.read.think", "0s"},
		{"operations.read.shape", `[{"at": "0s", "factor": 0}, {"at": "1ns", "factor": 1000, "ramp": true}, {"at": "4h"}]`},
		{"operations.read", `{"shape": [{"at": "10s", "factor": 2}], "repeat": "10.000000001s"}`},
		{"operations.read.repeat", "1ms"},
		{"operations.read.copies", "10"},
		{"operations.read.edge", ""},
		{"operations.read.edge", "cdn"},
		{"operations.read.steps", `["primary_read", "primary_read"]`},
		{"operations.read.client", `{"attempts": 100, "timeout": "1s", "retry_on": ["shed"], "backoff": {"kind": "linear"}, "jitter": "equal"}`},
		{"dependencies.primary.slots", "100000"},
		{"dependencies.primary.queue_limit", "100"},
		{"dependencies.primary.cancel", "true"},
		{"dependencies.primary.service", `{"dist": "constant", "mean": "0s", "base": "1ms"}`},
		{"dependencies.primary.service", `{"dist": "lognormal", "sigma": 3, "load": 1000}`},
		{"dependencies.primary.service", `{"dist": "table", "mean": "0s", "table": ["0s", "1ns"]}`},
		{"dependencies.primary.service", `{"dist": "table", "mean": "0s", "base": "1ms", "table": ["0s"]}`},
		{"dependencies.primary.discipline", "lifo"},
		{"dependencies.primary.queue_age", "4h"},
		{"dependencies.primary.retry_after", "4h"},
		{"dependencies.primary.keys", `{"count": 1000000, "zipf": 3, "ttl": "4h", "capacity": 1000000}`},
		{"dependencies.primary.unique", "false"},
		{"processes.count", "1000"},
		{"processes.pick", "least"},
		{"processes.pick", "two"},
		{"processes.pick", "random"},
		{"processes.cap.read", "0"},
		{"duration", "4h"},
		{"duration", "1ns"},
		{"policy.calls.primary_read.attempts", "100"},
		{"policy.calls.primary_read.retry_on", `["timeout", "error", "refused", "lost", "shed"]`},
		{"policy.calls.primary_read.backoff", `{"kind": "exponential", "base": "10ms", "max": "1s"}`},
		{"policy.calls.primary_read.jitter", "decorrelated"},
		{"policy.calls.primary_read", `{"hedge_after": "1ns", "hedge_cancel": true, "attempts": 50}`},
		{"policy.calls.primary_read", `{"hedge_after": "0s", "attempts": 51}`},
		{"policy.calls.object_put.idempotency_key", "true"},
		{"policy.calls.primary_read.library", `{"attempts": 100, "timeout": "5s"}`},
		{"policy.balancer", `{"attempts": 2, "retry_on": ["error", "shed"]}`},
		{"policy.budget", `{"percent": 10, "floor_per_second": 3}`},
		{"policy.budget", `{"kind": "tokens", "max_tokens": 1000, "token_ratio": 1}`},
		{"policy.budget", `{"kind": "in_flight", "percent": 20, "min_concurrent": 0}`},
		{"policy.breaker", `{"enabled": true, "on": ["timeout", "error", "refused", "lost", "shed"], "threshold": 1, "min_calls": 1, "window": "1ms",
			"open_for": "1ms", "probes": 1000, "targets": ["primary", "cache"], "per": "target"}`},
		{"jobs.again", `{"after": "read", "on": "failed", "call": "purge", "delay": "4h", "backoff": {"kind": "constant", "base": "1ms", "max": "0s"}}`},
		{"workers.count", "1000"},
		{"bad_share", "0"},
		{"faults", `[{"target": "primary", "kind": "stall", "for": "2s"}, {"target": "primary", "kind": "down"},
			{"target": "cache", "kind": "blackhole"}, {"target": "bucket", "kind": "slow", "factor": 0.5},
			{"target": "cache", "kind": "flaky", "p": 0.2}, {"target": "cache", "kind": "lose", "p": 1},
			{"target": "primary", "kind": "capacity", "factor": 0}, {"target": "read", "kind": "surge", "factor": 10},
			{"target": "cache", "kind": "flush"}]`},
		{"changes", `[{"at": "1s", "path": "operations.read.rate", "value": 10}, {"at": "1s", "path": "policy.calls.primary_read.timeout", "value": "5ms"},
			{"at": "2s", "path": "policy.budget.percent", "value": 10}, {"at": "2s", "path": "dependencies.primary.service.mean", "value": "1ms"},
			{"at": "2s", "path": "dependencies.primary.discipline", "value": "lifo"}, {"at": "2s", "path": "dependencies.primary.queue_age", "value": "1s"},
			{"at": "2s", "path": "dependencies.primary.queue_limit", "value": 9}, {"at": "2s", "path": "dependencies.primary.retry_after", "value": "1s"},
			{"at": "2s", "path": "dependencies.primary.unique", "value": false}, {"at": "2s", "path": "dependencies.primary.cancel", "value": true},
			{"at": "2s", "path": "dependencies.cache.hit_share", "value": 0}, {"at": "2s", "path": "dependencies.cache.statement_timeout", "value": "1s"},
			{"at": "2s", "path": "policy.balancer.attempts", "value": 2}, {"at": "2s", "path": "policy.breaker.enabled", "value": true},
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
		{"operations.read.rate", "1000001", `operations.read.rate: 1000001: must be 0 to 1000000`},
		{"operations.read.arrivals", "evn", `operations.read.arrivals: "evn": must be one of even, poisson, closed`},
		{"operations.read.deadline", "5h", `operations.read.deadline: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"operations.read.steps", "[]", `operations.read.steps: 0 steps: must be 1 to 100`},
		{"operations.read.steps", `["cache"]`, `operations.read.steps.0: "cache": must be one of policy.calls: cache_get, object_delete, object_get, object_put, primary_delete, primary_insert, primary_read, purge`},
		{"operations.read.client.attempts", "0", `operations.read.client.attempts: 0: must be 1 to 100`},
		{"operations.read.arrivals", "closd", `operations.read.arrivals: "closd": must be one of closed, poisson, even`},
		{"operations.read.clients", "0", `operations.read.clients: 0: must be 1 to 100000`},
		{"operations.read.clients", "100001", `operations.read.clients: 100001: must be 1 to 100000`},
		{"operations.read.think", "5h", `operations.read.think: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"operations.read", `{"arrivals": "closed", "think": "0s"}`, `operations.read.think: "0s": must be "1ms" to "4h0m0s"`},
		{"operations", `{"read": {"arrivals": "closed", "clients": 60000}, "create": {"arrivals": "closed", "clients": 60000}}`,
			`operations: 120000 clients in all: must be 0 to 100000`},
		{"operations.read.shape", `[{"at": "5h"}]`, `operations.read.shape.0.at: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"operations.read.shape", `[{"at": "2s"}, {"at": "2s"}]`, `operations.read.shape.1.at: "2s": must be more than "2s", as points stand in order of time`},
		{"operations.read.shape", `[{"factor": 1001}]`, `operations.read.shape.0.factor: 1001: must be 0 to 1000`},
		{"operations.read", `{"shape": [{}, {"at": "10s"}], "repeat": "10s"}`, `operations.read.repeat: "10s": must be more than "10s", the last point’s time`},
		{"operations.read.repeat", "1us", `operations.read.repeat: "1µs": must be "1ms" to "4h0m0s"`},
		{"operations.read.copies", "0", `operations.read.copies: 0: must be 1 to 10`},
		{"operations.read.copies", "11", `operations.read.copies: 11: must be 1 to 10`},
		{"operations.read.edge", "egde", `operations.read.edge: "egde": must be one of dependencies: edge, bucket, cache, cdn, primary`},
		{"operations.read.client.attempts", "101", `operations.read.client.attempts: 101: must be 1 to 100`},
		{"operations.read.client.timeout", "5h", `operations.read.client.timeout: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"operations.read.client.retry_on", `["late"]`, `operations.read.client.retry_on.0: "late": must be one of lost, timeout, error, refused, shed`},
		{"operations.read.client.backoff.kind", "", `operations.read.client.backoff.kind: "": must be one of none, constant, linear, exponential`},
		{"operations.read.client.jitter", "fool", `operations.read.client.jitter: "fool": must be one of full, none, equal, decorrelated`},

		{"processes.count", "0", `processes.count: 0: must be 1 to 1000`},
		{"processes.pick", "turns", `processes.pick: "turns": must be one of turn, random, least, two`},
		{"processes.count", "1001", `processes.count: 1001: must be 1 to 1000`},
		{"processes.cap.craete", "9", `processes.cap.craete: "craete": must be one of operations: create, delete, read`},
		{"processes.cap.create", "2000000000", `processes.cap.create: 2000000000: must be 0 to 1000000000`},

		{"dependencies.primary.slots", "0", `dependencies.primary.slots: 0: must be 1 to 100000`},
		{"dependencies.primary.slots", "100001", `dependencies.primary.slots: 100001: must be 1 to 100000`},
		{"dependencies.primary.service.dist", "normal", `dependencies.primary.service.dist: "normal": must be one of lognormal, constant, exponential, table`},
		{"dependencies.primary.service.mean", "0s", `dependencies.primary.service.mean: "0s": must be more than "0s", up to "4h0m0s", as base is none`},
		{"dependencies.primary.service.mean", "5h", `dependencies.primary.service.mean: "5h0m0s": must be more than "0s", up to "4h0m0s", as base is none`},
		{"dependencies.primary.service.base", "5h", `dependencies.primary.service.base: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"dependencies.primary.service", `{"dist": "table"}`, `dependencies.primary.service.table: 0 durations: must be 1 to 1000`},
		{"dependencies.primary.service", `{"dist": "table", "table": ["0s"]}`,
			`dependencies.primary.service.table: nothing but 0s: must be more than "0s" somewhere, unless base is`},
		{"dependencies.primary.service.table", `["1s", "5h"]`, `dependencies.primary.service.table.1: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"dependencies.primary.service.sigma", "0", `dependencies.primary.service.sigma: 0: must be more than 0, up to 3`},
		{"dependencies.primary.service.sigma", "3.1", `dependencies.primary.service.sigma: 3.1: must be more than 0, up to 3`},
		{"dependencies.primary.service.load", "1001", `dependencies.primary.service.load: 1001: must be 0 to 1000`},
		{"dependencies.primary.queue_limit", "2000000000", `dependencies.primary.queue_limit: 2000000000: must be 0 to 1000000000`},
		{"dependencies.primary.discipline", "random", `dependencies.primary.discipline: "random": must be one of fifo, lifo`},
		{"dependencies.primary.statement_timeout", "5h", `dependencies.primary.statement_timeout: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"dependencies.primary.queue_age", "5h", `dependencies.primary.queue_age: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"dependencies.primary.retry_after", "5h", `dependencies.primary.retry_after: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"dependencies.cache.keys.count", "1000001", `dependencies.cache.keys.count: 1000001: must be 0 to 1000000`},
		{"dependencies.cache.keys.zipf", "3.5", `dependencies.cache.keys.zipf: 3.5: must be 0 to 3`},
		{"dependencies.cache.keys.ttl", "5h", `dependencies.cache.keys.ttl: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"dependencies.cache.keys", `{"count": 10, "capacity": 11}`, `dependencies.cache.keys.capacity: 11: must be 0 to 10`},
		{"dependencies", `{"cache": {"keys": {"count": 600000}}, "edge": {"keys": {"count": 600000}}}`, `dependencies: 1200000 keys in all: must be 0 to 1000000`},
		{"dependencies.cache.hit_share", "1.5", `dependencies.cache.hit_share: 1.5: must be 0 to 1`},

		{"policy.calls.cache", `{"on": "chache"}`, `policy.calls.cache.on: "chache": must be one of dependencies: cache, bucket, cdn, edge, primary`},
		{"policy.calls.Get", `{"on": "cache"}`, `policy.calls.Get: "Get": must be a name of 1 to 40 of a-z, 0-9, _ and -`},
		{"policy.calls.object_get.on", "", `policy.calls.object_get.on: "object_get": must be one of dependencies: bucket, cache, cdn, edge, primary`},
		{"policy.calls.object_get.timeout", "5h", `policy.calls.object_get.timeout: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"policy.calls.object_get.attempts", "0", `policy.calls.object_get.attempts: 0: must be 1 to 100`},
		{"policy.calls.object_get.attempts", "101", `policy.calls.object_get.attempts: 101: must be 1 to 100`},
		{"policy.calls.object_get.retry_on", `["timeout", "open"]`, `policy.calls.object_get.retry_on.1: "open": must be one of shed, timeout, error, refused, lost`},
		{"policy.calls.object_get.backoff.kind", "expo", `policy.calls.object_get.backoff.kind: "expo": must be one of none, constant, linear, exponential`},
		{"policy.calls.object_get.backoff.base", "5h", `policy.calls.object_get.backoff.base: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"policy.calls.object_get.backoff.max", "5h", `policy.calls.object_get.backoff.max: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"policy.calls.object_get.jitter", "ful", `policy.calls.object_get.jitter: "ful": must be one of full, none, equal, decorrelated`},
		{"policy.calls.object_get.statement_timeout", "5h", `policy.calls.object_get.statement_timeout: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"operations.read", `{"arrivals": "closed", "think": "1s", "copies": 2}`,
			`operations.read.copies: 2: must be 1 with closed arrivals, where a user waits for one answer`},
		{"policy", `{"balancer": {"attempts": 100}, "calls": {"object_get": {"attempts": 100, "library": {"attempts": 2}}}}`,
			`policy.calls.object_get.attempts: 100: must be fewer: with those of the client, the balancer and the library one click of read would be 20300 attempts, and 10000 are the most`},
		{"policy.calls.object_get", `{"attempts": 51, "hedge_after": "1ms"}`, `policy.calls.object_get.attempts: 51: must be 1 to 50, as hedge_after sends each twice`},
		{"policy.calls.object_get.hedge_after", "5h", `policy.calls.object_get.hedge_after: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"policy.calls.object_get.library.attempts", "0", `policy.calls.object_get.library.attempts: 0: must be 1 to 100`},
		{"policy.balancer.attempts", "0", `policy.balancer.attempts: 0: must be 1 to 100`},
		{"policy.budget.kind", "", `policy.budget.kind: "": must be one of ratio, tokens, in_flight`},
		{"policy.budget.kind", "token", `policy.budget.kind: "token": must be one of tokens, ratio, in_flight`},
		{"policy.budget.percent", "1001", `policy.budget.percent: 1001: must be 0 to 1000`},
		{"policy.budget.floor_per_second", "2e6", `policy.budget.floor_per_second: 2000000: must be 0 to 1000000`},
		{"policy.budget.max_tokens", "0", `policy.budget.max_tokens: 0: must be 1 to 1000`},
		{"policy.budget.token_ratio", "0", `policy.budget.token_ratio: 0: must be more than 0, up to 1`},
		{"policy.budget.min_concurrent", "2000000000", `policy.budget.min_concurrent: 2000000000: must be 0 to 1000000000`},
		{"policy.breaker.on", `["open"]`, `policy.breaker.on.0: "open": must be one of shed, timeout, error, refused, lost`},
		{"policy.breaker.threshold", "0", `policy.breaker.threshold: 0: must be more than 0, up to 1`},
		{"policy.breaker.min_calls", "0", `policy.breaker.min_calls: 0: must be 1 to 1000000000`},
		{"policy.breaker.window", "1us", `policy.breaker.window: "1µs": must be "1ms" to "4h0m0s"`},
		{"policy.breaker.open_for", "0s", `policy.breaker.open_for: "0s": must be "1ms" to "4h0m0s"`},
		{"policy.breaker.probes", "1001", `policy.breaker.probes: 1001: must be 1 to 1000`},
		{"policy.breaker.targets", `["cache", "read"]`, `policy.breaker.targets.1: "read": must be one of dependencies: cdn, bucket, cache, edge, primary`},
		{"policy.breaker.per", "call", `policy.breaker.per: "call": must be one of target, process`},

		{"jobs.Purge", `{"after": "delete", "call": "purge"}`, `jobs.Purge: "Purge": must be a name of 1 to 40 of a-z, 0-9, _ and -`},
		{"jobs.purge.after", "purge", `jobs.purge.after: "purge": must be one of operations: create, delete, read`},
		{"jobs.purge.on", "fail", `jobs.purge.on: "fail": must be one of failed, ok, effect`},
		{"jobs.purge.call", "cdn", `jobs.purge.call: "cdn": must be one of policy.calls: purge, cache_get, object_delete, object_get, object_put, primary_delete, primary_insert, primary_read`},
		{"jobs.purge.delay", "5h", `jobs.purge.delay: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"jobs.purge.backoff.kind", "none", `jobs.purge.backoff.kind: "none": must be one of linear, constant, exponential`},
		{"jobs.purge.backoff.base", "0s", `jobs.purge.backoff.base: "0s": must be "1ms" to "4h0m0s"`},
		{"jobs.purge.backoff.max", "1us", `jobs.purge.backoff.max: "1µs": must be "1ms" to "4h0m0s"`},
		{"workers.count", "0", `workers.count: 0: must be 1 to 1000`},
		{"workers.count", "1001", `workers.count: 1001: must be 1 to 1000`},

		{"faults", `[{"target": "primary", "kind": "slw"}]`, `faults.0.kind: "slw": must be one of slow, stall, down, blackhole, flaky, lose, capacity, surge, flush`},
		{"faults", `[{"target": "primary", "kind": "down"}, {"target": "read", "kind": "down"}]`, `faults.1.target: "read": must be one of dependencies: cdn, bucket, cache, edge, primary`},
		{"faults", `[{"target": "read", "kind": "flush"}]`, `faults.0.target: "read": must be one of dependencies: cdn, bucket, cache, edge, primary`},
		{"faults", `[{"target": "cache", "kind": "surge"}]`, `faults.0.target: "cache": must be one of operations: create, delete, read`},
		{"faults", `[{"target": "cache", "kind": "slow", "factor": 0}]`, `faults.0.factor: 0: must be more than 0, up to 1000000`},
		{"faults", `[{"target": "cache", "kind": "slow", "factor": 1000001}]`, `faults.0.factor: 1000001: must be more than 0, up to 1000000`},
		{"faults", `[{"target": "read", "kind": "surge", "factor": 1001}]`, `faults.0.factor: 1001: must be more than 0, up to 1000`},
		{"faults", `[{"target": "cache", "kind": "capacity", "factor": 2}]`, `faults.0.factor: 2: must be 0 to 1`},
		{"faults", `[{"target": "cache", "kind": "flaky", "p": 20}]`, `faults.0.p: 20: must be 0 to 1`},
		{"faults", `[{"target": "cache", "kind": "lose", "p": 1.1}]`, `faults.0.p: 1.1: must be 0 to 1`},
		{"faults", `[{"target": "cache", "kind": "down", "at": "5h"}]`, `faults.0.at: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"faults", `[{"target": "cache", "kind": "down", "for": "5h"}]`, `faults.0.for: "5h0m0s": must be "0s" to "4h0m0s"`},

		{"changes", `[{"at": "2s", "path": "operations.read.rate", "value": 1}, {"at": "1s", "path": "operations.read.rate", "value": 1}]`,
			`changes.1.at: "1s": must be at least "2s", as changes stand in order of time`},
		{"changes", `[{"at": "5h", "path": "operations.read.rate", "value": 1}]`, `changes.0.at: "5h0m0s": must be "0s" to "4h0m0s"`},
		{"changes", `[{"path": "operations.read.rate", "value": 2e6}]`, `changes.0: operations.read.rate: 2000000: must be 0 to 1000000`},
		{"changes", `[{"path": "dependencies.primary.slots", "value": 0}]`, `changes.0: dependencies.primary.slots: 0: must be 1 to 100000`},
		{"changes", `[{"path": "dependencies.primary.service.dist", "value": "table"}]`,
			`changes.0: dependencies.primary.service.table: 0 durations: must be 1 to 1000`},
		{"changes", `[{"path": "seed", "value": 1}]`, frozen("seed")},
		{"changes", `[{"path": "policy.calls.cache_get.on", "value": "primary"}]`,
			`changes.0: policy.calls.cache_get: "primary": must be a call there was from the start, on the same dependency: the world keeps its shape while a run goes on`},
		{"changes", `[{"path": "policy.calls.new", "value": {"on": "primary"}}]`,
			`changes.0: policy.calls.new: "primary": must be a call there was from the start, on the same dependency: the world keeps its shape while a run goes on`},
		{"changes", `[{"path": "operations.read.steps", "value": ["cache_get"]}]`, frozen("operations.read.steps")},
		{"changes", `[{"path": "dependencies.cache.keys.capacity", "value": 1}]`, frozen("dependencies.cache.keys.capacity")},
		{"changes", `[{"path": "operations.read.client.attempts", "value": 2}]`, frozen("operations.read.client.attempts")},
		{"changes", `[{"path": "processes.pick", "value": "two"}]`, frozen("processes.pick")},
		{"changes", `[{"path": "jobs.reap.delay", "value": "1s"}]`, frozen("jobs.reap.delay")},
		{"changes", `[{"path": "policy.budget.percent", "value": 10}, {"path": "policy.breaker.per", "value": "all"}]`,
			`changes.1: policy.breaker.per: "all": must be one of target, process`},
		{"changes", `[{"path": "dependencies.cache", "value": {}}]`, frozen("dependencies.cache")},
		{"changes", `[{"path": "policy", "value": {}}]`, frozen("policy")},
		{"changes", `[{"path": "policy.budget.percent", "value": "10%"}]`, `changes.0: policy.budget.percent: "10%": must be a number, 0 to 1000`},
		{"changes", `[{"path": "policy.calls.object_get.on", "value": "q"}]`, `changes.0: policy.calls.object_get.on: "q": must be one of dependencies: cdn, bucket, cache, edge, primary`},
		{"changes", `[{"path": "policy.budget.percent"}]`, `changes.0: policy.budget.percent: null: must be a number, 0 to 1000`},
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
	return "changes.0: " + path + ": cannot change while a run goes on; what can is an operation’s rate, the policy, and how a dependency serves"
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
		{func(s *scenario.Scenario) { s.Dependencies = nil }, `policy.calls.b.on: "b": must be one of dependencies; there is none yet: add dependencies.b`},
		{func(s *scenario.Scenario) { s.Policy.Calls = nil }, `operations.call.steps.0: "b": must be one of policy.calls; there is none yet: add policy.calls.b`},
		{func(s *scenario.Scenario) {
			s.Operations["call"] = with(s.Operations["call"], func(o *scenario.Operation) { o.Shape = make([]scenario.Point, 1001) })
		}, `operations.call.shape: 1001 points: must be 0 to 1000`},
		{func(s *scenario.Scenario) {
			s.Dependencies["b"] = with(s.Dependencies["b"], func(d *scenario.Dependency) { d.Service.Table = make([]scenario.Duration, 1001) })
		}, `dependencies.b.service.table: 1001 durations: must be 0 to 1000`},
		{func(s *scenario.Scenario) {
			s.Jobs = map[string]scenario.Job{}
			for i := range 101 {
				s.Jobs[fmt.Sprint("j", i)] = scenario.Job{}
			}
		}, `jobs: 101 names: must be 0 to 100`},
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
		if got := first(s.Validate()); got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

// with is v with a change made to it: an entry of a map can't be changed where it is.
func with[T any](v T, change func(*T)) T {
	change(&v)
	return v
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
