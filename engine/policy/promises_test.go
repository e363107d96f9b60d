package policy

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/rng"
)

// ledger keeps, in the plainest way, what the calls that share a budget and a breaker have promised.
type ledger struct {
	t        *rapid.T
	settings BudgetSettings
	budget   *Budget
	breaker  *Breaker
	entries  []*entry
	missing  float64 // of a TokenBudget's tokens
}

// entry is one call, as its driver sees it.
type entry struct {
	call       Call
	terms      Terms
	deadline   time.Duration
	mostTries  int
	open       map[int]uint32 // attempts being waited for, and the breaker's generation when each was sent
	tries      int
	hedges     int
	hedged     bool // in this try
	backingOff bool
	over       bool
}

// underWay is what the budget ought to count.
func (l *ledger) underWay() (calls, retries, waiting int64) {
	for _, e := range l.entries {
		if e.tries > 0 && !e.over {
			calls++
		}
		if e.backingOff {
			retries++
			waiting++
		}
		for n := range e.open {
			if n > 1 {
				retries++
			}
		}
	}
	return calls, retries, waiting
}

// allowed is whether the budget may decide one more retry, if so many calls and retries are under way.
func (l *ledger) allowed(calls, retries int64) bool {
	s := l.settings
	switch {
	case l.budget == nil:
	case s.Kind == TokenBudget:
		return float64(s.MaxTokens)-l.missing > float64(s.MaxTokens)/2+1e-9
	case s.Kind == InFlightBudget:
		return float64(retries+1) <= max(float64(s.MinConcurrent), s.Percent/100*float64(calls)+1e-9)
	}
	return true
}

// ended counts an attempt whose end is known.
func (l *ledger) ended(o Outcome) {
	if o == OK {
		l.missing = max(l.missing-l.settings.TokenRatio, 0)
	} else {
		l.missing = min(l.missing+1, float64(l.settings.MaxTokens))
	}
}

// answer brings a call the answer to an attempt, which may come late.
func (l *ledger) answer(e *entry, now time.Duration, attempt int, o Outcome, after time.Duration) Actions {
	_, open := e.open[attempt]
	delete(e.open, attempt)
	if open {
		l.ended(o)
	}
	var a Actions
	if o == Shed {
		a = e.call.Shed(&e.terms, now, attempt, after)
	} else {
		a = e.call.Result(&e.terms, now, attempt, o)
	}
	if !open && a != nothing {
		l.t.Fatalf("at %v a late answer to attempt %d makes it do %+v", now, attempt, a)
	}
	return a
}

// left is an attempt that the call gives up, or is done with.
func (e *entry) left(t *rapid.T, what told, n int) {
	if n == 0 {
		return
	}
	if _, ok := e.open[n]; !ok {
		t.Fatalf("at %v it leaves attempt %d, which it does not wait for: %+v", what.at, n, what.Actions)
	}
	delete(e.open, n)
}

