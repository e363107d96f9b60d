package metrics

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"stormbin/engine/scenario"
)

// Verdict sums up what r, a run of s, came to, in one sentence that a person can repeat: what was hit, under which rule,
// how much traffic that made, how many seconds were bad, and how long it outlasted its cause.
func Verdict(r *Report, s *scenario.Scenario) string {
	if r.Requests.Offered == 0 {
		return "Nothing has arrived yet."
	}
	begun := func(f scenario.Fault) bool { return time.Duration(f.At).Seconds() < r.DurationS }
	var faults []scenario.Fault
	for _, f := range s.Faults {
		if begun(f) {
			faults = append(faults, f)
		}
	}
	if len(faults) == 0 {
		return calm(r, s)
	}
	last := slices.MaxFunc(faults, func(a, b scenario.Fault) int { return cmp.Compare(a.End(), b.End()) })
	sick := last.Target
	if last.Kind == "surge" {
		sick = busiest(r)
	}
	parts := []string{cause(faults, r.DurationS)}
	parts = append(parts, fmt.Sprintf("%s, %s saw %s the attempts", rule(s, sick), sick, times(r.Dependencies[sick].Amplification)))
	switch r.BadSeconds {
	case 0:
		parts = append(parts, "and no second was bad")
	default:
		parts = append(parts, fmt.Sprintf("%s bad", plural(r.BadSeconds, "second was", "seconds were")))
		parts = append(parts, outlasted(r, last))
	}
	return strings.Join(parts, "; ") + "."
}

// calm is the sentence of a run in which nothing broke.
func calm(r *Report, s *scenario.Scenario) string {
	sick := busiest(r)
	d := r.Dependencies[sick]
	answered := 100 * float64(r.Requests.OK) / float64(max(r.Requests.Offered-r.Requests.Unfinished, 1))
	if r.BadSeconds == 0 {
		return fmt.Sprintf("Nothing was broken: %s %% were answered in time, and %s saw %s the attempts.",
			short(answered, 2), sick, times(d.Amplification))
	}
	return fmt.Sprintf("Nothing was broken, and yet %s bad: %s %% were answered in time; %s, %s saw %s the attempts.",
		plural(r.BadSeconds, "second was", "seconds were"), short(answered, 2), rule(s, sick), sick, times(d.Amplification))
}

func outlasted(r *Report, last scenario.Fault) string {
	since := r.DurationS - last.End().Seconds()
	switch {
	case since < 0:
		return "and it is not over"
	case r.RecoveryS == nil && r.Metastable:
		return fmt.Sprintf("and %s after its cause was gone it is kept alive by its own traffic", seconds(since))
	case r.RecoveryS == nil:
		return fmt.Sprintf("and it is still bad %s after its cause was gone", seconds(since))
	case *r.RecoveryS == 0:
		return "and it ended with its cause"
	}
	return fmt.Sprintf("and it outlasted its cause by %s", seconds(*r.RecoveryS))
}

// cause lists what broke.
func cause(faults []scenario.Fault, duration float64) string {
	if len(faults) > 3 {
		return fmt.Sprintf("%d things broke", len(faults))
	}
	var said []string
	for _, f := range faults {
		long := "to the end"
		if f.End().Seconds() <= duration {
			long = "for " + seconds(time.Duration(f.For).Seconds())
		}
		said = append(said, fmt.Sprintf("%s %s %s", f.Target, ailment(f), long))
	}
	return strings.Join(said, ", ")
}

func ailment(f scenario.Fault) string {
	switch f.Kind {
	case "slow":
		return "was " + short(f.Factor, 2) + "× slower"
	case "stall":
		return "stalled"
	case "down":
		return "was down"
	case "blackhole":
		return "answered nothing"
	case "flaky":
		return "failed " + short(100*f.P, 1) + " % at once"
	case "lose":
		return "lost " + short(100*f.P, 1) + " % of its answers"
	case "capacity":
		return "had " + short(100*f.Factor, 1) + " % of its slots"
	}
	return "had " + short(f.Factor, 2) + "× the load"
}

// rule says what callers of a dependency were told about retrying: the call with the most attempts speaks for all.
func rule(s *scenario.Scenario, dependency string) string {
	attempts, name := 0, ""
	for _, call := range slices.Sorted(maps.Keys(s.Policy.Calls)) {
		if c := s.Policy.Calls[call]; c.Target(call) == dependency && c.Attempts > attempts {
			attempts, name = c.Attempts, call
		}
	}
	c := s.Policy.Calls[name]
	if attempts <= 1 || len(c.RetryOn) == 0 {
		return "with no retries"
	}
	said := fmt.Sprintf("with up to %d attempts", attempts)
	if len(c.RetryOn) == 1 && c.RetryOn[0] == "refused" {
		said = fmt.Sprintf("with up to %d attempts where a connection was refused", attempts)
	}
	if b := s.Policy.Budget; b.Percent > 0 || b.FloorPerSecond > 0 {
		said += fmt.Sprintf(" and a budget of %s %%", short(b.Percent, 1))
	}
	return said
}

// busiest is the dependency with the most attempts per slot of work: the one to look at when nothing is broken.
func busiest(r *Report) string {
	return slices.MaxFunc(slices.Sorted(maps.Keys(r.Dependencies)), func(a, b string) int {
		return cmp.Compare(r.Dependencies[a].Utilization, r.Dependencies[b].Utilization)
	})
}

func times(f float64) string   { return strconv.FormatFloat(f, 'f', 2, 64) + "×" }
func seconds(s float64) string { return short(s, 1) + " s" }
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// short is f with up to so many decimals, and no zeros at the end.
func short(f float64, decimals int) string {
	s := strconv.FormatFloat(f, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}
