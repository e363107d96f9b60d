package policy

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// refusals opens for refused calls alone: half of at least four, within a second.
var refusals = BreakerSettings{On: Set(Refused), Threshold: 0.5, MinCalls: 4, Window: s, OpenFor: 5 * s, Probes: 2}

// ask lets an attempt through and has it end with o at the same instant, if the breaker lets it through.
func ask(b *Breaker, now time.Duration, o Outcome) bool {
	generation, ok := b.admit(now)
	if ok {
		b.ended(now, generation, o)
	}
	return ok
}

// opened is a breaker that opened at a time.
func opened(t *testing.T, settings BreakerSettings, at time.Duration) *Breaker {
	t.Helper()
	b := NewBreaker(settings)
	for range settings.MinCalls {
		ask(&b, at, Refused)
	}
	if b.State(at) != BreakerOpen {
		t.Fatalf("after %d refusals it is %v", settings.MinCalls, b.State(at))
	}
	return &b
}

func TestBreaker(t *testing.T) {
	type call struct {
		at    time.Duration
		o     Outcome
		state BreakerState // afterwards
	}
	many := func(n int, at time.Duration, o Outcome, state BreakerState) (calls []call) {
		for range n {
			calls = append(calls, call{at, o, state})
		}
		return calls
	}
	join := func(parts ...[]call) (calls []call) {
		for _, p := range parts {
			calls = append(calls, p...)
		}
		return calls
	}
	one := func(at time.Duration, o Outcome, state BreakerState) []call { return []call{{at, o, state}} }
	third := refusals
	third.Threshold, third.MinCalls = 1.0/3, 3
	long := refusals
	long.Window = 60 * s
	tenth := refusals
	tenth.Threshold, tenth.MinCalls = 0.1, 10

	for _, test := range []struct {
		name     string
		settings BreakerSettings
		calls    []call
		opened   int64
	}{
		{"opens at the share, not below", refusals, join(
			many(2, 0, OK, BreakerClosed), one(0, Refused, BreakerClosed), one(0, Refused, BreakerOpen)), 1},
		{"no verdict on few calls", refusals, many(3, 0, Refused, BreakerClosed), 0},
		{"a good call may be the one that makes them enough", refusals, join(
			many(3, 0, Refused, BreakerClosed), one(0, OK, BreakerOpen)), 1},
		{"whoever is slow, or says no, is there", refusals, join(
			many(50, 0, Timeout, BreakerClosed), many(50, 0, Error, BreakerClosed), many(50, 0, Shed, BreakerClosed)), 0},
		{"a third is one of three", third, join(many(2, 0, OK, BreakerClosed), one(0, Refused, BreakerOpen)), 1},
		{"a tenth is one of ten", tenth, join(many(9, 0, OK, BreakerClosed), one(0, Refused, BreakerOpen)), 1},
		{"and not one of eleven", tenth, join(many(10, 0, OK, BreakerClosed), one(0, Refused, BreakerClosed)), 0},
		{"counts within the window", refusals, join(
			many(3, 0, Refused, BreakerClosed), one(900*ms, Refused, BreakerOpen)), 1},
		{"and nothing before it", refusals, join(
			many(3, 0, Refused, BreakerClosed), many(3, 1000*ms, Refused, BreakerClosed)), 0},
		{"the window slides by tenths", refusals, join(
			many(2, 0, Refused, BreakerClosed), one(200*ms, OK, BreakerClosed),
			one(1000*ms, Refused, BreakerClosed), one(1150*ms, Refused, BreakerClosed), one(1190*ms, Refused, BreakerOpen)), 1},
		{"a long quiet empties it", refusals, join(
			many(3, 0, Refused, BreakerClosed), many(3, 3600*s, Refused, BreakerClosed), one(3600*s, Refused, BreakerOpen)), 1},
		{"open until its time is over", refusals, join(
			many(3, 0, Refused, BreakerClosed), one(0, Refused, BreakerOpen), one(5*s-1, OK, BreakerOpen)), 1},
		{"closes when all probes went well", refusals, join(
			many(3, 0, Refused, BreakerClosed), one(0, Refused, BreakerOpen),
			one(5*s, OK, BreakerHalfOpen), one(5*s, OK, BreakerClosed)), 1},
		{"with an empty window", long, join(
			many(3, 0, Refused, BreakerClosed), one(0, Refused, BreakerOpen),
			many(1, 5*s, OK, BreakerHalfOpen), many(1, 5*s, OK, BreakerClosed),
			many(3, 5*s, Refused, BreakerClosed), one(5*s, Refused, BreakerOpen)), 2},
		{"opens again with the first probe that fails", refusals, join(
			many(3, 0, Refused, BreakerClosed), one(0, Refused, BreakerOpen),
			one(5*s, OK, BreakerHalfOpen), one(5*s, Refused, BreakerOpen), one(10*s-1, OK, BreakerOpen),
			one(10*s, OK, BreakerHalfOpen), one(10*s, OK, BreakerClosed)), 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := NewBreaker(test.settings)
			for i, c := range test.calls {
				ask(&b, c.at, c.o)
				if got := b.State(c.at); got != c.state {
					t.Fatalf("after call %d, %v at %v, it is %v, want %v", i+1, c.o, c.at, got, c.state)
				}
			}
			if got := b.Opened(); got != test.opened {
				t.Errorf("it has opened %d times, want %d", got, test.opened)
			}
		})
	}
}

