//go:build browser

package browser

import (
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"stormbin/pastebin"
)

// top is how far below the top of the window an element begins.
func (p *page) top(selector string) float64 {
	p.t.Helper()
	return eval[float64](p, `document.querySelector(`+quote(selector)+`).getBoundingClientRect().top`)
}

// seen tells whether an element is within the window as a whole, and on show.
func (p *page) seen(selector string) bool {
	p.t.Helper()
	return eval[bool](p, `(e => { const box = e.getBoundingClientRect();
		return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight + 1 && e.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)) })(document.querySelector(`+quote(selector)+`))`)
}

// The first create brings the pastebin on show, and much of the page changes: what the reader looks at stays where it is.
func TestCreateKeepsItsPlace(t *testing.T) {
	p := openSite(t, "", look{NoWebGL: true})
	p.waitFor(`!document.getElementById("create").disabled`)
	p.set("#paste-text", "the first")
	p.run(`document.getElementById("create").scrollIntoView({block: "center"})`)
	before := p.top("#create")
	p.click("#create")
	p.outcome("201")
	p.waitForRows(1)
	p.frames(2)
	if after := p.top("#create"); math.Abs(after-before) > 1 {
		t.Errorf("the button was at %.0f px and is at %.0f px", before, after)
	}
}

// What became of a create is in sight where it was asked for, on a phone too, under whatever sticks to an edge.
func TestAnOutcomeIsInSight(t *testing.T) {
	p := openSite(t, "", look{Width: 360, Height: 640, NoWebGL: true})
	p.waitFor(`!document.getElementById("create").disabled`)
	p.set("#scenario", "pastebin")
	p.push("#tab-paste")
	p.set("#paste-text", "on a phone")
	for _, down := range []bool{false, true} {
		if down {
			p.push("#primary-down")
			p.waitFor(`document.getElementById("broken").textContent.includes("down")`)
			p.set("#paste-text", "on a phone, in vain")
		}
		p.run(`document.getElementById("create").scrollIntoView({block: "end"})`)
		p.click("#create")
		if down {
			if says := p.outcome("500"); !strings.Contains(says, "simulated primary") {
				t.Errorf("it says %q", says)
			}
		} else {
			p.outcome("201")
		}
		p.waitFor(`document.getElementById("create").getAttribute("aria-disabled") === "false"`)
		p.frames(2)
		if !p.seen("#paste-status") || !down && !p.seen("#paste-link") {
			t.Errorf("failed: %t; the outcome is at %.0f px, its link at %.0f px", down, p.top("#paste-status"), p.top("#paste-made"))
		}
	}
	if wide := eval[bool](p, `document.getElementById("hops").scrollWidth > document.getElementById("hops").clientWidth`); wide || len(p.hops()) == 0 {
		t.Error("the hops don't fit, or there are none")
	}
}

// Nor does who saves from within a long text, with keys alone, have to look for what became of it.
func TestAnOutcomeIsInSightOfTheKeyboard(t *testing.T) {
	p := openDesk(t, "")
	for _, l := range []look{{NoWebGL: true}, {Width: 360, Height: 640, NoWebGL: true}} {
		p.look(l)
		p.push("#tab-paste")
		p.set("#paste-text", "typed")
		p.run(`window.scrollBy(0, document.getElementById("paste-text").getBoundingClientRect().bottom - innerHeight)`)
		p.press(kb.Enter, ctrl)
		p.outcome("201")
		p.waitFor(`document.getElementById("create").getAttribute("aria-disabled") === "false"`)
		p.frames(2)
		if !p.seen("#paste-status") || !p.seen("#paste-link") || p.focus() != "paste-text" {
			t.Errorf("%d px wide: the outcome is at %.0f px, its link at %.0f px, the focus in %s", l.Width, p.top("#paste-status"), p.top("#paste-made"), p.focus())
		}
	}
}

