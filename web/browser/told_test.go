//go:build browser

package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// events are what was told, the newest first, as lines.
func (p *page) events() []string {
	return eval[[]string](p, `[...document.querySelectorAll("#events .event")].map(e => e.textContent)`)
}

// inStorm is the two services in the storm that three slow seconds have lit, paused.
func inStorm(t *testing.T, l look) *page {
	t.Helper()
	l.NoWebGL = true
	p := ready(t, "", l)
	p.run(`window.captions = [];
		new MutationObserver(() => captions.push(document.getElementById("caption").textContent))
			.observe(document.getElementById("caption"), {childList: true, characterData: true, subtree: true})`)
	p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 0`)
	p.set("#speed", "5")
	p.push("#slow-3s")
	p.waitFor(`document.getElementById("events").textContent.includes("our own retries")`)
	p.waitFor(`captions.some(c => c.includes("our own retries"))`)
	p.push("#pause")
	p.waitFor(`!document.getElementById("play").hidden`)
	p.frames(40)
	return p
}

// The storm is told as it happens, the same words are what a screen reader hears, and who would have been woken is listed.
func TestTheStormIsTold(t *testing.T) {
	p := inStorm(t, look{})
	told := p.events()
	slices.Reverse(told)
	rest := told
	for _, want := range []string{"B is 8× slower", "All 8 slots of B are busy", "The first attempts at B time out", "Callers try again", "B is healthy again", "are our own retries"} {
		i := slices.IndexFunc(rest, func(line string) bool { return strings.Contains(line, want) })
		if i < 0 {
			t.Fatalf("%q is not told, or not in its turn:\n%s", want, strings.Join(told, "\n"))
		}
		rest = rest[i:]
	}
	caption := eval[string](p, `document.getElementById("caption").textContent`)
	if newest := told[len(told)-1]; strings.Replace(caption, ": ", " ", 1) != "At "+strings.TrimSpace(newest) {
		t.Errorf("the caption is %q, the newest %q", caption, newest)
	}
	if shown := p.text("#caption"); shown != "" {
		t.Errorf("the sentence above the picture is %q, and under it stands %q", p.text("#verdict"), shown)
	}
	p.waitFor(`document.getElementById("so-far").textContent.includes("8× slower")`)
	p.push("#end") // by when all of them have gone out, wherever the storm was paused
	p.waitFor(`document.querySelectorAll("#paged .event").length >= 3`)
	paged := eval[[]string](p, `[...document.querySelectorAll("#paged .event")].map(e => e.textContent)`)
	if !strings.Contains(paged[len(paged)-1], "Timeouts at B, ") || !strings.Contains(paged[len(paged)-1], "B has been 8× slower since") {
		t.Errorf("the pages that would have gone out:\n%s", strings.Join(paged, "\n"))
	}
}

// A click on what was told goes there and pauses. What comes later stays, paler, and is not told again; it goes once
// something is changed.
func TestWhatWasToldIsAWayBack(t *testing.T) {
	p := inStorm(t, look{})
	before := p.events()
	const at = `[...document.querySelectorAll("#events .event")].find(e => e.textContent.includes("All 8 slots"))`
	then := eval[string](p, at+`.querySelector(".at").textContent`)
	p.push("#play")
	p.run(at + `.click()`)
	p.waitFor(`document.getElementById("clock").textContent === ` + quote(then))
	p.waitFor(`!document.getElementById("play").hidden`)
	p.waitFor(`document.querySelectorAll("#events .later").length >= 4`)
	if early := eval[int](p, `document.querySelectorAll("#events li:not(.later)").length`); early < 2 {
		t.Errorf("%d entries are not later than %s", early, then)
	}
	p.waitFor(`document.getElementById("caption").textContent.startsWith(` + quote("At "+then+":") + `)`)
	p.push("#play")
	p.waitFor(`document.querySelectorAll("#events .later").length === 0`)
	p.push("#pause")
	p.frames(40)
	if after := p.events(); !slices.Equal(after[len(after)-len(before):], before) {
		t.Errorf("told after going back and on again:\n%s\nbefore:\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	p.run(at + `.click()`)
	p.waitFor(`document.querySelectorAll("#events .later").length >= 4`)
	p.push("#mend")
	p.waitFor(`document.querySelectorAll("#events .later").length === 0`)
}

// The list is one stop of Tab; the arrows go through it, and Enter goes there.
func TestWhatWasToldByKeyboard(t *testing.T) {
	p := inStorm(t, look{})
	if stops := eval[int](p, `[...document.querySelectorAll("#events button")].filter(b => b.tabIndex === 0).length`); stops != 1 {
		t.Errorf("the list has %d stops, want 1", stops)
	}
	p.run(`document.querySelector('#events button[tabindex="0"]').focus()`)
	p.press(kb.ArrowDown)
	p.press(kb.ArrowDown)
	const focused = `document.activeElement.querySelector(".at").textContent`
	third := eval[string](p, `document.querySelectorAll("#events .at")[2].textContent`)
	if at := eval[string](p, focused); at != third {
		t.Errorf("two arrows down is at %s, want %s", at, third)
	}
	p.press(kb.Home)
	if first := eval[bool](p, `document.activeElement === document.querySelector("#events button")`); !first {
		t.Error("Home is not the newest")
	}
	p.press(kb.End)
	p.press(kb.Enter)
	p.waitFor(`document.getElementById("clock").textContent === ` + focused)
	if there := eval[bool](p, `document.activeElement.closest("#events") !== null`); !there {
		t.Error("the focus has left the list")
	}
}

// Before anything has happened the caption says what there is to see, and that is another thing in each look.
func TestTheFirstCaptionIsOfItsLook(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.push("#pause")
	for _, look := range []string{"storm", "slots", "charts", "path"} {
		p.push("#look-" + look)
		want := map[string]string{"path": "dot", "storm": "arrow", "slots": "pool of slots", "charts": "Second by second"}[look]
		p.waitFor(`document.getElementById("caption").textContent.includes(` + quote(want) + `)`)
	}
}
