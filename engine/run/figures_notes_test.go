package run_test

import (
	"fmt"
	"math"
	"testing"
)

// engine-notes.md: what a prototype measured, and what theory says, on the pastebin's reads at 17,400/s.

// The primary's statement timeout is 25 ms, or there is none.
var untimed = sets{"dependencies.primary.statement_timeout", "0s"}

// asks is the primary's reads being tried so often, at once, after a timeout too.
func asks(attempts int) sets {
	return sets{"policy.calls.primary_read.attempts", attempts, "policy.calls.primary_read.retry_on", []string{"timeout", "error", "refused"},
		"policy.calls.primary_read.backoff.kind", "none", "policy.calls.primary_read.jitter", "none"}
}

// stall is the primary standing still for so long from the first second on.
func stall(lasts string) sets { return sets{"faults", fault("primary", "stall", "1s", lasts)} }

// A stall of 2 s at 58 %: seconds by which the overload outlasts its cause.
func TestNotesBlips(t *testing.T) {
	const never = -1
	backoff := all(asks(4), sets{"policy.calls.primary_read.backoff", map[string]any{"kind": "exponential", "base": "20ms"}, "policy.calls.primary_read.jitter", "full"})
	counting := all(asks(4), breakerAt("primary"), sets{"policy.breaker.on", []string{"timeout", "refused"}})
	for _, c := range []struct {
		policy           string
		set              sets
		untimed          bool
		outlasts, within float64
	}{
		{"the rule", nil, false, 0.1, 0.11},
		{"no retries", asks(1), false, 0.1, 0.11},
		{"three retries and a budget of 10 %", all(asks(4), sets{"policy.budget.percent", 10}), false, 0.1, 0.11},
		{"three retries and a breaker that counts timeouts", counting, false, 3.2, 0.3}, // it opens 0.02 s after the stall began: 5.2 s
		{"three retries at once", asks(4), false, never, 0},
		{"three retries with backoff and jitter", backoff, false, never, 0},

		{"the rule", nil, true, 2.8, 0.3},
		{"no retries", asks(1), true, 2.8, 0.3},
		{"three retries and a budget of 10 %", all(asks(4), sets{"policy.budget.percent", 10}), true, 3.6, 0.5},
		{"three retries and a breaker that counts timeouts", counting, true, 3.2, 0.3},
		{"three retries at once", asks(4), true, never, 0},
		{"three retries with backoff and jitter", backoff, true, never, 0},
	} {
		name, limit := "statement timeout 25 ms", sets(nil)
		if c.untimed {
			name, limit = "no statement timeout", untimed
		}
		t.Run(fmt.Sprintf("blip of 2 s, %s, %s", c.policy, name), func(t *testing.T) {
			rep := do(t, "pastebin", all(onlyReads, stall("2s"), c.set, limit, sets{"duration", fmt.Sprint(5+math.Ceil(max(c.outlasts, 0)), "s")})...)
			switch {
			case c.outlasts == never:
				if rep.RecoveryS != nil || rep.BadSeconds != 4 {
					t.Errorf("it outlasts its cause by %s s with %d bad seconds, want it never to end", show(rep.RecoveryS), rep.BadSeconds)
				}
			case rep.RecoveryS == nil:
				t.Errorf("it never ends, want %.1f s", c.outlasts)
			default:
				near(t, "it outlasts its cause by", *rep.RecoveryS, c.outlasts, c.within)
			}
		})
	}
}

// Without statement timeout the backlog of a stall of length L, at load ρ with r retries, is worked off in
// ρ(1+r)L ÷ (1 − ρ(1+r)) seconds, and never if ρ(1+r) is 1 or more. Until the queue is shorter than a timeout everybody
// still fails, so the figure of theory is nearly all of it; near full load the luck of the arrivals is worth a second.
func TestNotesTheoryOfABlip(t *testing.T) {
	const long = 2.0
	for _, c := range []struct {
		load    float64
		retries int
		theory  float64
	}{{0.58, 0, 2.76}, {0.4, 1, 8}, {0.2, 3, 8}, {9.0 / 11 / 4, 3, 9}} {
		t.Run(fmt.Sprintf("load %.3g, %d retries", c.load, c.retries), func(t *testing.T) {
			x := c.load * float64(1+c.retries)
			near(t, "by the formula", x*long/(1-x), c.theory, 0.01)
			rep := do(t, "pastebin", all(onlyReads, stall("2s"), untimed, asks(1+c.retries), sets{"duration", fmt.Sprint(4+math.Ceil(1.3*c.theory), "s"), "operations.read.rate", c.load * 15_000 / 0.5})...)
			if rep.RecoveryS == nil {
				t.Fatalf("it never ends, want %.1f s", c.theory)
			}
			near(t, "it outlasts its cause by", *rep.RecoveryS, c.theory, 0.2*c.theory)
		})
	}
	t.Run("load 0.3, 3 retries: never", func(t *testing.T) {
		rep := do(t, "pastebin", all(onlyReads, stall("2s"), untimed, asks(4), sets{"duration", "8s", "operations.read.rate", 0.3 * 15_000 / 0.5})...)
		if rep.RecoveryS != nil {
			t.Errorf("it outlasts its cause by %.1f s, want for ever: four times 30 %% is over 100", *rep.RecoveryS)
		}
	})
}

