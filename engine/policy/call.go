package policy

import (
	"math"
	"time"

	"stormbin/engine/rng"
)

// NoDeadline is the deadline of a call that has none.
const NoDeadline = time.Duration(math.MaxInt64)

// Terms is what a call is made under. Between the events of a call Rule may change; Budget and Breaker are tuned, not
// exchanged, since they count what is under way.
type Terms struct {
	Rule *Rule
	// Budget is shared by the calls of one process to one server. nil: every retry and every hedge is allowed.
	Budget *Budget
	// Breaker stands before the server that is called. nil: none does.
	Breaker *Breaker
	// Jitter is the stream that waits are drawn from; needed where the rule has jitter.
	Jitter *rng.Stream
}

// Actions is what the driver of a [Call] does now, in this order. The zero value is nothing at all. It is small, since a
// million of them are handed around in a second.
type Actions struct {
	GivenUp
	Sending
	Ending
	// Timer is when to call Timer, in place of any time named before. 0: no timer is wanted.
	Timer time.Duration
}

// The parts of Actions are structs of their own since the compiler keeps only a struct of four fields or fewer out of
// memory. WebAssembly has memory.copy for the others, which is slow for so few bytes.
type (
	// GivenUp is the attempts that nobody waits for any more. 0: none.
	GivenUp struct {
		// Abandon and AbandonToo are those whose time is up, or whose caller has left, so that their servers may be told.
		Abandon, AbandonToo uint16
		// Beaten is the one whose twin has answered.
		Beaten uint16
	}
	// Sending is an attempt to send now.
	Sending struct {
		// Send is its number (1 is the first). 0: none.
		Send uint16
		// Hedge says that it is a second one beside one that is still waited for.
		Hedge bool
	}
	// Ending is the end of the call.
	Ending struct {
		// Done says that the call is over, with Outcome. A driver that wakes it later gets no actions.
		Done    bool
		Outcome Outcome
	}
)

// Call is the machine of one logical call: it decides when attempts are sent, how long each is waited for, and what the
// call comes to. Every method is an event and returns what to do about it.
//
// A call is a number of tries, one after the other. A try is an attempt, and at most one hedge: a second attempt that is
// sent when the first has had no answer for long. The first good answer wins. A bad one decides nothing while the twin
// is still waited for; when both have failed, the try has, with the outcome of the last.
//
// Before an attempt is sent the deadline is looked at, then the breaker is asked, then the budget pays. A first attempt
// or a retry that the breaker doesn't let through ends the call with [Open]; a hedge is left out.
//
// A Call is plain data: hand each event the terms. The zero value is a call that has not started; a finished one may be
// started again. A result carries the number of its attempt, so one that comes too late is told from those being waited
// for, and ignored. Numbers start over with Start: keep from it what was sent before.
type Call struct {
	deadline time.Duration
	waited   time.Duration // the last backoff
	// due is when the time of each attempt is up. Before the hedge is sent the second is when to do that; in backoff
	// the first is when to send. NoDeadline: never.
	due     [2]time.Duration
	opening [2]uint32 // the breaker's generation that let each of them through
	waiting [2]uint16 // the attempts being waited for, the try's first and its hedge. 0: none
	sent    uint16
	tries   uint16
	state   state
	failure Outcome // what the last try came to, while its retry waits
	lost    [2]bool // of each of them: its answer has gone missing
}

type state uint8

const (
	idle       state = iota
	inFlight         // waiting for an answer
	backingOff       // waiting to send
)

// Start sends the first attempt. deadline is when the request that this call serves must be over, if its process
// passes that on; [NoDeadline] if not.
func (c *Call) Start(t *Terms, now, deadline time.Duration) (a Actions) {
	// Field by field: a whole Call would be cleared by memory.fill, which is slow for so few bytes.
	if t.Breaker == nil && t.Rule.HedgeAfter == 0 && now < deadline {
		// How most calls begin, by the shortest way: send does the same.
		t.Budget.first()
		due := deadline
		if wait := t.Rule.Timeout; wait > 0 && wait < deadline-now {
			due = now + wait
		}
		c.deadline, c.waited, c.sent, c.tries, c.state, c.failure = deadline, 0, 1, 1, inFlight, OK
		c.due[0], c.due[1], c.waiting[0], c.waiting[1], c.opening[0], c.opening[1] = due, NoDeadline, 1, 0, 0, 0
		c.lost[0] = false
		if due == NoDeadline {
			due = 0
		}
		return Actions{Sending: Sending{Send: 1}, Timer: due}
	}
	c.deadline, c.waited, c.sent, c.tries, c.state, c.failure = deadline, 0, 0, 0, idle, OK
	c.due[0], c.due[1], c.waiting[0], c.waiting[1], c.opening[0], c.opening[1] = 0, 0, 0, 0, 0, 0
	c.send(t, now, &a)
	return a
}

