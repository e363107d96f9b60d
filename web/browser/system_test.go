//go:build browser

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// system opens the page for a system of one's own and waits until it has been judged.
func system(t *testing.T, l look) *page {
	t.Helper()
	p := openSite(t, "system.html", l)
	p.judged()
	return p
}

// judged waits until all runs of what is on the page are over.
func (p *page) judged() {
	p.t.Helper()
	p.waitFor(judged)
}

// json is the system as it stands in the JSON.
func (p *page) json() scenario.Scenario {
	p.t.Helper()
	s, err := scenario.Parse([]byte(p.value("#json")))
	if err != nil {
		p.t.Fatal("the JSON on the page: ", err)
	}
	return s
}

// over types into the field that has the focus, in place of what is there, and goes on to the next.
func (p *page) over(text string) {
	p.t.Helper()
	p.press("a", ctrl)
	p.press(text)
	p.press(kb.Tab)
}

// A system typed from nothing, by keyboard alone, is judged as the engine judges it.
func TestASystemByKeyboard(t *testing.T) {
	p := system(t, look{})
	p.set("#shape", "blank")
	p.onto("#start")
	p.press(kb.Enter)
	p.waitFor(`document.getElementById("status").textContent.includes("at least one operation")`)

	p.onto("#new-dependencies")
	p.press("orders-db")
	p.press(kb.Enter)
	p.waitFor(`document.activeElement.id === "name-dependencies-orders-db"`)
	p.press(kb.Tab)
	p.over("4")
	p.over("25ms")
	p.onto("#new-operations")
	p.press("order")
	p.press(kb.Enter)
	p.waitFor(`document.activeElement.id === "name-operations-order"`)
	p.press(kb.Tab)
	p.over("80")
	p.over("2s")
	p.onto("#policy-calls-orders-db-timeout")
	p.over("200 ms")
	p.over("4")
	for range 2 { // on a timeout, on an error
		p.press(" ")
		p.press(kb.Tab)
	}
	p.onto("#add-faults")
	p.press(kb.Enter)
	p.waitFor(`document.activeElement.id === "faults-0-target"`)

	// Another call, put in front of the first.
	p.onto("#new-dependencies")
	p.press("a-cache")
	p.press(kb.Enter)
	p.waitFor(`document.activeElement.id === "name-dependencies-a-cache"`)
	p.set("#operations-order-steps-next", "a-cache")
	p.onto("#operations-order-steps-add")
	p.press(kb.Enter)
	p.waitFor(`document.getElementById("operations-order-steps-1-up")`)
	p.onto("#operations-order-steps-1-up")
	p.press(kb.Enter)
	p.waitFor(`document.querySelector("#operations-order-steps li").textContent.includes("a-cache")`)
	if got := strings.Join(p.json().Operations["order"].Steps, " "); got != "a-cache orders-db" {
		t.Errorf("the calls are %s", got)
	}
	p.onto("#operations-order-steps-0-out")
	p.press(kb.Enter)
	p.waitFor(`document.querySelectorAll("#operations-order-steps li").length === 1`)
	p.judged()

	s := p.json()
	if c := s.Policy.Calls["orders-db"]; c.Attempts != 4 || c.Timeout.String() != "200ms" || strings.Join(c.RetryOn, " ") != "timeout error" {
		t.Errorf("the call is %+v", c)
	}
	if o := s.Operations["order"]; o.Rate != 80 || o.Deadline.String() != "2s" || strings.Join(o.Steps, " ") != "orders-db" {
		t.Errorf("the operation is %+v", o)
	}
	report, err := run.Do(s)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.text("#verdict"); got != metrics.Unbroken(report.Verdict) {
		t.Errorf("the verdict on the page is\n%s, want the engine’s, with each number beside its unit,\n%s", got, report.Verdict)
	}
	if got := p.text("#sums"); !strings.Contains(got, "200ms of 2s, 1.8s left") || !strings.Contains(got, "app makes up to 4 attempts for one click") {
		t.Errorf("the sum is %s", got)
	}
	if got := p.text("#blips tbody"); !strings.Contains(got, "orders-db") || strings.Contains(got, "…") {
		t.Errorf("the stalls are %q", got)
	}

	// It is opened in the picture as it is, and is the very same run there.
	link := eval[string](p, `document.getElementById("open").hash`)
	read, err := scenario.ParseLink(link)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := run.Do(read.Scenario); err != nil || again.TraceHash != report.TraceHash || again.Verdict != report.Verdict {
		t.Errorf("the link leads to another run: %v, %s", err, again.Verdict)
	}
	p.click("#open")
	p.waitFor(`document.getElementById("scenario")?.selectedOptions[0]?.textContent.startsWith("Your own: ")`)
	if note := eval[string](p, `document.getElementById("link-note").textContent`); note != "" {
		t.Errorf("the picture says of the link: %s", note)
	}
}

