package live_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/live"
	"stormbin/engine/policy"
	"stormbin/engine/rng"
)

const (
	ms = time.Millisecond
	s  = time.Second
)

// fate is what one attempt at the work does.
type fate struct {
	after time.Duration
	err   error
	deaf  bool // doesn't notice that nobody waits
}

// far is work whose n-th attempt has the n-th fate.
func far(fates ...fate) func(context.Context) error {
	var n atomic.Int32
	return func(ctx context.Context) error {
		f := fates[n.Add(1)-1]
		if f.deaf {
			time.Sleep(f.after)
			return f.err
		}
		select {
		case <-time.After(f.after):
			return f.err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// caller calls under one rule, on the real clock, and keeps the hops.
type caller struct {
	live.Caller
	hops []live.Hop
}

func newCaller(rule policy.Rule, deadline time.Duration) *caller {
	c := &caller{Caller: live.Caller{
		Clock:    live.Real(),
		Rule:     func(string) policy.Rule { return rule },
		Deadline: deadline,
	}}
	c.Watch = func(h live.Hop) { c.hops = append(c.hops, h) }
	return c
}

// outlive lets all that is late come, in a bubble's time. synctest then sees to it that nothing is left behind.
func outlive() { time.Sleep(2 * 3600 * s) }

var errNo = errors.New("no")

func TestDo(t *testing.T) {
	const never = policy.NoDeadline
	pointRead := policy.Rule{Timeout: 20 * ms, Attempts: 2, RetryOn: policy.Set(policy.Refused)}
	again := policy.Rule{
		Timeout: 20 * ms, Attempts: 3, RetryOn: policy.Set(policy.Timeout, policy.Error, policy.Refused),
		Backoff: policy.Backoff{Kind: policy.Constant, Base: 10 * ms},
	}
	atOnce := again
	atOnce.Backoff = policy.Backoff{}
	shed := again
	shed.RetryOn = policy.Set(policy.Shed)
	refused := fmt.Errorf("dial: %w", live.ErrRefused)
	hop := func(n int, start, end time.Duration, o policy.Outcome, left time.Duration) live.Hop {
		return live.Hop{Call: "read", Attempt: n, Start: start, End: end, Outcome: o, Left: left}
	}

	for _, test := range []struct {
		name     string
		rule     policy.Rule
		deadline time.Duration
		fates    []fate
		hops     []live.Hop
		want     *live.Failure // nil: it goes well
	}{
		{"an answer", pointRead, 300 * ms, []fate{{after: 7 * ms}},
			[]live.Hop{hop(1, 0, 7*ms, policy.OK, 293*ms)}, nil},
		{"a timeout", pointRead, 300 * ms, []fate{{after: 21 * ms}},
			[]live.Hop{hop(1, 0, 20*ms, policy.Timeout, 280*ms)},
			&live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 20 * ms}},
		{"what is left of the request is less than its timeout", pointRead, 15 * ms, []fate{{after: 16 * ms}},
			[]live.Hop{hop(1, 0, 15*ms, policy.Timeout, 0)},
			&live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 15 * ms}},
		{"an error that the rule does not retry", pointRead, never, []fate{{after: 3 * ms, err: errNo}},
			[]live.Hop{hop(1, 0, 3*ms, policy.Error, never)},
			&live.Failure{Outcome: policy.Error, Attempts: 1, Took: 3 * ms, Err: errNo}},
		{"refused, then an answer", pointRead, 300 * ms, []fate{{after: ms, err: refused}, {after: 2 * ms}},
			[]live.Hop{hop(1, 0, ms, policy.Refused, 299*ms), hop(2, ms, 3*ms, policy.OK, 297*ms)}, nil},
		{"an error, a timeout and an answer, with backoff", again, never,
			[]fate{{after: 5 * ms, err: errNo}, {after: s}, {after: 5 * ms}},
			[]live.Hop{hop(1, 0, 5*ms, policy.Error, never), hop(2, 15*ms, 35*ms, policy.Timeout, never), hop(3, 45*ms, 50*ms, policy.OK, never)}, nil},
		{"all attempts used up: the last one's error", again, never,
			[]fate{{after: s}, {after: s}, {after: 5 * ms, err: errNo}},
			[]live.Hop{hop(1, 0, 20*ms, policy.Timeout, never), hop(2, 30*ms, 50*ms, policy.Timeout, never), hop(3, 60*ms, 65*ms, policy.Error, never)},
			&live.Failure{Outcome: policy.Error, Attempts: 3, Took: 65 * ms, Err: errNo}},
		{"a timeout has no error, whatever came before it", atOnce, never,
			[]fate{{err: errNo}, {err: errNo}, {after: s}},
			[]live.Hop{hop(1, 0, 0, policy.Error, never), hop(2, 0, 0, policy.Error, never), hop(3, 0, 20*ms, policy.Timeout, never)},
			&live.Failure{Outcome: policy.Timeout, Attempts: 3, Took: 20 * ms}},
		{"a retry that does not fit any more", again, 49 * ms, []fate{{after: s}},
			[]live.Hop{hop(1, 0, 20*ms, policy.Timeout, 29*ms)},
			&live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 20 * ms}},
		{"an answer of an attempt that was given up, while the next waits", again, never,
			[]fate{{after: 35 * ms, deaf: true}, {after: 15 * ms, err: errNo}, {after: ms}},
			[]live.Hop{hop(1, 0, 20*ms, policy.Timeout, never), hop(2, 30*ms, 45*ms, policy.Error, never), hop(3, 55*ms, 56*ms, policy.OK, never)}, nil},
		{"and its error, while the next is in flight", atOnce, never,
			[]fate{{after: 25 * ms, err: errNo, deaf: true}, {after: 10 * ms}},
			[]live.Hop{hop(1, 0, 20*ms, policy.Timeout, never), hop(2, 20*ms, 30*ms, policy.OK, never)}, nil},
		{"and long after the end", pointRead, never,
			[]fate{{after: 3600 * s, deaf: true}},
			[]live.Hop{hop(1, 0, 20*ms, policy.Timeout, never)},
			&live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 20 * ms}},
		{"turned away, then an answer", shed, never,
			[]fate{{after: ms, err: fmt.Errorf("503: %w", live.ErrShed{After: 30 * ms})}, {after: ms}},
			[]live.Hop{hop(1, 0, ms, policy.Shed, never), hop(2, 41*ms, 42*ms, policy.OK, never)}, nil},
		{"no time to send anything", pointRead, 0, nil,
			[]live.Hop{hop(1, 0, 0, policy.Deadline, 0)},
			&live.Failure{Outcome: policy.Deadline}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				defer outlive()
				c := newCaller(test.rule, test.deadline)
				err := c.Do(t.Context(), "read", far(test.fates...))
				if !slices.Equal(c.hops, test.hops) {
					t.Errorf("hops %v\nwant %v", c.hops, test.hops)
				}
				if test.want == nil {
					if err != nil {
						t.Errorf("it fails: %v", err)
					}
					return
				}
				var got *live.Failure
				if !errors.As(err, &got) {
					t.Fatalf("its error is %v, want a Failure", err)
				}
				test.want.Call = "read"
				if *got != *test.want {
					t.Errorf("it fails with %+v, want %+v", *got, *test.want)
				}
			})
		})
	}
}

