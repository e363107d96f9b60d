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
		o.Steps = slices.Clone(o.Steps)
		s.Operations[name] = o
	}
	s.Processes.Cap = maps.Clone(s.Processes.Cap)
	s.Dependencies = maps.Clone(s.Dependencies)
	s.Policy.Calls = maps.Clone(s.Policy.Calls)
	for name, c := range s.Policy.Calls {
		c.RetryOn = slices.Clone(c.RetryOn)
		s.Policy.Calls[name] = c
	}
	s.Faults = slices.Clone(s.Faults)
	s.Changes = slices.Clone(s.Changes)
	return s
}
