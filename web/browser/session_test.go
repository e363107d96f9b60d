//go:build browser

package browser

import "testing"

const clock = `parseFloat(document.getElementById("clock").textContent)`

// A system that is left for another is there as it was left.
func TestASystemIsFoundAsItWasLeft(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.set("#speed", "10")
	p.waitFor(clock + ` > 5`)
	p.set("#policy-calls-b-attempts", "2")
	p.click("#pause")
	p.frames(2)
	left := eval[float64](p, clock)
	p.set("#scenario", "pastebin")
	p.waitFor(`document.querySelector('[data-path="policy.calls.primary_read.attempts"]') !== null`)
	p.waitFor(clock + ` < 5`)
	p.set("#scenario", "two-service")
	p.waitFor(`document.querySelector("#policy-calls-b-attempts")?.value === "2"`)
	p.frames(2)
	if found := eval[float64](p, clock); found != left {
		t.Errorf("left at %v s, found at %v s", left, found)
	}
}
