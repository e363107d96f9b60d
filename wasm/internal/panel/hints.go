//go:build js && wasm

package panel

import (
	"strconv"

	"stormbin/wasm/internal/html"
)

// tabsHeight is how much of the window the tabs take, where there are any.
const tabsHeight = 44

// Hints keeps the lines that say what a control costs, in the elements of those ids, clear of the controls around it. Beside
// the picture CSS puts them to the left of the panels, upwards from the middle of the window on. Where there is no such
// place they are at an end of the window, under the tabs or above the keyboard of a phone: at the upper one, unless the
// control is near that, since the row below the control is to be seen as well.
func Hints(sides ...string) {
	root := html.Root
	// Escape takes a hint away until the next move.
	html.On(html.Document, "keydown", func(e html.Event) {
		root.Class().Remove("no-hints")
		if e.Key() == "Escape" {
			root.Class().Add("no-hints")
		}
	})
	html.On(html.Document, "pointerdown", func(html.Event) { root.Class().Remove("no-hints") })

	seen := html.Window.Get("visualViewport")
	far := func(e html.Event) {
		tip := html.Closest(html.Wrap(e.Get("target")), ".tip")
		if tip == nil || seen.IsUndefined() {
			return
		}
		box := tip.Call("getBoundingClientRect")
		top, height := seen.Get("offsetTop").Float(), seen.Get("height").Float()
		class := root.Class()
		if middle := (box.Get("top").Float() + box.Get("bottom").Float()) / 2; middle > top+height*2/5+tabsHeight/2 {
			class.Add("hints-high")
		} else {
			class.Remove("hints-high")
		}
		below := html.Window.Get("innerHeight").Float() - top - height
		root.Get("style").Call("setProperty", "--keyboard", strconv.Itoa(int(below))+"px")
	}
	for _, side := range sides {
		html.On(html.Find(side), "focusin", far)
		html.On(html.Find(side), "pointerover", far)
	}
}
