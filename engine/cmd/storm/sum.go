package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

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
	fmt.Fprintf(out, "%s:", name)
	if o.PerS > 0 {
		fmt.Fprintf(out, " %s", perSecond(o.PerS))
	}
	fmt.Fprintln(out)
	parts := make([]string, len(o.Steps))
	for i, s := range o.Steps {
		parts[i] = s.Call + " " + span(s.SliceS, "no timeout")
	}
	fmt.Fprintf(out, "  slices: %s\n", strings.Join(parts, " + "))
	switch {
	case len(o.Untimed) > 0:
		fmt.Fprintf(out, "  together: no bound, as there is no timeout on %s\n", strings.Join(o.Untimed, ", "))
	case o.LeftS == nil:
		fmt.Fprintf(out, "  together: %s, and no deadline\n", span(o.SlicesS, ""))
	case *o.LeftS < 0:
		fmt.Fprintf(out, "  together: %s of %s, %s too much\n", span(o.SlicesS, ""), span(o.DeadlineS, ""), span(-*o.LeftS, ""))
	default:
		fmt.Fprintf(out, "  together: %s of %s, %s left\n", span(o.SlicesS, ""), span(o.DeadlineS, ""), span(*o.LeftS, "nothing"))
	}
	for _, s := range o.Steps {
		tellStep(out, o, s, share)
	}
	if c := o.Cap; c != nil {
		fmt.Fprintf(out, "  cap: %d × %d processes = %d slots, held %s by %s when that is dead: %s get one\n",
			c.PerProcess, c.Processes, c.Slots, held(c.HeldS), c.Call, perSecond(c.TurnoverPerS))
	}
	fmt.Fprintln(out)
}

func tellStep(out io.Writer, o metrics.OperationSums, s metrics.StepSums, share float64) {
	fmt.Fprintf(out, "  %s:\n", s.Call)
	fmt.Fprintf(out, "    worst: %s if %s never answers\n", span(s.WorstS, "for ever"), s.Dependency)
	if s.RetriesFit != nil && len(o.Untimed) == 0 {
		fmt.Fprintf(out, "    one retry: %s + %s = %s of %s", span(o.SlicesS, ""), span(s.SliceS, ""), span(s.OneRetryS, ""), span(o.DeadlineS, ""))
		if s.BackoffS > 0 {
			fmt.Fprintf(out, ", and up to %s of backoff", span(s.BackoffS, ""))
		}
		switch n := *s.RetriesFit; n {
		case 0:
			fmt.Fprintln(out, ": it doesn't fit")
		case 1:
			fmt.Fprintln(out, ": it fits, a second one doesn't")
		default:
			fmt.Fprintf(out, ": it fits, and %d do\n", n)
		}
	}
	for _, m := range s.Failures {
		on := strings.Join(m.On, ", ")
		if m.Attempts == 1 {
			fmt.Fprintf(out, "    %s: sent once\n", on)
			continue
		}
		layers := make([]string, len(m.Layers))
		for i, l := range m.Layers {
			layers[i] = fmt.Sprintf("%s %d", l.Name, l.Attempts)
		}
		if s.HedgeAfterS > 0 {
			layers = append(layers, "hedge 2")
		}
		fmt.Fprintf(out, "    %s: %s = up to %d attempts for one click; with %s failing: %s%s if it is the same ones each time, %s%s if each has its own luck\n",
			on, strings.Join(layers, " × "), m.Attempts, decimals(100*share)+" %",
			factor(m.Same.Factor), rate(m.Same.PerS), factor(m.Independent.Factor), rate(m.Independent.PerS))
	}
	if s.HedgeAfterS > 0 {
		fmt.Fprintf(out, "    if every one is hedged: 2×%s\n", rate(s.HedgedPerS))
	}
}

// span is a time as scenarios have it, or the word for 0.
func span(s float64, none string) string {
	if s == 0 && none != "" {
		return none
	}
	return time.Duration(math.Round(s * 1e9)).String()
}

func held(s float64) string {
	if s == 0 {
		return "for ever"
	}
	return "for up to " + span(s, "")
}

func perSecond(f float64) string {
	if f < 10 {
		return decimals(f) + "/s"
	}
	return metrics.Thousands(int64(math.Round(f))) + "/s"
}

// decimals is f with as many as it needs, up to two.
func decimals(f float64) string { return strconv.FormatFloat(math.Round(100*f)/100, 'f', -1, 64) }

// rate is perSecond, after a factor, if the rate is known.
func rate(f float64) string {
	if f == 0 {
		return ""
	}
	return " = " + perSecond(f)
}

func factor(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) + "×" }
