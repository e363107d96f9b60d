//go:build browser

package browser

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"stormbin/pastebin"
)

// read opens the paste of an address in the tab, and waits until it is there.
func (p *page) read(address string) {
	p.t.Helper()
	p.run(`document.getElementById("paste-status").textContent = "";
		location.hash = ` + quote(fragment(address)))
	p.outcome("200")
	p.waitFor(`!document.getElementById("paste-view").hidden`)
}

// readContent opens a paste that is in its link, of whatever length the browser bears.
func (p *page) readContent(c pastebin.Content) {
	p.t.Helper()
	link, err := pastebin.ContentLink(c)
	if err != nil {
		p.t.Fatal(err)
	}
	p.run(`document.getElementById("view-meta").textContent = ""; location.hash = ` + quote(link))
	p.waitFor(`document.getElementById("view-meta").textContent && !document.getElementById("paste-view").hidden`)
}

// says is the words of an element, seen or not.
func (p *page) says(id string) string {
	p.t.Helper()
	return eval[string](p, `document.getElementById("`+id+`").textContent`)
}

// saysSoon waits until the element's words contain part.
func (p *page) saysSoon(id, part string) {
	p.t.Helper()
	p.waitFor(`document.getElementById("` + id + `").textContent.includes(` + quote(part) + `)`)
}

// digest is the SHA-256 of the bytes that a promise in the page comes to.
func (p *page) digest(buffer string) string {
	p.t.Helper()
	return eval[string](p, buffer+`.then(b => crypto.subtle.digest("SHA-256", b))
		.then(d => [...new Uint8Array(d)].map(x => x.toString(16).padStart(2, "0")).join(""))`)
}

func digestOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// mayCopy lets the tab use the clipboard, which it else must ask for.
func (p *page) mayCopy() {
	p.t.Helper()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.Call(p.ctx, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{
			Permission: &cdpbrowser.PermissionDescriptor{Name: name}, Setting: cdpbrowser.PermissionSettingGranted,
			Origin: origin, BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID})
		if err != nil {
			p.t.Fatal("setting the permission "+name+":", err)
		}
	}
	// The clipboard is for a document that has the focus.
	if _, err := chromedp.Call(p.ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		p.t.Fatal(err)
	}
}

// clipboard is the digest of what is on it, as UTF-8.
func (p *page) clipboard() string {
	p.t.Helper()
	return p.digest(`navigator.clipboard.readText().then(s => new TextEncoder().encode(s))`)
}

// What was saved comes out again: as it stands in the page, raw, copied and downloaded.
func TestReadBytes(t *testing.T) {
	noise := make([]byte, 10_000)
	random := rand.NewChaCha8([32]byte{4})
	random.Read(noise)
	p := openDesk(t, "")
	defer func() { p.t = t }()
	p.mayCopy()
	for _, c := range []struct {
		name, bytes string
		binary      bool
	}{
		{"a script", "#!/bin/sh\nset -e\necho 'hello'\n", false},
		{"CRLF", "one\r\ntwo\r\n\r\nfour", false},
		{"a byte order mark", "\xEF\xBB\xBFx\n", false},
		{"two byte order marks", "\uFEFF\uFEFF\nx\uFEFF", false},
		{"NUL", "a\x00b", true},
		{"a replacement that replaces", "$& </textarea><script>alert(1)</script>\n---\n$1\n", false},
		{"hidden characters", "a\u200Bb \u202Ereversed\u202C \u00ADsoft \x1b[31m\rcr\n", false},
		{"emoji", strings.Repeat("😀", 1<<18), false},
		{"one line of a mebibyte", strings.Repeat("All work and no play. ", 1<<20/22+1)[:1<<20], false},
		{"newlines", strings.Repeat("\n", 1<<20-1) + "x", false},
		{"noise", string(noise), true},
		{"one byte", "\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.t = t
			address := p.createFile(c.name, c.bytes)
			p.read(address)
			want := digestOf(c.bytes)
			if got := p.digest(`fetch(document.getElementById("view-raw").href).then(r => r.arrayBuffer())`); got != want {
				t.Error("the download is not what was saved")
			}
			if kind := eval[string](p, `fetch(document.getElementById("view-raw").href).then(r => r.blob()).then(b => b.type)`); kind != "application/octet-stream" {
				t.Errorf("the download is of type %s", kind)
			}
			if meta := p.says("view-meta"); strings.HasPrefix(meta, "Binary") != c.binary {
				t.Errorf("it says %q", meta)
			}
			if eval[bool](p, `document.getElementById("paste-view").textContent.includes("\uFFFD")`) {
				t.Error("there is a replacement character on the page")
			}
			if seen := eval[bool](p, `!!document.getElementById("view-whole").offsetParent`); seen == c.binary {
				t.Errorf("text is on show: %t", seen)
			}
			if c.binary {
				if hex := p.text("#view-hex"); !strings.HasPrefix(hex, fmt.Sprintf("00000  %02x ", c.bytes[0])) {
					t.Errorf("its bytes are %.80q", hex)
				}
				return
			}
			p.saysInFull()
			if got := p.digest(`Promise.resolve(new TextEncoder().encode(document.getElementById("view-text").textContent))`); got != want {
				t.Error("what stands in the page is not what was saved")
			}
			if kind := eval[string](p, `fetch(document.getElementById("view-plain").href).then(r => r.blob()).then(b => b.type)`); kind != "text/plain;charset=utf-8" {
				t.Errorf("raw is of type %q", kind)
			}
			if got := p.digest(`fetch(document.getElementById("view-plain").href).then(r => r.arrayBuffer())`); got != want {
				t.Error("raw is not what was saved")
			}
			p.run(`navigator.clipboard.writeText("before")`)
			p.push("#view-copy")
			p.waitFor(`document.querySelector("#view-copy + .said").textContent === "Copied"`)
			if got := p.clipboard(); got != want {
				t.Error("what the button copied is not what was saved")
			}
			if strings.Count(c.bytes, "\n") > 1<<16 {
				return // to select a million lines takes the browser longer than it lets a page copy after a click
			}
			p.frames(2) // what isn't drawn yet can't be selected
			p.run(`navigator.clipboard.writeText("before").then(() => {
				getSelection().selectAllChildren(document.getElementById("view-text"));
				document.execCommand("copy");
			})`)
			if got := p.clipboard(); got != want {
				t.Error("what was copied of the selection is not what was saved")
			}
		})
	}
}

