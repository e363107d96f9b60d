package run

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stormbin/engine/scenario"
)

// ErrOver is what a run answers that has reached its limit and can't be changed any more.
var ErrOver = fmt.Errorf("this run has come to its end, after %v; start another", Limit)

func (r *Run) over() bool { return r.world.Now() >= Limit }

// Set changes a path of the scenario from now on: rates, the policy, and the numbers of dependencies. The error names
// the path, the value and what would be right, or is ErrOver; then nothing has changed.
func (r *Run) Set(path string, value any) error {
	return r.Change([]scenario.Change{{Path: path, Value: value}})
}

// Change sets several paths from now on, all at one instant; the At of each is ignored. What they come to must be valid,
// with what is planned for later too, however it stands half-way. The error is as that of Set, and then nothing has
// changed. No changes do nothing.
func (r *Run) Change(changes []scenario.Change) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(changes) == 0 {
		return nil
	}
	if r.over() {
		return ErrOver
	}
	s := r.world.Settings().Clone()
	steps, err := inTurn(&s, changes)
	if err != nil {
		return err
	}
	for _, c := range s.Changes {
		if time.Duration(c.At) <= r.world.Now() {
			continue
		}
		if err := c.Apply(&s); err != nil {
			return fmt.Errorf("with what is planned for %v: %w", time.Duration(c.At), err)
		}
	}
	r.act()
	r.world.Change(steps)
	return nil
}

// inTurn makes changes to s and says how, so that s is valid after each, as it must be on a scenario's timeline: as they are
// given, if it can be. Otherwise what only makes sense together is changed as a whole, and what there is no room for yet
// waits for what makes room.
func inTurn(s *scenario.Scenario, changes []scenario.Change) (steps []scenario.Change, err error) {
	given := *s
	if _, waiting, _ := apply(&given, changes); len(waiting) == 0 {
		*s = given
		return changes, nil
	}
	to := *s
	for _, c := range changes {
		if err := scenario.Set(&to, c.Path, c.Value); err != nil {
			return nil, err
		}
	}
	var left []scenario.Change
	for _, c := range changes {
		c = whole(c, &to)
		if !slices.ContainsFunc(left, func(l scenario.Change) bool { return l.Path == c.Path }) {
			left = append(left, c)
		}
	}
	for len(left) > 0 {
		made, waiting, err := apply(s, left)
		if len(made) == 0 {
			return nil, err
		}
		steps, left = append(steps, made...), waiting
	}
	return steps, nil
}

// apply makes those of the changes to s that leave it valid. The error is that of the first that doesn't.
func apply(s *scenario.Scenario, changes []scenario.Change) (made, waiting []scenario.Change, err error) {
	for _, c := range changes {
		e := c.Apply(s)
		if e == nil {
			made = append(made, c)
			continue
		}
		waiting = append(waiting, c)
		if err == nil {
			err = e
		}
	}
	return made, waiting, err
}

// whole is a change to what it is in to, of all that must make sense together with what c changes: one service, one call, or
// the balancer. Anything else makes sense by itself.
func whole(c scenario.Change, to *scenario.Scenario) scenario.Change {
	switch keys := strings.Split(c.Path, "."); {
	case len(keys) > 2 && keys[0] == "dependencies" && keys[2] == "service":
		return scenario.Change{Path: strings.Join(keys[:3], "."), Value: to.Dependencies[keys[1]].Service}
	case len(keys) > 2 && keys[0] == "policy" && keys[1] == "calls":
		return scenario.Change{Path: strings.Join(keys[:3], "."), Value: to.Policy.Calls[keys[2]]}
	case len(keys) > 1 && keys[0] == "policy" && keys[1] == "calls":
		return scenario.Change{Path: "policy.calls", Value: to.Policy.Calls}
	case len(keys) > 1 && keys[0] == "policy" && keys[1] == "balancer":
		return scenario.Change{Path: "policy.balancer", Value: to.Policy.Balancer}
	}
	return c
}

// Break starts a fault now: f.At is ignored, f.For 0 lasts until it is mended. The error is that of
// scenario.Scenario.Validate, or ErrOver.
func (r *Run) Break(f scenario.Fault) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.At = 0
	if err := r.check(f); err != nil {
		return err
	}
	r.act()
	r.world.Break(f)
	return nil
}

// Plan has a fault begin at f.At, which must be later than now. The error is as that of Break; then nothing has changed.
func (r *Run) Plan(f scenario.Fault) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.check(f); err != nil {
		return err
	}
	if now := r.world.Now(); time.Duration(f.At) <= now {
		return fmt.Errorf("at: %q: must be later than %q, where the run is", f.At, now)
	}
	r.act()
	r.world.Plan(f)
	return nil
}

// Drop takes a fault off the timeline that is to come. It tells whether there was one.
func (r *Run) Drop(f scenario.Fault) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over() || !slices.Contains(r.world.Settings().Faults, f) {
		return false
	}
	r.act()
	return r.world.Drop(f)
}

// check tells whether another fault can be on the timeline.
func (r *Run) check(f scenario.Fault) error {
	if r.over() {
		return ErrOver
	}
	s := r.world.Settings().Clone()
	s.Changes, s.Faults = nil, append(s.Faults, f)
	return s.Validate()
}

// Mend ends every fault that is on now, and drops those to come.
func (r *Run) Mend() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over() {
		r.act()
		r.world.Mend()
	}
}