// A new name, or a step that is moved or taken out, makes the form anew: what had the focus has it again, and what it was on its
// way to gets it.
func TestAFormThatIsMadeAnewKeepsTheFocus(t *testing.T) {
	t.Parallel()
	p := openSite(t, "system.html#v1/pastebin", look{})
	p.judged()
	at := func(id string) {
		t.Helper()
		p.waitFor(`document.activeElement.id === ` + quote(id))
	}
	p.onto("#name-operations-read")
	p.over("look")
	at("operations-look-rate")
	p.press("12")
	p.waitFor(`JSON.parse(document.getElementById("json").value).operations.look.rate === 12`)
	p.onto("#name-operations-look")
	p.press("a", ctrl)
	p.press("reads")
	p.press(kb.Enter)
	at("name-operations-reads")
	p.press("a", ctrl)
	p.press("read")
	p.press(kb.Tab, chromedp.KeyModifiers(8))
	at("remove-operations-delete")
	p.onto("#name-dependencies-primary")
	p.press("a", ctrl)
	p.press("main")
	p.click("#dependencies-bucket-slots")
	at("dependencies-bucket-slots")

	p.onto("#operations-read-steps-2-up")
	p.press(kb.Enter)
	at("operations-read-steps-1-up")
	p.press(kb.Enter)
	at("operations-read-steps-0-out")
	if got := strings.Join(p.json().Operations["read"].Steps, " "); got != "object_get cache_get primary_read" {
		t.Errorf("the calls are %s", got)
	}
	p.onto("#operations-read-steps-2-out")
	p.press(kb.Enter)
	at("operations-read-steps-1-out")
	p.press(kb.Enter)
	at("operations-read-steps-0-out")
	p.press(kb.Enter)
	at("operations-read-steps-next")
}

