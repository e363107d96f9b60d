//go:build browser

package browser

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"stormbin/engine/presets"
	"stormbin/engine/scenario"
)

// control is a kind of control of the page: how to use it, and what comes of it.
type control struct {
	at string // a selector; the first that matches says what a control is
	// effect is an expression of the element e: using the control makes another value of it, the same by pointer as by key.
	effect string
	before string // what is done first, so that it has something to do
	last   bool   // it puts another system on show, and so makes other controls
	back   string // what makes the effect undone. Empty: using it again
	typed  string // into a field; then Enter is pressed. Empty: as anotherFor has it
	// sets is an expression of e: what the control has set of the run, by what it shows then, as that stands in a link. The
	// run's link has it, and all else as before. Such a control is used at the beginning of a run.
	sets string
	way  way
}

// way is how a control is used.
type way int

const (
	button way = iota // clicked, or pressed with Enter and with the space bar
	check             // clicked, or pressed with the space bar
	link              // clicked, or followed with Enter
	field             // clicked into or come to, and typed into
	choice            // an arrow key chooses the next; its list is the browser's
	tab               // clicked, or come to with an arrow key
	slider            // moved with an arrow key, or clicked into the middle
	focus             // comes to the focus by pointer and by key, which is all
	hint              // pointed at, or come to
	into              // clicked into, or come to
	only              // come to with Tab; what it does its own tests say
)

const (
	seeIdle   = `document.getElementById("seeds-stop").hidden`
	doStop    = `document.getElementById("seeds-stop").click()`
	seeBroken = `[...document.querySelectorAll("#broken li")].map(e => e.firstChild.textContent).join()`
	doMend    = `document.getElementById("mend").click()`
	doUndo    = `document.getElementById("rule-undo").click()`
	seeTries  = `document.querySelector("[data-path$='.attempts']").value`
	doType    = `(v => { const e = document.querySelector("[data-path$='.attempts']"); e.value = v; e.dispatchEvent(new Event("change")) })`
	seePaused = `document.getElementById("play").hidden`
	doPlay    = `document.getElementById("play").click()`
	doPause   = `document.getElementById("pause").click()`
	doEnd     = `document.getElementById("end").click()`
	doAnew    = `window.on = find("scenario").value; choose("scenario", "slow"); choose("scenario", on); ` + atFirst + doMend
	seeStart  = `document.getElementById("clock").textContent === "0.0 s"`
	seePastes = `pastes().length`
	seeOpen   = `!find("paste-view").hidden`
	doClose   = `find("paste-view").hidden || find("view-close").click()`
	doHide    = `find("content-made").hidden = true`
	seeEmbed  = `document.getElementById("embed-code").value.replace(/height="\d+"/, "")` // which the preview tells in its own time
	doBurning = doClose + `; find("paste-burn").checked = true; await made(); find("paste-burn").checked = false; document.querySelector("#paste-list a").click(); await until(() => find("view-burn").checkVisibility())`
	// What goes wrong while the primary is down, which is mended then.
	notMade    = `await fails("paste-again", () => { write(find("paste-text"), "not made"); find("create").click() })`
	notDeleted = `await fails("delete-again", () => document.querySelector("#paste-list button").click())`
	notRead    = `await made(); await fails("view-again", () => document.querySelector("#paste-list a").click())` // a paste that was read once is read from the cache
	// A request waits while the world is paused.
	held = doPause + `; write(find("paste-text"), "held"); find("create").click(); await until(() => find("held-play").checkVisibility())`

	setsOne   = `e.dataset.path + "=" + e.value.replaceAll(" ", "")`
	setsWords = `(e.closest("tbody")?.querySelector("[data-set=timeout]").dataset.path.replace(/timeout$/, "retry_on") ?? "policy.breaker.on") +
		"=" + ([...e.closest(".toggles").querySelectorAll("[aria-pressed=true]")].map(b => b.dataset.retry).join() || "[]")`
	setsFault = `(() => {
		const said = id => find(id).value.trim(), share = find("fault-amount-name").textContent.endsWith("%")
		const amount = find("fault-amount").closest(".field").hidden ? "" : "*" + said("fault-amount") / (share ? 100 : 1)
		return "fault=" + [said("fault-target").replace("operation:", ""), said("fault-kind") + amount, said("fault-at") || "0s", said("fault-for")].filter(s => s).join()
	})()`
)

// theFaults is what each button that breaks something does, as it stands in a link.
const theFaults = `({
	"B 8× slower for 3 s": "b,slow*8,0s,3s", "B 8× slower": "b,slow*8,0s", "B down": "b,down,0s", "B stalls for 2 s": "b,stall,0s,2s",
	"20 % of B’s answers fail": "b,flaky*0.2,0s", "Make B slow for 3 s": "b,slow*8,0s,3s",
	"Primary stalls for 2 s": "primary,stall,0s,2s", "Primary 10× slower": "primary,slow*10,0s", "Primary down": "primary,down,0s",
	"Primary stalls": "primary,stall,0s", "Bucket 10× slower": "bucket,slow*10,0s", "Primary: 20 % fail": "primary,flaky*0.2,0s",
	"Stall the primary for 2 s": "primary,stall,0s,2s",
})`

