//go:build browser

package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// paper is somebody else's page, with embeds of the site at an address in it, which it gives the height they ask for.
func paper(t *testing.T, address string, frames ...string) *page {
	t.Helper()
	p := openSite(t, "testdata/wasmtest.html", look{NoWebGL: true})
	p.expect("request to another host: " + address)
	p.run(writePaper(frames...))
	return p
}

// writePaper is the script that makes a page that, of the attributes of each frame. Before and after them is a field; the
// first has the focus.
func writePaper(frames ...string) string {
	all, _ := json.Marshal(frames)
	return `(() => {
		window.heard = [];
		addEventListener("message", e => {
			const frame = [...document.querySelectorAll("iframe")].findIndex(f => f.contentWindow === e.source);
			heard.push({ frame, ...e.data });
			if (e.data.type === "stormbin:height") document.querySelectorAll("iframe")[frame].style.height = e.data.height + "px";
		});
		document.body.insertAdjacentHTML("beforeend", "<p><input id=mine>" + ` + string(all) + `.map(f => "<p><iframe title=figure width=700 height=300 " + f + "></iframe>").join("") + "<p><input id=after>");
		document.getElementById("mine").focus();
	})()`
}

const alive = `!document.documentElement.classList.contains("starting")`

// shown are those of an embed's parts that can be seen.
const shown = `["verdict", "stage", "storm", "charts", "caption", "play", "pause", "step", "speed", "restart", "end", "timeline", "rule", "break", "paste", "figures", "exits", "told", "looks",
	"scenario", "link-menu", "numbers", "nudge", "compare", "unpin", "whole", "link-note", "erase-timeout"].filter(id => document.getElementById(id).checkVisibility({visibilityProperty: true})).join(" ")`

func (p *page) shown() string {
	p.t.Helper()
	return eval[string](p, shown)
}

// Whatever of a figure is under the pointer, the wheel turns the page that it is in, and keys are for that page.
func TestAnEmbedTakesNoWheelAndNoKeys(t *testing.T) {
	address := elsewhere(t)
	link := address + "embed.html#v1/two-service"
	p := paper(t, address, `src="`+link+`"`)
	f := p.frame(link)
	f.waitFor(clock + ` > 0`)
	p.run(`document.body.style.paddingBottom = "3000px"; scrollTo(0, 0)`)
	p.frames(2)
	top := eval[float64](p, `document.querySelector("iframe").getBoundingClientRect().top`)
	p.wheel(300, top+200, 120)
	p.waitFor(`scrollY > 0`)
	p.typeIn("#mine", " .1r")
	if got := eval[string](p, `document.getElementById("mine").value`); got != " .1r" {
		t.Errorf("of what was typed beside it came %q", got)
	}
	if eval[bool](f, paused) {
		t.Error("a key pressed outside has paused it")
	}
}

// theProgram is the page's, by the name it is deployed with.
var theProgram = regexp.MustCompile(`/playground[^/]*wasm`)

