package model_test

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/policy"
	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// twinAnswer is told what became of a request: what it looks like from outside of the process, and what it came to.
type twinAnswer func(seen, cause policy.Outcome)

// twinRequest is a request on its way.
type twinRequest struct {
	op       *twinOperation // nil for a job's
	n, path  uint64
	intent   *twinIntent // nil if it writes nothing
	deadline time.Duration
	process  int
	step     int
	call     string // the line of the policy that its call is made under; empty at the edge
	place    string // what the draws of its call are named by
}

func stepPlace(operation string, step int, call string) string {
	return fmt.Sprintf("%s/%d/%s", operation, step, call)
}

// line is what a request's call is made under.
func (w *twin) line(r *twinRequest) scenario.Call {
	if r.call == "" {
		return scenario.Call{On: w.set.Operations[r.op.name].Edge}
	}
	line := w.set.Policy.Calls[r.call]
	line.On = line.Target(r.call)
	return line
}

func (w *twin) key(kind string, r *twinRequest, library int) rng.Key {
	key := rng.Named(w.set.Seed, kind+"/"+r.place)
	if path := r.path + uint64(library); path > 0 {
		return key.Sub(path)
	}
	return key
}

// click is a user asking for something, once or several times at one instant.
func (w *twin) click(op *twinOperation, n uint64, done func()) {
	set := w.set.Operations[op.name]
	it := w.newIntent(op)
	for copy := range set.Copies {
		op.Offered++
		op.InFlight++
		r := twinRequest{op: op, n: n, path: uint64(copy) << 24, intent: it, deadline: policy.NoDeadline}
		if !set.Client.Present() && set.Arrivals != "closed" {
			leaves := w.deadline(op)
			w.request(r, func(seen, cause policy.Outcome) { w.clickEnded(op, seen, cause, w.now > leaves) })
			continue
		}
		rule := func() policy.Rule {
			rule := set.Client.Rule()
			if d := time.Duration(set.Deadline); d > 0 && (rule.Timeout == 0 || d < rule.Timeout) {
				rule.Timeout = d
			}
			return rule
		}
		w.layer(&r, rule, &op.jitter, func(try int, answer twinAnswer) {
			r := r
			r.path += uint64(try-1) << 16
			w.request(r, answer)
		}, func(seen, cause policy.Outcome) {
			w.clickEnded(op, seen, cause, seen == policy.Timeout)
			done()
		})
	}
	it.release()
}

// deadline is when the user of a request that is sent now leaves.
func (w *twin) deadline(op *twinOperation) time.Duration {
	if d := w.set.Operations[op.name].Deadline; d > 0 {
		return w.now + time.Duration(d)
	}
	return policy.NoDeadline
}

// bound is what calls are told of a deadline.
func (w *twin) bound(deadline time.Duration) time.Duration {
	if w.set.Policy.PropagateDeadline {
		return deadline
	}
	return policy.NoDeadline
}

func (w *twin) clickEnded(op *twinOperation, seen, cause policy.Outcome, late bool) {
	op.InFlight--
	switch {
	case late:
		op.Late++
		w.outcomes["late"]++
		return
	case cause == policy.OK:
		op.OK++
	case seen == policy.Shed:
		op.Shed++
	default:
		op.Failed++
	}
	w.outcomes[cause.String()]++
}

// seenAs is what an outcome looks like from further up.
func seenAs(cause policy.Outcome) policy.Outcome {
	if cause == policy.OK {
		return policy.OK
	}
	return policy.Error
}

// layer sends a request, and perhaps again: a client's or the balancer's. Its own end is told as it is.
func (w *twin) layer(r *twinRequest, rule func() policy.Rule, jitter *rng.Stream, send func(try int, answer twinAnswer), done twinAnswer) {
	r.intent.hold()
	c := &twinCall{twin: w}
	c.terms = func() *policy.Terms { rule := rule(); return &policy.Terms{Rule: &rule, Jitter: jitter} }
	last := policy.OK // what the last request that was answered came to
	c.send = func(try int, _ bool, answer twinHears) twinLeave {
		awaited := true
		send(try, func(seen, cause policy.Outcome) {
			if awaited {
				last = cause
				answer(seen, 0)
			}
		})
		return func(model.EventKind) { awaited = false }
	}
	c.done = func(o policy.Outcome) {
		if o == policy.Error {
			done(o, last)
		} else {
			done(o, o)
		}
		r.intent.release()
	}
	c.perform(c.Start(c.terms(), w.now, w.bound(r.deadline)))
}

