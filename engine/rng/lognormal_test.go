package rng

import (
	"math"
	"testing"
	"time"
)

// at is the draw that p of all draws are below.
func at(p float64) Draw { return Draw(math.Ldexp(p, 64)) }

func means(u Units) float64 { return float64(u) / float64(One) }

func TestLognormalHasItsQuantiles(t *testing.T) {
	// The deviates are those of the normal distribution in any table: p of all are below z.
	for _, c := range []struct{ p, z float64 }{
		{0.000001, -4.753424308822899}, {0.001, -3.090232306167813}, {0.01, -2.326347874040841}, {0.1, -1.281551565544600},
		{0.25, -0.674489750196082}, {0.4, -0.253347103135800}, {0.5, 0}, {0.6, 0.253347103135800}, {0.75, 0.674489750196082},
		{0.9, 1.281551565544600}, {0.95, 1.644853626951473}, {0.99, 2.326347874040841}, {0.999, 3.090232306167813},
		{0.9999, 3.719016485455709}, {0.999999, 4.753424308822899},
	} {
		for _, sigma := range []float64{0.1, 0.5, 1, 1.5, 2, 3} {
			got, want := means(NewLognormal(sigma).Draw(at(c.p))), math.Exp(sigma*c.z-sigma*sigma/2)
			if math.Abs(got/want-1) > 0.001 {
				t.Errorf("sigma %v: %v of all draws are below %v, want %v", sigma, c.p, got, want)
			}
		}
	}
}

// The mean of all draws: 32 strips of each of ever smaller halves of a tail. A draw is a straight line in each, so that
// the one in the middle is the strip's mean.
func TestLognormalHasItsMean(t *testing.T) {
	for _, sigma := range []float64{0, 0.1, 0.5, 1, 1.5, 2, 3} {
		l := NewLognormal(sigma)
		mean := 0.0
		for halving := 1; halving < 60; halving++ {
			for step := range 32 {
				tail := math.Ldexp(1+(float64(step)+0.5)/32, -halving-1)
				mean += math.Ldexp(means(l.Draw(at(tail)))+means(l.Draw(-at(tail))), -halving-1-5)
			}
		}
		if math.Abs(mean-1) > 1e-6 {
			t.Errorf("sigma %v: the mean is %v", sigma, mean)
		}
	}
}

func TestLognormalDrawsHaveTheSpreadOfTheirLogarithm(t *testing.T) {
	const n, sigma = 200_000, 0.8
	l, key := NewLognormal(sigma), Named(1, "lognormal")
	var sum, squares float64
	for i := range uint64(n) {
		x := math.Log(means(l.Draw(key.At(i))))
		sum += x
		squares += x * x
	}
	mean := sum / n
	if want := -sigma * sigma / 2; math.Abs(mean-want) > 4*sigma/math.Sqrt(n) {
		t.Errorf("the logarithm's mean is %v, want %v", mean, want)
	}
	if got := math.Sqrt(squares/n - mean*mean); math.Abs(got-sigma) > 4*sigma/math.Sqrt(2*n) {
		t.Errorf("the logarithm's spread is %v, want %v", got, sigma)
	}
}

func TestLognormalGrowsWithTheDraw(t *testing.T) {
	for _, sigma := range []float64{0, 0.5, 3} {
		l := NewLognormal(sigma)
		last := Units(0)
		for i := range uint64(1 << 16) {
			v := l.Draw(Draw(i << 48))
			if v < last {
				t.Fatalf("sigma %v: draw %d of 65,536 is less than the one before", sigma, i)
			}
			last = v
		}
		for _, u := range []Draw{1<<64 - 1<<40, 1<<64 - 1<<20, 1<<64 - 2, 1<<64 - 1} {
			v := l.Draw(u)
			if v < last {
				t.Fatalf("sigma %v: draw %#x is less than the one before", sigma, u)
			}
			last = v
		}
	}
	// With no spread all are the mean.
	if l := NewLognormal(0); l.Draw(0) != One || l.Draw(1<<63) != One || l.Draw(1<<64-1) != One {
		t.Error("with sigma 0 every draw is One")
	}
}

// The longest of all is no reason for a time to overflow.
func TestLongTimesSaturate(t *testing.T) {
	const most = 1 << 61
	u := NewLognormal(3).Draw(1<<64 - 1)
	if got := FixedOf(4 * time.Hour).Times(u); got != most {
		t.Errorf("a time is %v", got)
	}
	if got := u.Of(4 * time.Hour); got != most {
		t.Errorf("a time is %v", got)
	}
	if got := FixedOf(time.Hour).Times(1000 * One); got != 1000*time.Hour {
		t.Errorf("a thousand hours are %v", got)
	}
}

// The same draws on every machine: this test also runs under wasm.
func TestLognormalIsGolden(t *testing.T) {
	key := Named(1, "golden")
	var hash uint64
	for _, sigma := range []float64{0.25, 1, 3} {
		l := NewLognormal(sigma)
		for i := range uint64(100_000) {
			hash = mix(hash ^ uint64(l.Draw(key.At(i))))
		}
		for i := range uint64(64) {
			hash = mix(hash ^ uint64(l.Draw(1<<i)) ^ uint64(l.Draw(-(1 << i))))
		}
	}
	if want := uint64(0xc1daee0d61d98cce); hash != want {
		t.Errorf("draws hash to %#x, want %#x", hash, want)
	}
}

func BenchmarkLognormal(b *testing.B) {
	l, key := NewLognormal(1), Named(1, "bench")
	var sum Units
	for i := range b.N {
		sum += l.Draw(key.At(uint64(i)))
	}
	_ = sum
}

func BenchmarkNewLognormal(b *testing.B) {
	for range b.N {
		NewLognormal(1)
	}
}
