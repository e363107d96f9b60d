package run_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// B of numbers.md: the experiment in which A calls B.

// noRetries, fourAttempts and budgeted are the three policies of the two-service experiment.
var (
	noRetries    = sets{"policy.calls.b.attempts", 1}
	fourAttempts = sets{"policy.calls.b.attempts", 4}
	budgeted     = sets{"policy.calls.b.attempts", 4, "policy.budget.percent", 10}
)

// Eight at a time, 100 ms each, are 80 a second; 800 ms each, 10 a second.
func TestBCapacity(t *testing.T) {
	for _, c := range []struct {
		factor, perSecond float64
	}{{1, 80}, {8, 10}} {
		rep := do(t, "two-service", "duration", "60s", "operations.call.rate", 200, "policy.calls.b.attempts", 1,
			"faults", fault("b", "slow", "0s", "0s", "factor", c.factor))
		near(t, "completed a second", float64(rep.Dependencies["b"].Completed)/60, c.perSecond, 0.02*c.perSecond)
		near(t, "busy share", rep.Dependencies["b"].Utilization, 1, 0.01)
	}
}

// B slow for good: the retries are what multiplies, and nobody is helped.
func TestBSlowForGood(t *testing.T) {
	for _, c := range []struct {
		name  string
		rule  sets
		ratio float64
	}{{"no retries", noRetries, 1}, {"four attempts", fourAttempts, 4}, {"budget of 10 %", budgeted, 1.1}} {
		t.Run(c.name, func(t *testing.T) {
			rep := do(t, "two-service", append(sets{"duration", "60s", "faults", fault("b", "slow", "0s", "0s", "factor", 8)}, c.rule...)...)
			var offered, attempts int64
			for _, row := range rep.Series[30:] {
				offered += row.Offered
				attempts += row.Dependencies["b"].Attempts
			}
			// Attempts belong to requests of up to three seconds before, so the ratio wobbles with the arrivals.
			near(t, "attempts ÷ requests", float64(attempts)/float64(offered), c.ratio, 0.03*c.ratio)
			if share := float64(rep.Requests.Failed) / float64(rep.Requests.Offered); share <= 0.99 {
				t.Errorf("%.4f failed, want over 0.99", share)
			}
			if rep.Dependencies["b"].AbandonedCompleted < 500 {
				t.Errorf("B worked for %d callers who had left, want nearly all of its 600", rep.Dependencies["b"].AbandonedCompleted)
			}
		})
	}
}

// Evenly spaced, so that no luck of the arrivals is in it, four attempts are exactly four times the requests.
func TestBFourTimesTheTraffic(t *testing.T) {
	rep := do(t, "slow-retries", "duration", "60s")
	var attempts int64
	for _, row := range rep.Series[30:] {
		attempts += row.Dependencies["b"].Attempts
	}
	if attempts != 4*20*30 {
		t.Errorf("B saw %d attempts in 30 s of 20 requests a second, want %d", attempts, 4*20*30)
	}
	if p := rep.Requests.LatencyS.P50; math.Abs(p-4) > 0.04 {
		t.Errorf("half of the users waited over %.2f s, want 4 s: four times one second", p)
	}
}

// B fast but flaky: here retries help.
func TestBFlaky(t *testing.T) {
	rep := do(t, "flaky-no-retries", "duration", "10m")
	near(t, "answered with one attempt", float64(rep.Requests.OK)/float64(rep.Requests.Offered), 0.8, 0.02)
	rep = do(t, "flaky", "duration", "10m")
	near(t, "answered with four", float64(rep.Requests.OK)/float64(rep.Requests.Offered), 1-0.2*0.2*0.2*0.2, 0.003)
	near(t, "load with four", rep.Dependencies["b"].Amplification, 1+0.2+0.04+0.008, 0.02)
}