// What is said is of the last thing that the reader did: it doesn't stand beside the next draft.
func TestAnOutcomeIsOfTheLastAct(t *testing.T) {
	p := openDesk(t, "")
	for name, act := range map[string]func(){
		"a letter":        func() { p.set("#paste-text", "the next") },
		"a file":          func() { p.give("next", "the next"); p.said("paste-size", "A file") },
		"an empty create": func() { p.push("#create") },
	} {
		p.set("#paste-text", "saved")
		p.push("#create")
		p.outcome("201")
		p.waitFor(`document.getElementById("paste-text").value === ""`)
		if act(); p.words("paste-status") != "" {
			t.Errorf("after %s it still says %q", name, p.words("paste-status"))
		}
		p.push("#paste-drop-file")
		p.run(`document.getElementById("paste-title").value = ""`)
	}
}

// A paste is closed by Escape as by its button, and what opened it has the focus again and is in sight; or the paste's row,
// where that is gone. The window is called by what is open in it.
func TestClosing(t *testing.T) {
	p := openDesk(t, "")
	title := eval[string](p, `document.title`)
	p.createFile("a long paste", strings.Repeat("line\n", 200))
	p.waitForRows(1)
	for name, opener := range map[string]string{"the list": "#paste-list a", "a link that is gone then": "#paste-link"} {
		if opener == "#paste-link" {
			p.createFile("another", "text")
			p.waitForRows(2)
		}
		p.run(`document.querySelector(` + quote(opener) + `).focus()`)
		p.press(kb.Enter)
		p.waitFor(`document.activeElement.id === "view-heading"`)
		if got := eval[string](p, `document.title`); !strings.HasPrefix(got, p.words("view-title")) {
			t.Errorf("the window is called %q", got)
		}
		p.press(kb.Escape)
		p.waitFor(`document.getElementById("paste-view").hidden && document.activeElement.matches("#paste-list a")`)
		if !p.seen("#paste-list a:focus") {
			t.Errorf("opened by %s and closed: the focus is at %.0f px", name, p.top("#paste-list a:focus"))
		}
		if got := eval[string](p, `document.title`); got != title {
			t.Errorf("and the window is called %q", got)
		}
	}
}

// The link of the paste that is open is copied whole, or selected where the browser doesn't let the page copy, be it that it
// throws at once. One that burns has none to give away.
func TestCopyTheLink(t *testing.T) {
	p := openDesk(t, "")
	address := p.createFile("a paste", "one\ntwo\n")
	p.read(address + ":L2")
	p.run(`navigator.clipboard.writeText = async text => { copied = text }`)
	p.push("#view-link")
	p.waitFor(`globalThis.copied === ` + quote(address+":L2"))
	p.run(`navigator.clipboard.writeText = () => { throw new DOMException("no", "NotAllowedError") }`)
	p.push("#view-link")
	p.waitFor(`getSelection().toString() === ` + quote(address+":L2"))
	p.push("#view-close")

	p.run(`location.hash = ` + quote(fragment(p.createBurning("once"))))
	p.waitFor(`document.getElementById("view-burn").offsetParent`)
	p.push("#view-burn")
	p.waitFor(`!document.getElementById("paste-view").hidden`)
	if eval[bool](p, `!!document.getElementById("view-link").offsetParent`) {
		t.Error("the link of what is burned is offered")
	}
	p.push("#view-clone")
	p.said("paste-note", "burns")
	if !eval[bool](p, `document.getElementById("paste-burn").checked`) {
		t.Error("a copy of what burns is to be kept")
	}
}

// What is no text is called so, before it is saved and after.
func TestBinaryIsCalledSo(t *testing.T) {
	p := openDesk(t, "")
	p.createFile("a picture", "\x89PNG\r\n\x1a\n\x00\xff")
	p.waitForRows(1)
	if says := p.words("paste-list"); !strings.Contains(says, "Binary") || strings.Contains(says, "Plain text") {
		t.Errorf("in the list it is %q", says)
	}
	p.run(`(() => { const data = new DataTransfer();
		data.items.add(new File([new Uint8Array([0, 255])], "blob"));
		document.body.dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: data})) })()`)
	p.said("paste-size", "“blob”")
	if says := p.words("paste-language"); !strings.Contains(says, "Guessed: binary") {
		t.Errorf("its language is %.40q", says)
	}
}