// saysInFull waits until all of the text is in the page.
func (p *page) saysInFull() {
	p.t.Helper()
	p.waitFor(`[...document.querySelectorAll("#view-text > *")].every(part => part.firstChild)`)
}

// marked are the lines that are marked, first and last, as they stand there.
func (p *page) marked() string {
	p.t.Helper()
	return eval[string](p, `[...document.querySelectorAll("#view-text .marked")].map(r => r.textContent).join("")`)
}

// inSight tells whether a line is where it is seen in the text.
func (p *page) inSight(line int) bool {
	p.t.Helper()
	return eval[bool](p, fmt.Sprintf(`(() => {
		const row = document.querySelector('#view-text [data-line="%d"]'), box = document.getElementById("view-text").getBoundingClientRect();
		const r = row.getBoundingClientRect();
		return r.top >= box.top && r.top + 10 < box.bottom && row.textContent.length > 0;
	})()`, line))
}

func numbered(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "this is line %d\n", i+1)
	}
	return b.String()
}

// A link can name lines: they are marked and in sight when it is opened. A reader makes such a link by clicking numbers,
// or by typing them, and that reads nothing anew.
func TestLinksToLines(t *testing.T) {
	p := openDesk(t, "")
	address := p.createFile("lines", numbered(3000))
	p.read(address + ":L2000-2002")
	p.waitFor(`document.querySelector("#view-text .marked")`)
	p.saysInFull()
	if got := p.marked(); got != "this is line 2000\nthis is line 2001\nthis is line 2002\n" {
		t.Errorf("marked is %q", got)
	}
	p.waitFor(`document.querySelector('#view-text [data-line="2000"]')`)
	if !p.inSight(2000) {
		t.Error("line 2000 is not in sight")
	}

	before := p.says("paste-status")
	number := func(line int, shift bool) {
		p.run(fmt.Sprintf(`(() => {
			const row = document.querySelector('#view-text [data-line="%d"]'), r = row.getBoundingClientRect();
			row.dispatchEvent(new MouseEvent("click", {bubbles: true, clientX: r.left + 5, clientY: r.top + 5, shiftKey: %t}));
		})()`, line, shift))
	}
	number(2004, false)
	number(2001, true)
	if hash := eval[string](p, `location.hash`); hash != fragment(address)+":L2001-2004" {
		t.Errorf("after two clicks the address is %s", hash)
	}
	if got := p.marked(); !strings.HasPrefix(got, "this is line 2001\n") || !strings.HasSuffix(got, "2004\n") || strings.Count(got, "\n") != 4 {
		t.Errorf("after two clicks marked is %q", got)
	}
	p.run(`document.getElementById("view-lines").value = ""; document.getElementById("view-lines").focus()`)
	p.press("7\r")
	if hash := eval[string](p, `location.hash`); hash != fragment(address)+":L7" {
		t.Errorf("after typing 7 the address is %s", hash)
	}
	if !p.inSight(7) {
		t.Error("line 7 is not in sight")
	}
	p.run(`document.getElementById("view-lines").value = ""`)
	p.press("4000\r")
	if said := p.says("view-said"); !strings.Contains(said, "3,000") {
		t.Errorf("of a line that is not there it says %q", said)
	}
	p.run(`location.hash = ` + quote(fragment(address)+":L3"))
	p.waitFor(`document.querySelector("#view-text .marked").textContent === "this is line 3\n"`)
	if after := p.says("paste-status"); after != before {
		t.Errorf("it was read anew: %q", after)
	}
	if eval[string](p, `document.getElementById("view-text").textContent`) != numbered(3000) {
		t.Error("numbers have come into the text")
	}
}

