package policy

import (
	"math"
	"time"

	"stormbin/engine/rng"
)

// Rule is one line of the policy matrix: what the caller does about one kind of call.
type Rule struct {
	// Timeout is how long one attempt is waited for. 0: for ever.
	Timeout time.Duration
	// Attempts is the most that are sent one after the other, the first included; hedges are not counted. Below 1 counts
	// as 1; up to 30,000.
	Attempts int
	// RetryOn holds the outcomes after which another attempt may be sent. Open and Deadline are never retried,
	// whatever it says: one is the breaker's own answer, the other means that there is no time for another.
	RetryOn Outcomes
	Backoff Backoff
	// Jitter spreads the waits that Backoff gives.
	Jitter Jitter
	// HedgeAfter is how long an attempt has had no answer when a second one is sent beside it; the first good answer
	// wins. 0: never.
	HedgeAfter time.Duration
	// HedgeCancel says that the server of the one that was beaten is told to stop. The driver does that.
	HedgeCancel bool
}

// BackoffKind says how the wait grows from retry to retry.
type BackoffKind uint8

const (
	NoBackoff   BackoffKind = iota // at once
	Constant                       // Base each time
	Linear                         // Base, 2 Base, 3 Base …
	Exponential                    // Base, 2 Base, 4 Base …
)

// Backoff is the wait before a retry. The zero value is none.
type Backoff struct {
	Kind BackoffKind
	// Base is the wait before the first retry.
	Base time.Duration
	// Max bounds every wait. 0: unbounded.
	Max time.Duration
}

// Wait is the wait before retry n (1 is the first), before jitter. What is too long to count is as long as can be.
func (b Backoff) Wait(n int) time.Duration {
	wait := time.Duration(0)
	switch b.Kind {
	case Constant:
		wait = b.Base
	case Linear:
		wait = times(b.Base, int64(n))
	case Exponential:
		wait = times(b.Base, 1<<min(n-1, 62))
	}
	return b.bound(wait)
}

func times(d time.Duration, n int64) time.Duration {
	if d > math.MaxInt64/time.Duration(n) {
		return math.MaxInt64
	}
	return d * time.Duration(n)
}

func (b Backoff) bound(wait time.Duration) time.Duration {
	if b.Max > 0 {
		return min(wait, b.Max)
	}
	return wait
}

// Jitter says how a wait is spread, so that callers who failed together don't come back together. The kinds are
// those of M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
type Jitter uint8

const (
	NoJitter     Jitter = iota // the wait itself
	FullJitter                 // anywhere from nothing to the wait
	EqualJitter                // half of the wait for sure, the other half spread
	Decorrelated               // from Base to three times the last wait, bounded by Max
)

// wait is the jittered wait before retry n, where prev was the one before it (0 for none).
func (r *Rule) wait(n int, prev time.Duration, rand *rng.Stream) time.Duration {
	full := r.Backoff.Wait(n)
	if full == 0 {
		return 0
	}
	switch r.Jitter {
	case FullJitter:
		return rand.Upto(full)
	case EqualJitter:
		return full - full/2 + rand.Upto(full/2)
	case Decorrelated:
		top := times(max(prev, r.Backoff.Base), 3)
		return r.Backoff.bound(r.Backoff.Base + rand.Upto(top-r.Backoff.Base))
	}
	return full
}
