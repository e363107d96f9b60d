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

// function is a program of one function without locals, which has this code.
func function(code ...[]byte) []byte {
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
		got, err := module(function(c.before...))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if want := function(c.want...); !bytes.Equal(got, want) {
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
		before := function(code)
		if got, err := module(before); err != nil || !bytes.Equal(got, before) {
			t.Errorf("%s: %v\n got % x\nwant % x", name, err, got, before)
		}
	}
}

func TestWhatCanNotBeReadIsSaid(t *testing.T) {
	whole := function(top, to(2, 3), []byte{end, end}, bottom)
	for _, c := range []struct {
		name string
		wasm []byte
		want string
	}{
		{"no program", []byte("hello, world"), "no WebAssembly"},
		{"nothing", nil, "no WebAssembly"},
		{"an instruction of tomorrow", function(top, []byte{0xfd, 0}, bottom), "0xfd"},
		{"one of tomorrow's many", function(top, []byte{0xfc, 99, 0}, bottom), "0xfc 99"},
		{"a program that was cut off", whole[:len(whole)-1], "ends too soon"},
		{"a function that was cut off", function(top, []byte{i32Const}), "ends too soon"},
	} {
		if _, err := module(c.wasm); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want one with %q", c.name, err, c.want)
		}
	}
	for cut := range whole {
		module(whole[:cut]) // and never is there a crash
	}
}

// A new Go may shape functions anew. Then there is nothing to do here, or not any more.
func TestGoStillJumpsByTheTable(t *testing.T) {
	dir := t.TempDir()
	source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.wasm")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", program, source)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sizes := [3]int64{}
	for i := range sizes {
		file, err := os.Stat(program)
		if err != nil {
			t.Fatal(err)
		}
		sizes[i] = file.Size()
		if err := rewrite(program); err != nil {
			t.Fatal(err)
		}
	}
	if sizes[1] > sizes[0]*99/100 {
		t.Errorf("a program of %d bytes has %d with straight jumps: is there nothing to straighten any more?", sizes[0], sizes[1])
	}
	if sizes[2] != sizes[1] {
		t.Errorf("straight jumps were straightened once more: %d bytes, and then %d", sizes[1], sizes[2])
	}
}
