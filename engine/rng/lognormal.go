package rng

import (
	"math"
	"math/bits"
	"sync"
)

// Lognormal gives draws whose logarithm is normally distributed, with mean [One]: times that are mostly short and
// sometimes very long. It is a table of 33 KB, made once and then only read. Made by [NewLognormal].
type Lognormal struct {
	// knots are the quantiles at normalTails' probabilities, from 0 up and, after those, from 1 down.
	knots [2 * tailKnots]Units
}

const (
	tailBits  = 5
	tailSteps = 1 << tailBits      // in each halving of a tail
	tailKnots = 64*tailSteps + 1   // 64 halvings, down to 2⁻⁶⁵
	longest   = float64(1 << 22)   // in means, so that a Units holds it
	density0  = 0.3989422804014327 // 1/√(2π)
)

// NewLognormal makes the table for sigma, the standard deviation of the draws' logarithm, 0 to 3; with 0 every draw is
// One. The mean of all draws is One for every sigma, since the table is scaled to it. From the millionth shortest to the
// millionth longest, quantiles are within 0.1 % of the distribution's; none is more than four million times the mean.
func NewLognormal(sigma float64) *Lognormal {
	var values [2 * tailKnots]float64
	half := float64(sigma * sigma / 2) // the logarithm's mean is this much below 0 where the mean is 1
	mean := 0.0
	for side, sign := range []float64{-1, 1} {
		tail := values[side*tailKnots:][:tailKnots]
		for i, z := range normalTails() {
			tail[i] = min(exp(float64(sign*sigma*z)-half), longest)
			if i > 0 {
				mean += float64((tailAt(i) - tailAt(i-1)) * (tail[i] + tail[i-1]) / 2)
			}
		}
		mean += float64(tailAt(0) * tail[0])
	}
	l := &Lognormal{}
	for i, v := range values {
		l.knots[i] = Units(float64(v/mean*float64(One)) + 0.5)
	}
	return l
}

// Draw is the quantile that u stands at, so that a greater u gives a greater draw.
func (l *Lognormal) Draw(u Draw) Units {
	upper := uint64(int64(u) >> 63)  // all ones in the upper half, and from there on instead of a branch
	tail := (uint64(u)^upper)<<1 | 1 // in units of 2⁻⁶⁵
	zeros := bits.LeadingZeros64(tail)
	within := tail << zeros << 1 // how far into its halving of the tail, 64 bits
	i := upper&tailKnots + uint64(63-zeros)*tailSteps + within>>(64-tailBits)
	a, b := uint64(l.knots[i]), uint64(l.knots[i+1])
	further := within << tailBits
	step, _ := bits.Mul64(b-a, further)
	return Units(a + step - further&uint64(int64(b-a)>>63)) // b may be below a: then b−a is 2⁶⁴ too much
}

// tailAt is the probability at knot i: in each halving, tailSteps equal steps.
func tailAt(i int) float64 {
	return math.Ldexp(float64(tailSteps+i%tailSteps), i/tailSteps-65-tailBits)
}

// normalTails are the deviates that a normally distributed one exceeds with the probabilities of tailAt, down to 0 at ½.
var normalTails = sync.OnceValue(func() (z [tailKnots]float64) {
	for i := tailKnots - 2; i >= 0; i-- {
		// Newton's steps from the knot before. The tail is convex, so they come from one side and don't leap over.
		z[i] = z[i+1]
		for range 4 {
			tail, density := normalTail(z[i])
			z[i] += (tail - tailAt(i)) / density
		}
	}
	return z
})

// normalTail is the probability that a normally distributed deviate is more than z ≥ 0, and its density there. Both
// formulas are in Abramowitz and Stegun, "Handbook of mathematical functions", 26.2.11 and 26.2.14.
func normalTail(z float64) (tail, density float64) {
	density = float64(density0 * exp(float64(-z*z)/2))
	if z < 2 {
		sum := 0.0
		for term, n := z, 3.0; term > 1e-18; n += 2 { // z + z³/3 + z⁵/(3·5) + …
			sum += term
			term = float64(float64(term*z)*z) / n
		}
		return 0.5 - float64(density*sum), density
	}
	fraction := z
	for n := 60.0; n > 0; n-- { // z + 1/(z + 2/(z + 3/…))
		fraction = z + n/fraction
	}
	return density / fraction, density
}