// What can't be is said at its field, and at its line of the JSON, and the form and the JSON follow each other.
func TestASystemWithSomethingWrong(t *testing.T) {
	p := system(t, look{})
	wrong := func(id, part string) { // and who hears the page is led from the field to it
		t.Helper()
		p.waitFor(`document.getElementById(document.getElementById("` + id + `").getAttribute("aria-errormessage"))?.textContent.includes(` + quote(part) + `)`)
	}
	p.set("#dependencies-db-slots", "0")
	wrong("dependencies-db-slots", "dependencies.db.slots: 0: must be 1 to 100000")
	p.waitFor(`/^line \d+: dependencies.db.slots: 0: must be/.test(document.getElementById("json-problem").textContent)`)
	p.waitFor(`document.getElementById("status").textContent.includes("dependencies.db.slots: 0")`)
	p.click("#json-show")
	if got := eval[string](p, `(e => e.value.slice(e.selectionStart, e.selectionEnd))(document.getElementById("json"))`); got != `"slots"` {
		t.Errorf("shown is %s", got)
	}
	p.set("#policy-calls-db-attempts", "200") // and one more
	wrong("policy-calls-db-attempts", "policy.calls.db.attempts: 200: must be 1 to 100")
	wrong("dependencies-db-slots", "must be 1 to 100000")
	p.waitFor(`/^line \d+: dependencies.db.slots: .*\nline \d+: policy.calls.db.attempts: /.test(document.getElementById("json-problem").textContent)`)
	p.waitFor(`document.getElementById("verdict-older").checkVisibility()`)
	if found := p.axe(); found != "" {
		t.Error("with a verdict of before:\n" + found)
	}
	p.set("#policy-calls-db-attempts", "3")
	p.set("#dependencies-db-slots", "12")
	p.waitFor(`!document.querySelector("[aria-errormessage]") && document.getElementById("json-problem").hidden`)
	p.set("#policy-calls-db-timeout", "20")
	wrong("policy-calls-db-timeout", `must be a duration with a unit, like "20ms"`)
	if got := p.json().Policy.Calls["db"].Timeout.String(); got != "300ms" {
		t.Errorf("the timeout is %s", got)
	}
	// It waits to be mended, whatever else is set; and what the JSON then says holds.
	p.set("#policy-calls-db-attempts", "5")
	p.waitFor(`document.getElementById("json").value.includes('"attempts": 5')`)
	wrong("policy-calls-db-timeout", `must be a duration`)
	if got := p.value("#policy-calls-db-timeout"); got != "20" {
		t.Errorf("what was refused became %q", got)
	}
	p.run(`(e => { e.value = e.value.replace('"300ms"', '"400ms"'); e.focus(); e.dispatchEvent(new Event("input")) })(document.getElementById("json"))`)
	p.waitFor(`document.getElementById("policy-calls-db-timeout").value === "400ms" && !document.querySelector("[aria-errormessage]")`)
	p.set("#policy-calls-db-timeout", "20ms")
	p.waitFor(`document.getElementById("json").value.includes('"timeout": "20ms"')`)
	p.set("#name-dependencies-db", "Primary DB")
	wrong("name-dependencies-db", "a-z, 0-9, _ and -")
	p.set("#name-dependencies-db", "primary")
	p.waitFor(`document.getElementById("policy-calls-db-on")?.value === "primary"`)

	// The other way round.
	p.run(`(e => { e.value = e.value.replace('"slots": 12', '"slots": 13'); e.focus(); e.dispatchEvent(new Event("input")) })(document.getElementById("json"))`)
	p.waitFor(`document.getElementById("dependencies-primary-slots").value === "13"`)
	p.run(`(e => { e.value = e.value.replace('"slots": 13', '"slot": 13'); e.dispatchEvent(new Event("input")) })(document.getElementById("json"))`)
	p.waitFor(`document.getElementById("json-problem").textContent.includes("no such field; must be one of slots")`)
	p.waitFor(`document.getElementById("form").disabled && !document.getElementById("form-waits").hidden`)
	if got := p.value("#json"); !strings.Contains(got, `"slot": 13`) {
		t.Errorf("what was typed has become %s", got)
	}
	if found := p.axe(); found != "" {
		t.Error("with something wrong:\n" + found)
	}
	p.push("#undo")
	p.waitFor(`!document.getElementById("form").disabled && document.getElementById("dependencies-primary-slots").value === "12"`)
	p.push("#redo")
	p.waitFor(`document.getElementById("form").disabled`)
}

