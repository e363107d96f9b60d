package run_test

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/live"
	"stormbin/engine/model"
	"stormbin/engine/policy"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// start is a run of a built-in with some paths set.
func start(t *testing.T, id string, set ...any) *run.Run {
	t.Helper()
	r, err := run.New(with(t, id, set...))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// quiet is two-service with no crowd and one attempt without a timeout.
func quiet(t *testing.T, set ...any) *run.Run {
	t.Helper()
	return start(t, "two-service", append([]any{
		"operations.call.rate", 0, "faults", []any{}, "policy.calls.b.timeout", "0s", "policy.calls.b.attempts", 1}, set...)...)
}

func nothing(context.Context) error { return nil }

// visitors is how many requests the processes hold that are not of the crowd.
func visitors(r *run.Run) (n int64) {
	var snap model.Snapshot
	r.Snapshot(&snap)
	for _, p := range snap.Processes {
		n += int64(p.InFlight)
	}
	return n - snap.Requests.InFlight
}

func TestVisitTimesOutToTheNanosecond(t *testing.T) {
	r := start(t, "pastebin")
	r.Advance(400*time.Millisecond, 1<<30)
	if err := r.Break(scenario.Fault{Target: "primary", Kind: "stall", Factor: 1}); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		r.Advance(r.Now()+time.Duration(7_300_001+i), 1<<30)
		visit(t, r, "read", func(ctx context.Context, c *live.Caller) {
			var hops []live.Hop
			c.Watch = func(h live.Hop) { hops = append(hops, h) }
			from := r.Now()
			err := c.Do(ctx, "primary_read", nothing)
			if got := outcome(t, err); got != policy.Timeout {
				t.Errorf("visit %d ends with %v, want a timeout", i, got)
			}
			const timeout = 20 * time.Millisecond
			if took := r.Now() - from; took != timeout {
				t.Errorf("visit %d took %v, want %v", i, took, timeout)
			}
			want := []live.Hop{{
				Call: "primary_read", Attempt: 1, Start: from, End: from + timeout, Outcome: policy.Timeout, Left: 280 * time.Millisecond,
			}}
			if !slices.Equal(hops, want) {
				t.Errorf("visit %d has hops %v, want %v", i, hops, want)
			}
		})
	}
	if n := visitors(r); n != 0 {
		t.Errorf("%d visitors are still in the processes", n)
	}
}

func TestWorldStandsStillWhileAVisitorWorks(t *testing.T) {
	r := start(t, "pastebin")
	r.Advance(50*time.Millisecond, 1<<30)
	v := r.Visit("read")
	over, advanced := make(chan struct{}), make(chan bool)
	go func() {
		defer close(over)
		defer v.Leave()
		c := v.Caller()
		for _, call := range []string{"cache_get", "primary_read", "object_get"} {
			before := r.Now()
			err := c.Do(t.Context(), call, func(context.Context) error {
				at, events := r.Now(), r.Report().Events
				if at <= before {
					t.Errorf("%s is served at %v, no later than it was sent", call, at)
				}
				for range 20 {
					if <-advanced {
						t.Errorf("%s: the run says it got on while work was done", call)
					}
				}
				if now := r.Now(); now != at {
					t.Errorf("%s: work took from %v to %v of virtual time", call, at, now)
				}
				if now := r.Report().Events; now != events {
					t.Errorf("%s: %d things happened while work was done", call, now-events)
				}
				return nil
			})
			if err != nil {
				t.Errorf("%s: %v", call, err)
			}
		}
	}()
	for {
		there := r.Advance(run.Limit, 10)
		select {
		case <-over:
			return
		case advanced <- there:
		default:
			runtime.Gosched()
		}
	}
}

