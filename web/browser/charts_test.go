//go:build browser

package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openCharts is a storm seen as charts.
func openCharts(t *testing.T) *page {
	t.Helper()
	p := openStorm(t, look{})
	p.push("#look-charts")
	p.waitFor(`document.querySelectorAll(".chart").length === 5 && [...document.querySelectorAll(".plot svg .line")].filter(e => e.getAttribute("d")).length >= 7`)
	return p
}

// reading is what the first chart says, and spoken what it tells a screen reader.
const (
	reading = `document.querySelector(".chart .reading").textContent`
	spoken  = `document.querySelector(".plot").getAttribute("aria-valuetext")`
)

func TestChartsAreReadByKeys(t *testing.T) {
	p := openCharts(t)
	p.do("focusing", chromedp.Focus(chromedp.CSS(".plot")))
	p.press(kb.Home)
	p.waitFor(reading + `.startsWith("From 0 to 1 s: offered 20,")`)
	for _, step := range []struct{ key, want string }{
		{kb.ArrowRight, "From 1 to 2 s:"}, {kb.ArrowRight, "From 2 to 3 s:"}, {kb.ArrowLeft, "From 1 to 2 s:"}, {kb.PageUp, "From 11 to 12 s:"}, {kb.ArrowLeft, "From 10 to 11 s:"},
	} {
		p.press(step.key)
		p.waitFor(reading + `.startsWith(` + quote(step.want) + `) && ` + spoken + ` === ` + reading)
	}
	// All charts read the same second.
	p.waitFor(`[...document.querySelectorAll(".reading")].every(e => e.textContent.startsWith("From 10 to 11 s:"))`)

	// The table behind it has the same numbers.
	p.push(".chart summary")
	p.waitFor(`document.querySelectorAll(".chart tbody tr").length > 10`)
	cells := eval[[]string](p, `[...[...document.querySelectorAll(".chart tbody tr")].find(e => e.firstChild.textContent === "10").cells].map(e => e.textContent)`)
	if want := "From 10 to 11 s: offered " + cells[1] + ", in time " + cells[2] + ", failed " + cells[3] + " /s."; p.text(".chart .reading") != want {
		t.Errorf("the chart says %q, its table %q", p.text(".chart .reading"), want)
	}

	p.press(kb.Enter)
	p.clock("10.0 s")
	p.press(kb.Home)
	p.waitFor(reading + `.startsWith("From 0 to 1 s:")`)
	p.press(kb.Escape)
	p.waitFor(reading + `.startsWith("From 9 to 10 s:")`) // the last second that is over
}

func TestChartsAreReadByPointer(t *testing.T) {
	p := openCharts(t)
	x, y := p.on(".plot svg", .3)
	p.pointer("mouseMoved", x, y)
	p.waitFor(`!document.querySelector(".plot .read").classList.contains("gone")`)
	at := eval[string](p, reading+`.match(/From (\d+) to/)[1]`)
	p.pointer("mousePressed", x, y)
	p.pointer("mouseReleased", x, y)
	p.clock(at + ".0 s")
	x, y = p.on("#told", .5)
	p.pointer("mouseMoved", x, y)
	p.waitFor(`document.querySelector(".plot .read").classList.contains("gone")`)
}

func TestChartsOfTwoRuns(t *testing.T) {
	p := openCharts(t)
	p.push("#pin")
	p.set("#budget", "10")
	p.waitFor(`!document.querySelector("#clock[aria-busy=true]")`)
	p.waitFor(`!document.querySelector("#charts-key").hidden && document.querySelectorAll(".plot .other")[3].getAttribute("d")`)
	p.do("focusing", chromedp.Focus(chromedp.CSS(".plot")))
	p.press(kb.End)
	p.waitFor(`/^From \d+ to \d+ s: offered in run A 20, in run B 20; in time in run A \d+, in run B \d+; failed in run A \d+, in run B \d+ \/s\.$/.test(` + reading + `)`)
	p.push("#unpin")
	p.waitFor(`document.querySelector("#charts-key").hidden && ![...document.querySelectorAll(".plot .other")].some(e => e.getAttribute("d"))`)
}

func TestChartsFitAndAreAccessible(t *testing.T) {
	p := openCharts(t)
	p.push(".chart summary")
	for _, test := range []struct {
		look    look
		columns int
	}{
		{look{}, 2}, {look{Width: 320, Height: 700, Dark: true}, 1},
	} {
		p.look(test.look)
		p.frames(2)
		if over := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
			t.Errorf("at %d pixels: %d too wide", test.look.Width, over)
		}
		columns := eval[string](p, `getComputedStyle(document.querySelector("#charts")).gridTemplateColumns`)
		if n := len(strings.Fields(columns)); n != test.columns {
			t.Errorf("at %d pixels: %d columns, want %d", test.look.Width, n, test.columns)
		}
		if found := p.axe(); found != "" {
			t.Error(found)
		}
	}
}

// Keys, the pointer and a table that is opened may come before anything was drawn.
func TestChartsAreReadBeforeTheyAreDrawn(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true, ReducedMotion: true})
	p.run(`(() => {
		document.querySelector("#look-charts").click()
		for (const plot of document.querySelectorAll(".plot")) {
			plot.focus()
			for (const key of ["ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", "Enter", "Escape"])
				plot.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}))
			for (const kind of ["pointermove", "pointerleave", "click"])
				plot.dispatchEvent(new PointerEvent(kind, {bubbles: true}))
			plot.closest(".chart").querySelector("details").open = true
			plot.closest(".chart").querySelector("details").dispatchEvent(new Event("toggle"))
		}
	})()`)
	p.waitFor(reading + `.startsWith("Nothing yet")`)
}
