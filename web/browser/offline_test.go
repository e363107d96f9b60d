//go:build browser

package browser

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// deploy puts a newer version of the site there, in place of the one that is: the page has that description, and no script
// is as it was.
func (h *host) deploy(t *testing.T, description string) {
	t.Helper()
	newer := t.TempDir()
	if err := os.CopyFS(newer, os.DirFS(plain)); err != nil {
		t.Fatal(err)
	}
	changes := map[string]func(text []byte) []byte{"index.html": func(text []byte) []byte {
		return regexp.MustCompile(`<meta name="description"[^>]*>`).ReplaceAll(text, []byte(`<meta name="description" content="`+description+`">`))
	}}
	scripts, _ := filepath.Glob(filepath.Join(newer, "*.js"))
	for _, script := range scripts {
		changes[filepath.Base(script)] = func(text []byte) []byte { return append(text, "// newer\n"...) }
	}
	for name, change := range changes {
		path := filepath.Join(newer, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, change(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range [][]string{{"run", "../cmd/finish", newer, h.folder}, {"run", "../cmd/offline", "../sw.js", h.folder}} {
		if out, err := exec.Command("go", step...).CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", step, err, out)
		}
	}
}

const siteKept = `(async () => {
	const registration = await navigator.serviceWorker.ready;
	return registration.active?.state === "activated" && (await caches.keys()).length === 1;
})()`

// A newer version is offered, not forced: the page goes on with its own until the reader says so, and is then the new one.
// Another tab goes on with the old one, also with what it hasn't loaded yet and the host no longer has, until it is loaded anew.
func TestANewVersionIsOffered(t *testing.T) {
	h := newHost(t)
	p := h.open(t)
	p.waitFor(siteKept)
	other := open(t, p.ctx, "about:blank", look{NoWebGL: true, Keeping: true})
	other.expect("another host: " + h.address)
	other.goTo(h.address)
	other.waitFor(`navigator.serviceWorker.controller`)
	const title = `document.querySelector("meta[name=description]").content`
	old := eval[string](p, title)
	h.deploy(t, "The new one.")
	p.run(`navigator.serviceWorker.getRegistration().then(r => r.update()).then(() => {})`) // as the browser does now and then
	p.waitFor(`!document.getElementById("new-version").hidden`)
	if now := eval[string](p, title); now != old {
		t.Errorf("before the reader has taken the new version it is %q, want %q", now, old)
	}
	p.push("#take-version")
	p.waitFor(title + ` === "The new one."`)
	h.away.Store(true)
	if now := eval[string](other, title); now != old {
		t.Errorf("another tab has become %q", now)
	}
	other.run(`startWorker("rich")`)
	other.goTo(h.address)
	other.waitFor(title + ` === "The new one."`)
}

// With no other tab open an older version is not kept any longer.
func TestAnOldVersionGoes(t *testing.T) {
	h := newHost(t)
	p := h.open(t)
	p.waitFor(siteKept)
	h.deploy(t, "The new one.")
	p.run(`navigator.serviceWorker.getRegistration().then(r => r.update()).then(() => {})`)
	p.waitFor(`!document.getElementById("new-version").hidden`)
	p.push("#take-version")
	p.waitFor(`document.querySelector("meta[name=description]").content === "The new one."`)
	p.waitFor(`(async () => (await caches.keys()).length === 1)()`)
}

// A file that is not the one meant, as in the middle of a deploy, is not taken in, nor is anything of that version.
func TestHalfAVersionIsNotKept(t *testing.T) {
	h := newHost(t)
	path := filepath.Join(h.folder, "manifest.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(text, "\n"...), 0o644); err != nil {
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
