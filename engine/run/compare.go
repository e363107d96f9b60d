package run

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// Comparison is what became of one traffic in two worlds. Its JSON names are those of storm compare -json.
type Comparison struct {
	A metrics.Report `json:"a"`
	B metrics.Report `json:"b"`
	// Differences are sentences for people, the most important first. Empty if there is nothing to tell.
	Differences []string `json:"differences"`
}

// Compare runs a and b on the very same arrivals, which make the very same demands. Only then do their policies make the
// difference; so what makes the traffic must be alike, or the error names it.
func Compare(a, b scenario.Scenario) (c Comparison, err error) {
	for _, side := range []struct {
		name string
		s    scenario.Scenario
	}{{"A", a}, {"B", b}} {
		if err := side.s.Validate(); err != nil {
			return c, fmt.Errorf("%s: %w", side.name, err)
		}
	}
	if err := SameTraffic(a, b); err != nil {
		return c, err
	}
	if c.A, err = Do(a); err != nil {
		return c, err
	}
	if c.B, err = Do(b); err != nil {
		return c, err
	}
	c.Differences = metrics.Differences(&c.A, &c.B)
	return c, nil
}

// SameTraffic tells whether the same requests come in at the same times and ask for the same work; closed users ask for the
// same things, and come again when they have been answered. Whatever callers, processes and dependencies do about them may
// differ, a service that a crowd slows down included, and so may what breaks, a surge excepted.
func SameTraffic(a, b scenario.Scenario) error {
	c := &same{}
	c.check("seed", a.Seed, b.Seed)
	c.check("duration", a.Duration, b.Duration)
	c.check("operations", slices.Sorted(maps.Keys(a.Operations)), slices.Sorted(maps.Keys(b.Operations)))
	for _, name := range slices.Sorted(maps.Keys(a.Operations)) {
		path, x, y := "operations."+name, a.Operations[name], b.Operations[name]
		c.check(path+".rate", x.Rate, y.Rate)
		c.check(path+".arrivals", x.Arrivals, y.Arrivals)
		c.check(path+".clients", x.Clients, y.Clients)
		c.check(path+".think", x.Think, y.Think)
		c.check(path+".shape", x.Shape, y.Shape)
		c.check(path+".repeat", x.Repeat, y.Repeat)
		c.check(path+".copies", x.Copies, y.Copies)
		c.check(path+".edge", x.Edge, y.Edge)
		c.check(path+".steps", x.Steps, y.Steps)
		for _, step := range x.Steps {
			c.check("policy.calls."+step+".on", a.Policy.Calls[step].Target(step), b.Policy.Calls[step].Target(step))
		}
	}
	c.check("dependencies", slices.Sorted(maps.Keys(a.Dependencies)), slices.Sorted(maps.Keys(b.Dependencies)))
	for _, name := range slices.Sorted(maps.Keys(a.Dependencies)) {
		path, x, y := "dependencies."+name, a.Dependencies[name], b.Dependencies[name]
		c.check(path+".service.dist", x.Service.Dist, y.Service.Dist)
		c.check(path+".service.mean", x.Service.Mean, y.Service.Mean)
		c.check(path+".service.base", x.Service.Base, y.Service.Base)
		c.check(path+".service.sigma", x.Service.Sigma, y.Service.Sigma)
		c.check(path+".service.table", x.Service.Table, y.Service.Table)
		c.check(path+".keys.count", x.Keys.Count, y.Keys.Count)
		c.check(path+".keys.zipf", x.Keys.Zipf, y.Keys.Zipf)
	}
	c.check("faults of kind surge", surges(a), surges(b))
	c.check("changes of the traffic", turns(a), turns(b))
	return c.err
}

// same keeps the first thing that is not.
type same struct{ err error }

// check compares what is written of the two, so that a list that was left out is an empty one.
func (c *same) check(path string, a, b any) {
	if c.err == nil && fmt.Sprint(a) != fmt.Sprint(b) {
		c.err = fmt.Errorf("%s: %v in run A, %v in run B: must be the same in both, or it isn't the same traffic", path, a, b)
	}
}

func surges(s scenario.Scenario) (all []scenario.Fault) {
	for _, f := range s.Faults {
		if f.Kind == "surge" {
			all = append(all, f)
		}
	}
	return all
}

// turns are the changes of what makes the traffic.
func turns(s scenario.Scenario) (all []scenario.Change) {
	for _, c := range s.Changes {
		keys := strings.Split(c.Path, ".")
		if keys[0] == "operations" || keys[0] == "dependencies" && keys[2] == "service" && keys[len(keys)-1] != "load" {
			all = append(all, c)
		}
	}
	return all
}