// check holds what a call does against its promises. cancelled says that its caller has left.
func (l *ledger) check(e *entry, what told, cancelled bool) {
	t := l.t
	calls, retries, _ := l.underWay()
	if what.Actions == nothing {
		return
	}
	if e.over {
		t.Fatalf("at %v, after its end: %+v", what.at, what.Actions)
	}
	wasBackingOff := e.backingOff
	for _, n := range what.Abandoned() {
		if n > 1 {
			retries--
		}
		e.left(t, what, int(n))
		if n > 0 && !cancelled {
			l.ended(Timeout)
		}
	}
	e.left(t, what, int(what.Beaten))
	if what.Beaten > 0 && (!what.Done || what.Outcome != OK) {
		t.Fatalf("at %v an attempt is beaten with no answer: %+v", what.at, what.Actions)
	}

	if what.Send > 0 {
		if what.at >= e.deadline {
			t.Fatalf("sent at %v, and its deadline is %v", what.at, e.deadline)
		}
		switch {
		case what.Hedge && (len(e.open) != 1 || e.hedged):
			t.Fatalf("at %v a hedge beside %d attempts, hedged before: %v", what.at, len(e.open), e.hedged)
		case what.Hedge:
			e.hedges++
			e.hedged = true
		case len(e.open) > 0:
			t.Fatalf("at %v another try while an attempt is waited for", what.at)
		default:
			e.tries++
			e.hedged = false
			if rule := e.terms.Rule; e.tries > 1 && e.deadline-what.at < rule.Timeout && !wasBackingOff {
				t.Fatalf("a retry is sent at %v with a timeout of %v; its deadline is %v", what.at, rule.Timeout, e.deadline)
			}
		}
		if int(what.Send) != e.tries+e.hedges || e.call.Attempt() != int(what.Send) {
			t.Fatalf("attempt %d (it says %d) is sent, after %d tries and %d hedges", what.Send, e.call.Attempt(), e.tries, e.hedges)
		}
		if e.tries > e.mostTries {
			t.Fatalf("%d tries, and the rule allows %d", e.tries, e.mostTries)
		}
		if l.breaker != nil && l.breaker.State(what.at) == BreakerOpen {
			t.Fatalf("at %v attempt %d is sent by an open breaker", what.at, what.Send)
		}
		var generation uint32
		if l.breaker != nil {
			generation = l.breaker.generation
		}
		e.open[int(what.Send)] = generation
	}
	e.backingOff = !what.Done && len(e.open) == 0
	if decided := e.backingOff || what.Send > 1 && !wasBackingOff; decided && !l.allowed(calls, retries) {
		t.Fatalf("at %v, %+v: a retry beside %d of %d calls, %v of %d tokens missing", what.at, l.settings, retries, calls, l.missing, l.settings.MaxTokens)
	}
	if what.Timer != 0 && (what.Timer <= what.at || what.Timer > e.deadline) {
		t.Fatalf("at %v it wants to be woken at %v, and its deadline is %v", what.at, what.Timer, e.deadline)
	}
	if e.backingOff && what.Timer == 0 {
		t.Fatalf("at %v it waits for nothing", what.at)
	}
	if what.Done {
		e.over = true
		if len(e.open) > 0 {
			t.Fatalf("at %v it is over, and %d attempts are waited for", what.at, len(e.open))
		}
	}
}

// balance holds the budget and the breaker against what is under way.
func (l *ledger) balance(now time.Duration) {
	calls, retries, waiting := l.underWay()
	if b := l.budget; b != nil && (b.calls != calls || b.retries != retries || b.reserved != waiting*token) {
		l.t.Fatalf("at %v the budget counts %d calls, %d retries, %d reserved; there are %d, %d and %d",
			now, b.calls, b.retries, b.reserved/token, calls, retries, waiting)
	}
	if b := l.breaker; b != nil && b.state == BreakerHalfOpen {
		probes := 0
		for _, e := range l.entries {
			for _, generation := range e.open {
				if generation == b.generation {
					probes++
				}
			}
		}
		if b.let-b.well != probes || probes > b.probes {
			l.t.Fatalf("at %v the breaker counts %d probes, there are %d, and it allows %d", now, b.let-b.well, probes, b.probes)
		}
	}
}

