package model_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/scenario"
)

// themes are what a drawn scenario may be about. It has much of its two themes and a little of everything, so that rare
// things meet.
var themes = []string{"queues", "hedges", "breakers", "budgets", "layers", "edges", "keys", "writes", "jobs", "closed", "shapes", "faults"}

// drawing is a scenario being drawn.
type drawing struct {
	*rapid.T
	themes [2]string
}

// below is one of 0 to n−1, each as likely as the other, where rapid's own numbers are mostly small ones.
func (d drawing) below(n int, name string) int {
	for {
		drawn := 0
		for at := 1; at < n; at *= 2 {
			drawn *= 2
			if rapid.Bool().Draw(d.T, name) {
				drawn++
			}
		}
		if drawn < n {
			return drawn
		}
	}
}

// odds is true in so many of 16 cases.
func (d drawing) odds(of int, name string) bool { return d.below(16, name) >= 16-of }

// about tells whether to draw something of a theme.
func (d drawing) about(theme string) bool {
	if theme == d.themes[0] || theme == d.themes[1] {
		return d.odds(12, theme)
	}
	return d.odds(2, theme)
}

func (d drawing) length(name string, least, most int) scenario.Duration {
	if d.odds(4, name+": least") {
		return scenario.Duration(rapid.IntRange(least, most).Draw(d.T, name)) * ms
	}
	return scenario.Duration(least+(most-least)*d.below(16, name)/15) * ms
}

// maybe is a length, or more often 0.
func (d drawing) maybe(name string, least, most int) scenario.Duration {
	if d.odds(6, name+"?") {
		return d.length(name, least, most)
	}
	return 0
}

func (d drawing) word(name string, words ...string) string {
	return words[d.below(len(words), name)]
}

func (d drawing) number(name string, numbers ...float64) float64 {
	return numbers[d.below(len(numbers), name)]
}

func (d drawing) failures(name string) []string {
	words := []string{"timeout", "error", "refused", "lost", "shed"}
	if rapid.Bool().Draw(d.T, name+": any") {
		return words
	}
	return rapid.SliceOfDistinct(rapid.SampledFrom(words), rapid.ID).Draw(d.T, name)
}

func (d drawing) layer(most int) scenario.Layer {
	return scenario.Layer{
		Attempts: rapid.IntRange(1, most).Draw(d.T, "attempts"), Timeout: d.maybe("timeout", 5, 200), RetryOn: d.failures("retry on"),
		Backoff: scenario.Backoff{
			Kind: d.word("backoff", "none", "constant", "linear", "exponential"),
			Base: d.length("backoff base", 0, 50), Max: d.maybe("backoff max", 1, 100),
		},
		Jitter: d.word("jitter", "none", "full", "equal", "decorrelated"),
	}
}

// upper is a layer around or beneath the process.
func (d drawing) upper() scenario.Layer {
	if d.about("layers") {
		return d.layer(3)
	}
	return scenario.Layer{Attempts: 1, Backoff: scenario.Backoff{Kind: "none"}, Jitter: "none"}
}

func (d drawing) service() scenario.Service {
	set := scenario.Service{
		Dist: d.word("dist", "constant", "exponential"), Mean: d.length("mean", 1, 60), Base: d.maybe("base", 1, 10), Sigma: 1,
	}
	if d.about("queues") {
		set.Dist = d.word("dist", "lognormal", "table", set.Dist)
		set.Table = []scenario.Duration{d.length("table", 1, 20), d.length("table", 1, 90)}
		set.Load = d.number("load", 0, 0.5, 3)
	}
	return set
}

