package pastebin_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/live"
	"stormbin/engine/model"
	"stormbin/engine/policy"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
	"stormbin/pastebin"
	"stormbin/pastebin/memory"
)

// requests is how many come in each of rapid's runs: by default it makes a hundred, so ten thousand in all.
const requests = 100

// The live service and the simulated one agree, hop by hop: the same requests come at the same instants into the same
// world, under any policy and any faults, once as the model's own and once as real requests to the real service over
// stores in memory. Each attempt must be sent, and end, at the same nanosecond and with the same outcome.
//
// Left out is what can't agree, because it is drawn from the request's own streams or because a visit doesn't pass it:
// services that vary, faults with a chance between 0 and 1, hit shares other than none and all, the edge, the balancer,
// and users who try again. Jobs are left out too: the worker's are no calls of the policy's. And so is a queue's age, by
// which one answer may turn others away at the same instant: which of two visits reacts first then is the scheduler's
// choice, and they share a budget.
func TestLiveServiceAndModelAgree(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		simulated, real := simulate(t, w), perform(t, w)
		if len(simulated) != requests || len(real) != requests {
			t.Fatalf("%d simulated requests and %d real ones, want %d", len(simulated), len(real), requests)
		}
		for n := range simulated {
			if a, b := fmt.Sprint(simulated[n]), fmt.Sprint(real[n]); a != b {
				t.Fatalf("request %d, %s\nsimulated %s\nreal      %s", n, w.operation, a, b)
			}
			for _, h := range simulated[n].hops {
				seen[h.outcome]++
			}
			seen["request "+simulated[n].how]++
		}
	})
	t.Log(seen)
	for _, what := range []string{"ok", "timeout", "beaten", "refused", "error", "shed", "request ok", "request failed", "request turned away"} {
		if seen[what] == 0 {
			t.Errorf("nothing was seen of %q, so nothing was shown about it", what)
		}
	}
}

// aWorld is a scenario in which one operation is asked for.
type aWorld struct {
	scenario.Scenario
	operation string
	hits      bool // of the cache: all or none
	came      []time.Duration
	end       time.Duration // long after the last has its answer
}

// story is what became of one request.
type story struct {
	came time.Duration
	hops []told
	over time.Duration
	how  string // ok, failed, turned away
}

// told is one attempt that was sent.
type told struct {
	call       string
	attempt    int
	start, end time.Duration
	outcome    string
}

// steps are the calls of each operation, by what they go to.
var steps = map[string]map[string]string{
	"read":   {"cache": "cache_get", "primary": "primary_read", "bucket": "object_get"},
	"create": {"bucket": "object_put", "primary": "primary_insert"},
	"delete": {"primary": "primary_delete"},
}

