//go:build js && wasm

package main

import (
	"syscall/js"
	"time"
)

// self is the worker.
var self = js.Global()

// listen takes what the page posts. It runs between frames, never during one: there is one thread, and drawing doesn't give
// way.
func (s *stage) listen() {
	array, buffer := self.Get("Uint8Array"), self.Get("ArrayBuffer")
	s.scale = self.Get("stage").Get("scale").Float()
	self.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		data := args[0].Get("data")
		switch {
		case data.InstanceOf(buffer):
			s.bytes = s.bytes[:js.CopyBytesToGo(s.bytes[:cap(s.bytes)], array.New(data))]
			s.unread = true
			self.Call("postMessage", data, []any{data})
		case !data.Get("scale").IsUndefined():
			s.scale = data.Get("scale").Float()
			self.Get("stage").Call("resize", data.Get("width"), data.Get("height"))
		default: // stats
			self.Call("postMessage", map[string]any{"kind": "drawn", "n": s.drawn, "ms": float64(s.took) / float64(time.Millisecond)})
			s.drawn, s.took = 0, 0
		}
		return nil
	}))
}

func tell(kind string) {
	self.Call("postMessage", map[string]any{"kind": kind})
}

// failed tells the page in words.
func (s *stage) failed(err error) {
	self.Call("postMessage", map[string]any{"kind": "failed", "text": err.Error()})
}
