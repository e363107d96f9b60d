package metrics

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/policy"
	"stormbin/engine/scenario"
)

// sumsOf is the arithmetic of a built-in with some paths set, for a fifth that fails.
func sumsOf(t *testing.T, id string, changes ...string) Sums {
	t.Helper()
	s, ok := scenario.Find(id)
	if !ok {
		t.Fatalf("there is no built-in %q", id)
	}
	set(t, &s, changes...)
	return Sum(&s, 0.2)
}

// set changes paths of a scenario, each PATH=VALUE.
func set(t *testing.T, s *scenario.Scenario, changes ...string) {
	t.Helper()
	for _, change := range changes {
		path, value, _ := strings.Cut(change, "=")
		if err := scenario.SetText(s, path, value); err != nil {
			t.Fatal(err)
		}
	}
}

// step is the step that makes the call, in any operation.
func step(t *testing.T, sums Sums, call string) StepSums {
	t.Helper()
	for _, o := range sums.Operations {
		for _, s := range o.Steps {
			if s.Call == call {
				return s
			}
		}
	}
	t.Fatalf("nobody calls %s", call)
	return StepSums{}
}

// failing is what the outcome is multiplied by.
func failing(t *testing.T, s StepSums, outcome string) Multiplication {
	t.Helper()
	for _, m := range s.Failures {
		if slices.Contains(m.On, outcome) {
			return m
		}
	}
	t.Fatalf("%s says nothing about %s", s.Call, outcome)
	return Multiplication{}
}

