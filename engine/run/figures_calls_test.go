package run_test

import (
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// L1 of numbers.md: each call's timeout, and what may be tried again. Here one request comes alone, at 0s, to a pastebin
// without chance: the cache takes 1 ms and has nothing, the primary takes 2 ms, the bucket 30 ms, and the wait before a retry
// is the whole 20 ms of its window. So every time below can be added up by hand.
func alone(operation string) sets {
	constant := func(mean string) map[string]any {
		return map[string]any{"dist": "constant", "mean": mean, "base": "0s"}
	}
	s := sets{
		"duration", "30s",
		"operations.read.rate", 0, "operations.create.rate", 0, "operations.delete.rate", 0,
		"dependencies.cache.service", constant("1ms"), "dependencies.cache.hit_share", 0,
		"dependencies.primary.service", constant("2ms"), "dependencies.bucket.service", constant("30ms"),
		"policy.calls.primary_read.jitter", "none", "policy.calls.object_get.jitter", "none",
	}
	return append(s, "operations."+operation+".arrivals", "even", "operations."+operation+".rate", 0.03)
}

func TestL1EachCall(t *testing.T) {
	const forEver = "0s"
	for _, c := range []struct {
		row       string
		operation string
		set       sets
		ok        bool
		took      time.Duration
		attempts  map[string]int64 // at each dependency; those left out: none
	}{
		{"a read when all is well", "read", nil, true, 33 * time.Millisecond,
			map[string]int64{"cache": 1, "primary": 1, "bucket": 1}},

		{"cache get: 5 ms, never again, a miss", "read", sets{"faults", fault("cache", "blackhole", "0s", forEver)},
			true, 37 * time.Millisecond, map[string]int64{"cache": 1, "primary": 1, "bucket": 1}},
		{"cache get refused: never again, a miss", "read", sets{"faults", fault("cache", "down", "0s", forEver)},
			true, 32 * time.Millisecond, map[string]int64{"cache": 1, "primary": 1, "bucket": 1}},

		{"primary read: 20 ms, never again", "read", sets{"faults", fault("primary", "stall", "0s", forEver)},
			false, 21 * time.Millisecond, map[string]int64{"cache": 1, "primary": 1}},
		{"primary read refused: once more, and well", "read", sets{"faults", fault("primary", "down", "0s", "10ms")},
			true, 53 * time.Millisecond, map[string]int64{"cache": 1, "primary": 2, "bucket": 1}},
		{"primary read refused twice: never a third time", "read", sets{"faults", fault("primary", "down", "0s", forEver)},
			false, 21 * time.Millisecond, map[string]int64{"cache": 1, "primary": 2}},
		{"primary read refused: once more if 20 ms will be left", "read",
			sets{"faults", fault("primary", "down", "0s", forEver), "operations.read.deadline", "41ms"},
			false, 21 * time.Millisecond, map[string]int64{"cache": 1, "primary": 2}},
		{"primary read refused: not if less will be left", "read",
			sets{"faults", fault("primary", "down", "0s", forEver), "operations.read.deadline", "40.999ms"},
			false, time.Millisecond, map[string]int64{"cache": 1, "primary": 1}},

		{"object GET: 200 ms, never again", "read", sets{"faults", fault("bucket", "blackhole", "0s", forEver)},
			false, 203 * time.Millisecond, map[string]int64{"cache": 1, "primary": 1, "bucket": 1}},
		{"object GET: 200 ms, and another 200 don't fit, whoever asks for them", "read",
			sets{"faults", fault("bucket", "blackhole", "0s", forEver), "policy.calls.object_get.retry_on", []string{"timeout"}, "policy.calls.object_get.attempts", 4},
			false, 203 * time.Millisecond, map[string]int64{"cache": 1, "primary": 1, "bucket": 1}},
		{"object GET refused: once more, and well", "read", sets{"faults", fault("bucket", "down", "0s", "10ms")},
			true, 53 * time.Millisecond, map[string]int64{"cache": 1, "primary": 1, "bucket": 2}},
		{"object GET refused: not if less than 200 ms will be left", "read",
			sets{"faults", fault("bucket", "down", "0s", forEver), "operations.read.deadline", "222.999ms"},
			false, 3 * time.Millisecond, map[string]int64{"cache": 1, "primary": 1, "bucket": 1}},

		{"a create when all is well", "create", nil, true, 32 * time.Millisecond, map[string]int64{"bucket": 1, "primary": 1}},
		{"object PUT: 1 s, never again, no insert", "create", sets{"faults", fault("bucket", "blackhole", "0s", "5s")},
			false, time.Second, map[string]int64{"bucket": 2}}, // the second is the reaper's
		{"object PUT refused: never again, no insert", "create", sets{"faults", fault("bucket", "down", "0s", "5s")},
			false, 0, map[string]int64{"bucket": 2}},
		{"insert: 50 ms, never again", "create", sets{"faults", fault("primary", "stall", "0s", forEver)},
			false, 80 * time.Millisecond, map[string]int64{"bucket": 2, "primary": 1}},
		{"insert refused: never again", "create", sets{"faults", fault("primary", "down", "0s", forEver)},
			false, 30 * time.Millisecond, map[string]int64{"bucket": 2, "primary": 1}},

		{"delete: 50 ms, never again", "delete", sets{"faults", fault("primary", "stall", "0s", forEver)},
			false, 50 * time.Millisecond, map[string]int64{"primary": 1}},
	} {
		t.Run("L1 "+c.row, func(t *testing.T) {
			rep := do(t, "pastebin", all(alone(c.operation), c.set)...)
			if rep.Requests.Offered != 1 {
				t.Fatalf("%d requests, want one alone", rep.Requests.Offered)
			}
			if ok := rep.Requests.OK == 1; ok != c.ok || rep.Requests.OK+rep.Requests.Failed != 1 {
				t.Errorf("it came to %v, want ok %v, or else failed", rep.Requests.Outcomes, c.ok)
			}
			if took := seconds(rep.Requests.LatencyS.Max); took != c.took {
				t.Errorf("the user waited %v, want %v", took, c.took)
			}
			for name, d := range rep.Dependencies {
				if d.Attempts != c.attempts[name] {
					t.Errorf("%d attempts at %s, want %d", d.Attempts, name, c.attempts[name])
				}
			}
		})
	}
}

// seconds is a time of a report, to the microsecond.
func seconds(s float64) time.Duration { return time.Duration(s * 1e9).Round(time.Microsecond) }

// What a create leaves behind when it fails half way, and who clears it up.
func TestL1Orphans(t *testing.T) {
	for _, c := range []struct {
		row                     string
		fault                   []any
		stored, orphans, reaped int64 // in the bucket
	}{
		{"PUT timed out, and landed later", fault("bucket", "slow", "0s", "1ms", "factor", 100), 1, 1, 1},
		{"PUT timed out, and never landed", fault("bucket", "blackhole", "0s", "5s"), 0, 0, 0},
		{"insert timed out", fault("primary", "stall", "0s", "5s"), 1, 1, 1},
		{"insert refused", fault("primary", "down", "0s", "5s"), 1, 1, 1},
		{"insert done, and its answer lost: no orphan, the paste is there", fault("primary", "lose", "0s", "5s", "p", 1), 1, 0, 0},
	} {
		t.Run("L1 "+c.row, func(t *testing.T) {
			rep := do(t, "pastebin", all(alone("create"), sets{"faults", c.fault})...)
			if rep.Requests.Failed != 1 {
				t.Errorf("it came to %v, want it failed", rep.Requests.Outcomes)
			}
			b := rep.Dependencies["bucket"]
			if b.Stored != c.stored || b.Orphans != c.orphans || b.Reaped != c.reaped {
				t.Errorf("%d stored, %d orphans, %d reaped; want %d, %d, %d", b.Stored, b.Orphans, b.Reaped, c.stored, c.orphans, c.reaped)
			}
			if j := rep.Jobs["reap"]; j.Made != 1 || j.Done != 1 {
				t.Errorf("the reaper has had %+v, want one job, done", j)
			}
		})
	}
}

// A purge is the worker's: again and again with longer waits, until it goes well, and then perhaps once too often.
func TestL1Purge(t *testing.T) {
	for _, c := range []struct {
		row   string
		fault []any
		runs  int64
	}{
		{"all is well", []any{}, 1},
		{"refused at 0, 1 and 3 s, done at 7 s", fault("cdn", "down", "0s", "5s"), 4},
		{"done at once, but the answer is lost: at least once is twice", fault("cdn", "lose", "0s", "1s", "p", 1), 2},
	} {
		t.Run("L1 purge: "+c.row, func(t *testing.T) {
			rep := do(t, "pastebin", all(alone("delete"), sets{"faults", c.fault,
				"dependencies.cdn.service", map[string]any{"dist": "constant", "mean": "100ms"}})...)
			if rep.Requests.OK != 1 || seconds(rep.Requests.LatencyS.Max) != 2*time.Millisecond {
				t.Errorf("the user has %v after %v s, want it ok after 2 ms: nobody waits for a purge", rep.Requests.Outcomes, rep.Requests.LatencyS.Max)
			}
			if j := rep.Jobs["purge"]; j.Made != 1 || j.Done != 1 || j.Runs != c.runs {
				t.Errorf("%+v, want one made, %d runs, done", j, c.runs)
			}
		})
	}
}

// The primary stops a statement at 25 ms, five after its caller has left, and its slot is free again.
func TestL1StatementTimeout(t *testing.T) {
	stalled := sets{"faults", fault("primary", "slow", "0s", "2ms", "factor", 100)} // 200 ms
	var killed, left time.Duration
	for _, e := range trace(t, with(t, "pastebin", all(alone("read"), stalled)...), time.Second) {
		switch {
		case e.at != "primary":
		case e.Kind == model.Killed:
			killed = e.At
		case e.Kind == model.TimedOut:
			left = e.At
		}
	}
	if sent := time.Millisecond; left != sent+20*time.Millisecond || killed != sent+25*time.Millisecond {
		t.Errorf("sent at %v, given up at %v and killed at %v; want after 20 and 25 ms", sent, left, killed)
	}
}

// Each attempt has the lesser of its own timeout and what is left of the request, if that is passed on.
func TestL1TimeLeft(t *testing.T) {
	for _, c := range []struct {
		row       string
		lost      string // in the cache
		propagate bool
		got       time.Duration // for the object GET
	}{
		{"80 ms lost leave min(200, 220)", "80ms", true, 200 * time.Millisecond},
		{"200 ms lost leave min(200, 100)", "200ms", true, 100 * time.Millisecond},
		{"200 ms lost and not passed on: 200, past the 300", "200ms", false, 200 * time.Millisecond},
	} {
		t.Run("L1 "+c.row, func(t *testing.T) {
			s := with(t, "pastebin", all(alone("read"), sets{
				"policy.calls.cache_get.timeout", c.lost, "policy.propagate_deadline", c.propagate,
				"dependencies.primary.service.mean", "1ns",
				"faults", append(fault("cache", "blackhole", "0s", "0s"), fault("bucket", "blackhole", "0s", "0s")...),
			})...)
			var sent, left time.Duration
			for _, e := range trace(t, s, time.Second) {
				switch {
				case e.at != "bucket":
				case e.Kind == model.Sent:
					sent = e.At
				case e.Kind == model.TimedOut:
					left = e.At
				}
			}
			if got := (left - sent).Round(time.Microsecond); got != c.got {
				t.Errorf("the object GET is waited for from %v to %v, which is %v, want %v", sent, left, got, c.got)
			}
		})
	}
}

// The wait before a retry is anywhere in a window of 20 ms, so that those who were refused together don't come together.
func TestL1Jitter(t *testing.T) {
	s := with(t, "pastebin", all(alone("read"), sets{"duration", "1s", "operations.read.rate", 500,
		"policy.calls.primary_read.jitter", "full", "faults", fault("primary", "down", "0s", "0s")})...)
	sent := map[uint64]time.Duration{}
	var waits []time.Duration
	var sum time.Duration
	for _, e := range trace(t, s, 2*time.Second) {
		if e.at != "primary" || e.Kind != model.Sent || e.Request >= 500 {
			continue
		}
		if e.Attempt == 1 {
			sent[e.Request] = e.At
			continue
		}
		wait := e.At - sent[e.Request]
		if wait < 0 || wait > 20*time.Millisecond {
			t.Fatalf("request %d waits %v, want 0 to 20 ms", e.Request, wait)
		}
		waits = append(waits, wait)
		sum += wait
	}
	if len(waits) != 500 {
		t.Fatalf("%d retries of 500 refused reads", len(waits))
	}
	// 20 ms ÷ √12 is the spread of one wait; of 500 the mean has three standard errors of 0.8 ms.
	near(t, "mean wait in ms", (sum/500).Seconds()*1000, 10, 0.8)
}

// The slices add up, and what is left decides which retry is a promise that can be kept.
func TestL1TheSum(t *testing.T) {
	s := with(t, "pastebin")
	sums := metrics.Sum(&s, 0.2)
	read := sums.Operations["read"]
	near(t, "L1 5 + 20 + 200", read.SlicesS, 0.225, 1e-9)
	near(t, "L1 left of the 300", *read.LeftS, 0.075, 1e-9)
	for i, c := range []struct {
		call          string
		slice, retry  float64
		retriedItFits bool
	}{{"cache_get", 0.005, 0.230, true}, {"primary_read", 0.020, 0.245, true}, {"object_get", 0.200, 0.425, false}} {
		step := read.Steps[i]
		near(t, "L1 slice of "+c.call, step.SliceS, c.slice, 1e-9)
		near(t, "L1 225 and one more "+c.call, step.OneRetryS, c.retry, 1e-9)
		if fits := *step.RetriesFit > 0; step.Call != c.call || fits != c.retriedItFits {
			t.Errorf("L1 step %d, %s, may be tried %d times more; want that %s fits again: %v", i, step.Call, *step.RetriesFit, c.call, c.retriedItFits)
		}
	}
	create := sums.Operations["create"]
	near(t, "L1 create: 1 s and 50 ms inside of 2 s", create.DeadlineS-create.SlicesS, 0.95, 1e-9)
}

// An event is something that happened, with the name of where.
type event struct {
	model.Event
	at string // the dependency, or the operation where it is about a request
}

// trace is all that happens in a run of s until a time.
func trace(t testing.TB, s scenario.Scenario, until time.Duration) (events []event) {
	t.Helper()
	r, err := run.New(s)
	if err != nil {
		t.Fatal(err)
	}
	r.SampleEvery(1)
	var snap model.Snapshot
	for there := false; !there; {
		there = r.Advance(until, 10)
		r.Snapshot(&snap)
		if len(snap.Trace) == model.TraceLimit {
			t.Fatalf("too much happens by %v for a trace of everything", snap.Now)
		}
		for _, e := range snap.Trace {
			named := event{Event: e}
			switch e.Kind {
			case model.Arrived, model.Answered, model.Failure, model.ShedAtCap:
				named.at = snap.Operations[e.Place].Name
			default:
				named.at = snap.Dependencies[e.Place].Name
			}
			events = append(events, named)
		}
	}
	return events
}