// drawWorld draws any policy and any faults. Requests come at instants that no timer of another shares, so that what
// happens does not hang on the order in which two of them are looked at; within a request all may fall together.
func drawWorld(t *rapid.T) *aWorld {
	milliseconds := func(what string, least, most int) scenario.Duration {
		return scenario.Duration(rapid.IntRange(least, most).Draw(t, what)) * scenario.Duration(ms)
	}
	some := func(what string) []string {
		return rapid.SliceOfDistinct(rapid.SampledFrom([]string{"timeout", "error", "refused", "lost", "shed"}), rapid.ID).Draw(t, what)
	}
	s, _ := scenario.Find("pastebin")
	w := &aWorld{operation: rapid.SampledFrom([]string{"read", "read", "create", "delete"}).Draw(t, "operation"), hits: rapid.IntRange(0, 4).Draw(t, "hits") == 0}
	s.Jobs = nil
	gap := time.Duration(milliseconds("gap", 5, 400)) + 37_100
	for _, name := range slices.Sorted(maps.Keys(s.Operations)) {
		o := s.Operations[name]
		o.Rate, o.Arrivals, o.Edge = 0, "even", ""
		if name == w.operation {
			o.Rate = float64(time.Second) / float64(gap)
			o.Deadline = milliseconds("deadline", 0, 400)
		}
		s.Operations[name] = o
	}
	s.Processes.Count = rapid.IntRange(1, 3).Draw(t, "processes")
	s.Processes.Cap = map[string]int{w.operation: rapid.IntRange(0, 3).Draw(t, "cap")}
	queues := rapid.Bool().Draw(t, "queues are bounded")
	for dependency, call := range ordered(steps[w.operation]) {
		d := s.Dependencies[dependency]
		d.Slots = rapid.IntRange(1, 4).Draw(t, dependency+" slots")
		d.Service = scenario.Service{Dist: "constant", Mean: milliseconds(dependency+" service", 1, 30), Sigma: 1}
		d.StatementTimeout = milliseconds(dependency+" statement timeout", 0, 60)
		d.Cancel = rapid.Bool().Draw(t, dependency+" cancels")
		d.Discipline = rapid.SampledFrom([]string{"fifo", "lifo"}).Draw(t, dependency+" discipline")
		if queues {
			d.QueueLimit = rapid.IntRange(1, 3).Draw(t, dependency+" queue limit")
			d.RetryAfter = milliseconds(dependency+" retry after", 0, 20)
		}
		if dependency == "cache" {
			d.HitShare = 0
			if w.hits {
				d.HitShare = 1
			}
		}
		s.Dependencies[dependency] = d

		c := s.Policy.Calls[call]
		c.Timeout = milliseconds(call+" timeout", 1, 60)
		c.Attempts, c.RetryOn = rapid.IntRange(1, 4).Draw(t, call+" attempts"), some(call+" retry on")
		c.Backoff = scenario.Backoff{Kind: rapid.SampledFrom([]string{"none", "constant", "linear", "exponential"}).Draw(t, call+" backoff"), Base: milliseconds(call+" base", 0, 20)}
		c.Jitter = rapid.SampledFrom([]string{"none", "full", "equal", "decorrelated"}).Draw(t, call+" jitter")
		c.StatementTimeout = milliseconds(call+" statement timeout", 0, 60)
		c.HedgeAfter = rapid.SampledFrom([]scenario.Duration{0, 0, 1, scenario.Duration(5 * ms), scenario.Duration(20 * ms)}).Draw(t, call+" hedge")
		c.HedgeCancel = rapid.Bool().Draw(t, call+" hedge cancel")
		s.Policy.Calls[call] = c
	}
	p := &s.Policy
	p.PropagateDeadline = rapid.Bool().Draw(t, "propagate")
	p.Budget.Kind = rapid.SampledFrom([]string{"ratio", "tokens", "in_flight"}).Draw(t, "budget")
	p.Budget.Percent = rapid.SampledFrom([]float64{0, 10, 100}).Draw(t, "percent")
	p.Breaker.Enabled = rapid.Bool().Draw(t, "breaker")
	p.Breaker.On, p.Breaker.MinCalls = some("breaker on"), rapid.IntRange(1, 10).Draw(t, "min calls")
	p.Breaker.OpenFor = milliseconds("open for", 1, 500)
	p.Breaker.Per = rapid.SampledFrom([]string{"process", "target"}).Draw(t, "breaker per")
	span := int(requests * gap / ms)
	for range rapid.IntRange(0, 6).Draw(t, "faults") {
		f := scenario.Fault{
			At:     milliseconds("at", 0, span) + 123_457, // between all that happens to a request
			For:    milliseconds("for", 1, span/2+1),
			Target: rapid.SampledFrom(slices.Sorted(maps.Keys(steps[w.operation]))).Draw(t, "target"),
			Kind:   rapid.SampledFrom([]string{"slow", "stall", "down", "blackhole", "flaky", "lose", "capacity"}).Draw(t, "kind"),
		}
		switch f.Kind {
		case "slow":
			f.Factor = float64(rapid.IntRange(2, 20).Draw(t, "factor"))
		case "capacity":
			f.Factor = 0.5
		case "flaky":
			if queues {
				continue // who is refused at once, and who fails at once, look the same in the trace
			}
			f.P = 1
		case "lose":
			f.P = 1
		}
		s.Faults = append(s.Faults, f)
	}
	// And no more of them come: those who are late would share the world with others.
	s.Changes = []scenario.Change{{At: scenario.Duration((requests-1)*gap + gap/2), Path: "operations." + w.operation + ".rate", Value: 0.0}}
	w.Scenario, w.end = s, requests*gap+time.Minute
	return w
}

