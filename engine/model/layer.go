package model

import (
	"time"

	"stormbin/engine/des"
	"stormbin/engine/policy"
	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// layerRule is what a layer does about failures, and where it draws its waits.
type layerRule struct {
	present bool
	rule    policy.Rule
	lane    des.Lane // its timers; noLane until there is something to time
	jitter  rng.Stream
	terms   policy.Terms // of the two above
}

// noLane is a lane that is not there yet: each costs a little with every event, so one is only made where it is used.
const noLane = des.Lane(none)

func (l *layerRule) configure(set scenario.Layer) {
	l.present = set.Present()
	l.rule = set.Rule()
	l.terms = policy.Terms{Rule: &l.rule, Jitter: &l.jitter}
}

// schedule sets a timer on the layer's lane.
func (w *World) schedule(l *layerRule, at time.Duration, what uint32) des.Ticket {
	if l.lane == noLane {
		l.lane = w.queue.NewLane()
	}
	return w.queue.ScheduleOn(l.lane, at, what)
}

// layer is one run of a layer above the process: a client with one click, or the balancer with one request.
type layer struct {
	origin
	call  policy.Call
	kind  layerKind
	ended bool
	cause policy.Outcome // what the last request that was answered came to
	below int32          // requests and layers that will still answer it, in time or not
	user  int32          // the closed user who waits; none if there is none
	timer des.Ticket
}

type layerKind uint8

const (
	clientLayer layerKind = iota
	balancerLayer
)

func (w *World) newLayer(kind layerKind, o *origin, user int32) int32 {
	w.hold(o.intent)
	i := w.layers.take()
	l := &w.layers.rows[i]
	*l = layer{origin: *o, kind: kind, user: user}
	return i
}

// rules is what a layer goes by.
func (w *World) rules(l *layer) *layerRule {
	if l.kind == clientLayer {
		return &w.operations[l.operation].client
	}
	return &w.balancer
}

func (w *World) terms(l *layer) *policy.Terms { return &w.rules(l).terms }

// layerTimer wakes a layer.
func (w *World) layerTimer(i int32, ticket des.Ticket) {
	l := &w.layers.rows[i]
	if l.timer != ticket {
		return
	}
	l.timer = 0
	above, number := l.above, l.number
	if a, done := w.drive(i, l.call.Timer(w.terms(l), w.Now())); done && above != none {
		w.answerLayer(above, number, a)
	}
}

// answerLayer brings a layer the answer to one of its attempts, and those above it what comes of that.
func (w *World) answerLayer(i int32, number uint8, a answer) {
	for done := true; done && i != none; {
		l := &w.layers.rows[i]
		l.below--
		if l.ended {
			w.releaseLayer(i)
			return // nobody there waits any more
		}
		act := l.call.Result(w.terms(l), w.Now(), int(number), a.seen)
		if act == (policy.Actions{}) {
			return // it had given this attempt up
		}
		l.cause = a.cause
		above, numberAbove := l.above, l.number
		a, done = w.drive(i, act)
		i, number = above, numberAbove
	}
}

// drive does what a layer's call has decided. done: the layer has ended, with this answer.
func (w *World) drive(i int32, act policy.Actions) (a answer, done bool) {
	for {
		l := &w.layers.rows[i]
		if act.Done {
			return w.endLayer(i, act.Outcome), true
		}
		if act.Send > 0 {
			o := l.origin
			o.above, o.number = i, uint8(act.Send)
			l.below++
			var a answer
			var done bool
			if l.kind == clientLayer {
				o.path += uint32(act.Send-1) * clientPath
				a, done = w.request(&o)
			} else {
				o.path += uint32(act.Send-1) * balancerPath
				a, done = w.enter(&o)
			}
			if done {
				l = &w.layers.rows[i]
				l.below--
				l.cause = a.cause
				act = l.call.Result(w.terms(l), w.Now(), int(act.Send), a.seen)
				continue
			}
			l = &w.layers.rows[i]
		}
		l.timer = 0
		if act.Timer > 0 {
			l.timer = w.schedule(w.rules(l), act.Timer, layerEvent|uint32(i))
		}
		return answer{}, false
	}
}

// endLayer ends a layer. Requests that it gave up on work on in their processes, which nobody has told.
func (w *World) endLayer(i int32, o policy.Outcome) answer {
	l := &w.layers.rows[i]
	l.timer, l.ended = 0, true
	a := seenAbove(o)
	switch o {
	case policy.Error:
		a.cause = l.cause
	case policy.Shed:
		a.seen = policy.Shed
	}
	a.left = l.kind == clientLayer && o == policy.Timeout
	w.clickEnded(&l.origin, a)
	if l.user != none {
		w.think(&w.operations[l.operation], int(l.user))
	}
	w.releaseLayer(i)
	return a
}

// releaseLayer frees the row of a layer that has ended, once nothing below will refer to it.
func (w *World) releaseLayer(i int32) {
	if l := &w.layers.rows[i]; l.ended && l.below == 0 {
		w.release(l.intent)
		w.layers.put(i)
	}
}