// The one that finds an open breaker's time over is a probe like the others.
func TestTheFirstHalfOpenProbeIsCounted(t *testing.T) {
	for _, probes := range []int{0, 1, 2, 5} {
		settings := refusals
		settings.Probes = probes
		b := opened(t, settings, 0)
		let := 0
		for range 100 {
			if _, ok := b.admit(5 * s); ok {
				let++
			}
		}
		if want := max(probes, 1); let != want {
			t.Errorf("of 100 who ask at once %d are let through, want %d", let, want)
		}
	}
}

func TestBreakerIgnoresWhatIsOver(t *testing.T) {
	b := NewBreaker(refusals)
	early, _ := b.admit(0) // still under way long after
	for range 4 {
		ask(&b, 0, Refused)
	}
	b.ended(s, early, Refused)
	if b.State(5*s) != BreakerHalfOpen {
		t.Fatal("what was sent before it opened made it open longer")
	}
	probe, _ := b.admit(5 * s)
	b.ended(5*s, early, OK)
	b.ended(5*s, early, Refused)
	b.unknown(early)
	if _, ok := b.admit(5 * s); !ok {
		t.Fatal("the second probe is turned away")
	}
	if _, ok := b.admit(5 * s); ok {
		t.Fatal("a third probe is let through")
	}
	b.ended(6*s, probe, Refused)
	if b.State(6*s) != BreakerOpen || b.Opened() != 2 {
		t.Fatalf("a probe that failed leaves it %v, opened %d times", b.State(6*s), b.Opened())
	}
	b.ended(6*s, probe, Refused)
	if b.State(11*s-1) != BreakerOpen || b.State(11*s) != BreakerHalfOpen {
		t.Error("it must be open for 5 s from when the probe failed")
	}
}

func TestBreakerIgnoresWhatWasSentWithoutIt(t *testing.T) {
	var none *Breaker
	generation, ok := none.admit(0)
	if !ok {
		t.Fatal("where there is no breaker, one is open")
	}
	b := NewBreaker(refusals)
	for range 10 {
		b.ended(0, generation, Refused)
	}
	if b.State(0) != BreakerClosed {
		t.Error("what was sent without it counts")
	}
}

func TestProbeThatNobodyWaitsForGivesItsPlaceBack(t *testing.T) {
	b := opened(t, refusals, 0)
	first, _ := b.admit(5 * s)
	second, _ := b.admit(5 * s)
	b.unknown(first)
	third, ok := b.admit(6 * s)
	if !ok {
		t.Fatal("the place of a probe that was given up is not free")
	}
	if _, ok := b.admit(6 * s); ok {
		t.Fatal("one place was given back, and two are free")
	}
	b.ended(7*s, second, OK)
	if b.State(7*s) != BreakerHalfOpen {
		t.Fatal("closed after one of two probes")
	}
	b.ended(7*s, third, OK)
	if b.State(7*s) != BreakerClosed {
		t.Error("two probes went well, and it is not closed")
	}
}

func TestBreakerTuned(t *testing.T) {
	tuned := func(change func(*BreakerSettings)) BreakerSettings {
		settings := refusals
		change(&settings)
		return settings
	}
	t.Run("keeps what it has counted", func(t *testing.T) {
		b := NewBreaker(refusals)
		for range 3 {
			ask(&b, 0, Refused)
		}
		b.Tune(tuned(func(s *BreakerSettings) { s.Threshold, s.Window = 1, 2*time.Second }))
		if ask(&b, 0, Refused); b.State(0) != BreakerOpen {
			t.Error("four refusals of four calls did not open it")
		}
	})
	t.Run("opens for as long as it is now told", func(t *testing.T) {
		b := opened(t, refusals, 0)
		b.Tune(tuned(func(s *BreakerSettings) { s.OpenFor = time.Second }))
		if b.State(s-1) != BreakerOpen || b.State(s) != BreakerHalfOpen {
			t.Error("it must be open for 1 s from when it opened")
		}
	})
	t.Run("closes if enough probes have gone well", func(t *testing.T) {
		b := opened(t, refusals, 0)
		ask(b, 5*s, OK)
		b.Tune(tuned(func(s *BreakerSettings) { s.Probes = 1 }))
		if b.State(5*s) != BreakerClosed {
			t.Errorf("one probe of one went well, and it is %v", b.State(5*s))
		}
	})
	t.Run("lets more probes through", func(t *testing.T) {
		b := opened(t, refusals, 0)
		for range 2 {
			b.admit(5 * s)
		}
		b.Tune(tuned(func(s *BreakerSettings) { s.Probes = 3 }))
		if _, ok := b.admit(5 * s); !ok {
			t.Error("a third probe of three is turned away")
		}
	})
}

