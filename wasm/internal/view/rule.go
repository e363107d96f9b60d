package view

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"stormbin/engine/scenario"
)

// CallOrder is the calls' names as a request makes them, the busiest operation's first; last come those that only
// workers make.
func CallOrder(s *scenario.Scenario) []string {
	var names []string
	add := func(calls []string) {
		for _, c := range calls {
			if !slices.Contains(names, c) {
				names = append(names, c)
			}
		}
	}
	for _, op := range Busiest(s) {
		add(s.Operations[op].Steps)
	}
	add(scenario.Names(s.Policy.Calls))
	return names
}

// Busiest is the operations' names, those with the most requests first.
func Busiest(s *scenario.Scenario) []string {
	names := scenario.Names(s.Operations)
	sort.SliceStable(names, func(i, j int) bool { return s.Operations[names[i]].Rate > s.Operations[names[j]].Rate })
	return names
}

// Legs is about how many flights a request makes: there and back, for itself and each of its calls.
func Legs(s *scenario.Scenario) int {
	legs := 2
	if ops := Busiest(s); len(ops) > 0 {
		legs += 2 * len(s.Operations[ops[0]].Steps)
	}
	return legs
}

// OnlyWorkers tells whether workers make the call, and no request of a user does.
func OnlyWorkers(s *scenario.Scenario, call string) bool {
	for _, op := range s.Operations {
		if slices.Contains(op.Steps, call) {
			return false
		}
	}
	for _, job := range s.Jobs {
		if job.Call == call {
			return true
		}
	}
	return false
}

// Retrying says in a few words how a call is retried; and of one that workers make, after what wait they run it again.
func Retrying(s *scenario.Scenario, call string) string {
	c := s.Policy.Calls[call]
	var words []string
	if c.Attempts > 1 || !OnlyWorkers(s, call) {
		words = append(words, retrying(&c))
	}
	for _, name := range scenario.Names(s.Jobs) {
		if job := s.Jobs[name]; job.Call == call {
			again := "Run again until done; after " + Span(time.Duration(job.Backoff.Base)) + ", " + job.Backoff.Kind
			if !slices.Contains(words, again) {
				words = append(words, again)
			}
		}
	}
	return strings.Join(words, ". ")
}

func retrying(c *scenario.Call) string {
	if c.Attempts < 2 {
		return "No retries"
	}
	if len(c.RetryOn) == 0 {
		return "Retries on nothing"
	}
	s := "Retries on " + strings.Join(c.RetryOn, ", ")
	switch {
	case c.Backoff.Kind == "none" || c.Backoff.Base == 0:
		return s + "; at once"
	case c.Jitter == "none":
		return s + "; after " + Span(time.Duration(c.Backoff.Base)) + ", " + c.Backoff.Kind
	}
	return s + "; after " + Span(time.Duration(c.Backoff.Base)) + ", " + c.Backoff.Kind + ", " + c.Jitter + " jitter"
}

// Also says what else is set of a call than its timeout, its attempts and what they are for, as far as it changes anything:
// "with full jitter, a hedge after 6 ms". Empty: nothing is.
func Also(s *scenario.Scenario, call string) string {
	c := s.Policy.Calls[call]
	var all []string
	for _, one := range []struct {
		what, setting string
		set           bool
	}{
		{"backoff", "backoff.base", c.Backoff.Base > 0},
		{"jitter", "jitter", c.Jitter != "none"},
		{"hedge_after", "hedge_after", c.HedgeAfter > 0},
		{"hedge_cancel", "hedge_cancel", c.HedgeCancel},
		{"statement_timeout", "statement_timeout", c.StatementTimeout > 0},
		{"idempotency_key", "idempotency_key", c.IdempotencyKey},
	} {
		if one.set && Matters(s, call, one.setting) {
			all = append(all, callWords(&c, one.what))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "with " + strings.Join(all, ", ")
}

func milliseconds(d scenario.Duration) string {
	return strconv.FormatFloat(float64(d)/1e6, 'f', -1, 64)
}
