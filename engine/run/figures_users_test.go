package run_test

import (
	"fmt"
	"testing"

	"stormbin/engine/metrics"
)

// L5 of numbers.md: what users see. With the rule first, fault by fault, then the same with three retries of everything.

// sick are the faults of the table, for the first two seconds.
//
// A bucket that is slow has slots for all who wait the longer: it is no database. With the built-in's thousand it would
// have a queue, and be its own primary.
var sick = map[string]sets{
	"primary blips":          {"faults", fault("primary", "stall", "0s", "2s")},
	"primary slow, not down": {"faults", fault("primary", "slow", "0s", "2s", "factor", 20)},
	"bucket slow":            {"faults", fault("bucket", "slow", "0s", "2s", "factor", 20), "dependencies.bucket.slots", 100_000},
	"bucket very slow":       {"faults", fault("bucket", "slow", "0s", "2s", "factor", 100), "dependencies.bucket.slots", 100_000},
}

func TestL5Readers(t *testing.T) {
	// Half of the reads are answered at the edge, and half of the others by the cache. A quarter are misses.
	hits := sets{"duration", "2s", "dependencies.edge.hit_share", 0.5}
	noObject := sets{"operations.read.steps", []string{"cache_get", "primary_read"}} // or an answer of the bucket is the last of all
	for _, peak := range peaks {
		for _, c := range []struct {
			fault       string
			set         sets
			least, most float64 // seconds until a miss is a 503; the cache had up to 5 ms of them
			saved       float64 // misses that are answered all the same, of all reads
		}{
			{"primary blips", noObject, 0.020, 0.025, 0},
			{"primary slow, not down", noObject, 0.020, 0.025, 0.03}, // 750/s are served, some of them in time
			{"bucket slow", nil, 0.200, 0.225, 0},
		} {
			t.Run(fmt.Sprintf("L5 %s, readers, %s", c.fault, peak.name), func(t *testing.T) {
				rep := do(t, "pastebin", all(peak.set, onlyReads, hits, c.set, sick[c.fault])...)
				during := rep.Series[1]
				reads := during.Operations["read"]
				near(t, "share of reads that are answered: all hits, no misses", float64(reads.EndedOK)/float64(reads.Ended), 0.75+c.saved/2, 0.01+c.saved/2)
				// A quarter are 503s; nothing takes longer than they, and the half that the edge has takes 1 ms.
				if during.P99S < c.least || during.P99S > c.most*1.01 {
					t.Errorf("the slowest 503s come after %.1f ms, want %.0f to %.0f", during.P99S*1000, c.least*1000, c.most*1000)
				}
				if during.P50S > 0.0015 {
					t.Errorf("half of the readers wait over %.1f ms, want hits untouched", during.P50S*1000)
				}
				if rep.Requests.Late != 0 || rep.Requests.Shed != 0 {
					t.Errorf("%d late and %d shed, want a 503 in time for every miss", rep.Requests.Late, rep.Requests.Shed)
				}
			})
		}
	}
}

func TestL5Creators(t *testing.T) {
	for _, c := range []struct {
		fault string
		most  float64 // seconds until all have their answer
		check func(t *testing.T, rep metrics.Report)
	}{
		{"primary blips", 0.5, func(t *testing.T, rep metrics.Report) {
			// 500, no link, and what landed in the bucket is an orphan. When the stall ends, a few inserts are done after
			// their creators have left, at 50 ms, and before they are killed, at 60.
			failed, orphans := rep.Operations["create"].Failed, rep.Dependencies["bucket"].Orphans
			if failed < 500 || orphans > failed || orphans < failed-10 {
				t.Errorf("%d creates failed and left %d orphans, want 700 or so, and one of nearly each", failed, orphans)
			}
			if rep.Dependencies["primary"].Duplicates != 0 || rep.Dependencies["bucket"].Duplicates != 0 {
				t.Error("duplicates under a rule that never creates twice")
			}
		}},
		{"primary slow, not down", 0.5, func(t *testing.T, rep metrics.Report) {
			primary := rep.Dependencies["primary"]
			if primary.Killed == 0 || primary.Opened != 0 {
				t.Errorf("%d statements killed, breakers opened %d times; want some and none", primary.Killed, primary.Opened)
			}
			for _, row := range rep.Series[:2] {
				// Thirty slots: if each were held for 40 ms it would be 750 a second.
				if d := row.Dependencies["primary"]; d.Busy != 30 || d.Completed < 500 {
					t.Errorf("second %d ends with %d slots held, and %d were served in it; want 30, and that they turn over", row.TS, d.Busy, d.Completed)
				}
			}
		}},
		{"bucket very slow", 1.1, func(t *testing.T, rep metrics.Report) {
			create := rep.Operations["create"]
			// It is a 503 after a second, the PUT's timeout; over the cap it is one at once.
			if create.Shed == 0 || create.Outcomes["timeout"] < 300 || rep.Dependencies["bucket"].Duplicates != 0 {
				t.Errorf("%v with %d duplicates, want timeouts, some shed, and none twice", create.Outcomes, rep.Dependencies["bucket"].Duplicates)
			}
		}},
	} {
		t.Run("L5 "+c.fault+", creators", func(t *testing.T) {
			rep := do(t, "pastebin", all(breakerAt("primary"), sick[c.fault], sets{"duration", "3s"})...)
			c.check(t, rep)
			if m := rep.Operations["create"].LatencyS.Max; m > c.most {
				t.Errorf("a creator waits %.2f s, want %.1f at the most", m, c.most)
			}
		})
	}
}

