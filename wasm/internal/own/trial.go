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
	Whole         Of = iota // the system as it stands, with what breaks in it
	Calm                    // nothing breaks
	CalmNoRetries           // the same, and nobody retries
	Blip                    // a dependency stalls for two seconds
	NoRetries               // the same, and nobody retries
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
	if once, err := presets.WithRule(stalled(s, ""), "no retries"); err == nil {
		all = append(all, Trial{Of: CalmNoRetries, Scenario: once})
	}
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

// Next is the i-th trial's scenario, to be run when those before it are over: what a stall makes bad is told by what is usual
// with nothing broken.
func Next(trials []Trial, outcomes []*Outcome, i int) scenario.Scenario {
	s := trials[i].Scenario
	of, stall := map[Of]Of{Blip: Calm, NoRetries: CalmNoRetries}[trials[i].Of]
	for j, o := range outcomes[:i] {
		if stall && trials[j].Of == of && o != nil {
			s.BadShare = max(s.BadShare, o.usual())
		}
	}
	return s
}

// usual is the share of a second's requests that may fail without anything having happened: twice as many as in the worst
// second of a run in which nothing is broken. 0 if that was more than a tenth: it is no tail then, it is too much load.
func (o *Outcome) usual() float64 {
	if o.Share > 0.1 {
		return 0
	}
	return 2 * o.Share
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