// "Down for three, felt like eight." Bad seconds by how fast B is when it is well. B slow takes 800 ms in all of them.
// Three per cent of spare capacity decides between eight seconds and for ever: four times 20/s is 80/s, which is all
// that B can do at 100 ms.
func TestBSlowForThreeSeconds(t *testing.T) {
	even := func(ms float64, rule sets) metrics.Report {
		return do(t, "two-service", append(sets{
			"duration", "120s", "operations.call.arrivals", "even",
			"dependencies.b.service.mean", scenario.Duration(ms * 1e6),
			"faults", fault("b", "slow", "3s", "3s", "factor", 800/ms),
		}, rule...)...)
	}
	for _, c := range []struct {
		ms          float64
		least, most int
	}{{99.5, 50, 50}, {99, 25, 25}, {98, 12, 12}, {97, 8, 8}, {96, 6, 6}, {95, 5, 5}, {90, 2, 2}} {
		rep := even(c.ms, fourAttempts)
		between(t, "bad seconds of four attempts", rep.BadSeconds, c.least, c.most)
		if rep.RecoveryS == nil {
			t.Errorf("with B at %v ms, four attempts never recover", c.ms)
		}
		between(t, "bad seconds without retries", even(c.ms, noRetries).BadSeconds, 3, 3)
		between(t, "bad seconds with the budget", even(c.ms, budgeted).BadSeconds, 3, 4)
	}
	rep := even(100, fourAttempts)
	if rep.RecoveryS != nil || !rep.Metastable || rep.BadSeconds < 115 {
		t.Errorf("at exactly 100 ms: %d bad seconds, recovery %v, metastable %v; want it never to end", rep.BadSeconds, rep.RecoveryS, rep.Metastable)
	}
	between(t, "bad seconds without retries at 100 ms", even(100, noRetries).BadSeconds, 3, 3)
	between(t, "bad seconds with the budget at 100 ms", even(100, budgeted).BadSeconds, 3, 4)
}

// B slow does 10 of 20 a second, so its queue grows by 10 a second.
func TestBSlowQueueGrows(t *testing.T) {
	rep := do(t, "slow") // from second 3 on
	for s := 8; s < 29; s++ {
		grown := rep.Series[s+1].Dependencies["b"].Queue - rep.Series[s].Dependencies["b"].Queue
		between(t, fmt.Sprintf("the queue grows in second %d", s+1), int(grown), 4, 20) // eight come free together, each 0.8 s
	}
	near(t, "the queue grows a second", float64(rep.Series[29].Dependencies["b"].Queue-rep.Series[8].Dependencies["b"].Queue)/21, 10, 0.5)
	// "Within a few seconds": eight go in at once, and the twentieth waits more than a second.
	for _, row := range rep.Series[6:] {
		if row.OK > 1 {
			t.Errorf("in second %d %d of %d are answered in time, want nearly none", row.TS, row.OK, row.Offered)
		}
	}
}

// Backoff and jitter spread the same work, and do not rescue B.
func TestBBackoffDoesNotRescue(t *testing.T) {
	for _, id := range []string{"slow-retries", "slow-backoff"} {
		rep := do(t, id, "duration", "60s")
		var attempts int64
		for _, row := range rep.Series[30:] {
			attempts += row.Dependencies["b"].Attempts
		}
		near(t, id+": times the load", float64(attempts)/(20*30), 4, 0.1)
		for _, row := range rep.Series[6:] {
			if row.OK > 1 {
				t.Errorf("%s: in second %d %d of %d are answered, want nearly none", id, row.TS, row.OK, row.Offered)
			}
		}
	}
}

// A breaker that counts timeouts: once open it fails at once and sends nothing; it probes; it closes when B is well.
func TestBBreaker(t *testing.T) {
	for _, c := range []struct {
		row    string
		fault  []any
		opened int64
		well   int // from which second on
	}{
		{"B slow for 3 s: the probe finds it well", fault("b", "slow", "3s", "3s", "factor", 8), 1, 11},
		{"B stalls for 8 s: a probe into it opens it again", fault("b", "stall", "3s", "8s"), 2, 17},
	} {
		t.Run("B breaker, "+c.row, func(t *testing.T) {
			rep := do(t, "two-service", all(noRetries, sets{"duration", "20s", "operations.call.arrivals", "even",
				"policy.breaker.enabled", true, "policy.breaker.on", []string{"timeout"}, "faults", c.fault})...)
			if opened := rep.Dependencies["b"].Opened; opened != c.opened {
				t.Errorf("opened %d times, want %d", opened, c.opened)
			}
			// The first timeouts are at 4 s, and by 5 s they are half of a second's answers.
			for _, row := range rep.Series[6:9] {
				if d := row.Dependencies["b"]; d.Attempts != 0 || d.TurnedAway != 20 {
					t.Errorf("in second %d, when it is open, %d attempts reach B and %d are turned away; want 0 and 20", row.TS, d.Attempts, d.TurnedAway)
				}
				if row.P99S > 0.001 {
					t.Errorf("in second %d users wait %.3f s for their error, want nothing", row.TS, row.P99S)
				}
			}
			for _, row := range rep.Series[c.well:] {
				if row.Failed != 0 || row.Dependencies["b"].Attempts != 20 {
					t.Errorf("in second %d, B being well, %d fail and %d attempts reach it; want 0 and 20", row.TS, row.Failed, row.Dependencies["b"].Attempts)
				}
			}
		})
	}
}

