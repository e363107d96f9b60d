package main

import (
	"flag"
	"io"

	"stormbin/engine/scenario"
)

// show prints a scenario as JSON that run -scenario takes.
func show(args []string, stdin io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("show", flag.ContinueOnError)
	full := flags.Bool("full", false, "")
	file := flags.String("scenario", "", "")
	id, err := parseID(flags, args)
	if err != nil {
		return err
	}
	s, err := load(id, *file, stdin)
	if err != nil {
		return err
	}
	write := scenario.Scenario.Short
	if *full {
		write = scenario.Scenario.Full
	}
	text, err := write(s)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}
