package policy

import (
	"math"
	"time"
)

// BreakerState says whether a breaker lets calls through.
type BreakerState uint8

const (
	BreakerClosed   BreakerState = iota // all of them
	BreakerOpen                         // none
	BreakerHalfOpen                     // a few, to see how they fare
)

// String is the state's name.
func (s BreakerState) String() string { return [...]string{"closed", "open", "half-open"}[s] }

// BreakerSettings says what a [Breaker] opens for, and for how long.
type BreakerSettings struct {
	// On holds the outcomes that count as failures. All others count as calls that went well: a breaker asks whether
	// anybody is there, and whoever answers no, or is slow, is.
	On Outcomes
	// Threshold is the share of failures that opens it, more than 0, up to 1. Counted in billionths.
	Threshold float64
	// MinCalls is how many calls there must be in the window before it is judged at all. Below 1 counts as 1.
	MinCalls int
	// Window is how far back it counts, to within a tenth of itself: at least 1 ms.
	Window time.Duration
	// OpenFor is how long it stays open before it probes.
	OpenFor time.Duration
	// Probes is how many calls are let through then, and how many must go well. Below 1 counts as 1.
	Probes int
}

// Breaker keeps the calls of one process, or of all, from a server that refuses them. It is closed until, of the calls
// that ended within the window, too many failed. Then it is open, and every call is turned away at once. After a while
// it is half-open: the next Probes calls are let through, the first one to ask among them, and nobody else. If all of
// them go well it is closed, with an empty window; with the first that doesn't it is open again.
//
// Each of these changes begins a new generation, and what was let through in an earlier one counts no more when it ends:
// it tells about a time that is over. A probe that nobody waits for any more gives its place to another.
//
// Made by [NewBreaker]; one goroutine at a time. A nil *Breaker lets everything through.
type Breaker struct {
	on        Outcomes
	threshold int64 // in units of 1/whole
	minCalls  int64
	part      time.Duration // the window's length over windowParts
	openFor   time.Duration
	probes    int

	state      BreakerState
	generation uint32 // one more with each change of state
	opened     int64
	since      time.Duration // when it opened
	let, well  int           // half-open: probes that were let through, and those that went well

	parts  [windowParts]tally
	newest int
	ends   time.Duration // when the newest part is over
	sum    tally         // of all parts
}

// tally is what ended in a part of the window.
type tally struct{ calls, failures int64 }

const (
	windowParts = 10
	whole       = 1_000_000_000
)

// NewBreaker makes a closed breaker that has seen nothing yet.
func NewBreaker(s BreakerSettings) Breaker {
	// Generation 0 is that of attempts which were sent without a breaker.
	b := Breaker{generation: 1}
	b.Tune(s)
	return b
}

// Tune changes the settings and keeps the state, and what was counted. A breaker that is open stays so for OpenFor from
// when it opened; one that is half-open closes if as many probes as are now asked for have gone well.
func (b *Breaker) Tune(s BreakerSettings) {
	b.on = s.On
	b.threshold = int64(math.Round(s.Threshold * whole))
	b.minCalls = int64(s.MinCalls)
	b.part = max(s.Window/windowParts, 1)
	b.openFor = s.OpenFor
	b.probes = max(s.Probes, 1)
	if b.state == BreakerHalfOpen && b.well >= b.probes {
		b.close()
	}
}

// State is what the breaker is at now. An open one whose time is over is half-open: whoever asks next is let through.
func (b *Breaker) State(now time.Duration) BreakerState {
	if b.state == BreakerOpen && b.probing(now) {
		return BreakerHalfOpen
	}
	return b.state
}

// Opened is how often it has opened, the times after a probe that failed included.
func (b *Breaker) Opened() int64 { return b.opened }

// admit asks whether an attempt may be sent. Who is let through says how it ended, once, with the generation.
func (b *Breaker) admit(now time.Duration) (generation uint32, ok bool) {
	if b == nil {
		return 0, true
	}
	if b.state == BreakerOpen {
		if !b.probing(now) {
			return 0, false
		}
		b.become(BreakerHalfOpen)
	}
	if b.state == BreakerHalfOpen {
		if b.let >= b.probes {
			return 0, false
		}
		b.let++
	}
	return b.generation, true
}

// ended says what an attempt of a generation came to.
func (b *Breaker) ended(now time.Duration, generation uint32, o Outcome) {
	if b == nil || generation != b.generation {
		return
	}
	failed := b.on.Has(o)
	switch {
	case b.state == BreakerClosed:
		b.count(now, failed)
		if b.sum.calls >= b.minCalls && b.sum.failures*whole >= b.threshold*b.sum.calls {
			b.open(now)
		}
	case failed:
		b.open(now)
	default:
		b.well++
		if b.well >= b.probes {
			b.close()
		}
	}
}

// counts tells whether an outcome is a failure to it.
func (b *Breaker) counts(o Outcome) bool { return b != nil && b.on.Has(o) }

// unknown says that nobody will learn what an attempt of a generation comes to.
func (b *Breaker) unknown(generation uint32) {
	if b != nil && generation == b.generation && b.state == BreakerHalfOpen {
		b.let--
	}
}

func (b *Breaker) probing(now time.Duration) bool { return now-b.since >= b.openFor }

func (b *Breaker) become(s BreakerState) {
	b.state = s
	b.generation++
	b.let, b.well = 0, 0
}

func (b *Breaker) open(now time.Duration) {
	b.become(BreakerOpen)
	b.since = now
	b.opened++
}

func (b *Breaker) close() {
	b.become(BreakerClosed)
	b.parts, b.sum = [windowParts]tally{}, tally{}
}

// count puts a call into the window's newest part.
func (b *Breaker) count(now time.Duration, failed bool) {
	for n := 0; now >= b.ends; n++ {
		if n == windowParts { // all of it is over
			b.ends = now - now%b.part + b.part
			break
		}
		b.newest = (b.newest + 1) % windowParts
		old := &b.parts[b.newest]
		b.sum.calls -= old.calls
		b.sum.failures -= old.failures
		*old = tally{}
		b.ends += b.part
	}
	at := &b.parts[b.newest]
	at.calls++
	b.sum.calls++
	if failed {
		at.failures++
		b.sum.failures++
	}
}
