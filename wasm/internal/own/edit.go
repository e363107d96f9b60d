package own

import (
	"fmt"
	"slices"
	"strings"

	"stormbin/engine/json"
	"stormbin/engine/scenario"
)

// The lists of things with names, by their paths.
const (
	operations   = "operations"
	dependencies = "dependencies"
	calls        = "policy.calls"
	faults       = "faults"
)

// Add adds something to a list: operations, dependencies, policy.calls or faults, which have no names. A dependency comes
// with a call to it of its own name, if there is none yet; an operation makes the first call, if there is one. If there is an
// error, s is as it was.
func Add(s *scenario.Scenario, list, name string) error {
	if list == faults {
		return addFault(s)
	}
	if err := free(s, list, name); err != nil {
		return err
	}
	var value map[string]any
	switch list {
	case operations:
		steps := []any{}
		for _, call := range scenario.Names(s.Policy.Calls)[:min(1, len(s.Policy.Calls))] {
			steps = append(steps, call)
		}
		value = map[string]any{"rate": 10, "deadline": "1s", "steps": steps}
	case dependencies:
		value = map[string]any{"slots": 10, "service": map[string]any{"dist": "exponential", "mean": "10ms"}}
	case calls:
		value = map[string]any{"timeout": "1s"}
		if _, own := s.Dependencies[name]; !own && len(s.Dependencies) > 0 {
			value["on"] = scenario.Names(s.Dependencies)[0]
		}
	}
	if err := scenario.Set(s, json.Join(list, name), value); err != nil {
		return err
	}
	if _, found := s.Policy.Calls[name]; list == dependencies && !found {
		return Add(s, calls, name)
	}
	return nil
}

// addFault adds a stall of two seconds of the first dependency.
func addFault(s *scenario.Scenario) error {
	if len(s.Dependencies) == 0 {
		return fmt.Errorf("faults: nothing can break yet; add a dependency first")
	}
	s.Faults = append(slices.Clone(s.Faults), scenario.Fault{
		At: blipAt, For: blipFor, Target: scenario.Names(s.Dependencies)[0], Kind: "stall", Factor: 1,
	})
	return nil
}

// free tells whether a name can be given to something new in a list.
func free(s *scenario.Scenario, list, name string) error {
	const letters, most = "abcdefghijklmnopqrstuvwxyz0123456789_-", 40
	var taken bool
	switch list {
	case operations:
		_, taken = s.Operations[name]
	case dependencies:
		_, taken = s.Dependencies[name]
	case calls:
		_, taken = s.Policy.Calls[name]
	default:
		panic("own: no list " + list)
	}
	quoted := fmt.Sprintf("%s: %q: must be ", list, json.Shorten(name))
	switch {
	case name == "" || len(name) > most || strings.Trim(name, letters) != "":
		return fmt.Errorf("%sa name of 1 to %d of a-z, 0-9, _ and -", quoted, most)
	case taken:
		return fmt.Errorf("%sanother name: there is one of that already", quoted)
	}
	return nil
}

// Rename gives what stands in a list under a name another one, and follows with all that refers to it. If there is an error,
// s is as it was.
func Rename(s *scenario.Scenario, list, from, to string) error {
	if from == to {
		return nil
	}
	if err := free(s, list, to); err != nil {
		return err
	}
	r := s.Clone()
	rename := func(name *string) {
		if *name == from {
			*name = to
		}
	}
	switch list {
	case operations:
		move(r.Operations, from, to)
		move(r.Processes.Cap, from, to)
	case dependencies:
		move(r.Dependencies, from, to)
		for i := range r.Policy.Breaker.Targets {
			rename(&r.Policy.Breaker.Targets[i])
		}
		for name, c := range r.Policy.Calls {
			if c.Target(name) == from {
				c.On = to
				r.Policy.Calls[name] = c
			}
		}
	case calls:
		c := r.Policy.Calls[from]
		c.On = c.Target(from)
		r.Policy.Calls[from] = c
		move(r.Policy.Calls, from, to)
	}
	for name, o := range r.Operations {
		if list == dependencies {
			rename(&o.Edge)
		}
		for i := range o.Steps {
			if list == calls {
				rename(&o.Steps[i])
			}
		}
		r.Operations[name] = o
	}
	for name, j := range r.Jobs {
		switch list {
		case operations:
			rename(&j.After)
		case calls:
			rename(&j.Call)
		}
		r.Jobs[name] = j
	}
	for i := range r.Faults {
		if list == targets(r.Faults[i]) {
			rename(&r.Faults[i].Target)
		}
	}
	was, is := json.Join(list, from), json.Join(list, to)
	for i, c := range r.Changes {
		if under(c.Path, was) {
			r.Changes[i].Path = is + c.Path[len(was):]
		}
	}
	*s = r
	return nil
}

// Remove takes something out of a list, with all that cannot be without it: a dependency's calls, a call in the steps and
// jobs that make it, an operation's jobs and its cap, and what would break or change it.
func Remove(s *scenario.Scenario, list, name string) {
	*s = s.Clone()
	switch list {
	case operations:
		delete(s.Operations, name)
		delete(s.Processes.Cap, name)
	case dependencies:
		delete(s.Dependencies, name)
		for _, call := range scenario.Names(s.Policy.Calls) {
			if c := s.Policy.Calls[call]; c.Target(call) == name {
				Remove(s, calls, call)
			}
		}
		for op, o := range s.Operations {
			if o.Edge == name {
				o.Edge = ""
				s.Operations[op] = o
			}
		}
		if b := &s.Policy.Breaker; slices.Equal(b.Targets, []string{name}) {
			b.Targets, b.Enabled = nil, false // no target would be all of them
		} else {
			b.Targets = slices.DeleteFunc(b.Targets, func(t string) bool { return t == name })
		}
	case calls:
		delete(s.Policy.Calls, name)
		for op, o := range s.Operations {
			o.Steps = slices.DeleteFunc(o.Steps, func(step string) bool { return step == name })
			s.Operations[op] = o
		}
	}
	for job, j := range s.Jobs {
		if list == operations && j.After == name || list == calls && j.Call == name {
			delete(s.Jobs, job)
		}
	}
	s.Faults = slices.DeleteFunc(s.Faults, func(f scenario.Fault) bool { return list == targets(f) && f.Target == name })
	s.Changes = slices.DeleteFunc(s.Changes, func(c scenario.Change) bool { return under(c.Path, json.Join(list, name)) })
}

// targets is the list that a fault's target is in.
func targets(f scenario.Fault) string {
	if f.Kind == "surge" {
		return operations
	}
	return dependencies
}

func under(path, of string) bool { return path == of || strings.HasPrefix(path, of+".") }

func move[V any](m map[string]V, from, to string) {
	if v, found := m[from]; found {
		delete(m, from)
		m[to] = v
	}
}

// Nearest is the one of the names, of which there is at least one, that is meant most likely by one of somebody else's: the
// same, or one that is in it or that it is in; else the first.
func Nearest(name string, names []string) string {
	name = strings.ToLower(name)
	for _, alike := range []func(string) bool{
		func(n string) bool { return n == name },
		func(n string) bool { return name != "" && (strings.Contains(name, n) || strings.Contains(n, name)) },
	} {
		if i := slices.IndexFunc(names, alike); i >= 0 {
			return names[i]
		}
	}
	return names[0]
}
