//go:build browser

package browser

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fragment is the part of an address that names a paste.
func fragment(address string) string { return address[strings.Index(address, "#"):] }

// typed is what stands in the editor.
func (p *page) typed() string {
	p.t.Helper()
	return eval[string](p, `document.getElementById("paste-text").value`)
}

// What was typed is there until it is saved, whatever else the reader does.
func TestWhatIsTypedIsNeverLost(t *testing.T) {
	const text = "not saved yet"
	for name, act := range map[string]func(p *page, address string){
		"a reload":             func(p *page, _ string) { p.reload(); p.waitFor(`!document.getElementById("create").disabled`) },
		"a file saved instead": func(p *page, _ string) { p.createFile("a file", awkward) },
		"a link opened": func(p *page, address string) {
			p.run(`location.hash = ` + quote(fragment(address)))
			p.outcome("200")
		},
		"another system": func(p *page, _ string) { p.set("#scenario", "two-service") },
		"a restart with the create under way": func(p *page, _ string) {
			p.push("#pause")
			p.push("#create")
			p.waitFor(`!document.getElementById("held-note").hidden`)
			p.push("#restart")
			p.waitFor(`document.getElementById("paste-status").textContent.includes("started over")`)
		},
		"another draft in another tab": func(p *page, _ string) {
			other := p.tab("", look{NoWebGL: true})
			other.waitFor(`!document.getElementById("create").disabled`)
			other.set("#paste-text", "another draft")
			other.reload()
			other.waitFor(`document.getElementById("paste-text").value === "another draft"`)
			p.reload()
			p.waitFor(`!document.getElementById("create").disabled`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := openDesk(t, "")
			address := p.createFile("a file", "before")
			p.set("#paste-text", text)
			act(p, address)
			if got := p.typed(); got != text {
				t.Errorf("the editor holds %q", got)
			}
			p.reload()
			p.waitFor(`!document.getElementById("create").disabled`)
			if got := p.typed(); got != text {
				t.Errorf("after a reload the editor holds %q", got)
			}
		})
	}
}

// However often it is asked for, it is one paste.
func TestACreateIsSentOnce(t *testing.T) {
	p := openDesk(t, "")
	p.set("#paste-text", "once")
	p.run(`for (let i = 0; i < 3; i++) { document.getElementById("create").click(); document.getElementById("paste-form").requestSubmit() }`)
	p.outcome("201")
	p.waitFor(`document.querySelector("#paste-list a")`)
	if n := eval[int](p, `document.querySelectorAll("#paste-list a").length`); n != 1 {
		t.Errorf("it is there %d times", n)
	}
}

// A frame may forbid forms, and pastes are created all the same.
func TestAFrameThatForbidsForms(t *testing.T) {
	p := openSite(t, "testdata/wasmtest.html", look{NoWebGL: true})
	p.expect("can escape its sandboxing") // which is how this test gets in
	p.run(`frame = document.createElement("iframe");
		frame.sandbox = "allow-scripts allow-same-origin";
		frame.src = ` + quote(base) + `;
		document.body.append(frame)`)
	p.waitFor(`!frame.contentDocument.getElementById("create").disabled`)
	p.run(`frame.contentDocument.getElementById("paste-text").value = "framed";
		frame.contentDocument.getElementById("create").click()`)
	p.waitFor(`frame.contentDocument.getElementById("paste-status").textContent.startsWith("201")`)
}

// A file that can't be saved isn't taken, and says how large it is and may be. What was typed can be saved as before.
func TestAFileThatIsTooLarge(t *testing.T) {
	p := openDesk(t, "")
	p.set("#paste-text", "typed")
	path := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), 1<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	p.upload("#paste-file", path)
	p.waitFor(`/1,048,577.*1,048,576/.test(document.getElementById("paste-note").textContent)`)
	p.push("#create")
	p.outcome("201")
	p.run(`location.hash = document.getElementById("paste-link").hash`)
	p.outcome("200")
	if got := p.bytes(); got != "typed" {
		t.Errorf("saved %q", got)
	}
}

// A browser that takes its time to open the storage has not refused it: the pastes are there when it has.
func TestStorageThatIsSlow(t *testing.T) {
	p := openDesk(t, "")
	address := p.createFile("a file", "kept")
	p.before(`const real = IDBFactory.prototype.open;
			IDBFactory.prototype.open = function(...args) { return window.answers ? real.apply(this, args) : new EventTarget() }`)
	p.run(`location.hash = ` + quote(fragment(address)))
	p.reload()
	p.waitFor(`document.getElementById("store-note").textContent.includes("not answered")`)
	p.run(`window.answers = true`)
	p.outcome("200")
	if got := p.bytes(); got != "kept" {
		t.Errorf("reads %q", got)
	}
	if note := eval[string](p, `document.getElementById("store-note").textContent`); note != "" {
		t.Errorf("it still says %q", note)
	}
}
