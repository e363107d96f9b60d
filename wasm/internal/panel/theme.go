//go:build js && wasm

package panel

import (
	"syscall/js"

	"honnef.co/go/js/dom/v2"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/keep"
)

// Theme is light or dark: the system's, until the reader asks for the other one.
type Theme struct {
	root   js.Value
	system *dom.BasicNode
	button *html.Text
}

const themeKey = "stormbin-theme"

// NewTheme binds the button. changed is called whenever it is another.
func NewTheme(changed func()) *Theme {
	t := &Theme{
		root:   html.Root.Value,
		system: html.Media("(prefers-color-scheme: dark)"),
		button: html.TextOf("theme"),
	}
	t.name()
	html.On(html.Find("theme"), "click", func(html.Event) {
		next := "dark"
		if t.Dark() {
			next = "light"
		}
		if (next == "dark") == html.Matches(t.system) {
			// Back to what the system says, and from now on whatever it says.
			t.root.Call("removeAttribute", "data-theme")
			keep.Browser.Forget(themeKey)
		} else {
			t.root.Call("setAttribute", "data-theme", next)
			keep.Browser.Put(themeKey, next)
		}
		t.name()
		changed()
	})
	html.On(t.system, "change", func(html.Event) { t.name(); changed() })
	return t
}

// Dark tells whether it is dark now.
func (t *Theme) Dark() bool {
	if v := t.root.Call("getAttribute", "data-theme"); !v.IsNull() {
		return v.String() == "dark"
	}
	return html.Matches(t.system)
}

// name writes on the button what it does.
func (t *Theme) name() {
	if t.Dark() {
		t.button.Set("Light")
	} else {
		t.button.Set("Dark")
	}
}
