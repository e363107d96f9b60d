package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"stormbin/engine/json"
)

const usage = `usage:
  storm list [-long]          the scenarios that there are; -long with what their runs answer
  storm show [-full] [-scenario FILE] [ID]
                              one of them, or of your own, as JSON; -full with every default spelled out
  storm run [-json] [-seeds N] [-scenario FILE] [EDIT]... [ID]
                              run one, of your own from FILE (- is standard input) or by its ID, and tell what it came to;
                              -seeds with N seeds, from its own on, and tell how far apart they are
  storm compare [-json] [EDIT]... [-a PATH=VALUE]... [-b PATH=VALUE]... A B
                              run two, each an ID or a file, on the very same traffic, and tell them apart;
                              -a and -b change one of them
  storm sum [-json] [-share P] [-scenario FILE] [EDIT]... [ID]
                              do a policy’s arithmetic without a run, for a share P (0.2) of attempts that fail
  storm presets               the rules by name, and what client libraries do by default
  storm import [-call NAME] [-scenario FILE] [EDIT]... FILE [ID]
                              read retry settings that you have, of Envoy, gRPC, Istio, resilience4j or an AWS SDK, in JSON or
                              an AWS config file; with a scenario, tell what each would come to there, put on that call

An EDIT is -set PATH=VALUE; -rule NAME to retry by that rule, in every call; or -preset CALL=NAME to give a call what a
library does by default. They are made in the order in which they stand.

An ID may be a link, in quotes: '#v1/two-service?seed=7&t=5s', or the whole address. From its t on nobody
comes; who is under way then is followed to the answer, which the page, opened at t, does not know yet.

  storm run -set policy.calls.b.attempts=1 two-service
  storm run -rule "budget 10 %" two-service
  storm compare two-service two-service -b policy.calls.b.attempts=1
  storm sum -set 'policy.calls.primary_read.retry_on=["timeout"]' -set policy.calls.primary_read.attempts=4 pastebin
`

var commands = map[string]func(args []string, stdin io.Reader, out io.Writer) error{
	"list":    list,
	"show":    show,
	"run":     runScenario,
	"compare": compare,
	"sum":     sum,
	"presets": listPresets,
	"import":  importPolicies,
}

const known = "list, show, run, compare, sum, presets or import"

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
		return errors.New("no command; must be " + known + ", as storm help tells")
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return flag.ErrHelp
	}
	command, ok := commands[args[0]]
	if !ok {
		return fmt.Errorf("%q: no such command; must be %s", args[0], known)
	}
	if err := command(args[1:], stdin, out); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return nil
}

// parse reads flags from before, between and after the names.
func parse(flags *flag.FlagSet, args []string) (names []string, err error) {
	flags.SetOutput(io.Discard)
	for {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, err
		} else if err != nil {
			var known []string
			flags.VisitAll(func(f *flag.Flag) { known = append(known, "-"+f.Name) })
			return nil, fmt.Errorf("%w (the flags are %s)", err, strings.Join(known, ", "))
		}
		if flags.NArg() == 0 {
			return names, nil
		}
		names = append(names, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

// parseID is parse for what takes one ID, or none.
func parseID(flags *flag.FlagSet, args []string) (id string, err error) {
	names, err := parse(flags, args)
	switch {
	case err != nil || len(names) == 0:
		return "", err
	case len(names) > 1:
		return "", fmt.Errorf("%q: one ID at a time", names)
	}
	return names[0], nil
}

// given tells whether the flag was.
func given(flags *flag.FlagSet, name string) (is bool) {
	flags.Visit(func(f *flag.Flag) { is = is || f.Name == name })
	return is
}

func writeJSON(out io.Writer, value any) error {
	_, err := out.Write(append(json.Append(nil, value, "\n"), '\n'))
	return err
}