func TestManyVisitsAtOnce(t *testing.T) {
	r := start(t, "pastebin", "faults", fault("primary", "slow", "0s", "1s", "factor", 10))
	r.Advance(100*time.Millisecond, 1<<30)
	var all sync.WaitGroup
	var mu sync.Mutex
	timeouts := 0
	for range 23 { // one in each process
		v := r.Visit("read")
		all.Go(func() {
			defer v.Leave()
			c := v.Caller()
			c.Watch = func(h live.Hop) {
				took, timeout := h.End-h.Start, c.Rule(h.Call).Timeout
				if h.Outcome == policy.Timeout && took != timeout || took > timeout {
					t.Errorf("%s ends with %v after %v; its timeout is %v", h.Call, h.Outcome, took, timeout)
				}
				mu.Lock()
				defer mu.Unlock()
				if h.Outcome == policy.Timeout {
					timeouts++
				}
			}
			for _, call := range []string{"cache_get", "primary_read", "object_get"} {
				c.Do(t.Context(), call, nothing)
			}
		})
	}
	over := make(chan struct{})
	go func() {
		all.Wait()
		close(over)
	}()
	keepGoing(r, over)
	if timeouts == 0 {
		t.Error("none timed out, so nothing was seen of timeouts")
	}
	if r.Held() {
		t.Error("the run is held when all have left")
	}
	if n := visitors(r); n != 0 {
		t.Errorf("%d visitors are still in the processes", n)
	}
	// What they left behind is served or killed in time.
	r.Advance(r.Now()+time.Second, 1<<30)
	var snap model.Snapshot
	r.Snapshot(&snap)
	for _, d := range snap.Dependencies {
		for _, slot := range d.Slots {
			if slot.Holder >= model.Yours {
				t.Errorf("a visitor's attempt is still in a slot of %s, since %v", d.Name, slot.Since)
			}
		}
	}
}

// A visitor whose answer was lost gives up on work that is long done. The slot and the row it had are others' by then.
func TestALostAnswerIsATimeoutAndItsWorkIsDone(t *testing.T) {
	for _, cancels := range []bool{false, true} {
		r := start(t, "two-service", "dependencies.b.cancel", cancels, "policy.calls.b.attempts", 1,
			"operations.call.arrivals", "even", "operations.call.rate", 70, "faults", fault("b", "lose", "0s", "1ms", "p", 1))
		visit(t, r, "call", func(ctx context.Context, c *live.Caller) {
			done := 0
			if got := outcome(t, c.Do(ctx, "b", func(context.Context) error { done++; return nil })); got != policy.Timeout {
				t.Errorf("cancel %v: it ends with %v, want a timeout", cancels, got)
			}
			if done != 1 {
				t.Errorf("cancel %v: the work was done %d times, want once", cancels, done)
			}
			if now := r.Now(); now != time.Second {
				t.Errorf("cancel %v: it ends at %v, want 1s", cancels, now)
			}
		})
		r.Advance(5*time.Second, 1<<30)
		var snap model.Snapshot
		r.Snapshot(&snap)
		// The crowd's first request comes at 0s too, and its answer is lost as well.
		if b := snap.Dependencies[0]; b.Timeouts != 2 || b.Abandoned != 0 || b.Killed != 0 {
			t.Errorf("cancel %v: %d were given up, %d of them in service and %d killed, want 2, 0 and 0", cancels, b.Timeouts, b.Abandoned, b.Killed)
		}
		if snap.Requests.Failed != 1 {
			t.Errorf("cancel %v: %d requests of the crowd fail, want only the one whose answer was lost", cancels, snap.Requests.Failed)
		}
	}
}

func TestVisitorWhoLeaves(t *testing.T) {
	for _, test := range []struct {
		name    string
		cancels bool
		waiting []model.Holder
		killed  int64
	}{
		{"the server goes on", false, []model.Holder{model.YoursLeft}, 0},
		{"the server cancels", true, []model.Holder{}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := quiet(t, "faults", fault("b", "stall", "0s", "0s"), "dependencies.b.cancel", test.cancels)
			ctx, cancel := context.WithCancel(t.Context())
			v := r.Visit("call")
			over := make(chan policy.Outcome)
			go func() {
				defer v.Leave()
				c := v.Caller()
				over <- outcome(t, c.Do(ctx, "b", nothing))
			}()
			for r.Held() {
				runtime.Gosched()
			}
			r.Advance(time.Second, 1<<30)
			cancel()
			if got := <-over; got != policy.Timeout {
				t.Errorf("it ends with %v, want a timeout", got)
			}
			var snap model.Snapshot
			r.Snapshot(&snap)
			b := snap.Dependencies[0]
			if !slices.Equal(b.Waiting, test.waiting) {
				t.Errorf("%v wait at the server, want %v", b.Waiting, test.waiting)
			}
			if b.Timeouts != 1 || b.Killed != test.killed {
				t.Errorf("the server counts %d left and %d killed, want 1 and %d", b.Timeouts, b.Killed, test.killed)
			}
		})
	}
}

