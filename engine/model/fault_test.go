package model_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/model"
	"stormbin/engine/scenario"
)

// drawFault is a kind of fault on "b", from a time to a time, in a plain world of any size.
func drawFault(t *rapid.T, kind string, change func(*scenario.Operation, *scenario.Call, *scenario.Dependency)) (set scenario.Scenario, from, to, service time.Duration) {
	// All in odd lengths, so that little falls on the instant at which the fault begins or ends.
	service = time.Duration(rapid.IntRange(1, 40).Draw(t, "service"))*time.Millisecond + 1
	set = plain(func(op *scenario.Operation, call *scenario.Call, b *scenario.Dependency) {
		b.Service.Mean = scenario.Duration(service)
		b.Slots = rapid.IntRange(1, 5).Draw(t, "slots")
		op.Arrivals = "poisson"
		op.Rate = float64(rapid.IntRange(1, 200).Draw(t, "rate"))
		if change != nil {
			change(op, call, b)
		}
	})
	f := scenario.Fault{
		At: scenario.Duration(rapid.IntRange(1, 400).Draw(t, "at")) * ms, For: scenario.Duration(rapid.IntRange(1, 400).Draw(t, "for")) * ms,
		Target: "b", Kind: kind, Factor: 1,
	}
	set.Faults = []scenario.Fault{f}
	return last(set), time.Duration(f.At), f.End(), service
}

// A stall serves nothing while it lasts, and delays what was in service by as much.
func TestStall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, from, to, service := drawFault(t, "stall", nil)
		for key, l := range lives(play(t, build(t, set), time.Minute, nil)) {
			during := func(at time.Duration) bool { return from <= at && at < to }
			if l.completed == none {
				t.Fatalf("request %d, sent at %v, is never served", key.request, l.sent)
			}
			if during(l.started) || during(l.completed) {
				t.Fatalf("request %d is served from %v to %v; the stall is from %v to %v", key.request, l.started, l.completed, from, to)
			}
			took := service
			if l.started < from && l.completed >= to {
				took += to - from
			}
			if l.completed-l.started != took {
				t.Fatalf("request %d is served from %v to %v, want for %v; the stall is from %v to %v", key.request, l.started, l.completed, took, from, to)
			}
		}
	})
}

// Two stalls within one service delay it by both.
func TestStallTwice(t *testing.T) {
	set := plain(func(op *scenario.Operation, _ *scenario.Call, b *scenario.Dependency) {
		op.Rate = 1
		b.Service.Mean = 100 * ms
	})
	set.Faults = []scenario.Fault{
		{At: 20 * ms, For: 30 * ms, Target: "b", Kind: "stall", Factor: 1},
		{At: 120 * ms, For: 50 * ms, Target: "b", Kind: "stall", Factor: 1}, // 10 ms before it would be done
	}
	l := lives(play(t, build(t, set), 500*time.Millisecond, nil))[try{0, 0, 1}]
	if want := 180 * time.Millisecond; l.completed != want {
		t.Errorf("100 ms of work, stalled for 30 and for 50 ms, are done at %v, want %v", l.completed, want)
	}
}

// What is killed in a stall stays killed when it ends, whether or not its service had run its time.
func TestKilledInAStall(t *testing.T) {
	set := plain(func(op *scenario.Operation, _ *scenario.Call, b *scenario.Dependency) {
		op.Rate = 200
		b.Slots = 3
		b.Service.Mean = 10 * ms
		b.StatementTimeout = 50 * ms
	})
	const from, to = 5*time.Millisecond + 1, 105*time.Millisecond + 1
	set.Faults = []scenario.Fault{{At: scenario.Duration(from), For: scenario.Duration(to - from), Target: "b", Kind: "stall", Factor: 1}}
	for key, l := range lives(play(t, build(t, last(set)), 2*time.Second, nil)) {
		if from <= l.started && l.started < to {
			t.Errorf("request %d is started at %v, in the place of one that was killed in the stall", key.request, l.started)
		}
		if l.killed != none && (l.killed != l.sent+50*time.Millisecond || l.completed != none) {
			t.Errorf("request %d, sent at %v, is killed at %v and completed at %v (%v: never), want only the first, 50 ms after it was sent",
				key.request, l.sent, l.killed, l.completed, none)
		}
		if l.killed == none && (l.completed == none || l.completed-l.started != 10*time.Millisecond) {
			t.Errorf("request %d, sent at %v, is served from %v to %v, want for 10 ms", key.request, l.sent, l.started, l.completed)
		}
	}
}

