package rng

import (
	"math"
	"testing"
)

func TestLnAndExp(t *testing.T) {
	for i := range 200_000 {
		x := float64(i-100_000) / 1000
		if got, want := exp(x), math.Exp(x); math.Abs(got/want-1) > 1e-13 {
			t.Fatalf("exp(%v) is %v, want %v", x, got, want)
		}
		k := float64(i+1) / 100
		if got, want := ln(k), math.Log(k); math.Abs(got-want) > 1e-15*max(1, math.Abs(want)) {
			t.Fatalf("ln(%v) is %v, want %v", k, got, want)
		}
	}
	for _, x := range []float64{1e-300, 1 << 40, math.MaxFloat64} {
		if got, want := ln(x), math.Log(x); math.Abs(got/want-1) > 1e-15 {
			t.Errorf("ln(%v) is %v, want %v", x, got, want)
		}
	}
}

func TestNormalTail(t *testing.T) {
	for i := range 920 {
		z := float64(i) / 100
		tail, density := normalTail(z)
		if want := math.Erfc(z/math.Sqrt2) / 2; math.Abs(tail/want-1) > 1e-11 {
			t.Errorf("a deviate is above %v with probability %v, want %v", z, tail, want)
		}
		if want := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi); math.Abs(density/want-1) > 1e-13 {
			t.Errorf("the density at %v is %v, want %v", z, density, want)
		}
	}
}
