//go:build js && wasm

package still

import (
	"math"
	"strconv"
	"strings"
	"syscall/js"

	"stormbin/wasm/internal/frame"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// Canvas is a picture to be drawn on, in CSS pixels.
type Canvas struct {
	Element html.Element
	Dark    bool

	ctx   js.Value
	scale float64       // device pixels in a CSS pixel
	at    view.Point    // where a picture's corner stands
	color js.Value      // the one that is set, as both
	paths []js.Value    // Path2D of each shape
	names [2][]js.Value // of the colours, light and dark
}

// New is a canvas, nil if the browser has none to draw on.
func New() *Canvas {
	c := &Canvas{Element: html.Make("canvas", "", "")}
	if c.ctx = c.Element.Call("getContext", "2d"); c.ctx.IsNull() || c.ctx.IsUndefined() {
		return nil
	}
	path := js.Global().Get("Path2D")
	for _, o := range outlines {
		c.paths = append(c.paths, path.New(o.path))
	}
	for i := range c.names {
		for color := range frame.Colors {
			c.names[i] = append(c.names[i], js.ValueOf(hex(color, i == 1)))
		}
	}
	return c
}

func hex(c frame.Color, dark bool) string {
	v := c.RGB(dark)
	s := strconv.FormatUint(1<<24|uint64(v.R)<<16|uint64(v.G)<<8|uint64(v.B), 16)
	return "#" + s[1:]
}

// Resize clears the canvas, and makes it w × h at so many device pixels in a pixel.
func (c *Canvas) Resize(w, h float32, scale float64) {
	c.scale = scale
	c.Element.Set("width", math.Round(float64(w)*scale))
	c.Element.Set("height", math.Round(float64(h)*scale))
	c.color = js.Undefined() // it forgets
	c.to(view.Point{})
}

// to has what follows drawn from that point on.
func (c *Canvas) to(at view.Point) {
	c.at = at
	s := c.scale
	c.ctx.Call("setTransform", s, 0, 0, s, float64(at.X)*s, float64(at.Y)*s)
}

func (c *Canvas) ink(color frame.Color, alpha uint8) {
	i := 0
	if c.Dark {
		i = 1
	}
	name := c.names[i][color]
	if !name.Equal(c.color) {
		c.color = name
		c.ctx.Set("fillStyle", name)
		c.ctx.Set("strokeStyle", name)
	}
	c.ctx.Set("globalAlpha", float64(alpha)/255)
}

// Fill fills a rectangle.
func (c *Canvas) Fill(b view.Box, color frame.Color) {
	c.ink(color, 255)
	c.ctx.Call("fillRect", b.X, b.Y, b.W, b.H)
}

// Marks draws a picture whose corner stands at at, as the stage does.
func (c *Canvas) Marks(marks []frame.Mark, at view.Point) {
	c.at = at
	c.ctx.Call("setTransform", 1, 0, 0, 1, 0, 0)
	thin := max(math.Round(c.scale), 1)
	for i := range marks {
		m := &marks[i]
		c.ink(m.Color, m.Alpha)
		x, y := float64(m.X+at.X)*c.scale, float64(m.Y+at.Y)*c.scale
		w, h := float64(m.W)*c.scale, float64(m.H)*c.scale
		switch m.Shape {
		case frame.Rect:
			l, t := round(x-w/2), round(y-h/2)
			c.ctx.Call("fillRect", l, t, max(round(x+w/2)-l, 1), max(round(y+h/2)-t, 1))
		case frame.Frame:
			l, t := round(x-w/2), round(y-h/2)
			c.ctx.Set("lineWidth", thin)
			c.ctx.Call("strokeRect", l+thin/2, t+thin/2, max(round(x+w/2)-l-thin, 0), max(round(y+h/2)-t-thin, 0))
		case frame.Line:
			switch { // sharp where it can be
			case h == 0:
				c.ctx.Call("fillRect", min(x-w/2, x+w/2), round(y-thin/2), math.Abs(w), thin)
			case w == 0:
				c.ctx.Call("fillRect", round(x-thin/2), min(y-h/2, y+h/2), thin, math.Abs(h))
			default:
				c.ctx.Set("lineWidth", thin)
				c.ctx.Call("beginPath")
				c.ctx.Call("moveTo", x-w/2, y-h/2)
				c.ctx.Call("lineTo", x+w/2, y+h/2)
				c.ctx.Call("stroke")
			}
		case frame.Arc:
			wide := 1.5 * thin
			c.ctx.Set("lineWidth", wide)
			c.ctx.Set("lineCap", "butt")
			c.ctx.Call("beginPath")
			c.ctx.Call("ellipse", x, y, max(w/2-wide/2, 0), max(h/2-wide/2, 0), 0, -math.Pi/2, math.Pi*(float64(m.Part)/255*2-.5))
			c.ctx.Call("stroke")
		case frame.Band:
			half := max(float64(m.Part)/4*c.scale, 1) / 2
			c.ctx.Call("beginPath")
			c.ctx.Call("moveTo", x-w/2, y-h/2-half)
			c.ctx.Call("lineTo", x+w/2, y+h/2-half)
			c.ctx.Call("lineTo", x+w/2, y+h/2+half)
			c.ctx.Call("lineTo", x-w/2, y-h/2+half)
			c.ctx.Call("fill")
		case frame.Star:
			c.ink(frame.Surface, m.Alpha)
			c.shape(m.Shape, x, y, w*1.5, h*1.5)
			c.ink(m.Color, m.Alpha)
			c.shape(m.Shape, x, y, w, h)
		default:
			c.shape(m.Shape, x, y, w, h)
		}
	}
	c.to(view.Point{})
}

func (c *Canvas) shape(s frame.Shape, x, y, w, h float64) {
	c.ctx.Call("setTransform", w/2, 0, 0, h/2, x, y)
	if wide := outlines[s].wide; wide > 0 {
		c.ctx.Set("lineCap", "round")
		c.ctx.Set("lineWidth", wide)
		c.ctx.Call("stroke", c.paths[s])
	} else {
		c.ctx.Call("fill", c.paths[s])
	}
	c.ctx.Call("setTransform", 1, 0, 0, 1, 0, 0)
}

func round(x float64) float64 { return math.Floor(x + .5) }

// Mark draws one mark in CSS pixels.
func (c *Canvas) Mark(m frame.Mark) { c.Marks([]frame.Mark{m}, view.Point{}) }

const family = `system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif`

// Font is a size in CSS pixels, and a weight.
func (c *Canvas) Font(size int, weight string) {
	c.ctx.Set("font", weight+" "+strconv.Itoa(size)+"px "+family)
}

// Write writes a line whose middle height is y.
func (c *Canvas) Write(text string, x, y float32, anchor view.Anchor, color frame.Color) {
	c.ink(color, 255)
	c.ctx.Set("textBaseline", "middle")
	c.ctx.Set("textAlign", [...]string{view.Left: "left", view.Middle: "center", view.Right: "right"}[anchor])
	c.ctx.Call("fillText", text, x, y)
}

// Width is how wide a line is.
func (c *Canvas) Width(text string) float32 {
	return float32(c.ctx.Call("measureText", text).Get("width").Float())
}

// Wrap divides a text into lines no wider than width, unless a word is.
func (c *Canvas) Wrap(text string, width float32) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		longer := word
		if line != "" {
			longer = line + " " + word
		}
		if line != "" && c.Width(longer) > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	return append(lines, line)
}

