package live_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"stormbin/engine/live"
	"stormbin/engine/policy"
)

// story is a call to a server, told the same on every clock.
type story struct {
	name     string
	rule     policy.Rule
	library  *policy.Rule
	breaker  *policy.Breaker
	deadline time.Duration // 0: none
	plans    []plan
	hops     []live.Hop // with no call and nothing left
	left     []departure
	want     *live.Failure // nil: it goes well
}

// tell has the call made on a clock. play sees to it that time passes.
func (st story) tell(t *testing.T, clock live.Clock, play func(do func())) {
	server := &server{clock: clock, plans: st.plans}
	c := newCaller(st.rule, policy.NoDeadline)
	c.Clock, c.Send = clock, server.send
	if st.deadline > 0 {
		c.Deadline = st.deadline
	}
	if st.library != nil {
		c.Library = func(string) (policy.Rule, bool) { return *st.library, true }
	}
	if st.breaker != nil {
		breaker := *st.breaker
		c.Breaker = func(string) *policy.Breaker { return &breaker }
	}
	var err error
	play(func() { err = c.Do(t.Context(), "read", func(context.Context) error { return nil }) })
	for i := range c.hops {
		if c.hops[i].Call != "read" {
			t.Errorf("hop %d is of %q", i, c.hops[i].Call)
		}
		c.hops[i].Call, c.hops[i].Left = "", 0
	}
	if !slices.Equal(c.hops, st.hops) {
		t.Errorf("hops %v\nwant %v", c.hops, st.hops)
	}
	if !slices.Equal(server.left, st.left) {
		t.Errorf("the server was told that %v have left, want %v", server.left, st.left)
	}
	if len(server.sent) != len(st.plans) {
		t.Errorf("%d attempts came, want %d", len(server.sent), len(st.plans))
	}
	var got *live.Failure
	switch errors.As(err, &got); {
	case got == nil && err != nil:
		t.Errorf("its error is %v, want a Failure", err)
	case (got == nil) != (st.want == nil):
		t.Errorf("it ends with %v, want %v", err, st.want)
	case got != nil:
		want := *st.want
		want.Call = "read"
		if *got != want {
			t.Errorf("it fails with %+v, want %+v", *got, want)
		}
	}
}

