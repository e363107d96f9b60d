//go:build js && wasm

package main

import (
	"image"
	"math"

	"github.com/hajimehoshi/ebiten/v2"

	"stormbin/wasm/internal/frame"
	"stormbin/wasm/stage/atlas"
)

// mesh is a picture as triangles: two for each mark, three times that for a band, four times for an outline,
// up to 32 times for an arc. It is drawn by one call, and reuses its slices from picture to picture.
type mesh struct {
	vertices []ebiten.Vertex
	indices  []uint32
	options  ebiten.DrawTrianglesOptions

	// Of the picture being built.
	sx, sy float32 // device pixels in one of the picture's
	thin   float32 // a thin line, in device pixels
	dark   bool
}

// build replaces the mesh by that of p, for a screen of width × height device pixels.
func (m *mesh) build(p *frame.Picture, width, height, scale float32) {
	m.vertices = m.vertices[:0]
	m.sx, m.sy = width/p.Width, height/p.Height
	m.thin = max(round(scale), 1)
	m.dark = p.Dark
	for i := range p.Marks {
		m.add(&p.Marks[i])
	}
	for n := uint32(len(m.indices) / 6 * 4); n < uint32(len(m.vertices)); n += 4 {
		m.indices = append(m.indices, n, n+1, n+2, n+1, n+3, n+2)
	}
}

func (m *mesh) draw(screen, atlas *ebiten.Image) {
	m.options = ebiten.DrawTrianglesOptions{
		ColorScaleMode: ebiten.ColorScaleModePremultipliedAlpha,
		Filter:         ebiten.FilterLinear,
		DisableMipmaps: true, // the atlas has its own sizes
	}
	screen.DrawTriangles32(m.vertices, m.indices[:len(m.vertices)/4*6], atlas, &m.options)
}

func (m *mesh) add(k *frame.Mark) {
	c := colorOf(k.Color, m.dark, k.Alpha)
	x, y, w, h := k.X*m.sx, k.Y*m.sy, k.W*m.sx, k.H*m.sy
	switch k.Shape {
	case frame.Rect:
		l, t, r, b := snap(x, y, w, h)
		m.solid(l, t, max(r, l+1), max(b, t+1), c)
	case frame.Frame:
		l, t, r, b := snap(x, y, w, h)
		n := m.thin
		m.solid(l, t, r, t+n, c)
		m.solid(l, b-n, r, b, c)
		m.solid(l, t+n, l+n, b-n, c)
		m.solid(r-n, t+n, r, b-n, c)
	case frame.Line:
		m.line(x-w/2, y-h/2, x+w/2, y+h/2, c)
	case frame.Star:
		// The reader's own stands out from the crowd by an outline in the colour of what the stage stands on.
		m.shape(k.Shape, x, y, w*1.5, h*1.5, colorOf(frame.Surface, m.dark, k.Alpha))
		m.shape(k.Shape, x, y, w, h, c)
	case frame.Arc:
		m.arc(x, y, w/2, h/2, float32(k.Part)/255, c)
	case frame.Band:
		m.band(x-w/2, y-h/2, x+w/2, y+h/2, float32(k.Part)/4*m.sy, c)
	default:
		m.shape(k.Shape, x, y, w, h, c)
	}
}

func (m *mesh) shape(s frame.Shape, x, y, w, h float32, c rgba) {
	in := atlas.Cell(s, max(w, h))
	m.quad(x-w/2, y-h/2, x+w/2, y+h/2,
		float32(in.Min.X), float32(in.Min.Y), float32(in.Max.X), float32(in.Max.Y), c)
}

func (m *mesh) solid(l, t, r, b float32, c rgba) {
	x, y := float32(atlas.Solid.X), float32(atlas.Solid.Y)
	m.quad(l, t, r, b, x, y, x, y, c)
}

// line is as wide as a thin line. One that is level or upright keeps to whole pixels, any other has soft edges.
func (m *mesh) line(x0, y0, x1, y1 float32, c rgba) {
	switch {
	case y0 == y1:
		t := round(y0 - m.thin/2)
		m.solid(min(x0, x1), t, max(x0, x1), t+m.thin, c)
		return
	case x0 == x1:
		l := round(x0 - m.thin/2)
		m.solid(l, min(y0, y1), l+m.thin, max(y0, y1), c)
		return
	}
	// Edge rises from clear to white and falls again, so what is twice as wide covers as much.
	length := float32(math.Hypot(float64(x1-x0), float64(y1-y0)))
	nx, ny := (y0-y1)/length*m.thin, (x1-x0)/length*m.thin
	e := edge
	m.vertices = append(m.vertices,
		vertex(x0+nx, y0+ny, e.l, e.t, c), vertex(x1+nx, y1+ny, e.r, e.t, c),
		vertex(x0-nx, y0-ny, e.l, e.b, c), vertex(x1-nx, y1-ny, e.r, e.b, c))
}

