//go:build js && wasm

package desk

import (
	"strings"
	"syscall/js"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/keep"
)

// tabs tells the site's other tabs what has changed: ids alone, and they read it anew. Where the browser has no channel
// for that, a tab looks again when it comes to the front.
type tabs struct{ channel js.Value }

func newTabs(d *Desk) *tabs {
	t := &tabs{}
	func() {
		defer func() { _ = recover() }() // a frame may be refused it
		t.channel = js.Global().Get("BroadcastChannel").New(keep.Name())
	}()
	if t.channel.Truthy() {
		html.On(html.Wrap(t.channel), "message", func(e html.Event) {
			if ids := e.Get("data"); ids.Type() == js.TypeString {
				d.list.refresh()
				d.reader.elsewhere(strings.Fields(ids.String())...)
			}
		})
	} else {
		html.On(html.Document, "visibilitychange", func(html.Event) { d.list.refresh() })
	}
	// A page that was put aside, and came back by the Back button, has heard nothing meanwhile.
	html.On(html.Window, "pageshow", func(e html.Event) {
		if e.Get("persisted").Bool() {
			d.list.refresh()
		}
	})
	return t
}

// tell tells the other tabs that these pastes have changed. No ids are many.
func (t *tabs) tell(ids []string) {
	if t.channel.Truthy() {
		t.channel.Call("postMessage", strings.Join(ids, " "))
	}
}
