package metrics

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/scenario"
)

func TestHistogramIsWithinItsError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Histogram
		// Lengths of every magnitude, up to four hours.
		all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(math.Exp(rapid.Float64Range(0, math.Log(1.44e13)).Draw(t, "log")))
		}), 1, 60).Draw(t, "lengths")
		var sum time.Duration
		for _, d := range all {
			h.Add(d)
			sum += d
		}
		slices.Sort(all)
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		want := all[min(int(q*float64(len(all))), len(all)-1)]
		if got := h.Quantile(q); math.Abs(float64(got-want)) > 0.004*float64(want)+1 {
			t.Fatalf("quantile %v is %v, want %v", q, got, want)
		}
		if h.Max() != all[len(all)-1] || h.Mean() != sum/time.Duration(len(all)) || h.n != int64(len(all)) {
			t.Fatalf("max %v mean %v n %d of %v", h.Max(), h.Mean(), h.n, all)
		}
	})
}

func TestEmptyHistogram(t *testing.T) {
	var h Histogram
	if h.Quantile(0.5) != 0 || h.Mean() != 0 || h.Max() != 0 {
		t.Error("an empty histogram is all zeros")
	}
	h.Add(-time.Second)
	h.Add(math.MaxInt64)
	if h.Quantile(0) != 0 || h.Max() != math.MaxInt64 {
		t.Error("what is out of range counts at the ends")
	}
}

func TestWindows(t *testing.T) {
	const ms = time.Millisecond
	type req struct {
		at time.Duration
		ok bool
	}
	var steady []req // a hundred a second for four seconds, all well
	for at := time.Duration(0); at < 4*time.Second; at += 10 * ms {
		steady = append(steady, req{at, true})
	}
	failing := func(from, to time.Duration, every int) (out []req) {
		for i, r := range steady {
			out = append(out, req{r.at, !(r.at >= from && r.at < to && i%every == 0)})
		}
		return out
	}
	for _, c := range []struct {
		name      string
		requests  []req
		end       time.Duration
		bad       int
		after     time.Duration
		recovered bool
	}{
		{"all well", steady, time.Second, 0, 0, true},
		{"nothing at all", nil, time.Second, 0, 0, true},
		{"one of a hundred is allowed, but its tenth of a second is bad", failing(1200*ms, 1210*ms, 1), time.Second, 0, 300 * ms, true},
		{"two of a hundred are not", failing(1200*ms, 1220*ms, 1), time.Second, 1, 300 * ms, true},
		{"over by the end of its cause", failing(1000*ms, 1500*ms, 1), 1500 * ms, 1, 0, true},
		{"outlasting its cause", failing(1000*ms, 2750*ms, 2), 1500 * ms, 2, 1300 * ms, true},
		{"never over", failing(1000*ms, 4000*ms, 3), 1500 * ms, 3, 0, false},
		{"bad, and its cause is not over", failing(3000*ms, 4000*ms, 1), 4 * time.Second, 1, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w Windows
			for _, r := range c.requests {
				w.Offer(r.at)
				w.End(r.at, r.ok)
			}
			after, recovered := w.Recovery(c.end, 0.01)
			if w.BadSeconds(0.01) != c.bad || after != c.after || recovered != c.recovered {
				t.Errorf("%d bad seconds, recovered %v after %v; want %d, %v after %v",
					w.BadSeconds(0.01), recovered, after, c.bad, c.recovered, c.after)
			}
		})
	}
}

func TestWhatNeverEndedIsBadOnceGivenUp(t *testing.T) {
	var w Windows
	w.Offer(0)
	w.Offer(time.Second)
	w.End(time.Second, true)
	if w.BadSeconds(0) != 0 {
		t.Error("a request under way is not a bad one yet")
	}
	w.GiveUp()
	if w.BadSeconds(0) != 1 || w.Second(0).Failed != 1 || w.Second(1).Failed != 0 {
		t.Errorf("given up: %+v", w)
	}
}

