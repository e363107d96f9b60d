//go:build js && wasm

package indexeddb

import "syscall/js"

// listeners are event handlers that are released together. Go keeps a handler until then, whatever becomes of its target.
type listeners []listener

type listener struct {
	target js.Value
	name   string
	js.Func
}

// event sets the handler of one event of target. f must not wait for anything.
func (l *listeners) event(target js.Value, name string, f func(event js.Value)) {
	handler := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	})
	target.Set("on"+name, handler)
	*l = append(*l, listener{target, name, handler})
}

// release takes the handlers off, and lets go of them. One of them may be running.
func (l *listeners) release() {
	for _, h := range *l {
		h.target.Set("on"+h.name, nil)
		h.Release()
	}
	*l = nil
}
