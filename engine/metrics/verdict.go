package metrics

import (
	"cmp"
	"fmt"
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
		if Harms(f) && time.Duration(f.At).Seconds() < r.DurationS { // it has begun
			faults = append(faults, f)
		}
	}
	if len(faults) == 0 {
		return calm(r, s)
	}
	first := slices.MinFunc(faults, func(a, b scenario.Fault) int { return cmp.Compare(a.At, b.At) })
	last := slices.MaxFunc(faults, func(a, b scenario.Fault) int { return cmp.Compare(a.End(), b.End()) })
	sick := last.Target
	if last.Kind == "surge" || last.Kind == "flush" { // what suffers is elsewhere
		sick = busiest(r)
	}
	parts := []string{
		broken(faults, r.DurationS),
		fmt.Sprintf("%s, %s saw %s", rule(s, sick, changed(r, s, first.At)), The(sick), saw(r, sick)),
	}
	bad := Plural(r.BadSeconds, "second was", "seconds were") + " bad"
	before, own := badBefore(r, s, time.Duration(first.At))
	switch {
	case r.BadSeconds == 0:
		said := "and no second was bad: " + answered(r, s)
		if last := r.Requests.LatencyS.Max; last > 0 { // or who saw a second without an answer would wonder
			said += ", after " + length(time.Duration(last*1e9)) + " at the latest"
		}
		parts = append(parts, said)
	case own:
		parts = append(parts, fmt.Sprintf("%s, %d of them before anything broke", bad, before), afterwards(r, last))
	default:
		switch { // or its length and what it outlasted its cause by would not come to as many seconds
		case before == 1:
			bad += ", the first for those still under way when it broke"
		case before > 1:
			bad += fmt.Sprintf(", the first %d for those still under way when it broke", before)
		}
		parts = append(parts, bad, outlasted(r, last, sick))
	}
	said := strings.Join(parts, "; ") + "."
	return strings.ToUpper(said[:1]) + said[1:]
}

// calm is the sentence of a run in which nothing broke.
func calm(r *Report, s *scenario.Scenario) string {
	sick := busiest(r)
	if r.BadSeconds == 0 {
		return fmt.Sprintf("Nothing was broken: %s, and %s saw %s.", answered(r, s), The(sick), saw(r, sick))
	}
	return fmt.Sprintf("Nothing was broken, and yet %s bad: %s; %s, %s saw %s.",
		Plural(r.BadSeconds, "second was", "seconds were"), answered(r, s), rule(s, sick, changed(r, s, 0)), The(sick), saw(r, sick))
}

// saw is how many times the attempts a dependency got, if it got any.
func saw(r *Report, dependency string) string {
	d := r.Dependencies[dependency]
	if d.Attempts == 0 {
		return "no attempt"
	}
	return d.Multiple() + " the attempts"
}

// stuckShare is the share of the requests of which there may be no answer after stuckAfter seconds in a run that goes well.
// If it is more, they are not under way, they are stuck.
const (
	stuckShare = 0.05
	stuckAfter = 2
)

// answered is how many requests were answered well: of those that have ended, or of all if too many don't end.
func answered(r *Report, s *scenario.Scenario) string {
	q := r.Requests
	of := q.Offered - q.Unfinished
	var old int64
	for _, row := range r.Series {
		if float64(row.TS+1+stuckAfter) <= r.DurationS {
			old += row.Offered
		}
	}
	if float64(old-of) > stuckShare*float64(old) {
		of = q.Offered
	}
	if of == 0 {
		return "no request has its answer yet"
	}
	share, decimals := ratio(q.OK, of), 0
	if share < .1 || share >= .99 { // whole, as it is said while it is so, unless it is nearly none or all
		decimals = 2
	}
	said := hundredths(share, decimals) + " %"
	if of < q.Offered {
		said += " of those that have ended"
	}
	said += " were answered"
	for _, o := range s.Operations {
		if o.Deadline > 0 {
			return said + " in time"
		}
	}
	return said
}

// badBefore counts the seconds that were bad before the first fault. They are its doing, and not own, if hardly a request had
// ended badly by then: a second is as bad as what became of those who came in it, and some were under way when it began.
func badBefore(r *Report, s *scenario.Scenario, fault time.Duration) (n int, own bool) {
	var ended, badly int64
	for _, row := range r.Series {
		if time.Duration(row.TS+1)*time.Second > fault {
			break
		}
		for _, o := range row.Operations {
			ended += o.Ended
			badly += o.Ended - o.EndedOK
		}
		if row.Bad {
			n++
		}
	}
	return n, n > 0 && ratio(badly, ended) > s.BadShare
}

