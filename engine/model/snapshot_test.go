package model_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/model"
	"stormbin/engine/scenario"
)

// What an event says will be, is: who is given up for a timeout is so when Sent said, and who backs off sends when
// BackingOff said.
func TestUntil(t *testing.T) {
	gaveUp, backedOff := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := drawing{T: t}
		set := plain(func(op *scenario.Operation, call *scenario.Call, b *scenario.Dependency) {
			op.Deadline = d.maybe("deadline", 1, 80)
			call.Timeout, call.Attempts = d.maybe("timeout", 1, 40), 1+d.below(4, "attempts")
			call.RetryOn = []string{"timeout", "error", "refused"}
			call.Backoff, call.Jitter = scenario.Backoff{Kind: "constant", Base: d.maybe("backoff", 1, 30)}, "full"
			call.HedgeAfter = d.maybe("hedge", 1, 20)
			b.Service.Dist, b.Service.Mean, b.QueueLimit = "exponential", d.length("service", 1, 30), d.below(4, "queue")
		})
		set.Policy.PropagateDeadline = rapid.Bool().Draw(t, "propagate")
		set.Faults = []scenario.Fault{{Target: "b", Kind: d.word("fault", "lose", "flaky", "blackhole"), At: 300 * ms, For: 300 * ms, P: 0.5}}
		all := play(t, build(t, set), horizon(set), nil)
		until := map[try]time.Duration{} // that attempt is waited for, or waits to be sent
		for _, e := range all {
			attempt := try{e.Place, e.Request, e.Attempt}
			switch e.Kind {
			case model.BackingOff:
				if e.Until <= e.At {
					t.Fatalf("a wait ends when it begins: %+v", e)
				}
				until[attempt] = e.Until
				backedOff++
			case model.Sent:
				if at, waits := until[attempt]; waits && at != e.At {
					t.Fatalf("it was to be sent at %v: %+v", at, e)
				}
				until[attempt] = e.Until
			case model.TimedOut:
				if until[attempt] != e.At {
					t.Fatalf("it was to be waited for until %v: %+v", until[attempt], e)
				}
				gaveUp++
			case model.Completed:
				if at := until[attempt]; e.Holder != model.Abandoned && at > 0 && e.At > at {
					t.Fatalf("it is waited for after %v: %+v", at, e)
				}
			}
			if e.Until != 0 && e.Kind != model.Sent && e.Kind != model.BackingOff {
				t.Fatalf("nothing is said of what this is until: %+v", e)
			}
		}
	})
	if gaveUp == 0 || backedOff == 0 {
		t.Errorf("%d were given up and %d backed off; want some of each", gaveUp, backedOff)
	}
}

// The sample has whole requests, their waits too, and of the others nothing.
func TestWaitsAreSampledAsTheRestIs(t *testing.T) {
	set := plain(func(_ *scenario.Operation, call *scenario.Call, b *scenario.Dependency) {
		call.Attempts, call.RetryOn = 3, []string{"refused"}
		call.Backoff = scenario.Backoff{Kind: "constant", Base: 7 * ms}
	})
	set.Faults = []scenario.Fault{{Target: "b", Kind: "down"}}
	w := build(t, set)
	w.SampleEvery(4)
	waits := map[uint64]int{}
	for _, e := range play(t, w, time.Duration(set.Duration)-1, nil) {
		if e.Request%4 != 0 {
			t.Fatalf("one in 4 is in the sample, and this is: %+v", e)
		}
		if e.Kind == model.BackingOff {
			waits[e.Request]++
		}
	}
	if len(waits) != 25 || waits[96] != 2 {
		t.Errorf("of 100 requests %d are seen to wait, the last of them %d times, want 25 and 2", len(waits), waits[96])
	}
}

// A hedge is one for as long as it is waited for, in its slot and in its events.
func TestHedgeIsAHolder(t *testing.T) {
	set := plain(func(op *scenario.Operation, call *scenario.Call, b *scenario.Dependency) {
		op.Rate, call.HedgeAfter, b.Slots, b.Service.Mean = 1, 100*ms, 2, 300*ms
	})
	w := build(t, set)
	all := play(t, w, 200*time.Millisecond, nil)
	snap := snapshot(w)
	if a, b := snap.Dependencies[0].Slots[0].Holder, snap.Dependencies[0].Slots[1].Holder; a != model.First || b != model.Hedge {
		t.Errorf("the slots are held by %d and %d, want a first attempt and a hedge", a, b)
	}
	all = append(all, play(t, w, 999*time.Millisecond, nil)...)
	for _, e := range all {
		want := map[uint8]model.Holder{0: model.First, 1: model.First, 2: model.Hedge}[e.Attempt]
		switch {
		case e.Kind == model.Answered:
			want = model.First
		case e.Kind == model.Completed && e.Attempt == 2:
			want = model.Abandoned // its twin had been answered
		}
		if e.Holder != want {
			t.Errorf("the holder is %d, want %d: %+v", e.Holder, want, e)
		}
	}
	if !slices.ContainsFunc(all, func(e model.Event) bool { return e.Kind == model.Beaten && e.Holder == model.Hedge }) {
		t.Error("no hedge was beaten")
	}
}

