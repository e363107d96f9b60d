//go:build js && wasm

package desk

import (
	"syscall/js"
	"time"
)

// nextTurn lets the browser do what else it has to do. It waits, so it is for goroutines only.
func nextTurn() { time.Sleep(time.Millisecond) }

// pace lets the page draw in the middle of long work that waits for the storage over and over: a browser prefers the
// storage's many answers to its frames. The zero value is ready.
type pace struct{ drawn time.Time }

// stride is how much work goes between two frames.
const stride = 24 * time.Millisecond

// rest waits for the next frame, if it is time. A tab that nobody sees has no frames, and goes on after a while.
func (p *pace) rest() {
	if time.Since(p.drawn) < stride {
		return
	}
	frame := make(chan struct{}, 2)
	next := js.FuncOf(func(js.Value, []js.Value) any { frame <- struct{}{}; return nil })
	id := js.Global().Call("requestAnimationFrame", next)
	select {
	case <-frame:
	case <-time.After(100 * time.Millisecond):
		js.Global().Call("cancelAnimationFrame", id)
	}
	next.Release()
	p.drawn = time.Now()
}
