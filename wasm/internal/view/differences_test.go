package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stormbin/engine/presets"
	"stormbin/engine/scenario"
)

func TestWhatDiffersIsSaidInALineEach(t *testing.T) {
	changed := func(s *scenario.Scenario, path string, value any) {
		if err := scenario.Set(s, path, value); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		id   string
		do   func(a, b *scenario.Scenario)
		a, b string
	}{
		"nothing": {"two-service", func(a, b *scenario.Scenario) {}, "", ""},
		"attempts": {"two-service", func(a, b *scenario.Scenario) { changed(b, "policy.calls.b.attempts", 2) },
			"4 attempts on b", "2 attempts on b"},
		"several calls alike": {"pastebin", func(a, b *scenario.Scenario) {
			changed(b, "policy.calls.primary_read.attempts", 4)
			changed(b, "policy.calls.object_get.attempts", 4)
			changed(b, "policy.calls.object_put.attempts", 4)
		}, "2 attempts on object_get and primary_read; 1 attempt on object_put", "4 attempts on object_get and 2 more"},
		"a backoff is one thing": {"two-service", func(a, b *scenario.Scenario) {
			changed(b, "policy.calls.b.backoff.kind", "exponential")
			changed(b, "policy.calls.b.backoff.base", "150ms")
			changed(b, "policy.calls.b.jitter", "full")
		}, "no backoff on b; no jitter on b", "exponential backoff from 150 ms on b; full jitter on b"},
		"timeout and what is retried": {"two-service", func(a, b *scenario.Scenario) {
			changed(b, "policy.calls.b.timeout", "0s")
			changed(b, "policy.calls.b.retry_on", []string{})
		}, "a timeout of 1 s on b; retries on timeout, error, refused on b", "no timeout on b; retries on nothing on b"},
		"what it runs on": {"two-service", func(a, b *scenario.Scenario) {
			changed(b, "dependencies.b.slots", 16)
			changed(b, "processes.count", 3)
			changed(b, "operations.call.deadline", "2s")
		}, "deadline 0s on call; processes.count 1; slots 8 on b", "deadline 2s on call; processes.count 3; slots 16 on b"},
		"a budget and a breaker": {"two-service", func(a, b *scenario.Scenario) {
			changed(b, "policy.budget.percent", 10)
			changed(b, "policy.breaker.enabled", true)
		}, "no retry budget; no breaker", "a retry budget of 10 %; a breaker that opens at 50 % of refused, for 5 s"},
		"deadlines": {"pastebin", func(a, b *scenario.Scenario) { changed(b, "policy.propagate_deadline", false) },
			"deadlines passed on", "deadlines not passed on"},
		"what breaks is no rule": {"two-service", func(a, b *scenario.Scenario) {
			b.Faults, b.Changes = nil, []scenario.Change{{At: 1, Path: "policy.calls.b.attempts", Value: 1.0}}
		}, "", ""},
		"a call that one hasn't got": {"two-service", func(a, b *scenario.Scenario) {
			b.Policy.Calls["c"] = b.Policy.Calls["b"]
		}, "no call on c", "all set otherwise on c"},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := *find(t, c.id), *find(t, c.id)
			c.do(&a, &b)
			ofA, ofB := Against(&a, &b)
			strip := func(line string) string {
				if name, rest, ok := strings.Cut(line, "; "); ok && strings.HasPrefix(name, "“") {
					return rest
				}
				return line
			}
			if strip(ofA) != c.a || strip(ofB) != c.b {
				t.Errorf("\nA %q\nB %q\nwant\nA %q\nB %q", ofA, ofB, c.a, c.b)
			}
		})
	}
}

