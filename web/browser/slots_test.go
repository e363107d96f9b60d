//go:build browser

package browser

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// The slots are a tab away, say how they stand, and of two runs each has its own.
func TestSlotsSayHowTheyStand(t *testing.T) {
	p := openWithoutWebGL(t, look{})
	p.run(`document.getElementById("look-path").focus()`)
	p.press(kb.ArrowRight + kb.ArrowRight)
	if got := p.focus(); got != "look-slots" {
		t.Fatalf("two to the right of the path is %s", got)
	}
	const words = `[...document.querySelectorAll("#labels span:not([hidden])")].map(e => e.textContent).join("; ")`
	p.waitFor(words + `.includes("turn over")`)
	p.push("#slow-3s")
	p.waitFor(words + `.includes("8 of 8 busy")`)
	p.waitFor(`/oldest [0-9]+ ms/.test(` + words + `)`)
	p.push("#pause")
	p.toTheEnd("30.0 s")
	p.push("#pin")
	p.waitFor(words + `.includes("Run A") && ` + words + `.includes("Run B")`)
	p.waitFor(`!document.querySelector("#clock[aria-busy=true]")`)
	p.frames(30)
	// Both pictures are whole, though one of the runs went there in no time: no part of them is as what was not seen.
	unseen := 0
	for c, n := range colors(p.picture("#stage")) {
		if c.R >= 234 && c.R <= 238 && c.G >= 235 && c.G <= 239 && c.B >= 236 && c.B <= 240 {
			unseen += n
		}
	}
	if unseen > 1000 {
		t.Errorf("%d points are of a time that was not seen", unseen)
	}
}
