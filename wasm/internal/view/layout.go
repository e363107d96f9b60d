package view

import "math"

// Point is a place on the stage, in CSS pixels from its top left corner.
type Point struct{ X, Y float32 }

// Box is a rectangle: its top left corner and its size.
type Box struct{ X, Y, W, H float32 }

func (b *Box) middle() Point { return Point{b.X + b.W/2, b.Y + b.H/2} }

// part is the middle height of the i-th of n equal parts, from the top.
func (b *Box) part(i, n int) float32 { return b.Y + b.H*(float32(i)+.5)/float32(n) }

// Layout is where everything stands. Sources are on the left, the processes beside them and the workers below those,
// dependencies on the right, and at the foot the bar of the request that is followed.
type Layout struct {
	W, H      float32
	Sources   []Point // one per operation
	Gates     []Point // where the ways from them come to the processes
	Fleet     Box     // around the processes
	Processes []Box
	Places    []Place // one per dependency; empty for one that is not in the picture
	Workers   Grid    // empty if there are none, or no room for them
	Bar       Box     // empty if there is no room
	// Thick is how thick a stream of as many requests is as usually come in all. There is room on either side of a way for
	// mostThick times that.
	Thick float32
}

// mostThick is what four attempts in place of one come to.
const mostThick = 4

// Place is a dependency's box: its queue on the left, filled from the right, and its slots.
type Place struct {
	Box
	Queue Grid
	Slots Grid
	Gate  Point // where the way to it begins, at the processes
	// Count is how many slots there are, and Per how many of them a cell stands for.
	Count, Per int
}

// mostCells is how many cells a dependency's slots are drawn as: more could not be told apart, and all of them are drawn for
// each frame.
const mostCells = 1000

// Cells is how many cells its slots are.
func (p *Place) Cells() int { return (p.Count + p.Per - 1) / p.Per }

// In is the middle of the side at which attempts arrive.
func (p *Place) In() Point { return Point{p.X, p.Y + p.H/2} }

// Doors are where on that side attempts arrive: so many, so far apart that those who wait there don't touch.
const (
	mostDoors = 9
	doorPitch = 16
)

func (p *Place) doors() int { return max(1, min(mostDoors, int((p.H-8)/doorPitch))) }

// at is the door at which those of a request arrive: spread, so that they don't hide each other.
func (p *Place) at(request uint64) int { return int(spread(request) * float32(p.doors())) }

// door is where that is.
func (p *Place) door(request uint64) Point {
	return Point{p.X, p.Y + p.H/2 + (float32(p.at(request))-float32(p.doors()-1)/2)*doorPitch}
}

// spread is a number from 0 up to 1 that is a request's own: where among the others of its kind it goes.
func spread(request uint64) float32 {
	return float32(request*0x9E3779B97F4A7C15>>40) / (1 << 24)
}

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
func (l *Layout) Narrow() bool { return l.W < narrow }

// narrow is the width in pixels from which on a stage is not a phone's.
const narrow = 560

// low tells whether it is half of a stage, or less: two pictures share it.
func (l *Layout) low() bool { return l.H < 180 || l.H < 260 && !l.Narrow() }

// tiny tells whether it is both.
func (l *Layout) tiny() bool { return l.Narrow() && l.low() }

// source is a source's side.
func (l *Layout) source() float32 {
	if l.tiny() {
		return 10
	}
	return 16
}

// line is the height of a line of words.
func (l *Layout) line() float32 {
	switch {
	case l.Narrow():
		return 17
	case l.low():
		return 18
	default:
		return 22
	}
}

// rows is the operations and the dependencies in the picture, by index, from top to bottom.
type rows struct{ operations, dependencies []int }

// world is what there is to lay out: which rows, and how many there are of what.
type world struct {
	rows      rows
	processes int
	slots     []int // of each dependency
	workers   int
	tagged    bool // a word stands in the top left corner
}

// barHeight is that of the followed request's bar, and barFoot how far above the stage's it ends. Left of it stands 0, right
// of it what all of it stands for, and how the request ended.
const (
	barHeight = 8
	barFoot   = 8
	barStart  = 12
	barEnd    = 78
)

