package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// compare runs two scenarios on one traffic and tells them apart.
func compare(args []string, stdin io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "")
	var both, onlyA, onlyB edits
	both.flags(flags)
	onlyA.set(flags, "a")
	onlyB.set(flags, "b")
	names, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(names) != 2 {
		return fmt.Errorf("%q: must be two, each an ID, a link or a file, like two-service two-service -b policy.calls.b.attempts=1", names)
	}
	a, err := loadAny(names[0], stdin)
	if err != nil {
		return fmt.Errorf("A: %w", err)
	}
	b, err := loadAny(names[1], stdin)
	if err != nil {
		return fmt.Errorf("B: %w", err)
	}
	var wrong []error
	for _, side := range []struct {
		name  string
		edits edits
		s     *scenario.Scenario
	}{{"A", onlyA, &a}, {"B", onlyB, &b}} {
		for _, one := range scenario.Each(slices.Concat(both, side.edits).apply(side.s)) {
			wrong = append(wrong, fmt.Errorf("%s: %w", side.name, one))
		}
	}
	if err := scenario.Join(wrong...); err != nil {
		return err
	}
	c, err := run.Compare(a, b)
	if err != nil {
		return err
	}
	if *asJSON {
		return writeJSON(out, c)
	}
	return tellComparison(out, c)
}

// tellComparison prints for people what tells run A from run B, then what each came to.
func tellComparison(out io.Writer, c run.Comparison) error {
	if len(c.Differences) == 0 {
		fmt.Fprintln(out, "Run A and run B came to the same.")
	}
	for _, d := range c.Differences {
		fmt.Fprintln(out, d)
	}
	fmt.Fprintf(out, "\nRun A: %s\nRun B: %s\n\n", c.A.Verdict, c.B.Verdict)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\t%srun A\t%srun B\t%s", requestsHead, requests(c.A), requests(c.B))
	return w.Flush()
}
