//go:build browser

package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"stormbin/engine/scenario"
)

var lessons = []string{"lessons/timeouts-and-retries.html", "lessons/try-again.html"}

// lesson opens one. What its figures do is the embed's business.
func lesson(t *testing.T, path string, l look) *page {
	t.Helper()
	p := openSite(t, path, l)
	p.expect("embed.html")
	p.waitFor(`document.readyState === "complete"`)
	return p
}

// runs is the scenario that a link of the page opens.
func (p *page) runs(id string) scenario.Scenario {
	p.t.Helper()
	fragment := eval[string](p, `document.getElementById("`+id+`").hash`)
	l, err := scenario.ParseLink(fragment)
	if err != nil {
		p.t.Fatalf("%s links to %s: %v", id, fragment, err)
	}
	return l.Scenario
}

const readingIsOpen = `document.getElementById("facts").checkVisibility()`

// The reading opens when each field has something, and not before; and speaks of what was written, in the lesson's order.
func TestLessonAnswersTheReader(t *testing.T) {
	p := lesson(t, lessons[0], look{})
	if eval[bool](p, readingIsOpen) {
		t.Fatal("the reading is open before anything is written")
	}
	fields := [][2]string{
		{"lookup-timeout", "50 ms"}, {"lookup-retries", "3"}, {"lookup-on", "timeout"},
		{"get-timeout", "1s"}, {"get-retries", "0"}, {"get-on", "never"},
		{"put-timeout", "5"}, {"put-retries", "2"}, {"put-on", "any"},
		{"never", "deletes"}, {"extra", "10,440"}, {"total", "27840"},
	}
	for _, f := range fields {
		p.click(`#answers-form button[type=submit]`)
		p.waitFor(`document.getElementById("attempt-says").textContent.includes("still empty")`)
		p.set("[name="+f[0]+"]", f[1])
	}
	p.click(`#answers-form button[type=submit]`)
	if eval[bool](p, readingIsOpen) {
		t.Error("it is open, and nobody said what a retried create makes")
	}
	p.click(`[name=twice][value=both]`)
	p.click(`#answers-form button[type=submit]`)
	p.waitFor(readingIsOpen)

	lines := eval[[]string](p, `[...document.querySelectorAll("#answers li")].map(li => li.textContent)`)
	for i, part := range []string{
		"That is a create",                    // first of all
		"the metadata lookup after a timeout", // then timeouts
		"of what?",                            // 5 has no unit
		"make 1.06 s of 300 ms",               // 5 + 50 + 1000
		"1.21 s",                              // with three more lookups
		"You have it",
		"10,440 extra attempts a second", // of the reader's own three
		"so it is",
		"deletes",
	} {
		if i >= len(lines) || !strings.Contains(lines[i], part) {
			t.Errorf("line %d of the answer should say %q:\n%s", i+1, part, strings.Join(lines, "\n"))
			break
		}
	}

	s := p.runs("yours-link")
	calls := s.Policy.Calls
	if c := calls["primary_read"]; s.ID != "pastebin" || c.Timeout.String() != "50ms" || c.Attempts != 4 || c.RetryOn[0] != "timeout" {
		t.Errorf("the reader's lookup runs as %+v", c)
	}
	if c := calls["object_get"]; c.Timeout.String() != "1s" || c.Attempts != 1 {
		t.Errorf("the reader's GET runs as %+v", c)
	}
	if c := calls["object_put"]; c.Attempts != 3 || len(c.RetryOn) != 3 {
		t.Errorf("the reader's PUT runs as %+v", c)
	}
	if len(s.Faults) != 1 || s.Faults[0].Kind != "stall" {
		t.Errorf("it breaks by %+v", s.Faults)
	}
	p.waitFor(`document.querySelector("#f-yours iframe").src.endsWith("autoplay=0")`)

	p.reload()
	p.waitFor(readingIsOpen)
	for _, f := range fields {
		if kept := eval[string](p, `document.querySelector("[name=`+f[0]+`]").value`); kept != f[1] {
			t.Errorf("after a reload %s is %q, and %q was written", f[0], kept, f[1])
		}
	}
}

// Who retries neither creates nor timeouts is told so, and that their sum fits.
func TestLessonAgreesWithTheRule(t *testing.T) {
	p := lesson(t, lessons[0], look{})
	for _, f := range [][2]string{
		{"lookup-timeout", "20ms"}, {"lookup-retries", "1"}, {"lookup-on", "refused"},
		{"get-timeout", "0.2 s"}, {"get-retries", "0"}, {"get-on", "never"},
		{"put-timeout", "1s"}, {"put-retries", "3"}, {"put-on", "never"}, // never is never
		{"never", "timeouts and creates"}, {"extra", "1"}, {"total", "2"},
	} {
		p.set("[name="+f[0]+"]", f[1])
	}
	p.click(`[name=twice][value=no]`)
	p.click(`#answers-form button[type=submit]`)
	p.waitFor(readingIsOpen)
	said := p.text("#answers")
	for _, part := range []string{"You retry no timeout and no create", "225 ms of 300 ms", "75 ms are left", "245 ms: that fits", "1 PUT of 1 s", "You wrote 1 and 2", "It can"} {
		if !strings.Contains(said, part) {
			t.Errorf("%q is not in the answer: %s", part, said)
		}
	}
}

