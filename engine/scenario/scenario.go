// Package scenario is the value that says everything about a run: the system, its load, the policy, what breaks and
// when, the seed and the duration. Two runs of one scenario are the same run.
//
// scenario.go is the value, with the range of each field. decode.go reads it from JSON, set.go changes one path of it,
// encode.go writes it, all three by way of tree.go, which is JSON itself; validate.go says what is out of range;
// defaults.go is what a field has when it is left out; catalogue.go holds the scenarios that come with the product.
// Errors are one line that a person can act on: the path, the value, and what would be right.
package scenario

import "time"

// Version is the one version of the format so far.
const Version = 1

// Scenario is a whole run. The zero value is not valid: start from [Find] or [Parse].
type Scenario struct {
	Version int `json:"version"`
	// ID names a built-in whose values are the defaults of everything left out, or is a name of your own, or empty.
	// Names, here and below, have 1 to 40 of a-z, 0-9, _ and -.
	ID   string `json:"id"`
	Seed uint64 `json:"seed"`
	// Duration is how long requests arrive, more than 0s, up to 4 h. Those that came in time still get their answer.
	Duration Duration `json:"duration"`
	// Operations, Dependencies and Policy.Calls have up to 100 entries each; there is at least one operation.
	Operations   map[string]Operation  `json:"operations"`
	Processes    Processes             `json:"processes"`
	Dependencies map[string]Dependency `json:"dependencies"`
	Policy       Policy                `json:"policy"`
	Faults       []Fault               `json:"faults"` // up to 1,000
	// Changes is what was set while the run went on, in order of time, up to 10,000.
	Changes []Change `json:"changes"`
	// BadShare is the share of a second's arrivals that may fail before it is a bad second. 0 to 1; 0.01 by default.
	BadShare float64 `json:"bad_share"`
}

// Operation is one thing that users ask for.
type Operation struct {
	// Rate is arrivals a second over all processes, 0 to 1,000,000.
	Rate     float64 `json:"rate"`
	Arrivals string  `json:"arrivals"` // poisson, even
	// Deadline is how long the user waits. 0s: for ever.
	Deadline   Duration `json:"deadline"`
	Idempotent bool     `json:"idempotent"`
	// Steps are the 1 to 100 calls it makes, one after the other; the first that fails, and isn't optional, ends it.
	Steps  []string `json:"steps"`
	Client Client   `json:"client"`
}

// Client is the user's own retrying.
type Client struct {
	Attempts int `json:"attempts"` // the first included; more than one is not simulated yet
}

// Processes are the app's copies behind the balancer, which takes them in turn.
type Processes struct {
	Count int `json:"count"` // 1 to 1,000
	// Cap is how many of an operation one process holds at once, up to 1e9. Over it: 503 at once.
	// Left out or 0: no bound.
	Cap map[string]int `json:"cap"`
}

// Dependency is a server with slots and one queue before them.
type Dependency struct {
	Slots   int     `json:"slots"` // 1 to 100,000
	Service Service `json:"service"`
	// QueueLimit is how many may wait, up to 1e9; the next is refused. 0: no bound.
	QueueLimit int    `json:"queue_limit"`
	Discipline string `json:"discipline"` // fifo
	// StatementTimeout ends work of this age, waiting or in service. 0s: never.
	StatementTimeout Duration `json:"statement_timeout"`
	// Cancel says that it drops work as soon as it learns that the caller has left.
	Cancel bool `json:"cancel"`
	// HitShare is the share of its good answers that are all the operation needs, so that the steps after it are
	// skipped: a cache's hits. 0 to 1.
	HitShare float64 `json:"hit_share"`
}

// Service is how long a slot needs for one attempt: Base plus a draw. One of Mean and Base is more than 0s.
type Service struct {
	Dist string   `json:"dist"` // constant, exponential
	Mean Duration `json:"mean"` // of the draw, without Base
	Base Duration `json:"base"`
}

// Policy is what callers do about a slow or failing dependency.
type Policy struct {
	// PropagateDeadline bounds each attempt by what is left of the request.
	PropagateDeadline bool            `json:"propagate_deadline"`
	Calls             map[string]Call `json:"calls"`
	Budget            Budget          `json:"budget"`
	Breaker           Breaker         `json:"breaker"`
}

// Call is one line of the policy matrix.
type Call struct {
	// On is the dependency called; left out, the one of the call's own name.
	On string `json:"on"`
	// Timeout is of one attempt. 0s: none.
	Timeout  Duration `json:"timeout"`
	Attempts int      `json:"attempts"` // the first included, 1 to 100
	RetryOn  []string `json:"retry_on"` // any of timeout, error, refused, lost, shed
	Backoff  Backoff  `json:"backoff"`
	Jitter   string   `json:"jitter"` // none, full, equal, decorrelated
	// Optional says that the operation goes on when this call fails: a cache that is down is a miss.
	Optional bool `json:"optional"`
	// StatementTimeout is what this call asks the server to stop at, in place of the dependency's own. 0s: that one.
	StatementTimeout Duration `json:"statement_timeout"`
	IdempotencyKey   bool     `json:"idempotency_key"` // true is not simulated yet
	HedgeAfter       Duration `json:"hedge_after"`     // other than 0s is not simulated yet
}

// Backoff is the wait before a retry.
type Backoff struct {
	Kind string   `json:"kind"` // none, constant, linear, exponential
	Base Duration `json:"base"`
	Max  Duration `json:"max"` // 0s: no bound
}

// Budget bounds each process's retries by a share of its first attempts.
type Budget struct {
	Percent        float64 `json:"percent"`          // 0: no budget; up to 1,000
	FloorPerSecond float64 `json:"floor_per_second"` // retries a second allowed whatever the traffic, up to 1,000,000
}

// Breaker is not simulated yet: only false is taken.
type Breaker struct {
	Enabled bool `json:"enabled"`
}

// Fault is something that breaks at a time and is mended after a while.
type Fault struct {
	At  Duration `json:"at"`
	For Duration `json:"for"` // 0s: to the end
	// Target is a dependency, or for a surge an operation.
	Target string `json:"target"`
	Kind   string `json:"kind"` // slow, stall, down, blackhole, flaky, lose, capacity, surge
	// Factor multiplies: a slow one's service times (more than 0, up to 1e6), the slots of capacity (0 to 1), the rate of
	// a surge (more than 0, up to 1,000). 1 by default.
	Factor float64 `json:"factor"`
	P      float64 `json:"p"` // the share of flaky and lose, 0 to 1
}

// End is when the fault is over, [Forever] if it isn't.
func (f Fault) End() time.Duration {
	if f.For == 0 {
		return Forever
	}
	return time.Duration(f.At + f.For)
}

// On tells whether the fault is on at t: from its beginning until just before its end.
func (f Fault) On(t time.Duration) bool { return time.Duration(f.At) <= t && t < f.End() }

// Forever is later than every run.
const Forever = time.Duration(1<<63 - 1)

// Change sets a path while the run goes on: what a reader turned, and when.
type Change struct {
	At Duration `json:"at"`
	// Path is an operation's rate, something of the policy, or how a dependency serves: its slots, service,
	// statement_timeout, queue_limit, cancel or hit_share.
	Path  string `json:"path"`
	Value any    `json:"value"` // as for Set; never written to
}
