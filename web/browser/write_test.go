//go:build browser

package browser

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// typeText puts text into the editor, as one paste of it would. Half a character is written \uD83D.
func (p *page) typeText(js string) {
	p.t.Helper()
	p.run(`(() => { const text = document.getElementById("paste-text");
		text.focus();
		text.value = ` + js + `;
		text.dispatchEvent(new Event("input", {bubbles: true})) })()`)
}

// rows is how many pastes there are in the store.
func (p *page) rows() int {
	p.t.Helper()
	return eval[int](p, `new Promise((ok, no) => {
		const open = indexedDB.open("stormbin");
		open.onerror = no;
		open.onsuccess = () => {
			const count = open.result.transaction("primary").objectStore("primary").count();
			count.onsuccess = () => { open.result.close(); ok(count.result) };
		};
	})`)
}

// openMade opens the paste that was just made.
func (p *page) openMade() {
	p.t.Helper()
	p.run(`location.hash = document.getElementById("paste-link").hash`)
	p.outcome("200")
}

// words is what an element says, on show or not.
func (p *page) words(id string) string {
	p.t.Helper()
	return eval[string](p, `document.getElementById(`+quote(id)+`).textContent`)
}

// doubleClick clicks twice, as fast as it goes.
func (p *page) doubleClick(selector string) {
	p.t.Helper()
	at := eval[[]float64](p, `(() => { const e = document.querySelector(`+quote(selector)+`);
		e.scrollIntoView({block: "center"});
		const box = e.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2] })()`)
	for n := 1; n <= 2; n++ {
		p.do("clicking twice "+selector, chromedp.MouseClickXY(at[0], at[1], chromedp.ClickCount(n)))
	}
}

// A paste is written, saved and copied from without a mouse.
func TestAPasteIsWrittenWithoutAMouse(t *testing.T) {
	p := openDesk(t, "")
	p.run(`navigator.clipboard.writeText = async text => { copied = text }`)
	p.do("focusing", chromedp.Focus(chromedp.CSS("#paste-title")))
	p.press("by hand")
	p.press(kb.Tab)
	p.press("only keys")
	p.press(kb.Enter, chromedp.KeyModifiers(2)) // Ctrl
	p.outcome("201")
	if at := eval[string](p, `document.activeElement.id`); at != "paste-text" {
		t.Errorf("the focus is on %q, want it to stay in the text", at)
	}
	for range 20 {
		if p.press(kb.Tab); eval[string](p, `document.activeElement.id`) == "copy-link" {
			break
		}
	}
	p.press(kb.Enter)
	p.waitFor(`copied === document.getElementById("paste-link").href`)
	p.waitFor(`document.querySelector("#copy-link + [role=status]").textContent === "Copied"`)
	p.openMade()
	if got := p.bytes(); got != "only keys" {
		t.Errorf("it reads %q", got)
	}
}

// However a reader says it, it is one wish and one paste.
func TestOneWishIsOnePaste(t *testing.T) {
	for name, wish := range map[string]func(p *page){
		"a double click": func(p *page) { p.doubleClick("#create") },
		"Enter and a click": func(p *page) {
			p.do("focusing", chromedp.Focus(chromedp.CSS("#paste-title")))
			p.press(kb.Enter)
			p.push("#create") // at once
		},
		"Ctrl and Enter three times": func(p *page) {
			p.do("focusing", chromedp.Focus(chromedp.CSS("#paste-text")))
			for range 3 {
				p.press(kb.Enter, chromedp.KeyModifiers(2))
			}
		},
		"two tabs with the same draft": func(p *page) {
			p.waitFor(`(localStorage["stormbin-draft"] ?? "").includes("once")`)
			other := p.tab("", look{NoWebGL: true})
			other.waitFor(`!document.getElementById("create").disabled`)
			other.push("#create")
			other.outcome("201")
			p.push("#create")
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := openDesk(t, "")
			p.set("#paste-text", "once")
			wish(p)
			p.outcome("201")
			p.waitFor(`document.getElementById("create").getAttribute("aria-disabled") !== "true"`)
			if n := p.rows(); n != 1 {
				t.Errorf("there are %d pastes", n)
			}
			if !eval[bool](p, `!!document.getElementById("paste-link").getAttribute("href")`) {
				t.Error("no link is shown")
			}
		})
	}
}

