package metrics

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stormbin/engine/policy"
	"stormbin/engine/scenario"
)

// Verdict sums up what r, a run of s, came to, in one sentence that a person can repeat: what was hit, under which rule,
// how much traffic that made, how many seconds were bad, and how long it outlasted its cause.
func Verdict(r *Report, s *scenario.Scenario) string {
	if r.Requests.Offered == 0 {
		return "Nothing has arrived yet."
	}
	var faults []scenario.Fault
	for _, f := range s.Faults {
		if time.Duration(f.At).Seconds() < r.DurationS { // it has begun
			faults = append(faults, f)
		}
	}
	if len(faults) == 0 {
		return calm(r, s)
	}
	last := slices.MaxFunc(faults, func(a, b scenario.Fault) int { return cmp.Compare(a.End(), b.End()) })
	sick := last.Target
	if last.Kind == "surge" || last.Kind == "flush" { // what suffers is elsewhere
		sick = busiest(r)
	}
	parts := []string{
		broken(faults, r.DurationS),
		fmt.Sprintf("%s, %s saw %s the attempts", rule(s, sick), sick, times(r.Dependencies[sick].Amplification)),
	}
	if r.BadSeconds == 0 {
		parts = append(parts, "and no second was bad")
	} else {
		parts = append(parts, plural(r.BadSeconds, "second was", "seconds were")+" bad", outlasted(r, last))
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
	mended := r.DurationS - last.End().Seconds() // so long ago
	switch {
	case mended < 0:
		return "and it is not over"
	case r.RecoveryS == nil && r.Metastable:
		return fmt.Sprintf("and %s after its cause was gone it is kept alive by its own traffic", seconds(mended))
	case r.RecoveryS == nil:
		return fmt.Sprintf("and it is still bad %s after its cause was gone", seconds(mended))
	case *r.RecoveryS == 0:
		return "and it ended with its cause"
	}
	return fmt.Sprintf("and it outlasted its cause by %s", seconds(*r.RecoveryS))
}

// rule says what callers of a dependency were told: the call with the most attempts speaks for all.
func rule(s *scenario.Scenario, dependency string) string {
	var c scenario.Call
	for _, name := range slices.Sorted(maps.Keys(s.Policy.Calls)) {
		if call := s.Policy.Calls[name]; call.Target(name) == dependency && attempts(call) > attempts(c) {
			c = call
		}
	}
	again := c.Attempts > 1 && len(c.RetryOn) > 0
	var parts []string
	switch {
	case !again:
		parts = append(parts, "no retries")
	case len(c.RetryOn) == 1 && c.RetryOn[0] == "refused":
		parts = append(parts, fmt.Sprintf("up to %d attempts where a connection was refused", c.Attempts))
	default:
		parts = append(parts, fmt.Sprintf("up to %d attempts", c.Attempts))
	}
	if retries(c.Library) {
		parts = append(parts, "a library that tries "+often(c.Library.Attempts))
	}
	if c.HedgeAfter > 0 {
		parts = append(parts, hedge(time.Duration(c.HedgeAfter)))
	}
	if b := s.Policy.Budget.Policy(); b.Kind != policy.NoBudget && (again || c.HedgeAfter > 0) {
		parts = append(parts, budget(b))
	}
	if b := s.Policy.Breaker; b.Enabled && (len(b.Targets) == 0 || slices.Contains(b.Targets, dependency)) {
		parts = append(parts, "a breaker")
	}
	if retries(s.Policy.Balancer) {
		parts = append(parts, "a balancer that tries "+often(s.Policy.Balancer.Attempts))
	}
	if u := users(s, dependency); retries(u) {
		parts = append(parts, "users who try "+often(u.Attempts))
	}
	return "with " + list(parts)
}

// attempts is the most that a call may send; 0 for the zero Call.
func attempts(c scenario.Call) int {
	n := c.Attempts * max(c.Library.Attempts, 1)
	if c.HedgeAfter > 0 {
		n *= 2
	}
	return n
}

func retries(l scenario.Layer) bool { return l.Attempts > 1 && len(l.RetryOn) > 0 }

// users is the retrying of the most stubborn users whose requests reach a dependency.
func users(s *scenario.Scenario, dependency string) (most scenario.Layer) {
	for _, o := range s.Operations {
		if slices.Contains(reaches(s, o), dependency) && retries(o.Client) && o.Client.Attempts > most.Attempts {
			most = o.Client
		}
	}
	return most
}

// reaches lists the dependencies that an operation may call, in the order of its steps.
func reaches(s *scenario.Scenario, o scenario.Operation) (names []string) {
	if o.Edge != "" {
		names = append(names, o.Edge)
	}
	for _, step := range o.Steps {
		if name := s.Policy.Calls[step].Target(step); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func hedge(after time.Duration) string {
	if after < 100*time.Microsecond {
		return "a hedge at once"
	}
	return "a hedge after " + length(after)
}

func budget(b policy.BudgetSettings) string {
	switch {
	case b.Kind == policy.TokenBudget:
		return "a budget of " + plural(b.MaxTokens, "token", "tokens")
	case b.Kind == policy.InFlightBudget:
		return "a budget of " + short(b.Percent, 1) + " % of the calls under way"
	case b.Percent == 0:
		return "a budget of " + short(b.FloorPerSecond, 1) + "/s"
	}
	return "a budget of " + short(b.Percent, 1) + " %"
}

// busiest is the dependency with the greatest share of its slots busy: the one to look at when nothing is broken.
func busiest(r *Report) string {
	return slices.MaxFunc(slices.Sorted(maps.Keys(r.Dependencies)), func(a, b string) int {
		return cmp.Compare(r.Dependencies[a].Utilization, r.Dependencies[b].Utilization)
	})
}
