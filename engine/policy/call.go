package policy

import (
	"math"
	"time"

	"stormbin/engine/rng"
)

// NoDeadline is the deadline of a call that has none.
const NoDeadline = time.Duration(math.MaxInt64)

// Actions is what the driver of a [Call] does now, in this order. The zero value is nothing at all.
type Actions struct {
	// Abandon is the attempt that nobody waits for any more, so that its server may be told. 0: none.
	Abandon int
	// Send is the attempt to send now (1 is the first). 0: none.
	Send int
	// Timer is when to call Timer, in place of any time named before. 0: no timer is wanted.
	Timer time.Duration
	// Done says that the call is over, with Outcome. A driver that wakes it later gets no actions.
	Done    bool
	Outcome Outcome
}

// Call is the machine of one logical call: it decides when attempts are sent, how long each is waited for, and what the
// call comes to. Every method is an event and returns what to do about it.
//
// Set Rule (and Budget and Jitter, where there are any), then Start. The zero state is a call that has not started; a
// finished one may be started again. A result carries the number of its attempt, so one that comes too late is told from
// the one being waited for, and ignored. Numbers start over with Start: keep from it what was sent before.
type Call struct {
	Rule *Rule
	// Budget is shared by the calls of one process. nil: every retry is allowed.
	Budget *Budget
	// Jitter is the stream that waits are drawn from; needed where the rule has jitter.
	Jitter *rng.Stream

	deadline time.Duration
	timer    time.Duration // when Timer is due; 0: not waiting for one
	waited   time.Duration // the last backoff
	attempt  int           // how many were sent
	state    state
	failure  Outcome // what the last attempt came to, while its retry waits
}

type state uint8

const (
	idle       state = iota
	inFlight         // waiting for an answer
	backingOff       // waiting to send
)

// Start sends the first attempt. deadline is when the request that this call serves must be over, if its process
// passes that on; [NoDeadline] if not.
func (c *Call) Start(now, deadline time.Duration) Actions {
	c.deadline, c.attempt, c.waited = deadline, 0, 0
	return c.send(now)
}

// Result is the answer to an attempt. Ignored unless that attempt is being waited for.
func (c *Call) Result(now time.Duration, attempt int, o Outcome) Actions {
	if c.state != inFlight || attempt != c.attempt {
		return Actions{}
	}
	if o == OK {
		return c.finish(OK)
	}
	return c.failed(now, o)
}

// Timer says that the time named by the last actions has come. Ignored if it has not, or if none was named.
func (c *Call) Timer(now time.Duration) Actions {
	if c.timer == 0 || now < c.timer {
		return Actions{}
	}
	if c.state == backingOff {
		return c.send(now)
	}
	left := c.attempt
	a := c.failed(now, Timeout)
	a.Abandon = left
	return a
}

// Cancel says that whoever made the call has left. The call is over, with [Timeout] if an answer was still to come.
func (c *Call) Cancel(time.Duration) Actions {
	switch c.state {
	case inFlight:
		a := c.finish(Timeout)
		a.Abandon = c.attempt
		return a
	case backingOff:
		c.Budget.giveBack()
		return c.finish(c.failure)
	}
	return Actions{}
}

// Attempt is how many attempts were sent so far.
func (c *Call) Attempt() int { return c.attempt }

func (c *Call) send(now time.Duration) Actions {
	if now >= c.deadline {
		if c.attempt > 0 {
			c.Budget.giveBack()
		}
		return c.finish(Deadline)
	}
	if c.attempt == 0 {
		c.Budget.first()
	} else {
		c.Budget.spend(now)
	}
	c.attempt++
	c.state = inFlight
	c.timer = 0
	if c.Rule.Timeout > 0 && c.Rule.Timeout < c.deadline-now {
		c.timer = now + c.Rule.Timeout
	} else if c.deadline != NoDeadline {
		c.timer = c.deadline
	}
	return Actions{Send: c.attempt, Timer: c.timer}
}

func (c *Call) failed(now time.Duration, o Outcome) Actions {
	r := c.Rule
	if c.attempt >= r.Attempts || !r.RetryOn.Has(o) || o == Open || o == Deadline {
		return c.finish(o)
	}
	wait := r.wait(c.attempt, c.waited, c.Jitter)
	if c.deadline != NoDeadline && wait > c.deadline-now-max(r.Timeout, 1) {
		return c.finish(o)
	}
	if !c.Budget.reserve(now) {
		return c.finish(o)
	}
	c.waited = wait
	if wait == 0 {
		return c.send(now)
	}
	c.state, c.timer, c.failure = backingOff, now+min(wait, NoDeadline-now), o
	return Actions{Timer: c.timer}
}

func (c *Call) finish(o Outcome) Actions {
	c.state, c.timer = idle, 0
	return Actions{Done: true, Outcome: o}
}
