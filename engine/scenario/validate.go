package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The limits that keep a run's memory and virtual clock within bounds.
const (
	maxTime      = Duration(4 * time.Hour) // of every duration
	maxRate      = 1e6
	maxSlots     = 100_000
	maxCount     = 1_000_000_000 // of things that are only counted up to
	maxProcesses = 1000
	maxAttempts  = 100
	maxNames     = 100 // operations, dependencies, calls, steps: of each
	maxFaults    = 1000
	maxChanges   = 10_000
	maxFactor    = 1e6
	maxSurge     = 1000
	maxPercent   = 1000
	maxName      = 40
)

const nameLetters = "abcdefghijklmnopqrstuvwxyz0123456789_-"

// Validate tells whether s can be run. If not, the error is the first thing wrong with it, in one line: its path, its
// value, and what would be right.
func (s Scenario) Validate() error {
	c := &checker{}
	c.scenario(s)
	if c.err != nil {
		return c.err
	}
	now := s.Clone()
	now.Faults, now.Changes = nil, nil // changes touch neither
	last := Duration(0)
	for i, change := range s.Changes {
		at := fmt.Sprintf("changes.%d", i)
		c.duration(at+".at", change.At)
		if change.At < last {
			c.fail(at+".at", change.At, fmt.Sprintf("at least %q, as changes stand in order of time", last))
		}
		if c.err != nil {
			return c.err
		}
		if err := change.Apply(&now); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		last = change.At
	}
	return nil
}

// changeable tells whether a path may change while a run goes on: what does not add to the world or take from it.
func changeable(path string) bool {
	keys := strings.Split(path, ".")
	switch keys[0] {
	case "operations":
		return len(keys) == 3 && keys[2] == "rate"
	case "dependencies":
		return len(keys) >= 3 && slices.Contains([]string{"slots", "service", "statement_timeout", "queue_limit", "cancel", "hit_share"}, keys[2])
	}
	return keys[0] == "policy" && len(keys) > 1
}

// Apply makes the change to s, if it is one that may be made while a run goes on and leaves s valid. If there is an
// error, s is as it was. It looks at no other change of s.
func (c Change) Apply(s *Scenario) error {
	if !changeable(c.Path) {
		return fmt.Errorf("%s: cannot change while a run goes on; what can is an operation's rate, the policy, and how a dependency serves", c.Path)
	}
	changed := *s
	if err := Set(&changed, c.Path, c.Value); err != nil {
		return err
	}
	check := &checker{}
	check.scenario(changed)
	for name, call := range changed.Policy.Calls {
		if was, found := s.Policy.Calls[name]; !found || was.Target(name) != call.Target(name) {
			check.fail("policy.calls."+name, call.Target(name), "a call there was from the start, on the same dependency: the world keeps its shape while a run goes on")
		}
	}
	if check.err == nil {
		*s = changed
	}
	return check.err
}

// checker keeps the first problem. What would be right is only spelled out for a problem, since a long session checks
// thousands of changes.
type checker struct{ err error }

func (c *checker) fail(path string, value any, right string) {
	if c.err == nil {
		c.err = problem(path, value, right)
	}
}

// later refuses what the format has a word for and the engine does not do yet.
func (c *checker) later(is bool, path string, value any, what, instead string) {
	if is && c.err == nil {
		c.err = fmt.Errorf("%s: %s: %s not simulated yet; %s", path, show(value), what, instead)
	}
}

func (c *checker) number(path string, v, low, high float64) {
	if !(v >= low && v <= high) { // NaN is out of range too
		c.fail(path, v, plainNumber(low)+" to "+plainNumber(high))
	}
}

func (c *checker) above0(path string, v, high float64) {
	if !(v > 0 && v <= high) {
		c.fail(path, v, "more than 0, up to "+plainNumber(high))
	}
}

func (c *checker) count(path string, v, low, high int) {
	if v < low || v > high {
		c.fail(path, v, fmt.Sprintf("%d to %d", low, high))
	}
}

// size is count for how many of a thing there are.
func (c *checker) size(path string, n, low, high int, things string) {
	if n < low || n > high {
		c.fail(path, note(fmt.Sprintf("%d %s", n, things)), fmt.Sprintf("%d to %d", low, high))
	}
}

func (c *checker) duration(path string, v Duration) {
	if v < 0 || v > maxTime {
		c.fail(path, v, fmt.Sprintf("%q to %q", Duration(0), maxTime))
	}
}

func (c *checker) word(path, v string, known ...string) {
	if !slices.Contains(known, v) {
		c.fail(path, v, oneOf(v, known))
	}
}

func (c *checker) names(path string, names []string) {
	c.size(path, len(names), 0, maxNames, "names")
	for _, name := range names {
		c.name(join(path, name), name)
	}
}

func (c *checker) name(path, v string) {
	if v == "" || len(v) > maxName || strings.Trim(v, nameLetters) != "" {
		c.fail(path, v, fmt.Sprintf("a name of 1 to %d of a-z, 0-9, _ and -", maxName))
	}
}

