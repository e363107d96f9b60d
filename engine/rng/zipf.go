package rng

import "math/bits"

// Zipf gives numbers of which the low ones are the popular ones: k comes up in proportion to 1/(k+1)^s. It takes 8 bytes
// a number and the same time for every draw. Made by [NewZipf].
//
// It is the alias method (A. J. Walker, "An efficient method for generating discrete random variables with general
// distributions", 1977): all numbers have cells of one size, and what a rare one doesn't fill of its own is given to a
// popular one.
type Zipf struct{ cells []zipfCell }

type zipfCell struct {
	own   uint32 // how much of the cell is its own number's, of 2³²
	alias uint32 // the number that has the rest
}

// NewZipf makes the table of count numbers, 1 to 2³¹, with exponent s, 0 (all alike) to 3.
func NewZipf(count int, s float64) *Zipf {
	shares := make([]float64, count) // of a cell's size
	sum := 0.0
	for k := range shares {
		shares[k] = exp(float64(-s * ln(float64(k+1))))
		if k > 0 {
			shares[k] = min(shares[k], shares[k-1]) // even in the last bit
		}
		sum += shares[k]
	}
	cells := make([]zipfCell, count)
	popular := 0 // how many fill a cell, or more
	for k := range shares {
		shares[k] = float64(shares[k] / sum * float64(count))
		cells[k].alias = uint32(k) // until somebody else needs it
		if shares[k] >= 1 {
			popular++
		}
	}
	// Each rare one is filled up by the most popular that has something left. Who has given so much that its rest is
	// less than a cell is the next to be filled up.
	giver, rare := 0, popular
	for next := rare; giver < popular && next < count; {
		cells[next] = zipfCell{own: uint32(shares[next] * (1 << 32)), alias: uint32(giver)}
		shares[giver] -= 1 - shares[next]
		if next == rare {
			rare++
		}
		next = rare
		if shares[giver] < 1 {
			next = giver
			giver++
		}
	}
	return &Zipf{cells}
}

// Draw is a number from 0 to count−1.
func (z *Zipf) Draw(u Draw) uint32 {
	k, within := bits.Mul64(uint64(u), uint64(len(z.cells)))
	cell := z.cells[k]
	if uint32(within>>32) < cell.own {
		return uint32(k)
	}
	return cell.alias
}