// Nobody is held up: one button opens it unanswered, and so does a link to a place in it.
func TestLessonIsNoTrap(t *testing.T) {
	p := lesson(t, lessons[0], look{})
	p.click("#unanswered")
	p.waitFor(readingIsOpen)
	lesson(t, lessons[0]+"#creates", look{}).waitFor(`document.getElementById("creates").checkVisibility()`)
	lesson(t, lessons[1]+"#f-three", look{}).waitFor(`document.getElementById("f-three").checkVisibility()`)
}

// Every figure of both lessons starts and goes on. One embed is led from address to address; that the numbers in their
// captions are those of their runs is held natively.
func TestEveryFigureOfTheLessonsRuns(t *testing.T) {
	e := openSite(t, "embed.html#v1/two-service", look{NoWebGL: true})
	e.waitFor(alive)
	for _, path := range lessons {
		p := lesson(t, path, look{NoWebGL: true})
		figures := eval[[]string](p, `[...document.querySelectorAll("figure.run:not([data-own]) iframe")].map(f => f.getAttribute("src").split("#")[1])`)
		if len(figures) < 18 {
			t.Errorf("%s has %d figures", path, len(figures))
		}
		for i, link := range figures {
			seed := fmt.Sprint(1000*len(figures) + i) // so that it is not the one before
			e.run(`location.hash = ` + quote("#"+link+"&seed="+seed))
			e.waitFor(`document.getElementById("seed").textContent === "` + seed + `" && ` + clock + ` > 0 && document.getElementById("link-note").hidden && document.getElementById("verdict").textContent`)
		}
	}
}

// shut is what of a lesson's words can't be read, a line each.
const shut = `[...document.querySelectorAll("main p, main li, main figcaption, main section")].filter(e =>
	!e.closest("details, [data-tool]") && !e.matches(".says") && !e.checkVisibility()).map(e => e.textContent.trim().slice(0, 60)).join("\n")`

// Without scripts all of both lessons can be read.
func TestLessonsWithoutScripts(t *testing.T) {
	for _, path := range lessons {
		p := lesson(t, path, look{})
		if eval[string](p, shut) == "" {
			t.Errorf("%s: nothing waits for the reader even with scripts", path)
		}
		scripts := func(off bool) {
			_, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off})
			if err != nil {
				t.Fatal("scripts on and off:", err)
			}
		}
		scripts(true)
		p.reload()
		scripts(false) // for the test's own
		if left := eval[string](p, shut); left != "" {
			t.Errorf("%s: without scripts these can't be read:\n%s", path, left)
		}
		p.stills("without scripts")
	}
}

// stills checks that the pictures of a lesson can be seen.
func (p *page) stills(where string) {
	p.t.Helper()
	if n := eval[int](p, `[...document.querySelectorAll(".still")].filter(i => i.checkVisibility()).length`); n < 10 {
		p.t.Errorf("%s there are %d pictures", where, n)
	}
	p.run(`document.querySelector(".still").scrollIntoView()`)
	p.waitFor(`document.querySelector(".still").naturalWidth > 0`)
}

// On paper there is all of it, whatever has been opened, and no frames.
func TestLessonsOnPaper(t *testing.T) {
	for _, path := range lessons {
		p := lesson(t, path, look{})
		if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
			t.Fatal("as on paper:", err)
		}
		if left := eval[string](p, shut); left != "" {
			t.Errorf("%s: on paper these can't be read:\n%s", path, left)
		}
		p.stills("on paper")
		if n := eval[int](p, `[...document.querySelectorAll("iframe")].filter(f => f.checkVisibility()).length`); n > 0 {
			t.Errorf("%s: %d empty frames on paper", path, n)
		}
	}
}

// When the script fails, nothing stays shut for that.
func TestLessonsWithABrokenScript(t *testing.T) {
	for _, path := range lessons {
		p := lesson(t, path, look{})
		p.expect("uncaught")
		p.before(`addEventListener("DOMContentLoaded", () => document.querySelectorAll("#timer-left, .skip").forEach(e => e.remove()))`)
		p.reload()
		p.waitFor(`document.readyState === "complete"`)
		if left := eval[string](p, shut); left != "" {
			t.Errorf("%s: after an error these can't be read:\n%s", path, left)
		}
	}
}