// scenario checks all but the changes' effects.
func (c *checker) scenario(s Scenario) {
	if s.Version != Version {
		c.fail("version", s.Version, strconv.Itoa(Version))
	}
	if s.ID != "" {
		c.name("id", s.ID)
	}
	if s.Duration <= 0 || s.Duration > maxTime {
		c.fail("duration", s.Duration, fmt.Sprintf("more than %q, up to %q", Duration(0), maxTime))
	}

	operations, dependencies, calls := sorted(s.Operations), sorted(s.Dependencies), sorted(s.Policy.Calls)
	if len(operations) == 0 {
		c.fail("operations", object{}, `at least one operation, like {"call": {"rate": 20, "steps": ["b"]}}`)
	}
	c.names("operations", operations)
	for _, name := range operations {
		c.operation("operations."+name, s.Operations[name], calls)
	}

	c.count("processes.count", s.Processes.Count, 1, maxProcesses)
	for _, name := range sorted(s.Processes.Cap) {
		c.word(join("processes.cap", name), name, operations...)
		c.count(join("processes.cap", name), s.Processes.Cap[name], 0, maxCount)
	}

	c.names("dependencies", dependencies)
	for _, name := range dependencies {
		c.dependency("dependencies."+name, s.Dependencies[name])
	}

	c.names("policy.calls", calls)
	for _, name := range calls {
		c.call("policy.calls."+name, name, s.Policy.Calls[name], dependencies)
	}
	c.number("policy.budget.percent", s.Policy.Budget.Percent, 0, maxPercent)
	c.number("policy.budget.floor_per_second", s.Policy.Budget.FloorPerSecond, 0, maxRate)
	c.later(s.Policy.Breaker.Enabled, "policy.breaker.enabled", true, "breakers are", "leave it false")

	c.size("faults", len(s.Faults), 0, maxFaults, "faults")
	for i, f := range s.Faults {
		c.fault(fmt.Sprintf("faults.%d", i), f, operations, dependencies)
	}
	c.size("changes", len(s.Changes), 0, maxChanges, "changes")
	c.number("bad_share", s.BadShare, 0, 1)
}

func (c *checker) operation(path string, o Operation, calls []string) {
	c.number(path+".rate", o.Rate, 0, maxRate)
	c.later(o.Arrivals == "closed", path+".arrivals", o.Arrivals, "closed arrivals are", "use poisson or even")
	c.word(path+".arrivals", o.Arrivals, "poisson", "even")
	c.duration(path+".deadline", o.Deadline)
	c.size(path+".steps", len(o.Steps), 1, maxNames, "steps")
	for i, step := range o.Steps {
		c.word(fmt.Sprintf("%s.steps.%d", path, i), step, calls...)
	}
	c.count(path+".client.attempts", o.Client.Attempts, 1, maxAttempts)
	c.later(o.Client.Attempts > 1, path+".client.attempts", o.Client.Attempts, "users who try again are", "leave it 1")
}

func (c *checker) dependency(path string, d Dependency) {
	c.count(path+".slots", d.Slots, 1, maxSlots)
	dist := d.Service.Dist
	c.later(dist == "lognormal" || dist == "table", path+".service.dist", dist, "these service times are", "use constant or exponential")
	c.word(path+".service.dist", dist, "constant", "exponential")
	c.duration(path+".service.mean", d.Service.Mean)
	c.duration(path+".service.base", d.Service.Base)
	if d.Service.Mean == 0 && d.Service.Base == 0 {
		c.fail(path+".service.mean", d.Service.Mean, `more than "0s", unless base is`)
	}
	c.count(path+".queue_limit", d.QueueLimit, 0, maxCount)
	c.later(d.Discipline == "lifo", path+".discipline", d.Discipline, "last in, first out is", "use fifo")
	c.word(path+".discipline", d.Discipline, "fifo")
	c.duration(path+".statement_timeout", d.StatementTimeout)
	c.number(path+".hit_share", d.HitShare, 0, 1)
}

func (c *checker) call(path, name string, l Call, dependencies []string) {
	c.word(path+".on", l.Target(name), dependencies...)
	c.duration(path+".timeout", l.Timeout)
	c.count(path+".attempts", l.Attempts, 1, maxAttempts)
	for i, word := range l.RetryOn {
		c.word(fmt.Sprintf("%s.retry_on.%d", path, i), word, retryWords...)
	}
	c.word(path+".backoff.kind", l.Backoff.Kind, backoffKinds...)
	c.duration(path+".backoff.base", l.Backoff.Base)
	c.duration(path+".backoff.max", l.Backoff.Max)
	c.word(path+".jitter", l.Jitter, jitters...)
	c.duration(path+".statement_timeout", l.StatementTimeout)
	c.later(l.IdempotencyKey, path+".idempotency_key", true, "idempotency keys are", "leave it false")
	c.later(l.HedgeAfter > 0, path+".hedge_after", l.HedgeAfter, "hedging is", "leave it \"0s\"")
	c.duration(path+".hedge_after", l.HedgeAfter)
}

func (c *checker) fault(path string, f Fault, operations, dependencies []string) {
	c.duration(path+".at", f.At)
	c.duration(path+".for", f.For)
	c.later(f.Kind == "flush", path+".kind", f.Kind, "caches with keys are", "there is nothing to flush")
	c.word(path+".kind", f.Kind, "slow", "stall", "down", "blackhole", "flaky", "lose", "capacity", "surge")
	if f.Kind == "surge" {
		c.word(path+".target", f.Target, operations...)
	} else {
		c.word(path+".target", f.Target, dependencies...)
	}
	switch f.Kind {
	case "slow":
		c.above0(path+".factor", f.Factor, maxFactor)
	case "surge":
		c.above0(path+".factor", f.Factor, maxSurge)
	case "capacity":
		c.number(path+".factor", f.Factor, 0, 1)
	case "flaky", "lose":
		c.number(path+".p", f.P, 0, 1)
	}
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func plainNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
