//go:build browser

package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// at waits until the page stands at a time, as its clock writes it.
func (p *page) at(clock string) {
	p.t.Helper()
	p.waitFor(`document.getElementById("clock").textContent === ` + quote(clock) + ` && !document.querySelector("#clock[aria-busy=true]")`)
	p.frames(3)
}

// ranTo is the run that a link names, at a time.
func ranTo(t *testing.T, link string, to time.Duration) *run.Run {
	t.Helper()
	l, err := scenario.ParseLink(link)
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.New(l.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	for !r.Advance(to, 1_000_000) {
	}
	return r
}

// note is what is said about the address; "" if nothing is.
func (p *page) note() string {
	p.t.Helper()
	return eval[string](p, `(e => e.hidden ? "" : e.textContent)(document.getElementById("link-note"))`)
}

const paused = `!document.getElementById("play").hidden && document.getElementById("pause").hidden`

// What a link opens is the run that the engine has for it, at the time and in the view that it names, paused there; what it
// says besides is told. The page leaves the address as it is, and gives away one that opens the same.
func TestALinkOpensItsRun(t *testing.T) {
	const link = "#v1/two-service?operations.call.arrivals=even&policy.calls.b.attempts=2&fault=b,slow*8,2s,3s&10s@policy.calls.b.attempts=1&t=20s&view=storm"
	run := ranTo(t, link, 20*time.Second)
	want := cellsOf(run)
	p := ready(t, link+"&utm_source=mail", look{NoWebGL: true})
	p.at("20.0 s")
	p.waitFor(paused)
	if got := p.cells(); got != want {
		t.Errorf("the page has %s, the run %s", got, want)
	}
	if !eval[bool](p, `document.getElementById("look-storm").ariaSelected === "true" && !document.getElementById("storm").hidden && document.getElementById("stage").hidden`) {
		t.Error("it is not opened as a storm")
	}
	if says := p.note(); !strings.Contains(says, "utm_source=mail") {
		t.Errorf("of what it left out it says %q", says)
	}
	if hash := eval[string](p, `location.hash`); hash != link+"&utm_source=mail" {
		t.Errorf("the address has become %s", hash)
	}

	p.click("#link-menu > summary")
	p.push("#link-timed")
	given := eval[string](p, `document.getElementById("link-field").value`)
	if given != origin+base+link {
		t.Errorf("it gives away\n\t%s, want\n\t%s", given, origin+base+link)
	}

	p.push("#slow-3s")
	p.toTheEnd("30.0 s")
	if err := run.Break(scenario.Fault{Target: "b", Kind: "slow", Factor: 8, For: scenario.Duration(3 * time.Second)}); err != nil {
		t.Fatal(err)
	}
	for !run.Advance(30*time.Second, 1_000_000) {
	}
	if got := p.cells(); got != cellsOf(run) {
		t.Errorf("with B slow once more the page has %s, the run %s", got, cellsOf(run))
	}
}

// What was done to a run is in its link, and when; it replays to the same numbers, under a fault and a change of the rule.
func TestThePlayedRunsLinkReplaysIt(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true, ReducedMotion: true}) // paused, at 0
	p.push("#slow-3s")
	p.toTheEnd("30.0 s")
	p.set("#policy-calls-b-attempts", "1")
	p.set("#policy-calls-b-attempts", "2")
	p.toTheEnd("1 min 0 s")
	p.click("#link-menu > summary")
	p.push("#link-timed")
	given := eval[string](p, `document.getElementById("link-field").value`)
	_, link, _ := strings.Cut(given, "#")
	again := p.tab("#"+link, look{NoWebGL: true, ReducedMotion: true})
	again.at("1 min 0 s")
	if was, is := p.cells(), again.cells(); was != is {
		t.Errorf("%s\nhas %s, the run that it is of %s", given, is, was)
	}
}

