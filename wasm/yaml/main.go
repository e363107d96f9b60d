//go:build js && wasm

// Yaml writes YAML as JSON, in a worker: what is written to be slow can keep its parser busy for a minute, and a worker can be
// ended. It is a program of its own since few need it.
//
// It posts {ready: true} when it can begin. Each message to it is a text. Each is answered by one message: {json}, or {error},
// which is words.
package main

import (
	"runtime/debug"
	"syscall/js"

	"stormbin/wasm/internal/yaml"
)

func main() {
	debug.SetMemoryLimit(512 << 20)
	self := js.Global()
	self.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		written, err := yaml.JSON(args[0].Get("data").String())
		if err != nil {
			self.Call("postMessage", map[string]any{"error": err.Error()})
		} else {
			self.Call("postMessage", map[string]any{"json": written})
		}
		return nil
	}))
	self.Call("postMessage", map[string]any{"ready": true})
	select {}
}
