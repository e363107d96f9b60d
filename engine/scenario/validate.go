package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"stormbin/engine/json"
)

// The limits that keep a run's memory and virtual clock within bounds.
const (
	maxTime      = Duration(4 * time.Hour) // of every duration
	maxRate      = 1e6
	maxSlots     = 100_000
	maxCount     = 1_000_000_000 // of things that are only counted up to
	maxProcesses = 1000
	maxAttempts  = 100
	maxTries     = 10_000 // of all layers together, for one click
	maxHedged    = 50     // attempts, where each may be sent twice
	maxNames     = 100    // operations, dependencies, calls, jobs, steps: of each
	maxClients   = 100_000
	maxKeys      = 1_000_000
	maxEntries   = 1000 // of a shape, of a table
	maxCopies    = 10
	maxWorkers   = 1000
	maxFaults    = 1000
	maxChanges   = 10_000
	maxFactor    = 1e6
	maxMultiple  = 1000 // of a rate by a surge or a shape, and of load
	maxSigma     = 3
	maxZipf      = 3
	maxPercent   = 1000
	maxTokens    = 1000
	maxProbes    = 1000
	maxName      = 40
)

// minPause is the least of what comes again and again: with none at all, a user or a worker whom everyone turns away at
// once would ask for ever at one instant.
const minPause = ms

const nameLetters = "abcdefghijklmnopqrstuvwxyz0123456789_-"

// Validate tells whether s can be run. If not, the error says what is wrong with it, see [Problems]: of each thing its path,
// its value, and what would be right.
func (s Scenario) Validate() error {
	var p problems
	checker{&p}.all(s)
	return p.err()
}

// servingFields are those of a dependency that say how it serves, not what it is.
var servingFields = []string{
	"slots", "service", "statement_timeout", "queue_limit", "discipline", "queue_age", "retry_after", "cancel", "hit_share", "unique",
}

// Changeable tells whether a path may change while a run goes on: what does not add to the world or take from it.
func Changeable(path string) bool {
	keys := strings.Split(path, ".")
	switch keys[0] {
	case "operations":
		return len(keys) == 3 && keys[2] == "rate"
	case "dependencies":
		return len(keys) >= 3 && slices.Contains(servingFields, keys[2])
	}
	return keys[0] == "policy" && len(keys) > 1
}

// Apply makes the change to s, which is valid, if it is one that may be made while a run goes on and leaves s valid. If
// there is an error, s is as it was. It looks at no other change of s.
func (c Change) Apply(s *Scenario) error {
	var p problems
	p.apply(c, s)
	return p.err()
}

func (p *problems) apply(c Change, s *Scenario) {
	if !Changeable(c.Path) {
		path := readable(c.Path)
		p.refuse(path, "%s: cannot change while a run goes on; what can is an operation’s rate, the policy, and how a dependency serves", path)
		return
	}
	changed := *s
	if p.set(&changed, c.Path, c.Value); p.any() {
		return
	}
	check := checker{p}
	if check.changed(changed, c.Path); p.any() {
		return
	}
	for name, call := range changed.Policy.Calls {
		if was, found := s.Policy.Calls[name]; !found || was.Target(name) != call.Target(name) {
			check.fail(json.Join("policy.calls", name), call.Target(name), "a call there was from the start, on the same dependency: the world keeps its shape while a run goes on")
		}
	}
	for _, name := range Names(s.Policy.Calls) {
		if _, found := changed.Policy.Calls[name]; !found {
			check.fail(json.Join("policy.calls", name), nil, "a call, as it was one from the start: the world keeps its shape while a run goes on")
		}
	}
	if !p.any() {
		*s = changed
	}
}

// checker adds what is out of range. What would be right is only spelled out for that.
type checker struct{ *problems }

func (c checker) fail(path string, value any, right string) {
	c.add(wrong{path: path, value: value, right: right})
}