// However many hold a place, the oldest are listed and all are counted.
func TestCapsListTheOldest(t *testing.T) {
	set := plain(func(op *scenario.Operation, _ *scenario.Call, b *scenario.Dependency) {
		op.Rate, b.Service.Mean = 10_000, 3600*s
	})
	set.Processes.Count, set.Processes.Cap = 2, map[string]int{"call": 3000}
	w := build(t, set)
	play(t, w, 500*time.Millisecond-1, nil)
	c := snapshot(w).Caps[0]
	if c.Operation != "call" || c.Slots != 6000 || c.Busy != 5000 || c.Ended != 0 {
		t.Errorf("it has %+v, want 5000 of 6000 places of call", model.CapNow{Operation: c.Operation, Slots: c.Slots, Busy: c.Busy, Ended: c.Ended})
	}
	if len(c.Held) != model.CapHeldLimit || c.Held[0] != 0 || c.Held[model.CapHeldLimit-1] != (model.CapHeldLimit-1)*100*time.Microsecond {
		t.Errorf("%d are listed, from %v to %v; want the oldest %d", len(c.Held), c.Held[0], c.Held[len(c.Held)-1], model.CapHeldLimit)
	}
}

// Where nothing is capped, there is nothing to list; also in a snapshot that had something.
func TestNoCaps(t *testing.T) {
	set := plain(nil)
	set.Processes.Cap = map[string]int{"call": 3}
	snap := snapshot(build(t, set))
	set.Processes.Cap = map[string]int{"call": 0}
	build(t, set).Snapshot(&snap)
	if len(snap.Caps) > 0 {
		t.Errorf("nothing is capped, and there is %v", snap.Caps)
	}
}

// Jobs wait while they are to come, and while they are due; those that run don't.
func TestWorkersNow(t *testing.T) {
	set := plain(func(op *scenario.Operation, call *scenario.Call, b *scenario.Dependency) {
		op.Arrivals, op.Rate, b.Slots = "even", 20, 9
	})
	set.Dependencies["later"] = scenario.Dependency{Slots: 9, Service: scenario.Service{Dist: "constant", Mean: 600 * ms, Sigma: 1}, Discipline: "fifo"}
	set.Policy.Calls["sweep"] = scenario.Call{On: "later", Attempts: 1, Backoff: scenario.Backoff{Kind: "none"}, Jitter: "none", Library: set.Policy.Calls["b"].Library}
	set.Jobs = map[string]scenario.Job{"sweep": {After: "call", On: "ok", Call: "sweep", Delay: 100 * ms, Backoff: scenario.Backoff{Kind: "constant", Base: s}}}
	set.Workers.Count = 2
	w := build(t, set)
	play(t, w, 260*time.Millisecond, nil) // five requests have ended, at 5, 55, 105, 155 and 205 ms, and the sixth at 255
	if got, want := snapshot(w).Workers, (model.WorkersNow{Count: 2, Busy: 2, Waiting: 4}); got != want {
		t.Errorf("the workers are %+v, want %+v", got, want)
	}
}

// A breaker that lets probes through is open, and half-open.
func TestHalfOpen(t *testing.T) {
	set := plain(func(_ *scenario.Operation, call *scenario.Call, _ *scenario.Dependency) { call.Attempts = 1 })
	set.Processes.Count = 2
	set.Faults = []scenario.Fault{{Target: "b", Kind: "down"}}
	set.Policy.Breaker.Enabled, set.Policy.Breaker.On = true, []string{"refused"}
	// Of even arrivals the two processes take turns, so their breakers open at 80 and 90 ms, and half-open 10.001 s later.
	set.Policy.Breaker.MinCalls, set.Policy.Breaker.OpenFor = 5, 10*s+ms
	w := build(t, set)
	for _, c := range []struct {
		at             time.Duration
		open, halfOpen int
	}{{0, 0, 0}, {85 * time.Millisecond, 1, 0}, {time.Second, 2, 0}, {10090 * time.Millisecond, 2, 1}} {
		play(t, w, c.at, nil)
		if d := snapshot(w).Dependencies[0]; d.Open != c.open || d.HalfOpen != c.halfOpen {
			t.Errorf("at %v %d are open, %d of them half-open, want %d and %d", c.at, d.Open, d.HalfOpen, c.open, c.halfOpen)
		}
	}
}
