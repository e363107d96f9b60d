// Package model is the world built from a scenario: users, the edge, the balancer, the app's processes, the dependencies
// behind them, the workers, and what goes wrong. It drives policy.Call in virtual time.
//
//	world.go       the whole, built from a scenario, and its one loop
//	arrivals.go    users: when requests come in, and how the load goes up and down
//	closed.go      users who wait for their answer before they ask again
//	click.go       one user's request on its way: client, edge, balancer, process; and how it ended
//	cap.go         who holds the places of an operation that is capped
//	layer.go       those around the process who try again by themselves: the client and the balancer
//	request.go     a process serving one request: call after call, each under its policy
//	library.go     the client library under a call, which tries again by itself too
//	attempt.go     one attempt at a dependency, which works on it even when its caller has left
//	dependency.go  a server with slots and a queue
//	cache.go       what a cache of keys holds
//	effects.go     what writes have stored, and what of it nobody refers to
//	jobs.go        work off the request path, and the workers who do it
//	fault.go       what is broken when, and what is changed while it runs
//	visit.go       the reader's own request among the crowd's
//	copy.go        the world as it is, to come back to
//	trace.go       what happened, as a hash and as a sample
//	snapshot.go    the world at one moment, for whoever draws it
//	series.go      what happened second by second
//	collect.go     the counts that a report is made of
//
// The network takes no time here: a request is at its process, an attempt at its dependency and an answer back, at the
// instant it is sent. Everything that takes time is a queue, a service or a wait that some rule asked for.
//
// Rows of requests and attempts live in pools and are named by index, so that nothing is allocated once the pools have
// grown; times are integers, and so is every draw, so that a scenario gives the same run on every machine.
//
// Who retries stands in layers: client, balancer, process, library, and each is a policy.Call of its own. An attempt of an
// upper layer is a run of the one beneath it. A layer with nothing to do is not there, and costs nothing.
package model

import (
	"fmt"
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

	operations   []operation // the users' own; after them one for each kind of job
	users        int         // how many of them are the users'
	processes    []process   // the app's; the last is outside of it: the edge and the workers
	lines        []line      // of the policy matrix; after them the edges, which no policy is about
	dependencies []dependency
	balancer     layerRule

	requests  pool[request]
	layers    pool[layer]
	libraries pool[library]
	attempts  pool[attempt]
	intents   pool[intent]
	jobs      pool[job]
	places    pool[place]   // of operations that are capped
	timers    pool[timer]   // of visitors
	visits    []outstanding // the reader's own attempts, all that were ever sent
	workers   workers

	arrival time.Duration // when the next request comes from outside; scenario.Forever if none does
	arrives int           // of which operation
	pick    picker        // the balancer's choice
	end     time.Duration // requests from here on only keep up the load
	frozen  bool          // the end has passed, and was measured
	room    int           // MaxWaiting, but in tests
	changed int           // how many of the settings' changes have been made
	planned time.Duration // when the scenario next has something to say
	soonest time.Duration // that, or the next arrival

	happened int64 // arrivals and events of the queue so far: where in a run something is

	trace   tracer
	windows metrics.Windows
	settled int // of a copy: how many windows it leaves to a later world
	series  series
}

// policyOutcomes is how many outcomes policy has.
const policyOutcomes = int(policy.Deadline) + 1

// MaxWaiting bounds the attempts that are waiting or in service in the whole world, so that a storm without statement
// timeout can't eat all memory: over it every dependency refuses. It bounds the requests under way, too, which nobody may
// ever answer: over it they are turned away; and the jobs that wait: over it no more are made.
const MaxWaiting = 2_000_000

// line is one line of the policy matrix.
type line struct {
	name       string
	rule       policy.Rule
	dependency int
	optional   bool
	keyed      bool          // its writes carry an idempotency key
	killAfter  time.Duration // the statement timeout that its attempts get; 0: none
	timers     des.Lane      // its timeouts
	kills      des.Lane      // its statement timeouts
	library    layerRule
}

// process is one copy of the app.
type process struct {
	budgets  []policy.Budget // by dependency
	jitter   rng.Stream
	caps     []policy.Cap      // by operation
	breakers []*policy.Breaker // by dependency; nil where there is none
	// What calls and library runs are made under, by line.
	terms, libraries []policy.Terms
	inFlight         int
}