// all checks s and what its changes make of it.
func (c checker) all(s Scenario) {
	c.scenario(s)
	now := s.Clone()
	now.Faults, now.Changes = nil, nil // changes touch neither, nor shapes, and each of them makes a copy of the rest
	for name, o := range now.Operations {
		o.Shape = nil
		now.Operations[name] = o
	}
	before := c.any()
	for i, change := range s.Changes[:min(len(s.Changes), maxChanges)] {
		if c.enough() {
			return
		}
		at := fmt.Sprintf("changes.%d", i)
		var made problems
		made.apply(change, &now)
		for _, w := range made.list {
			if _, told := c.at[w.path]; before && told && !under(w.path, change.Path) {
				continue // it was wrong before
			}
			if w.err != nil {
				w.err = fmt.Errorf("%s: %w", at, w.err)
			}
			w.path = at + ": " + w.path
			c.add(w)
		}
	}
}

// under tells whether path is that one, or in it.
func under(path, that string) bool { return path == that || strings.HasPrefix(path, that+".") }

func (c checker) number(path string, v, low, high float64) {
	if !(v >= low && v <= high) { // NaN is out of range too
		c.fail(path, v, plainNumber(low)+" to "+plainNumber(high))
	}
}

func (c checker) above0(path string, v, high float64) {
	if !(v > 0 && v <= high) {
		c.fail(path, v, "more than 0, up to "+plainNumber(high))
	}
}

func (c checker) count(path string, v, low, high int) {
	if v < low || v > high {
		c.fail(path, v, fmt.Sprintf("%d to %d", low, high))
	}
}

// size is count for how many of a thing there are. Of too many it is not told what else is wrong with each.
func (c checker) size(path string, n, low, high int, things string) {
	if n < low || n > high {
		c.unlike(path, note(fmt.Sprintf("%d %s", n, things)), fmt.Sprintf("%d to %d", low, high))
	}
}

func (c checker) duration(path string, v Duration) {
	if v < 0 || v > maxTime {
		c.fail(path, v, anyTime())
	}
}

func anyTime() string { return fmt.Sprintf("%q to %q", Duration(0), maxTime) }

// pause is a duration of which there must be some.
func (c checker) pause(path string, v Duration) {
	if v < minPause || v > maxTime {
		c.fail(path, v, fmt.Sprintf("%q to %q", minPause, maxTime))
	}
}

func (c checker) word(path, v string, known ...string) {
	if !slices.Contains(known, v) {
		c.fail(path, v, oneOf(v, known))
	}
}

func (c checker) words(path string, list []string, known ...string) {
	for i, v := range list {
		if !slices.Contains(known, v) {
			c.word(json.Join(path, strconv.Itoa(i)), v, known...)
		}
	}
}

// member checks a name of something that stands at list, a path of the scenario.
func (c checker) member(path, v, list string, known []string) {
	if !slices.Contains(known, v) {
		c.fail(path, v, oneAt(list, v, known))
	}
}

func (c checker) members(path string, names []string, list string, known []string) {
	for i, v := range names {
		c.member(json.Join(path, strconv.Itoa(i)), v, list, known)
	}
}

func (c checker) names(path string, names []string) {
	c.size(path, len(names), 0, maxNames, "names")
	for _, name := range names {
		c.name(json.Join(path, name), name)
	}
}

func (c checker) name(path, v string) {
	if v == "" || len(v) > maxName || strings.Trim(v, nameLetters) != "" {
		c.fail(path, v, fmt.Sprintf("a name of 1 to %d of a-z, 0-9, _ and -", maxName))
	}
}