// Whatever is typed into the JSON, the page goes on: names that no scenario has, more than any form holds, half a text.
func TestASystemOfOddThings(t *testing.T) {
	p := system(t, look{})
	write := func(text string) {
		t.Helper()
		p.run(`(e => { e.value = ` + text + `; e.focus(); e.dispatchEvent(new Event("input")) })(document.getElementById("json"))`)
	}
	write(`'{"dependencies": {"Big \\"one\\"] é.x": {}, "": {}}, "operations": {"<b>": {"steps": ["\\u0000"]}}, "policy": {"calls": {"\'": {}}}}'`)
	p.waitFor(`document.getElementById("status").textContent.includes("must be a name of 1 to 40")`)
	p.waitFor(`[...document.querySelectorAll("legend")].some(e => e.textContent === 'Big "one"] é.x')`)
	p.run(`document.querySelectorAll("#form input").forEach(e => { e.focus(); e.value += "1"; e.dispatchEvent(new Event("input")); e.dispatchEvent(new Event("change")) })`)
	write(`JSON.stringify({dependencies: Object.fromEntries(Array.from({length: 5000}, (_, i) => ["d" + i, {}]))})`)
	p.waitFor(`document.getElementById("form").disabled`)
	for _, text := range []string{`""`, `"[[[["`, `"{\"operations\": {\"a\": "`, `"null"`, `"\ud800"`} {
		write(text)
		p.waitFor(`!document.getElementById("json-problem").hidden && document.getElementById("form").disabled`)
	}
	p.set("#shape", "service")
	p.push("#start")
	p.judged()
	if s := p.json(); len(s.Dependencies) != 1 {
		t.Errorf("begun anew there are %v", s.Dependencies)
	}

	// What has the focus goes with what it stands in, and so the focus goes to where another one can be added.
	p.onto("#remove-dependencies-db")
	p.press(kb.Enter)
	p.waitFor(`document.activeElement.id === "add-dependencies"`)
	p.press("z", ctrl)
	p.waitFor(`document.getElementById("dependencies-db-slots")`)
	p.judged()
}

// What is written is there after a reload; what is saved under a name can be opened, deleted and had back, and goes out as a
// file and comes in as one. What is damaged is said, and loses nothing.
func TestSystemsAreKept(t *testing.T) {
	p := system(t, look{})
	said := func(part string) {
		t.Helper()
		p.waitFor(`document.getElementById("shelf-status").textContent.includes(` + quote(part) + `)`)
	}
	p.empty("#name")
	p.push("#save")
	p.waitFor(`document.getElementById("error-name")`)
	p.set("#name", "Check  out")
	p.set("#dependencies-db-slots", "14")
	p.push("#save")
	said("Saved in this browser as “Check out”")
	p.set("#dependencies-db-slots", "15")
	p.reload()
	p.waitFor(`document.getElementById("dependencies-db-slots")?.value === "15"`)
	p.waitFor(`document.getElementById("name").value === "Check out"`)
	p.push("#saved-open")
	p.waitFor(`document.getElementById("dependencies-db-slots").value === "14"`)
	p.push("#undo")
	p.waitFor(`document.getElementById("dependencies-db-slots").value === "15"`)
	p.push("#save")
	said("Saved in place of the older “Check out”")
	p.push("#shelf-status button")
	said("is back")
	p.push("#saved-delete")
	said("Deleted “Check out”")
	p.waitFor(`document.getElementById("saved-field").hidden`)
	p.press(kb.Enter) // on the button that brings it back
	p.waitFor(`document.getElementById("saved").value === "Check out"`)
	p.push("#saved-open")
	p.waitFor(`document.getElementById("dependencies-db-slots").value === "14"`)

	// Out and in again.
	p.push("#export")
	said("check-out.json")
	exported := eval[string](p, `fetch(document.querySelector("#shelf-status a").href).then(r => r.text())`)
	if strings.TrimSpace(exported) != p.value("#json") {
		t.Errorf("exported was\n%s", exported)
	}
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	p.set("#shape", "tiers")
	p.push("#start")
	p.waitFor(`document.getElementById("dependencies-cache-slots")`)
	p.upload("#file", file("broken.json", exported[:len(exported)/2]))
	said("broken.json can’t be read: line")
	p.upload("#file", file("picture.json", "\xff\xd8\xff"))
	said("picture.json is no text")
	if s := p.json(); len(s.Dependencies) != 3 {
		t.Errorf("what can't be read has changed something: %v", s.Dependencies)
	}
	p.upload("#file", file("check-out.json", exported))
	said("Took in check-out.json")
	p.waitFor(`document.getElementById("dependencies-db-slots").value === "14"`)

	// What was there before can be had back after a reload, too, and a link brings a system to who has another.
	p.judged()
	link := eval[string](p, `document.getElementById("open-here").href`)
	p.set("#shape", "blank")
	p.push("#start")
	p.waitFor(`document.getElementById("status").textContent.includes("at least one operation")`)
	p.reload()
	p.waitFor(`document.getElementById("status").textContent.includes("at least one operation")`)
	p.push("#undo")
	p.waitFor(`document.getElementById("dependencies-db-slots")?.value === "14"`)
	other := p.tab(link[strings.LastIndex(link, "system.html"):], look{})
	other.waitFor(`document.getElementById("shelf-status").textContent.includes("Opened from a link")`)
	other.waitFor(`document.getElementById("dependencies-db-slots").value === "14" && location.hash === ""`)
	other.run(`location.hash = "#v1/pastebin?policy.calls.primary_read.attempts=4"`)
	other.waitFor(`document.getElementById("policy-calls-primary_read-attempts")?.value === "4"`)
	other.run(`location.hash = "#v1/pastebin?policy.calls.primary_read.attempts=0"`)
	other.waitFor(`document.getElementById("shelf-status").textContent.includes("The link says what can’t be: policy.calls.primary_read.attempts: 0")`)
	if got := other.value("#policy-calls-primary_read-attempts"); got != "4" {
		t.Errorf("a link that can't be has changed something: %s attempts", got)
	}

	// A damaged one is there to be mended, and what is kept stays as it is.
	p.run(`localStorage.setItem("stormbin-system:half", '{"seed": 7')`)
	p.reload()
	p.waitFor(`!document.getElementById("saved").disabled`)
	p.set("#saved", "half")
	p.push("#saved-open")
	said("“half” can’t be read as it was saved: line 1")
	if got := p.value("#json"); got != `{"seed": 7` {
		t.Errorf("to be mended there is %q", got)
	}
	if got := eval[string](p, `localStorage.getItem("stormbin-system:half")`); got != `{"seed": 7` {
		t.Errorf("kept is %q", got)
	}
}

