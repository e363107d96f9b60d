package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// loadEdited is the scenario that a command is about: the one of its ID or link, or of a file with -scenario, as edits made
// it. It adds those flags to the command's own, and parses them all.
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

// load reads the scenario from the file (- is stdin), or finds the built-in of that ID, or what a link in its place names. An
// ID and a file may both be given if they agree.
func load(id, file string, stdin io.Reader) (scenario.Scenario, error) {
	if file == "" {
		if s, err := follow(id); !errors.Is(err, scenario.ErrNotALink) {
			return s, err
		}
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

// loadAny loads what is an ID, a link or a file.
func loadAny(name string, stdin io.Reader) (scenario.Scenario, error) {
	if s, err := follow(name); !errors.Is(err, scenario.ErrNotALink) {
		return s, err
	}
	if isFile(name) {
		return load("", name, stdin)
	}
	return find(name)
}

// follow is the scenario that a link names, which is a whole address, or what stands behind its #. Its traffic ends when the
// link says that the page is to be opened: what is seen there is what has happened until then. What says how the page is to
// look says nothing here. The error is scenario.ErrNotALink, or what is wrong with it, which is also what a page only says.
func follow(link string) (scenario.Scenario, error) {
	if _, fragment, found := strings.Cut(link, "#"); found {
		link = fragment
	}
	l, err := scenario.ParseLink(link)
	if err != nil {
		return scenario.Scenario{}, err
	}
	if at, ok := l.Instant(); ok && at > 0 {
		l.Scenario.Duration = scenario.Duration(min(max(at, time.Millisecond), run.Limit))
	}
	return l.Scenario, l.Doubts()
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
