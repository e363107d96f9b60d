//go:build js && wasm

package main

import (
	"syscall/js"
	"time"
)

// page is the script in stage.html, which speaks with the page outside.
var page = js.Global().Get("stage")

// listen has the script hand over the pictures as they come. It runs between frames, never during one: there is one
// thread, and drawing doesn't give way.
func (s *stage) listen() {
	page.Set("draw", js.FuncOf(func(_ js.Value, args []js.Value) any {
		s.bytes = s.bytes[:js.CopyBytesToGo(s.bytes[:cap(s.bytes)], args[0])]
		s.unread = true
		return nil
	}))
	page.Set("stats", js.FuncOf(func(js.Value, []js.Value) any {
		drawn := map[string]any{"kind": "drawn", "n": s.drawn, "ms": float64(s.took) / float64(time.Millisecond)}
		s.drawn, s.took = 0, 0
		return drawn
	}))
}

func tell(kind string) {
	page.Call("tell", map[string]any{"kind": kind})
}

// failed tells the page in words.
func (s *stage) failed(err error) {
	page.Call("tell", map[string]any{"kind": "failed", "text": err.Error()})
}
