package own

import (
	"slices"
	"time"

	"stormbin/engine/presets"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/view"
)

// Of is what a trial is there to show.
type Of int

const (
	Whole     Of = iota // the system as it stands, with what breaks in it
	Calm                // nothing breaks
	Blip                // a dependency stalls for two seconds
	NoRetries           // the same, and nobody retries
)

// Trial is one run that a system is judged by.
type Trial struct {
	Of         Of
	Dependency string // that stalls
	Before     bool   // it is of the system as it was before
	Scenario   scenario.Scenario
}

// A blip comes when the system has got going, and there is time to see whether it ends; after 30 s it counts as one that
// keeps itself alive.
const (
	blipAt  = scenario.Duration(5 * time.Second)
	blipFor = scenario.Duration(2 * time.Second)
	blipRun = scenario.Duration(40 * time.Second)
)

// Trials is the runs that a system is judged by, which is valid, those to be seen first in front. before is the one to hold
// it against, nil for none.
func Trials(s scenario.Scenario, before *scenario.Scenario) []Trial {
	all := []Trial{{Of: Whole, Scenario: s}}
	if before != nil {
		all = append(all, Trial{Of: Whole, Before: true, Scenario: *before})
	}
	all = append(all, Trial{Of: Calm, Scenario: stalled(s, "")})
	for _, name := range Called(&s) {
		all = append(all, Trial{Of: Blip, Dependency: name, Scenario: stalled(s, name)})
		if before != nil && slices.Contains(Called(before), name) {
			all = append(all, Trial{Of: Blip, Dependency: name, Before: true, Scenario: stalled(*before, name)})
		}
		if once, err := presets.WithRule(stalled(s, name), "no retries"); err == nil {
			all = append(all, Trial{Of: NoRetries, Dependency: name, Scenario: once})
		}
	}
	return all
}

// stalled is the system with nothing on its timeline but a stall of that dependency, or nothing at all.
func stalled(s scenario.Scenario, dependency string) scenario.Scenario {
	s = s.Clone()
	s.Duration, s.Faults, s.Changes = blipRun, nil, nil
	if dependency != "" {
		s.Faults = []scenario.Fault{{At: blipAt, For: blipFor, Target: dependency, Kind: "stall", Factor: 1}}
	}
	return s
}

// Called is the dependencies that are asked for anything, as a request comes to them.
func Called(s *scenario.Scenario) []string {
	asked := map[string]bool{}
	call := func(name string) { asked[s.Policy.Calls[name].Target(name)] = true }
	for _, o := range s.Operations {
		asked[o.Edge] = true
		for _, step := range o.Steps {
			call(step)
		}
	}
	for _, j := range s.Jobs {
		call(j.Call)
	}
	return slices.DeleteFunc(view.Path(s), func(name string) bool { return !asked[name] })
}
