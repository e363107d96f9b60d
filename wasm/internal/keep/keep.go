//go:build js && wasm

// Package keep remembers small things for the reader: a theme, a draft. Where that is refused (a sandboxed frame,
// blocked cookies) it forgets them with the page, and nothing else changes.
package keep

import (
	"slices"
	"strings"
	"syscall/js"
)

// Name is what this site's database, channel and lock are called, for they are all of an origin's. A page that was opened
// as a file has its path in it: some browsers take all files for one origin, and each copy of the page has its own pastes.
func Name() string {
	location := js.Global().Get("location")
	if location.Get("protocol").String() != "file:" {
		return "stormbin"
	}
	return "stormbin " + location.Get("pathname").String()
}

// Store is where things are kept, by its name in JavaScript.
type Store string

const (
	Browser Store = "localStorage"   // all tabs have it in common
	Tab     Store = "sessionStorage" // this one's own: it outlives a reload, and not the tab
)

// Get is what was put under key; "" if nothing was.
func (s Store) Get(key string) string {
	v := s.Value(key)
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}

// Value is the same as a string of JavaScript's, null if nothing was: nothing is copied, and half a character in it stays
// half a one.
func (s Store) Value(key string) js.Value { return s.try("getItem", key) }

// Put keeps value under key, a string of Go's or of JavaScript's, and tells whether it could. If not, what was there stays.
func (s Store) Put(key string, value any) bool { return !s.try("setItem", key, value).IsNull() }

// Forget forgets what is kept under key.
func (s Store) Forget(key string) { s.try("removeItem", key) }

// Keys is the keys under which something is kept, sorted, of those that begin so.
func (s Store) Keys(prefix string) (keys []string) {
	defer func() {
		if recover() != nil {
			keys = nil
		}
	}()
	reflect := js.Global().Get("Reflect")
	all := reflect.Call("ownKeys", reflect.Call("get", js.Global(), string(s)))
	for i := range all.Length() {
		if key := all.Index(i).String(); strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// try calls a method of the storage. Each call can throw, and so can asking for the object; Go survives only what is
// thrown in a call, so that is what asking is made.
func (s Store) try(method string, args ...any) (v js.Value) {
	defer func() {
		if recover() != nil {
			v = js.Null()
		}
	}()
	return js.Global().Get("Reflect").Call("get", js.Global(), string(s)).Call(method, args...)
}
