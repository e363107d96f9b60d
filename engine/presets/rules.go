package presets

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"time"

	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// Rule is a way to retry that people write themselves, for a whole policy.
type Rule struct {
	Name string // as it stands on a button, and as WithRule takes it
	Cost string // what it costs, in one sentence
}

// written is a rule and how it is written into a policy, in which each call is sent once.
type written struct {
	Rule
	into func(*scenario.Scenario)
}

var rules = []written{
	{Rule{"the rule", "A few failures that a second try would have mended reach the user."}, theRule},
	{Rule{"retry everything three times", "Up to 4 times the load on whatever is sick, just when it is; a create whose answer is lost is made again."}, retryEverything},
	{Rule{"backoff and jitter", "The same 4 times the load, a little later; users wait longer, and slots and people are held meanwhile."}, backoffAndJitter},
	{Rule{"budget 10 %", "When much fails at once, most of it is not retried; in return there is never more than 1.1 times the load, but for ten retries that each process has in hand."}, budgetTen},
	{Rule{"breaker", "For 5 s at a time everything behind it fails at once, also what would have gone well; before a cache, all of it goes on to what the cache spares."}, breaker},
	{Rule{"hedge", "About 5 % more load on a good day, and up to twice the load on a bad one; it mends no failure."}, hedge},
	{Rule{"no retries", "Every failure reaches the user, also one that a second try would have mended at no risk."}, func(*scenario.Scenario) {}},
}

// Rules is all of them, in the order to show them in.
func Rules() []Rule {
	list := make([]Rule, len(rules))
	for i, r := range rules {
		list[i] = r.Rule
	}
	return list
}

// WithRule is s, which is valid, with the policy that the rule of this name makes of it. Who retries, when and how often is
// the rule's, in every call, the libraries beneath them and the balancer; hedges, budget and breaker too. How long a call
// waits, what it goes on, and all that isn't policy stay as they are, and so do the users' own retries. If there is an
// error, it is s.
func WithRule(s scenario.Scenario, name string) (scenario.Scenario, error) {
	i := slices.IndexFunc(rules, func(r written) bool { return r.Name == name })
	if i < 0 {
		var known []string
		for _, r := range rules {
			known = append(known, r.Name)
		}
		return s, fmt.Errorf("%q: no such rule; must be one of %s", name, scenario.Nearest(name, known))
	}
	changed := s.Clone()
	sentOnce(&changed.Policy)
	rules[i].into(&changed)
	if err := changed.Validate(); err != nil {
		return s, err
	}
	return changed, nil
}

// WithLibrary is s with that call as a library, of the preset's id, retries by default. If there is an error, it is s.
func WithLibrary(s scenario.Scenario, call, id string) (scenario.Scenario, error) {
	p, ok := Find(id)
	if !ok {
		var known []string
		for _, p := range List() {
			known = append(known, p.ID)
		}
		return s, fmt.Errorf("%q: no such preset; must be one of %s", id, scenario.Nearest(id, known))
	}
	changed := s.Clone()
	if err := p.Apply(&changed, call); err != nil {
		return s, err
	}
	return changed, nil
}

// sentOnce makes every call be sent once, by nobody but the app, with no hedge, budget or breaker: what they are is the
// format's defaults again, so that a rule leaves nothing of the one before.
func sentOnce(p *scenario.Policy) {
	plain, err := scenario.Parse([]byte(`{"policy": {"calls": {"plain": {}}}}`))
	if err != nil {
		panic(err)
	}
	for name, was := range p.Calls {
		c := plain.Policy.Calls["plain"]
		c.On, c.Timeout, c.Library.Timeout = was.On, was.Timeout, was.Library.Timeout
		c.Optional, c.StatementTimeout, c.IdempotencyKey = was.Optional, was.StatementTimeout, was.IdempotencyKey
		p.Calls[name] = c
	}
	timeout := p.Balancer.Timeout
	p.Balancer, p.Budget, p.Breaker = plain.Policy.Balancer, plain.Policy.Budget, plain.Policy.Breaker
	p.Balancer.Timeout = timeout
}

