package run_test

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/live"
	"stormbin/engine/model"
	"stormbin/engine/policy"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

const (
	ms = scenario.Duration(time.Millisecond)
	s  = scenario.Duration(time.Second)
)

// scene is one call to a server of one slot, that is ill at first.
type scene struct {
	title    string
	about    string
	call     scenario.Call
	budget   float64
	opensAt  int // so many calls open the breaker if half of them were refused; 0: there is none
	deadline scenario.Duration

	service    scenario.Duration // of the server when it is well
	downFor    scenario.Duration // it refuses so long
	slowFor    scenario.Duration // what it begins in that time takes slow times as long
	slow       int
	loseFor    scenario.Duration // what comes in that time is served, and the answer lost
	queueLimit int
	retryAfter scenario.Duration
}

var scenes = []scene{
	{
		title: "Slow, tried again, and answered",
		about: "A server does one thing at a time, in 5 ms, but for the first 10 ms takes 13 times as long.\n" +
			"Its caller waits 20 ms, then 10 ms more, then tries again: three times at the most.",
		call: scenario.Call{
			Timeout: 20 * ms, Attempts: 3, RetryOn: []string{"timeout"}, Backoff: scenario.Backoff{Kind: "constant", Base: 10 * ms},
		},
		service: 5 * ms, slowFor: 10 * ms, slow: 13,
	},
	{
		title: "Down, until the budget is empty",
		about: "The server refuses everything. Its caller may try a hundred times, waiting 1 ms longer each time, but a full\n" +
			"retry budget holds ten.",
		call: scenario.Call{
			Timeout: 20 * ms, Attempts: 100, RetryOn: []string{"refused"}, Backoff: scenario.Backoff{Kind: "linear", Base: ms},
		},
		budget: 10, service: 5 * ms, downFor: s,
	},
	{
		title: "Down, then slow, until there is no time for another try",
		about: "The server refuses for 30 ms, and then takes 400 ms. Its caller has 300 ms in all, waits 200 ms for each\n" +
			"attempt, and 40 ms before the next.",
		call: scenario.Call{
			Timeout: 200 * ms, Attempts: 5, RetryOn: []string{"timeout", "refused"}, Backoff: scenario.Backoff{Kind: "constant", Base: 40 * ms},
		},
		deadline: 300 * ms, service: 5 * ms, downFor: 30 * ms, slowFor: s, slow: 80,
	},
	{
		title: "Down, until the breaker opens",
		about: "The server refuses everything. Its caller may try a hundred times, waiting 1 ms longer each time, but a breaker\n" +
			"between them opens with the third refusal.",
		call: scenario.Call{
			Timeout: 20 * ms, Attempts: 100, RetryOn: []string{"refused"}, Backoff: scenario.Backoff{Kind: "linear", Base: ms},
		},
		opensAt: 3, service: 5 * ms, downFor: s,
	},
	{
		title: "Told to come again later",
		about: "The server takes 65 ms for the first, and one more may wait; all others are told to come again after 50 ms.\n" +
			"Its caller waits 20 ms for an answer, and adds 10 ms of his own before each of at most four attempts.",
		call: scenario.Call{
			Timeout: 20 * ms, Attempts: 4, RetryOn: []string{"timeout", "shed"}, Backoff: scenario.Backoff{Kind: "constant", Base: 10 * ms},
		},
		service: 5 * ms, slowFor: 10 * ms, slow: 13, queueLimit: 1, retryAfter: 50 * ms,
	},
	{
		title: "A hedge that wins",
		about: "For 10 ms the server loses its answers. Its caller waits 100 ms for one, but hedges: after 20 ms without an answer\n" +
			"it sends a second attempt, and goes on waiting for both.",
		call:    scenario.Call{Timeout: 100 * ms, Attempts: 1, HedgeAfter: 20 * ms},
		service: 5 * ms, loseFor: 10 * ms,
	},
	{
		title: "A hedge that stands behind its twin",
		about: "The same caller, and a server that loses nothing but is slow: 65 ms for what it begins in the first 10 ms. It has\n" +
			"one place, so that the hedge can't overtake.",
		call:    scenario.Call{Timeout: 100 * ms, Attempts: 1, HedgeAfter: 20 * ms},
		service: 5 * ms, slowFor: 10 * ms, slow: 13,
	},
	{
		title: "A library that tries by itself",
		about: "The caller tries once, for 25 ms. Beneath it a client library tries three times, 10 ms apart, which nobody asked\n" +
			"for: so what the caller gives up on is the library's third. The server refuses for 15 ms, and then takes 40 ms.",
		call: scenario.Call{
			Timeout: 25 * ms, Attempts: 1,
			Library: scenario.Layer{
				Attempts: 3, RetryOn: []string{"refused"}, Backoff: scenario.Backoff{Kind: "constant", Base: 10 * ms}, Jitter: "none",
			},
		},
		service: 5 * ms, downFor: 15 * ms, slowFor: s, slow: 8,
	},
}

