package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"stormbin/engine/scenario"
)

const usage = `usage:
  storm list                  the scenarios that there are
  storm show [-full] ID       one of them as JSON; -full with every default spelled out
  storm run [-json] [-scenario FILE] [-set PATH=VALUE]... [ID]
                              run one, of your own from FILE (- is standard input) or by its ID, and tell what it came to

  storm run -set policy.calls.b.attempts=1 two-service
`

var commands = map[string]func(args []string, stdin io.Reader, out io.Writer) error{
	"list": list,
	"show": show,
	"run":  runScenario,
}

// storm is the whole program. It returns the exit code: 0; 2 with one line on stderr if what it was asked is wrong; 1 if
// it cannot write the answer.
func storm(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintln(stderr, "storm:", strings.ReplaceAll(err.Error(), "\n", " "))
		return code
	}
	var out bytes.Buffer
	err := dispatch(args, stdin, &out)
	if errors.Is(err, flag.ErrHelp) {
		out.WriteString(usage)
	} else if err != nil {
		return fail(2, err)
	}
	if _, err := stdout.Write(out.Bytes()); err != nil {
		return fail(1, err)
	}
	return 0
}

func dispatch(args []string, stdin io.Reader, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("no command; must be list, show or run, as storm help tells")
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return flag.ErrHelp
	}
	command, ok := commands[args[0]]
	if !ok {
		return fmt.Errorf("%q: no such command; must be list, show or run", args[0])
	}
	if err := command(args[1:], stdin, out); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return nil
}

// parse reads flags from before and after the ID, of which there is at most one.
func parse(flags *flag.FlagSet, args []string) (id string, err error) {
	flags.SetOutput(io.Discard)
	var names []string
	for {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			return "", err
		} else if err != nil {
			var known []string
			flags.VisitAll(func(f *flag.Flag) { known = append(known, "-"+f.Name) })
			return "", fmt.Errorf("%w (the flags are %s)", err, strings.Join(known, ", "))
		}
		if flags.NArg() == 0 {
			break
		}
		names = append(names, flags.Arg(0))
		args = flags.Args()[1:]
	}
	switch len(names) {
	case 0:
		return "", nil
	case 1:
		return names[0], nil
	}
	return "", fmt.Errorf("%q: one ID at a time", names)
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
		return s, fmt.Errorf("no ID; must be one of %s", strings.Join(known, ", "))
	}
	return s, fmt.Errorf("%q: no such scenario; must be one of %s", id, scenario.Nearest(id, known))
}