// Where nobody knows whether a paste was saved, trying again gives the first one its link; what was changed meanwhile is
// another paste.
func TestTryingAgainAfterATimeout(t *testing.T) {
	for name, c := range map[string]struct {
		again func(p *page)
		text  string
		rows  int
	}{
		"at once":           {func(p *page) { p.click("#paste-again") }, "once", 1},
		"by a double click": {func(p *page) { p.doubleClick("#paste-again") }, "once", 1},
		"after a reload": {func(p *page) {
			p.reload()
			p.waitFor(`!document.getElementById("create").disabled`)
			p.push("#create")
		}, "once", 1},
		"typed and taken back": {func(p *page) {
			p.set("#paste-text", "once more")
			p.set("#paste-text", "once")
			p.push("#create")
		}, "once", 1},
		"changed": {func(p *page) {
			p.set("#paste-text", "twice")
			p.push("#create")
		}, "twice", 2},
	} {
		t.Run(name, func(t *testing.T) {
			p := openDesk(t, "")
			p.set("#policy-calls-primary_insert-timeout", "1ms") // it goes on working on it
			p.set("#paste-text", "once")
			p.push("#create")
			p.outcome("500")
			if got := p.typed(); got != "once" {
				t.Errorf("after the 500 the editor holds %q", got)
			}
			p.waitFor(`!document.getElementById("paste-again").hidden`)
			for p.rows() == 0 {
				p.frames(1)
			}
			p.set("#policy-calls-primary_insert-timeout", "10s")
			c.again(p)
			p.outcome("201")
			p.openMade()
			if got := p.bytes(); got != c.text {
				t.Errorf("it reads %q, want %q", got, c.text)
			}
			if n := p.rows(); n != c.rows {
				t.Errorf("there are %d pastes, want %d", n, c.rows)
			}
		})
	}
}

// A draft is kept with all that belongs to it, in the middle of a create too.
func TestADraftIsKeptWhole(t *testing.T) {
	p := openDesk(t, "")
	fields := `JSON.stringify(["title", "text", "language", "lives", "number", "unit"].map(n => document.getElementById("paste-" + n).value)
		.concat(document.getElementById("paste-burn").checked, document.getElementById("paste-own").hidden))`
	p.set("#paste-title", "a <title>")
	p.typeText(`"half \uD83D and a line\n"`)
	p.set("#paste-language", "markdown")
	p.set("#paste-lives", "own")
	p.set("#paste-number", "3")
	p.set("#paste-unit", "hours")
	p.click("#paste-burn")
	before := eval[string](p, fields)
	p.reload()
	p.waitFor(`!document.getElementById("create").disabled`)
	if after := eval[string](p, fields); after != before {
		t.Errorf("after a reload the editor holds %s, want %s", after, before)
	}
	p.push("#create")
	p.outcome("201")
	p.reload()
	p.waitFor(`!document.getElementById("create").disabled`)
	if got := p.typed(); got != "" {
		t.Errorf("what was saved is still in the editor: %q", got)
	}
}

