//go:build browser

package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// The store of pastes under faults that only the browser itself can make: its own tests, which wait for them.

// A disk that is full, as the browser says it.
func TestFullStorage(t *testing.T) {
	p, run := openTests(t, "pastebin/indexeddb", `"-test.v", "-test.run=^TestFullDisk$"`)
	quota := float64(8 << 20)
	_, err := chromedp.Call(p.ctx, storage.OverrideQuotaForOrigin, storage.OverrideQuotaForOriginParams{Origin: origin, QuotaSize: &quota})
	if err != nil {
		t.Fatal(err)
	}
	p.run(`window.fault = "full"`)
	p.run(run)
	passed(t, p.tested())
}

// Storage that is cleared while it is in use, as by "Clear site data".
func TestClearedStorage(t *testing.T) {
	p, run := openTests(t, "pastebin/indexeddb", `"-test.v", "-test.run=^TestClearedByTheBrowser$"`)
	p.run(`window.fault = "cleared"`)
	p.run(run)
	p.waitFor(`window.ready`)
	_, err := chromedp.Call(p.ctx, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: origin, StorageTypes: "indexeddb"})
	if err != nil {
		t.Fatal(err)
	}
	passed(t, p.tested())
}

// passed checks of what a test program wrote that its tests were not skipped.
func passed(t *testing.T, out string) {
	t.Helper()
	if !strings.Contains(out, "--- PASS") || strings.Contains(out, "--- SKIP") {
		t.Errorf("it was not tested:\n%s", out)
	} else {
		t.Log(out)
	}
}

// BenchmarkStorage measures the store of pastes in the browser, and prints what that prints.
func BenchmarkStorage(b *testing.B) {
	for range b.N { // once: it takes more than a second
		fmt.Println(runTests(b, "pastebin/indexeddb", `"-test.run=^$", "-test.bench=."`))
	}
	b.ReportMetric(0, "ns/op") // theirs count
}