// Result is the answer to an attempt. Ignored unless that attempt is being waited for.
func (c *Call) Result(t *Terms, now time.Duration, attempt int, o Outcome) (a Actions) {
	if o == OK && attempt == 1 && c.waiting == [2]uint16{1} && t.Breaker == nil {
		// How most calls end, by the shortest way: answered does the same.
		t.Budget.ended(OK)
		t.Budget.over()
		c.waiting[0], c.state = 0, idle
		return Actions{Ending: Ending{Done: true}}
	}
	c.answered(t, now, attempt, o, 0, &a)
	return a
}

// Shed is the answer of a server that turned the attempt away and said when to come again: after that, and the backoff
// on top of it, so that those who were told the same don't come back together.
func (c *Call) Shed(t *Terms, now time.Duration, attempt int, after time.Duration) (a Actions) {
	c.answered(t, now, attempt, Shed, after, &a)
	return a
}

// Lost says that the answer to an attempt has gone missing on its way, so that it never comes. Whoever waits doesn't see
// that, and waits on until its time is up. That is a [Timeout] then, and for a rule that retries what is [Lost], and a
// breaker that counts it, one of those. Ignored unless that attempt is being waited for.
func (c *Call) Lost(attempt int) {
	for i, n := range c.waiting {
		if n > 0 && int(n) == attempt {
			c.lost[i] = true
		}
	}
}

// Timer says that the time named by the last actions has come. Ignored if it has not, or if none was named.
func (c *Call) Timer(t *Terms, now time.Duration) (a Actions) {
	switch {
	case c.state == idle || now < min(c.due[0], c.due[1]):
	case c.state == backingOff:
		c.send(t, now, &a)
	case c.waiting[1] == 0 && now < c.due[0]:
		c.hedge(t, now, &a)
	default:
		c.timedOut(t, now, &a)
	}
	return a
}

// Cancel says that whoever made the call has left. The call is over, with [Timeout] if an answer was still to come.
func (c *Call) Cancel(t *Terms, _ time.Duration) (a Actions) {
	switch c.state {
	case inFlight:
		for i := range c.waiting {
			if n := c.dropped(t, i); n > 0 {
				a.abandon(n)
			}
		}
		c.finish(t, Timeout, &a)
	case backingOff:
		t.Budget.giveBack()
		c.finish(t, c.failure, &a)
	}
	return a
}

// Attempt is how many attempts were sent so far, hedges included.
func (c *Call) Attempt() int { return int(c.sent) }

// send begins a try. For a retry the budget has reserved a token.
func (c *Call) send(t *Terms, now time.Duration, a *Actions) {
	if now >= c.deadline {
		c.turnedAway(t, Deadline, a)
		return
	}
	var generation uint32
	if t.Breaker != nil {
		var ok bool
		if generation, ok = t.Breaker.admit(now); !ok {
			c.turnedAway(t, Open, a)
			return
		}
	}
	if c.sent == 0 {
		t.Budget.first()
	} else {
		t.Budget.spend(now)
	}
	c.tries++
	c.state = inFlight
	c.due[1] = NoDeadline
	if h := t.Rule.HedgeAfter; h > 0 {
		c.due[1] = now + min(h, NoDeadline-now)
	}
	c.launch(t.Rule, now, 0, generation, a)
}

// hedge sends a second attempt beside the first, if it may.
func (c *Call) hedge(t *Terms, now time.Duration, a *Actions) {
	c.due[1] = NoDeadline
	a.Timer = c.timer()
	if !t.Budget.reserve(now) {
		return
	}
	generation, ok := t.Breaker.admit(now)
	if !ok {
		t.Budget.giveBack()
		return
	}
	t.Budget.spend(now)
	a.Hedge = true
	c.launch(t.Rule, now, 1, generation, a)
}

// launch sends an attempt that all have agreed to, at place i of the try.
func (c *Call) launch(r *Rule, now time.Duration, i int, generation uint32, a *Actions) {
	c.sent++
	c.waiting[i], c.opening[i], c.due[i], c.lost[i] = c.sent, generation, c.deadline, false
	if r.Timeout > 0 && r.Timeout < c.deadline-now {
		c.due[i] = now + r.Timeout
	}
	a.Send, a.Timer = c.sent, c.timer()
}