// Half a character can't be saved: the page says what becomes of it before it saves, and after.
func TestHalfACharacter(t *testing.T) {
	p := openDesk(t, "")
	p.typeText(`"a\uD83D"`)
	if note := p.words("paste-note"); !strings.Contains(note, "U+FFFD") {
		t.Errorf("before saving it says %q", note)
	}
	p.push("#create")
	if text := p.outcome("201"); !strings.Contains(text, "U+FFFD") {
		t.Errorf("after saving it says %q", text)
	}
	p.openMade()
	if got := p.bytes(); got != "a\uFFFD" {
		t.Errorf("it reads %q", got)
	}
	p.typeText(`"whole \u{1F600}"`)
	p.run(`document.getElementById("paste-title").value = "b\uD83D"`)
	p.typeText(`"whole \u{1F600}"`)
	if note := p.words("paste-note"); !strings.Contains(note, "U+FFFD") {
		t.Errorf("of half a one in the title it says %q", note)
	}
	p.run(`document.getElementById("paste-title").value = ""`)
	p.typeText(`"whole \u{1F600}"`)
	if note := p.words("paste-note"); note != "" {
		t.Errorf("of a whole one it says %q", note)
	}
}

// A file that is dropped or pasted is saved byte for byte, and the text behind it stays.
func TestAFileDroppedOrPasted(t *testing.T) {
	const dos = "\xef\xbb\xbfone\r\ntwo\r\n\x00\xff"
	give := func(event string) string {
		return `(() => { const data = new DataTransfer();
			data.items.add(new File([new Uint8Array([` + commas([]byte(dos)) + `])], "dos.txt"));
			` + event + ` })()`
	}
	for name, event := range map[string]string{
		"dropped on the text":  `document.getElementById("paste-text").dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: data}))`,
		"dropped on the page":  `document.body.dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: data}))`,
		"pasted into the text": `document.getElementById("paste-text").dispatchEvent(new ClipboardEvent("paste", {bubbles: true, cancelable: true, clipboardData: data}))`,
	} {
		t.Run(name, func(t *testing.T) {
			p := openDesk(t, "")
			p.set("#paste-text", "typed")
			p.run(give(event))
			p.waitFor(`document.getElementById("paste-size").textContent.includes("15 of 1,048,576 bytes")`)
			leaving := `!document.body.dispatchEvent(new Event("beforeunload", {bubbles: true, cancelable: true}))`
			if !eval[bool](p, leaving) {
				t.Error("the page can be left without a word, and no draft keeps a file")
			}
			p.push("#create")
			p.outcome("201")
			if eval[bool](p, leaving) {
				t.Error("once it is saved the page holds the reader back")
			}
			if got := p.typed(); got != "typed" {
				t.Errorf("behind the file there is %q now", got)
			}
			p.openMade()
			if got := p.bytes(); got != dos {
				t.Errorf("it reads %q", got)
			}
			if title := p.words("view-title"); !strings.Contains(title, "dos.txt") {
				t.Errorf("its title is %q", title)
			}
		})
	}
}

// bring has the text come all at once into the field: pasted, or dropped.
func (p *page) bring(event, js string) {
	p.t.Helper()
	p.run(`(() => { const data = new DataTransfer(), text = document.getElementById("paste-text");
		text.focus();
		data.setData("text/plain", ` + js + `);
		taken = !text.dispatchEvent(new ` + event + `) })()`)
}

const (
	pasteEvent = `ClipboardEvent("paste", {bubbles: true, cancelable: true, clipboardData: data})`
	dropEvent  = `DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: data})`
)

