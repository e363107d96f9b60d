package view

import "stormbin/engine/scenario"

// Erased is calls as they were before something of theirs was erased from the storm diagram, so that it can be put back.
// nil: nothing is erased.
type Erased map[string]scenario.Call

// Retries and Timeouts are what can be erased of a dependency's calls.
var (
	Retries = Erasable{
		is:   func(c *scenario.Call) bool { return c.Attempts > 1 },
		drop: func(c *scenario.Call) { c.Attempts = 1 },
		back: func(c *scenario.Call, was scenario.Call) { c.Attempts = was.Attempts },
	}
	Timeouts = Erasable{
		is:   func(c *scenario.Call) bool { return c.Timeout > 0 },
		drop: func(c *scenario.Call) { c.Timeout = 0 },
		back: func(c *scenario.Call, was scenario.Call) { c.Timeout = was.Timeout },
	}
)

// Erasable is a part of the rule that the storm diagram shows as a box.
type Erasable struct {
	is   func(*scenario.Call) bool
	drop func(*scenario.Call)
	back func(c *scenario.Call, was scenario.Call)
}

// Erase is s without it, in all calls of the dependency, and those that had it. There are none if nothing is to be erased.
func (e *Erasable) Erase(s *scenario.Scenario, dependency string) (scenario.Scenario, Erased) {
	to, erased := s.Clone(), Erased{}
	for name, c := range to.Policy.Calls {
		if c.Target(name) == dependency && e.is(&c) {
			erased[name] = c
			e.drop(&c)
			to.Policy.Calls[name] = c
		}
	}
	return to, erased
}

// Holds tells whether it is still erased in s: somebody may have set it again by other means.
func (e *Erasable) Holds(s *scenario.Scenario, erased Erased) bool {
	for name := range erased {
		c, ok := s.Policy.Calls[name]
		if !ok || e.is(&c) {
			return false
		}
	}
	return len(erased) > 0
}

// PutBack is s with it again as it was, whatever else has been changed since.
func (e *Erasable) PutBack(s *scenario.Scenario, erased Erased) scenario.Scenario {
	to := s.Clone()
	for name, was := range erased {
		if c, ok := to.Policy.Calls[name]; ok {
			e.back(&c, was)
			to.Policy.Calls[name] = c
		}
	}
	return to
}

// Retries is how many retries of a call there are to put back; of the call that has the most.
func (e Erased) Retries() (n int) {
	for _, was := range e {
		n = max(n, was.Attempts-1)
	}
	return n
}
