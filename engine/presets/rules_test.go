package presets_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/metrics"
	"stormbin/engine/presets"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// built is a built-in with some paths set.
func built(t *testing.T, id string, set ...any) scenario.Scenario {
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

func withRule(t *testing.T, s scenario.Scenario, rule string) scenario.Scenario {
	t.Helper()
	changed, err := presets.WithRule(s, rule)
	if err != nil {
		t.Fatalf("%s: %v", rule, err)
	}
	return changed
}

// ruled is what a built-in comes to under a rule.
func ruled(t *testing.T, rule, id string, set ...any) metrics.Report {
	t.Helper()
	report, err := run.Do(withRule(t, built(t, id, set...), rule))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestRulesAreTold(t *testing.T) {
	names := map[string]bool{}
	for _, r := range presets.Rules() {
		if r.Name == "" || names[r.Name] {
			t.Errorf("%q is there twice, or has no name", r.Name)
		}
		names[r.Name] = true
		if !strings.HasSuffix(r.Cost, ".") || strings.Contains(r.Cost, ". ") {
			t.Errorf("%s costs %q: must be one sentence", r.Name, r.Cost)
		}
	}
}

// Every rule on every built-in: valid, the same when it is put there twice, nothing left of the rule before, and of the rest
// of the scenario nothing changed.
func TestRulesChangeThePolicyAndNothingElse(t *testing.T) {
	for _, e := range scenario.List() {
		for _, r := range presets.Rules() {
			s := built(t, e.ID)
			before := s.Clone()
			once := withRule(t, s, r.Name)
			if diff := cmp.Diff(before, s); diff != "" {
				t.Errorf("%s on %s wrote on what it was given:\n%s", r.Name, e.ID, diff)
			}
			if err := once.Validate(); err != nil {
				t.Errorf("%s on %s: %v", r.Name, e.ID, err)
			}
			for _, other := range presets.Rules() {
				if diff := cmp.Diff(once, withRule(t, withRule(t, s, other.Name), r.Name)); diff != "" {
					t.Errorf("%s on %s after %s (-alone +after):\n%s", r.Name, e.ID, other.Name, diff)
				}
			}
			for name, c := range once.Policy.Calls {
				was := before.Policy.Calls[name]
				if c.On != was.On || c.Timeout != was.Timeout || c.Library.Timeout != was.Library.Timeout || c.Optional != was.Optional ||
					c.StatementTimeout != was.StatementTimeout || c.IdempotencyKey != was.IdempotencyKey {
					t.Errorf("%s on %s: %s waits, goes or means something else:\n%s", r.Name, e.ID, name, cmp.Diff(was, c))
				}
			}
			once.Policy = before.Policy
			if diff := cmp.Diff(before, once); diff != "" {
				t.Errorf("%s on %s changed more than the policy:\n%s", r.Name, e.ID, diff)
			}
		}
	}
}

// A whole policy, whatever was in it: hedges, libraries, a balancer that retries, other budgets.
func TestRulesLeaveNothingOfAnotherPolicy(t *testing.T) {
	s := built(t, "pastebin", "policy.balancer.attempts", 3, "policy.budget.floor_per_second", 7, "policy.breaker.per", "target",
		"policy.calls.primary_read.hedge_after", "1ms", "policy.calls.primary_read.library.attempts", 3, "operations.read.client.attempts", 3)
	for _, r := range presets.Rules() {
		changed := withRule(t, s, r.Name)
		if changed.Operations["read"].Client.Attempts != 3 {
			t.Errorf("%s: the users' own retries are theirs", r.Name)
		}
		changed.Operations = built(t, "pastebin").Operations
		if diff := cmp.Diff(withRule(t, built(t, "pastebin"), r.Name), changed); diff != "" {
			t.Errorf("%s (-on the plain pastebin +on another):\n%s", r.Name, diff)
		}
	}
}

func TestUnknownRule(t *testing.T) {
	s := built(t, "queue")
	got, err := presets.WithRule(s, "budget 10%")
	if want := `"budget 10%": no such rule; must be one of budget 10 %, the rule, retry everything three times`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	if diff := cmp.Diff(s, got); diff != "" {
		t.Errorf("changed in spite of the error:\n%s", diff)
	}
}

// A rule that would make too much of one click is refused.
func TestRulesKeepTheLimits(t *testing.T) {
	s := built(t, "two-service", "operations.call.client.attempts", 100, "operations.call.copies", 10, "policy.calls.b.attempts", 1,
		"operations.call.steps", []string{"b", "b", "b"})
	got, err := presets.WithRule(s, "retry everything three times")
	if err == nil || !strings.Contains(err.Error(), "10000 are the most") {
		t.Errorf("error %v, want one for 12,000 attempts", err)
	}
	if diff := cmp.Diff(s, got); diff != "" {
		t.Errorf("changed in spite of the error:\n%s", diff)
	}
}

func TestTheRuleIsTheCataloguesOfThePastebin(t *testing.T) {
	s := built(t, "pastebin")
	if diff := cmp.Diff(s.Policy, withRule(t, s, "the rule").Policy); diff != "" {
		t.Errorf("(-catalogue +rule)\n%s", diff)
	}
}

// The promises of the rule, in every system there is: a timeout is never retried, what writes never.
func TestTheRule(t *testing.T) {
	for _, e := range scenario.List() {
		s := withRule(t, built(t, e.ID), "the rule")
		for name, c := range s.Policy.Calls {
			if c.Attempts > 2 || c.Attempts == 2 && !(slices.Equal(c.RetryOn, []string{"refused"}) && c.Jitter != "none") {
				t.Errorf("%s: %s is tried %d times, on %v, jitter %s", e.ID, name, c.Attempts, c.RetryOn, c.Jitter)
			}
		}
		for name, o := range s.Operations {
			for _, step := range o.Steps {
				if !o.Idempotent && s.Policy.Calls[step].Attempts > 1 {
					t.Errorf("%s: %s replays %s", e.ID, name, step)
				}
			}
		}
	}
	report := ruled(t, "the rule", "pastebin", "duration", "3s", "faults", fault("primary", "stall", "1s", "1s"))
	for name, d := range report.Dependencies {
		if d.Retries+d.Hedges+d.Duplicates != 0 || d.Amplification != 1 {
			t.Errorf("a stall made %d retries, %d hedges and %d duplicates at %s", d.Retries, d.Hedges, d.Duplicates, name)
		}
	}
	if report.RecoveryS == nil || *report.RecoveryS > 0.2 {
		t.Errorf("it is to end with its cause: %v", report.RecoveryS)
	}
	down := ruled(t, "the rule", "pastebin", "duration", "1s", "faults", fault("primary", "down", "0s", "0s"))
	if d := down.Dependencies["primary"]; d.Retries == 0 || d.Amplification > 2 {
		t.Errorf("where nothing was sent there is one more try: %d retries, %.2f×", d.Retries, d.Amplification)
	}
}

// Four times the load on what fails each time, 1.248 times where each attempt has its own luck; and nearly all succeed then.
func TestRetries(t *testing.T) {
	for _, rule := range []string{"retry everything three times", "backoff and jitter"} {
		flaky := func(p float64) metrics.Report {
			return ruled(t, rule, "two-service", "duration", "200s", "operations.call.rate", 20, "dependencies.b.service.mean", "1ms",
				"faults", fault("b", "flaky", "0s", "0s", "p", p))
		}
		near(t, rule+": times the load of what always fails", flaky(1).Dependencies["b"].Amplification, 4, 0)
		some := flaky(0.2)
		near(t, rule+": times the load of a fifth", some.Dependencies["b"].Amplification, 1.248, 0.05)
		near(t, rule+": share answered", float64(some.Requests.OK)/float64(some.Requests.Offered), 0.9984, 0.002)
	}
	// The one sends at once, the other waits before each.
	always := func(rule string) float64 {
		return ruled(t, rule, "two-service", "duration", "10s", "faults", fault("b", "flaky", "0s", "0s", "p", 1.0)).Requests.LatencyS.P50
	}
	if at, spread := always("retry everything three times"), always("backoff and jitter"); spread < at+0.1 {
		t.Errorf("half have failed after %.3f s at once, %.3f s with backoff", at, spread)
	}
}

// What always succeeds where nothing breaks is a storm without end after two seconds' stall, spread or not.
func TestRetriesOutlastTheirCause(t *testing.T) {
	for _, rule := range []string{"retry everything three times", "backoff and jitter"} {
		report := ruled(t, rule, "pastebin", "duration", "8s", "faults", fault("primary", "stall", "1s", "2s"))
		if report.RecoveryS != nil {
			t.Errorf("%s: over after %.1f s", rule, *report.RecoveryS)
		}
	}
}

// The base of the backoff is no longer than the attempt: or the three waits are more than the time that a request has.
func TestBackoffSuitsTheTimeout(t *testing.T) {
	s := withRule(t, built(t, "pastebin"), "backoff and jitter")
	for name, want := range map[string]time.Duration{
		"cache_get": 5 * time.Millisecond, "primary_read": 20 * time.Millisecond, "object_get": 100 * time.Millisecond, "purge": 100 * time.Millisecond,
	} {
		if got := s.Policy.Calls[name].Backoff.Base; time.Duration(got) != want {
			t.Errorf("%s waits %v at first, want %v", name, got, want)
		}
	}
	if got := withRule(t, built(t, "queue"), "backoff and jitter").Policy.Calls["q"].Backoff.Base; time.Duration(got) != 100*time.Millisecond {
		t.Errorf("without a timeout it waits %v at first, want 100ms", got)
	}
}

// Never more than 1.1 times, and the ten that the bucket holds, whatever fails.
func TestBudget(t *testing.T) {
	for _, kind := range []string{"stall", "down", "flaky"} {
		b := ruled(t, "budget 10 %", "two-service", "duration", "60s", "faults", fault("b", kind, "1s", "0s", "p", 1.0)).Dependencies["b"]
		if most := b.FirstAttempts/10 + 10; b.Retries > most || b.Retries < most/2 {
			t.Errorf("%s: %d retries of %d, want some, and at most %d", kind, b.Retries, b.FirstAttempts, most)
		}
	}
}

// It opens for slowness as well, sends nothing then, and is over a few seconds after its cause, where the same retries alone
// never end.
func TestBreaker(t *testing.T) {
	stalled := []any{"duration", "8s", "faults", fault("primary", "stall", "1s", "2s")}
	with, without := ruled(t, "breaker", "pastebin", stalled...), ruled(t, "retry everything three times", "pastebin", stalled...)
	if d := with.Dependencies["primary"]; d.Opened == 0 || d.TurnedAway == 0 || d.Attempts >= without.Dependencies["primary"].Attempts/2 {
		t.Errorf("opened %d times, turned %d away; the primary had %d attempts, %d without it", d.Opened, d.TurnedAway, d.Attempts, without.Dependencies["primary"].Attempts)
	}
	if with.RecoveryS == nil || *with.RecoveryS > 5 {
		t.Errorf("it outlasts its cause by %v, want the few seconds for which it is open", with.RecoveryS)
	}
	even := []any{"operations.call.arrivals", "even", "dependencies.b.service.mean", "97ms"}
	slow, retried := ruled(t, "breaker", "two-service", even...), ruled(t, "retry everything three times", "two-service", even...)
	if got, want := slow.Dependencies["b"].Retries, retried.Dependencies["b"].Retries/2; slow.Dependencies["b"].Opened == 0 || got > want {
		t.Errorf("before a slow B: opened %d times, and %d retries; want at most %d, half of those without it", slow.Dependencies["b"].Opened, got, want)
	}
	if !slices.ContainsFunc(slow.Series, func(r metrics.Row) bool { return r.Failed > 0 && r.Dependencies["b"].Open > 0 && r.P99S == 0 }) {
		t.Error("there is no second in which users are told at once that B is not asked")
	}
	if calm := ruled(t, "breaker", "pastebin", "duration", "2s").Dependencies; calm["cache"].Opened+calm["primary"].Opened+calm["bucket"].Opened > 0 {
		t.Error("it opens although nothing is broken")
	}
}

// On a good day one in twenty of the reads is sent twice, and none of the writes.
func TestHedge(t *testing.T) {
	reads := []any{"operations.create.rate", 0, "operations.delete.rate", 0, "duration", "2s"}
	hedged := ruled(t, "hedge", "pastebin", reads...)
	for _, name := range []string{"primary", "bucket", "cache"} {
		near(t, "times the load of "+name, hedged.Dependencies[name].Amplification, 1.05, 0.015)
	}
	if hedged.BadSeconds > 0 {
		t.Errorf("%d bad seconds on a good day", hedged.BadSeconds)
	}
	writes := ruled(t, "hedge", "pastebin", "operations.read.rate", 0, "duration", "2s", "faults", fault("primary", "slow", "0s", "0s", "factor", 8.0))
	for name, d := range writes.Dependencies {
		if d.Attempts > 0 && d.Hedges > 0 {
			t.Errorf("%d hedges of writes at %s", d.Hedges, name)
		}
	}
	for _, c := range []struct{ dist, want string }{
		{`{"dist": "constant", "mean": "100ms"}`, "100.1ms"}, // just after, or else each is hedged at the moment of its answer
		{`{"dist": "exponential", "mean": "2ms"}`, "6ms"},    // 2 × ln 20
		{`{"dist": "exponential", "mean": "2ms", "base": "4ms"}`, "10ms"},
		{`{"dist": "lognormal", "mean": "10ms", "sigma": 1}`, "31.5ms"}, // 10 × e^(1.645 − ½)
		{`{"dist": "table", "table": ["9ms", "1ms", "1ms", "1ms", "1ms", "1ms", "1ms", "1ms", "1ms", "1ms"]}`, "9.1ms"},
		{`{"dist": "exponential", "mean": "4h"}`, "0s"}, // longer than a scenario can say
	} {
		s := built(t, "two-service", "policy.calls.b.timeout", "0s")
		if err := scenario.SetText(&s, "dependencies.b.service", c.dist); err != nil {
			t.Fatal(err)
		}
		if got := withRule(t, s, "hedge").Policy.Calls["b"].HedgeAfter; got.String() != c.want {
			t.Errorf("%s is hedged after %v, want %s", c.dist, got, c.want)
		}
	}
	if got := withRule(t, built(t, "two-service", "policy.calls.b.timeout", "50ms"), "hedge").Policy.Calls["b"].HedgeAfter; got != 0 {
		t.Errorf("hedged after %v, when it has timed out", got)
	}
}

func TestNoRetries(t *testing.T) {
	for _, e := range scenario.List() {
		s := built(t, e.ID, "duration", "3s")
		faults := slices.Clone(s.Faults)
		for _, name := range slices.Sorted(maps.Keys(s.Dependencies)) {
			faults = append(faults, scenario.Fault{For: scenario.Duration(2 * time.Second), Target: name, Kind: "flaky", Factor: 1, P: 0.5})
		}
		s.Faults, s.Jobs = faults, nil // what workers run again is no retry
		for name, o := range s.Operations {
			o.Client.Attempts = 1 // users are not ruled
			s.Operations[name] = o
		}
		report, err := run.Do(withRule(t, s, "no retries"))
		if err != nil {
			t.Fatal(err)
		}
		for name, d := range report.Dependencies {
			if d.Amplification != 1 {
				t.Errorf("%s: %.2f× the attempts at %s", e.ID, d.Amplification, name)
			}
		}
	}
}

// One call, with a library's default by its name.
func TestWithLibrary(t *testing.T) {
	s := built(t, "pastebin")
	want := s.Clone()
	if err := find(t, "go-redis").Apply(&want, "cache_get"); err != nil {
		t.Fatal(err)
	}
	got, err := presets.WithLibrary(s, "cache_get", "go-redis")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-Apply +WithLibrary)\n%s", diff)
	}
	if diff := cmp.Diff(built(t, "pastebin"), s); diff != "" {
		t.Errorf("wrote on what it was given:\n%s", diff)
	}
	for _, c := range []struct{ call, id, err string }{
		{"cache_get", "go-reddis", `"go-reddis": no such preset; must be one of go-redis, ioredis`},
		{"cache", "go-redis", `policy.calls: "cache": must be one of cache_get`},
	} {
		got, err := presets.WithLibrary(s, c.call, c.id)
		if err == nil || !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%s on %s: error %v, want %s", c.id, c.call, err, c.err)
		}
		if diff := cmp.Diff(s, got); diff != "" {
			t.Errorf("changed in spite of the error:\n%s", diff)
		}
	}
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
		t.Error(fmt.Sprintf("%s is %.4g, want %.4g ± %.2g", what, got, want, within))
	}
}
