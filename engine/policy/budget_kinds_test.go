package policy

import "testing"

// grpc is gRPC's throttle with the figures that its documents use; envoy is a fifth of the calls under way, or three.
var (
	grpc  = BudgetSettings{Kind: TokenBudget, MaxTokens: 10, TokenRatio: 0.1}
	envoy = BudgetSettings{Kind: InFlightBudget, Percent: 20, MinConcurrent: 3}
)

// repeat takes n events of one kind.
func repeat(n int, do func()) {
	for range n {
		do()
	}
}

func TestTokenBudget(t *testing.T) {
	for _, test := range []struct {
		name     string
		settings BudgetSettings
		events   string // f: an attempt failed, o: one went well
		retries  bool   // whether there may be one more
		tokens   int64
	}{
		{"starts full", grpc, "", true, 5000},
		{"four failures leave six of ten", grpc, "ffff", true, 1000},
		{"five leave half, and that is not more than half", grpc, "fffff", false, 0},
		{"a tenth more than half is", grpc, "fffffo", true, 100},
		{"never below nothing", grpc, "ffffffffffffffffffff" + "oooooooooooooooooooooooooooooooooooooooooooooooooo", false, 0},
		{"and back above half", grpc, "ffffffffffffffffffff" + "ooooooooooooooooooooooooooooooooooooooooooooooooooo", true, 100},
		{"never above the most", grpc, "oooooooooo" + "fffff", false, 0},
		{"an odd number has a half too", BudgetSettings{Kind: TokenBudget, MaxTokens: 3, TokenRatio: 1}, "f", true, 500},
		{"and reaches it", BudgetSettings{Kind: TokenBudget, MaxTokens: 3, TokenRatio: 1}, "ff", false, 0},
		{"one token is gone at once", BudgetSettings{Kind: TokenBudget, MaxTokens: 1, TokenRatio: 1}, "f", false, 0},
		{"and comes back at once", BudgetSettings{Kind: TokenBudget, MaxTokens: 1, TokenRatio: 1}, "fo", true, 500},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := NewBudget(test.settings)
			for _, e := range test.events {
				b.ended(map[rune]Outcome{'f': Timeout, 'o': OK}[e])
			}
			if got := b.Tokens(); got != test.tokens {
				t.Errorf("it is %d thousandths above its half, want %d", got, test.tokens)
			}
			if got := b.reserve(0); got != test.retries {
				t.Errorf("a retry is allowed: %v, want %v", got, test.retries)
			}
		})
	}
}

// gRPC counts the failure first, and then asks whether to try again.
func TestTokenBudgetStopsARetry(t *testing.T) {
	rule := Rule{Attempts: 100, RetryOn: Set(Error)}
	b := NewBudget(grpc)
	terms := &Terms{Rule: &rule, Budget: &b}
	var c Call
	a := c.Start(terms, 0, NoDeadline)
	for n := 1; !a.Done; n++ {
		a = c.Result(terms, 0, n, Error)
	}
	if c.Attempt() != 5 {
		t.Errorf("%d attempts were sent, want 5: the fifth failure leaves half", c.Attempt())
	}
	c.Start(terms, 0, NoDeadline)
	if a = c.Result(terms, 0, 1, Error); !a.Done {
		t.Error("another call is retried below the half")
	}
}

func TestInFlightBudget(t *testing.T) {
	for _, test := range []struct {
		name    string
		calls   int
		retries int // that may be under way at once
	}{
		{"none under way", 0, 3},
		{"few", 15, 3},
		{"a fifth of nineteen is three", 19, 3},
		{"a fifth of twenty", 20, 4},
		{"many", 1000, 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := NewBudget(envoy)
			repeat(test.calls, b.first)
			if got, want := b.Tokens(), max(3000, int64(test.calls)*200); got != want {
				t.Errorf("%d thousandths of a retry may be decided, want %d", got, want)
			}
			n := 0
			for n < 1000 && b.reserve(0) {
				n++
			}
			if n != test.retries {
				t.Errorf("%d retries may be under way, want %d", n, test.retries)
			}
			b.spend(0) // it is sent, and still under way
			if b.reserve(0) {
				t.Error("one more, since one was sent")
			}
			b.retired()
			b.giveBack()
			for range 2 {
				if !b.reserve(0) {
					t.Error("none, when one has ended and one was given back")
				}
			}
			if b.reserve(0) {
				t.Error("a third, when one has ended and one was given back")
			}
			repeat(test.calls, b.over)
			if got := b.Tokens(); test.retries > 3 && got != 0 {
				t.Errorf("%d thousandths when all calls are over and too many retries are not, want 0", got)
			}
		})
	}
}