// An outage is over at the last bad tenth of a second that a bad second begins with, whatever fails by itself later.
func TestOutlasted(t *testing.T) {
	const rate = 20 // arrivals in a tenth of a second
	run := func(tenths int, failed map[int]int) (w Windows) {
		for i := range tenths {
			for n := range rate {
				at := time.Duration(i) * Window
				w.Offer(at)
				w.End(at, n >= failed[i])
			}
		}
		return w
	}
	outage := func(from, to int, more ...int) map[int]int {
		failed := map[int]int{}
		for i := from; i < to; i++ {
			failed[i] = rate
		}
		for _, i := range more {
			failed[i] = 1
		}
		return failed
	}
	for _, c := range []struct {
		name              string
		of                Windows
		outlasts, recover time.Duration
	}{
		{"nothing", run(100, nil), 0, 0},
		{"ends with its cause", run(100, outage(30, 50)), 0, 0},
		{"goes on", run(100, outage(30, 63)), 13 * Window, 13 * Window},
		{"and one fails much later", run(100, outage(30, 63, 80)), 13 * Window, 31 * Window},
		{"and one fails at the very end", run(100, outage(30, 63, 99)), 13 * Window, 50 * Window},
		{"and three of a second do, which is bad", run(100, outage(30, 63, 80, 82, 84)), 31 * Window, 35 * Window},
		{"less than a second", run(5, outage(1, 4)), 0, 0},
	} {
		if got := c.of.Outlasted(50*Window, 0.01); got != c.outlasts {
			t.Errorf("%s: it outlasts its cause by %s, want %s", c.name, got, c.outlasts)
		}
		if got, _ := c.of.Recovery(50*Window, 0.01); got != c.recover {
			t.Errorf("%s: the last bad moment is %s after its cause, want %s", c.name, got, c.recover)
		}
	}
}