// allOver is when all scenes are over.
const allOver = 900 * time.Millisecond

// scenario is the scene as a simulation: at rate 1 a request comes at 0s, and none more until all is over.
func (sc scene) scenario(t *testing.T, rate float64) scenario.Scenario {
	out, err := scenario.Parse([]byte(`{"version": 1, "duration": "1s",
		"operations": {"call": {"arrivals": "even", "steps": ["b"]}}, "dependencies": {"b": {}}, "policy": {"calls": {"b": {}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	op, call, b := out.Operations["call"], out.Policy.Calls["b"], out.Dependencies["b"]
	op.Rate, op.Deadline = rate, sc.deadline
	call.Timeout, call.Attempts, call.RetryOn, call.HedgeAfter = sc.call.Timeout, sc.call.Attempts, sc.call.RetryOn, sc.call.HedgeAfter
	if sc.call.Backoff.Base > 0 {
		call.Backoff = sc.call.Backoff
	}
	if sc.call.Library.Present() {
		call.Library = sc.call.Library
	}
	b.Service.Mean, b.QueueLimit, b.RetryAfter = sc.service, sc.queueLimit, sc.retryAfter
	out.Operations["call"], out.Policy.Calls["b"], out.Dependencies["b"] = op, call, b
	out.Policy.Budget.Percent = sc.budget
	out.Policy.Breaker.Enabled, out.Policy.Breaker.MinCalls = sc.opensAt > 0, max(sc.opensAt, 1)
	if sc.downFor > 0 {
		out.Faults = append(out.Faults, scenario.Fault{For: sc.downFor, Target: "b", Kind: "down", Factor: 1})
	}
	if sc.slowFor > 0 {
		out.Faults = append(out.Faults, scenario.Fault{For: sc.slowFor, Target: "b", Kind: "slow", Factor: float64(sc.slow)})
	}
	if sc.loseFor > 0 {
		out.Faults = append(out.Faults, scenario.Fault{For: sc.loseFor, Target: "b", Kind: "lose", Factor: 1, P: 1})
	}
	if err := out.Validate(); err != nil {
		t.Fatal(err)
	}
	return out
}

//go:embed testdata/story.txt
var story string

// TestStory holds what one call does, told so that a person can follow it, in testdata/story.txt. The model must tell it
// in virtual time, engine/live on the real clock with a server written by hand, and engine/live on the clock of a
// run. After a change that is meant, -update (see hash_test.go) rewrites the file; read the difference.
func TestStory(t *testing.T) {
	if *update {
		if err := os.WriteFile("testdata/story.txt", []byte(write(t, tellByModel)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	tellers := []struct {
		name string
		tell func(*testing.T, scene) []string
	}{
		{"in the model", tellByModel},
		{"on the real clock", tellByRealClock},
		{"on the clock of a run", tellByRun},
	}
	for _, teller := range tellers {
		t.Run(teller.name, func(t *testing.T) {
			if diff := cmp.Diff(strings.Split(story, "\n"), strings.Split(write(t, teller.tell), "\n")); diff != "" {
				t.Errorf("it is told otherwise (- the file, + what happens):\n%s", diff)
			}
		})
	}
}

func write(t *testing.T, tell func(*testing.T, scene) []string) string {
	var b strings.Builder
	fmt.Fprintln(&b, "What one call does, under a timeout and a rule for trying again. Numbers count its attempts.")
	for _, sc := range scenes {
		fmt.Fprintf(&b, "\n\n%s\n%s\n\n%s\n\n%s\n", sc.title, strings.Repeat("-", len(sc.title)), sc.about, strings.Join(tell(t, sc), "\n"))
	}
	return b.String()
}

// The lines of the story.
func line(at time.Duration, what string) string { return fmt.Sprintf("%6v  %s", at, what) }

func sends(n int) string   { return fmt.Sprintf("caller sends %d", n) }
func leaves(n int) string  { return fmt.Sprintf("caller gives up on %d", n) }
func refuses(n int) string { return fmt.Sprintf("                        server refuses %d", n) }
func takes(n int) string   { return fmt.Sprintf("                        server takes up %d", n) }

func serves(n int, awaited bool) string {
	if awaited {
		return fmt.Sprintf("                        server answers %d", n)
	}
	return fmt.Sprintf("                        server answers %d, and nobody waits", n)
}

func ends(o policy.Outcome) string { return "the call is over: " + o.String() }

// fromTrace tells what a world has traced.
func fromTrace(events []model.Event) (lines []string) {
	for _, e := range events {
		n := int(e.Attempt)
		switch e.Kind {
		case model.Sent:
			lines = append(lines, line(e.At, sends(n)))
		case model.Refusal:
			lines = append(lines, line(e.At, refuses(n)))
		case model.Started:
			lines = append(lines, line(e.At, takes(n)))
		case model.TimedOut, model.Beaten:
			lines = append(lines, line(e.At, leaves(n)))
		case model.Completed:
			lines = append(lines, line(e.At, serves(n, e.Holder != model.Abandoned && e.Holder != model.YoursLeft)))
		}
	}
	return lines
}

func tellByModel(t *testing.T, sc scene) (lines []string) {
	w := model.New(sc.scenario(t, 1))
	var snap model.Snapshot
	over := false
	for w.Next(allOver) {
		w.Snapshot(&snap)
		lines = append(lines, fromTrace(snap.Trace)...)
		if snap.Requests.Offered == 1 && snap.Requests.InFlight == 0 && !over {
			over = true
			for o := policy.OK; o <= policy.Deadline; o++ {
				if w.Report().Requests.Outcomes[o.String()] > 0 {
					lines = append(lines, line(w.Now(), ends(o)))
				}
			}
		}
	}
	return lines
}

func tellByRun(t *testing.T, sc scene) (lines []string) {
	r, err := run.New(sc.scenario(t, 0))
	if err != nil {
		t.Fatal(err)
	}
	var snap model.Snapshot
	look := func() {
		r.Snapshot(&snap)
		lines = append(lines, fromTrace(snap.Trace)...)
	}
	visit(t, r, "call", func(ctx context.Context, c *live.Caller) {
		err := c.Do(ctx, "b", func(context.Context) error { return nil })
		look()
		lines = append(lines, line(r.Now(), ends(outcome(t, err))))
	})
	r.Advance(allOver, 1000)
	look()
	return lines
}

func tellByRealClock(t *testing.T, sc scene) (lines []string) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		clock := live.Real()
		log := func(what string) { lines = append(lines, line(clock.Now(), what)) }
		server := &oneSlot{scene: sc, clock: clock, log: log, mu: &mu}
		deadline := policy.NoDeadline
		if sc.deadline > 0 {
			deadline = time.Duration(sc.deadline)
		}
		set := sc.scenario(t, 0).Policy
		call, budget, breaker := set.Calls["b"], policy.NewBudget(set.Budget.Policy()), policy.NewBreaker(set.Breaker.Policy())
		c := live.Caller{
			Clock: clock, Rule: func(string) policy.Rule { return call.Rule() }, Budget: func(string) *policy.Budget { return &budget }, Deadline: deadline, Send: server.send,
			Library: func(string) (policy.Rule, bool) { return call.Library.Rule(), call.Library.Present() },
		}
		if set.Breaker.Enabled {
			c.Breaker = func(string) *policy.Breaker { return &breaker }
		}
		err := c.Do(t.Context(), "b", func(context.Context) error { return nil })
		mu.Lock()
		log(ends(outcome(t, err)))
		mu.Unlock()
		time.Sleep(allOver) // in the bubble's time: the server works on
	})
	return lines
}

// oneSlot is the server of a scene.
type oneSlot struct {
	scene
	clock live.Clock
	log   func(string)

	mu    *sync.Mutex
	busy  bool
	queue []*job
}

type job struct {
	n      int
	answer func(policy.Outcome, time.Duration)
	lost   bool // the answer, on its way
	left   bool
}

func (v *oneSlot) send(_ string, try live.Try, answer func(policy.Outcome, time.Duration)) (leave func(bool), o policy.Outcome, after time.Duration) {
	n := try.Attempt
	if try.Library > 0 {
		n = try.Library
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.log(sends(n))
	if v.clock.Now() < time.Duration(v.downFor) {
		v.log(refuses(n))
		return func(bool) {}, policy.Refused, 0
	}
	j := &job{n: n, answer: answer, lost: v.clock.Now() < time.Duration(v.loseFor)}
	switch {
	case v.busy && v.queueLimit > 0 && len(v.queue) == v.queueLimit:
		v.log(refuses(n))
		return func(bool) {}, policy.Shed, time.Duration(v.retryAfter)
	case v.busy:
		v.queue = append(v.queue, j)
	default:
		v.take(j)
	}
	return func(bool) {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.log(leaves(n))
		j.left = true
	}, policy.OK, 0
}

func (v *oneSlot) take(j *job) {
	v.busy = true
	v.log(takes(j.n))
	took := time.Duration(v.service)
	if v.clock.Now() < time.Duration(v.slowFor) {
		took *= time.Duration(v.slow)
	}
	v.clock.At(v.clock.Now()+took, func() { v.done(j) })
}

func (v *oneSlot) done(j *job) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.log(serves(j.n, !j.left))
	v.busy = false
	if len(v.queue) > 0 {
		next := v.queue[0]
		v.queue = v.queue[1:]
		v.take(next)
	}
	if j.lost {
		j.answer(policy.Lost, 0)
	} else {
		j.answer(policy.OK, 0)
	}
}

// outcome is what a call came to.
func outcome(t *testing.T, err error) policy.Outcome {
	var f *live.Failure
	switch {
	case err == nil:
		return policy.OK
	case errors.As(err, &f):
		return f.Outcome
	}
	t.Fatalf("the call ends with %v, want a Failure", err)
	return 0
}

// visit has a request of the reader's own live in a run, and keeps the run going until it is over.
func visit(t *testing.T, r *run.Run, operation string, do func(context.Context, *live.Caller)) {
	t.Helper()
	v := r.Visit(operation)
	if v == nil {
		t.Fatalf("no place for a visit of %s", operation)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer v.Leave()
		do(t.Context(), v.Caller())
	}()
	keepGoing(r, over)
}

// keepGoing moves a run on until over is closed, as a page does from frame to frame.
func keepGoing(r *run.Run, over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		default:
			r.Advance(run.Limit, 1)
			runtime.Gosched()
		}
	}
}
