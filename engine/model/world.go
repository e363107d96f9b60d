// Package model is the world built from a scenario: users, the app's processes, the dependencies behind them, and what
// goes wrong. It drives policy.Call in virtual time.
//
//	world.go       the whole, built from a scenario, and its one loop
//	arrivals.go    users: when requests come in
//	request.go     a process serving one request: call after call, each under its policy
//	dependency.go  a server with slots and a queue
//	attempt.go     one attempt at a dependency, which works on it even when its caller has left
//	fault.go       what is broken when
//	visit.go       the reader's own request among the crowd's
//	trace.go       what happened, as a hash and as a sample
//	snapshot.go    the world at one moment, for whoever draws it
//	collect.go     the counts that a report is made of
//
// The network takes no time here: a request is at its process, an attempt at its dependency and an answer back, at the
// instant it is sent. Everything that takes time is a queue, a service or a wait that some rule asked for.
//
// Rows of requests and attempts live in pools and are named by index, so that nothing is allocated once the pools have
// grown; times are integers, and so is every draw, so that a scenario gives the same run on every machine.
package model

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"stormbin/engine/des"
	"stormbin/engine/metrics"
	"stormbin/engine/policy"
	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// World is a running system. Made by [New]; one goroutine at a time.
type World struct {
	settings scenario.Scenario
	queue    des.Queue

	operations   []operation
	processes    []process
	lines        []line
	dependencies []dependency

	requests pool[request]
	attempts pool[attempt]
	timers   pool[timer] // of visitors
	visits   pool[*Outstanding]

	arrived uint64        // requests so far, for the balancer's turn
	end     time.Duration // requests from here on only keep up the load
	frozen  bool          // the end has passed, and was measured
	room    int           // MaxWaiting, but in tests
	changed int           // how many of the settings' changes have been made
	breaks  time.Duration // when the next fault begins or ends

	trace   tracer
	latency metrics.Histogram
	windows metrics.Windows
	results [policyOutcomes]int64
	late    int64
	rows    []row
}

// policyOutcomes is how many outcomes policy has.
const policyOutcomes = int(policy.Deadline) + 1

// MaxWaiting bounds the attempts that are waiting or in service in the whole world, so that a storm without statement
// timeout can't eat all memory: over it every dependency refuses. It bounds the requests under way, too, which nobody may
// ever answer: over it they are turned away.
const MaxWaiting = 2_000_000

// line is one line of the policy matrix.
type line struct {
	name       string
	rule       policy.Rule
	dependency int
	optional   bool
	killAfter  time.Duration // the statement timeout that its attempts get; 0: none
	timers     des.Lane      // its timeouts
	kills      des.Lane      // its statement timeouts
}

// process is one copy of the app.
type process struct {
	budget   policy.Budget
	jitter   rng.Stream
	caps     []policy.Cap // by operation
	inFlight int
}

// New builds the world of a valid scenario, at time 0.
func New(s scenario.Scenario) *World {
	w := &World{settings: s, room: MaxWaiting, end: scenario.Forever, trace: tracer{every: 1}}
	w.queue.Dead = w.dead
	names := slices.Sorted(maps.Keys(s.Dependencies))
	index := map[string]int{}
	for i, name := range names {
		index[name] = i
		w.dependencies = append(w.dependencies, dependency{name: name, head: none, tail: none, services: w.queue.NewLane()})
	}
	index = map[string]int{}
	for i, name := range slices.Sorted(maps.Keys(s.Policy.Calls)) {
		index[name] = i
		on := slices.Index(names, s.Policy.Calls[name].Target(name))
		w.lines = append(w.lines, line{name: name, dependency: on, timers: w.queue.NewLane(), kills: w.queue.NewLane()})
	}
	for i, name := range slices.Sorted(maps.Keys(s.Operations)) {
		op := operation{name: name, arrivals: rng.Named(s.Seed, "arrivals/"+name), index: i}
		for i, call := range s.Operations[name].Steps {
			op.steps = append(op.steps, newStep(s.Seed, index[call], fmt.Sprintf("%s/%d/%s", name, i, call)))
		}
		w.operations = append(w.operations, op)
	}
	w.processes = make([]process, s.Processes.Count)
	for i := range w.processes {
		p := &w.processes[i]
		p.budget = policy.NewBudget(s.Policy.Budget.Percent, s.Policy.Budget.FloorPerSecond)
		p.jitter = rng.Named(s.Seed, "jitter").Sub(uint64(i)).Stream()
		p.caps = make([]policy.Cap, len(w.operations))
	}
	w.configure()
	for i := range w.operations {
		w.firstArrival(i)
	}
	w.applyFaults()
	return w
}

