package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// build writes files and the service worker of them, and is that.
func build(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for path, content := range files {
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second build finds what the first has left
		if err := write("../../sw.js", folder); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEveryFileIsKept(t *testing.T) {
	text := build(t, map[string]string{"index.html": "hello", "lessons/one.html": "one"})
	for _, want := range []string{
		`"index.html": "sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="`, // printf hello | openssl dgst -sha256 -binary | base64
		`"lessons/one.html"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, `"sw.js"`) || strings.Contains(text, `VERSION = ""`) {
		t.Errorf("it keeps itself, or has no version:\n%s", text)
	}
}

// A browser can't fetch the headers from a host that reads them, and needs no file twice.
func TestWhatOnlyAHostReadsIsNotKept(t *testing.T) {
	text := build(t, map[string]string{"index.html": "hello", "index.html.gz": "packed", "index.html.br": "packed", "_headers": "/*"})
	for _, no := range []string{".gz", ".br", "_headers"} {
		if strings.Contains(text, `"index.html`+no+`"`) || strings.Contains(text, `"`+no+`"`) {
			t.Errorf("it keeps %s:\n%s", no, text)
		}
	}
}

func TestTheVersionIsTheContent(t *testing.T) {
	one := build(t, map[string]string{"index.html": "hello"})
	same := build(t, map[string]string{"index.html": "hello"})
	other := build(t, map[string]string{"index.html": "hello!"})
	renamed := build(t, map[string]string{"index.htm": "hello"})
	if one != same || one == other || one == renamed {
		t.Error("the same files have another version, or others the same")
	}
}

func TestWhatIsNoGzipIsRefused(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "program.wasm.gz"), []byte("no"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := write("../../sw.js", folder); err == nil || !strings.Contains(err.Error(), "program.wasm.gz") {
		t.Errorf("%v, want an error that names the file", err)
	}
}
