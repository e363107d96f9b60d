package presets_test

import (
	"testing"
	"time"

	"stormbin/engine/policy"
	"stormbin/engine/presets"
	"stormbin/engine/scenario"
)

const unbounded = 0

// How long one call takes against a host that swallows packets, worked out by hand.
func TestWorst(t *testing.T) {
	const (
		ms = time.Millisecond
		s  = time.Second
	)
	table := map[string]time.Duration{
		// Four times 5 dials of 5s with 4 waits of 100ms between, 25.4s, and waits of 20, 40 and 80ms.
		"go-redis": 4*25400*ms + 140*ms,
		// 21 dials of 10s. Waits of 50, 100, 200, 400, 800, 1600 and 3200ms, 6.35s, and 13 of 5s.
		"ioredis": 210*s + 6350*ms + 65*s,
		// 11 dials of 5s. Waits of 20, 40, 80, 160, 320 and 640ms, 1.26s, and four of 1s.
		"redis-py": 55*s + 1260*ms + 4*s,
		// One dial; a new connection that fails is not retried.
		"net-http":         30 * s,
		"database-sql":     unbounded,
		"go-retryablehttp": unbounded,
		"requests":         unbounded,
		"axios-retry":      unbounded,
		"okhttp":           10 * s,
		"polly":            unbounded,
		// Four attempts of 10s with 2, 4 and 8s between would be 54s.
		"dotnet-http":  30 * s,
		"resilience4j": unbounded,
		"spring-retry": unbounded,
		"finagle":      unbounded,
		"grpc":         20 * s,
		"grpc-retry":   20 * s,
		// The route's timeout is not retried.
		"envoy":        15 * s,
		"envoy-budget": 15 * s,
		"istio":        unbounded,
		// One minute at each of two servers.
		"nginx": 120 * s,
		// Three dials of 30s with 2 and 4s between.
		"aws-sdk-go-v2": 90*s + 6*s,
		// A hundred attempts of 30s would be most of an hour.
		"kafka-producer": 120 * s,
		"mongodb":        unbounded,
		// Four dials of 30s, at once.
		"go-elasticsearch": 120 * s,
		"temporal":         unbounded,
	}
	for _, p := range presets.List() {
		want, ok := table[p.ID]
		if !ok {
			t.Errorf("%s: work it out by hand, and add it here", p.ID)
		}
		if got, bounded := p.Worst(); got != want || bounded != (want != unbounded) {
			t.Errorf("%s: %v, bounded %v; by hand it is %v", p.ID, got, bounded, want)
		}
	}
	if len(table) != len(presets.List()) {
		t.Errorf("%d presets by hand, %d in the list", len(table), len(presets.List()))
	}
}

// With its retries off, go-redis still dials five times.
func TestWorstOfGoRedisWithoutRetries(t *testing.T) {
	p := find(t, "go-redis")
	on, _ := p.Worst()
	p.Layer.Attempts = 1
	if off, _ := p.Worst(); off != 25400*time.Millisecond || on < 100*time.Second {
		t.Errorf("%v with its retries off, %v with them on; want 25.4s, and over 100s", off, on)
	}
}

// Worst is what the machine of a call does on the scenario that the preset was put on.
func TestWorstIsWhatACallTakes(t *testing.T) {
	for _, p := range presets.List() {
		worst, bounded := p.Worst()
		if !bounded {
			continue
		}
		s := twoService(t)
		apply(t, &s, p)
		line := s.Policy.Calls["b"]
		line.Jitter, line.Library.Jitter = "none", "none"
		if took := swallowed(t, line.Rule(), line.Library); took != worst {
			t.Errorf("%s: a call takes %v, Worst says %v", p.ID, took, worst)
		}
	}
}

// swallowed is how long a call of this rule takes when nothing ever answers.
func swallowed(t *testing.T, rule policy.Rule, library scenario.Layer) time.Duration {
	t.Helper()
	attempt := time.Duration(0) // when an attempt of it ends by itself. 0: never
	if library.Present() && library.Timeout > 0 {
		attempt = swallowed(t, library.Rule(), scenario.Layer{})
	}
	terms := policy.Terms{Rule: &rule}
	var call policy.Call
	now, sent := time.Duration(0), time.Duration(0)
	act := call.Start(&terms, now, policy.NoDeadline)
	for range 1000 {
		if act.Done {
			return now
		}
		if act.Send > 0 {
			sent = now
		}
		if end := sent + attempt; attempt > 0 && act.Send > 0 && (act.Timer == 0 || end < act.Timer) {
			now = end
			act = call.Result(&terms, now, call.Attempt(), policy.Timeout)
			continue
		}
		now = act.Timer
		act = call.Timer(&terms, now)
	}
	t.Fatal("it never ends")
	return 0
}
