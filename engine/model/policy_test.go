package model_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/model"
	"stormbin/engine/scenario"
)

// No work gets older than the statement timeout, waiting or in service, whatever else goes on.
func TestStatementTimeout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"slow", "stall"}).Draw(t, "kind")
		limit := time.Duration(rapid.IntRange(1, 80).Draw(t, "statement timeout")) * time.Millisecond
		own := rapid.Bool().Draw(t, "the call's own")
		set, _, _, _ := drawFault(t, kind, func(_ *scenario.Operation, call *scenario.Call, b *scenario.Dependency) {
			b.StatementTimeout = scenario.Duration(limit)
			if own {
				b.StatementTimeout, call.StatementTimeout = 10*s, scenario.Duration(limit)
			}
			call.Timeout = scenario.Duration(rapid.IntRange(0, 60).Draw(t, "timeout")) * ms
			call.Attempts, call.RetryOn = 3, []string{"timeout", "error"}
		})
		set.Faults[0].Factor = 5
		for key, l := range lives(play(t, build(t, set), time.Minute, nil)) {
			switch {
			case l.killed != none && (l.killed != l.sent+limit || l.completed != none):
				t.Fatalf("attempt %d of request %d, sent at %v, is killed at %v and completed at %v (%v: never), want killed after %v and that is all",
					key.attempt, key.request, l.sent, l.killed, l.completed, none, limit)
			case l.killed == none && (l.completed == none || l.completed-l.sent > limit):
				t.Fatalf("attempt %d of request %d, sent at %v, is completed at %v and never killed; the statement timeout is %v",
					key.attempt, key.request, l.sent, l.completed, limit)
			}
		}
	})
}

// A dependency works on for callers who have left, unless it learns of it.
func TestAbandonedWork(t *testing.T) {
	for _, cancels := range []bool{false, true} {
		set := plain(func(op *scenario.Operation, call *scenario.Call, b *scenario.Dependency) {
			op.Rate = 10
			call.Timeout = 20 * ms
			b.Service.Mean = 50 * ms
			b.Cancel = cancels
		})
		w := build(t, last(set))
		for key, l := range lives(play(t, w, 2*time.Second, nil)) {
			gone := l.sent + 20*time.Millisecond
			switch {
			case l.timedOut != gone:
				t.Errorf("request %d, sent at %v, is given up at %v, want %v", key.request, l.sent, l.timedOut, gone)
			case cancels && (l.killed != gone || l.completed != none):
				t.Errorf("cancelled work of request %d is killed at %v and completed at %v, want %v and never", key.request, l.killed, l.completed, gone)
			case !cancels && (l.completed != l.sent+50*time.Millisecond || l.holder != model.Abandoned || l.killed != none):
				t.Errorf("abandoned work of request %d, sent at %v, is completed at %v by %v", key.request, l.sent, l.completed, l.holder)
			}
		}
		d := snapshot(w).Dependencies[0]
		want := [3]int64{10, 10, 0}
		if cancels {
			want = [3]int64{0, 0, 10}
		}
		if got := [3]int64{d.Completed, d.Abandoned, d.Killed}; got != want {
			t.Errorf("cancel %v: completed, abandoned and killed are %v, want %v", cancels, got, want)
		}
	}
}

// Each process holds as many of an operation as its cap allows; over it a request ends at once, and sends nothing.
func TestCap(t *testing.T) {
	set := plain(func(op *scenario.Operation, _ *scenario.Call, b *scenario.Dependency) {
		b.Slots, b.Service.Mean = 100, 95*ms // 9.5 at once at 100/s
	})
	set.Processes.Count, set.Processes.Cap = 2, map[string]int{"call": 3}
	w := build(t, last(set))
	most := 0
	play(t, w, 2*time.Second, func(snap *model.Snapshot) {
		for _, p := range snap.Processes {
			most = max(most, p.InFlight)
		}
	})
	snap := snapshot(w)
	// Of every ten places in turn, six are had: three in each process.
	if most != 3 || snap.Requests.Shed != 40 || snap.Requests.OK != 60 || snap.Dependencies[0].First != 60 {
		t.Errorf("%d at the most in a process, %+v, %d sent; want 3, 40 shed, 60 ok and 60 sent", most, snap.Requests, snap.Dependencies[0].First)
	}
}

