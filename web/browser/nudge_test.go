//go:build browser

package browser

import "testing"

// What the page says could be done next is said while it is true: that retries keep B down, until they no longer do.
func TestTheNudgeIsTrue(t *testing.T) {
	const shown = `!document.getElementById("nudge").classList.contains("done")`
	p := inStorm(t, look{})
	p.push("#play")
	p.waitFor(shown + ` && document.getElementById("nudge-text").textContent.includes("of our own making")`)
	p.set(attempts, "1")
	p.waitFor(`/^(Over|Calm)/.test(document.getElementById("verdict").textContent)`)
	p.waitFor(`!(` + shown + `)`)
}

// What is not on offer can't be done, whoever presses its button; what is, is done once.
func TestAHiddenNudgeDoesNothing(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.push("#nudge-do")
	p.waitFor(`document.getElementById("broken").textContent.includes("B 8× slower")`)
	for range 3 {
		p.push("#nudge-do")
	}
	p.set("#scenario", "slow")
	p.push("#nudge-do")
	p.frames(3)
	p.set("#scenario", "two-service")
	if rows := eval[int](p, `document.querySelectorAll("#broken li").length`); rows != 1 {
		t.Errorf("%d things are broken, want one", rows)
	}
}