func TestDoOnEveryClock(t *testing.T) {
	hedged := policy.Rule{Timeout: 20 * ms, Attempts: 1, HedgeAfter: 5 * ms}
	again := policy.Rule{Timeout: 20 * ms, Attempts: 2, RetryOn: policy.Set(policy.Timeout, policy.Error), HedgeAfter: 5 * ms}
	shed := policy.Rule{Timeout: 20 * ms, Attempts: 2, RetryOn: policy.Set(policy.Shed), Backoff: policy.Backoff{Kind: policy.Constant, Base: 10 * ms}}
	dial := &policy.Rule{Timeout: 10 * ms, Attempts: 3, RetryOn: policy.Set(policy.Timeout, policy.Refused), Backoff: policy.Backoff{Kind: policy.Constant, Base: 2 * ms}}
	twice := policy.Rule{Attempts: 2, RetryOn: policy.Set(policy.Timeout)}
	bounded := policy.Rule{Timeout: 15 * ms, Attempts: 2, RetryOn: policy.Set(policy.Timeout)}
	// It opens at the first refusal.
	breaker := policy.NewBreaker(policy.BreakerSettings{On: policy.Set(policy.Refused), Threshold: 1, MinCalls: 1, Window: s, OpenFor: s, Probes: 1})
	refused := policy.Rule{Timeout: 20 * ms, Attempts: 3, RetryOn: policy.Set(policy.Refused, policy.Open), Backoff: policy.Backoff{Kind: policy.Constant, Base: 10 * ms}}

	first, hedge := live.Try{Attempt: 1}, live.Try{Attempt: 2, Hedge: true}
	hop := func(try live.Try, start, end time.Duration, o policy.Outcome) live.Hop {
		return live.Hop{Attempt: try.Attempt, Library: try.Library, Hedge: try.Hedge, Start: start, End: end, Outcome: o}
	}
	beaten := func(try live.Try, start, end time.Duration) live.Hop {
		h := hop(try, start, end, policy.Timeout)
		h.Beaten = true
		return h
	}
	run := func(attempt, library int) live.Try { return live.Try{Attempt: attempt, Library: library} }

	for _, st := range []story{
		{name: "the hedge wins, and the first is beaten", rule: hedged,
			plans: []plan{{delay: 15 * ms}, {delay: 3 * ms}},
			hops:  []live.Hop{hop(hedge, 5*ms, 8*ms, policy.OK), beaten(first, 0, 8*ms)},
			left:  []departure{{first, true}}},
		{name: "the first wins", rule: hedged,
			plans: []plan{{delay: 7 * ms}, {delay: 15 * ms}},
			hops:  []live.Hop{hop(first, 0, 7*ms, policy.OK), beaten(hedge, 5*ms, 7*ms)},
			left:  []departure{{hedge, true}}},
		{name: "a time that is up beats nobody", rule: hedged,
			plans: []plan{{delay: 30 * ms}, {delay: 30 * ms}},
			hops:  []live.Hop{hop(first, 0, 20*ms, policy.Timeout), hop(hedge, 5*ms, 25*ms, policy.Timeout)},
			left:  []departure{{first, false}, {hedge, false}},
			want:  &live.Failure{Outcome: policy.Timeout, Attempts: 2, Took: 25 * ms}},
		{name: "the deadline is up for both", rule: hedged, deadline: 12 * ms,
			plans: []plan{{delay: 30 * ms}, {delay: 30 * ms}},
			hops:  []live.Hop{hop(first, 0, 12*ms, policy.Timeout), hop(hedge, 5*ms, 12*ms, policy.Timeout)},
			left:  []departure{{first, false}, {hedge, false}},
			want:  &live.Failure{Outcome: policy.Timeout, Attempts: 2, Took: 12 * ms}},
		{name: "an error decides nothing while the twin is waited for", rule: hedged,
			plans: []plan{{delay: 6 * ms, o: policy.Error}, {delay: 4 * ms}},
			hops:  []live.Hop{hop(first, 0, 6*ms, policy.Error), hop(hedge, 5*ms, 9*ms, policy.OK)}},
		{name: "a hedge that is refused at once is nobody's loss", rule: hedged,
			plans: []plan{{delay: 15 * ms}, {delay: -1, o: policy.Refused}},
			hops:  []live.Hop{hop(hedge, 5*ms, 5*ms, policy.Refused), hop(first, 0, 15*ms, policy.OK)}},
		{name: "both fail, and both of the retry do", rule: again,
			plans: []plan{{delay: 6 * ms, o: policy.Error}, {delay: 4 * ms, o: policy.Error}, {delay: 50 * ms}, {delay: 4 * ms, o: policy.Refused}},
			hops: []live.Hop{
				hop(first, 0, 6*ms, policy.Error), hop(hedge, 5*ms, 9*ms, policy.Error),
				hop(live.Try{Attempt: 4, Hedge: true}, 14*ms, 18*ms, policy.Refused), hop(live.Try{Attempt: 3}, 9*ms, 29*ms, policy.Timeout),
			},
			left: []departure{{live.Try{Attempt: 3}, false}},
			want: &live.Failure{Outcome: policy.Timeout, Attempts: 4, Took: 29 * ms}},

		{name: "told when to come again, it does, and backs off on top of that", rule: shed,
			plans: []plan{{delay: 3 * ms, o: policy.Shed, after: 40 * ms}, {delay: 3 * ms}},
			hops:  []live.Hop{hop(first, 0, 3*ms, policy.Shed), hop(live.Try{Attempt: 2}, 53*ms, 56*ms, policy.OK)}},
		{name: "told so at once", rule: shed,
			plans: []plan{{delay: -1, o: policy.Shed, after: 40 * ms}, {delay: 3 * ms}},
			hops:  []live.Hop{hop(first, 0, 0, policy.Shed), hop(live.Try{Attempt: 2}, 50*ms, 53*ms, policy.OK)}},
		{name: "told to come again too late", rule: shed, deadline: 70 * ms,
			plans: []plan{{delay: 3 * ms, o: policy.Shed, after: 40 * ms}},
			hops:  []live.Hop{hop(first, 0, 3*ms, policy.Shed)},
			want:  &live.Failure{Outcome: policy.Shed, Attempts: 1, Took: 3 * ms}},

		{name: "a breaker that opens turns the retry away", rule: refused, breaker: &breaker,
			plans: []plan{{delay: 3 * ms, o: policy.Refused}},
			hops:  []live.Hop{hop(first, 0, 3*ms, policy.Refused), hop(live.Try{Attempt: 2}, 13*ms, 13*ms, policy.Open)},
			want:  &live.Failure{Outcome: policy.Open, Attempts: 1, Took: 13 * ms}},

		{name: "the library tries again by itself", rule: policy.Rule{Attempts: 1}, library: dial,
			plans: []plan{{delay: 15 * ms}, {delay: -1, o: policy.Refused}, {delay: 3 * ms}},
			hops: []live.Hop{
				hop(run(1, 1), 0, 10*ms, policy.Timeout), hop(run(1, 2), 12*ms, 12*ms, policy.Refused), hop(run(1, 3), 14*ms, 17*ms, policy.OK),
			},
			left: []departure{{run(1, 1), false}}},
		{name: "what the library comes to is one attempt: two times three", rule: twice, library: dial,
			plans: []plan{{delay: s}, {delay: s}, {delay: s}, {delay: s}, {delay: s}, {delay: -1, o: policy.Error}},
			hops: []live.Hop{
				hop(run(1, 1), 0, 10*ms, policy.Timeout), hop(run(1, 2), 12*ms, 22*ms, policy.Timeout), hop(run(1, 3), 24*ms, 34*ms, policy.Timeout),
				hop(run(2, 1), 34*ms, 44*ms, policy.Timeout), hop(run(2, 2), 46*ms, 56*ms, policy.Timeout), hop(run(2, 3), 58*ms, 58*ms, policy.Error),
			},
			left: []departure{{run(1, 1), false}, {run(1, 2), false}, {run(1, 3), false}, {run(2, 1), false}, {run(2, 2), false}},
			want: &live.Failure{Outcome: policy.Error, Attempts: 2, Took: 58 * ms}},
		{name: "the call's own timeout stops the library at work", rule: bounded, library: dial,
			plans: []plan{{delay: s}, {delay: 8 * ms}, {delay: 13 * ms, o: policy.Refused}, {delay: 5 * ms, o: policy.Refused}},
			hops: []live.Hop{
				hop(run(1, 1), 0, 10*ms, policy.Timeout), hop(run(1, 2), 12*ms, 15*ms, policy.Timeout),
				hop(run(2, 1), 15*ms, 25*ms, policy.Timeout), hop(run(2, 2), 27*ms, 30*ms, policy.Timeout),
			},
			left: []departure{{run(1, 1), false}, {run(1, 2), false}, {run(2, 1), false}, {run(2, 2), false}},
			want: &live.Failure{Outcome: policy.Timeout, Attempts: 2, Took: 30 * ms}},
		{name: "in its backoff there is no attempt to stop", rule: policy.Rule{Timeout: 11 * ms, Attempts: 1}, library: dial,
			plans: []plan{{delay: s}},
			hops:  []live.Hop{hop(run(1, 1), 0, 10*ms, policy.Timeout)},
			left:  []departure{{run(1, 1), false}},
			want:  &live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 11 * ms}},
		{name: "the deadline is the library's too", rule: policy.Rule{Attempts: 1}, library: dial, deadline: 15 * ms,
			plans: []plan{{delay: s}},
			hops:  []live.Hop{hop(run(1, 1), 0, 10*ms, policy.Timeout)},
			left:  []departure{{run(1, 1), false}},
			want:  &live.Failure{Outcome: policy.Timeout, Attempts: 1, Took: 10 * ms}},
		{name: "two runs of the library side by side", rule: policy.Rule{Attempts: 1, HedgeAfter: 5 * ms, HedgeCancel: true}, library: dial,
			plans: []plan{{delay: s}, {delay: 6 * ms, o: policy.Refused}, {delay: s}, {delay: 3 * ms}},
			hops: []live.Hop{
				hop(run(1, 1), 0, 10*ms, policy.Timeout),
				hop(live.Try{Attempt: 2, Library: 1, Hedge: true}, 5*ms, 11*ms, policy.Refused),
				hop(live.Try{Attempt: 2, Library: 2, Hedge: true}, 13*ms, 16*ms, policy.OK),
				beaten(run(1, 2), 12*ms, 16*ms),
			},
			left: []departure{{run(1, 1), false}, {run(1, 2), true}}},
	} {
		t.Run(st.name, func(t *testing.T) {
			t.Run("real", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					st.tell(t, live.Real(), func(do func()) {
						do()
						outlive()
					})
				})
			})
			t.Run("by hand", func(t *testing.T) {
				clock := newHandClock(t)
				st.tell(t, clock, clock.play)
			})
			t.Run("by hand, and alarms can't be stopped", func(t *testing.T) {
				clock := newHandClock(t)
				st.tell(t, stubbornClock{clock}, clock.play)
			})
		})
	}
}

