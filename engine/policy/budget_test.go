package policy

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/rng"
)

// ratio is what bounds retries by a share of first attempts, and a floor.
func ratio(percent, floor float64) BudgetSettings {
	return BudgetSettings{Kind: RatioBudget, Percent: percent, FloorPerSecond: floor}
}

// drained is a budget with nothing in it.
func drained(percent, floor float64) *Budget {
	b := NewBudget(ratio(percent, floor))
	for range BudgetBurst {
		b.reserve(0)
		b.spend(0)
	}
	return &b
}

// retries takes as many retries as are allowed at a time, up to 100.
func retries(b *Budget, now time.Duration) (n int) {
	for n < 100 && b.reserve(now) {
		b.spend(now)
		n++
	}
	return n
}

func TestBudget(t *testing.T) {
	for _, test := range []struct {
		name           string
		percent, floor float64
		firsts         int
		after          time.Duration
		want           int // retries
	}{
		{"nothing was paid in", 10, 0, 0, 3600 * s, 0},
		{"ten first attempts bring one", 10, 0, 10, 0, 1},
		{"nine do not", 10, 0, 9, 3600 * s, 0},
		{"a third each", 100.0 / 3, 0, 9, 0, 2}, // rounded down, never up
		{"no percent at all", 0, 0, 1000, 3600 * s, 0},
		{"two for each", 200, 0, 3, 0, 6},
		{"the bucket holds ten", 100, 0, 1000, 0, 10},
		{"the floor needs no traffic", 0, 2, 0, 3 * s, 6},
		{"less than a second's worth", 0, 0.5, 0, 2 * s, 1},
		{"not quite", 0, 0.5, 0, 2*s - 1, 0},
		{"the floor comes on top", 10, 2, 10, 1 * s, 3},
		{"a long quiet fills the bucket, no more", 0, 2, 0, 4 * 3600 * s, 10},
		{"a quiet of centuries, at the highest floor", 0, 1e6, 0, math.MaxInt64, 10},
		{"the lowest floor there is", 0, 1e-9, 0, 5e9 * s, 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := drained(test.percent, test.floor)
			for range test.firsts {
				b.first()
			}
			if got := retries(b, test.after); got != test.want {
				t.Errorf("%d retries are allowed, want %d", got, test.want)
			}
		})
	}
}

func TestBudgetStartsFull(t *testing.T) {
	b := NewBudget(ratio(10, 0))
	if got := retries(&b, 0); got != 10 {
		t.Errorf("%d retries are allowed at the start, want 10", got)
	}
}

func TestNoBudgetAllowsEverything(t *testing.T) {
	rule := Rule{Attempts: 1000, RetryOn: Set(Error)}
	for name, budget := range map[string]*Budget{"none": nil, "of no kind": new(NewBudget(BudgetSettings{}))} {
		terms := &Terms{Rule: &rule, Budget: budget}
		var c Call
		a := c.Start(terms, 0, NoDeadline)
		for n := 1; !a.Done; n++ {
			a = c.Result(terms, 0, n, Error)
		}
		if c.Attempt() != 1000 {
			t.Errorf("%s: %d attempts, want 1000", name, c.Attempt())
		}
	}
}

func TestBudgetCountsThoseWhoWait(t *testing.T) {
	b := NewBudget(ratio(10, 5))
	waiting := 0
	for waiting < 100 && b.reserve(0) {
		waiting++
	}
	if waiting != BudgetBurst {
		t.Fatalf("%d retries wait, want %d", waiting, BudgetBurst)
	}
	// However long they wait and whatever is paid in meanwhile, their places are taken.
	for range 1000 {
		b.first()
	}
	if b.reserve(10 * s) {
		t.Error("an eleventh may wait beside ten")
	}
	b.giveBack()
	if !b.reserve(10*s) || b.reserve(10*s) {
		t.Error("one place given back must be one place")
	}
	for range waiting {
		b.spend(10 * s)
	}
	if got := b.Tokens(); got != 0 {
		t.Errorf("%d thousandths of a token are left after all were sent at one instant, want 0", got)
	}
}

// While a retry waits the bucket is full, and what the floor would bring is lost.
func TestFullBucketIsNotPaidLater(t *testing.T) {
	b := NewBudget(ratio(0, 2))
	b.reserve(0)
	b.spend(5 * s)
	if got := retries(&b, 5*s); got != BudgetBurst-1 {
		t.Errorf("%d retries are allowed right after one of %d, want %d", got, BudgetBurst, BudgetBurst-1)
	}
}

