package presets

import (
	"time"

	"stormbin/engine/policy"
	"stormbin/engine/scenario"
)

// Worst is how long one call takes against a black hole, a host that swallows every packet: its attempts, each as long as
// its timeout or as the dial loop beneath it, and the waits between them without jitter. false if nothing bounds it.
func (p Preset) Worst() (time.Duration, bool) {
	attempt := time.Duration(p.Layer.Timeout)
	if p.Dial.Timeout > 0 {
		attempt = sooner(attempt, inBlackHole(p.Dial, time.Duration(p.Dial.Timeout)))
	}
	worst := time.Duration(p.Within)
	if attempt > 0 {
		worst = sooner(worst, inBlackHole(p.Layer, attempt))
	}
	return worst, worst > 0
}

// inBlackHole is how long a layer tries when every attempt takes that long and ends in a timeout.
func inBlackHole(l scenario.Layer, attempt time.Duration) time.Duration {
	rule := l.Rule()
	total := attempt
	if !rule.RetryOn.Has(policy.Timeout) {
		return total
	}
	for retry := 1; retry < rule.Attempts; retry++ {
		total += rule.Backoff.Wait(retry) + attempt
	}
	return total
}

// sooner is the smaller of two bounds, of which 0 is none.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