// Where storage is refused, or there is no worker to run it in, everything else works, and it is said.
func TestASystemWithoutStorage(t *testing.T) {
	p := system(t, look{})
	p.run(`set = Storage.prototype.setItem, Storage.prototype.setItem = function(key, value) {
		if (this === sessionStorage) throw new DOMException("of the test", "QuotaExceededError")
		set.call(this, key, value)
	}`)
	p.set("#policy-calls-db-timeout", "123ms") // for which only one of the two has room: the other must not keep what is older
	p.waitFor(`localStorage.getItem("stormbin-system").includes("123ms")`)
	p.reload()
	p.waitFor(`document.getElementById("policy-calls-db-timeout")?.value === "123ms"`)

	p.before(`for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, {get() { throw new DOMException("no", "SecurityError") }})`)
	p.reload()
	p.judged()
	const nothing = "This browser keeps nothing here: storage is refused to this page, or full. Export a file to have it."
	p.waitFor(`document.getElementById("shelf-status").textContent.trim() === ` + quote(nothing))
	p.push("#start")
	p.waitFor(`document.getElementById("shelf-status").textContent.trim() === "Undo brings back what was there. ` + nothing + `"`)
	p.push("#save")
	p.waitFor(`document.getElementById("shelf-status").textContent.trim() === ` + quote(nothing))

	p.before(`window.Worker = class { constructor() { throw new Error("none here") } }`)
	p.reload()
	p.waitFor(`document.getElementById("status").textContent.startsWith("It could not be run: ")`)
	p.set("#policy-calls-db-timeout", "200ms")
	p.waitFor(`document.getElementById("sums").textContent.includes("200ms of 1s")`)
}

