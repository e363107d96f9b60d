package view

import (
	"strings"
	"testing"
	"time"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

func TestFilesAreCalledAfterTheirRun(t *testing.T) {
	s := find(t, "pastebin")
	if got, want := FileName(s, 12900*time.Millisecond), "stormbin-pastebin-seed1-12s"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	s.ID, s.Seed = "mine / yours", 40
	if got, want := FileName(s, 0), "stormbin-mine---yours-seed40-0s"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestARuleInALine(t *testing.T) {
	s := find(t, "two-service")
	if got, want := RuleLine(s), "B: 1 s, 4 attempts on timeout, error, refused"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s = with(t, s, scenario.Change{Path: "policy.calls.b.attempts", Value: 1}, scenario.Change{Path: "policy.calls.b.timeout", Value: "0s"},
		scenario.Change{Path: "policy.budget.percent", Value: 10}, scenario.Change{Path: "policy.breaker.enabled", Value: true},
		scenario.Change{Path: "policy.calls.b.hedge_after", Value: "50ms"})
	if got, want := RuleLine(s), "B: no timeout, hedged after 50 ms; retry budget 10 %; a breaker"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := RuleLine(find(t, "pastebin")); !strings.HasPrefix(got, "cache_get: 5 ms; primary_read: 20 ms, 2 attempts on refused; object_get: 200 ms") {
		t.Errorf("the pastebin's: %q", got)
	}
}

func TestTwoRunsAreSummedUpOnOnePage(t *testing.T) {
	take := func(s *scenario.Scenario) *Take {
		r, err := run.Do(*s)
		if err != nil {
			t.Fatal(err)
		}
		return &Take{Scenario: *s, Report: r, Link: "https://example.org/#v1/two-service"}
	}
	a := take(find(t, "two-service"))
	b := take(with(t, find(t, "two-service"), scenario.Change{Path: "policy.calls.b.attempts", Value: 1}))
	one := Summary(nil, b)
	if !strings.Contains(one, b.Link) {
		t.Errorf("the summary has no link to its run:\n%s", one)
	}
	if !strings.HasPrefix(one, "# Timeouts and retries of two-service\n") || !strings.Contains(one, b.Report.Verdict) {
		t.Errorf("of one: %s", one)
	}
	two := Summary(a, b)
	if n := strings.Count("\n"+two, "\n# "); n != 1 {
		t.Errorf("of two: %d titles, want one", n)
	}
	for _, want := range []string{"\n## Run A\n", "\n## Run B\n", a.Report.Verdict, b.Report.Verdict, "bad seconds, run A: ", "\n### The rule\n"} {
		if !strings.Contains(two, want) {
			t.Errorf("of two there is no %q:\n%s", want, two)
		}
	}
}
