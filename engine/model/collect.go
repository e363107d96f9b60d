package model

import (
	"fmt"
	"iter"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/policy"
)

// counts is what a dependency has seen and done.
type counts struct {
	First, Retries, Hedges                        int64
	Refused, Shed, Timeouts, TurnedAway           int64
	Completed, Abandoned, Killed, Unserved        int64
	Stored, Duplicates, Repeated, Orphans, Reaped int64
	Hits                                          int64
	MaxQueue                                      int
	// Areas under the number in service, the number of slots and the number waiting, in ns. The last may be more than an
	// integer holds.
	busyArea, slotsArea int64
	waitingArea         float64
	measured            time.Duration
}

// measure brings the areas up to now. Called before the numbers change. The outer conversion keeps the compiler from fusing
// multiplication and addition, which not every machine does alike.
func (d *dependency) measure(now time.Duration) {
	dt := int64(now - d.measured)
	d.measured = now
	d.busyArea += dt * int64(d.busy)
	d.slotsArea += dt * int64(d.slots)
	if d.waiting > 0 {
		d.waitingArea += float64(float64(dt) * float64(d.waiting))
	}
}

// busyTime is the area under the number in service at now, which measure has not been brought up to.
func (d *dependency) busyTime(now time.Duration) time.Duration {
	return time.Duration(d.busyArea) + (now-d.measured)*time.Duration(d.busy)
}

func (c *counts) attempts() int64 { return c.First + c.Retries + c.Hedges }

// freeze keeps what the dependencies did within the scenario's duration.
func (w *World) freeze() {
	w.frozen = true
	for i := range w.dependencies {
		d := &w.dependencies[i]
		d.measure(w.end)
		d.atEnd = d.counts
	}
}

// Conclude closes the books: a request that has no answer by now counts as a bad one.
func (w *World) Conclude() { w.windows.GiveUp() }

// Report is what the world came to until now, or until its end if that has passed.
func (w *World) Report() metrics.Report {
	s := &w.settings
	until := min(w.Now(), w.end)
	rep := metrics.Report{
		Scenario: s.ID, Seed: s.Seed, DurationS: until.Seconds(),
		Events: w.trace.events, TraceHash: fmt.Sprintf("%016x", w.trace.hash),
		Operations:   map[string]metrics.Requests{},
		Dependencies: map[string]metrics.Dependency{},
		Jobs:         map[string]metrics.Jobs{},
		BadSeconds:   w.windows.BadSeconds(s.BadShare),
	}
	var all metrics.Histogram
	results := [policyOutcomes]int64{}
	for i := range w.operations[:w.users] {
		op := &w.operations[i]
		rep.Operations[op.name] = requestsReport(&op.counts, &op.results, &op.latency)
		all.Merge(&op.latency)
		for o, n := range op.results {
			results[o] += n
		}
	}
	counted := w.counted()
	rep.Requests = requestsReport(&counted, &results, &all)
	for i := range w.dependencies {
		rep.Dependencies[w.dependencies[i].name] = w.dependencyReport(i, until)
	}
	for i := range w.operations[w.users:] {
		k := w.operations[w.users+i].kind
		c := k.counts
		rep.Jobs[k.name] = metrics.Jobs{Made: c.Made, Runs: c.Runs, Done: c.Done, Waiting: c.Made - c.Done}
	}
	w.judge(&rep, until)
	rep.Series = w.Series(0)
	rep.Verdict = metrics.Verdict(&rep, s)
	rep.Alerts = metrics.Alerts(&rep, s)
	return rep
}

// counted adds up the requests of all operations.
func (w *World) counted() (sum Requests) {
	for i := range w.operations[:w.users] {
		c := &w.operations[i].counts
		sum.Offered += c.Offered
		sum.Tries += c.Tries
		sum.OK += c.OK
		sum.Failed += c.Failed
		sum.Shed += c.Shed
		sum.Late += c.Late
		sum.InFlight += c.InFlight
	}
	return sum
}

