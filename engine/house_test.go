//go:build !js

package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A goFile is one file of the project that is not a test.
type goFile struct {
	path    string // from the project's root, like engine/policy/call.go
	imports []string
	tree    *ast.File
}

func project(t *testing.T) (files []goFile) {
	t.Helper()
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "dist" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", path), nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		f := goFile{path: path, tree: tree}
		for _, i := range tree.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			f.imports = append(f.imports, name)
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("found %d Go files; is this the project?", len(files))
	}
	return files
}

func in(path string, rooms ...string) bool {
	return slices.ContainsFunc(rooms, func(room string) bool { return path == room || strings.HasPrefix(path, room+"/") })
}

func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return first != "stormbin" && !strings.Contains(first, ".")
}

// Who may import what. The messages say where a thing belongs instead.
func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	for _, f := range project(t) {
		for _, i := range f.imports {
			refuse := func(why string) { t.Errorf("%s imports %s: %s", f.path, i, why) }
			switch {
			case in(f.path, "engine") && !standard(i) && !in(i, "stormbin/engine"):
				refuse("the engine needs nothing but the standard library and itself")
			case in(f.path, "engine/policy") && !standard(i) && i != "stormbin/engine/rng":
				refuse("a policy knows no world; hand it what it needs")
			case in(f.path, "pastebin/indexeddb", "pastebin/memory", "pastebin/storetest") && !standard(i) && !in(i, "stormbin/pastebin"):
				refuse("a store knows the pastebin and nothing else")
			case in(f.path, "pastebin") && !standard(i) && !in(i, "stormbin/pastebin", "stormbin/engine/policy", "stormbin/engine/live", "stormbin/engine/rng", "stormbin/engine/json"):
				refuse("the pastebin knows no page and no simulation; it calls through live.Caller")
			}
			if i == "syscall/js" || i == "honnef.co/go/js/dom/v2" {
				switch {
				case in(f.path, "wasm/internal/view", "wasm/internal/own", "wasm/internal/pasted", "wasm/internal/yaml", "wasm/internal/frame", "wasm/internal/player"):
					refuse("this room is tested natively; what touches the page goes to wasm/internal/page or panel")
				case !in(f.path, "wasm", "pastebin/indexeddb", "web/cmd"):
					refuse("JavaScript is for wasm and pastebin/indexeddb")
				}
			}
			if in(f.path, "engine") && (i == "math/rand" || i == "math/rand/v2" || i == "crypto/rand") {
				refuse("draw from a named stream of engine/rng")
			}
			if strings.HasPrefix(i, "github.com/hajimehoshi/ebiten") && !in(f.path, "wasm/stage") {
				refuse("only the stage is linked with the canvas; send it a frame")
			}
			if in(f.path, "wasm") && (i == "text/template" || i == "html/template") {
				refuse("templates make the linker keep every method of every DOM type")
			}
		}
	}
}

// Nothing in the engine asks a clock, except for the real one that live can be handed.
func TestTheEngineAsksNoClock(t *testing.T) {
	banned := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}
	for _, f := range project(t) {
		if !in(f.path, "engine") || f.path == "engine/live/real.go" {
			continue
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(banned, sel.Sel.Name) {
				if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "time" {
					t.Errorf("%s calls time.%s: time is an argument here; live.Real is the one clock", f.path, sel.Sel.Name)
				}
			}
			return true
		})
	}
}

// A reader sees one kind of apostrophe: ’, as in what’s. What a build tool says is for nobody else.
func TestApostrophes(t *testing.T) {
	straight := regexp.MustCompile(`\pL'\pL`)
	for _, f := range project(t) {
		if in(f.path, "web/cmd") {
			continue
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if found := straight.FindString(text.Value); found != "" {
					t.Errorf("%s: write ’ for the ' of %s in %.60s", f.path, found, text.Value)
				}
			}
			return true
		})
	}
}

// Every package says in a sentence what it is for.
func TestEveryPackageHasADoc(t *testing.T) {
	said := map[string]bool{}
	for _, f := range project(t) {
		dir := filepath.ToSlash(filepath.Dir(f.path))
		said[dir] = said[dir] || f.tree.Doc != nil
	}
	for dir, ok := range said {
		if !ok {
			t.Errorf("%s has no package comment: say what it is for, where a reader will look first", dir)
		}
	}
}
