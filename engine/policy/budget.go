package policy

import (
	"math"
	"math/bits"
	"time"
)

// BudgetBurst is how many tokens a budget holds at the most, and at the start. One token loses 8 % of the retries
// that a 10 % budget should allow, since tokens that arrive while it is full are lost; ten are enough.
const BudgetBurst = 10

// token is one retry, in the unit that tokens are counted in. Integers, so that every machine agrees.
const token = 1_000_000_000

// Budget bounds the retries of one process: each first attempt brings a share of a token, each retry costs one. Over
// any window, attempts ≤ (1 + Percent/100) × first attempts + FloorPerSecond × window + BudgetBurst.
//
// A token is reserved when the retry is decided, so that one which waits in backoff counts, and spent when the retry is
// sent, or else given back. Until then it fills its place in the bucket: retries that were decided over a long time
// and come due together are not more than the bucket holds. So no more than BudgetBurst wait in backoff at once.
//
// Made by [NewBudget]; one goroutine at a time. A nil *Budget allows everything.
type Budget struct {
	perFirst  int64 // per first attempt, in units of 1/token
	perSecond int64 // the floor, in units of 1/token
	tokens    int64 // the reserved ones included
	reserved  int64
	filled    time.Duration // up to when the floor has been paid in
}

// NewBudget makes a full budget of percent (of first attempts, 0 to 1000) and floor (retries a second that are allowed
// whatever the traffic).
func NewBudget(percent, floor float64) Budget {
	b := Budget{tokens: BudgetBurst * token}
	b.Tune(percent, floor)
	return b
}

// Tune changes the shares and keeps the tokens.
func (b *Budget) Tune(percent, floor float64) {
	b.perFirst = int64(math.Round(percent / 100 * token))
	b.perSecond = int64(math.Round(floor * token))
}

// Tokens is how many retries could be decided now, in thousandths.
func (b *Budget) Tokens() int64 { return (b.tokens - b.reserved) / (token / 1000) }

func (b *Budget) add(n int64) { b.tokens = min(b.tokens+n, BudgetBurst*token) }

// first pays in for a first attempt.
func (b *Budget) first() {
	if b != nil {
		b.add(b.perFirst)
	}
}

// pay pays in the floor up to now. Before anything is taken out, or a bucket that was full would get it afterwards.
func (b *Budget) pay(now time.Duration) {
	paid := uint64(BudgetBurst * token) // all that the bucket holds, if the gap's exact worth is beyond counting
	if hi, lo := bits.Mul64(uint64(b.perSecond), uint64(now-b.filled)); hi < uint64(time.Second) {
		worth, _ := bits.Div64(hi, lo, uint64(time.Second))
		paid = min(paid, worth)
	}
	b.add(int64(paid))
	b.filled = now
}

// reserve sets a token aside for a retry, if there is one.
func (b *Budget) reserve(now time.Duration) bool {
	if b == nil {
		return true
	}
	b.pay(now)
	if b.tokens-b.reserved < token {
		return false
	}
	b.reserved += token
	return true
}

// spend takes a reserved token: its retry is sent.
func (b *Budget) spend(now time.Duration) {
	if b != nil {
		b.pay(now)
		b.reserved -= token
		b.tokens -= token
	}
}

// giveBack frees a reserved token: its retry is never sent.
func (b *Budget) giveBack() {
	if b != nil {
		b.reserved -= token
	}
}
