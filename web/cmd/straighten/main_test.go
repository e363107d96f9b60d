package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// program is one of one function without locals, which has this code.
func program(code ...[]byte) []byte {
	body := sized(nil, append([]byte{0}, slices.Concat(code...)...))
	return sized(append([]byte(header), codeSection), append([]byte{1}, body...))
}

var (
	// What a function of Go begins with: the loop, three blocks, and a table that leads to piece 0, 1 and 2 by the numbers 0
	// to 2, and to none by others.
	top = []byte{
		global, 0, localSet, 1, block, 0x40, loop, 0x40, block, 0x40, block, 0x40, block, 0x40, block, 0x40,
		localGet, 0, brTable, 3, 0, 1, 2, 3, end,
	}
	bottom = []byte{end, end, end}
)

// to is a jump to a piece through the table, from where the loop has so many labels within.
func to(piece, depth byte) []byte { return []byte{i32Const, piece, localSet, 0, br, depth} }

func TestJumps(t *testing.T) {
	then := []byte{localGet, 2, ifThen, 0x40}
	pieceEnds := []byte{end}
	for _, c := range []struct {
		name         string
		before, want [][]byte
	}{
		{"on to the next piece but one",
			[][]byte{top, to(2, 3), pieceEnds, pieceEnds, bottom},
			[][]byte{top, {br, 1}, pieceEnds, pieceEnds, bottom}},
		{"on from within an if",
			[][]byte{top, then, to(1, 4), {end}, pieceEnds, pieceEnds, bottom},
			[][]byte{top, then, {br, 1, end}, pieceEnds, pieceEnds, bottom}},
		{"on from a later piece",
			[][]byte{top, pieceEnds, then, to(2, 3), {end}, pieceEnds, bottom},
			[][]byte{top, pieceEnds, then, {br, 1, end}, pieceEnds, bottom}},
		{"on to a number that the table does not have",
			[][]byte{top, to(9, 3), pieceEnds, pieceEnds, bottom},
			[][]byte{top, {br, 2}, pieceEnds, pieceEnds, bottom}},
		{"back needs the table",
			[][]byte{top, pieceEnds, pieceEnds, to(1, 1), bottom},
			[][]byte{top, pieceEnds, pieceEnds, to(1, 1), bottom}},
		{"to itself needs the table",
			[][]byte{top, pieceEnds, to(1, 2), pieceEnds, bottom},
			[][]byte{top, pieceEnds, to(1, 2), pieceEnds, bottom}},
		{"a call by a pointer borrows the number's local, and that changes nothing",
			[][]byte{top, {localSet, 0, i32Const, 0, localGet, 0, 0x11, 0, 0}, to(2, 3), pieceEnds, pieceEnds, bottom},
			[][]byte{top, {localSet, 0, i32Const, 0, localGet, 0, 0x11, 0, 0}, {br, 1}, pieceEnds, pieceEnds, bottom}},
	} {
		got, _, err := module(program(c.before...), nothing)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if want := program(c.want...); !bytes.Equal(got, want) {
			t.Errorf("%s:\n got % x\nwant % x", c.name, got, want)
		}
	}
}

// Where the local or the loop have another use, the number may matter, and the function stays as it is.
func TestOtherFunctionsStay(t *testing.T) {
	jump := slices.Concat(to(2, 3), []byte{end, end})
	for name, code := range map[string][]byte{
		"no table":                       {localGet, 0, end},
		"another local at the table":     slices.Concat(bytes.Replace(top, []byte{localGet, 0, brTable}, []byte{localGet, 3, brTable}, 1), jump, bottom),
		"the number is read again":       slices.Concat(top, jump, []byte{localGet, 0, 0x1a}, bottom),
		"another local is set before":    slices.Concat(top, jump, []byte{localSet, 3, i32Const, 0, localGet, 0, 0x1a, 0x1a}, bottom),
		"back with the number as it was": slices.Concat(top, jump, []byte{br, 1}, bottom),
		"back only if":                   slices.Concat(top, jump, []byte{localGet, 2, brIf, 1}, bottom),
		"back by another table":          slices.Concat(top, jump, []byte{localGet, 2, brTable, 1, 0, 1}, bottom),
		"a block that has a result":      slices.Concat(bytes.Replace(top, []byte{loop, 0x40}, []byte{loop, 0x7f}, 1), jump, bottom),
	} {
		before := program(code)
		if got, _, err := module(before, nothing); err != nil || !bytes.Equal(got, before) {
			t.Errorf("%s: %v\n got % x\nwant % x", name, err, got, before)
		}
	}
}

