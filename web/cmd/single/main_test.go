package main

import (
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval' blob:; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; frame-src 'self'">`

// site is a small one, as it is built.
var site = map[string]string{
	"index.html": "<!doctype html>\n<html lang=\"en\">" + policy + `<link rel="icon" href="icon.svg" type="image/svg+xml"><link rel="manifest" href="manifest.json"><link rel="stylesheet" href="page.css">
<a href="lessons/one.html#two">one</a> <a href="#here">here</a> <a href="https://example.com/two.html">two</a> <img src="picture.png" alt="">
<script src="loader.js"></script><script src="start.js"></script></html>`,
	"page.css":      `h1 { background: url(icon.svg) } p { background: url("#here") }`,
	"loader.js":     `const ADDRESSES = {};`,
	"start.js":      `start("a & b");`,
	"icon.svg":      `<svg/>`,
	"picture.png":   "picture",
	"manifest.json": `{}`,
	"stage.wasm.gz": "\x1f\x8b of the stage",
}

// whole is the site's page as one file, with one of the site's files another if change has it.
func whole(t *testing.T, change map[string]string) (string, error) {
	t.Helper()
	folder := t.TempDir()
	for _, files := range []map[string]string{site, change} {
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	out := filepath.Join(t.TempDir(), "new", "one.html")
	if err := single(folder, "index.html", out, []string{"stage.wasm.gz"}); err != nil {
		if _, there := os.Stat(out); there == nil {
			t.Error("it has written a file all the same")
		}
		return "", err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), nil
}

func TestNothingIsLeftOutside(t *testing.T) {
	page, err := whole(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]*)"|url\("?([^")]*)`).FindAllStringSubmatch(page, -1) {
		if at := m[1] + m[2]; !strings.HasPrefix(at, "data:") && !strings.HasPrefix(at, "#") && !strings.HasPrefix(at, "https:") {
			t.Errorf("it refers to %s:\n%s", at, page)
		}
	}
	for _, want := range []string{`start("a & b");`, "<html data-single", `href="#here"`, `href="https://example.com/two.html"`, `aria-disabled="true"`, elsewhere,
		`data-file="stage.wasm.gz">` + base64.StdEncoding.EncodeToString([]byte(site["stage.wasm.gz"]))} {
		if strings.Count(page, want) != 1 {
			t.Errorf("it has %s %d times:\n%s", want, strings.Count(page, want), page)
		}
	}
}

// What is in the file may run, and nothing else.
func TestThePolicyNamesWhatIsIn(t *testing.T) {
	page, err := whole(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := regexp.MustCompile(`Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1]
	if strings.Contains(p, "'self'") || strings.Contains(p, "unsafe-inline") || !strings.Contains(p, "'wasm-unsafe-eval' blob:;") ||
		!strings.Contains(p, "frame-src 'none'") || !strings.Contains(p, "connect-src data:;") {
		t.Errorf("its policy is %s", p)
	}
	for _, m := range regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`).FindAllStringSubmatch(page, -1) {
		sum := sha256.Sum256([]byte(m[2]))
		if !regexp.MustCompile(m[1] + `-src[^;]*'sha256-` + regexp.QuoteMeta(base64.StdEncoding.EncodeToString(sum[:]))).MatchString(p) {
			t.Errorf("the policy %s does not let in the %s %s", p, m[1], m[2])
		}
	}
}

func TestWhatCannotBeCarriedIsNamed(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"index.html", `<html>` + policy + `<script src="gone.js"></script>`, "gone.js"},
		{"index.html", `<html>`, "index.html: no policy"},
		{"index.html", `<html>` + policy + `<script >go()</script>`, "without src"},
		{"start.js", `write("</script>")`, "would end early"},
		{"page.css", `h1 { background: url(page.woff) }`, "page.woff"},
	} {
		if _, err := whole(t, map[string]string{c.name: c.content}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %v, want an error with %q", c.name, c.content, err, c.want)
		}
	}
}
