package rng

import (
	"fmt"
	"math"
	"testing"
)

func TestZipfProportions(t *testing.T) {
	for _, c := range []struct {
		count int
		s     float64
	}{{1, 1}, {2, 0}, {3, 1}, {49, 0}, {100, 0.5}, {100, 1}, {100, 3}, {1000, 0.99}} {
		const n = 400_000
		z, key := NewZipf(c.count, c.s), Named(1, "zipf")
		seen := make([]int, c.count)
		for i := range uint64(n) {
			seen[z.Draw(key.At(i))]++
		}
		sum := 0.0
		for k := range c.count {
			sum += math.Pow(float64(k+1), -c.s)
		}
		// Pearson's χ² over the numbers that are to come up ten times at least, those that are rarer taken together.
		var chi2, restSeen, restWant float64
		cells := 0
		add := func(seen, want float64) {
			chi2 += (seen - want) * (seen - want) / want
			cells++
		}
		for k, seen := range seen {
			if want := n * math.Pow(float64(k+1), -c.s) / sum; want >= 10 {
				add(float64(seen), want)
			} else {
				restSeen, restWant = restSeen+float64(seen), restWant+want
			}
		}
		if restWant >= 1 {
			add(restSeen, restWant)
		}
		// Its mean is the degrees of freedom, its variance twice that.
		if free := float64(cells - 1); chi2 > free+5*math.Sqrt(2*free) {
			t.Errorf("%d keys, s %v: χ² is %.1f with %v degrees of freedom", c.count, c.s, chi2, free)
		}
	}
}

// All the draws at even distances: each number comes up as often as it should, to the last of them.
func TestZipfIsExact(t *testing.T) {
	const count, n = 500, 1 << 22
	for _, s := range []float64{0, 0.7, 1, 2} {
		z := NewZipf(count, s)
		seen := make([]float64, count)
		for i := range uint64(n) {
			seen[z.Draw(Draw(i<<42))]++
		}
		sum := 0.0
		for k := range count {
			sum += math.Pow(float64(k+1), -s)
		}
		pieces := make([]float64, count)
		for k, c := range z.cells {
			pieces[k]++
			pieces[c.alias]++
		}
		for k, seen := range seen {
			// A number's share is made of pieces, and at either end of each there may be a draw more or less.
			if want := n * math.Pow(float64(k+1), -s) / sum; math.Abs(seen-want) > 2*pieces[k] {
				t.Errorf("s %v: %d comes up %v times of %d, want %.1f", s, k, seen, n, want)
			}
		}
	}
}

// By hand: 1/1 and 1/2 of 3/2 are 4/3 and 2/3 of a cell, so that the second cell is the second number's for 2/3 of its
// length and the first one's for the rest; 1/1, 1/2 and 1/3 of 11/6 are 18/11, 9/11 and 6/11 of a cell. Also under wasm.
func TestZipfIsGolden(t *testing.T) {
	const one = 1 << 32 // a cell's length, as the draw within it is compared
	for _, c := range []struct {
		count int
		cells []zipfCell
	}{
		{2, []zipfCell{{0, 0}, {one * 2 / 3, 0}}},
		// The second lacks 2/11, which leaves 16/11 of the first; the third lacks 5/11, which leaves 11/11.
		{3, []zipfCell{{0, 0}, {one * 9 / 11, 0}, {one * 6 / 11, 0}}},
	} {
		z := NewZipf(c.count, 1)
		for k, want := range c.cells {
			got := z.cells[k]
			if max(got.own, want.own)-min(got.own, want.own) > 1 || got.alias != want.alias {
				t.Errorf("%d numbers: cell %d is %+v, want %+v", c.count, k, got, want)
			}
		}
	}
	z := NewZipf(2, 1)
	for _, c := range []struct {
		u    Draw
		want uint32
	}{
		{0, 0}, {1<<63 - 1, 0}, // the first cell
		{1 << 63, 1}, {1<<63 + 1<<62, 1}, {1<<63 + 1<<62 + 1<<60, 1}, // up to 5/8 of the second
		{1<<63 + 1<<62 + 1<<61, 0}, {1<<64 - 1, 0}, // from 3/4 of it
	} {
		if got := z.Draw(c.u); got != c.want {
			t.Errorf("%#x is %d, want %d", c.u, got, c.want)
		}
	}
	// The same on every machine.
	var hash uint64
	for _, s := range []float64{0.5, 1, 3} {
		for _, c := range NewZipf(10_000, s).cells {
			hash = mix(hash ^ uint64(c.own)<<32 ^ uint64(c.alias))
		}
	}
	if want := uint64(0xd96bd77bcd9a7ba8); hash != want {
		t.Errorf("tables hash to %#x, want %#x", hash, want)
	}
}

func BenchmarkZipf(b *testing.B) {
	for _, count := range []int{1000, 1_000_000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			z, key := NewZipf(count, 1), Named(1, "bench")
			var sum uint32
			for i := range b.N {
				sum += z.Draw(key.At(uint64(i)))
			}
			_ = sum
		})
	}
}

func BenchmarkNewZipf(b *testing.B) {
	for range b.N {
		NewZipf(1_000_000, 1)
	}
}
