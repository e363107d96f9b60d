//go:build browser

package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// dist is the built site. It is served under base, to see that it needs no place of its own. plain is the same before its
// files got the names that they are deployed with, for the tests' own pages: it is served under base + "plain/".
const (
	dist  = "../dist"
	plain = "../.build/site"
	base  = "/some/where/"
)

var (
	origin   string          // of the server: http://127.0.0.1:1234
	built    string          // a folder for what tests build, served under base + "built/"
	chromium context.Context // the browser
)

func TestMain(m *testing.M) {
	code, err := setUp(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func setUp(m *testing.M) (code int, err error) {
	if _, err := os.Stat(dist + "/index.html"); err != nil {
		return 0, fmt.Errorf("there is no site to test, run make site first: %w", err)
	}
	if built, err = os.MkdirTemp("", "stormbin-browser-"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(built)

	mux := http.NewServeMux()
	for path, dir := range map[string]string{"": dist, "plain/": plain, "testdata/": "testdata", "built/": built} {
		mux.Handle(base+path, http.StripPrefix(base+path, http.FileServer(http.Dir(dir))))
	}
	mux.HandleFunc(base+"clear", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Clear-Site-Data", `"storage"`)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	origin = server.URL

	path, err := findBrowser("CHROMIUM", "chromium", "google-chrome", "chromium-browser")
	if err != nil {
		return 0, err
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.Headless, chromedp.NoFirstRun}
	for flag, value := range map[string]any{
		// Without these it speaks with its maker, and connections are refused many at a time.
		"disable-background-networking": true,
		"disable-component-update":      true,
		"disable-sync":                  true,
		"disable-quic":                  true,
		// WebGL without a GPU, and only that: with all of the page drawn so, a picture that plays has 13 frames a second, not 57.
		"use-gl":                    "angle",
		"use-angle":                 "swiftshader-webgl",
		"enable-unsafe-swiftshader": true,
		"force-color-profile":       "srgb",
		// A tab that isn't in front goes on as if it were.
		"disable-background-timer-throttling":    true,
		"disable-backgrounding-occluded-windows": true,
		"disable-renderer-backgrounding":         true,
		// Containers have little of it.
		"disable-dev-shm-usage": true,
	} {
		options = append(options, chromedp.Flag(flag, value))
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, closeBrowser := chromedp.NewContext(allocator)
	defer closeBrowser()
	if err := chromedp.Do(ctx); err != nil {
		return 0, fmt.Errorf("starting %s: %w", path, err)
	}
	chromium = ctx
	return m.Run(), nil
}

// findBrowser is the path in the environment variable, or that of the first of the commands there is.
func findBrowser(variable string, commands ...string) (string, error) {
	if path := os.Getenv(variable); path != "" {
		return path, nil
	}
	for _, name := range commands {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("found no %s: install one, or set %s to its path", strings.Join(commands, " or "), variable)
}
