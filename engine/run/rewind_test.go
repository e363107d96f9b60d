package run_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormbin/engine/live"
	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// to goes on to a time, past all who are at work on the way.
func to(r *run.Run, at time.Duration) {
	for !r.Advance(at, 1<<30) {
		runtime.Gosched()
	}
}

// play is a random session of changes, faults and visits, which comes to an end with nobody in it. It gives the times at which
// something was done.
func play(t *testing.T, rt *rapid.T, r *run.Run) (times []time.Duration) {
	for range rapid.IntRange(1, 8).Draw(rt, "acts") {
		times = append(times, r.Now())
		to(r, r.Now()+time.Duration(rapid.IntRange(1, 6000).Draw(rt, "on"))*time.Millisecond)
		var err error
		switch rapid.IntRange(0, 7).Draw(rt, "act") {
		case 0:
			err = r.Change(changes("policy.calls.b.attempts", rapid.IntRange(1, 4).Draw(rt, "attempts"),
				"policy.breaker.enabled", rapid.Bool().Draw(rt, "breaker"), "policy.calls.b.hedge_after", "150ms"))
		case 1:
			err = r.Break(scenario.Fault{Target: "b", Kind: "stall", For: scenario.Duration(rapid.IntRange(0, 3000).Draw(rt, "for")) * ms, Factor: 1})
		case 2:
			at := r.Now() + time.Duration(rapid.IntRange(1, 3000).Draw(rt, "in"))*time.Millisecond
			err = r.Plan(scenario.Fault{Target: "b", Kind: "slow", At: scenario.Duration(at), For: scenario.Duration(time.Second), Factor: 5})
		case 3:
			r.Mend()
		case 4:
			r.Keep()
		case 5:
			for _, f := range r.Scenario().Faults {
				if to := time.Duration(f.At) > r.Now(); r.Drop(f) != to {
					rt.Fatalf("at %v %+v was dropped: %v", r.Now(), f, !to)
				}
			}
		default:
			visit(t, r, "call", func(ctx context.Context, c *live.Caller) { c.Do(ctx, "b", nothing) })
		}
		if err != nil {
			rt.Fatal(err)
		}
	}
	to(r, r.Now()+time.Second)
	return times
}

// To go back by way of a copy of the world is to run all of it again until then. To rewind and to go on in slices is to go
// back: to the same world, with the same ahead of it, and with nothing traced that has been seen before.
func TestRewind(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := start(t, "two-service", "seed", rapid.IntRange(0, 1000).Draw(rt, "seed"), "faults", []any{})
		times := play(t, rt, r)
		end := r.Now()
		for range 3 {
			// About when something was done: any number of a wide range is most often close to 0.
			at := rapid.SampledFrom(times).Draw(rt, "back to") + time.Duration(rapid.Int64Range(-1, int64(2*time.Second)).Draw(rt, "and on"))
			if at >= end {
				continue
			}
			var backed, later sight
			run.WithoutCopies(r, func() {
				if err := r.Back(at); err != nil {
					rt.Fatal(err)
				}
				backed = sightOf(r)
				to(r, at+time.Second)
				later = sightOf(r)
				to(r, end)
			})
			if err := r.Back(at); err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(backed, sightOf(r), approximately); diff != "" {
				rt.Fatalf("at %v (- run again from the start, + from a copy):\n%s", at, diff)
			}
			to(r, at+time.Second)
			if diff := cmp.Diff(later, sightOf(r), approximately); diff != "" {
				rt.Fatalf("a second after %v (- run again from the start, + from a copy):\n%s", at, diff)
			}
			to(r, end)

			if err := r.Rewind(at); err != nil {
				rt.Fatal(err)
			}
			if now := r.Now(); now > max(at, 0) {
				rt.Fatalf("it rewinds to %v, which is later than %v", now, at)
			}
			looks := rapid.Bool().Draw(rt, "looks on the way")
			for !r.Advance(max(at, 0), rapid.IntRange(1, 500).Draw(rt, "slice")) {
				if looks {
					nothingTraced(rt, r)
				}
			}
			if diff := cmp.Diff(backed, sightOf(r), approximately); diff != "" {
				rt.Fatalf("at %v (- back, + rewound):\n%s", at, diff)
			}
			to(r, at+time.Second)
			if diff := cmp.Diff(later, sightOf(r), approximately); diff != "" {
				rt.Fatalf("a second after %v (- back, + rewound):\n%s", at, diff)
			}
			to(r, end)
		}
	})
}