func equal(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// 5 + 20 + 200 = 225 of 300, and 75 left. One more try of the primary fits, one more of the bucket doesn't.
func TestSlicesOfTheRead(t *testing.T) {
	read := sumsOf(t, "pastebin").Operations["read"]
	equal(t, "deadline", read.DeadlineS, 0.300)
	equal(t, "slices", read.SlicesS, 0.225)
	equal(t, "left", *read.LeftS, 0.075)
	for i, want := range []struct {
		call           string
		slice, retried float64
		backoff        float64
		fit, refused   int
	}{
		{"cache_get", 0.005, 0.230, 0, 15, 99},
		{"primary_read", 0.020, 0.245, 0.020, 1, 3},
		{"object_get", 0.200, 0.425, 0.020, 0, 3}, // the backoff is all that a refusal costs
	} {
		s := read.Steps[i]
		if s.Call != want.call || *s.RetriesFit != want.fit || *s.RefusedFit != want.refused {
			t.Errorf("step %d: %d retries of %s fit, %d after refusals; want %d and %d of %s", i, *s.RetriesFit, s.Call, *s.RefusedFit, want.fit, want.refused, want.call)
		}
		equal(t, "slice of "+s.Call, s.SliceS, want.slice)
		equal(t, "with one retry of "+s.Call, s.OneRetryS, want.retried)
		equal(t, "with one after a refusal of "+s.Call, s.RefusedS, 0.225)
		equal(t, "the wait before a retry of "+s.Call, s.BackoffS, want.backoff)
	}
}

// After a timeout a retry comes as much later than after a refusal, which takes no time, as the timeout is long: whatever is
// counted in the one is in the other.
func TestARefusalSparesTheTimeout(t *testing.T) {
	for _, e := range scenario.List() {
		for name, o := range sumsOf(t, e.ID).Operations {
			for _, s := range o.Steps {
				if len(o.Untimed) == 0 {
					equal(t, e.ID+", "+name+": a timeout of "+s.Call+" more than a refusal", s.OneRetryS-s.RefusedS, s.SliceS)
				}
			}
		}
	}
}

// As many retries as are said to fit do, with their longest waits, and one more does not, by the sum that is written for it.
func TestOneMoreThanFitsIsTooMany(t *testing.T) {
	count := 0
	for _, e := range scenario.List() {
		for name, o := range sumsOf(t, e.ID).Operations {
			for _, s := range o.Steps {
				if s.RetriesFit == nil || len(o.Untimed) > 0 {
					continue
				}
				count++
				n := float64(*s.RetriesFit)
				if fit := o.SlicesS + n*s.SliceS; n > 0 && fit > o.DeadlineS+1e-12 {
					t.Errorf("%s, %s: %v retries of %s are said to fit, and are %v s of %v", e.ID, name, n, s.Call, fit, o.DeadlineS)
				}
				tooMany := o.SlicesS + (n+1)*s.SliceS + s.TooManyBackoffS
				if n < mostRetries && tooMany <= o.DeadlineS+1e-12 {
					t.Errorf("%s, %s: %v retries of %s are said not to fit, and are %v s of %v", e.ID, name, n+1, s.Call, tooMany, o.DeadlineS)
				}
			}
		}
	}
	if count == 0 {
		t.Error("no built-in has a deadline")
	}
	read := sumsOf(t, "pastebin").Operations["read"]
	if got, want := read.OneRetry(read.Steps[1]), "it fits, a second one doesn’t: 225ms + 2 × 20ms = 265ms, and up to 40ms of backoff"; !strings.HasSuffix(got, want) {
		t.Errorf("of the primary: %q, want at the end %q", got, want)
	}
}

func TestSlicesThatAreMoreThanTheDeadline(t *testing.T) {
	read := sumsOf(t, "pastebin", "policy.calls.object_get.timeout=400ms").Operations["read"]
	equal(t, "left", *read.LeftS, -0.125)
	if n := *read.Steps[0].RetriesFit; n != 0 {
		t.Errorf("%d retries of the cache fit in less than nothing", n)
	}
}

func TestWithoutATimeout(t *testing.T) {
	read := sumsOf(t, "pastebin", "policy.calls.primary_read.timeout=0s").Operations["read"]
	if !slices.Equal(read.Untimed, []string{"primary_read"}) || read.LeftS != nil {
		t.Errorf("untimed %v, left %v; want primary_read, and no word on what is left", read.Untimed, read.LeftS)
	}
	equal(t, "the slices that there are", read.SlicesS, 0.205)
	if s := read.Steps[1]; s.SliceS != 0 || s.WorstS != 0.3 || *s.RetriesFit != 0 {
		t.Errorf("a call without a timeout has no bound but the deadline: %+v", s)
	}
	alone := step(t, sumsOf(t, "pastebin", "policy.calls.primary_read.timeout=0s", "policy.propagate_deadline=false"), "primary_read")
	if alone.WorstS != 0 {
		t.Errorf("a deadline that isn't passed on bounds nothing: %+v", alone)
	}
	call := sumsOf(t, "two-service").Operations["call"]
	if call.LeftS != nil || call.Steps[0].RetriesFit != nil {
		t.Errorf("without a deadline nothing is left, and nothing has to fit: %+v", call)
	}
}

// How long a user may wait: one second without retries, four with three of them.
func TestWorst(t *testing.T) {
	for _, c := range []struct {
		set  string
		want float64
	}{
		{"policy.calls.b.attempts=1", 1},
		{"policy.calls.b.attempts=4", 4},
		{"operations.call.deadline=2500ms", 2.5},
		{"operations.call.deadline=5s", 4},
		{`policy.calls.b.retry_on=["refused"]`, 1},                                                           // a timeout is the end of it
		{`policy.calls.b.backoff={"kind": "exponential", "base": "100ms"}`, 4.7},                             // 0.1 + 0.2 + 0.4
		{`policy.calls.b.backoff={"kind": "exponential", "base": "100ms", "max": "150ms"}`, 4.4},             // 0.1 + 0.15 + 0.15
		{"policy.calls.b.hedge_after=300ms", 5.2},                                                            // each try as much longer
		{"policy.calls.b.hedge_after=2s", 4},                                                                 // it is over before
		{`policy.calls.b.library={"attempts": 3, "timeout": "5s"}`, 4},                                       // cut short by the app's own timeout
		{`policy.calls.b.library={"attempts": 3, "timeout": "100ms"}`, 1.2},                                  // it has given up long before that
		{`policy.calls.b={"timeout": "0s", "library": {"attempts": 3, "timeout": "5s"}}`, 60},                // four runs of 15 s
		{`policy.calls.b={"timeout": "0s", "library": {"attempts": 3}}`, 0},                                  // for ever
		{`policy.calls.b={"backoff": {"kind": "exponential", "base": "4h"}, "attempts": 100}`, 0x1p63 / 1e9}, // more than can be counted
	} {
		s := step(t, sumsOf(t, "two-service", c.set), "b")
		if got := s.WorstS; math.Abs(got-c.want) > 1e-6*max(1, c.want) {
			t.Errorf("%s: %v s at the worst, want %v", c.set, got, c.want)
		}
	}
	decorrelated := sumsOf(t, "two-service", `policy.calls.b.backoff={"kind": "constant", "base": "100ms", "max": "800ms"}`, "policy.calls.b.jitter=decorrelated")
	equal(t, "up to three times the last wait", step(t, decorrelated, "b").WorstS, 4+0.3+0.8+0.8)
}

// A fifth of 17,400 a second fails, and is tried three times more.
func TestMultiplication(t *testing.T) {
	four := []string{"policy.calls.primary_read.attempts=4", `policy.calls.primary_read.retry_on=["timeout"]`}
	read := step(t, sumsOf(t, "pastebin", four...), "primary_read")
	m := failing(t, read, "timeout")
	if m.Attempts != 4 {
		t.Errorf("up to %d×, want 4", m.Attempts)
	}
	equal(t, "the same sick fifth", m.Same.Factor, 1.6)
	equal(t, "the same sick fifth, a second", m.Same.PerS, 27_840)
	equal(t, "each by its own luck", m.Independent.Factor, 1.248)
	equal(t, "each by its own luck, a second", m.Independent.PerS, 21_715.2)
	if m := failing(t, read, "refused"); m.Attempts != 1 || m.Same.PerS != 17_400 || len(m.Layers) != 0 {
		t.Errorf("what isn't retried is sent once: %+v", m)
	}

	tenfold := step(t, sumsOf(t, "pastebin", append(four, "operations.read.rate=174000")...), "primary_read")
	equal(t, "extra at ten times", failing(t, tenfold, "timeout").Same.PerS-174_000, 104_400)

	// The built-in rule retries what was refused, and only that.
	rule := step(t, sumsOf(t, "pastebin"), "primary_read")
	if failing(t, rule, "timeout").Attempts != 1 || failing(t, rule, "refused").Attempts != 2 {
		t.Errorf("want one attempt on a timeout, two where refused: %+v", rule.Failures)
	}
}

func TestRateOfTheSums(t *testing.T) {
	for _, c := range []struct {
		set  string
		want float64
	}{
		{"operations.call.rate=30", 30},
		{"operations.call.copies=2", 40}, // every click is two requests
		{"operations.call.arrivals=closed", 0},
	} {
		call := sumsOf(t, "two-service", c.set).Operations["call"]
		equal(t, c.set, call.PerS, c.want)
		equal(t, c.set+", a fifth tried four times", call.Steps[0].Failures[0].Same.PerS, 1.6*c.want)
	}
}

// Balancer 2 × app 2 × client 3 = 12 attempts for one click.
func TestLayersMultiply(t *testing.T) {
	sums := sumsOf(t, "pastebin", "operations.read.client.attempts=3", "policy.balancer.attempts=2", `policy.calls.cache_get.library={"attempts": 5}`)
	m := failing(t, step(t, sums, "primary_read"), "refused")
	want := []LayerSums{{"client", 3}, {"balancer", 2}, {"app", 2}}
	if m.Attempts != 12 || !slices.Equal(m.Layers, want) {
		t.Errorf("%d attempts by %v, want 12 by %v", m.Attempts, m.Layers, want)
	}
	if m := failing(t, step(t, sums, "primary_read"), "timeout"); m.Attempts != 6 {
		t.Errorf("%d attempts after timeouts, which the app doesn't retry; want 6", m.Attempts)
	}
	if m := failing(t, step(t, sums, "cache_get"), "timeout"); !slices.Equal(m.Layers, []LayerSums{{"library", 5}}) {
		t.Errorf("a cache that fails is a miss, which nobody but its library retries: %+v", m)
	}
	users := failing(t, step(t, sumsOf(t, "two-service", "operations.call.client.attempts=3", `operations.call.client.retry_on=["timeout"]`), "b"), "timeout")
	if users.Attempts != 4 {
		t.Errorf("users who don't retry an error add %v", users.Layers)
	}
}

func TestHedgingDoubles(t *testing.T) {
	s := step(t, sumsOf(t, "pastebin", "policy.calls.primary_read.hedge_after=1ns"), "primary_read")
	equal(t, "hedging every read", s.HedgedPerS, 34_800)
	equal(t, "a hedge at once takes no longer", s.SliceS, 0.02)
	if m := failing(t, s, "refused"); m.Attempts != 4 {
		t.Errorf("two tries of two are %d attempts, want 4", m.Attempts)
	}
	if s := step(t, sumsOf(t, "pastebin"), "primary_read"); s.HedgedPerS != 0 {
		t.Errorf("%v hedged a second, want none", s.HedgedPerS)
	}
}

// What bounds the retries is told for every kind, and as a number only if nothing may exceed that.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		set   string
		words string
		bound float64 // 0: none
	}{
		{`{}`, "", 0},
		{`{"percent": 10}`, "at most 1.10× attempts for each first one, but for 10 in hand", 1.1},
		{`{"percent": 1000}`, "at most 4.00× attempts for each first one", 4}, // there are no more
		{`{"percent": 10, "floor_per_second": 5}`, "1.10× attempts for each first one, and 5 more a second", 0},
		{`{"floor_per_second": 0.5}`, "one attempt for each first one, and 0.5 more a second", 0},
		{`{"kind": "tokens"}`, "retries while more than half of 10 tokens are left; a failure costs one, a success earns 0.1", 0},
		{`{"kind": "in_flight", "percent": 20}`, "retries under way are at most 20 % of the calls under way, or 3 if that is more", 0},
	} {
		sums := sumsOf(t, "two-service", "policy.budget="+c.set)
		if sums.Budget != c.words {
			t.Errorf("%s\ngot  %s\nwant %s", c.set, sums.Budget, c.words)
		}
		if (sums.BudgetBound != nil) != (c.bound > 0) {
			t.Errorf("%s: bound %v, want %v", c.set, sums.BudgetBound, c.bound)
		} else if c.bound > 0 {
			equal(t, c.set, *sums.BudgetBound, c.bound)
		}
	}
	hedged := sumsOf(t, "two-service", "policy.budget.percent=1000", "policy.calls.b.hedge_after=6ms", "policy.calls.b.library.attempts=3")
	equal(t, "each of four sent twice", *hedged.BudgetBound, 8)
	once := sumsOf(t, "two-service", "policy.budget.percent=10", "policy.calls.b.retry_on=[]")
	equal(t, "nothing is retried", *once.BudgetBound, 1)
}

