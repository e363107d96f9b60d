package view

import (
	"math"
	"strconv"
	"time"
)

// plane is the part of a chart that has the numbers, in CSS pixels from its upper left corner. Ticks stand left of it and
// below, the lines' names right of it.
type plane struct {
	left, top, width, height float32
	span                     float32 // seconds from its left to its right edge; more than 0
	scale                    scale
	step                     int // seconds that share a column, so that a column is a pixel at least
}

// newPlane is a plane for so many seconds. Where they are more than it has pixels, each column stands for several: for
// the same ones as time goes on, so that nothing trembles.
func newPlane(left, top, width, height, span float32) plane {
	p := plane{left, top, max(width, 1), max(height, 1), max(span, 1), scale{to: 1}, 1}
	p.step = max(1, int(math.Ceil(float64(p.span/p.width))))
	return p
}

func (p *plane) x(seconds float32) float32 { return p.left + seconds/p.span*p.width }

func (p *plane) y(v float32) float32 { return p.top + (1-p.scale.at(v))*p.height }

// second is the second under x, which may be none that was.
func (p *plane) second(x float32) int {
	return int(math.Floor(float64((x - p.left) / p.width * p.span)))
}

// scale is what the height stands for.
type scale struct {
	from, to float32 // from is 0, or more if it is logarithmic
	log      bool
}

// at is where a value stands, from 0 at the bottom to 1 at the top; not beyond.
func (s scale) at(v float32) float32 {
	if s.log {
		if v <= s.from {
			return 0
		}
		return min(1, float32(math.Log(float64(v/s.from))/math.Log(float64(s.to/s.from))))
	}
	return min(1, max(0, (v-s.from)/(s.to-s.from)))
}

// countScale is a scale from 0 to the first tick that is not below most, and the distance between ticks: 1, 2 or 5 times
// a power of ten, with at most five of them above 0.
func countScale(most float32) (s scale, tick float32) {
	tick = 1
	for i := 0; most > 5*tick; i++ {
		tick *= [...]float32{2, 2.5, 2}[i%3]
	}
	return scale{to: max(1, float32(math.Ceil(float64(most/tick)))) * tick}, tick
}

// timeScale is a logarithmic scale of whole powers of ten around all of least to most, which are seconds. It has one
// decade at the least, from 1 ms where there is nothing to scale.
func timeScale(least, most float32) scale {
	if !(least > 0) || math.IsInf(float64(most), 0) || most < least {
		return scale{.001, 1, true}
	}
	low := math.Floor(math.Log10(float64(least)) + 1e-6)
	high := max(low+1, math.Ceil(math.Log10(float64(most))-1e-6))
	return scale{float32(math.Pow(10, low)), float32(math.Pow(10, high)), true}
}

// timeTick is the distance between ticks of time so that they are least pixels apart or more.
func timeTick(span, width, least float32) time.Duration {
	for _, s := range [...]time.Duration{1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200} {
		if float32(s)/span*width >= least {
			return s * time.Second
		}
	}
	return 4 * time.Hour
}

// tickTime writes a time at a tick, which is whole seconds.
func tickTime(t, tick time.Duration) string {
	switch {
	case t == 0:
		return "0"
	case t%time.Hour == 0:
		return strconv.Itoa(int(t/time.Hour)) + " h"
	case tick%time.Minute == 0:
		return strconv.Itoa(int(t/time.Minute)) + " min"
	}
	return strconv.Itoa(int(t/time.Second)) + " s"
}

// ChartSpan is how much time charts show when so much of it was seen and there is so much in all: a round length that has
// room for more, so that they are drawn anew seldom.
func ChartSpan(seen, all time.Duration) time.Duration {
	for _, s := range [...]time.Duration{10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200} {
		if s *= time.Second; seen <= s {
			return max(min(s, all), time.Second)
		}
	}
	return max(all, seen)
}

// SVG paths. Numbers have one decimal, which is enough of a pixel.

func tenth(dst []byte, x float32) []byte {
	n := int64(math.Round(float64(x) * 10))
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	dst = strconv.AppendInt(dst, n/10, 10)
	if n%10 != 0 {
		dst = append(dst, '.', byte('0'+n%10))
	}
	return dst
}

func point(dst []byte, command byte, x, y float32) []byte {
	return tenth(append(tenth(append(dst, command), x), ' '), y)
}

func box(dst []byte, x, y, w, h float32) []byte {
	dst = append(point(dst, 'M', x, y), 'h')
	dst = append(tenth(dst, w), 'v')
	dst = append(tenth(dst, h), 'h')
	return append(tenth(dst, -w), 'z')
}

