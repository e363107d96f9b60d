//go:build browser

package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
)

// dist is the built site. It is served under base, to see that it needs no place of its own.
const (
	dist = "../dist"
	base = "/some/where/"
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
	for path, dir := range map[string]string{"": dist, "testdata/": "testdata", "built/": built} {
		mux.Handle(base+path, http.StripPrefix(base+path, http.FileServer(http.Dir(dir))))
	}
	server := httptest.NewServer(mux)
	defer server.Close()
	origin = server.URL

	path, err := findChromium()
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
		// WebGL without a GPU.
		"use-gl":                    "angle",
		"use-angle":                 "swiftshader",
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

func findChromium() (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path, nil
	}
	for _, name := range []string{"chromium", "google-chrome", "chromium-browser"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("found no chromium, google-chrome or chromium-browser: install one, or set CHROMIUM to its path")
}
