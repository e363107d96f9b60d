//go:build browser

package browser

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openStorm is the two services in a storm, paused at some time after 12 s. Nothing is drawn on the stage.
func openStorm(t *testing.T, l look) *page {
	t.Helper()
	l.NoWebGL, l.ReducedMotion = true, true
	p := openSite(t, "", l)
	p.waitFor(`!document.querySelector("#play").disabled`)
	p.set("#speed", "10")
	p.push("#play")
	p.push("#slow-3s")
	p.waitFor(`parseFloat(document.querySelector("#clock").textContent) > 12`)
	p.push("#pause")
	return p
}

// pointer moves, presses or releases the mouse at a point of the window.
func (p *page) pointer(kind string, x, y float64) {
	p.t.Helper()
	p.do(kind, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		buttons := 1
		if kind == "mouseReleased" {
			buttons = 0
		}
		return chromedp.Void{}, t.Call(ctx, "Input.dispatchMouseEvent",
			map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1}, nil)
	})
}

// on is a point of an element in the window: so far of its width from its left, and in its middle.
func (p *page) on(selector string, share float64) (x, y float64) {
	p.t.Helper()
	box := eval[[]float64](p, `(() => { const e = document.querySelector(`+quote(selector)+`);
		e.scrollIntoView({block: "center"});
		const box = e.getBoundingClientRect(); return [box.x, box.y + box.height / 2, box.width] })()`)
	return box[0] + share*box[2], box[1]
}

// clock waits until the page is at a time.
func (p *page) clock(want string) {
	p.t.Helper()
	p.waitFor(`document.querySelector("#clock").textContent === ` + quote(want) + ` && !document.querySelector("#clock[aria-busy=true]")`)
}

// counts are the numbers on the page that count from the start, and what waits.
const counts = `[...document.querySelectorAll("#fig-requests td:last-child")].map(e => e.textContent).join(" ") + " | " +
	[...document.querySelectorAll("#fig-deps tr")].filter(e => /in all|most|^waiting/.test(e.textContent)).map(e => e.textContent).join(" ")`

// veil is how wide the veil is over what was seen of the time after the present.
const veil = `document.querySelector("#time-picture .veil").width.baseVal.value`

func TestTheTimelineByKeys(t *testing.T) {
	p := openStorm(t, look{})
	p.do("focusing", chromedp.Focus(chromedp.CSS("#time")))
	for _, step := range []struct{ key, want string }{
		{kb.Home, "0.0 s"}, {kb.ArrowRight, "0.1 s"}, {kb.ArrowRight, "0.2 s"}, {kb.PageUp, "1.2 s"}, {kb.ArrowLeft, "1.1 s"}, {kb.PageUp, "2.1 s"},
		{kb.PageDown, "1.1 s"}, {kb.PageDown, "0.1 s"}, {kb.PageDown, "0.0 s"}, {kb.End, "30.0 s"}, {kb.ArrowRight, "30.0 s"},
	} {
		p.press(step.key)
		p.clock(step.want)
		p.waitFor(`document.querySelector("#time").value == ` + strings.TrimSuffix(step.want, " s"))
	}
	p.waitFor(`document.querySelector("#time").getAttribute("aria-valuetext") === "30.0 s, 100 % failed"`)
}

// Dragged back and forth, with a pause while it is held, the page comes to the very numbers that it had.
func TestTheTimelineIsDragged(t *testing.T) {
	p := openStorm(t, look{})
	p.set("#time", "11")
	p.clock("11.0 s")
	p.waitFor(`document.querySelector("#time").getAttribute("aria-valuetext").startsWith("11.0 s")`)
	before := eval[string](p, counts)
	load := `document.querySelector("#time-picture .load").getAttribute("d").length`
	seen := eval[int](p, load)

	p.push("#play")
	p.waitFor(`parseFloat(document.querySelector("#clock").textContent) > 11`)
	x, y := p.on("#time", .5)
	p.pointer("mousePressed", x, y)
	p.waitFor(`!document.querySelector("#play").hidden`)
	for _, share := range []float64{.4, .3, .6, .1, .35, .2} {
		x, y = p.on("#time", share)
		p.pointer("mouseMoved", x, y)
	}
	// Where the pointer is, near enough: a fifth of 30 s.
	p.waitFor(`Math.abs(parseFloat(document.querySelector("#clock").textContent) - 6) < .3`)
	// What comes later is still there, under a veil.
	p.waitFor(veil + ` > 50`)
	if now := eval[int](p, load); now < seen {
		t.Errorf("after going back less is drawn: %d characters, it was %d", now, seen)
	}
	p.pointer("mouseReleased", x, y)
	p.waitFor(`!document.querySelector("#pause").hidden`)
	p.waitFor(`parseFloat(document.querySelector("#clock").textContent) > 6.5`)
	p.push("#pause")

	p.set("#time", "11")
	p.clock("11.0 s")
	p.waitFor(counts + ` === ` + quote(before))
}

// What came after the present is gone once something is changed: it will be another.
func TestWhatIsChangedEndsWhatWasSeen(t *testing.T) {
	p := openStorm(t, look{})
	p.set("#time", "4")
	p.clock("4.0 s")
	p.waitFor(veil + ` > 50`)
	p.set("#budget", "10")
	p.run(`document.getElementById("time").scrollIntoView()`) // what is off the screen isn't drawn
	p.waitFor(veil + ` < 1`)
}

func TestNoTimeTravelUnderARequestOfOnesOwn(t *testing.T) {
	p := openSite(t, "", look{NoWebGL: true, ReducedMotion: true})
	p.waitFor(`!document.getElementById("create").disabled`)
	p.set("#scenario", "pastebin")
	p.push("#play")
	p.waitFor(`parseFloat(document.querySelector("#clock").textContent) > 1`)
	p.push("#pause")
	p.frames(2)
	now := p.text("#clock")
	p.set("#paste-text", "on its way")
	p.push("#create") // and there it stays: time stands still
	p.do("focusing", chromedp.Focus(chromedp.CSS("#time")))
	p.press(kb.Home)
	p.waitFor(`/^A request of yours is on its way/.test(document.querySelector("#caption").textContent)`)
	if at := p.text("#clock"); at != now {
		t.Errorf("at %s, want it still at %s", at, now)
	}
	p.waitFor(`Math.abs(document.querySelector("#time").value - ` + strings.TrimSuffix(now, " s") + `) < .15`)
}

func TestTheTimelineNamesWhatIsBroken(t *testing.T) {
	p := openStorm(t, look{Width: 360, Height: 740})
	p.waitFor(`document.querySelector("#time-picture .names").textContent === "B 8× slower"`)
	if over := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		t.Errorf("%d pixels too wide", over)
	}
}
