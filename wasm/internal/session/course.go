package session

import (
	"slices"
	"strings"

	"stormbin/engine/scenario"
)

// course is how a run goes that begins again: with what settings, and with what of those that the scenario came with is
// changed at its time. What readers set holds from the beginning.
type course struct {
	begin   scenario.Scenario // in which nothing breaks or changes
	changes []scenario.Change // in order of time
}

// course is that of the run on show, after a reader has made the last changes, by which the settings are those of to now.
func (s *Session) course(to scenario.Scenario, last []scenario.Change) course {
	if len(s.came) == 0 {
		return course{begin: to.Clone()}
	}
	now := scenario.Duration(s.front().Now())
	c := course{s.run.Scenario(), slices.Clone(s.came)}
	set := c.begin.Changes
	c.begin.Faults, c.begin.Changes, c.begin.Duration = nil, nil, to.Duration
	for _, own := range set {
		if own.At <= now && !slices.ContainsFunc(s.came, func(p scenario.Change) bool { return p.At == own.At && p.Path == own.Path }) {
			c.set(own)
		}
	}
	for _, own := range last {
		own.At = now
		c.set(own)
	}
	if c.scenario().Validate() == nil {
		return c
	}
	// What had been changed by now does not go with what was set: then all holds from the beginning.
	later := slices.DeleteFunc(slices.Clone(s.came), func(p scenario.Change) bool { return p.At <= now })
	return course{to.Clone(), later}
}

// set has what a reader set hold from the beginning. It was the last word over what the course had changed until then, and
// it was not over what came later.
func (c *course) set(own scenario.Change) {
	_ = scenario.Set(&c.begin, own.Path, own.Value) // what can't be set is not valid together
	passed := func(p scenario.Change) bool { return p.At <= own.At }
	c.changes = slices.DeleteFunc(c.changes, func(p scenario.Change) bool { return passed(p) && within(p.Path, own.Path) })
	for i, p := range slices.Backward(c.changes) {
		if passed(p) && within(own.Path, p.Path) { // of which it was a part
			c.changes = slices.Insert(c.changes, i+1, scenario.Change{At: p.At, Path: own.Path, Value: own.Value})
			return
		}
	}
}

// within tells whether a path is another one, or of a part of what that is of.
func within(path, of string) bool { return path == of || strings.HasPrefix(path, of+".") }

// scenario is the course as one in which nothing breaks.
func (c *course) scenario() scenario.Scenario {
	s := c.begin.Clone()
	s.Changes = slices.Clone(c.changes)
	return s
}
