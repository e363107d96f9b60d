package model

import (
	"math"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// operation is one thing that users ask for, and the users who do; or one kind of job, which nobody asks for.
type operation struct {
	name       string
	index      int
	steps      []step
	edge       step    // with line none: there is none
	asks       bool    // a cache for keys
	leaves     [3]bool // jobs, by when
	idempotent bool
	copies     int
	deadline   time.Duration // 0: none
	client     layerRule
	kind       *jobKind // of a job; nil for what users ask for
	capped     capped

	arrivals rng.Key
	even     bool
	closed   closed
	shape    shape
	mean     rng.Fixed     // between arrivals; 0: none come
	rate     float64       // a second, the surge included
	n        uint64        // how many came
	next     time.Duration // the next arrival; scenario.Forever while none come
	rest     rng.Fixed     // of an even gap, the fraction of a nanosecond still owed
	paused   rng.Units     // while none come: what is left of the gap

	counts  Requests
	results [policyOutcomes]int64
	latency metrics.Histogram
}

func newOperation(seed uint64, name string, index int) operation {
	return operation{
		name: name, index: index, arrivals: rng.Named(seed, "arrivals/"+name), edge: step{line: int(none)},
		client: layerRule{lane: noLane, jitter: rng.Named(seed, "client/"+name).Stream()},
	}
}

func (op *operation) configure(set scenario.Operation) {
	op.even = set.Arrivals == "even"
	op.idempotent = set.Idempotent
	op.copies = set.Copies
	op.deadline = time.Duration(set.Deadline)
	op.client.configure(set.Client)
	if op.deadline > 0 && (op.client.rule.Timeout == 0 || op.deadline < op.client.rule.Timeout) {
		op.client.rule.Timeout = op.deadline
	}
	op.client.present = op.client.present || set.Arrivals == "closed"
}

// step is one call of an operation, with the sources of what happens to it: the n-th request draws its n-th, whatever
// else goes on.
type step struct {
	line                           int
	demand, flaky, lose, hit, keys rng.Key
}

func newStep(seed uint64, line int, name string) step {
	return step{
		line:   line,
		demand: rng.Named(seed, "service/"+name),
		flaky:  rng.Named(seed, "flaky/"+name),
		lose:   rng.Named(seed, "lose/"+name),
		hit:    rng.Named(seed, "hit/"+name),
		keys:   rng.Named(seed, "keys/"+name),
	}
}

// draw is the index at which an attempt of the n-th request draws. There are at most 100 attempts.
func draw(n uint64, attempt int) uint64 { return n<<7 | uint64(attempt) }

// firstArrival starts an operation's arrivals: evenly spaced ones at time 0, the others after their first gap.
func (w *World) firstArrival(i int) {
	op := &w.operations[i]
	set := w.settings.Operations[op.name]
	op.next = scenario.Forever
	op.shape = shape{points: set.Shape, repeat: time.Duration(set.Repeat)}
	if set.Arrivals == "closed" {
		w.firstThoughts(op, set)
		return
	}
	op.rate, op.mean = set.Rate, meanGap(set.Rate)
	op.paused = op.arrivals.At(0).Exponential()
	if op.even {
		op.paused = 0
	}
	if op.mean > 0 {
		op.next = op.mean.Times(op.paused)
	}
}

// meanGap is the mean time between arrivals at a rate; 0 at rate 0.
func meanGap(rate float64) rng.Fixed {
	if rate <= 0 {
		return 0
	}
	return rng.Fixed(min(math.Round(1e9*65536/rate), 1<<62))
}

// setRate changes an operation's rate. What is left of the gap stretches or shrinks with it.
func (w *World) setRate(op *operation, rate float64) {
	if rate == op.rate {
		return
	}
	if op.mean > 0 {
		op.paused = op.mean.Units(op.next - w.Now())
	}
	op.rate, op.mean, op.next = rate, meanGap(rate), scenario.Forever
	if op.mean > 0 {
		op.next = w.Now() + op.mean.Times(op.paused)
	}
	w.lookOut()
}

// lookOut finds the next request that comes from outside: of several at one instant, that of the first operation by name.
func (w *World) lookOut() {
	w.arrival = scenario.Forever
	for i := range w.operations[:w.users] {
		if next := w.operations[i].next; next < w.arrival {
			w.arrives, w.arrival = i, next
		}
	}
	w.soonest = min(w.planned, w.arrival)
}

// arrive is a user coming with a request, and the next one being on the way.
func (w *World) arrive() {
	op := &w.operations[w.arrives]
	now := w.Now()
	n := op.n
	op.n++
	var gap time.Duration
	if op.even {
		owed := op.mean + op.rest
		gap, op.rest = time.Duration(owed>>16), owed&0xffff
	} else {
		gap = op.mean.Times(op.arrivals.At(op.n).Exponential())
	}
	op.next = now + gap
	w.lookOut()
	w.click(op, n, none)
}

// shape is how a rate goes up and down.
type shape struct {
	points []scenario.Point
	repeat time.Duration
}

// ramp is the length of the steps of which a ramp is made.
const ramp = 100 * time.Millisecond

// at is the factor at t, and until when it stays.
func (s shape) at(t time.Duration) (factor float64, until time.Duration) {
	if len(s.points) == 0 {
		return 1, scenario.Forever
	}
	begin := time.Duration(0)
	if s.repeat > 0 {
		begin = t / s.repeat * s.repeat
		t -= begin
	}
	before, next := scenario.Point{Factor: 1}, len(s.points)
	for i, p := range s.points {
		if time.Duration(p.At) > t {
			next = i
			break
		}
		before = p
	}
	if next == len(s.points) {
		if s.repeat > 0 {
			return before.Factor, begin + s.repeat
		}
		return before.Factor, scenario.Forever
	}
	p := s.points[next]
	if !p.Ramp {
		return before.Factor, begin + time.Duration(p.At)
	}
	from, to := time.Duration(before.At), time.Duration(p.At)
	step := (t - from) / ramp
	end := min(from+(step+1)*ramp, to)
	middle := float64(from+step*ramp+end) / 2
	share := (middle - float64(from)) / float64(to-from)
	return before.Factor + float64(share*(p.Factor-before.Factor)), begin + end
}