// The program is loaded when its figure comes into sight, and with autoplay=0 when it is asked for: until then there is a still
// picture. From then on it is the reader's, by keys as well.
func TestAnEmbedWaits(t *testing.T) {
	address, when := watched(t)
	link := address + "embed.html#v1/two-service?seed=4"
	p := paper(t, address, `style="margin-top: 6000px" src="`+link+`"`)
	f := p.frame(link)
	f.waitFor(`document.getElementById("start")`)
	p.waitFor(`heard.length > 0`) // it is there, but for the program
	p.frames(30)
	if asked, _ := when(theProgram); asked > 0 {
		t.Error("out of sight, and the program is loaded")
	}
	if got := f.shown(); got != "whole" || !eval[bool](f, `document.querySelector(".still img").checkVisibility({visibilityProperty: true})`) {
		t.Errorf("before it is started it shows %s", got)
	}
	p.run(`document.querySelector("iframe").scrollIntoView()`)
	f.waitFor(clock + ` > 0`)

	if asked, _ := when(theProgram); asked == 0 {
		t.Error("it runs, and the program was never asked for")
	}

	address, when = watched(t)
	still := open(t, chromium, address+"embed.html#v1/two-service?t=3s&autoplay=0", look{NoWebGL: true, ReducedMotion: true}, chromedp.WithNewBrowserContext())
	still.expect("request to another host: " + address)
	still.waitFor(`document.getElementById("start").checkVisibility()`)
	still.frames(30)
	if asked, _ := when(theProgram); asked > 0 || eval[int](still, `document.querySelector(".still").getBoundingClientRect().height`) < 200 {
		t.Error("with autoplay=0 the program is loaded, or there is no picture")
	}
	still.run(`document.getElementById("start").focus()`)
	still.press(kb.Enter)
	still.waitFor(clock + ` > 3`)
	still.waitFor(`document.activeElement.id === "pause"`)
	still.press(kb.Enter)
	still.waitFor(paused)
	still.run(`document.getElementById("time").focus()`)
	for _, step := range []struct{ key, to string }{{kb.Home, "0.0 s"}, {kb.ArrowRight, "0.1 s"}, {kb.End, "30.0 s"}, {kb.ArrowLeft, "29.9 s"}} {
		still.press(step.key)
		still.clock(step.to)
	}
}

// Who has gone to the button of an embed that loads goes on from the one that takes its place.
func TestAnEmbedsStartGivesItsFocusOn(t *testing.T) {
	for id, reduced := range map[string]bool{"pause": false, "play": true} {
		p := openSite(t, "embed.html#v1/two-service", look{NoWebGL: true, ReducedMotion: reduced,
			Script: `addEventListener("DOMContentLoaded", () => document.getElementById("start").focus())`})
		p.waitFor(alive)
		p.waitFor(`document.activeElement.id === ` + quote(id))
	}
}

// On a phone the preview of an embed is wider than its box, and what has the focus in it can be seen.
func TestTheFocusInAPreviewIsSeen(t *testing.T) {
	p := openSite(t, "#v1/two-service", look{NoWebGL: true, Width: 360, Height: 800})
	p.waitFor(alive)
	p.run(`document.getElementById("link-menu").open = document.getElementById("embed-menu").open = true`)
	const preview = `document.querySelector("#embed-preview iframe")`
	p.waitFor(preview + `?.contentDocument.getElementById("speed") && !` + preview + `.contentDocument.documentElement.classList.contains("starting")`)
	for _, id := range []string{"speed", "restart", "whole", "pause"} {
		p.run(fmt.Sprintf(`%s.contentWindow.focus(); %[1]s.contentDocument.getElementById("%s").focus()`, preview, id))
		p.waitFor(fmt.Sprintf(`((e, around) => e.left >= around.scrollLeft && e.right <= around.scrollLeft + around.clientWidth)(
			%s.contentDocument.getElementById("%s").getBoundingClientRect(), document.getElementById("embed-preview"))`, preview, id))
	}
}

// An embed for who wants little motion is paused, and can be started; what moves can be paused whatever its author allows.
func TestAnEmbedAndMotion(t *testing.T) {
	p := openSite(t, "embed.html#v1/two-service?controls=none", look{NoWebGL: true, ReducedMotion: true})
	p.waitFor(alive)
	p.waitFor(paused)
	if now := p.text("#clock"); now != "0.0 s" {
		t.Errorf("it is at %s", now)
	}
	p.click("#play")
	p.waitFor(clock + ` > 0`)
	p.run(`document.getElementById("figure").focus()`)
	for _, key := range []string{"p", "2", "r", "?"} { // of controls that its author has not allowed
		p.press(key)
	}
	p.press(" ")
	p.waitFor(paused)
	if got := p.shown(); got != "verdict stage caption play whole" || eval[bool](p, twoRuns) {
		t.Errorf("after keys that it does not have it shows %s", got)
	}
}

