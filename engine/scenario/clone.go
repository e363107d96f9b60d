package scenario

import (
	"maps"
	"slices"
)

// Clone is a copy that shares nothing that can be changed with s. The values of Changes are never written to, so they
// are shared.
func (s Scenario) Clone() Scenario {
	s.Operations = maps.Clone(s.Operations)
	for name, o := range s.Operations {
		o.Shape = slices.Clone(o.Shape)
		o.Steps = slices.Clone(o.Steps)
		o.Client = o.Client.clone()
		s.Operations[name] = o
	}
	s.Processes.Cap = maps.Clone(s.Processes.Cap)
	s.Dependencies = maps.Clone(s.Dependencies)
	for name, d := range s.Dependencies {
		d.Service.Table = slices.Clone(d.Service.Table)
		s.Dependencies[name] = d
	}
	s.Policy.Calls = maps.Clone(s.Policy.Calls)
	for name, c := range s.Policy.Calls {
		c.RetryOn = slices.Clone(c.RetryOn)
		c.Library = c.Library.clone()
		s.Policy.Calls[name] = c
	}
	s.Policy.Balancer = s.Policy.Balancer.clone()
	s.Policy.Breaker.On = slices.Clone(s.Policy.Breaker.On)
	s.Policy.Breaker.Targets = slices.Clone(s.Policy.Breaker.Targets)
	s.Faults = slices.Clone(s.Faults)
	s.Jobs = maps.Clone(s.Jobs)
	s.Changes = slices.Clone(s.Changes)
	return s
}

func (l Layer) clone() Layer {
	l.RetryOn = slices.Clone(l.RetryOn)
	return l
}
