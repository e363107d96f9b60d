//go:build js && wasm

package page

import (
	"bytes"
	"syscall/js"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// shape makes an element of SVG in parent.
func shape(parent js.Value, tag, class string) js.Value {
	e := html.Document.Call("createElementNS", "http://www.w3.org/2000/svg", tag)
	e.Call("setAttribute", "class", class)
	parent.Call("append", e)
	return e
}

// path is a path of SVG, written to only where it has changed.
type path struct {
	element js.Value
	now     []byte
}

// layer is a path of a picture, with its class.
type layer struct {
	path  *path
	class string
}

// layered makes paths in parent, the lowest first.
func layered(parent js.Value, all ...layer) {
	for _, l := range all {
		l.path.element = shape(parent, "path", l.class)
	}
}

func (p *path) set(d []byte) {
	if !bytes.Equal(p.now, d) {
		p.now = append(p.now[:0], d...)
		p.element.Call("setAttribute", "d", string(d))
	}
}

// upright is a line from top to bottom of a picture, or where width is not 0 a bar.
type upright struct {
	element  js.Value
	x, width float32
	hidden   bool
}

func (u *upright) move(x, width float32, hidden bool) {
	if hidden != u.hidden {
		u.hidden = hidden
		u.element.Get("classList").Call("toggle", "gone", hidden)
	}
	if x != u.x {
		u.x = x
		u.element.Call("setAttribute", "x", number(float64(x)))
	}
	if width != u.width {
		u.width = width
		u.element.Call("setAttribute", "width", number(float64(width)))
	}
}

func uprightIn(parent js.Value, class string, top, height float32) upright {
	e := shape(parent, "rect", class)
	e.Call("setAttribute", "y", number(float64(top)))
	e.Call("setAttribute", "height", number(float64(height)))
	return upright{element: e}
}

// lettering is words in an SVG, written to only where something has changed.
type lettering struct {
	group js.Value
	all   []letters
	shown int
}

type letters struct {
	element js.Value
	label   view.Label
}

var textAnchors = [...]string{view.Left: "start", view.Middle: "middle", view.Right: "end"}

func letteringIn(parent js.Value, class string) lettering {
	return lettering{group: shape(parent, "g", class)}
}

// write writes labels from the first place on, after start.
func (l *lettering) write(all []view.Label) {
	for len(l.all) < len(all) {
		l.all = append(l.all, letters{element: shape(l.group, "text", ""), label: view.Label{Anchor: 255}})
	}
	for i := range all {
		e, was, now := l.all[i].element, &l.all[i].label, &all[i]
		if now.Text != was.Text {
			e.Set("textContent", now.Text)
		}
		if now.At.X != was.At.X || was.Anchor == 255 {
			e.Call("setAttribute", "x", number(float64(now.At.X)))
		}
		if now.At.Y != was.At.Y || was.Anchor == 255 {
			e.Call("setAttribute", "y", number(float64(now.At.Y)))
		}
		if now.Anchor != was.Anchor {
			e.Call("setAttribute", "text-anchor", textAnchors[now.Anchor])
		}
		*was = *now
	}
	for i := len(all); i < l.shown; i++ {
		l.all[i].element.Set("textContent", "")
		l.all[i].label.Text = ""
	}
	l.shown = len(all)
}

// measured has f called with the width of e in pixels, now and whenever it changes.
func measured(e html.Element, f func(width float32)) {
	js.Global().Get("ResizeObserver").New(js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(float32(args[0].Index(0).Get("contentRect").Get("width").Float()))
		return nil
	})).Call("observe", e.Value)
}

// watched keeps in seen whether any of e is on the screen, and calls changed when it isn't what it was.
func watched(e html.Element, seen *bool, changed func()) {
	js.Global().Get("IntersectionObserver").New(js.FuncOf(func(_ js.Value, args []js.Value) any {
		last := args[0].Index(args[0].Length() - 1)
		*seen = last.Get("isIntersecting").Bool()
		changed()
		return nil
	})).Call("observe", e.Value)
}
