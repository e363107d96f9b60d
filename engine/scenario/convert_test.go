package scenario_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/policy"
	"stormbin/engine/scenario"
)

func TestRule(t *testing.T) {
	for _, c := range []struct {
		call scenario.Call
		want policy.Rule
	}{
		{scenario.Call{Attempts: 1, Backoff: scenario.Backoff{Kind: "none"}, Jitter: "none"}, policy.Rule{Attempts: 1}},
		{
			scenario.Call{
				Timeout: dur(20 * ms), Attempts: 3, RetryOn: []string{"shed", "lost"}, Jitter: "equal",
				Backoff: scenario.Backoff{Kind: "linear", Base: dur(ms), Max: dur(time.Second)},
			},
			policy.Rule{
				Timeout: 20 * ms, Attempts: 3, RetryOn: policy.Set(policy.Lost, policy.Shed), Jitter: policy.EqualJitter,
				Backoff: policy.Backoff{Kind: policy.Linear, Base: ms, Max: time.Second},
			},
		},
		{
			scenario.Call{Attempts: 2, RetryOn: []string{"timeout", "error", "refused"}, Backoff: scenario.Backoff{Kind: "exponential"}, Jitter: "decorrelated"},
			policy.Rule{
				Attempts: 2, RetryOn: policy.Set(policy.Timeout, policy.Error, policy.Refused), Jitter: policy.Decorrelated,
				Backoff: policy.Backoff{Kind: policy.Exponential},
			},
		},
		{
			scenario.Call{Attempts: 2, Backoff: scenario.Backoff{Kind: "constant"}, Jitter: "full"},
			policy.Rule{Attempts: 2, Backoff: policy.Backoff{Kind: policy.Constant}, Jitter: policy.FullJitter},
		},
		{
			scenario.Call{Attempts: 1, HedgeAfter: dur(6 * ms), HedgeCancel: true, Backoff: scenario.Backoff{Kind: "none"}, Jitter: "none"},
			policy.Rule{Attempts: 1, HedgeAfter: 6 * ms, HedgeCancel: true},
		},
	} {
		if diff := cmp.Diff(c.want, c.call.Rule()); diff != "" {
			t.Errorf("%+v:\n%s", c.call, diff)
		}
	}
}

func TestLayer(t *testing.T) {
	l := scenario.Layer{
		Attempts: 5, Timeout: dur(5 * time.Second), RetryOn: []string{"timeout", "refused"}, Jitter: "full",
		Backoff: scenario.Backoff{Kind: "constant", Base: dur(100 * ms)},
	}
	want := policy.Rule{
		Timeout: 5 * time.Second, Attempts: 5, RetryOn: policy.Set(policy.Timeout, policy.Refused), Jitter: policy.FullJitter,
		Backoff: policy.Backoff{Kind: policy.Constant, Base: 100 * ms},
	}
	if diff := cmp.Diff(want, l.Rule()); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		layer scenario.Layer
		want  bool
	}{
		{l, true},
		{scenario.Layer{Attempts: 2}, true},
		{scenario.Layer{Attempts: 1, Timeout: 1}, true},
		{scenario.Layer{Attempts: 1, RetryOn: []string{"timeout"}, Backoff: scenario.Backoff{Kind: "constant", Base: 1}}, false}, // on no retry
	} {
		if got := c.layer.Present(); got != c.want {
			t.Errorf("%+v: present is %v", c.layer, got)
		}
	}
}

func TestBudget(t *testing.T) {
	for _, c := range []struct {
		budget scenario.Budget
		want   policy.BudgetKind
	}{
		{scenario.Budget{Kind: "ratio"}, policy.NoBudget},
		{scenario.Budget{Kind: "ratio", Percent: 10}, policy.RatioBudget},
		{scenario.Budget{Kind: "ratio", FloorPerSecond: 3}, policy.RatioBudget},
		{scenario.Budget{Kind: "tokens"}, policy.TokenBudget},
		{scenario.Budget{Kind: "in_flight"}, policy.InFlightBudget}, // of 0 %: only those that are always allowed
	} {
		c.budget.MaxTokens, c.budget.TokenRatio, c.budget.MinConcurrent = 10, 0.1, 3
		want := policy.BudgetSettings{
			Kind: c.want, Percent: c.budget.Percent, FloorPerSecond: c.budget.FloorPerSecond, MaxTokens: 10, TokenRatio: 0.1, MinConcurrent: 3,
		}
		if diff := cmp.Diff(want, c.budget.Policy()); diff != "" {
			t.Errorf("%+v:\n%s", c.budget, diff)
		}
	}
}

func TestBreaker(t *testing.T) {
	got := scenario.Breaker{
		On: []string{"refused", "error"}, Threshold: 0.5, MinCalls: 10, Window: dur(time.Second), OpenFor: dur(5 * time.Second), Probes: 1,
	}.Policy()
	want := policy.BreakerSettings{
		On: policy.Set(policy.Refused, policy.Error), Threshold: 0.5, MinCalls: 10, Window: time.Second, OpenFor: 5 * time.Second, Probes: 1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTarget(t *testing.T) {
	if got := (scenario.Call{}).Target("b"); got != "b" {
		t.Errorf("without on, it goes to the dependency of its own name, not %s", got)
	}
	if got := (scenario.Call{On: "primary"}).Target("b"); got != "primary" {
		t.Errorf("it goes to %s", got)
	}
}