func TestVerdict(t *testing.T) {
	second := scenario.Duration(time.Second)
	slow := scenario.Fault{At: 3 * second, For: 3 * second, Target: "b", Kind: "slow", Factor: 8}
	lateLose := scenario.Fault{At: 9 * second, For: second, Target: "a", Kind: "lose"} // none of the answers
	five := 5.2
	late := 31.0
	zero := 0.0
	outlasted := func(r Report, by float64) Report { r.OutlastedS = &by; return r }
	lasting := func(r Report, longest float64) Report { r.Requests.LatencyS.Max = longest; return r }
	report := func(bad int, recovery *float64, metastable bool, amplification float64, rows ...Row) Report {
		for i := range rows {
			rows[i].TS = i
		}
		return Report{DurationS: 60, Requests: Requests{Offered: 100, OK: 100}, BadSeconds: bad, RecoveryS: recovery,
			Metastable: metastable, Dependencies: map[string]Dependency{"b": {Attempts: 100, Amplification: amplification}}, Series: rows}
	}
	ending := func(r Report) Report { // whose rows are its last
		for i := range r.Series {
			r.Series[i].TS = 60 - len(r.Series) + i
		}
		return r
	}
	requests := func(old, young, ok, unfinished int64) Report { // young: that came in the last second
		r := report(0, nil, false, 1, Row{Offered: old}, Row{Offered: young})
		r.DurationS = 59.5
		r.Series[1].TS = 59
		r.Requests = Requests{Offered: old + young, OK: ok, Unfinished: unfinished}
		return r
	}
	sent := func(retries, hedges int64) Row {
		return Row{Bad: true, Dependencies: map[string]RowDependency{"b": {Attempts: 100, Retries: retries, Hedges: hedges}}}
	}
	ended := func(ok int64) Row { // of a hundred, a second that was bad
		return Row{Bad: true, Operations: map[string]RowOperation{"call": {Ended: 100, EndedOK: ok}}}
	}
	during := report(1, nil, false, 1)
	during.DurationS = 5
	const slower = "B was 8× slower for 3 s; with up to 4 attempts, B saw "
	for _, c := range []struct {
		name   string
		report Report
		faults []scenario.Fault
		set    []string
		want   string
	}{
		{"calm", report(0, nil, false, 1), nil, nil, "Nothing was broken: 100 % were answered, and B saw 1.00× the attempts."},
		{"calm, with a deadline", report(0, nil, false, 1), nil, []string{"operations.call.deadline=1s"},
			"Nothing was broken: 100 % were answered in time, and B saw 1.00× the attempts."},
		{"some are under way", requests(80, 20, 76, 5), nil, nil, "Nothing was broken: 80 % of those that have ended were answered, and B saw 1.00× the attempts."},
		{"most are stuck", requests(80, 20, 24, 76), nil, nil, "Nothing was broken: 24 % were answered, and B saw 1.00× the attempts."},
		{"more than half", requests(6000, 4000, 5821, 0), nil, nil, "Nothing was broken: 58 % were answered, and B saw 1.00× the attempts."},
		{"nearly none", requests(6000, 4000, 21, 0), nil, nil, "Nothing was broken: 0.21 % were answered, and B saw 1.00× the attempts."},
		{"nearly all", requests(6000, 4000, 9984, 0), nil, nil, "Nothing was broken: 99.84 % were answered, and B saw 1.00× the attempts."},
		{"all but one", requests(0, 30_000, 29_999, 0), nil, nil, "Nothing was broken: more than 99.99 % were answered, and B saw 1.00× the attempts."},
		{"it has just begun", requests(0, 5, 3, 2), nil, nil, "Nothing was broken: 100 % of those that have ended were answered, and B saw 1.00× the attempts."},
		{"it has only begun", requests(0, 2, 0, 2), nil, nil, "Nothing was broken: no request has its answer yet, and B saw 1.00× the attempts."},
		{"empty", Report{}, nil, nil, "Nothing has arrived yet."},
		{"ended with its cause", report(3, &zero, false, 1), []scenario.Fault{slow}, []string{"policy.budget.percent=10"},
			"B was 8× slower for 3 s; with up to 4 attempts and a budget of 10 %, B saw 1.00× the attempts; 3 seconds were bad; and it ended with its cause."},
		{"it is still on", during, []scenario.Fault{slow}, nil,
			"B was 8× slower from 3 s on; with up to 4 attempts, B saw 1.00× the attempts; 1 second was bad; and it is not over."},
		{"outlasted", report(8, &five, false, 2.125), []scenario.Fault{slow}, nil,
			slower + "2.12× the attempts; 8 seconds were bad; and it outlasted its cause by 5.2 s."},
		{"outlasted, and then a request fails now and again", outlasted(report(8, &late, false, 2), five), []scenario.Fault{slow}, nil,
			slower + "2.00× the attempts; 8 seconds were bad; and it outlasted its cause by 5.2 s, but for bad moments as late as 31 s after it."},
		{"ended, and then a request fails now and again", outlasted(report(8, &late, false, 2), zero), []scenario.Fault{slow}, nil,
			slower + "2.00× the attempts; 8 seconds were bad; and it ended with its cause, but for bad moments as late as 31 s after it."},
		{"a last second that is bad by luck", ending(report(8, nil, true, 2, Row{}, Row{}, Row{Bad: true}, Row{}, Row{}, Row{Bad: true}, Row{}, Row{}, Row{Bad: true})), []scenario.Fault{slow}, nil,
			slower + "2.00× the attempts; 8 seconds were bad; and 54 s after its cause was gone single seconds are still bad."},
		{"a fault that changes nothing is no cause", report(8, &five, false, 2), []scenario.Fault{slow, lateLose}, nil,
			slower + "2.00× the attempts; 8 seconds were bad; and it outlasted its cause by 5.2 s."},
		{"nor is it one if it is alone", report(0, &zero, false, 1), []scenario.Fault{lateLose}, nil,
			"Nothing was broken: 100 % were answered, and B saw 1.00× the attempts."},
		{"for ever, by its retries", ending(report(57, nil, true, 4, sent(0, 0), sent(0, 0), sent(5, 0))), []scenario.Fault{slow}, nil,
			slower + "4.00× the attempts; 57 seconds were bad; and 54 s after its cause was gone it is kept alive by its own traffic."},
		{"for ever, by its hedges", ending(report(57, nil, true, 2, sent(0, 0), sent(0, 0), sent(2, 3))), []scenario.Fault{slow}, nil,
			slower + "2.00× the attempts; 57 seconds were bad; and 54 s after its cause was gone it is kept alive by its own traffic."},
		{"for ever, with retries that are long over", ending(report(57, nil, true, 2, sent(75, 0), sent(75, 0), sent(4, 0))), []scenario.Fault{slow}, nil,
			slower + "2.00× the attempts; 57 seconds were bad; and it is still bad 54 s after its cause was gone: more comes than it can serve."},
		{"bad from the beginning, and to the end", report(60, nil, true, 4, ended(50), ended(50), ended(50), sent(75, 0), ended(50)), []scenario.Fault{slow}, nil,
			slower + "4.00× the attempts; 60 seconds were bad, 3 of them before anything broke; and it is still bad at the end."},
		{"bad from the beginning, and mended", report(5, &five, false, 1, ended(50), ended(99), ended(100)), []scenario.Fault{slow}, nil,
			slower + "1.00× the attempts; 5 seconds were bad, 3 of them before anything broke; and it was bad until 5.2 s after all was mended."},
		{"bad from the beginning, and well afterwards", report(5, &zero, false, 1, ended(50)), []scenario.Fault{slow}, nil,
			slower + "1.00× the attempts; 5 seconds were bad, 1 of them before anything broke; and none after all was mended."},
		{"those under way when it began are its doing", report(8, &five, false, 1, ended(100), ended(100), ended(99), ended(0)), []scenario.Fault{slow}, nil,
			slower + "1.00× the attempts; 8 seconds were bad, the first 3 for those still under way when it broke; and it outlasted its cause by 5.2 s."},
		{"and so is one second", report(4, &zero, false, 1, Row{}, Row{}, ended(100), ended(0), ended(0), ended(0)), []scenario.Fault{slow}, nil,
			slower + "1.00× the attempts; 4 seconds were bad, the first for those still under way when it broke; and it ended with its cause."},
		{"untouched", report(0, &zero, false, 1), []scenario.Fault{slow}, nil,
			slower + "1.00× the attempts; and no second was bad: 100 % were answered."},
		{"nobody asked it for anything", Report{DurationS: 60, Requests: Requests{Offered: 100, OK: 100}, RecoveryS: &zero, Dependencies: map[string]Dependency{"b": {Amplification: 1}}},
			[]scenario.Fault{slow}, nil, slower + "no attempt; and no second was bad: 100 % were answered."},
		{"untouched, though all had to wait", lasting(report(0, &zero, false, 1), 1.52), []scenario.Fault{slow}, nil,
			slower + "1.00× the attempts; and no second was bad: 100 % were answered, after 1.5 s at the latest."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := scenario.Find("two-service")
			set(t, &s, c.set...)
			s.Faults = c.faults
			if got := Verdict(&c.report, &s); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Every kind of fault has words, so that a new one isn't told as something else.
func TestVerdictNamesEveryFault(t *testing.T) {
	words := map[string]string{"slow": "slower", "stall": "stalled", "down": "down", "blackhole": "nothing", "flaky": "failed",
		"lose": "answers", "capacity": "slots", "surge": "load", "flush": "flushed"}
	for kind, word := range words {
		if said := ailment(scenario.Fault{Kind: kind, Factor: 2, P: 0.2}); !strings.Contains(said, word) {
			t.Errorf("%s is told as %q", kind, said)
		}
	}
}
