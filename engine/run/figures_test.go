package run_test

import (
	"math"
	"testing"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// sets is a list of paths and values.
type sets []any

// with is a built-in with some paths set.
func with(t testing.TB, id string, set ...any) scenario.Scenario {
	t.Helper()
	s, ok := scenario.Find(id)
	if !ok {
		t.Fatalf("there is no built-in %q", id)
	}
	for i := 0; i < len(set); i += 2 {
		if err := scenario.Set(&s, set[i].(string), set[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func do(t testing.TB, id string, set ...any) metrics.Report {
	t.Helper()
	rep, err := run.Do(with(t, id, set...))
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// fault is a fault as JSON has it.
func fault(target, kind, at, lasts string, more ...any) []any {
	f := map[string]any{"target": target, "kind": kind, "at": at, "for": lasts}
	for i := 0; i < len(more); i += 2 {
		f[more[i].(string)] = more[i+1]
	}
	return []any{f}
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s is %.4g, want %.4g ± %.2g", what, got, want, within)
	}
}

func between(t *testing.T, what string, got, least, most int) {
	t.Helper()
	if got < least || got > most {
		t.Errorf("%s: %d, want %d to %d", what, got, least, most)
	}
}

// noRetries, fourAttempts and budgeted are the three policies of the two-service experiment.
var (
	noRetries    = sets{"policy.calls.b.attempts", 1}
	fourAttempts = sets{"policy.calls.b.attempts", 4}
	budgeted     = sets{"policy.calls.b.attempts", 4, "policy.budget.percent", 10}
)

// Eight at a time, 100 ms each, are 80 a second; 800 ms each, 10 a second.
func TestCapacityOfB(t *testing.T) {
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
func TestSlowForGood(t *testing.T) {
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
func TestFourTimesTheTraffic(t *testing.T) {
	rep := do(t, "two-service", append(sets{"duration", "60s", "operations.call.arrivals", "even",
		"faults", fault("b", "slow", "0s", "0s", "factor", 8)}, fourAttempts...)...)
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
func TestFlaky(t *testing.T) {
	flaky := sets{"duration", "10m", "faults", fault("b", "flaky", "0s", "0s", "p", 0.2)}
	rep := do(t, "two-service", append(flaky, noRetries...)...)
	near(t, "answered with one attempt", float64(rep.Requests.OK)/float64(rep.Requests.Offered), 0.8, 0.02)
	rep = do(t, "two-service", append(flaky, "policy.calls.b.attempts", 4,
		"policy.calls.b.backoff", map[string]any{"kind": "exponential", "base": "50ms"}, "policy.calls.b.jitter", "full")...)
	near(t, "answered with four", float64(rep.Requests.OK)/float64(rep.Requests.Offered), 1-0.2*0.2*0.2*0.2, 0.003)
	near(t, "load with four", rep.Dependencies["b"].Amplification, 1+0.2+0.04+0.008, 0.02)
}

// "Down for three, felt like eight." Bad seconds by how fast B is when it is well. B slow takes 800 ms in all of them.
// Three per cent of spare capacity decides between eight seconds and for ever: four times 20/s is 80/s, which is all
// that B can do at 100 ms.
func TestThreeSecondsSlow(t *testing.T) {
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

// retryEverything is what everyone writes first: three immediate retries of every failure.
var retryEverything = func() (s sets) {
	for _, call := range []string{"primary_read", "primary_insert", "primary_delete", "object_get", "object_put"} {
		s = append(s, "policy.calls."+call+".attempts", 4, "policy.calls."+call+".retry_on", []string{"timeout", "error", "refused"},
			"policy.calls."+call+".backoff.kind", "none", "policy.calls."+call+".jitter", "none")
	}
	return s
}()

// A two-second blip of the primary at 17,400 reads a second.
func TestBlip(t *testing.T) {
	blip := sets{"duration", "27s", "faults", fault("primary", "stall", "3s", "2s")}
	rep := do(t, "pastebin", blip...)
	if rep.RecoveryS == nil || *rep.RecoveryS > 0.5 {
		t.Errorf("with the rule it outlasts its cause by %v, want 0.5 s at most", rep.RecoveryS)
	}
	between(t, "bad seconds with the rule", rep.BadSeconds, 2, 3)
	near(t, "amplification with the rule", rep.Dependencies["primary"].Amplification, 1, 0.001)

	rep = do(t, "pastebin", append(blip, retryEverything...)...)
	if rep.RecoveryS != nil {
		t.Errorf("with four attempts it recovers after %v s, want still bad 22 s later", *rep.RecoveryS)
	}
	between(t, "bad seconds with four attempts", rep.BadSeconds, 24, 24)
	if a := rep.Dependencies["primary"].Amplification; a < 3 {
		t.Errorf("four attempts make %.2f times the load, want over 3", a)
	}
}

// Healthy, the primary is busy 58 % of the time, and nobody fails.
func TestHealthyPastebin(t *testing.T) {
	rep := do(t, "pastebin", "duration", "10s")
	near(t, "busy share of the primary", rep.Dependencies["primary"].Utilization, 8700.0/15000+0.025, 0.01)
	near(t, "reads of the primary", float64(rep.Dependencies["primary"].FirstAttempts)/10, 8700+350+20, 120)
	if rep.BadSeconds != 0 {
		t.Errorf("%d bad seconds with nothing broken", rep.BadSeconds)
	}
}

// Refused connections leave no backlog: the rule retries them once, and all is well when the primary is.
func TestPrimaryDown(t *testing.T) {
	rep := do(t, "pastebin", append(sets{"duration", "10s", "faults", fault("primary", "down", "3s", "2s")}, retryEverything...)...)
	if rep.RecoveryS == nil || *rep.RecoveryS > 0.1 {
		t.Errorf("it outlasts its cause by %v, want nothing", rep.RecoveryS)
	}
}

// A write of a hundred steps stores a hundred things, once each.
func TestAWriteOfManySteps(t *testing.T) {
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
