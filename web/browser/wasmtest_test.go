//go:build browser

package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// profile is that of the engine's inner loop, by which the page's program is built.
const profile = "../../wasm/playground/default.pgo"

// packages are those whose truth is the browser's: its database, and its processor, on which the golden runs are the same
// runs.
var packages = []struct{ pkg, tests string }{
	{"engine/rng", "Test"}, {"engine/run", "Hashes|Stor|Visit|Back"}, {"pastebin/indexeddb", "Test"},
}

func TestPackagesInTheBrowser(t *testing.T) {
	for _, of := range packages {
		t.Run(of.pkg, func(t *testing.T) {
			t.Log(runTests(t, of.pkg, fmt.Sprintf(`"-test.v", "-test.run=%s"`, of.tests)))
		})
	}
}

// BenchmarkEngine runs the engine's benchmarks in the browser and prints what they print. The engine is compiled as it is for
// the page: by the profile of where it spends its time.
func BenchmarkEngine(b *testing.B) {
	profile, err := filepath.Abs(profile)
	if err != nil {
		b.Fatal(err)
	}
	for range b.N { // once: it takes more than a second
		fmt.Println(runTests(b, "engine/run", `"-test.run=^$", "-test.bench=Second|Frame", "-test.benchmem"`, "-pgo="+profile))
	}
	b.ReportMetric(0, "ns/op") // theirs count
}

// runTests builds a package's test program, runs it with the arguments in a page of its own, and returns what it wrote.
func runTests(t testing.TB, pkg, args string, build ...string) string {
	t.Helper()
	p, run := openTests(t, pkg, args, build...)
	p.run(run)
	return p.tested()
}

// openTests builds a package's test program and opens the page for it. run is the script that starts it with the arguments.
func openTests(t testing.TB, pkg, args string, build ...string) (p *page, run string) {
	t.Helper()
	run = buildTests(t, pkg, args, build...)
	p = openSite(t, "testdata/wasmtest.html", look{})
	p.patience = 10 * patience
	return p, run
}

// buildTests builds a package's test program, in the two steps in which the page's are built. run is the script that starts
// it with the arguments.
func buildTests(t testing.TB, pkg, args string, build ...string) (run string) {
	t.Helper()
	name := filepath.Base(pkg) + ".test.wasm"
	program := filepath.Join(built, name)
	linked := program + ".linked"
	goTool(t, append(append([]string{"test", "-c", "-o", linked}, build...), "stormbin/"+pkg)...)
	straighten := []string{"run", "../cmd/straighten", linked, program}
	if pkg == "engine/run" {
		straighten = append(straighten, profile)
	}
	if out, err := exec.Command("go", straighten...).CombinedOutput(); err != nil {
		t.Fatalf("straighten: %v\n%s", err, out)
	}
	return fmt.Sprintf(`void (window.tested = runTests(%q, [%s]))`, name, args)
}

// tested waits until the test program is through, and returns what it wrote.
func (p *page) tested() string {
	p.t.Helper()
	return eval[ending](p, `tested`).output(p.t)
}

// ending is what a test program comes to.
type ending struct {
	Code   int
	Output string
}

// output is what the program wrote, whose tests have all passed or been skipped.
func (e ending) output(t testing.TB) string {
	t.Helper()
	if e.Code != 0 {
		t.Fatalf("exit code %d\n%s", e.Code, e.Output)
	}
	return e.Output
}

// goTool runs the go command for what is to run in the browser.
func goTool(t testing.TB, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
}
