package metrics

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDifferences(t *testing.T) {
	s := func(f float64) *float64 { return &f }
	quiet := Report{Requests: Requests{Offered: 600, OK: 540}, BadSeconds: 3, RecoveryS: s(0),
		Dependencies: map[string]Dependency{"b": {Attempts: 3480, Amplification: 1}}}
	storm := Report{Requests: Requests{Offered: 600, OK: 440}, BadSeconds: 8, RecoveryS: s(5.2),
		Dependencies: map[string]Dependency{"b": {Attempts: 13920, Amplification: 4, Duplicates: 3}}}
	storm.Requests.LatencyS.P99 = 4
	closed := storm
	closed.Requests.Offered, closed.Requests.OK, closed.Requests.LatencyS.P99 = 580, 460, 3.7664
	stuck := storm
	stuck.Requests = Requests{Offered: 600, Unfinished: 600}
	forever := storm
	forever.RecoveryS, forever.Series = nil, []Row{{Bad: true}}
	wait := func(p99 float64) Report {
		r := quiet
		r.Requests.LatencyS.P99 = p99
		return r
	}
	sent := func(attempts int64, multiple float64) Report {
		return Report{Dependencies: map[string]Dependency{"b": {Attempts: attempts, Amplification: multiple}}}
	}
	for _, c := range []struct {
		name string
		a, b Report
		want []string
	}{
		{"alike", storm, storm, []string{}},
		{"a storm and a quiet day", storm, quiet, []string{
			"Run B: 3 bad seconds, run A: 8.",
			"Run A was bad for another 5.2 s when its cause was gone; run B was well as soon as its cause was gone.",
			"Run B answered 100 more of the 600 requests in time.",
			"Run A sent 10,440 more attempts to service B (in all 4.00× in run A, 1.00× in run B).",
			"Run A left 3 more duplicates in service B.",
			"Of those whose request ended, well or not, one in a hundred waited longer than 4 s in run A, 0 ms in run B.",
		}},
		{"more of the same multiple", sent(3000, 1), sent(1000, 1.001), []string{"Run A sent 2,000 more attempts to service B."}},
		{"nothing at all", sent(3000, 1), sent(0, 1), []string{"Run A sent 3,000 more attempts to service B (in all 1.00× in run A, – in run B)."}},
		{"closed users, who ask less", storm, closed, []string{
			"Run B answered 20 more of its own 580 requests in time.",
			"Of those whose request ended, well or not, one in a hundred waited longer than 4 s in run A, 3.8 s in run B.",
		}},
		{"and who answers more may be the one asked more", closed, storm, []string{
			"Run A answered 20 more of its own 580 requests in time.",
			"Of those whose request ended, well or not, one in a hundred waited longer than 3.8 s in run A, 4 s in run B.",
		}},
		{"what a reader would call the same wait", wait(2.0009), wait(2.0011), []string{}},
		{"a whole second is one", wait(.9996), wait(.9994), []string{"Of those whose request ended, well or not, one in a hundred waited longer than 1 s in run A, 999 ms in run B."}},
		{"nobody is answered", storm, stuck, []string{"Run A answered 440 more of the 600 requests in time."}},
		{"one that ends and one that doesn't", storm, forever, []string{
			"Run A was bad for another 5.2 s when its cause was gone; run B is still bad.",
		}},
		{"while it goes on, and no cause is gone yet", ongoing(true), ongoing(false), []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Differences(&c.a, &c.b)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// ongoing is a run in which nothing that was broken is mended yet.
func ongoing(bad bool) Report { return Report{Series: []Row{{Bad: bad}}} }

// What tells two runs apart is said first; of what is nothing next to it nothing is said.
func TestTheGreatestDifferenceComesFirst(t *testing.T) {
	run := func(bucket, cache, primary int64) *Report {
		return &Report{Dependencies: map[string]Dependency{
			"bucket": {Attempts: bucket}, "cache": {Attempts: cache}, "primary": {Attempts: primary},
		}}
	}
	for _, c := range []struct {
		a, b *Report
		want []string // the dependencies spoken of
	}{
		{run(100, 5000, 5000), run(105, 5006, 45_000), []string{"primary"}},
		{run(100, 5000, 5000), run(900, 5006, 45_000), []string{"primary", "bucket"}},
		{run(100, 5000, 5000), run(105, 5006, 5000), []string{"cache", "bucket"}},
		{run(100, 5000, 5000), run(105, 5000, 5000), []string{"bucket"}},
		{run(100, 5000, 5000), run(100, 5000, 5000), nil},
	} {
		var spoken []string
		for _, line := range Differences(c.a, c.b) {
			if _, to, ok := strings.Cut(line, " attempts to the "); ok {
				name, _, _ := strings.Cut(strings.TrimSuffix(to, "."), " ")
				spoken = append(spoken, name)
			}
		}
		if !slices.Equal(spoken, c.want) {
			t.Errorf("%v, want %v", spoken, c.want)
		}
	}
}
