// Package scenario is the value that says everything about a run: the system, its load, the policy, what breaks and
// when, the seed and the duration. Two runs of one scenario are the same run.
//
// scenario.go is the value, with the range of each field. decode.go reads it from JSON, set.go changes one path of it,
// encode.go writes it, diff.go is what leads from one to another, all four by way of the trees of package json; validate.go
// says what is out of range; defaults.go is what a field has when it is left out; catalogue.go holds the scenarios that
// come with the product.
// Errors are one line that a person can act on: the path, the value, and what would be right; of all that is wrong at once,
// which problem.go collects. What a value must be is known to validate.go alone, and whoever can't read one asks there.
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
	Jobs         map[string]Job        `json:"jobs"`   // up to 100
	Workers      Workers               `json:"workers"`
	// Changes is what was set while the run went on, in order of time, up to 10,000.
	Changes []Change `json:"changes"`
	// BadShare is the share of a second's arrivals that may fail before it is a bad second. 0 to 1; 0.01 by default.
	BadShare float64 `json:"bad_share"`
}

// Operation is one thing that users ask for.
type Operation struct {
	// Rate is arrivals a second over all processes, 0 to 1,000,000. Closed arrivals don't look at it.
	Rate     float64 `json:"rate"`
	Arrivals string  `json:"arrivals"` // poisson, even, closed
	// Clients is how many users of closed arrivals there are, each with one request at a time: 1 to 100,000, and no more than
	// that over all operations.
	Clients int `json:"clients"`
	// Think is the mean of a closed user's pause between an answer and the next request; pauses are exponential. At least
	// 1ms, 1s by default.
	Think Duration `json:"think"`
	// Shape multiplies the rate over time: up to 1,000 points, each later than the one before. Empty: always 1.
	Shape []Point `json:"shape"`
	// Repeat begins the shape again every so often, so that a burst comes back; at least 1ms, and more than its last point.
	// 0s: never.
	Repeat Duration `json:"repeat"`
	// Copies is how many requests each arrival brings at one instant, all with one idempotency key: a double click is 2.
	// 1 to 10.
	Copies int `json:"copies"`
	// Deadline is how long the user waits for one request. 0s: for ever.
	Deadline   Duration `json:"deadline"`
	Idempotent bool     `json:"idempotent"`
	// Edge is the dependency that answers its hit_share of the requests before they reach a process. Empty: none.
	Edge string `json:"edge"`
	// Steps are the 1 to 100 calls it makes, one after the other; the first that fails, and isn't optional, ends it.
	Steps []string `json:"steps"`
	// Client is the user's own retrying. Its timeout comes beside the deadline: the sooner of the two ends the wait.
	Client Layer `json:"client"`
}

// Point is where a shape has a factor.
type Point struct {
	At     Duration `json:"at"`
	Factor float64  `json:"factor"` // 0 to 1,000
	// Ramp goes there in a straight line from the point before, in steps of a tenth of a second; else it jumps at At.
	Ramp bool `json:"ramp"`
}

// Layer is somebody around or beneath the app who tries again by himself: the user, the balancer, a client library.
type Layer struct {
	// Attempts is how many there are at the most, the first included: 1 to 100. Those of all layers multiplied, and by the
	// copies, over all steps of an operation, are at most 10,000.
	Attempts int      `json:"attempts"`
	Timeout  Duration `json:"timeout"` // of one attempt. 0s: none
	// RetryOn is any of timeout, error, refused, lost, shed; see policy.Outcome. lost is of the timeouts those whose work was
	// done, with the answer gone missing. To users and balancers a failed request is an error, and one that a process turned
	// away, at its cap or for lack of room, is shed.
	RetryOn []string `json:"retry_on"`
	Backoff Backoff  `json:"backoff"`
	Jitter  string   `json:"jitter"` // none, full, equal, decorrelated
}

