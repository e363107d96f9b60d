package view

import (
	"slices"
	"testing"
	"time"

	"stormbin/engine/scenario"
)

func TestRuleInWords(t *testing.T) {
	s := find(t, "pastebin")
	if got := CallOrder(s)[:3]; !slices.Equal(got, []string{"cache_get", "primary_read", "object_get"}) {
		t.Errorf("calls in the order %v, want a read's first", got)
	}
	if got := len(CallOrder(s)); got != len(s.Policy.Calls) {
		t.Errorf("%d calls, want all %d", got, len(s.Policy.Calls))
	}
	if got := CallOrder(s)[6:]; !slices.Equal(got, []string{"object_delete", "purge"}) {
		t.Errorf("last come the calls %v, want the workers'", got)
	}
	if got := Path(s); !slices.Equal(got, []string{"edge", "cache", "primary", "bucket", "cdn"}) {
		t.Errorf("dependencies in the order %v, want a read's, and the workers' last", got)
	}
	if a, b := Legs(find(t, "two-service")), Legs(s); a != 4 || b != 8 {
		t.Errorf("%d and %d legs, want 4 and 8", a, b)
	}
}

func TestRetrying(t *testing.T) {
	ms := scenario.Duration(time.Millisecond)
	for want, c := range map[string]scenario.Call{
		"No retries":                         {Attempts: 1, RetryOn: []string{"timeout"}},
		"Retries on nothing":                 {Attempts: 3},
		"Retries on timeout, error; at once": {Attempts: 2, RetryOn: []string{"timeout", "error"}, Backoff: scenario.Backoff{Kind: "none"}},
		"Retries on refused; after 20 ms, constant, full jitter": {Attempts: 2, RetryOn: []string{"refused"}, Jitter: "full", Backoff: scenario.Backoff{Kind: "constant", Base: 20 * ms}},
		"Retries on refused; after 20 ms, exponential":           {Attempts: 2, RetryOn: []string{"refused"}, Jitter: "none", Backoff: scenario.Backoff{Kind: "exponential", Base: 20 * ms}},
	} {
		s := &scenario.Scenario{
			Operations: map[string]scenario.Operation{"call": {Steps: []string{"b"}}},
			Policy:     scenario.Policy{Calls: map[string]scenario.Call{"b": c}},
		}
		if got := Retrying(s, "b"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A job is run again however few attempts its call has, and the rule must not say that nothing is retried.
func TestWorkersRunTheirCallsAgain(t *testing.T) {
	s := find(t, "pastebin")
	for call, only := range map[string]bool{"purge": true, "object_delete": true, "object_put": false, "cache_get": false} {
		if got := OnlyWorkers(s, call); got != only {
			t.Errorf("only workers make %s: %v", call, got)
		}
	}
	// Two jobs make the call object_delete, after the same waits.
	const again = "Run again until done; after 1 s, exponential"
	for _, call := range []string{"purge", "object_delete"} {
		if got := Retrying(s, call); got != again {
			t.Errorf("%s: %q, want %q", call, got, again)
		}
	}
	purge := s.Policy.Calls["purge"]
	purge.Attempts, purge.RetryOn = 2, []string{"timeout"}
	s.Policy.Calls["purge"] = purge
	if got, want := Retrying(s, "purge"), "Retries on timeout; at once. "+again; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	read := s.Operations["read"]
	read.Steps = append(read.Steps, "object_delete")
	s.Operations["read"] = read
	if got, want := Retrying(s, "object_delete"), "No retries. "+again; got != want {
		t.Errorf("of a call that requests make too: %q, want %q", got, want)
	}
}

func TestBrokenNow(t *testing.T) {
	sec := scenario.Duration(time.Second)
	s := &scenario.Scenario{Faults: []scenario.Fault{
		{At: 2 * sec, For: 3 * sec, Target: "b", Kind: "slow", Factor: 8},
		{At: 4 * sec, Target: "primary", Kind: "flaky", P: .2},
	}}
	for _, test := range []struct {
		at   time.Duration
		want []Broken
	}{
		{time.Second, nil},
		{2 * time.Second, []Broken{{"B 8× slower", "3.0 s left", s.Faults[0], false}}},
		{4500 * time.Millisecond, []Broken{{"B 8× slower", "0.5 s left", s.Faults[0], false}, {"primary fails 20 %", "until mended", s.Faults[1], false}}},
		{5 * time.Second, []Broken{{"primary fails 20 %", "until mended", s.Faults[1], false}}},
	} {
		if got := BrokenNow(s, test.at); !slices.Equal(got, test.want) {
			t.Errorf("at %v: %+v, want %+v", test.at, got, test.want)
		}
	}
}
