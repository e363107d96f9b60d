package view

import (
	"strconv"
	"time"

	"stormbin/engine/live"
	"stormbin/engine/policy"
)

// Hop is one attempt of the reader's own request, as a row: words, and a bar against the request's time.
type Hop struct {
	Call, Try, Start, Took, Outcome, Left string
	// From and Width place the bar, as shares of the request's time: its deadline, or how long it took if it has none.
	From, Width float64
	OK          bool
}

// outcomes says in a word or two what an attempt came to.
var outcomes = map[policy.Outcome]string{
	policy.OK: "answered", policy.Error: "error", policy.Refused: "refused", policy.Timeout: "timed out", policy.Lost: "answer lost",
	policy.Shed: "turned away", policy.Open: "breaker open", policy.Deadline: "no time left",
}

// Hops makes rows of a request's attempts. It began at began, and must be over at deadline ([policy.NoDeadline]: never).
func Hops(hops []live.Hop, began, deadline time.Duration) []Hop {
	total := time.Duration(1)
	for _, h := range hops {
		total = max(total, h.End-began)
	}
	if deadline != policy.NoDeadline {
		total = max(deadline-began, 1)
	}
	rows := make([]Hop, len(hops))
	for i, h := range hops {
		from := min(float64(h.Start-began)/float64(total), 1)
		rows[i] = Hop{
			Call: h.Call, Try: strconv.Itoa(h.Attempt), Start: exact(h.Start - began), Took: exact(h.End - h.Start),
			Outcome: outcomes[h.Outcome], Left: "–", OK: h.Outcome == policy.OK,
			From: from, Width: min(float64(h.End-h.Start)/float64(total), 1-from),
		}
		if h.Left != policy.NoDeadline {
			rows[i].Left = exact(h.Left)
		}
	}
	return rows
}

// exact writes milliseconds to two places below ten and to one above: 0 ms, 0.48 ms, 20 ms, 279.5 ms.
func exact(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	places := 100.
	if ms >= 10 || ms <= -10 {
		places = 10
	}
	rounded := float64(int64(ms*places+.5)) / places
	if ms < 0 {
		rounded = float64(int64(ms*places-.5)) / places
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64) + " ms"
}

// Age says how long ago something was.
func Age(d time.Duration) string {
	one := func(n int, unit string) string {
		if n != 1 {
			unit += "s"
		}
		return strconv.Itoa(n) + " " + unit + " ago"
	}
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return one(int(d/time.Minute), "minute")
	case d < 24*time.Hour:
		return one(int(d/time.Hour), "hour")
	}
	return one(int(d/(24*time.Hour)), "day")
}