// A lost answer is seen as a timeout, and has no arithmetic of its own.
func TestLostIsATimeout(t *testing.T) {
	for _, m := range step(t, sumsOf(t, "two-service", `policy.calls.b.retry_on=["lost"]`), "b").Failures {
		if m.Attempts != 1 || slices.Contains(m.On, "lost") {
			t.Errorf("want no word of lost, which never reaches a caller: %+v", m)
		}
	}
}

// 200 slots ÷ 1 s are 200 a second through the cap when the bucket is dead; at 5 s, 40.
func TestCapTurnover(t *testing.T) {
	twenty := []string{"processes.count=20", "processes.cap.create=10"}
	for _, c := range []struct {
		name  string
		set   []string
		slots int
		held  float64
		call  string
		perS  float64
	}{
		{"the pastebin: 23 × 9", nil, 207, 1, "object_put", 207},
		{"200 ÷ 1 s", twenty, 200, 1, "object_put", 200},
		{"200 ÷ 5 s", append(twenty, "policy.calls.object_put.timeout=5s", "operations.create.deadline=0s"), 200, 5, "object_put", 40},
		{"the deadline lets go sooner", append(twenty, "policy.calls.object_put.timeout=5s"), 200, 2, "object_put", 100},
		{"if it is passed on", append(twenty, "policy.calls.object_put.timeout=5s", "policy.propagate_deadline=false"), 200, 5, "object_put", 40},
		{"each retry holds it as long again", append(twenty, "policy.calls.object_put.attempts=2", `policy.calls.object_put.retry_on=["timeout"]`), 200, 2, "object_put", 100},
		{"no timeout, no deadline: for ever", append(twenty, "policy.calls.primary_insert.timeout=0s", "operations.create.deadline=0s"), 200, 0, "primary_insert", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := sumsOf(t, "pastebin", c.set...).Operations["create"].Cap
			if got.Slots != c.slots || got.Call != c.call {
				t.Errorf("%d slots, held by %s; want %d, by %s", got.Slots, got.Call, c.slots, c.call)
			}
			equal(t, "held", got.HeldS, c.held)
			equal(t, "turnover", got.TurnoverPerS, c.perS)
		})
	}
	if sums := sumsOf(t, "pastebin"); sums.Operations["read"].Cap != nil {
		t.Error("reads have no cap")
	}
}

