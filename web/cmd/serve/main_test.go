package main

import (
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

func TestFilesComeWithTheirTypeAndUncached(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"index.html", "page.css", "loader.js", "stage.wasm.gz", "stage.wasm", "mark.svg"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h := handler(dir)
	for _, c := range []struct {
		path   string
		status int
		kind   string
	}{
		{"/", 200, "text/html; charset=utf-8"},
		{"/page.css", 200, "text/css; charset=utf-8"},
		{"/loader.js", 200, "text/javascript; charset=utf-8"},
		{"/stage.wasm", 200, "application/wasm"},
		{"/stage.wasm.gz", 200, "application/gzip"},
		{"/mark.svg", 200, "image/svg+xml"},
		{"/missing.js", 404, "text/plain; charset=utf-8"},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", c.path, nil))
		got := w.Result()
		if got.StatusCode != c.status || got.Header.Get("Content-Type") != c.kind {
			t.Errorf("%s: %d %q, want %d %q", c.path, got.StatusCode, got.Header.Get("Content-Type"), c.status, c.kind)
		}
		// The loader inflates it: a browser must not do so on the way.
		if e := got.Header.Get("Content-Encoding"); e != "" {
			t.Errorf("%s: Content-Encoding %q, want none", c.path, e)
		}
		if cache := got.Header.Get("Cache-Control"); c.status == 200 && cache != "no-store" {
			t.Errorf("%s: Cache-Control %q, want no-store", c.path, cache)
		}
	}
}

func TestATakenPortGivesTheNextFreeOne(t *testing.T) {
	taken, err := listen(0)
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	l, err := listen(port)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	got := l.Addr().(*net.TCPAddr)
	if got.Port <= port || !got.IP.IsLoopback() {
		t.Errorf("with %d taken it listens on %v, want a later port on loopback", port, got)
	}
}

func TestAMissingFolderIsNamed(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "dist")
	if err := serve(missing, 0); !os.IsNotExist(err) {
		t.Errorf("error %v, want that %s does not exist", err, missing)
	}
}