// afterwards is how a run ends that was bad before anything broke: the last fault is not the cause of it all.
func afterwards(r *Report, last scenario.Fault) string {
	switch {
	case r.DurationS < last.End().Seconds():
		return "and it is not over"
	case r.RecoveryS == nil:
		return "and it is still bad at the end"
	case *r.RecoveryS < 0.05: // which is 0 s, to one decimal
		return "and none after all was mended"
	}
	return fmt.Sprintf("and it was bad until %s after all was mended", seconds(*r.RecoveryS))
}

func outlasted(r *Report, last scenario.Fault, sick string) string {
	mended := r.DurationS - last.End().Seconds() // so long ago
	switch {
	case mended < 0:
		return "and it is not over"
	case r.RecoveryS == nil && !steadily(r):
		return fmt.Sprintf("and %s after its cause was gone single seconds are still bad", seconds(mended))
	case r.RecoveryS == nil && r.Metastable && ownTraffic(r, sick) >= ownShare:
		return fmt.Sprintf("and %s after its cause was gone it is kept alive by its own traffic", seconds(mended))
	case r.RecoveryS == nil && r.Metastable:
		return fmt.Sprintf("and it is still bad %s after its cause was gone: more comes than it can serve", seconds(mended))
	case r.RecoveryS == nil:
		return fmt.Sprintf("and it is still bad %s after its cause was gone", seconds(mended))
	}
	recovery, late := *r.RecoveryS, ""
	if by := r.OutlastedS; by != nil && recovery-*by >= 1 { // what came then is no part of it
		recovery, late = *by, fmt.Sprintf(", but for bad moments as late as %s after it", seconds(recovery))
	}
	if recovery < 0.05 { // which is 0 s, to one decimal
		return "and it ended with its cause" + late
	}
	return fmt.Sprintf("and it outlasted its cause by %s", seconds(recovery)) + late
}

// steadily tells whether a run that is bad at its end was so for most of its last third: else that its last second is bad is
// luck, as of any second.
func steadily(r *Report) bool {
	bad := 0
	last := r.Series[len(r.Series)-len(r.Series)/3:]
	for _, row := range last {
		if row.Bad {
			bad++
		}
	}
	return 2*bad >= len(last)
}

// ownShare is the share of the attempts that retries and hedges must be to be what keeps an outage alive. With fewer,
// what is left without them is as good as the same load.
const ownShare = 0.05

// ownTraffic is the share of retries and hedges in the attempts at a dependency, in the last third of the run.
func ownTraffic(r *Report, dependency string) float64 {
	var own, attempts int64
	for _, row := range r.Series[len(r.Series)-len(r.Series)/3:] {
		d := row.Dependencies[dependency]
		own += d.Retries + d.Hedges
		attempts += d.Attempts
	}
	return ratio(own, attempts)
}

// changed tells whether callers were told something else after a moment of the run.
func changed(r *Report, s *scenario.Scenario, since scenario.Duration) bool {
	return slices.ContainsFunc(s.Changes, func(c scenario.Change) bool {
		told := strings.HasPrefix(c.Path, "policy.") || strings.Contains(c.Path, ".client.")
		return told && c.At > since && time.Duration(c.At).Seconds() < r.DurationS
	})
}

// rule says what callers of a dependency were told, at last if that changed: the call with the most attempts speaks for all.
func rule(s *scenario.Scenario, dependency string, changed bool) string {
	var c scenario.Call
	for _, name := range scenario.Names(s.Policy.Calls) {
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
	if changed { // what came before was the doing of another one
		return "with a rule that changed on the way, at last " + All(parts)
	}
	return "with " + All(parts)
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
		return "a budget of " + Plural(b.MaxTokens, "token", "tokens")
	case b.Kind == policy.InFlightBudget && b.Percent == 0:
		return "a budget of " + Plural(b.MinConcurrent, "retry", "retries") + " at once"
	case b.Kind == policy.InFlightBudget:
		return "a budget of " + short(b.Percent, 1) + " % of the calls under way"
	case b.Percent == 0:
		return "a budget of " + short(b.FloorPerSecond, 1) + "/s"
	}
	return "a budget of " + short(b.Percent, 1) + " %"
}

// busiest is the dependency with the greatest share of its slots busy: the one to look at when nothing is broken.
func busiest(r *Report) string {
	return slices.MaxFunc(scenario.Names(r.Dependencies), func(a, b string) int {
		return cmp.Compare(r.Dependencies[a].Utilization, r.Dependencies[b].Utilization)
	})
}
