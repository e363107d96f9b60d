package session

import (
	"strings"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// Pin keeps the run on show as A. From now on the run on show is B: the same again, on the same traffic with the same
// faults, until the rule is changed; then it has that rule from the beginning.
func (s *Session) Pin() {
	s.pinned = s.run
	s.again()
}

// Unpin lets go of A. B goes on alone.
func (s *Session) Unpin() { s.pinned = nil }

// again begins B again, with the rule as it is set now. It has as far to go as A has gone, or is on its way to.
func (s *Session) again() {
	past := s.pinned.Scenario()
	b := s.set.Clone()
	b.Operations, b.Faults = past.Operations, past.Faults
	b.Changes, _ = divide(past.Changes)
	r, err := run.New(b)
	if err != nil {
		panic("session: settings that were checked before are refused: " + err.Error())
	}
	s.run, s.goal = r, max(s.goal, s.pinned.Now())
}

// divide tells changes of the load, which two runs on the same traffic share, from those of the rule and the world.
func divide(changes []scenario.Change) (load, rule []scenario.Change) {
	for _, c := range changes {
		if strings.HasPrefix(c.Path, "operations.") && strings.HasSuffix(c.Path, ".rate") {
			load = append(load, c)
		} else {
			rule = append(rule, c)
		}
	}
	return load, rule
}
