package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"regexp"
)

// profiled is the names, as they are in a program, of the functions in whose own code a profile has samples, and of those
// into which that was inlined; not of all that they were called by. Those of Go's runtime are left out: they take little of
// the time.
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
	// perftools.profiles.Profile, in profile.proto of github.com/google/pprof
	sampled := map[uint64]bool{}        // locations
	functions := map[uint64][]uint64{}  // by location
	functionName := map[uint64]uint64{} // by function
	var strings []string
	fields(profile, func(field, _ uint64, of []byte) {
		switch field {
		case 2: // sample
			first := true
			fields(of, func(field, location uint64, all []byte) {
				if field != 1 || !first { // the first is where it was taken
					return
				}
				if first = false; all != nil {
					location = (&reader{rest: all}).number()
				}
				sampled[location] = true
			})
		case 4: // location
			var id uint64
			fields(of, func(field, number uint64, line []byte) {
				switch field {
				case 1:
					id = number
				case 4: // one, and those that it is inlined in
					fields(line, func(field, function uint64, _ []byte) {
						if field == 1 {
							functions[id] = append(functions[id], function)
						}
					})
				}
			})
		case 5: // function
			var id uint64
			fields(of, func(field, number uint64, _ []byte) {
				switch field {
				case 1:
					id = number
				case 2:
					functionName[id] = number
				}
			})
		case 6: // string
			strings = append(strings, string(of))
		}
	})
	names = map[string]bool{}
	for location := range sampled {
		for _, function := range functions[location] {
			n := functionName[function]
			if n >= uint64(len(strings)) {
				return nil, errCut
			}
			if name := strings[n]; !ofRuntime.MatchString(name) {
				name = notInNames.ReplaceAllString(name, "_")
				names[name] = true
				names[name+"_fm"] = true // of a method, as a value
			}
		}
	}
	return names, nil
}

var (
	ofRuntime = regexp.MustCompile(`^(runtime|internal/runtime)\b`)

	// notInNames is what Go's linker replaces: nameRegexp in cmd/link/internal/wasm/asm.go.
	notInNames = regexp.MustCompile(`[^\w.]`)
)

// fields reads a message in Protocol Buffers. A field has a number, or bytes, which are not nil then.
func fields(message []byte, each func(field, number uint64, bytes []byte)) {
	for r := (&reader{rest: message}); len(r.rest) > 0; {
		switch tag := r.number(); tag & 7 {
		case 0:
			each(tag>>3, r.number(), nil)
		case 2:
			each(tag>>3, 0, r.sized())
		default:
			panic(malformed{fmt.Errorf("it has fields of kind %d, which profiles did not use to have", tag&7)})
		}
	}
}
