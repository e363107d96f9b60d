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

// holding is s with the rule of that name; s if it can't have it.
func holding(s *scenario.Scenario, name string) scenario.Scenario {
	with, _ := presets.WithRule(*s, name)
	return with
}