// Work that no server stands before is told to stop when its time is up; when it was beaten, only if the rule says so.
func TestDoStopsWork(t *testing.T) {
	for _, test := range []struct {
		name     string
		rule     policy.Rule
		firstEnd time.Duration // of the first attempt's work, which would take a minute
		want     time.Duration // of the call
	}{
		{"its time is up", policy.Rule{Timeout: 20 * ms}, 20 * ms, 20 * ms},
		{"beaten", policy.Rule{HedgeAfter: 5 * ms}, 60 * s, 8 * ms},
		{"beaten, and told to stop", policy.Rule{HedgeAfter: 5 * ms, HedgeCancel: true}, 8 * ms, 8 * ms},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCaller(test.rule, policy.NoDeadline)
				var last atomic.Int64 // when work ended
				works := far(fate{after: 60 * s}, fate{after: 3 * ms})
				c.Do(t.Context(), "read", func(ctx context.Context) error {
					err := works(ctx)
					last.Store(int64(c.Clock.Now()))
					return err
				})
				if got := c.Clock.Now(); got != test.want {
					t.Errorf("the call ends at %v, want %v", got, test.want)
				}
				outlive()
				if got := time.Duration(last.Load()); got != test.firstEnd {
					t.Errorf("the first attempt's work ends at %v, want %v", got, test.firstEnd)
				}
			})
		})
	}
}

