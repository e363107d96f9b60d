package view

import (
	"slices"
	"strings"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// Matrix is what follows from the policy matrix with pencil and paper.
type Matrix struct {
	Operations []Together     // the busiest first
	Calls      map[string]Fit // one for each call
	Budget     string         // what bounds the retries, in words. Empty: nothing does
}

// Together is what the timeouts of one operation's calls come to.
type Together struct {
	Operation, Said string
	// Bar is as long as all of it. Empty if there is nothing to measure it by: no deadline, or a call without a timeout.
	Bar []Part
	// Over tells whether it is more than the deadline.
	Over bool
}

// Part is a part of a bar.
type Part struct {
	Call string  // whose timeout it is. Empty: what is left of the deadline
	Time float64 // in seconds
	Late bool    // it is past the deadline
}

// Fit is whether one more try of a call fits into the time there is.
type Fit struct {
	Short, Said string
	// Too tells whether the rule asks for more retries than fit.
	Too bool
}

// TheMatrix does the sum.
func TheMatrix(s *scenario.Scenario) Matrix {
	const share = .2 // of failing attempts; nothing here looks at it
	sums := metrics.Sum(s, share)
	m := Matrix{Calls: map[string]Fit{}, Budget: sums.Budget}
	tightest := map[string]int{}
	for _, name := range Busiest(s) {
		o := sums.Operations[name]
		m.Operations = append(m.Operations, together(name, &o))
		for _, step := range o.Steps {
			fits := 1000 // more than a rule may ask for
			if step.RetriesFit != nil {
				fits = *step.RetriesFit
			}
			if before, found := tightest[step.Call]; found && before <= fits {
				continue
			}
			tightest[step.Call] = fits
			m.Calls[step.Call] = fit(&o, step, s.Policy.Calls[step.Call])
		}
	}
	for call := range s.Policy.Calls {
		if _, found := m.Calls[call]; !found {
			m.Calls[call] = Fit{Short: "no user waits"}
		}
	}
	return m
}

func together(name string, o *metrics.OperationSums) Together {
	t := Together{Operation: name, Said: o.Sum()}
	if o.LeftS == nil {
		return t
	}
	left := o.DeadlineS
	for _, step := range o.Steps {
		within := min(step.SliceS, left)
		if within > 0 {
			t.Bar = append(t.Bar, Part{step.Call, within, false})
		}
		if late := step.SliceS - within; late > 1e-9 {
			t.Bar = append(t.Bar, Part{step.Call, late, true})
		}
		left -= within
	}
	if t.Over = *o.LeftS < 0; !t.Over && left > 1e-9 {
		t.Bar = append(t.Bar, Part{Time: left})
	}
	return t
}

func fit(o *metrics.OperationSums, step metrics.StepSums, c scenario.Call) Fit {
	f := Fit{Said: "At the worst " + step.Worst()}
	switch {
	case step.RetriesFit == nil:
		f.Short = "no deadline"
		return f
	case len(o.Untimed) > 0:
		f.Short = "no bound"
		return f
	}
	f.Said = "One retry: " + o.OneRetry(step) + ". " + f.Said
	fits := "a retry fits"
	if retries(&c) == 0 {
		fits = "a retry would fit"
	}
	f.Short = of(step.OneRetryS, o.DeadlineS)
	switch {
	case *step.RetriesFit > 0:
		f.Short = fits + ": " + f.Short
	case *step.RefusedFit > 0:
		timeout, _, _ := strings.Cut(f.Short, " ")
		f.Short = fits + " after a refusal (" + of(step.RefusedS, o.DeadlineS) + "), not after a timeout (" + timeout + ")"
	default:
		f.Short = "no retry fits: " + f.Short
	}
	f.Short += backoff(&step)
	fit := step.RetriesFit
	if slices.Equal(c.RetryOn, []string{"refused"}) {
		fit = step.RefusedFit
	}
	f.Too = retries(&c) > *fit
	return f
}

// backoff is the longest wait before a retry, after what that comes to without it.
func backoff(step *metrics.StepSums) string {
	if step.BackoffS == 0 {
		return ""
	}
	return ", and up to " + Span(time.Duration(durationOf(step.BackoffS))) + " of backoff"
}

// of is one time of another, in the unit of the other: 245 of 300 ms.
func of(part, whole float64) string {
	p, w := durationOf(part), durationOf(whole)
	if whole < 1 {
		return milliseconds(p) + " of " + milliseconds(w) + " ms"
	}
	return milliseconds(p/1000) + " of " + milliseconds(w/1000) + " s"
}

func durationOf(s float64) scenario.Duration {
	return scenario.Duration(time.Duration(s*1e9 + .5).Round(time.Microsecond))
}

// retries is how many the rule asks for of a call.
func retries(c *scenario.Call) int {
	if len(c.RetryOn) == 0 {
		return 0
	}
	return c.Attempts - 1
}

// Matters tells whether a setting of a call changes anything as the rule stands: a wait where nothing is retried does not.
func Matters(s *scenario.Scenario, call, setting string) bool {
	c := s.Policy.Calls[call]
	waits := retries(&c) > 0 && c.Backoff.Kind != "none"
	switch setting {
	case "backoff.kind":
		return retries(&c) > 0
	case "backoff.base":
		return waits
	case "backoff.max":
		grows := c.Backoff.Kind != "constant" || c.Jitter == "decorrelated"
		return waits && c.Backoff.Base > 0 && grows
	case "jitter":
		return waits && c.Backoff.Base > 0
	case "hedge_cancel":
		return c.HedgeAfter > 0 && !s.Dependencies[c.Target(call)].Cancel
	case "idempotency_key":
		for _, o := range s.Operations {
			if !o.Idempotent && slices.Contains(o.Steps, call) {
				return true
			}
		}
		return false
	}
	return true
}

// Breakable is where a name may be broken into two lines: primary_ and read.
func Breakable(name string) []string { return strings.SplitAfter(name, "_") }

// Lasting says for how long a change of the rule holds.
func Lasting(pinned bool) string {
	if pinned {
		return "What a caller does about a slow or failing call. Run A is pinned: run B begins again with each change, on the same traffic."
	}
	return "What a caller does about a slow or failing call. Changes hold from now on."
}