// An author chooses the controls; all of it can be read and used on a phone and in both themes.
func TestAnEmbedsControls(t *testing.T) {
	for _, c := range []struct {
		of   look
		link string
		want string
	}{
		{look{NoWebGL: true}, "#v1/two-service", "verdict stage caption pause step speed restart end timeline whole"},
		{look{NoWebGL: true, Width: 320, Height: 640}, "#v1/two-service?controls=policy,faults&theme=dark", "verdict stage caption pause rule break whole"},
		{look{NoWebGL: true, Dark: true}, "#v1/pastebin?controls=scrub,faults&view=storm&lang=en&t=500ms", "verdict storm caption play timeline break whole"},
		{look{NoWebGL: true}, "#v1/two-service?controls=policy&view=storm", "verdict storm caption pause rule whole erase-timeout"},
		{look{NoWebGL: true}, "#v1/two-service?controls=plai,scrub&view=storms", "verdict stage caption pause timeline whole link-note"},
		{look{NoWebGL: true}, "#v1/two-service?controls=plai", "verdict stage caption pause step speed restart end timeline whole link-note"},
		{look{NoWebGL: true}, "#v1/two-service?controls=none&against=two-service&policy.calls.b.attempts=1&view=compare", "verdict stage caption pause compare whole"},
	} {
		t.Run(c.link, func(t *testing.T) {
			p := openSite(t, "embed.html"+c.link, c.of)
			p.waitFor(alive)
			p.frames(3)
			if got := p.shown(); got != c.want {
				t.Errorf("%s shows\n\t%s, want\n\t%s", c.link, got, c.want)
			}
			if two := strings.Contains(c.link, "against"); eval[bool](p, twoRuns) != two {
				t.Errorf("%s shows two runs: %t, want %t", c.link, !two, two)
			}
			if found := p.axe(); found != "" {
				t.Errorf("%s:\n%s", c.link, found)
			}
			if over := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
				t.Errorf("%s: %d px too wide", c.link, over)
			}
			p.screenshot("embed-" + strings.NewReplacer("#", "", "/", "-", "?", "-", "&", "-", "=", "-", ",", "-").Replace(c.link))
		})
	}
}

// The line under an embed leads to the same run in the whole page, in another tab.
func TestAnEmbedLeadsToTheWholePage(t *testing.T) {
	p := openSite(t, "embed.html#v1/two-service?operations.call.arrivals=even&fault=b,slow*8,1s,3s&t=5s&theme=dark&controls=policy", look{NoWebGL: true})
	p.waitFor(alive)
	p.at("5.0 s")
	p.run(`document.getElementById("whole").focus()`)
	link := eval[string](p, `(a => a.target === "_blank" && a.rel === "noopener" && a.href)(document.getElementById("whole"))`)
	if want := origin + base + "index.html#v1/two-service?operations.call.arrivals=even&fault=b,slow*8,1s,3s&t=5s"; link != want {
		t.Errorf("it leads to\n\t%s, want\n\t%s", link, want)
	}
	whole := p.tab(strings.TrimPrefix(link, origin+base), look{NoWebGL: true})
	whole.at("5.0 s")
	if is, was := whole.cells(), p.cells(); is != was {
		t.Errorf("there it has %s, here %s", is, was)
	}
}

// Whatever is shown above it, the link to the whole page lies over nothing and under nothing.
func TestTheLineUnderAnEmbedIsFree(t *testing.T) {
	p := openSite(t, "embed.html#v1/two-service?autoplay=0", look{Width: 640, Height: 800, NoWebGL: true})
	for i, link := range []string{"", "two-service", "two-service?view=storm&controls=play", "pastebin", "pastebin?view=slots", "two-service?view=charts&controls=play,scrub,policy", "two-service?controls=policy,faults", "two-servic"} {
		if i > 0 {
			p.goTo("about:blank")
			p.goTo(origin + base + "embed.html#v1/" + link)
			p.waitFor(alive)
			p.waitFor(`document.getElementById("whole").checkVisibility()`)
		}
		for _, width := range []int64{640, 360} {
			p.look(look{Width: width, Height: 800, NoWebGL: true})
			p.frames(2)
			if over := eval[string](p, `(() => {
				const whole = document.getElementById("whole");
				whole.scrollIntoView({ block: "center" });
				const at = whole.getBoundingClientRect();
				return [...document.querySelectorAll("body *")].filter(e => !e.contains(whole) && !whole.contains(e) && !e.closest("svg, .top") && e.checkVisibility({ visibilityProperty: true })).filter(e => {
					const range = document.createRange(); // of its own words
					range.selectNodeContents(e);
					const rects = parseFloat(getComputedStyle(e).borderTopWidth) > 0 ? [e.getBoundingClientRect()] :
						[...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) ? [...range.getClientRects()] : [];
					return rects.some(r => r.left < at.right && at.left < r.right && r.top < at.bottom && at.top < r.bottom);
				}).map(e => e.outerHTML.slice(0, 80)).join("; ");
			})()`); over != "" {
				t.Errorf("%s, %d px wide: it meets %s", link, width, over)
			}
		}
	}
}