// Processes are the app's copies behind the balancer.
type Processes struct {
	Count int `json:"count"` // 1 to 1,000
	// Pick is how the balancer chooses: turn (round robin), random, least (the fewest requests under way), two (the better
	// of two random ones).
	Pick string `json:"pick"`
	// Cap is how many of an operation one process holds at once, up to 1e9. Over it: 503 at once.
	// Left out or 0: no bound.
	Cap map[string]int `json:"cap"`
}

// Dependency is a server with slots and one queue before them.
type Dependency struct {
	Slots   int     `json:"slots"` // 1 to 100,000
	Service Service `json:"service"`
	// QueueLimit is how many may wait, up to 1e9; the next is refused. 0: no bound.
	QueueLimit int `json:"queue_limit"`
	// Discipline is who of the queue is served next: fifo, the one who came first; lifo, the one who came last.
	Discipline string `json:"discipline"`
	// QueueAge turns work away that has waited so long when its turn comes. 0s: never.
	QueueAge Duration `json:"queue_age"`
	// RetryAfter makes a full queue, and a too old wait, an answer (shed) that says when to come again, in place of a
	// refused connection. 0s: refused.
	RetryAfter Duration `json:"retry_after"`
	// StatementTimeout ends work of this age, waiting or in service. 0s: never.
	StatementTimeout Duration `json:"statement_timeout"`
	// Cancel says that it drops work as soon as it learns that the caller has left.
	Cancel bool `json:"cancel"`
	// HitShare is the share of its good answers that are all the operation needs, so that the steps after it are
	// skipped: a cache's hits. 0 to 1.
	HitShare float64 `json:"hit_share"`
	// Keys makes it a cache of keys, whose hits are what it holds, in place of a share.
	Keys Keys `json:"keys"`
	// Unique says that a constraint decides when work with an idempotency key takes effect, so that a key has one effect
	// whatever happens. If false, the key is looked up when the work begins: two at one time don't see each other.
	Unique bool `json:"unique"`
}

// Keys are what requests ask a cache for. An entry is put in when a request that missed has been answered well.
type Keys struct {
	// Count is how many keys there are, up to 1,000,000 over all dependencies. 0: no keys, hit_share rules.
	Count int `json:"count"`
	// Zipf is how uneven their popularity is: the k-th is asked for in proportion to 1/k^Zipf. 0 (all alike) to 3.
	Zipf     float64  `json:"zipf"`
	TTL      Duration `json:"ttl"`      // how long an entry is good. 0s: for ever
	Capacity int      `json:"capacity"` // how many it holds, up to Count, the longest unused being dropped. 0: all
}

// Service is how long a slot needs for one attempt: Base plus a draw. One of Mean, Base and Table is more than 0s.
type Service struct {
	Dist string   `json:"dist"` // constant, exponential, lognormal, table
	Mean Duration `json:"mean"` // of the draw, without Base; a table has its own
	Base Duration `json:"base"`
	// Sigma is the spread of lognormal draws: the standard deviation of their logarithm, more than 0, up to 3.
	Sigma float64 `json:"sigma"`
	// Table has 1 to 1,000 durations, each as likely as the other.
	Table []Duration `json:"table"`
	// Load is how much longer service takes for each attempt in the system, itself included, per slot: a service that
	// begins with n there takes (1 + Load × n ÷ slots) times as long. 0 to 1,000.
	Load float64 `json:"load"`
}

// Policy is what callers do about a slow or failing dependency.
type Policy struct {
	// PropagateDeadline bounds each attempt by what is left of the request.
	PropagateDeadline bool            `json:"propagate_deadline"`
	Calls             map[string]Call `json:"calls"`
	// Balancer is the retrying of who stands before the processes. Each of its attempts goes to a process of its own.
	Balancer Layer   `json:"balancer"`
	Budget   Budget  `json:"budget"`
	Breaker  Breaker `json:"breaker"`
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
	// IdempotencyKey sends one key with every attempt of a write, so that the server can tell a repetition.
	IdempotencyKey bool `json:"idempotency_key"`
	// HedgeAfter sends a second attempt when the first has had no answer for so long; the first answer wins. 0s: never;
	// both at once is "1ns". With it there are at most 50 attempts.
	HedgeAfter Duration `json:"hedge_after"`
	// HedgeCancel tells the server of the one that was beaten to stop, and it does.
	HedgeCancel bool `json:"hedge_cancel"`
	// Library is the retrying of the client library under this call: each of the call's attempts is a run of it.
	Library Layer `json:"library"`
}

