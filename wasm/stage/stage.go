//go:build js && wasm

package main

import (
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"stormbin/wasm/internal/frame"
	"stormbin/wasm/stage/atlas"
)

// stage is the game, in the engine's word for it.
type stage struct {
	bytes   []byte // the newest picture as it came
	unread  bool   // bytes has not been decoded yet
	picture frame.Picture
	stale   bool // picture, or the screen's size, is not the one on the screen

	width, height float64 // of the screen, in device pixels
	scale         float64 // device pixels in a CSS pixel

	atlas *ebiten.Image
	mesh  mesh
	ready bool // it has told that it is
	shows bool // and that the first picture is on the screen: the GPU may take a second for it

	drawn int           // pictures since the page last asked
	took  time.Duration // for all of them
}

func newStage() *stage {
	img := atlas.Render()
	s := &stage{
		atlas: ebiten.NewImage(img.Bounds().Dx(), img.Bounds().Dy()),
		// The largest picture: a transferred buffer may be longer than what it holds, but the rest need not be read.
		bytes: make([]byte, frame.Size(frame.MaxMarks)),
	}
	s.atlas.WritePixels(img.Pix)
	return s
}

// LayoutF makes a pixel of the screen one of the device's.
func (s *stage) LayoutF(width, height float64) (float64, float64) {
	w, h := max(width, 1), max(height, 1)
	if w != s.width || h != s.height {
		s.width, s.height, s.stale = w, h, true
	}
	return w, h
}

// Layout is never called: the engine prefers LayoutF.
func (s *stage) Layout(width, height int) (int, int) { return width, height }

func (s *stage) Update() error { return nil }

// Draw draws the newest picture, unless it is on the screen already.
func (s *stage) Draw(screen *ebiten.Image) {
	if !s.ready {
		s.ready = true
		tell("ready")
	}
	if !s.shows && len(s.picture.Marks) > 0 && self.Get("stage").Call("done").Bool() {
		s.shows = true
		tell("shows")
	}
	if !s.unread && !s.stale {
		return
	}
	start := time.Now()
	if s.unread {
		s.unread = false
		if err := frame.Decode(s.bytes, &s.picture); err != nil {
			s.failed(err)
			s.picture.Marks = s.picture.Marks[:0]
		}
	}
	s.stale = false
	screen.Clear()
	if len(s.picture.Marks) > 0 {
		s.mesh.build(&s.picture, float32(s.width), float32(s.height), float32(s.scale))
		s.mesh.draw(screen, s.atlas)
	}
	s.drawn++
	s.took += time.Since(start)
}
