//go:build js && wasm

package still

import (
	"errors"
	"strconv"
	"strings"
	"syscall/js"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

var errNoPicture = errors.New("this browser made no picture of it")

// Part draws a part of the page whose corner stands at at, as it is seen: grounds and borders of its elements, drawings, and
// words, each where the browser has put it. It waits, like html.Await.
func (c *Canvas) Part(e html.Element, at view.Point) error {
	box := e.GetBoundingClientRect()
	left, top := box.Left()-float64(at.X), box.Top()-float64(at.Y)
	return c.part(e.Value, left, top)
}

// part draws an element and what is in it; left and top are taken off what the browser says.
func (c *Canvas) part(e js.Value, left, top float64) error {
	style := js.Global().Call("getComputedStyle", e)
	if style.Get("visibility").String() == "hidden" || style.Get("display").String() == "none" || style.Get("opacity").String() == "0" {
		return nil
	}
	tag := e.Get("tagName").String()
	if tag == "SUMMARY" { // of something that opens, which a picture does not
		return nil
	}
	box := e.Call("getBoundingClientRect")
	x, y, w, h := box.Get("left").Float()-left, box.Get("top").Float()-top, box.Get("width").Float(), box.Get("height").Float()
	if tag == "svg" {
		return c.drawing(e, x, y, w, h)
	}
	if style.Get("display").String() != "contents" && (w < 2 || h < 2) { // for screen readers
		return nil
	}
	c.color = js.Undefined()
	c.ctx.Set("globalAlpha", 1)
	c.ctx.Set("fillStyle", style.Get("backgroundColor"))
	c.ctx.Call("fillRect", x, y, w, h)
	for _, side := range [...]struct {
		name       string
		x, y, w, h float64
	}{{"Top", x, y, w, 1}, {"Bottom", x, y + h - 1, w, 1}, {"Left", x, y, 1, h}, {"Right", x + w - 1, y, 1, h}} {
		if style.Get("border"+side.name+"Width").String() != "0px" {
			c.ctx.Set("fillStyle", style.Get("border"+side.name+"Color"))
			c.ctx.Call("fillRect", side.x, side.y, side.w, side.h)
		}
	}
	all := e.Get("childNodes")
	for i := range all.Length() {
		switch child := all.Index(i); child.Get("nodeType").Int() {
		case 1:
			if err := c.part(child, left, top); err != nil {
				return err
			}
		case 3:
			c.words(child, style, left, top)
		}
	}
	return nil
}

// words writes a text, each word where it stands.
func (c *Canvas) words(node, style js.Value, left, top float64) {
	text := node.Get("data").String()
	if strings.TrimSpace(text) == "" {
		return
	}
	c.ctx.Set("font", style.Get("fontWeight").String()+" "+style.Get("fontSize").String()+" "+style.Get("fontFamily").String())
	c.ctx.Set("fillStyle", style.Get("color"))
	c.ctx.Set("textAlign", "left")
	c.ctx.Set("textBaseline", "middle")
	at := html.Document.Call("createRange")
	units := js.Global().Get("Object").Invoke(text) // JavaScript counts otherwise where there are letters of two units
	spaces := " \n\t"
	for from, n := 0, units.Get("length").Int(); from < n; {
		if strings.Contains(spaces, units.Call("charAt", from).String()) {
			from++
			continue
		}
		to := from + 1
		for to < n && !strings.Contains(spaces, units.Call("charAt", to).String()) {
			to++
		}
		at.Call("setStart", node, from)
		at.Call("setEnd", node, to)
		box := at.Call("getBoundingClientRect")
		c.ctx.Call("fillText", units.Call("slice", from, to), box.Get("left").Float()-left, box.Get("top").Float()-top+box.Get("height").Float()/2)
		from = to
	}
}

// drawn is what of a drawing's style makes it look as it does.
var drawn = [...]string{"fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap",
	"stroke-linejoin", "opacity", "display", "visibility", "overflow", "font-family", "font-size", "font-weight", "font-variant-numeric", "text-anchor",
	"dominant-baseline", "paint-order", "color", "vector-effect", "marker-end", "clip-path", "mix-blend-mode"}

// over is how far a drawing may reach over its borders.
const over = 24

// drawing draws an SVG as an image, which knows nothing of the page's styles: so each element takes its own along.
func (c *Canvas) drawing(svg js.Value, x, y, w, h float64) error {
	if w <= 0 || h <= 0 {
		return nil
	}
	clone := svg.Call("cloneNode", true)
	from, to := svg.Call("querySelectorAll", "*"), clone.Call("querySelectorAll", "*")
	inline(svg, clone)
	for i := range from.Length() {
		inline(from.Index(i), to.Index(i))
	}
	size := func(e js.Value, names [2]string, x, y float64) {
		e.Call("setAttribute", names[0], strconv.FormatFloat(x, 'f', -1, 64))
		e.Call("setAttribute", names[1], strconv.FormatFloat(y, 'f', -1, 64))
	}
	// It may be turned: then its box says where its middle is, and the rest is as if it was not.
	turn := js.Global().Call("getComputedStyle", svg).Get("transform").String()
	if turn != "none" {
		x, y = x+w/2, y+h/2
		w, h = svg.Get("clientWidth").Float(), svg.Get("clientHeight").Float()
		c.ctx.Call("save")
		defer c.ctx.Call("restore")
		m := js.Global().Get("DOMMatrix").New(turn)
		c.ctx.Call("transform", m.Get("a"), m.Get("b"), m.Get("c"), m.Get("d"), x, y)
		x, y = -w/2, -h/2
	}
	around := html.Document.Call("createElementNS", "http://www.w3.org/2000/svg", "svg")
	size(around, [2]string{"width", "height"}, w+2*over, h+2*over)
	size(clone, [2]string{"width", "height"}, w, h)
	size(clone, [2]string{"x", "y"}, over, over)
	around.Call("append", clone)
	text := js.Global().Get("XMLSerializer").New().Call("serializeToString", around)
	image := js.Global().Get("Image").New()
	image.Set("src", "data:image/svg+xml,"+js.Global().Call("encodeURIComponent", text).String())
	if _, err := html.Await(image.Call("decode")); err != nil {
		return err
	}
	c.ctx.Set("globalAlpha", 1)
	c.ctx.Call("drawImage", image, x-over, y-over, w+2*over, h+2*over)
	return nil
}

func inline(from, to js.Value) {
	style := js.Global().Call("getComputedStyle", from)
	set := to.Get("style")
	for _, name := range drawn {
		set.Call("setProperty", name, style.Call("getPropertyValue", name))
	}
}
