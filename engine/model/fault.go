package model

import (
	"math"
	"slices"
	"time"

	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// carryOut makes the changes, and begins and ends the faults, that are due.
func (w *World) carryOut() {
	for w.changed < len(w.settings.Changes) && time.Duration(w.settings.Changes[w.changed].At) <= w.Now() {
		c := w.settings.Changes[w.changed]
		if err := scenario.Set(&w.settings, c.Path, c.Value); err != nil {
			panic("model: a change that was not validated: " + err.Error())
		}
		w.changed++
		w.configure()
	}
	w.applyFaults()
}

// moment moves the clock on by a nanosecond, to when a live change takes effect: everything of this instant came before it,
// in this run and in every replay, and everything after comes after. Whoever makes the change lets the instant end first.
func (w *World) moment() time.Duration {
	t := w.Now() + 1
	w.measureTo(t)
	w.queue.Pass(t)
	return w.Now()
}

// Change makes changes, which have been validated, all at one moment from now on.
func (w *World) Change(changes []scenario.Change) {
	at := scenario.Duration(w.moment())
	changes = slices.Clone(changes)
	for i := range changes {
		changes[i].At = at
	}
	w.settings.Changes = slices.Insert(slices.Clone(w.settings.Changes), w.changed, changes...)
	w.carryOut()
}

// Break adds a fault that begins now.
func (w *World) Break(f scenario.Fault) {
	f.At = scenario.Duration(w.moment())
	w.settings.Faults = append(slices.Clone(w.settings.Faults), f)
	w.applyFaults()
}

// Plan adds a fault that begins at f.At, which is to come.
func (w *World) Plan(f scenario.Fault) {
	w.settings.Faults = append(slices.Clone(w.settings.Faults), f)
	w.plan()
}

// Drop takes a fault off the timeline that is to come, and tells whether there was one.
func (w *World) Drop(f scenario.Fault) bool {
	i := slices.Index(w.settings.Faults, f)
	if i < 0 || time.Duration(f.At) <= w.Now() {
		return false
	}
	w.settings.Faults = slices.Delete(slices.Clone(w.settings.Faults), i, i+1)
	w.plan()
	return true
}

// Mend ends what is broken now, and drops what was to come.
func (w *World) Mend() {
	now := w.moment()
	var left []scenario.Fault
	for _, f := range w.settings.Faults {
		at := time.Duration(f.At)
		if at >= now {
			continue
		}
		if f.On(now) {
			f.For = scenario.Duration(now - at)
		}
		left = append(left, f)
	}
	w.settings.Faults = left
	w.applyFaults()
}

// applyFaults makes every dependency as ill, and every load as great, as the faults that are on now say. Of two faults
// on one target both count: factors multiply, chances add up as independent ones.
func (w *World) applyFaults() {
	now := w.Now()
	w.plan()
	for i := range w.dependencies {
		d := &w.dependencies[i]
		h := Health{Slow: 1, Capacity: 1}
		for _, f := range w.settings.Faults {
			if f.Target != d.name || !f.On(now) {
				continue
			}
			h.add(f)
			if f.Kind == "flush" && time.Duration(f.At) == now && d.cache != nil {
				d.cache.flush()
			}
		}
		w.setHealth(d, h)
	}
	for i := range w.dependencies { // now that all of them are as they are
		w.serveWaiting(&w.dependencies[i])
	}
	for i := range w.operations[:w.users] {
		op := &w.operations[i]
		set := w.settings.Operations[op.name]
		factor := w.factor(op)
		op.closed.factor = factor
		if set.Arrivals != "closed" {
			w.setRate(op, min(set.Rate*factor, maxRate))
		}
	}
}

// plan finds out when the scenario next has something to say: a change, a fault that begins or ends, a shape that goes on.
func (w *World) plan() {
	now := w.Now()
	w.planned = scenario.Forever
	for _, f := range w.settings.Faults {
		for _, t := range [...]time.Duration{time.Duration(f.At), f.End()} {
			if t > now {
				w.planned = min(w.planned, t)
			}
		}
	}
	for i := range w.operations[:w.users] {
		_, until := w.operations[i].shape.at(now)
		w.planned = min(w.planned, until)
	}
	if w.changed < len(w.settings.Changes) {
		w.planned = min(w.planned, time.Duration(w.settings.Changes[w.changed].At))
	}
	w.soonest = min(w.planned, w.arrival)
}

// factor is what an operation's rate is multiplied by now, by its shape and by surges.
func (w *World) factor(op *operation) float64 {
	factor, _ := op.shape.at(w.Now())
	for _, f := range w.settings.Faults {
		if f.Kind == "surge" && f.Target == op.name && f.On(w.Now()) {
			factor *= f.Factor
		}
	}
	return factor
}

func (h *Health) add(f scenario.Fault) {
	switch f.Kind {
	case "slow":
		h.Slow *= f.Factor
	case "capacity":
		h.Capacity *= f.Factor
	case "flaky":
		h.Flaky = either(h.Flaky, f.P)
	case "lose":
		h.Lose = either(h.Lose, f.P)
	case "stall":
		h.Stalled = true
	case "down":
		h.Down = true
	case "blackhole":
		h.Blackhole = true
	case "flush":
		h.Flushed = true
	}
}

// maxRate is what one surge of the highest rate comes to. Where several fall together a rate stays at that: beyond, the
// gaps between arrivals would round to nothing.
const maxRate = 1e9

// either is the chance of one of two independent things. The conversion keeps a compiler from fusing the product and the
// difference, which not every machine does.
func either(p, q float64) float64 { return 1 - float64((1-p)*(1-q)) }

func (w *World) setHealth(d *dependency, h Health) {
	now := w.Now()
	was := d.health
	d.health = h
	d.slow = rng.UnitsOf(min(h.Slow, 1e6))
	d.flaky, d.lose = rng.ChanceOf(h.Flaky), rng.ChanceOf(h.Lose)
	d.limit = int(math.Round(float64(d.slots) * min(h.Capacity, 1)))
	d.hit = rng.ChanceOf(d.hits)
	if h.Flushed {
		d.hit = 0
	}
	switch {
	case h.Stalled && !was.Stalled:
		d.stalledAt = now
	case !h.Stalled && was.Stalled:
		d.paused += now - d.stalledAt
		for _, i := range d.stopped {
			w.resume(d, i)
		}
		d.stopped = d.stopped[:0]
	}
	d.measure(now)
}
