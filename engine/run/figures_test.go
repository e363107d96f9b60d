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

// all is one list of several, of which a later one has the last word.
func all(lists ...sets) (joined sets) {
	for _, l := range lists {
		joined = append(joined, l...)
	}
	return joined
}

// retryEverything is what everyone writes first: three immediate retries of every failure.
var retryEverything = func() (s sets) {
	for _, call := range []string{"primary_read", "primary_insert", "primary_delete", "object_get", "object_put"} {
		s = append(s, "policy.calls."+call+".attempts", 4, "policy.calls."+call+".retry_on", []string{"timeout", "error", "refused"},
			"policy.calls."+call+".backoff.kind", "none", "policy.calls."+call+".jitter", "none")
	}
	return s
}()

// Healthy, the primary is busy 60 % of the time, 58 of them with reads, and nobody fails.
func TestHealthyPastebin(t *testing.T) {
	rep := do(t, "healthy")
	near(t, "busy share of the primary", rep.Dependencies["primary"].Utilization, 8700.0/15000+0.025, 0.01)
	near(t, "reads of the primary", float64(rep.Dependencies["primary"].FirstAttempts)/10, 8700+350+20, 120)
	if rep.BadSeconds != 0 {
		t.Errorf("%d bad seconds with nothing broken", rep.BadSeconds)
	}
}
