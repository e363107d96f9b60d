//go:build browser

package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// control is a kind of control of the page: how to use it, and what comes of it.
type control struct {
	at string // a selector; the first that matches says what a control is
	// effect is an expression of the element e: using the control makes another value of it, the same by pointer as by key.
	effect string
	before string // what is done first, so that it has something to do
	last   bool   // it puts another system on show, and so makes other controls
	back   string // what makes the effect undone. Empty: using it again
	way    way
}

// way is how a control is used.
type way int

const (
	button way = iota // clicked, or pressed with Enter and with the space bar
	check             // clicked, or pressed with the space bar
	field             // clicked into, and typed into
	choice            // an arrow key chooses the next; its list is the browser's
	tab               // clicked, or come to with an arrow key
	slider            // moved with an arrow key, or clicked into the middle
	focus             // comes to the focus by pointer and by key, which is all
	hint              // pointed at, or come to
	only              // come to with Tab; what it does is its own tests' to say, or the browser's
)

const (
	seeIdle   = `document.getElementById("seeds-stop").hidden`
	doStop    = `document.getElementById("seeds-stop").click()`
	seeBroken = `[...document.querySelectorAll("#broken li")].map(e => e.firstChild.textContent).join()`
	doMend    = `document.getElementById("mend").click()`
	doUndo    = `document.getElementById("rule-undo").click()`
	seeTries  = `document.getElementById("policy-calls-b-attempts").value`
	doType    = `(v => { const e = document.getElementById("policy-calls-b-attempts"); e.value = v; e.dispatchEvent(new Event("change")) })`
	seePaused = `document.getElementById("play").hidden`
	doPlay    = `document.getElementById("play").click()`
	doPause   = `document.getElementById("pause").click()`
	doEnd     = `document.getElementById("end").click()`
	seeStart  = `document.getElementById("clock").textContent === "0.0 s"`
)

var theControls = []control{
	{at: ".skips a", before: `document.activeElement.blur()`, effect: `document.activeElement.id`, back: `document.activeElement.blur()`},
	{at: "#paste *", way: only},
	{at: "#stage *", way: only},
	{at: "#link-qr summary, #embed-menu summary, summary", effect: `e.parentNode.open`},
	{at: "#scenario", way: choice, last: true},
	{at: "#new-seed", effect: `document.getElementById("seed").textContent`, back: doUndo},
	{at: "#pin", effect: `document.getElementById("compare").hidden`, back: `document.getElementById("unpin").click()`},
	{at: "#unpin", before: `document.getElementById("pin").click()`, effect: `document.getElementById("compare").hidden`, back: `document.getElementById("pin").click()`},
	{at: "#save-text", way: focus},
	{at: "#link-copy, #embed-copy, #embed-picture-copy", before: `document.getElementById("link-menu").open = true`, effect: `copied`, back: `copied = false`},
	{at: "#link-menu *:not(summary)", way: only},
	{at: "#save-print", before: `document.getElementById("save").open = true`, effect: `printed`, back: `printed = false`},
	{at: "#save button", before: `document.getElementById("save").open = true`, effect: `saved`, back: `saved = false`},
	{at: "#help-open", effect: `document.getElementById("help").open`, back: `document.getElementById("help").close()`},
	{at: "#help-close", before: `document.getElementById("help").showModal()`, effect: `document.getElementById("help").open`, back: `document.getElementById("help").showModal()`},
	{at: "a[href], iframe", way: only},
	{at: "#theme", effect: `getComputedStyle(document.body).backgroundColor`},
	{at: "#nudge-do", last: true, before: doMend, effect: seeBroken,
		back: doMend + `; for (const id of ["slow", "two-service"]) { const e = document.getElementById("scenario"); e.value = id; e.dispatchEvent(new Event("change")) } document.getElementById("pause").click()`},
	{at: "#numbers button", effect: `getComputedStyle(e.closest(".tip").querySelector(".hint")).display`, back: `document.activeElement.blur()`, way: hint},
	{at: "[role=tab]", effect: `e.getAttribute("aria-selected")`, way: tab},
	{at: "#figure", way: focus},
	{at: "#erase-timeout, #erase-retries, #erase-fault", effect: `e.textContent`},
	{at: "[role=slider]", effect: `e.getAttribute("aria-valuenow")`, way: slider},
	{at: ".scroll, .wide", way: focus},
	{at: "#play", before: doPause, effect: seePaused, back: doPause},
	{at: "#pause", before: doPlay, effect: seePaused, back: doPlay},
	{at: "#restart", before: doEnd, effect: seeStart, back: doEnd},
	{at: "#step, #step-back", before: doPlay, effect: seePaused, back: doPlay},
	{at: "#end", before: `document.getElementById("restart").click()`, effect: `parseFloat(document.getElementById("clock").textContent) > 20`, back: `document.getElementById("restart").click()`},
	{at: "#time", way: only},
	{at: "#events button, #paged button", effect: `document.getElementById("clock").textContent === e.querySelector(".at").textContent`, back: doEnd},
	{at: "#seeds-run, #compare-seeds", effect: `started`, back: doStop + `; started = false`},
	{at: "#seeds-stop", before: `document.getElementById("seeds-run").click()`, effect: seeIdle, back: `document.getElementById("seeds-run").click()`},
	{at: "[data-fault]", before: doMend, effect: seeBroken, back: doMend},
	{at: "#mend", before: `document.querySelector(".faults:not([hidden]) [data-fault]").click()`, effect: seeBroken, back: `document.querySelector(".faults:not([hidden]) [data-fault]").click()`},
	{at: "#fault-do", before: doMend, effect: seeBroken, back: doMend},
	{at: "#broken button", way: only},
	{at: "#rule-undo", before: doType + `(3)`, effect: seeTries, back: `document.getElementById("rule-redo").click()`},
	{at: "#rule-redo", before: doType + `(3); ` + doUndo, effect: seeTries, back: doUndo},
	{at: "#rule-reset", before: doType + `(3)`, effect: seeTries, back: doUndo},
	{at: "[data-retry]", effect: `e.getAttribute("aria-pressed")`},
	{at: ".more", effect: `e.getAttribute("aria-expanded")`},
	{at: "[data-preset]", effect: `e.getAttribute("aria-pressed")`, back: doUndo},
	{at: "#library-do", before: doType + `(3)`, effect: seeTries, back: doUndo},
	{at: "select", way: choice},
	{at: "input[type=checkbox]", effect: `e.checked`, way: check},
	{at: "input", way: field},
}

