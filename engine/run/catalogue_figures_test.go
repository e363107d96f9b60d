//go:build !js

package run_test

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// The words in which catalogue_test.go says what the numbers of the catalogue's answers are.

// shown is a scenario of the catalogue and the report of its run.
type shown struct {
	*testing.T
	s   scenario.Scenario
	rep metrics.Report
}

var once = map[string]shown{}

// played runs a scenario of the catalogue, unless a test has done so before.
func played(t *testing.T, id string) shown {
	t.Helper()
	if _, there := once[id]; !there {
		once[id] = shown{s: with(t, id), rep: do(t, id)}
	}
	return shown{t, once[id].s, once[id].rep}
}

// A figure is a number of an answer as the run has it, and how far off luck may make it. With 0 it is the number that is
// written, rounded as it is written.
type figure struct {
	of     func(shown) float64
	within float64
}

func (f figure) about(within float64) figure { return figure{f.of, within} }

// in is the figure of another scenario.
func (f figure) in(id string) figure {
	return figure{func(c shown) float64 { return f.of(played(c.T, id)) }, f.within}
}

func (f figure) and(g figure, both func(x, y float64) float64) figure {
	return figure{func(c shown) float64 { return both(f.of(c), g.of(c)) }, f.within}
}

func (f figure) plus(g figure) figure {
	return f.and(g, func(x, y float64) float64 { return x + y })
}

func (f figure) less(g figure) figure {
	return f.and(g, func(x, y float64) float64 { return x - y })
}

func (f figure) times(g figure) figure {
	return f.and(g, func(x, y float64) float64 { return x * y })
}

func (f figure) per(g figure) figure {
	return f.and(g, func(x, y float64) float64 { return x / y })
}

func (f figure) percent() figure  { return f.times(just(100)) }
func (f figure) thousand() figure { return f.times(just(1000)) }

func just(x float64) figure { return figure{of: func(shown) float64 { return x }} }

// set is a setting, durations in seconds.
func set(path string) figure {
	return figure{of: func(c shown) float64 {
		text, err := c.s.Full()
		if err != nil {
			c.Fatal(err)
		}
		var at any
		if err := json.Unmarshal(text, &at); err != nil {
			c.Fatal(err)
		}
		for _, key := range strings.Split(path, ".") {
			if list, ok := at.([]any); ok {
				i, _ := strconv.Atoi(key)
				at = list[i]
			} else {
				at = at.(map[string]any)[key]
			}
		}
		if text, ok := at.(string); ok {
			d, err := time.ParseDuration(text)
			if err != nil {
				c.Fatal(err)
			}
			return d.Seconds()
		}
		return at.(float64)
	}}
}

func report(of func(metrics.Report) float64) figure {
	return figure{of: func(c shown) float64 { return of(c.rep) }}
}

// total is a count of one dependency in the whole run.
func total(dependency string, of func(metrics.Dependency) int64) figure {
	return report(func(r metrics.Report) float64 { return float64(of(r.Dependencies[dependency])) })
}

// perS is a count of seconds from until to, of each.
func perS(from, to int, of func(metrics.Row) int64) figure {
	return report(func(r metrics.Report) float64 {
		sum := int64(0)
		for _, row := range r.Series[from:to] {
			sum += of(row)
		}
		return float64(sum) / float64(to-from)
	})
}

// What there is to count in a second.
var (
	arrived  = func(r metrics.Row) int64 { return r.Offered }
	answered = func(r metrics.Row) int64 { return r.OK }
	reads    = func(r metrics.Row) int64 { return r.Operations["read"].Ended }
	readsOK  = func(r metrics.Row) int64 { return r.Operations["read"].EndedOK }
	sent     = func(dependency string) func(metrics.Row) int64 {
		return func(r metrics.Row) int64 { return r.Dependencies[dependency].Attempts }
	}
	sentFirst = func(dependency string) func(metrics.Row) int64 {
		return func(r metrics.Row) int64 {
			return r.Dependencies[dependency].Attempts - r.Dependencies[dependency].Retries
		}
	}
	served = func(dependency string) func(metrics.Row) int64 {
		return func(r metrics.Row) int64 { return r.Dependencies[dependency].Completed }
	}
)

// In the whole run.
var (
	requests   = report(func(r metrics.Report) float64 { return float64(r.Requests.Offered) })
	ok         = report(func(r metrics.Report) float64 { return float64(r.Requests.OK) })
	failed     = report(func(r metrics.Report) float64 { return float64(r.Requests.Failed) })
	shed       = report(func(r metrics.Report) float64 { return float64(r.Requests.Shed) })
	late       = report(func(r metrics.Report) float64 { return float64(r.Requests.Late) })
	median     = report(func(r metrics.Report) float64 { return r.Requests.LatencyS.P50 })
	slowest    = report(func(r metrics.Report) float64 { return r.Requests.LatencyS.P99 })
	longest    = report(func(r metrics.Report) float64 { return r.Requests.LatencyS.Max })
	badSeconds = report(func(r metrics.Report) float64 { return float64(r.BadSeconds) })
	outlasts   = report(func(r metrics.Report) float64 { // its cause
		if r.RecoveryS == nil {
			return math.NaN()
		}
		return *r.RecoveryS
	})

	stored    = func(d metrics.Dependency) int64 { return d.Stored }
	attempts  = func(d metrics.Dependency) int64 { return d.Attempts }
	mostWait  = func(d metrics.Dependency) int64 { return d.MaxQueue }
	refused   = func(d metrics.Dependency) int64 { return d.Refused }
	timedOut  = func(d metrics.Dependency) int64 { return d.Timeouts }
	opened    = func(d metrics.Dependency) int64 { return d.Opened }
	orphans   = func(d metrics.Dependency) int64 { return d.Orphans }
	reaped    = func(d metrics.Dependency) int64 { return d.Reaped }
	duration  = set("duration")
	mended    = set("faults.0.at").plus(set("faults.0.for"))
	rate      = set("operations.call.rate")
	triesOfB  = set("policy.calls.b.attempts")
	slotsOfB  = set("dependencies.b.slots")
	processes = set("processes.count")
	openFor   = set("policy.breaker.open_for")
)

func load(dependency string) figure {
	return report(func(r metrics.Report) float64 { return r.Dependencies[dependency].Amplification })
}

func busy(dependency string) figure {
	return report(func(r metrics.Report) float64 { return r.Dependencies[dependency].Utilization }).percent()
}

// queue is how many wait at the end of a second.
func queue(dependency string, second int) figure {
	return report(func(r metrics.Report) float64 { return float64(r.Series[second].Dependencies[dependency].Queue) })
}

// can is what a dependency can do a second.
func can(dependency string) figure {
	at := "dependencies." + dependency
	return set(at + ".slots").per(set(at + ".service.mean").plus(set(at + ".service.base")))
}

// readsFail is the percentage of reads ending from a second until another that end badly.
func readsFail(from, to int) figure {
	return just(100).less(perS(from, to, readsOK).per(perS(from, to, reads)).percent())
}

func longestOf(operation string) figure {
	return report(func(r metrics.Report) float64 { return r.Operations[operation].LatencyS.Max })
}

// fail is the percentage of the requests arriving from a second until another that end badly.
func fail(from, to int) figure {
	return just(100).less(perS(from, to, answered).per(perS(from, to, arrived)).percent())
}

var readsShed = report(func(r metrics.Report) float64 {
	read := r.Operations["read"]
	return 100 * float64(read.Shed) / float64(read.Offered)
})
