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
	// Unless a storm has filled it: two million waiting attempts are 200 MB, and five times that is more than a tab has.
	debug.SetMemoryLimit(512 << 20)
	page.Start()
	select {}
}
