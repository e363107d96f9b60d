//go:build browser

package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPackagesInTheBrowser runs the tests of packages whose truth is the browser's: its database, and its processor.
func TestPackagesInTheBrowser(t *testing.T) {
	for _, pkg := range []string{"engine/rng", "engine/run", "pastebin/indexeddb"} {
		t.Run(pkg, func(t *testing.T) {
			name := filepath.Base(pkg) + ".test.wasm"
			build := exec.Command("go", "test", "-c", "-o", filepath.Join(built, name), "stormbin/"+pkg)
			build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("building its tests: %v\n%s", err, out)
			}
			p := openSite(t, "testdata/wasmtest.html", look{})
			got := eval[struct {
				Code   int
				Output string
			}](p, fmt.Sprintf(`runTests(%q, ["-test.v", "-test.short"])`, name))
			if got.Code != 0 {
				t.Errorf("exit code %d\n%s", got.Code, got.Output)
			} else {
				t.Log(got.Output)
			}
		})
	}
}
