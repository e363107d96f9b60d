package run_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
)

// breakerAt is the breaker of the lesson before one dependency: for refusals, open for 5 s, one probe.
func breakerAt(target string) sets {
	return sets{"policy.breaker.enabled", true, "policy.breaker.targets", []string{target}}
}

// L4 of numbers.md: what a primary that is down sees. Half of the reads are hits, so it is 8,700 of 17,400 a second; with a
// breaker, one probe from each process every 5 s. Ten times the traffic over the same 23 processes changes nothing about
// that, over 230 it is 46 a second.
func TestL4PrimaryDown(t *testing.T) {
	down := sets{"faults", fault("primary", "down", "0s", "0s"), "policy.calls.primary_read.attempts", 1}
	for _, c := range []struct {
		row     string
		set     sets
		without float64 // connects a second without the breaker
		probes  int64   // every 5 s
		times   int64   // that it is watched probing
	}{
		{"17,400/s, half of them hits", nil, 8_700, 23, 2},
		{"17,400/s, nothing cached", sets{"dependencies.cache.hit_share", 0}, 17_400, 23, 2},
		{"174,000/s, 230 processes", peaks[1].set, 87_000, 230, 1},
		{"174,000/s, 23 processes", all(peaks[1].set, sets{"processes.count", 23}), 87_000, 23, 1},
	} {
		t.Run("L4 primary down, "+c.row, func(t *testing.T) {
			rep := do(t, "pastebin", all(c.set, onlyReads, down, sets{"duration", "1s"})...)
			near(t, "connects a second without a breaker", float64(rep.Dependencies["primary"].Attempts), c.without, 0.04*c.without) // of so few, three spreads

			// The breakers open within the first second, and probe before the sixth is over, and the eleventh.
			rep = do(t, "pastebin", all(c.set, onlyReads, down, breakerAt("primary"), sets{"duration", fmt.Sprint(1+5*c.times, "s")})...)
			var probes int64
			for s, row := range rep.Series {
				if s > 0 {
					probes += row.Dependencies["primary"].Attempts
				}
				if s%5 == 0 && probes != c.probes*int64(s/5) {
					t.Errorf("by second %d there were %d probes of the primary, want %d every 5 s: %.1f a second", s+1, probes, c.probes, float64(c.probes)/5)
				}
			}
			if opened := rep.Dependencies["primary"].Opened; opened != (1+c.times)*c.probes {
				t.Errorf("opened %d times, want once in each process, and again after each probe", opened)
			}
		})
	}
}

// One process, one read every millisecond, a primary that is gone for good: when it opens, and what it lets through. A probe
// that is refused is over at once; one that times out is under way for 20 ms, and those who come meanwhile are turned away.
func TestL4ExactlyOneProbe(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		kind, on string
		opens    time.Duration // ten calls must have ended; a read asks the primary 1 ms after it has come
		takes    time.Duration // a probe
	}{{"down", "refused", 10 * ms, 0}, {"blackhole", "timeout", 30 * ms, 20 * ms}} {
		t.Run("L4 exactly one probe, "+c.on, func(t *testing.T) {
			s := with(t, "pastebin", all(alone("read"), breakerAt("primary"), sets{"duration", "12s", "processes.count", 1, "operations.read.rate", 1000,
				"policy.calls.primary_read.attempts", 1, "policy.breaker.on", []string{c.on}, "faults", fault("primary", c.kind, "0s", "0s")})...)
			var probes []time.Duration
			for _, e := range trace(t, s, 12*time.Second) {
				if e.at != "primary" || e.Kind != model.Sent {
					continue
				}
				if e.At <= c.opens {
					continue // that is what it opens for
				}
				probes = append(probes, e.At)
			}
			first := c.opens + 5*time.Second
			if want := []time.Duration{first, first + c.takes + 5*time.Second}; !slices.Equal(probes, want) {
				t.Errorf("after it has opened at %v the primary sees connects at %v, want %v", c.opens, probes, want)
			}
		})
	}
}

// It is for refusal, not for slowness: timeouts that don't count don't open it. There the cap on what is in flight protects.
func TestL4SlowDoesNotOpenIt(t *testing.T) {
	for _, peak := range peaks {
		for _, kind := range []string{"slow", "stall"} {
			t.Run("L4 primary: "+kind+", "+peak.name, func(t *testing.T) {
				rep := do(t, "pastebin", all(peak.set, onlyReads, breakerAt("primary"),
					sets{"duration", "1s", "faults", fault("primary", kind, "0s", "0s", "factor", 10)})...)
				primary := rep.Dependencies["primary"]
				if primary.Opened != 0 || primary.TurnedAway != 0 {
					t.Errorf("opened %d times, and %d turned away; want none", primary.Opened, primary.TurnedAway)
				}
				if primary.Timeouts < primary.Attempts*9/10 {
					t.Errorf("%d of %d timed out, want nearly all: or there is nothing to open for", primary.Timeouts, primary.Attempts)
				}
			})
		}
	}
	t.Run("L4 the cap protects the creators", func(t *testing.T) {
		rep := do(t, "pastebin", all(onlyCreates, breakerAt("bucket"), sets{"duration", "10s", "jobs.reap.delay", "1h",
			"faults", fault("bucket", "stall", "0s", "0s")})...)
		bucket := rep.Dependencies["bucket"]
		if bucket.Opened != 0 || rep.Requests.Shed == 0 {
			t.Errorf("opened %d times, %d shed; want none and some", bucket.Opened, rep.Requests.Shed)
		}
		if most := int64(207 * 10); bucket.Attempts > most {
			t.Errorf("%d PUTs in 10 s, want at most 207 a second: %d", bucket.Attempts, most)
		}
	})
}

// In front of the cache it is the failure that it should have prevented. The cache has four of five, and three of ten gets
// are too slow, so that the primary has 1 − 0.7·0.8 = 44 % of the reads; a breaker that opens at a quarter of timeouts gives it
// all of them, which is 116 % of what it can do.
func TestL4BreakerBeforeTheCache(t *testing.T) {
	for _, peak := range peaks {
		t.Run("L4 breaker before the cache, "+peak.name, func(t *testing.T) {
			second := func(id string) (row metrics.Row, failed float64) {
				row = do(t, id, all(peak.set, onlyReads, sets{"duration", "3s"})...).Series[2] // sick from second 1 on
				return row, float64(row.Failed) / float64(row.Offered)
			}
			row, failed := second("slow-cache")
			near(t, "reads of the primary without", float64(row.Dependencies["primary"].Attempts), 7_658*peak.times, 0.04*7_658*peak.times)
			near(t, "share that fails without", failed, 0.00002, 0.0005)
			row, failed = second("cache-breaker")
			near(t, "reads of the primary with", float64(row.Dependencies["primary"].Attempts), 17_340*peak.times, 0.03*17_340*peak.times)
			if failed < 0.9 { // 0.94 in one run; on ten times the slots luck evens out, and it is all
				t.Errorf("%.3f fail with it, want nearly all", failed)
			}
		})
	}
}