// scenario checks all but what the changes do.
func (c checker) scenario(s Scenario) {
	if s.Version != Version {
		c.fail("version", s.Version, strconv.Itoa(Version))
	}
	if s.ID != "" {
		c.name("id", s.ID)
	}
	if s.Duration <= 0 || s.Duration > maxTime {
		c.fail("duration", s.Duration, fmt.Sprintf("more than %q, up to %q", Duration(0), maxTime))
	}

	operations, dependencies, calls := Names(s.Operations), Names(s.Dependencies), Names(s.Policy.Calls)
	if len(operations) == 0 {
		c.fail("operations", json.Object{}, `at least one operation, like {"call": {"rate": 20, "steps": ["b"]}}`)
	}
	c.names("operations", operations)
	clients := 0
	for _, name := range operations {
		o := s.Operations[name]
		c.operation(json.Join("operations", name), o, dependencies, calls)
		if o.Arrivals == "closed" {
			clients += min(o.Clients, maxClients) // one with more has been told of
		}
	}
	c.size("operations", clients, 0, maxClients, "clients in all")

	c.count("processes.count", s.Processes.Count, 1, maxProcesses)
	c.word("processes.pick", s.Processes.Pick, "turn", "random", "least", "two")
	for _, name := range Names(s.Processes.Cap) {
		c.count(json.Join("processes.cap", name), s.Processes.Cap[name], 0, maxCount)
		c.member(json.Join("processes.cap", name), name, "operations", operations)
	}

	c.names("dependencies", dependencies)
	keys := 0
	for _, name := range dependencies {
		d := s.Dependencies[name]
		c.dependency(json.Join("dependencies", name), d)
		keys += min(d.Keys.Count, maxKeys)
	}
	c.size("dependencies", keys, 0, maxKeys, "keys in all")

	c.policy(s.Policy, dependencies, calls)
	c.layers(s)

	jobs := Names(s.Jobs)
	c.names("jobs", jobs)
	for _, name := range jobs {
		c.job(json.Join("jobs", name), s.Jobs[name], operations, calls)
	}
	c.count("workers.count", s.Workers.Count, 1, maxWorkers)

	c.size("faults", len(s.Faults), 0, maxFaults, "faults")
	for i, f := range s.Faults {
		c.fault(fmt.Sprintf("faults.%d", i), f, operations, dependencies)
	}
	c.size("changes", len(s.Changes), 0, maxChanges, "changes")
	last := Duration(0)
	for i, change := range s.Changes {
		at := fmt.Sprintf("changes.%d.at", i)
		c.duration(at, change.At)
		if change.At < last {
			c.fail(at, change.At, fmt.Sprintf("at least %q, as changes stand in order of time", last))
		}
		last = max(last, change.At)
	}
	c.number("bad_share", s.BadShare, 0, 1)
}

// changed checks what a change at path can have put wrong, and not all the rest, since a long session has thousands.
func (c checker) changed(s Scenario, path string) {
	keys := strings.Split(path, ".")
	switch keys[0] {
	case "operations":
		c.number(path, s.Operations[keys[1]].Rate, 0, maxRate)
	case "dependencies":
		c.dependency(json.Join("dependencies", keys[1]), s.Dependencies[keys[1]])
	case "policy":
		c.policy(s.Policy, Names(s.Dependencies), Names(s.Policy.Calls))
		c.layers(s)
	}
}

// layers bounds what one arrival may come to when everybody retries: all of it may happen at one instant. Where a number is
// out of its own range, that is enough to be said.
func (c checker) layers(s Scenario) {
	if c.any() {
		return
	}
	for _, name := range Names(s.Operations) {
		o := s.Operations[name]
		tries := 0
		for _, step := range o.Steps {
			call := s.Policy.Calls[step]
			tries += o.Copies * o.Client.Attempts * s.Policy.Balancer.Attempts * call.Attempts * call.Library.Attempts
			if tries > maxTries {
				c.fail(json.Join("policy.calls", step)+".attempts", call.Attempts, fmt.Sprintf(
					"fewer: with those of the client, the balancer and the library one click of %s would be %d attempts, and %d are the most", name, tries, maxTries))
				break
			}
		}
	}
}

