//go:build browser

package browser

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// awkward is a file that a text editor would not bring through: emoji, NUL, CRLF, a byte order mark in the middle, bytes
// that are no text, and a newline at the end.
const awkward = "first line \U0001F329\uFE0F\r\nNUL:\x00 and \xff\xfe\r\n\ufeff a mark\n\n"

// openDesk opens the page with the pastebin on show and its desk ready.
func openDesk(t testing.TB, path string) *page {
	t.Helper()
	p := openSite(t, path, look{NoWebGL: true})
	p.waitFor(`!document.getElementById("create").disabled`)
	p.set("#scenario", "pastebin")
	p.waitFor(`document.getElementById("stall-2s").offsetParent || !document.querySelector("[data-for=pastebin]").hidden`)
	return p
}

// createFile saves a file as a paste and gives its address.
func (p *page) createFile(title, bytes string) string {
	p.t.Helper()
	path := filepath.Join(p.t.TempDir(), "paste.bin")
	if err := os.WriteFile(path, []byte(bytes), 0o600); err != nil {
		p.t.Fatal(err)
	}
	p.set("#paste-title", title)
	p.upload("#paste-file", path)
	p.waitFor(`!document.getElementById("create").disabled && document.getElementById("paste-size").textContent`)
	p.click("#create")
	p.outcome("201")
	return eval[string](p, `document.getElementById("paste-link").href`)
}

// outcome waits for the answer to the reader's last request.
func (p *page) outcome(status string) string {
	p.t.Helper()
	p.waitFor(`/^[2-5]0/.test(document.getElementById("paste-status").textContent)`)
	text := eval[string](p, `document.getElementById("paste-status").textContent`)
	if !strings.HasPrefix(text, status) {
		p.t.Fatalf("answered %q, want %s", text, status)
	}
	return text
}

