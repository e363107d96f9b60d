package model

import (
	"slices"
	"time"

	"stormbin/engine/metrics"
)

// series is a row for each second of the run: of operations what happened in it, of dependencies the counts at its end.
type series struct {
	next    time.Duration  // when the second that is running is over
	current []rowOperation // by operation, of that second
	latency metrics.Histogram

	times        []rowTimes
	operations   []rowOperation
	dependencies []rowDependency
}

type rowTimes struct{ p50, p99 time.Duration }

type rowOperation struct{ offered, ended, endedOK int32 }

type rowDependency struct {
	attempts, retries, hedges, refused, shed, timeouts, completed, turnedAway int64
	busyTime                                                                  time.Duration // of all slots together
	queue, busy, open                                                         int32
}

func (s *series) offer(operation int) { s.current[operation].offered++ }

// end counts a request that has ended now.
func (s *series) end(operation int, took time.Duration, ok bool) {
	s.latency.Add(took)
	c := &s.current[operation]
	c.ended++
	if ok {
		c.endedOK++
	}
}

// take shares the rows of a later state of the same run until now. They never change; whoever appends gets rows of its own.
func (s *series) take(later *series) {
	n := int(s.next/time.Second) - 1
	if n == 0 {
		return
	}
	operations, dependencies := len(later.operations)/len(later.times), len(later.dependencies)/len(later.times)
	s.times = slices.Clip(later.times[:n])
	s.operations = slices.Clip(later.operations[:n*operations])
	s.dependencies = slices.Clip(later.dependencies[:n*dependencies])
}

func (s *series) seconds() int { return len(s.times) }

// at is the dependencies at the end of a second.
func (s *series) at(second int) []rowDependency {
	n := len(s.dependencies) / len(s.times)
	return s.dependencies[second*n : (second+1)*n]
}

// closeRow ends a second.
func (w *World) closeRow() {
	s := &w.series
	end := s.next
	s.next += time.Second
	s.times = append(s.times, rowTimes{s.latency.Quantile(0.50), s.latency.Quantile(0.99)})
	s.latency = metrics.Histogram{}
	s.operations = append(s.operations, s.current...)
	clear(s.current)
	for i := range w.dependencies {
		d := &w.dependencies[i]
		open, _ := w.open(i)
		s.dependencies = append(s.dependencies, rowDependency{
			d.attempts(), d.Retries, d.Hedges, d.Refused, d.Shed, d.Timeouts, d.Completed, d.TurnedAway,
			d.busyTime(end), int32(d.waiting), int32(d.busy), int32(open),
		})
	}
}

// Series is that of the report from a second on, and costs no more than those rows.
func (w *World) Series(from int) []metrics.Row {
	s := &w.series
	over := min(int(min(w.Now(), w.end)/time.Second), s.seconds())
	from = min(max(from, 0), over)
	out := make([]metrics.Row, 0, over-from)
	was := make([]rowDependency, len(w.dependencies))
	if from > 0 {
		copy(was, s.at(from-1))
	}
	for second := from; second < over; second++ {
		t := w.windows.Second(second)
		r := metrics.Row{
			TS: second, Offered: int64(t.Offered), OK: int64(t.OK), Failed: int64(t.Failed), Bad: t.Bad(w.settings.BadShare),
			P50S: s.times[second].p50.Seconds(), P99S: s.times[second].p99.Seconds(),
			Operations: map[string]metrics.RowOperation{}, Dependencies: map[string]metrics.RowDependency{},
		}
		for i, o := range s.operations[second*w.users : (second+1)*w.users] {
			r.Operations[w.operations[i].name] = metrics.RowOperation{
				Offered: int64(o.offered), Ended: int64(o.ended), EndedOK: int64(o.endedOK),
			}
		}
		for i, now := range s.at(second) {
			r.Dependencies[w.dependencies[i].name] = metrics.RowDependency{
				Attempts: now.attempts - was[i].attempts, Retries: now.retries - was[i].retries, Hedges: now.hedges - was[i].hedges,
				Refused: now.refused - was[i].refused, Shed: now.shed - was[i].shed, Timeouts: now.timeouts - was[i].timeouts,
				Completed: now.completed - was[i].completed, TurnedAway: now.turnedAway - was[i].turnedAway,
				Queue: int64(now.queue), Busy: int64(now.busy), BusyMean: (now.busyTime - was[i].busyTime).Seconds(), Open: int64(now.open),
			}
			was[i] = now
		}
		out = append(out, r)
	}
	return out
}

// measureTo closes the seconds that are over by t, and the measurement of the dependencies if the end is.
func (w *World) measureTo(t time.Duration) {
	for w.series.next <= t && w.series.next <= w.end {
		w.closeRow()
	}
	if !w.frozen && t >= w.end {
		w.freeze()
	}
}