// request is a request leaving its user, to the edge or right to the balancer.
func (w *twin) request(r twinRequest, done twinAnswer) {
	r.op.Tries++
	r.deadline = w.deadline(r.op)
	edge := w.set.Operations[r.op.name].Edge
	if edge == "" {
		w.toBalancer(r, done)
		return
	}
	d := w.dependency(edge)
	r.place = "edge/" + r.op.name
	r.process = len(w.processes) - 1
	ill := w.broken(d, "down") || w.broken(d, "blackhole") || w.broken(d, "stall")
	if !ill && !w.hitsShare(d, &r) {
		w.toBalancer(r, done)
		return
	}
	r.intent.hold()
	w.call(&r, func(o policy.Outcome, attempts int) {
		if o == policy.OK && !w.hitsShare(d, &r) {
			w.toBalancer(r, done)
			r.intent.release()
			return
		}
		if o == policy.OK {
			d.Hits++
		}
		w.noteEnd(&r, o, attempts)
		done(seenAs(o), o)
		r.intent.release()
	})
}

func (w *twin) noteEnd(r *twinRequest, o policy.Outcome, attempts int) {
	kind := model.Failure
	if o == policy.OK && w.now <= r.deadline {
		kind = model.Answered
	}
	w.note(kind, model.First, attempts, r.process, r.op.index, r.n)
}

func (w *twin) toBalancer(r twinRequest, done twinAnswer) {
	if !w.set.Policy.Balancer.Present() {
		w.enter(r, done)
		return
	}
	rule := func() policy.Rule { return w.set.Policy.Balancer.Rule() }
	w.layer(&r, rule, &w.jitter, func(try int, answer twinAnswer) {
		r := r
		r.path += uint64(try-1) << 8
		w.enter(r, answer)
	}, func(seen, cause policy.Outcome) {
		if seen != policy.Shed {
			seen = seenAs(seen)
		}
		done(seen, cause)
	})
}

// choose is the balancer's choice.
func (w *twin) choose() int {
	n, key, app := w.entered, rng.Named(w.set.Seed, "pick"), w.processes[:len(w.processes)-1]
	w.entered++
	switch w.set.Processes.Pick {
	case "random":
		return key.At(n).Below(len(app))
	case "two":
		a, b := key.At(2*n).Below(len(app)), key.At(2*n+1).Below(len(app))
		if app[b].inFlight < app[a].inFlight {
			return b
		}
		return a
	case "least":
		least := slices.MinFunc(app, func(a, b *twinProcess) int { return cmp.Compare(a.inFlight, b.inFlight) })
		return slices.Index(app, least)
	}
	return int(n) % len(app)
}

// enter is a request at a process.
func (w *twin) enter(r twinRequest, done twinAnswer) {
	r.process = w.choose()
	p := w.processes[r.process]
	w.note(model.Arrived, model.First, 0, r.process, r.op.index, r.n)
	if !p.caps[r.op.name].Acquire() {
		w.note(model.ShedAtCap, model.First, 0, r.process, r.op.index, r.n)
		done(policy.Shed, policy.Shed)
		return
	}
	p.inFlight++
	since := w.now
	r.op.held = append(r.op.held, &since)
	r.intent.hold()
	w.begin(&r, func(o policy.Outcome, attempts int) {
		w.noteEnd(&r, o, attempts)
		p.caps[r.op.name].Release()
		p.inFlight--
		r.op.held = slices.DeleteFunc(r.op.held, func(t *time.Duration) bool { return t == &since })
		r.op.over++
		if o == policy.OK {
			w.remember(&r)
		}
		if o == policy.OK {
			w.leaveJobs(&r, "ok")
		} else {
			w.leaveJobs(&r, "failed")
		}
		r.intent.release()
		done(seenAs(o), o)
	})
}

// begin makes the call of the request's step, and then those of the next.
func (w *twin) begin(r *twinRequest, done func(o policy.Outcome, attempts int)) {
	steps := w.set.Operations[r.op.name].Steps
	r.call, r.place = steps[r.step], stepPlace(r.op.name, r.step, steps[r.step])
	w.callAndAsk(r, func(o policy.Outcome, hit bool, attempts int) {
		if o == policy.OK && !hit && r.step+1 < len(steps) {
			r.step++
			w.begin(r, done)
			return
		}
		done(o, attempts)
	})
}

// callAndAsk makes a call of the policy, and asks its dependency whether that was all that is needed.
func (w *twin) callAndAsk(r *twinRequest, done func(o policy.Outcome, hit bool, attempts int)) {
	w.call(r, func(o policy.Outcome, attempts int) {
		d := w.dependency(w.line(r).On)
		if o == policy.Open {
			d.TurnedAway++
		}
		hit := o == policy.OK && w.hits(d, r)
		if hit {
			d.Hits++
		}
		if w.line(r).Optional {
			o = policy.OK
		}
		done(o, hit, attempts)
	})
}

