package run_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// What is out of all proportion is refused in one line, which begins with the path.
func TestAbsurdScenariosAreRefused(t *testing.T) {
	points := func(n int) (shape []any) {
		for i := range n {
			shape = append(shape, map[string]any{"at": fmt.Sprintf("%dms", i)})
		}
		return shape
	}
	for _, c := range []struct {
		path string
		set  sets
	}{
		{"operations.read.rate", sets{"operations.read.rate", 1e9}},
		{"operations.read.rate", sets{"operations.read.rate", -1}},
		{"operations.read.rate", sets{"operations.read.rate", math.NaN()}},
		{"operations.read.rate", sets{"operations.read.rate", math.Inf(1)}},
		{"bad_share", sets{"bad_share", math.NaN()}},
		{"dependencies.primary.slots", sets{"dependencies.primary.slots", 1_000_000}},
		{"dependencies.primary.slots", sets{"dependencies.primary.slots", 0}},
		{"dependencies.primary.service.mean", sets{"dependencies.primary.service.mean", "0s"}},
		{"dependencies.primary.service.mean", sets{"dependencies.primary.service.mean", "-1s"}},
		{"dependencies.primary.service.load", sets{"dependencies.primary.service.load", math.Inf(1)}},
		{"dependencies.cache.keys.count", sets{"dependencies.cache.keys.count", 1_000_000_000}},
		{"dependencies", sets{"dependencies.cache.keys.count", 1_000_000, "dependencies.edge.keys.count", 1}},
		{"duration", sets{"duration", "0s"}},
		{"duration", sets{"duration", "8760h"}},
		{"policy.calls.primary_read.timeout", sets{"policy.calls.primary_read.timeout", "8760h"}},
		{"policy.calls.primary_read.attempts", sets{"policy.calls.primary_read.attempts", 101}},
		{"policy.calls.primary_read.attempts", sets{"policy.calls.primary_read.attempts", 100, "policy.calls.primary_read.library.attempts", 100,
			"policy.balancer.attempts", 100, "operations.read.client.attempts", 100}},
		{"policy.breaker.window", sets{"policy.breaker.window", "0s"}},
		{"policy.breaker.open_for", sets{"policy.breaker.open_for", "0s"}},
		{"policy.budget.percent", sets{"policy.budget.percent", 1e300}},
		{"processes.count", sets{"processes.count", 1_000_000}},
		{"processes.count", sets{"processes.count", 0}},
		{"operations.read.clients", sets{"operations.read.clients", 1_000_000_000}},
		{"operations.read.think", sets{"operations.read.arrivals", "closed", "operations.read.think", "0s"}},
		{"operations.read.copies", sets{"operations.read.copies", 11}},
		{"operations.read.shape", sets{"operations.read.shape", points(1001)}},
		{"operations.read.repeat", sets{"operations.read.repeat", "1ns"}},
		{"jobs.purge.backoff.base", sets{"jobs.purge.backoff.base", "0s"}},
		{"faults.0.factor", sets{"faults", fault("primary", "slow", "0s", "1s", "factor", math.Inf(1))}},
		{"faults.0.factor", sets{"faults", fault("read", "surge", "0s", "1s", "factor", 1e9)}},
		{"faults.0.p", sets{"faults", fault("primary", "flaky", "0s", "1s", "p", math.NaN())}},
		{"faults.0.at", sets{"faults", fault("primary", "stall", "8760h", "1s")}},
	} {
		s, _ := scenario.Find("pastebin")
		var err error
		for i := 0; i < len(c.set) && err == nil; i += 2 {
			err = scenario.Set(&s, c.set[i].(string), c.set[i+1])
		}
		if err == nil {
			_, err = run.Do(s)
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.path+":") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: the error is %v, want one line that begins with %s", c.set, err, c.path)
		}
	}
	for _, text := range []string{`{"bad_share": NaN}`, `{"bad_share": Infinity}`, `{"bad_share": 1e400}`, `{"duration": 1e99}`, `{"seed": 1e30}`, `{"seed": -1}`} {
		if _, err := scenario.Parse([]byte(text)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is %v, want one line", text, err)
		}
	}
}

