//go:build browser

package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// ctrl, and with Shift.
var ctrl, ctrlShift = chromedp.KeyModifiers(2), chromedp.KeyModifiers(2 | 8)

func (p *page) value(selector string) string {
	p.t.Helper()
	return eval[string](p, `document.querySelector(`+quote(selector)+`).value`)
}

// onto moves the focus.
func (p *page) onto(selector string) {
	p.t.Helper()
	p.run(`document.querySelector(` + quote(selector) + `).focus()`)
}

// empty takes everything out of a field.
func (p *page) empty(selector string) {
	p.t.Helper()
	p.onto(selector)
	p.press("a", ctrl)
	p.press(kb.Backspace)
	p.press(kb.Tab)
}

// presets are those that hold, by name.
func (p *page) presets() []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll("[data-preset][aria-pressed=true]")].map(b => b.dataset.preset)`)
}

// A change of the matrix by keyboard alone: the sum and what fits follow, and it is undone, done again and reset by keys.
func TestTheMatrixByKeyboard(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.set("#scenario", "pastebin")
	p.waitFor(`document.getElementById("slices").textContent.includes("225ms of 300ms, 75ms left")`)
	fits := `document.getElementById("policy-calls-primary_read-attempts").closest("tbody").querySelector(".fits").textContent`
	if got := eval[string](p, fits); got != "a retry fits: 245 of 300 ms, and up to 20 ms of backoff" {
		t.Errorf("beside the retry of the lookup: %q", got)
	}
	p.onto("#policy-calls-object_get-timeout")
	p.press("a", ctrl)
	p.press("400 ms")
	p.press(kb.Tab)
	p.waitFor(`document.getElementById("slices").textContent.includes("425ms of 300ms, 125ms too much")`)
	if got := p.value("#policy-calls-object_get-timeout"); got != "400 ms" {
		t.Errorf("what was typed has become %q", got)
	}
	if got := eval[string](p, fits); got != "no retry fits: 445 of 300 ms, and up to 20 ms of backoff" {
		t.Errorf("beside the retry of the lookup there is now %q", got)
	}

	p.onto("#policy-calls-object_get-retry_on-timeout")
	p.press(" ")
	p.waitFor(`document.getElementById("policy-calls-object_get-retry_on-timeout").getAttribute("aria-pressed") === "true"`)
	p.press("z", ctrl)
	p.waitFor(`document.getElementById("policy-calls-object_get-retry_on-timeout").getAttribute("aria-pressed") === "false"`)
	p.press("z", ctrl)
	p.waitFor(`document.getElementById("policy-calls-object_get-timeout").value === "200ms"`)
	p.press("Z", ctrlShift)
	p.waitFor(`document.getElementById("policy-calls-object_get-timeout").value === "400ms"`)
	p.onto("#rule-reset")
	p.press(kb.Enter)
	p.waitFor(`document.getElementById("policy-calls-object_get-timeout").value === "200ms"`)
	if got := eval[string](p, `document.activeElement.id + " " + document.activeElement.getAttribute("aria-disabled")`); got != "rule-reset true" {
		t.Errorf("after a reset the focus and the button are %s", got)
	}
	// In a field the key is the field's.
	p.onto("#paste-text")
	p.press("z", ctrl)
	p.frames(3)
	if got := p.value("#policy-calls-object_get-timeout"); got != "200ms" {
		t.Errorf("undo in a text field has undone the rule: %s", got)
	}
}

// Empty is a value where there may be none, and what is refused says so under its row, whichever field of it it was.
func TestNoneIsAnEmptyField(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.set("#budget", "10")
	p.waitFor(`document.getElementById("budget-words").textContent.includes("1.1")`)
	p.empty("#budget")
	p.waitFor(`document.getElementById("budget-words").textContent === "no bound"`)
	p.empty("#policy-calls-b-timeout")
	p.waitFor(`document.getElementById("slices").textContent.includes("no timeout on b")`)
	p.set("#policy-calls-b-timeout", "2s")
	p.push("#rule-undo")
	p.waitFor(`document.getElementById("policy-calls-b-timeout").value === "" && document.getElementById("policy-calls-b-timeout").placeholder === "none"`)
	p.set("#policy-calls-b-timeout", "soon")
	p.set("#policy-calls-b-attempts", "0")
	p.waitFor(`document.querySelectorAll(".matrix .errors .error").length === 2`)
	p.set("#policy-calls-b-attempts", "3")
	p.waitFor(`document.querySelectorAll(".matrix .errors .error").length === 1`)
	p.set("#policy-calls-b-timeout", "1s")
	p.waitFor(`document.querySelectorAll(".matrix .errors .error").length === 0`)
}

// A rule by its name is one step: all of it comes, the button shows that it holds, and all of it goes.
func TestRulesByName(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.set("#scenario", "pastebin")
	if got := p.presets(); !slices.Equal(got, []string{"the rule"}) {
		t.Errorf("at first %q holds", got)
	}
	p.click(`[data-preset="breaker"]`)
	p.waitFor(`document.getElementById("breaker").checked`)
	if got := p.presets(); !slices.Equal(got, []string{"breaker"}) {
		t.Errorf("%q holds, want the breaker", got)
	}
	if got := p.value("#policy-calls-object_put-attempts"); got != "4" {
		t.Errorf("%s attempts with three retries", got)
	}
	p.set("#policy-calls-object_put-attempts", "3")
	p.waitFor(`!document.querySelector("[data-preset][aria-pressed=true]")`)
	p.push("#rule-undo")
	p.push("#rule-undo")
	p.waitFor(`!document.getElementById("breaker").checked`)
	if got := p.presets(); !slices.Equal(got, []string{"the rule"}) || p.value("#policy-calls-object_put-attempts") != "1" {
		t.Errorf("undone, %q holds", got)
	}

	p.run(`document.querySelector(".library").open = true`)
	p.set("#library", "go-redis")
	p.set("#library-call", "cache_get")
	p.click("#library-do")
	p.waitFor(`document.getElementById("policy-calls-cache_get-attempts").value === "4"`)
	p.push("#rule-undo")
	p.waitFor(`document.getElementById("policy-calls-cache_get-attempts").value === "1"`)
}

// Whatever can be broken can be broken at a set time, says when it comes, comes then, and is mended with the rest.
func TestAFaultAtASetTime(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.set("#scenario", "pastebin")
	p.waitFor(`document.getElementById("mend").getAttribute("aria-disabled") === "true"`)
	p.onto(".own-fault summary")
	p.press(kb.Enter)
	p.set("#fault-target", "primary")
	p.set("#fault-kind", "flaky")
	p.set("#fault-amount", "120")
	p.push("#fault-do")
	p.waitFor(`document.getElementById("fault-amount").getAttribute("aria-invalid") === "true"`)
	p.set("#fault-amount", "40")
	p.set("#fault-for", "2")
	p.click("#fault-do")
	p.waitFor(`document.getElementById("fault-for").getAttribute("aria-invalid") === "true"`)
	if eval[bool](p, `document.getElementById("fault-amount").hasAttribute("aria-invalid")`) {
		t.Error("a number that is right is still refused")
	}
	p.empty("#fault-for")
	p.set("#fault-at", "20 s")
	if got := p.text("#fault-do"); got != "Plan it" {
		t.Errorf("the button says %q", got)
	}
	p.onto("#fault-at")
	p.press(kb.Enter)
	p.waitFor(`/primary fails 40\s%.*at 20.0 s/.test(document.getElementById("broken").textContent)`)
	p.push("#end") // far past it
	p.waitFor(`/primary fails 40\s%.*until mended/.test(document.getElementById("broken").textContent)`)
	p.set("#fault-at", "1s")
	p.click("#fault-do")
	p.waitFor(`document.getElementById("fault-at").closest(".field").textContent.includes("must be later")`)
	p.push("#mend")
	p.waitFor(`document.getElementById("broken").textContent === "Nothing."`)

	p.set("#fault-target", "operation:read")
	p.empty("#fault-at")
	p.set("#fault-for", "5s")
	p.click("#fault-do")
	p.waitFor(`document.getElementById("broken").textContent.includes("read surges ×2")`)
}

// A slow B takes as long as ever for an attempt, however fast it is when well; one that is slow by so much, by so much.
func TestHowSlowASlowBIs(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.run(`document.querySelector(".runs-on").open = true`)
	p.set("#dependencies-b-service-mean", "80ms")
	p.push("#slow-3s")
	p.waitFor(`document.getElementById("broken").textContent.includes("B 10× slower")`)
	p.push("#mend")
	p.run(`document.querySelector(".own-fault").open = true`)
	p.set("#fault-amount", "3")
	p.click("#fault-do")
	p.waitFor(`document.getElementById("broken").textContent.includes("B 3× slower")`)
}

// The page's own keys work while the picture has the focus, or nothing has, and nowhere else.
func TestKeys(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.waitFor(`parseFloat(document.getElementById("clock").textContent) > 0`)
	p.onto("#figure")
	p.press(" ")
	p.waitFor(`!document.getElementById("play").hidden`)
	p.frames(2)
	paused := p.text("#clock")
	for range 12 {
		p.press(".")
	}
	p.frames(2)
	if got := p.text("#clock"); got == paused {
		t.Errorf("twelve steps on it is still %s", got)
	}
	p.press("r")
	p.waitFor(`document.getElementById("clock").textContent === "0.0 s"`)
	p.press("p")
	p.waitFor(`document.getElementById("rule-lead").textContent.includes("Run A is pinned")`)
	p.press("p")
	p.waitFor(`document.getElementById("rule-lead").textContent.includes("from now on")`)
	p.press("2")
	p.waitFor(`document.getElementById("look-storm").getAttribute("aria-selected") === "true" && !document.getElementById("storm").hidden`)
	p.press("1")
	p.waitFor(`!document.getElementById("stage").hidden`)

	p.onto("#policy-calls-b-timeout")
	p.press("r.2?")
	p.frames(2)
	if eval[bool](p, `document.getElementById("help").open || document.getElementById("stage").hidden`) {
		t.Error("keys that were typed into a field did something else")
	}
	p.onto("#rule-undo")
	p.press("2")
	p.frames(2)
	if eval[bool](p, `document.getElementById("stage").hidden`) {
		t.Error("a key of the picture works while a button has the focus")
	}
	p.press("?")
	p.waitFor(`document.getElementById("help").open`)
	p.press(kb.Escape)
	p.waitFor(`!document.getElementById("help").open`)
	p.click("#help-open")
	p.waitFor(`document.getElementById("help").open`)
	if found := p.axe(); found != "" {
		t.Error("with the help open:\n" + found)
	}
	p.click("#help-close")
	p.waitFor(`!document.getElementById("help").open`)
}

// On a laptop what breaks things and what moves time are there without scrolling; and from the top of the page the rule
// and the paste are two keys away.
func TestWhatIsInReach(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	for _, world := range [][2]string{{"two-service", "B 8×"}, {"pastebin", "Primary 10×"}} {
		p.set("#scenario", world[0])
		p.waitFor(`document.getElementById("break").innerText.includes("` + world[1] + `")`)
		p.waitFor(`["#play", "#pause", "#step", "#speed", "#clock", ".faults:not([hidden]) button", "#mend"].every(
			s => document.querySelector(s).getBoundingClientRect().bottom <= innerHeight)`)
	}
	for i, want := range []string{"h-rule", "h-break", "h-paste"} {
		for _, l := range []look{{NoWebGL: true}, {Width: 360, Height: 740, NoWebGL: true}} {
			p.look(l)
			p.run(`document.activeElement.blur(); scrollTo(0, 0)`)
			p.run(`document.querySelector(".skips a").focus()`)
			for range i {
				p.press(kb.Tab)
			}
			p.press(kb.Enter)
			p.waitFor(fmt.Sprintf(`document.activeElement.id === %q`, want))
			if !eval[bool](p, `(r => r.height > 0 && r.top >= 0 && r.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())`) {
				t.Errorf("at %d px %s has the focus and is out of sight", l.Width, want)
			}
		}
	}
}

// On a phone a panel is shown from its top, however far down the one before it was read; and a look at the picture hides
// none.
func TestPanelsOnAPhone(t *testing.T) {
	p := ready(t, "", look{Width: 360, Height: 640, NoWebGL: true})
	p.set("#scenario", "pastebin")
	p.push("#tab-rule")
	p.run(`document.querySelector(".runs-on").open = true; scrollTo(0, 1e6)`)
	p.push("#tab-break")
	p.frames(2)
	if !eval[bool](p, `(r => r.top >= 0 && r.bottom <= innerHeight)(document.getElementById("h-break").getBoundingClientRect())`) {
		t.Error("its heading is out of sight")
	}
	p.push("#look-charts")
	p.push("#look-path")
	if !eval[bool](p, `document.getElementById("break").offsetHeight > 0 && document.getElementById("tab-break").getAttribute("aria-selected") === "true"`) {
		t.Error("another look at the picture has hidden the panel")
	}

	// The tabs are in sight where their panels are far below, and lead there.
	p.run(`scrollTo(0, 0)`)
	for _, id := range []string{"break", "rule", "figures", "rule"} {
		p.click("#tab-" + id)
		p.frames(2)
		if !eval[bool](p, `(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector("#`+id+` h2").getBoundingClientRect())`) {
			t.Errorf("from the picture, the tab of %s does not lead to it", id)
		}
		p.run(`scrollTo(0, 0)`)
		p.frames(2)
	}

	p.push("#help-open")
	if !eval[bool](p, `document.getElementById("help").scrollTop === 0 && document.getElementById("help").contains(document.activeElement)`) {
		t.Error("the help does not open at its beginning")
	}
}

// What a number means can be had by keyboard, and everything that takes the focus has a role and a name.
func TestWhatTakesTheFocusHasAName(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.set("#scenario", "pastebin")
	nameless := eval[[]string](p, `[...document.querySelectorAll("[tabindex='0']")].filter(e => !e.hasAttribute("role")).map(e => e.outerHTML.slice(0, 80))`)
	if len(nameless) > 0 {
		t.Errorf("they take the focus and have no role: %q", nameless)
	}
	p.onto("#num-queue-name")
	p.waitFor(`getComputedStyle(document.getElementById("h-num-queue")).display !== "none"`)
	if got := eval[string](p, `document.getElementById(document.activeElement.getAttribute("aria-describedby")).textContent`); !strings.Contains(got, "waiting for a slot") {
		t.Errorf("the queue is described as %q", got)
	}
	if live := eval[int](p, `document.querySelectorAll("#clock:is(output), #clock[aria-live]").length`); live > 0 {
		t.Error("the clock is read out all the time")
	}
}

// What a control costs is said where it covers neither the control's own row nor the one below, wherever in the window
// that is.
func TestHintsCoverNoRow(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.set("#scenario", "pastebin")
	for _, l := range []look{{}, {Width: 800, Height: 700}, {Width: 320, Height: 600}} {
		p.look(l)
		p.push("#tab-rule")
		for _, block := range []string{"start", "center", "end"} {
			covered := eval[[]string](p, `(() => {
				const covered = [], rows = [...document.querySelectorAll("#calls tbody")]
				const box = e => e.getBoundingClientRect()
				const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
				const look = (tip, row) => {
					const hint = tip.querySelector(".hint"), control = tip.querySelector("input, button")
					row.scrollIntoView({block: `+quote(block)+`})
					control.focus()
					if (!box(hint).height || box(hint).left < 0 || box(hint).right > innerWidth || box(hint).top < 0 || box(hint).bottom > innerHeight)
						covered.push(control.id + control.textContent + " has no hint in sight, but one at " + JSON.stringify(box(hint)) + " in " + innerWidth + " × " + innerHeight)
					if (hint.scrollWidth > hint.clientWidth)
						covered.push("the words of that of " + control.id + control.textContent + " run out of it")
					return [hint, control]
				}
				if (innerWidth < 720) for (const tip of document.querySelectorAll("#numbers .tip, .seed")) look(tip, tip)
				rows.forEach((row, i) => {
					for (const tip of row.querySelectorAll(".cells .tip")) {
						const [hint, control] = look(tip, row)
						for (const near of rows.slice(i, i + 2))
							if (meet(box(hint), box(near)) && box(near).bottom > 0 && box(near).top < innerHeight)
								covered.push("that of " + control.id + " covers the row of " + near.querySelector("input").id)
					}
				})
				return covered
			})()`)
			for _, c := range covered {
				t.Errorf("at %d px, scrolled to the %s: %s", l.Width, block, c)
			}
		}
	}
}

// The settings that are rarely needed are behind "More of …", each is what the scenario has there, and the sum follows.
func TestMoreOfTheRule(t *testing.T) {
	p := ready(t, "", look{NoWebGL: true})
	p.push("#pause")
	has := func(parts ...string) {
		t.Helper()
		p.run(`document.getElementById("link-menu").open = true`)
		for _, part := range parts {
			p.waitFor(`document.getElementById("link-field").value.includes(` + quote(part) + `)`)
		}
	}
	p.push("#breaker")
	for _, c := range []struct{ field, value, path string }{
		{"#breaker-window", "3 s", "policy.breaker.window=3s"},
		{"#breaker-least", "7", "policy.breaker.min_calls=7"},
		{"#breaker-probes", "4", "policy.breaker.probes=4"},
		{"#breaker-per", "target", "policy.breaker.per=target"},
		{"#budget", "10", "policy.budget.percent=10"},
		{"#budget-floor", "2", "policy.budget.floor_per_second=2"},
	} {
		p.run(`document.querySelector(` + quote(c.field) + `).closest("details")?.setAttribute("open", "")`)
		p.set(c.field, c.value)
		has(c.path)
	}
	p.waitFor(`document.getElementById("budget-words").textContent.includes("2")`)
	p.set("#budget-kind", "in_flight")
	p.set("#budget-least", "5")
	has("policy.budget.kind=in_flight", "policy.budget.min_concurrent=5")
	p.set("#budget-kind", "tokens")
	p.waitFor(`document.getElementById("budget-floor").closest("details").hidden`)
	p.set("#breaker-probes", "0")
	p.waitFor(`document.getElementById("breaker-probes").getAttribute("aria-invalid") === "true"`)
	p.set("#breaker-probes", "1")

	const said = `document.querySelector("#calls .said").textContent`
	p.push("#policy-calls-b-more")
	p.set("#policy-calls-b-backoff-kind", "exponential")
	p.set("#policy-calls-b-backoff-base", "200ms")
	p.waitFor(`!document.getElementById("policy-calls-b-backoff-max").closest(".field").hidden`)
	worst := eval[string](p, said)
	p.set("#policy-calls-b-backoff-max", "250ms")
	p.waitFor(said + ` !== ` + quote(worst))
}
