package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"stormbin/engine/scenario"
)

// loadEdited is the scenario that a command is about: the one of its ID, or of a file with -scenario, as edits made it. It
// adds those flags to the command's own, and parses them all.
func loadEdited(flags *flag.FlagSet, args []string, stdin io.Reader) (scenario.Scenario, error) {
	file := flags.String("scenario", "", "")
	var edits edits
	edits.flags(flags)
	id, err := parseID(flags, args)
	if err != nil {
		return scenario.Scenario{}, err
	}
	s, err := load(id, *file, stdin)
	if err != nil {
		return s, err
	}
	err = edits.apply(&s)
	return s, err
}

// load reads the scenario from the file (- is stdin), or finds the built-in of that ID. Both may be given if they agree.
func load(id, file string, stdin io.Reader) (scenario.Scenario, error) {
	if file == "" {
		return find(id)
	}
	text, err := content(file, stdin)
	if err != nil {
		return scenario.Scenario{}, err
	}
	s, err := scenario.Parse(text)
	if err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	if id != "" && id != s.ID {
		return s, fmt.Errorf("%q: must be %q, the id in %s, or left out", id, s.ID, file)
	}
	return s, nil
}

// isFile tells a file from an ID, which has no dot or slash in it. - is stdin.
func isFile(name string) bool { return name == "-" || strings.ContainsAny(name, `./\`) }

// loadAny loads what is an ID or a file.
func loadAny(name string, stdin io.Reader) (scenario.Scenario, error) {
	if isFile(name) {
		return load("", name, stdin)
	}
	return load(name, "", stdin)
}

// find is the built-in scenario of that ID.
func find(id string) (scenario.Scenario, error) {
	s, ok := scenario.Find(id)
	if ok {
		return s, nil
	}
	var known []string
	for _, e := range scenario.List() {
		known = append(known, e.ID)
	}
	if id == "" {
		return s, fmt.Errorf("no ID; must be one of %s", scenario.Nearest(known[0], known))
	}
	if isFile(id) {
		return s, fmt.Errorf("%q: no such scenario; a file must come after -scenario", id)
	}
	return s, fmt.Errorf("%q: no such scenario; must be one of %s", id, scenario.Nearest(id, known))
}

// content reads a file; - is stdin.
func content(file string, stdin io.Reader) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(file)
}