// With a statement timeout of 25 ms, a fourth over the client's 20, the boundary is near ρ = 1.25 ÷ (1 + r): a sixth below it a
// blip ends with its cause, a sixth above it never does.
func TestNotesBoundary(t *testing.T) {
	for _, retries := range []int{1, 2, 3} {
		for _, c := range []struct {
			side string
			of   float64
			ends bool
		}{{"below", 5.0 / 6, true}, {"above", 7.0 / 6, false}} {
			t.Run(fmt.Sprintf("%d retries, %s", retries, c.side), func(t *testing.T) {
				load := c.of * 1.25 / float64(1+retries)
				rep := do(t, "pastebin", all(onlyReads, stall("1s"), asks(1+retries), sets{"duration", "5s", "operations.read.rate", load * 15_000 / 0.5})...)
				if ends := rep.RecoveryS != nil && *rep.RecoveryS <= 1; ends != c.ends {
					t.Errorf("at a load of %.2f it outlasts its cause by %s s, want an end of it: %v", load, show(rep.RecoveryS), c.ends)
				}
			})
		}
	}
}

// How short a stall three retries turn into a storm at 58 %.
func TestNotesIgnition(t *testing.T) {
	for lasts, ends := range map[string]bool{"10ms": true, "50ms": false} {
		for _, limit := range []sets{nil, untimed} {
			rep := do(t, "pastebin", all(onlyReads, stall(lasts), asks(4), limit, sets{"duration", "4s"})...)
			if (rep.RecoveryS != nil) != ends {
				t.Errorf("a stall of %s is outlasted by %s s, want an end of it: %v", lasts, show(rep.RecoveryS), ends)
			}
		}
	}
	// Without retries no load under the ceiling keeps itself up.
	rep := do(t, "pastebin", all(onlyReads, stall("500ms"), asks(1), sets{"duration", "4s", "operations.read.rate", 0.93 * 15_000 / 0.5})...)
	if rep.RecoveryS == nil {
		t.Error("at 93 % and without retries a stall of half a second never ends")
	}
}

// The primary is ten times slower for ten seconds, and nobody retries.
func TestNotesSlowPrimary(t *testing.T) {
	for _, c := range []struct {
		id               string
		outlasts, within float64
	}{{"slow-primary", 0.1, 0.11}, {"slow-primary-no-limit", 11.5, 0.6}} {
		rep := do(t, c.id, all(onlyReads, asks(1))...)
		if rep.RecoveryS == nil {
			t.Fatalf("%s: it never ends", c.id)
		}
		near(t, c.id+": it outlasts its cause by", *rep.RecoveryS, c.outlasts, c.within)
	}
}

// What the built-in's numbers decide with nothing broken at all.
func TestNotesDefaults(t *testing.T) {
	share := func(hits float64, set ...any) (busy, failed float64) {
		rep := do(t, "pastebin", append(all(onlyReads, sets{"duration", "4s", "dependencies.cache.hit_share", hits}), set...)...)
		row := rep.Series[3]
		return rep.Dependencies["primary"].Utilization, float64(row.Failed) / float64(row.Offered)
	}
	busy, failed := share(0.5)
	near(t, "busy share of the primary", busy, 0.58, 0.015)
	near(t, "share that fails", failed, 0, 0.0005)
	rep := do(t, "pastebin", all(onlyReads, sets{"duration", "1s", "dependencies.cache.hit_share", 0})...)
	near(t, "of what the primary can do, nothing cached asks for", float64(rep.Dependencies["primary"].FirstAttempts)/15_000, 1.16, 0.03)
	// 15,000 ÷ 17,400 leaves a hit share of 0.138 as the least.
	_, failed = share(0.10)
	if failed < 0.1 {
		t.Errorf("at a hit share of 0.10 %.3f fail, want many: the primary is asked for 104 %%", failed)
	}
	_, failed = share(0.18)
	if failed > 0.01 {
		t.Errorf("at a hit share of 0.18 %.3f fail, want hardly any: the primary is asked for 95 %%", failed)
	}
	// Near there retries make it bistable: it may go well for as long as nothing happens, and a twentieth of a second is enough
	// for it never to be well again. At 0.15 that may be luck of the arrivals, too; at 0.20 it takes the stall.
	_, failed = share(0.2, asks(4)...)
	near(t, "share that fails with four attempts at 0.20", failed, 0, 0.01)
	for _, hits := range []float64{0.15, 0.2} {
		if _, failed = share(hits, all(asks(4), stall("50ms"))...); failed < 0.9*(1-hits) {
			t.Errorf("with four attempts, a hit share of %.2f and a stall of 50 ms %.2f fail two seconds later, want all that miss", hits, failed)
		}
	}
}

