package run_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/model"
	"stormbin/engine/scenario"
)

// Another policy meets the very same traffic, whatever it is: the n-th request of each operation comes at the same time, and
// the service of its first attempt at each dependency, where both send one, takes as long.
func TestSameTrafficUnderTwoPolicies(t *testing.T) {
	compared := 0
	rapid.Check(t, func(rt *rapid.T) {
		s := twoPaths(t, rapid.Uint64Range(0, 1000).Draw(rt, "seed"))
		one, other := traffic(t, drawPolicy(rt, s.Clone())), traffic(t, drawPolicy(rt, s.Clone()))
		for name, came := range one.arrivals {
			if !slices.Equal(came, other.arrivals[name]) {
				rt.Fatalf("other requests of %s under another policy, or at other times:\n%v\n%v", name, came, other.arrivals[name])
			}
		}
		for a, took := range one.services {
			if too, both := other.services[a]; both && too != took {
				rt.Fatalf("the first attempt of request %d at %s takes %v, and %v under another policy", a.request, a.dependency, took, too)
			} else if both {
				compared++
			}
		}
	})
	if compared < 1000 {
		t.Errorf("in all only %d services could be compared", compared)
	}
}

// twoPaths is the pastebin with a quarter of a second of a little traffic, whose reads and creates go to dependencies of
// their own, so that an event tells whose it is.
func twoPaths(t *testing.T, seed uint64) scenario.Scenario {
	s := with(t, "pastebin", "seed", seed, "duration", "250ms", "operations.read.rate", 150, "operations.create.rate", 80, "operations.delete.rate", 0,
		"operations.create.arrivals", "even", "processes.count", 3, "dependencies.bucket.slots", 20, "dependencies.edge.slots", 1)
	s.Jobs = nil
	for copied, from := range map[string]string{"ledger": "primary", "vault": "bucket"} {
		s.Dependencies[copied] = s.Dependencies[from]
	}
	for call, on := range map[string]string{"primary_insert": "ledger", "object_put": "vault"} {
		c := s.Policy.Calls[call]
		c.On = on
		s.Policy.Calls[call] = c
	}
	return s
}

// drawPolicy gives s any policy at all.
func drawPolicy(t *rapid.T, s scenario.Scenario) scenario.Scenario {
	length := func(what string, most int) scenario.Duration {
		return scenario.Duration(rapid.IntRange(0, most).Draw(t, what)) * scenario.Duration(time.Millisecond)
	}
	outcomes := func(what string) []string {
		return rapid.SliceOfDistinct(rapid.SampledFrom([]string{"timeout", "error", "refused", "lost", "shed"}), rapid.ID).Draw(t, what)
	}
	layer := func(what string, most int) scenario.Layer {
		return scenario.Layer{
			Attempts: rapid.IntRange(1, most).Draw(t, what+" attempts"), Timeout: length(what+" timeout", 60), RetryOn: outcomes(what + " retry on"),
			Backoff: scenario.Backoff{Kind: rapid.SampledFrom([]string{"none", "constant", "linear", "exponential"}).Draw(t, what+" backoff"), Base: length(what+" base", 20)},
			Jitter:  rapid.SampledFrom([]string{"none", "full", "equal", "decorrelated"}).Draw(t, what+" jitter"),
		}
	}
	for _, name := range []string{"cache_get", "primary_read", "object_get", "object_put", "primary_insert"} {
		c := s.Policy.Calls[name]
		l := layer(name, 4)
		c.Attempts, c.Timeout, c.RetryOn, c.Backoff, c.Jitter = l.Attempts, l.Timeout, l.RetryOn, l.Backoff, l.Jitter
		c.Library = layer(name+" library", 3)
		c.HedgeAfter = rapid.SampledFrom([]scenario.Duration{0, 0, 1, scenario.Duration(5 * time.Millisecond)}).Draw(t, name+" hedge")
		c.HedgeCancel = rapid.Bool().Draw(t, name+" hedge cancel")
		c.StatementTimeout = length(name+" statement timeout", 50)
		s.Policy.Calls[name] = c
	}
	for _, name := range []string{"read", "create"} {
		o := s.Operations[name]
		o.Client, o.Deadline = layer(name+" client", 3), length(name+" deadline", 300)
		s.Operations[name] = o
	}
	p := &s.Policy
	p.Balancer = layer("balancer", 3)
	p.PropagateDeadline = rapid.Bool().Draw(t, "propagate")
	p.Budget.Kind = rapid.SampledFrom([]string{"ratio", "tokens", "in_flight"}).Draw(t, "budget")
	p.Budget.Percent = rapid.SampledFrom([]float64{0, 10, 100}).Draw(t, "percent")
	p.Breaker.Enabled = rapid.Bool().Draw(t, "breaker")
	p.Breaker.On, p.Breaker.MinCalls = outcomes("breaker on"), rapid.IntRange(1, 10).Draw(t, "min calls")
	p.Breaker.OpenFor = scenario.Duration(50 * time.Millisecond)
	s.Processes.Cap = map[string]int{"read": rapid.IntRange(0, 10).Draw(t, "cap")}
	s.Processes.Pick = rapid.SampledFrom([]string{"turn", "random", "least", "two"}).Draw(t, "pick")
	return s
}

// first names the first attempt of a request at a dependency.
type first struct {
	dependency string
	request    uint64
}

type sameness struct {
	arrivals map[string][]time.Duration // by operation, of each request in turn
	services map[first]time.Duration
}

// traffic is what came in during the run of s, and how long the first attempts were served. Retries of other layers have
// attempts of the same number; where one comes before the first is through, nobody can tell which is meant, and both are
// left out.
func traffic(t *testing.T, s scenario.Scenario) sameness {
	out := sameness{arrivals: map[string][]time.Duration{}, services: map[first]time.Duration{}}
	begun := map[first]time.Duration{}
	const (
		waits = -1 // sent, and not started
		over  = -2 // and whatever comes is another
	)
	for _, e := range trace(t, s, time.Duration(s.Duration)+200*time.Millisecond) {
		key := first{e.at, e.Request}
		at, known := begun[key]
		switch {
		case e.Kind == model.Arrived:
			if came := out.arrivals[e.at]; e.Request == uint64(len(came)) && e.At <= time.Duration(s.Duration) {
				out.arrivals[e.at] = append(came, e.At)
			}
		case e.Kind == model.Answered, e.Kind == model.Failure, e.Kind == model.ShedAtCap, e.Attempt != 1:
		case e.Kind == model.Sent && !known && e.Holder == model.First:
			begun[key] = waits
		case e.Kind == model.Sent:
			begun[key] = over // it is another, or two at a time
		case e.Kind == model.Started && at == waits:
			begun[key] = e.At
		case e.Kind == model.Completed && known && at >= 0:
			out.services[key] = e.At - at
			begun[key] = over
		case e.Kind == model.Killed, e.Kind == model.Refusal:
			begun[key] = over
		}
	}
	if len(out.arrivals) != 2 {
		t.Fatalf("requests of %d operations came, want of two", len(out.arrivals))
	}
	return out
}
