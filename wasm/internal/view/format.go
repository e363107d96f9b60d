package view

import (
	"math"
	"strconv"
	"time"

	"stormbin/engine/metrics"
)

// Count writes a whole number with its thousands set apart: 17,400.
func Count(n int64) string {
	s := metrics.Thousands(n)
	if n < 0 {
		return "−" + s[1:]
	}
	return s
}

// PerSecond writes a rate: "17,400 /s". Below ten it keeps a decimal if it has one.
func PerSecond(rate float64) string { return Quantity(rate) + " /s" }

// Quantity writes a number with a decimal below ten, if it has one there, and without above.
func Quantity(x float64) string {
	if x < 9.95 && math.Abs(x-math.Round(x)) >= .05 {
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return Count(int64(math.Round(x)))
}

// Percent writes a share: "99.9 %". Never "100 %" for less than all, nor "0 %" for more than nothing; "–" for NaN.
func Percent(share float64) string {
	switch p := share * 100; {
	case math.IsNaN(share):
		return "–"
	case p > 0 && p < .1:
		return "< 0.1 %"
	case p < 100 && p > 99.9:
		return "> 99.9 %"
	case p == math.Trunc(p) || p >= 10 && p < 99:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	default:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	}
}

// Times writes a factor: "4.00×".
func Times(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) + "×" }

// Span writes a length of time to about three digits: "20 ms", "4.2 s", "1 min 12 s".
func Span(d time.Duration) string {
	f := func(x float64, unit string) string {
		decimals := 0
		if x < 9.95 && x != math.Trunc(x) {
			decimals = 1
		}
		return strconv.FormatFloat(x, 'f', decimals, 64) + " " + unit
	}
	switch {
	case d < 0:
		return "−" + Span(-d)
	case d == 0:
		return "0 s"
	case d < time.Millisecond:
		return f(float64(d)/1e3, "µs")
	case d < time.Second:
		return f(float64(d)/1e6, "ms")
	case d < time.Minute:
		return f(d.Seconds(), "s")
	default:
		return strconv.Itoa(int(d/time.Minute)) + " min " + strconv.Itoa(int(d%time.Minute/time.Second)) + " s"
	}
}

// Bytes writes a size: "1 byte", "3,412 bytes".
func Bytes(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return Count(n) + " bytes"
}

// Clock writes the time of a run: "12.4 s".
func Clock(t time.Duration) string {
	if t < time.Minute {
		return strconv.FormatFloat(float64(t/(100*time.Millisecond))/10, 'f', 1, 64) + " s"
	}
	return Span(t)
}

// Title is a name as it stands in a sentence or on a box: one letter is a capital, "b" is B.
func Title(name string) string { return metrics.Title(name) }

// TitleStart is Title at the start of a sentence: "the primary" is "The primary".
func TitleStart(name string) string {
	if len(name) == 1 {
		return Title(name)
	}
	return "The " + name
}
