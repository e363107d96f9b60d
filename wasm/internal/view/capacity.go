package view

import (
	"strings"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/scenario"
)

// Capacity is what a dependency can do from a moment on.
type Capacity struct {
	From  time.Duration
	Slots int     // those that serve
	Rate  float64 // attempts a second: slots ÷ mean service time. 0 while it takes on nothing
}

// Capacities is what a dependency could and can do over time, as played: with what broke, what is to break, and what was
// set. The first is from 0 on; nil if there is no such dependency.
func Capacities(played *scenario.Scenario, dependency string) []Capacity {
	if _, ok := played.Dependencies[dependency]; !ok {
		return nil
	}
	moments := []time.Duration{0}
	add := func(at time.Duration) { // in order, each once; there are few
		i := len(moments)
		for i > 0 && moments[i-1] > at {
			i--
		}
		if at != scenario.Forever && moments[i-1] != at {
			moments = append(moments, 0)
			copy(moments[i+1:], moments[i:])
			moments[i] = at
		}
	}
	for i := range played.Faults {
		if f := &played.Faults[i]; f.Target == dependency {
			add(time.Duration(f.At))
			add(f.End())
		}
	}
	var changes []scenario.Change
	for _, c := range played.Changes {
		if strings.HasPrefix(c.Path, "dependencies."+dependency+".") {
			changes = append(changes, c)
			add(time.Duration(c.At))
		}
	}
	settings := *played
	if len(changes) > 0 {
		settings = played.Clone()
	}
	all := []Capacity{}
	for _, at := range moments {
		for len(changes) > 0 && time.Duration(changes[0].At) <= at {
			changes[0].Apply(&settings) // what doesn't go was refused when it was made
			changes = changes[1:]
		}
		now := capacity(&settings, dependency, at)
		if last := len(all) - 1; last < 0 || now.Rate != all[last].Rate || now.Slots != all[last].Slots {
			all = append(all, now)
		}
	}
	return all
}

// capacity is what a dependency can do at one moment.
func capacity(s *scenario.Scenario, dependency string, at time.Duration) Capacity {
	d, h, serves := s.Dependencies[dependency], model.Health{Slow: 1, Capacity: 1}, 1.0
	for i := range s.Faults {
		f := &s.Faults[i]
		if f.Target != dependency || !f.On(at) {
			continue
		}
		switch f.Kind {
		case "slow":
			h.Slow *= f.Factor
		case "capacity":
			h.Capacity *= f.Factor
		case "stall", "down", "blackhole":
			serves = 0
		}
	}
	slots := slotsOf(&d, h)
	return Capacity{at, int(slots), serves * ceiling(slots, serviceOf(&d, h, 0))}
}

// capacityAt is the index of the one that holds at t.
func capacityAt(all []Capacity, t time.Duration) int {
	i := len(all) - 1
	for i > 0 && all[i].From > t {
		i--
	}
	return i
}