func (d drawing) dependency() scenario.Dependency {
	set := scenario.Dependency{
		Slots: rapid.IntRange(1, 6).Draw(d.T, "slots"), Service: d.service(),
		QueueLimit: int(d.number("queue limit", 0, 0, 1, 10)), Discipline: "fifo",
		StatementTimeout: d.maybe("statement timeout", 5, 400),
		Cancel:           rapid.Bool().Draw(d.T, "cancel"),
		HitShare:         d.number("hit share", 0, 0, 0.5, 1),
		Unique:           d.odds(8, "unique"),
	}
	if d.about("queues") {
		set.Discipline = d.word("discipline", "lifo", "fifo")
		set.QueueAge = d.length("queue age", 0, 60)
		set.RetryAfter = d.length("retry after", 0, 60)
	}
	if d.about("keys") {
		count := rapid.IntRange(1, 20).Draw(d.T, "keys")
		set.Keys = scenario.Keys{
			Count: count, Zipf: d.number("zipf", 0, 1, 2.5), TTL: d.maybe("ttl", 10, 500),
			Capacity: rapid.IntRange(0, min(count, 4)).Draw(d.T, "capacity"),
		}
	}
	return set
}

func (d drawing) call(on []string) scenario.Call {
	own := d.layer(4)
	set := scenario.Call{
		On: d.word("on", on...), Timeout: own.Timeout, Attempts: own.Attempts, RetryOn: own.RetryOn, Backoff: own.Backoff, Jitter: own.Jitter,
		Optional:         d.odds(5, "optional"),
		StatementTimeout: d.maybe("its own statement timeout", 5, 400),
		IdempotencyKey:   rapid.Bool().Draw(d.T, "idempotency key"),
		Library:          d.upper(),
	}
	if d.about("hedges") {
		set.HedgeAfter = scenario.Duration(d.number("hedge after", 1, 5e6, 20e6, 50e6))
		set.HedgeCancel = rapid.Bool().Draw(d.T, "hedge cancel")
	}
	return set
}

func (d drawing) operation(calls, dependencies []string) scenario.Operation {
	set := scenario.Operation{
		Rate: d.number("rate", 0, 10, 40, 80, 150), Arrivals: d.word("arrivals", "even", "poisson"),
		Clients: rapid.IntRange(1, 20).Draw(d.T, "clients"), Think: d.length("think", 1, 300), Copies: 1,
		Deadline: d.maybe("deadline", 10, 600), Idempotent: !d.odds(7, "write"),
		Steps: rapid.SliceOfN(rapid.SampledFrom(calls), 1, 3).Draw(d.T, "steps"), Client: d.upper(),
	}
	if d.about("writes") {
		set.Idempotent = false
		set.Copies = rapid.IntRange(1, 3).Draw(d.T, "copies")
	}
	if d.about("edges") {
		set.Edge = d.word("edge", dependencies...)
	}
	if d.about("closed") {
		set.Arrivals, set.Copies = "closed", 1
	}
	if d.about("shapes") {
		at := scenario.Duration(0)
		for range rapid.IntRange(1, 4).Draw(d.T, "points") {
			at += d.length("point", 0, 400)
			set.Shape = append(set.Shape, scenario.Point{At: at, Factor: d.number("factor", 0, 0.3, 1, 2.5), Ramp: rapid.Bool().Draw(d.T, "ramp")})
			at++
		}
		if rapid.Bool().Draw(d.T, "repeat?") {
			set.Repeat = at + d.length("repeat", 50, 300)
		}
	}
	return set
}

func (d drawing) budget() scenario.Budget {
	set := scenario.Budget{
		Kind: "ratio", MaxTokens: rapid.IntRange(1, 12).Draw(d.T, "tokens"), TokenRatio: d.number("token ratio", 0.1, 1),
		MinConcurrent: rapid.IntRange(0, 3).Draw(d.T, "min concurrent"),
	}
	if d.about("budgets") {
		set.Kind = d.word("budget", "ratio", "tokens", "in_flight")
		set.Percent = d.number("percent", 0, 10, 100)
		set.FloorPerSecond = d.number("floor", 0, 3)
	}
	return set
}

