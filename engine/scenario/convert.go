package scenario

import (
	"slices"
	"time"

	"stormbin/engine/policy"
)

// The words of the format, each at the index of the policy's constant that it stands for.
var (
	backoffKinds = []string{policy.NoBackoff: "none", policy.Constant: "constant", policy.Linear: "linear", policy.Exponential: "exponential"}
	budgetKinds  = []string{policy.RatioBudget: "ratio", policy.TokenBudget: "tokens", policy.InFlightBudget: "in_flight"}
	jitters      = []string{policy.NoJitter: "none", policy.FullJitter: "full", policy.EqualJitter: "equal", policy.Decorrelated: "decorrelated"}
)

// retryable are the outcomes that retry_on may name, retryWords their words.
var (
	retryable  = []policy.Outcome{policy.Timeout, policy.Error, policy.Refused, policy.Lost, policy.Shed}
	retryWords = []string{"timeout", "error", "refused", "lost", "shed"}
)

// Rule is the line as policy.Call takes it. c is of a valid scenario; in another, a word nobody knows counts as none.
func (c Call) Rule() policy.Rule {
	r := c.layer().Rule()
	r.HedgeAfter, r.HedgeCancel = time.Duration(c.HedgeAfter), c.HedgeCancel
	return r
}

// layer is what of a call it has in common with those around and beneath it.
func (c Call) layer() Layer {
	return Layer{Attempts: c.Attempts, Timeout: c.Timeout, RetryOn: c.RetryOn, Backoff: c.Backoff, Jitter: c.Jitter}
}

// Present tells whether there is anything for the layer to do.
func (l Layer) Present() bool { return l.Attempts > 1 || l.Timeout > 0 }

// Rule is the layer as policy.Call takes it.
func (l Layer) Rule() policy.Rule {
	return policy.Rule{
		Timeout:  time.Duration(l.Timeout),
		Attempts: l.Attempts,
		RetryOn:  outcomes(l.RetryOn),
		Backoff:  l.Backoff.Policy(),
		Jitter:   policy.Jitter(max(0, slices.Index(jitters, l.Jitter))),
	}
}

func outcomes(words []string) (set policy.Outcomes) {
	for i, o := range retryable {
		if slices.Contains(words, retryWords[i]) {
			set |= policy.Set(o)
		}
	}
	return set
}

// Policy is the backoff as package policy has it.
func (b Backoff) Policy() policy.Backoff {
	return policy.Backoff{
		Kind: policy.BackoffKind(max(0, slices.Index(backoffKinds, b.Kind))),
		Base: time.Duration(b.Base),
		Max:  time.Duration(b.Max),
	}
}

// Policy is the budget as package policy has it.
func (b Budget) Policy() policy.BudgetSettings {
	kind := policy.BudgetKind(max(0, slices.Index(budgetKinds, b.Kind)))
	if kind == policy.RatioBudget && b.Percent == 0 && b.FloorPerSecond == 0 {
		kind = policy.NoBudget
	}
	return policy.BudgetSettings{
		Kind: kind, Percent: b.Percent, FloorPerSecond: b.FloorPerSecond,
		MaxTokens: b.MaxTokens, TokenRatio: b.TokenRatio, MinConcurrent: b.MinConcurrent,
	}
}

// Policy is the breaker as package policy has it.
func (b Breaker) Policy() policy.BreakerSettings {
	return policy.BreakerSettings{
		On: outcomes(b.On), Threshold: b.Threshold, MinCalls: b.MinCalls,
		Window: time.Duration(b.Window), OpenFor: time.Duration(b.OpenFor), Probes: b.Probes,
	}
}

// Target is the dependency that the call of this name goes to.
func (c Call) Target(name string) string {
	if c.On == "" {
		return name
	}
	return c.On
}
