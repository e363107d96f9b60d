package view

import (
	"slices"
	"time"

	"stormbin/engine/scenario"
)

// Broken is one thing that is broken and how long it still will be, or that is planned and when.
type Broken struct {
	What, Left string
	Fault      scenario.Fault
	Planned    bool
}

// BrokenNow lists the faults that are on at now.
func BrokenNow(s *scenario.Scenario, now time.Duration) []Broken {
	var out []Broken
	for i := range s.Faults {
		f := &s.Faults[i]
		if !f.On(now) {
			continue
		}
		b := Broken{What: Title(f.Target) + " " + faultWords(f), Left: "until mended", Fault: *f}
		if f.End() != scenario.Forever {
			left := max(f.End()-now, 100*time.Millisecond)
			b.Left = Clock(left) + " left"
		}
		out = append(out, b)
	}
	return out
}

// Planned lists the faults that are to come after now, the first first.
func Planned(s *scenario.Scenario, now time.Duration) []Broken {
	var out []Broken
	var times []time.Duration
	for i := range s.Faults {
		f := &s.Faults[i]
		at := time.Duration(f.At)
		if at <= now {
			continue
		}
		b := Broken{What: Title(f.Target) + " " + faultWords(f), Left: "at " + Clock(at), Fault: *f, Planned: true}
		if f.For > 0 {
			b.Left += ", for " + Span(time.Duration(f.For))
		}
		n := len(times)
		for n > 0 && times[n-1] > at {
			n--
		}
		times, out = slices.Insert(times, n, at), slices.Insert(out, n, b)
	}
	return out
}

func faultWords(f *scenario.Fault) string {
	switch f.Kind {
	case "slow":
		return slower(f.Factor)
	case "stall":
		return "stalled"
	case "down":
		return "down"
	case "blackhole":
		return "never answers"
	case "flaky":
		return "fails " + Percent(f.P)
	case "lose":
		return "loses " + Percent(f.P) + " of its answers"
	case "capacity":
		return "at " + Percent(f.Factor) + " of its slots"
	case "flush":
		return "flushed"
	case "surge":
		return "surges ×" + Quantity(f.Factor)
	}
	return f.Kind
}