func TestDoCancelled(t *testing.T) {
	rule := policy.Rule{
		Timeout: 20 * ms, Attempts: 3, RetryOn: policy.Set(policy.Timeout, policy.Error),
		Backoff: policy.Backoff{Kind: policy.Constant, Base: 10 * ms},
	}
	for _, test := range []struct {
		name  string
		after time.Duration
		fates []fate
		want  live.Failure
	}{
		{"in flight", 5 * ms, []fate{{after: s}}, live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 5 * ms}},
		{"in flight, and the work does not notice", 5 * ms, []fate{{after: s, deaf: true}}, live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 5 * ms}},
		{"in backoff", 8 * ms, []fate{{after: 3 * ms, err: errNo}}, live.Failure{Outcome: policy.Error, Attempts: 1, Took: 8 * ms, Err: errNo}},
		{"at the second attempt", 22 * ms, []fate{{after: 3 * ms, err: errNo}, {after: s}}, live.Failure{Outcome: policy.Timeout, Attempts: 2, Took: 22 * ms}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 20 { // what two goroutines race for must come out the same every time
				synctest.Test(t, func(t *testing.T) {
					defer outlive()
					ctx, cancel := context.WithCancel(t.Context())
					time.AfterFunc(test.after, cancel)
					c := newCaller(rule, policy.NoDeadline)
					budget := policy.NewBudget(policy.BudgetSettings{Kind: policy.RatioBudget})
					c.Budget = func(string) *policy.Budget { return &budget }
					err := c.Do(ctx, "read", far(test.fates...))
					want := test.want
					want.Call = "read"
					var got *live.Failure
					if !errors.As(err, &got) || *got != want {
						t.Fatalf("it ends with %+v, want %+v", err, want)
					}
					retried := test.want.Attempts - 1
					if left := budget.Tokens(); left != int64(1000*(policy.BudgetBurst-retried)) {
						t.Errorf("%d thousandths of a token are left after %d retries were sent", left, retried)
					}
				})
			}
		})
	}
}

