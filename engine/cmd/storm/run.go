package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
)

// runScenario runs a scenario and prints its report, or runs it with many seeds and prints how far apart they are.
func runScenario(args []string, stdin io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "")
	seeds := flags.Int("seeds", 0, "")
	s, err := loadEdited(flags, args, stdin)
	if err != nil {
		return err
	}
	if given(flags, "seeds") {
		spread, err := run.Seeds(s, *seeds, nil)
		if err != nil {
			return err
		}
		if *asJSON {
			return writeJSON(out, spread)
		}
		return tellSpread(out, spread)
	}
	report, err := run.Do(s)
	if err != nil {
		return err
	}
	if *asJSON {
		return writeJSON(out, report)
	}
	return tell(out, report)
}

const requestsHead = "offered\tok\tfailed\tshed\tlate\tunfinished\tp50\tp99\tbad seconds\trecovery\t\n"

// requests is the row below requestsHead.
func requests(r metrics.Report) string {
	recovery := "-"
	if r.RecoveryS != nil {
		recovery = fmt.Sprintf("%.1f s", *r.RecoveryS)
	} else if last := len(r.Series) - 1; last >= 0 && r.Series[last].Bad {
		recovery = "not yet"
	}
	q := r.Requests
	return fmt.Sprintf("%d\t%d\t%d\t%d\t%d\t%d\t%.3f s\t%.3f s\t%d\t%s\t\n",
		q.Offered, q.OK, q.Failed, q.Shed, q.Late, q.Unfinished, q.LatencyS.P50, q.LatencyS.P99, r.BadSeconds, recovery)
}

// tell prints a report for people: what it came to, then the requests, what each dependency saw, what writes left behind
// that nobody wanted, and who was paged.
func tell(out io.Writer, r metrics.Report) error {
	fmt.Fprintf(out, "%s\n\n", r.Verdict)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s%s\n", requestsHead, requests(r))
	fmt.Fprintln(w, "\tattempts\tamplification\trefused\ttimeouts\tcompleted\tfor nobody\tkilled\tmost waiting\tbusy\t")
	for _, name := range slices.Sorted(maps.Keys(r.Dependencies)) {
		d := r.Dependencies[name]
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f %%\t\n", name, d.Attempts, d.Amplification, d.Refused,
			d.Timeouts, d.Completed, d.AbandonedCompleted, d.Killed, d.MaxQueue, 100*d.Utilization)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(r.Dependencies)) {
		if d := r.Dependencies[name]; d.Duplicates+d.Orphans+d.Repeated > 0 {
			fmt.Fprintf(out, "\n%s stored %d: %d duplicates, %d orphans; %d more were seen to be repetitions.\n",
				name, d.Stored, d.Duplicates, d.Orphans, d.Repeated)
		}
	}
	if len(r.Alerts) == 0 {
		fmt.Fprintln(out, "\nNobody was paged.")
		return nil
	}
	fmt.Fprintln(out, "\nPages:")
	for _, a := range r.Alerts {
		fmt.Fprintf(out, "  %s; %s\n", a.Sentence, a.Cause)
	}
	return nil
}