func TestVisitIsBoundAsItsProcess(t *testing.T) {
	t.Run("by its deadline", func(t *testing.T) {
		r := start(t, "pastebin", "operations.read.rate", 0)
		r.Advance(time.Second, 1<<30)
		v := r.Visit("read")
		if want := 1300 * time.Millisecond; v.Deadline != want || v.Caller().Deadline != want {
			t.Errorf("its deadline is %v and its calls are told %v, want %v", v.Deadline, v.Caller().Deadline, want)
		}
		v.Leave()
		if err := r.Set("policy.propagate_deadline", false); err != nil {
			t.Fatal(err)
		}
		v = r.Visit("read")
		if want := r.Now() + 300*time.Millisecond; v.Deadline != want || v.Caller().Deadline != policy.NoDeadline {
			t.Errorf("not propagated: its deadline is %v and its calls are told %v, want %v and none", v.Deadline, v.Caller().Deadline, want)
		}
		v.Leave()
	})
	t.Run("by its cap", func(t *testing.T) {
		r := quiet(t, "processes.cap.call", 1)
		first := r.Visit("call")
		if r.Visit("call") != nil {
			t.Error("two got in under a cap of 1")
		}
		first.Leave()
		if r.Held() {
			t.Error("the one who was turned away holds the run")
		}
		if r.Visit("call") == nil {
			t.Error("nobody gets in when the place is free again")
		}
	})
	t.Run("by its budget", func(t *testing.T) {
		r := quiet(t, "faults", fault("b", "down", "0s", "0s"), "policy.calls.b.attempts", 4, "policy.budget.percent", 10)
		visit(t, r, "call", func(ctx context.Context, c *live.Caller) { c.Do(ctx, "b", nothing) })
		var snap model.Snapshot
		r.Snapshot(&snap)
		if got := snap.Processes[0].Tokens; got != policy.BudgetBurst-3 {
			t.Errorf("the process has %d tokens after three retries, want %d", got, policy.BudgetBurst-3)
		}
	})
	t.Run("and to what there is", func(t *testing.T) {
		r := quiet(t)
		if r.Visit("teleport") != nil {
			t.Error("there is a visit for an operation that there is not")
		}
		v := r.Visit("call")
		if rule := v.Caller().Rule("teleport"); rule != (policy.Rule{}) {
			t.Errorf("the rule of a call that there is not is %+v, want none", rule)
		}
		v.Leave()
		if r.Held() {
			t.Error("the run is held")
		}
	})
}

func TestAt(t *testing.T) {
	r := quiet(t)
	v := r.Visit("call")
	v.Release() // it waits for its alarms, and for nothing else
	var called []int
	note := func(n int) func() { return func() { called = append(called, n) } }
	v.At(20, note(1))
	stop := v.At(30, note(2))
	v.At(10, note(3))
	v.At(40, note(4))
	stop()
	for _, step := range []struct {
		now  time.Duration
		want []int
	}{
		{10, []int{3}},
		{20, []int{3, 1}},
		{40, []int{3, 1, 4}},
	} {
		if r.Advance(time.Second, 100) {
			t.Error("it went all the way, past someone it woke")
		}
		if now := r.Now(); now != step.now || !slices.Equal(called, step.want) {
			t.Errorf("it stops at %v with %v called, want %v and %v", now, called, step.now, step.want)
		}
		r.Release()
	}
	if !r.Advance(time.Second, 100) || r.Now() != time.Second {
		t.Errorf("it stops at %v with nobody at work", r.Now())
	}
	v.At(10, note(5)) // which has passed
	r.Advance(2*time.Second, 100)
	if now := r.Now(); now != time.Second || !slices.Equal(called, []int{3, 1, 4, 5}) {
		t.Errorf("it stops at %v with %v called, want at once and 5 too", now, called)
	}
}

