package live

import (
	"context"
	"errors"
	"time"

	"stormbin/engine/policy"
)

// Do makes one call under the policy: work is one attempt at it, and may be begun again after a failure that the rule
// retries, or beside an attempt that takes long. nil if an attempt went well, else a [*Failure].
//
// An attempt that timed out, or was beaten, may still be running when Do returns, and may still take effect: that is what
// a timeout means. So work must not touch what the caller reads, except by way of an attempt that succeeded. When ctx
// ends, the call is cancelled.
func (c *Caller) Do(ctx context.Context, call string, work func(context.Context) error) error {
	d := &driver{
		Caller: c,
		ctx:    ctx,
		name:   call,
		work:   work,
		inbox:  inbox{clock: c.Clock, ready: make(chan struct{}, 1)},
	}
	defer d.inbox.close()
	d.call = d.layer(c.Rule(call))
	if c.Budget != nil {
		d.call.terms.Budget = c.Budget(call)
	}
	if c.Breaker != nil {
		d.call.terms.Breaker = c.Breaker(call)
	}
	if c.Library != nil {
		d.library, d.hasLibrary = c.Library(call)
	}
	start := c.Clock.Now()
	for d.start(d.call, start); !d.call.over; d.react(d.inbox.next(ctx)) { // whoever wakes us holds the clock for us
		c.Clock.Release()
	}
	if d.call.outcome == policy.OK {
		return nil
	}
	return &Failure{Call: call, Outcome: d.call.outcome, Attempts: d.call.machine.Attempt(), Took: c.Clock.Now() - start, Err: d.err}
}

// driver is one Do.
type driver struct {
	*Caller
	ctx        context.Context
	name       string
	work       func(context.Context) error
	inbox      inbox
	call       *layer
	library    policy.Rule
	hasLibrary bool
	err        error // of the last attempt that ended
}

// layer is one machine at work: the call itself, or a run of the library beneath one of its attempts.
type layer struct {
	rule      policy.Rule
	terms     policy.Terms
	machine   policy.Call
	above     *leg    // the call's attempt that this is a run for; nil: this is the call
	legs      [2]*leg // the attempts being waited for
	stopTimer func()
	after     time.Duration // of the last answer: when to come again
	over      bool
	outcome   policy.Outcome
}

// leg is an attempt that its layer waits for.
type leg struct {
	number int // by its layer
	try    Try
	sentAt time.Duration
	leave  func(beaten bool)
	run    *layer // the library at work on it, in place of leave
}

func (d *driver) layer(rule policy.Rule) *layer {
	l := &layer{rule: rule}
	l.terms = policy.Terms{Rule: &l.rule, Jitter: d.Jitter}
	return l
}

func (d *driver) start(l *layer, now time.Duration) {
	d.perform(l, now, l.machine.Start(&l.terms, now, d.Deadline))
}

// react is what an event leads to.
func (d *driver) react(ev event) {
	now := d.Clock.Now()
	switch {
	case ev.kind == resultEvent:
		d.result(ev.layer, now, ev.attempt, ev.answer)
	case ev.kind == lostEvent:
		ev.layer.machine.Lost(ev.attempt)
	case ev.kind == timerEvent && d.ctx.Err() == nil:
		d.perform(ev.layer, now, ev.layer.machine.Timer(&ev.layer.terms, now))
	default: // whatever it was time for, nobody is left to do it for
		d.perform(d.call, now, d.call.machine.Cancel(&d.call.terms, now))
	}
}

// result brings a layer the answer to an attempt. One that isn't waited for any more is too late.
func (d *driver) result(l *layer, now time.Duration, attempt int, ans answer) {
	at := l.take(attempt)
	if at == nil {
		return
	}
	if at.run == nil { // else the library's own attempts were told of
		d.err = ans.err
		d.hop(at, now, ans.outcome, false)
	}
	if d.ctx.Err() != nil {
		l.rule.Attempts = 1 // nobody is left to try again for
	}
	l.after = ans.after
	if ans.outcome == policy.Shed {
		d.perform(l, now, l.machine.Shed(&l.terms, now, attempt, ans.after))
	} else {
		d.perform(l, now, l.machine.Result(&l.terms, now, attempt, ans.outcome))
	}
}

// perform does what a layer's machine said.
func (d *driver) perform(l *layer, now time.Duration, a policy.Actions) {
	if a == (policy.Actions{}) {
		return // and what was armed before stays so
	}
	l.stop()
	for _, n := range a.Abandoned() {
		d.leave(l, now, l.take(int(n)), false)
	}
	d.leave(l, now, l.take(int(a.Beaten)), true)
	if a.Send > 0 {
		d.send(l, now, int(a.Send), a.Hedge)
	}
	if a.Timer > 0 {
		l.stopTimer = d.Clock.At(a.Timer, func() { d.inbox.deliver(event{kind: timerEvent, layer: l}) })
	}
	if a.Done {
		d.end(l, now, a.Outcome)
	}
}

