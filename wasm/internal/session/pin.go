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

// Against begins a session with a run of s as B. A has the rule of another scenario, on the traffic of s and with what breaks
// in it. The error says why the two can't be held against each other.
func Against(other, s scenario.Scenario) (*Session, error) {
	now, err := New(s)
	if err != nil {
		return nil, err
	}
	a := other.Clone()
	a.Seed, a.Duration, a.Faults = s.Seed, s.Duration, s.Faults
	a.Changes, _ = divide(s.Changes)
	for name, o := range a.Operations {
		if b, ok := s.Operations[name]; ok {
			o.Rate, o.Arrivals = b.Rate, b.Arrivals
			a.Operations[name] = o
		}
	}
	if err := run.SameTraffic(a, s); err != nil {
		return nil, err
	}
	if now.pinned, err = run.New(a); err != nil {
		return nil, err
	}
	return now, nil
}

// Unpin lets go of A. B goes on alone.
func (s *Session) Unpin() { s.pinned = nil }

// again begins B again, with the rule as it is set now. It has as far to go as A has gone, or is on its way to.
func (s *Session) again() {
	past := s.pinned.Scenario()
	b := s.set.Clone()
	b.Faults = past.Faults
	for name, o := range past.Operations {
		rule := b.Operations[name]
		o.Deadline, o.Idempotent, o.Client = rule.Deadline, rule.Idempotent, rule.Client
		b.Operations[name] = o
	}
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
