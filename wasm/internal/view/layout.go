package view

import "math"

// Point is a place on the stage, in CSS pixels from its top left corner.
type Point struct{ X, Y float32 }

// Box is a rectangle: its top left corner and its size.
type Box struct{ X, Y, W, H float32 }

// Layout is where everything stands. Sources are on the left, the processes beside them, dependencies on the right.
type Layout struct {
	W, H      float32
	Sources   []Point // one per operation
	Fleet     Box     // around the processes
	Processes []Box
	Places    []Place // one per dependency; empty for one that is not in the picture
}

// Place is a dependency's box: its queue on the left, filled from the right, and its slots.
type Place struct {
	Box
	Queue Grid
	Slots Grid
}

// In is where attempts arrive.
func (p *Place) In() Point { return Point{p.X, p.Y + p.H/2} }

// Grid is cells in rows, each Pitch apart.
type Grid struct {
	Box        // of the cells that there are
	Cols, Rows int
	Pitch      float32
	Cell       float32 // a cell's side
}

// At is the centre of cell i, counted by rows from the top left.
func (g *Grid) At(i int) Point {
	return Point{
		g.X + (float32(i%g.Cols)+.5)*g.Pitch,
		g.Y + (float32(i/g.Cols)+.5)*g.Pitch,
	}
}

// FromRight is the centre of cell i, counted by columns from the top right: a queue's order, its head at the slots.
func (g *Grid) FromRight(i int) Point {
	return Point{
		g.X + g.W - (float32(i/g.Rows)+.5)*g.Pitch,
		g.Y + (float32(i%g.Rows)+.5)*g.Pitch,
	}
}

// Narrow tells whether the stage is a phone's.
func (l *Layout) Narrow() bool { return l.W < 560 }

// line is the height of a line of words.
func (l *Layout) line() float32 {
	if l.Narrow() {
		return 17
	}
	return 22
}

// rows is the operations and the dependencies in the picture, by index, from top to bottom.
type rows struct{ operations, dependencies []int }

// arrange lays out a world of operations and dependencies in rows, with so many processes, and slots for each
// dependency, in w × h.
func arrange(rows rows, processes int, slots []int, w, h float32) Layout {
	l := Layout{W: w, H: h}
	pad := min(24, w/40)
	operations := len(rows.operations)
	l.Sources = make([]Point, operations)
	l.Places = make([]Place, len(slots))

	// Dependencies share the height, those with many slots getting more of it, though by far not in proportion.
	left, right := w*.42, w-pad
	if l.Narrow() {
		left = w * .4
	}
	total := float32(0)
	for _, i := range rows.dependencies {
		total += weight(slots[i])
	}
	alone := len(rows.dependencies) == 1
	room := h - pad - float32(len(rows.dependencies))*(l.line()+pad/2)
	tall := room * .62 // of a single one: a box as high as the stage looks empty
	y := pad / 2
	if alone {
		y = (h - tall - l.line()) / 2
	}
	for _, i := range rows.dependencies {
		n := slots[i]
		height := room * weight(n) / total
		if alone {
			height = tall
		}
		y += l.line()
		l.Places[i] = place(Box{left, y, right - left, height}, n, l.Narrow())
		y += height + pad/2
	}

	// Processes are a column beside the sources, level with the middle.
	x := w * .28
	if l.Narrow() {
		x = w * .29
	}
	if processes == 1 {
		side := min(64, w/7)
		l.Fleet = Box{x - side/2, h/2 - side/2, side, side}
		if alone {
			l.Fleet.Y = l.Places[rows.dependencies[0]].In().Y - side/2
		}
		l.Processes = []Box{l.Fleet}
	} else {
		// A line lower than the first dependency, so that their names are not read as one.
		area := Box{x - w*.055, pad + 2*l.line(), w * .11, h - 2*pad - 3*l.line()}
		g := grid(area, processes, 22, true)
		l.Fleet = Box{g.X - 4, g.Y - 4, g.W + 8, g.H + 8}
		l.Processes = make([]Box, processes)
		for i := range l.Processes {
			c := g.At(i)
			l.Processes[i] = Box{c.X - g.Cell/2, c.Y - g.Cell/2, g.Cell, g.Cell}
		}
	}

	// Sources are spread around the same middle.
	gap, sourceX := min(110, h/float32(operations+1)), w*.125
	if l.Narrow() {
		sourceX = 26
	}
	for row, i := range rows.operations {
		l.Sources[i] = Point{
			sourceX,
			l.Fleet.Y + l.Fleet.H/2 + (float32(row)-float32(operations-1)/2)*gap,
		}
	}
	return l
}

// weight is a dependency's share of the height.
func weight(slots int) float32 {
	return 1 + .5*float32(math.Log10(float64(max(slots, 8))/8))
}

// place divides a dependency's box.
func place(b Box, slots int, narrow bool) Place {
	pad, dot := float32(10), float32(13)
	if narrow {
		pad, dot = 5, 9
	}
	inner := Box{b.X + pad, b.Y + pad, b.W - 2*pad, b.H - 2*pad}
	q := inner
	q.W = inner.W * .42
	s := inner
	s.X += q.W + pad
	s.W -= q.W + pad

	p := Place{Box: b}
	p.Slots = grid(s, slots, 64, false)
	p.Slots.X = s.X + (s.W - p.Slots.W) // slots end at the box's right edge
	q.W = p.Slots.X - pad - q.X
	p.Queue = Grid{Pitch: dot, Cell: dot - 4, Cols: max(0, int(q.W/dot)), Rows: max(1, int(q.H/dot))}
	p.Queue.Box = Box{q.X, q.Y + (q.H-float32(p.Queue.Rows)*dot)/2, q.W, float32(p.Queue.Rows) * dot}
	return p
}

// grid fits n cells into b, in the middle of its height (and width), at most most apart: as large as they can be, and in
// whole rows rather than a little larger. Eight are two fours, not three, three and two.
func grid(b Box, n int, most float32, centred bool) Grid {
	n = max(n, 1)
	g := Grid{Cols: n, Rows: 1} // where there is no room at all: nothing to see, and nothing that breaks
	best := float32(0)
	for cols := 1; cols <= n; cols++ {
		rows := (n + cols - 1) / cols
		pitch := min(most, b.W/float32(cols), b.H/float32(rows))
		if fill := float32(n) / float32(cols*rows); pitch*fill*fill > best {
			best, g = pitch*fill*fill, Grid{Cols: cols, Rows: rows, Pitch: pitch}
		}
	}
	g.W, g.H = float32(g.Cols)*g.Pitch, float32(g.Rows)*g.Pitch
	g.X, g.Y = b.X, b.Y+(b.H-g.H)/2
	if centred {
		g.X += (b.W - g.W) / 2
	}
	g.Cell = g.Pitch - min(8, max(g.Pitch/6, .6))
	return g
}
