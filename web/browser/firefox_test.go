//go:build browser

package browser

import (
	"fmt"
	"regexp"
	"slices"
	"testing"
)

// What is the browser's truth is Firefox's too: its database, and the golden runs.
func TestPackagesInFirefox(t *testing.T) {
	t.Parallel()                                                     // each has a Firefox of its own
	needFault := []string{"TestClearedByTheBrowser", "TestFullDisk"} // need a browser that makes their fault: below
	for _, of := range packages {
		t.Run(of.pkg, func(t *testing.T) {
			t.Parallel()
			f, run := openTestsInFirefox(t, of.pkg, of.tests, nil)
			f.run(run)
			out := f.tested()
			t.Log(out)
			for _, m := range regexp.MustCompile(`--- SKIP: (\S+)`).FindAllStringSubmatch(out, -1) {
				if !slices.Contains(needFault, m[1]) {
					t.Errorf("%s was skipped", m[1])
				}
			}
		})
	}
}

// A disk that is full, as Firefox says it.
func TestFullStorageInFirefox(t *testing.T) {
	t.Parallel() // each has a Firefox of its own
	f, run := openTestsInFirefox(t, "pastebin/indexeddb", "^TestFullDisk$",
		map[string]any{"dom.quotaManager.temporaryStorage.fixedLimit": 8 << 10}) // KiB, for all sites
	f.run(`window.fault = "full"`)
	f.run(run)
	passed(t, f.tested())
}

// Storage that Firefox clears while it is in use.
func TestClearedStorageInFirefox(t *testing.T) {
	t.Parallel() // each has a Firefox of its own
	f, run := openTestsInFirefox(t, "pastebin/indexeddb", "^TestClearedByTheBrowser$", nil)
	f.run(`window.fault = "cleared"`)
	f.run(run)
	f.waitFor(`window.ready`)
	f.run(`fetch("../clear")`)
	passed(t, f.tested())
}

// openTestsInFirefox builds a package's test program and opens the page for it. run is the script that starts those tests.
func openTestsInFirefox(t *testing.T, pkg, tests string, prefs map[string]any) (f *firefox, run string) {
	t.Helper()
	run = buildTests(t, pkg, fmt.Sprintf(`"-test.v", "-test.run=%s"`, tests))
	f = openFirefox(t, "testdata/wasmtest.html", prefs)
	f.patience = 10 * patience
	return f, run
}

// tested waits until the test program is through, and returns what it wrote.
func (f *firefox) tested() string {
	f.t.Helper()
	return evalIn[ending](f, `tested`).output(f.t)
}

// The page is whole in Firefox, too: what is typed is kept, listed, read, deleted and brought back. It does without the
// picture where the browser can't draw it, and says so.
func TestThePageInFirefox(t *testing.T) {
	t.Parallel() // each has a Firefox of its own
	f := openFirefox(t, "", map[string]any{"webgl.disabled": true})
	f.waitFor(`!document.getElementById("create").disabled`)
	f.waitFor(`document.getElementById("status").textContent.includes("no WebGL 2, so the picture is drawn in a simpler way")`)

	const title, text = "from Firefox", "naïve \U0001F329 text\nin two lines"
	f.press("#paste-title", title)
	f.press("#paste-text", text)
	f.press("#create", "\n")
	f.outcome("201")
	f.run(`document.getElementById("speed").value = "0.25"`)
	f.reload()
	f.waitFor(`document.querySelector("#paste-list a")?.textContent === ` + quote(title))
	if speed := evalIn[string](f, `document.getElementById("speed").value`); speed != "1" {
		t.Errorf("after a reload the speed is said to be %s, and it is 1", speed)
	}
	read := func() {
		t.Helper()
		f.press("#paste-list a", "\n")
		f.outcome("200")
		f.waitFor(`document.getElementById("view-title").textContent === ` + quote(title) + ` && document.getElementById("view-raw").href`)
		if got := evalIn[string](f, `fetch(document.getElementById("view-raw").href).then(r => r.text())`); got != text {
			t.Errorf("read %q, want %q", got, text)
		}
	}
	read()

	f.press("#paste-list button", "\n")
	f.outcome("204")
	f.waitFor(`!document.querySelector("#paste-list a") && document.getElementById("paste-view").hidden`)
	f.press("#undo", "\n")
	f.waitFor(`document.querySelector("#paste-list a")?.textContent === ` + quote(title))
	read()
}

// outcome waits for the answer to the reader's last request.
func (f *firefox) outcome(status string) {
	f.t.Helper()
	f.waitFor(`document.getElementById("paste-status").textContent.startsWith(` + quote(status) + `)`)
}