// A text that is too long for the field is kept beside it: exactly, over a reload too, until it is saved, edited or taken
// out; and taken out it can be brought back.
func TestALongTextIsKeptBesideTheField(t *testing.T) {
	const js, half = `"first line\r\n" + "x".repeat(300000) + "end"`, `"\uD83D" + "x".repeat(300000)`
	text := "first line\r\n" + strings.Repeat("x", 300_000) + "end"
	p := openDesk(t, "")
	beside := `!document.getElementById("paste-held").hidden && document.getElementById("paste-text").hidden`
	for name, c := range map[string]struct {
		event, js string
		act       func(p *page)
		want      string
	}{
		"pasted":          {pasteEvent, js, func(p *page) {}, text},
		"dropped":         {dropEvent, js, func(p *page) {}, text},
		"by the keyboard": {pasteEvent, js, func(p *page) { p.press(kb.Enter, chromedp.KeyModifiers(2)) }, text},
		"a reload": {pasteEvent, js, func(p *page) {
			p.reload()
			p.waitFor(`!document.getElementById("create").disabled`)
		}, text},
		"taken out and brought back": {pasteEvent, js, func(p *page) {
			p.push("#paste-drop-file")
			p.waitFor(`!document.getElementById("paste-text").hidden`)
			p.reload()
			p.waitFor(`!document.getElementById("create").disabled`)
			p.push("#paste-back")
		}, text},
		"a file chosen instead, and brought back": {pasteEvent, js, func(p *page) {
			p.createFile("a file", awkward)
			p.push("#paste-back")
		}, text},
		"edited":           {pasteEvent, js, func(p *page) { p.push("#paste-edit-file") }, strings.ReplaceAll(text, "\r", "")},
		"half a character": {pasteEvent, half, func(p *page) { p.waitFor(`document.getElementById("paste-note").textContent.includes("U+FFFD")`) }, "\uFFFD" + strings.Repeat("x", 300_000)},
	} {
		t.Run(name, func(t *testing.T) {
			p.within(t)
			p.run(`document.getElementById("view-close").click(); document.getElementById("paste-made").hidden = true`) // of the last one
			p.bring(c.event, c.js)
			p.waitFor(`taken && ` + beside)
			if size := p.words("paste-size"); !strings.Contains(size, " of 1,048,576 bytes") {
				t.Errorf("of its size it says %q", size)
			}
			if c.js == js && !strings.HasPrefix(p.words("paste-held"), "first line") {
				t.Errorf("it is shown as %q", p.words("paste-held"))
			}
			c.act(p)
			p.push("#create")
			p.waitFor(`document.getElementById("paste-made").checkVisibility() && document.getElementById("paste-held").hidden`)
			p.openMade()
			if p.sum() != fmt.Sprintf("%x", sha256.Sum256([]byte(c.want))) {
				t.Error("it does not read as it was brought")
			}
		})
	}
}

// What is not too long, goes among other words, or is too large to be saved is the field's affair as ever.
func TestATextThatGoesIntoTheField(t *testing.T) {
	p := openDesk(t, "")
	p.bring(pasteEvent, `"a few words"`)
	if eval[bool](p, `taken`) {
		t.Error("a short text is kept from the field")
	}
	p.bring(pasteEvent, `"x".repeat(1048577)`)
	if eval[bool](p, `taken`) {
		t.Error("a text that can't be saved is kept from the field, where it could be cut")
	}
	p.set("#paste-text", "before")
	p.bring(pasteEvent, `"x".repeat(300000)`)
	if eval[bool](p, `taken`) || p.typed() != "before" {
		t.Error("a text that was to go among other words is kept from them")
	}
}

