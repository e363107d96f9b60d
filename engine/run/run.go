// Package run starts, steps and reports on a simulated world, and lets the reader's own request live in it.
//
//	run.go      one run, and on
//	change.go   changed, broken and mended while it goes on
//	visit.go    the reader's own request in it
//	seek.go     back to where it was, with everything that was done to it
//	trail.go    when something last happened, to step back from there
//	compare.go  two policies on one traffic
//	seeds.go    one scenario under many seeds
package run

import (
	"sync"
	"sync/atomic"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/scenario"
)

// Limit is how far a run goes: Advance gets no further. It is the longest duration that a scenario may have.
const Limit = 4 * time.Hour

// drain is how long after its duration a scenario's last requests may take to get their answers.
const drain = time.Minute

// Run is one run. What is changed while it goes on becomes part of its scenario, so that the run can be had again; and
// what the reader's own requests do is written down, so that it can be gone back in.
type Run struct {
	mu    sync.Mutex // guards all but held
	start scenario.Scenario
	world *model.World
	held  atomic.Int32 // visitors at work
	yours uint64       // visits so far
	open  int          // visits that have not left
	tape  tape
	trail trail
}

// New starts a run of s, at time 0 with nothing done yet. The error is that of s.Validate.
func New(s scenario.Scenario) (*Run, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	s = s.Clone()
	return &Run{start: s, world: model.New(s.Clone())}, nil
}

// MaxEvents is how many things may happen in Do: minutes of work. At 17,400 requests a second that is over an hour of the
// pastebin.
const MaxEvents = 1_000_000_000

// Do runs s to the end of its duration, and on until its requests have their answers, or a minute more has passed. If that
// takes more than MaxEvents, the report is of what there was until then, and says that it is cut short.
func Do(s scenario.Scenario) (metrics.Report, error) { return do(s, MaxEvents) }

func do(s scenario.Scenario, most int64) (metrics.Report, error) {
	if err := s.Validate(); err != nil {
		return metrics.Report{}, err
	}
	w := model.New(s.Clone())
	end := time.Duration(s.Duration)
	w.End(end)
	room := func() bool { return w.Happened() < most && w.Events() < most }
	for room() && w.Next(end) {
	}
	cut := w.Now() < end
	for w.InFlight() > 0 && room() && w.Next(end+drain) {
	}
	w.Conclude()
	rep := w.Report()
	rep.CutShort = cut
	return rep, nil
}

// Now is the virtual time.
func (r *Run) Now() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.world.Now()
}

// Advance moves on to the virtual time to, or to Limit if that is sooner, at most events events further, and stops as
// soon as a visitor is at work. It tells whether it got there. It does not end at the scenario's duration: a page plays
// on.
func (r *Run) Advance(to time.Duration, events int) (there bool) { return r.advance(to, events, false) }

// Approach is Advance on the way to where somebody may want to step back from, for Before: it looks when things happen.
func (r *Run) Approach(to time.Duration, events int) (there bool) { return r.advance(to, events, true) }

func (r *Run) advance(to time.Duration, events int, looks bool) (there bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	to = min(to, Limit)
	r.settle()
	if looks {
		r.trail.begin(r.world.Now())
		defer func() { r.trail.now = r.world.Now() }()
	}
	for range events {
		if r.Held() {
			return false
		}
		happened := r.world.Events()
		if !r.next(to) {
			r.mark()
			return true
		}
		if looks && r.world.Events() > happened {
			r.trail.note(r.world.Now())
		}
	}
	r.mark()
	return false
}

// Step moves on to the next instant at which something happens to a request, and past all that happens in it. It does
// nothing while a visitor is at work, or if nothing is to come before Limit.
func (r *Run) Step() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settle()
	for before := r.world.Events(); !r.Held() && r.world.Events() == before && r.due() <= Limit; {
		r.next(r.due())
	}
	for !r.Held() && r.next(r.world.Now()) {
	}
}

// Settings is the scenario with every change made that was made until now.
func (r *Run) Settings() scenario.Scenario {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.world.Settings().Clone()
}

// Scenario is what has been run so far, with everything that was set, broken and mended on its timeline: a run of it is
// this run again.
func (r *Run) Scenario() scenario.Scenario {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.start.Clone()
	now := r.world.Settings().Clone()
	s.Changes, s.Faults = now.Changes, now.Faults
	s.Duration = scenario.Duration(min(max(r.world.Now(), time.Millisecond), Limit))
	return s
}

// Snapshot fills s with the world as it is.
func (r *Run) Snapshot(s *model.Snapshot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.world.Snapshot(s)
}

// Glance is Snapshot without the trace, which the next Snapshot has.
func (r *Run) Glance(s *model.Snapshot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.world.Glance(s)
}

// SampleEvery traces one request in n from now on. 1 traces all.
func (r *Run) SampleEvery(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.world.SampleEvery(n)
}

// Report is what the run came to until now.
func (r *Run) Report() metrics.Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.world.Report()
}

// Rows is Report().Series[from:], the seconds from that on which are over, and costs no more than those rows. A second's
// figures of its own requests go on changing until all of those have ended.
func (r *Run) Rows(from int) []metrics.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.world.Series(from)
}

// Hold stops the run until Release: somebody is at work, in no virtual time at all.
func (r *Run) Hold() { r.held.Add(1) }

// Release ends a Hold.
func (r *Run) Release() {
	if r.held.Add(-1) < 0 {
		panic("run: released more often than held")
	}
}

// Held tells whether a visitor is at work, so that the run stands still.
func (r *Run) Held() bool { return r.held.Load() > 0 }
