package metrics

import (
	"fmt"
	"time"

	"stormbin/engine/scenario"
)

// What a page goes out at. All of these are near zero on a good day, so that none of them has to be tuned to the traffic;
// the load is not among them, since a high load may be one's own retries, and the retry rate says so sooner.
const (
	// TimeoutShare is of a dependency's attempts. A timeout that is chosen well stands far beyond the slowest of a hundred
	// good answers, so one in a hundred is not the tail any more.
	TimeoutShare = 0.01
	// RetryShare is of a dependency's attempts. A good read path retries a refused connection and nothing else. One in a
	// hundred is 1 % more load, which no alarm on the load could tell from an ordinary minute.
	RetryShare = 0.01
	// FailedShare is of the requests of an operation that ended. One in a hundred is what nobody takes for bad luck.
	FailedShare = 0.01
	// Handful is how many it must be in the second at least: of 20 requests, one that is lost is over every share.
	Handful = 5
	// Quiet is for how many seconds it must have been under its threshold before it may page again: an outage that wavers
	// is one outage.
	Quiet = 10
)

// A measure is one thing to page on.
type measure struct {
	kind      string
	words     string // the sentence, for the target, as name has it, and the value
	name      func(target string) string
	threshold float64
	handful   int64
	targets   []string
	// read is the measure in that second, and how many events it is made of.
	read func(row *Row, target string) (value float64, events int64)
	show func(value float64) string
	// behind are the dependencies whose traffic may be the cause.
	behind func(target string) []string
}

// measures are in the order in which they are worth a page.
func measures(s *scenario.Scenario) []measure {
	dependencies := scenario.Names(s.Dependencies)
	var creates, others []string
	for _, name := range scenario.Names(s.Operations) {
		if s.Operations[name].Idempotent {
			others = append(others, name)
		} else {
			creates = append(creates, name)
		}
	}
	failures := func(kind string, operations []string) measure {
		return measure{
			kind: kind, words: "failures of %s, %s of requests", threshold: FailedShare, handful: Handful,
			targets: operations, name: Title, behind: func(target string) []string { return reaches(s, s.Operations[target]) }, show: percent,
			read: func(row *Row, target string) (float64, int64) {
				o := row.Operations[target]
				return ratio(o.Ended-o.EndedOK, o.Ended), o.Ended - o.EndedOK
			},
		}
	}
	itself := func(target string) []string { return []string{target} }
	return []measure{
		{
			kind: "timeouts", words: "timeouts at %s, %s of attempts", threshold: TimeoutShare, handful: Handful,
			targets: dependencies, name: The, behind: itself, show: percent,
			read: func(row *Row, target string) (float64, int64) {
				d := row.Dependencies[target]
				// Those that time out were sent a while before; when a breaker has stopped all traffic they are the only ones.
				return ratio(d.Timeouts, max(d.Attempts, d.Timeouts)), d.Timeouts
			},
		},
		{
			kind: "retries", words: "retries at %s, %s of attempts", threshold: RetryShare, handful: Handful,
			targets: dependencies, name: The, behind: itself, show: percent,
			read: func(row *Row, target string) (float64, int64) {
				d := row.Dependencies[target]
				return ratio(d.Retries, d.Attempts), d.Retries
			},
		},
		{
			kind: "breaker", words: "%[2]s open before %[1]s", handful: 1,
			targets: dependencies, name: The, behind: itself, show: func(open float64) string { return Plural(int(open), "breaker", "breakers") },
			read: func(row *Row, target string) (float64, int64) {
				open := row.Dependencies[target].Open
				return float64(open), open
			},
		},
		failures("creates", creates), // nobody can safely send those again for the user
		failures("failures", others),
	}
}

// Alerts are the pages that would have gone out during r, a run of s: each at the end of the first second in which its
// measure is over its threshold, one for each outage. In order of time, then of what is worth a page most.
func Alerts(r *Report, s *scenario.Scenario) []Alert {
	type alarm struct{ kind, target string }
	over := map[alarm]int{} // the last second that it was over its threshold
	alerts := []Alert{}
	all := measures(s)
	for i := range r.Series {
		row := &r.Series[i]
		for _, m := range all {
			for _, target := range m.targets {
				value, events := m.read(row, target)
				if events < m.handful || value <= m.threshold {
					continue
				}
				a := alarm{m.kind, target}
				last, before := over[a]
				over[a] = row.TS
				if before && row.TS-last <= Quiet {
					continue
				}
				at := float64(row.TS + 1)
				alerts = append(alerts, Alert{
					AtS: at, Kind: m.kind, Target: target, Value: value, Threshold: m.threshold, Cause: cause(row, s, m.behind(target)),
					Sentence: fmt.Sprintf("%.1f s: ", at) + fmt.Sprintf(m.words, m.name(target), m.show(value)),
				})
			}
		}
	}
	return alerts
}

// cause is what was broken in that second, or else what the load of those dependencies is made of.
func cause(row *Row, s *scenario.Scenario, dependencies []string) string {
	from := time.Duration(row.TS) * time.Second
	to := from + time.Second
	var on []scenario.Fault
	said := "nothing is broken"
	for _, f := range s.Faults {
		switch at := time.Duration(f.At); {
		case !Harms(f):
		case f.End() <= from:
			said = "nothing is broken any more"
		case at < to:
			on = append(on, f)
		}
	}
	if len(on) > 0 {
		return ailing(on)
	}
	var attempts, retries, queue int64
	for _, name := range dependencies {
		d := row.Dependencies[name]
		attempts, retries, queue = attempts+d.Attempts, retries+d.Retries, queue+d.Queue
	}
	switch {
	case retries > 0 && ratio(retries, attempts) > RetryShare:
		return said + "; " + percent(ratio(retries, attempts)) + " of the attempts are retries"
	case queue > 0:
		return said + "; " + Thousands(queue) + " attempts wait in the queue"
	}
	return said
}

func ratio(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
