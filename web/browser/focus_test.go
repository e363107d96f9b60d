//go:build browser

package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// Who goes through the page with Tab reads on: in each region every stop is to the right of the one before, or below it. And
// the ring around it is whole, within the window's width and within all that cuts off what stands out of it. So is that of
// what the page itself gives the focus to, as to a heading when the last button under it has gone.
func TestTabReadsOnAndItsRingIsWhole(t *testing.T) {
	t.Parallel()
	p := ready(t, "", look{NoWebGL: true})
	p.waitFor(`!document.getElementById("create").disabled`)
	p.run(fmt.Sprintf(helpers, known()))
	p.run(tabStops)
	p.press(kb.Tab) // from then on what has the focus has its ring
	for _, s := range []struct {
		name, do string
	}{
		{"at first", doPause},
		{"told", `document.getElementById("slow-3s").click(); ` + doEnd},
		{"two runs", `document.getElementById("pin").click()`},
		{"charts", `find("unpin").click(); find("look-charts").click(); for (const e of document.querySelectorAll("#charts details")) e.open = true`},
		{"storm", `find("look-storm").click()`},
		{"slots", `find("look-slots").click()`},
		{"everything open", openAll + plan},
		{"a paste", `find("look-path").click(); choose("scenario", "pastebin"); ` + doPlay + `; await made(); await made(); await reads(); find("view-qr-show").click(); ` + doPause},
		{"link", `find("link-menu").open = true; for (const e of document.querySelectorAll("#link-menu details")) e.open = true`},
		{"save", `find("link-menu").open = false; find("save").open = true; find("save-text").hidden = false`},
		{"help", `find("save").open = false; find("help").showModal()`},
	} {
		p.look(look{})
		p.run(`(async () => { ` + s.do + ` })()`)
		p.calm()
		for _, l := range []look{{Width: 1280, Height: 800}, {Width: 360, Height: 740}} {
			p.look(l)
			for _, wrong := range eval[[]string](p, `(async () => {
				const wrong = []
				for (const tab of document.querySelectorAll(".tabs [role=tab]")) {
					tab.click()
					await new Promise(requestAnimationFrame)
					wrong.push(...goesBack(), ...cutRings())
					if (!tab.checkVisibility()) break // all is on show
				}
				return [...new Set(wrong)]
			})()`) {
				t.Errorf("%s, %d px wide: %s", s.name, l.Width, wrong)
			}
		}
	}
}

// So are the rings on the other pages.
func TestRingsOfTheOtherPages(t *testing.T) {
	t.Parallel()
	for _, path := range append([]string{"system.html", "gallery.html", "embed.html#v1/two-service?controls=play,scrub,policy,faults&t=1s"}, lessons...) {
		p := openSite(t, path, look{NoWebGL: true})
		p.expect("embed.html")
		p.waitFor(`document.readyState === "complete" && !document.querySelector("#theme:disabled")`)
		p.run(fmt.Sprintf(helpers, known()))
		p.run(tabStops)
		p.press(kb.Tab)
		p.run(`for (const d of document.querySelectorAll("details")) d.open = true`)
		for _, l := range []look{{}, {Width: 320, Height: 640}} {
			p.look(l)
			for _, wrong := range eval[[]string](p, `cutRings()`) {
				t.Errorf("%s, %d px wide: %s", path, l.Width, wrong)
			}
		}
	}
}

// tabStops is the page's for that: what Tab comes to, in its order; where that leads back; and what cuts off a ring. Beside
// another is, too, what begins a little higher, but not what is a row higher.
const tabStops = `
	window.stops = () => usable().filter(e => e.tabIndex >= 0 && !e.closest(".skips") && e.tagName !== "IFRAME")
	window.landings = () => [...document.querySelectorAll('[tabindex="-1"]:not([role=tab])')].filter(e => e.checkVisibility() && !e.closest("[inert]"))
	window.goesBack = () => {
		const box = e => e.getBoundingClientRect(), all = stops(), wrong = all.filter(e => e.tabIndex > 0).map(e => called(e) + " has a place of its own in the order of Tab")
		for (const region of document.querySelectorAll(".top, .now, #stage, .transport, .timeline, #numbers, #rule, #break, #paste, footer")) {
			const inside = all.filter(e => region.contains(e) && !e.closest(".menu > :not(summary)"))
			for (let i = 1; i < inside.length; i++) {
				const a = box(inside[i - 1]), b = box(inside[i])
				const below = b.top + b.bottom > 2 * a.bottom, beside = b.left >= a.left && a.top + a.bottom - b.top - b.bottom < 60
				if (!below && !beside) wrong.push("Tab goes back from " + called(inside[i - 1]) + " at " + [a.left, a.top].map(Math.round) + " to " + called(inside[i]) + " at " + [b.left, b.top].map(Math.round))
			}
		}
		return wrong
	}
	window.ringed = new Set() // each is looked at once, wide and narrow
	window.cutRings = () => {
		const wrong = []
		for (const e of [...stops(), ...landings()]) {
			const which = innerWidth + called(e)
			if (ringed.has(which)) continue
			ringed.add(which)
			document.activeElement.blur()
			e.focus()
			const s = getComputedStyle(e), out = parseFloat(s.outlineWidth) + parseFloat(s.outlineOffset)
			if (!e.matches(":focus-visible") || s.outlineStyle === "none") { wrong.push(called(e) + " has no ring"); continue }
			for (const r of e.getClientRects()) {
				const within = (by, left, top, right, bottom) => {
					for (const [side, over] of Object.entries({left: left - r.left + out, top: top - r.top + out, right: r.right + out - right, bottom: r.bottom + out - bottom}))
						if (over > 0.5) wrong.push(by + " cuts " + over.toFixed(1) + " px off the ring of " + called(e) + " at the " + side)
				}
				const page = document.documentElement
				within("the window", 0, -scrollY, page.clientWidth, page.scrollHeight - scrollY)
				for (let a = e.parentElement; a !== document.body; a = a.parentElement) {
					const s = getComputedStyle(a), b = a.getBoundingClientRect(), left = b.left + a.clientLeft, top = b.top + a.clientTop
					if (s.overflow !== "visible") within(called(a), left, top, left + a.clientWidth, top + a.clientHeight)
				}
			}
		}
		return wrong
	}
	0`
