package metrics

import (
	"strings"
	"testing"
	"time"

	"stormbin/engine/scenario"
)

// The rule that a verdict names is all that callers were told, in one breath.
func TestVerdictNamesTheRule(t *testing.T) {
	for _, c := range []struct {
		set  []string
		want string
	}{
		{nil, "with up to 4 attempts"},
		{[]string{"policy.calls.b.attempts=1"}, "with no retries"},
		{[]string{"policy.calls.b.retry_on=[]"}, "with no retries"},
		{[]string{`policy.calls.b.retry_on=["refused"]`}, "with up to 4 attempts where a connection was refused"},
		{[]string{"policy.budget.percent=10"}, "with up to 4 attempts and a budget of 10 %"},
		{[]string{"policy.budget.floor_per_second=5"}, "with up to 4 attempts and a budget of 5/s"},
		{[]string{"policy.budget.kind=tokens"}, "with up to 4 attempts and a budget of 10 tokens"},
		{[]string{"policy.budget.kind=in_flight", "policy.budget.percent=20"}, "with up to 4 attempts and a budget of 20 % of the calls under way"},
		{[]string{"policy.budget.kind=in_flight", "policy.budget.min_concurrent=3"}, "with up to 4 attempts and a budget of 3 retries at once"},
		{[]string{"policy.budget.percent=10", "policy.calls.b.attempts=1"}, "with no retries"}, // nothing to pay for
		{[]string{"policy.breaker.enabled=true"}, "with up to 4 attempts and a breaker"},
		{[]string{"policy.breaker.enabled=true", `policy.breaker.targets=["a"]`}, "with up to 4 attempts"},
		{[]string{"policy.breaker.enabled=true", `policy.breaker.targets=["b"]`, "policy.budget.percent=10"},
			"with up to 4 attempts, a budget of 10 % and a breaker"},
		{[]string{"policy.calls.b.hedge_after=6ms", "policy.calls.b.attempts=1"}, "with no retries and a hedge after 6 ms"},
		{[]string{"policy.calls.b.hedge_after=1.5s", "policy.calls.b.attempts=1"}, "with no retries and a hedge after 1.5 s"},
		{[]string{"policy.calls.b.hedge_after=1ns"}, "with up to 4 attempts and a hedge at once"},
		{[]string{"operations.call.client.attempts=3"}, "with up to 4 attempts and users who try 3 times"},
		{[]string{"policy.balancer.attempts=2", "operations.call.client.attempts=3", "policy.calls.b.attempts=2"},
			"with up to 2 attempts, a balancer that tries twice and users who try 3 times"},
		{[]string{"policy.calls.b.attempts=1", `policy.calls.b.library={"attempts": 3}`}, "with no retries and a library that tries 3 times"},
	} {
		s, _ := scenario.Find("two-service")
		set(t, &s, c.set...)
		if got := rule(&s, "b", false); got != c.want {
			t.Errorf("%v\ngot  %s\nwant %s", c.set, got, c.want)
		}
	}
}

// The most stubborn call speaks for its dependency, and only users who get there for theirs.
func TestVerdictNamesTheRuleOfTheDependency(t *testing.T) {
	s, _ := scenario.Find("pastebin")
	set(t, &s, "policy.calls.primary_read.retry_on=[\"timeout\"]", "operations.read.client.attempts=2")
	for dependency, want := range map[string]string{
		"primary": "with up to 2 attempts and users who try twice",
		"bucket":  "with up to 2 attempts where a connection was refused and users who try twice",
		"cdn":     "with no retries",
	} {
		if got := rule(&s, dependency, false); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", dependency, got, want)
		}
	}
}

