//go:build browser

package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// everywhere is what every browser must do. Each check has a reader of its own, who has never been there.
var everywhere = []struct {
	name  string
	check func(t *testing.T, b *reader)
}{
	{"a paste", aPaste},
	{"figures on a page of another site", figuresElsewhere},
	{"a figure of a lesson", aFigureOfALesson},
	{"the page in a frame of another site", thePageElsewhere},
	{"the page in a sandbox", thePageInASandbox},
	{"a system of one's own", aSystem},
	{"a system of one's own in a sandbox", aSystemInASandbox},
	{"the gallery", theGallery},
	{"without a network", withoutANetwork},
	{"as one file", asOneFile},
}

// everything does all checks but those named.
func everything(t *testing.T, open func(t *testing.T) *reader, but ...string) {
	for _, c := range everywhere {
		if slices.Contains(but, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) { c.check(t, open(t)) })
	}
}

func TestInChromium(t *testing.T) {
	everything(t, func(t *testing.T) *reader {
		return &reader{driver: inChromium{openSite(t, "testdata/wasmtest.html", look{CanvasOnly: true, Keeping: true})}, t: t, patience: patience}
	}, "a paste", "a system of one's own", "the gallery", "as one file") // of which it has fuller tests
}

func TestInFirefox(t *testing.T) {
	t.Parallel() // it has a Firefox of its own
	f := startFirefox(t, map[string]any{"webgl.disabled": true, "security.fileuri.strict_origin_policy": true})
	everything(t, func(t *testing.T) *reader { return f.reader(t) })
}

func TestInWebKit(t *testing.T) {
	t.Parallel()
	everything(t, func(t *testing.T) *reader { return openWebKit(t) })
}

// What is typed is kept, listed, read, deleted and brought back. Where the browser can't draw the picture with its GPU, it
// is drawn in a simpler way, and that is said.
func aPaste(t *testing.T, b *reader) {
	b.goTo(origin + base)
	b.waitFor(`!document.getElementById("create").disabled`)
	b.waitFor(`document.querySelector("#stage canvas")`)
	if !evalIn[bool](b, `!!document.createElement("canvas").getContext("webgl2")`) {
		b.said("status", "no WebGL 2, so the picture is drawn in a simpler way")
	}

	const title, text = "from here", "naïve \U0001F329 text\nin two lines"
	b.press("#paste-title", title)
	b.press("#paste-text", text)
	b.press("#create", "\n")
	b.outcome("201")
	b.run(`document.getElementById("speed").value = "0.25"`)
	b.reload()
	b.waitFor(`document.querySelector("#paste-list a")?.textContent === ` + quote(title))
	if speed := evalIn[string](b, `document.getElementById("speed").value`); speed != "1" {
		t.Errorf("after a reload the speed is said to be %s, and it is 1", speed)
	}
	read := func() {
		t.Helper()
		b.press("#paste-list a", "\n")
		b.outcome("200")
		b.waitFor(`document.getElementById("view-title").textContent === ` + quote(title) + ` && document.getElementById("view-raw").href`)
		if got := evalIn[string](b, `fetch(document.getElementById("view-raw").href).then(r => r.text())`); got != text {
			t.Errorf("read %q, want %q", got, text)
		}
	}
	read()

	b.press("#paste-list button", "\n")
	b.outcome("204")
	b.waitFor(`!document.querySelector("#paste-list a") && document.getElementById("paste-view").hidden`)
	b.press("#undo", "\n")
	b.waitFor(`document.querySelector("#paste-list a")?.textContent === ` + quote(title))
	read()
}

// heardLast are the heights of a frame that its page has heard of last, in each of the ways to tell one.
const heardLast = `(last => [
	last(m => m.type === "stormbin:height")?.height,
	last(m => m.subject === "lti.frameResize")?.height,
	last(m => m.context === "h5p" && m.action === "resize")?.height,
	last(m => m.context === "h5p" && m.action === "resize")?.scrollHeight,
].map(height => height ?? 0))(is => heard.findLast(m => m.frame === %d && is(m)))`