// A text of half a million lines is there, to its last line, and a link opens it anywhere.
func TestManyLines(t *testing.T) {
	p := openDesk(t, "")
	text := strings.Repeat("x\n", 500_000)
	address := p.createFile("many", text)
	p.read(address + ":L400000-400001")
	p.waitFor(`document.querySelector("#view-text .marked")`)
	if got := p.marked(); got != "x\nx\n" {
		t.Errorf("marked is %q", got)
	}
	if !p.inSight(400_000) {
		t.Error("line 400,000 is not in sight")
	}
	if !eval[bool](p, `document.getElementById("view-wrap").disabled`) || !strings.Contains(p.says("view-said"), "not wrapped") {
		t.Errorf("about wrapping it says %q", p.says("view-said"))
	}
	p.saysInFull()
	if got := p.digest(`Promise.resolve(new TextEncoder().encode(document.getElementById("view-text").textContent))`); got != digestOf(text) {
		t.Error("what stands in the page is not what was saved")
	}
}

// A paste of one line is opened again by a reload, all of it.
func TestALineOfAMebibyte(t *testing.T) {
	p := openDesk(t, "")
	text := strings.Repeat("All work and no play. ", 1<<20/22+1)[:1<<20]
	p.read(p.createFile("one line", text))
	p.reload()
	p.outcome("200")
	p.waitFor(`!document.getElementById("paste-view").hidden`)
	p.saysInFull()
	if got := p.digest(`Promise.resolve(new TextEncoder().encode(document.getElementById("view-text").textContent))`); got != digestOf(text) {
		t.Error("what stands in the page is not what was saved")
	}
	if meta := p.says("view-meta"); !strings.HasPrefix(meta, "1,048,576 bytes, 1 line,") {
		t.Errorf("it says %q", meta)
	}
}

