package metrics

import (
	"fmt"
	"math"
	"slices"
	"time"

	"stormbin/engine/policy"
	"stormbin/engine/scenario"
)

// Sums is what can be said about a policy with pencil and paper: whether the timeouts fit the time there is, and what the
// retries come to. Its JSON names are those of storm sum -json.
//
// It is the arithmetic of the worst day: every request of an operation makes every step, as with cold caches, and a
// timeout is waited out to its end. What load itself does to failure no sum can tell; that is what a run is for.
type Sums struct {
	Scenario string `json:"scenario"`
	// Share is the part of the attempts that fail, 0 to 1.
	Share      float64                  `json:"share"`
	Operations map[string]OperationSums `json:"operations"`
	// Budget is what bounds the retries and hedges of each process to each dependency, in words. Empty: nothing does.
	Budget string `json:"budget"`
	// BudgetBound is the most attempts that the budget lets a process make at a dependency for each first one, apart from the
	// few that its bucket holds: 1 + ratio, or all that a call may make if that is less. null: there is no such bound, since
	// the budget is of another kind, has a floor, or isn't there.
	BudgetBound *float64 `json:"budget_bound"`
}

// OperationSums is one operation's arithmetic.
type OperationSums struct {
	// PerS is the requests a second, before any fault or shape: rate × copies. 0 for closed arrivals, whose rate is not given.
	PerS      float64    `json:"per_s"`
	DeadlineS float64    `json:"deadline_s"` // 0: none
	Steps     []StepSums `json:"steps"`
	// SlicesS is what the slices of all steps add up to; Untimed are the calls that have none, as they have no timeout.
	SlicesS float64  `json:"slices_s"`
	Untimed []string `json:"untimed"`
	// LeftS is the deadline without the slices, below 0 if they are more. null if there is no deadline, or a step untimed.
	LeftS *float64 `json:"left_s"`
	// Cap is null where there is none.
	Cap *CapSums `json:"cap"`
}

// StepSums is one call of an operation. Of a time, 0 is: unbounded.
type StepSums struct {
	Call        string  `json:"call"`
	Dependency  string  `json:"dependency"`
	TimeoutS    float64 `json:"timeout_s"`     // of one attempt
	HedgeAfterS float64 `json:"hedge_after_s"` // 0: no hedge
	// SliceS is how long one try may take: the timeout, or the whole of the library's tries if that is sooner; and as much
	// longer as the hedge is sent later.
	SliceS float64 `json:"slice_s"`
	// WorstS is how long the call may take against a server that never answers: all its retries, or the deadline if that is
	// passed on and sooner.
	WorstS float64 `json:"worst_s"`
	// OneRetryS is the operation's slices and one more of this step, and RefusedS the same if what fails was refused, which takes
	// no time: the slices alone. The wait before the retry is in neither, and up to BackoffS. 0 if a step is untimed.
	OneRetryS float64 `json:"one_retry_s"`
	RefusedS  float64 `json:"refused_s"`
	BackoffS  float64 `json:"backoff_s"`
	// RetriesFit is how many retries of this step fit what the slices leave, each with its longest wait, whether or not the
	// policy asks for them, and RefusedFit how many do after refusals; up to 99, the most that it may ask for. null if there is
	// no deadline.
	RetriesFit *int `json:"retries_fit"`
	RefusedFit *int `json:"refused_fit"`
	// TooManyBackoffS is the longest waits before the first retry that doesn't fit any more, together. 0 if all 99 fit, or there
	// is no deadline.
	TooManyBackoffS float64 `json:"too_many_backoff_s"`
	// HedgedPerS is the attempts a second if every one is hedged: twice the requests. 0: no hedge.
	HedgedPerS float64 `json:"hedged_per_s"`
	// Failures is what each kind of failure is multiplied by, those alike together.
	Failures []Multiplication `json:"failures"`
}

// Multiplication is how often a click is tried that fails in one of these ways every time: timeout, error, refused, shed.
// An answer that is lost never comes, so that its caller sees a timeout.
type Multiplication struct {
	On []string `json:"on"` // the outcomes
	// Layers are those that try again after them, outside in: client, balancer, app, library. Empty: nobody does.
	Layers []LayerSums `json:"layers"`
	// Attempts of one click is the product of the layers; with a hedge, twice that.
	Attempts int `json:"attempts"`
	// Same is the load if it is the same share of the clicks that fails each time: 1 + p·n, n being Attempts without the first.
	Same Load `json:"same"`
	// Independent is the load if each attempt fails by its own luck: 1 + p + p² + … + pⁿ. Hedges aren't in it.
	Independent Load `json:"independent"`
}

// LayerSums is how often one layer tries, the first time included.
type LayerSums struct {
	Name     string `json:"name"`
	Attempts int    `json:"attempts"`
}

// Load is how many attempts that makes for each request, and a second.
type Load struct {
	Factor float64 `json:"factor"`
	PerS   float64 `json:"per_s"`
}

