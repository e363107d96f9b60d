package policy

import (
	"math"
	"math/bits"
	"time"
)

// BudgetKind says how a [Budget] decides whether there may be one more retry.
type BudgetKind uint8

const (
	NoBudget       BudgetKind = iota // always
	RatioBudget                      // a share of the first attempts, over time
	TokenBudget                      // while enough of the latest attempts went well
	InFlightBudget                   // a share of the calls under way
)

// BudgetSettings says which kind a [Budget] is, and how much it allows. The fields of the other kinds are what those are
// counted by meanwhile.
type BudgetSettings struct {
	Kind BudgetKind
	// Percent of first attempts (RatioBudget), or of the calls under way (InFlightBudget): 0 to 1,000.
	Percent float64
	// FloorPerSecond is how many retries a second a RatioBudget allows whatever the traffic: 0 to 1,000,000.
	FloorPerSecond float64
	// MaxTokens is how many tokens a TokenBudget has at the start, and at the most: 1 to 1,000.
	MaxTokens int
	// TokenRatio is what an attempt that goes well brings a TokenBudget: more than 0, up to 1 token.
	TokenRatio float64
	// MinConcurrent is how many retries an InFlightBudget allows however few calls there are: 0 to 1e9.
	MinConcurrent int
}

// BudgetBurst is how many tokens a RatioBudget holds at the most, and at the start. One token loses 8 % of the retries
// that a 10 % budget should allow, since tokens that arrive while it is full are lost; ten are enough.
const BudgetBurst = 10

// token is one retry, in the unit that tokens are counted in. Integers, so that every machine agrees.
const token = 1_000_000_000

// Budget bounds the retries of one process to one server, hedges among them: what is said of retries here goes for both.
// It counts for every kind at all times, whichever decides, so that the kind can change while calls are under way.
//
// RatioBudget: each first attempt brings a share of a token, each retry costs one. Over any window, attempts ≤
// (1 + Percent/100) × first attempts + FloorPerSecond × window + BudgetBurst. A token is reserved when the retry is
// decided, so that one which waits in backoff counts, and spent when the retry is sent, or else given back. Until then it
// fills its place in the bucket: retries that were decided over a long time and come due together are not more than the
// bucket holds. So no more than BudgetBurst wait in backoff at once.
//
// TokenBudget: an attempt that fails costs one token, one that goes well brings TokenRatio, and there are retries while
// more than half of MaxTokens is there. This is gRPC's retry throttling (gRFC A6).
//
// InFlightBudget: the retries under way, those who wait in backoff included, are at most Percent % of the calls under
// way, or MinConcurrent if that is more. This is Envoy's retry budget, where it counts only what was sent.
//
// Made by [NewBudget]; one goroutine at a time. A nil *Budget allows everything.
type Budget struct {
	kind          BudgetKind
	share         int64 // Percent, in units of 1/token
	perSecond     int64 // the floor, in units of 1/token
	maxTokens     int64 // in units of 1/token, as is the next
	perOK         int64
	minConcurrent int64

	tokens   int64 // of the ratio's bucket, the reserved ones included
	reserved int64
	filled   time.Duration // up to when the floor has been paid in
	missing  int64         // how far the tokens of a TokenBudget are below the maximum
	calls    int64         // under way
	retries  int64         // under way: decided, and not over
}

// NewBudget makes a full budget.
func NewBudget(s BudgetSettings) Budget {
	b := Budget{tokens: BudgetBurst * token}
	b.Tune(s)
	return b
}

// Tune changes the settings and keeps what was counted.
func (b *Budget) Tune(s BudgetSettings) {
	b.kind = s.Kind
	b.share = int64(math.Round(s.Percent / 100 * token))
	b.perSecond = int64(math.Round(s.FloorPerSecond * token))
	b.maxTokens = int64(s.MaxTokens) * token
	b.perOK = int64(math.Round(s.TokenRatio * token))
	b.minConcurrent = int64(s.MinConcurrent)
	b.missing = min(b.missing, b.maxTokens)
}

// Tokens is how many retries could be decided now, in thousandths; of a TokenBudget, how many tokens it is above its
// half. Negative if nothing bounds them.
func (b *Budget) Tokens() int64 {
	if b.kind == NoBudget {
		return -1
	}
	return max(b.left(), 0) / (token / 1000)
}

// left is what there is of the deciding kind's tokens, in units of 1/token.
func (b *Budget) left() int64 {
	switch b.kind {
	case RatioBudget:
		return b.tokens - b.reserved
	case TokenBudget:
		return b.maxTokens/2 - b.missing
	case InFlightBudget:
		return max(b.minConcurrent*token, b.share*b.calls) - b.retries*token
	}
	return token
}

// first is the first attempt of a call, being sent.
func (b *Budget) first() {
	if b != nil {
		b.add(b.share)
		b.calls++
	}
}

// over is the end of a call whose first attempt was sent.
func (b *Budget) over() {
	if b != nil {
		b.calls--
	}
}

// reserve sets a token aside for a retry, if there is one.
func (b *Budget) reserve(now time.Duration) bool {
	if b == nil {
		return true
	}
	b.pay(now)
	least := int64(token)
	if b.kind == TokenBudget {
		least = 1 // it is the failures that cost, so any part above the half will do
	}
	if b.left() < least {
		return false
	}
	b.reserved += token
	b.retries++
	return true
}

// spend takes a reserved token: its retry is sent.
func (b *Budget) spend(now time.Duration) {
	if b != nil {
		b.pay(now)
		b.reserved -= token
		b.tokens = max(b.tokens-token, 0) // another kind may have allowed it
	}
}

// giveBack frees a reserved token: its retry is never sent.
func (b *Budget) giveBack() {
	if b != nil {
		b.reserved -= token
		b.retries--
	}
}

// ended is what an attempt came to.
func (b *Budget) ended(o Outcome) {
	switch {
	case b == nil:
	case o == OK:
		b.missing = max(b.missing-b.perOK, 0)
	default:
		b.missing = min(b.missing+token, b.maxTokens)
	}
}

// retired is the end of a retry that was sent, whether or not anybody knows what it came to.
func (b *Budget) retired() {
	if b != nil {
		b.retries--
	}
}

func (b *Budget) add(n int64) { b.tokens = min(b.tokens+n, BudgetBurst*token) }

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