// The last byte fits, and one more does not: then both numbers are said, nothing is sent, and the text stays.
func TestHowMuchFits(t *testing.T) {
	p := openDesk(t, "")
	for name, c := range map[string]struct {
		js, text string
	}{
		"1,048,576 bytes": {`"x".repeat(1048576)`, strings.Repeat("x", 1<<20)},
		"262,144 × 😀":     {`"\u{1F600}".repeat(262144)`, strings.Repeat("\U0001F600", 262144)},
	} {
		t.Run(name, func(t *testing.T) {
			p.within(t)
			p.run(`document.getElementById("view-close").click()`) // the last one
			before := p.rows()
			p.typeText(c.js + ` + "y"`)
			p.push("#create")
			p.waitFor(`document.getElementById("paste-status").textContent.includes("Nothing was sent")`)
			if text := p.words("paste-status"); !strings.Contains(text, "1,048,577") || !strings.Contains(text, "1,048,576") {
				t.Errorf("it says %q, want both numbers", text)
			}
			if size := p.words("paste-size"); size != "1,048,577 of 1,048,576 bytes: 1 byte too many" {
				t.Errorf("the count says %q", size)
			}
			if !eval[bool](p, `document.getElementById("paste-text").value === `+c.js+` + "y"`) {
				t.Error("the text is not what it was")
			}
			if n := p.rows(); n != before {
				t.Errorf("there are %d pastes, and there were %d", n, before)
			}
			p.typeText(c.js)
			p.push("#create")
			p.outcome("201")
			p.openMade()
			p.waitFor(`document.getElementById("view-raw").href`)
			if p.sum() != fmt.Sprintf("%x", sha256.Sum256([]byte(c.text))) {
				t.Error("it does not read as it was written")
			}
		})
	}
	t.Run("a title", func(t *testing.T) {
		p.within(t)
		p.set("#paste-text", "text")
		p.set("#paste-title", strings.Repeat("é", 128)+"!")
		p.push("#create")
		p.waitFor(`/257.*256/.test(document.getElementById("paste-status").textContent)`)
		p.waitFor(`document.getElementById("paste-title").getAttribute("aria-invalid") === "true"`)
		p.set("#paste-title", strings.Repeat("é", 128))
		p.push("#create")
		p.outcome("201")
	})
	t.Run("nothing", func(t *testing.T) {
		p.within(t)
		p.push("#create")
		p.waitFor(`document.getElementById("paste-text").parentElement.textContent.includes("nothing to save")`)
		p.set("#paste-text", "something")
		p.waitFor(`!document.getElementById("paste-text").parentElement.textContent.includes("nothing to save")`)
	})
}

// A time of one's own is refused beside its field if it can't be, and nothing is sent.
func TestATimeOfOnesOwn(t *testing.T) {
	p := openDesk(t, "")
	p.set("#paste-text", "for a while")
	p.set("#paste-lives", "own")
	for _, bad := range []string{"", "soon", "0", "99999"} {
		if bad != "" {
			p.set("#paste-number", bad)
		}
		p.push("#create")
		p.waitFor(`document.getElementById("paste-own").textContent.includes("1 minute to 10 years")`)
		if got := p.words("paste-status"); !strings.Contains(got, "Nothing was sent") {
			t.Errorf("of %q it says %q", bad, got)
		}
	}
	p.set("#paste-number", "90")
	p.set("#paste-unit", "minutes")
	p.push("#create")
	p.outcome("201")
	if got := p.livesFor(); got != 90*60*1000 {
		t.Errorf("it lives for %v ms", got)
	}
	p.set("#paste-text", "for a week")
	p.set("#paste-lives", "168h")
	p.push("#create")
	p.outcome("201")
	if got := p.livesFor(); got != 7*24*60*60*1000 {
		t.Errorf("it lives for %v ms", got)
	}
}

// livesFor is how long the newest paste is to live, in milliseconds.
func (p *page) livesFor() float64 {
	p.t.Helper()
	return eval[float64](p, `new Promise((ok, no) => {
		const open = indexedDB.open("stormbin");
		open.onerror = no;
		open.onsuccess = () => {
			const all = open.result.transaction("primary").objectStore("primary").getAll();
			all.onsuccess = () => { open.result.close();
				const newest = all.result.reduce((a, b) => a.created > b.created ? a : b);
				ok(newest.expires - newest.created) };
		};
	})`)
}

// The language is guessed, and one that is chosen stays.
func TestTheLanguageIsGuessed(t *testing.T) {
	p := openDesk(t, "")
	chosen := `document.getElementById("paste-language").selectedOptions[0].textContent`
	p.set("#paste-text", "#!/usr/bin/env python3\nprint(1)\n")
	p.waitFor(chosen + ` === "Guessed: Python"`)
	p.set("#paste-title", "main.go")
	p.waitFor(chosen + ` === "Guessed: Go"`)
	p.set("#paste-language", "markdown")
	p.set("#paste-title", "main.py")
	if got := eval[string](p, chosen); got != "Markdown" {
		t.Errorf("the language that was chosen became %q", got)
	}
}

