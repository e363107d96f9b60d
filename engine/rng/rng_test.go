package rng

import (
	"math"
	"testing"
	"time"
)

func TestNegLogIsTheLogarithm(t *testing.T) {
	key := Named(1, "test")
	for i := range uint64(200_000) {
		u := key.At(i)
		if i < 64 {
			u = Draw(1 << i) // every octave, down to the rarest
		}
		got := float64(u.negLog()) / (1 << 40)
		want := -math.Log(float64(uint64(u)|1) / (1 << 64))
		if math.Abs(got-want) > 1.0/(1<<22) {
			t.Fatalf("−ln(%d/2⁶⁴) = %v, want %v", u, got, want)
		}
	}
}

func TestExponentialHasItsMeanAndTail(t *testing.T) {
	const n = 400_000
	mean := 2 * time.Millisecond
	key := Named(7, "exponential")
	var sum float64
	over := 0
	for i := range uint64(n) {
		d := FixedOf(mean).Times(key.At(i).Exponential())
		sum += float64(d)
		if d > 3*mean {
			over++
		}
	}
	if got := sum / n / float64(mean); math.Abs(got-1) > 4/math.Sqrt(n) {
		t.Errorf("mean is %.4f of what it should be", got)
	}
	p := math.Exp(-3)
	if got := float64(over) / n; math.Abs(got-p) > 4*math.Sqrt(p/n) {
		t.Errorf("share over three means is %.4f, want %.4f", got, p)
	}
}

func TestUnitsUndoTimes(t *testing.T) {
	key := Named(5, "units")
	for i := range uint64(1000) {
		mean := FixedOf(time.Duration(1 + key.At(2*i)%1e9))
		d := time.Duration(key.At(2*i+1) % 1e10)
		if u := mean.Units(d); u < 1<<63 && max(d-mean.Times(u), mean.Times(u)-d) > 1 {
			t.Fatalf("%v is %d units of %v, and those are %v", d, u, mean, mean.Times(u))
		}
	}
}

func TestUptoCoversItsRangeEvenly(t *testing.T) {
	s := Named(3, "upto").Stream()
	const n = 60_000
	var seen [6]int
	for range n {
		seen[s.Upto(5)]++
	}
	for v, c := range seen {
		if math.Abs(float64(c)-n/6) > 4*math.Sqrt(n/6) {
			t.Errorf("%d came up %d times of %d, want a sixth", v, c, n)
		}
	}
	if s.Upto(0) != 0 || s.Upto(-1) != 0 {
		t.Error("an empty range has one value: 0")
	}
}

func TestBelowCoversItsRangeEvenly(t *testing.T) {
	s := Named(3, "below").Stream()
	const n = 70_000
	var seen [7]int
	for range n {
		seen[s.Next().Below(7)]++
	}
	for v, c := range seen {
		if math.Abs(float64(c)-n/7) > 4*math.Sqrt(n/7) {
			t.Errorf("%d came up %d times of %d, want a seventh", v, c, n)
		}
	}
	if low, high := Draw(0).Below(1000), Draw(1<<64-1).Below(1000); low != 0 || high != 999 {
		t.Errorf("below 1,000 is %d to %d", low, high)
	}
	if got := Draw(1<<64 - 1).Below(1); got != 0 {
		t.Errorf("below 1 is %d", got)
	}
}

func TestChance(t *testing.T) {
	s := Named(3, "chance").Stream()
	for _, p := range []float64{math.NaN(), -1, 0, 0.002, 0.2, 0.5, 0.999, 1, 2} {
		const n = 100_000
		hits := 0
		for range n {
			if s.Next().Happens(ChanceOf(p)) {
				hits++
			}
		}
		want := min(max(p, 0), 1)
		if math.IsNaN(p) {
			want = 0
		}
		if math.Abs(float64(hits)/n-want) > 4*math.Sqrt(want*(1-want)/n) {
			t.Errorf("chance %v happened %d times of %d", p, hits, n)
		}
	}
}

func TestNamesAndSeedsAreUnrelated(t *testing.T) {
	keys := map[Key]string{}
	for seed := range uint64(50) {
		for _, name := range []string{"", "a", "b", "ab", "ba", "arrivals/read", "arrivals/create"} {
			k := Named(seed, name)
			if was, dup := keys[k]; dup {
				t.Fatalf("seed %d %q has the key of %s", seed, name, was)
			}
			keys[k] = name
		}
	}
	a, b := Named(1, "a"), Named(1, "b")
	same := 0
	for i := range uint64(64_000) {
		same += 64 - popcount(uint64(a.At(i)^b.At(i)))
	}
	if share := float64(same) / (64 * 64_000); math.Abs(share-0.5) > 0.002 {
		t.Errorf("two streams share %.4f of their bits, want half", share)
	}
}

func popcount(v uint64) (n int) {
	for ; v > 0; v &= v - 1 {
		n++
	}
	return n
}

// The same draws on every machine: this test also runs under wasm.
func TestDrawsAreGolden(t *testing.T) {
	key := Named(1, "golden")
	var hash uint64
	for i := range uint64(100_000) {
		hash = mix(hash ^ uint64(FixedOf(time.Second).Times(key.At(i).Exponential())))
	}
	if want := uint64(0x9be6618444e5f672); hash != want {
		t.Errorf("draws hash to %#x, want %#x", hash, want)
	}
}

func BenchmarkExponential(b *testing.B) {
	key, mean := Named(1, "bench"), FixedOf(2*time.Millisecond)
	var sum time.Duration
	for i := range b.N {
		sum += mean.Times(key.At(uint64(i)).Exponential())
	}
	_ = sum
}
