package view

import (
	"testing"
	"time"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// stormy is two services in a storm that was lit at 3 s, as it stands at 10 s.
func stormy(t *testing.T) *watched {
	t.Helper()
	w := watch(t, even(builtin(t, "two-service")))
	w.to(3 * time.Second)
	if err := w.Break(slowB(0, 3*time.Second)); err != nil {
		t.Fatal(err)
	}
	w.to(10 * time.Second)
	return w
}

// change makes the settings of a run those of to, as the page does.
func change(t *testing.T, r *run.Run, to scenario.Scenario) {
	t.Helper()
	if err := r.Change(scenario.Diff(r.Settings(), to)); err != nil {
		t.Fatal(err)
	}
}

func TestErasingABoxIsTheRunWithThatChange(t *testing.T) {
	for name, test := range map[string]struct {
		what  *Erasable
		path  string
		value any
	}{
		"retries": {&Retries, "policy.calls.b.attempts", 1},
		"timeout": {&Timeouts, "policy.calls.b.timeout", "0s"},
	} {
		w := stormy(t)
		s := w.Settings()
		erased, _ := test.what.Erase(&s, "b")
		change(t, w.Run, erased)
		w.to(20 * time.Second)

		plain := even(builtin(t, "two-service"))
		plain.Faults = []scenario.Fault{slowB(3*time.Second, 3*time.Second)}
		plain.Changes = []scenario.Change{{At: scenario.Duration(10 * time.Second), Path: test.path, Value: test.value}}
		other := watch(t, plain)
		other.to(20 * time.Second)
		if w.snapshot.Requests != other.snapshot.Requests || w.numbers.Places[0].Totals != other.numbers.Places[0].Totals {
			t.Errorf("%s erased: %+v %+v\nthe run with that change: %+v %+v", name,
				w.snapshot.Requests, w.numbers.Places[0].Totals, other.snapshot.Requests, other.numbers.Places[0].Totals)
		}
	}
}

func TestErasingTheRetriesEndsTheStorm(t *testing.T) {
	w := stormy(t)
	if w.storm.Extra < 50 {
		t.Fatalf("%g extra attempts a second: this is no storm", w.storm.Extra)
	}
	s := w.Settings()
	to, erased := Retries.Erase(&s, w.storm.Dependency)
	if erased.Retries() != 3 {
		t.Errorf("%d retries are erased, want 3", erased.Retries())
	}
	change(t, w.Run, to)
	w.to(20 * time.Second)
	if w.storm.Extra != 0 || w.storm.Past || w.storm.Failing != 0 {
		t.Errorf("ten seconds later: %+v", w.storm)
	}
}

func TestPuttingBackRestoresExactly(t *testing.T) {
	for _, id := range []string{"two-service", "pastebin", "hidden-retries"} {
		for _, what := range []*Erasable{&Retries, &Timeouts} {
			s := builtin(t, id)
			for dependency := range s.Dependencies {
				to, erased := what.Erase(&s, dependency)
				if len(erased) > 0 != (len(scenario.Diff(s, to)) > 0) {
					t.Errorf("%s, %s: %d calls are erased, and %v changes", id, dependency, len(erased), scenario.Diff(s, to))
				}
				if what.Holds(&to, erased) != (len(erased) > 0) || what.Holds(&s, erased) {
					t.Errorf("%s, %s: it holds where it does not, or does not where it does", id, dependency)
				}
				if left := scenario.Diff(s, what.PutBack(&to, erased)); len(left) > 0 {
					t.Errorf("%s, %s: put back, it still differs: %v", id, dependency, left)
				}
			}
		}
	}
}

// What was changed in between stays.
func TestPuttingBackKeepsOtherChanges(t *testing.T) {
	s := builtin(t, "two-service")
	to, erased := Retries.Erase(&s, "b")
	if err := scenario.Set(&to, "policy.calls.b.timeout", "2s"); err != nil {
		t.Fatal(err)
	}
	c := Retries.PutBack(&to, erased).Policy.Calls["b"]
	if c.Attempts != 4 || time.Duration(c.Timeout) != 2*time.Second {
		t.Errorf("%d attempts and a timeout of %v, want 4 and 2s", c.Attempts, time.Duration(c.Timeout))
	}
}