func (d drawing) breaker(dependencies []string) scenario.Breaker {
	return scenario.Breaker{
		Enabled: d.about("breakers"), On: d.failures("on"), Threshold: d.number("threshold", 0.2, 0.5, 1),
		MinCalls: rapid.IntRange(1, 8).Draw(d.T, "min calls"), Window: d.length("window", 1, 500), OpenFor: d.length("open for", 1, 300),
		Probes: rapid.IntRange(1, 3).Draw(d.T, "probes"), Per: d.word("per", "process", "target"),
		Targets: dependencies[:d.below(2, "targets")],
	}
}

func (d drawing) fault(operations, dependencies []string) scenario.Fault {
	f := scenario.Fault{
		Target: d.word("target", dependencies...),
		Kind:   d.word("kind", "slow", "stall", "down", "blackhole", "flaky", "lose", "capacity", "surge", "flush"),
		At:     d.length("at", 0, 1500), For: d.maybe("for", 1, 800),
		Factor: 1, P: d.number("p", 0, 0.2, 1),
	}
	switch f.Kind {
	case "surge":
		f.Target, f.Factor = d.word("surge of", operations...), d.number("by", 0.5, 3)
	case "slow":
		f.Factor = d.number("times", 0.5, 2, 10)
	case "capacity":
		f.Factor = d.number("share", 0, 0.5, 0.9)
	}
	return f
}

// drawScenario is any small system: 1 to 3 operations over 1 to 3 dependencies, under any policy, with any faults.
func drawScenario(t *rapid.T) scenario.Scenario {
	d := drawing{T: t}
	d.themes = [2]string{d.word("theme", themes...), d.word("theme", themes...)}
	set := scenario.Scenario{
		Version: scenario.Version, BadShare: 0.01,
		Seed:         rapid.Uint64Range(0, 1000).Draw(t, "seed"),
		Duration:     d.length("duration", 500, 1500),
		Operations:   map[string]scenario.Operation{},
		Dependencies: map[string]scenario.Dependency{},
		Jobs:         map[string]scenario.Job{},
		Workers:      scenario.Workers{Count: rapid.IntRange(1, 3).Draw(t, "workers")},
	}
	var dependencies, calls, operations []string
	for i := range rapid.IntRange(1, 3).Draw(t, "dependencies") {
		dependencies = append(dependencies, fmt.Sprintf("d%d", i))
		set.Dependencies[dependencies[i]] = d.dependency()
	}
	set.Policy = scenario.Policy{
		PropagateDeadline: rapid.Bool().Draw(t, "propagate"), Calls: map[string]scenario.Call{},
		Balancer: d.upper(), Budget: d.budget(), Breaker: d.breaker(dependencies),
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "calls") {
		calls = append(calls, fmt.Sprintf("c%d", i))
		set.Policy.Calls[calls[i]] = d.call(dependencies)
	}
	set.Processes = scenario.Processes{
		Count: rapid.IntRange(1, 4).Draw(t, "processes"), Pick: d.word("pick", "turn", "random", "least", "two"), Cap: map[string]int{},
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "operations") {
		operations = append(operations, fmt.Sprintf("o%d", i))
		set.Operations[operations[i]] = d.operation(calls, dependencies)
		set.Processes.Cap[operations[i]] = int(d.number("cap", 0, 0, 1, 5))
	}
	for i := 0; i < 3 && d.about("jobs"); i++ {
		set.Jobs[fmt.Sprintf("j%d", i)] = scenario.Job{
			After: d.word("after", operations...), On: d.word("on", "ok", "failed", "effect"), Call: d.word("call", calls...), Delay: d.maybe("delay", 1, 300),
			Backoff: scenario.Backoff{Kind: d.word("backoff", "constant", "linear", "exponential"), Base: d.length("backoff base", 1, 100)},
		}
	}
	for i := 0; i < 4 && d.odds(6, "fault") || i < 3 && d.about("faults"); i++ {
		set.Faults = append(set.Faults, d.fault(operations, dependencies))
	}
	return set
}