func nothingTraced(rt *rapid.T, r *run.Run) {
	var snap model.Snapshot
	if r.Snapshot(&snap); len(snap.Trace) > 0 {
		rt.Fatalf("on the way at %v this is traced: %v", snap.Now, snap.Trace)
	}
}

// Advance may go past the moment in one go: then what happened after that moment is traced, and nothing from before.
func TestRewindTracesWhatComesAfter(t *testing.T) {
	r := start(t, "two-service", "operations.call.rate", 50)
	to(r, 9*time.Second)
	sightOf(r)
	if err := r.Rewind(8 * time.Second); err != nil || r.Now() != 0 {
		t.Fatalf("it rewinds to %v, %v; want the start, since no moment was kept", r.Now(), err)
	}
	to(r, 9*time.Second)
	trace := sightOf(r).Snap.Trace
	if len(trace) == 0 {
		t.Error("nothing is traced of the second after")
	}
	for _, e := range trace {
		if e.At <= 8*time.Second {
			t.Fatalf("what happened at %v is traced again", e.At)
		}
	}
}

// Who does something new on the way sees all that comes of it.
func TestRewindAndOtherwise(t *testing.T) {
	r := start(t, "two-service")
	to(r, 9*time.Second)
	if err := r.Rewind(8 * time.Second); err != nil {
		t.Fatal(err)
	}
	to(r, 2*time.Second)
	from := r.Now()
	visit(t, r, "call", func(ctx context.Context, c *live.Caller) { c.Do(ctx, "b", nothing) })
	yours := 0
	for _, e := range sightOf(r).Snap.Trace {
		if e.At < from {
			t.Fatalf("what happened at %v is traced again, before %v", e.At, from)
		}
		if e.Holder == model.Yours {
			yours++
		}
	}
	if yours == 0 {
		t.Error("nothing is traced of a request of the reader's own")
	}
}

// Going back costs what is between two moments that were kept, however long the run is.
func TestRewindGoesToAKeptMoment(t *testing.T) {
	r := start(t, "two-service")
	for !r.Advance(25*time.Second, 1000) {
	}
	if err := r.Rewind(24 * time.Second); err != nil || r.Now() < 10*time.Second || r.Now() > 24*time.Second {
		t.Errorf("from 25s it rewinds to %v, %v; want a moment from 10s to 24s", r.Now(), err)
	}
	now := r.Now()
	if err := r.Rewind(now + 1); err != nil || r.Now() != now {
		t.Errorf("to a time that is to come it moves to %v, %v; want no move", r.Now(), err)
	}
}

// The rows from a second on are the end of the report's series.
func TestRows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := start(t, "two-service", "seed", rapid.IntRange(0, 1000).Draw(rt, "seed"))
		play(t, rt, r)
		if rapid.Bool().Draw(rt, "goes back") {
			if err := r.Back(r.Now() / 2); err != nil {
				rt.Fatal(err)
			}
		}
		series := r.Report().Series
		if len(series) != int(r.Now()/time.Second) {
			rt.Fatalf("%d rows after %v", len(series), r.Now())
		}
		for from := range series {
			if diff := cmp.Diff(series[from:], r.Rows(from)); diff != "" {
				rt.Fatalf("from second %d (- of the report, + rows):\n%s", from, diff)
			}
		}
		if rows := r.Rows(len(series) + 1); len(rows) > 0 {
			rt.Fatalf("of seconds that are not over there are %v", rows)
		}
	})
}