func requestsReport(c *Requests, results *[policyOutcomes]int64, latency *metrics.Histogram) metrics.Requests {
	out := metrics.Requests{
		Offered: c.Offered, Tries: c.Tries, OK: c.OK, Failed: c.Failed, Shed: c.Shed, Late: c.Late, Unfinished: c.InFlight,
		Outcomes: map[string]int64{},
		LatencyS: metrics.Quantiles{
			P50: latency.Quantile(0.50).Seconds(),
			P95: latency.Quantile(0.95).Seconds(),
			P99: latency.Quantile(0.99).Seconds(),
			Max: latency.Max().Seconds(),
		},
	}
	for o, n := range results {
		if n > 0 {
			out.Outcomes[policy.Outcome(o).String()] = n
		}
	}
	if c.Late > 0 {
		out.Outcomes["late"] = c.Late
	}
	return out
}

func (w *World) dependencyReport(i int, until time.Duration) metrics.Dependency {
	d := &w.dependencies[i]
	done := d.atEnd
	if !w.frozen {
		d.measure(w.Now())
		done = d.counts
	}
	out := metrics.Dependency{
		FirstAttempts: d.First, Attempts: d.attempts(), Retries: d.Retries, Hedges: d.Hedges, Amplification: 1,
		Refused: d.Refused, Shed: d.Shed, Timeouts: d.Timeouts, TurnedAway: d.TurnedAway, Hits: d.Hits,
		Stored: d.Stored, Duplicates: d.Duplicates, Repeated: d.Repeated, Orphans: d.Orphans, Reaped: d.Reaped,
		Completed: done.Completed, AbandonedCompleted: done.Abandoned, Killed: done.Killed, MaxQueue: int64(done.MaxQueue),
		WaitS: metrics.Wait{
			Mean: d.wait.Mean().Seconds(), P50: d.wait.Quantile(0.50).Seconds(), P99: d.wait.Quantile(0.99).Seconds(),
		},
	}
	if d.First > 0 {
		out.Amplification = float64(out.Attempts) / float64(d.First)
	}
	if until > 0 {
		out.Utilization = float64(done.busyArea) / float64(done.slotsArea)
		out.InSystemMean = (float64(done.busyArea) + done.waitingArea) / float64(until)
	}
	for b := range w.breakersAt(i) {
		out.Opened += b.Opened()
	}
	return out
}

// breakersAt are the breakers before a dependency, each once.
func (w *World) breakersAt(dependency int) iter.Seq[*policy.Breaker] {
	return func(yield func(*policy.Breaker) bool) {
		for i := range w.processes[:w.outside()] {
			b := w.processes[i].breakers[dependency]
			if b == nil || i > 0 && b == w.processes[0].breakers[dependency] {
				continue
			}
			if !yield(b) {
				return
			}
		}
	}
}

// open is how many of the breakers before a dependency let nobody through, or only a probe; and how many of those a probe.
func (w *World) open(dependency int) (open, halfOpen int) {
	for b := range w.breakersAt(dependency) {
		switch b.State(w.Now()) {
		case policy.BreakerOpen:
			open++
		case policy.BreakerHalfOpen:
			open++
			halfOpen++
		}
	}
	return open, halfOpen
}

// judge says how the outage ended, if there was one.
func (w *World) judge(rep *metrics.Report, until time.Duration) {
	var ended time.Duration // of the last fault that has ended
	for _, f := range w.settings.Faults {
		if end := f.End(); end <= until {
			ended = max(ended, end)
		}
	}
	if ended == 0 {
		return
	}
	after, recovered := w.windows.Recovery(ended, w.settings.BadShare)
	if recovered {
		recovery, outlasted := after.Seconds(), w.windows.Outlasted(ended, w.settings.BadShare).Seconds()
		rep.RecoveryS, rep.OutlastedS = &recovery, &outlasted
		return
	}
	rep.Metastable = until-ended >= 30*time.Second && !w.queueFalls(ended)
}

// queueFalls tells whether the queues of all dependencies together have been getting shorter since t: from quarter to
// quarter of the last two thirds of that time, and by a tenth in all. A queue that only wanders seldom does.
func (w *World) queueFalls(t time.Duration) bool {
	seconds := w.series.seconds()
	quarter := (seconds - int(t/time.Second)) / 6
	if quarter == 0 {
		return false
	}
	var waiting [4]int64
	for q := range waiting {
		for s := seconds - (4-q)*quarter; s < seconds-(3-q)*quarter; s++ {
			for _, d := range w.series.at(s) {
				waiting[q] += int64(d.queue)
			}
		}
	}
	for q := range waiting[1:] {
		if waiting[q+1] >= waiting[q] {
			return false
		}
	}
	return waiting[3] < waiting[0]*9/10
}
