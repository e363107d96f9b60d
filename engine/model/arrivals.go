package model

import (
	"math"
	"time"

	"stormbin/engine/policy"
	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// operation is one thing that users ask for, and the users who do.
type operation struct {
	name       string
	index      int
	steps      []step
	idempotent bool
	deadline   time.Duration // 0: none

	arrivals rng.Key
	even     bool
	mean     rng.Fixed     // between arrivals; 0: none come
	rate     float64       // a second, the surge included
	n        uint64        // how many came
	next     time.Duration // the next arrival; scenario.Forever while none come
	rest     rng.Fixed     // of an even gap, the fraction of a nanosecond still owed
	paused   rng.Units     // while none come: what is left of the gap
	counts   Requests
}

// step is one call of an operation, with the sources of what happens to it: the n-th request draws its n-th, whatever
// else goes on.
type step struct {
	line                     int
	demand, flaky, lose, hit rng.Key
}

func newStep(seed uint64, line int, name string) step {
	return step{
		line:   line,
		demand: rng.Named(seed, "service/"+name),
		flaky:  rng.Named(seed, "flaky/"+name),
		lose:   rng.Named(seed, "lose/"+name),
		hit:    rng.Named(seed, "hit/"+name),
	}
}

// draw is the index at which an attempt of the n-th request draws. There are at most 100 attempts.
func draw(n uint64, attempt int) uint64 { return n<<7 | uint64(attempt) }

// firstArrival starts an operation's arrivals: evenly spaced ones at time 0, the others after their first gap.
func (w *World) firstArrival(i int) {
	op := &w.operations[i]
	set := w.settings.Operations[op.name]
	op.rate, op.mean = set.Rate, meanGap(set.Rate)
	op.paused = op.arrivals.At(0).Exponential()
	if op.even {
		op.paused = 0
	}
	op.next = scenario.Forever
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
}

// nextArrival is when the next request comes, and of which operation: of several at one instant, the first by name.
func (w *World) nextArrival() (operation int, at time.Duration) {
	at = scenario.Forever
	for i := range w.operations {
		if next := w.operations[i].next; next < at {
			operation, at = i, next
		}
	}
	return operation, at
}

// arrive is a request coming in: the balancer hands it to the next process in turn.
func (w *World) arrive(i int) {
	op := &w.operations[i]
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

	process := w.turn()
	counted := now < w.end
	if counted {
		op.counts.Offered++
		w.windows.Offer(now)
	}
	w.note(Arrived, First, 0, process, i, n)
	p := &w.processes[process]
	if w.requests.held() >= w.room || !p.caps[i].Acquire() {
		if counted {
			op.counts.Shed++
			w.results[policy.Shed]++
			w.windows.End(now, false)
			w.latency.Add(0)
		}
		w.note(ShedAtCap, First, 0, process, i, n)
		return
	}
	if counted {
		op.counts.InFlight++
	}
	p.inFlight++
	r := w.requests.take()
	w.requests.rows[r] = request{
		call:      policy.Call{Jitter: &p.jitter},
		operation: uint16(i),
		process:   uint16(process),
		counted:   counted,
		attempt:   none,
		n:         n,
		arrived:   now,
		deadline:  policy.NoDeadline,
	}
	if op.deadline > 0 {
		w.requests.rows[r].deadline = now + op.deadline
	}
	w.begin(r)
}

// turn is the process whose turn it is.
func (w *World) turn() int {
	process := int(w.arrived % uint64(len(w.processes)))
	w.arrived++
	return process
}
