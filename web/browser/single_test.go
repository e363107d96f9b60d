//go:build browser

package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// singleFile is a copy of the page as one file, alone in a folder, by its address.
func singleFile(t *testing.T) (address string) {
	t.Helper()
	text, err := os.ReadFile("../dist-single/stormbin.html")
	if err != nil {
		t.Fatalf("there is no page as one file, run make single first: %v", err)
	}
	path := filepath.Join(t.TempDir(), "a copy.html")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + strings.ReplaceAll(path, " ", "%20")
}

// The page as one file is whole when it is opened from a disk: the picture, the crowd, the hundred seeds, pastes that are
// kept, in colours, and links.
func TestThePageAsOneFile(t *testing.T) {
	address := singleFile(t)
	p := open(t, chromium, address, look{Height: 900, Width: 1280}, chromedp.WithNewBrowserContext())
	p.waitFor(stageDraws)
	p.waitFor(clock + ` > 0.3`)
	p.screenshot("single")
	p.set("#speed", "10")
	p.push("#slow-3s")
	p.waitFor(`parseFloat(document.getElementById("num-attempts").textContent) > 1.5`)

	p.push("#pin")
	p.set(attempts, "1")
	p.push("#seeds-run")
	p.waitFor(`document.getElementById("seeds-status").textContent.includes("All 100 seeds")`)

	// A paste outlives a reload, and is coloured.
	p.waitFor(`!document.getElementById("create").disabled`)
	p.typeIn("#paste-title", "from a file")
	p.set("#paste-text", "package main\n\nfunc main() {}\n")
	p.set("#paste-language", "go")
	p.push("#create")
	p.outcome("201")
	link := eval[string](p, `document.getElementById("paste-link").href`)
	if !strings.HasPrefix(link, address+"#p/") {
		t.Errorf("the paste is at %s", link)
	}
	p.goTo(link)
	p.reload()
	p.waitFor(`document.getElementById("view-title").textContent === "from a file"`)
	p.waitFor(`document.querySelector("#view-text .code-keyword")?.textContent === "package"`)
	p.goTo("about:blank")
	p.goTo(address + "#v1/two-service?seed=9&t=5s")
	p.at("5.0 s")

	// What is not in the file is not offered.
	p.click("#link-menu > summary")
	if eval[bool](p, `document.getElementById("embed-menu").checkVisibility()`) || !eval[bool](p, `document.querySelector("#link-menu .of-single").checkVisibility()`) {
		t.Error("it offers to be embedded, or does not say where its link works")
	}
	p.waitFor(`document.getElementById("link-field").value`)
	if run := eval[string](p, `document.getElementById("link-field").value`); run != address+"#v1/two-service?seed=9" {
		t.Errorf("the run is at %s", run)
	}
	for _, a := range eval[[]string](p, `[...document.querySelectorAll("a[href]")].filter(a => a.checkVisibility() && a.protocol === "file:" && a.pathname !== location.pathname).map(a => a.outerHTML)`) {
		t.Errorf("there is nothing behind %s", a)
	}
	if found := p.axe(); found != "" {
		t.Error(found)
	}
	for _, request := range p.requests {
		if !strings.HasPrefix(request, address) && !strings.HasPrefix(request, "data:") && !strings.HasPrefix(request, "blob:") && !strings.HasPrefix(request, "about:") {
			t.Errorf("it has asked for %.100s", request)
		}
	}

	// Another copy has pastes of its own, though the browser takes all files for one site.
	other := open(t, p.ctx, singleFile(t), look{NoWebGL: true})
	other.waitFor(`!document.getElementById("create").disabled`)
	other.waitFor(`document.getElementById("store-used").textContent`)
	if n := eval[int](other, `document.querySelectorAll("#paste-list a").length`); n != 0 {
		t.Errorf("another copy lists %d pastes", n)
	}
}

// It works on a server, too, and asks that for nothing.
func TestThePageAsOneFileOnAServer(t *testing.T) {
	text, err := os.ReadFile("../dist-single/stormbin.html")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(built, "one.html"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	p := openSite(t, "built/one.html#v1/pastebin?t=2s", look{CanvasOnly: true, Keeping: true})
	p.at("2.0 s")
	p.waitFor(`!document.getElementById("create").disabled`)
	for _, request := range p.requests {
		if strings.HasPrefix(request, "http") && !strings.HasPrefix(request, origin+base+"built/one.html") {
			t.Errorf("it has asked for %s", request)
		}
	}
}