func (c checker) operation(path string, o Operation, dependencies, calls []string) {
	c.number(path+".rate", o.Rate, 0, maxRate)
	c.word(path+".arrivals", o.Arrivals, "poisson", "even", "closed")
	c.count(path+".clients", o.Clients, 1, maxClients)
	if o.Arrivals == "closed" {
		c.pause(path+".think", o.Think)
	}
	c.duration(path+".think", o.Think)
	c.shape(path, o)
	if o.Arrivals == "closed" && o.Copies != 1 {
		c.fail(path+".copies", o.Copies, "1 with closed arrivals, where a user waits for one answer")
	}
	c.count(path+".copies", o.Copies, 1, maxCopies)
	c.duration(path+".deadline", o.Deadline)
	if o.Edge != "" {
		c.member(path+".edge", o.Edge, "dependencies", dependencies)
	}
	c.size(path+".steps", len(o.Steps), 1, maxNames, "steps")
	c.members(path+".steps", o.Steps, "policy.calls", calls)
	c.layer(path+".client", o.Client)
}

func (c checker) shape(path string, o Operation) {
	c.size(path+".shape", len(o.Shape), 0, maxEntries, "points")
	last := Duration(-1)
	for i, p := range o.Shape {
		at := fmt.Sprintf("%s.shape.%d", path, i)
		c.duration(at+".at", p.At)
		if p.At <= last {
			c.fail(at+".at", p.At, fmt.Sprintf("more than %q, as points stand in order of time", last))
		}
		c.number(at+".factor", p.Factor, 0, maxMultiple)
		last = p.At
	}
	if o.Repeat != 0 {
		c.pause(path+".repeat", o.Repeat)
		if o.Repeat <= last {
			c.fail(path+".repeat", o.Repeat, fmt.Sprintf("more than %q, the last point’s time", last))
		}
	}
}

func (c checker) layer(path string, l Layer) {
	c.count(path+".attempts", l.Attempts, 1, maxAttempts)
	c.duration(path+".timeout", l.Timeout)
	c.words(path+".retry_on", l.RetryOn, retryWords...)
	c.backoff(path+".backoff", l.Backoff)
	c.word(path+".jitter", l.Jitter, jitters...)
}

func (c checker) backoff(path string, b Backoff) {
	c.word(path+".kind", b.Kind, backoffKinds...)
	c.duration(path+".base", b.Base)
	c.duration(path+".max", b.Max)
}

func (c checker) dependency(path string, d Dependency) {
	c.count(path+".slots", d.Slots, 1, maxSlots)
	c.service(path+".service", d.Service)
	c.count(path+".queue_limit", d.QueueLimit, 0, maxCount)
	c.word(path+".discipline", d.Discipline, "fifo", "lifo")
	c.duration(path+".queue_age", d.QueueAge)
	c.duration(path+".retry_after", d.RetryAfter)
	c.duration(path+".statement_timeout", d.StatementTimeout)
	c.number(path+".hit_share", d.HitShare, 0, 1)
	c.count(path+".keys.count", d.Keys.Count, 0, maxKeys)
	c.number(path+".keys.zipf", d.Keys.Zipf, 0, maxZipf)
	c.duration(path+".keys.ttl", d.Keys.TTL)
	keys := d.Keys.Count
	if keys < 0 || keys > maxKeys { // which has been said
		keys = maxKeys
	}
	c.count(path+".keys.capacity", d.Keys.Capacity, 0, keys)
}

func (c checker) service(path string, s Service) {
	c.word(path+".dist", s.Dist, "constant", "exponential", "lognormal", "table")
	c.duration(path+".base", s.Base)
	c.above0(path+".sigma", s.Sigma, maxSigma)
	for i, d := range s.Table {
		c.duration(json.Join(path+".table", strconv.Itoa(i)), d)
	}
	if s.Dist == "table" {
		c.size(path+".table", len(s.Table), 1, maxEntries, "durations")
		if s.Base == 0 && !slices.ContainsFunc(s.Table, func(d Duration) bool { return d > 0 }) {
			c.fail(path+".table", note("nothing but 0s"), `more than "0s" somewhere, unless base is`)
		}
	} else {
		c.size(path+".table", len(s.Table), 0, maxEntries, "durations")
		if s.Base == 0 && (s.Mean <= 0 || s.Mean > maxTime) {
			c.fail(path+".mean", s.Mean, fmt.Sprintf("more than %q, up to %q, as base is none", Duration(0), maxTime))
		}
	}
	c.duration(path+".mean", s.Mean)
	c.number(path+".load", s.Load, 0, maxMultiple)
}

