package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"regexp"
)

// profiled is the names of the functions in a profile, as they are in a program, but for those of Go's runtime: they take
// little of the time.
func profiled(file string) (names map[string]bool, err error) {
	packed, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	profile, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	defer stop(&err)
	names = map[string]bool{}
	for r := (&reader{rest: profile}); len(r.rest) > 0; {
		const strings = 6 // the profile's table of them, which has other strings, too: perftools.profiles.Profile, profile.proto
		switch tag := r.number(); tag & 7 {
		case 2: // bytes
			if s := r.sized(); tag>>3 == strings && !bytes.HasPrefix(s, []byte("runtime.")) {
				name := notInNames.ReplaceAllString(string(s), "_")
				names[name] = true
				names[name+"_fm"] = true // of a method, as a value
			}
		default:
			r.number()
		}
	}
	return names, nil
}

// notInNames is what Go's linker replaces: nameRegexp in cmd/link/internal/wasm/asm.go.
var notInNames = regexp.MustCompile(`[^\w.]`)
