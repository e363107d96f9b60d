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
func openTestsInFirefox(t *testing.T, pkg, tests string, prefs map[string]any) (f *reader, run string) {
	t.Helper()
	run = buildTests(t, pkg, fmt.Sprintf(`"-test.v", "-test.run=%s"`, tests))
	f = openFirefox(t, "testdata/wasmtest.html", prefs)
	f.patience = 10 * patience
	return f, run
}

// tested waits until the test program is through, and returns what it wrote.
func (f *reader) tested() string {
	f.t.Helper()
	return evalIn[ending](f, `tested`).output(f.t)
}

// Where a reader has Firefox keep nothing of any site, everything works for as long as it is open, and it is said.
func TestStorageThatFirefoxRefuses(t *testing.T) {
	t.Parallel() // each has a Firefox of its own
	b := openFirefox(t, "", map[string]any{"webgl.disabled": true, "network.cookie.cookieBehavior": 2})
	b.expect("ServiceWorker") // which is refused, too
	b.waitFor(`!document.getElementById("create").disabled`)
	b.said("store-note", "memory only")
	b.said("store-note", "does not let this page store anything")
	b.give("#paste-text", "for now")
	b.click("#create")
	b.outcome("201")
	b.goTo(origin + base + "system.html")
	b.waitFor(judged)
	b.click("#save")
	b.said("shelf-status", "keeps nothing here")
	b.goTo(origin + base + "lessons/try-again.html")
	b.press(".bet .skip", "\n")
	b.waitFor(`document.querySelector(".run iframe").checkVisibility()`)
}
