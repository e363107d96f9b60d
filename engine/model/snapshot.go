package model

import (
	"slices"
	"time"
)

// Snapshot is the world at one moment, for drawing and for telling. [World.Snapshot] fills one that it is handed and
// reuses its slices, so a caller that keeps one per frame allocates nothing.
//
// Counts are exact and since the start. Trace is a sample, and says of how many.
type Snapshot struct {
	Now          time.Duration
	Requests     Requests
	Operations   []OperationNow
	Processes    []ProcessNow
	Dependencies []DependencyNow
	Caps         []CapNow // of each operation that is capped, in the order of Operations
	Workers      WorkersNow
	// Trace is what happened since the last snapshot to one request in SampleEvery and to every one of the reader's
	// own, in order, up to TraceLimit events; later ones are left out.
	Trace       []Event
	SampleEvery int
}

// TraceLimit bounds Snapshot.Trace.
const TraceLimit = 4096

// Requests counts users' requests by what became of them. Offered = OK + Failed + Shed + Late + InFlight.
type Requests struct {
	Offered  int64
	Tries    int64 // requests sent, with those that users sent again
	OK       int64 // answered rightly and in time
	Failed   int64
	Shed     int64 // turned away at a process's cap
	Late     int64 // answered after the user had left
	InFlight int64
}

// OperationNow is one operation's load.
type OperationNow struct {
	Name     string
	Rate     float64 // arrivals a second now, surges included
	Requests Requests
}

// ProcessNow is one process.
type ProcessNow struct {
	InFlight int
	// Tokens is how many retries its budgets would allow now, of that with the fewest; negative if nothing bounds them.
	Tokens int
}

// CapNow is the places that all processes together have for one operation.
type CapNow struct {
	Operation string
	Slots     int
	Busy      int // with requests of the reader's own
	// Held is since when each of those is held, up to CapHeldLimit, the oldest first.
	Held  []time.Duration
	Ended int64 // requests that have given theirs back, since the start
}

// CapHeldLimit bounds CapNow.Held.
const CapHeldLimit = 4096

// WorkersNow is the workers, and the jobs that wait for one: those that are due, and those that will be after their delay, or
// after the backoff of a run that went badly.
type WorkersNow struct {
	Count, Busy int
	Waiting     int
}

// DependencyNow is one dependency: its slots and queue as they stand, its counts since the start.
type DependencyNow struct {
	Name string
	// Slots has one entry a slot, in the order of the slots, which an attempt keeps while it is served.
	Slots []SlotNow
	Busy  int
	// BusyTime is for how long its slots have been busy since the start, all of them together.
	BusyTime time.Duration
	// Waiting is the head of the queue, up to WaitingLimit; Queue is how many wait in all.
	Waiting []Holder
	Queue   int
	Health  Health

	First     int64 // first attempts that arrived
	Retries   int64
	Hedges    int64
	Refused   int64
	Shed      int64 // turned away with a word about when to come again
	Timeouts  int64 // attempts whose caller stopped waiting
	Completed int64 // services that ran to their end, Abandoned included
	Abandoned int64 // of those, for nobody
	Killed    int64 // ended by a statement timeout or a cancel
	Unserved  int64 // of those, before a slot took them up
	MaxQueue  int

	Hits       int64 // of a cache or an edge: answered with no need of what comes after it
	Duplicates int64 // writes that took effect beyond the first of one click
	Orphans    int64 // stored, with nothing that refers to it

	TurnedAway int64 // answered by a breaker in its place
	Open       int   // how many of the breakers before it are open, or half-open
	HalfOpen   int   // of Open
}

// Attempts is all that arrived.
func (d *DependencyNow) Attempts() int64 { return d.First + d.Retries + d.Hedges }

// Amplification is attempts per first attempt: 1 with no retries, and 1 before anything arrived.
func (d *DependencyNow) Amplification() float64 {
	if d.First == 0 {
		return 1
	}
	return float64(d.Attempts()) / float64(d.First)
}

