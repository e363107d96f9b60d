package model

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/policy"
)

// counts is what a dependency has seen and done.
type counts struct {
	First, Retries, Hedges                        int64
	Refused, Shed, Timeouts, TurnedAway           int64
	Completed, Abandoned, Killed                  int64
	Stored, Duplicates, Repeated, Orphans, Reaped int64
	Hits                                          int64
	MaxQueue                                      int
	// Areas under the number in service and the number in the system, in ns.
	busyArea, inSystemArea float64
	measured               time.Duration
}

// measure brings the areas up to now. Called before the numbers change. The conversions keep the compiler from fusing
// multiplication and addition, which not every machine does alike.
func (d *dependency) measure(now time.Duration) {
	dt := float64(now - d.measured)
	d.measured = now
	d.busyArea += float64(dt * float64(d.busy))
	d.inSystemArea += float64(dt * float64(d.busy+d.waiting))
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
	rep.Series = w.rows(until)
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
		out.Utilization = done.busyArea / float64(until) / float64(d.slots)
		out.InSystemMean = done.inSystemArea / float64(until)
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

// open is how many of the breakers before a dependency let nobody through, or only a probe.
func (w *World) open(dependency int) (n int) {
	for b := range w.breakersAt(dependency) {
		if b.State(w.Now()) != policy.BreakerClosed {
			n++
		}
	}
	return n
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
		s := after.Seconds()
		rep.RecoveryS = &s
		return
	}
	rep.Metastable = until-ended >= 30*time.Second && !w.queueFalls(ended)
}

// queueFalls tells whether the queues of all dependencies together have been getting shorter since t: whether they were
// shorter, on average, in the last third of the time since than in the third before it.
func (w *World) queueFalls(t time.Duration) bool {
	from := int(t / time.Second)
	seconds := w.series.seconds()
	third := (seconds - from) / 3
	sum := func(from, to int) (n int64) {
		for s := from; s < to; s++ {
			for _, d := range w.series.at(s) {
				n += int64(d.queue)
			}
		}
		return n
	}
	return third > 0 && sum(seconds-third, seconds) < sum(seconds-2*third, seconds-third)*95/100
}

// Snapshot fills s with the world as it is, and starts a new sample.
func (w *World) Snapshot(s *Snapshot) {
	s.Now = w.Now()
	s.Requests = w.counted()
	s.Operations = slices.Grow(s.Operations[:0], w.users)
	for i := range w.operations[:w.users] {
		op := &w.operations[i]
		s.Operations = append(s.Operations, OperationNow{Name: op.name, Rate: op.rate, Requests: op.counts})
	}
	s.Processes = slices.Grow(s.Processes[:0], w.outside())
	for i := range w.processes[:w.outside()] {
		tokens := w.processes[i].tokens()
		s.Processes = append(s.Processes, ProcessNow{InFlight: w.processes[i].inFlight, Tokens: tokens})
	}
	for len(s.Dependencies) < len(w.dependencies) {
		s.Dependencies = append(s.Dependencies, DependencyNow{})
	}
	s.Dependencies = s.Dependencies[:len(w.dependencies)]
	for i := range w.dependencies {
		w.look(i, &s.Dependencies[i])
	}
	s.Trace = append(s.Trace[:0], w.trace.sample...)
	w.trace.sample = w.trace.sample[:0]
	s.SampleEvery = w.trace.every
}

func (p *process) tokens() int {
	fewest := p.budgets[0].Tokens()
	for i := range p.budgets {
		fewest = min(fewest, p.budgets[i].Tokens())
	}
	if fewest < 0 {
		return -1
	}
	return int(fewest / 1000)
}

// look fills in one dependency. Slots that were taken away are shown for as long as they are held.
func (w *World) look(i int, s *DependencyNow) {
	d := &w.dependencies[i]
	slots, waiting := s.Slots[:0], s.Waiting[:0]
	for k, i := range d.held {
		switch {
		case i != none:
			a := &w.attempts.rows[i]
			slots = append(slots, SlotNow{Holder: a.holder(), Since: a.started})
		case k < d.slots:
			slots = append(slots, SlotNow{})
		}
	}
	for i := d.head; i != none && len(waiting) < WaitingLimit; i = w.attempts.rows[i].next {
		waiting = append(waiting, w.attempts.rows[i].holder())
	}
	*s = DependencyNow{
		Name: d.name, Slots: slots, Busy: d.busy, Waiting: waiting, Queue: d.waiting, Health: d.health,
		First: d.First, Retries: d.Retries, Hedges: d.Hedges, Refused: d.Refused, Shed: d.Shed, Timeouts: d.Timeouts,
		Completed: d.Completed, Abandoned: d.Abandoned, Killed: d.Killed, MaxQueue: d.MaxQueue,
		TurnedAway: d.TurnedAway, Open: w.open(i),
	}
}