// Whatever a paste says, it runs nothing, loads nothing and styles nothing: not as text, not as a title, not as Markdown.
func TestPastesDoNothing(t *testing.T) {
	p := openDesk(t, "")
	p.run(`window.broke = []; addEventListener("securitypolicyviolation", e => broke.push(e.violatedDirective + " " + e.blockedURI))`)
	for _, text := range []string{
		`<script>pwned = 1</script>`,
		`<img src=x onerror="pwned = 2">`,
		`<svg onload="pwned = 3"><script>pwned = 3</script></svg>`,
		`<iframe srcdoc="<script>parent.pwned = 4</script>"></iframe>`,
		`<style>body { display: none }</style><p style="position:fixed;inset:0">over all</p>`,
		`</div></article><script src="https://example.com/x.js"></script>`,
		`[a](javascript:pwned=7) <a href="java&#x0A;script:pwned=7">b</a> <a href="data:text/html,<script>pwned=7</script>">c</a>`,
		`![](https://example.com/pixel.png) <img src="//example.com/pixel.png"> <video src="https://example.com/v" autoplay></video>`,
		`<form action="https://example.com"><input name="x" autofocus onfocus="pwned = 9"><button>go</button></form>`,
		`<math><mtext><table><mglyph><style><img src=x onerror="pwned = 10">`,
		`<link rel=stylesheet href="https://example.com/x.css"><meta http-equiv=refresh content="0;url=https://example.com"><base href="https://example.com/">`,
		`<a id="create" name="paste-text">clobber</a><p id="view-text" class="trouble">clobber</p>`,
		"\u202Egnp.exe\u2066 <object data=x> <embed src=x>",
	} {
		p.readContent(pastebin.Content{Title: text, Language: "markdown", Text: []byte(text)})
		p.saysInFull()
		title := strings.NewReplacer("\u202E", "[U+202E]", "\u2066", "[U+2066]").Replace(text)
		if got := p.says("view-title"); got != title {
			t.Errorf("the title of %q is %q", text, got)
		}
		if odd := eval[string](p, `[...document.querySelectorAll("#view-text *, #view-title *")].filter(e => !e.matches("div, span, bdi.unseen")).map(e => e.tagName).join()`); odd != "" {
			t.Errorf("%q has made %s", text, odd)
		}
		p.push("#view-rendered")
		p.waitFor(`!document.getElementById("view-markdown").hidden`)
		p.frames(2)
		if odd := eval[string](p, `[...document.querySelectorAll("#view-markdown *")].filter(e =>
				e.matches("script, style, iframe, img, video, audio, svg, math, object, embed, form, button, input:not([type=checkbox][disabled]), link, meta, base, [style], [autofocus]") ||
				[...e.attributes].some(a => a.name.startsWith("on")) ||
				e.matches("[id]") && document.getElementById(e.id) !== e ||
				e.href && !/^(https?|mailto):/.test(e.href) && !e.getAttribute("href").startsWith("#"))
			.map(e => e.outerHTML).join(" ")`); odd != "" {
			t.Errorf("%q as Markdown has made %s", text, odd)
		}
		if eval[bool](p, `"pwned" in window || getComputedStyle(document.body).display === "none"`) {
			t.Fatalf("%q has run", text)
		}
		p.push("#view-rendered") // else the next one is rendered at once
	}
	if broke := eval[[]string](p, `broke`); len(broke) > 0 {
		t.Errorf("the browser had to stop %q", broke)
	}
}

// Markdown shows as what it means, and goes back to the text.
func TestMarkdownView(t *testing.T) {
	p := openDesk(t, "")
	const text = "# Title\n\nSome *words*, `code` and [a link](https://example.com/).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n- [ ] to do\n"
	p.readContent(pastebin.Content{Title: "notes", Language: "markdown", Text: []byte(text)})
	p.push("#view-rendered")
	p.waitFor(`document.querySelector("#view-markdown h4")?.textContent === "Title" && document.querySelector("#view-markdown table td")`)
	if rel := eval[string](p, `document.querySelector("#view-markdown a").rel`); !strings.Contains(rel, "noopener") {
		t.Errorf("its link is %q", rel)
	}
	if eval[bool](p, `!!document.getElementById("view-text").offsetParent`) {
		t.Error("the text is on show too")
	}
	if boxes := eval[string](p, `[...document.querySelectorAll("#view-markdown li > input")].map(e => e.checked + " " + e.disabled).join(", ")`); boxes != "true true, false true" {
		t.Errorf("checked and disabled, its tasks are: %s", boxes)
	}
	if found := p.axe(); found != "" {
		t.Error(found)
	}
	p.readContent(pastebin.Content{Title: "wide", Language: "markdown", Text: []byte("~~~\n" + strings.Repeat("wide", 100) + "\n~~~\n\n~~~\nnarrow\n~~~\n\n|" + strings.Repeat("wide", 100) + "|\n|-|\n")})
	p.waitFor(`document.querySelector("#view-markdown table")`)
	if found := p.axe(); found != "" {
		t.Error(found)
	}
	if stops := eval[string](p, `[...document.querySelectorAll("#view-markdown *")].filter(e => e.tabIndex === 0).map(e => e.textContent.trim().slice(0, 4)).join()`); stops != "wide,wide" {
		t.Errorf("the keyboard stops at %q", stops)
	}
	p.readContent(pastebin.Content{Title: "notes", Language: "markdown", Text: []byte(text)})
	p.push("#view-rendered")
	p.waitFor(`document.getElementById("view-text").offsetParent && !document.getElementById("view-markdown").offsetParent`)
	if got := eval[string](p, `document.getElementById("view-text").textContent`); got != text {
		t.Errorf("the text is %q", got)
	}
}

