//go:build js && wasm

package html

import (
	"errors"
	"syscall/js"
)

// Await waits for a promise, so it must not be called in an event handler but in a goroutine of its own. Its error is the
// sentence for the reader that the loader's errors have, or else what JavaScript says.
func Await(promise js.Value) (js.Value, error) {
	type result struct {
		v   js.Value
		err error
	}
	done := make(chan result, 1)
	good := js.FuncOf(func(_ js.Value, args []js.Value) any { done <- result{v: args[0]}; return nil })
	bad := js.FuncOf(func(_ js.Value, args []js.Value) any {
		why := js.Global().Call("String", args[0])
		if args[0].Type() == js.TypeObject {
			if sentence := args[0].Get("reader"); sentence.Type() == js.TypeString {
				why = sentence
			}
		}
		done <- result{err: errors.New(why.String())}
		return nil
	})
	defer good.Release()
	defer bad.Release()
	promise.Call("then", good, bad)
	r := <-done
	return r.v, r.err
}

// ReadFile is the bytes of a File, every one. It waits, like Await.
func ReadFile(file js.Value) ([]byte, error) {
	buffer, err := Await(file.Call("arrayBuffer"))
	if err != nil {
		return nil, err
	}
	array := js.Global().Get("Uint8Array").New(buffer)
	b := make([]byte, array.Length())
	js.CopyBytesToGo(b, array)
	return b, nil
}

// ObjectURL is an address, in this page only, under which b can be downloaded byte for byte.
func ObjectURL(b []byte) string { return TypedURL(b, "application/octet-stream") }

// TypedURL is an ObjectURL of that media type.
func TypedURL(b []byte, mediaType string) string {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	blob := js.Global().Get("Blob").New([]any{array}, map[string]any{"type": mediaType})
	return js.Global().Get("URL").Call("createObjectURL", blob).String()
}

// RevokeURL frees what an ObjectURL holds.
func RevokeURL(url string) { js.Global().Get("URL").Call("revokeObjectURL", url) }

// String is b as JavaScript's string, a byte order mark in front included: on its way a string loses its first.
func String(b []byte) js.Value {
	s := string(b)
	if len(b) >= 3 && s[:3] == "\uFEFF" {
		s = "\uFEFF" + s
	}
	return js.ValueOf(s)
}

// Copy puts text on the clipboard, and tells whether it could. It waits, like Await.
func Copy(text js.Value) (copied bool) {
	defer func() {
		if recover() != nil { // a browser may throw at once
			copied = false
		}
	}()
	clipboard := js.Global().Get("navigator").Get("clipboard")
	if clipboard.IsUndefined() {
		return false
	}
	_, err := Await(clipboard.Call("writeText", text))
	return err == nil
}

// After calls f once in so many milliseconds.
func After(ms int, f func()) {
	var once js.Func
	once = js.FuncOf(func(js.Value, []js.Value) any { once.Release(); f(); return nil })
	js.Global().Call("setTimeout", once, ms)
}