// band is high wherever it is cut, and fades within a pixel above and below.
func (m *mesh) band(x0, y0, x1, y1, high float32, c rgba) {
	x, y := float32(atlas.Solid.X), float32(atlas.Solid.Y)
	half := max(high, 1) / 2
	row := func(at float32, c rgba) (l, r ebiten.Vertex) {
		return vertex(x0, y0+at, x, y, c), vertex(x1, y1+at, x, y, c)
	}
	l, r := row(-half-.5, rgba{})
	for _, next := range [...]struct {
		at float32
		c  rgba
	}{{-half + .5, c}, {half - .5, c}, {half + .5, rgba{}}} {
		nl, nr := row(next.at, next.c)
		m.vertices = append(m.vertices, l, r, nl, nr)
		l, r = nl, nr
	}
}

// turn is the circle's points at equal steps, clockwise from the top.
var turn = func() (p [33]struct{ x, y float32 }) {
	for i := range p {
		sin, cos := math.Sincos(float64(i) * 2 * math.Pi / float64(len(p)-1))
		p[i].x, p[i].y = float32(sin), float32(-cos)
	}
	return p
}()

// arc is a part of a circle as short pieces with soft edges, 1.5 thin lines wide. rx, ry is its outer radius.
func (m *mesh) arc(x, y, rx, ry, part float32, c rgba) {
	wide := min(2*1.5*m.thin, rx, ry) // as of a line: what is twice as wide covers as much
	e := edge
	end := part * float32(len(turn)-1)
	for i := 0; float32(i) < end; i++ {
		a, b := turn[i], turn[i+1]
		if over := float32(i+1) - end; over > 0 {
			b.x, b.y = b.x+(a.x-b.x)*over, b.y+(a.y-b.y)*over
		}
		m.vertices = append(m.vertices,
			vertex(x+a.x*rx, y+a.y*ry, e.l, e.t, c), vertex(x+b.x*rx, y+b.y*ry, e.r, e.t, c),
			vertex(x+a.x*(rx-wide), y+a.y*(ry-wide), e.l, e.b, c), vertex(x+b.x*(rx-wide), y+b.y*(ry-wide), e.r, e.b, c))
	}
}

func (m *mesh) quad(l, t, r, b, sl, st, sr, sb float32, c rgba) {
	m.vertices = append(m.vertices,
		vertex(l, t, sl, st, c), vertex(r, t, sr, st, c),
		vertex(l, b, sl, sb, c), vertex(r, b, sr, sb, c))
}

func vertex(x, y, sx, sy float32, c rgba) ebiten.Vertex {
	return ebiten.Vertex{DstX: x, DstY: y, SrcX: sx, SrcY: sy, ColorR: c.r, ColorG: c.g, ColorB: c.b, ColorA: c.a}
}

// edge is where in the atlas a line takes its soft edges from.
var edge = inset(atlas.Edge)

type sides struct{ l, t, r, b float32 }

func inset(r image.Rectangle) sides {
	return sides{float32(r.Min.X) + 1, float32(r.Min.Y) + 0.5, float32(r.Max.X) - 1, float32(r.Max.Y) - 0.5}
}

// snap gives a rectangle's sides on whole device pixels, so that they are sharp.
func snap(x, y, w, h float32) (l, t, r, b float32) {
	return round(x - w/2), round(y - h/2), round(x + w/2), round(y + h/2)
}

func round(v float32) float32 { return float32(math.Floor(float64(v) + 0.5)) }

// rgba is a colour from 0 to 1, premultiplied.
type rgba struct{ r, g, b, a float32 }

func colorOf(c frame.Color, dark bool, alpha uint8) rgba {
	v := c.RGB(dark)
	a := float32(alpha) / 255
	return rgba{float32(v.R) / 255 * a, float32(v.G) / 255 * a, float32(v.B) / 255 * a, a}
}
