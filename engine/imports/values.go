package imports

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"stormbin/engine/scenario"
)

const (
	ms  = scenario.Duration(time.Millisecond)
	sec = scenario.Duration(time.Second)

	longest      = 4 * 3600 * sec // of every duration in a scenario
	mostAttempts = 100
	mostCounted  = 1_000_000_000
)

// duration is what n says, in any of the ways in which people write it: "0.25s", "250ms", "1m30s", "PT0.25S", an object of
// seconds and nanos, and, where unit says what it counts, a bare number. otherwise, if n is nil.
func (d *document) duration(n *node, unit, otherwise scenario.Duration) scenario.Duration {
	if n == nil {
		return otherwise
	}
	must := `a duration, like "0.25s"`
	if unit > 0 {
		must = fmt.Sprintf(`a duration, like "250ms", or a number of %s`, map[scenario.Duration]string{ms: "milliseconds", sec: "seconds"}[unit])
	}
	seconds, ok := 0.0, false
	if text, is := n.value.(string); is {
		seconds, ok = parseDuration(text)
	}
	if number, is := numeric(n); is {
		seconds, ok = number*time.Duration(unit).Seconds(), unit > 0
	}
	if n.object {
		whole, nanos := n.at("seconds"), n.at("nanos")
		seconds, ok = d.number(whole, 0, math.MaxInt64, 0)+d.number(nanos, 0, 999_999_999, 0)/1e9, whole != nil || nanos != nil
	}
	if !ok || !(seconds >= 0) {
		d.fail(n, must+", 0s or more")
		return 0
	}
	return scenario.Duration(math.Round(min(seconds*1e9, 1e18)))
}

// above0 is the duration that n, if it isn't nil, says, of which there must be some.
func (d *document) above0(n *node) scenario.Duration {
	v := d.duration(n, 0, 0)
	if n != nil && v == 0 {
		d.fail(n, `more than "0s"`)
	}
	return v
}

// parseDuration reads Go's way of writing durations with days besides, and ISO 8601's, in seconds.
func parseDuration(text string) (seconds float64, ok bool) {
	rest := strings.ToLower(text)
	if iso, is := strings.CutPrefix(rest, "p"); is {
		rest = strings.Replace(iso, "t", "", 1)
	}
	units := []struct {
		name string
		of   float64
	}{{"ms", 1e-3}, {"us", 1e-6}, {"µs", 1e-6}, {"ns", 1e-9}, {"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}}
	for rest = strings.ReplaceAll(rest, " ", ""); rest != ""; ok = true {
		end := strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune("0123456789.", r) })
		if end < 1 {
			return 0, false
		}
		number, err := strconv.ParseFloat(rest[:end], 64)
		rest = rest[end:]
		i := 0
		for i < len(units) && !strings.HasPrefix(rest, units[i].name) {
			i++
		}
		if err != nil || i == len(units) {
			return 0, false
		}
		seconds += number * units[i].of
		rest = rest[len(units[i].name):]
	}
	return seconds, ok
}

// numeric is the finite number that n is, or that a string in its place is.
func numeric(n *node) (float64, bool) {
	v, ok := n.value.(float64)
	if s, is := n.value.(string); is {
		var err error
		v, err = strconv.ParseFloat(strings.TrimSpace(s), 64)
		ok = err == nil
	}
	return v, ok && math.Abs(v) <= math.MaxFloat64
}

// number is what n says, from low to high; otherwise, if n is nil.
func (d *document) number(n *node, low, high, otherwise float64) float64 {
	if n == nil {
		return otherwise
	}
	v, ok := numeric(n)
	if !ok || !(v >= low && v <= high) {
		d.fail(n, "a number, "+figure(low)+" to "+figure(high))
		return low
	}
	return v
}

// count is number for what is whole. What is more than any scenario counts is as much as one does.
func (d *document) count(n *node, low, otherwise int) int {
	if n == nil {
		return otherwise
	}
	v, ok := numeric(n)
	if !ok || !(v >= float64(low)) || v != math.Trunc(v) {
		d.fail(n, fmt.Sprintf("a whole number, %d or more", low))
		return low
	}
	return int(min(v, mostCounted))
}

// words is what n says in words, like those; otherwise, if n is nil or empty.
func (d *document) words(n *node, like, otherwise string) string {
	if n == nil {
		return otherwise
	}
	if n.object || n.list {
		d.fail(n, "words, like "+strconv.Quote(like))
	}
	return cmp.Or(n.text(), otherwise)
}

// list is what stands in n, which is a list like that, or nil.
func (d *document) list(n *node, like string) []*node {
	if n != nil && !n.list {
		d.fail(n, "a list, like "+like)
	}
	return n.items()
}

// yes is whether n says true; otherwise, if n is nil.
func (d *document) yes(n *node, otherwise bool) bool {
	if n == nil {
		return otherwise
	}
	switch v := n.value.(type) {
	case bool:
		return v
	case string:
		if is, err := strconv.ParseBool(strings.TrimSpace(v)); err == nil {
			return is
		}
	}
	d.fail(n, "true or false")
	return false
}

func figure(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
