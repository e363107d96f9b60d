//go:build browser

package browser

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func TestLoaderSaysWhatIsMissing(t *testing.T) {
	for _, c := range []struct{ name, before, want string }{
		{"no program", `0`, "nothing.wasm.gz did not arrive: the server answered 404"},
		{"a page in its place", `window.fetch = () => Promise.resolve(new Response("<!doctype html>"))`, "send a page where a file is missing"},
		{"nothing in its place", `window.fetch = () => Promise.resolve(new Response(new Uint8Array()))`, "is something else"},
		{"half a program", `window.fetch = () => Promise.resolve(new Response(new Uint8Array([0x1f, 0x8b, 8, 0])))`, "could not be started"},
		{"no program for this page", `WebAssembly.compile = () => Promise.reject(new Error("of the test"))
			window.fetch = () => Promise.resolve(new Response(new Uint8Array([0, 0x61, 0x73, 0x6d])))`, "could not be started: of the test. Reload"},
		{"no connection", `window.fetch = () => Promise.reject(new TypeError("Failed to fetch"))`, "there is no connection"},
		{"no WebAssembly", `delete window.WebAssembly`, "no WebAssembly"},
		{"no DecompressionStream", `delete window.DecompressionStream`, "too old"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := openSite(t, "testdata/loader.html", look{})
			for _, part := range []string{"404", "Failed to fetch", "of the test", c.want} { // on the console too
				p.expect(part)
			}
			p.run(c.before)
			if got := eval[string](p, `started("nothing")`); !strings.Contains(got, c.want) {
				t.Errorf("it says %q, want something with %q", got, c.want)
			}
		})
	}
}

// Opened as a file the site can't work, and says what can.
func TestTheSiteOpenedAsAFile(t *testing.T) {
	folder, err := filepath.Abs(dist)
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, chromium, "file://"+folder+"/index.html", look{NoWebGL: true}, chromedp.WithNewBrowserContext())
	p.expect("make single")
	p.expect("") // and what the browser says of it
	p.waitFor(`document.getElementById("status").textContent.includes("make single") && document.getElementById("status").checkVisibility()`)
}

// Programs are compiled in workers, so that the page is drawn and can be used meanwhile; where it may have none, they are
// compiled in the page.
func TestProgramsAreCompiledInWorkers(t *testing.T) {
	for _, c := range []struct {
		name, worker string
		want         bool // in the page
	}{
		{"as it is", `Worker`, false},
		{"refused at once", `class { constructor() { throw new DOMException("of the test", "SecurityError") } }`, true},
		{"refused later", `class { constructor() { setTimeout(() => this.onerror(new Event("error"))) } postMessage() {} terminate() {} }`, true},
	} {
		p := openSite(t, "", look{NoWebGL: true, Script: `window.compiles = 0;
			const compiling = WebAssembly.compile;
			WebAssembly.compile = (...given) => (compiles++, compiling.apply(WebAssembly, given));
			window.Worker = ` + c.worker})
		p.waitFor(alive)
		if got := eval[int](p, `compiles`); (got > 0) != c.want {
			t.Errorf("%s: %d programs were compiled in the page, want some: %v", c.name, got, c.want)
		}
	}
}

// Where a page may have no worker it says that, and what still works.
func TestAWorkerThatMayNotBe(t *testing.T) {
	for name, worker := range map[string]string{
		"refused at once": `class { constructor() { throw new DOMException("of the test", "SecurityError") } }`,
		"refused later":   `class { constructor() { setTimeout(() => this.onerror(new Event("error"))) } postMessage() {} terminate() {} }`,
	} {
		p := openSite(t, "", look{NoWebGL: true})
		p.waitFor(alive)
		p.run(`window.Worker = ` + worker)
		if got := eval[string](p, `startWorker("seeds").then(() => "started", e => e.reader)`); !strings.Contains(got, "blocks scripts") || !strings.Contains(got, "Everything else works") {
			t.Errorf("%s: it says %q", name, got)
		}
	}
}