// A text is coloured by its language, and the reader may choose another; the text itself stays as it is. One that is too
// large is shown plain, and the page says so.
func TestColours(t *testing.T) {
	p := openDesk(t, "")
	const text = "package main\n\nfunc main() { print(\"hi\", 42) } // \u200B done\n"
	p.readContent(pastebin.Content{Language: "go", Text: []byte(text)})
	p.waitFor(`document.querySelector("#view-text .code-keyword")?.textContent === "package"`)
	if c := eval[string](p, `document.querySelector("#view-text .code-comment").textContent`); !strings.HasPrefix(c, "// ") {
		t.Errorf("the comment is %q", c)
	}
	p.set("#view-language", "")
	p.waitFor(`!document.querySelector("#view-text span")`)
	p.set("#view-language", "go")
	p.waitFor(`document.querySelector("#view-text .code-keyword")`)
	if got := eval[string](p, `document.getElementById("view-text").textContent`); got != text {
		t.Errorf("coloured it is %q", got)
	}
	p.read(p.createFile("large", strings.Repeat("package main\n", 25_000)))
	p.set("#view-language", "go")
	p.saysSoon("view-colours", "325,000")
	if eval[bool](p, `!!document.querySelector("#view-text span")`) {
		t.Error("it is coloured all the same")
	}
}

// What can't be seen is marked where it stands, counted, and copied as it is. It changes the direction of nothing else.
func TestHiddenCharactersAreMarked(t *testing.T) {
	p := openDesk(t, "")
	p.mayCopy()
	const text = "access = \"user\u202E \u2066// admin\u2069 \u2066\"\nzero\u200B\u200Bwidth\nplain\n"
	p.readContent(pastebin.Content{Title: "\u202Ereversed", Text: []byte(text)})
	if got := p.says("view-hidden"); !strings.HasPrefix(got, "6 characters") {
		t.Errorf("it says %q", got)
	}
	marks := eval[string](p, `[...document.querySelectorAll("#view-text bdi")].map(e => e.dataset.code).join()`)
	if marks != "U+202E,U+2066,U+2069,U+2066,U+200B ×2" {
		t.Errorf("marked are %s", marks)
	}
	if eval[float64](p, `document.querySelector("#view-text bdi").getBoundingClientRect().width`) < 10 {
		t.Error("a mark can't be seen")
	}
	p.frames(2) // what isn't drawn yet can't be selected
	p.run(`{
		const row = document.querySelector('#view-text [data-line="1"]');
		getSelection().setBaseAndExtent(row, 0, row.nextSibling, 1);
		document.execCommand("copy");
	}`)
	if got := p.clipboard(); got != digestOf("access = \"user\u202E \u2066// admin\u2069 \u2066\"\nzero") {
		t.Errorf("a selection is copied as %q", eval[string](p, `navigator.clipboard.readText()`))
	}
}

// They are marked where Markdown is rendered, too, be they spelt out in it.
func TestHiddenCharactersOfMarkdown(t *testing.T) {
	p := openDesk(t, "")
	p.readContent(pastebin.Content{Title: "notes", Language: "markdown", Text: []byte("# if \u202Eadmin\n\n- *zero\u200B\u200Bwidth*\n- [spelt &#x202e;out](https://e.example/)\n- `co\u2066de`\n")})
	p.push("#view-rendered")
	p.waitFor(`document.querySelector("#view-markdown h4")`)
	marks := eval[string](p, `[...document.querySelectorAll("#view-markdown .unseen")].map(e => e.parentElement.localName + " " + e.dataset.code).join()`)
	if marks != "h4 U+202E,em U+200B ×2,a U+202E,code U+2066" {
		t.Errorf("marked are %s", marks)
	}
	if eval[float64](p, `document.querySelector("#view-markdown .unseen").getBoundingClientRect().width`) < 10 {
		t.Error("a mark can't be seen")
	}
	if got := eval[string](p, `document.querySelector("#view-markdown h4").textContent`); got != "if \u202Eadmin" {
		t.Errorf("the heading is %q", got)
	}
}

// Whoever follows a link with the focus in a field sees what it leads to; whoever types on there meanwhile is left alone.
func TestALinkFollowedFromAField(t *testing.T) {
	p := openDesk(t, "")
	address := p.createFile("a paste", "text")
	for _, field := range []string{"#scenario", "#list-search", "#paste-text"} {
		p.run(`document.querySelector(` + quote(field) + `).focus()`)
		p.read(address)
		p.waitFor(`document.activeElement.id === "view-heading"`)
		p.frames(1)
		if !p.seen("#view-title") {
			t.Errorf("from %s: what was opened is at %.0f px", field, p.top("#view-title"))
		}
		p.push("#view-close")
	}
	p.push("#pause") // it is on its way for as long as it takes to type
	p.run(`document.getElementById("paste-text").focus()`)
	p.run(`location.hash = ` + quote(fragment(address)))
	p.said("paste-status", "On its way")
	p.press("x")
	p.run(`document.getElementById("play").click(); document.getElementById("paste-text").focus()`)
	p.waitFor(`!document.getElementById("paste-view").hidden`)
	p.press("y")
	if got := p.typed(); got != "xy" {
		t.Errorf("typed meanwhile is %q", got)
	}
}

