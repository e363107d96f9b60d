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
	} {
		if diff := cmp.Diff(c.want, c.call.Rule()); diff != "" {
			t.Errorf("%+v:\n%s", c.call, diff)
		}
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