// bytes are those of the paste that is open.
func (p *page) bytes() string {
	p.t.Helper()
	p.waitFor(`!document.getElementById("paste-view").hidden && document.getElementById("view-raw").href`)
	encoded := eval[string](p, `fetch(document.getElementById("view-raw").href).then(r => r.arrayBuffer())
		.then(b => btoa(String.fromCharCode(...new Uint8Array(b))))`)
	b, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

// press a button of the page wherever it is: in a tab that is not in front, too.
func (p *page) push(selector string) {
	p.t.Helper()
	p.run(`document.querySelector(` + quote(selector) + `).click()`)
}

func quote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

// hops are the rows of the last request's hops, cells joined by blanks.
func (p *page) hops() []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll("#hops-rows tr")].map(r => [...r.cells].map(c => c.innerText.trim()).join(" "))`)
}

// jobs is how many wait in the store.
func (p *page) jobs() int {
	p.t.Helper()
	return eval[int](p, `new Promise((ok, no) => {
		const open = indexedDB.open("stormbin");
		open.onerror = no;
		open.onsuccess = () => {
			const count = open.result.transaction("jobs").objectStore("jobs").count();
			count.onsuccess = () => { open.result.close(); ok(count.result) };
		};
	})`)
}

// A paste outlives its tab, byte for byte, and its link opens it in another one.
func TestAPasteIsKeptExactly(t *testing.T) {
	p := openDesk(t, "")
	address := p.createFile("awkward", awkward)
	if !strings.HasPrefix(address, origin+base+"#p/") && !strings.HasPrefix(address, origin+base+"index.html#p/") {
		t.Errorf("its link is %s", address)
	}
	p.reload()
	p.waitFor(`document.querySelector("#paste-list a")`)
	if list := p.text("#paste-list"); !strings.Contains(list, "awkward") {
		t.Errorf("after a reload the list says %q", list)
	}
	other := p.tab(strings.TrimPrefix(address, origin+base), look{NoWebGL: true})
	other.outcome("200")
	if got := other.bytes(); got != awkward {
		t.Errorf("the second tab has %q, want %q", got, awkward)
	}
	for _, call := range []string{"cache_get", "primary_read", "object_get"} {
		if !strings.Contains(strings.Join(other.hops(), "\n"), call) {
			t.Errorf("its read shows no %s: %q", call, other.hops())
		}
	}
	other.push("#paste-list button")
	other.outcome("204")
	p.run(`location.hash = ` + quote(address[strings.Index(address, "#"):]))
	if text := p.outcome("404"); !strings.Contains(text, "deleted") {
		t.Errorf("of a deleted paste the first tab says %q", text)
	}
}

// What is typed is what is kept.
func TestTypedTextIsKept(t *testing.T) {
	p := openDesk(t, "")
	const text = "naïve \U0001F329 text\nwith two lines\n"
	p.set("#paste-text", text)
	p.click("#create")
	p.outcome("201")
	p.run(`location.hash = document.getElementById("paste-link").hash`)
	p.outcome("200")
	if got := p.bytes(); got != text {
		t.Errorf("kept %q of %q", got, text)
	}
}

// With the primary stalled a read gives up after its 20 ms of the world's time, and a create has no link: neither is
// lost, and neither is a 404.
func TestAStalledPrimaryIsA503(t *testing.T) {
	p := openDesk(t, "")
	address := p.createFile("before the stall", "text")
	p.push("#primary-stall")
	p.waitFor(`document.getElementById("broken").textContent.includes("tall")`)
	p.run(`location.hash = ` + quote(address[strings.Index(address, "#"):]))
	if text := p.outcome("503"); !strings.Contains(text, "20 ms") {
		t.Errorf("the read says %q, want it to name its 20 ms", text)
	}
	hops := p.hops()
	last := hops[len(hops)-1]
	for _, part := range []string{"primary_read", "1", "20", "ms", "timed out"} {
		if !strings.Contains(last, part) {
			t.Errorf("the last of its hops is %q, want it to say %q", last, part)
		}
	}
	if len(hops) != 2 {
		t.Errorf("hops %q, want two: a timeout is not retried", hops)
	}

	p.set("#paste-text", "do not lose me")
	p.click("#create")
	p.outcome("500")
	if kept := eval[string](p, `document.getElementById("paste-text").value`); kept != "do not lose me" {
		t.Errorf("after the 500 the editor holds %q", kept)
	}
	if eval[bool](p, `!!document.getElementById("paste-link").getAttribute("href")`) {
		t.Error("a create that failed shows a link")
	}
	jobs := p.jobs()
	if jobs < 1 {
		t.Error("there is no job to reap what the failed create left")
	}
	p.push("#mend")
	p.run(`document.querySelector("#paste-list a").click()`)
	p.waitFor(`document.getElementById("paste-status").textContent.startsWith("200")`)
}

// A PUT that times out is a 503: no row, so no link and nothing in the list, and a job to reap what may have landed.
func TestAPutThatTimesOutLeavesAReapJob(t *testing.T) {
	p := openDesk(t, "")
	p.set("#policy-calls-object_put-timeout", "1ms") // the bucket needs 15 at the least
	p.set("#paste-text", "do not lose me")
	p.click("#create")
	p.outcome("503")
	if kept := eval[string](p, `document.getElementById("paste-text").value`); kept != "do not lose me" {
		t.Errorf("after the 503 the editor holds %q", kept)
	}
	if hops := p.hops(); len(hops) != 1 || !strings.Contains(hops[0], "object_put") {
		t.Errorf("hops %q, want the one PUT: no insert follows, and a create is never replayed", hops)
	}
	if eval[bool](p, `!!document.querySelector("#paste-list a")`) {
		t.Error("a paste without a row is in the list")
	}
	if p.jobs() < 1 {
		t.Error("there is no job to reap what may have landed")
	}
}

// Where storage is refused the pastebin works, and says how long it remembers.
func TestWithoutStorageItSaysSo(t *testing.T) {
	p := openSite(t, "gallery.html", look{})
	p.before(`Object.defineProperty(window, "indexedDB", {get() { throw new DOMException("not here", "SecurityError") }})`)
	p.goTo(origin + base)
	p.waitFor(`!document.getElementById("create").disabled`)
	if !eval[bool](p, `!!document.getElementById("store-note").offsetParent`) {
		t.Error("nothing is said about storage that is refused")
	}
	if note := p.text("#store-note"); !strings.Contains(note, "memory") {
		t.Errorf("it says %q", note)
	}
	p.set("#paste-text", "for now")
	p.click("#create")
	p.outcome("201")
	p.run(`location.hash = document.getElementById("paste-link").hash`)
	p.outcome("200")
	if got := p.bytes(); got != "for now" {
		t.Errorf("reads %q", got)
	}
}