// A link that an embed can't follow is all that it speaks of; another address in the same frame mends it.
func TestAnEmbedOfABadLink(t *testing.T) {
	p := openSite(t, "embed.html#v1/two-servic", look{NoWebGL: true})
	p.waitFor(`document.getElementById("link-note").textContent.includes("no scenario")`)
	p.waitFor(alive)
	if got := p.shown(); got != "whole link-note" {
		t.Errorf("it shows %s", got)
	}
	if eval[bool](p, `document.getElementById("whole").getAttribute("href") !== "index.html#v1/two-servic"`) {
		t.Error("the line under it leads elsewhere")
	}
	p.run(`location.hash = "#v1/two-service?theme=dark&view=storm"`)
	p.waitFor(`document.getElementById("link-note").hidden && document.documentElement.dataset.theme === "dark"`)
	p.waitFor(`document.getElementById("storm").checkVisibility()`)
	p.waitFor(clock + ` > 0`)
	for _, no := range []string{"#p/abc", "#rule"} {
		p.run(`location.hash = "` + no + `"`)
		p.waitFor(`document.getElementById("link-note").textContent.includes("nothing that can be shown here")`)
	}
}

// In a sandbox that takes its origin away a figure needs a header of its host; where that is missing it says which.
func TestASandboxedEmbedWithoutTheHeader(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir(dist)))
	t.Cleanup(server.Close)
	address := strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + "/"
	p := paper(t, address, `sandbox="allow-scripts" src="`+address+`embed.html#v1/two-service"`)
	f := p.frame(address + "embed.html")
	f.expect("CORS")
	f.expect("net::ERR_FAILED")
	f.expect("sandboxed frame")
	f.waitFor(`document.getElementById("status").textContent.includes("Access-Control-Allow-Origin") && document.getElementById("status").checkVisibility()`)
	p.run(`document.querySelector("iframe").style.width = "320px"`)
	f.waitFor(`innerWidth === 320`)
	if high := eval[float64](f, `document.documentElement.getBoundingClientRect().height`); high > 624 {
		t.Errorf("it is %v px high, and the README says that 624 are enough", high)
	}
}