// each lets write have every call, to change it.
func each(s *scenario.Scenario, write func(name string, c *scenario.Call)) {
	for name, c := range s.Policy.Calls {
		write(name, &c)
		s.Policy.Calls[name] = c
	}
}

// theRule is the lesson's: one retry at most, of what only reads, and only where a connection was refused, so that nothing
// was sent; at a random moment of 20 ms, so that the apps don't come back together. A call that may fail has its miss
// instead, and a worker's has the worker's own backoff.
func theRule(s *scenario.Scenario) {
	each(s, func(name string, c *scenario.Call) {
		if reads(s, name) && !c.Optional {
			c.Attempts, c.RetryOn = 2, []string{"refused"}
			c.Backoff, c.Jitter = constant(20*ms), "full"
		}
	})
}

// reads tells whether a call is made by nobody but users, in operations that change nothing: they may be repeated, and
// leave no work behind.
func reads(s *scenario.Scenario, call string) bool {
	for _, j := range s.Jobs {
		if j.Call == call || slices.Contains(s.Operations[j.After].Steps, call) {
			return false
		}
	}
	for _, o := range s.Operations {
		if !o.Idempotent && slices.Contains(o.Steps, call) {
			return false
		}
	}
	return true
}

func retryEverything(s *scenario.Scenario) {
	each(s, func(_ string, c *scenario.Call) {
		c.Attempts, c.RetryOn = 4, []string{"timeout", "error", "refused"}
	})
}

// backoffAndJitter waits for the textbook's 100 ms at first, but for no longer than the attempt took. Waits that are longer
// than all the time that a request has would make the retries vanish, and with them what they do.
func backoffAndJitter(s *scenario.Scenario) {
	retryEverything(s)
	each(s, func(_ string, c *scenario.Call) {
		base := 100 * ms
		if c.Timeout > 0 {
			base = min(base, c.Timeout)
		}
		c.Backoff, c.Jitter = exponential(base, 0), "full"
	})
}

func budgetTen(s *scenario.Scenario) {
	retryEverything(s)
	s.Policy.Budget.Percent = 10
}

// breaker counts timeouts too, as most libraries' do. One that counts refusals alone would stand by while a slow service
// drowns, and be no other rule than the retries beneath it.
func breaker(s *scenario.Scenario) {
	retryEverything(s)
	s.Policy.Breaker.Enabled, s.Policy.Breaker.On = true, []string{"timeout", "error", "refused"}
}

// hedge sends a second attempt of what only reads when the first takes longer than 95 of a hundred do on a good day, if
// that is before it times out.
func hedge(s *scenario.Scenario) {
	each(s, func(name string, c *scenario.Call) {
		after := p95(s.Dependencies[c.Target(name)].Service)
		if reads(s, name) && after < cmp.Or(c.Timeout, 4*3600*sec) { // no time in a scenario is longer
			c.HedgeAfter = after
		}
	})
}

// p95 is just over what 95 of a hundred attempts take in service while nothing is broken, to a tenth of a millisecond.
func p95(s scenario.Service) scenario.Duration {
	const upper, lower = rng.Draw(1 << 64 / 20 * 19), rng.Draw(1 << 64 / 20) // a lognormal draw grows with these, an exponential one shrinks
	mean := time.Duration(s.Mean)
	switch s.Dist {
	case "exponential":
		mean = lower.Exponential().Of(mean)
	case "lognormal":
		mean = rng.NewLognormal(s.Sigma).Draw(upper).Of(mean)
	case "table":
		sorted := slices.Clone(s.Table)
		sort.SliceStable(sorted, func(i, j int) bool { return sorted[i] < sorted[j] })
		mean = time.Duration(sorted[len(sorted)*95/100])
	}
	const step = 100 * time.Microsecond
	return scenario.Duration((time.Duration(s.Base) + mean).Truncate(step) + step)
}