// What a click makes the page do is done for it, so that what leads away leads nowhere: links, files, other programs.
var theControls = []control{
	{at: ".skips a", before: `document.activeElement.blur()`, effect: `document.activeElement.id`, back: `document.activeElement.blur()`, way: link},

	{at: "#take-version", before: `taken = ""`, effect: `taken`, back: `taken = ""`},

	// The reader's own pastes. The first ones are there when something went wrong, or is over.
	{at: "#paste-again", before: notMade, effect: seePastes, back: `await deleted(); ` + notMade},
	{at: "#view-again", before: notRead, effect: seeOpen, back: notRead},
	{at: "#held-play", before: held, effect: seePastes, back: `await deleted(); ` + held},
	{at: "#delete-again", before: notDeleted, effect: seePastes, back: `await made(); ` + notDeleted},
	{at: "#view-burn", before: doBurning, effect: seeOpen, back: doBurning},
	{at: "#list-more", effect: seePastes, back: `write(find("list-search"), "zzz"); await until(() => !pastes().length); write(find("list-search"), ""); await until(() => pastes().length)`},
	{at: "#paste-title, #paste-number", effect: `e.value`, typed: "3", back: `write(e, "")`, way: field},
	{at: "#paste-text", effect: `find("paste-size").textContent`, typed: "3", back: `write(e, "")`, way: field},
	{at: "#paste-burn, #view-wrap", effect: `e.checked + find("view-text").className`, way: check},
	{at: "#create", before: `write(find("paste-text"), "made")`, effect: seePastes, back: `await deleted(); write(find("paste-text"), "made")`},
	{at: "#paste [type=file]", before: `asked = false`, effect: `asked`, back: `asked = false`},
	{at: "#paste-drop-file, #paste-edit-file", before: `await given()`, effect: `find("paste-held").hidden`, back: `await given()`},
	{at: "#paste-back", effect: `find("paste-text").value`, back: `await reads(); find("view-clone").click(); ` + doClose},
	{at: "#paste-link, #content-link, #paste-list a", before: doClose, effect: seeOpen, back: doClose, way: link},
	{at: "#qr-link", effect: `location.hash`, back: `await reads()`, way: link},
	{at: "#copy-link, #copy-content, #view-copy, #view-link", before: `copied = false`, effect: `copied`, back: `copied = false`},
	{at: "#share-content, #view-share", before: doHide, effect: `find("content-made").hidden`, back: doHide},
	{at: "#view-close", effect: seeOpen, back: `await reads()`},
	{at: "#view-rendered", effect: `find("view-markdown").hidden`, way: check},
	{at: "#view-lines", effect: `location.hash`, typed: "2", back: `await reads(); write(e, "")`, way: field},
	{at: "#view-clone", before: `write(find("paste-text"), "")`, effect: `find("paste-text").value`, back: `write(find("paste-text"), "")`},
	{at: "#view-qr-show", effect: `e.ariaExpanded`},
	{at: "#view-print", before: `printed = false`, effect: `printed`, back: `printed = false`},
	{at: "#paste-held, #view-text, #view-hex, #view-aside, #export-text", way: focus},
	{at: "#list-search", effect: seePastes, typed: "zzz", back: `write(e, "")`, way: field},
	{at: "#list-order", effect: `pastes().map(e => e.dataset.id).join()`, back: `e.value = "newest"; e.dispatchEvent(new Event("change", {bubbles: true}))`, way: choice},
	{at: "#list-all, #paste-list input", effect: `find("list-delete").disabled`, way: check},
	{at: "#list-delete", before: `window.had = pastes().length; find("list-all").checked || find("list-all").click()`, effect: `pastes().length > 0`,
		back: `find("undo").click(); await until(() => pastes().length === had); find("list-all").click()`},
	{at: "#undo", before: `await deleted()`, effect: seePastes, back: `await deleted()`},
	{at: "#paste-list button", effect: seePastes, back: `find("undo").click()`},
	{at: "#export", before: `saved = false`, effect: `saved`, back: `saved = false`},

	{at: "#scenario", effect: `document.querySelector("#calls .call-name").textContent + e.value`, way: choice, last: true},
	{at: "#new-seed", before: `window.firstSeed ??= document.getElementById("seed").textContent`, effect: `document.getElementById("seed").textContent === firstSeed`, back: doUndo, sets: `"seed=" + document.getElementById("seed").textContent`},
	{at: "#pin", effect: `document.getElementById("compare").hidden`, back: `document.getElementById("unpin").click()`},
	{at: "#unpin", before: `document.getElementById("pin").click()`, effect: `document.getElementById("compare").hidden`, back: `document.getElementById("pin").click()`},
	{at: "#link-field", before: `e.setSelectionRange(0, 0); e.blur()`, effect: `e.selectionEnd - e.selectionStart`, back: `e.setSelectionRange(0, 0); e.blur()`, way: into},
	{at: "#link-timed", effect: `document.getElementById("link-field").value`, way: check},
	{at: "#link-share", before: `document.getElementById("link-menu").open = true; shared = ""`, effect: `shared !== "" && shared === document.getElementById("link-field").value`, back: `shared = ""`},
	{at: "#link-copy, #embed-copy, #embed-picture-copy", before: `document.getElementById("link-menu").open = true`, effect: `copied`, back: `copied = false`},
	{at: "#embed-menu [type=checkbox]", effect: seeEmbed, way: check},
	{at: "#embed-menu select", effect: seeEmbed, back: `e.selectedIndex = 0; e.dispatchEvent(new Event("change", {bubbles: true}))`, way: choice},
	{at: "#save-text, #embed-code, #embed-picture, #embed-preview", way: focus},
	{at: "#save-print", before: `document.getElementById("save").open = true`, effect: `printed`, back: `printed = false`},
	{at: "#save button", before: `document.getElementById("save").open = true; saved = false`, effect: `saved`, back: `saved = false`},
	{at: "summary", effect: `e.parentNode.open`},
	{at: "#help-open", effect: `document.getElementById("help").open`, back: `document.getElementById("help").close()`},
	{at: "#help-close", before: `document.getElementById("help").open || document.getElementById("help").showModal()`, effect: `document.getElementById("help").open`, back: `document.getElementById("help").showModal()`},
	{at: "#whole, #start, .bare a", way: only}, // in an embed, and where there are no styles
	{at: "a[href]", before: `followed = ""`, effect: `followed`, back: `followed = ""`, way: link},
	{at: "iframe", way: only}, // what is in it has its own order
	{at: "#theme", effect: `getComputedStyle(document.body).backgroundColor`},
	{at: "#nudge-do", last: true, before: doAnew, effect: seeBroken, back: doAnew, sets: `"fault=" + ` + theFaults + `[nudged]`},
	{at: "#numbers button", effect: `getComputedStyle(e.closest(".tip").querySelector(".hint")).display`, back: `document.activeElement.blur()`, way: hint},
	{at: "[role=tab]", effect: `e.getAttribute("aria-selected")`, way: tab},
	{at: "#figure", way: focus},
	{at: "#erase-timeout, #erase-retries, #erase-fault", effect: `e.textContent`},
	{at: "[role=slider]", effect: `e.getAttribute("aria-valuenow")`, way: slider},
	{at: "#time", before: doEnd, effect: `document.getElementById("clock").textContent`, way: slider},
	{at: ".scroll, .wide", way: focus},
	{at: "#play", before: doPause, effect: seePaused, back: doPause},
	{at: "#pause", before: doPlay, effect: seePaused, back: doPlay},
	{at: "#restart", before: doEnd, effect: seeStart, back: doEnd},
	{at: "#step, #step-back", before: doPlay, effect: seePaused, back: doPlay},
	{at: "#end", before: `document.getElementById("restart").click(); ` + doPlay, effect: `document.getElementById("clock").textContent === "30.0 s" && !document.getElementById("play").hidden`,
		back: `document.getElementById("restart").click(); ` + doPlay},
	{at: "#events button, #paged button", effect: `document.getElementById("clock").textContent === e.querySelector(".at").textContent`, back: doEnd},
	{at: "#seeds-run", effect: `started`, back: doStop + `; started = false`},
	{at: "#seeds-stop", before: `document.getElementById("seeds-run").click()`, effect: seeIdle, back: `document.getElementById("seeds-run").click()`},
	{at: "[data-fault]", before: doMend, effect: seeBroken, back: doMend, sets: `"fault=" + ` + theFaults + `[e.textContent.replace(/\s/g, " ")]`},
	{at: "#mend", before: `document.querySelector(".faults:not([hidden]) [data-fault]").click()`, effect: seeBroken, back: `document.querySelector(".faults:not([hidden]) [data-fault]").click()`},
	{at: "#fault-do", before: doMend, effect: seeBroken, back: doMend, sets: setsFault},
	{at: "#fault-amount", before: doMend, effect: seeBroken, typed: "7", back: doMend, sets: setsFault, way: field},
	{at: "#fault-for", before: doMend, effect: seeBroken, typed: "3s", back: doMend + `; write(e, "")`, sets: setsFault, way: field},
	{at: "#fault-at", before: doMend, effect: seeBroken, typed: "50s", back: doMend + `; write(e, "")`, sets: setsFault, way: field},
	{at: "#broken button", effect: seeBroken, back: doUndo},
	{at: "#rule-undo", before: doType + `(3)`, effect: seeTries, back: `document.getElementById("rule-redo").click()`},
	{at: "#rule-redo", before: doType + `(3); ` + doUndo, effect: seeTries, back: doUndo},
	{at: "#rule-reset", before: doType + `(3)`, effect: seeTries, back: doUndo},
	{at: "[data-retry]", effect: `e.getAttribute("aria-pressed")`, back: doUndo, sets: setsWords},
	{at: ".more", effect: `e.getAttribute("aria-expanded")`},
	{at: "[data-preset]", before: doType + `(3)`, effect: `e.getAttribute("aria-pressed")`, back: doUndo, sets: `"rule=" + e.dataset.preset`},
	{at: "#library-do", before: doType + `(3)`, effect: seeTries, back: doUndo, sets: `"library=" + find("library-call").value + "," + find("library").value`},
	{at: "#arrivals", effect: `e.value`, back: doUndo, sets: `[...document.querySelectorAll("#load [data-path]")].map(r => r.dataset.path.replace("rate", "arrivals=") + e.value).join("&")`, way: choice},
	{at: "select[data-path]", effect: `e.value`, back: doUndo, sets: setsOne, way: choice},
	{at: "[type=checkbox][data-path]", effect: `e.checked`, back: doUndo, sets: `e.dataset.path + "=" + e.checked`, way: check},
	{at: "input[data-path]", effect: `e.value`, back: doUndo, sets: setsOne, way: field},
	{at: "#caps input", effect: `e.value`, back: doUndo, sets: `e.id.replaceAll("-", ".") + "=" + e.value`, way: field},
	{at: "select", effect: `e.value`, way: choice},
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

// early is what the browser has for these tests: a way to share, and a newer version of the site that waits to be taken. It
// notes who listens for the pointer and for keys.
const early = `
	window.shared = ""; navigator.share = async what => { shared = what.url }
	window.taken = ""
	const kept = {addEventListener() {}, waiting: {postMessage: m => { taken = m }}}
	Object.defineProperty(navigator, "serviceWorker", {value: {controller: {}, addEventListener() {}, register: async () => kept}})
	window.listeners = new Set()
	EventTarget.prototype.addEventListener = (add => function (kind, ...rest) {
		if (this instanceof Element && /^(click|dblclick|pointerdown|mousedown|touchstart|keydown)$/.test(kind)) listeners.add(this)
		return add.call(this, kind, ...rest)
	})(EventTarget.prototype.addEventListener)`

// helpers are the page's for these tests: what can be used is listed by number, with its kind, which is a row of the table.
const helpers = `
	window.copied = false; navigator.clipboard.writeText = async () => { copied = true }
	window.started = window.held = false
	Worker.prototype.postMessage = (post => function (m, ...rest) { started ||= !!m?.scenarios; if (!held || !m?.scenarios) post.call(this, m, ...rest) })(Worker.prototype.postMessage)
	window.printed = false; window.print = () => printed = true
	window.saved = false
	URL.createObjectURL = (make => function (b) { saved = true; return make.call(URL, b) })(URL.createObjectURL)
	window.followed = ""; window.asked = false
	addEventListener("click", e => {
		const link = e.target.closest("a[href]")
		if (link && !link.getAttribute("href").startsWith("#")) { followed = link.href; e.preventDefault() }
		if (e.target.type === "file") { asked = true; e.preventDefault() }
	})
	window.known = %s
	window.numbered = []
	window.listeners ??= new Set()
	window.controls = "button, input, select, textarea, summary, a[href], [tabindex], [contenteditable], audio, video, iframe"
	window.there = () => [...document.querySelectorAll(controls), ...[...listeners].filter(e => e.isConnected && !e.matches(controls) && !e.closest("summary, label") && !e.matches("ol, ul") && !e.querySelector(controls))]
		.filter(e => !(e.getAttribute("tabindex") === "-1" && !e.matches("button, input, select, textarea, summary, a[href]")))
	window.usable = () => there()
		.filter(e => !e.disabled && e.checkVisibility({visibilityProperty: true}) && !e.closest("[inert]"))
		.filter(e => !(document.querySelector("dialog[open]") && !e.closest("dialog")))
	window.number = e => { if (!e.dataset.n) { e.dataset.n = numbered.push(e) - 1 } return +e.dataset.n }
	window.called = e => {
		if (e.id) return "#" + e.id
		const list = e.closest("#paste-list, #broken, #events, #paged")
		if (list) return "in #" + list.id + " " + e.tagName
		return [e.tagName, e.getAttribute("href"), e.ariaLabel || e.labels?.[0]?.textContent || e.textContent].filter(s => s).join(" ").replace(/\s+/g, " ").trim().slice(0, 90)
	}
	window.listed = all => all.map(e => ({N: number(e), Kind: known.findIndex(s => e.matches(s)), Name: called(e), Like: alike(e), Desk: !!e.closest("#paste")}))
	window.alike = e => {
		const part = e.closest("#calls, #presets, #load, #caps, #runs-on, #fault-form, #nudge")
		if (!part || e.matches("summary")) return called(e)
		return find("scenario").value + " " + (part.matches("form, #nudge") || part.id === "presets" && find("scenario").value !== "pastebin" ? called(e) :
			part.id + " " + (e.dataset.set ?? e.dataset.retry ?? (e.className || e.tagName)))
	}
	window.told = () => { // the run's link; its menu keeps it up to date while it is open
		const menu = find("link-menu"), was = menu.open
		menu.open = true
		find("link-timed").dispatchEvent(new Event("change"))
		menu.open = was
		return find("link-field").value.replace(/^[^#]*/, "")
	}
	window.choose = (id, v) => { find(id).value = v; find(id).dispatchEvent(new Event("change", {bubbles: true})) }
	window.live = (n, at) => { // the control, or the one that has taken its place
		if (!numbered[n].isConnected) { const e = usable().find(e => e.matches(at)); if (e) { e.dataset.n = n; numbered[n] = e } }
		return numbered[n]
	}
	window.find = id => document.getElementById(id)
	window.until = f => new Promise(ok => { const look = () => f() ? ok() : requestAnimationFrame(look); look() })
	window.pastes = () => [...document.querySelectorAll("#paste-list li[data-id]")]
	window.made = async () => { const n = pastes().length; write(find("paste-text"), "# made\n\n1\n2\n3"); find("create").click(); await until(() => pastes().length > n) }
	window.deleted = async () => { const n = pastes().length; document.querySelector("#paste-list button").click(); await until(() => pastes().length < n) }
	window.reads = async () => { find("paste-view").hidden || find("view-close").click(); document.querySelector("#paste-list a").click(); await until(() => !find("paste-view").hidden) }
	window.fails = async (again, act) => {
		find("primary-down").click()
		find(again).hidden = true // from the last time
		act()
		await until(() => find(again).checkVisibility())
		find("mend").click()
	}
	window.given = async (bytes = "of a file") => {
		if (!find("paste-held").hidden) return
		write(find("paste-text"), "")
		const data = new DataTransfer()
		data.items.add(new File([bytes], "a.txt"))
		document.body.dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: data}))
		await until(() => !find("paste-held").hidden)
	}
	window.write = (e, v) => { e.value = v; e.dispatchEvent(new Event("input", {bubbles: true})) }
	window.rests = (see, was, same, ms) => new Promise(ok => {
		const end = performance.now() + ms
		let before, still = 0
		const look = () => {
			const now = JSON.stringify(see())
			still = now === before ? still + 1 : 0
			before = now
			const calm = still > 1 && document.getElementById("clock").getAttribute("aria-busy") !== "true"
			if (calm && (was === null || (now === was) === same)) ok({OK: true, Now: now})
			else if (performance.now() > end) ok({OK: false, Now: now})
			else requestAnimationFrame(look)
		}
		look()
	})
	0`

// atFirst is the beginning of the run.
const atFirst = doPause + `; document.getElementById("restart").click(); `

// tidy is what all begin with.
const tidy = `document.querySelector("dialog[open]")?.close(); for (const e of document.querySelectorAll("details[open]")) e.open = false;
	for (const id of ["unpin", "restart", "mend", "pause", "look-path", "tab-rule", "rule-reset"]) document.getElementById(id).checkVisibility() && document.getElementById(id).click();
	for (const e of document.querySelectorAll(".more[aria-expanded=true]")) e.click();
	document.activeElement.blur(); scrollTo({top: 0, behavior: "instant"})`

// openAll opens what can be opened of what can be broken and of the rule, of whose calls one: its settings are all in use.
const openAll = `for (const e of document.querySelectorAll("#rule details, #break details")) e.open = true;
	document.getElementById("breaker").checked || document.getElementById("breaker").click();
	choose(document.querySelector("#calls [data-set='backoff.kind']").id, "exponential");
	choose(document.querySelector("#calls [data-set='backoff.base']").id, "20ms");
	choose(document.querySelector("#calls [data-set=hedge_after]").id, "900ms");
	document.querySelector(".more").click();`

// plan plans a fault.
const plan = `(v => { const e = document.getElementById("fault-at"); e.value = v; document.getElementById("fault-do").click(); e.value = ""; e.dispatchEvent(new Event("input")) })("50s")`

type listed struct {
	N, Kind int
	Name    string
	Like    string // the same for all that are as good as each other: a call's timeout is as another's
	Desk    bool   // it is of the reader's own pastes
}

// tour is of the controls of one page.
type tour struct {
	*page
	come, used map[string]bool // by name; by likeness
	desk       bool            // what is used is what is of the reader's own pastes, and nothing else
}

// Every control of the page, in every look and tab, is one that is known here; Tab or the arrow keys of what it is a part of
// come to it; it has a name; and it does the same by key and by pointer.
func TestEveryControl(t *testing.T) {
	t.Parallel()
	seen := tour{come: map[string]bool{}, used: map[string]bool{}}
	p := ready(t, "", look{CanvasOnly: true, Script: early})
	p.waitFor(`!document.getElementById("create").disabled && !document.getElementById("new-version").hidden`)
	p.run(`localStorage.clear()`)
	p.waitFor(clock + ` > 1`)
	p.push("#pause")
	p.run(fmt.Sprintf(helpers, known()))
	for _, s := range []struct {
		name string
		look look
		do   []string // to get there
		all  bool     // Tab is pressed all the way round
	}{
		{"at first", look{}, nil, true},
		{"storm", look{}, []string{`document.getElementById("look-storm").click()`, `document.getElementById("slow-3s").click()`}, false},
		{"charts", look{}, []string{`document.getElementById("look-charts").click()`, `document.getElementById("slow-3s").click()`, doEnd, `for (const e of document.querySelectorAll("#charts details")) e.open = true`}, false},
		{"told", look{}, []string{`document.getElementById("slow-3s").click()`, doEnd}, true},
		{"pinned", look{}, []string{`document.getElementById("pin").click()`}, false},
		{"everything open", look{}, []string{openAll, plan}, false},
		{"the pastebin", look{}, []string{`choose("scenario", "pastebin")`, openAll, `choose("budget-kind", "tokens"); document.getElementById("policy-calls-object_put-more").click()`}, false},
		{"seeds under way", look{}, []string{`choose("scenario", "two-service"); held = true; document.getElementById("seeds-run").click(); ` + doPlay}, false},
		{"seeds", look{}, []string{doStop + `; held = false; document.getElementById("seeds-run").click(); await until(() => !document.getElementById("seeds-details").hidden); ` + doStop + `; document.getElementById("seeds-details").open = true`}, false},
		{"link", look{}, []string{`for (const e of document.querySelectorAll("#link-menu, #link-menu details")) e.open = true`}, false},
		{"save", look{}, []string{`document.getElementById("save").open = true; document.getElementById("save-text").hidden = false`}, false},
		{"help", look{}, []string{`document.getElementById("help").showModal()`}, true},
		{"rule on a phone", look{Width: 360, Height: 740}, []string{`document.getElementById("save-text").hidden = true; document.getElementById("tab-rule").click(); choose("budget-kind", "in_flight"); for (const e of document.querySelectorAll("#rule details")) e.open = true`}, true},
		{"break on a phone", look{Width: 360, Height: 740}, []string{`document.getElementById("tab-break").click()`}, true},
	} {
		t.Run(s.name, func(t *testing.T) {
			p.within(t)
			if s.look != (look{}) {
				p.look(s.look)
			}
			for _, js := range append([]string{tidy}, s.do...) {
				p.run(`(async () => { ` + js + ` })()`)
				p.calm()
			}
			seen.page = p
			seen.visit(s.all)
			if s.name == "the pastebin" {
				seen.breaks()
			}
		})
	}
	seen.whole()
}

// What is of the reader's own pastes is used where there are some, while the crowd's requests go on.
func TestEveryControlOfThePastes(t *testing.T) {
	t.Parallel()
	seen := tour{come: map[string]bool{}, used: map[string]bool{}, desk: true}
	p := ready(t, "", look{NoWebGL: true, Script: early})
	p.waitFor(`!document.getElementById("create").disabled`)
	p.run(store)
	p.run(fmt.Sprintf(helpers, known()))
	for _, s := range []struct {
		name string
		do   []string // to get there
	}{
		{"made", []string{`await made(); await made(); find("share-content").click()`}},
		{"writing", []string{`write(find("paste-lives"), "own"); find("list-all").click(); find("export-text").hidden = false`}},
		{"reading", []string{`write(find("paste-lives"), ""); find("list-all").click(); find("export-text").hidden = true; find("paste-language").value = "markdown"; await made(); await reads()`, `find("view-qr-show").click()`}},
		{"a draft put aside", []string{`await reads(); write(find("paste-text"), "mine")`, `find("view-clone").click()`, doClose}},
		{"deleted", []string{`await deleted()`}},
		{"a file", []string{`await given()`}},
		{"bytes", []string{`find("paste-drop-file").click(); await given(new Uint8Array([0, 255, 1])); const n = pastes().length; find("create").click(); await until(() => pastes().length > n); await reads()`}},
		{"not made", []string{`choose("scenario", "pastebin"); for (const e of document.querySelectorAll("#load input")) choose(e.id, 1); ` + notMade}},
		{"not deleted", []string{notDeleted}},
		{"not read", []string{notRead}},
		{"to be burned", []string{`choose("scenario", "two-service"); ` + doBurning}},
		{"held", []string{held}},
		{"many", []string{`const n = pastes().length; ` + doPlay + `; await until(() => pastes().length > n); await put(Array.from({length: 60}, (_, i) => ({id: "many" + "bcdfghjklm"[i % 10] + "bcdfgh"[i / 10 | 0] + "z".repeat(16), created: i, text: "one of many"}))); await made()`}},
	} {
		t.Run(s.name, func(t *testing.T) {
			p.within(t)
			for _, js := range s.do {
				p.run(`(async () => { ` + js + ` })()`)
				p.calm()
			}
			seen.page = p
			seen.visit(false)
		})
	}
	seen.whole()
}

// breaks chooses all that can be broken, each in all ways: the run's link and the list of what is broken say so.
func (v *tour) breaks() {
	v.t.Helper()
	type fault struct{ Target, Kind, Was, Sets, Now, Says string }
	faults := eval[[]fault](v.page, fmt.Sprintf(`(async () => {
		const all = [], says = () => %s
		for (const target of [...find("fault-target").options].map(o => o.value)) {
			choose("fault-target", target)
			for (const kind of [...find("fault-kind").options].map(o => o.value)) {
				choose("fault-kind", kind)
				%s
				await until(() => says() === "Nothing.")
				const Was = told()
				find("fault-do").click()
				const Sets = %s, Now = told()
				await until(() => says() !== "Nothing.")
				all.push({Target: target.replace("operation:", ""), Kind: kind, Was, Sets, Now, Says: says()})
			}
		}
		%[2]s
		return all
	})()`, seeBroken, atFirst+doMend, setsFault))
	for _, f := range faults {
		v.tells(f.Was, f.Sets, f.Now, f.Target+" "+f.Kind)
		if !strings.HasPrefix(f.Says, f.Target+" ") || strings.Contains(f.Says, ",") {
			v.t.Errorf("with %s %s broken, and nothing else, the list says %q", f.Target, f.Kind, f.Says)
		}
	}
	if len(faults) < 20 {
		v.t.Errorf("there are %d ways to break the pastebin", len(faults))
	}
}

// whole expects that all that the page has been used in some state.
func (v *tour) whole() {
	v.t.Helper()
	for _, c := range eval[[]listed](v.page, `listed(there())`) {
		switch {
		case c.Desk != v.desk:
		case c.Kind < 0:
			v.t.Errorf("the page has a control that is not in the table of what each does: %s", c.Name)
		case theControls[c.Kind].way == only || v.used[c.Like]:
		case !v.used[strings.Replace(c.Like, "two-service ", "pastebin ", 1)]: // not every system has a use for all of them
			v.t.Errorf("no state has %s to be used", c.Name)
		}
	}
}

// calm waits until the page has come to rest.
func (p *page) calm() {
	p.t.Helper()
	p.run(`rests(() => usable().length + document.getElementById("verdict").textContent, null, true, 2000)`)
}

// visit comes to all that can be used now, and uses what was not used yet.
func (v *tour) visit(all bool) {
	v.t.Helper()
	here := eval[[]listed](v.page, `listed(usable())`)
	for _, c := range here {
		if c.Kind < 0 {
			v.t.Errorf("the page has a control that is not in the table of what each does: %s", c.Name)
		}
	}
	v.comesTo(here, all)
	v.named()
	for _, last := range []bool{false, true} {
		for _, c := range here {
			if c.Kind < 0 || theControls[c.Kind].last != last || c.Desk != v.desk || v.used[c.Like] {
				continue
			}
			var all []listed
			for _, other := range here {
				if other.Like == c.Like {
					all = append(all, other)
				}
			}
			v.used[c.Like] = true
			v.use(all[len(v.used)%len(all)]) // of another call, another dependency, each time
		}
	}
}

// comesTo presses Tab from before the first control that is new here until it has come to all of them, or all the way round;
// and the arrow keys where a part of something is left out.
func (v *tour) comesTo(here []listed, all bool) {
	v.t.Helper()
	first := slices.IndexFunc(here, func(c listed) bool { return all || !v.come[c.Name] })
	if first < 0 {
		return
	}
	v.run(`window.been = new Set(); window.chosen = [...document.querySelectorAll("[role=tab][aria-selected=true]")];
		window.note = () => been.add(document.activeElement); document.addEventListener("focusin", note)`)
	defer v.run(`document.removeEventListener("focusin", note); for (const tab of chosen) tab.click(); document.activeElement.blur()`)
	if first > 0 {
		v.run(fmt.Sprintf(`numbered[%d].focus()`, here[first-1].N))
	}
	var wanted []int
	for _, c := range here[first:] {
		if all || !v.come[c.Name] {
			wanted = append(wanted, c.N)
		}
		v.come[c.Name] = true
	}
	numbers, _ := json.Marshal(wanted)
	left := fmt.Sprintf(`(note(), %s.filter(n => numbered[n].isConnected && !been.has(numbered[n])))`, numbers)
	missing := wanted
	for pressed := 0; len(missing) > 0 && pressed < len(here)+10; {
		for range min(len(missing), 8) {
			v.press(kb.Tab)
			pressed++
		}
		missing = eval[[]int](v.page, left)
	}
	for _, n := range missing {
		// A part of a whole, of which Tab comes to one.
		v.run(fmt.Sprintf(`numbered[%d].closest("[role=tablist], ol, ul")?.querySelector("[tabindex='0'], [aria-selected=true]")?.focus()`, n))
		found := false
		for range 50 {
			v.press(kb.ArrowRight)
			v.press(kb.ArrowDown)
			if found = eval[bool](v.page, fmt.Sprintf(`document.activeElement === numbered[%d]`, n)); found {
				break
			}
		}
		if !found {
			v.t.Errorf("no key comes to %s", eval[string](v.page, fmt.Sprintf(`called(numbered[%d])`, n)))
		}
	}
}

// named looks up what each control is called, as a screen reader would say it.
func (v *tour) named() {
	v.t.Helper()
	for _, n := range v.accessible() {
		if n.is("focusable") && n.Name.Value == "" && n.Role.Value != "RootWebArea" && n.Role.Value != "Iframe" {
			v.t.Errorf("a %s has no name", n.Role.Value)
		}
	}
}

// came is what an effect has come to, and whether it is what it was waited for to be.
type came struct {
	OK  bool
	Now string
}

// use uses a control by pointer and by each of its keys, and expects the same of all.
func (v *tour) use(l listed) {
	v.t.Helper()
	c := theControls[l.Kind]
	e := fmt.Sprintf(`live(%d, %s)`, l.N, quoteJS(c.at))
	if !eval[bool](v.page, fmt.Sprintf(`numbered[%d].isConnected && numbered[%[1]d].checkVisibility()`, l.N)) {
		return // another one has taken it away, as mending does with what was told of what comes
	}
	is := func(condition string) bool {
		v.t.Helper()
		return eval[bool](v.page, fmt.Sprintf(`(e => %s)(%s)`, condition, e))
	}
	// comes does something first, and then waits until the effect is, or is not, what it was; "" is anything at rest.
	comes := func(first, was string, same bool, how string) came {
		v.t.Helper()
		if was == "" {
			was = "null"
		} else {
			was = quoteJS(was)
		}
		if first != "" {
			first = fmt.Sprintf(`await (async e => { %s })(%s);`, first, e)
		}
		got := eval[came](v.page, fmt.Sprintf(`(async () => { %s return await rests(() => (e => %s)(%s), %s, %v, %d) })()`, first, c.effect, e, was, same, v.patience.Milliseconds()/2))
		if !got.OK {
			v.t.Errorf("%s %s: %s is %s", l.Name, how, c.effect, got.Now)
		}
		return got
	}
	enter := func() { v.run(e + `.focus()`) }
	type use struct {
		how string
		do  func()
	}
	click := use{"by pointer", func() { v.clickOn(l) }}
	key := func(name, key string) use { return use{"by " + name, func() { enter(); v.press(key) }} }
	var uses []use
	switch c.way {
	case only:
		return
	case focus:
		if v.clickOn(l); !is(`e.contains(document.activeElement)`) {
			v.t.Errorf("a click on %s does not bring the focus there", l.Name)
		}
		return
	case field:
		typed := c.typed
		if typed == "" {
			typed = eval[string](v.page, fmt.Sprintf(`(%s)(%s)`, anotherFor, e))
		}
		write := func() {
			if !is(`document.activeElement === e`) {
				v.t.Errorf("who clicks into %s is not in it", l.Name)
			}
			v.run(e + `.select()`)
			v.press(typed)
			if v.press(kb.Enter); is(`e.tagName === "TEXTAREA"`) {
				v.press(kb.Backspace)
			}
		}
		uses = []use{{"by pointer", func() { v.clickOn(l); write() }}, {"by key", func() { enter(); write() }}}
		if c.back == "" {
			c.back = `e.value = ` + eval[string](v.page, fmt.Sprintf(`JSON.stringify(%s.value)`, e))
		}
	case choice:
		if is(`e.options.length < 2`) {
			return
		}
		if c.back == "" {
			c.back = `e.value = ` + eval[string](v.page, fmt.Sprintf(`JSON.stringify(%s.value)`, e)) + `; e.dispatchEvent(new Event("change", {bubbles: true}))`
		}
		uses = []use{{"by an arrow", func() {
			enter()
			if is(`e.selectedIndex === e.options.length - 1`) {
				v.press(kb.ArrowUp)
			} else {
				v.press(kb.ArrowDown)
			}
		}}}
	case hint, into:
		uses = []use{click, {"by focus", enter}}
	case check:
		uses = []use{click, key("the space bar", " ")}
	case link:
		uses = []use{click, key("Enter", kb.Enter)}
		if strings.HasSuffix(c.at, "skips a") {
			uses = uses[1:] // it is there for the keyboard alone
		}
	case slider:
		uses = []use{key("an arrow", kb.ArrowLeft), click}
	case tab:
		if is(`e.getAttribute("aria-selected") === "true"`) {
			return
		}
		other := e + `.parentNode.querySelector("[aria-selected=true]")`
		v.run(`window.chosen = ` + other)
		c.back = `chosen.click()`
		uses = []use{click, {"by arrows", func() {
			v.run(other + `.focus()`)
			for range 4 {
				if v.press(kb.ArrowRight); is(`document.activeElement === e`) {
					return
				}
			}
		}}}
	default:
		uses = []use{click, key("Enter", kb.Enter), key("the space bar", " ")}
	}
	if strings.HasPrefix(l.Like, "pastebin ") { // in the other system the same has been used in every way
		uses = []use{uses[0], uses[len(uses)-1]}
	}
	if c.back == "" {
		c.back = `e.click()`
	}
	if c.sets != "" {
		c.before = atFirst + c.before
	}
	was, now := comes(c.before, "", true, "at rest").Now, ""
	for _, u := range uses {
		var link string
		if c.sets != "" {
			link = eval[string](v.page, `window.nudged = find("nudge-do").textContent, told()`)
		}
		u.do()
		got := comes("", was, false, u.how)
		if !got.OK {
			return
		}
		if c.sets != "" {
			is := eval[[2]string](v.page, fmt.Sprintf(`(e => [%s, told()])(%s)`, c.sets, e))
			v.tells(link, is[0], is[1], l.Name+" "+u.how)
		}
		if c.way == slider { // each goes on from where the last one came to
			was = got.Now
			continue
		}
		if now == "" {
			now = got.Now
		} else if got.Now != now {
			v.t.Errorf("%s: %s it comes to %s, and %s to %s", l.Name, uses[0].how, now, u.how, got.Now)
		}
		if c.way == hint {
			v.point(1, 1)
		}
		if !comes(c.back, was, true, "undone after being used "+u.how).OK {
			return
		}
	}
}

// tells expects that a run that was as one link says is now as another does: the same, with this set.
func (v *tour) tells(was, set, now, how string) {
	v.t.Helper()
	want := v.linked(was)
	var err error
	switch key, value, _ := strings.Cut(set, "="); key {
	case "rule":
		want, err = presets.WithRule(want, value)
	case "library":
		call, library, _ := strings.Cut(value, ",")
		want, err = presets.WithLibrary(want, call, library)
	default:
		separator, so := "?", scenario.Link{Scenario: want}.String()
		if strings.Contains(so, "?") {
			separator = "&"
		}
		want = v.linked(so + separator + set)
	}
	if err != nil {
		v.t.Fatal(err)
	}
	if got, want := (scenario.Link{Scenario: ordered(v.linked(now))}), (scenario.Link{Scenario: ordered(want)}); got.String() != want.String() {
		v.t.Errorf("%s: the run is now\n\t%s, want\n\t%s", how, got, want)
	}
}

// linked is what holds now in the run of a link that has just begun: what was set and mended since, it was in its first
// microsecond.
func (v *tour) linked(link string) scenario.Scenario {
	v.t.Helper()
	l, err := scenario.ParseLink(link)
	if err != nil {
		v.t.Fatal(err)
	}
	s := l.Scenario.Clone()
	for _, c := range s.Changes {
		if err := scenario.Set(&s, c.Path, c.Value); err != nil {
			v.t.Fatal(err)
		}
	}
	s.Changes = nil
	s.Faults = slices.DeleteFunc(s.Faults, func(f scenario.Fault) bool {
		return f.For > 0 && time.Duration(f.At+f.For) < time.Microsecond
	})
	for i := range s.Faults {
		s.Faults[i].At = scenario.Duration(time.Duration(s.Faults[i].At).Truncate(time.Microsecond))
	}
	return s
}

// ordered has the lists of a rule in one order: they are of what is counted and retried, and any other means the same.
func ordered(s scenario.Scenario) scenario.Scenario {
	slices.Sort(s.Policy.Breaker.On)
	for _, c := range s.Policy.Calls {
		slices.Sort(c.RetryOn)
	}
	return s
}

// anotherFor is something to type into a setting's field that is good there.
const anotherFor = `e => {
	const path = e.dataset.path ?? ""
	if (/threshold|ratio/.test(path)) return "0.3"
	if (/max$/.test(path)) return "9s"
	return /timeout|base|after|mean|open_for|window/.test(path) ? "7ms" : "7"
}`

// clickOn clicks the middle of a control, as far as it can be hit there.
func (v *tour) clickOn(l listed) {
	v.t.Helper()
	type place struct {
		X, Y float64
		Hit  string
	}
	e := fmt.Sprintf(`live(%d, %s)`, l.N, quoteJS(theControls[l.Kind].at))
	v.run(e + `.scrollIntoView({block: "center", behavior: "instant"})`)
	where := func() place {
		v.frames(2)
		return eval[place](v.page, fmt.Sprintf(`(e => {
			const r = e.getBoundingClientRect(), X = r.x + r.width / 2, Y = r.y + r.height / 2, hit = document.elementFromPoint(X, Y)
			return {X, Y, Hit: hit && e.contains(hit) ? "" : (hit ? called(hit) : "nothing") + " at " + X + ", " + Y}
		})(%s)`, e))
	}
	at := where()
	for range 10 { // words elsewhere on the page may just have become a line longer
		v.point(at.X, at.Y)
		was := at
		if at = where(); at == was {
			break
		}
	}
	if at.Hit != "" {
		v.t.Errorf("who points at %s hits %s", l.Name, at.Hit)
	}
	v.do("clicking "+l.Name, chromedp.MouseClickXY(at.X, at.Y))
}

// point moves the pointer to a point of the window.
func (p *page) point(x, y float64) {
	p.t.Helper()
	p.do("pointing", chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}

// quoteJS is s as a string of JavaScript.
func quoteJS(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
