package view

import (
	"math"
	"slices"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// History is the seconds of a run in columns, as charts are drawn of them: four hours are drawn without asking the maps of
// each row again. The zero value has no seconds.
type History struct {
	// Offered is requests that came in each second; InTime and Failed those that ended in it, whenever they came. So a
	// second never changes once it is over, which how its own requests end would have it do.
	Offered, InTime, Failed []float32
	// P50 and P99 are how long users waited, in seconds. NaN if no request ended.
	P50, P99 []float32
	// Places are the dependencies, by name, in the order that a snapshot has them.
	Places []PlaceHistory
	// Version is another one after each Take.
	Version int

	row []float32 // a second's values, in the order of columns
}

// PlaceHistory is one dependency's seconds.
type PlaceHistory struct {
	Name string
	// First is the first attempts that came, Tried those and the retries, Sent all of them: the hedges too.
	First, Tried, Sent []float32
	// Queue is how many waited at the end of it, Busy how many slots were busy on average.
	Queue, Busy []float32
	// Peak is the most that waited and were served in any second.
	Peak float32
}

// Seconds is how many there are.
func (h *History) Seconds() int { return len(h.Offered) }

// Take takes in rows from the second from on. Those before are as they were; what it had later is gone.
func (h *History) Take(rows []metrics.Row, from int) {
	if len(rows) > 0 && !h.of(rows[0].Dependencies) {
		*h = History{Version: h.Version}
		for _, name := range scenario.Names(rows[0].Dependencies) {
			h.Places = append(h.Places, PlaceHistory{Name: name})
		}
	}
	from = min(from, h.Seconds(), len(rows))
	if from < h.Seconds() {
		h.columns(func(c *[]float32) { *c = (*c)[:from] })
		for i := range h.Places {
			p := &h.Places[i]
			p.Peak = 0
			for second := range from {
				p.Peak = max(p.Peak, p.Queue[second]+p.Busy[second])
			}
		}
	}
	for i := range rows[from:] {
		h.add(&rows[from+i])
	}
	h.Version++
}

// of tells whether these are the dependencies it has.
func (h *History) of(all map[string]metrics.RowDependency) bool {
	for i := range h.Places {
		if _, ok := all[h.Places[i].Name]; !ok {
			return false
		}
	}
	return len(h.Places) == len(all)
}

func (h *History) columns(each func(*[]float32)) {
	for _, c := range [...]*[]float32{&h.Offered, &h.InTime, &h.Failed, &h.P50, &h.P99} {
		each(c)
	}
	for i := range h.Places {
		p := &h.Places[i]
		for _, c := range [...]*[]float32{&p.First, &p.Tried, &p.Sent, &p.Queue, &p.Busy} {
			each(c)
		}
	}
}

func (h *History) add(r *metrics.Row) {
	ended, ok := int64(0), int64(0)
	for _, o := range r.Operations {
		ended += o.Ended
		ok += o.EndedOK
	}
	p50, p99 := float32(r.P50S), float32(r.P99S)
	if ended == 0 {
		p50, p99 = float32(math.NaN()), float32(math.NaN())
	}
	values := append(h.row[:0], float32(r.Offered), float32(ok), float32(ended-ok), p50, p99)
	for i := range h.Places {
		p := &h.Places[i]
		d := r.Dependencies[p.Name]
		values = append(values, float32(d.Attempts-d.Retries-d.Hedges), float32(d.Attempts-d.Hedges), float32(d.Attempts),
			float32(d.Queue), float32(d.BusyMean))
		p.Peak = max(p.Peak, float32(d.Queue)+float32(d.BusyMean))
	}
	h.row = values
	i := 0
	h.columns(func(c *[]float32) {
		*c = append(*c, values[i])
		i++
	})
}

// Focus is the dependency to draw charts of, by index: one that something is broken at in one of the runs, or else the
// one that was nearest to what it can do or furthest beyond it, in all that was seen. So it stays the same wherever in
// time one looks. -1 if nothing was seen.
func Focus(settings *scenario.Scenario, faults []scenario.Fault, runs ...*History) int {
	best, most := -1, float32(-1)
	for _, h := range runs {
		for i := range h.Places {
			p := &h.Places[i]
			pressure := min(p.Peak/float32(max(1, settings.Dependencies[p.Name].Slots)), 100)
			if slices.ContainsFunc(faults, func(f scenario.Fault) bool { return f.Target == p.Name }) {
				pressure += 100
			}
			if pressure > most {
				best, most = i, pressure
			}
		}
	}
	return best
}