// known is the table for the page: the selectors.
func known() string {
	var all []string
	for _, c := range theControls {
		all = append(all, c.at)
	}
	b, _ := json.Marshal(all)
	return string(b)
}

// helpers are the page's for these tests: what can be used is listed by number, with its kind, which is a row of the table.
const helpers = `
	window.copied = false; navigator.clipboard.writeText = async () => { copied = true }
	window.started = false; Worker.prototype.postMessage = (post => function (m, ...rest) { started ||= !!m?.scenarios; return post.call(this, m, ...rest) })(Worker.prototype.postMessage)
	window.printed = false; window.print = () => printed = true
	window.saved = false
	URL.createObjectURL = (make => function (b) { saved = true; return make.call(URL, b) })(URL.createObjectURL)
	window.known = %s
	window.numbered = []
	window.usable = () => [...document.querySelectorAll("button, input, select, textarea, summary, a[href], [tabindex], [contenteditable], audio, video, iframe")]
		.filter(e => !e.disabled && e.checkVisibility({visibilityProperty: true}) && !e.closest("[inert]") &&
			!(e.getAttribute("tabindex") === "-1" && !e.matches("button, input, select, textarea, summary, a[href]")))
		.filter(e => !(document.querySelector("dialog[open]") && !e.closest("dialog")))
	window.number = e => { if (!e.dataset.n) { e.dataset.n = numbered.push(e) - 1 } return +e.dataset.n }
	window.called = e => (e.id ? "#" + e.id : e.outerHTML.slice(0, 90))
	window.listed = () => usable().map(e => ({N: number(e), Kind: known.findIndex(s => e.matches(s)), Name: called(e)}))
	0`

type listed struct {
	N, Kind int
	Name    string
}