// What Envoy's users were bitten by: hundreds wait in backoff, uncounted, and come back together.
func TestBudgetCountsRetriesWaitingInBackoff(t *testing.T) {
	rule := Rule{Attempts: 2, RetryOn: Set(Refused), Backoff: Backoff{Kind: Constant, Base: s}}
	for name, settings := range map[string]BudgetSettings{
		"in flight": {Kind: InFlightBudget, Percent: 10},
		"ratio":     {Kind: RatioBudget, Percent: 0},
	} {
		b := NewBudget(settings)
		terms := &Terms{Rule: &rule, Budget: &b}
		calls := make([]Call, 100)
		for i := range calls {
			calls[i].Start(terms, 0, NoDeadline)
		}
		waiting := 0
		for i := range calls {
			if a := calls[i].Result(terms, 0, 1, Refused); !a.Done {
				waiting++
			}
		}
		// As the calls that may not be retried end, fewer are under way: a tenth of 100, and of no more than that.
		if waiting == 0 || waiting > 10 {
			t.Errorf("%s: %d retries of 100 calls wait in backoff, want up to 10", name, waiting)
		}
		sent := 0
		for i := range calls {
			if calls[i].Timer(terms, s).Send == 2 {
				sent++
			}
		}
		if sent != waiting {
			t.Errorf("%s: %d retries were sent of %d that waited", name, sent, waiting)
		}
	}
}

// Whatever kind decides, all is counted, so the kind may change at any time.
func TestBudgetChangesItsKind(t *testing.T) {
	settings := BudgetSettings{Percent: 50, MaxTokens: 10, TokenRatio: 0.1}
	as := func(kind BudgetKind) BudgetSettings {
		settings.Kind = kind
		return settings
	}
	b := NewBudget(as(NoBudget))
	if got := b.Tokens(); got >= 0 {
		t.Errorf("no budget has %d tokens, want a negative number", got)
	}
	repeat(30, b.first)
	repeat(12, func() {
		b.ended(Error)
		if !b.reserve(0) {
			t.Fatal("no budget forbids a retry")
		}
	})
	repeat(4, func() { b.spend(0) })
	for _, test := range []struct {
		name string
		kind BudgetKind
		want int64
	}{
		{"six of ten tokens are left, and eight retries wait for theirs", RatioBudget, 0},
		{"twelve failures cost more than ten tokens", TokenBudget, 0},
		{"twelve retries are under way, and 50 % of 30 calls are fifteen", InFlightBudget, 3000},
	} {
		b.Tune(as(test.kind))
		if got := b.Tokens(); got != test.want {
			t.Errorf("%s: %d thousandths, want %d", test.name, got, test.want)
		}
	}
	b.Tune(as(RatioBudget))
	repeat(8, b.giveBack)
	if got := b.Tokens(); got != 6000 {
		t.Errorf("four retries were sent, and %d thousandths of ten tokens are left", got)
	}
}

func TestBudgetOwesNothing(t *testing.T) {
	t.Run("for what another kind allowed", func(t *testing.T) {
		b := NewBudget(BudgetSettings{Percent: 100})
		repeat(50, func() {
			b.reserve(0)
			b.spend(0)
		})
		b.Tune(ratio(100, 0))
		b.first()
		if got := b.Tokens(); got != 1000 {
			t.Errorf("after 50 retries with no budget a first attempt brings it to %d thousandths, want 1000", got)
		}
	})
	t.Run("for tokens that it no longer holds", func(t *testing.T) {
		b := NewBudget(grpc)
		repeat(10, func() { b.ended(Error) })
		b.Tune(BudgetSettings{Kind: TokenBudget, MaxTokens: 4, TokenRatio: 0.5})
		repeat(5, func() { b.ended(OK) })
		if got := b.Tokens(); got != 500 {
			t.Errorf("five successes bring 2.5 tokens of 4, and it is %d thousandths above its half", got)
		}
	})
}
