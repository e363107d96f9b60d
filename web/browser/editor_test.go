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
	t.Parallel()
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
	t.Parallel()
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

// With two tabs each draft is there until it is saved or emptied in the tab it was typed in, whatever the other one does.
func TestDraftsOfTwoTabs(t *testing.T) {
	t.Parallel()
	kept := func(p *page, text string) {
		t.Helper()
		p.waitFor(`Object.entries(localStorage).some(([k, v]) => k.startsWith("stormbin-draft") && v.includes(` + quote(text) + `))`)
	}
	open := func(p *page) *page { // one that is paused: a world that plays is most of the work of a tab
		t.Helper()
		other := p.tab("", look{NoWebGL: true, ReducedMotion: true})
		other.waitFor(`!document.getElementById("create").disabled`)
		return other
	}
	for name, act := range map[string]func(p, other *page){
		"created in the first": func(p, _ *page) { p.push("#create"); p.outcome("201") },
		"emptied in the first": func(p, _ *page) { p.typeText(`""`) },
		"gone on with in the first": func(p, _ *page) {
			p.set("#paste-text", "of the first, and more")
			kept(p, "and more")
			p.typeText(`""`)
			p.waitFor(`!Object.values(localStorage).some(v => v.includes("and more"))`)
		},
		"both closed": func(p, other *page) {
			for _, tab := range []*page{p, other} {
				tab.expect("favicon.ico")
				tab.goTo(origin + base + "picture.png")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := openDesk(t, "")
			p.set("#paste-text", "of the first")
			kept(p, "of the first")
			other := open(p) // which goes on with it
			other.set("#paste-text", "of the second")
			kept(p, "of the second")
			act(p, other)
			third := open(p)
			third.waitFor(`document.getElementById("paste-text").value === "of the second"`)
		})
	}
	t.Run("two drafts", func(t *testing.T) {
		p := openDesk(t, "")
		other := open(p)
		p.set("#paste-text", "of the first")
		kept(p, "of the first")
		other.set("#paste-text", "of the second")
		kept(p, "of the second")
		third := open(p)
		if got := third.typed(); got != "of the second" {
			t.Errorf("a new tab begins with %q", got)
		}
		if says := third.words("paste-back"); says != "Take up the other draft" {
			t.Errorf("with one more draft the button says %q", says)
		}
		third.push("#paste-back")
		third.waitFor(`document.getElementById("paste-text").value === "of the first"`)
		third.typeText(`""`)
		third.waitFor(`!Object.values(localStorage).some(v => v.includes("of the first"))`)
		third.push("#paste-back")
		third.waitFor(`document.getElementById("paste-text").value === "of the second" && document.getElementById("paste-back").hidden`)
		if got := open(p).typed(); got != "of the second" {
			t.Errorf("once one was emptied a new tab begins with %q", got)
		}
	})
	t.Run("a copy of another paste", func(t *testing.T) {
		p := openDesk(t, "")
		address := p.createFile("another", "another paste")
		p.set("#paste-text", "of the first")
		p.run(`location.hash = ` + quote(fragment(address)))
		p.outcome("200")
		p.push("#view-clone")
		p.waitFor(`document.getElementById("paste-text").value === "another paste" && sessionStorage["stormbin-draft"]?.includes("another paste")`)
		if got := open(p).typed(); got != "of the first" {
			t.Errorf("a new tab begins with %q", got)
		}
		p.set("#paste-text", "another paste, altered")
		kept(p, "altered")
		third := open(p)
		third.push("#paste-back")
		third.waitFor(`document.getElementById("paste-text").value === "of the first"`)
	})
	t.Run("saved", func(t *testing.T) {
		p := openDesk(t, "")
		p.set("#paste-text", "saved")
		kept(p, "saved")
		p.push("#create")
		p.outcome("201")
		if got := open(p).typed(); got != "" {
			t.Errorf("a new tab begins with %q", got)
		}
	})
}

// give drops a file of that name and text on the page.
func (p *page) give(name, text string) {
	p.t.Helper()
	p.run(`(() => { const data = new DataTransfer();
		data.items.add(new File([` + quote(text) + `], ` + quote(name) + `));
		document.body.dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: data})) })()`)
}