// ordered goes through a map in the order of its keys.
func ordered(m map[string]string) func(func(string, string) bool) {
	return func(yield func(string, string) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

// turnedAway is the outcome of an attempt that a dependency did not take; the trace doesn't say it.
func (w *aWorld) turnedAway(dependency string, at time.Duration) string {
	has := func(kind string) bool {
		return slices.ContainsFunc(w.Faults, func(f scenario.Fault) bool {
			return f.Target == dependency && f.Kind == kind && time.Duration(f.At) <= at && at < time.Duration(f.At+f.For)
		})
	}
	switch {
	case has("down"):
		return "refused"
	case has("flaky"):
		return "error"
	case w.Dependencies[dependency].RetryAfter > 0:
		return "shed"
	}
	return "refused"
}

// endings and outcomes are what the events of a trace say of a request, and of an attempt.
var (
	endings  = map[model.EventKind]string{model.Answered: "ok", model.Failure: "failed", model.ShedAtCap: "turned away"}
	outcomes = map[model.EventKind]string{model.Completed: "ok", model.Killed: "error", model.TimedOut: "timeout", model.Beaten: "beaten"}
)

// simulate has the model make the requests, and reads what becomes of them from its trace.
func simulate(t *rapid.T, w *aWorld) []story {
	r, err := run.New(w.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	r.SampleEvery(1)
	stories := make([]story, 0, requests)
	ended := 0
	var snap model.Snapshot
	for there := false; ended < requests; {
		if there {
			t.Fatalf("%d of %d requests never end", requests-ended, requests)
		}
		there = r.Advance(w.end, 10)
		r.Snapshot(&snap)
		for _, e := range snap.Trace {
			switch e.Kind {
			case model.Arrived:
				stories = append(stories, story{came: e.At})
				continue
			case model.BackingOff: // and what is then sent is a hop
				continue
			}
			s := &stories[e.Request]
			if how, over := endings[e.Kind]; over {
				s.over, s.how = e.At, how
				ended++
				continue
			}
			dependency := snap.Dependencies[e.Place].Name
			call := steps[w.operation][dependency]
			if e.Kind == model.Sent {
				s.hops = append(s.hops, told{call: call, attempt: int(e.Attempt), start: e.At})
				continue
			}
			outcome, left := outcomes[e.Kind], e.Kind == model.TimedOut || e.Kind == model.Beaten
			if e.Kind == model.Refusal {
				outcome = w.turnedAway(dependency, e.At)
			}
			at := slices.IndexFunc(s.hops, func(h told) bool { return h.call == call && h.attempt == int(e.Attempt) })
			// A service that ends after its caller left is no outcome; and where the caller leaves after it, the answer was lost.
			if h := &s.hops[at]; outcome != "" && (h.outcome == "" || left) {
				h.end, h.outcome = e.At, outcome
			}
		}
	}
	for i := range stories {
		stories[i].sort()
		w.came = append(w.came, stories[i].came)
	}
	return stories
}

// sort puts the attempts in the order in which they were sent.
func (s *story) sort() {
	slices.SortStableFunc(s.hops, func(a, b told) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.attempt, b.attempt)) })
}

// forgetful is a cache that has nothing.
type forgetful struct{ pastebin.Cache }

func (forgetful) Put(context.Context, pastebin.Entry) error { return nil }

// perform makes the same requests for real.
func perform(t *rapid.T, w *aWorld) []story {
	s := w.Clone()
	o := s.Operations[w.operation]
	o.Rate = 0
	s.Operations[w.operation] = o
	r, err := run.New(s)
	if err != nil {
		t.Fatal(err)
	}
	ctx, text := context.Background(), []byte("text")
	service := &pastebin.Service{Stores: memory.New(), Rand: rand.Reader, Now: func() time.Time { return noon }}
	saved, err := service.Create(ctx, calm(), pastebin.Draft{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	if w.hits {
		if err := service.Cache.Put(ctx, pastebin.Entry{Paste: saved, Text: text, Filled: noon}); err != nil {
			t.Fatal(err)
		}
	} else {
		service.Cache = forgetful{service.Cache}
	}
	do := map[string]func(*live.Caller) error{
		"read": func(c *live.Caller) error {
			_, got, err := service.Read(ctx, c, saved.ID)
			if err == nil && !bytes.Equal(got, text) {
				t.Errorf("read %q", got)
			}
			return err
		},
		"create": func(c *live.Caller) error {
			p, err := service.Create(ctx, c, pastebin.Draft{Text: text})
			if err == nil {
				_, err = service.Bucket.Get(ctx, p.ID)
			}
			return err
		},
		"delete": func(c *live.Caller) error { return service.Delete(ctx, c, saved.ID) },
	}[w.operation]

	stories := make([]story, len(w.came))
	var all sync.WaitGroup
	for n, came := range w.came {
		for !r.Advance(came, 1<<30) {
			runtime.Gosched()
		}
		s := &stories[n]
		s.came, s.over, s.how = came, came, "turned away"
		v := r.Visit(w.operation)
		if v == nil {
			continue
		}
		all.Go(func() {
			defer v.Leave()
			c := v.Caller()
			c.Watch = func(h live.Hop) {
				if h.Outcome == policy.Deadline || h.Outcome == policy.Open {
					return // nothing was sent, and the trace is silent about it
				}
				hop := told{h.Call, h.Attempt, h.Start, h.End, h.Outcome.String()}
				if h.Beaten {
					hop.outcome = "beaten"
				}
				s.hops = append(s.hops, hop)
			}
			err := do(c)
			s.over, s.how = r.Now(), "failed"
			if err == nil && s.over <= v.Deadline {
				s.how = "ok"
			}
			s.sort()
		})
	}
	over := make(chan struct{})
	go func() {
		all.Wait()
		close(over)
	}()
	for {
		select {
		case <-over:
			return stories
		default:
			r.Advance(run.Limit, 1)
			runtime.Gosched()
		}
	}
}