func (c checker) policy(p Policy, dependencies, calls []string) {
	c.names("policy.calls", calls)
	for _, name := range calls {
		c.call(json.Join("policy.calls", name), name, p.Calls[name], dependencies)
	}
	c.layer("policy.balancer", p.Balancer)
	c.budget("policy.budget", p.Budget)
	c.breaker("policy.breaker", p.Breaker, dependencies)
}

func (c checker) call(path, name string, l Call, dependencies []string) {
	c.member(path+".on", l.Target(name), "dependencies", dependencies)
	if l.HedgeAfter > 0 && (l.Attempts < 1 || l.Attempts > maxHedged) {
		c.fail(path+".attempts", l.Attempts, fmt.Sprintf("1 to %d, as hedge_after sends each twice", maxHedged))
	}
	c.layer(path, l.layer())
	c.duration(path+".statement_timeout", l.StatementTimeout)
	c.duration(path+".hedge_after", l.HedgeAfter)
	c.layer(path+".library", l.Library)
}

func (c checker) budget(path string, b Budget) {
	c.word(path+".kind", b.Kind, budgetKinds[1:]...) // no budget is a ratio of nothing
	c.number(path+".percent", b.Percent, 0, maxPercent)
	c.number(path+".floor_per_second", b.FloorPerSecond, 0, maxRate)
	c.count(path+".max_tokens", b.MaxTokens, 1, maxTokens)
	c.above0(path+".token_ratio", b.TokenRatio, 1)
	c.count(path+".min_concurrent", b.MinConcurrent, 0, maxCount)
}

func (c checker) breaker(path string, b Breaker, dependencies []string) {
	c.words(path+".on", b.On, retryWords...)
	c.above0(path+".threshold", b.Threshold, 1)
	c.count(path+".min_calls", b.MinCalls, 1, maxCount)
	c.pause(path+".window", b.Window)
	c.pause(path+".open_for", b.OpenFor)
	c.count(path+".probes", b.Probes, 1, maxProbes)
	c.members(path+".targets", b.Targets, "dependencies", dependencies)
	c.word(path+".per", b.Per, "process", "target")
}

func (c checker) job(path string, j Job, operations, calls []string) {
	c.member(path+".after", j.After, "operations", operations)
	c.word(path+".on", j.On, "ok", "failed", "effect")
	c.member(path+".call", j.Call, "policy.calls", calls)
	c.duration(path+".delay", j.Delay)
	c.word(path+".backoff.kind", j.Backoff.Kind, backoffKinds[1:]...) // not none
	c.pause(path+".backoff.base", j.Backoff.Base)
	if j.Backoff.Max != 0 {
		c.pause(path+".backoff.max", j.Backoff.Max)
	}
}

func (c checker) fault(path string, f Fault, operations, dependencies []string) {
	c.duration(path+".at", f.At)
	c.duration(path+".for", f.For)
	kinds := []string{"slow", "stall", "down", "blackhole", "flaky", "lose", "capacity", "surge", "flush"}
	switch {
	case !slices.Contains(kinds, f.Kind): // then nobody knows what its target must be
		c.word(path+".kind", f.Kind, kinds...)
	case f.Kind == "surge":
		c.member(path+".target", f.Target, "operations", operations)
	default:
		c.member(path+".target", f.Target, "dependencies", dependencies)
	}
	switch f.Kind {
	case "slow":
		c.above0(path+".factor", f.Factor, maxFactor)
	case "surge":
		c.above0(path+".factor", f.Factor, maxMultiple)
	case "capacity":
		c.number(path+".factor", f.Factor, 0, 1)
	default: // which have no use for it
		c.number(path+".factor", f.Factor, 0, maxFactor)
	}
	c.number(path+".p", f.P, 0, 1)
}

func plainNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
