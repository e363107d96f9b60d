package run_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// slowForThree is the two-service experiment whose figures don't hang on luck: B at 97 ms, and at 800 ms while it is slow.
var slowForThree = sets{
	"duration", "40s", "operations.call.arrivals", "even", "dependencies.b.service.mean", "97ms",
	"faults", fault("b", "slow", "3s", "3s", "factor", 800.0/97),
}

// "Down for three, felt like eight": two policies on one traffic.
func TestCompareTellsTwoPoliciesApart(t *testing.T) {
	a := with(t, "two-service", append(slowForThree, fourAttempts...)...)
	b := with(t, "two-service", append(slowForThree, noRetries...)...)
	c, err := run.Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Differences) == 0 || c.Differences[0] != "Run B: 3 bad seconds, run A: 8." {
		t.Errorf("want 8 bad seconds against 3 to be said first: %q", c.Differences)
	}
	for i := range c.A.Series {
		if x, y := c.A.Series[i].Offered, c.B.Series[i].Offered; x != y {
			t.Errorf("in second %d, %d requests came to A and %d to B", i, x, y)
		}
	}
	if x, y := c.A.Dependencies["b"].FirstAttempts, c.B.Dependencies["b"].FirstAttempts; x != y {
		t.Errorf("%d first attempts in run A, %d in run B", x, y)
	}
	alone, err := run.Do(b)
	if err != nil {
		t.Fatal(err)
	}
	if c.B.TraceHash != alone.TraceHash {
		t.Error("a run in company is another one than alone")
	}
}

func TestCompareOfOneWithItself(t *testing.T) {
	s := with(t, "two-service", "duration", "10s")
	c, err := run.Compare(s, s)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Differences) > 0 || c.A.TraceHash != c.B.TraceHash {
		t.Errorf("it differs from itself: %q", c.Differences)
	}
}

// What makes the traffic must be alike, and the error says what isn't.
func TestCompareRefusesAnotherTraffic(t *testing.T) {
	surge := fault("call", "surge", "1s", "1s", "factor", 2)
	for _, c := range []struct {
		set  sets
		want string
	}{
		{sets{"seed", 2}, "seed: 1 in run A, 2 in run B"},
		{sets{"duration", "11s"}, "duration: 10s in run A, 11s in run B"},
		{sets{"operations.call.rate", 21}, "operations.call.rate: 20 in run A, 21 in run B"},
		{sets{"operations.call.arrivals", "even"}, "operations.call.arrivals: poisson in run A, even in run B"},
		{sets{"operations.call.shape", []any{map[string]any{"at": "1s", "factor": 2}}}, "operations.call.shape: "},
		{sets{"operations.call.copies", 2}, "operations.call.copies: 1 in run A, 2 in run B"},
		{sets{"operations.call.steps", []string{"b", "b"}}, "operations.call.steps: b in run A, b and b in run B"},
		{sets{"operations.more", map[string]any{"rate": 1, "steps": []any{"b"}}}, "operations: call in run A, call and more in run B"},
		{sets{"dependencies.b.service.mean", "99ms"}, "dependencies.b.service.mean: 100ms in run A, 99ms in run B"},
		{sets{"dependencies.b.service.dist", "exponential"}, "dependencies.b.service.dist: constant in run A, exponential in run B"},
		{sets{"dependencies.c", map[string]any{"service": map[string]any{"mean": "1ms"}}}, "dependencies: b in run A, b and c in run B"},
		{sets{"faults", surge}, "faults of kind surge: none in run A, call,surge*2,1s,1s in run B"},
		{sets{"changes", []any{map[string]any{"at": "1s", "path": "operations.call.rate", "value": 40}}}, "changes of the traffic: "},
		{sets{"changes", []any{map[string]any{"at": "1s", "path": "dependencies.b.service.mean", "value": "1ms"}}}, "changes of the traffic: "},
	} {
		_, err := run.Compare(with(t, "two-service", "duration", "10s"), with(t, "two-service", append(sets{"duration", "10s"}, c.set...)...))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || !strings.Contains(err.Error(), "must be the same in both") {
			t.Errorf("%v: %v; want %s…", c.set, err, c.want)
		}
	}
}

// A call that goes elsewhere asks others for its work.
func TestCompareRefusesAnotherTarget(t *testing.T) {
	_, err := run.Compare(with(t, "pastebin"), with(t, "pastebin", "policy.calls.object_get.on", "primary"))
	if want := "policy.calls.object_get.on: bucket in run A, primary in run B"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v; want %s…", err, want)
	}
}

// Whatever callers and servers do about the traffic may differ.
func TestCompareAllowsAnotherWorld(t *testing.T) {
	for _, set := range []sets{
		noRetries, budgeted,
		{"operations.call.deadline", "2s"},
		{"policy.propagate_deadline", false},
		{"processes.count", 3},
		{"processes.cap.call", 10},
		{"dependencies.b.slots", 9},
		{"dependencies.b.statement_timeout", "1s"},
		{"dependencies.b.service.load", 1},
		{"faults", []any{}},
		{"faults", fault("b", "down", "1s", "1s")},
		{"changes", []any{map[string]any{"at": "1s", "path": "policy.calls.b.attempts", "value": 1}}},
		{"changes", []any{map[string]any{"at": "1s", "path": "dependencies.b.slots", "value": 7}}},
		{"changes", []any{map[string]any{"at": "1s", "path": "dependencies.b.service.load", "value": 1}}},
	} {
		c, err := run.Compare(with(t, "two-service", "duration", "5s"), with(t, "two-service", append(sets{"duration", "5s"}, set...)...))
		if err != nil {
			t.Errorf("%v: %v", set, err)
		} else if c.A.Requests.Offered != c.B.Requests.Offered {
			t.Errorf("%v: %d requests in run A, %d in run B", set, c.A.Requests.Offered, c.B.Requests.Offered)
		}
	}
}

func TestCompareSaysWhichSideIsWrong(t *testing.T) {
	good, bad := with(t, "two-service"), with(t, "two-service", "policy.calls.b.attempts", 0)
	for side, pair := range map[string][2]scenario.Scenario{"A: ": {bad, good}, "B: ": {good, bad}} {
		if _, err := run.Compare(pair[0], pair[1]); err == nil || !strings.HasPrefix(err.Error(), side+"policy.calls.b.attempts: 0") {
			t.Errorf("%v; want %spolicy.calls.b.attempts: 0", err, side)
		}
	}
}

// Under any two policies, the same requests come in the same seconds.
func TestAnyTwoPoliciesMeetTheSameTraffic(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		draw := func(side string) scenario.Scenario {
			return with(t, "two-service", "duration", "8s",
				"policy.calls.b.attempts", rapid.IntRange(1, 4).Draw(r, side+" attempts"),
				"policy.calls.b.timeout", rapid.SampledFrom([]string{"50ms", "1s"}).Draw(r, side+" timeout"),
				"policy.calls.b.backoff", map[string]any{"kind": "constant", "base": "30ms"},
				"policy.calls.b.jitter", rapid.SampledFrom([]string{"none", "full"}).Draw(r, side+" jitter"),
				"policy.budget.percent", rapid.SampledFrom([]int{0, 10}).Draw(r, side+" budget"))
		}
		c, err := run.Compare(draw("A"), draw("B"))
		if err != nil {
			r.Fatal(err)
		}
		var a, b []int64
		for i := range c.A.Series {
			a, b = append(a, c.A.Series[i].Offered), append(b, c.B.Series[i].Offered)
		}
		if !slices.Equal(a, b) {
			r.Fatalf("A was offered %v, B %v", a, b)
		}
	})
}
