package view

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// Against says in a line each what the rules of a and b are, as far as they differ: "4 attempts on b". Both are empty if
// they don't. What breaks, and what was set when, is not looked at. Where both are rules that have a name, the names say
// what is retried.
func Against(a, b *scenario.Scenario) (ofA, ofB string) {
	x, y := *a, *b
	x.Faults, x.Changes, x.Duration = nil, nil, y.Duration
	y.Faults, y.Changes = nil, nil
	to := scenario.Diff(x, y)
	if len(to) == 0 {
		return "", ""
	}
	ruleA, ruleB := Holds(&x), Holds(&y)
	if ruleA == "" || ruleB == "" || ruleA == ruleB {
		return ruleLine(&x, ruleA, scenario.Diff(y, x)), ruleLine(&y, ruleB, to)
	}
	return ruleLine(&x, ruleA, scenario.Diff(holding(&y, ruleA), x)), ruleLine(&y, ruleB, scenario.Diff(holding(&x, ruleB), y))
}

// Changed says in a sentence what s, in which broken broke from the beginning and since is on its timeline now, has
// otherwise than the scenario of that title, as which it began: as one of these, whichever is nearest. Empty: nothing. rule
// tells whether it has other rules, services or load.
func Changed(title string, s *scenario.Scenario, broken, since []scenario.Fault, begins ...*scenario.Scenario) (said string, rule bool) {
	for i, b := range begins {
		if line, of := changedLine(b, *s, broken, since); i == 0 || len(line) < len(said) {
			said, rule = line, of
		}
	}
	if said != "" {
		said = "“" + title + "”, changed: " + said + "."
	}
	return said, rule
}

// Called is what the scenario of that id is called on the page.
func Called(id string) string {
	if e := scenario.Named(id); e != nil {
		return e.Title
	}
	return "Your own: " + id
}

func changedLine(begins *scenario.Scenario, s scenario.Scenario, broken, since []scenario.Fault) (line string, rule bool) {
	var all []string
	if s.Seed != begins.Seed {
		all = append(all, "seed "+strconv.FormatUint(s.Seed, 10))
		s.Seed = begins.Seed
	}
	if _, now := Against(begins, &s); now != "" {
		all, rule = append(all, now), true
	}
	if !slices.Equal(begins.Faults, broken) {
		if len(broken) == 0 {
			broken = since // in place of its own
		}
		if len(broken) == 0 {
			all = append(all, "without its faults")
		}
		s.Faults = broken
		for _, b := range Planned(&s, -1) {
			all = append(all, b.What+" "+b.Left)
		}
	}
	return strings.Join(all, "; "), rule
}

// An aspect is one thing that can differ, which one or more paths speak of.
type aspect struct {
	room   string         // calls, budget, dependencies and so on; or the path, if that is all of it
	what   string         // attempts, backoff, …
	names  []string       // of the calls or dependencies that it is of; "" where it is of none
	values map[string]any // by name
}

// noteAspect takes in that something differs. The order is that in which aspects come up; those of several calls are one.
func noteAspect(all []aspect, c scenario.Change) []aspect {
	keys := strings.Split(c.Path, ".")
	a := aspect{room: c.Path, names: []string{""}}
	switch {
	case len(keys) > 2 && keys[0] == "policy" && keys[1] == "calls":
		a = aspect{room: "calls", what: "all", names: keys[2:3]}
		if len(keys) > 3 {
			a.what = keys[3] // of backoff and library any part is the whole
		}
	case len(keys) > 1 && keys[0] == "policy":
		a.room = keys[1]
	case len(keys) > 1 && (keys[0] == "dependencies" || keys[0] == "operations"):
		a = aspect{room: keys[0], what: strings.Join(keys[2:], "."), names: keys[1:2]}
	}
	name := a.names[0]
	i := slices.IndexFunc(all, func(b aspect) bool { return b.room == a.room && b.what == a.what })
	if i < 0 {
		a.values = map[string]any{name: c.Value}
		return append(all, a)
	}
	if _, known := all[i].values[name]; !known {
		all[i].names = append(all[i].names, name)
	}
	all[i].values[name] = c.Value
	return all
}

