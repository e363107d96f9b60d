//go:build js && wasm

package html

import "syscall/js"

// Random reads the browser's unpredictable bytes. It is what crypto/rand reads too, without the half megabyte of ciphers
// that come with that.
type Random struct{}

// Read fills b. It never fails.
func (Random) Read(b []byte) (int, error) {
	const most = 1 << 16 // at once
	for done := 0; done < len(b); {
		n := min(len(b)-done, most)
		array := js.Global().Get("Uint8Array").New(n)
		js.Global().Get("crypto").Call("getRandomValues", array)
		done += js.CopyBytesToGo(b[done:done+n], array)
	}
	return len(b), nil
}