// What was sent and not saved is sent again as it was, whatever has come into the editor in the meantime, and that stays.
func TestTryingAgainSendsWhatWasSent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		write, meanwhile func(p *page)
		want, left       string
	}{
		"a copy of another paste": {
			func(p *page) { p.set("#paste-title", "sent"); p.set("#paste-text", "precious") },
			func(p *page) {
				p.push("#view-clone")
				p.waitFor(`document.getElementById("paste-text").value === "another paste"`)
			}, "precious", "another paste"},
		"another file": {
			func(p *page) { p.give("sent", "precious") },
			func(p *page) {
				p.give("B.txt", "of B")
				p.waitFor(`document.getElementById("paste-title").value === "B.txt"`)
			}, "precious", ""},
		"the text behind the file": {
			func(p *page) { p.set("#paste-text", "behind"); p.give("sent", "precious") },
			func(p *page) { p.push("#paste-drop-file") }, "precious", "behind"},
		"more words": {
			func(p *page) { p.set("#paste-title", "sent"); p.set("#paste-text", "precious") },
			func(p *page) { p.set("#paste-text", "precious, and more") }, "precious", "precious, and more"},
	} {
		t.Run(name, func(t *testing.T) {
			p := openDesk(t, "")
			address := p.createFile("another", "another paste")
			p.run(`location.hash = ` + quote(fragment(address)))
			p.outcome("200")
			c.write(p)
			p.waitFor(`document.getElementById("paste-title").value === "sent" && !document.getElementById("create").disabled`)
			p.push("#pause")
			p.push("#create")
			p.waitFor(`!document.getElementById("held-note").hidden`)
			c.meanwhile(p)
			p.push("#restart")
			if said := p.said("paste-status", "started over"); strings.Contains(said, "still in the editor") {
				t.Errorf("it says %q", said)
			}
			p.push("#paste-again")
			p.push("#held-play")
			p.outcome("201")
			if got := p.typed(); got != c.left {
				t.Errorf("the editor holds %q, want %q", got, c.left)
			}
			p.openMade()
			if got, title := p.bytes(), p.words("view-title"); got != c.want || title != "sent" {
				t.Errorf("it reads %q under %q, want %q", got, title, c.want)
			}
		})
	}
}

// A file that can't be taken changes nothing; one that takes another's place puts that aside, and its name with it.
func TestFilesInPlaceOfFiles(t *testing.T) {
	p := openDesk(t, "")
	holds := func(name, text string) {
		t.Helper()
		p.waitFor(`document.getElementById("paste-title").value === ` + quote(name) + ` && document.getElementById("paste-held").textContent === ` + quote(text))
	}
	p.give("A.txt", "of A")
	holds("A.txt", "of A")
	p.run(`(() => { const data = new DataTransfer();
		data.items.add(new File([new Uint8Array(1 << 20), "x"], "large"));
		document.body.dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: data})) })()`)
	p.said("paste-note", "1,048,577")
	holds("A.txt", "of A")
	p.run(`arrayBuffer = Blob.prototype.arrayBuffer; Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("a folder", "NotFoundError"))`)
	p.give("folder", "")
	p.said("paste-note", "not a folder")
	holds("A.txt", "of A")
	p.run(`Blob.prototype.arrayBuffer = arrayBuffer`)
	p.give("B.txt", "of B")
	holds("B.txt", "of B")
	p.push("#paste-back")
	holds("A.txt", "of A")
	p.push("#paste-back")
	holds("B.txt", "of B")
	p.set("#paste-title", "my own title")
	p.give("C.txt", "of C")
	holds("my own title", "of C")
	p.push("#create")
	p.outcome("201")
	p.openMade()
	if got := p.bytes(); got != "of C" {
		t.Errorf("saved %q", got)
	}
}

// What was sent was saved and has expired before it is tried again, and the editor has changed since: that is said, trying
// once more makes a new paste of what was sent, and the editor's draft stays what it is.
func TestTryingAgainWhatHasExpired(t *testing.T) {
	for name, left := range map[string]string{"as it was": "", "the editor has changed": "another draft"} {
		t.Run(name, func(t *testing.T) {
			p := openDesk(t, "")
			p.run(`real = Date.prototype.getTime; ahead = 0; Date.prototype.getTime = function() { return real.call(this) + ahead }`)
			p.set("#policy-calls-primary_insert-timeout", "1ms")
			p.set("#paste-text", "brief")
			p.set("#paste-lives", "10m")
			p.push("#create")
			if left != "" {
				p.typeText(quote(left))
			}
			p.outcome("500")
			for p.rows() == 0 {
				p.frames(1)
			}
			p.set("#policy-calls-primary_insert-timeout", "10s")
			p.run(`ahead = 11 * 60e3`)
			p.push("#paste-again")
			if says := p.outcome("409"); !strings.Contains(says, "expired") || strings.Contains(says, "has changed since") != (left != "") {
				t.Errorf("it says %q", says)
			}
			p.push("#paste-again")
			p.outcome("201")
			if got := p.typed(); got != left {
				t.Errorf("the editor holds %q, want %q", got, left)
			}
			p.openMade()
			if got := p.bytes(); got != "brief" {
				t.Errorf("it reads %q", got)
			}
		})
	}
}