// The page writes the HTML for an embed, and shows the figure as it will be, which costs the reader no step of Back.
func TestTheEmbedMenu(t *testing.T) {
	p := ready(t, "#v1/two-service?seed=7&policy.calls.b.attempts=2", look{NoWebGL: true, Height: 800, Width: 1280})
	steps := eval[int](p, `history.length`)
	p.click("#link-menu > summary")
	p.click("#embed-menu > summary")
	const frame = `new DOMParser().parseFromString(document.getElementById("embed-code").value, "text/html").querySelector("iframe")`
	const preview = `document.querySelector("#embed-preview iframe")`
	p.waitFor(frame + `.src === ` + quote(origin+base+"embed.html#v1/two-service?seed=7&policy.calls.b.attempts=2&view=path"))
	p.waitFor(preview + `.contentDocument.getElementById("seed").textContent === "7"`)
	p.waitFor(frame + `.height === String(Math.ceil(` + preview + `.contentDocument.documentElement.getBoundingClientRect().height)) && ` + frame + `.title && ` + frame + `.loading === "lazy" && ` + frame + `.width === "100%"`)
	// Nothing of it scrolls, though nobody has looked at it yet; and the height that is written is enough in a wider column.
	for _, of := range []string{"slots", "charts", "storm", "path"} {
		p.set("#embed-view", of)
		p.waitFor(`(d => d.querySelector("[data-look=` + of + `]").ariaSelected === "true" && d.documentElement.getBoundingClientRect().height > 700)(` + preview + `.contentDocument)`)
		p.waitFor(preview + `.contentWindow.innerHeight === Number(` + frame + `.height) && [` + preview + `.contentDocument.documentElement, document.getElementById("embed-preview")].every(e =>
			e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth)`)
		for _, column := range []int{680, 720, 760, 800} {
			if higher := eval[int](p, fmt.Sprintf(`(f => {
				const high = () => f.contentDocument.documentElement.getBoundingClientRect().height, narrow = high();
				f.style.width = "%dpx";
				const wide = high();
				f.style.width = "";
				return Math.ceil(wide - narrow) })(%s)`, column, preview)); higher > 0 {
				t.Errorf("%s is %d px higher in a column of %d px than the frame that is written", of, higher, column)
			}
		}
		if of == "charts" { // drawn once they are in sight
			written := eval[string](p, frame+`.height`)
			p.run(preview + `.scrollIntoView()`)
			p.waitFor(preview + `.contentDocument.querySelector(".chart h3").textContent`)
			if drawn := eval[string](p, `String(Math.ceil(`+preview+`.contentDocument.documentElement.getBoundingClientRect().height))`); drawn != written {
				t.Errorf("the charts are %s px high when they are drawn, and %s were written", drawn, written)
			}
		}
	}
	p.push("#embed-copy")
	p.waitFor(`document.getElementById("embed-copied").textContent`)
	p.push("[data-control=policy]")
	p.said("embed-copied", "It has changed since: copy it again.")
	p.set("#embed-theme", "dark")
	p.set("#embed-view", "storm")
	p.waitFor(frame + `.src.endsWith("&view=storm&controls=play,scrub,policy&theme=dark")`)
	p.waitFor(preview + `.contentDocument.documentElement.dataset.theme === "dark" && ` + preview + `.contentDocument.getElementById("storm").checkVisibility() && ` + preview + `.contentDocument.getElementById("rule").checkVisibility()`)
	if got := eval[int](p, `history.length`); got != steps {
		t.Errorf("Back has %d steps more", got-steps)
	}
	picture := eval[[]string](p, `(d => [d.querySelector("a").href, d.querySelector("a > img").src, d.querySelector("img").alt])(new DOMParser().parseFromString(document.getElementById("embed-picture").value, "text/html"))`)
	if picture[0] != origin+base+"#v1/two-service?seed=7&policy.calls.b.attempts=2&view=storm" || !strings.HasSuffix(picture[1], "/stormbin.png") || picture[2] == "" ||
		!strings.Contains(p.text("#embed-picture-own"), "stormbin.png") {
		t.Errorf("the picture is %q", picture)
	}
	if found := p.axe(); found != "" {
		t.Error(found)
	}
	p.screenshot("embed-menu")
	p.run(preview + `.focus()`) // whoever goes on from there has the page before them, too
	p.onto("#pin")
	p.waitFor(`!document.getElementById("link-menu").open`)
	p.click("#link-menu > summary")
	p.press(kb.Escape)
	p.waitFor(`!` + preview)
}

