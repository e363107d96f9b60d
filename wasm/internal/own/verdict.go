package own

import (
	"fmt"
	"slices"
	"strconv"
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
	Outlasts time.Duration // from the end of the last fault to the end of the badness, by the second; 0 if there was none
	Never    bool          // it was still bad at the end
	Share    float64       // of the requests that failed, in the worst second
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

// WorstShare is the share of a second's requests that failed, of the second with the greatest.
func WorstShare(rows []metrics.Row) (worst float64) {
	for _, row := range rows {
		if row.Failed > 0 {
			worst = max(worst, float64(row.Failed)/float64(row.Offered))
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
	calm := 0.
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
				t.Verdict = o.Verdict
				t.Extra = "That is your system’s own run, of " + view.Span(time.Duration(trial.Scenario.Duration)) + ". " + extra(o, view.Path(&trial.Scenario)) + idle(&trial.Scenario)
			}
		case Calm:
			calm = o.Share
			t.Note = noted(o, &trial.Scenario, "With nothing broken at all", "so the stalls below say little: give it room first", "below")
		case CalmNoRetries:
			if o.Share != calm { // or it is said already
				t.Note = strings.TrimSpace(t.Note + " " + noted(o, &trial.Scenario, "With nothing broken and no retries", "so that column says little", "in that column"))
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
			r.Outlasts = known && now-200*time.Millisecond > span(o)
		}
	}
	return t
}

// noted is what is to be said of how it is when nothing is broken: what follows from that, and where. "" if all is well then.
func noted(o *Outcome, s *scenario.Scenario, when, little, where string) string {
	switch usual := o.usual(); {
	case usual > s.BadShare:
		return fmt.Sprintf("%s up to %s %% of a second’s requests fail: %s a second is bad that has twice as many.", when, strconv.FormatFloat(100*o.Share, 'g', 2, 64), where)
	case usual == 0 && o.Bad > 0:
		return fmt.Sprintf("%s %d of %d seconds are bad already, %s.", when, o.Bad, int(time.Duration(blipRun)/time.Second), little)
	}
	return ""
}

// span is how long a stall was bad.
func span(o *Outcome) time.Duration {
	switch {
	case o.Never:
		return scenario.Forever
	case o.Bad == 0:
		return 0
	}
	return time.Duration(blipFor) + o.Outlasts
}

func lasted(o *Outcome) string {
	switch {
	case o.Never:
		return "still bad " + view.Span(time.Duration(blipRun-blipAt-blipFor)) + " later"
	case o.Bad == 0:
		return "no second was bad"
	case span(o) > time.Duration(o.Bad+1)*time.Second && o.Bad == 1:
		return "1 bad second, " + view.Span(o.Outlasts.Round(100*time.Millisecond)) + " later"
	case span(o) > time.Duration(o.Bad+1)*time.Second: // here and there
		return metrics.Plural(o.Bad, "bad second", "bad seconds") + ", the last of them " + view.Span(o.Outlasts.Round(100*time.Millisecond)) + " later"
	}
	return "bad for " + view.Span(span(o).Round(100*time.Millisecond))
}

func loaded(l Load) string {
	if l.Extra == 0 {
		return "none"
	}
	said := "+" + view.PerSecond(float64(l.Extra))
	if first := l.Attempts - l.Extra; first > 0 {
		said += " on " + view.PerSecond(float64(first)) + ", " + view.Times(float64(l.Attempts)/float64(first))
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

// idle says which dependencies have no row, as nobody calls them; "" if there are none.
func idle(s *scenario.Scenario) string {
	called := Called(s)
	idle := slices.DeleteFunc(scenario.Names(s.Dependencies), func(name string) bool { return slices.Contains(called, name) })
	if len(idle) == 0 {
		return ""
	}
	return " Nobody calls " + strings.Join(idle, ", ") + ", so there is nothing to say of it below."
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
					sum.Lines = append(sum.Lines, step.Call+", after "+m.After()+": "+step.Multiplied(m, share)+".")
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