func TestReleaseWithoutHold(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a release too many goes unnoticed")
		}
	}()
	quiet(t).Release()
}

// The trace of the reader's own request says until when each attempt is waited for, by the rule that there was when the call
// began, with a library under it and without.
func TestVisitSaysUntilWhen(t *testing.T) {
	for _, library := range []map[string]any{{"attempts": 1}, {"attempts": 2, "timeout": "30ms", "retry_on": []any{"timeout"}}} {
		r := quiet(t, "dependencies.b.service.mean", "10s", "policy.calls.b.timeout", "70ms", "policy.calls.b.attempts", 3,
			"policy.calls.b.hedge_after", "20ms", "policy.calls.b.library", library)
		r.SampleEvery(1 << 40)
		r.Advance(time.Second, 1<<30)
		v := r.Visit("call")
		over := make(chan struct{})
		go func() {
			defer close(over)
			defer v.Leave()
			v.Caller().Do(t.Context(), "b", nothing)
		}()
		for r.Held() {
			runtime.Gosched()
		}
		if err := r.Set("policy.calls.b.timeout", "1s"); err != nil { // which is too late for this call
			t.Fatal(err)
		}
		keepGoing(r, over)
		to(r, 20*time.Second) // to the end of what is done for nobody, wherever the visitor's own end has left it
		trace := sightOf(r).Snap.Trace
		until, gaveUp := map[time.Duration]int{}, 0
		for _, e := range trace {
			switch e.Kind {
			case model.Sent:
				until[e.Until]++
			case model.TimedOut:
				if until[e.At]--; until[e.At] < 0 {
					t.Errorf("library %v: it is given up at %v, which no attempt said: %v", library, e.At, trace)
				}
				gaveUp++
			}
		}
		if gaveUp < 6 {
			t.Errorf("library %v: %d attempts are given up, want those of three tries, each of them hedged", library, gaveUp)
		}
		if err := r.Back(0); err != nil {
			t.Fatal(err)
		}
		to(r, 20*time.Second)
		if diff := cmp.Diff(trace, sightOf(r).Snap.Trace); diff != "" {
			t.Errorf("library %v: replayed, the trace is another one:\n%s", library, diff)
		}
	}
}

// A visit holds a place under its operation's cap from when it is let in until it leaves, also when it is played again.
func TestVisitHoldsAPlace(t *testing.T) {
	r := quiet(t, "processes.cap.call", 2, "processes.count", 2)
	r.Advance(time.Second, 1<<30)
	first := r.Visit("call")
	from := r.Now()
	first.Release()
	r.Advance(2*time.Second, 1<<30)
	second := r.Visit("call")
	caps := func() model.CapNow { return sightOf(r).Snap.Caps[0] }
	want := model.CapNow{Operation: "call", Slots: 4, Busy: 2, Held: []time.Duration{from, 2 * time.Second}}
	if diff := cmp.Diff(want, caps()); diff != "" {
		t.Errorf("with two visits in (- want, + is):\n%s", diff)
	}
	r.Hold()
	first.Leave()
	want.Busy, want.Held, want.Ended = 1, want.Held[1:], 1
	if diff := cmp.Diff(want, caps()); diff != "" {
		t.Errorf("with the first one out (- want, + is):\n%s", diff)
	}
	second.Leave()
	to(r, 3*time.Second)
	if c := caps(); c.Busy != 0 || c.Ended != 2 {
		t.Errorf("with nobody in it has %+v", c)
	}
	if err := r.Back(2 * time.Second); err != nil {
		t.Fatal(err)
	}
	to(r, 3*time.Second)
	if c := caps(); c.Busy != 0 || c.Ended != 2 {
		t.Errorf("played again it has %+v", c)
	}
}
