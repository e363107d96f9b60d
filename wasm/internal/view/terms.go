package view

import (
	"slices"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// terms is what the picture has to know of a scenario beside a snapshot, by the snapshot's indices.
type terms struct {
	places     []placeTerms
	operations []operationTerms
	jobs       bool // there are jobs for workers
	hedges     bool // some call sends a second attempt beside the first
}

type placeTerms struct {
	// patience is the timeout of the call that most users make of it: after so long a slot is held for long.
	patience time.Duration
	cache    bool // what it answers may be all that a request needs
	edge     int  // the operation before whose processes it stands; −1: none
	called   bool // by processes
	worked   bool // by workers
}

type operationTerms struct {
	name string
	// limit is how long a request may take: its deadline, or what its calls come to at the worst, one after the other. 0:
	// nothing bounds it.
	limit    time.Duration
	deadline bool // limit is a deadline
	first    int  // the dependency of its first call
	steps    int  // calls that it makes
}

func newTerms(s *scenario.Scenario) (t terms) {
	names := scenario.Names(s.Dependencies)
	place := func(call string) (*placeTerms, int) {
		c := s.Policy.Calls[call]
		if i := slices.Index(names, c.Target(call)); i >= 0 {
			return &t.places[i], i
		}
		return &placeTerms{}, -1
	}
	for _, name := range names {
		d := s.Dependencies[name]
		t.places = append(t.places, placeTerms{cache: d.HitShare > 0 || d.Keys.Count > 0, edge: -1})
	}
	for _, call := range CallOrder(s) {
		t.hedges = t.hedges || s.Policy.Calls[call].HedgeAfter > 0
		if p, _ := place(call); p.patience == 0 {
			p.patience = time.Duration(s.Policy.Calls[call].Timeout)
		}
	}
	for i, name := range names {
		if d := s.Dependencies[name].Service; t.places[i].patience == 0 {
			t.places[i].patience = 10 * time.Duration(d.Base+d.Mean)
		}
	}
	for i, name := range scenario.Names(s.Operations) {
		op := s.Operations[name]
		o := operationTerms{name: name, limit: time.Duration(op.Deadline), deadline: op.Deadline > 0, first: -1, steps: len(op.Steps)}
		unbounded := false
		for k, call := range op.Steps {
			p, at := place(call)
			p.called = true
			if k == 0 {
				o.first = at
			}
			worst := metrics.Worst(s.Policy.Calls[call])
			unbounded = unbounded || worst == 0
			if op.Deadline == 0 {
				o.limit += worst
			}
		}
		if op.Deadline == 0 && unbounded {
			o.limit = 0
		}
		if e := slices.Index(names, op.Edge); e >= 0 {
			t.places[e].edge = i
		}
		t.operations = append(t.operations, o)
	}
	for _, job := range s.Jobs {
		p, _ := place(job.Call)
		p.worked, t.jobs = true, true
	}
	return t
}
