package view

import (
	"slices"

	"stormbin/engine/model"
	"stormbin/engine/scenario"
)

// Path is the dependencies' names in the order in which requests come to them: edges, then those that processes call,
// and last those that only workers do.
func Path(s *scenario.Scenario) []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, op := range Busiest(s) {
		if edge := s.Operations[op].Edge; edge != "" {
			add(edge)
		}
	}
	for _, call := range CallOrder(s) {
		c := s.Policy.Calls[call]
		add(c.Target(call))
	}
	for _, name := range scenario.Names(s.Dependencies) {
		add(name)
	}
	return names
}

// cast is which dependencies are in the picture, by the snapshot's indices. Those on the users' way always are. Others,
// a cold edge or what only workers call, come in once there is something to see, and stay: the picture is rearranged
// once for each of them at most.
type cast struct{ in, edge []bool }

func newCast(s *scenario.Scenario) cast {
	called := map[string]bool{}
	edge := map[string]bool{}
	for _, op := range s.Operations {
		for _, call := range op.Steps {
			c := s.Policy.Calls[call]
			called[c.Target(call)] = true
		}
		edge[op.Edge] = true
	}
	var c cast
	for _, name := range scenario.Names(s.Dependencies) {
		d := s.Dependencies[name]
		warm := d.HitShare > 0 || d.Keys.Count > 0
		c.in = append(c.in, called[name] || edge[name] && warm)
		c.edge = append(c.edge, edge[name])
	}
	return c
}

// look lets in whoever something is wrong with or waited for, and an edge that is asked; it tells whether anybody came.
func (c *cast) look(all []model.DependencyNow) (came bool) {
	for i := range all {
		d := &all[i]
		if !c.in[i] && (!d.Health.Well() || d.Queue > 0 || c.edge[i] && d.Attempts() > 0) {
			c.in[i], came = true, true
		}
	}
	return came
}