// A text that was given no title is called by its first line, and that is said before it is saved; one that is to be burned
// is not.
func TestAnUntitledText(t *testing.T) {
	p := openDesk(t, "")
	const field = `document.getElementById("paste-title").placeholder`
	p.set("#paste-text", "\n# Shopping\nmilk\n")
	p.waitFor(field + ` === "Shopping"`)
	p.push("#create")
	p.outcome("201")
	p.waitForTitles("Shopping")
	p.waitFor(field + ` === ""`)
	p.set("#paste-text", "the secret\n")
	p.waitFor(field + ` === "the secret"`)
	p.click("#paste-burn")
	p.waitFor(field + ` === ""`)
	p.push("#create")
	p.outcome("201")
	p.waitForRows(2)
	if says := p.words("paste-list"); strings.Contains(says, "secret") {
		t.Errorf("the list gives away what is to be burned: %q", says)
	}
}

// With no room left nothing is saved, and nothing lost; once there is room again, trying again saves it.
func TestNoRoomLeft(t *testing.T) {
	p := openDesk(t, "")
	quota := func(n *float64) {
		if _, err := chromedp.Call(p.ctx, storage.OverrideQuotaForOrigin, storage.OverrideQuotaForOriginParams{Origin: origin, QuotaSize: n}); err != nil {
			t.Fatal(err)
		}
	}
	text := random(200_000)
	p.typeText(quote(text))
	little := 1000.0
	quota(&little)
	p.push("#create")
	if said := p.outcome("50"); !strings.Contains(said, "no room") || !strings.Contains(said, "not saved") {
		t.Errorf("it says %q", said)
	}
	if p.typed() != text {
		t.Error("the text is not what it was")
	}
	if eval[bool](p, `!!document.getElementById("paste-link").getAttribute("href")`) {
		t.Error("a paste that was not saved has a link")
	}
	quota(nil)
	p.click("#paste-again")
	p.outcome("201")
	if n := p.rows(); n != 1 {
		t.Errorf("there are %d pastes", n)
	}
}

// random is text that can't be made shorter.
func random(n int) string {
	chance, letters := rand.New(rand.NewPCG(1, 2)), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[chance.IntN(len(letters))]
	}
	return string(b)
}

// Where no draft can be kept, the page says so, and goes on.
func TestADraftThatCannotBeKept(t *testing.T) {
	p := openDesk(t, "")
	p.run(`Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") }`)
	p.set("#paste-text", "not kept")
	p.waitFor(`document.getElementById("paste-note").textContent.includes("not kept")`)
	if got := p.typed(); got != "not kept" {
		t.Errorf("the editor holds %q", got)
	}
	p.push("#create")
	p.outcome("201")
	if note := p.words("paste-note"); note != "" {
		t.Errorf("once it is saved it still says %q", note)
	}
}

// What stood in the editor when a copy of another paste was begun comes back, after a reload too.
func TestWhatWasPutAsideComesBack(t *testing.T) {
	for _, reloads := range []bool{false, true} {
		p := openDesk(t, "")
		p.set("#paste-title", "another")
		p.set("#paste-text", "another paste\n")
		p.push("#create")
		p.outcome("201")
		p.openMade()
		p.set("#paste-title", "mine")
		p.set("#paste-text", "my draft")
		p.waitFor(`!document.getElementById("view-clone").closest("[hidden]")`)
		p.push("#view-clone")
		p.waitFor(`document.getElementById("paste-text").value === "another paste\n"`)
		if reloads {
			p.goTo(origin + base)
			p.waitFor(`!document.getElementById("create").disabled`)
		}
		p.click("#paste-back")
		p.waitFor(`document.getElementById("paste-text").value === "my draft" && document.getElementById("paste-title").value === "mine"`)
	}
}

