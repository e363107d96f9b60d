package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"stormbin/engine/policy"
)

// Do makes one call under the policy: work is one attempt at it, and may be begun again after a failure that the rule
// retries. nil if an attempt went well, else a [*Failure].
//
// An attempt that timed out may still be running when Do returns, and may still take effect: that is what a timeout
// means. So work must not touch what the caller reads, except by way of an attempt that succeeded. When ctx ends, the
// call is cancelled.
func (c *Caller) Do(ctx context.Context, call string, work func(context.Context) error) error {
	rule := c.Rule(call)
	d := &driver{
		Caller:  c,
		name:    call,
		work:    work,
		machine: policy.Call{Rule: &rule, Budget: c.Budget, Jitter: c.Jitter},
		inbox:   inbox{clock: c.Clock, ready: make(chan struct{}, 1)},
	}
	defer d.inbox.close()
	start := c.Clock.Now()
	acts := d.machine.Start(start, c.Deadline)
	for d.perform(ctx, acts); !acts.Done; d.perform(ctx, acts) {
		c.Clock.Release()
		ev := d.inbox.next(ctx) // whoever wakes us holds the clock for us
		now := c.Clock.Now()
		if ctx.Err() != nil {
			rule.Attempts = 1 // nobody is left to try again for
		}
		switch ev.kind {
		case resultEvent:
			acts = d.result(now, ev)
		case timerEvent:
			acts = d.machine.Timer(now)
		case cancelEvent:
			acts = d.machine.Cancel(now)
		}
	}
	if acts.Outcome == policy.OK {
		return nil
	}
	return &Failure{Call: call, Outcome: acts.Outcome, Attempts: d.machine.Attempt(), Took: c.Clock.Now() - start, Err: d.err}
}

// driver is one Do.
type driver struct {
	*Caller
	name    string
	work    func(context.Context) error
	machine policy.Call
	inbox   inbox

	stopTimer func()
	sent      int           // the attempt being waited for; 0: none
	sentAt    time.Duration // when it was sent
	leave     func()
	err       error // of the last attempt that ended
}

func (d *driver) result(now time.Duration, ev event) policy.Actions {
	if ev.attempt == d.sent {
		d.err = ev.err
		d.hop(now, ev.outcome)
	}
	return d.machine.Result(now, ev.attempt, ev.outcome)
}

// perform does what the machine said.
func (d *driver) perform(ctx context.Context, a policy.Actions) {
	if a == (policy.Actions{}) {
		return
	}
	now := d.Clock.Now()
	if d.stopTimer != nil {
		d.stopTimer()
		d.stopTimer = nil
	}
	if a.Abandon > 0 {
		d.err = nil
		d.leave()
		d.hop(now, policy.Timeout)
	}
	if a.Done && a.Outcome == policy.Deadline {
		d.sent, d.sentAt = d.machine.Attempt()+1, now
		d.hop(now, policy.Deadline)
	}
	if a.Send > 0 {
		d.sent, d.sentAt = a.Send, now
		d.leave = d.send(ctx, a.Send)
	}
	if a.Timer > 0 {
		d.stopTimer = d.Clock.At(a.Timer, func() { d.inbox.deliver(event{kind: timerEvent}) })
	}
}

// send starts an attempt. Its result comes to the inbox, late or not.
func (d *driver) send(ctx context.Context, n int) (leave func()) {
	if d.Send == nil {
		ctx, cancel := context.WithCancel(ctx)
		d.Clock.Hold()
		go func() {
			defer cancel()
			d.attempt(ctx, n)
		}()
		return cancel
	}
	// What the server has done is done, so its work must not end with the caller's patience.
	ctx = context.WithoutCancel(ctx)
	leave, o := d.Send(d.name, n, func(o policy.Outcome) {
		switch o {
		case policy.OK:
			go d.attempt(ctx, n)
		case policy.Lost:
			go func() {
				_ = d.work(ctx) // how it went is what got lost
				d.Clock.Release()
			}()
		default:
			d.inbox.deliver(event{kind: resultEvent, attempt: n, outcome: o})
		}
	})
	if o != policy.OK {
		d.Clock.Hold()
		d.inbox.deliver(event{kind: resultEvent, attempt: n, outcome: o})
	}
	return leave
}

// attempt does the work of one.
func (d *driver) attempt(ctx context.Context, n int) {
	err := d.work(ctx)
	o := policy.OK
	switch {
	case errors.Is(err, ErrRefused):
		o = policy.Refused
	case err != nil:
		o = policy.Error
	}
	d.inbox.deliver(event{kind: resultEvent, attempt: n, outcome: o, err: err})
}

// hop tells the watcher that the attempt being waited for has ended.
func (d *driver) hop(now time.Duration, o policy.Outcome) {
	if d.Watch != nil {
		left := policy.NoDeadline
		if d.Deadline != policy.NoDeadline {
			left = d.Deadline - now
		}
		d.Watch(Hop{Call: d.name, Attempt: d.sent, Start: d.sentAt, End: now, Outcome: o, Left: left})
	}
	d.sent = 0
}

type eventKind uint8

const (
	resultEvent eventKind = iota
	timerEvent
	cancelEvent
)

type event struct {
	kind    eventKind
	attempt int
	outcome policy.Outcome
	err     error
}

// inbox brings a driver its events without ever making the sender wait. Each comes with a hold on the clock.
type inbox struct {
	clock  Clock
	ready  chan struct{} // has a value when events may be waiting
	mu     sync.Mutex
	events []event
	closed bool
}

func (b *inbox) deliver(ev event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		b.clock.Release() // too late for anybody to care
		return
	}
	b.events = append(b.events, ev)
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// next waits for an event. The end of ctx is one too, and holds the clock like the others.
func (b *inbox) next(ctx context.Context) event {
	for {
		b.mu.Lock()
		if len(b.events) > 0 {
			ev := b.events[0]
			b.events = b.events[1:]
			b.mu.Unlock()
			return ev
		}
		b.mu.Unlock()
		select {
		case <-b.ready:
		case <-ctx.Done():
			b.clock.Hold()
			return event{kind: cancelEvent}
		}
	}
}

func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for range b.events {
		b.clock.Release()
	}
}
