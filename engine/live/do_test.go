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

// try is what one attempt at the work does.
type try struct {
	after time.Duration
	err   error
	deaf  bool // doesn't notice that nobody waits
}

// far is work whose n-th attempt does as the n-th try says.
func far(tries ...try) func(context.Context) error {
	var n atomic.Int32
	return func(ctx context.Context) error {
		try := tries[n.Add(1)-1]
		if try.deaf {
			time.Sleep(try.after)
			return try.err
		}
		select {
		case <-time.After(try.after):
			return try.err
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
	refused := fmt.Errorf("dial: %w", live.ErrRefused)
	hop := func(n int, start, end time.Duration, o policy.Outcome, left time.Duration) live.Hop {
		return live.Hop{Call: "read", Attempt: n, Start: start, End: end, Outcome: o, Left: left}
	}

	for _, test := range []struct {
		name     string
		rule     policy.Rule
		deadline time.Duration
		tries    []try
		hops     []live.Hop
		want     *live.Failure // nil: it goes well
	}{
		{"an answer", pointRead, 300 * ms, []try{{after: 7 * ms}},
			[]live.Hop{hop(1, 0, 7*ms, policy.OK, 293*ms)}, nil},
		{"a timeout", pointRead, 300 * ms, []try{{after: 21 * ms}},
			[]live.Hop{hop(1, 0, 20*ms, policy.Timeout, 280*ms)},
			&live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 20 * ms}},
		{"what is left of the request is less than its timeout", pointRead, 15 * ms, []try{{after: 16 * ms}},
			[]live.Hop{hop(1, 0, 15*ms, policy.Timeout, 0)},
			&live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 15 * ms}},
		{"an error that the rule does not retry", pointRead, never, []try{{after: 3 * ms, err: errNo}},
			[]live.Hop{hop(1, 0, 3*ms, policy.Error, never)},
			&live.Failure{Outcome: policy.Error, Attempts: 1, Took: 3 * ms, Err: errNo}},
		{"refused, then an answer", pointRead, 300 * ms, []try{{after: ms, err: refused}, {after: 2 * ms}},
			[]live.Hop{hop(1, 0, ms, policy.Refused, 299*ms), hop(2, ms, 3*ms, policy.OK, 297*ms)}, nil},
		{"an error, a timeout and an answer, with backoff", again, never,
			[]try{{after: 5 * ms, err: errNo}, {after: s}, {after: 5 * ms}},
			[]live.Hop{hop(1, 0, 5*ms, policy.Error, never), hop(2, 15*ms, 35*ms, policy.Timeout, never), hop(3, 45*ms, 50*ms, policy.OK, never)}, nil},
		{"all attempts used up: the last one's error", again, never,
			[]try{{after: s}, {after: s}, {after: 5 * ms, err: errNo}},
			[]live.Hop{hop(1, 0, 20*ms, policy.Timeout, never), hop(2, 30*ms, 50*ms, policy.Timeout, never), hop(3, 60*ms, 65*ms, policy.Error, never)},
			&live.Failure{Outcome: policy.Error, Attempts: 3, Took: 65 * ms, Err: errNo}},
		{"a timeout has no error, whatever came before it", atOnce, never,
			[]try{{err: errNo}, {err: errNo}, {after: s}},
			[]live.Hop{hop(1, 0, 0, policy.Error, never), hop(2, 0, 0, policy.Error, never), hop(3, 0, 20*ms, policy.Timeout, never)},
			&live.Failure{Outcome: policy.Timeout, Attempts: 3, Took: 20 * ms}},
		{"a retry that does not fit any more", again, 49 * ms, []try{{after: s}},
			[]live.Hop{hop(1, 0, 20*ms, policy.Timeout, 29*ms)},
			&live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 20 * ms}},
		{"an answer of an attempt that was given up, while the next waits", again, never,
			[]try{{after: 35 * ms, deaf: true}, {after: 15 * ms, err: errNo}, {after: ms}},
			[]live.Hop{hop(1, 0, 20*ms, policy.Timeout, never), hop(2, 30*ms, 45*ms, policy.Error, never), hop(3, 55*ms, 56*ms, policy.OK, never)}, nil},
		{"and its error, while the next is in flight", atOnce, never,
			[]try{{after: 25 * ms, err: errNo, deaf: true}, {after: 10 * ms}},
			[]live.Hop{hop(1, 0, 20*ms, policy.Timeout, never), hop(2, 20*ms, 30*ms, policy.OK, never)}, nil},
		{"and long after the end", pointRead, never,
			[]try{{after: 3600 * s, deaf: true}},
			[]live.Hop{hop(1, 0, 20*ms, policy.Timeout, never)},
			&live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 20 * ms}},
		{"no time to send anything", pointRead, 0, nil,
			[]live.Hop{hop(1, 0, 0, policy.Deadline, 0)},
			&live.Failure{Outcome: policy.Deadline}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				defer outlive()
				c := newCaller(test.rule, test.deadline)
				err := c.Do(t.Context(), "read", far(test.tries...))
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
		tries []try
		want  live.Failure
	}{
		{"in flight", 5 * ms, []try{{after: s}}, live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 5 * ms}},
		{"in flight, and the work does not notice", 5 * ms, []try{{after: s, deaf: true}}, live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 5 * ms}},
		{"in backoff", 8 * ms, []try{{after: 3 * ms, err: errNo}}, live.Failure{Outcome: policy.Error, Attempts: 1, Took: 8 * ms, Err: errNo}},
		{"at the second attempt", 22 * ms, []try{{after: 3 * ms, err: errNo}, {after: s}}, live.Failure{Outcome: policy.Timeout, Attempts: 2, Took: 22 * ms}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 20 { // what two goroutines race for must come out the same every time
				synctest.Test(t, func(t *testing.T) {
					defer outlive()
					ctx, cancel := context.WithCancel(t.Context())
					time.AfterFunc(test.after, cancel)
					c := newCaller(rule, policy.NoDeadline)
					budget := policy.NewBudget(0, 0)
					c.Budget = &budget
					err := c.Do(ctx, "read", far(test.tries...))
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
		c.Send = (&server{clock: c.Clock, delays: []time.Duration{-1, -1, -1, -1}}).send
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
		budget := policy.NewBudget(0, 0)
		attempts := 0
		for range 5 {
			c := newCaller(rule, policy.NoDeadline)
			c.Budget = &budget
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
		c.Do(t.Context(), "read", far(try{err: errNo}, try{}))
		same := rng.Named(1, "jitter").Stream()
		if got, want := c.hops[1].Start, same.Upto(s); got != want {
			t.Errorf("the retry is sent after %v, where the stream says %v", got, want)
		}
	})
}

// server stands between attempts and their work, like the simulation: the n-th attempt gets through to it after
// delays[n-1], or is refused at once where that is negative.
type server struct {
	clock  live.Clock
	delays []time.Duration
	left   []int // attempts whose caller has left
}

func (v *server) send(_ string, n int, answer func(policy.Outcome)) (func(), policy.Outcome) {
	delay := v.delays[n-1]
	if delay < 0 {
		return func() {}, policy.Refused
	}
	v.clock.At(v.clock.Now()+delay, func() { answer(policy.OK) })
	return func() { v.left = append(v.left, n) }, policy.OK
}

func TestDoThroughAServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rule := policy.Rule{Timeout: 20 * ms, Attempts: 4, RetryOn: policy.Set(policy.Timeout, policy.Refused, policy.Error)}
		c := newCaller(rule, policy.NoDeadline)
		server := &server{clock: c.Clock, delays: []time.Duration{50 * ms, -1, 10 * ms, 10 * ms}}
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
			{"read", 1, 0, 20 * ms, policy.Timeout, policy.NoDeadline},
			{"read", 2, 20 * ms, 20 * ms, policy.Refused, policy.NoDeadline},
			{"read", 3, 20 * ms, 30 * ms, policy.Error, policy.NoDeadline},
			{"read", 4, 30 * ms, 40 * ms, policy.OK, policy.NoDeadline},
		}
		if !slices.Equal(c.hops, hops) {
			t.Errorf("hops %v\nwant %v", c.hops, hops)
		}
		if !slices.Equal(server.left, []int{1}) {
			t.Errorf("the server was told that the callers of %v have left, want 1", server.left)
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
			Timeout: duration("timeout", 20), Attempts: 4, RetryOn: policy.Set(policy.Timeout, policy.Error, policy.Refused),
			Backoff: policy.Backoff{Kind: policy.Constant, Base: duration("backoff", 10)},
		}
		through := rapid.Bool().Draw(rt, "through a server")
		patience := duration("cancel", 100)
		delays, tries := make([]time.Duration, 4), make([]try, 4)
		for i := range tries {
			delays[i] = duration("delay", 40) - 2*ms
			tries[i] = try{after: duration("work", 40), deaf: rapid.Bool().Draw(rt, "deaf")}
			tries[i].err = rapid.SampledFrom([]error{nil, errNo, live.ErrRefused}).Draw(rt, "error")
		}
		var held, least int64
		synctest.Test(t, func(t *testing.T) {
			clock := &countingClock{Clock: live.Real()}
			clock.Hold() // for the caller, who is at work now
			c := live.Caller{Clock: clock, Rule: func(string) policy.Rule { return rule }, Deadline: policy.NoDeadline}
			if through {
				c.Send = (&server{clock: clock, delays: delays}).send
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			c.Do(ctx, "read", far(tries...))
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
