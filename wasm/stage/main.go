//go:build js && wasm

// Stage draws the pictures that the page sends it, and decides nothing. It lives in a worker, with a canvas of the page's:
// so neither waits for the other, and when the GPU is lost it is only this that starts again. What it says and hears there,
// and what the engine finds in place of a document, is in web/stage.js.
package main

import "github.com/hajimehoshi/ebiten/v2"

func main() {
	s := newStage()
	s.listen()
	ebiten.SetRunnableOnUnfocused(true)      // the reader is using the controls, outside
	ebiten.SetScreenClearedEveryFrame(false) // what didn't change isn't drawn again
	ebiten.SetTPS(ebiten.SyncWithFPS)
	err := ebiten.RunGameWithOptions(s, &ebiten.RunGameOptions{InitUnfocused: true, ScreenTransparent: true})
	s.failed(err)
	select {} // the page has been told why: it need not hear that the program ended as well
}