func TestTuneKeepsTheTokens(t *testing.T) {
	b := drained(10, 0)
	for range 30 {
		b.first()
	}
	b.Tune(ratio(50, 0))
	if got := b.Tokens(); got != 3000 {
		t.Errorf("%d thousandths of a token are left, want 3000", got)
	}
	b.first()
	if got := b.Tokens(); got != 3500 {
		t.Errorf("%d thousandths after a first attempt at 50 %%, want 3500", got)
	}
	b.Tune(ratio(0, 0))
	b.first()
	if got := b.Tokens(); got != 3500 {
		t.Errorf("%d thousandths after a first attempt at 0 %%, want 3500", got)
	}
}

// A floor is not paid for the time before the last retry was asked for, when there was none.
func TestTuneIsNotForThePast(t *testing.T) {
	b := drained(0, 0)
	retries(b, 100*s)
	b.Tune(ratio(0, 2))
	if got := retries(b, 101*s); got != 2 {
		t.Errorf("a floor of 2/s gives %d retries within a second, want 2", got)
	}
}

func TestBudgetHoldsOverEveryWindow(t *testing.T) {
	type sending struct {
		at    time.Duration
		retry bool
	}
	rapid.Check(t, func(t *rapid.T) {
		percent := rapid.SampledFrom([]float64{0, 1, 10, 20, 100, 250}).Draw(t, "percent")
		floor := rapid.SampledFrom([]float64{0, 0.3, 2, 50}).Draw(t, "floor")
		budget := NewBudget(ratio(percent, floor))
		stream := rng.Named(rapid.Uint64().Draw(t, "seed"), "jitter").Stream()
		ill := rapid.IntRange(0, 10).Draw(t, "tenths that fail")
		var st stage
		var sent []sending
		var most int64 // that wait in backoff at once
		for range rapid.IntRange(1, 60).Draw(t, "calls") {
			rule := drawRule(t)
			rule.Attempts = rapid.IntRange(1, 5).Draw(t, "up to")
			rule.Backoff.Base *= time.Duration(rapid.SampledFrom([]int{1, 50}).Draw(t, "slower"))
			rule.Backoff.Max *= 50
			rule.RetryOn = Set(Error, Timeout)
			rule.Jitter = Jitter(rapid.IntRange(0, 3).Draw(t, "jitter"))
			c, terms := new(Call), &Terms{Rule: &rule, Budget: &budget, Jitter: &stream}
			rule.HedgeAfter = time.Duration(rapid.SampledFrom([]int{0, 5}).Draw(t, "hedge after")) * ms
			watch := func(what told) {
				most = max(most, budget.reserved/token)
				if what.Send > 0 {
					sent = append(sent, sending{what.at, what.Send > 1})
				}
			}
			answers := func(int) answer {
				a := answer{stream.Upto(30 * ms), OK}
				if stream.Upto(9) < time.Duration(ill) {
					a.o = Error
				}
				return a
			}
			at := time.Duration(rapid.IntRange(0, 3000).Draw(t, "at")) * ms
			st.plan(at, func(now time.Duration) { st.enact(c, terms, c.Start(terms, now, NoDeadline), answers, watch) })
			if rapid.IntRange(0, 9).Draw(t, "cancel") == 0 {
				st.plan(at+stream.Upto(s), func(now time.Duration) { st.enact(c, terms, c.Cancel(terms, now), answers, watch) })
			}
		}
		st.play()
		if most > BudgetBurst {
			t.Errorf("%d retries waited at once, want %d at most", most, BudgetBurst)
		}
		if !slices.IsSortedFunc(sent, func(a, b sending) int { return int(a.at - b.at) }) {
			t.Fatal("the test's own clock ran back")
		}
		for i, from := range sent {
			firsts, again := 0.0, 0.0
			for _, to := range sent[i:] {
				if to.retry {
					again++
				} else {
					firsts++
				}
				window := (to.at - from.at).Seconds()
				if allowed := percent/100*firsts + floor*window + BudgetBurst; again > allowed+1e-6 {
					t.Fatalf("%v retries and %v first attempts from %v to %v, where %v %% and %v/s allow %v retries",
						again, firsts, from.at, to.at, percent, floor, allowed)
				}
			}
		}
	})
}
