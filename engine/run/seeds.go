package run

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// MaxSeeds is how many runs one spread may be made of.
const MaxSeeds = 10_000

// Spread is what one scenario comes to over many seeds: how much of a result is the policy, and how much is luck. Its JSON
// names are those of storm run -seeds -json.
type Spread struct {
	Scenario string `json:"scenario"`
	Seed     uint64 `json:"seed"` // the first
	Runs     int    `json:"runs"`
	// BadSeconds and the others are of the report's fields of those names.
	BadSeconds Range `json:"bad_seconds"`
	// NeverShare is the share of the runs that are still bad at the end, though a fault has ended. RecoveryS is of the others;
	// null if there are none, or no fault ends.
	NeverShare    float64          `json:"never_share"`
	RecoveryS     *Range           `json:"recovery_s"`
	Amplification map[string]Range `json:"amplification"` // of each dependency
	FailedShare   Range            `json:"failed_share"`  // of the requests, what did not end ok
	P99S          Range            `json:"p99_s"`
}

// Range is where some numbers lie. Of an even count, Median is the mean of the middle two.
type Range struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// Seeds runs s with n seeds, 1 to [MaxSeeds], from its own on, several at a time. It calls each, unless that is nil, with
// every report, in the order of the seeds. The result is the same on every machine.
func Seeds(s scenario.Scenario, n int, each func(i int, r metrics.Report)) (Spread, error) {
	if n < 1 || n > MaxSeeds {
		return Spread{}, fmt.Errorf("%d seeds: must be 1 to %d", n, MaxSeeds)
	}
	if err := s.Validate(); err != nil {
		return Spread{}, err
	}
	mended := slices.ContainsFunc(s.Faults, func(f scenario.Fault) bool { return f.End() <= time.Duration(s.Duration) })
	var bad, recovery, failed, p99 []float64
	amplification := map[string][]float64{}
	never := 0
	done := 0
	for report := range inOrder(s, n) {
		r := <-report
		if each != nil {
			each(done, r)
		}
		done++
		bad = append(bad, float64(r.BadSeconds))
		failed = append(failed, float64(r.Requests.Offered-r.Requests.OK)/float64(max(r.Requests.Offered, 1)))
		p99 = append(p99, r.Requests.LatencyS.P99)
		for name, d := range r.Dependencies {
			amplification[name] = append(amplification[name], d.Amplification)
		}
		if r.RecoveryS != nil {
			recovery = append(recovery, *r.RecoveryS)
		} else if mended {
			never++
		}
	}
	spread := Spread{
		Scenario: s.ID, Seed: s.Seed, Runs: n, BadSeconds: rangeOf(bad), NeverShare: float64(never) / float64(n),
		Amplification: map[string]Range{}, FailedShare: rangeOf(failed), P99S: rangeOf(p99),
	}
	if len(recovery) > 0 {
		r := rangeOf(recovery)
		spread.RecoveryS = &r
	}
	for name, all := range amplification {
		spread.Amplification[name] = rangeOf(all)
	}
	return spread, nil
}

// inOrder runs n seeds of a valid scenario and hands out where each report will be, in order. At most one for each processor
// is on its way, or waiting to be taken, so that few are kept.
func inOrder(s scenario.Scenario, n int) <-chan chan metrics.Report {
	reports := make(chan chan metrics.Report, runtime.GOMAXPROCS(0)-1)
	go func() {
		defer close(reports)
		for i := range n {
			s := s
			s.Seed += uint64(i)
			one := make(chan metrics.Report, 1)
			reports <- one
			go func() {
				r, _ := Do(s) // its error is Validate's, and there was none
				one <- r
			}()
		}
	}()
	return reports
}

func rangeOf(all []float64) Range {
	slices.Sort(all)
	half := len(all) / 2
	r := Range{Median: all[half], Min: all[0], Max: all[len(all)-1]}
	if len(all)%2 == 0 {
		r.Median = (all[half-1] + all[half]) / 2
	}
	return r
}