// arrange lays a world out in w × h.
func arrange(of *world, w, h float32) Layout {
	l := Layout{W: w, H: h, Places: make([]Place, len(of.slots))}
	l.Sources, l.Gates = make([]Point, len(of.rows.operations)), make([]Point, len(of.rows.operations))
	pad, line := min(24, w/40, h/16), l.line()
	left, right := w*.42, w-pad
	if l.Narrow() {
		left = w * .4
	}

	// The foot: under the left side, or under all of it where that is too narrow.
	foot, bottom := pad/2, h
	if h >= 200 {
		foot = barHeight + line + barFoot + 2
		l.Bar = Box{pad + barStart, h - barHeight - barFoot, left - pad - barStart - barEnd, barHeight}
		if l.Narrow() {
			l.Bar.W, bottom = w-2*pad-barStart-barEnd, h-foot
		}
	}

	// Dependencies share the height, those with many slots getting more of it, though by far not in proportion.
	total := float32(0)
	for _, i := range of.rows.dependencies {
		total += weight(of.slots[i])
	}
	alone := len(of.rows.dependencies) == 1
	room := bottom - pad - float32(len(of.rows.dependencies))*(line+pad/2)
	tall := room // of a single one: a box as high as the stage looks empty
	switch {
	case l.low():
	case l.Narrow():
		tall = room * .8
	default:
		tall = room * .62
	}
	y := pad / 2
	if alone {
		y = (bottom - tall - line) / 2
	}
	for _, i := range of.rows.dependencies {
		n := of.slots[i]
		height := room * weight(n) / total
		if alone {
			height = tall
		}
		y += line
		l.Places[i] = place(Box{left, y, right - left, max(height, 0)}, n, l.Narrow() || l.low())
		y += height + pad/2
	}

	// The left side, from top to bottom: the processes, and the workers below them.
	top, end := pad/2, h-foot
	if of.tagged {
		top = line
	}
	x := w * .28
	if l.Narrow() {
		x = w * .27
	}
	if lane := float32(16); of.workers > 0 && h >= 200 {
		area := Box{x - w*.055, end - lane - pad/2, w * .11, lane}
		l.Workers = grid(area, of.workers, 12, true)
		end -= lane + line + pad/2
	}
	if of.processes == 1 {
		side := max(min(64, w/7, end-top-2*line-4), 0)
		if l.Narrow() { // the ways to it and from it need the room
			side, x = min(side, w/10), w*.235
		}
		high := max(min(2*side, end-top-2*line-4), 0)
		middle := (top + end) / 2
		if alone && h >= 200 {
			middle = min(l.Places[of.rows.dependencies[0]].In().Y, end-line-high/2)
		}
		l.Fleet = Box{x - side/2, middle - high/2, side, high}
		l.Processes = []Box{l.Fleet}
	} else {
		area := Box{x - w*.055, top + line + 4, w * .11, max(end-top-2*line-8, 0)}
		g := grid(area, of.processes, 22, true)
		if l.Narrow() { // the words of the operations are beside it, and its own above them
			g.Y = area.Y
		}
		l.Fleet = Box{g.X - 4, g.Y - 4, g.W + 8, g.H + 8}
		l.Processes = make([]Box, of.processes)
		for i := range l.Processes {
			c := g.At(i)
			l.Processes[i] = Box{c.X - g.Cell/2, c.Y - g.Cell/2, g.Cell, g.Cell}
		}
	}

	high := l.Fleet.H / float32(max(1, len(of.rows.dependencies))) // that each way has
	for row, i := range of.rows.dependencies {
		l.Places[i].Gate = Point{l.Fleet.X + l.Fleet.W, l.Fleet.part(row, len(of.rows.dependencies))}
		high = min(high, l.Places[i].H+line)
	}
	l.Thick = min(max((high-6)/(2*mostThick), 1), 14)
	if l.Narrow() && len(of.rows.operations) > 1 { // the words of the next one are below each way
		l.Thick = min(l.Thick, 2)
	}

	// Sources are spread around the same middle: so near to each other that the ways from them are level, if their words have
	// room then.
	operations, sourceX := len(of.rows.operations), max(w*.125, 84) // left of them are their rates
	words := 2 * line
	if l.Narrow() {
		sourceX, words = 26, 3*line+4
	}
	if l.tiny() {
		sourceX = 9
	}
	end = h - foot
	edge := min(mostThick*l.Thick+lane, l.Fleet.H/2) // of a way from a corner of the processes, where their words are
	below := edge
	if l.Narrow() { // and how many are inside is not said
		below = min(edge, 6)
	}
	steps := float32(max(operations-1, 1))
	gap := min(110, (end-top)/float32(max(operations, 1)))
	gap = min(gap, max(words, (l.Fleet.H-2*edge)/steps))
	middle := l.Fleet.middle().Y
	half := gap * float32(operations) / 2
	middle = max(min(middle, end-half), top+half)
	if operations > 1 && l.Narrow() && !l.low() { // the words of each are over it, and the first one's below those of the processes
		middle += line * 1.2
	}
	apart := min(24, (l.Fleet.H-2*edge)/steps) // of two ways
	for row, i := range of.rows.operations {
		l.Sources[i] = Point{sourceX, middle + (float32(row)-float32(operations-1)/2)*gap}
		// As level as can be: a way that rises would lie over the words above where it begins.
		highest, lowest := l.Fleet.Y+edge+apart*float32(row), l.Fleet.Y+l.Fleet.H-below-apart*float32(operations-1-row)
		l.Gates[i] = Point{l.Fleet.X, min(max(l.Sources[i].Y, highest), lowest)}
	}
	return l
}

// weight is a dependency's share of the height.
func weight(slots int) float32 {
	return 1 + .5*float32(math.Log10(float64(max(slots, 8))/8))
}

// place divides a dependency's box.
func place(b Box, slots int, tight bool) Place {
	pad, dot := float32(10), float32(13)
	if tight {
		pad, dot = 5, 9
	}
	pad = max(min(pad, (b.H-12)/2), 1)
	inner := Box{b.X + pad, b.Y + pad, max(b.W-2*pad, 0), max(b.H-2*pad, 0)}
	q := inner
	q.W = inner.W * .42
	s := inner
	s.X += q.W + pad
	s.W -= q.W + pad

	p := Place{Box: b, Count: slots, Per: steps(float64(slots) / mostCells)}
	p.Slots = grid(s, p.Cells(), 64, false)
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
	if g.Cell = g.Pitch; g.Pitch >= 4 { // any smaller, and gaps of less than a pixel would make a pattern of their own
		g.Cell -= min(8, max(g.Pitch/6, .6))
	}
	return g
}
