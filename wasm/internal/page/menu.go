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
	beside := func(at html.Event) {
		if !e.Call("contains", at.Get("target")).Bool() {
			e.Set("open", false)
		}
	}
	html.On(html.Document, "focusin", beside) // that the focus leaves a frame in the menu is said nowhere
	html.On(html.Document, "pointerdown", beside)
}
