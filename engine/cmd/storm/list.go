package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"stormbin/engine/scenario"
)

// list prints each scenario's ID and question.
func list(args []string, _ io.Reader, out io.Writer) error {
	if len(args) > 0 {
		return fmt.Errorf("%q: takes nothing", args)
	}
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	for _, e := range scenario.List() {
		fmt.Fprintf(w, "%s\t%s\n", e.ID, e.Question)
	}
	return w.Flush()
}
