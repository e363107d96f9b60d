//go:build js && wasm

// Playground is the page's program.
package main

import (
	"runtime/debug"

	"stormbin/wasm/internal/page"
)

func main() {
	// The live heap is small, so a collection is short, and four times fewer of them are fewer dropped frames.
	debug.SetGCPercent(400)
	page.Start()
	select {}
}
