package own

import (
	"fmt"
	"strings"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/view"
)

// Outcome is what one trial came to.
type Outcome struct {
	Verdict  string
	Bad      int           // seconds
	Recovery time.Duration // from the end of the last fault to the end of the badness; 0 if there was none
	Never    bool          // it was still bad at the end
	Extra    map[string]Load
}

// Load is what a dependency had in its worst second, the one with the most retries and hedges.
type Load struct{ Extra, Attempts int64 }

// Worst is the worst second of each dependency.
func Worst(rows []metrics.Row) map[string]Load {
	worst := map[string]Load{}
	for _, row := range rows {
		for name, d := range row.Dependencies {
			if extra := d.Retries + d.Hedges; extra > worst[name].Extra {
				worst[name] = Load{extra, d.Attempts}
			}
		}
	}
	return worst
}

// Row is what a stall of two seconds of one dependency comes to. What is not known yet is empty.
type Row struct {
	Dependency        string
	Now, Before, Once string // how long it is bad: with the policy, with the one before, and with no retries
	Extra             string // load of its own making, in the worst second
	Outlasts          bool   // it is bad for longer with the policy than with no retries
}

// Told is what a system's trials came to, as far as they are over.
type Told struct {
	Verdict, Before string
	Extra           string // load in the run of the verdict
	Note            string // on what is to be thought of the rows
	Rows            []Row
}

// Tell puts outcomes into words, nil for one that is not over yet. There are as many as trials.
func Tell(trials []Trial, outcomes []*Outcome) Told {
	var t Told
	row := func(dependency string) *Row {
		for i := range t.Rows {
			if t.Rows[i].Dependency == dependency {
				return &t.Rows[i]
			}
		}
		t.Rows = append(t.Rows, Row{Dependency: dependency})
		return &t.Rows[len(t.Rows)-1]
	}
	length := map[string]time.Duration{}
	for i, trial := range trials {
		o := outcomes[i]
		if trial.Of == Blip && !trial.Before {
			row(trial.Dependency) // even before it is known
		}
		if o == nil {
			continue
		}
		switch trial.Of {
		case Whole:
			if trial.Before {
				t.Before = o.Verdict
			} else {
				t.Verdict, t.Extra = o.Verdict, extra(o, view.Path(&trial.Scenario))
			}
		case Calm:
			if o.Bad > 0 {
				t.Note = fmt.Sprintf("With nothing broken at all %d of %d seconds are bad already, so the stalls below say little: give it room first.",
					o.Bad, int(time.Duration(trial.Scenario.Duration)/time.Second))
			}
		case Blip:
			r := row(trial.Dependency)
			if trial.Before {
				r.Before = lasted(o)
				continue
			}
			r.Now, r.Extra = lasted(o), loaded(o.Extra[trial.Dependency])
			length[trial.Dependency] = span(o)
		case NoRetries:
			r := row(trial.Dependency)
			r.Once = lasted(o)
			now, known := length[trial.Dependency]
			r.Outlasts = known && now > span(o)+200*time.Millisecond
		}
	}
	return t
}

// span is how long a stall was bad.
func span(o *Outcome) time.Duration {
	switch {
	case o.Never:
		return scenario.Forever
	case o.Bad == 0:
		return 0
	}
	return time.Duration(blipFor) + o.Recovery
}

func lasted(o *Outcome) string {
	switch {
	case o.Never:
		return "still bad " + view.Span(time.Duration(blipRun-blipAt-blipFor)) + " later"
	case o.Bad == 0:
		return "no second was bad"
	case span(o) > time.Duration(o.Bad+1)*time.Second: // here and there
		return metrics.Plural(o.Bad, "bad second", "bad seconds") + ", a last bad moment " + view.Span(o.Recovery.Round(100*time.Millisecond)) + " later"
	}
	return "bad for " + view.Span(span(o).Round(100*time.Millisecond))
}

func loaded(l Load) string {
	if l.Extra == 0 {
		return "none"
	}
	said := "+" + view.PerSecond(float64(l.Extra))
	if first := l.Attempts - l.Extra; first > 0 {
		said += ", " + view.Times(float64(l.Attempts)/float64(first))
	}
	return said
}

// extra is the load of its own making of each dependency that had some.
func extra(o *Outcome, path []string) string {
	var all []string
	for _, name := range path {
		if l := o.Extra[name]; l.Extra > 0 {
			all = append(all, view.Title(name)+" "+loaded(l))
		}
	}
	if len(all) == 0 {
		return "No second had a retry or a hedge in it."
	}
	return "Retries and hedges in the worst second: " + strings.Join(all, "; ") + "."
}

// Sum is what can be said of one operation with pencil and paper.
type Sum struct {
	view.Together
	Rate  string
	Lines []string // on each call: whether a retry fits, and what failures are multiplied by
}

// share of the attempts that fails, in the multiplication.
const share = .2

// Sums is the arithmetic of a system, which is valid, the busiest operation first; and what bounds its retries, "" for nothing.
func Sums(s *scenario.Scenario) (all []Sum, budget string) {
	sums := metrics.Sum(s, share)
	for _, together := range view.TheMatrix(s).Operations {
		o := sums.Operations[together.Operation]
		sum := Sum{Together: together, Rate: o.Rate()}
		for _, step := range o.Steps {
			line := "at the worst " + step.Worst()
			if fits := o.OneRetry(step); fits != "" {
				line = "one retry: " + fits
			}
			sum.Lines = append(sum.Lines, step.Call+": "+line+".")
			for _, m := range step.Failures {
				if m.Attempts > 1 {
					sum.Lines = append(sum.Lines, step.Call+", "+strings.Join(m.On, ", ")+": "+step.Multiplied(m, share)+".")
				}
			}
			if load := step.Hedged(); load != "" {
				sum.Lines = append(sum.Lines, step.Call+", if every one is hedged: "+load+".")
			}
		}
		if o.Cap != nil {
			sum.Lines = append(sum.Lines, "cap: "+o.Cap.Words()+".")
		}
		all = append(all, sum)
	}
	return all, sums.Budget
}