func TestBreakerStateHasAName(t *testing.T) {
	for state, want := range map[BreakerState]string{BreakerClosed: "closed", BreakerOpen: "open", BreakerHalfOpen: "half-open"} {
		if got := state.String(); got != want {
			t.Errorf("state %d is called %q, want %q", state, got, want)
		}
	}
}

// open fails every call at once.
func open(t *testing.T) *Breaker {
	b := opened(t, refusals, 0)
	b.Tune(BreakerSettings{On: Set(Refused), Threshold: 0.5, MinCalls: 4, Window: s, OpenFor: 3600 * s, Probes: 1})
	return b
}

func TestBreakerOpenIsNeverRetried(t *testing.T) {
	rule := Rule{Timeout: 20 * ms, Attempts: 5, RetryOn: 1<<outcomes - 1}
	b := NewBudget(ratio(10, 0))
	play(t, &Terms{Rule: &rule, Budget: &b, Breaker: open(t)}, []step{
		{s, start(NoDeadline), done(Open)},
		{s, timer, nothing},
		{s, result(1, OK), nothing},
		{s, cancel, nothing},
	})
	if got := b.Tokens(); got != 10_000 {
		t.Errorf("%d thousandths of a token are left, want all 10,000: nothing was sent", got)
	}
}

func TestCallWithBreaker(t *testing.T) {
	backoff := Rule{
		Timeout: 20 * ms, Attempts: 3, RetryOn: Set(Refused, Error),
		Backoff: Backoff{Kind: Constant, Base: 10 * ms}, HedgeAfter: 5 * ms,
	}
	one := BreakerSettings{On: Set(Refused), Threshold: 1, MinCalls: 1, Window: s, OpenFor: s, Probes: 1}
	for _, test := range []struct {
		name  string
		open  bool // since 0s, for 1s
		steps []step
		state BreakerState // at the time of the last step
		let   int          // probes under way
	}{
		{"its own failure opens it: the retry is turned away", false, []step{
			{0, start(NoDeadline), send(1, 5*ms)},
			{1 * ms, result(1, Refused), wait(11 * ms)},
			{11 * ms, timer, done(Open)},
		}, BreakerOpen, 0},
		{"a failure that does not count lets the retry through", false, []step{
			{0, start(NoDeadline), send(1, 5*ms)},
			{1 * ms, result(1, Error), wait(11 * ms)},
			{11 * ms, timer, send(2, 16*ms)},
		}, BreakerClosed, 0},
		{"no time left: the breaker is not asked", true, []step{
			{s, start(s), done(Deadline)},
		}, BreakerHalfOpen, 0},
		{"a probe takes the only place, so it is not hedged", true, []step{
			{s, start(NoDeadline), send(1, s+5*ms)},
			{s + 5*ms, timer, wait(s + 20*ms)},
			{s + 6*ms, result(1, OK), done(OK)},
		}, BreakerClosed, 0},
		{"a probe that times out went well: somebody is there", true, []step{
			{s, start(NoDeadline), send(1, s+5*ms)},
			{s + 5*ms, timer, wait(s + 20*ms)},
			{s + 20*ms, timer, leave(1, done(Timeout))},
		}, BreakerClosed, 0},
		{"a probe that is cancelled tells nothing", true, []step{
			{s, start(NoDeadline), send(1, s+5*ms)},
			{s + 1*ms, cancel, leave(1, done(Timeout))},
		}, BreakerHalfOpen, 0},
		{"a probe under way", true, []step{
			{s, start(NoDeadline), send(1, s+5*ms)},
		}, BreakerHalfOpen, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := NewBreaker(one)
			if test.open {
				b = *opened(t, one, 0)
			}
			budget := NewBudget(ratio(0, 0))
			play(t, &Terms{Rule: &backoff, Budget: &budget, Breaker: &b}, test.steps)
			at := test.steps[len(test.steps)-1].at
			if b.State(at) != test.state || b.let != test.let {
				t.Errorf("the breaker is %v with %d probes, want %v with %d", b.State(at), b.let, test.state, test.let)
			}
			if budget.reserved != 0 {
				t.Error("a token is still reserved")
			}
		})
	}
}

