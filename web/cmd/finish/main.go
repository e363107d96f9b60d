// Finish makes the site that is deployed of the site that was built.
//
//	finish FROM TO
//
// Styles, scripts and programs get a hash of what is in them into their names: page.css becomes page.3f2a9c1b04.css. So
// a browser may keep each of them for ever, and never mixes two versions. What people or other sites have the address of
// keeps its name: pages, pictures, the manifest. Beside what compresses well lie FILE.gz and FILE.br, for hosts that can
// hand those out. Some hosts take response headers from the file _headers.
//
// What is in TO already is left as it is; what FROM no longer has goes, but for the service worker, which is made after.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: finish FROM TO")
		os.Exit(2)
	}
	if err := finish(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "finish:", err)
		os.Exit(1)
	}
}

const (
	loader        = "loader.js"          // it is told the new names,
	addresses     = "const ADDRESSES = " // in this line
	serviceWorker = "sw.js"
)

func finish(from, to string) error {
	files, err := read(from)
	if err != nil {
		return err
	}
	named, err := rename(files)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	for _, name := range slices.Collect(maps.Keys(named)) {
		if slices.Contains(textual, path.Ext(name)) {
			packed, err := pack(filepath.Join(to, name), named[name])
			if err != nil {
				return err
			}
			maps.Copy(named, map[string][]byte{name + ".gz": packed.gzip, name + ".br": packed.brotli})
		}
	}
	for name, content := range named {
		if err := write(filepath.Join(to, name), content); err != nil {
			return err
		}
	}
	return clear(to, named)
}

// read is every file in a folder, by its path from there.
func read(folder string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(folder, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, at)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(at)
		return err
	})
	return files, err
}

// rename is the files by their new names, with what refers to them changed, and _headers.
func rename(files map[string][]byte) (map[string][]byte, error) {
	names := map[string]string{} // the new ones by the old
	for name, content := range files {
		if name != loader && hasHash(name) {
			names[name] = hashed(name, content)
		}
	}
	if content, there := files[loader]; there {
		list, err := json.Marshal(names) // sorted
		if err != nil {
			return nil, err
		}
		if bytes.Count(content, []byte(addresses+"{};")) != 1 {
			return nil, fmt.Errorf("%s: must have the line %s{}; once", loader, addresses)
		}
		files = maps.Clone(files)
		files[loader] = bytes.Replace(content, []byte(addresses+"{}"), append([]byte(addresses), list...), 1)
		names[loader] = hashed(loader, files[loader])
	}
	named := map[string][]byte{}
	for name, content := range files {
		if path.Ext(name) == ".html" {
			var err error
			if content, err = refer(name, content, files, names); err != nil {
				return nil, err
			}
		}
		if is, changed := names[name]; changed {
			name = is
		}
		named[name] = content
	}
	named["_headers"] = headers(slices.Sorted(maps.Values(names)))
	return named, nil
}

// hasHash tells whether a file gets a hash into its name: what only the site itself asks for.
func hasHash(name string) bool {
	return slices.Contains([]string{".css", ".js", ".gz"}, path.Ext(name))
}

// hashed is a name with the hash of the content before its endings.
func hashed(name string, content []byte) string {
	folder, file := path.Split(name)
	stem, endings, _ := strings.Cut(file, ".")
	sum := sha256.Sum256(content)
	return folder + stem + "." + hex.EncodeToString(sum[:5]) + "." + endings
}

var reference = regexp.MustCompile(`\s(src|href)="([^"]*)"`)

// refer changes a page's references to files that have another name now. One to a file that isn't there is an error.
func refer(page string, content []byte, files map[string][]byte, names map[string]string) ([]byte, error) {
	var missing []error
	changed := reference.ReplaceAllFunc(content, func(match []byte) []byte {
		parts := reference.FindSubmatch(match)
		at := string(parts[2])
		if i := strings.IndexAny(at, "?#"); i >= 0 {
			at = at[:i]
		}
		if at == "" || strings.Contains(at, ":") { // in the page itself, or elsewhere
			return match
		}
		file := path.Join(path.Dir(page), at)
		if _, there := files[file]; !there && !strings.HasSuffix(at, "/") {
			missing = append(missing, fmt.Errorf("%s refers to %s, which is not there", page, at))
		}
		is, renamed := names[file]
		if !renamed {
			return match
		}
		folder, _ := path.Split(at)
		return bytes.Replace(match, []byte(at), []byte(folder+path.Base(is)), 1)
	})
	return changed, errors.Join(missing...)
}

// headers are for hosts that read them from a file: that anybody's page may hold a figure in a sandbox, and that what has a
// hash in its name never changes.
func headers(hashed []string) []byte {
	var b bytes.Buffer
	b.WriteString("/*\n  Access-Control-Allow-Origin: *\n  X-Content-Type-Options: nosniff\n")
	for _, name := range hashed {
		fmt.Fprintf(&b, "/%s\n  Cache-Control: public, max-age=31536000, immutable\n", name)
	}
	return b.Bytes()
}

// textual are the endings of what compresses well. Programs are compressed already.
var textual = []string{".html", ".css", ".js", ".svg", ".json"}

type packed struct{ gzip, brotli []byte }

// pack compresses content, unless the file at that place already is that and lies there compressed.
func pack(at string, content []byte) (p packed, err error) {
	if same(at, content) {
		var missing [2]error
		p.gzip, missing[0] = os.ReadFile(at + ".gz")
		p.brotli, missing[1] = os.ReadFile(at + ".br")
		if missing == [2]error{} {
			return p, nil
		}
	}
	if p.gzip, err = through(content, func(w io.Writer) (io.WriteCloser, error) {
		return gzip.NewWriterLevel(w, gzip.BestCompression)
	}); err != nil {
		return p, err
	}
	p.brotli, err = through(content, func(w io.Writer) (io.WriteCloser, error) {
		return brotli.NewWriterLevel(w, brotli.BestCompression), nil
	})
	return p, err
}

func through(content []byte, compressor func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	var b bytes.Buffer
	w, err := compressor(&b)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func same(at string, content []byte) bool {
	is, err := os.ReadFile(at)
	return err == nil && bytes.Equal(is, content)
}

// write writes a file, unless that is what it is. A server may be reading: it sees the old one or the new one, never
// half of it.
func write(at string, content []byte) error {
	if same(at, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	half := at + ".half"
	if err := os.WriteFile(half, content, 0o644); err != nil {
		return err
	}
	return os.Rename(half, at)
}

// clear removes what a folder has besides the files, and folders that are then empty.
func clear(folder string, files map[string][]byte) error {
	var old []string
	err := filepath.WalkDir(folder, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, at)
		name = filepath.ToSlash(name)
		if _, of := files[name]; !of && name != serviceWorker && at != folder {
			old = append(old, at)
		}
		return err
	})
	for _, at := range slices.Backward(old) { // what is in a folder before it
		if info, statErr := os.Lstat(at); statErr == nil && info.IsDir() {
			_ = os.Remove(at) // it may not be empty
		} else {
			err = errors.Join(err, os.Remove(at))
		}
	}
	return err
}
