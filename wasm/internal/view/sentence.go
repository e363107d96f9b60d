package view

import (
	"math"
	"strconv"
	"strings"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
)

// Sentence says what is going on now, in one sentence that a person can repeat. Every number in it is one of n's.
func Sentence(n *Numbers) string {
	if n.Focus < 0 || n.Totals.Offered == 0 {
		return "Nothing has come in yet."
	}
	p := &n.Places[n.Focus]
	name, failing := TitleStart(p.Name), 1-n.InTime
	switch {
	case math.IsNaN(n.InTime) && n.Totals.InFlight > 0 && n.Over >= window:
		unanswered := ": " + requests(n.Totals.InFlight) + " no answer yet" // what waits is attempts, in a queue
		switch {
		case !p.Health.Well():
			return name + " is " + Sickness(p.Health) + unanswered + ", and none ended in the last second."
		case p.WasSick:
			name += " has been healthy for " + healthy(p.WellFor) + " and"
		}
		return name + " answers nobody" + unanswered + "."
	case math.IsNaN(n.InTime):
		if n.Offered == 0 && n.Over >= window {
			return "Quiet: nothing came in during the last second."
		}
		return "The first requests are on their way."
	case !p.Health.Well() && failing < .01:
		return name + " is " + Sickness(p.Health) + ". So far " + ofEnded(n.InTime) + "; " + queue(p) + "."
	case !p.Health.Well() && p.Open > 0:
		return name + " is " + Sickness(p.Health) + ", " + openBreakers(p.Open) + ", and " + Percent(failing) + " of requests fail" + spared(n) + extra(p) + "."
	case !p.Health.Well():
		return name + " is " + Sickness(p.Health) + ", and " + Percent(failing) + " of requests fail" + spared(n) + extra(p) + "."
	case failing >= .01 && p.Open > 0:
		return name + " is healthy, but " + openBreakers(p.Open) + ": " + Percent(failing) + " of requests fail."
	case failing >= .01 && p.WasSick && p.Amplification() >= 1.2:
		return name + " has been healthy for " + healthy(p.WellFor) + " and " + Percent(failing) + " of requests still fail: of " +
			Quantity(p.Attempts()) + " attempts a second, " + own(p) + "."
	case failing >= .01 && p.WasSick && p.Queue > 0:
		return name + " has been healthy for " + healthy(p.WellFor) + ", but " + Count(int64(p.Queue)) +
			" attempts are still in its queue: " + Percent(failing) + " of requests fail."
	case failing >= .01 && p.WasSick && p.WellFor < 2*window:
		return name + " is healthy again; of the requests that ended in the last second " + Percent(failing) + " failed."
	case failing >= .01 && p.BusyShare() >= .99 && p.Amplification() >= 1.2:
		return "Nothing is broken, and " + Percent(failing) + " of requests fail: of " + Quantity(p.Attempts()) +
			" attempts a second at " + metrics.The(p.Name) + ", " + own(p) + "."
	case failing >= .01 && p.BusyShare() >= .99:
		return "More comes in than " + metrics.The(p.Name) + " can do: " + Percent(failing) + " of requests fail" + extra(p) + "."
	case failing >= .01:
		return Percent(failing) + " of requests fail, at " + Quantity(n.Offered) + " a second" + extra(p) + "."
	case p.Queue >= p.Slots && p.Slots > 0:
		return "Under strain: " + ofEnded(n.InTime) + ", but " + Count(int64(p.Queue)) + " attempts wait for " + metrics.The(p.Name) + "."
	case p.WasSick && p.WellFor < afterglow:
		return "It is over: " + inTime(n.InTime) + ". " + name + " was mended " + healthy(p.WellFor) + " ago."
	case n.Offered == 0:
		return "Quiet: nothing came in during the last second; what ended in it: " + inTime(n.InTime) + "."
	default:
		return "Calm: " + Quantity(n.Offered) + " requests a second, " + inTime(n.InTime) + "."
	}
}

// Sickness says what is wrong with a dependency: "8× slower", "down", "slow and flaky". "healthy" if nothing is.
func Sickness(h model.Health) string {
	var words []string
	add := func(is bool, w string) {
		if is {
			words = append(words, w)
		}
	}
	add(h.Down, "down")
	add(h.Blackhole, "a black hole")
	add(h.Stalled, "stalled")
	add(h.Flushed, "flushed")
	add(h.Slow != 1, slower(h.Slow))
	add(h.Flaky > 0, "failing "+Percent(h.Flaky))
	add(h.Lose > 0, "losing "+Percent(h.Lose)+" of its answers")
	add(h.Capacity != 1, "at "+Percent(h.Capacity)+" of its slots")
	if len(words) == 0 {
		return "healthy"
	}
	s := words[0]
	for i, w := range words[1:] {
		if i == len(words)-2 {
			s += " and " + w
		} else {
			s += ", " + w
		}
	}
	return s
}

// slower is how slow something is: "8.25× slower".
func slower(factor float64) string { return strconv.FormatFloat(factor, 'g', 3, 64) + "× slower" }

// healthy writes whole seconds, so that the sentence changes once a second at most.
func healthy(d time.Duration) string {
	if d < time.Second {
		return "less than a second"
	}
	return strings.ReplaceAll(Span(d.Truncate(time.Second)), " ", "\u00a0") // on one line
}

func inTime(share float64) string {
	if share == 1 {
		return "all answered in time"
	}
	return Percent(share) + " answered in time"
}

// ofEnded is inTime while many have no answer yet: of them nobody knows.
func ofEnded(share float64) string {
	if share == 1 {
		return "all requests that ended were answered in time"
	}
	return Percent(share) + " of the requests that ended were answered in time"
}

func queue(p *PlaceNumbers) string {
	switch p.Queue {
	case 0:
		return "nobody waits"
	case 1:
		return "one attempt waits for a slot"
	}
	return Count(int64(p.Queue)) + " attempts wait for a slot"
}

func requests(n int64) string {
	if n == 1 {
		return "one request has"
	}
	return Count(n) + " requests have"
}

func openBreakers(n int) string {
	if n == 1 {
		return "a breaker before it is open"
	}
	return Count(int64(n)) + " breakers before it are open"
}

// spared says who answers those that are well, if it is a cache or an edge that spares them the place that is not.
func spared(n *Numbers) string {
	for i := range n.Places {
		if p := &n.Places[i]; i != n.Focus && p.Hits >= 1 && p.Hits >= .8*n.OK {
			return "; " + metrics.The(p.Name) + " answers the others"
		}
	}
	return ""
}

// own says how much of the load is of our own making.
func own(p *PlaceNumbers) string {
	return Quantity(p.Retries+p.Hedges) + " are our own " + extras(p)
}

// extras is what the attempts are that aren't first ones.
func extras(p *PlaceNumbers) string {
	switch {
	case p.Retries == 0:
		return "hedges"
	case p.Hedges > p.Retries:
		return "hedges and retries"
	}
	return "retries"
}

// extra tells of the queue and the retries, where there are any to speak of.
func extra(p *PlaceNumbers) string {
	s := ""
	if p.Queue > p.Slots {
		s = "; " + queue(p)
	}
	if p.Amplification() >= 1.05 {
		s += "; " + Percent((p.Retries+p.Hedges)/p.Attempts()) + " of attempts are " + extras(p)
	}
	return s
}
