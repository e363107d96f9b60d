package metrics

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Rate is the requests a second, 17,400/s. Empty: it is not given.
func (o OperationSums) Rate() string {
	if o.PerS == 0 {
		return ""
	}
	return perSecond(o.PerS)
}

// Slices is what is added up: cache_get 5ms + primary_read 20ms.
func (o OperationSums) Slices() string {
	parts := make([]string, len(o.Steps))
	for i, s := range o.Steps {
		parts[i] = s.Call + " " + span(s.SliceS, "no timeout")
	}
	return strings.Join(parts, " + ")
}

// Sum is the slices and what they come to, with what that leaves of the deadline.
func (o OperationSums) Sum() string {
	switch {
	case len(o.Steps) > 1:
		return o.Slices() + " = " + o.Together()
	case len(o.Steps) == 1 && len(o.Untimed) == 0:
		return o.Steps[0].Call + " " + o.Together()
	}
	return o.Together()
}

// Together is what the slices come to, and what that leaves of the deadline.
func (o OperationSums) Together() string {
	switch {
	case len(o.Untimed) > 0:
		return "no bound, as there is no timeout on " + strings.Join(o.Untimed, ", ")
	case o.LeftS == nil:
		return span(o.SlicesS, "") + ", and no deadline"
	case *o.LeftS < 0:
		return fmt.Sprintf("%s of %s, %s too much", span(o.SlicesS, ""), span(o.DeadlineS, ""), span(-*o.LeftS, ""))
	}
	return fmt.Sprintf("%s of %s, %s left", span(o.SlicesS, ""), span(o.DeadlineS, ""), span(*o.LeftS, "nothing"))
}

// OneRetry is whether one more try of that step fits, and what the first comes to that doesn’t: 225ms + 20ms = 245ms of
// 300ms: it fits, and 3 do, but not 4: 225ms + 4 × 20ms = 305ms. Empty if there is no deadline, or no sum.
func (o OperationSums) OneRetry(s StepSums) string {
	if s.RetriesFit == nil || len(o.Untimed) > 0 {
		return ""
	}
	one := backoff(s.BackoffS)
	said := fmt.Sprintf("%s + %s = %s of %s", span(o.SlicesS, ""), span(s.SliceS, ""), span(s.OneRetryS, ""), span(o.DeadlineS, "")) + one
	switch n := *s.RetriesFit; {
	case n == 0 && *s.RefusedFit > 0:
		return said + ": it doesn’t fit after a timeout; after a refusal, which takes no time, it does: " + span(s.RefusedS, "") + one
	case n == 0:
		return said + ": it doesn’t fit"
	case n == mostRetries:
		return fmt.Sprintf("%s: it fits, and %d do", said, n)
	default:
		fits := "a second one doesn’t"
		if n > 1 {
			fits = fmt.Sprintf("and %d do, but not %d", n, n+1)
		}
		tooMany := o.SlicesS + float64(n+1)*s.SliceS
		return fmt.Sprintf("%s: it fits, %s: %s + %d × %s = %s", said, fits, span(o.SlicesS, ""), n+1, span(s.SliceS, ""), span(tooMany, "")) + backoff(s.TooManyBackoffS)
	}
}

// backoff is the longest waits, after what the tries come to.
func backoff(s float64) string {
	if s == 0 {
		return ""
	}
	return ", and up to " + span(s, "") + " of backoff"
}

// After is those failures within a sentence: a timeout, an error or a refusal.
func (m Multiplication) After() string {
	var said []string
	for _, outcome := range m.On {
		switch outcome {
		case "timeout":
			outcome = "a timeout"
		case "error":
			outcome = "an error"
		case "refused":
			outcome = "a refusal"
		case "shed":
			outcome = "being turned away"
		}
		said = append(said, outcome)
	}
	return Either(said)
}

// Worst is how long the call may take, and against whom.
func (s StepSums) Worst() string {
	return span(s.WorstS, "for ever") + " if " + The(s.Dependency) + " never answers"
}

// Multiplied is what one of the step's failures is multiplied by, and what that makes of the load at that share of failing
// attempts.
func (s StepSums) Multiplied(m Multiplication, share float64) string {
	if m.Attempts == 1 {
		return "sent once"
	}
	var who, tries []string
	for _, l := range m.Layers {
		who, tries = append(who, l.Name), append(tries, strconv.Itoa(l.Attempts))
	}
	if s.HedgeAfterS > 0 {
		who, tries = append(who, "a hedge"), append(tries, "2")
	}
	makes, product := "makes", ""
	if len(who) > 1 {
		makes, product = "make", strings.Join(tries, " × ")+" = "
	}
	said := fmt.Sprintf("%s %s up to %s%d attempts for one click; with %s failing: ", All(who), makes, product, m.Attempts, decimals(100*share)+" %")
	same, independent := times(m.Same.Factor)+rate(m.Same.PerS), times(m.Independent.Factor)+rate(m.Independent.PerS)
	if same == independent { // nothing fails twice
		return said + same
	}
	return said + same + " if it is the same ones each time, " + independent + " if each has its own luck"
}

// Hedged is the load if every attempt is hedged. Empty: none is.
func (s StepSums) Hedged() string {
	if s.HedgeAfterS == 0 {
		return ""
	}
	return "2×" + rate(s.HedgedPerS)
}

// Words is how fast the cap turns over.
func (c CapSums) Words() string {
	held := "for ever"
	if c.HeldS > 0 {
		held = "for up to " + span(c.HeldS, "")
	}
	return fmt.Sprintf("%d × %d processes = %d slots, held %s by %s when that is dead: %s get one",
		c.PerProcess, c.Processes, c.Slots, held, c.Call, perSecond(c.TurnoverPerS))
}

// span is a time as scenarios have it, or the word for 0.
func span(s float64, none string) string {
	if s == 0 && none != "" {
		return none
	}
	return time.Duration(math.Round(s * 1e9)).String()
}

func perSecond(f float64) string {
	if f < 10 {
		return decimals(f) + "/s"
	}
	return Thousands(int64(math.Round(f))) + "/s"
}

// rate is perSecond, after a factor, if the rate is known.
func rate(f float64) string {
	if f == 0 {
		return ""
	}
	return " = " + perSecond(f)
}

// decimals is f with as many as it needs, up to two.
func decimals(f float64) string { return strconv.FormatFloat(math.Round(100*f)/100, 'f', -1, 64) }