// timer is when something is due, for the driver.
func (c *Call) timer() time.Duration {
	if due := min(c.due[0], c.due[1]); due != NoDeadline {
		return due
	}
	return 0
}

// timedOut gives up the attempts whose time is up.
func (c *Call) timedOut(t *Terms, now time.Duration, a *Actions) {
	again := t.Rule.RetryOn.Has(Timeout)
	for i, n := range c.waiting {
		if n > 0 && now >= c.due[i] {
			c.ended(t, now, i, Timeout)
			a.abandon(n)
			again = t.Rule.RetryOn.Has(Timeout) || c.lost[i] && t.Rule.RetryOn.Has(Lost)
		}
	}
	if c.waiting[0] == 0 && c.waiting[1] == 0 {
		c.failed(t, now, Timeout, again, 0, a)
	} else {
		a.Timer = c.timer()
	}
}

func (c *Call) answered(t *Terms, now time.Duration, attempt int, o Outcome, after time.Duration, a *Actions) {
	i := 0
	if attempt != int(c.waiting[0]) {
		i = 1
	}
	if attempt == 0 || attempt != int(c.waiting[i]) {
		return
	}
	c.ended(t, now, i, o)
	twin := 1 - i
	switch {
	case o == OK:
		a.Beaten = c.dropped(t, twin)
		c.finish(t, OK, a)
	case c.waiting[twin] > 0:
		a.Timer = c.timer()
	default:
		c.failed(t, now, o, t.Rule.RetryOn.Has(o), after, a)
	}
}

// ended settles what the attempt at place i came to. Its time is not waited for any more.
func (c *Call) ended(t *Terms, now time.Duration, i int, o Outcome) {
	counted := o
	if o == Timeout && c.lost[i] && t.Breaker.counts(Lost) {
		counted = Lost
	}
	t.Breaker.ended(now, c.opening[i], counted)
	t.Budget.ended(o)
	if c.waiting[i] > 1 {
		t.Budget.retired()
	}
	c.waiting[i], c.due[i] = 0, NoDeadline
}

// dropped settles the attempt at place i, if there is one, as one that nobody waits for: what it comes to will not be
// known.
func (c *Call) dropped(t *Terms, i int) (n uint16) {
	n = c.waiting[i]
	if n > 0 {
		t.Breaker.unknown(c.opening[i])
	}
	if n > 1 {
		t.Budget.retired()
	}
	c.waiting[i] = 0
	return n
}

// failed is the end of a try that did not go well: there is another, now or after a wait, if the rule wants it again, or the
// call is over.
func (c *Call) failed(t *Terms, now time.Duration, o Outcome, again bool, after time.Duration, a *Actions) {
	r := t.Rule
	if int(c.tries) >= r.Attempts || !again || o == Open || o == Deadline {
		c.finish(t, o, a)
		return
	}
	backoff := r.wait(int(c.tries), c.waited, t.Jitter)
	wait := after + min(backoff, NoDeadline-after)
	if c.deadline != NoDeadline && wait > c.deadline-now-max(r.Timeout, 1) || !t.Budget.reserve(now) {
		c.finish(t, o, a)
		return
	}
	c.waited = backoff
	if wait == 0 {
		c.send(t, now, a)
		return
	}
	c.state, c.failure = backingOff, o
	c.due = [2]time.Duration{now + min(wait, NoDeadline-now), NoDeadline}
	a.Timer = c.due[0]
}

// turnedAway ends a call of which something was to be sent, and is not.
func (c *Call) turnedAway(t *Terms, o Outcome, a *Actions) {
	if c.sent > 0 {
		t.Budget.giveBack()
	}
	c.finish(t, o, a)
}

func (c *Call) finish(t *Terms, o Outcome, a *Actions) {
	if c.sent > 0 {
		t.Budget.over()
	}
	c.state = idle
	a.Done, a.Outcome = true, o
}

// Abandoned is Abandon and AbandonToo.
func (g GivenUp) Abandoned() [2]uint16 { return [2]uint16{g.Abandon, g.AbandonToo} }

// abandon adds an attempt to those that are given up.
func (a *Actions) abandon(n uint16) {
	if a.Abandon == 0 {
		a.Abandon = n
	} else {
		a.AbandonToo = n
	}
}