// column is the indices of the least and the most of the seconds that share a place on the chart, and -1 where none of
// them has a value.
type column struct{ least, most int32 }

// columns appends those of all values, step seconds each.
func columns(dst []column, values []float32, step int) []column {
	for from := 0; from < len(values); from += step {
		c := column{-1, -1}
		var low, high float32
		for i, v := range values[from:min(from+step, len(values))] {
			if v != v { // NaN
				continue
			}
			if c.least < 0 || v < low {
				low, c.least = v, int32(from+i)
			}
			if c.most < 0 || v > high {
				high, c.most = v, int32(from+i)
			}
		}
		dst = append(dst, c)
	}
	return dst
}

// begins is where a column does: its first second.
func (p *plane) begins(column, seconds int) float32 {
	return p.x(float32(min(column*p.step, seconds)))
}

// line appends the path of a line that has each value for the whole of its second: what was counted from one second to the
// next is told neither before nor after. A column of several seconds has its least and its most, so that a peak of one
// second is seen in four hours. NaN is a gap.
func (p *plane) line(dst []byte, values []float32, all []column) []byte {
	drawn := false
	for c, column := range all {
		first, second := min(column.least, column.most), max(column.least, column.most)
		if first < 0 {
			drawn = false
			continue
		}
		if drawn {
			dst = tenth(append(dst, 'V'), p.y(values[first]))
		} else {
			dst = point(dst, 'M', p.begins(c, len(values)), p.y(values[first]))
		}
		if first != second {
			dst = tenth(append(dst, 'V'), p.y(values[second]))
		}
		dst = tenth(append(dst, 'H'), p.begins(c+1, len(values)))
		drawn = true
	}
	return dst
}

// side is one side of a band; the zero value is the bottom of the chart.
type side struct {
	values  []float32
	columns []column
}

// band appends the path of what lies between two lines: as far up and down as any second of a column. A column without
// both is a gap.
func (p *plane) band(dst []byte, low, high side) []byte {
	filled := func(c int) bool {
		return high.columns[c].most >= 0 && (low.values == nil || c < len(low.columns) && low.columns[c].least >= 0)
	}
	bottom := func(c int) float32 {
		if low.values == nil {
			return p.top + p.height
		}
		return p.y(low.values[low.columns[c].least])
	}
	top := func(c int) float32 { return p.y(high.values[high.columns[c].most]) }
	begins := func(c int) float32 { return p.begins(c, len(high.values)) }
	for from := 0; from < len(high.columns); from++ {
		to := from
		for to < len(high.columns) && filled(to) {
			to++
		}
		if to == from {
			continue
		}
		// There along the upper line, and back along the lower one.
		dst = point(dst, 'M', begins(from), top(from))
		for c := from; c < to; c++ {
			dst = append(tenth(append(dst, 'V'), top(c)), 'H')
			dst = tenth(dst, begins(c+1))
		}
		for c := to - 1; c >= from; c-- {
			dst = append(tenth(append(dst, 'V'), bottom(c)), 'H')
			dst = tenth(dst, begins(c))
		}
		dst = append(dst, 'z')
		from = to
	}
	return dst
}

// stairs appends the path of what holds from each moment on until the next, as far as it is on the scale.
func (p *plane) stairs(dst []byte, all []Capacity, of func(*Capacity) float32) []byte {
	drawn := false
	for i := range all {
		v, end := of(&all[i]), p.span
		if i+1 < len(all) {
			end = float32(all[i+1].From.Seconds())
		}
		from := float32(all[i].From.Seconds())
		if from >= p.span || v > p.scale.to {
			drawn = false
			continue
		}
		command := byte('L')
		if !drawn {
			command = 'M'
		}
		dst = point(dst, command, p.x(from), p.y(v))
		dst = tenth(append(dst, 'H'), p.x(min(end, p.span)))
		drawn = true
	}
	return dst
}

// roomFor is about how wide words are at a chart: as wide as bold ones, which some are.
func roomFor(text string) float32 { return Sick.width(text, true) }

// apart moves the middles of labels apart, so that each has its height, none is outside of top and bottom if there is
// room, and each is as near to its place as those above it let it be. They are in order from the top.
func apart(ys []float32, height, top, bottom float32) {
	for i := range ys {
		ys[i] = max(ys[i], top+float32(i)*height)
		if i > 0 {
			ys[i] = max(ys[i], ys[i-1]+height)
		}
	}
	for i := len(ys) - 1; i >= 0; i-- {
		ys[i] = min(ys[i], bottom-float32(len(ys)-1-i)*height)
		if i+1 < len(ys) {
			ys[i] = min(ys[i], ys[i+1]-height)
		}
	}
}
