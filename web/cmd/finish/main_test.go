package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// site is a small one, as it is built.
var site = map[string]string{
	"index.html":          `<link rel="stylesheet" href="page.css"><script src="loader.js"></script> <a href="lessons/one.html#two">one</a> <a href="#here">here</a> <a href="https://example.com/page.css">other</a>`,
	"page.css":            `h1 { background: url(icon.svg) }`,
	"loader.js":           `const ADDRESSES = {};`,
	"icon.svg":            `<svg/>`,
	"manifest.json":       `{}`,
	"stage.wasm.gz":       "\x1f\x8b of the stage",
	"lessons/one.html":    `<link rel="stylesheet" href="../page.css"><link rel="stylesheet" href="lessons.css"><a href="../">up</a>`,
	"lessons/lessons.css": ``,
}

// put makes files in a folder, which keeps what others it has.
func put(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		at := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// finished is a site after it was finished in a folder, by the names of its files, without those that are compressed copies.
func finished(t *testing.T, files map[string]string, to string) map[string]string {
	t.Helper()
	from := t.TempDir()
	put(t, from, files)
	if err := finish(from, to); err != nil {
		t.Fatal(err)
	}
	all, err := read(to)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for name, content := range all {
		if !strings.HasSuffix(name, ".br") && (!strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".wasm.gz")) {
			names[name] = string(content)
		}
	}
	return names
}

// with is a copy of the site in which one file is another.
func with(name, content string) map[string]string {
	changed := maps.Clone(site)
	changed[name] = content
	return changed
}

var hash = regexp.MustCompile(`\.[0-9a-f]{10}\.`)

func TestNames(t *testing.T) {
	got := finished(t, site, t.TempDir())
	var names []string
	for name := range got {
		names = append(names, hash.ReplaceAllString(name, ".HASH."))
	}
	slices.Sort(names)
	want := []string{"_headers", "icon.svg", "index.html", "lessons/lessons.HASH.css", "lessons/one.html", "loader.HASH.js", "manifest.json",
		"page.HASH.css", "stage.HASH.wasm.gz"}
	if !slices.Equal(names, want) {
		t.Errorf("the files are\n\t%q, want\n\t%q", names, want)
	}
}

// Whatever is referred to is there under that name, and what is elsewhere is left alone.
func TestReferencesFollow(t *testing.T) {
	got := finished(t, site, t.TempDir())
	for page, want := range map[string][]string{
		"index.html":       {`href="page.HASH.css"`, `src="loader.HASH.js"`, `href="lessons/one.html#two"`, `href="#here"`, `href="https://example.com/page.css"`},
		"lessons/one.html": {`href="../page.HASH.css"`, `href="lessons.HASH.css"`, `href="../"`},
	} {
		text := hash.ReplaceAllString(got[page], ".HASH.")
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s has no %s: %s", page, part, text)
			}
		}
	}
	for name := range got {
		if strings.HasPrefix(name, "loader.") {
			for _, part := range regexp.MustCompile(`"([^"]+)":"([^"]+)"`).FindAllStringSubmatch(got[name], -1) {
				if _, there := got[part[2]]; !there || hash.ReplaceAllString(part[2], ".") != part[1] {
					t.Errorf("the loader has %s at %s", part[1], part[2])
				}
			}
			if !strings.Contains(got[name], `"stage.wasm.gz":"stage.`) {
				t.Errorf("the loader does not know the program: %s", got[name])
			}
		}
	}
}

// A name changes when, and only when, there is something else behind it.
func TestANameIsItsContent(t *testing.T) {
	before := finished(t, site, t.TempDir())
	for _, c := range []struct {
		name, content string
		change        []string // the files that have another name then
	}{
		{"page.css", site["page.css"], nil},
		{"icon.svg", "<svg></svg>", nil},
		{"page.css", "h1 {}", []string{"loader.js", "page.css"}},
		{"stage.wasm.gz", "\x1f\x8b another", []string{"loader.js", "stage.wasm.gz"}},
		{"loader.js", "// new\nconst ADDRESSES = {};", []string{"loader.js"}},
	} {
		after := finished(t, with(c.name, c.content), t.TempDir())
		var changed []string
		for name := range before {
			if _, there := after[name]; !there {
				changed = append(changed, hash.ReplaceAllString(name, "."))
			}
		}
		slices.Sort(changed)
		if !slices.Equal(changed, c.change) {
			t.Errorf("with another %s other names have %q, want %q", c.name, changed, c.change)
		}
	}
}

// The folder becomes what a new one would be, with the service worker left in it.
func TestWhatIsOldGoes(t *testing.T) {
	to := t.TempDir()
	put(t, to, map[string]string{"sw.js": "worker", "gone/page.css": "", "half.css.half": ""})
	finished(t, with("page.css", "old"), to)
	finished(t, with("lessons/two.html", "two"), to)
	got := finished(t, site, to)
	if got["sw.js"] != "worker" {
		t.Error("the service worker is gone")
	}
	delete(got, "sw.js")
	if want := finished(t, site, t.TempDir()); !maps.Equal(got, want) {
		t.Errorf("the folder has %q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	if _, err := os.Stat(filepath.Join(to, "gone")); !os.IsNotExist(err) {
		t.Errorf("an empty folder is left: %v", err)
	}
}

// What lies compressed beside a file is that file, also after it has changed.
func TestCompressedCopies(t *testing.T) {
	to := t.TempDir()
	for _, text := range []string{"first", "second"} {
		finished(t, with("manifest.json", text), to)
		for ending, open := range map[string]func(io.Reader) (io.Reader, error){
			".gz": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
			".br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		} {
			packed, err := os.ReadFile(filepath.Join(to, "manifest.json"+ending))
			if err != nil {
				t.Fatal(err)
			}
			r, err := open(bytes.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || string(got) != text {
				t.Errorf("manifest.json%s holds %q (%v), want %q", ending, got, err, text)
			}
		}
	}
	for _, no := range []string{"*.wasm.gz.*", "_headers.*"} {
		if found, _ := filepath.Glob(filepath.Join(to, no)); found != nil {
			t.Errorf("there are %q", found)
		}
	}
}

// A host that reads _headers lets browsers keep for ever what never changes, and nothing else.
func TestHeaders(t *testing.T) {
	got := finished(t, site, t.TempDir())
	for _, rule := range regexp.MustCompile(`(?m)^/(\S+)\n  Cache-Control: .*immutable$`).FindAllStringSubmatch(got["_headers"], -1) {
		if _, there := got[rule[1]]; !there || !hash.MatchString(rule[1]) {
			t.Errorf("%s is kept for ever", rule[1])
		}
	}
	for name := range got {
		if hash.MatchString(name) && !strings.Contains(got["_headers"], "/"+name+"\n") {
			t.Errorf("%s is not kept", name)
		}
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"index.html", `<script src="gone.js"></script>`, "index.html refers to gone.js"},
		{"lessons/one.html", `<a href="../two.html?x#y">`, "lessons/one.html refers to ../two.html"},
		{"loader.js", `const NAMES = {};`, "const ADDRESSES = {};"},
	} {
		from, to := t.TempDir(), t.TempDir()
		put(t, from, with(c.name, c.content))
		if err := finish(from, to); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %v, want an error with %q", c.name, c.content, err, c.want)
		}
		if left, _ := os.ReadDir(to); len(left) > 0 {
			t.Errorf("%s with %s: it has written %v", c.name, c.content, left)
		}
	}
}