// Work that begins while it is slow ends slowly, even when that is over; and only that.
func TestSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, from, to, service := drawFault(t, "slow", nil)
		set.Faults[0].Factor = 8
		for key, l := range lives(play(t, build(t, set), time.Minute, nil)) {
			took := service
			if from <= l.started && l.started < to {
				took *= 8
			}
			if l.completed-l.started != took {
				t.Fatalf("request %d is served from %v to %v, want for %v; it is slow from %v to %v", key.request, l.started, l.completed, took, from, to)
			}
		}
	})
}

// Down refuses at once, takes nothing in, and leaves nothing behind.
func TestDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, from, to, _ := drawFault(t, "down", nil)
		before, at := 0, time.Duration(0)
		all := play(t, build(t, set), time.Minute, func(snap *model.Snapshot) {
			inside := snap.Dependencies[0].Busy + snap.Dependencies[0].Queue
			if from <= at && snap.Now < to && inside > before {
				t.Fatalf("at %v, while it is down, %d are inside after %d", snap.Now, inside, before)
			}
			before, at = inside, snap.Now
		})
		for key, l := range lives(all) {
			during := from <= l.sent && l.sent < to
			if during && (l.refused != l.sent || l.started != none) {
				t.Fatalf("request %d, sent at %v, is refused at %v and started at %v (%v: never); it is down from %v to %v",
					key.request, l.sent, l.refused, l.started, none, from, to)
			}
			if !during && (l.refused != none || l.completed == none) {
				t.Fatalf("request %d, sent at %v, is refused; it is down from %v to %v", key.request, l.sent, from, to)
			}
		}
	})
}

// A black hole takes everything and never answers: its caller learns nothing before his timeout.
func TestBlackhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, from, to, _ := drawFault(t, "blackhole", func(_ *scenario.Operation, call *scenario.Call, b *scenario.Dependency) {
			call.Timeout = 5 * s // longer than any queue here
			b.Slots = 20
		})
		for key, l := range lives(play(t, build(t, set), time.Minute, nil)) {
			if from <= l.sent && l.sent < to {
				if l.timedOut != l.sent+5*time.Second || l.started != none || l.refused != none {
					t.Fatalf("request %d, sent into the hole at %v, is given up at %v, started at %v, refused at %v", key.request, l.sent, l.timedOut, l.started, l.refused)
				}
			} else if l.completed == none || l.timedOut != none {
				t.Fatalf("request %d, sent at %v, is not served; the hole is from %v to %v", key.request, l.sent, from, to)
			}
		}
	})
}