// Finding 1: a statement timeout that is slightly above the client's doesn't stop three retries from killing the primary.
func TestNotesFinding1(t *testing.T) {
	for _, c := range []struct {
		timeout string
		ends    bool
	}{{"15ms", true}, {"20ms", true}, {"22ms", false}, {"25ms", false}, {"40ms", false}} {
		rep := do(t, "pastebin", all(onlyReads, stall("1s"), asks(4), sets{"duration", "4s", "dependencies.primary.statement_timeout", c.timeout})...)
		if ends := rep.RecoveryS != nil && *rep.RecoveryS <= 0.1; ends != c.ends {
			t.Errorf("statement timeout %s: it outlasts its cause by %s s, want that it ends at once: %v", c.timeout, show(rep.RecoveryS), c.ends)
		}
	}
}

// Finding 2: a cap on what is in flight stops that storm if cap × processes ÷ timeout stays below the ceiling: 23 times 13
// over 20 ms is 14,950/s. Here a process holds a read while it asks the cache and the primary; with the bucket's 30 ms in it,
// a cap so low would turn away half of the healthy traffic.
func TestNotesFinding2(t *testing.T) {
	for _, c := range []struct {
		cap  int
		ends bool
	}{{10, true}, {32, false}} {
		rep := do(t, "pastebin", all(onlyReads, stall("1s"), asks(4), sets{"duration", "4s", "processes.cap.read", c.cap,
			"operations.read.steps", []string{"cache_get", "primary_read"}})...)
		if ends := rep.RecoveryS != nil && *rep.RecoveryS <= 0.2; ends != c.ends {
			t.Errorf("cap %d: it outlasts its cause by %s s, want that it ends at once: %v", c.cap, show(rep.RecoveryS), c.ends)
		}
	}
}

// Finding 3: refused connections leave no backlog, so even three retries recover at once. While it is down they are four times
// the load to the digit.
func TestNotesFinding3(t *testing.T) {
	rep := do(t, "pastebin", all(onlyReads, asks(4), sets{"duration", "4s", "faults", fault("primary", "down", "1s", "2s")})...)
	down := rep.Series[2].Dependencies["primary"]
	near(t, "times the load while it is down", float64(down.Attempts)/float64(down.Attempts-down.Retries), 4, 0.001)
	if rep.RecoveryS == nil || *rep.RecoveryS > 0 {
		t.Errorf("it outlasts its cause by %s s, want not at all", show(rep.RecoveryS))
	}
}

// Finding 4 is L4 of numbers.md, in figures_breaker_test.go.

// Finding 5: a bucket of ten tokens is enough to spend all of a budget of 10 %. All reads of the primary fail, one in half a
// millisecond at each process.
func TestNotesFinding5(t *testing.T) {
	rep := do(t, "pastebin", all(onlyReads, asks(4), sets{"duration", "4s", "policy.budget.percent", 10,
		"operations.read.steps", []string{"primary_read"}, "operations.read.arrivals", "poisson", "faults", fault("primary", "flaky", "0s", "0s", "p", 1)})...)
	var first, more float64
	for _, row := range rep.Series[1:] { // the bucket was full in the first
		d := row.Dependencies["primary"]
		first += float64(d.Attempts - d.Retries)
		more += float64(d.Retries)
	}
	near(t, "share of the budget that is spent", more/first/0.1, 1, 0.01)
}

// Finding 6: hedging at once makes 116 % of 58; hedging past the slowest twentieth hardly any more.
func TestNotesFinding6(t *testing.T) {
	for _, c := range []struct {
		after        string
		times, fails float64
		within       float64
	}{{"0s", 1, 0, 0.001}, {"1ns", 2, 0.44, 0.05}, {"6ms", 1.05, 0, 0.001}} {
		rep := do(t, "hedging", "policy.calls.primary_read.hedge_after", c.after)
		near(t, "hedged after "+c.after+": times the load", rep.Dependencies["primary"].Amplification, c.times, 0.01)
		row := rep.Series[3]
		near(t, "hedged after "+c.after+": share that fails", float64(row.Failed)/float64(row.Offered), c.fails, c.within)
	}
}

// Finding 7: 80 ms are lost in the cache, and the bucket is slow. Told what is left, the object GET is given up in time, and
// not tried again; not told, it is tried again past the 300 ms.
func TestNotesFinding7(t *testing.T) {
	for id, late := range map[string]int64{"deadline": 0, "deadline-lost": 1000} {
		rep := do(t, id)
		if rep.Requests.Late != late || rep.Requests.OK != 0 || rep.Requests.Offered != 1000 {
			t.Errorf("%s: %d of %d slow reads end past 300 ms, want %d", id, rep.Requests.Late, rep.Requests.Offered, late)
		}
	}
}
