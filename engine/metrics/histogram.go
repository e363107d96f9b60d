package metrics

import (
	"math/bits"
	"time"
)

const (
	subBits = 7            // 128 buckets an octave: the middle of one is within 0.4 % of all that is in it
	sub     = 1 << subBits // below this many nanoseconds, every value has a bucket of its own
	octaves = 44 - subBits // up to 2⁴⁴ ns, 4.9 h
)

// Histogram counts lengths of time in constant memory (19 KB), each to within 0.4 %. The zero value is empty.
type Histogram struct {
	counts [(octaves + 1) * sub]uint32
	n      int64
	sum    time.Duration
	max    time.Duration
}

// Add counts d. Below 0 counts as 0.
func (h *Histogram) Add(d time.Duration) {
	d = max(d, 0)
	h.counts[bucket(d)]++
	h.n++
	h.sum += d
	h.max = max(h.max, d)
}

// Merge counts all that o has counted.
func (h *Histogram) Merge(o *Histogram) {
	for i, n := range o.counts {
		h.counts[i] += n
	}
	h.n += o.n
	h.sum += o.sum
	h.max = max(h.max, o.max)
}

// bucket is linear within an octave: its index is the octave and the bits after the leading one.
func bucket(d time.Duration) int {
	octave := max(bits.Len64(uint64(d))-subBits-1, 0)
	return min(octave<<subBits+int(d>>octave), (octaves+1)*sub-1)
}

// middle is the middle of bucket i.
func middle(i int) time.Duration {
	if i < 2*sub {
		return time.Duration(i)
	}
	octave := i>>subBits - 1
	return time.Duration(i-octave<<subBits)<<octave + time.Duration(1)<<octave/2
}

// Quantile is the value that a share q (0 to 1) of the counted ones do not exceed: 0 if there are none, and never more
// than the greatest counted.
func (h *Histogram) Quantile(q float64) time.Duration {
	rank := min(int64(q*float64(h.n)), h.n-1)
	for i, c := range h.counts {
		if rank -= int64(c); rank < 0 && c > 0 {
			return min(middle(i), h.max)
		}
	}
	return 0
}

// Mean is exact; 0 if nothing was counted.
func (h *Histogram) Mean() time.Duration {
	if h.n == 0 {
		return 0
	}
	return h.sum / time.Duration(h.n)
}

// Max is the greatest counted, exactly.
func (h *Histogram) Max() time.Duration { return h.max }
