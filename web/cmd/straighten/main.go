// Straighten lets the jumps in a Go program that was compiled to WebAssembly go straight to where they lead.
//
//	straighten PROGRAM FILE [PROFILE]
//
// FILE is then a program that does just what PROGRAM does, a quarter to a third faster, and without the names of its
// functions. Those that take the time in PROFILE, which is one for Go's compiler, are rebuilt, and are faster again by a fifth.
//
// WebAssembly has no goto. So Go makes of each function one loop around its pieces of code, with a table at the top: to
// jump, it puts the number of the next piece into a local, goes back to the loop, and the table jumps there.
//
//	loop
//	  block block block     the innermost ends first
//	    local.get 0
//	    br_table …          to the end of one of them
//	  end
//	  …                     piece 0
//	    i32.const 2
//	    local.set 0
//	    br …                to the loop: a jump to piece 2
//	  end
//	  …                     piece 1
//	  end
//	  …                     piece 2
//	end
//
// That is needed where a function goes on after it was suspended, and for jumps back. But a piece that comes later begins
// where a block ends that is still open, so one br leaves it for there: no number, no table, and nothing for the
// processor to guess. That is done in all functions, and makes them a little smaller.
//
// As long as there is a table, any piece may be come to from it, as far as a browser's compiler knows, and that keeps it from
// doing well. So a function of the profile becomes two. One has no table: it is entered at the beginning alone, and its
// pieces are put into such blocks and loops as a language would have that has no goto. The other is the function as it was,
// for when it goes on after it was suspended, or where it recovered from a panic: then the first calls it at once. Wherever
// Go's runtime enters a function in the middle, it meets what Go's compiler made for that.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
)

func main() {
	if len(os.Args) != 3 && len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: straighten PROGRAM FILE [PROFILE]")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1], os.Args[2], os.Args[3:]...); err != nil {
		fmt.Fprintln(os.Stderr, "straighten:", err)
		os.Exit(1)
	}
}

// rewrite writes to a file what becomes of a program, by a profile if there is one.
func rewrite(program, file string, profile ...string) error {
	before, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	hot := func(string) bool { return false }
	if len(profile) > 0 {
		names, err := profiled(profile[0])
		if err != nil {
			return fmt.Errorf("%s: %w", profile[0], err)
		}
		hot = func(name string) bool { return names[name] }
	}
	after, rebuilt, err := module(before, hot)
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	if len(profile) > 0 && rebuilt == 0 {
		return fmt.Errorf("%s: it has none of the functions in %s by name: it must be linked without -s, and the profile be one of it", program, profile[0])
	}
	return os.WriteFile(file, after, 0o644)
}

const (
	header = "\x00asm\x01\x00\x00\x00"

	customSection   = 0
	importSection   = 2
	functionSection = 3
	codeSection     = 10
)

type section struct {
	id      byte
	content []byte
}

// module is what becomes of a program. rebuilt is how many functions there are of which hot is true, and that can be rebuilt.
func module(wasm []byte, hot func(name string) bool) (out []byte, rebuilt int, err error) {
	if len(wasm) < len(header) || string(wasm[:len(header)]) != header {
		return nil, 0, errors.New("it is no WebAssembly, which begins with \\0asm and version 1")
	}
	defer stop(&err)
	var sections []section
	var chosen, panicking map[uint64]bool
	imported := uint64(0) // functions, which are numbered before the program's own
	for r := (&reader{rest: wasm[len(header):]}); len(r.rest) > 0; {
		s := section{r.byte(), r.sized()}
		switch content := (&reader{rest: s.content}); {
		case s.id == importSection:
			imported = content.number() // Go imports nothing else
		case s.id == customSection && string(content.sized()) == "name":
			names := content.rest
			chosen, panicking = choose(names, hot), choose(names, panics)
			continue
		}
		sections = append(sections, s)
	}
	var copied []uint64
	for i, s := range sections {
		if s.id == codeSection {
			sections[i].content, copied, rebuilt = functions(s.content, imported, chosen, panicking)
		}
	}
	out = []byte(header)
	for _, s := range sections {
		if s.id == functionSection {
			s.content = types(s.content, copied)
		}
		out = sized(append(out, s.id), s.content)
	}
	return out, rebuilt, nil
}

// panics tells whether a function never returns, or not soon.
func panics(name string) bool { return panicNames.MatchString(name) }

var panicNames = regexp.MustCompile(`^runtime\.(panic|goPanic|gopanic|throw)`)

// choose is the numbers of the functions of which which is true, from the section of names.
func choose(section []byte, which func(name string) bool) map[uint64]bool {
	chosen := map[uint64]bool{}
	for r := (&reader{rest: section}); len(r.rest) > 0; {
		kind, names := r.byte(), &reader{rest: r.sized()}
		if kind != 1 { // of functions
			continue
		}
		for range names.number() {
			if f, name := names.number(), names.sized(); which(string(name)) {
				chosen[f] = true
			}
		}
	}
	return chosen
}

// types is the function section, with the types of the copies.
func types(content []byte, copied []uint64) []byte {
	r := &reader{rest: content}
	all := make([]uint64, r.count())
	for i := range all {
		all[i] = r.number()
	}
	out := binary.AppendUvarint(nil, uint64(len(all)+len(copied)))
	for _, t := range all {
		out = binary.AppendUvarint(out, t)
	}
	for _, f := range copied {
		out = binary.AppendUvarint(out, all[f])
	}
	return out
}

// functions is the code section. copied are the functions that became two, of which the other is behind all that there were.
func functions(content []byte, imported uint64, chosen, panicking map[uint64]bool) (out []byte, copied []uint64, rebuilt int) {
	r := &reader{rest: content}
	bodies := make([][]byte, r.count())
	for i := range bodies {
		bodies[i] = r.sized()
		code := &reader{rest: bodies[i]}
		for range code.number() { // the locals
			code.number()
			code.byte()
		}
		f := parse(code.rest)
		if f == nil {
			continue
		}
		locals := bodies[i][:len(bodies[i])-len(code.rest)]
		bodies[i] = slices.Concat(locals, f.straightened())
		if !chosen[imported+uint64(i)] {
			continue
		}
		structured, suspended := f.structured(imported+uint64(len(bodies)), panicking)
		if structured == nil {
			continue
		}
		rebuilt++
		if suspended {
			bodies = append(bodies, bodies[i])
			copied = append(copied, uint64(i))
		}
		bodies[i] = slices.Concat(locals, structured)
	}
	out = binary.AppendUvarint(nil, uint64(len(bodies)))
	for _, b := range bodies {
		out = sized(out, b)
	}
	return out, copied, rebuilt
}