// lineMost is how many phrases a line has before the rest is only counted.
const lineMost = 5

// ruleLine says what s has where it differs, which is what changes would make of the other one; the name of its rule, if it
// has one, comes first.
func ruleLine(s *scenario.Scenario, name string, changes []scenario.Change) string {
	var all []aspect
	for _, c := range changes {
		all = noteAspect(all, c)
	}
	var said []string
	if name != "" {
		if name = "“" + name + "”"; name == "“the rule”" { // which one?
			name += " of the lesson"
		}
		said = append(said, name)
	}
	left := 0
	for _, a := range all {
		for _, phrase := range a.phrases(s) {
			if len(said) < lineMost {
				said = append(said, phrase)
			} else {
				left++
			}
		}
	}
	line := strings.Join(said, "; ")
	if left > 0 {
		line += "; and " + strconv.Itoa(left) + " more"
	}
	return line
}

// phrases says what s has in that respect. Calls that have the same are said together.
func (a *aspect) phrases(s *scenario.Scenario) []string {
	p := &s.Policy
	switch a.room {
	case "budget":
		return []string{budgetWords(&p.Budget)}
	case "breaker":
		return []string{breakerWords(&p.Breaker)}
	case "propagate_deadline":
		if p.PropagateDeadline {
			return []string{"deadlines passed on"}
		}
		return []string{"deadlines not passed on"}
	case "balancer":
		return []string{"a balancer that " + layerTries(&p.Balancer)}
	case "calls":
		return saidTogether(a.names, len(p.Calls), func(name string) string {
			c, ok := p.Calls[name]
			if !ok {
				return "no call"
			}
			return callWords(&c, a.what)
		})
	case "dependencies", "operations":
		return saidTogether(a.names, math.MaxInt, func(name string) string {
			return strings.TrimSpace(a.what + " " + typedOut(a.values[name]))
		})
	}
	return []string{a.room + " " + typedOut(a.values[""])}
}

// saidTogether is what words says of each name, those that have the same together: "4 attempts on b". all is how many names
// there are in all.
func saidTogether(names []string, all int, words func(name string) string) []string {
	var order []string
	of := map[string][]string{}
	for _, name := range names {
		w := words(name)
		if of[w] == nil {
			order = append(order, w)
		}
		of[w] = append(of[w], name)
	}
	for i, w := range order {
		on := of[w]
		switch {
		case len(on) == all && all > 1:
			order[i] = w + " on every call"
		case len(on) > 2:
			order[i] = w + " on " + on[0] + " and " + strconv.Itoa(len(on)-1) + " more"
		default:
			order[i] = w + " on " + strings.Join(on, " and ")
		}
	}
	return order
}

// callWords says what a call has by the name of its field.
func callWords(c *scenario.Call, what string) string {
	switch what {
	case "attempts":
		if c.Attempts == 1 {
			return "1 attempt"
		}
		return strconv.Itoa(c.Attempts) + " attempts"
	case "timeout":
		return orNo("a timeout of ", c.Timeout, "no timeout")
	case "retry_on":
		if len(c.RetryOn) == 0 {
			return "retries on nothing"
		}
		return "retries on " + strings.Join(c.RetryOn, ", ")
	case "backoff":
		if c.Backoff.Kind == "none" || c.Backoff.Base == 0 {
			return "no backoff"
		}
		return c.Backoff.Kind + " backoff from " + Span(time.Duration(c.Backoff.Base))
	case "jitter":
		if c.Jitter == "none" {
			return "no jitter"
		}
		return c.Jitter + " jitter"
	case "hedge_after":
		if c.HedgeAfter > 0 && c.HedgeAfter < scenario.Duration(time.Microsecond) { // 0 is never
			return "a hedge at once"
		}
		return orNo("a hedge after ", c.HedgeAfter, "no hedge")
	case "statement_timeout":
		return orNo("a statement timeout of ", c.StatementTimeout, "no statement timeout of its own")
	case "idempotency_key":
		return withOr(c.IdempotencyKey, "an idempotency key")
	case "hedge_cancel":
		return withOr(c.HedgeCancel, "a cancel for the one that is beaten")
	case "library":
		return "a library that " + layerTries(&c.Library)
	}
	return what + " set otherwise"
}