// The timer runs when the reader says so, stands when paused, and begins anew.
func TestLessonTimer(t *testing.T) {
	p := lesson(t, lessons[0], look{})
	left := func() string { return p.text("#timer-left") }
	if left() != "10:00" {
		t.Errorf("before it starts %s are left of the first part", left())
	}
	p.click("#timer-run")
	p.waitFor(`document.getElementById("timer-left").textContent === "9:58"`)
	p.click("#timer-run")
	p.waitFor(`document.getElementById("timer-part").textContent.includes("paused")`)
	stands := left()
	p.reload()
	p.waitFor(`document.getElementById("timer-run").textContent === "Go on"`)
	if left() != stands {
		t.Errorf("paused at %s, and after a reload %s are left", stands, left())
	}
	p.run(`const now = Date.now; Date.now = () => now() + 11 * 60000 * (window.later ?? 0)`)
	p.click("#timer-run")
	p.run(`window.later = 1`)
	p.waitFor(`document.getElementById("timer-part").textContent === "Part 2 of 3: read"`)
	p.run(`window.later = 4`)
	p.waitFor(`document.getElementById("timer-part").textContent.startsWith("The time is up")`)
	p.click("#timer-reset")
	if left() != "10:00" || p.text("#timer-run") != "Start the timer" {
		t.Errorf("after a reset: %s, %s", left(), p.text("#timer-run"))
	}
}

// A bet opens its run and is answered, alone; it may be changed, is kept, and can be left out.
func TestLessonBets(t *testing.T) {
	p := lesson(t, lessons[1], look{})
	const replies = `[...document.querySelectorAll("#recovery [data-reply]")].filter(r => r.checkVisibility()).map(r => r.dataset.reply).join()`
	const run = `document.getElementById("f-three").checkVisibility()`
	if eval[bool](p, run) || eval[string](p, replies) != "" {
		t.Error("the run or its answer is there before the bet")
	}
	p.click("[name=bet-recovery][value=three]")
	p.waitFor(run + ` && ` + replies + ` === "three"`)
	p.click("[name=bet-recovery][value=more]")
	p.waitFor(replies + ` === "more"`)
	p.click("#lost .skip")
	p.waitFor(`document.getElementById("f-lost").checkVisibility()`)
	p.reload()
	p.waitFor(run + ` && ` + replies + ` === "more"`)
	p.click("#forget")
	p.waitFor(`!(` + run + `) && ` + replies + ` === ""`)
}

// The arrow keys pass over what is no bet yet; Space, Enter or the button makes it one.
func TestLessonBetsByKeyboard(t *testing.T) {
	p := lesson(t, lessons[1], look{})
	for _, c := range []struct{ section, settle string }{{"slow", " "}, {"retries", kb.Enter}, {"backoff", "\t" + kb.Enter}} {
		last := `document.querySelector("#` + c.section + ` label:last-of-type input")`
		p.run(`document.querySelector("#` + c.section + ` input").focus()`)
		p.press(kb.ArrowDown)
		p.press(kb.ArrowDown)
		p.waitFor(last + `.checked`)
		const replies = `[...document.querySelectorAll("[data-reply]")].filter(r => r.checkVisibility())`
		before := eval[int](p, replies+`.length`)
		if eval[bool](p, `document.querySelector("#`+c.section+` [data-gate]").checkVisibility()`) {
			t.Errorf("%s: it is answered before the bet is made", c.section)
		}
		for _, key := range c.settle {
			p.press(string(key))
		}
		p.waitFor(`document.querySelector("#` + c.section + ` [data-gate]").checkVisibility()`)
		if chosen := eval[string](p, replies+`.slice(`+fmt.Sprint(before)+`).map(r => r.dataset.reply).join()`); chosen != eval[string](p, last+`.value`) {
			t.Errorf("%s: it answers %q", c.section, chosen)
		}
	}
}

