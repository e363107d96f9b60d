package model

import (
	"fmt"
	"slices"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/policy"
)

// counts is what a dependency has seen and done.
type counts struct {
	First, Retries, Refused, Timeouts int64
	Completed, Abandoned, Killed      int64
	Stored, Duplicates                int64
	MaxQueue                          int
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

// row is a second of the run: the counts of each dependency at its end.
type row []rowDependency

type rowDependency struct {
	attempts, retries, timeouts, completed int64
	queue, busy                            int
}

func (w *World) closeRow() {
	r := make(row, len(w.dependencies))
	for i := range w.dependencies {
		d := &w.dependencies[i]
		r[i] = rowDependency{d.First + d.Retries, d.Retries, d.Timeouts, d.Completed, d.waiting, d.busy}
	}
	w.rows = append(w.rows, r)
}

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
		Dependencies: map[string]metrics.Dependency{},
		BadSeconds:   w.windows.BadSeconds(s.BadShare),
	}
	rep.Requests = w.requestCounts()
	for i := range w.dependencies {
		rep.Dependencies[w.dependencies[i].name] = w.dependencyReport(&w.dependencies[i], until)
	}
	w.judge(&rep, until)
	rep.Series = w.series(until)
	rep.Verdict = metrics.Verdict(&rep, s)
	return rep
}

// counted adds up the requests of all operations.
func (w *World) counted() (sum Requests) {
	for i := range w.operations {
		c := &w.operations[i].counts
		sum.Offered += c.Offered
		sum.OK += c.OK
		sum.Failed += c.Failed
		sum.Shed += c.Shed
		sum.Late += c.Late
		sum.InFlight += c.InFlight
	}
	return sum
}

func (w *World) requestCounts() metrics.Requests {
	out := metrics.Requests{Outcomes: map[string]int64{}, LatencyS: metrics.Quantiles{
		P50: w.latency.Quantile(0.50).Seconds(),
		P95: w.latency.Quantile(0.95).Seconds(),
		P99: w.latency.Quantile(0.99).Seconds(),
		Max: w.latency.Max().Seconds(),
	}}
	c := w.counted()
	out.Offered, out.OK, out.Failed, out.Shed, out.Late, out.Unfinished = c.Offered, c.OK, c.Failed, c.Shed, c.Late, c.InFlight
	for o, n := range w.results {
		if n > 0 {
			out.Outcomes[policy.Outcome(o).String()] = n
		}
	}
	if w.late > 0 {
		out.Outcomes["late"] = w.late
	}
	return out
}

func (w *World) dependencyReport(d *dependency, until time.Duration) metrics.Dependency {
	done := d.atEnd
	if !w.frozen {
		d.measure(w.Now())
		done = d.counts
	}
	out := metrics.Dependency{
		FirstAttempts: d.First, Attempts: d.First + d.Retries, Retries: d.Retries, Amplification: 1,
		Refused: d.Refused, Timeouts: d.Timeouts, Stored: d.Stored, Duplicates: d.Duplicates,
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
	return out
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
	if from >= len(w.rows) {
		return false
	}
	since := w.rows[from:]
	third := len(since) / 3
	sum := func(rows []row) (n int) {
		for _, r := range rows {
			for _, d := range r {
				n += d.queue
			}
		}
		return n
	}
	return sum(since[len(since)-third:]) < sum(since[len(since)-2*third:len(since)-third])*95/100
}

func (w *World) series(until time.Duration) []metrics.Row {
	seconds := int(until / time.Second)
	out := make([]metrics.Row, 0, seconds)
	var before row
	for s := range min(seconds, len(w.rows)) {
		t := w.windows.Second(s)
		r := metrics.Row{
			TS: s, Offered: int64(t.Offered), OK: int64(t.OK), Failed: int64(t.Failed), Bad: t.Bad(w.settings.BadShare),
			Dependencies: map[string]metrics.RowDependency{},
		}
		for i, now := range w.rows[s] {
			var was rowDependency
			if before != nil {
				was = before[i]
			}
			r.Dependencies[w.dependencies[i].name] = metrics.RowDependency{
				Attempts: now.attempts - was.attempts, Retries: now.retries - was.retries,
				Timeouts: now.timeouts - was.timeouts, Completed: now.completed - was.completed,
				Queue: int64(now.queue), Busy: int64(now.busy),
			}
		}
		before = w.rows[s]
		out = append(out, r)
	}
	return out
}

// Snapshot fills s with the world as it is, and starts a new sample.
func (w *World) Snapshot(s *Snapshot) {
	s.Now = w.Now()
	s.Requests = w.counted()
	s.Operations = slices.Grow(s.Operations[:0], len(w.operations))
	for i := range w.operations {
		op := &w.operations[i]
		s.Operations = append(s.Operations, OperationNow{Name: op.name, Rate: op.rate, Requests: op.counts})
	}
	s.Processes = slices.Grow(s.Processes[:0], len(w.processes))
	for i := range w.processes {
		tokens := -1
		if b := w.budget(i); b != nil {
			tokens = int(b.Tokens() / 1000)
		}
		s.Processes = append(s.Processes, ProcessNow{InFlight: w.processes[i].inFlight, Tokens: tokens})
	}
	for len(s.Dependencies) < len(w.dependencies) {
		s.Dependencies = append(s.Dependencies, DependencyNow{})
	}
	s.Dependencies = s.Dependencies[:len(w.dependencies)]
	for i := range w.dependencies {
		w.look(&w.dependencies[i], &s.Dependencies[i])
	}
	s.Trace = append(s.Trace[:0], w.trace.sample...)
	w.trace.sample = w.trace.sample[:0]
	s.SampleEvery = w.trace.every
}

// look fills in one dependency. Slots that were taken away are shown for as long as they are held.
func (w *World) look(d *dependency, s *DependencyNow) {
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
		First: d.First, Retries: d.Retries, Refused: d.Refused, Timeouts: d.Timeouts,
		Completed: d.Completed, Abandoned: d.Abandoned, Killed: d.Killed, MaxQueue: d.MaxQueue,
	}
}
