package model

import (
	"slices"

	"stormbin/engine/metrics"
)

// Copy is a mark to come back to: this world as it is, but for what of its history is settled, and a later world of the same
// run has as well. So it is small however long the run is. After Resume it goes on as this one would. Of visitors it has
// the attempts and the places that they take, but nobody there hears their answers.
func (w *World) Copy() *World {
	c := *w
	c.settings = w.settings.Clone()
	c.queue = w.queue.Copy()
	c.queue.Dead = c.dead
	c.operations = slices.Clone(w.operations)
	for i := range c.operations {
		op := &c.operations[i]
		op.closed.clicks = slices.Clone(op.closed.clicks)
		if op.kind != nil {
			kind := *op.kind
			op.kind = &kind
		}
	}
	c.processes = slices.Clone(w.processes)
	for i := range c.processes {
		c.processes[i] = w.processes[i].copy(&w.processes[0], &c.processes[0])
	}
	c.lines = slices.Clone(w.lines)
	c.dependencies = slices.Clone(w.dependencies)
	for i := range c.dependencies {
		d := &c.dependencies[i]
		d.held, d.free, d.stopped = slices.Clone(d.held), slices.Clone(d.free), slices.Clone(d.stopped)
		if d.cache != nil {
			held := *d.cache
			held.entries = slices.Clone(held.entries)
			d.cache = &held
		}
	}
	c.requests, c.layers, c.libraries = w.requests.copy(), w.layers.copy(), w.libraries.copy()
	c.attempts, c.intents, c.jobs = w.attempts.copy(), w.intents.copy(), w.jobs.copy()
	c.places = w.places.copy()
	c.timers, c.visits = w.timers.copy(), slices.Clone(w.visits)
	for i := range c.timers.rows {
		c.timers.rows[i].f = nil
	}
	for i := range c.visits {
		c.visits[i].answer = nil
	}
	c.workers.due = slices.Clone(w.workers.due)
	c.trace.sample = nil
	if w.settled == 0 { // else it has not resumed
		c.settled = min(w.windows.Settled(), int(w.Now()/metrics.Window)) // to the one that is running more may come
	}
	c.windows = slices.Clone(w.windows[c.settled-w.settled:])
	c.series.current = slices.Clone(w.series.current)
	c.series.times, c.series.operations, c.series.dependencies = nil, nil, nil
	c.configure() // and so point to its own
	return &c
}

func (p *pool[T]) copy() pool[T] { return pool[T]{slices.Clone(p.rows), slices.Clone(p.free)} }

// copy copies a process. first and its copy are those of the first process, whose breakers others may share.
func (p *process) copy(first, copied *process) process {
	c := *p
	c.budgets, c.caps = slices.Clone(p.budgets), slices.Clone(p.caps)
	c.terms, c.libraries = slices.Clone(p.terms), slices.Clone(p.libraries)
	c.breakers = slices.Clone(p.breakers)
	for d, b := range p.breakers {
		switch {
		case b == nil:
		case p != first && b == first.breakers[d]:
			c.breakers[d] = copied.breakers[d]
		default:
			own := *b
			c.breakers[d] = &own
		}
	}
	return c
}

// Rows is how much a copy would have to hold.
func (w *World) Rows() int {
	n := len(w.requests.rows) + len(w.attempts.rows) + len(w.layers.rows) + len(w.libraries.rows) + len(w.intents.rows) + len(w.jobs.rows) + len(w.places.rows)
	for i := range w.dependencies {
		if c := w.dependencies[i].cache; c != nil {
			n += len(c.entries)
		}
	}
	return n
}

// Resume lets a copy go on. From a later state of the same run it takes what is planned, which requests are traced, and the
// history until the copy was made.
func (w *World) Resume(later *World) {
	w.settings.Changes, w.settings.Faults = later.settings.Changes, later.settings.Faults
	w.SampleEvery(later.trace.every)
	w.windows = append(slices.Clone(later.windows[:w.settled]), w.windows...)
	w.settled = 0
	w.series.take(&later.series)
	w.plan()
}