// configure sets every number that may change while the world runs. Rates come with the faults, which may multiply them.
func (w *World) configure() {
	s := &w.settings
	for i := range w.dependencies {
		d := &w.dependencies[i]
		set := s.Dependencies[d.name]
		d.configure(set)
	}
	for i := range w.lines {
		l := &w.lines[i]
		set := s.Policy.Calls[l.name]
		l.rule = set.Rule()
		l.optional = set.Optional
		l.killAfter = time.Duration(set.StatementTimeout)
		if l.killAfter == 0 {
			l.killAfter = time.Duration(s.Dependencies[w.dependencies[l.dependency].name].StatementTimeout)
		}
	}
	for i := range w.operations {
		op := &w.operations[i]
		set := s.Operations[op.name]
		op.even = set.Arrivals == "even"
		op.idempotent = set.Idempotent
		op.deadline = time.Duration(set.Deadline)
	}
	for i := range w.processes {
		p := &w.processes[i]
		p.budget.Tune(s.Policy.Budget.Percent, s.Policy.Budget.FloorPerSecond)
		for op := range p.caps {
			p.caps[op].Max = s.Processes.Cap[w.operations[op].name]
		}
	}
}

// budget is what bounds the retries of a process; nil for nothing.
func (w *World) budget(process int) *policy.Budget {
	if b := w.settings.Policy.Budget; b.Percent == 0 && b.FloorPerSecond == 0 {
		return nil
	}
	return &w.processes[process].budget
}

// Now is the virtual time.
func (w *World) Now() time.Duration { return w.queue.Now() }

// Settings is the scenario as it is now.
func (w *World) Settings() scenario.Scenario { return w.settings }

// End ends what is measured at t. Requests go on coming, so that those before the end finish in the world as it was, but
// they are not counted, and neither is what dependencies do.
func (w *World) End(t time.Duration) { w.end = t }

// InFlight is how many counted requests wait for their answer.
func (w *World) InFlight() int64 { return w.counted().InFlight }

// Due is when the next thing happens; scenario.Forever if nothing ever will.
func (w *World) Due() time.Duration {
	_, arrival := w.nextArrival()
	return min(w.planned(), arrival, w.queue.Due())
}

// What an event is about: the kind in the upper bits, an index in the rest.
const (
	timerEvent   = iota << indexBits // of a request's call
	serviceEvent                     // an attempt's service has run its time
	killEvent                        // an attempt has reached the statement timeout
	visitEvent                       // a visitor's timer

	indexBits = 28
	indexMask = 1<<indexBits - 1
)

// Next lets the next thing happen if it is due by t; false if nothing is, and then the clock is at t. At one instant, what
// the scenario has planned comes first, then what comes from outside, the requests, then all else in the order in which it
// was set up.
func (w *World) Next(t time.Duration) bool {
	planned := w.planned()
	op, arrival := w.nextArrival()
	first := min(planned, arrival)
	e, ok := w.queue.PopBy(min(t, first-1))
	if !ok {
		w.measureTo(min(t, first))
		if first > t {
			w.queue.Pass(t)
			return false
		}
		w.queue.Pass(first)
		if first == planned {
			w.carryOut()
		} else {
			w.arrive(op)
		}
		return true
	}
	w.measureTo(e.At)
	i := int32(e.What & indexMask)
	switch e.What &^ indexMask {
	case timerEvent:
		w.timer(i, e.Ticket)
	case serviceEvent:
		w.served(i, e.Ticket)
	case killEvent:
		w.statementTimeout(i, e.Ticket)
	case visitEvent:
		w.visitTimer(i)
	}
	return true
}

// dead tells whether an event is about something that is over.
func (w *World) dead(e des.Event) bool {
	switch i := e.What & indexMask; e.What &^ indexMask {
	case timerEvent:
		return w.requests.rows[i].timer != e.Ticket
	case killEvent:
		return w.attempts.rows[i].kill != e.Ticket
	case serviceEvent:
		return w.attempts.rows[i].done != e.Ticket
	}
	return false
}

const none = int32(-1)

// pool holds rows by index, and reuses them.
type pool[T any] struct {
	rows []T
	free []int32
}

// take gives a row, as it was left. Pointers into the pool don't outlive it.
func (p *pool[T]) take() int32 {
	if n := len(p.free); n > 0 {
		i := p.free[n-1]
		p.free = p.free[:n-1]
		return i
	}
	var row T
	p.rows = append(p.rows, row)
	return int32(len(p.rows) - 1)
}

func (p *pool[T]) put(i int32) { p.free = append(p.free, i) }

// held is how many rows are taken.
func (p *pool[T]) held() int { return len(p.rows) - len(p.free) }
