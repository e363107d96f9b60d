//go:build js && wasm

// Package keep remembers small things for the reader in this browser: a theme, a draft. Where that is refused (a
// sandboxed frame, blocked cookies) it forgets them with the page, and nothing else changes.
package keep

import "syscall/js"

// Get is what was put under key; "" if nothing was.
func Get(key string) string {
	v := try("getItem", key)
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}

// Put keeps value under key.
func Put(key, value string) { try("setItem", key, value) }

// Forget forgets what is kept under key.
func Forget(key string) { try("removeItem", key) }

// try calls a method of localStorage. Each call can throw, and so can asking for the object; Go survives only what is
// thrown in a call, so that is what asking is made.
func try(method string, args ...any) (v js.Value) {
	defer func() {
		if recover() != nil {
			v = js.Null()
		}
	}()
	return js.Global().Get("Reflect").Call("get", js.Global(), "localStorage").Call(method, args...)
}
