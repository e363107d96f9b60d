package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"stormbin/engine/presets"
)

// listPresets prints each rule's name and what it costs, then each preset's ID and what that library does by default.
func listPresets(args []string, _ io.Reader, out io.Writer) error {
	if len(args) > 0 {
		return fmt.Errorf("%q: takes nothing", args)
	}
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "for -rule, with its cost:")
	for _, r := range presets.Rules() {
		fmt.Fprintf(w, "%s\t%s\n", r.Name, r.Cost)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nfor -preset CALL=NAME, by default:")
	for _, p := range presets.List() {
		fmt.Fprintf(w, "%s\t%s (%s, %s)\n", p.ID, p.What, p.Name, p.Version)
	}
	return w.Flush()
}
