//go:build browser

package browser

import (
	"fmt"
	"testing"
)

// overlapping names two words on the picture that share ground, or one that leaves it; "" if there are none.
const overlapping = `(() => {
	const stage = document.getElementById("stage").getBoundingClientRect();
	const all = [...document.querySelectorAll("#labels span:not([hidden])")].map(e => {
		const range = document.createRange();
		range.selectNodeContents(e);
		const r = range.getBoundingClientRect(), blank = (r.height - parseFloat(getComputedStyle(e).fontSize)) / 2;
		return {text: e.textContent, l: r.left, r: r.right, t: r.top + blank, b: r.bottom - blank};
	});
	for (const [i, a] of all.entries()) {
		if (a.l < stage.left || a.r > stage.right || a.t < stage.top || a.b > stage.bottom) return a.text + " leaves the stage";
		for (const b of all.slice(0, i))
			if (a.l < b.r && b.l < a.r && a.t < b.b && b.t < a.b) return a.text + " and " + b.text;
	}
	return all.length > 3 ? "" : "nothing is written there";
})()`

// Words on the picture stay apart as the browser draws them, in calm, in a storm, and with two pictures on one stage.
func TestWordsOnThePictureStayApart(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	apart := func(when string) {
		t.Helper()
		for _, width := range []int64{1280, 360, 320} {
			p.look(look{Width: width, Height: 900})
			p.frames(3)
			if got := eval[string](p, overlapping); got != "" {
				t.Errorf("at %d px, %s: %s", width, when, got)
			}
		}
	}
	for _, system := range []struct{ id, fault string }{{"two-service", `[data-fault*="slow"]:not([data-fault*="for"])`}, {"pastebin", "#primary-slow"}} {
		p.set("#scenario", system.id)
		p.waitFor(fmt.Sprintf(`document.querySelector('[data-for=%q]:not([hidden])') !== null`, system.id))
		p.run(`document.getElementById("play").hidden || document.getElementById("play").click()`)
		p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 0.5`)
		apart(system.id + " in calm")
		p.run(fmt.Sprintf(`document.querySelector(%q).click()`, system.fault))
		p.waitFor(`[...document.querySelectorAll("#labels .sick")].some(e => !e.hidden)`)
		p.waitFor(`[...document.querySelectorAll("#labels .note")].some(e => !e.hidden && e.textContent.includes(" wait"))`)
		apart(system.id + " in a storm")
		p.run(`document.getElementById("pin").click()`)
		p.waitFor(`[...document.querySelectorAll("#labels .run")].filter(e => !e.hidden).map(e => e.textContent).join() === "Run A,Run B"`)
		apart(system.id + ", two runs")
		p.run(`document.getElementById("unpin").click()`)
		p.waitFor(`![...document.querySelectorAll("#labels .run")].some(e => !e.hidden)`)
	}
}

// Somebody's time is always shown against its limit; the reader's own when there is one.
func TestTheBarSaysWhoseTimeItIs(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	says := func(pattern string) string {
		return fmt.Sprintf(`[...document.querySelectorAll("#labels span:not([hidden])")].some(e => %s.test(e.textContent))`, pattern)
	}
	p.waitFor(says(`/^One call: [\d,.]+( \+ [\d,.]+)* ms, no deadline/`))
	p.set("#scenario", "pastebin")
	p.waitFor(says(`/^One read: [\d.]+( \+ [\d.]+)* of 300 ms/`))
	p.run(`document.getElementById("play").hidden || document.getElementById("play").click()`)
	p.set("#speed", "0.1")
	p.typeIn("#paste-text", "to be seen on its way")
	p.press("\t") // out of the text
	p.click("#create")
	p.waitFor(says(`/^You: [\d.]+( \+ [\d.]+)* of 2,000 ms/`))
	p.waitFor(says(`/^you$/`))
}