// Markdown is shown as the reader had the last one.
func TestMarkdownIsShownAsBefore(t *testing.T) {
	p := openDesk(t, "")
	notes := func(title string) {
		p.readContent(pastebin.Content{Title: title, Language: "markdown", Text: []byte("# " + title + "\n")})
	}
	notes("one")
	p.push("#view-rendered")
	p.waitFor(`document.querySelector("#view-markdown h4")?.textContent === "one"`)
	notes("two")
	p.waitFor(`document.querySelector("#view-markdown h4")?.textContent === "two"`)
	p.push("#view-rendered")
	p.waitFor(`document.getElementById("view-text").offsetParent`)
	notes("three")
	p.waitFor(`document.getElementById("view-text").textContent === "# three\n" && document.getElementById("view-text").offsetParent`)
}

// A delete can be taken back from wherever in the list it was done.
func TestUndoIsInSight(t *testing.T) {
	var pastes []kept
	for i := range 40 {
		pastes = append(pastes, kept{ID: idLike("a" + string(rune('a'+i%26)) + string(rune('a'+i/26))), Title: "a paste", Created: ago(int64(i)), Text: "text"})
	}
	p := openWith(t, pastes...)
	for _, l := range []look{{NoWebGL: true}, {Width: 360, Height: 640, NoWebGL: true}} {
		p.look(l)
		p.push("#tab-paste")
		p.run(`document.querySelector("#paste-list li:nth-child(38) button").scrollIntoView({block: "center"})`)
		p.run(`document.querySelector("#paste-list li:nth-child(38) button").focus({preventScroll: true})`)
		p.press(kb.Enter)
		p.waitFor(`!document.getElementById("undo").hidden && document.getElementById("undo-text").textContent.includes("deleted")`)
		p.frames(2)
		if !p.seen("#undo") {
			t.Errorf("%d px wide: the undo is at %.0f px", l.Width, p.top("#undo"))
		}
		p.push("#undo")
		p.waitForRows(40)
	}
}

// A request that is held says why, in sight of whoever made it: that the world is paused, with a way to go on; or that it
// stands still while another tab is in front.
func TestAHeldRequestSaysWhy(t *testing.T) {
	var pastes []kept
	for i := range 40 {
		pastes = append(pastes, kept{ID: idLike("a" + string(rune('a'+i%26)) + string(rune('a'+i/26))), Title: "a paste", Created: ago(int64(i)), Text: "text"})
	}
	p := openWith(t, pastes...)
	p.set("#scenario", "pastebin")
	for _, l := range []look{{NoWebGL: true}, {Width: 360, Height: 640, NoWebGL: true}} {
		p.look(l)
		p.push("#tab-paste")
		p.push("#pause")
		p.run(`document.querySelector("#paste-list li:nth-child(37) a").scrollIntoView({block: "center"})`)
		p.run(`document.querySelector("#paste-list li:nth-child(37) a").focus({preventScroll: true})`)
		p.press(kb.Enter)
		p.waitFor(`!document.getElementById("held-note").hidden`)
		p.frames(2)
		if !p.seen("#held-note") || !p.seen("#held-play") {
			t.Errorf("%d px wide: what says that it is held is at %.0f px", l.Width, p.top("#held-note"))
		}
		p.run(`inFront = state => { Object.defineProperty(document, "visibilityState", {value: state, configurable: true}); document.dispatchEvent(new Event("visibilitychange")) }`)
		p.run(`inFront("hidden")`)
		p.said("paste-status", "while this tab is not in front")
		p.run(`inFront("visible")`)
		if says := p.words("paste-status"); says != "On its way …" {
			t.Errorf("back in front it says %q", says)
		}
		p.run(`document.getElementById("held-play").focus()`)
		p.press(kb.Enter)
		p.outcome("200")
		p.waitFor(`document.getElementById("held-note").hidden`)
		p.run(`inFront("hidden")`)
		if says := p.words("paste-status"); strings.Contains(says, "way") {
			t.Errorf("with nothing on its way it says %q", says)
		}
		p.run(`inFront("visible")`)
		p.push("#view-close")
	}
}