// New builds the world of a valid scenario, at time 0.
func New(s scenario.Scenario) *World {
	w := &World{settings: s, room: MaxWaiting, end: scenario.Forever, trace: tracer{every: 1}}
	w.queue.Dead = w.dead
	names := scenario.Names(s.Dependencies)
	for _, name := range names {
		d := dependency{name: name, head: none, tail: none, services: w.queue.NewLane()}
		if set := s.Dependencies[name]; set.Keys.Count > 0 {
			d.cache = newCache(set.Keys)
		}
		w.dependencies = append(w.dependencies, d)
	}
	calls := scenario.Names(s.Policy.Calls)
	for _, name := range calls {
		on := slices.Index(names, s.Policy.Calls[name].Target(name))
		w.lines = append(w.lines, line{name: name, dependency: on, timers: w.queue.NewLane(), kills: w.queue.NewLane(), library: layerRule{lane: noLane}})
	}
	for i, name := range scenario.Names(s.Operations) {
		op := newOperation(s.Seed, name, i)
		op.capped = capped{on: s.Processes.Cap[name] > 0, first: none, last: none}
		set := s.Operations[name]
		for k, call := range set.Steps {
			op.steps = append(op.steps, newStep(s.Seed, slices.Index(calls, call), fmt.Sprintf("%s/%d/%s", name, k, call)))
			op.asks = op.asks || w.dependencies[w.lines[op.steps[k].line].dependency].cache != nil
		}
		if set.Edge != "" {
			op.edge = newStep(s.Seed, len(w.lines), "edge/"+name)
			w.lines = append(w.lines, line{dependency: slices.Index(names, set.Edge)})
		}
		w.operations = append(w.operations, op)
	}
	w.users = len(w.operations)
	w.series.current, w.series.next = make([]rowOperation, w.users), time.Second
	for _, name := range scenario.Names(s.Jobs) {
		w.newJobKind(name, slices.Index(calls, s.Jobs[name].Call))
	}
	w.workers.free = s.Workers.Count
	w.pick = newPicker(s.Seed, s.Processes.Pick)
	w.balancer.lane = noLane
	w.balancer.jitter = rng.Named(s.Seed, "balancer").Stream()
	w.processes = make([]process, s.Processes.Count+1)
	for i := range w.processes {
		p := &w.processes[i]
		p.budgets = slices.Repeat([]policy.Budget{policy.NewBudget(s.Policy.Budget.Policy())}, len(w.dependencies))
		p.jitter = rng.Named(s.Seed, "jitter").Sub(uint64(i)).Stream()
		p.caps = make([]policy.Cap, len(w.operations))
		p.breakers = make([]*policy.Breaker, len(w.dependencies))
		p.terms = make([]policy.Terms, len(w.lines))
		p.libraries = make([]policy.Terms, len(w.lines))
	}
	w.configure()
	for i := range w.operations[:w.users] {
		w.firstArrival(i)
	}
	w.lookOut()
	w.carryOut()
	return w
}

// outside is the process of what happens outside of the app.
func (w *World) outside() int { return len(w.processes) - 1 }

// configure sets every number that may change while the world runs. Rates come with the faults, which may multiply them.
func (w *World) configure() {
	s := &w.settings
	for i := range w.dependencies {
		d := &w.dependencies[i]
		d.measure(w.Now())
		d.configure(s.Dependencies[d.name])
	}
	for i := range w.lines {
		l := &w.lines[i]
		set := s.Policy.Calls[l.name] // of an edge: nothing, so one attempt
		l.rule = set.Rule()
		l.optional = set.Optional
		l.keyed = set.IdempotencyKey
		l.killAfter = time.Duration(set.StatementTimeout)
		if l.killAfter == 0 {
			l.killAfter = time.Duration(s.Dependencies[w.dependencies[l.dependency].name].StatementTimeout)
		}
		l.library.configure(set.Library)
	}
	w.balancer.configure(s.Policy.Balancer)
	for i := range w.operations[:w.users] {
		op := &w.operations[i]
		op.configure(s.Operations[op.name])
	}
	w.configureProcesses()
}