// One click, four orders, and the user sees an error.
func TestLostAnswers(t *testing.T) {
	for _, test := range []struct {
		name               string
		attempts           int
		idempotent         bool
		stored, duplicates int64
	}{
		{"three retries of a write", 4, false, 40, 30},
		{"no retry", 1, false, 10, 0},
		{"a read stores nothing", 4, true, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			set := plain(func(op *scenario.Operation, call *scenario.Call, _ *scenario.Dependency) {
				op.Rate, op.Idempotent = 10, test.idempotent
				call.Timeout, call.Attempts, call.RetryOn = 20*ms, test.attempts, []string{"timeout"}
			})
			set.Faults = []scenario.Fault{{Target: "b", Kind: "lose", P: 1, Factor: 1}}
			w := build(t, last(set))
			play(t, w, 2*time.Second, nil)
			rep := w.Report()
			if b := rep.Dependencies["b"]; b.Stored != test.stored || b.Duplicates != test.duplicates || b.Completed != int64(10*test.attempts) {
				t.Errorf("%d are stored, %d of them twice, by %d services; want %d, %d and %d",
					b.Stored, b.Duplicates, b.Completed, test.stored, test.duplicates, 10*test.attempts)
			}
			if rep.Requests.Outcomes["timeout"] != 10 {
				t.Errorf("the ten users see %v, want ten timeouts", rep.Requests.Outcomes)
			}
		})
	}
}

// A flaky dependency fails at once, does no work for it, and is well otherwise.
func TestFlaky(t *testing.T) {
	set := plain(func(op *scenario.Operation, _ *scenario.Call, _ *scenario.Dependency) { op.Rate = 150 })
	set.Duration = 20 * s
	set.Faults = []scenario.Fault{{Target: "b", Kind: "flaky", P: 0.2, Factor: 1}}
	failed := 0
	tries := lives(play(t, build(t, last(set)), 21*time.Second, nil))
	for key, l := range tries {
		switch {
		case l.refused == l.sent && l.started == none:
			failed++
		case l.refused != none || l.completed == none:
			t.Errorf("request %d is sent at %v, fails at %v and is served at %v (%v: never)", key.request, l.sent, l.refused, l.completed, none)
		}
	}
	// Of 3,000, four standard deviations are 3 %.
	if share := float64(failed) / float64(len(tries)); share < 0.17 || share > 0.23 {
		t.Errorf("%.3f of %d fail, want 0.2", share, len(tries))
	}
}

// Slots that are lost are given up as their work is done.
func TestCapacity(t *testing.T) {
	set := plain(func(op *scenario.Operation, _ *scenario.Call, b *scenario.Dependency) {
		op.Rate, b.Slots, b.Service.Mean = 400, 10, 20*ms
	})
	from, to := 300*time.Millisecond, 600*time.Millisecond
	set.Faults = []scenario.Fault{{At: scenario.Duration(from), For: scenario.Duration(to - from), Target: "b", Kind: "capacity", Factor: 0.4}}
	before, during, after := 0, 0, 0
	play(t, build(t, set), time.Duration(s), func(snap *model.Snapshot) {
		busy := snap.Dependencies[0].Busy
		switch {
		case snap.Now < from:
			before = max(before, busy)
		case from+20*time.Millisecond < snap.Now && snap.Now < to:
			during = max(during, busy)
		case snap.Now > to:
			after = max(after, busy)
		}
	})
	if before != 8 || during != 4 || after != 10 {
		t.Errorf("at the most %d, %d and %d slots are busy before, during and after; want 8, 4 and 10", before, during, after)
	}
}

func TestSurge(t *testing.T) {
	set := plain(nil)
	set.Faults = []scenario.Fault{{At: 300 * ms, For: 300 * ms, Target: "call", Kind: "surge", Factor: 3}}
	var arrived []time.Duration
	for _, e := range play(t, build(t, set), time.Duration(s)-1, nil) {
		if e.Kind == model.Arrived {
			arrived = append(arrived, e.At)
		}
	}
	within := func(from, to time.Duration) int {
		return len(arrived) - len(slices.DeleteFunc(slices.Clone(arrived), func(at time.Duration) bool { return from <= at && at < to }))
	}
	third := 300 * time.Millisecond
	if a, b, c := within(0, third), within(third, 2*third), within(2*third, 3*third); a != 30 || b < 89 || b > 91 || c < 29 || c > 31 {
		t.Errorf("%d, %d and %d come before, during and after; want 30, 90 and 30", a, b, c)
	}
}