// Three figures in a page of another site: each is what its address says, takes no focus and keeps nothing; the page hears
// how high each is, once for each height; and the keyboard goes through them and scrolls the page.
func figuresElsewhere(t *testing.T, b *reader) {
	address := elsewhere(t)
	b.expect("request to another host: " + address)
	links := []string{"embed.html#v1/two-service?seed=1", "embed.html#v1/two-service?seed=2&view=storm&theme=dark", "embed.html#v1/pastebin?seed=3&view=charts&controls=none"}
	b.goTo(origin + base + "testdata/wasmtest.html")
	b.run(writePaper(`src="`+address+links[0]+`"`, `src="`+address+links[1]+`" sandbox="allow-scripts"`, `src="`+address+links[2]+`"`))
	for i, want := range []string{
		"verdict stage caption pause step speed restart end timeline whole",
		"verdict storm caption pause step speed restart end timeline whole",
		"verdict charts caption pause whole",
	} {
		b.run(fmt.Sprintf(`document.querySelectorAll("iframe")[%d].scrollIntoView()`, i))
		f := b.in(address + links[i])
		if !letIn(f) {
			continue
		}
		f.waitFor(alive)
		f.waitFor(clock + ` > 0`)
		if got := evalIn[string](f, shown); got != want {
			t.Errorf("%s shows\n\t%s, want\n\t%s", links[i], got, want)
		}
		if kept := evalIn[string](f, `(async () => self.origin === "null" || JSON.stringify([await indexedDB.databases(), Object.keys(localStorage)]))().then(String)`); kept != "[[],[]]" && kept != "true" {
			t.Errorf("%s keeps %s", links[i], kept)
		}
		if at := evalIn[string](f, `location.href`); at != address+links[i] {
			t.Errorf("%s has become %s", links[i], at)
		}
		if scheme := evalIn[string](f, `getComputedStyle(document.documentElement).colorScheme`); scheme != []string{"light dark", "dark", "light dark"}[i] {
			t.Errorf("%s is %s, which is not the theme it asks for", links[i], scheme)
		}
		// A figure that plays may become a line longer between a look into it and one at what its page has heard: both are
		// taken until they agree.
		for deadline := time.Now().Add(b.patience); ; {
			height := evalIn[int](f, `Math.ceil(document.documentElement.getBoundingClientRect().height)`)
			heard := evalIn[[]int](b, fmt.Sprintf(heardLast, i))
			if !slices.ContainsFunc(heard, func(h int) bool { return h != height }) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s is %d px high, and its page has heard of %d", links[i], height, heard)
			}
		}
		f.waitFor(`document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth`) // in a frame as high as it asked for
	}
	if again := evalIn[int](b, `[0, 1, 2].map(f => heard.filter(m => m.frame === f && m.type).filter((m, i, all) => i && m.height === all[i-1].height).length).reduce((a, b) => a + b)`); again > 0 {
		t.Errorf("%d heights were told again", again)
	}
	if focus := evalIn[string](b, `document.activeElement.id`); focus != "mine" {
		t.Errorf("the focus has gone to %q", focus)
	}

	if _, is := b.driver.(inChromium); is {
		return // its debugger's keys do not leave a frame of another process
	}
	b.keys("\t")
	if _, is := b.driver.(*inFirefox); is { // where a figure is another process, and keys are lost until the focus has come there
		b.in(address + links[0]).waitFor(`document.hasFocus() && document.activeElement !== document.body`)
	}
	b.run(`scrollTo(0, 0)`)
	b.waitFor(`scrollY === 0`)
	b.keys(pageDown)
	b.waitFor(`scrollY > 0`)
	for stops := 0; evalIn[string](b, `document.activeElement.id`) != "after"; stops++ {
		if stops == 60 {
			t.Fatal("the focus does not come out of the figures")
		}
		at := b
		if frame := evalIn[string](b, `document.activeElement.src ?? ""`); frame != "" {
			at = b.in(frame)
		}
		at.keys("\t")
	}
}

// A lesson's own figures are started, and as high as they say.
func aFigureOfALesson(t *testing.T, b *reader) {
	b.goTo(origin + base + "lessons/try-again.html")
	const figure = `document.querySelector(".run iframe")`
	const inside = figure + `.contentDocument`
	b.press(".bet .skip", "\n")
	b.run(figure + `.scrollIntoView()`)
	b.waitFor(inside + `.getElementById("start").checkVisibility() && ` + inside + `.querySelector(".still img").naturalWidth > 0`)
	b.run(inside + `.getElementById("start").click()`)
	b.waitFor(`parseFloat(` + inside + `.getElementById("clock").textContent) > 0.2`)
	b.waitFor(figure + `.style.height === Math.ceil(` + inside + `.documentElement.getBoundingClientRect().height) + "px"`)
}

