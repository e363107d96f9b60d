package policy

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormbin/engine/rng"
)

func TestBackoff(t *testing.T) {
	const forever = time.Duration(math.MaxInt64)
	for _, test := range []struct {
		name    string
		backoff Backoff
		n       int
		want    time.Duration
	}{
		{"none", Backoff{}, 1, 0},
		{"none, whatever its base", Backoff{Kind: NoBackoff, Base: 10 * ms}, 3, 0},
		{"constant, first", Backoff{Kind: Constant, Base: 10 * ms}, 1, 10 * ms},
		{"constant, fifth", Backoff{Kind: Constant, Base: 10 * ms}, 5, 10 * ms},
		{"constant, bounded", Backoff{Kind: Constant, Base: 10 * ms, Max: 4 * ms}, 1, 4 * ms},
		{"linear, first", Backoff{Kind: Linear, Base: 10 * ms}, 1, 10 * ms},
		{"linear, fifth", Backoff{Kind: Linear, Base: 10 * ms}, 5, 50 * ms},
		{"linear, bounded", Backoff{Kind: Linear, Base: 10 * ms, Max: 45 * ms}, 5, 45 * ms},
		{"linear, beyond counting", Backoff{Kind: Linear, Base: forever / 2}, 3, forever},
		{"linear, beyond counting, bounded", Backoff{Kind: Linear, Base: forever / 2, Max: s}, 3, s},
		{"exponential, first", Backoff{Kind: Exponential, Base: 10 * ms}, 1, 10 * ms},
		{"exponential, fifth", Backoff{Kind: Exponential, Base: 10 * ms}, 5, 160 * ms},
		{"exponential, bounded", Backoff{Kind: Exponential, Base: 10 * ms, Max: 100 * ms}, 5, 100 * ms},
		{"exponential, beyond counting", Backoff{Kind: Exponential, Base: 10 * ms}, 99, forever},
		{"exponential, beyond counting, bounded", Backoff{Kind: Exponential, Base: 10 * ms, Max: s}, 99, s},
		{"exponential, of nothing", Backoff{Kind: Exponential}, 99, 0},
	} {
		if got := test.backoff.Wait(test.n); got != test.want {
			t.Errorf("%s: the wait before retry %d is %v, want %v", test.name, test.n, got, test.want)
		}
	}
}

// anyBackoff draws lengths of every size, the greatest included.
func anyBackoff(t *rapid.T) Backoff {
	length := func(name string) time.Duration {
		return time.Duration(rapid.Int64Range(0, math.MaxInt64>>rapid.IntRange(0, 62).Draw(t, name+" is short by")).Draw(t, name))
	}
	return Backoff{Kind: BackoffKind(rapid.IntRange(0, 3).Draw(t, "kind")), Base: length("base"), Max: length("max")}
}

func TestBackoffNeverShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBackoff(t)
		before := time.Duration(0)
		for n := 1; n <= 100; n++ {
			wait := b.Wait(n)
			if wait < before {
				t.Fatalf("%+v: it waits %v before retry %d, and %v before the one before", b, wait, n, before)
			}
			if b.Max > 0 && wait > b.Max {
				t.Fatalf("%+v: it waits %v before retry %d", b, wait, n)
			}
			before = wait
		}
	})
}

func TestJitterStaysInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stream := rng.Named(rapid.Uint64().Draw(t, "seed"), "jitter").Stream()
		r := Rule{Backoff: anyBackoff(t), Jitter: Jitter(rapid.IntRange(0, 3).Draw(t, "jitter"))}
		b := r.Backoff
		prev := time.Duration(0)
		for n := 1; n <= 20; n++ {
			full := b.Wait(n)
			low, high := full, full
			switch r.Jitter {
			case FullJitter:
				low = 0
			case EqualJitter:
				low = full / 2
			case Decorrelated:
				if full > 0 {
					low, high = b.Base, time.Duration(math.MaxInt64)
					if last := max(prev, b.Base); last < high/3 {
						high = 3 * last
					}
					if b.Max > 0 {
						low, high = min(low, b.Max), min(high, b.Max)
					}
				}
			}
			got := r.wait(n, prev, &stream)
			if got < low || got > high {
				t.Fatalf("%+v: the wait before retry %d, after one of %v, is %v, want %v to %v", r, n, prev, got, low, high)
			}
			prev = got
		}
	})
}

// Callers who failed together must not come back together: over many draws both ends of the range are reached.
func TestJitterSpreads(t *testing.T) {
	for _, test := range []struct {
		name      string
		jitter    Jitter
		prev      time.Duration
		low, high time.Duration
	}{
		{"full", FullJitter, 0, 0, 100 * ms},
		{"equal", EqualJitter, 0, 50 * ms, 100 * ms},
		{"decorrelated, the first", Decorrelated, 0, 100 * ms, 300 * ms},
		{"decorrelated, after a long one", Decorrelated, s, 100 * ms, 3 * s},
	} {
		stream := rng.Named(1, "jitter").Stream()
		r := Rule{Backoff: Backoff{Kind: Constant, Base: 100 * ms}, Jitter: test.jitter}
		least, most := time.Duration(math.MaxInt64), time.Duration(0)
		for range 1000 {
			wait := r.wait(1, test.prev, &stream)
			least, most = min(least, wait), max(most, wait)
		}
		edge := (test.high - test.low) / 50
		if least > test.low+edge || most < test.high-edge {
			t.Errorf("%s: waits from %v to %v, want nearly all of %v to %v", test.name, least, most, test.low, test.high)
		}
	}
}