// A link that was cut may still be one, to another run: what it makes of its scenario is said beside the verdict, and what is
// written of the scenario itself is said to be of how it began, where it would be false. The reader's own changes are said
// there too.
func TestALinkSaysWhatItChanges(t *testing.T) {
	p := ready(t, "#v1/two-service?policy.calls.b.attempts=1", look{NoWebGL: true, ReducedMotion: true, Width: 1280, Height: 900})
	const aside = `(e => e.checkVisibility() && getComputedStyle(e, "::before").content === "none")(document.querySelector(".aside[data-for=two-service]"))`
	const words = "“A calls B”, changed: "
	says := func(want string, asideToo bool) {
		t.Helper()
		p.waitFor(`(e => e.checkVisibility() ? e.textContent : "")(document.getElementById("named")) === ` + quote(want))
		if eval[bool](p, aside) != asideToo {
			t.Errorf("where it says %q what is written of the scenario is said as if it were so: %t", want, !asideToo)
		}
	}
	says(words+"1 attempt on b.", false)
	for _, l := range []look{{Width: 1280, Height: 900}, {Width: 360, Height: 740, Dark: true}} {
		p.look(l)
		if low := eval[string](p, `["named", "stage", "play"].filter(id => document.getElementById(id).getBoundingClientRect().bottom > innerHeight).join(" ")`); low != "" && !(l.Width < 720 && low == "play") {
			t.Errorf("below the first %d px are %s", l.Height, low)
		}
		if eval[bool](p, `document.getElementById("named").getBoundingClientRect().height > 60 || document.documentElement.scrollWidth > document.documentElement.clientWidth`) {
			t.Errorf("at %d px it is no small line", l.Width)
		}
		if found := p.axe(); found != "" {
			t.Error(found)
		}
		p.screenshot(fmt.Sprint("link-changed-", l.Width))
	}
	p.set(attempts, "2")
	says(words+"2 attempts on b.", false)
	p.set(attempts, "4")
	says("A calls B", true)
	p.run(`location.hash = "#v1/two-service?fault=b,slow*8,3s"`)
	says(words+"B 8× slower at 3.0 s.", true)
	p.run(`location.hash = "#v1/two-service"`)
	says("A calls B", true)
	p.run(`location.hash = ""`)
	p.waitFor(`document.getElementById("nudge").checkVisibility()`)
	says("", true)
	p.set(attempts, "3")
	says("", false) // the reader knows, and the line above the numbers is for what to do next

	embed := openSite(t, "embed.html#v1/two-service?policy.calls.b.attempts=1&t=0s", look{NoWebGL: true})
	embed.waitFor(alive)
	if got := embed.text("#caption"); got != words+"1 attempt on b." {
		t.Errorf("under an embed of it stands %q", got)
	}
}

// What a link says more than once, and a time that no run comes to, are told, and what holds instead.
func TestALinkThatContradictsItself(t *testing.T) {
	p := ready(t, "#v1/two-service?seed=7&policy.calls.b.attempts=3&policy.calls.b.attempts=2&view=storm&view=path", look{NoWebGL: true, ReducedMotion: true})
	if says := p.note(); !strings.Contains(says, "policy.calls.b.attempts=2") || !strings.Contains(says, "view=path") || strings.Contains(says, "seed") {
		t.Errorf("it says %q", says)
	}
	if got := eval[string](p, `document.querySelector("`+attempts+`").value`); got != "2" {
		t.Errorf("there are %s attempts", got)
	}
	p.run(`location.hash = "#v1/two-service?t=99h"`)
	p.waitFor(`document.getElementById("link-note").textContent.includes(" ` + fmt.Sprint(run.Limit.Hours()) + ` h: it is opened at its end")`)
}

// Each link that can't be followed says why, where it can't be missed, and that what is there is something else.
func TestBadLinks(t *testing.T) {
	own, _ := scenario.Find("two-service")
	own.ID = "mine"
	packed := (scenario.Link{Scenario: own}).String()
	bad := []struct{ link, says string }{
		{"#v2/two-service", "version"},
		{"#v1/", "cut"},
		{"#v1/two-servic", "no scenario"},
		{"#v1/two-service?policy.calls.b.atempts=1", "atempts"},
		{"#v1/two-service?policy.calls.b.attempts=0", "attempts"},
		{packed[:len(packed)-20], "cut"},
		{packed[:20] + "AAAA" + packed[24:], "altered"},
	}
	for _, l := range []look{{NoWebGL: true}, {NoWebGL: true, Width: 320, Height: 640}} {
		p := ready(t, bad[0].link, l)
		for _, c := range bad {
			p.run(`location.hash = ` + quote(c.link))
			p.waitFor(`document.getElementById("link-note").textContent.includes(` + quote(c.says) + `)`)
			if says := p.note(); !strings.Contains(says, "What is on show here is not what the link names.") {
				t.Errorf("%s: %q", c.link, says)
			}
			if !eval[bool](p, `(r => r.top >= 0 && r.top < innerHeight / 2 && r.height > 20)(document.getElementById("link-note").getBoundingClientRect())`) {
				t.Errorf("%s: the note can't be seen", c.link)
			}
			if over := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
				t.Errorf("%s: %d px too wide", c.link, over)
			}
		}
		p.run(`location.hash = "#v1/queue"`)
		p.waitFor(`document.getElementById("scenario").value === "queue" && document.getElementById("link-note").hidden`)
		p.run(`location.hash = "#v"`)
		p.waitFor(`document.getElementById("link-note").textContent.startsWith("This address names nothing") && !document.getElementById("link-note").hidden`)
		p.run(`location.hash = "#paste"`) // a place in the page
		p.waitFor(`document.getElementById("link-note").hidden`)
	}
}

