package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// runScenario runs a scenario and prints its report.
func runScenario(args []string, stdin io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "")
	file := flags.String("scenario", "", "")
	type setting struct{ path, value string }
	var settings []setting
	flags.Func("set", "", func(text string) error {
		path, value, ok := strings.Cut(text, "=")
		if !ok {
			return errors.New("must be PATH=VALUE, like policy.calls.b.timeout=20ms")
		}
		settings = append(settings, setting{path, value})
		return nil
	})
	id, err := parse(flags, args)
	if err != nil {
		return err
	}

	s, err := load(id, *file, stdin)
	if err != nil {
		return err
	}
	for _, set := range settings {
		if err := scenario.SetText(&s, set.path, set.value); err != nil {
			return err
		}
	}
	report, err := run.Do(s)
	if err != nil {
		return err
	}
	if *asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(report)
	}
	return tell(out, report)
}

// load reads the scenario from the file (- is stdin), or finds the built-in of that ID. Both may be given if they agree.
func load(id, file string, stdin io.Reader) (scenario.Scenario, error) {
	if file == "" {
		return find(id)
	}
	var text []byte
	var err error
	if file == "-" {
		text, err = io.ReadAll(stdin)
	} else {
		text, err = os.ReadFile(file)
	}
	if err != nil {
		return scenario.Scenario{}, err
	}
	s, err := scenario.Parse(text)
	if err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	if id != "" && id != s.ID {
		return s, fmt.Errorf("%q: must be %q, the id in %s, or left out", id, s.ID, file)
	}
	return s, nil
}

// tell prints a report for people: what it came to, then the requests, then what each dependency saw.
func tell(out io.Writer, r metrics.Report) error {
	recovery := "-"
	if r.RecoveryS != nil {
		recovery = fmt.Sprintf("%.1f s", *r.RecoveryS)
	} else if last := len(r.Series) - 1; last >= 0 && r.Series[last].Bad {
		recovery = "not yet"
	}
	q := r.Requests
	fmt.Fprintf(out, "%s\n\n", r.Verdict)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "offered\tok\tfailed\tshed\tlate\tunfinished\tp50\tp99\tbad seconds\trecovery\t")
	fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%d\t%d\t%.3f s\t%.3f s\t%d\t%s\t\n\n",
		q.Offered, q.OK, q.Failed, q.Shed, q.Late, q.Unfinished, q.LatencyS.P50, q.LatencyS.P99, r.BadSeconds, recovery)
	fmt.Fprintln(w, "\tattempts\tamplification\trefused\ttimeouts\tcompleted\tfor nobody\tkilled\tmost waiting\tbusy\t")
	for _, name := range slices.Sorted(maps.Keys(r.Dependencies)) {
		d := r.Dependencies[name]
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%d\t%d\t%d\t%d\t%d\t%d\t%.0f %%\t\n", name, d.Attempts, d.Amplification, d.Refused,
			d.Timeouts, d.Completed, d.AbandonedCompleted, d.Killed, d.MaxQueue, 100*d.Utilization)
	}
	return w.Flush()
}