// The page is whole for everybody: wide and narrow, light and dark, with all of it open.
func TestTheSystemsPage(t *testing.T) {
	p := system(t, look{})
	p.set("#shape", "tiers")
	p.push("#start")
	p.waitFor(`document.getElementById("dependencies-cache-slots")`)
	p.push("#policy-breaker-enabled")
	p.run(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	p.judged()
	if raw := eval[[]string](p, `[...document.querySelectorAll("#form option")].map(o => o.textContent).filter(t => ["poisson", "turn", "fifo", "lifo", "in_flight", "blackhole"].includes(t))`); len(raw) > 0 {
		t.Errorf("what can be chosen is a word of the JSON: %q", raw)
	}
	if mute := eval[string](p, `[...document.querySelectorAll("select")].filter(s => [...s.options].some(o => !o.label.trim())).map(s => s.id).join(" ")`); mute != "" {
		t.Errorf("there are choices without a word in %s", mute)
	}
	for name, l := range map[string]look{
		"light": {}, "dark": {Dark: true}, "phone": {Width: 360, Height: 740}, "phone-dark": {Width: 360, Height: 740, Dark: true}, "smallest": {Width: 320, Height: 640},
	} {
		p.look(l)
		p.frames(2)
		p.screenshot("system-" + name)
		if found := p.axe(); found != "" {
			t.Errorf("%s:\n%s", name, found)
		}
		if wide := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
			t.Errorf("%s: it is %d pixels wider than the window", name, wide)
		}
		if size := eval[string](p, `getComputedStyle(document.querySelector("h1")).fontSize`); size == "0px" {
			t.Errorf("%s: its title can't be seen", name)
		}
	}
}

// Two tabs write each a system of its own, and are closed. Neither is lost: a new one begins with what was written last, and
// a step back is what the other had, in whatever order they are written and closed.
func TestSystemsOfTwoTabs(t *testing.T) {
	const slots = "#dependencies-db-slots"
	a := system(t, look{})
	b := a.tab("system.html", look{})
	b.judged()
	for i, closing := range [][]*page{{a, b}, {b, a}} {
		first, last := fmt.Sprint(11+i), fmt.Sprint(21+i)
		b.set(slots, "30")
		a.set(slots, first)
		b.set(slots, last)
		for _, p := range closing {
			p.run(`dispatchEvent(new Event("pagehide"))`)
		}
		next := a.tab("system.html", look{})
		next.judged()
		if got := next.value(slots); got != last {
			t.Errorf("a new tab begins with %s slots, and the last that were written are %s", got, last)
		}
		next.push("#undo")
		next.waitFor(`document.querySelector("` + slots + `").value === ` + quote(first))
	}
}