// A hedged call is more stubborn than one that is sent once.
func TestVerdictNamesTheHedgedCall(t *testing.T) {
	s, _ := scenario.Find("pastebin")
	set(t, &s, "policy.calls.object_get.attempts=1", "policy.calls.object_put.hedge_after=300ms")
	if got, want := rule(&s, "bucket", false), "with no retries and a hedge after 300 ms"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A flushed cache isn't what suffers: the verdict tells of what stands behind it.
func TestVerdictOfAFlush(t *testing.T) {
	s, _ := scenario.Find("pastebin")
	s.Faults = []scenario.Fault{{At: 3 * sec, For: 2 * sec, Target: "cache", Kind: "flush"}}
	zero := 0.0
	r := Report{DurationS: 30, Requests: Requests{Offered: 100, OK: 90}, BadSeconds: 2, RecoveryS: &zero, Dependencies: map[string]Dependency{
		"cache": {Attempts: 100, Amplification: 1}, "primary": {Attempts: 131, Amplification: 1.31, Utilization: 0.9},
	}}
	const want = "The cache was flushed for 2 s; with up to 2 attempts where a connection was refused, " +
		"the primary saw 1.31× the attempts; 2 seconds were bad; and it ended with its cause."
	if got := Verdict(&r, &s); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// What is broken now is told with its beginning, whatever it is.
func TestAiling(t *testing.T) {
	for _, c := range []struct{ kind, want string }{
		{"slow", "B has been 2× slower since 1.5 s"},
		{"stall", "B has stalled since 1.5 s"},
		{"down", "B has been down since 1.5 s"},
		{"blackhole", "B has answered nothing since 1.5 s"},
		{"flaky", "B has failed 20 % at once since 1.5 s"},
		{"lose", "B has lost 20 % of its answers since 1.5 s"},
		{"capacity", "B has had 200 % of its slots since 1.5 s"},
		{"surge", "B has had 2× the load since 1.5 s"},
		{"flush", "B has been flushed since 1.5 s"},
	} {
		f := scenario.Fault{At: scenario.Duration(1500 * time.Millisecond), Target: "b", Kind: c.kind, Factor: 2, P: 0.2}
		if got := ailing([]scenario.Fault{f}); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if got := ailing(make([]scenario.Fault, 4)); got != "4 things are broken" {
		t.Error(got)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 27840: "27,840", -104400: "-104,400", 1234567: "1,234,567"} {
		if got := Thousands(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

// What a run came to is not put down to a rule that came when it was over.
func TestVerdictOfARuleThatChanged(t *testing.T) {
	const second = scenario.Duration(time.Second)
	five := 5.2
	fault := scenario.Fault{At: 3 * second, For: 3 * second, Target: "b", Kind: "slow", Factor: 8}
	report := Report{DurationS: 60, Requests: Requests{Offered: 100, OK: 100}, BadSeconds: 8, RecoveryS: &five,
		Dependencies: map[string]Dependency{"b": {Amplification: 2}}}
	const always, changed = "; with up to 4 attempts,", "; with a rule that changed on the way, at last up to 4 attempts,"
	for _, c := range []struct {
		name, path string
		at         scenario.Duration
		faults     []scenario.Fault
		want       string
	}{
		{"after it broke", "policy.calls.b.attempts", 8 * second, []scenario.Fault{fault}, changed},
		{"the users'", "operations.call.client.attempts", 8 * second, []scenario.Fault{fault}, changed},
		{"before it broke", "policy.calls.b.attempts", 2 * second, []scenario.Fault{fault}, always},
		{"still to come", "policy.calls.b.attempts", 61 * second, []scenario.Fault{fault}, always},
		{"the load", "operations.call.rate", 8 * second, []scenario.Fault{fault}, always},
		{"nothing broke", "policy.calls.b.attempts", 2 * second, nil, changed},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := scenario.Find("two-service")
			s.Faults, s.Changes = c.faults, []scenario.Change{{At: c.at, Path: c.path}}
			if got := Verdict(&report, &s); !strings.Contains(got, c.want) {
				t.Errorf("%s\nhas nothing of %q", got, c.want)
			}
		})
	}
}