// frameElsewhere is a path of the site in a frame of another site's page.
func frameElsewhere(t *testing.T, b *reader, path, attributes string) *reader {
	t.Helper()
	address := elsewhere(t)
	b.expect("request to another host: " + address)
	b.goTo(origin + base + "testdata/wasmtest.html")
	b.run(writePaper(attributes + ` src="` + address + path + `"`))
	return b.in(address + path)
}

// letIn tells whether a sandboxed frame has the site's styles and scripts. In some WebKits of 2026 the site's own policy
// keeps them all out (https://bugs.webkit.org/show_bug.cgi?id=316847); then that is said.
func letIn(f *reader) bool {
	f.t.Helper()
	f.waitFor(`document.readyState === "complete" && document.querySelector(".bare")`)
	in := evalIn[bool](f, `document.documentElement.classList.contains("scripted")`)
	f.waitFor(fmt.Sprintf(`document.querySelector(".bare").checkVisibility() === %t`, !in))
	return in
}

// A frame of another site stores, but apart: what is in it may not be there outside, and the page says so.
func thePageElsewhere(t *testing.T, b *reader) {
	f := frameElsewhere(t, b, "", "")
	f.waitFor(`!document.getElementById("create").disabled`)
	f.said("store-note", "frame of another site")
	f.said("store-near", "frame")
	if !evalIn[bool](f, `document.querySelector("#store-note a").href === location.href && !!document.querySelector("#store-note button")`) {
		t.Error("there is no way out, or no export")
	}
	f.give("#paste-text", "made in a frame")
	f.click("#create")
	f.outcome("201")
	f.run(`(window.before = true, void setTimeout(() => location.reload()))`)
	f.waitFor(`!window.before && document.querySelectorAll("#paste-list a").length === 1`)
}

// A sandboxed frame may not store, copy, download or ask. The page works for as long as it is open, says so where it can't
// be missed, and there is a way out for what was made in it.
func thePageInASandbox(t *testing.T, b *reader) {
	f := frameElsewhere(t, b, "", `sandbox="allow-scripts"`)
	for _, part := range []string{"sandbox", "Download is disallowed", "Blocked", "denied", "permissions policy"} {
		f.expect(part)
	}
	if !letIn(f) {
		return
	}
	f.waitFor(`!document.getElementById("create").disabled`)
	f.said("store-note", "memory only")
	f.said("store-near", "memory only")
	link := evalIn[[]string](f, `(a => [a.href === location.href, a.target, a.rel].map(String))(document.querySelector("#store-note a"))`)
	if strings.Join(link, " ") != "true _blank noopener" {
		t.Errorf("the way out is %q", link)
	}
	f.give("#paste-text", "made in a sandbox")
	f.click("#create")
	f.outcome("201")
	f.waitFor(`document.querySelectorAll("#paste-list a").length === 1`)
	f.said("paste-where", "only in this page")
	f.give("#paste-text", "not saved")
	f.said("paste-note", "does not let this page keep anything")
	f.click("#store-note button")
	f.said("transfer-status", "1 paste exported")
	f.waitFor(`!document.getElementById("export-text").hidden && document.getElementById("export-text").value.includes("made in a sandbox")`)
	f.click("#paste-list button")
	f.outcome("204")
	f.waitFor(`document.querySelectorAll("#paste-list a").length === 0`)
	f.click("#undo")
	f.waitFor(`document.querySelectorAll("#paste-list a").length === 1`)
}

const judged = `document.getElementById("status").textContent === "" && !document.getElementById("answers").hidden`

