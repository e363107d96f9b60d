package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"stormbin/engine/imports"
	"stormbin/engine/json"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// importPolicies prints what each policy in a file sets and what of it has no place in a scenario; with a scenario, what it
// would do there to a call.
func importPolicies(args []string, stdin io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("import", flag.ContinueOnError)
	call := flags.String("call", "", "")
	own := flags.String("scenario", "", "")
	var edits edits
	edits.flags(flags)
	names, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(names) == 0 || len(names) > 2 {
		return fmt.Errorf("%q: must be a file, - for standard input, and with it at the most one ID", names)
	}
	found, err := readPolicies(names[0], stdin)
	if err != nil {
		return fmt.Errorf("%s: %w", names[0], err)
	}
	if len(names) == 1 && *own == "" {
		if *call != "" || len(edits) > 0 {
			return errors.New("no ID of a scenario, which the flags are for")
		}
		for _, f := range found {
			tellFound(out, f, func(s imports.Setting) []scenario.Change { return []scenario.Change{{Path: s.To, Value: s.Value}} })
		}
		return nil
	}
	if names[0] == "-" && *own == "-" {
		return errors.New("-scenario: \"-\": must be a file, as the policies come from standard input")
	}
	s, err := load(strings.Join(names[1:], ""), *own, stdin)
	if err == nil {
		err = edits.apply(&s)
	}
	if err != nil {
		return err
	}
	return tryPolicies(out, found, s, *call)
}

// readPolicies reads JSON or an AWS config file; - is stdin.
func readPolicies(file string, stdin io.Reader) ([]imports.Found, error) {
	text, err := content(file, stdin)
	if err != nil {
		return nil, err
	}
	tree, err := json.Parse(string(text), "", json.Limits{Bytes: 16 << 20, Depth: 64})
	if !errors.Is(err, json.ErrSyntax) {
		if err != nil {
			return nil, err
		}
		return imports.Read(tree)
	}
	if isINI(string(text)) {
		return imports.ReadAWSConfig(string(text))
	}
	return nil, fmt.Errorf("%w; must be JSON, or an AWS config file; YAML is for the page, or to be made JSON first", err)
}

// isINI tells an AWS config file by its first line that is no comment: the name of a section.
func isINI(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' && line[0] != ';' {
			return line[0] == '[' && strings.HasSuffix(line, "]")
		}
	}
	return false
}

// tryPolicies puts each policy alone on a call of s, and tells what a run comes to then.
func tryPolicies(out io.Writer, found []imports.Found, s scenario.Scenario, call string) error {
	if calls := slices.Sorted(maps.Keys(s.Policy.Calls)); call == "" && len(calls) == 1 {
		call = calls[0]
	} else if !slices.Contains(calls, call) {
		return fmt.Errorf("-call: %q: must be one of %s", call, scenario.Nearest(call, calls))
	}
	before, err := run.Do(s)
	if err != nil {
		return err
	}
	for _, f := range found {
		tellFound(out, f, func(setting imports.Setting) []scenario.Change { return setting.On(s, call) })
		changed, err := f.Apply(s, call)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		after, err := run.Do(changed)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  before: %s\n  after:  %s\n", before.Verdict, after.Verdict)
	}
	return nil
}

// tellFound prints for people what was found: what each setting changes, and what is left.
func tellFound(out io.Writer, f imports.Found, changes func(imports.Setting) []scenario.Change) {
	fmt.Fprint(out, f.Kind)
	if f.Name != "" {
		fmt.Fprintf(out, " %q", f.Name)
	}
	if f.Path != "" {
		fmt.Fprintf(out, ", at %s", f.Path)
	}
	fmt.Fprintln(out, ":")
	within := func(path string) string {
		if inner, ok := strings.CutPrefix(path, f.Path+"."); ok {
			return inner
		}
		return path
	}
	for _, s := range f.Set {
		for _, change := range changes(s) {
			fmt.Fprintf(out, "  %s = %s", change.Path, json.Append(nil, change.Value, ""))
			if s.From != "" {
				fmt.Fprintf(out, ", from %s", within(s.From))
			}
			if s.Note != "" {
				fmt.Fprintf(out, ": %s", s.Note)
			}
			if s.Source != "" {
				fmt.Fprintf(out, " [%s]", s.Source)
			}
			fmt.Fprintln(out)
		}
	}
	for _, l := range f.Left {
		fmt.Fprintf(out, "  no place here for %s: %s\n", within(l.Path), l.Why)
	}
}
