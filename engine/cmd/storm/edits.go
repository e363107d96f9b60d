package main

import (
	"errors"
	"flag"
	"strings"

	"stormbin/engine/presets"
	"stormbin/engine/scenario"
)

// edits are what flags do to a scenario, in the order in which they were given.
type edits []func(*scenario.Scenario) error

// flags adds -set, -preset and -rule.
func (e *edits) flags(flags *flag.FlagSet) {
	e.set(flags, "set")
	flags.Func("preset", "", func(text string) error {
		call, name, ok := strings.Cut(text, "=")
		if !ok {
			return errors.New("must be CALL=NAME, like b=go-redis")
		}
		*e = append(*e, func(s *scenario.Scenario) (err error) {
			*s, err = presets.WithLibrary(*s, call, name)
			return err
		})
		return nil
	})
	flags.Func("rule", "", func(name string) error {
		*e = append(*e, func(s *scenario.Scenario) (err error) {
			*s, err = presets.WithRule(*s, name)
			return err
		})
		return nil
	})
}

// set adds a flag that takes PATH=VALUE.
func (e *edits) set(flags *flag.FlagSet, name string) {
	flags.Func(name, "", func(text string) error {
		path, value, ok := strings.Cut(text, "=")
		if !ok {
			return errors.New("must be PATH=VALUE, like policy.calls.b.timeout=20ms")
		}
		*e = append(*e, func(s *scenario.Scenario) error { return scenario.SetText(s, path, value) })
		return nil
	})
}

// apply makes them. If one can't be made, the error is of all that can't, and of what is out of range besides.
func (e edits) apply(s *scenario.Scenario) error {
	var wrong []error
	for _, edit := range e {
		if err := edit(s); err != nil {
			wrong = append(wrong, err)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return scenario.Join(append(wrong, s.Validate())...)
}