func TestWhatCanNotBeReadIsSaid(t *testing.T) {
	whole := program(top, to(2, 3), []byte{end, end}, bottom)
	for _, c := range []struct {
		name string
		wasm []byte
		want string
	}{
		{"no program", []byte("hello, world"), "no WebAssembly"},
		{"nothing", nil, "no WebAssembly"},
		{"an instruction of tomorrow", program(top, []byte{0xfd, 0}, bottom), "0xfd"},
		{"one of tomorrow's many", program(top, []byte{0xfc, 99, 0}, bottom), "0xfc 99"},
		{"a program that was cut off", whole[:len(whole)-1], "ends too soon"},
		{"a function that was cut off", program(top, []byte{i32Const}), "ends too soon"},
	} {
		if _, _, err := module(c.wasm, everything); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", c.name, err, c.want)
		}
	}
	for cut := range whole {
		module(whole[:cut], everything) // and never is there a crash
	}
}

// Where Go's functions are left in the middle and gone on with, a program does what it did, with straight jumps and with
// every function rebuilt, those of Go's runtime as well. A new Go may shape functions anew: then there may be nothing to do.
func TestAProgramOfGoDoesTheSame(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	dir := t.TempDir()
	linked := filepath.Join(dir, "linked.wasm")
	build := exec.Command("go", "build", "-ldflags=-w", "-o", linked, "testdata/resume.go")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	before, err := os.ReadFile(linked)
	if err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string, wasm []byte) string {
		file := filepath.Join(dir, name+".wasm")
		if err := os.WriteFile(file, wasm, 0o644); err != nil {
			t.Fatal(err)
		}
		run := exec.Command(node, "--stack-size=8192", filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec_node.js"), file)
		run.Env = []string{"PATH=" + os.Getenv("PATH")} // wasm_exec.js refuses one that is large
		out, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
	want := run("before", before)
	for name, hot := range map[string]func(string) bool{"straight": nothing, "rebuilt": everything} {
		after, rebuilt, err := module(before, hot)
		if err != nil {
			t.Fatal(err)
		}
		if got := run(name, after); got != want {
			t.Errorf("%s, it prints\n%s\nand printed\n%s", name, got, want)
		}
		switch jumps := codeSize(t, before); {
		case name == "straight" && codeSize(t, after) > jumps*99/100:
			t.Errorf("code of %d bytes has %d with straight jumps: is there nothing to straighten any more?", jumps, codeSize(t, after))
		case name == "rebuilt" && rebuilt < 500:
			t.Errorf("%d functions can be rebuilt: have they another form now?", rebuilt)
		}
	}
}

func codeSize(t *testing.T, wasm []byte) int {
	for r := (&reader{rest: wasm[len(header):]}); len(r.rest) > 0; {
		if id, content := r.byte(), r.sized(); id == codeSection {
			return len(content)
		}
	}
	t.Fatal("it has no code")
	return 0
}

func nothing(string) bool    { return false }
func everything(string) bool { return true }

// A profile whose functions are not in the program, or not by name, would do nothing, and nobody would see it.
func TestAProfileFitsItsProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "program.wasm")
	if err := os.WriteFile(file, program(top, []byte{end, end}, bottom), 0o644); err != nil {
		t.Fatal(err)
	}
	err := rewrite(file, file, "../../../wasm/playground/default.pgo")
	if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "default.pgo") {
		t.Errorf("the error is %v, want one that names both files", err)
	}
	if err := rewrite(file, file, file); err == nil || !strings.Contains(err.Error(), "program.wasm") {
		t.Errorf("a program as a profile: the error is %v, want one that names it", err)
	}
	names, err := profiled("../../../wasm/playground/default.pgo")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"stormbin_engine_model.__World_.Next":            true,
		"stormbin_engine_des.heap.sink":                  true,
		"stormbin_engine_run_test.BenchmarkSecond.func1": false, // calls the others
		"runtime.memmove":                                false,
	} {
		if names[name] != want {
			t.Errorf("the profile of the engine's inner loop: %s is in it: %t, want %t", name, names[name], want)
		}
	}
}
