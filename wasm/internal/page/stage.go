//go:build js && wasm

package page

import (
	"math"
	"syscall/js"
	"time"

	"stormbin/wasm/internal/frame"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/still"
	"stormbin/wasm/internal/view"
)

// stage is the canvas that a program in a worker draws on, seen from the page, and what is there until that does, or instead
// of it.
type stage struct {
	page          *Page
	box           html.Element
	width, height float32       // in CSS pixels
	scale         float64       // device pixels in one of them
	seen          bool          // it is on the screen
	ready         bool          // it can be shown something
	simple        *still.Canvas // what is drawn on meanwhile, or for good; nil: nothing
	drew          time.Duration // when it was drawn on
	refused       bool          // no worker can draw here, and that has been said

	canvas  html.Element // nil before it is started
	turn    int          // counts starts, so that what comes late from one that was ended is known
	worker  js.Value     // undefined before it has said something
	told    [3]float64   // the width, height and scale that it knows
	idle    []js.Value   // ArrayBuffers to fill; the others are on their way
	picture frame.Picture
	bytes   []byte
	message js.Func
	array   js.Value // the constructor Uint8Array
}

const (
	// buffers is how many pictures may be under way. Three keep it busy: one is drawn, one waits, one is filled.
	buffers = 3
	// room is how many marks a buffer holds: a pastebin in a storm has about 3,000, and there may be two of them.
	room = 10_000
)

func newStage(p *Page) *stage {
	s := &stage{page: p, box: html.Find("stage"), array: js.Global().Get("Uint8Array")}
	s.bytes = make([]byte, 0, frame.Size(room))
	s.message = js.FuncOf(func(_ js.Value, args []js.Value) any { s.hear(args[0].Get("data")); return nil })

	size := js.FuncOf(func(_ js.Value, args []js.Value) any {
		box := args[0].Index(0).Get("contentRect")
		s.width, s.height = float32(box.Get("width").Float()), float32(box.Get("height").Float())
		p.Repaint()
		return nil
	})
	js.Global().Get("ResizeObserver").New(size).Call("observe", s.box.Value)
	watched(s.box, &s.seen, p.Repaint)
	box := s.box.GetBoundingClientRect()
	s.width, s.height = float32(box.Width()), float32(box.Height())
	return s
}

// check starts the stage once there is something to be seen, and lets it know its size.
func (s *stage) check() {
	s.scale = js.Global().Get("devicePixelRatio").Float()
	switch now := s.size(); {
	case s.refused || s.width < 1:
	case s.canvas == nil:
		s.start()
	case s.ready && now != s.told:
		s.told = now
		s.worker.Call("postMessage", map[string]any{"width": now[0], "height": now[1], "scale": now[2]})
	}
}

// size is the picture's in device pixels, and how many of them are in one of CSS's.
func (s *stage) size() [3]float64 {
	return [3]float64{math.Floor(float64(s.width) * s.scale), math.Floor(float64(s.height) * s.scale), s.scale}
}

// start puts a canvas in place, and has the program draw on it. It takes no focus, and says nothing: it is a picture.
func (s *stage) start() {
	s.canvas = html.Make("canvas", "", "")
	s.canvas.SetAttribute("aria-hidden", "true")
	if s.canvas.Get("transferControlToOffscreen").IsUndefined() {
		s.without()
		return
	}
	s.sketch()
	s.told = s.size()
	s.canvas.Set("width", s.told[0])
	s.canvas.Set("height", s.told[1])
	s.box.Call("prepend", s.canvas.Value)
	s.turn++
	turn := s.turn
	started := js.Global().Call("startStage", s.canvas.Value, s.scale)
	go func() {
		worker, err := html.Await(started)
		switch {
		case err == nil && turn != s.turn:
			worker.Call("terminate")
		case err == nil:
			s.worker = worker
			worker.Set("onmessage", s.message)
			s.hear(worker.Get("first"))
		case turn == s.turn:
			s.fail(err.Error())
		}
	}()
}

// hear takes in what the stage says: mostly a buffer, sent back to be filled again.
func (s *stage) hear(data js.Value) {
	if why := data.Get("stopped"); !why.IsUndefined() {
		s.fail(why.String())
		return
	}
	kind := data.Get("kind")
	if kind.IsUndefined() {
		s.idle = append(s.idle, data)
		return
	}
	switch kind.String() {
	case "ready":
		s.ready = true
		for range buffers {
			s.idle = append(s.idle, js.Global().Get("ArrayBuffer").New(frame.Size(room)))
		}
		s.page.Repaint()
	case "shows":
		if s.simple != nil {
			s.simple.Element.Remove()
			s.simple = nil
		}
	case "lost":
		s.stop()
	case "nogl":
		s.without()
	case "failed":
		s.fail(data.Get("text").String())
	}
}

// fail says why there is no program that draws.
func (s *stage) fail(why string) { s.simply("The program that draws has failed: " + why + " So ") }

// without says that there is nothing that it could draw on.
func (s *stage) without() { s.simply("This browser has no WebGL 2, so ") }

// simply has the page itself draw the picture for good, if it can, and says so.
func (s *stage) simply(why string) {
	s.refused = true
	s.stop()
	if s.sketch(); s.simple == nil {
		s.page.status.Set(why + "the moving picture is missing. Everything else works.")
		return
	}
	s.page.status.Set(why + "the picture is drawn in a simpler way, and moves less smoothly. Everything is in it.")
	s.page.Repaint()
}

// sketch gives the page something to draw on, if it can.
func (s *stage) sketch() {
	if s.simple != nil {
		return
	}
	if s.simple = still.New(); s.simple != nil {
		s.simple.Element.SetAttribute("aria-hidden", "true")
		s.box.Call("prepend", s.simple.Element.Value)
	}
}

// seldom is how far apart the pictures are that the page draws itself.
const seldom = 100 * time.Millisecond

// draw draws a picture here, and tells whether it was time to.
func (s *stage) draw(marks []frame.Mark, dark bool) bool {
	now := s.page.beat.last
	if now-s.drew < seldom || s.width < 1 {
		return false
	}
	s.drew = now
	s.simple.Dark = dark
	s.simple.Resize(s.width, s.height, s.scale)
	s.simple.Marks(marks, view.Point{})
	return true
}

// stop ends the program and takes its canvas away. Nothing is lost with it: the next one is sent the whole picture.
func (s *stage) stop() {
	s.turn++
	if !s.worker.IsUndefined() {
		s.worker.Call("terminate")
	}
	if s.canvas != nil {
		s.canvas.Remove()
	}
	s.canvas, s.worker, s.ready, s.idle = nil, js.Undefined(), false, s.idle[:0]
}

// draws tells whether a picture can be shown, if not at this moment.
func (s *stage) draws() bool { return s.ready || s.simple != nil }

// show shows a picture, and tells whether it could: with no buffer back from the last ones, the stage is behind, and
// this picture is left out.
func (s *stage) show(marks []frame.Mark, dark bool) bool {
	if !s.ready && s.simple != nil {
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
	s.worker.Call("postMessage", buffer, []any{buffer})
	return true
}