// Another link in the same tab opens another run, each time from its beginning; Back and Forward go where they say, and in
// the end to what was there before; nothing of it costs a draft.
func TestLinksInOneTab(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.waitFor(`!document.getElementById("create").disabled`)
	p.set("#paste-text", "a draft")
	p.set("#policy-calls-b-attempts", "3")
	seed := func(want string) {
		t.Helper()
		p.waitFor(`document.getElementById("seed").textContent === ` + quote(want))
		if got := p.typed(); got != "a draft" {
			t.Errorf("at seed %s the draft is %q", want, got)
		}
	}
	p.run(`location.hash = "#v1/two-service?seed=7"`)
	seed("7")
	p.set("#policy-calls-b-attempts", "2")
	p.run(`location.hash = "#v1/pastebin?seed=8&t=0s"`)
	seed("8")
	p.waitFor(paused)
	p.run(`history.back()`)
	seed("7")
	p.waitFor(`document.getElementById("policy-calls-b-attempts").value === "4"`)
	p.run(`history.back()`)
	seed("1")
	p.waitFor(`document.getElementById("policy-calls-b-attempts").value === "3"`)
	p.run(`history.forward()`)
	seed("7")
	if got := p.text("#paste-status"); got != "" {
		t.Errorf("the desk says %q", got)
	}
}

// A scenario of somebody's own is among those to choose from once a link has brought it, and it is found again.
func TestALinkToAScenarioOfOnesOwn(t *testing.T) {
	own, _ := scenario.Find("two-service")
	own.ID, own.Seed = "mine", 9
	p := ready(t, (scenario.Link{Scenario: own}).String(), look{NoWebGL: true})
	p.waitFor(`document.getElementById("seed").textContent === "9"`)
	if got := eval[string](p, `document.getElementById("scenario").selectedOptions[0].textContent`); got != "Your own: mine" {
		t.Errorf("it is called %q", got)
	}
	p.set("#scenario", "queue")
	p.waitFor(`document.getElementById("seed").textContent === "1"`)
	p.set("#scenario", "mine")
	p.waitFor(`document.getElementById("seed").textContent === "9"`)
	for _, e := range scenario.List() {
		if !eval[bool](p, `[...document.querySelectorAll("#scenario optgroup option")].some(o => o.value === `+quote(e.ID)+` && o.textContent.length > 3)`) {
			t.Errorf("%s is not among those to choose from", e.ID)
		}
	}

	// What runs is called by its whole name, in the choice or, where that cuts it, under the verdict: the longest, and those of
	// which something else is said there.
	p.look(look{Width: 320, Height: 640})
	if cut := eval[string](p, `(async () => {
		const choice = document.getElementById("scenario"), named = document.getElementById("named"), measure = document.body.appendChild(document.createElement("span"));
		measure.style.cssText = "position: absolute; white-space: nowrap; font: " + getComputedStyle(choice).font;
		const cut = [], names = [...choice.options].map(o => [o.value, o.textContent]).sort((a, b) => b[1].length - a[1].length);
		for (const [id, name] of names.filter(([id], i) => i < 4 || ["two-service", "pastebin"].includes(id))) {
			choice.value = id;
			choice.dispatchEvent(new Event("change", { bubbles: true }));
			await new Promise(requestAnimationFrame);
			const whole = named.checkVisibility() && named.textContent.startsWith(name) && named.scrollWidth <= named.clientWidth && named.scrollHeight <= named.clientHeight + 1;
			measure.textContent = name;
			if (!whole && measure.offsetWidth > choice.clientWidth - 28) cut.push(name);
		}
		return names.length < 50 ? "hardly any scenario is offered" : cut.join("\n") })()`); cut != "" {
		t.Errorf("nowhere on a narrow page stands the whole of\n%s", cut)
	}
}