// In a column for which a height is written into somebody's page nothing that is said takes more of it.
func TestAnEmbedKeepsItsHeight(t *testing.T) {
	p := openSite(t, "embed.html#v1/two-service?t=1s", look{NoWebGL: true, Width: 640, Height: 600})
	p.waitFor(alive)
	high := map[string]string{}
	for _, at := range []string{"1.0 s", "6.5 s", "9.0 s"} {
		p.run(`location.hash = "#v1/two-service?t=` + strings.ReplaceAll(at, " ", "") + `"`)
		p.waitFor(`document.getElementById("clock").textContent === "` + at + `" && document.getElementById("verdict").textContent`)
		high[at] = fmt.Sprintf("%d px: %s", eval[int](p, `Math.ceil(document.documentElement.getBoundingClientRect().height)`), p.text("#verdict"))
	}
	if px, _, _ := strings.Cut(high["1.0 s"], ":"); !strings.HasPrefix(high["6.5 s"], px) || !strings.HasPrefix(high["9.0 s"], px) {
		t.Errorf("it changes its height: %q", high)
	}
	if !strings.Contains(high["6.5 s"], "less than a second") {
		t.Errorf("nothing long is said: %q", high)
	}

	lms := openSite(t, "testdata/wasmtest.html", look{Width: 700, Height: 700})
	lms.run(`window.heights = []; addEventListener("message", e => { if (e.data?.type === "stormbin:height") heights.push(e.data.height) })`)
	lms.run(`document.body.innerHTML = "<iframe title=figure width=640 height=752></iframe>"; document.querySelector("iframe").src = ` + quote(base+"embed.html#v1/two-service"))
	lms.waitFor(`(d => d.readyState === "complete" && d.querySelector(".still") && !d.documentElement.classList.contains("starting"))(document.querySelector("iframe").contentDocument)`)
	lms.frames(10)
	if heights := eval[[]int](lms, `heights`); !slices.Equal(heights, []int{752}) {
		t.Errorf("from its start on it tells these heights: %v, and the README says 752", heights)
	}
}

// The script of the README gives a frame the height that its figure needs, with a border and without, whatever its height counts.
func TestTheReadmesScriptGivesAFrameItsHeight(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	script := regexp.MustCompile("<script>(.*)</script>").FindSubmatch(readme)
	if script == nil {
		t.Fatal("the README has no script")
	}
	p := openSite(t, "testdata/wasmtest.html", look{NoWebGL: true, Width: 700, Height: 700})
	p.run(string(script[1]))
	for _, style := range []string{"", "border: 0", "border: 5px solid", "box-sizing: border-box", "box-sizing: border-box; border: 5px solid", "box-sizing: border-box; border: 0"} {
		p.run(`document.body.innerHTML = "<iframe title=figure width=600 height=300 style='` + style + `'></iframe>"; document.querySelector("iframe").src = ` + quote(base+"embed.html#v1/two-service?controls=play"))
		p.waitFor(`(f => f.contentDocument.querySelector(".still") && !f.contentDocument.documentElement.classList.contains("starting") &&
			f.contentWindow.innerHeight === Math.ceil(f.contentDocument.documentElement.getBoundingClientRect().height))(document.querySelector("iframe"))`)
	}
}

// Of a built-in run that nothing was changed in the site has a picture, which a page may show where no frame is allowed.
func TestThePictureOfABuiltInRun(t *testing.T) {
	p := ready(t, "#v1/recovery", look{NoWebGL: true, ReducedMotion: true})
	p.click("#link-menu > summary")
	p.click("#embed-menu > summary")
	p.waitFor(`document.getElementById("embed-picture").value`)
	html := eval[string](p, `document.getElementById("embed-picture").value`)
	if eval[bool](p, `document.getElementById("embed-picture-own").checkVisibility()`) {
		t.Error("it asks for a picture that the site has")
	}
	lms := openSite(t, "testdata/wasmtest.html", look{NoWebGL: true})
	lms.run(`document.body.insertAdjacentHTML("beforeend", ` + quote(html) + `)`)
	lms.waitFor(`document.querySelector("a > img").naturalWidth > 0`)
	lms.click("a > img")
	lms.waitFor(`document.getElementById("scenario")?.value === "recovery"`)
}