// The page's program stays small. The linker keeps far more than is used as soon as something looks methods up by name: with
// templates, or with the DOM library's interfaces, it is three times as large. What it does by itself, with charts, matrix
// and pastebin, is half of what it has; the runtime and its tables are the rest.
func TestThePageIsSmall(t *testing.T) {
	isSmall(t, "playground", 8_500_000)
}

// isSmall tells whether a program has at most so many bytes.
func isSmall(t *testing.T, program string, most int64) {
	t.Helper()
	file, err := os.Stat("../.build/" + program + ".wasm")
	if err != nil {
		t.Fatal(err)
	}
	if file.Size() > most {
		t.Errorf("the program %s has %d bytes, want %d at most: see what it imports now, and what of that is in another or can be", program, file.Size(), most)
	}
}

func TestLoaderRunsWhatAnyHostServes(t *testing.T) {
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nimport \"os\"\n\nfunc main() { os.Exit(3) }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	raw := filepath.Join(built, "raw.wasm.gz")
	goTool(t, "build", "-o", raw, source)
	wasm, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(wasm); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(built, "packed.wasm.gz"), packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	p := openSite(t, "testdata/loader.html", look{})
	for name, what := range map[string]string{
		"packed": "as it is",
		"raw":    "already inflated on the way, as some hosts have the browser do",
	} {
		// That it ended with the code it chose shows that it ran.
		if got := eval[string](p, fmt.Sprintf(`started("../built/%s")`, name)); !strings.Contains(got, "stopped (code 3)") {
			t.Errorf("a program %s: %q, want it to run and end with code 3", what, got)
		}
	}
}

// The page starts in many parts, between which a reader is free to do as they like: it is heard when all of the page is there.
func TestWhatIsDoneWhileThePageStartsIsHeard(t *testing.T) {
	p := openSite(t, "", look{Script: `window.done = 0;
		addEventListener("DOMContentLoaded", () => {
			window.real = turn;
			window.turn = () => {
				for (const menu of ["link-menu", "save"]) document.getElementById(menu).open = ++done % 4 < 2;
				history.replaceState(null, "", ["#v1/slow-bucket?view=charts", "", "#v1/pastebin?view=slots"][done / 2 % 3]);
				dispatchEvent(new HashChangeEvent("hashchange"));
				return real();
			};
		});`})
	p.waitFor(`!document.documentElement.classList.contains("starting") && ` + clock + ` >= 0`)
	if done := eval[float64](p, `done`); done < 10 {
		t.Fatalf("only %v things were done meanwhile", done)
	}
	p.run(`turn = real, location.hash = "#v1/pastebin?attempts=1&view=slots"`)
	p.waitFor(`document.getElementById("scenario").value === "pastebin" && document.getElementById("look-slots").getAttribute("aria-selected") === "true"`)
	p.waitFor(clock + ` > 0.2`)
}

// The picture that a link asks for has its place before the program is there, so that nothing below it jumps when it is.
func TestALinkedPictureHasItsPlaceFromTheStart(t *testing.T) {
	p := openSite(t, "#v1/recovery?view=storm", look{Script: `
		window.begun = new Promise(go => window.begin = go);
		window.real = fetch;
		window.fetch = async (...of) => { await begun; return real(...of); };`})
	for _, link := range []string{"#v1/recovery?view=storm", "#v1/recovery?view=slots", "#v1/recovery?view=chart", "#v1/recovery?view=path", "#v1/recovery?view=all", "#v1/recovery", ""} {
		p.goTo("about:blank")
		p.goTo(origin + base + link)
		const shown = `["stage", "storm", "charts"].filter(id => !document.getElementById(id).hidden).join() + " " + document.querySelector("#looks [aria-selected=true]").id`
		before := eval[string](p, shown)
		p.run(`begin()`)
		p.waitFor(alive)
		if after := eval[string](p, shown); before != after {
			t.Errorf("%s: at first %s is there, and then %s", link, before, after)
		}
	}
}