// createBurning creates a paste that is burned when it is read.
func (p *page) createBurning(bytes string) (address string) {
	p.t.Helper()
	p.run(`document.getElementById("paste-burn").click()`)
	return p.createFile("secret", bytes)
}

// Two tabs open the link of a paste that may be read once. Both are asked, and one of them gets it.
func TestBurnedByTwoTabsAtOnce(t *testing.T) {
	p := openDesk(t, "")
	address := p.createBurning("for one reader")
	tabs := []*page{p.tab(strings.TrimPrefix(address, origin+base), look{NoWebGL: true}), p.tab(strings.TrimPrefix(address, origin+base), look{NoWebGL: true})}
	for _, tab := range tabs {
		tab.waitFor(`document.getElementById("view-burn").offsetParent`)
		if !eval[bool](tab, `document.getElementById("paste-view").hidden`) {
			t.Fatal("it is shown unasked")
		}
	}
	for _, tab := range tabs {
		tab.run(`setTimeout(() => document.getElementById("view-burn").click(), 200)`)
	}
	got := 0
	for _, tab := range tabs {
		tab.waitFor(`/^[24]0/.test(document.getElementById("paste-status").textContent) && !document.getElementById("view-burn").offsetParent`)
		switch status := tab.says("paste-status"); {
		case strings.HasPrefix(status, "200"):
			got++
			if b := tab.bytes(); b != "for one reader" {
				t.Errorf("reads %q", b)
			}
			if says := tab.says("view-ends"); !strings.Contains(says, "only reading") {
				t.Errorf("it says %q", says)
			}
		case strings.HasPrefix(status, "404") && strings.Contains(status, "burned"):
		default:
			t.Errorf("answered %q", status)
		}
	}
	if got != 1 {
		t.Errorf("%d tabs got the text", got)
	}
	p.run(`location.hash = ` + quote(fragment(address)))
	if text := p.outcome("404"); !strings.Contains(text, "burned") {
		t.Errorf("afterwards it says %q", text)
	}
}

// An answer that went missing after the burning is not lost: this tab, and no other, can have it again.
func TestABurningThatTimedOut(t *testing.T) {
	p := openDesk(t, "")
	address := p.createBurning("once, whatever happens")
	p.set("#policy-calls-primary_delete-timeout", "10us")
	p.run(`location.hash = ` + quote(fragment(address)))
	p.waitFor(`document.getElementById("view-burn").offsetParent`)
	p.click("#view-burn")
	p.outcome("503")
	p.reload()
	p.waitFor(`document.getElementById("view-burn").offsetParent`)
	p.click("#view-burn")
	p.outcome("200")
	if got := p.bytes(); got != "once, whatever happens" {
		t.Errorf("reads %q", got)
	}
	other := p.tab(strings.TrimPrefix(address, origin+base), look{NoWebGL: true})
	other.outcome("404")
	if eval[bool](other, `!!document.getElementById("view-burn").offsetParent`) {
		t.Error("another tab is offered it")
	}
}

// A paste that another tab deletes stays on show where it is open, which says so, and can be kept.
func TestDeletedInAnotherTab(t *testing.T) {
	p := openDesk(t, "")
	address := p.createFile("shared", "still here")
	p.read(address)
	other := p.tab("", look{NoWebGL: true})
	other.waitFor(`document.querySelector('#paste-list [aria-label^="Delete "]')`)
	other.push(`#paste-list [aria-label^='Delete ']`)
	other.outcome("204")
	p.saysSoon("view-ends", "deleted in another tab")
	if got := p.bytes(); got != "still here" {
		t.Errorf("it has %q", got)
	}
	p.push("#view-clone")
	p.waitFor(`document.getElementById("paste-text").value === "still here" && document.getElementById("paste-title").value === "shared"`)
}