// A clone has every byte of what it is a copy of, line ends too.
func TestACloneIsExact(t *testing.T) {
	p := openDesk(t, "")
	p.createFile("awkward", awkward)
	p.openMade()
	p.push("#view-clone")
	p.waitFor(`document.getElementById("paste-size").textContent.includes("A file")`)
	p.push("#create")
	p.outcome("201")
	p.openMade()
	if got := p.bytes(); got != awkward {
		t.Errorf("the clone has %q, want %q", got, awkward)
	}
}

// A link with content opens in a browser that has never seen the paste, with every byte.
func TestALinkWithContent(t *testing.T) {
	p := openDesk(t, "")
	other := openSite(t, "", look{NoWebGL: true})
	other.waitFor(`!document.getElementById("create").disabled`)
	for name, text := range map[string]string{
		"unix":     "#!/bin/sh\necho hi\n",
		"dos":      "one\r\ntwo\r\n",
		"mark":     "\xef\xbb\xbfx\n",
		"NUL":      "a\x00b",
		"script":   "$& </textarea><script>alert(1)</script>\n---\n",
		"emoji":    strings.Repeat("\U0001F600", 262144),
		"any byte": "\xff\xfe\x00\x80",
	} {
		p.createFile(name, text)
		p.click("#share-content")
		p.waitFor(`document.getElementById("content-link").offsetParent && !document.getElementById("content-made").hidden`)
		link := fragment(eval[string](p, `document.getElementById("content-link").href`))
		if !strings.HasPrefix(link, "#c1/") || len(link) > 2000 {
			t.Errorf("%s: the link is %.60s…, %d characters", name, link, len(link))
		}
		if says := p.words("content-says"); !strings.Contains(says, strconv.Itoa(len(link))) && len(link) < 1000 {
			t.Errorf("%s: of a link of %d characters it says %q", name, len(link), says)
		}
		other.run(`location.hash = ` + quote(link))
		other.waitFor(`document.getElementById("view-title").textContent.includes(` + quote(name) + `)`)
		if got, want := other.sum(), fmt.Sprintf("%x", sha256.Sum256([]byte(text))); got != want {
			t.Errorf("%s: the other browser has other bytes", name)
		}
		if name != "unix" {
			continue
		}
		altered := "A"
		if link[len(link)-8] == 'A' {
			altered = "B"
		}
		for _, c := range []struct{ link, says string }{
			{link[:len(link)-5], "5 "},
			{link[:len(link)-8] + altered + link[len(link)-7:], "altered"},
			{"#c9/12.abc.def", ""},
		} {
			other.run(`document.getElementById("paste-status").textContent = ""; location.hash = ` + quote(c.link))
			other.waitFor(`document.getElementById("paste-status").textContent`)
			if says := other.words("paste-status"); !strings.HasPrefix(says, "400") || !strings.Contains(says, c.says) {
				t.Errorf("of %.80s it says %q", c.link, says)
			}
			if eval[bool](other, `!document.getElementById("paste-view").hidden`) {
				t.Errorf("of %.80s something is shown", c.link)
			}
			other.run(`location.hash = "#v1/queue"`) // of which it isn't true
			other.waitFor(`!document.getElementById("paste-status").textContent`)
		}
	}

	// Too long for a link: both numbers, and the file.
	p.createFile("long", random(5000))
	p.click("#share-content")
	p.waitFor(`document.getElementById("content-file").offsetParent`)
	if says := p.words("content-says"); !strings.Contains(says, "2,000") || strings.Count(says, ",") < 2 {
		t.Errorf("it says %q, want both numbers", says)
	}
	if !eval[bool](p, `fetch(document.getElementById("content-file").href).then(r => r.text()).then(t => t === `+quote(random(5000))+`)`) {
		t.Error("the file that is offered is not the paste")
	}

	// What is to be read once can't be in a link that is read as often as one likes.
	p.set("#paste-text", "once")
	p.click("#paste-burn")
	p.push("#create")
	p.outcome("201")
	if eval[bool](p, `!!document.getElementById("share-content").offsetParent`) {
		t.Error("a link with the content of a paste that burns is offered")
	}
}

