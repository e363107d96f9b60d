package run_test

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
)

// A spread is that of the runs themselves, one after the other, and each is handed out in its turn.
func TestSeedsAreTheRunsOneByOne(t *testing.T) {
	s := with(t, "two-service", "seed", 5)
	var bad, failed, p99, amplification, recovery []float64
	never := 0
	var each []metrics.Report
	spread, err := run.Seeds(s, 8, func(i int, r metrics.Report) {
		if i != len(each) {
			t.Errorf("run %d comes as number %d", i, len(each))
		}
		each = append(each, r)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		s.Seed = uint64(5 + i)
		r, err := run.Do(s)
		if err != nil {
			t.Fatal(err)
		}
		if each[i].TraceHash != r.TraceHash || each[i].Seed != s.Seed {
			t.Errorf("number %d is not the run of seed %d", i, s.Seed)
		}
		bad = append(bad, float64(r.BadSeconds))
		failed = append(failed, 1-float64(r.Requests.OK)/float64(r.Requests.Offered))
		p99 = append(p99, r.Requests.LatencyS.P99)
		amplification = append(amplification, r.Dependencies["b"].Amplification)
		if r.RecoveryS == nil {
			never++
		} else {
			recovery = append(recovery, *r.RecoveryS)
		}
	}
	if never == 0 || len(recovery) == 0 {
		t.Fatalf("these seeds are too much alike to test anything: %d never recover", never)
	}
	if spread.Scenario != "two-service" || spread.Seed != 5 || spread.Runs != 8 || spread.NeverShare != float64(never)/8 {
		t.Errorf("of %s from seed %d, %d runs, %v never recover", spread.Scenario, spread.Seed, spread.Runs, spread.NeverShare)
	}
	for _, c := range []struct {
		what string
		got  run.Range
		all  []float64
	}{
		{"bad seconds", spread.BadSeconds, bad},
		{"failed share", spread.FailedShare, failed},
		{"p99", spread.P99S, p99},
		{"amplification", spread.Amplification["b"], amplification},
		{"recovery", *spread.RecoveryS, recovery},
	} {
		near(t, "least "+c.what, c.got.Min, slices.Min(c.all), 1e-12)
		near(t, "most "+c.what, c.got.Max, slices.Max(c.all), 1e-12)
		below, above := 0, 0 // as many on the one side of the median as on the other
		for _, v := range c.all {
			if v < c.got.Median-1e-12 {
				below++
			}
			if v > c.got.Median+1e-12 {
				above++
			}
		}
		if 2*max(below, above) > len(c.all) {
			t.Errorf("%v is no median of the %s %v", c.got.Median, c.what, c.all)
		}
	}
}

// However many processors there are, the result is one.
func TestSeedsOnAnyMachine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	s := with(t, "two-service", "duration", "8s")
	var want run.Spread
	for i, processors := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(processors)
		got, err := run.Seeds(s, 7, nil)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with %d processors:\n%s", processors, diff)
		}
	}
}

func TestSeedsWithNothingToRecoverFrom(t *testing.T) {
	for _, set := range []sets{{"faults", []any{}}, {"faults", fault("b", "down", "1s", "0s")}} {
		spread, err := run.Seeds(with(t, "two-service", append(sets{"duration", "3s"}, set...)...), 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		if spread.RecoveryS != nil || spread.NeverShare != 0 {
			t.Errorf("%v: no fault has ended, yet recovery %v and %v never", set, spread.RecoveryS, spread.NeverShare)
		}
	}
	empty, err := run.Seeds(with(t, "two-service", "operations.call.rate", 0), 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if empty.FailedShare != (run.Range{}) || math.IsNaN(empty.FailedShare.Median) {
		t.Errorf("of no requests, %v failed", empty.FailedShare)
	}
}

func TestSeedsRefuses(t *testing.T) {
	for n, want := range map[int]string{0: "0 seeds: must be 1 to 10000", -1: "-1 seeds", 10_001: "10001 seeds"} {
		if _, err := run.Seeds(with(t, "queue"), n, nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v; want %s…", err, want)
		}
	}
	if _, err := run.Seeds(with(t, "queue", "duration", "0s"), 1, nil); err == nil || !strings.HasPrefix(err.Error(), "duration: ") {
		t.Errorf("%v; want the scenario's own error", err)
	}
}