// An answer after the deadline finds nobody; one before it is good, though it was long in coming.
func TestDeadline(t *testing.T) {
	for _, test := range []struct {
		name      string
		service   scenario.Duration
		propagate bool
		want      model.Requests
	}{
		{"in time", 40 * ms, false, model.Requests{Offered: 10, Tries: 10, OK: 10}},
		{"late, since nobody told the call", 60 * ms, false, model.Requests{Offered: 10, Tries: 10, Late: 10}},
		{"the call gives up in time", 60 * ms, true, model.Requests{Offered: 10, Tries: 10, Failed: 10}},
	} {
		set := plain(func(op *scenario.Operation, _ *scenario.Call, b *scenario.Dependency) {
			op.Rate, op.Deadline = 10, 50*ms
			b.Service.Mean = test.service
		})
		set.Policy.PropagateDeadline = test.propagate
		w := build(t, last(set))
		play(t, w, 2*time.Second, nil)
		if got := snapshot(w).Requests; got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// A cache's hit is all that a read needs; a cache that fails is a miss.
func TestSteps(t *testing.T) {
	for _, test := range []struct {
		name     string
		hitShare float64
		optional bool
		down     string
		want     model.Requests
		second   int64 // attempts at the second dependency
	}{
		{"one after the other", 0, false, "", model.Requests{Offered: 100, Tries: 100, OK: 100}, 100},
		{"all hits", 1, false, "", model.Requests{Offered: 100, Tries: 100, OK: 100}, 0},
		{"the first fails, and it matters", 0, false, "a", model.Requests{Offered: 100, Tries: 100, Failed: 100}, 0},
		{"the first fails, and it is optional", 0, true, "a", model.Requests{Offered: 100, Tries: 100, OK: 100}, 100},
		{"a cache that is down has no hits", 1, true, "a", model.Requests{Offered: 100, Tries: 100, OK: 100}, 100},
		{"the last fails", 0, true, "b", model.Requests{Offered: 100, Tries: 100, Failed: 100}, 100},
	} {
		set := plain(func(op *scenario.Operation, _ *scenario.Call, _ *scenario.Dependency) { op.Steps = []string{"a", "b"} })
		a, call := set.Dependencies["b"], set.Policy.Calls["b"]
		a.HitShare, call.Optional = test.hitShare, test.optional
		set.Dependencies["a"], set.Policy.Calls["a"] = a, call
		if test.down != "" {
			set.Faults = []scenario.Fault{{Target: test.down, Kind: "down", Factor: 1}}
		}
		w := build(t, last(set))
		play(t, w, 2*time.Second, nil)
		snap := snapshot(w)
		if snap.Requests != test.want || snap.Dependencies[1].First != test.second {
			t.Errorf("%s: %+v and %d attempts at the second, want %+v and %d", test.name, snap.Requests, snap.Dependencies[1].First, test.want, test.second)
		}
	}
}

// No more users wait to come again, no more requests stand at the balancer or the edge, than there is room for.
func TestRoomAboveTheProcess(t *testing.T) {
	anHour := scenario.Backoff{Kind: "constant", Base: scenario.Duration(time.Hour)}
	for name, change := range map[string]func(*scenario.Scenario){
		"users who come again in an hour": func(set *scenario.Scenario) {
			op := set.Operations["call"]
			op.Client.Attempts, op.Client.Backoff = 2, anHour
			set.Operations["call"] = op
		},
		"a balancer that tries again in an hour": func(set *scenario.Scenario) {
			set.Policy.Balancer.Attempts, set.Policy.Balancer.Backoff = 2, anHour
		},
		"an edge that never answers": func(set *scenario.Scenario) {
			op := set.Operations["call"]
			op.Edge = "edge"
			set.Operations["call"] = op
			set.Dependencies["edge"] = set.Dependencies["b"]
			set.Faults = append(set.Faults, scenario.Fault{Target: "edge", Kind: "blackhole", Factor: 1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			set := plain(nil)
			set.Faults = []scenario.Fault{{Target: "b", Kind: "down", Factor: 1}}
			change(&set)
			w := build(t, set)
			w.SetRoom(30)
			play(t, w, time.Duration(s)-1, nil)
			if r := snapshot(w).Requests; r.Offered != 100 || r.InFlight != 30 || r.Shed != 70 {
				t.Errorf("of %d, %d are under way and %d are turned away; want 30 and 70 of 100", r.Offered, r.InFlight, r.Shed)
			}
		})
	}
}
