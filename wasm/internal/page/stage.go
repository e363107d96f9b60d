//go:build js && wasm

package page

import (
	"syscall/js"
	"time"

	"stormbin/wasm/internal/frame"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/still"
	"stormbin/wasm/internal/view"
)

// stage is the iframe that draws, seen from outside, and what is there instead of one that can't.
type stage struct {
	page          *Page
	box           html.Element
	width, height float32 // in CSS pixels
	ready         bool
	simple        *still.Canvas // what is drawn on instead, where the iframe can't draw; nil: nothing
	drew          time.Duration // when it was drawn on
	refused       bool          // it can't draw here, and has said why

	iframe  js.Value // undefined before it is started
	port    js.Value
	idle    []js.Value // ArrayBuffers to fill; the others are on their way
	picture frame.Picture
	bytes   []byte
	frames  int // since the page began
	on      struct{ load, message js.Func }
	array   js.Value // the constructor Uint8Array
}

const (
	// buffers is how many pictures may be under way. Three keep it busy: one is drawn, one waits, one is filled.
	buffers = 3
	// room is how many marks a buffer holds: a pastebin in a storm has about 3,000, and there may be two of them.
	room = 10_000
	// settled is after how many frames the stage is started: its start holds everything up for half a second or more, so
	// the controls come first.
	settled = 6
)

func newStage(p *Page) *stage {
	s := &stage{page: p, box: html.Find("stage"), array: js.Global().Get("Uint8Array")}
	s.bytes = make([]byte, 0, frame.Size(room))
	s.on.load = js.FuncOf(func(js.Value, []js.Value) any { s.connect(); return nil })
	s.on.message = js.FuncOf(func(_ js.Value, args []js.Value) any { s.hear(args[0].Get("data")); return nil })

	size := js.FuncOf(func(_ js.Value, args []js.Value) any {
		box := args[0].Index(0).Get("contentRect")
		s.width, s.height = float32(box.Get("width").Float()), float32(box.Get("height").Float())
		p.Repaint()
		return nil
	})
	js.Global().Get("ResizeObserver").New(size).Call("observe", s.box.Value)
	box := s.box.GetBoundingClientRect()
	s.width, s.height = float32(box.Width()), float32(box.Height())
	return s
}

// check starts the stage once the page has settled and nobody is writing.
func (s *stage) check() {
	if s.iframe.IsUndefined() && !s.refused {
		if s.frames++; s.frames > settled && !typing() {
			s.start()
		}
	}
}

// start puts the iframe in place. It takes no focus, no key and no wheel, and says nothing: it is a picture.
func (s *stage) start() {
	s.iframe = html.Clone("stage-frame").Value
	s.iframe.Call("addEventListener", "load", s.on.load)
	s.box.Call("prepend", s.iframe)
}

// connect hands the loaded stage its end of a channel.
func (s *stage) connect() {
	channel := js.Global().Get("MessageChannel").New()
	s.port = channel.Get("port1")
	s.port.Set("onmessage", s.on.message)
	s.iframe.Get("contentWindow").Call("postMessage", map[string]any{"kind": "port"}, "*", []any{channel.Get("port2")})
	s.idle = s.idle[:0]
	for range buffers {
		s.idle = append(s.idle, js.Global().Get("ArrayBuffer").New(frame.Size(room)))
	}
}

// hear takes in what the stage says: mostly a buffer, sent back to be filled again.
func (s *stage) hear(data js.Value) {
	kind := data.Get("kind")
	if kind.IsUndefined() {
		s.idle = append(s.idle, data)
		return
	}
	switch kind.String() {
	case "ready":
		s.ready = true
		s.page.Repaint()
	case "lost":
		s.stop()
		s.frames = 0
	case "nogl":
		s.stop()
		s.simply("This browser has no WebGL 2, so ")
	case "failed":
		s.stop()
		s.simply("The program that draws has failed: " + data.Get("text").String() + " So ")
	}
}

// simply has the picture drawn by the page itself, if it can, and says so.
func (s *stage) simply(why string) {
	s.refused = true
	if s.simple = still.New(); s.simple == nil {
		s.page.status.Set(why + "the moving picture is missing. Everything else works.")
		return
	}
	s.simple.Element.SetAttribute("aria-hidden", "true")
	s.box.Call("prepend", s.simple.Element.Value)
	s.ready = true
	s.page.status.Set(why + "the picture is drawn in a simpler way, and moves less smoothly. Everything is in it.")
	s.page.Repaint()
}

// seldom is how far apart the pictures are that the page draws itself.
const seldom = 100 * time.Millisecond

// draw draws a picture without the iframe, and tells whether it was time to.
func (s *stage) draw(marks []frame.Mark, dark bool) bool {
	now := s.page.beat.last
	if now-s.drew < seldom || s.width < 1 {
		return false
	}
	s.drew = now
	s.simple.Dark = dark
	s.simple.Resize(s.width, s.height, js.Global().Get("devicePixelRatio").Float())
	s.simple.Marks(marks, view.Point{})
	return true
}

// stop takes the iframe away. Nothing is lost with it: the next one is sent the whole picture.
func (s *stage) stop() {
	s.port.Call("close")
	s.iframe.Call("remove")
	s.iframe, s.port, s.ready, s.idle = js.Undefined(), js.Undefined(), false, s.idle[:0]
}

// show sends a picture, and tells whether it could: with no buffer back from the last ones, the stage is behind, and
// this picture is left out.
func (s *stage) show(marks []frame.Mark, dark bool) bool {
	if s.simple != nil {
		return s.draw(marks, dark)
	}
	if !s.ready || len(s.idle) == 0 || s.width < 1 {
		return false
	}
	buffer := s.idle[len(s.idle)-1]
	s.idle = s.idle[:len(s.idle)-1]
	s.picture.Number++
	s.picture.Dark = dark
	s.picture.Width, s.picture.Height = s.width, s.height
	s.picture.Marks = marks[:min(len(marks), room)]
	s.bytes = frame.Append(s.bytes[:0], &s.picture)
	js.CopyBytesToJS(s.array.New(buffer), s.bytes)
	s.port.Call("postMessage", buffer, []any{buffer})
	return true
}
