package session

import (
	"slices"
	"sort"
	"strings"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// Pin keeps the run on show as A. From now on the run on show is B: the same again, on the same traffic with the same
// faults, until the rule is changed; then it has that rule from the beginning.
func (s *Session) Pin() {
	c := s.course(s.set, nil)
	s.pinned = s.run
	s.again(c)
}

// Against begins a session with a run of s as B. A has the rule of another scenario, on the traffic of s and with what breaks
// in it. The error says why the two can't be held against each other.
func Against(other, s scenario.Scenario) (*Session, error) {
	now, err := New(s)
	if err != nil {
		return nil, err
	}
	a := ruledBy(other, s)
	if err := run.SameTraffic(a, s); err != nil {
		return nil, err
	}
	if now.pinned, err = run.New(a); err != nil {
		return nil, err
	}
	return now, nil
}

// RuleOfA is the id of the built-in scenario with which Against makes these two runs again. Empty: none does, or there is
// no A.
func (s *Session) RuleOfA() string {
	if s.pinned == nil {
		return ""
	}
	a, b := s.pinned.Scenario(), s.run.Scenario()
	a.Duration, b.Duration = s.set.Duration, s.set.Duration // a page plays on
	other, ok := scenario.Find(a.ID)
	if !ok || (scenario.Link{Scenario: ruledBy(other, b)}).String() != (scenario.Link{Scenario: a}).String() {
		return ""
	}
	return a.ID
}

// ruledBy is other, on the traffic of s and with what breaks in it.
func ruledBy(other, s scenario.Scenario) scenario.Scenario {
	a := other.Clone()
	a.Seed, a.Duration, a.Faults = s.Seed, s.Duration, s.Faults
	a.Changes, _ = divide(s.Changes)
	for name, o := range a.Operations {
		if b, ok := s.Operations[name]; ok {
			o.Rate, o.Arrivals = b.Rate, b.Arrivals
			a.Operations[name] = o
		}
	}
	return a
}

// Unpin lets go of A. B goes on alone.
func (s *Session) Unpin() { s.pinned = nil }

// again begins B again, with the rule of a course. It has as far to go as A has gone, or is on its way to.
func (s *Session) again(c course) {
	past := s.pinned.Scenario()
	b := c.begin.Clone()
	b.Faults = past.Faults
	for name, o := range past.Operations {
		rule := b.Operations[name]
		o.Deadline, o.Idempotent, o.Client = rule.Deadline, rule.Idempotent, rule.Client
		b.Operations[name] = o
	}
	load, _ := divide(past.Changes)
	_, rule := divide(c.changes)
	b.Changes = append(load, rule...)
	sort.SliceStable(b.Changes, func(i, j int) bool { return b.Changes[i].At < b.Changes[j].At })
	r, err := run.New(b)
	if err != nil {
		panic("session: settings that were checked before are refused: " + err.Error())
	}
	s.run, s.set, s.came, s.passed = r, c.begin, c.changes, 0
	s.goal, s.backs, s.keep = max(s.goal, s.pinned.Now()), 0, nil
}

// changeBeside makes the settings those of to beside a pinned run, by changes. What is of the traffic changes for both.
func (s *Session) changeBeside(to scenario.Scenario, changes []scenario.Change) error {
	c := s.course(to, changes)
	if err := c.scenario().Validate(); err != nil {
		return err
	}
	load, rule := divide(changes)
	if slices.ContainsFunc(load, fixed) {
		return s.bothOver(c, load)
	}
	if len(load) > 0 {
		if err := s.both(func(r *run.Run) error { return r.Change(load) }); err != nil {
			return err
		}
	}
	if s.set = to; len(rule) > 0 {
		s.again(c)
	}
	return nil
}

// bothOver begins both again at 0, B on that course, and with changes of the traffic that they share.
func (s *Session) bothOver(c course, changes []scenario.Change) error {
	a := s.pinned.Scenario()
	a.Duration, a.Faults = c.begin.Duration, lasting(a.Faults)
	for _, c := range changes {
		if err := scenario.Set(&a, c.Path, c.Value); err != nil {
			return err
		}
	}
	r, err := run.New(a)
	if err != nil {
		return err
	}
	s.pinned, s.goal = r, 0
	s.again(c)
	return nil
}

// divide tells changes of the traffic, which both runs share, from those of the rule and the world.
func divide(changes []scenario.Change) (load, rule []scenario.Change) {
	for _, c := range changes {
		if ofTraffic(c.Path) {
			load = append(load, c)
		} else {
			rule = append(rule, c)
		}
	}
	return load, rule
}

// ofTraffic tells whether a path says who comes and when, and not what is done about it.
func ofTraffic(path string) bool {
	keys := strings.Split(path, ".")
	if keys[0] != "operations" || len(keys) < 3 {
		return path == "seed"
	}
	return keys[2] != "deadline" && keys[2] != "idempotent" && keys[2] != "client"
}
