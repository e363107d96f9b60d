package rng

import "math"

// Logarithms and powers for the tables that draws are read from, in nothing but sums, products and quotients of float64,
// which every machine rounds alike. The conversions around products forbid the compiler to fuse them with a sum, as it
// would on arm64.

// reciprocals[n] is 1/n.
var reciprocals = func() (r [22]float64) {
	for n := 1; n < len(r); n++ {
		r[n] = 1 / float64(n)
	}
	return r
}()

// ln is the natural logarithm of x > 0, by 2 (y + y³/3 + y⁵/5 + …) with y = (m−1)/(m+1), where m is x without its power of
// two: |y| ≤ 0.172.
func ln(x float64) float64 {
	m, power := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, power = m*2, power-1
	}
	y := (m - 1) / (m + 1)
	square := float64(y * y)
	sum := 0.0
	for n := 21; n > 0; n -= 2 {
		sum = float64(sum*square) + reciprocals[n]
	}
	return float64(float64(power)*math.Ln2) + float64(2*y*sum)
}

// exp is e to the power of x, for |x| ≤ 100: 2ᵏ times Taylor's series of what is left, at most ln 2 ÷ 2.
func exp(x float64) float64 {
	k := math.Floor(float64(x/math.Ln2) + 0.5)
	rest := x - float64(k*math.Ln2)
	sum := 1.0
	for n := 14; n > 0; n-- {
		sum = 1 + float64(float64(rest*reciprocals[n])*sum)
	}
	return math.Ldexp(sum, int(k))
}