func (w *World) configureProcesses() {
	s := &w.settings
	budget := s.Policy.Budget.Policy()
	for i := range w.processes {
		p := &w.processes[i]
		for d := range p.budgets {
			p.budgets[d].Tune(budget)
		}
		for op := range p.caps[:w.users] {
			p.caps[op].Max = s.Processes.Cap[w.operations[op].name]
		}
		for d := range p.breakers {
			w.configureBreaker(p, i, d)
		}
		for l := range p.terms {
			p.terms[l] = policy.Terms{Rule: &w.lines[l].rule, Jitter: &p.jitter}
			p.libraries[l] = policy.Terms{Rule: &w.lines[l].library.rule, Jitter: &p.jitter}
			if i < w.outside() {
				p.terms[l].Budget = &p.budgets[w.lines[l].dependency]
				p.terms[l].Breaker = p.breakers[w.lines[l].dependency]
			}
		}
	}
}

// configureBreaker makes, tunes or takes away the breaker between a process and a dependency.
func (w *World) configureBreaker(p *process, i, d int) {
	set := w.settings.Policy.Breaker
	stands := set.Enabled && (len(set.Targets) == 0 || slices.Contains(set.Targets, w.dependencies[d].name))
	switch {
	case !stands:
		p.breakers[d] = nil
	case set.Per == "target" && i > 0:
		p.breakers[d] = w.processes[0].breakers[d]
	case p.breakers[d] == nil, set.Per == "process" && i > 0 && p.breakers[d] == w.processes[0].breakers[d]:
		b := policy.NewBreaker(set.Policy())
		p.breakers[d] = &b
	default:
		p.breakers[d].Tune(set.Policy())
	}
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
	return min(w.soonest, w.queue.Due())
}

// Happened is how many arrivals and events there have been: what happens at one instant still has an order.
func (w *World) Happened() int64 { return w.happened }

// Planned is when the scenario next has something to say.
func (w *World) Planned() time.Duration { return w.planned }

// Pass moves the clock to t, though not past what is due.
func (w *World) Pass(t time.Duration) {
	w.measureTo(t)
	w.queue.Pass(t)
}

// What an event is about: the kind in the upper bits, an index in the rest.
const (
	timerEvent   = iota << indexBits // of a request's call
	serviceEvent                     // an attempt's service has run its time
	killEvent                        // an attempt has reached the statement timeout
	layerEvent                       // a client's or the balancer's timer
	libraryEvent                     // a library's timer
	thinkEvent                       // a user has thought
	jobEvent                         // a job is due
	visitEvent                       // a visitor's timer

	indexBits = 28
	indexMask = 1<<indexBits - 1
)

// Next lets the next thing happen if it is due by t; false if nothing is, and then the clock is at t. At one instant, what
// the scenario has planned comes first, then what comes from outside, the requests, then all else in the order in which it
// was set up.
func (w *World) Next(t time.Duration) bool {
	e, ok := w.queue.PopBy(min(t, w.soonest-1))
	if !ok {
		first := w.soonest
		w.measureTo(min(t, first))
		if first > t {
			w.queue.Pass(t)
			return false
		}
		w.queue.Pass(first)
		if first == w.planned {
			w.carryOut()
		} else {
			w.happened++
			w.arrive()
		}
		return true
	}
	w.happened++
	if e.At >= w.series.next || e.At >= w.end {
		w.measureTo(e.At)
	}
	i := int32(e.What & indexMask)
	switch e.What &^ indexMask {
	case timerEvent:
		w.timer(i, e.Ticket)
	case serviceEvent:
		w.served(i, e.Ticket)
	case killEvent:
		w.statementTimeout(i, e.Ticket)
	case layerEvent:
		w.layerTimer(i, e.Ticket)
	case libraryEvent:
		w.libraryTimer(i, e.Ticket)
	case thinkEvent:
		w.thought(i)
	case jobEvent:
		w.jobDue(i)
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
	case layerEvent:
		return w.layers.rows[i].timer != e.Ticket
	case libraryEvent:
		return w.libraries.rows[i].timer != e.Ticket
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
