package run_test

import (
	"context"
	"math/rand"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"stormbin/engine/live"
	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// sight is what a run looks like from outside at one moment.
type sight struct {
	Report metrics.Report
	Snap   model.Snapshot
}

func sightOf(r *run.Run) sight {
	s := sight{Report: r.Report()}
	r.Snapshot(&s.Snap)
	return s
}

// approximately allows for means, which are sums that looking splits, to differ in their last digits.
var approximately = cmpopts.EquateApprox(1e-9, 0)

// same compares two sights but for the sample of the trace, which is what happened since somebody looked last.
func same(t *testing.T, what string, got, want sight) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(model.Snapshot{}, "Trace"), approximately); diff != "" {
		t.Fatalf("%s the run is another one (- as it was, + as it is):\n%s", what, diff)
	}
}

// session plays a world with a reader in it, who turns things, breaks and mends them, and has requests of his own; and
// keeps what it looked like on the way.
func session(t *testing.T, r *run.Run) (seen map[time.Duration]sight, times []time.Duration) {
	t.Helper()
	seen = map[time.Duration]sight{}
	keep := func(to time.Duration) {
		for !r.Advance(to, 1000) {
		}
		seen[to] = sightOf(r)
		times = append(times, to)
	}
	read := func(ctx context.Context, c *live.Caller) {
		for _, call := range []string{"cache_get", "primary_read", "object_get"} {
			c.Do(ctx, call, nothing)
		}
	}
	// A moment later, so that what was seen is what was before.
	visit := func(operation string, do func(context.Context, *live.Caller)) {
		r.Advance(r.Now()+time.Millisecond, 1<<20)
		visit(t, r, operation, do)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	keep(300 * time.Millisecond)
	visit("read", read)
	must(r.Break(scenario.Fault{Target: "primary", Kind: "stall", Factor: 1}))
	keep(700 * time.Millisecond)
	visit("read", read)
	must(r.Set("policy.calls.primary_read.attempts", 4))
	must(r.Set("policy.calls.primary_read.retry_on", []string{"timeout", "refused", "error"}))
	visit("read", read)
	keep(1100 * time.Millisecond)
	r.Mend()
	must(r.Set("policy.budget.percent", 10))
	must(r.Set("policy.breaker.enabled", true))
	keep(6 * time.Second)
	must(r.Break(scenario.Fault{Target: "primary", Kind: "down", Factor: 1, For: scenario.Duration(time.Second)}))
	visit("read", read)
	keep(7 * time.Second)
	visit("create", func(ctx context.Context, c *live.Caller) { c.Do(ctx, "object_put", nothing) })
	keep(12500 * time.Millisecond)
	visit("read", read)
	keep(13 * time.Second)
	return seen, times
}

// quick is the pastebin with a crowd of a tenth, and everything in it a tenth as large.
var quick = sets{"operations.read.rate", 1740, "operations.create.rate", 35, "processes.count", 3,
	"dependencies.primary.slots", 3, "dependencies.bucket.slots", 100, "dependencies.cache.slots", 7,
	"policy.calls.primary_read.jitter", "full"}

// A run that went back is as it was, to the bit, at every moment that was seen before, and goes on as it did: with what was
// turned and broken, and with the reader's own requests at their times.
func TestBack(t *testing.T) {
	r := start(t, "pastebin", quick...)
	seen, times := session(t, r)
	rand := rand.New(rand.NewSource(1))
	for range 30 {
		at := times[rand.Intn(len(times))]
		if at < r.Now() {
			if err := r.Back(at); err != nil {
				t.Fatal(err)
			}
			same(t, "back at "+at.String(), sightOf(r), seen[at])
			continue
		}
		for !r.Advance(at, 1+rand.Intn(5000)) {
		}
		same(t, "on again to "+at.String(), sightOf(r), seen[at])
	}
	if err := r.Back(-time.Second); err != nil || r.Now() != 0 {
		t.Errorf("back before the start it is at %v, %v; want 0s", r.Now(), err)
	}
}

// Whoever does something new in the past has another future: nothing of the reader's old requests comes again.
func TestBackAndOtherwise(t *testing.T) {
	r := start(t, "pastebin", quick...)
	seen, _ := session(t, r)
	if err := r.Back(700 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	r.Mend() // and what was to come is dropped with it
	r.Advance(701*time.Millisecond, 1<<20)
	visit(t, r, "read", func(ctx context.Context, c *live.Caller) { c.Do(ctx, "cache_get", nothing) })
	for !r.Advance(13*time.Second, 1<<20) {
	}
	otherwise := sightOf(r)
	if otherwise.Report.TraceHash == seen[13*time.Second].Report.TraceHash {
		t.Error("another past had the very same future")
	}
	if err := r.Back(700 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	same(t, "at the moment of the change", sightOf(r), seen[700*time.Millisecond])
	for !r.Advance(13*time.Second, 1<<20) {
	}
	same(t, "on the new way once more", sightOf(r), otherwise)
}

// stepBack goes to just before the last thing that happened.
func stepBack(t *testing.T, r *run.Run) {
	t.Helper()
	now := r.Now()
	if err := r.Rewind(max(now-time.Second, 0)); err != nil {
		t.Fatal(err)
	}
	for !r.Approach(now, 7) {
	}
	at, known := r.Before()
	if !known {
		t.Fatalf("from %v nobody knows what was before", now)
	}
	if err := r.Back(at); err != nil {
		t.Fatal(err)
	}
}

func TestStepBack(t *testing.T) {
	r := start(t, "pastebin", quick...)
	for !r.Advance(10100*time.Millisecond, 1<<20) { // past a mark
	}
	var seen []sight
	for range 20 {
		r.Step()
		seen = append(seen, sightOf(r))
	}
	for i := len(seen) - 2; i >= 0; i-- {
		stepBack(t, r)
		same(t, "a step back", sightOf(r), seen[i])
	}
	r.Step()
	same(t, "a step on again", sightOf(r), seen[1])

	r = start(t, "two-service")
	r.Step()
	for range 3 {
		if stepBack(t, r); r.Now() != 0 {
			t.Fatalf("a step back from the first step leads to %v; want 0s", r.Now())
		}
	}
}

// What was before is only known of where the run was looked at on its way: not after it has gone elsewhere, or was changed.
func TestWhatWasBeforeIsNotGuessed(t *testing.T) {
	r := start(t, "two-service")
	known := func(what string, want bool) {
		t.Helper()
		if _, known := r.Before(); known != want {
			t.Errorf("%s it is known what was before: %v", what, known)
		}
	}
	known("at the start", true)
	r.Advance(5*time.Second, 1<<20)
	known("after 5 s that nobody looked at", false)
	r.Approach(5*time.Second+time.Microsecond, 1<<20)
	known("after a microsecond in which nothing happened", false)
	r.Approach(6*time.Second, 1<<20)
	known("after a second in which something did", true)
	if err := r.Set("policy.calls.b.attempts", 2); err != nil {
		t.Fatal(err)
	}
	known("changed", false)
	r.Approach(7*time.Second, 1<<20)
	known("a second after that", true)
	if err := r.Rewind(2 * time.Second); err != nil {
		t.Fatal(err)
	}
	r.Approach(time.Second, 1<<20)
	known("looked at from the start", true)
}

// Nobody can go back while a request of the reader's own is on its way: it would come back into another world.
func TestBackWithAVisitor(t *testing.T) {
	r := start(t, "two-service")
	r.Advance(time.Second, 1<<20)
	v := r.Visit("call")
	for _, back := range []func() error{func() error { return r.Back(0) }, func() error { return r.Rewind(0) }} {
		if err := back(); err != run.ErrVisited || r.Now() != time.Second {
			t.Errorf("it goes to %v, %v; want ErrVisited and no move", r.Now(), err)
		}
	}
	v.Leave()
	if err := r.Back(0); err != nil || r.Now() != 0 {
		t.Errorf("with nobody in it goes to %v, %v; want 0s", r.Now(), err)
	}
}

// An attempt may still do its work when its caller has long left. Who goes back meanwhile has all the visits ahead of him.
func TestBackWhileWorkIsDoneForNobody(t *testing.T) {
	play := func(release <-chan struct{}) *run.Run {
		r := start(t, "two-service", "faults", []any{}, "dependencies.b.service.mean", "400ms", "policy.calls.b.timeout", "100ms",
			"policy.calls.b.jitter", "full", "policy.calls.b.backoff", map[string]any{"kind": "constant", "base": "20ms"})
		for _, at := range []time.Duration{2 * time.Second, 6 * time.Second} {
			to(r, at)
			visit(t, r, "call", func(ctx context.Context, c *live.Caller) {
				c.Do(ctx, "b", func(context.Context) error {
					if at > 2*time.Second {
						<-release
					}
					return nil
				})
			})
		}
		return r
	}
	release := make(chan struct{})
	r := play(release)
	for r.Advance(r.Now()+time.Millisecond, 1<<30) {
	}
	if err := r.Back(time.Second); err != nil {
		t.Fatal(err)
	}
	close(release)
	to(r, 10*time.Second)
	undisturbed := play(release)
	to(undisturbed, 10*time.Second)
	same(t, "after going back", sightOf(r), sightOf(undisturbed))
}