// last is the set with nothing arriving after its duration. Closed users come a thousand times less often.
func last(set scenario.Scenario) scenario.Scenario {
	set = set.Clone()
	for name, op := range set.Operations {
		if op.Arrivals == "closed" {
			op.Repeat = 0
			op.Shape = slices.DeleteFunc(op.Shape, func(p scenario.Point) bool { return p.At >= set.Duration })
			op.Shape = append(op.Shape, scenario.Point{At: set.Duration})
			set.Operations[name] = op
		}
		set.Changes = append(set.Changes, scenario.Change{At: set.Duration, Path: "operations." + name + ".rate", Value: 0})
	}
	return set
}

// drawChanges is what somebody turns while a scenario runs.
func drawChanges(t *rapid.T, set scenario.Scenario) (changes []scenario.Change) {
	d := drawing{T: t}
	for i := 0; i < 6 && d.odds(8, "change"); i++ {
		dependency := "dependencies." + d.word("of", slices.Sorted(maps.Keys(set.Dependencies))...)
		call := "policy.calls." + d.word("of", slices.Sorted(maps.Keys(set.Policy.Calls))...)
		operation := "operations." + d.word("of", slices.Sorted(maps.Keys(set.Operations))...)
		n := 1 + d.below(5, "to")
		values := map[string]any{
			operation + ".rate":               n * 30,
			dependency + ".slots":             n,
			dependency + ".service.mean":      fmt.Sprintf("%dms", 10*n),
			dependency + ".service.load":      n - 1,
			dependency + ".queue_limit":       n - 1,
			dependency + ".queue_age":         fmt.Sprintf("%dms", 20*(n-1)),
			dependency + ".discipline":        []string{"fifo", "lifo"}[n%2],
			dependency + ".retry_after":       fmt.Sprintf("%dms", 20*(n-1)),
			dependency + ".statement_timeout": fmt.Sprintf("%dms", 20*(n-1)),
			dependency + ".cancel":            n > 2,
			dependency + ".unique":            n > 2,
			dependency + ".hit_share":         float64(n-1) / 4,
			call + ".timeout":                 fmt.Sprintf("%dms", 20*(n-1)),
			call + ".attempts":                n,
			call + ".optional":                n > 2,
			call + ".statement_timeout":       fmt.Sprintf("%dms", 20*(n-1)),
			call + ".jitter":                  []string{"none", "full", "equal", "decorrelated", "full"}[n-1],
			call + ".idempotency_key":         n > 2,
			call + ".hedge_after":             fmt.Sprintf("%dms", 5*(n-1)),
			call + ".hedge_cancel":            n > 2,
			call + ".library.attempts":        (n + 1) / 2,
			call + ".library.timeout":         fmt.Sprintf("%dms", 20*(n-1)),
			"policy.balancer.attempts":        (n + 1) / 2,
			"policy.balancer.timeout":         fmt.Sprintf("%dms", 40*(n-1)),
			"policy.budget.kind":              []string{"ratio", "tokens", "in_flight"}[n%3],
			"policy.budget.percent":           10 * (n - 1),
			"policy.budget.floor_per_second":  n - 1,
			"policy.budget.max_tokens":        n,
			"policy.budget.min_concurrent":    n - 1,
			"policy.breaker.enabled":          n > 2,
			"policy.breaker.per":              []string{"process", "target"}[n%2],
			"policy.breaker.probes":           n,
			"policy.breaker.min_calls":        n,
			"policy.propagate_deadline":       n > 2,
		}
		path := d.word("path", slices.Sorted(maps.Keys(values))...)
		at := d.length("at", 0, int(set.Duration/ms))
		changes = append(changes, scenario.Change{At: at, Path: path, Value: values[path]})
	}
	slices.SortStableFunc(changes, func(a, b scenario.Change) int { return cmp.Compare(a.At, b.At) })
	return changes
}

// horizon is until when a drawn scenario is played.
func horizon(set scenario.Scenario) time.Duration { return time.Duration(set.Duration) + 3*time.Second }