// CapSums is how fast the cap on an operation turns over when what it calls is dead.
type CapSums struct {
	PerProcess int `json:"per_process"`
	Processes  int `json:"processes"`
	Slots      int `json:"slots"` // of all processes
	// HeldS is how long one call may hold a slot at the most: the longest WorstS of the steps. 0: for ever.
	HeldS float64 `json:"held_s"`
	Call  string  `json:"call"` // that call
	// TurnoverPerS is Slots ÷ HeldS: the requests a second that get a slot.
	TurnoverPerS float64 `json:"turnover_per_s"`
}

// Sum does the arithmetic of a valid scenario for a share of failing attempts, 0 to 1.
func Sum(s *scenario.Scenario, share float64) Sums {
	sums := Sums{Scenario: s.ID, Share: share, Operations: map[string]OperationSums{}}
	for name, o := range s.Operations {
		sums.Operations[name] = sumOperation(s, name, o, share)
	}
	sums.Budget, sums.BudgetBound = sumBudget(s)
	return sums
}

func sumBudget(s *scenario.Scenario) (words string, bound *float64) {
	b := s.Policy.Budget.Policy()
	most := 1 // attempts of a call, its library's apart: those are not the budget's business
	for _, c := range s.Policy.Calls {
		c.Library.Attempts = 1
		if len(c.RetryOn) == 0 {
			c.Attempts = 1
		}
		most = max(most, attempts(c))
	}
	ratio := min(1+b.Percent/100, float64(most))
	floor := short(b.FloorPerSecond, 2) + " more a second"
	switch {
	case b.Kind == policy.TokenBudget:
		return fmt.Sprintf("retries while more than half of %s are left; a failure costs one, a success earns %s",
			Plural(b.MaxTokens, "token", "tokens"), short(b.TokenRatio, 3)), nil
	case b.Kind == policy.InFlightBudget:
		return fmt.Sprintf("retries under way are at most %s of the calls under way, or %s if that is more",
			percent(b.Percent/100), Thousands(int64(b.MinConcurrent))), nil
	case b.Kind == policy.NoBudget:
		return "", nil
	case b.Percent == 0:
		return "one attempt for each first one, and " + floor, nil
	case b.FloorPerSecond > 0:
		return fmt.Sprintf("%s attempts for each first one, and %s", times(ratio), floor), nil
	}
	words = fmt.Sprintf("at most %s attempts for each first one", times(ratio))
	if ratio < float64(most) {
		words += fmt.Sprintf(", but for %d in hand", policy.BudgetBurst)
	}
	return words, &ratio
}

func sumOperation(s *scenario.Scenario, name string, o scenario.Operation, share float64) OperationSums {
	sums := OperationSums{DeadlineS: time.Duration(o.Deadline).Seconds(), Untimed: []string{}}
	if o.Arrivals != "closed" {
		sums.PerS = o.Rate * float64(o.Copies)
	}
	var together time.Duration
	for _, step := range o.Steps {
		own := slice(s.Policy.Calls[step])
		together += own
		if own == 0 {
			sums.Untimed = append(sums.Untimed, step)
		}
	}
	sums.SlicesS = together.Seconds()
	timed := len(sums.Untimed) == 0
	left := time.Duration(o.Deadline) - together
	if o.Deadline > 0 && timed {
		leftS := left.Seconds()
		sums.LeftS = &leftS
	}
	for _, step := range o.Steps {
		c := s.Policy.Calls[step]
		own := slice(c)
		sum := StepSums{
			Call: step, Dependency: c.Target(step), TimeoutS: time.Duration(c.Timeout).Seconds(),
			HedgeAfterS: time.Duration(c.HedgeAfter).Seconds(), SliceS: own.Seconds(), WorstS: longestCall(s, o, c).Seconds(),
			Failures: multiplications(s, o, c, sums.PerS, share),
		}
		if c.HedgeAfter > 0 {
			sum.HedgedPerS = 2 * sums.PerS
		}
		if timed {
			sum.OneRetryS, sum.RefusedS, sum.BackoffS = (together + own).Seconds(), together.Seconds(), longest(c.Rule(), 1).Seconds()
		}
		if o.Deadline > 0 {
			n, refused := 0, 0
			if timed {
				n, refused = fitting(c.Rule(), own, left), fitting(c.Rule(), 0, left)
				if n < mostRetries {
					sum.TooManyBackoffS = backoffs(c.Rule(), n+1).Seconds()
				}
			}
			sum.RetriesFit, sum.RefusedFit = &n, &refused
		}
		sums.Steps = append(sums.Steps, sum)
	}
	if perProcess := s.Processes.Cap[name]; perProcess > 0 {
		sums.Cap = sumCap(s, o, perProcess)
	}
	return sums
}

// Worst is how long one call takes at the worst: against a black hole, a server that swallows every packet, with the
// longest waits that its jitter may draw. 0: nothing bounds it. A deadline is not in it.
func Worst(c scenario.Call) time.Duration { return worst(c.Rule(), slice(c)) }

