// Offline writes the service worker of a built site: the version, which is the hash of all, and the list of the site's
// files with the hashes they may have.
//
//	offline TEMPLATE FOLDER
//
// TEMPLATE is web/sw.js; FOLDER gets sw.js.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: offline TEMPLATE FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "offline:", err)
		os.Exit(1)
	}
}

// name is the service worker's file, which isn't among those it keeps.
const name = "sw.js"

func write(template, folder string) error {
	text, err := os.ReadFile(template)
	if err != nil {
		return err
	}
	files, err := hashes(folder)
	if err != nil {
		return err
	}
	list, err := json.MarshalIndent(files, "", "  ") // sorted by path
	if err != nil {
		return err
	}
	version := sha256.Sum256(append(list, text...))
	for _, line := range []struct{ empty, filled string }{
		{`const VERSION = "";`, fmt.Sprintf(`const VERSION = "%s";`, hex.EncodeToString(version[:6]))},
		{`const FILES = {};`, fmt.Sprintf(`const FILES = %s;`, list)},
	} {
		if bytes.Count(text, []byte(line.empty)) != 1 {
			return fmt.Errorf("%s: must have the line %s once", template, line.empty)
		}
		text = bytes.Replace(text, []byte(line.empty), []byte(line.filled), 1)
	}
	return os.WriteFile(filepath.Join(folder, name), text, 0o644)
}

// hashes are by path, each as in an integrity attribute. Of what is gzipped there are two, as some hosts hand it out
// unpacked. What only a host reads is not among them: files that lie compressed beside others, and its headers.
func hashes(folder string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		path, err = filepath.Rel(folder, path)
		if path = filepath.ToSlash(path); err != nil || path == name || path == "_headers" || isCopy(folder, path) {
			return err
		}
		all[path] = integrity(content)
		if strings.HasSuffix(path, ".gz") {
			r, err := gzip.NewReader(bytes.NewReader(content))
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			plain, err := io.ReadAll(r)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			all[path] += " " + integrity(plain)
		}
		return nil
	})
	return all, err
}

// isCopy tells whether a file is another one compressed.
func isCopy(folder, path string) bool {
	for _, ending := range []string{".gz", ".br"} {
		if of, is := strings.CutSuffix(path, ending); is {
			if _, err := os.Stat(filepath.Join(folder, of)); err == nil {
				return true
			}
		}
	}
	return false
}

func integrity(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