// call makes a call under a line of the policy.
func (w *twin) call(r *twinRequest, done func(o policy.Outcome, attempts int)) {
	p := w.processes[r.process]
	c := &twinCall{twin: w}
	c.terms = func() *policy.Terms {
		rule := w.line(r).Rule()
		t := &policy.Terms{Rule: &rule, Jitter: &p.jitter}
		if r.process < len(w.processes)-1 {
			on := w.line(r).On
			t.Budget, t.Breaker = p.budgets[on], p.breakers[on]
		}
		return t
	}
	deadline := w.bound(r.deadline)
	c.send = func(try int, hedge bool, answer twinHears) twinLeave {
		until := patience(deadline).with(w.now, w.line(r).Timeout)
		if w.line(r).Library.Present() {
			return w.library(r, try, hedge, until, answer)
		}
		return w.send(r, twinTry{call: try, library: 1, number: try, hedge: hedge, until: until}, answer)
	}
	c.backsOff = w.backsOff(r)
	c.done = func(o policy.Outcome) { done(o, c.Attempt()) }
	c.perform(c.Start(c.terms(), w.now, deadline))
}

// library is an attempt of a call that is a call in itself.
func (w *twin) library(r *twinRequest, try int, hedge bool, until patience, answer twinHears) twinLeave {
	again := time.Duration(0) // when to come, as the last answer said
	c := &twinCall{twin: w}
	c.terms = func() *policy.Terms {
		rule := w.line(r).Library.Rule()
		return &policy.Terms{Rule: &rule, Jitter: &w.processes[r.process].jitter}
	}
	deadline := w.bound(r.deadline)
	c.backsOff = w.backsOff(r)
	c.send = func(number int, _ bool, answer twinHears) twinLeave {
		until := min(until, patience(deadline)).with(w.now, w.line(r).Library.Timeout)
		return w.send(r, twinTry{call: try, library: number, number: number, hedge: hedge, until: until}, func(o policy.Outcome, after time.Duration) {
			if o != policy.Lost {
				again = after
			}
			answer(o, after)
		})
	}
	c.done = func(o policy.Outcome) {
		if o == policy.Deadline {
			o = policy.Timeout
		}
		answer(o, again)
	}
	c.perform(c.Start(c.terms(), w.now, deadline))
	return func(kind model.EventKind) {
		c.turn++
		for _, number := range c.Cancel(c.terms(), w.now).Abandoned() {
			c.giveUp(int(number), kind)
		}
	}
}

// backsOff notes that a call of a request's waits before it sends another attempt.
func (w *twin) backsOff(r *twinRequest) func(attempt int, until time.Duration) {
	return func(attempt int, until time.Duration) {
		w.note(model.BackingOff, model.Retry, attempt, r.process, w.dependency(w.line(r).On).index, r.n)
		w.trace[len(w.trace)-1].Until = until
	}
}

// twinHears is told how an attempt ended, and when to come again, if it was turned away.
type twinHears func(o policy.Outcome, after time.Duration)

// twinLeave is the end of waiting for an attempt, which the trace is to call that.
type twinLeave func(model.EventKind)

// twinCall drives one call of policy.
type twinCall struct {
	policy.Call
	*twin
	terms func() *policy.Terms // as they are now
	send  func(number int, hedge bool, answer twinHears) twinLeave
	done  func(policy.Outcome)
	// backsOff, if set, is told of each wait before an attempt.
	backsOff func(attempt int, until time.Duration)
	leaves   map[int]twinLeave // of the attempts that are waited for
	turn     int
}

func (c *twinCall) perform(a policy.Actions) {
	if a == (policy.Actions{}) {
		return
	}
	c.turn++ // whatever comes next voids the timer
	turn := c.turn
	for _, number := range a.Abandoned() {
		c.giveUp(int(number), model.TimedOut)
	}
	c.giveUp(int(a.Beaten), model.Beaten)
	if a.Done {
		c.done(a.Outcome)
		return
	}
	if number := int(a.Send); number > 0 {
		answered := false
		leave := c.send(number, a.Hedge, func(o policy.Outcome, after time.Duration) {
			if o == policy.Lost {
				c.Lost(number)
				return
			}
			answered = true
			delete(c.leaves, number)
			if o == policy.Shed {
				c.perform(c.Shed(c.terms(), c.now, number, after))
			} else {
				c.perform(c.Result(c.terms(), c.now, number, o))
			}
		})
		if answered {
			return
		}
		if c.leaves == nil {
			c.leaves = map[int]twinLeave{}
		}
		c.leaves[number] = leave
	}
	if a.Timer > 0 {
		if c.turn == turn && len(c.leaves) == 0 && c.backsOff != nil {
			c.backsOff(c.Attempt()+1, a.Timer)
		}
		c.schedule(a.Timer, func() {
			if c.turn == turn {
				c.perform(c.Timer(c.terms(), c.now))
			}
		})
	}
}

// giveUp stops waiting for an attempt, unless it has just been answered.
func (c *twinCall) giveUp(number int, kind model.EventKind) {
	if leave := c.leaves[number]; leave != nil {
		delete(c.leaves, number)
		leave(kind)
	}
}
