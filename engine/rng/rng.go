// Package rng is the simulation's randomness: named streams from one seed, and draws that are the same integer on every
// machine.
//
// A draw is either the next of a [Stream], or the one at an index of a [Key], which depends on nothing that was drawn
// before. Traffic uses the second: the service time of the n-th arrival is At(n), whatever was retried meanwhile, so two
// policies can be judged on the very same traffic.
//
// No draw uses floating point: math.Log and fused multiply-adds give other last bits on amd64, arm64 and wasm. Where a
// distribution has a parameter, its table is made once, with the arithmetic of float.go, and draws read it as integers.
package rng

import (
	"math/bits"
	"time"
)

// Key names a source of draws. The zero value is a key like any other.
type Key uint64

// Named is the key of name under seed. Other names, and other seeds, give unrelated keys.
func Named(seed uint64, name string) Key {
	k := mix(seed ^ golden)
	for i := range len(name) {
		k = mix(k ^ uint64(name[i]))
	}
	return Key(k)
}

// At is the draw at index i.
func (k Key) At(i uint64) Draw { return Draw(mix(uint64(k) + i*golden)) }

// Sub is the key of the i-th thing under k: a process, say.
func (k Key) Sub(i uint64) Key { return Key(mix(uint64(k.At(i)))) }

// Stream is the draws of k, one after the other.
func (k Key) Stream() Stream { return Stream{state: uint64(k)} }

// Stream gives draws in sequence. The zero value works and is the stream of key 0.
type Stream struct{ state uint64 }

// Next is the next draw.
func (s *Stream) Next() Draw {
	s.state += golden
	return Draw(mix(s.state))
}

// Upto is uniform in [0, d]. Below 1 it is 0.
func (s *Stream) Upto(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return s.Next().Upto(d)
}

// Draw is 64 random bits, and the ways to read them.
type Draw uint64

// Upto is uniform in [0, d], for d ≥ 0.
func (u Draw) Upto(d time.Duration) time.Duration {
	hi, _ := bits.Mul64(uint64(u), uint64(d)+1)
	return time.Duration(hi)
}

// Below is uniform in [0, n), for n ≥ 1.
func (u Draw) Below(n int) int {
	hi, _ := bits.Mul64(uint64(u), uint64(n))
	return int(hi)
}

// Chance is a probability, as the threshold that a draw is held against. The zero value never happens.
type Chance uint64

// Always is the chance of what is certain.
const Always Chance = 1<<64 - 1

// ChanceOf is p, from 0 to 1, as a Chance.
func ChanceOf(p float64) Chance {
	switch {
	case !(p > 0):
		return 0
	case p >= 1:
		return Always
	}
	return Chance(p*(1<<63)) << 1
}

// Happens tells whether a thing of chance c happens on this draw.
func (u Draw) Happens(c Chance) bool { return Chance(u) < c || c == Always }

// Units is a multiple of some mean, with 40 fractional bits.
type Units uint64

// One is the mean itself.
const One Units = 1 << 40

// UnitsOf is a factor as Units, for 0 ≤ factor ≤ 1,000,000.
func UnitsOf(factor float64) Units { return Units(factor * float64(One)) }

// Of is u times d, at most 2⁶¹ ns, for d ≥ 0.
func (u Units) Of(d time.Duration) time.Duration {
	hi, lo := bits.Mul64(uint64(u), uint64(d))
	if hi >= 1<<37 {
		return 1 << 61
	}
	return time.Duration(hi<<(64-40) | lo>>40)
}

// Exponential is exponentially distributed, with mean [One].
func (u Draw) Exponential() Units { return Units(u.negLog()) }

// Fixed is a length of time in 1/65,536 ns, up to three days: fine enough that the gaps of 174,000 arrivals a second
// keep their sixth digit.
type Fixed uint64

// FixedOf is d as a Fixed.
func FixedOf(d time.Duration) Fixed { return Fixed(d) << 16 }

// Times is u times f, rounded down to a nanosecond, at most 2⁶¹ ns.
func (f Fixed) Times(u Units) time.Duration {
	hi, lo := bits.Mul64(uint64(f), uint64(u))
	if hi >= 1<<53 {
		return 1 << 61
	}
	return time.Duration(hi<<(64-56) | lo>>56) // 16 and 40 fractional bits
}

// Units is how many times f goes into d, up to 16 million. f must not be 0.
func (f Fixed) Units(d time.Duration) Units {
	hi, lo := uint64(d)>>8, uint64(d)<<56
	if hi >= uint64(f) {
		return 1<<64 - 1
	}
	u, _ := bits.Div64(hi, lo, uint64(f))
	return Units(u)
}

// negLog is −ln(u/2⁶⁴) with 40 fractional bits, to within 2⁻²².
func (u Draw) negLog() uint64 {
	v := uint64(u) | 1 // never ln 0
	zeros := bits.LeadingZeros64(v)
	v <<= zeros // now v/2⁶³ is in [1, 2)
	i := v >> (63 - logBits) & (1<<logBits - 1)
	frac := v << (1 + logBits) >> 32 // how far on to the next entry, 32 bits
	a, b := logTable[i], logTable[i+1]
	log := a + (b-a)*frac>>32
	return uint64(zeros+1)*ln2 - log
}

const (
	golden  = 0x9e3779b97f4a7c15
	logBits = 10
	ln2     = 762123384786 // ln 2 with 40 fractional bits
)

// logTable[i] is ln(1 + i/1024) with 40 fractional bits; chords between neighbours are within 2⁻²³ of the curve.
var logTable = makeLogTable()

func makeLogTable() (t [1<<logBits + 1]uint64) {
	for i := range t {
		// ln x = 2 (y + y³/3 + y⁵/5 + …) with y = (x−1)/(x+1) = i/(2048+i), at most 1/3.
		y, _ := bits.Div64(uint64(i)>>2, uint64(i)<<62, 2<<logBits+uint64(i)) // 62 fractional bits, as all below
		square, _ := bits.Mul64(y, y)
		square <<= 2
		var sum uint64
		for n, power := uint64(1), y; power > 0; n += 2 {
			sum += power / n
			hi, lo := bits.Mul64(power, square)
			power = hi<<2 | lo>>62
		}
		t[i] = (2*sum + 1<<21) >> 22
	}
	return t
}

// mix is the finaliser of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