// What somebody has is pasted, told line by line, put on a call, judged before and after, and taken back.
func TestASystemTakesOverWhatThereIs(t *testing.T) {
	p := system(t, look{})
	p.run(`document.getElementById("have").open = true`)
	p.set("#have-text", "route:\n  timeout: 1s\n  retry_policy: {num_retries: 0, retry_on: 5xx, per_try_timeout: 0.3\n")
	p.waitFor(`/^line \d/.test(document.getElementById("have-problem").textContent)`)
	p.set("#have-text", `name: checkout
match: {prefix: /}
route:
  cluster: db
  timeout: 1s
  retry_policy:
    retry_on: connect-failure
    num_retries: 1
    per_try_timeout: 0.25s
    host_selection_retry_max_attempts: 5
`)
	p.waitFor(`document.querySelector("#have-found h3")?.textContent === "Envoy route “checkout”"`)
	told := p.text("#have-found")
	for _, part := range []string{"route.retry_policy.num_retries → policy.calls.db.attempts = 2", "Not taken over", "route.retry_policy.host_selection_retry_max_attempts: "} {
		if !strings.Contains(told, part) {
			t.Errorf("nothing of %q in what was found:\n%s", part, told)
		}
	}
	if found := p.axe(); found != "" {
		t.Error("with what was found:\n" + found)
	}
	before, err := run.Do(p.json())
	if err != nil {
		t.Fatal(err)
	}
	p.onto("#have-apply-0")
	p.press(kb.Enter)
	p.waitFor(`document.getElementById("have-status").textContent.includes("is on db now")`)
	p.judged()
	s := p.json()
	if c := s.Policy.Calls["db"]; c.Attempts != 2 || c.Timeout.String() != "250ms" || strings.Join(c.RetryOn, " ") != "refused" {
		t.Errorf("the call is %+v", c)
	}
	after, err := run.Do(s)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.text("#verdict"); got != metrics.Unbroken(after.Verdict) || after.Verdict == before.Verdict {
		t.Errorf("the verdict is\n%s, want\n%s", got, after.Verdict)
	}
	if got := p.text("#before"); !strings.Contains(got, metrics.Unbroken(before.Verdict)) {
		t.Errorf("before it was\n%s, want\n%s", got, before.Verdict)
	}
	if cells := eval[int](p, `document.querySelectorAll("#blips tbody tr:first-child > *").length`); cells != 5 {
		t.Errorf("a stall is told in %d cells, want 5 with the one before", cells)
	}
	p.screenshot("system-have")
	p.push("#undo")
	p.judged()
	p.waitFor(`document.getElementById("before").hidden`)
	if got := p.text("#verdict"); got != metrics.Unbroken(before.Verdict) {
		t.Errorf("undone, the verdict is\n%s, want\n%s", got, before.Verdict)
	}

	// The call that was chosen stays chosen, whatever else is changed.
	p.set("#new-dependencies", "mail")
	p.push("#add-dependencies")
	p.waitFor(`document.querySelectorAll("#have-call-0 option").length === 2`)
	p.set("#have-call-0", "mail")
	p.waitFor(`document.getElementById("have-found").textContent.includes("policy.calls.mail.attempts = 2")`)
	p.set("#dependencies-mail-slots", "3")
	p.waitFor(`document.getElementById("json").value.includes('"slots": 3')`)
	if got := p.value("#have-call-0"); got != "mail" {
		t.Errorf("the call that was chosen is now %s", got)
	}

	// From a file, at the smallest width.
	p.look(look{Width: 320, Height: 640})
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, []byte("[default]\nmax_attempts = 5\nretry_mode = standard\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.upload("#have-file", file)
	p.waitFor(`document.querySelector("#have-found h3")?.textContent.startsWith("AWS")`)
	if wide := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
		t.Errorf("it is %d pixels wider than the window", wide)
	}
	p.screenshot("system-have-smallest")
}

// YAML that is written to be slow holds up nobody: other settings are read at once, and of it is said that it asks too much.
func TestASystemGivenSlowYAML(t *testing.T) {
	p := system(t, look{})
	p.run(`document.getElementById("have").open = true; window.Worker = class extends Worker { constructor(script) { super(script); window.begun = true } }`)
	slow := `"---\na\n".repeat(20000)` // each document is read within the one before
	write := func(text string) {
		t.Helper()
		p.run(`(e => { e.value = ` + text + `; e.dispatchEvent(new Event("input")) })(document.getElementById("have-text"))`)
	}
	write(slow)
	p.waitFor(`window.begun`)
	write(`"[default]\nmax_attempts = 5\n"`)
	p.waitFor(`document.querySelector("#have-found h3")?.textContent.startsWith("AWS")`)
	write(slow)
	p.waitFor(`document.getElementById("have-problem").textContent.includes("asks too much of its reader")`)
	write(`"name: checkout\nroute: {cluster: db, retry_policy: {num_retries: 1}}\n"`)
	p.waitFor(`document.querySelector("#have-found h3")?.textContent === "Envoy route “checkout”" && document.getElementById("have-problem").hidden`)
}

// It is a program of its own so that the playground's stays small, and has none of what draws or runs.
func TestTheSystemsProgramIsSmall(t *testing.T) {
	isSmall(t, "system", 5_500_000)
}
