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
