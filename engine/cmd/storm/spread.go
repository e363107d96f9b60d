package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
)

// tellSpread prints for people how far apart the runs are.
func tellSpread(out io.Writer, s run.Spread) error {
	fmt.Fprintf(out, "%s of %s, from seed %d on. Still bad at the end, after a fault had ended: %.0f %%.\n\n",
		metrics.Plural(s.Runs, "run", "runs"), s.Scenario, s.Seed, 100*s.NeverShare)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tmedian\tleast\tmost\t")
	row := func(name, format string, scale float64, r run.Range) {
		fmt.Fprintf(w, "%s\t"+format+"\t"+format+"\t"+format+"\t\n", name, scale*r.Median, scale*r.Min, scale*r.Max)
	}
	row("bad seconds", "%.4g", 1, s.BadSeconds)
	if s.RecoveryS != nil {
		row("recovery, if there was one", "%.1f s", 1, *s.RecoveryS)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Amplification)) {
		row("amplification of "+name, "%.2f", 1, s.Amplification[name])
	}
	row("not ok", "%.2f %%", 100, s.FailedShare)
	row("p99", "%.3f s", 1, s.P99S)
	return w.Flush()
}
