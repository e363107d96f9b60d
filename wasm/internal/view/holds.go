package view

import (
	"stormbin/engine/presets"
	"stormbin/engine/scenario"
)

// Holds is the name of the rule that the policy is just now, one of presets.Rules. Empty: it is nobody's but the reader's.
func Holds(s *scenario.Scenario) string {
	for _, r := range presets.Rules() {
		if with, err := presets.WithRule(*s, r.Name); err == nil && len(scenario.Diff(*s, with)) == 0 {
			return r.Name
		}
	}
	return ""
}

// ComesTo is the name of the rule that the policy is or comes to: they may differ in what changes nothing, as in what a call is
// retried on that is sent once.
func ComesTo(s *scenario.Scenario) string {
	is := effective(s)
	for _, r := range presets.Rules() {
		if with, err := presets.WithRule(*s, r.Name); err == nil && len(scenario.Diff(is, effective(&with))) == 0 {
			return r.Name
		}
	}
	return ""
}

// effective is s without what changes nothing of how its calls are retried.
func effective(s *scenario.Scenario) scenario.Scenario {
	e := s.Clone()
	for name, c := range e.Policy.Calls {
		if retries(&c) == 0 {
			c.Attempts, c.RetryOn, c.Backoff, c.Jitter = 1, nil, scenario.Backoff{}, ""
			e.Policy.Calls[name] = c
		}
	}
	return e
}

// holding is s with the rule of that name; s if it can't have it.
func holding(s *scenario.Scenario, name string) scenario.Scenario {
	with, _ := presets.WithRule(*s, name)
	return with
}
