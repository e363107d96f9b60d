//go:build js && wasm

package panel

import (
	"syscall/js"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/keep"
)

// Theme is light or dark: the system's, until the reader asks for the other one.
type Theme struct {
	root   js.Value
	system bool // whether the system's is dark, as it last told: Chromium tells of no change of a query that was asked since
	button *html.Text
}

const themeKey = "stormbin-theme"

// NewTheme binds the button. changed is called whenever it is another.
func NewTheme(changed func()) *Theme {
	system := html.Media("(prefers-color-scheme: dark)")
	t := &Theme{
		root:   html.Root.Value,
		system: html.Matches(system),
		button: html.TextOf("theme"),
	}
	t.name()
	html.On(html.Find("theme"), "click", func(html.Event) {
		next := "dark"
		if t.Dark() {
			next = "light"
		}
		if (next == "dark") == t.system {
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
	html.On(system, "change", func(html.Event) {
		t.system = html.Matches(system)
		t.name()
		changed()
	})
	return t
}

// Dark tells whether it is dark now.
func (t *Theme) Dark() bool {
	if v := t.root.Call("getAttribute", "data-theme"); !v.IsNull() {
		return v.String() == "dark"
	}
	return t.system
}

// name writes on the button what it does.
func (t *Theme) name() {
	if t.Dark() {
		t.button.Set("Light")
	} else {
		t.button.Set("Dark")
	}
}