// What is said of a scenario may speak of its rule and of what breaks in it, so of one in which those are changed it is said how.
func TestWhatIsChanged(t *testing.T) {
	for _, e := range scenario.List() {
		asked, _ := scenario.Find(e.ID)
		s := asked.Clone()
		s.Duration++
		if said, rule := Changed(e.Title, &s, s.Faults, s.Faults, &asked); said != "" || rule {
			t.Errorf("%s: nothing that it says is changed, and it says %q", e.ID, said)
		}
	}
	asked, even := find(t, "two-service"), find(t, "two-service").Clone()
	if err := scenario.Set(&even, "operations.call.arrivals", "even"); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"policy.calls.b.attempts=1":                               "1 attempt on b",
		"policy.calls.b.attempts=1&operations.call.arrivals=even": "1 attempt on b", // which is how it may begin
		"fault=b,slow*8,3s":                                       "B 8× slower at 3.0 s",
		"faults=none":                                             "without its faults",
		"seed=7":                                                  "seed 7",
		"policy.calls.b.attempts=2&fault=b,down,0s,2s&seed=7&fault=b,stall,5s": "seed 7; 2 attempts on b; B down at 0.0 s, for 2 s; B stalled at 5.0 s",
	} {
		l, err := scenario.ParseLink("#v1/two-service?" + query)
		if err != nil {
			t.Fatal(err)
		}
		said, rule := Changed("A calls B", &l.Scenario, l.Scenario.Faults, l.Scenario.Faults, asked, &even)
		if said != "“A calls B”, changed: "+want+"." || rule != strings.Contains(want, "attempt") {
			t.Errorf("%s: %q, and of the rule: %t; want %q", query, said, rule, want)
		}
		// Who began without faults, and has planned these, reads what whoever opens the link to it does.
		if planned, _ := Changed("A calls B", &l.Scenario, nil, l.Scenario.Faults, asked, &even); strings.Contains(query, "fault=") && planned != said {
			t.Errorf("%s, planned: %q, want %q", query, planned, said)
		}
	}
}

// A rule that has a name is said by it, and not read out; with what isn't the rule's.
func TestARuleIsSaidByItsName(t *testing.T) {
	for _, r := range presets.Rules() {
		for _, id := range []string{"two-service", "pastebin"} {
			s, err := presets.WithRule(*find(t, id), r.Name)
			if err != nil {
				t.Fatal(err)
			}
			against := "retry everything three times"
			if r.Name == against {
				against = "no retries"
			}
			other, err := presets.WithRule(s, against)
			if err != nil {
				t.Fatal(err)
			}
			name := "“" + r.Name + "”"
			if r.Name == "the rule" { // of how many?
				name += " of the lesson"
			}
			if ofS, ofOther := Against(&s, &other); ofS != name || ofOther != "“"+against+"”" {
				t.Errorf("%s: %s; %s", id, ofS, ofOther)
			}
			if err := scenario.Set(&other, "processes.count", 40); err != nil {
				t.Fatal(err)
			}
			if _, ofOther := Against(&s, &other); ofOther != "“"+against+"”; processes.count 40" {
				t.Errorf("%s, with 40 processes: %s", id, ofOther)
			}
		}
	}
}

// A and B are services as well as runs: a sentence about a run says so.
func TestARunIsCalledARun(t *testing.T) {
	s := even(builtin(t, "two-service"))
	s.Faults = []scenario.Fault{slowB(time.Second, 3*time.Second)}
	one := s.Clone()
	call := one.Policy.Calls["b"]
	call.Attempts = 1
	one.Policy.Calls["b"] = call
	x, y := watch(t, s), watch(t, one)
	x.to(15 * time.Second)
	y.to(15 * time.Second)
	said := Differences(x.Report(), y.Report())
	if len(said) < 3 || !strings.HasPrefix(said[0], "Run B: ") || !strings.HasPrefix(said[1], "Run A ") || !strings.Contains(said[1], "; run B ") {
		t.Fatalf("%q", said)
	}
	for _, line := range said {
		if strings.HasPrefix(line, "A ") || strings.HasPrefix(line, "B ") || strings.Contains(line, "; B ") {
			t.Errorf("%q may be of a service", line)
		}
	}
}

// While A's callers still wait for what B's have long given up on, A is not said to be the better one.
func TestASecondIsJudgedOnceItIsOverInBoth(t *testing.T) {
	a := *find(t, "two-service")
	if err := scenario.Set(&a, "operations.call.arrivals", "even"); err != nil { // so that A's storm is no matter of luck
		t.Fatal(err)
	}
	b := a.Clone()
	if err := scenario.Set(&b, "policy.calls.b.attempts", 1); err != nil {
		t.Fatal(err)
	}
	x, y := begin(t, a), begin(t, b)
	seen := 0
	for at := time.Second; at <= 40*time.Second; at += 200 * time.Millisecond {
		for !x.Advance(at, 1_000_000) || !y.Advance(at, 1_000_000) {
		}
		for _, said := range Differences(x.Report(), y.Report()) {
			if strings.HasPrefix(said, "Run A was ") || strings.Contains(said, "; run A was ") {
				t.Errorf("at %v A's storm, which never ends, is said to be over: %s", at, said)
			}
			var ofA, ofB int
			if n, _ := fmt.Sscanf(strings.Replace(said, "seconds", "second", 1), "Run B: %d bad second, run A: %d.", &ofB, &ofA); n == 2 {
				seen++
				if ofB > ofA {
					t.Errorf("at %v: %s", at, said)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("nothing is said of bad seconds")
	}
}