func layerTries(l *scenario.Layer) string {
	if !l.Present() {
		return "tries once"
	}
	return "tries " + strconv.Itoa(l.Attempts) + " times"
}

func orNo(words string, d scenario.Duration, none string) string {
	if d == 0 {
		return none
	}
	return words + Span(time.Duration(d))
}

func withOr(has bool, what string) string {
	if has {
		return what
	}
	return "no " + strings.TrimPrefix(strings.TrimPrefix(what, "an "), "a ")
}

func budgetWords(b *scenario.Budget) string {
	percent := strconv.FormatFloat(b.Percent, 'f', -1, 64) + " %"
	switch {
	case b.Kind == "tokens":
		return "a retry budget of " + strconv.Itoa(b.MaxTokens) + " tokens"
	case b.Kind == "in_flight":
		return "a retry budget of " + percent + " of the calls under way"
	case b.Percent == 0 && b.FloorPerSecond == 0:
		return "no retry budget"
	case b.FloorPerSecond > 0:
		return "a retry budget of " + percent + " and " + PerSecond(b.FloorPerSecond)
	}
	return "a retry budget of " + percent
}

func breakerWords(b *scenario.Breaker) string {
	if !b.Enabled {
		return "no breaker"
	}
	return "a breaker that opens at " + Percent(b.Threshold) + " of " + strings.Join(b.On, ", ") + ", for " + Span(time.Duration(b.OpenFor))
}

// typedOut is a value of a scenario as it would be typed.
func typedOut(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case bool:
		if v {
			return "on"
		}
		return "off"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case uint64:
		return strconv.FormatUint(v, 10)
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i] = typedOut(v[i])
		}
		return strings.Join(words, ", ")
	case map[string]any:
		var words []string
		for _, key := range scenario.Names(v) {
			words = append(words, key+" "+typedOut(v[key]))
		}
		return strings.Join(words, ", ")
	}
	return "none"
}

// Differences says what became of one traffic in a and in b so far. A second is judged once all that came in it has been
// answered in both: where callers wait longer, bad news only comes later.
func Differences(a, b metrics.Report) []string {
	over := func(row *metrics.Row) bool { return row.OK+row.Failed >= row.Offered }
	n, most := 0, min(len(a.Series), len(b.Series))
	for n < most && over(&a.Series[n]) && over(&b.Series[n]) {
		n++
	}
	for _, r := range []*metrics.Report{&a, &b} {
		r.Series = r.Series[:n]
		r.BadSeconds = badSeconds(r.Series)
		if n > 0 && r.Series[n-1].Bad {
			r.RecoveryS = nil // it is only how far it has been judged
		}
	}
	return metrics.Differences(&a, &b)
}

func badSeconds(rows []metrics.Row) (n int) {
	for i := range rows {
		if rows[i].Bad {
			n++
		}
	}
	return n
}

// SideBySide names the numbers that stand under the verdict, for a dependency, where those of run A and run B are; and how many
// requests are still under way, without which a run that answers nobody would seem to have no failures.
func SideBySide(dependency string) [7]string {
	d := metrics.BesideRuns(dependency)
	return [7]string{"offered", "in time", "failed", "no answer yet", "attempts at " + d, "queue of " + d, "busy time at " + d}
}

// Beside is those numbers, of the dependency of that index; none of a dependency if that is negative.
func (n *Numbers) Beside(dependency int) [7]string {
	all := [7]string{PerSecond(n.Offered), Percent(n.InTime), PerSecond(n.Failed), Count(n.Totals.InFlight), "–", "–", "–"}
	if dependency >= 0 {
		p := &n.Places[dependency]
		all[4] = p.Cells()[2]
		all[5] = Count(int64(p.Queue))
		all[6] = Percent(math.Round(p.Used*100) / 100)
	}
	return all
}