// Whoever leaves while two attempts are in flight leaves both, and none is sent after that.
func TestDoCancelledWithAHedge(t *testing.T) {
	for _, test := range []struct {
		name  string
		after time.Duration
		hops  int
	}{
		{"before the hedge", 3 * ms, 1},
		{"as the hedge is due", 5 * ms, -1}, // either comes first, and then the other
		{"after the hedge", 7 * ms, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCaller(policy.Rule{Timeout: 20 * ms, HedgeAfter: 5 * ms}, policy.NoDeadline)
				ctx, cancel := context.WithTimeout(t.Context(), test.after)
				defer cancel()
				err := c.Do(ctx, "read", far(fate{after: s}, fate{after: s}))
				var f *live.Failure
				if !errors.As(err, &f) || f.Outcome != policy.Timeout || f.Took != test.after {
					t.Fatalf("it ends with %v, want a timeout after %v", err, test.after)
				}
				if test.hops >= 0 && len(c.hops) != test.hops || len(c.hops) != f.Attempts {
					t.Errorf("%d hops of %d attempts, want %d", len(c.hops), f.Attempts, test.hops)
				}
				for _, h := range c.hops {
					if h.End != test.after || h.Outcome != policy.Timeout || h.Beaten {
						t.Errorf("%+v, want a timeout at %v", h, test.after)
					}
				}
			})
		})
	}
}

