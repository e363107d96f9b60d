package view

import (
	"slices"
	"strings"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// Exit is the calls that a policy sends through one of the ways out of a failed call.
type Exit []ExitCall

// The exits, by the rule of what may be retried.
const (
	NoRetry  = iota // it timed out, or nobody can be sure that it was never sent
	OneRetry        // it was refused before it was sent, may be repeated, and there is time for one more
	Never           // it creates something, so that a second attempt may make a second one
)

// ExitCall is a call that goes through an exit.
type ExitCall struct {
	Call, How string
	// Breaks is what is against the rule in it, as a sentence without its point; empty: nothing.
	Breaks string
}

// Exits sorts the calls that requests of users make into the three exits. A call is in two of them if its failures go
// different ways. One that both a read and a create make is a create's: what must not be repeated there must not here.
func Exits(s *scenario.Scenario) [3]Exit {
	var exits [3]Exit
	add := func(exit int, c ExitCall) { exits[exit] = append(exits[exit], c) }
	for _, name := range CallOrder(s) {
		c := s.Policy.Calls[name]
		ops := callers(s, name)
		if len(ops) == 0 {
			continue
		}
		if !c.IdempotencyKey && slices.ContainsFunc(ops, func(op string) bool { return !s.Operations[op].Idempotent }) {
			add(Never, created(name, &c))
			continue
		}
		add(NoRetry, unsure(name, &c))
		if on(&c, "refused") {
			add(OneRetry, refused(s, name, &c, ops))
		}
	}
	return exits
}

// callers are the operations that make a call, the busiest first.
func callers(s *scenario.Scenario, call string) (ops []string) {
	for _, op := range Busiest(s) {
		if slices.Contains(s.Operations[op].Steps, call) {
			ops = append(ops, op)
		}
	}
	return ops
}

// on tells whether the call is tried again after that outcome.
func on(c *scenario.Call, outcome string) bool {
	return c.Attempts > 1 && slices.Contains(c.RetryOn, outcome)
}

// library tells whether the client library under the call tries again by itself after that outcome.
func library(c *scenario.Call, outcome string) bool {
	return c.Library.Attempts > 1 && slices.Contains(c.Library.RetryOn, outcome)
}

func created(name string, c *scenario.Call) ExitCall {
	e := ExitCall{Call: name, How: "sent once"}
	switch {
	case c.Attempts > 1 && len(c.RetryOn) > 0:
		e.How = "sent up to " + metrics.Plural(c.Attempts, "time", "times")
		e.Breaks = "Each may make one more"
	case c.HedgeAfter > 0:
		e.How, e.Breaks = "sent twice, if the first is slow", "Each may make one more"
	case c.Library.Attempts > 1 && len(c.Library.RetryOn) > 0:
		e.How = "its library sends it up to " + metrics.Plural(c.Library.Attempts, "time", "times")
		e.Breaks = "Each may make one more"
	}
	return e
}

// unsure is what is done after a timeout, an answer that went missing, or an error, after which the work may have been done.
func unsure(name string, c *scenario.Call) ExitCall {
	var own, under []string
	for _, o := range [...]struct{ outcome, words string }{{"timeout", "a timeout"}, {"lost", "a lost answer"}, {"error", "an error"}} {
		if on(c, o.outcome) {
			own = append(own, o.words)
		}
		if library(c, o.outcome) {
			under = append(under, o.words)
		}
	}
	e := ExitCall{Call: name}
	switch {
	case len(own) > 0:
		e.How = "tried " + again(c.Attempts-1) + " after " + metrics.Either(own)
		e.Breaks = "The first may still be at work"
	case len(under) > 0:
		e.How = "its library tries " + again(c.Library.Attempts-1) + " after " + metrics.Either(under)
		e.Breaks = "The first may still be at work"
	case c.HedgeAfter > 0:
		e.How = "a second one goes out after " + Span(time.Duration(c.HedgeAfter))
		e.Breaks = "The first is still at work"
	case c.Optional:
		e.How = "the request goes on without it"
	case on(c, "refused"):
		e.How = "fails after a timeout or an error"
	default:
		e.How = "fails"
	}
	return e
}

// refused is what is done after a connection that was refused.
func refused(s *scenario.Scenario, name string, c *scenario.Call, ops []string) ExitCall {
	e := ExitCall{Call: name, How: metrics.Plural(c.Attempts-1, "retry", "retries")}
	var wrong []string
	if c.Attempts > 2 {
		wrong = append(wrong, "one at most")
	}
	if c.Jitter == "none" || c.Backoff.Kind == "none" || c.Backoff.Base == 0 {
		wrong = append(wrong, "no jitter")
	}
	sums := metrics.Sum(s, 0).Operations
	for _, op := range ops {
		o := sums[op]
		if o.DeadlineS == 0 {
			continue
		}
		step := o.Steps[slices.IndexFunc(o.Steps, func(step metrics.StepSums) bool { return step.Call == name })]
		switch {
		case len(o.Untimed) > 0:
			wrong = append(wrong, "a call of "+op+" has no timeout, so nobody knows if it fits")
		case *step.RefusedFit == 0:
			wrong = append(wrong, "does not fit: "+of(step.RefusedS, o.DeadlineS)+backoff(&step))
		case *step.RefusedFit < c.Attempts-1:
			wrong = append(wrong, "only "+Count(int64(*step.RefusedFit))+" "+plural(*step.RefusedFit == 1, "fits", "fit"))
		default:
			e.How += ", which " + plural(c.Attempts == 2, "fits", "fit") + ", since a refusal takes no time: " + of(step.RefusedS, o.DeadlineS) + backoff(&step)
		}
		break
	}
	if len(wrong) > 0 {
		e.Breaks = Capital(strings.Join(wrong, "; "))
	}
	return e
}
