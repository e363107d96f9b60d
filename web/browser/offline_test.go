//go:build browser

package browser

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// host serves a copy of the site that can be changed, and can be away.
type host struct {
	folder  string
	address string
	away    atomic.Bool
}

func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{folder: t.TempDir()}
	if err := os.CopyFS(h.folder, os.DirFS(dist)); err != nil {
		t.Fatal(err)
	}
	files := http.FileServer(http.Dir(h.folder))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.away.Load() { // as if there were no network: nothing is answered
			panic(http.ErrAbortHandler)
		}
		files.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = nil
	t.Cleanup(server.Close)
	h.address = server.URL + "/"
	return h
}

// open opens the page from there.
func (h *host) open(t *testing.T) *page {
	t.Helper()
	p := open(t, chromium, "about:blank", look{NoWebGL: true, Keeping: true}, chromedp.WithNewBrowserContext())
	p.expect("another host: " + h.address)
	p.goTo(h.address)
	return p
}

// change makes another version of the site: the description of a page, and what the service worker has of it.
func (h *host) change(t *testing.T, from, to string) {
	t.Helper()
	for _, name := range []string{"index.html", "sw.js"} {
		path := filepath.Join(h.folder, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(text), from, to, 1)
		if name == "sw.js" {
			// The version and the page's own hash are others; that a hash must be the file's is another test's.
			changed = strings.Replace(string(text), `const VERSION = "`, `const VERSION = "new`, 1)
			changed = withoutHash(changed, "index.html")
		}
		if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// withoutHash takes the hash of a file out of the list.
func withoutHash(list, file string) string {
	before, after, _ := strings.Cut(list, `"`+file+`": "`)
	_, after, _ = strings.Cut(after, `"`)
	return before + `"` + file + `": "` + `"` + after
}

const siteKept = `(async () => {
	const registration = await navigator.serviceWorker.ready;
	return registration.active?.state === "activated" && (await caches.keys()).length === 1;
})()`

// After the first visit the page needs no network: it starts, the world moves, a paste is written and read.
func TestThePageWithoutANetwork(t *testing.T) {
	h := newHost(t)
	p := h.open(t)
	p.waitFor(siteKept)
	p.waitFor(`navigator.serviceWorker.controller`)
	p.run(`fetch("page.css").then(r => r.text())`) // it is awake: on a busy machine it may take the browser too long to start it
	h.away.Store(true)
	p.expect("icon.svg") // which the browser asks for past the service worker
	p.goTo(h.address)    // a reload by the debugger goes past the service worker
	p.waitFor(clock + ` > 0.2`)
	p.waitFor(`!document.getElementById("create").disabled`)
	p.run(`document.getElementById("paste-text").value = "written with no network", document.getElementById("paste-text").dispatchEvent(new Event("input", { bubbles: true }))`)
	p.push("#create")
	p.waitFor(`document.getElementById("paste-status").textContent.includes("201")`)
	p.goTo(h.address + "index.html")
	p.waitFor(`document.querySelectorAll("#paste-list a").length === 1`)
	p.run(`fetch("rich.wasm.gz").then(r => r.ok || Promise.reject(new Error("the program that colours is not kept")))`)
}

// A newer version is offered, not forced: the page goes on with its own until the reader says so, and is then the new one.
func TestANewVersionIsOffered(t *testing.T) {
	h := newHost(t)
	p := h.open(t)
	p.waitFor(siteKept)
	const title = `document.querySelector("meta[name=description]").content`
	old := eval[string](p, title)
	h.change(t, old, "The new one.")
	p.run(`navigator.serviceWorker.getRegistration().then(r => r.update()).then(() => {})`) // as the browser does now and then
	p.waitFor(`!document.getElementById("new-version").hidden`)
	if now := eval[string](p, title); now != old {
		t.Errorf("before the reader has taken the new version it is %q, want %q", now, old)
	}
	p.push("#take-version")
	p.waitFor(title + ` === "The new one."`)
	p.waitFor(`(async () => (await caches.keys()).length === 1)()`)
}

// A file that is not the one meant, as in the middle of a deploy, is not taken in, nor is anything of that version.
func TestHalfAVersionIsNotKept(t *testing.T) {
	h := newHost(t)
	path := filepath.Join(h.folder, "page.css")
	css, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(css, "/* of another version */"...), 0o644); err != nil {
		t.Fatal(err)
	}
	p := h.open(t)
	p.expect("integrity")
	p.waitFor(`(async () => {
		const registration = await navigator.serviceWorker.getRegistration();
		return !registration || !registration.installing && !registration.active && !registration.waiting;
	})()`)
	p.waitFor(`(async () => (await caches.keys()).length === 0)()`)
	p.waitFor(clock + ` > 0.2`)
}
