package scenario

import (
	"slices"
	"time"

	"stormbin/engine/policy"
)

// The words of the format, each at the index of the policy's constant that it stands for.
var (
	backoffKinds = []string{policy.NoBackoff: "none", policy.Constant: "constant", policy.Linear: "linear", policy.Exponential: "exponential"}
	jitters      = []string{policy.NoJitter: "none", policy.FullJitter: "full", policy.EqualJitter: "equal", policy.Decorrelated: "decorrelated"}
)

// retryable are the outcomes that retry_on may name, retryWords their words.
var (
	retryable  = []policy.Outcome{policy.Timeout, policy.Error, policy.Refused, policy.Lost, policy.Shed}
	retryWords = []string{"timeout", "error", "refused", "lost", "shed"}
)

// Rule is the line as policy.Call takes it. c is of a valid scenario; in another, a word nobody knows counts as none.
func (c Call) Rule() policy.Rule {
	var retryOn policy.Outcomes
	for i, o := range retryable {
		if slices.Contains(c.RetryOn, retryWords[i]) {
			retryOn |= policy.Set(o)
		}
	}
	return policy.Rule{
		Timeout:  time.Duration(c.Timeout),
		Attempts: c.Attempts,
		RetryOn:  retryOn,
		Backoff: policy.Backoff{
			Kind: policy.BackoffKind(max(0, slices.Index(backoffKinds, c.Backoff.Kind))),
			Base: time.Duration(c.Backoff.Base),
			Max:  time.Duration(c.Backoff.Max),
		},
		Jitter: policy.Jitter(max(0, slices.Index(jitters, c.Jitter))),
	}
}

// Target is the dependency that the call of this name goes to.
func (c Call) Target(name string) string {
	if c.On == "" {
		return name
	}
	return c.On
}