// What is allowed and still too much ends at the stated limit, and the report says so.
func TestEndlessRunsAreCutShort(t *testing.T) {
	const most = 100_000
	ramps := func() (shape []any) {
		for i := range 1000 {
			shape = append(shape, map[string]any{"at": fmt.Sprintf("%dms", 1+i), "factor": i % 7, "ramp": true})
		}
		return shape
	}()
	hundred := strings.Split(strings.Repeat("b,", 99)+"b", ",")
	down := fault("b", "down", "0s", "0s")
	hundredAttempts := sets{"policy.calls.b.attempts", 100, "policy.calls.b.timeout", "1ns"}
	for _, c := range []struct {
		name string
		set  sets
	}{
		{"100 attempts, slow", hundredAttempts},
		{"100 attempts, refused", all(hundredAttempts, sets{"faults", down})},
		{"100 × 100 attempts of app and library, refused", all(hundredAttempts, sets{"policy.calls.b.library.attempts", 100, "faults", down})},
		{"10 × 10 × 10 × 10 attempts of all layers, refused", sets{"policy.calls.b.attempts", 10, "policy.calls.b.library.attempts", 10,
			"policy.balancer.attempts", 10, "operations.call.client.attempts", 10, "faults", down}},
		{"a hundred steps that may fail", sets{"operations.call.steps", hundred, "policy.calls.b.optional", true, "policy.calls.b.attempts", 100, "faults", down}},
		{"ten copies of it", sets{"operations.call.copies", 10, "policy.calls.b.attempts", 100, "faults", down}},
		{"hedged at once", sets{"policy.calls.b.attempts", 50, "policy.calls.b.hedge_after", "1ns", "policy.calls.b.timeout", "2ns"}},
		{"1000 processes, the least busy one", sets{"processes.count", 1000, "processes.pick", "least", "dependencies.b.slots", 100_000}},
		{"a million keys", sets{"dependencies.b.keys", map[string]any{"count": 1_000_000, "zipf": 1.1, "capacity": 10}}},
		{"100,000 users who hardly think", sets{"operations.call.arrivals", "closed", "operations.call.clients", 100_000, "operations.call.think", "1ms"}},
		{"100,000 users who are refused", sets{"operations.call.arrivals", "closed", "operations.call.clients", 100_000, "operations.call.think", "1ms", "faults", down}},
		{"a load of 1000 ramps", sets{"operations.call.shape", ramps, "operations.call.repeat", "1001ms"}},
		{"a thousandfold surge", sets{"faults", fault("call", "surge", "0s", "0s", "factor", 1000)}},
		{"a black hole, for ever", sets{"faults", fault("b", "blackhole", "0s", "0s"), "policy.calls.b.timeout", "0s"}},
		{"an edge that is one", sets{"faults", fault("b", "blackhole", "0s", "0s"), "operations.call.edge", "b"}},
		{"users who come again in four hours", sets{"processes.cap.call", 1, "operations.call.client", map[string]any{"attempts": 2,
			"backoff": map[string]any{"kind": "constant", "base": "4h"}}}},
		{"jobs that never go well", sets{"jobs", map[string]any{"j": map[string]any{"after": "call", "on": "failed", "call": "b",
			"backoff": map[string]any{"kind": "constant", "base": "1ms"}}}, "workers.count", 1000, "faults", down}},
		{"a stalled queue that is killed at every age", sets{"dependencies.b.slots", 100_000, "dependencies.b.statement_timeout", "1ms", "faults", fault("b", "stall", "0s", "0s")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rep, err := run.DoAtMost(with(t, "two-service", all(sets{"duration", "4h", "operations.call.rate", 1e6}, c.set)...), most)
			if err != nil {
				t.Fatal(err)
			}
			if !rep.CutShort || rep.DurationS > 3600 {
				t.Errorf("it went on to %v s, cut short %v; want that it was, before an hour is over", rep.DurationS, rep.CutShort)
			}
			// The last thing that happens may be a whole click, with all the attempts that it is allowed, and a few notes of each.
			if rep.Events > most+100_000 {
				t.Errorf("%d things happened, want %d at the most", rep.Events, most)
			}
			addsUp(t, rep)
		})
	}
}