// A paste that expires while it is open says so and stays, and can't be opened again. A clock that is set back is none the
// worse for it: "expires in" never counts below nothing.
func TestExpiredWhileOpen(t *testing.T) {
	p := openSite(t, "gallery.html", look{})
	p.before(`const real = Date.prototype.getTime; window.ahead = 0;
			Date.prototype.getTime = function() { return real.call(this) + ahead }`)
	p.goTo(origin + base)
	p.waitFor(`!document.getElementById("create").disabled`)
	p.set("#scenario", "pastebin")
	p.set("#paste-lives", "10m")
	address := p.createFile("short", "not for long")
	p.read(address)
	if meta := p.says("view-meta"); !strings.Contains(meta, "expires in 10 minutes") {
		t.Errorf("it says %q", meta)
	}
	p.run(`window.ahead = 11 * 60e3; document.dispatchEvent(new Event("visibilitychange"))`)
	p.saysSoon("view-ends", "expired")
	if meta := p.says("view-meta"); strings.Contains(meta, "expires") {
		t.Errorf("it says %q", meta)
	}
	if got := p.bytes(); got != "not for long" {
		t.Errorf("it has %q", got)
	}
	p.push("#view-close")
	p.run(`document.getElementById("paste-status").textContent = ""; location.hash = ` + quote(fragment(address)))
	if text := p.outcome("404"); !strings.Contains(text, "expired") {
		t.Errorf("opened again it says %q", text)
	}
	if after := p.says("view-after"); !strings.Contains(after, "clock") {
		t.Errorf("and then %q", after)
	}
	p.run(`window.ahead = 0; document.getElementById("paste-status").textContent = ""; location.hash = ""`)
	p.read(address)
}

// What isn't there says why, and where it may be.
func TestAPasteThatIsNotHere(t *testing.T) {
	// Not with openDesk, which may start the world over while the read is under way.
	p := openSite(t, "#p/aaaaaaaaaaaaaaaaaaaaaa", look{NoWebGL: true})
	p.outcome("404")
	p.saysSoon("view-after", "another browser")
	address := p.createFile("gone", "text")
	p.push(`#paste-list [aria-label^='Delete ']`)
	p.outcome("204")
	p.run(`document.getElementById("paste-status").textContent = ""; location.hash = ` + quote(fragment(address)))
	if text := p.outcome("404"); !strings.Contains(text, "deleted") {
		t.Errorf("of a deleted paste it says %q", text)
	}
	if after := p.says("view-after"); strings.Contains(after, "another browser") || after == "" {
		t.Errorf("and then %q", after)
	}
	if eval[bool](p, `!!document.getElementById("view-again").offsetParent`) {
		t.Error("it offers to try again what can't come")
	}
}

// A read that timed out is tried again when its reader says so.
func TestTryAgainAfterA503(t *testing.T) {
	p := openDesk(t, "")
	address := p.createFile("slow", "text")
	p.push("#primary-stall")
	p.run(`location.hash = ` + quote(fragment(address)))
	p.outcome("503")
	p.waitFor(`document.getElementById("view-again").offsetParent`)
	p.push("#mend")
	p.waitFor(`document.getElementById("broken").textContent.includes("Nothing")`)
	p.push("#view-again")
	p.waitFor(`document.getElementById("paste-status").textContent.startsWith("200")`)
	if got := p.bytes(); got != "text" {
		t.Errorf("reads %q", got)
	}
}

// Where the clipboard is refused the page doesn't say that it has copied: it selects the text, and then copies all of it.
func TestCopyIsRefused(t *testing.T) {
	p := openDesk(t, "")
	const text = "\uFEFFone\u200B\r\ntwo\n\n"
	p.readContent(pastebin.Content{Text: []byte(text)})
	p.mayCopy()
	p.run(`navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"))`)
	p.push("#view-copy")
	p.waitFor(`!getSelection().isCollapsed`)
	if said := eval[string](p, `document.querySelector("#view-copy + .said").textContent`); strings.Contains(said, "Copied") || !strings.Contains(said, "selected") {
		t.Errorf("it says %q", said)
	}
	p.run(`document.execCommand("copy")`)
	if got := p.clipboard(); got != digestOf(text) {
		t.Error("what was selected is not copied as it is")
	}
}