// Surges that fall together are many, and not none.
func TestSurgesBeyondCounting(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 200} {
		set := plain(func(op *scenario.Operation, _ *scenario.Call, _ *scenario.Dependency) { op.Rate = 1e6 })
		for range n {
			set.Faults = append(set.Faults, scenario.Fault{Target: "call", Kind: "surge", Factor: 1000})
		}
		w := build(t, set)
		for w.Next(time.Microsecond) {
		}
		if n := snapshot(w).Requests.Offered; n < 999 || n > 1001 {
			t.Errorf("%d come in a microsecond of %d surges, want 1,000", n, len(set.Faults))
		}
	}
}

// However few are ever answered, no more are under way than there is room for; the others are turned away or refused.
func TestRequestsThatNobodyAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		kind string
		call scenario.Call
	}{
		"sent into a black hole":     {"blackhole", scenario.Call{Attempts: 1}},
		"waiting in a queue":         {"stall", scenario.Call{Attempts: 1}},
		"waiting to try again":       {"down", scenario.Call{Attempts: 2, RetryOn: []string{"refused"}, Backoff: scenario.Backoff{Kind: "constant", Base: scenario.Duration(time.Hour)}}},
		"trying again after an hour": {"stall", scenario.Call{Attempts: 2, RetryOn: []string{"timeout"}, Timeout: scenario.Duration(time.Hour)}},
	} {
		t.Run(name, func(t *testing.T) {
			set := plain(func(op *scenario.Operation, call *scenario.Call, _ *scenario.Dependency) {
				call.Attempts, call.RetryOn, call.Timeout = test.call.Attempts, test.call.RetryOn, test.call.Timeout
				if test.call.Backoff.Kind != "" {
					call.Backoff = test.call.Backoff
				}
			})
			set.Faults = []scenario.Fault{{For: s, Target: "b", Kind: test.kind, Factor: 1}}
			w := build(t, set)
			w.SetRoom(30)
			play(t, w, time.Duration(s)-1, func(snap *model.Snapshot) {
				if r := snap.Requests; r.InFlight > 30 || r.Offered != r.InFlight+r.Failed+r.Shed {
					t.Fatalf("at %v of %d, %d are under way, %d failed and %d are turned away", snap.Now, r.Offered, r.InFlight, r.Failed, r.Shed)
				}
			})
			if r := snapshot(w).Requests; r.Offered != 100 || r.InFlight != 30 {
				t.Errorf("of %d, %d are under way; want 30 of 100", r.Offered, r.InFlight)
			}
		})
	}
}

// Two faults at once are both there.
func TestFaultsAddUp(t *testing.T) {
	set := plain(nil)
	set.Faults = []scenario.Fault{
		{For: s, Target: "b", Kind: "slow", Factor: 3}, {For: s, Target: "b", Kind: "slow", Factor: 2},
		{For: s, Target: "b", Kind: "flaky", P: 0.5, Factor: 1}, {For: s, Target: "b", Kind: "flaky", P: 0.5, Factor: 1},
		{At: 500 * ms, For: s, Target: "b", Kind: "stall", Factor: 1},
	}
	w := build(t, set)
	play(t, w, 100*time.Millisecond, nil)
	snap := snapshot(w)
	if got, want := snap.Dependencies[0].Health, (model.Health{Slow: 6, Capacity: 1, Flaky: 0.75}); got != want {
		t.Errorf("its health is %+v, want %+v", got, want)
	}
	play(t, w, 1200*time.Millisecond, nil)
	snap = snapshot(w)
	if got, want := snap.Dependencies[0].Health, (model.Health{Slow: 1, Capacity: 1, Stalled: true}); got != want {
		t.Errorf("later its health is %+v, want %+v", got, want)
	}
	play(t, w, 1600*time.Millisecond, nil)
	snap = snapshot(w)
	if got := snap.Dependencies[0].Health; !got.Well() {
		t.Errorf("when all is over its health is %+v", got)
	}
}