// A system is typed, judged as the engine judges it, kept over a reload, and settings are taken over.
func aSystem(t *testing.T, b *reader) {
	b.goTo(origin + base + "system.html")
	b.waitFor(judged)
	b.press("#new-operations", "search\n")
	b.waitFor(`document.getElementById("operations-search-rate")`)
	b.waitFor(judged)
	read := func() scenario.Scenario {
		t.Helper()
		s, err := scenario.Parse([]byte(evalIn[string](b, `document.getElementById("json").value`)))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	report, err := run.Do(read())
	if err != nil {
		t.Fatal(err)
	}
	if got := evalIn[string](b, `document.getElementById("verdict").textContent`); got != metrics.Unbroken(report.Verdict) {
		t.Errorf("the verdict is\n%s, want\n%s, with no unit on another line", got, report.Verdict)
	}
	b.reload()
	b.waitFor(`document.getElementById("operations-search-rate")?.value === "10"`)
	b.waitFor(judged)
	b.run(`document.getElementById("have").open = true`)
	b.press("#have-text", "name: checkout\nroute: {cluster: db, retry_policy: {retry_on: connect-failure, num_retries: 1}}\n") // a worker reads that
	b.waitFor(`document.getElementById("have-found").textContent.includes("policy.calls.db.attempts = 2")`)
	b.press("#have-apply-0", "\n")
	b.waitFor(`!document.getElementById("before").hidden`)
	b.waitFor(judged)
	if got := read().Policy.Calls["db"].Attempts; got != 2 {
		t.Errorf("%d attempts were taken over, want 2", got)
	}
}

// In a sandbox it is judged all the same, and it is said that nothing is kept.
func aSystemInASandbox(t *testing.T, b *reader) {
	f := frameElsewhere(t, b, "system.html", `sandbox="allow-scripts"`)
	if !letIn(f) {
		return
	}
	f.waitFor(judged)
	f.give("#policy-calls-db-timeout", "200ms")
	f.waitFor(`document.getElementById("sums").textContent.includes("200ms of 1s")`)
	f.waitFor(judged)
	f.click("#save")
	f.said("shelf-status", "keeps nothing here")
}

// The gallery is searched, is so again after a reload, and leads to the run.
func theGallery(t *testing.T, b *reader) {
	const offered = `[...document.querySelectorAll(".cards > li")].filter(e => e.checkVisibility()).map(e => e.id).join(" ")`
	b.goTo(origin + base + "gallery.html")
	if got := len(strings.Fields(evalIn[string](b, offered))); got != len(scenario.List()) {
		t.Errorf("it shows %d scenarios of %d", got, len(scenario.List()))
	}
	b.press("#search", "stampede")
	b.waitFor(offered + ` === "cache-stampede"`)
	b.reload()
	b.waitFor(offered + ` === "cache-stampede"`)
	b.waitFor(`document.querySelector("#cache-stampede img").naturalWidth > 0`)
	b.press("#cache-stampede h3 a", "\n")
	b.waitFor(`document.getElementById("scenario").value === "cache-stampede"`)
	b.waitFor(clock + ` > 0`)
}

// After the first visit the site needs no network: the page starts, the world moves, a paste is written and read; and so
// it is with its other pages, under whatever address a host has them.
func withoutANetwork(t *testing.T, b *reader) {
	h := newHost(t)
	b.expect("another host: " + h.address)
	b.goTo(h.address)
	b.waitFor(siteKept)
	b.waitFor(`navigator.serviceWorker.controller`)
	b.run(`fetch("index.html").then(r => r.text())`) // it is awake: on a busy machine it may take the browser too long to start it
	h.away.Store(true)
	b.expect("icon.svg") // which browsers ask for past the service worker
	b.goTo(h.address)    // a reload by the debugger goes past the service worker
	b.waitFor(clock + ` > 0.2`)
	b.waitFor(`!document.getElementById("create").disabled`)
	b.give("#paste-text", "written with no network")
	b.click("#create")
	b.outcome("201")
	b.goTo(h.address + "index.html")
	b.waitFor(`document.querySelectorAll("#paste-list a").length === 1`)
	b.run(`startWorker("rich").then(() => 0)`)
	b.goTo(h.address + "lessons/try-again") // as some hosts have it
	b.waitFor(`document.querySelector("h1").textContent === "Should you just try again?" && getComputedStyle(document.body).fontFamily.includes("system-ui")`)
	b.goTo(h.address + "gallery.html")
	b.waitFor(`document.querySelector(".cards img").naturalWidth > 0`)
	b.goTo(h.address + "system.html")
	b.waitFor(judged)
}

// The page as one file is whole when it is opened from a disk.
func asOneFile(t *testing.T, b *reader) {
	b.goTo(singleFile(t))
	b.waitFor(`!document.getElementById("create").disabled`)
	b.waitFor(clock + ` > 0.3`)
	b.press("#paste-title", "from a file")
	b.press("#paste-text", "# from a disk")
	b.give("#paste-language", "markdown")
	b.press("#create", "\n")
	b.outcome("201")
	b.reload()
	b.waitFor(`document.querySelector("#paste-list a")?.textContent === "from a file"`)
	b.press("#paste-list a", "\n")
	b.outcome("200")
	b.waitFor(`document.getElementById("view-rendered").checkVisibility()`)
	b.press("#view-rendered", " ")
	b.waitFor(`document.querySelector("#view-markdown :is(h1, h2, h3, h4)")?.textContent === "from a disk"`)
	b.press("#seeds-run", "\n")
	b.waitFor(`document.getElementById("seeds-progress").value > 2`)
}