// The dozen decisions of retries=3 are answered for the reader's own, which the run has.
func TestLessonDecisions(t *testing.T) {
	p := lesson(t, lessons[1], look{})
	answers := `[...document.querySelectorAll("[data-answer]")].map(a => a.textContent)`
	if n := len(eval[[]string](p, answers)); n != 12 {
		t.Errorf("a dozen are %d", n)
	}
	says := func(of, part string) {
		t.Helper()
		if said := eval[string](p, `document.getElementById(document.querySelector("#policy-form [name=`+of+`]").getAttribute("aria-describedby")).textContent`); !strings.Contains(said, part) {
			t.Errorf("of %s it says %q; want %q in it", of, said, part)
		}
	}
	says("attempts", "3 retries")
	says("loop", "80 attempts a second")
	says("loop", "nothing ends it")
	for _, f := range [][2]string{
		{"timeout", "500ms"}, {"attempts", "3"}, {"backoff", "exponential"}, {"jitter", "full"}, {"budget", "10"},
		{"safe", "key"}, {"succeeded", "recognised"}, {"breaker", "refused"}, {"deadline", "2s"}, {"library", "2"}, {"loop", "budget"},
	} {
		p.set("#policy-form [name="+f[0]+"]", f[1])
	}
	says("library", "= 6 tries")
	says("deadline", "without that deadline, after 3.3 s") // 6 × 500 ms, and 100 + 200 of backoff
	says("budget", "1.10")
	says("loop", "44 attempts a second") // 20 × 1.1 × 2
	says("safe", "constraint")

	s := p.runs("policy-link")
	b := s.Policy.Calls["b"]
	if s.ID != "two-service" || b.Timeout.String() != "1s" || b.Attempts != 3 || b.Library.Attempts != 2 || b.Library.Timeout.String() != "500ms" ||
		b.Backoff.Kind != "exponential" || b.Jitter != "full" || !b.IdempotencyKey || s.Policy.Budget.Percent != 10 || !s.Policy.Breaker.Enabled ||
		s.Operations["call"].Deadline.String() != "2s" || s.Operations["call"].Idempotent {
		t.Errorf("the reader's policy runs as %+v, %+v, %+v", b, s.Policy.Budget, s.Operations["call"])
	}
	for _, odd := range []string{"", "0", "-4", "1e9", "999999999999999999", "four", "<b>"} {
		for _, name := range []string{"timeout", "attempts", "budget", "deadline", "library"} {
			p.run(fmt.Sprintf(`{ const f = document.querySelector("#policy-form [name=%s]"); f.value = %q; f.dispatchEvent(new Event("change", {bubbles: true})) }`, name, odd))
			p.runs("policy-link") // is one that can be run, whatever was typed
		}
	}
	says("timeout", "a number and a unit")
	if wrong := eval[[]string](p, `[...document.querySelectorAll("#policy-form [aria-invalid=true]")].map(f => f.name)`); !slices.Equal(wrong, []string{"timeout"}) {
		t.Errorf("wrong are %q, want the timeout alone", wrong) // the others have a value that they come to
	}
}

// The rule and the log's line are the reader's own.
func TestLessonEndsWithTheReadersRule(t *testing.T) {
	p := lesson(t, lessons[0], look{})
	p.mayCopy()
	p.click("#unanswered")
	p.set("#own-rule", "Never retry a timeout or a create.")
	p.click("#copy-rule")
	p.waitFor(`document.getElementById("copy-says").textContent === "Copied."`)
	if got := eval[string](p, `navigator.clipboard.readText()`); got != "Never retry a timeout or a create." {
		t.Errorf("copied %q", got)
	}
	p.set("[name=log-load]", "1,000")
	p.set("[name=log-share]", "50")
	p.set("[name=log-retries]", "1")
	p.click("#copy-log")
	p.waitFor(`document.getElementById("copy-log-says").textContent === "Copied."`)
	if got := eval[string](p, `navigator.clipboard.readText()`); !strings.Contains(got, "Never retry a timeout") || !strings.Contains(got, "1,000 × 0.5 × 1 = 500 attempts /s") {
		t.Errorf("copied %q", got)
	}
	p.reload()
	if kept := eval[string](p, `document.getElementById("own-rule").value`); kept != "Never retry a timeout or a create." {
		t.Errorf("after a reload the rule is %q", kept)
	}
}

func TestLessonsAreAccessible(t *testing.T) {
	looks := map[string]look{"light": {}, "dark": {Dark: true}, "narrow": {Width: 320, Height: 640}}
	for _, path := range lessons {
		p := lesson(t, path, look{})
		for name, l := range looks {
			p.look(l)
			if found := p.axe(); found != "" {
				t.Errorf("%s, %s, before:\n%s", path, name, found)
			}
		}
		p.run(`document.querySelectorAll("#unanswered, .skip").forEach(b => b.click()); document.querySelectorAll("details").forEach(d => d.open = true)`)
		for name, l := range looks {
			p.look(l)
			if found := p.axe(); found != "" {
				t.Errorf("%s, %s, all open:\n%s", path, name, found)
			}
			p.run(`document.querySelector(".run iframe").scrollIntoView()`)
			p.waitFor(`(told => told.length > 0 && told.every(f => (r => r.scrollHeight <= r.clientHeight)(f.contentDocument.documentElement)))([...document.querySelectorAll(".run iframe")].filter(f => f.style.height))`)
			if wide := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
				t.Errorf("%s, %s: it scrolls sideways by %d", path, name, wide)
			}
		}
	}
}
