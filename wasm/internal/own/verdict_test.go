package own

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// judged is a system with all that is found out about it, as the page does it.
func judged(t *testing.T, s scenario.Scenario, before *scenario.Scenario) Told {
	t.Helper()
	trials := Trials(s, before)
	outcomes := make([]*Outcome, len(trials))
	for i, trial := range trials {
		r, err := run.Do(Next(trials, outcomes, i))
		if err != nil {
			t.Fatalf("trial %d: %v", i, err)
		}
		o := &Outcome{Verdict: r.Verdict, Bad: r.BadSeconds, Share: WorstShare(r.Series), Extra: Worst(r.Series)}
		if r.OutlastedS != nil {
			o.Outlasts = time.Duration(*r.OutlastedS * 1e9)
		} else {
			o.Never = len(trial.Scenario.Faults) > 0
		}
		outcomes[i] = o
	}
	return Tell(trials, outcomes)
}

func shape(t *testing.T, id string) scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse([]byte(ShapeText(id)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Three attempts on a database that is half busy make an outage of a blip, and one attempt doesn't.
func TestTheFirstShapeTellsTheStory(t *testing.T) {
	s := shape(t, "service")
	told := judged(t, s, nil)
	want, err := run.Do(s)
	if err != nil {
		t.Fatal(err)
	}
	if told.Verdict != want.Verdict || told.Before != "" || told.Note != "" {
		t.Errorf("told %q (before: %q, note: %q), want %q", told.Verdict, told.Before, told.Note, want.Verdict)
	}
	if len(told.Rows) != 1 {
		t.Fatalf("rows %+v, want one for the database", told.Rows)
	}
	r := told.Rows[0]
	if r.Now != "still bad 33 s later" || !r.Outlasts || !strings.HasPrefix(r.Once, "bad for ") || !strings.HasPrefix(r.Extra, "+") || r.Before != "" {
		t.Errorf("the row %+v", r)
	}

	once := s.Clone()
	if err := scenario.Set(&once, "policy.calls.db.attempts", 1); err != nil {
		t.Fatal(err)
	}
	told = judged(t, once, &s)
	now := told.Rows[0]
	if told.Before != want.Verdict || now.Before != r.Now || now.Now != r.Once || now.Outlasts || now.Extra != "none" {
		t.Errorf("held against three attempts, one comes to %+v; before: %q", now, told.Before)
	}
}

func TestTrials(t *testing.T) {
	paste, _ := scenario.Find("pastebin")
	trials := Trials(paste, nil)
	if trials[0].Of != Whole || len(scenario.Diff(paste, trials[0].Scenario)) > 0 {
		t.Error("what comes first is not the system itself")
	}
	stalled := map[string]int{}
	for _, trial := range trials[1:] {
		s := trial.Scenario
		if len(s.Faults) > 0 {
			stalled[s.Faults[0].Target]++
		}
		if trial.Of == NoRetries {
			for name, c := range s.Policy.Calls {
				if c.Attempts != 1 {
					t.Errorf("nobody retries, but %s has %d attempts", name, c.Attempts)
				}
			}
		}
	}
	for _, name := range []string{"edge", "cache", "primary", "bucket", "cdn"} {
		if stalled[name] != 2 {
			t.Errorf("%s stalls in %d runs, want one with the policy and one without", name, stalled[name])
		}
	}
	if err := Add(&paste, dependencies, "idle"); err != nil {
		t.Fatal(err)
	}
	if n := len(Trials(paste, nil)); n != len(trials) {
		t.Errorf("what nobody calls adds %d runs", n-len(trials))
	}
	for s, want := range map[*scenario.Scenario]string{&trials[0].Scenario: "", &paste: " Nobody calls idle, so there is nothing to say of it below."} {
		if said := idle(s); said != want {
			t.Errorf("of what nobody calls it says %q, want %q", said, want)
		}
	}
}

// What is bad when nothing is broken is said, since then the stalls say little.
func TestTooMuchLoadIsSaid(t *testing.T) {
	s := shape(t, "service")
	if err := scenario.Set(&s, "operations.request.rate", 600); err != nil {
		t.Fatal(err)
	}
	if told := judged(t, s, nil); !strings.Contains(told.Note, "of 40 seconds are bad already") {
		t.Errorf("the note is %q", told.Note)
	}
}

// Where service times have a long tail a request fails now and again, whatever was broken before. A stall is over when it is as
// it is without one, and that there are such failures is said.
func TestATailIsNoLateRecovery(t *testing.T) {
	for _, sigma := range []float64{1, 1.4, 1.8, 2} {
		for _, attempts := range []int{1, 3} {
			s := shape(t, "service")
			for path, value := range map[string]any{
				"dependencies.db.service": map[string]any{"dist": "lognormal", "mean": "20ms", "sigma": sigma}, "dependencies.db.slots": 20,
				"policy.calls.db.attempts": attempts,
			} {
				if err := scenario.Set(&s, path, value); err != nil {
					t.Fatal(err)
				}
			}
			told := judged(t, s, nil)
			r := told.Rows[0]
			var now, once float64
			if _, err := fmt.Sscanf(r.Now+"\n"+r.Once, "bad for %g s\nbad for %g s", &now, &once); err != nil || once > 2.5 || now > 5 {
				t.Errorf("σ = %v, %d attempts: it is %q with the policy and %q with no retries, want both over within seconds", sigma, attempts, r.Now, r.Once)
			}
			if r.Outlasts != (now > once+0.2) {
				t.Errorf("σ = %v, %d attempts: %q is said to be longer than %q: %v", sigma, attempts, r.Now, r.Once, r.Outlasts)
			}
			if said := strings.Contains(told.Note, "of a second’s requests fail"); said != (sigma > 1) {
				t.Errorf("σ = %v, %d attempts: the note is %q", sigma, attempts, told.Note)
			}
		}
	}
}

// A stall that ends with the policy, and never does with no retries, is no reason to warn of the policy.
func TestWhatNeverEndsIsLongest(t *testing.T) {
	trials := []Trial{{Of: Blip, Dependency: "b"}, {Of: NoRetries, Dependency: "b"}}
	for _, c := range []struct {
		now, once Outcome
		outlasts  bool
	}{
		{Outcome{Bad: 3}, Outcome{Bad: 30, Never: true}, false},
		{Outcome{Bad: 30, Never: true}, Outcome{Bad: 3}, true},
		{Outcome{Bad: 30, Never: true}, Outcome{Bad: 30, Never: true}, false},
	} {
		if got := Tell(trials, []*Outcome{&c.now, &c.once}).Rows[0].Outlasts; got != c.outlasts {
			t.Errorf("%+v is said to last longer than %+v: %v", c.now, c.once, got)
		}
	}
}

func TestTellWhatIsKnownSoFar(t *testing.T) {
	trials := Trials(shape(t, "tiers"), nil)
	told := Tell(trials, make([]*Outcome, len(trials)))
	if told.Verdict != "" || len(told.Rows) != 3 || told.Rows[0] != (Row{Dependency: "edge"}) {
		t.Errorf("with nothing known: %+v", told)
	}
}

func TestLasted(t *testing.T) {
	for _, test := range []struct {
		o    Outcome
		want string
	}{
		{Outcome{}, "no second was bad"},
		{Outcome{Bad: 2}, "bad for 2 s"},
		{Outcome{Bad: 3, Outlasts: 120 * time.Millisecond}, "bad for 2.1 s"},
		{Outcome{Bad: 35, Never: true}, "still bad 33 s later"},
		{Outcome{Bad: 2, Outlasts: 14 * time.Second}, "2 bad seconds, the last of them 14 s later"},
		{Outcome{Bad: 1, Outlasts: 14 * time.Second}, "1 bad second, 14 s later"},
	} {
		if got := lasted(&test.o); got != test.want {
			t.Errorf("%+v: %q, want %q", test.o, got, test.want)
		}
	}
}

func TestLoaded(t *testing.T) {
	for _, test := range []struct {
		l    Load
		want string
	}{
		{Load{}, "none"},
		{Load{Extra: 10_440, Attempts: 27_840}, "+10,440 /s on 17,400 /s, 1.60×"},
		{Load{Extra: 8, Attempts: 8}, "+8 /s"}, // nothing but retries
	} {
		if got := loaded(test.l); got != test.want {
			t.Errorf("%+v: %q, want %q", test.l, got, test.want)
		}
	}
	rows := []metrics.Row{
		{Dependencies: map[string]metrics.RowDependency{"a": {Attempts: 100, Retries: 20}, "b": {Attempts: 5}}},
		{Dependencies: map[string]metrics.RowDependency{"a": {Attempts: 90, Retries: 30, Hedges: 10}}},
	}
	if got := Worst(rows); got["a"] != (Load{Extra: 40, Attempts: 90}) || got["b"] != (Load{}) {
		t.Errorf("the worst seconds are %+v", got)
	}
}

// The sums are those of the pastebin's policy: 5 + 20 + 200 of 300, and what fits.
func TestSums(t *testing.T) {
	s := shape(t, "pastebin")
	sums, budget := Sums(&s)
	if budget != "" || sums[0].Operation != "read" || sums[0].Rate != "17,400/s" {
		t.Errorf("first comes %+v; budget %q", sums[0], budget)
	}
	said := sums[0].Said + "\n" + strings.Join(sums[0].Lines, "\n")
	for _, part := range []string{"= 225ms of 300ms, 75ms left", "245ms of 300ms", "425ms of 300ms", "it doesn’t fit", "20,880/s"} {
		if !strings.Contains(said, part) {
			t.Errorf("nothing of %q in:\n%s", part, said)
		}
	}
}
