//go:build js && wasm

package html

import (
	"syscall/js"
	"time"
)

// turn lets the browser do what waits: draw, and hear the reader. It waits, like Await.
func turn() {
	Await(js.Global().Call("turn"))
	turned = time.Now()
}

// Bring runs what brings a page to life, in which Breathe gives the browser its turns. What a reader does meanwhile is heard when
// it is through: before that an event would find half a page. It waits, like Await.
func Bring(start func()) {
	bringing = true
	turn()
	start()
	bringing = false
	for _, heard := range waiting {
		heard()
	}
	waiting = nil
}

// Breathe is a turn of the browser’s, if the last is a breath ago and the page is still brought to life: that takes long the
// first time, on a slow machine a second, and whoever reads and scrolls shall not be held up. Afterwards it does nothing,
// since an event's handler can't wait.
func Breathe() {
	if bringing && time.Since(turned) >= breath {
		turn()
	}
}

// breath is how long a part of a start goes on before the browser has its turn: what is begun then takes a few more, and a slow
// phone is four times slower than a desk's machine, while from 50 ms on a reader feels held up.
const breath = 2 * time.Millisecond

var (
	bringing bool
	turned   time.Time
	waiting  []func() // what readers did meanwhile, in its order
)