// The menu is for the keyboard too: it opens, the link is copied and drawn, Escape leads back, and it closes when the focus
// goes elsewhere.
func TestTheLinkMenu(t *testing.T) {
	for _, l := range []look{{NoWebGL: true}, {NoWebGL: true, Dark: true, Width: 320, Height: 640}} {
		p := ready(t, "", l)
		p.run(`navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve() }; document.querySelector("#link-menu > summary").focus()`)
		p.press(kb.Enter)
		p.waitFor(`document.getElementById("link-field").value.includes("#v1/two-service?")`)
		p.press(kb.Tab)
		p.waitFor(`document.activeElement.id === "link-field" && document.activeElement.selectionEnd > 20`)
		p.press(kb.Tab)
		p.press(kb.Tab)
		p.waitFor(`document.activeElement.id === "link-copy"`)
		p.press(kb.Enter)
		p.waitFor(`window.copied?.startsWith(` + quote(origin+base+"#v1/two-service?") + `) && document.getElementById("link-status").textContent === "Copied."`)
		p.run(`navigator.clipboard.writeText = () => Promise.reject(new Error("no"))`)
		p.press(kb.Enter)
		p.waitFor(`document.getElementById("link-status").textContent.includes("selected") && document.activeElement.id === "link-field"`)
		p.push("#link-qr > summary")
		p.waitFor(`document.querySelector("#link-qr path").getAttribute("d").length > 100`)
		if found := p.axe(); found != "" {
			t.Error("with the menu open:\n" + found)
		}
		if over := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
			t.Errorf("%d px too wide", over)
		}
		p.screenshot("link-menu")
		p.press(kb.Escape)
		p.waitFor(`!document.getElementById("link-menu").open && document.activeElement === document.querySelector("#link-menu > summary")`)
		p.press(kb.Enter)
		p.waitFor(`document.getElementById("link-menu").open`)
		p.press(kb.Tab, chromedp.KeyModifiers(8)) // whoever goes on has the page before them
		p.waitFor(`!document.getElementById("link-menu").open && !document.getElementById("link-menu").contains(document.activeElement)`)
	}
}

const twoRuns = `/Run A[^]*Run B/.test(document.getElementById("labels").textContent)`

// Run A is in the link if it has the rule of a scenario that the page offers, also when the reader has pinned it; else the
// menu says that it is not.
func TestRunAInTheLink(t *testing.T) {
	p := ready(t, "#v1/recovery", look{NoWebGL: true, ReducedMotion: true})
	p.push("#pin")
	p.set(attempts, "1")
	p.click("#link-menu > summary")
	p.waitFor(`document.getElementById("link-field").value.endsWith("#v1/recovery?policy.calls.b.attempts=1&against=recovery")`)
	const said = `document.getElementById("link-alone").checkVisibility()`
	if eval[bool](p, said) {
		t.Error("it says that A is not in the link, and it is")
	}
	p.push("#unpin")
	p.push("#pin") // a run that is in no list
	p.waitFor(said)
	p.waitFor(`document.getElementById("link-field").value.endsWith("#v1/recovery?policy.calls.b.attempts=1")`)
	p.push("#unpin")
	p.waitFor("!" + said)
}

// A link may name the rule to hold the run against; where that isn't the same traffic it says so, and shows the one run.
func TestALinkAgainstAnother(t *testing.T) {
	p := ready(t, "#v1/two-service?seed=5&policy.calls.b.attempts=1&t=10s&against=two-service", look{NoWebGL: true})
	p.at("10.0 s")
	if says := p.note(); says != "" || !eval[bool](p, twoRuns+` && !document.getElementById("compare").hidden`) {
		t.Errorf("beside another rule it says %q, and holds nothing against it", says)
	}
	want := cellsOf(ranTo(t, "#v1/two-service?seed=5&policy.calls.b.attempts=1", 10*time.Second))
	if got := p.cells(); got != want {
		t.Errorf("B has %s, the run %s", got, want)
	}
	p.click("#link-menu > summary")
	p.waitFor(`document.getElementById("link-field").value.endsWith("&against=two-service")`)
	for against, says := range map[string]string{"pastebin": "same", "nobody": "nobody"} {
		p.run(`location.hash = "#v1/two-service?seed=6&against=` + against + `"`)
		p.waitFor(`document.getElementById("link-note").textContent.includes(` + quote(says) + `)`)
		p.waitFor(`document.getElementById("seed").textContent === "6"`)
	}
}