// Whatever the rules, the budget, the breaker, the far side and those who leave do.
func TestCallsKeepTheirPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := func(name string, most int) time.Duration {
			return time.Duration(rapid.IntRange(0, most).Draw(t, name)) * ms
		}
		l := &ledger{t: t, settings: BudgetSettings{
			Kind:           BudgetKind(rapid.IntRange(0, 3).Draw(t, "kind")),
			Percent:        rapid.SampledFrom([]float64{0, 10, 50, 100}).Draw(t, "percent"),
			FloorPerSecond: rapid.SampledFrom([]float64{0, 20}).Draw(t, "floor"),
			MaxTokens:      rapid.IntRange(1, 12).Draw(t, "max tokens"),
			TokenRatio:     rapid.SampledFrom([]float64{0.125, 0.5, 1}).Draw(t, "token ratio"),
			MinConcurrent:  rapid.IntRange(0, 3).Draw(t, "min concurrent"),
		}}
		if rapid.IntRange(0, 5).Draw(t, "budget") > 0 {
			l.budget = new(NewBudget(l.settings))
		}
		if rapid.Bool().Draw(t, "breaker") {
			l.breaker = new(NewBreaker(BreakerSettings{
				On:        Set(Refused, Timeout),
				Threshold: rapid.SampledFrom([]float64{0.2, 0.5, 1}).Draw(t, "threshold"),
				MinCalls:  rapid.IntRange(1, 5).Draw(t, "min calls"),
				Window:    50 * ms,
				OpenFor:   1 + length("open for", 40),
				Probes:    rapid.IntRange(1, 3).Draw(t, "probes"),
			}))
		}
		stream := rng.Named(rapid.Uint64().Draw(t, "seed"), "jitter").Stream()
		good := time.Duration(rapid.IntRange(0, 9).Draw(t, "tenths that go well"))

		var st stage
		var enact func(e *entry, a Actions, cancelled bool)
		enact = func(e *entry, a Actions, cancelled bool) {
			l.check(e, told{st.now, a}, cancelled)
			l.balance(st.now)
			if a.Timer > 0 && a.Timer < math.MaxInt64 {
				st.plan(a.Timer, func(now time.Duration) { enact(e, e.call.Timer(&e.terms, now), false) })
			}
			if a.Send > 0 && stream.Upto(9) > 0 { // or else it is never answered
				o := OK
				if stream.Upto(9) >= good {
					o = Outcome(stream.Upto(time.Duration(outcomes - 1)))
				}
				n, after := int(a.Send), stream.Upto(20*ms)
				st.plan(st.now+stream.Upto(60*ms), func(now time.Duration) { enact(e, l.answer(e, now, n, o, after), false) })
			}
		}
		for range rapid.IntRange(1, 12).Draw(t, "calls") {
			rules := [2]Rule{drawRule(t), drawRule(t)}
			for i := range rules {
				rules[i].HedgeAfter = length("hedge after", 30)
				rules[i].Jitter = Jitter(rapid.IntRange(0, 3).Draw(t, "jitter"))
			}
			e := &entry{
				terms:     Terms{Rule: &rules[0], Budget: l.budget, Breaker: l.breaker, Jitter: &stream},
				deadline:  NoDeadline,
				mostTries: max(rules[0].Attempts, rules[1].Attempts, 1),
				open:      map[int]uint32{},
			}
			l.entries = append(l.entries, e)
			at := length("at", 200)
			if rapid.Bool().Draw(t, "has a deadline") {
				e.deadline = at + length("deadline", 300)
			}
			st.plan(at, func(now time.Duration) { enact(e, e.call.Start(&e.terms, now, e.deadline), false) })
			if rapid.Bool().Draw(t, "its rule changes") {
				st.plan(at+length("changed", 100), func(time.Duration) { e.terms.Rule = &rules[1] })
			}
			// In the end everybody leaves.
			patience := rapid.SampledFrom([]time.Duration{50 * ms, 3600 * s}).Draw(t, "patience")
			st.plan(at+patience, func(now time.Duration) { enact(e, e.call.Cancel(&e.terms, now), true) })
		}
		if l.budget != nil && rapid.Bool().Draw(t, "the budget changes") {
			kind := BudgetKind(rapid.IntRange(0, 3).Draw(t, "then"))
			st.plan(length("tuned", 300), func(time.Duration) {
				l.settings.Kind = kind
				l.budget.Tune(l.settings)
			})
		}
		st.play()
		for i, e := range l.entries {
			if !e.over {
				t.Errorf("call %d never ended", i)
			}
		}
		if calls, retries, waiting := l.underWay(); calls != 0 || retries != 0 || waiting != 0 {
			t.Errorf("%d calls, %d retries, %d waiting when all is over", calls, retries, waiting)
		}
	})
}

// If each attempt fails with probability p and there are up to four, a call is 1 + p + p² + p³ attempts on average.
func TestRetriesAreGeometric(t *testing.T) {
	const calls = 100_000
	rule := Rule{Attempts: 4, RetryOn: Set(Error)}
	for _, p := range []float64{0, 0.1, 0.5, 0.9, 1} {
		fate := rng.Named(1, "fate").Stream()
		terms := &Terms{Rule: &rule}
		attempts := 0
		for range calls {
			var c Call
			a := c.Start(terms, 0, NoDeadline)
			for !a.Done {
				o := OK
				if fate.Next().Happens(rng.ChanceOf(p)) {
					o = Error
				}
				a = c.Result(terms, 0, int(a.Send), o)
			}
			attempts += c.Attempt()
		}
		// The standard deviation of one call's attempts is below 1.5, that of the mean of 100,000 below 0.005.
		if got, want := float64(attempts)/calls, 1+p+p*p+p*p*p; math.Abs(got-want) > 0.025 {
			t.Errorf("p = %v: %v attempts a call, want %v", p, got, want)
		}
	}
}