// Backoff is the wait before a retry.
type Backoff struct {
	Kind string   `json:"kind"` // none, constant, linear, exponential
	Base Duration `json:"base"`
	Max  Duration `json:"max"` // 0s: no bound
}

// Budget bounds each process's retries and hedges to each dependency, in one of three ways; see policy.Budget. Those of
// the other layers are not its business.
type Budget struct {
	// Kind is ratio, a share of first attempts; tokens, as gRPC does, which pays one for a failure and earns a part for a
	// success; in_flight, as Envoy does, a share of the calls under way.
	Kind           string  `json:"kind"`
	Percent        float64 `json:"percent"`          // of ratio and in_flight; 0 with ratio, and no floor: no budget; up to 1,000
	FloorPerSecond float64 `json:"floor_per_second"` // of ratio: retries a second allowed whatever the traffic, up to 1,000,000
	MaxTokens      int     `json:"max_tokens"`       // of tokens: 1 to 1,000
	TokenRatio     float64 `json:"token_ratio"`      // of tokens: what a success earns, more than 0, up to 1
	MinConcurrent  int     `json:"min_concurrent"`   // of in_flight: retries under way that are always allowed, up to 1e9
}

// Breaker stands between a process and a dependency, and answers "open" in its place while that refuses; see
// policy.Breaker.
type Breaker struct {
	Enabled   bool     `json:"enabled"`
	On        []string `json:"on"`        // the outcomes that count as failures: any of timeout, error, refused, lost, shed
	Threshold float64  `json:"threshold"` // the share of failures that opens it, more than 0, up to 1
	MinCalls  int      `json:"min_calls"` // no verdict on fewer calls than these in the window: 1 to 1e9
	Window    Duration `json:"window"`    // how far back it counts, at least 1ms
	OpenFor   Duration `json:"open_for"`  // how long it stays open before it probes, at least 1ms
	Probes    int      `json:"probes"`    // how many must go well, and how many are let through: 1 to 1,000
	// Targets are the dependencies that it stands before. Empty: all.
	Targets []string `json:"targets"`
	Per     string   `json:"per"` // process: each has its own; target: all processes share one
}

// Job is work off the request path that an operation leaves behind. Workers run it at least once: until it goes well.
type Job struct {
	After string `json:"after"` // the operation
	// On is when: ok, a process served a request of it well; failed, it served one badly; effect, its last step was done,
	// whether or not anybody heard of it, and each time that it was.
	On   string `json:"on"`
	Call string `json:"call"` // the call that does it
	// Delay is how old a job must be before it is run: a reaper's age floor.
	Delay Duration `json:"delay"`
	// Backoff is the wait after a run that went badly, run after run. There is one: at least 1ms, its kind not none.
	Backoff Backoff `json:"backoff"`
}

// Workers run jobs, one each at a time, the one due longest first.
type Workers struct {
	Count int `json:"count"` // 1 to 1,000
}

// Fault is something that breaks at a time and is mended after a while.
type Fault struct {
	At  Duration `json:"at"`
	For Duration `json:"for"` // 0s: to the end
	// Target is a dependency, or for a surge an operation (whose closed users think so much faster).
	Target string `json:"target"`
	// Kind is slow, stall, down, blackhole, flaky, lose, capacity, surge or flush; what each does is in model.Health. A flush
	// empties a cache of keys, and while it is on a hit_share is 0.
	Kind string `json:"kind"`
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
	// statement_timeout, queue_limit, discipline, queue_age, retry_after, cancel, hit_share or unique.
	Path  string `json:"path"`
	Value any    `json:"value"` // as for Set; never written to
}