// WaitingLimit bounds DependencyNow.Waiting.
const WaitingLimit = 256

// Holder says on whose behalf a slot is held or a place in the queue taken. The zero value is nobody: a free slot.
type Holder uint8

const (
	Nobody    Holder = iota
	First            // a first attempt
	Retry            // a later one
	Hedge            // a second one, beside another that is waited for too
	Abandoned        // nobody waits for it any more
	Yours            // the reader's own
	YoursLeft        // the reader's own, given up on
)

// SlotNow is one slot: who holds it, and since when.
type SlotNow struct {
	Holder Holder
	Since  time.Duration
}

// Health is what is wrong with a dependency now, all faults together. A healthy one is Health{Slow: 1, Capacity: 1}.
type Health struct {
	Slow      float64 // service times are multiplied by this
	Capacity  float64 // slots are multiplied by this
	Flaky     float64 // share that fails at once
	Lose      float64 // share whose answer goes missing
	Stalled   bool    // accepts, and serves nothing
	Down      bool    // refuses at once
	Blackhole bool    // never answers
	Flushed   bool    // a cache that has nothing
}

// Well tells whether nothing is wrong.
func (h Health) Well() bool { return h == Health{Slow: 1, Capacity: 1} }

// Event is one thing that happened to a request or to one of its attempts.
type Event struct {
	At      time.Duration
	Kind    EventKind
	Attempt uint8  // 1 is the first; where a request ended, how many its last call sent; else 0
	Holder  Holder // on whose behalf; never Nobody
	Process uint16 // one more than the last for what is sent by the edge or by a worker
	Place   uint16 // the operation (Arrived, Answered, Failure, ShedAtCap) or the dependency (all others), by index
	Request uint64 // the request's number
	// Until is, of Sent, when its caller stops waiting, if nothing comes of it sooner; 0: never. Of BackingOff it is when the
	// wait is over and the attempt is sent. Of all others it is 0.
	Until time.Duration
}

// EventKind says what happened.
type EventKind uint8

const (
	Arrived   EventKind = iota + 1 // a request came in
	Sent                           // an attempt arrived at a dependency
	Started                        // a slot took it up
	Completed                      // it was served to the end
	Refusal                        // it was refused or failed at once
	TimedOut                       // its caller stopped waiting
	Killed                         // the dependency dropped it
	Answered                       // the request ended well
	Failure                        // the request ended badly
	ShedAtCap                      // the request was turned away at a cap
	Beaten                         // its caller stopped waiting, since its twin was answered
	// BackingOff is a process, or the library under its call, that waits before it sends an attempt again: that one is meant.
	BackingOff
)

// Snapshot fills s with the world as it is, and starts a new sample.
func (w *World) Snapshot(s *Snapshot) {
	w.Glance(s)
	s.Trace = append(s.Trace, w.trace.sample...)
	w.trace.sample = w.trace.sample[:0]
}

// Glance is Snapshot without the sample, which goes on.
func (w *World) Glance(s *Snapshot) {
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
	w.lookAtCaps(s)
	s.Workers = w.workersNow()
	s.Trace = s.Trace[:0]
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
	open, halfOpen := w.open(i)
	*s = DependencyNow{
		Name: d.name, Slots: slots, Busy: d.busy, BusyTime: d.busyTime(w.Now()), Waiting: waiting, Queue: d.waiting, Health: d.health,
		First: d.First, Retries: d.Retries, Hedges: d.Hedges, Refused: d.Refused, Shed: d.Shed, Timeouts: d.Timeouts,
		Completed: d.Completed, Abandoned: d.Abandoned, Killed: d.Killed, Unserved: d.Unserved, MaxQueue: d.MaxQueue,
		Hits: d.Hits, Duplicates: d.Duplicates, Orphans: d.Orphans, TurnedAway: d.TurnedAway, Open: open, HalfOpen: halfOpen,
	}
}
