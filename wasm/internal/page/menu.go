//go:build js && wasm

package page

import "stormbin/wasm/internal/html"

// menu has a menu of the top line closed by who presses Escape in it, or goes on beside it, with the pointer or the focus.
func menu(e html.Element) {
	html.On(e, "keydown", func(key html.Event) {
		if key.Key() == "Escape" && e.Get("open").Bool() {
			key.PreventDefault()
			e.Set("open", false)
			html.Focus(html.In(e, "summary"))
		}
	})
	html.On(e, "focusout", func(leaves html.Event) {
		if to := leaves.Get("relatedTarget"); !to.IsNull() && !e.Call("contains", to).Bool() {
			e.Set("open", false)
		}
	})
	html.On(html.Document, "pointerdown", func(at html.Event) {
		if !e.Call("contains", at.Get("target")).Bool() {
			e.Set("open", false)
		}
	})
}