// Every control of the page, in every look and tab, is one that is known here; Tab or the arrow keys of what it is a part of
// come to it; it has a name; and it does the same by key and by pointer.
func TestEveryControl(t *testing.T) {
	used := map[string]bool{}
	for _, s := range []struct {
		name string
		look look
		do   []string // before
	}{
		{"at first", look{}, nil},
		{"storm", look{}, []string{`document.getElementById("look-storm").click()`, `document.getElementById("slow-3s").click()`}},
		{"charts", look{}, []string{`document.getElementById("look-charts").click()`, `document.getElementById("slow-3s").click()`, doEnd, `for (const e of document.querySelectorAll("#charts details")) e.open = true`}},
		{"told", look{}, []string{`document.getElementById("slow-3s").click()`, `document.getElementById("end").click()`}},
		{"pinned", look{}, []string{`document.getElementById("pin").click()`}},
		{"everything open", look{}, []string{`for (const e of document.querySelectorAll("#rule details, #break details")) e.open = true`, `document.getElementById("breaker").click()`, `document.querySelector(".more").click()`,
			`(v => { const e = document.getElementById("fault-at"); e.value = v; document.getElementById("fault-do").click(); e.value = ""; e.dispatchEvent(new Event("input")) })("50s")`}},
		{"link", look{}, []string{`for (const e of document.querySelectorAll("#link-menu, #link-menu details")) e.open = true`}},
		{"save", look{CanvasOnly: true}, []string{`document.getElementById("save").open = true`}},
		{"help", look{}, []string{`document.getElementById("help").showModal()`}},
		{"rule on a phone", look{Width: 360, Height: 740}, []string{`document.getElementById("tab-rule").click()`}},
		{"break on a phone", look{Width: 360, Height: 740}, []string{`document.getElementById("tab-break").click()`}},
	} {
		t.Run(s.name, func(t *testing.T) {
			s.look.NoWebGL = !s.look.CanvasOnly
			p := ready(t, "", s.look)
			p.waitFor(`!document.getElementById("create").disabled`)
			p.run(`localStorage.clear(); Element.prototype.checkVisibility ??= function () { return this.offsetParent !== null }`)
			p.waitFor(clock + ` > 1`)
			p.push("#pause")
			p.run(fmt.Sprintf(helpers, known()))
			for _, js := range s.do {
				p.run(js)
				p.frames(3)
			}
			p.waitFor(`document.getElementById("clock").getAttribute("aria-busy") !== "true"`)
			p.frames(40)
			all := eval[[]listed](p, `listed()`)
			for _, c := range all {
				if c.Kind < 0 {
					t.Errorf("the page has a control that is not in the table of what each does: %s", c.Name)
				}
			}
			p.comesTo(all)
			p.named()
			for _, last := range []bool{false, true} {
				for _, c := range all {
					if c.Kind >= 0 && theControls[c.Kind].last == last && !used[c.Name] {
						used[c.Name] = true
						p.use(c)
					}
				}
			}
		})
	}
}

// comesTo presses Tab all the way round, and the arrow keys where a part of something is left out.
func (p *page) comesTo(all []listed) {
	p.t.Helper()
	p.run(`window.been = new Set(); window.chosen = [...document.querySelectorAll("[role=tab][aria-selected=true]")]`)
	defer p.run(`for (const tab of chosen) tab.click(); document.activeElement.blur()`)
	for again := false; !again; {
		p.press(kb.Tab)
		again = eval[bool](p, `(e => { const again = been.has(e) && e.tagName !== "IFRAME"; been.add(e); return again })(document.activeElement)`)
	}
	for _, c := range all {
		left := fmt.Sprintf(`!been.has(numbered[%d])`, c.N)
		if !eval[bool](p, left) {
			continue
		}
		// A part of a whole, of which Tab comes to one.
		p.run(fmt.Sprintf(`numbered[%d].closest("[role=tablist], ol, ul")?.querySelector("[tabindex='0'], [aria-selected=true]")?.focus()`, c.N))
		found := false
		for range 20 {
			p.press(kb.ArrowRight)
			p.press(kb.ArrowDown)
			if found = eval[bool](p, fmt.Sprintf(`document.activeElement === numbered[%d]`, c.N)); found {
				break
			}
		}
		if !found {
			p.t.Errorf("no key comes to %s", c.Name)
		}
	}
}

// named looks up what each control is called, as a screen reader would say it.
func (p *page) named() {
	p.t.Helper()
	for _, n := range p.accessible() {
		if n.is("focusable") && n.Name.Value == "" && n.Role.Value != "RootWebArea" && n.Role.Value != "Iframe" {
			p.t.Errorf("a %s has no name", n.Role.Value)
		}
	}
}