// With the keyboard alone: open a paste from the list, close it, and be where one was.
func TestTheFocusComesBack(t *testing.T) {
	p := openDesk(t, "")
	p.createFile("a paste", "text")
	p.waitFor(`document.querySelector("#paste-list a")`)
	p.run(`document.querySelector("#paste-list a").focus()`)
	p.press("\r")
	p.waitFor(`document.getElementById("paste-status").textContent.startsWith("200")`)
	p.waitFor(`document.activeElement.id === "view-heading"`)
	p.run(`document.getElementById("view-close").focus()`)
	p.press("\r")
	p.waitFor(`document.getElementById("paste-view").hidden`)
	p.waitFor(`document.activeElement.matches("#paste-list a")`)
	if hash := eval[string](p, `location.hash`); hash != "" {
		t.Errorf("after closing the address names %s", hash)
	}
	p.run(`history.back()`)
	p.waitFor(`!document.getElementById("paste-view").hidden`)
}

// On paper is the paste that is open, and nothing else.
func TestPrint(t *testing.T) {
	p := openDesk(t, "")
	p.readContent(pastebin.Content{Title: "on paper", Text: []byte(numbered(500))})
	p.push("#view-qr-show")
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"view-title", "view-text"} {
		if !eval[bool](p, `document.getElementById("`+id+`").checkVisibility()`) {
			t.Errorf("%s is not on paper", id)
		}
	}
	if odd := eval[string](p, `[...document.querySelectorAll("button, input, select, textarea, h1, h2, iframe, #paste-list, #view-qr, footer")]
		.filter(e => e.checkVisibility()).map(e => e.tagName + "#" + e.id).join(" ")`); odd != "" {
		t.Errorf("on paper are %s", odd)
	}
	if eval[bool](p, `document.getElementById("view-text").scrollHeight > document.getElementById("view-text").clientHeight + 2`) {
		t.Error("some of the text is cut off")
	}
}

// The QR code is of a link that works elsewhere if there can be one, and says if it doesn't.
func TestQRCode(t *testing.T) {
	p := openDesk(t, "")
	p.read(p.createFile("small", "a small text"))
	p.push("#view-qr-show")
	if link := eval[string](p, `document.getElementById("qr-link").href`); !strings.Contains(link, "#c1/") || p.says("qr-link") != link {
		t.Errorf("it is of %s", link)
	}
	if !eval[bool](p, `document.querySelector("#qr-square path").getBBox().width > 20`) {
		t.Error("there is no picture")
	}
	noise := make([]byte, 5000)
	rand.NewChaCha8([32]byte{}).Read(noise)
	address := p.createFile("large", hex.EncodeToString(noise))
	p.read(address)
	p.push("#view-qr-show")
	if link := eval[string](p, `document.getElementById("qr-link").href`); link != address {
		t.Errorf("it is of %s, want %s", link, address)
	}
	if note := p.says("qr-note"); !strings.Contains(note, "only in this browser") {
		t.Errorf("it says %q", note)
	}
}

// How long the page's turns take while large texts are opened: a measure, to be looked at.
func TestLongTurns(t *testing.T) {
	if os.Getenv("STORMBIN_MEASURE") == "" {
		t.Skip("STORMBIN_MEASURE is not set")
	}
	p := openDesk(t, "")
	p.run(`window.long = []; new PerformanceObserver(l => l.getEntries().forEach(e => long.push(Math.round(e.duration)))).observe({type: "longtask"})`)
	for _, c := range []struct{ name, text string }{
		{"small", "x"},
		{"one line of a mebibyte", strings.Repeat("All work and no play. ", 1<<20/22+1)[:1<<20]},
		{"1,048,576 newlines", strings.Repeat("\n", 1<<20)},
		{"500,000 lines", strings.Repeat("x\n", 500_000)},
		{"19,900 lines of 52 bytes", strings.Repeat("x := 1 + 2 // and so on, to make it a line of forty\n", 19_900)},
	} {
		address := p.createFile(c.name, c.text)
		p.frames(60)
		rest := eval[[]int](p, `long.splice(0)`)
		began := time.Now()
		p.read(address)
		p.saysInFull()
		took := time.Since(began)
		p.frames(20)
		opened := eval[[]int](p, `long.splice(0)`)
		p.run(`(async () => { const v = document.getElementById("view-text"); for (let i = 1; i <= 20; i++) {
			v.scrollTop = v.scrollHeight * i / 20; await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame) } })()`)
		scrolled := eval[[]int](p, `long.splice(0)`)
		p.push("#view-wrap")
		p.frames(10)
		t.Logf("%s, whole after %v; turns over 50 ms, in ms: before %v, opening %v, scrolling %v, wrapping %v",
			c.name, took.Round(time.Millisecond), rest, opened, scrolled, eval[[]int](p, `long.splice(0)`))
		p.push("#view-wrap")
	}
}