// An answer that is there when the caller leaves is heard, and not followed by a retry.
func TestDoCancelledAsItIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCaller(policy.Rule{Timeout: 20 * ms, Attempts: 4, RetryOn: policy.Set(policy.Refused)}, policy.NoDeadline)
		c.Send = (&server{clock: c.Clock, plans: []plan{{delay: -1, o: policy.Refused}}}).send
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := c.Do(ctx, "read", func(context.Context) error { return nil })
		want := live.Failure{Call: "read", Outcome: policy.Refused, Attempts: 1}
		var got *live.Failure
		if !errors.As(err, &got) || *got != want {
			t.Errorf("it ends with %+v, want %+v", err, want)
		}
	})
}

func TestDoSharesTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rule := policy.Rule{Timeout: 20 * ms, Attempts: 4, RetryOn: policy.Set(policy.Error)}
		budget := policy.NewBudget(policy.BudgetSettings{Kind: policy.RatioBudget})
		attempts := 0
		for range 5 {
			c := newCaller(rule, policy.NoDeadline)
			c.Budget = func(string) *policy.Budget { return &budget }
			c.Do(t.Context(), "read", func(context.Context) error {
				attempts++
				return errNo
			})
		}
		if attempts != 5+policy.BudgetBurst {
			t.Errorf("five calls made %d attempts, want 5 and the %d that the budget holds", attempts, policy.BudgetBurst)
		}
	})
}

func TestDoDrawsJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rule := policy.Rule{
			Attempts: 2, RetryOn: policy.Set(policy.Error), Jitter: policy.FullJitter,
			Backoff: policy.Backoff{Kind: policy.Constant, Base: s},
		}
		c := newCaller(rule, policy.NoDeadline)
		stream := rng.Named(1, "jitter").Stream()
		c.Jitter = &stream
		c.Do(t.Context(), "read", far(fate{err: errNo}, fate{}))
		same := rng.Named(1, "jitter").Stream()
		if got, want := c.hops[1].Start, same.Upto(s); got != want {
			t.Errorf("the retry is sent after %v, where the stream says %v", got, want)
		}
	})
}

// plan is what a server does with an attempt: it answers after a delay, or at once if that is negative.
type plan struct {
	delay time.Duration
	o     policy.Outcome
	after time.Duration // of what is shed
}

// server stands between attempts and their work, like the simulation: the n-th attempt to come fares as the n-th plan
// says.
type server struct {
	clock live.Clock
	plans []plan
	sent  []live.Try
	left  []departure
}

// departure is a caller who no longer waits for an attempt.
type departure struct {
	live.Try
	beaten bool
}

func (v *server) send(_ string, try live.Try, answer func(policy.Outcome, time.Duration)) (func(bool), policy.Outcome, time.Duration) {
	plan := v.plans[len(v.sent)]
	v.sent = append(v.sent, try)
	if plan.delay < 0 {
		return nil, plan.o, plan.after
	}
	v.clock.At(v.clock.Now()+plan.delay, func() { answer(plan.o, plan.after) })
	return func(cancel bool) { v.left = append(v.left, departure{try, cancel}) }, policy.OK, 0
}

func TestDoThroughAServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rule := policy.Rule{Timeout: 20 * ms, Attempts: 4, RetryOn: policy.Set(policy.Timeout, policy.Refused, policy.Error)}
		c := newCaller(rule, policy.NoDeadline)
		server := &server{clock: c.Clock, plans: []plan{{delay: 50 * ms}, {delay: -1, o: policy.Refused}, {delay: 10 * ms}, {delay: 10 * ms}}}
		c.Send = server.send
		var mu sync.Mutex
		var worked []time.Duration
		var told []error
		err := c.Do(t.Context(), "read", func(ctx context.Context) error {
			mu.Lock()
			defer mu.Unlock()
			worked = append(worked, c.Clock.Now())
			told = append(told, ctx.Err())
			if len(worked) == 1 {
				return errNo
			}
			return nil
		})
		if err != nil {
			t.Errorf("it fails: %v", err)
		}
		hops := []live.Hop{
			{Attempt: 1, Start: 0, End: 20 * ms, Outcome: policy.Timeout},
			{Attempt: 2, Start: 20 * ms, End: 20 * ms, Outcome: policy.Refused},
			{Attempt: 3, Start: 20 * ms, End: 30 * ms, Outcome: policy.Error},
			{Attempt: 4, Start: 30 * ms, End: 40 * ms, Outcome: policy.OK},
		}
		for i := range hops {
			hops[i].Call, hops[i].Left = "read", policy.NoDeadline
		}
		if !slices.Equal(c.hops, hops) {
			t.Errorf("hops %v\nwant %v", c.hops, hops)
		}
		if want := []departure{{live.Try{Attempt: 1}, false}}; !slices.Equal(server.left, want) {
			t.Errorf("the server was told that %v have left, want %v", server.left, want)
		}
		// The server gets through to the first attempt when nobody waits for it, and the work is done all the same.
		outlive()
		mu.Lock()
		defer mu.Unlock()
		if want := []time.Duration{30 * ms, 40 * ms, 50 * ms}; !slices.Equal(worked, want) {
			t.Errorf("work was done at %v, want %v", worked, want)
		}
		if slices.ContainsFunc(told, func(err error) bool { return err != nil }) {
			t.Errorf("work that a server had begun was told to stop: %v", told)
		}
	})
}

// countingClock is the real one, and counts who is at work.
type countingClock struct {
	live.Clock
	held, least atomic.Int64
}

func (c *countingClock) Hold() { c.held.Add(1) }

func (c *countingClock) Release() {
	if n := c.held.Add(-1); n < 0 {
		c.least.Store(n)
	}
}

func (c *countingClock) At(t time.Duration, f func()) func() {
	return c.Clock.At(t, func() {
		c.Hold()
		f()
	})
}

// Whatever happens, every hold is released once, or a simulated clock would stand still for ever, or run away.
func TestDoReleasesWhatItHolds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		duration := func(name string, most int) time.Duration {
			return time.Duration(rapid.IntRange(0, most).Draw(rt, name)) * ms
		}
		rule := policy.Rule{
			Timeout: duration("timeout", 20), Attempts: 4, RetryOn: policy.Set(policy.Timeout, policy.Error, policy.Refused, policy.Shed),
			Backoff:    policy.Backoff{Kind: policy.Constant, Base: duration("backoff", 10)},
			HedgeAfter: duration("hedge after", 10), HedgeCancel: rapid.Bool().Draw(rt, "hedge cancel"),
		}
		library := rule
		library.Attempts, library.HedgeAfter, library.Timeout = rapid.IntRange(1, 2).Draw(rt, "library"), 0, duration("library's timeout", 20)
		through := rapid.Bool().Draw(rt, "through a server")
		patience := duration("cancel", 100)
		plans, fates := make([]plan, 16), make([]fate, 16)
		for i := range fates {
			plans[i].delay = duration("delay", 40) - 2*ms
			plans[i].o = rapid.SampledFrom([]policy.Outcome{policy.OK, policy.OK, policy.Lost, policy.Error, policy.Shed}).Draw(rt, "answer")
			plans[i].after = duration("after", 10)
			if plans[i].delay < 0 {
				plans[i].o = policy.Refused
			}
			fates[i] = fate{after: duration("work", 40), deaf: rapid.Bool().Draw(rt, "deaf")}
			fates[i].err = rapid.SampledFrom([]error{nil, errNo, live.ErrRefused, live.ErrShed{After: 3 * ms}}).Draw(rt, "error")
		}
		var held, least int64
		synctest.Test(t, func(t *testing.T) {
			clock := &countingClock{Clock: live.Real()}
			clock.Hold() // for the caller, who is at work now
			c := live.Caller{
				Clock: clock, Rule: func(string) policy.Rule { return rule }, Deadline: policy.NoDeadline,
				Library: func(string) (policy.Rule, bool) { return library, library.Attempts > 1 },
			}
			if through {
				c.Send = (&server{clock: clock, plans: plans}).send
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			c.Do(ctx, "read", far(fates...))
			clock.Release()
			outlive()
			held, least = clock.held.Load(), clock.least.Load()
		})
		if held != 0 {
			rt.Errorf("the clock is held %d times when all is over", held)
		}
		if least < 0 {
			rt.Errorf("the clock was released %d times too often", -least)
		}
	})
}
