//go:build browser

package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"
)

// The program for colours and Markdown loads under the page's own policy, also where the page has no origin of its own, as
// in a sandboxed frame of another site.
func TestRich(t *testing.T) {
	const program = "rich.test.wasm"
	goTool(t, "test", "-c", "-o", filepath.Join(built, program), "stormbin/wasm/internal/rich")
	for name, header := range map[string]http.Header{
		"page":    {},
		"sandbox": {"Content-Security-Policy": {"sandbox allow-scripts"}, "Access-Control-Allow-Origin": {"*"}},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(richSite(t, header))
			defer server.Close()
			p := open(t, chromium, server.URL+"/", look{}, chromedp.WithNewBrowserContext())
			p.patience = 10 * patience
			p.expect("request to another host: " + server.URL)
			got := eval[struct {
				Code   int
				Output string
			}](p, fmt.Sprintf(`runTests(%q, ["-test.v", "-test.run=TestClient"])`, program))
			if got.Code != 0 {
				t.Fatalf("exit code %d\n%s", got.Code, got.Output)
			}
			t.Log(got.Output)
		})
	}
}

// richSite is the built site with a page for Go tests in place of its own, which has that one's policy and what the worker
// needs.
func richSite(t *testing.T, header http.Header) http.Handler {
	index, err := os.ReadFile(dist + "/index.html")
	if err != nil {
		t.Fatal(err)
	}
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).Find(index)
	if policy == nil {
		t.Fatal("index.html has no policy")
	}
	mux := http.NewServeMux()
	for path, dir := range map[string]string{"/": plain, "/testdata/": "testdata", "/built/": built} {
		mux.Handle(path, http.StripPrefix(path[:len(path)-1], http.FileServer(http.Dir(dir))))
	}
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<!doctype html><meta charset="utf-8">%s<link rel="icon" href="data:,">`, policy)
		for _, script := range []string{"wasm_exec.js", "loader.js", "worker.js", "testdata/wasmtest.js"} {
			fmt.Fprintf(w, `<script src="%s"></script>`, script)
		}
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for key, values := range header {
			w.Header()[key] = values
		}
		mux.ServeHTTP(w, r)
	})
}
