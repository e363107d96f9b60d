// Single writes a page of the built site as one file. It works where a page may fetch nothing: opened from a disk.
//
//	single FOLDER PAGE OUT [FILE...]
//
// Scripts and styles of the page are put into it, and so are pictures. Its policy names them by their hashes, and lets in
// nothing else. The FILEs are what its programs fetch; the loader is told that they are in here. A link to another page of the
// site becomes one that leads nowhere and says so. The html element gets the attribute data-single, for what is then not to be
// seen, or only then.
package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: single FOLDER PAGE OUT [FILE...]")
		os.Exit(2)
	}
	if err := single(os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
		fmt.Fprintln(os.Stderr, "single:", err)
		os.Exit(1)
	}
}

func single(folder, page, out string, files []string) error {
	d := &document{folder: folder, name: page, files: files}
	text, err := d.text()
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	half := out + ".half"
	if err := os.WriteFile(half, []byte(strings.Replace(text, "<html", "<html data-single", 1)), 0o644); err != nil {
		return err
	}
	return os.Rename(half, out)
}

// document is a page that is made whole.
type document struct {
	folder, name    string
	files           []string // what its programs fetch
	scripts, styles []string // the hashes of those put in
	err             error    // the first thing that was wrong
}

//go:embed unpack.js
var unpack string

const loader, nowhere, elsewhere = "loader.js", "const ADDRESSES = {};", "const ADDRESSES = unpacked;"

var (
	tag       = regexp.MustCompile(`<(meta|link|script|img|a)\s[^>]*>(</script>)?`)
	attribute = regexp.MustCompile(`\s([a-z-]+)="([^"]*)"`)
	url       = regexp.MustCompile(`url\(([^)]*)\)`)
)

// text is the page with all in it.
func (d *document) text() (string, error) {
	var policy string
	text := tag.ReplaceAllStringFunc(d.read(d.name), func(t string) string {
		of := map[string]string{}
		for _, a := range attribute.FindAllStringSubmatch(t, -1) {
			of[a[1]] = a[2]
		}
		switch tag.FindStringSubmatch(t)[1] {
		case "meta":
			if of["http-equiv"] == "Content-Security-Policy" {
				policy = of["content"]
			}
		case "link":
			switch of["rel"] {
			case "stylesheet":
				return d.style(of["href"])
			case "icon":
				return strings.Replace(t, of["href"], d.data(of["href"]), 1)
			case "manifest":
				return ""
			}
		case "script":
			if of["src"] == loader {
				return d.carried() + d.script(strings.Replace(d.read(loader), nowhere, elsewhere, 1))
			} else if of["src"] != "" {
				return d.script(d.read(of["src"]))
			}
			d.fail(errors.New("a script without src"))
		case "img":
			if of["src"] != "" {
				return strings.Replace(t, of["src"], d.data(of["src"]), 1)
			}
		case "a":
			if at, _, _ := strings.Cut(of["href"], "#"); strings.HasSuffix(at, ".html") && !strings.Contains(at, ":") {
				return strings.Replace(t, `href="`+of["href"]+`"`, `role="link" aria-disabled="true" title="This is on the site, and not in this one file."`, 1)
			}
		}
		return t
	})
	if policy == "" {
		d.fail(errors.New("no policy"))
	}
	return strings.Replace(text, policy, d.policy(policy), 1), d.err
}

func (d *document) fail(err error) { d.err = errors.Join(d.err, err) }

func (d *document) read(name string) string {
	text, err := os.ReadFile(filepath.Join(d.folder, filepath.FromSlash(name)))
	if err != nil {
		d.fail(err)
	}
	return string(text)
}

// script is an element with that script.
func (d *document) script(text string) string {
	if strings.Contains(text, "</script") || strings.Contains(text, "<!--") {
		d.fail(fmt.Errorf("a script that would end early in a page: %.60q", text))
	}
	d.scripts = append(d.scripts, hash(text))
	return "<script>" + text + "</script>"
}

// style is an element with the styles of a file, and with the pictures that they refer to.
func (d *document) style(name string) string {
	text := url.ReplaceAllStringFunc(d.read(name), func(u string) string {
		at := strings.Trim(url.FindStringSubmatch(u)[1], `"'`)
		if strings.HasPrefix(at, "data:") || strings.HasPrefix(at, "#") {
			return u
		}
		return `url("` + d.data(path.Join(path.Dir(name), at)) + `")`
	})
	if strings.Contains(text, "</style") {
		d.fail(fmt.Errorf("%s: styles that would end early in a page", name))
	}
	d.styles = append(d.styles, hash(text))
	return "<style>" + text + "</style>"
}

// carried are the files for the programs, in elements that are no scripts for the browser, and the script that finds them.
func (d *document) carried() string {
	var b strings.Builder
	for _, file := range d.files {
		fmt.Fprintf(&b, `<script type="text/plain" data-file="%s">%s</script>`+"\n", file, base64.StdEncoding.EncodeToString([]byte(d.read(file))))
	}
	return b.String() + d.script(unpack) + "\n"
}

// data is a picture as an address.
func (d *document) data(name string) string {
	kind := map[string]string{".svg": "image/svg+xml", ".png": "image/png"}[path.Ext(name)]
	if kind == "" {
		d.fail(fmt.Errorf("%s: a picture must be an .svg or a .png", name))
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString([]byte(d.read(name)))
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// policy is a site's policy for one file: what came from the site is in the file, and has these hashes.
func (d *document) policy(of string) string {
	directives := strings.Split(of, ";")
	for i, directive := range directives {
		words := strings.Fields(directive)
		if self := slices.Index(words, "'self'"); self > 0 {
			var instead []string
			switch words[0] {
			case "script-src":
				instead = d.scripts
			case "style-src":
				instead = d.styles
			case "connect-src", "img-src":
				instead = []string{"data:"}
			}
			words = slices.Replace(words, self, self+1, instead...)
			if len(words) == 1 {
				words = append(words, "'none'")
			}
		}
		directives[i] = strings.Join(words, " ")
	}
	return strings.Join(directives, "; ")
}
