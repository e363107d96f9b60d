package main

import (
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"stormbin/engine/scenario"
)

// list prints the catalogue, family by family: each scenario's ID and question, and with -long what its run answers.
func list(args []string, _ io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("list", flag.ContinueOnError)
	long := flags.Bool("long", false, "")
	if names, err := parse(flags, args); err != nil {
		return err
	} else if len(names) > 0 {
		return fmt.Errorf("%q: takes no names", names)
	}
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	family := ""
	for _, e := range scenario.List() {
		if e.Family != family {
			if family != "" {
				fmt.Fprintln(w)
			}
			family = e.Family
			fmt.Fprintln(w, family)
		}
		fmt.Fprintf(w, "  %s\t%s\n", e.ID, e.Question)
		if *long {
			fmt.Fprintf(w, "\t%s\n", e.Answer)
		}
	}
	return w.Flush()
}
