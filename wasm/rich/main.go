//go:build js && wasm

// Rich colours texts and makes HTML of Markdown, in a worker. It is a program of its own since it is large and not
// always needed; wasm/internal/rich is what the page knows of it.
//
// It posts {ready: true} when it can begin. Each message to it is one request, {do, text, language}, where do is
// "highlight" or "markdown" and text is bytes. Each is answered by one message: {tokens}, which are bytes, or {html}, or
// {error}, which is words.
package main

import (
	"runtime/debug"
	"syscall/js"

	"stormbin/wasm/internal/rich"
	"stormbin/wasm/rich/highlight"
	"stormbin/wasm/rich/markdown"
)

func main() {
	debug.SetGCPercent(400) // it holds little, and makes much garbage
	self := js.Global()
	self.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		self.Call("postMessage", answer(args[0].Get("data")))
		return nil
	}))
	self.Call("postMessage", map[string]any{"ready": true})
	select {}
}

func answer(request js.Value) map[string]any {
	text := make([]byte, request.Get("text").Length())
	js.CopyBytesToGo(text, request.Get("text"))
	switch do := request.Get("do").String(); do {
	case "highlight":
		tokens := rich.Append(nil, highlight.Text(string(text), request.Get("language").String()))
		array := js.Global().Get("Uint8Array").New(len(tokens))
		js.CopyBytesToJS(array, tokens)
		return map[string]any{"tokens": array}
	case "markdown":
		html, err := markdown.HTML(string(text))
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return map[string]any{"html": html}
	default:
		return map[string]any{"error": "there is no request " + do}
	}
}