// An open breaker is an answer of its own: nothing is sent, nothing is worked.
func TestDoWithAnOpenBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		breaker := policy.NewBreaker(policy.BreakerSettings{On: policy.Set(policy.Refused), Threshold: 1, MinCalls: 1, Window: s, OpenFor: s, Probes: 1})
		c := newCaller(policy.Rule{Timeout: 20 * ms, Attempts: 1}, policy.NoDeadline)
		c.Breaker = func(call string) *policy.Breaker {
			if call == "read" {
				return &breaker
			}
			return nil
		}
		worked := 0
		refuse := func(context.Context) error {
			worked++
			return live.ErrRefused
		}
		c.Do(t.Context(), "read", refuse)
		err := c.Do(t.Context(), "read", refuse)
		var f *live.Failure
		if !errors.As(err, &f) || f.Outcome != policy.Open || f.Attempts != 0 || worked != 1 {
			t.Errorf("the second call ends with %v after %d attempts in all, want it turned away after 1", err, worked)
		}
		c.Do(t.Context(), "other", refuse)
		if worked != 2 {
			t.Error("a call with no breaker was turned away")
		}
		time.Sleep(s)
		if err := c.Do(t.Context(), "read", func(context.Context) error { return nil }); err != nil {
			t.Errorf("the probe ends with %v", err)
		}
		if state := breaker.State(c.Clock.Now()); state != policy.BreakerClosed {
			t.Errorf("after a probe that went well it is %v", state)
		}
	})
}

// stubbornClock calls what is no longer wanted, as a clock may that was just about to.
type stubbornClock struct{ live.Clock }

func (c stubbornClock) At(t time.Duration, f func()) (stop func()) {
	c.Clock.At(t, f)
	return func() {}
}

func TestDoLeavesNoAlarmBehind(t *testing.T) {
	clock := newHandClock(t)
	c := newCaller(policy.Rule{Timeout: 15 * ms, HedgeAfter: 5 * ms}, s)
	c.Clock = clock
	c.Library = func(string) (policy.Rule, bool) { return policy.Rule{Timeout: 30 * ms}, true }
	c.Send = func(string, live.Try, func(policy.Outcome, time.Duration)) (func(bool), policy.Outcome, time.Duration) {
		return func(bool) {}, policy.OK, 0 // and never answers
	}
	clock.play(func() {
		c.Do(t.Context(), "read", nil)
		if len(clock.due) > 0 {
			t.Errorf("%d alarms are left", len(clock.due))
		}
	})
	if clock.now != 20*ms {
		t.Errorf("it ends at %v, want 20ms", clock.now)
	}
}

// partingClock is one whose alarms ring as soon as they are set, just after the caller has left.
type partingClock struct {
	now   time.Duration
	leave func()
}

func (c *partingClock) Now() time.Duration { return c.now }
func (c *partingClock) Hold()              {}
func (c *partingClock) Release()           {}

func (c *partingClock) At(t time.Duration, f func()) (stop func()) {
	c.leave()
	c.now = t
	rang := make(chan struct{})
	go func() {
		defer close(rang)
		f()
	}()
	<-rang
	return func() {}
}