func TestBeatenProbeGivesItsPlaceBack(t *testing.T) {
	rule := Rule{Timeout: 20 * ms, HedgeAfter: 5 * ms}
	b := opened(t, refusals, 0)
	play(t, &Terms{Rule: &rule, Breaker: b}, []step{
		{5 * s, start(NoDeadline), send(1, 5*s+5*ms)},
		{5*s + 5*ms, timer, hedge(send(2, 5*s+20*ms))},
		{5*s + 6*ms, result(2, OK), beat(1, done(OK))},
	})
	if _, ok := b.admit(6 * s); !ok {
		t.Error("one of two probes went well, the other lost to it, and there is no place for a second")
	}
}

// slowBreaker is a Breaker that keeps every call and looks through all of them.
type slowBreaker struct {
	BreakerSettings
	state   BreakerState
	since   time.Duration
	age     int // how many changes of state there were
	ended   []ending
	working map[int]int // attempts let through, each with the age at which it was
	well    int
}

type ending struct {
	at     time.Duration
	failed bool
}

func (b *slowBreaker) move(state BreakerState, now time.Duration) {
	b.state, b.since, b.well, b.ended = state, now, 0, nil
	b.age++
}

func (b *slowBreaker) admit(now time.Duration, attempt int) bool {
	if b.state == BreakerOpen && now >= b.since+b.OpenFor {
		b.move(BreakerHalfOpen, now)
	}
	probes := b.well
	for _, age := range b.working {
		if age == b.age {
			probes++
		}
	}
	if b.state == BreakerOpen || b.state == BreakerHalfOpen && probes >= b.Probes {
		return false
	}
	b.working[attempt] = b.age
	return true
}

// end says what an attempt came to, unless nobody knows.
func (b *slowBreaker) end(now time.Duration, attempt int, o Outcome, known bool) {
	age := b.working[attempt]
	delete(b.working, attempt)
	if !known || age != b.age {
		return
	}
	failed := b.On.Has(o)
	if b.state == BreakerHalfOpen {
		if failed {
			b.move(BreakerOpen, now)
		} else if b.well++; b.well == b.Probes {
			b.move(BreakerClosed, now)
		}
		return
	}
	b.ended = append(b.ended, ending{now, failed})
	part := b.Window / 10
	calls, failures := 0, 0
	for _, e := range b.ended {
		if e.at/part > now/part-10 {
			calls++
			if e.failed {
				failures++
			}
		}
	}
	if calls >= b.MinCalls && float64(failures)/float64(calls) >= b.Threshold {
		b.move(BreakerOpen, now)
	}
}

func TestBreakerAgreesWithASlowOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		settings := BreakerSettings{
			On:        Set(Refused, Timeout),
			Threshold: rapid.SampledFrom([]float64{0.01, 0.25, 0.5, 0.9, 1}).Draw(t, "threshold"),
			MinCalls:  rapid.IntRange(1, 10).Draw(t, "min calls"),
			Window:    time.Duration(rapid.SampledFrom([]int{1, 10, 100}).Draw(t, "window")) * ms,
			OpenFor:   time.Duration(rapid.IntRange(1, 50).Draw(t, "open for")) * ms,
			Probes:    rapid.IntRange(1, 4).Draw(t, "probes"),
		}
		b := NewBreaker(settings)
		slow := slowBreaker{BreakerSettings: settings, working: map[int]int{}}
		generations := map[int]uint32{}
		var working []int
		now := time.Duration(0)
		for n := range rapid.IntRange(1, 300).Draw(t, "events") {
			now += time.Duration(rapid.SampledFrom([]int{0, 0, 100, 1000, 7000, 60_000}).Draw(t, "later")) * time.Microsecond
			if what := rapid.IntRange(0, 9).Draw(t, "what"); what < 5 || len(working) == 0 {
				generation, ok := b.admit(now)
				if want := slow.admit(now, n); ok != want {
					t.Fatalf("at %v an attempt is let through: %v, want %v", now, ok, want)
				}
				if ok {
					generations[n] = generation
					working = append(working, n)
				}
			} else {
				i := rapid.IntRange(0, len(working)-1).Draw(t, "which")
				attempt := working[i]
				working = append(working[:i], working[i+1:]...)
				o := rapid.SampledFrom([]Outcome{OK, Error, Refused, Timeout}).Draw(t, "outcome")
				if what < 9 {
					b.ended(now, generations[attempt], o)
				} else {
					b.unknown(generations[attempt])
				}
				slow.end(now, attempt, o, what < 9)
			}
			want := slow.state
			if want == BreakerOpen && now >= slow.since+settings.OpenFor {
				want = BreakerHalfOpen
			}
			if got := b.State(now); got != want {
				t.Fatalf("at %v it is %v, want %v", now, got, want)
			}
		}
	})
}