// slice is how long one try of a call may take. 0: unbounded.
func slice(c scenario.Call) time.Duration {
	library := c.Library.Rule()
	try := sooner(time.Duration(c.Timeout), worst(library, library.Timeout))
	if hedge := time.Duration(c.HedgeAfter); hedge < try {
		try += hedge.Round(time.Microsecond) // one at once is a nanosecond's
	}
	return try
}

// longestCall is how long a call of the operation may take: its worst, or the deadline if that is passed on and sooner.
// 0: unbounded.
func longestCall(s *scenario.Scenario, o scenario.Operation, c scenario.Call) time.Duration {
	if s.Policy.PropagateDeadline {
		return sooner(Worst(c), time.Duration(o.Deadline))
	}
	return Worst(c)
}

// sooner is the smaller of two bounds, of which 0 is none.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// worst is how long a rule's tries may take if nothing ever answers them. 0: unbounded.
func worst(r policy.Rule, try time.Duration) time.Duration {
	total := try
	if try > 0 && r.RetryOn.Has(policy.Timeout) {
		for n := 1; n < r.Attempts; n++ {
			total = add(total, add(longest(r, n), try))
		}
	}
	return total
}

// mostRetries is how many a policy may ask for.
const mostRetries = 99

// backoffs is the longest waits before each of the first n retries, together.
func backoffs(r policy.Rule, n int) (together time.Duration) {
	for i := range n {
		together = add(together, longest(r, i+1))
	}
	return together
}

// fitting is how many more tries fit what is left.
func fitting(r policy.Rule, try, left time.Duration) (n int) {
	for n < mostRetries {
		left -= add(longest(r, n+1), try)
		if left < 0 {
			break
		}
		n++
	}
	return n
}

// longest is the longest wait before retry n that the rule's jitter may draw.
func longest(r policy.Rule, n int) time.Duration {
	wait := r.Backoff.Wait(n)
	if r.Jitter != policy.Decorrelated || wait == 0 {
		return wait
	}
	wait = r.Backoff.Base
	for range n {
		wait = add(wait, add(wait, wait))
	}
	if most := r.Backoff.Max; most > 0 {
		wait = min(wait, most)
	}
	return wait
}

// add is a + b, or as much as can be counted.
func add(a, b time.Duration) time.Duration { return a + min(b, math.MaxInt64-a) }

// multiplications is what the failures of a call are multiplied by, for an operation of so many requests a second.
func multiplications(s *scenario.Scenario, o scenario.Operation, c scenario.Call, perS, share float64) (all []Multiplication) {
	for _, outcome := range []string{"timeout", "error", "refused", "shed"} {
		layers := []LayerSums{}
		again := func(name string, attempts int, retryOn []string, outcome string) {
			if attempts > 1 && slices.Contains(retryOn, outcome) {
				layers = append(layers, LayerSums{name, attempts})
			}
		}
		if !c.Optional { // or nobody further out notices; they see an error, whatever it was
			again("client", o.Client.Attempts, o.Client.RetryOn, "error")
			again("balancer", s.Policy.Balancer.Attempts, s.Policy.Balancer.RetryOn, "error")
		}
		again("app", c.Attempts, c.RetryOn, outcome)
		again("library", c.Library.Attempts, c.Library.RetryOn, outcome)
		alike := slices.IndexFunc(all, func(m Multiplication) bool { return slices.Equal(m.Layers, layers) })
		if alike >= 0 {
			all[alike].On = append(all[alike].On, outcome)
			continue
		}
		all = append(all, multiply(outcome, layers, c.HedgeAfter > 0, perS, share))
	}
	return all
}

func multiply(outcome string, layers []LayerSums, hedged bool, perS, share float64) Multiplication {
	m := Multiplication{On: []string{outcome}, Layers: layers, Attempts: 1}
	for _, l := range layers {
		m.Attempts *= l.Attempts
	}
	m.Independent.Factor = geometric(share, m.Attempts)
	if hedged {
		m.Attempts *= 2
	}
	m.Same.Factor = 1 + share*float64(m.Attempts-1)
	m.Same.PerS = perS * m.Same.Factor
	m.Independent.PerS = perS * m.Independent.Factor
	return m
}

// geometric is 1 + p + p² + … of n terms.
func geometric(p float64, n int) float64 {
	if p == 1 {
		return float64(n)
	}
	return (1 - math.Pow(p, float64(n))) / (1 - p)
}

func sumCap(s *scenario.Scenario, o scenario.Operation, perProcess int) *CapSums {
	sums := &CapSums{PerProcess: perProcess, Processes: s.Processes.Count, Slots: perProcess * s.Processes.Count}
	var most time.Duration
	for _, step := range o.Steps {
		held := longestCall(s, o, s.Policy.Calls[step])
		if held == 0 { // for ever
			sums.Call, most = step, 0
			break
		}
		if held > most {
			sums.Call, most = step, held
		}
	}
	sums.HeldS = most.Seconds()
	if most > 0 {
		sums.TurnoverPerS = float64(sums.Slots) / sums.HeldS
	}
	return sums
}