// Whatever it was time for, nothing is sent for somebody who has left.
func TestDoSendsNothingForNobody(t *testing.T) {
	for name, test := range map[string]struct {
		rule   policy.Rule
		answer policy.Outcome // at once; OK: none yet
		want   policy.Outcome
	}{
		"a hedge": {policy.Rule{HedgeAfter: 5 * ms}, policy.OK, policy.Timeout},
		"a retry": {policy.Rule{Attempts: 2, RetryOn: policy.Set(policy.Refused), Backoff: policy.Backoff{Kind: policy.Constant, Base: 5 * ms}},
			policy.Refused, policy.Refused},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			c := newCaller(test.rule, policy.NoDeadline)
			c.Clock = &partingClock{leave: cancel}
			sent := 0
			c.Send = func(string, live.Try, func(policy.Outcome, time.Duration)) (func(bool), policy.Outcome, time.Duration) {
				sent++
				return func(bool) {}, test.answer, 0
			}
			var f *live.Failure
			errors.As(c.Do(ctx, "read", nil), &f)
			if f == nil || f.Outcome != test.want || f.Took != 5*ms || sent != 1 {
				t.Errorf("it ends with %v and %d attempts, want %v after 5ms and one", f, sent, test.want)
			}
		})
	}
}

// A server that has refused an attempt isn't told that its caller leaves, even if the caller hears of that later.
func TestDoLeavesNobodyWhoRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCaller(policy.Rule{HedgeAfter: 5 * ms}, policy.NoDeadline)
		var first func(policy.Outcome, time.Duration)
		c.Send = func(_ string, try live.Try, answer func(policy.Outcome, time.Duration)) (func(bool), policy.Outcome, time.Duration) {
			leave := func(bool) { t.Errorf("the server of %+v is told", try) }
			if !try.Hedge {
				first = answer
				return leave, policy.OK, 0
			}
			first(policy.OK, 0)
			synctest.Wait() // until its work is done, and the driver is yet to hear of it
			return leave, policy.Refused, 0
		}
		if err := c.Do(t.Context(), "read", func(context.Context) error { return nil }); err != nil {
			t.Errorf("it ends with %v", err)
		}
		if len(c.hops) != 2 || c.hops[0].Outcome != policy.OK || !c.hops[1].Beaten {
			t.Errorf("hops %+v, want an answer, and one that is beaten", c.hops)
		}
	})
}

// lateClock wakes everybody late.
type lateClock struct {
	live.Clock
	by time.Duration
}

func (c lateClock) At(t time.Duration, f func()) (stop func()) { return c.Clock.At(t+c.by, f) }

// A machine that is busy wakes a retry when its deadline has passed: nothing is sent. If that was the library's, the call
// has had no answer in time.
func TestDoWokenAfterItsDeadline(t *testing.T) {
	retry := policy.Rule{Attempts: 2, RetryOn: policy.Set(policy.Refused), Backoff: policy.Backoff{Kind: policy.Constant, Base: 2 * ms}}
	for name, test := range map[string]struct {
		rule    policy.Rule
		library bool
		last    live.Try
		want    policy.Outcome
	}{
		"the call's":    {retry, false, live.Try{Attempt: 2}, policy.Deadline},
		"the library's": {policy.Rule{Attempts: 1}, true, live.Try{Attempt: 1, Library: 2}, policy.Timeout},
	} {
		t.Run(name, func(t *testing.T) {
			clock := newHandClock(t)
			c := newCaller(test.rule, 10*ms)
			c.Clock = lateClock{clock, 10 * ms}
			c.Library = func(string) (policy.Rule, bool) { return retry, test.library }
			c.Send = (&server{clock: clock, plans: []plan{{delay: -1, o: policy.Refused}}}).send
			var f *live.Failure
			clock.play(func() { errors.As(c.Do(t.Context(), "read", nil), &f) })
			if f == nil || f.Outcome != test.want || f.Took != 12*ms {
				t.Fatalf("it ends with %v, want %v after 12ms", f, test.want)
			}
			if len(c.hops) != 2 {
				t.Fatalf("%d hops, want 2", len(c.hops))
			}
			last := c.hops[1]
			if got := (live.Try{Attempt: last.Attempt, Library: last.Library}); got != test.last || last.Outcome != policy.Deadline || last.Start != last.End {
				t.Errorf("its last hop is %+v, want %+v with no time left", last, test.last)
			}
		})
	}
}