// With the rule it is over when its cause is, and the load is the one that it left.
func TestL5AfterTheFault(t *testing.T) {
	for _, peak := range peaks {
		for _, c := range []string{"primary blips", "primary slow, not down", "bucket slow"} {
			if peak.times > 1 && c != "primary blips" {
				continue // one is enough to see that it scales
			}
			t.Run(fmt.Sprintf("L5 %s, after it ends, %s", c, peak.name), func(t *testing.T) {
				rep := do(t, "pastebin", all(peak.set, sick[c], sets{"duration", "3s"})...)
				if rep.RecoveryS == nil || *rep.RecoveryS > 0.2 {
					t.Errorf("it outlasts its cause by %v s, want 0.2 at the most", show(rep.RecoveryS))
				}
				for d, load := range map[string]float64{"primary": 8_700 + 350 + 20, "bucket": 8_700 + 350} {
					near(t, "load of "+d+" after it", float64(rep.Series[2].Dependencies[d].Attempts), load*peak.times, 0.05*load*peak.times)
				}
			})
		}
	}
}

// The same with three retries: a blip of two seconds is still there two minutes later. The storm is the same at a tenth of
// everything, and a run of two minutes of that is quick.
func TestL5WithThreeRetries(t *testing.T) {
	tenth := sets{"operations.read.rate", 1_740, "operations.create.rate", 35, "operations.delete.rate", 2,
		"dependencies.primary.slots", 3, "dependencies.bucket.slots", 100, "dependencies.cache.slots", 6, "processes.count", 3, "processes.cap.create", 9}
	t.Run("L5 a 2 s blip becomes minutes", func(t *testing.T) {
		rep := do(t, "pastebin", all(tenth, retryEverything, sick["primary blips"], sets{"duration", "122s"})...)
		if rep.RecoveryS != nil || !rep.Metastable || rep.BadSeconds < 120 {
			t.Errorf("%d bad seconds, recovery %s, metastable %v; want two minutes and no end", rep.BadSeconds, show(rep.RecoveryS), rep.Metastable)
		}
	})
	// What holds a slot of its process longer takes it from those whose answer is in the cache. A read holds one for 33 ms
	// when all is well, for 20 when the primary is sick under the rule, and for 80 under three retries.
	t.Run("L5 readers whose paste is cached are degraded", func(t *testing.T) {
		capped := sets{"duration", "3s", "processes.cap.read", 28}
		rule := do(t, "pastebin", all(onlyReads, sick["primary blips"], capped)...)
		near(t, "share turned away under the rule", float64(rule.Requests.Shed)/float64(rule.Requests.Offered), 0, 0.002)
		storm := do(t, "pastebin", all(onlyReads, retryEverything, sick["primary blips"], capped)...)
		if share := float64(storm.Requests.Shed) / float64(storm.Requests.Offered); share < 0.02 {
			t.Errorf("%.4f of the reads are turned away before anybody looks into the cache, want over 0.02", share)
		}
	})
	t.Run("L5 creators get duplicates", func(t *testing.T) {
		for fault, d := range map[string]string{"bucket very slow": "bucket", "primary slow, not down": "primary"} {
			rep := do(t, "pastebin", all(onlyCreates, retryEverything, sick[fault], sets{"duration", "3s",
				"dependencies.primary.statement_timeout", "0s", "policy.calls.primary_insert.statement_timeout", "0s"})...)
			if rep.Dependencies[d].Duplicates == 0 {
				t.Errorf("%s: nothing is stored twice", fault)
			}
		}
	})
}

func show(s *float64) string {
	if s == nil {
		return "never"
	}
	return fmt.Sprintf("%.1f", *s)
}

// L6: what pages, in this order, and before any alarm on the load could.
func TestL6Alerts(t *testing.T) {
	kinds := func(rep metrics.Report) (list []string) {
		for _, a := range rep.Alerts {
			list = append(list, fmt.Sprintf("%.0f s %s %s", a.AtS, a.Kind, a.Target))
		}
		return list
	}
	for _, c := range []struct {
		row  string
		set  sets
		want []string
	}{
		{"nothing is broken", nil, nil},
		{"a blip under the rule: no retries to page on", sick["primary blips"], []string{"1 s timeouts primary", "1 s creates create", "1 s failures delete", "1 s failures read"}},
		{"a blip under three retries", all(retryEverything, sick["primary blips"]),
			[]string{"1 s timeouts primary", "1 s retries primary", "1 s creates create", "1 s failures delete", "1 s failures read"}},
		{"a primary that is down, with a breaker: the rule has retried some, until it opened", all(breakerAt("primary"), sets{"faults", fault("primary", "down", "0s", "2s")}),
			[]string{"1 s retries primary", "1 s breaker primary", "1 s creates create", "1 s failures delete", "1 s failures read"}},
		{"a dead bucket", sets{"faults", fault("bucket", "blackhole", "0s", "2s")}, []string{"1 s timeouts bucket", "1 s creates create", "1 s failures read"}},
	} {
		t.Run("L6 "+c.row, func(t *testing.T) {
			got := kinds(do(t, "pastebin", all(c.set, sets{"duration", "3s"})...))
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("pages %q, want %q", got, c.want)
			}
		})
	}
	t.Run("L6 a rising retry rate pages before high QPS does", func(t *testing.T) {
		// Two answers of a hundred get lost, and each is asked for again: 2 % more load, which no alarm on the load would see.
		rep := do(t, "pastebin", all(onlyReads, retryEverything, sets{"duration", "3s", "faults", fault("primary", "lose", "0s", "0s", "p", 0.02)})...)
		got := kinds(rep)
		if want := []string{"1 s timeouts primary", "1 s retries primary"}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("pages %q, want %q", got, want)
		}
		for _, row := range rep.Series {
			near(t, fmt.Sprintf("load of the primary in second %d", row.TS), float64(row.Dependencies["primary"].Attempts), 8_700*1.02, 0.05*8_700)
		}
	})
}