// addsUp is what is true of every report.
func addsUp(t *testing.T, rep metrics.Report) {
	t.Helper()
	r := rep.Requests
	if r.OK < 0 || r.Failed < 0 || r.Shed < 0 || r.Late < 0 || r.Unfinished < 0 || r.Offered != r.OK+r.Failed+r.Shed+r.Late+r.Unfinished {
		t.Errorf("%+v don't add up", r)
	}
	for name, d := range rep.Dependencies {
		if d.Attempts != d.FirstAttempts+d.Retries+d.Hedges || d.Completed < d.AbandonedCompleted || d.Duplicates > d.Stored || d.Reaped > d.Orphans {
			t.Errorf("%s: %+v doesn't add up", name, d)
		}
	}
	if _, err := json.Marshal(rep); err != nil {
		t.Errorf("a number that is none: %v", err)
	}
}

// Whatever is a valid scenario runs, and ends. What is fuzzed is a built-in and what to set of it, line by line; lines that make
// no sense are left out, so that nearly every text is a scenario.
func FuzzDo(f *testing.F) {
	for _, e := range scenario.List() {
		f.Add(e.ID)
	}
	for _, lines := range [][]string{
		{"pastebin", "operations.read.arrivals=closed", "operations.read.clients=9", "operations.read.think=1ms",
			`operations.read.shape=[{"at": "1ms", "factor": 1000, "ramp": true}]`, "operations.read.repeat=2ms", "operations.create.copies=10"},
		{"pastebin", `dependencies.cache.keys={"count": 9, "zipf": 1, "ttl": "1ms"}`, "dependencies.cache.service.dist=table", `dependencies.cache.service.table=["1ms", "0s"]`,
			`faults=[{"target": "cache", "kind": "flush", "at": "1ms", "for": "1ms"}, {"target": "primary", "kind": "capacity", "factor": 0}]`},
		{"two-service", "operations.call.rate=1e6", "dependencies.b.queue_limit=3", "dependencies.b.discipline=lifo", "dependencies.b.queue_age=1ms", "dependencies.b.retry_after=1ns",
			"dependencies.b.cancel=true", "policy.calls.b.hedge_after=1ns", "policy.calls.b.hedge_cancel=true", `policy.calls.b.retry_on=["shed", "timeout"]`,
			"policy.calls.b.library.attempts=3", "policy.calls.b.library.timeout=1ms"},
		{"lost-order", "operations.order.copies=10", "operations.order.deadline=1ns", "operations.order.client.attempts=10", "dependencies.b.unique=false", "policy.calls.b.idempotency_key=true"},
		{"queue", "seed=18446744073709551615", "duration=4h", "operations.call.rate=1e6", "dependencies.q.service.load=1e3", "dependencies.q.service.dist=lognormal", "operations.call.edge=q"},
		{"pastebin", "operations.read.rate=3", "processes.pick=least", "policy.breaker.enabled=true", "policy.breaker.per=target", `policy.breaker.on=["timeout"]`, "policy.balancer.attempts=2",
			"policy.balancer.jitter=decorrelated", "policy.budget.kind=in_flight", `changes=[{"at": "1s", "path": "dependencies.primary.slots", "value": 1}]`},
	} {
		f.Add(strings.Join(lines, "\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		s, found := scenario.Find(lines[0])
		if !found {
			return
		}
		for _, line := range lines[1:] {
			path, value, _ := strings.Cut(line, "=")
			if set := s.Clone(); scenario.SetText(&set, path, value) == nil && set.Validate() == nil {
				s = set
			}
		}
		rep, err := run.DoAtMost(s, 3_000)
		if err != nil {
			t.Fatal(err)
		}
		addsUp(t, rep)
	})
}