// The arithmetic and the machine that it is about agree: as many retries are sent to a server that never answers as are
// said to fit, if the policy asks for so many.
func TestAsManyRetriesFitAsAreSent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := func(least, most int, name string) scenario.Duration {
			return scenario.Duration(rapid.IntRange(least, most).Draw(t, name)) * scenario.Duration(time.Millisecond)
		}
		s, _ := scenario.Find("two-service")
		o, c := s.Operations["call"], s.Policy.Calls["b"]
		c.Timeout, c.Attempts = ms(1, 50, "timeout"), 100
		c.Backoff = scenario.Backoff{Kind: rapid.SampledFrom([]string{"none", "constant", "linear", "exponential"}).Draw(t, "backoff"),
			Base: ms(1, 20, "base"), Max: ms(0, 40, "max")}
		o.Deadline = c.Timeout + ms(0, 500, "left")
		s.Operations["call"], s.Policy.Calls["b"] = o, c
		fit := *Sum(&s, 0.2).Operations["call"].Steps[0].RetriesFit

		rule := c.Rule()
		terms := policy.Terms{Rule: &rule}
		var call policy.Call
		a := call.Start(&terms, 0, time.Duration(o.Deadline))
		for !a.Done {
			a = call.Timer(&terms, a.Timer)
		}
		if sent := call.Attempt() - 1; sent != fit {
			t.Fatalf("%d retries are sent, %d were said to fit", sent, fit)
		}
	})
}

// Whatever the share: luck makes no more load than the same sick ones, and those no more than all failing every time.
func TestLoadsAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := scenario.Find("two-service")
		c := s.Policy.Calls["b"]
		c.Attempts = rapid.IntRange(1, 100).Draw(t, "attempts")
		s.Policy.Calls["b"] = c
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		m := Sum(&s, share).Operations["call"].Steps[0].Failures[0]
		const slack = 1e-6
		if !(m.Independent.Factor >= 1-slack && m.Independent.Factor <= m.Same.Factor+slack && m.Same.Factor <= float64(m.Attempts)+slack) {
			t.Fatalf("share %v: %+v", share, m)
		}
	})
}