// Until it is started a figure shows its own run where the site has a picture of that, and else one of no run at all: also when
// the address becomes another before. In a page of the same site it says what that calls it. The picture is there before the
// program is asked for, and nothing moves when that takes its place.
func TestAnEmbedsStill(t *testing.T) {
	const own, none = "stills/recovery.svg", "still.svg"
	still := func(p *page, link, want string) {
		t.Helper()
		p.waitFor(`(i => i?.naturalWidth > 0 && i.getAttribute("src") === ` + quote(want) + ` && !i.alt === ` + fmt.Sprint(want == none) + `)(document.querySelector(".still img"))`)
		if eval[bool](p, `(i => i.bottom > document.getElementById("start").getBoundingClientRect().top || i.height < 150)(document.querySelector(".still img").getBoundingClientRect())`) {
			t.Errorf("%s: the button hides some of the picture, or that is small", link)
		}
		if found := p.axe(); found != "" {
			t.Errorf("%s:\n%s", link, found)
		}
	}
	p := openSite(t, "embed.html#v1/recovery?autoplay=0", look{NoWebGL: true, Width: 640, Height: 700})
	for _, c := range []struct{ link, want string }{
		{"#v1/recovery?autoplay=0", own},
		{"#v1/recovery?policy.calls.b.attempts=2&autoplay=0", none},
		{"#v1/recovery?t=3s&view=storm&against=recovery-no-retries&controls=none&theme=dark&autoplay=0", own},
		{"#v1/recovery%3Fseed=2%26autoplay=0", none},
		{"#v1/recovery&autoplay=0", none},
		{"#v1/no-such-scenario?autoplay=0", none},
		{"", "stills/two-service.svg"},
	} {
		p.run(`location.hash = ` + quote(c.link))
		still(p, c.link, c.want)
	}

	for _, link := range []string{"#v1/recovery", "#v1/recovery?view=charts", "#v1/recovery?view=storm&policy.calls.b.attempts=2", "#v1/recovery?view=compare&against=recovery-no-retries"} {
		address, when := watched(t)
		p := open(t, chromium, address+"no-such-page", look{NoWebGL: true, Width: 320, Height: 700, ReducedMotion: true}, chromedp.WithNewBrowserContext())
		p.expect("404")
		p.expect("request to another host: " + address)
		p.run(`document.body.innerHTML = "<iframe title=figure width=300 height=650></iframe>"; document.querySelector("iframe").src = ` + quote("/embed.html"+link))
		const inside = `document.querySelector("iframe").contentWindow`
		p.waitFor(inside + `.document.querySelector(".still")`)
		p.run(`(w => { w.moved = 0; new w.PerformanceObserver(all => all.getEntries().forEach(e => w.moved += e.value)).observe({ type: "layout-shift", buffered: true }) })(` + inside + `)`)
		p.waitFor(`(d => d.readyState === "complete" && !d.documentElement.classList.contains("starting"))(` + inside + `.document)`)
		p.frames(10)
		if name := eval[string](p, inside+`.document.getElementById("still-name").textContent`); name != "figure" {
			t.Errorf("%s: before it is started it says %q, and the page around it calls it a figure", link, name)
		}
		if moved := eval[float64](p, inside+`.moved`); moved > .05 {
			t.Errorf("%s: when the program takes over, things move by %v", link, moved)
		}
		_, there := when(regexp.MustCompile(`still`))
		if asked, _ := when(theProgram); there == 0 || asked == 0 || asked < there {
			t.Errorf("%s: the program was asked for in turn %d, and the picture was there in turn %d; want it earlier", link, asked, there)
		}
	}
}

// frame is the one in a page that is of another site, or of none, by its address.
func (p *page) frame(address string) *page {
	p.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		infos, err := chromedp.Targets(p.ctx)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, info := range infos {
			if info.Type != "iframe" || !strings.HasPrefix(info.URL, address) {
				continue
			}
			ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(info.TargetID))
			inner := &page{t: p.t, ctx: ctx, patience: patience}
			p.t.Cleanup(func() { inner.check(); cancel() })
			if err := chromedp.Listen(ctx, inner.hear); err != nil {
				p.t.Fatal(err)
			}
			site, _, _ := strings.Cut(address[len("http://"):], "/")
			inner.expect("request to another host: http://" + site)
			return inner
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("there is no frame of %s", address)
		}
	}
}