// Labels writes a picture's words, as page.css has them.
func (c *Canvas) Labels(labels []view.Label, at view.Point, narrow bool) {
	for i := range labels {
		l := &labels[i]
		size, weight, color := 13, "600", frame.Text
		ground := frame.Colors
		switch l.Kind {
		case view.Name:
			size = 14
		case view.Note:
			weight, color = "400", frame.TextMuted
		case view.Sick:
			color = frame.Failed
		case view.You:
			color, ground = frame.Yours, frame.Surface
		case view.Run:
			color, ground = frame.Surface, frame.Text
		}
		if narrow {
			size--
		}
		c.Font(size, weight)
		x, y := l.At.X+at.X, l.At.Y+at.Y
		if ground != frame.Colors {
			w := c.Width(l.Text) + 6
			c.Fill(view.Box{X: x - w*float32(l.Anchor)/2, Y: y - 8, W: w, H: 16}, ground)
			x += 3 - 3*float32(l.Anchor)
		}
		c.Write(l.Text, x, y, l.Anchor, color)
	}
}

// PNG is the picture as a file's bytes. It waits, like html.Await. The error is of a browser that would not.
func (c *Canvas) PNG() ([]byte, error) {
	var done js.Func
	promise := js.Global().Get("Promise").New(js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve := args[0]
		done = js.FuncOf(func(_ js.Value, blob []js.Value) any { resolve.Invoke(blob[0]); return nil })
		c.Element.Call("toBlob", done, "image/png")
		return nil
	}))
	blob, err := html.Await(promise)
	if err != nil {
		return nil, err
	}
	done.Release()
	if blob.IsNull() {
		return nil, errNoPicture
	}
	return html.ReadFile(blob)
}
