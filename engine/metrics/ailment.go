package metrics

import (
	"fmt"
	"strings"
	"time"

	"stormbin/engine/scenario"
)

// Harms tells whether a fault changes anything.
func Harms(f scenario.Fault) bool {
	switch f.Kind {
	case "slow", "capacity", "surge":
		return f.Factor != 1
	case "flaky", "lose":
		return f.P > 0
	}
	return true
}

// ailment is what a fault did to its target, in the past tense.
func ailment(f scenario.Fault) string {
	switch f.Kind {
	case "slow":
		return "was " + short(f.Factor, 2) + "× slower"
	case "stall":
		return "stalled"
	case "down":
		return "was down"
	case "blackhole":
		return "answered nothing"
	case "flaky":
		return "failed " + percent(f.P) + " at once"
	case "lose":
		return "lost " + percent(f.P) + " of its answers"
	case "capacity":
		return "had " + percent(f.Factor) + " of its slots"
	case "flush":
		return "was flushed"
	}
	return "had " + short(f.Factor, 2) + "× the load"
}

// hit is what a fault is of, within a sentence.
func hit(f scenario.Fault) string {
	if f.Kind == "surge" { // of an operation
		return Title(f.Target)
	}
	return The(f.Target)
}

// broken is what broke, and for how long.
func broken(faults []scenario.Fault, duration float64) string {
	if len(faults) > 3 {
		return fmt.Sprintf("%d things broke", len(faults))
	}
	var said []string
	for _, f := range faults {
		long := "from " + seconds(time.Duration(f.At).Seconds()) + " on" // the run may be under way
		if f.End().Seconds() <= duration {
			long = "for " + seconds(time.Duration(f.For).Seconds())
		}
		said = append(said, fmt.Sprintf("%s %s %s", hit(f), ailment(f), long))
	}
	return strings.Join(said, ", ")
}

// ailing is what is broken, and since when.
func ailing(faults []scenario.Fault) string {
	if len(faults) > 3 {
		return fmt.Sprintf("%d things are broken", len(faults))
	}
	var said []string
	for _, f := range faults {
		perfect := ailment(f)
		if rest, ok := strings.CutPrefix(perfect, "was "); ok {
			perfect = "been " + rest
		}
		said = append(said, fmt.Sprintf("%s has %s %s", hit(f), perfect, since(time.Duration(f.At))))
	}
	return strings.Join(said, ", ")
}
