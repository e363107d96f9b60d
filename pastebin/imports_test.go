package pastebin_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The pastebin must run anywhere: it knows no page and no simulation, and only indexeddb knows a browser.
func TestImports(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if !allowed(name, filepath.Dir(path)) {
				t.Errorf("%s imports %s: take it as an argument instead, or do it in wasm/playground", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func allowed(name, dir string) bool {
	switch name {
	case "syscall/js":
		return dir == "indexeddb"
	case "net/http", "encoding/json": // a tenth of the page and more
		return false
	case "stormbin/engine/policy", "stormbin/engine/live", "stormbin/engine/json":
		return true
	case "stormbin/pastebin":
		return dir != "."
	}
	host, _, _ := strings.Cut(name, "/")
	return host != "stormbin" && !strings.Contains(host, ".")
}