// A write whose answers are lost: with three retries and no key it is four orders, and the user sees an error.
func TestBLostOrder(t *testing.T) {
	for _, c := range []struct {
		row                          string
		id                           string
		set                          sets
		attempts, stored, duplicates int64
		ok                           bool
	}{
		{"3 retries, no key: four orders", "lost-order", nil, 4, 4, 3, false},
		{"no retries: one order, and still an error", "lost-order", noRetries, 1, 1, 0, false},
		{"tried again where the answer is lost: four orders as well", "lost-order", sets{"policy.calls.b.retry_on", []string{"lost"}}, 4, 4, 3, false},
		{"and not where nothing is done yet when the time is up: one order", "lost-order",
			sets{"policy.calls.b.retry_on", []string{"lost"}, "dependencies.b.service.mean", "2s"}, 1, 1, 0, false},
		{"with a key: four attempts, one order", "idempotency-key", nil, 4, 1, 0, false},
		{"only the first answer is lost, with a key: one order, and the user knows", "idempotency-key",
			sets{"faults", fault("b", "lose", "0s", "1ms", "p", 1)}, 2, 1, 0, true},
		{"only the first answer is lost, no key: two orders", "lost-order", sets{"faults", fault("b", "lose", "0s", "1ms", "p", 1)}, 2, 2, 1, true},
		{"two calls with one key at one instant, unique constraint: one order", "double-click", nil, 2, 1, 0, true},
		{"two calls with one key at one instant, looked up first: two orders", "double-click-lookup", nil, 2, 2, 1, true},
		{"two calls at one instant, no key: two orders", "double-click", sets{"policy.calls.b.idempotency_key", false}, 2, 2, 1, true},
	} {
		t.Run("B "+c.row, func(t *testing.T) {
			rep := do(t, c.id, c.set...)
			b := rep.Dependencies["b"]
			if b.Attempts != c.attempts || b.Stored != c.stored || b.Duplicates != c.duplicates {
				t.Errorf("%d attempts, %d orders, %d of them duplicates; want %d, %d, %d", b.Attempts, b.Stored, b.Duplicates, c.attempts, c.stored, c.duplicates)
			}
			if ok := rep.Requests.OK == rep.Requests.Offered; ok != c.ok || rep.Requests.OK+rep.Requests.Failed != rep.Requests.Offered {
				t.Errorf("the user sees %v, want all ok: %v, or else an error", rep.Requests.Outcomes, c.ok)
			}
		})
	}
}

// One cache.get through a client library, its caller's own retries off and on: five dials of 5 s, 0.1 s apart.
func TestBHiddenRetries(t *testing.T) {
	rep := do(t, "hidden-retries")
	if took := seconds(rep.Requests.LatencyS.Max); rep.Requests.Failed != 1 || took != 25_400*time.Millisecond {
		t.Errorf("one get takes %v and comes to %v; want 25.4 s and a failure", took, rep.Requests.Outcomes)
	}
	rep = do(t, "hidden-retries-nested")
	if took := rep.Requests.LatencyS.Max; took < 4*25.4 || took > 4*25.4+3*0.512 {
		t.Errorf("with four attempts of its caller it takes %.1f s, want over 100: four times 25.4, and the waits", took)
	}
}

// A write of a hundred steps stores a hundred things, once each.
func TestBWriteOfManySteps(t *testing.T) {
	steps := make([]string, 100)
	for i := range steps {
		steps[i] = "b"
	}
	rep := do(t, "two-service", "duration", "10s", "operations.call.rate", 1, "operations.call.arrivals", "even",
		"operations.call.steps", steps, "operations.call.idempotent", false, "dependencies.b.service.mean", "1ms", "faults", []any{})
	if b := rep.Dependencies["b"]; b.Stored != 1000 || b.Duplicates != 0 {
		t.Errorf("ten writes of a hundred steps stored %d, %d of them twice; want 1000 and none", b.Stored, b.Duplicates)
	}
}