// use uses a control by pointer and by each of its keys, and expects the same of all.
func (p *page) use(l listed) {
	p.t.Helper()
	c := theControls[l.Kind]
	if !eval[bool](p, fmt.Sprintf(`numbered[%d].isConnected`, l.N)) {
		return // another one has taken it away, as mending does with what was told of what comes
	}
	js := func(statement string) {
		if statement != "" {
			p.run(fmt.Sprintf(`(e => { %s })(numbered[%d])`, statement, l.N))
			p.frames(2)
			p.waitFor(`document.getElementById("clock").getAttribute("aria-busy") !== "true"`)
		}
	}
	value := func(expression string) string {
		return fmt.Sprintf(`JSON.stringify((e => %s)(numbered[%d]))`, expression, l.N)
	}
	is := func(want bool, before, how string) bool {
		p.t.Helper()
		op := "==="
		if !want {
			op = "!=="
		}
		was := p.patience
		p.patience = was / 4
		ok := p.comes(value(c.effect) + " " + op + " " + quoteJS(before))
		p.patience = was
		if !ok {
			p.t.Errorf("%s %s: %s is %s", l.Name, how, c.effect, eval[string](p, value(c.effect)))
		}
		return ok
	}
	enter := func() { p.run(fmt.Sprintf(`numbered[%d].focus()`, l.N)) }
	type use struct {
		how string
		do  func()
	}
	click := use{"by pointer", func() { p.clickOn(l) }}
	key := func(name, key string) use { return use{"by " + name, func() { enter(); p.press(key) }} }
	var uses []use
	switch c.way {
	case only:
		return
	case focus, field:
		p.clickOn(l)
		if !eval[bool](p, fmt.Sprintf(`document.activeElement === numbered[%d]`, l.N)) {
			p.t.Errorf("a click on %s does not bring the focus there", l.Name)
		}
		if c.way == focus {
			return
		}
		c.effect, c.back = `e.value`, fmt.Sprintf(`e.value = %s`, eval[string](p, value(`e.value`)))
		uses = []use{key("typing", "1")}
	case choice:
		if eval[bool](p, fmt.Sprintf(`numbered[%d].options.length < 2`, l.N)) {
			return
		}
		way := kb.ArrowDown
		if eval[bool](p, fmt.Sprintf(`numbered[%d].selectedIndex === numbered[%d].options.length - 1`, l.N, l.N)) {
			way = kb.ArrowUp
		}
		c.effect, c.back = `e.value`, fmt.Sprintf(`e.value = %s; e.dispatchEvent(new Event("change"))`, eval[string](p, value(`e.value`)))
		uses = []use{key("an arrow", way)}
	case hint:
		uses = []use{click, {"by focus", enter}}
	case check:
		uses = []use{click, key("the space bar", " ")}
	case slider:
		uses = []use{key("an arrow", kb.ArrowLeft), click}
	case tab:
		if eval[bool](p, fmt.Sprintf(`numbered[%d].getAttribute("aria-selected") === "true"`, l.N)) {
			return
		}
		other := fmt.Sprintf(`numbered[%d].parentNode.querySelector("[aria-selected=true]")`, l.N)
		p.run(`window.chosen = ` + other)
		c.back = `chosen.click()`
		uses = []use{click, {"by arrows", func() {
			p.run(other + `.focus()`)
			for range 4 {
				if p.press(kb.ArrowRight); eval[bool](p, fmt.Sprintf(`document.activeElement === numbered[%d]`, l.N)) {
					return
				}
			}
		}}}
	default:
		uses = []use{click, key("Enter", kb.Enter), key("the space bar", " ")}
		if strings.HasSuffix(c.at, " a") {
			uses = uses[1:2] // a skip link is there for the keyboard alone
		}
	}
	js(c.before)
	was, now := eval[string](p, value(c.effect)), ""
	for _, u := range uses {
		u.do()
		if !is(false, was, u.how) {
			return
		}
		p.frames(2)
		if got := eval[string](p, value(c.effect)); now == "" || c.way == slider {
			now = got
		} else if got != now {
			p.t.Errorf("%s: %s it comes to %s, and %s to %s", l.Name, uses[0].how, now, u.how, got)
		}
		if c.way == slider { // each goes on from where the last one came to
			was = now
			continue
		}
		back := c.back
		if back == "" {
			back = `e.click()`
		}
		js(back)
		if c.way == hint {
			p.point(1, 1)
		}
		if !is(true, was, "undone after being used "+u.how) {
			return
		}
	}
}

// clickOn clicks the middle of a control, as far as it can be hit there.
func (p *page) clickOn(l listed) {
	p.t.Helper()
	type place struct {
		X, Y float64
		Hit  string
	}
	p.run(fmt.Sprintf(`numbered[%d].scrollIntoView({block: "center", behavior: "instant"})`, l.N))
	where := func() place {
		p.frames(3)
		return eval[place](p, fmt.Sprintf(`(e => {
			const r = e.getBoundingClientRect(), X = r.x + r.width / 2, Y = r.y + r.height / 2, hit = document.elementFromPoint(X, Y)
			return {X, Y, Hit: hit && e.contains(hit) ? "" : (hit ? called(hit) : "nothing") + " at " + X + ", " + Y}
		})(numbered[%d])`, l.N))
	}
	at := where()
	for range 10 { // words elsewhere on the page may just have become a line longer
		p.point(at.X, at.Y)
		was := at
		if at = where(); at == was {
			break
		}
	}
	if at.Hit != "" {
		p.t.Errorf("who points at %s hits %s", l.Name, at.Hit)
	}
	p.do("clicking "+l.Name, chromedp.MouseClickXY(at.X, at.Y))
}

// point moves the pointer to a point of the window.
func (p *page) point(x, y float64) {
	p.t.Helper()
	p.do("pointing", chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}

// comes tells whether a condition comes about.
func (p *page) comes(condition string) bool {
	return chromedp.Do(p.ctx, chromedp.Poll[chromedp.Void](condition, chromedp.WithPollingTimeout(p.patience))) == nil
}

// quoteJS is s as a string of JavaScript.
func quoteJS(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
