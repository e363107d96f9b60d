package run

import (
	"cmp"
	"fmt"
	"reflect"
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
	names := scenario.Names(a.Operations)
	c.check("operations", names, scenario.Names(b.Operations))
	for _, name := range names {
		x, y := a.Operations[name], b.Operations[name]
		c.all("operations."+name, []pair{
			{"rate", x.Rate, y.Rate}, {"arrivals", x.Arrivals, y.Arrivals}, {"clients", x.Clients, y.Clients}, {"think", x.Think, y.Think},
			{"shape", x.Shape, y.Shape}, {"repeat", x.Repeat, y.Repeat}, {"copies", x.Copies, y.Copies}, {"edge", x.Edge, y.Edge}, {"steps", x.Steps, y.Steps},
		})
		for _, step := range x.Steps {
			c.check("policy.calls."+step+".on", a.Policy.Calls[step].Target(step), b.Policy.Calls[step].Target(step))
		}
	}
	names = scenario.Names(a.Dependencies)
	c.check("dependencies", names, scenario.Names(b.Dependencies))
	for _, name := range names {
		x, y := a.Dependencies[name], b.Dependencies[name]
		c.all("dependencies."+name, []pair{
			{"service.dist", x.Service.Dist, y.Service.Dist}, {"service.mean", x.Service.Mean, y.Service.Mean}, {"service.base", x.Service.Base, y.Service.Base},
			{"service.sigma", x.Service.Sigma, y.Service.Sigma}, {"service.table", x.Service.Table, y.Service.Table},
			{"keys.count", x.Keys.Count, y.Keys.Count}, {"keys.zipf", x.Keys.Zipf, y.Keys.Zipf},
		})
	}
	c.check("faults of kind surge", surges(a), surges(b))
	c.check("changes of the traffic", turns(a), turns(b))
	return c.err
}

// same keeps the first thing that is not.
type same struct{ err error }

// pair is what the two have at a path.
type pair struct {
	path string
	a, b any
}

// all checks what is behind a path.
func (c *same) all(path string, pairs []pair) {
	for _, p := range pairs {
		c.check(path+"."+p.path, p.a, p.b)
	}
}

// check compares what is written of the two, so that a list that was left out is an empty one.
func (c *same) check(path string, a, b any) {
	if c.err == nil && fmt.Sprint(a) != fmt.Sprint(b) {
		c.err = fmt.Errorf("%s: %s in run A, %s in run B: must be the same in both, or it isn’t the same traffic", path, written(a), written(b))
	}
}

// written is what a scenario has somewhere, for a reader.
func written(v any) string {
	list := reflect.ValueOf(v)
	if list.Kind() != reflect.Slice {
		return fmt.Sprint(v)
	}
	var all []string
	for i := range list.Len() {
		all = append(all, fmt.Sprint(list.Index(i)))
	}
	return cmp.Or(metrics.All(all), "none")
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