// end is the end of the call; or of a run of the library, which answers the call's attempt.
func (d *driver) end(l *layer, now time.Duration, o policy.Outcome) {
	if o == policy.Deadline || o == policy.Open {
		n := l.machine.Attempt() + 1
		d.hop(&leg{try: l.try(n, false), sentAt: now}, now, o, false)
	}
	l.over, l.outcome = true, o
	if l.above == nil {
		return
	}
	if o == policy.Deadline {
		o = policy.Timeout // to the call, time ran out while the library was at it
	}
	d.result(d.call, now, l.above.number, answer{outcome: o, after: l.after})
}

// leave stops waiting for an attempt; nil is none.
func (d *driver) leave(l *layer, now time.Duration, at *leg, beaten bool) {
	if at == nil {
		return
	}
	d.err = nil
	if at.run == nil {
		at.leave(beaten)
		d.hop(at, now, policy.Timeout, beaten)
		return
	}
	at.run.machine.Cancel(&at.run.terms, now)
	at.run.stop()
	for _, beneath := range at.run.legs {
		d.leave(at.run, now, beneath, beaten)
	}
	at.run.legs = [2]*leg{}
}

// send begins an attempt of a layer: a run of the library where there is one beneath, else the attempt itself.
func (d *driver) send(l *layer, now time.Duration, n int, hedge bool) {
	at := &leg{number: n, try: l.try(n, hedge), sentAt: now}
	if l.legs[0] == nil {
		l.legs[0] = at
	} else {
		l.legs[1] = at
	}
	if d.hasLibrary && l.above == nil {
		at.run = d.layer(d.library)
		at.run.above = at
		d.start(at.run, now)
		return
	}
	at.leave = d.launch(l, at)
}

// launch has an attempt made. Its result comes to the inbox, late or not.
func (d *driver) launch(l *layer, at *leg) (leave func(beaten bool)) {
	result := func(ans answer) {
		d.inbox.deliver(event{kind: resultEvent, layer: l, attempt: at.number, answer: ans})
	}
	if d.Send == nil {
		cancelBeaten := d.call.rule.HedgeCancel
		ctx, cancel := context.WithCancel(d.ctx)
		d.Clock.Hold()
		go func() {
			defer cancel()
			result(outcome(d.work(ctx)))
		}()
		return func(beaten bool) {
			if !beaten || cancelBeaten {
				cancel()
			}
		}
	}
	// What the server has done is done, so its work must not end with the caller's patience.
	ctx := context.WithoutCancel(d.ctx)
	tell, o, after := d.Send(d.name, at.try, func(o policy.Outcome, after time.Duration) {
		switch o {
		case policy.OK:
			go func() { result(outcome(d.work(ctx))) }()
		case policy.Lost:
			go func() {
				_ = d.work(ctx) // how it went is what got lost
				d.inbox.deliver(event{kind: lostEvent, layer: l, attempt: at.number})
			}()
		default:
			result(answer{outcome: o, after: after})
		}
	})
	if o != policy.OK {
		d.Clock.Hold()
		result(answer{outcome: o, after: after})
		return func(beaten bool) {} // the server knows
	}
	return tell
}

// answer is what an attempt came to.
type answer struct {
	outcome policy.Outcome
	after   time.Duration // of what was shed: when to come again
	err     error
}

// outcome is what work came to.
func outcome(err error) answer {
	var shed ErrShed
	switch {
	case err == nil:
		return answer{}
	case errors.As(err, &shed):
		return answer{policy.Shed, shed.After, err}
	case errors.Is(err, ErrRefused):
		return answer{policy.Refused, 0, err}
	}
	return answer{policy.Error, 0, err}
}

// hop tells the watcher that an attempt has ended.
func (d *driver) hop(at *leg, now time.Duration, o policy.Outcome, beaten bool) {
	if d.Watch == nil {
		return
	}
	left := policy.NoDeadline
	if d.Deadline != policy.NoDeadline {
		left = d.Deadline - now
	}
	d.Watch(Hop{
		Call: d.name, Attempt: at.try.Attempt, Library: at.try.Library, Hedge: at.try.Hedge, Beaten: beaten,
		Start: at.sentAt, End: now, Outcome: o, Left: left,
	})
}

// try says which attempt the layer's n-th is.
func (l *layer) try(n int, hedge bool) Try {
	if l.above == nil {
		return Try{Attempt: n, Hedge: hedge}
	}
	try := l.above.try
	try.Library = n
	return try
}

// take is the attempt of that number, which is waited for no more; nil if it wasn't.
func (l *layer) take(n int) *leg {
	for i, at := range l.legs {
		if at != nil && at.number == n {
			l.legs[i] = nil
			return at
		}
	}
	return nil
}

func (l *layer) stop() {
	if l.stopTimer != nil {
		l.stopTimer()
		l.stopTimer = nil
	}
}
