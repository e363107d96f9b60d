package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"stormbin/engine/metrics"
)

// sum prints a policy's arithmetic.
func sum(args []string, stdin io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("sum", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "")
	share := flags.Float64("share", 0.2, "")
	s, err := loadEdited(flags, args, stdin)
	if err != nil {
		return err
	}
	if !(*share >= 0 && *share <= 1) { // NaN is neither
		return fmt.Errorf("-share: %v: must be 0 to 1", *share)
	}
	if err := s.Validate(); err != nil {
		return err
	}
	sums := metrics.Sum(&s, *share)
	if *asJSON {
		return writeJSON(out, sums)
	}
	for _, name := range slices.Sorted(maps.Keys(sums.Operations)) {
		tellOperation(out, name, sums.Operations[name], sums.Share)
	}
	if sums.Budget != "" {
		fmt.Fprintf(out, "budget: of each process at each dependency, %s\n", sums.Budget)
	}
	return nil
}

func tellOperation(out io.Writer, name string, o metrics.OperationSums, share float64) {
	fmt.Fprintln(out, strings.TrimRight(name+": "+o.Rate(), " "))
	fmt.Fprintf(out, "  slices: %s\n", o.Slices())
	fmt.Fprintf(out, "  together: %s\n", o.Together())
	for _, s := range o.Steps {
		fmt.Fprintf(out, "  %s:\n", s.Call)
		fmt.Fprintf(out, "    worst: %s\n", s.Worst())
		if fits := o.OneRetry(s); fits != "" {
			fmt.Fprintf(out, "    one retry: %s\n", fits)
		}
		for _, m := range s.Failures {
			fmt.Fprintf(out, "    after %s: %s\n", m.After(), s.Multiplied(m, share))
		}
		if load := s.Hedged(); load != "" {
			fmt.Fprintf(out, "    if every one is hedged: %s\n", load)
		}
	}
	if o.Cap != nil {
		fmt.Fprintf(out, "  cap: %s\n", o.Cap.Words())
	}
	fmt.Fprintln(out)
}