// sum is the SHA-256 of the paste that is open.
func (p *page) sum() string {
	p.t.Helper()
	p.waitFor(`!document.getElementById("paste-view").hidden && document.getElementById("view-raw").href`)
	return eval[string](p, `fetch(document.getElementById("view-raw").href).then(r => r.arrayBuffer())
		.then(b => crypto.subtle.digest("SHA-256", b)).then(d => [...new Uint8Array(d)].map(x => x.toString(16).padStart(2, "0")).join(""))`)
}

// Where the clipboard is denied nothing is said to be copied: the link is selected.
func TestTheClipboardIsDenied(t *testing.T) {
	p := openDesk(t, "")
	p.set("#paste-text", "text")
	p.push("#create")
	p.outcome("201")
	for _, deny := range []string{
		`navigator.clipboard.writeText = async () => { throw new DOMException("no", "NotAllowedError") }`,
		`navigator.clipboard.writeText = () => { throw new DOMException("at once", "NotAllowedError") }`,
		`Object.defineProperty(navigator, "clipboard", {value: undefined})`,
	} {
		p.run(deny)
		p.run(`getSelection().removeAllRanges()`)
		p.click("#copy-link")
		p.waitFor(`getSelection().toString() === document.getElementById("paste-link").href`)
		if said := eval[string](p, `document.querySelector("#copy-link + [role=status]").textContent`); !strings.Contains(said, "Ctrl+C") || strings.Contains(said, "Copied") {
			t.Errorf("%s: it says %q", deny, said)
		}
	}
}

// BenchmarkMebibyte is a paste of 1 MiB: by a file, by the clipboard, and set into the field by a script. The milliseconds
// are those of the longest task of the page's thread, 0 if none took 50.
func BenchmarkMebibyte(b *testing.B) {
	path := filepath.Join(b.TempDir(), "mebibyte")
	const line, lines = "A line of some words, forty bytes long.\n", 1 << 20 / len("A line of some words, forty bytes long.\n")
	if err := os.WriteFile(path, bytes.Repeat([]byte(line), lines), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p := openDesk(b, "")
		p.run(`longest = 0;
			new PerformanceObserver(list => { for (const e of list.getEntries()) longest = Math.max(longest, e.duration) }).observe({type: "longtask"})`)
		measure := func(what string, do func()) {
			p.frames(30)
			p.run(`longest = 0`)
			do()
			p.frames(60)
			b.ReportMetric(eval[float64](p, `longest`), what+"-ms")
		}
		create := func() {
			p.push("#create")
			p.outcome("201")
		}
		measure("choose", func() {
			p.upload("#paste-file", path)
			p.waitFor(`document.getElementById("paste-size").textContent`)
		})
		measure("create-file", create)
		measure("paste", func() {
			p.bring(pasteEvent, quote(strings.ReplaceAll(line, "\n", `\n`))+`.repeat(`+strconv.Itoa(lines)+`)`)
			p.waitFor(`!document.getElementById("paste-held").hidden`)
		})
		measure("create-paste", create)
		measure("set-text", func() {
			p.typeText(quote(strings.ReplaceAll(line, "\n", `\n`)) + `.repeat(` + strconv.Itoa(lines) + `)`)
		})
		measure("type", func() {
			for range 5 {
				p.press("a")
			}
		})
		measure("create-text", create)
		b.ReportMetric(0, "ns/op")
	}
}

// commas writes bytes as JavaScript has them in an array.
func commas(b []byte) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(b), " ", ","), "[]") }
