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
		_, err := out.Write(metrics.AppendJSON(nil, &report))
		return err
	}
	return tell(out, report)
}

const requestsHead = "offered\tok\tfailed\tshed\tlate\tunfinished\tp50\tp99\tbad seconds\trecovery\t\n"

// requests is the row below requestsHead.
func requests(r metrics.Report) string {
	recovery := "-"
	if last := len(r.Series) - 1; r.RecoveryS != nil && r.BadSeconds > 0 {
		recovery = fmt.Sprintf("%.1f s", *r.RecoveryS)
	} else if r.RecoveryS == nil && last >= 0 && r.Series[last].Bad {
		recovery = "not yet"
	}
	q := r.Requests
	p50, p99 := "-", "-"
	if q.Offered > q.Unfinished {
		p50, p99 = fmt.Sprintf("%.3f s", q.LatencyS.P50), fmt.Sprintf("%.3f s", q.LatencyS.P99)
	}
	return fmt.Sprintf("%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%d\t%s\t\n",
		q.Offered, q.OK, q.Failed, q.Shed, q.Late, q.Unfinished, p50, p99, r.BadSeconds, recovery)
}

// outlives tells whether there was work to do when the duration was over. Requests and attempts are counted with that,
// what the dependencies did without.
func outlives(r metrics.Report) bool {
	for name, d := range r.Dependencies {
		within := int64(0)
		for _, row := range r.Series {
			within += row.Dependencies[name].Attempts
		}
		if within != d.Attempts {
			return true
		}
		if last := len(r.Series) - 1; last >= 0 && r.Series[last].Dependencies[name].Queue+r.Series[last].Dependencies[name].Busy > 0 {
			return true
		}
	}
	return false
}

// tell prints a report for people: what it came to, then the requests, what each dependency saw, what writes left behind
// that nobody wanted, and who was paged.
func tell(out io.Writer, r metrics.Report) error {
	fmt.Fprintf(out, "%s\n\n", r.Verdict)
	if r.CutShort {
		fmt.Fprintf(out, "Cut short after %.4g s, as no more than %s things may happen in a run.\n\n", r.DurationS, metrics.Thousands(run.MaxEvents))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s%s\n", requestsHead, requests(r))
	fmt.Fprintln(w, "\tattempts\tamplification\trefused\ttimeouts\tcompleted\tfor nobody\tkilled\tmost waiting\tbusy\t")
	for _, name := range slices.Sorted(maps.Keys(r.Dependencies)) {
		d := r.Dependencies[name]
		fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f %%\t\n", name, d.Attempts, d.Multiple(), d.Refused,
			d.Timeouts, d.Completed, d.AbandonedCompleted, d.Killed, d.MaxQueue, 100*d.Utilization)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if outlives(r) {
		until := "until each has its answer"
		if r.Requests.Unfinished > 0 {
			until = "for another minute"
		}
		fmt.Fprintf(out, "\nRequests and attempts are followed %s; completed and busy are counted until %.4g s.\n", until, r.DurationS)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Dependencies)) {
		if d := r.Dependencies[name]; d.Duplicates+d.Orphans+d.Repeated > 0 {
			fmt.Fprintf(out, "\n%s stored %d: %s, %s; %s.\n", name, d.Stored,
				metrics.Plural(int(d.Duplicates), "duplicate", "duplicates"), metrics.Plural(int(d.Orphans), "orphan", "orphans"),
				metrics.Plural(int(d.Repeated), "more was seen to be a repetition", "more were seen to be repetitions"))
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
