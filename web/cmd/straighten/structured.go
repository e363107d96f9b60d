package main

import "slices"

// structured is the function without a table: its pieces in blocks and loops, as they come out of its jumps. It begins with
// the first. If it is suspended somewhere, and so might be entered elsewhere, then it calls another that goes on for it; that
// one's number is other. nil: its jumps can't be put so.
//
// The way is that of Norman Ramsey, "Beyond Relooper: Recursive Translation of Unstructured Control Flow to Structured
// Control Flow", 2022: each piece is put within those that every way to it leads over, a block ends before each piece that is
// jumped on to, and a loop begins with each that is jumped back to.
//
// After a call of what panics it would go on with whatever comes next, and so might have loops that are none. There it calls
// the other, too, which may go on wherever the function was suspended; so it matters for speed alone what panics.
func (f *function) structured(other uint64, panics map[uint64]bool) (code []byte, suspended bool) {
	pieces := slices.Clone(f.pieces)
	for i, p := range pieces {
		suspended = suspended || slices.ContainsFunc(p.parts, part.leaves)
		if p.next != none && p.calls != none && panics[uint64(p.calls)] {
			number := slices.Index(f.table, uint64(p.next))
			pieces[i].code = append(put(signed([]byte{i32Const}, int64(number)), call, int(other)), ret)
			pieces[i].next = none
		}
	}
	g := newFlow(pieces)
	if !g.reducible() {
		return nil, false
	}
	if suspended {
		code = append(put([]byte{localGet, 0, ifThen, 0x40, localGet, 0}, call, int(other)), ret, end)
	}
	w := &writer{flow: g, pieces: pieces, out: append(code, f.head...)}
	w.write(0)
	return append(w.out, f.tail...), suspended
}

// flow is how control goes through pieces of code, from the first on.
type flow struct {
	next  [][]int // of each piece those that it jumps to or goes on with
	order []int   // the pieces that are come to, each after all it is come to from, but for jumps back
	place []int   // of each piece its place in order; -1: it is never come to
	above []int   // of each piece the last that every way to it leads over, its immediate dominator; the first's is the first
	froms [][]int // of each piece those of order that it is come to from
}

func newFlow(pieces []piece) *flow {
	n := len(pieces)
	g := &flow{make([][]int, n), nil, slices.Repeat([]int{-1}, n), slices.Repeat([]int{-1}, n), make([][]int, n)}
	for at, p := range pieces {
		for _, part := range p.parts {
			if !part.leaves() {
				g.next[at] = append(g.next[at], part.to)
			}
		}
		if p.next != none {
			g.next[at] = append(g.next[at], p.next)
		}
	}
	seen := make([]bool, n)
	var visit func(int)
	visit = func(at int) {
		seen[at] = true
		for _, to := range slices.Backward(g.next[at]) {
			if !seen[to] {
				visit(to)
			}
		}
		g.order = append(g.order, at)
	}
	visit(0)
	slices.Reverse(g.order)
	for place, at := range g.order {
		g.place[at] = place
		for _, to := range g.next[at] {
			g.froms[to] = append(g.froms[to], at)
		}
	}
	// Keith Cooper, Timothy Harvey, Ken Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
	g.above[0] = 0
	for changed := true; changed; {
		changed = false
		for _, at := range g.order[1:] {
			above := -1
			for _, from := range g.froms[at] {
				switch {
				case g.above[from] < 0:
				case above < 0:
					above = from
				default:
					above = g.common(above, from)
				}
			}
			changed = changed || g.above[at] != above
			g.above[at] = above
		}
	}
	return g
}

// common is the last piece that every way to either of two leads over.
func (g *flow) common(a, b int) int {
	for a != b {
		if g.place[a] > g.place[b] {
			a = g.above[a]
		} else {
			b = g.above[b]
		}
	}
	return a
}

// back tells whether a jump leads back.
func (g *flow) back(from, to int) bool { return g.place[to] <= g.place[from] }

// reducible tells whether all jumps back lead to where every way to them had come by.
func (g *flow) reducible() bool {
	for _, at := range g.order {
		for _, to := range g.next[at] {
			if g.back(at, to) && g.common(at, to) != to {
				return false
			}
		}
	}
	return true
}

// loop is the pieces of the loop that begins with one: those from which it is come back to. Empty: none does.
func (g *flow) loop(first int) map[int]bool {
	in := map[int]bool{}
	var back func(int)
	back = func(at int) {
		if in[at] {
			return
		}
		in[at] = true
		if at != first {
			for _, from := range g.froms[at] {
				back(from)
			}
		}
	}
	for _, from := range g.froms[first] {
		if g.back(from, first) {
			in[first] = true
			back(from)
		}
	}
	return in
}

// writer writes the pieces of a flow.
type writer struct {
	*flow
	pieces []piece
	out    []byte
	open   []int // the blocks around, the innermost last: the piece that each ends before; or ^ the piece that a loop begins with
}

// write writes a piece and all within it.
func (w *writer) write(at int) {
	repeated := w.loop(at)
	var within, after []int // the loop
	for _, to := range w.order {
		if to != at && w.above[to] == at {
			if len(repeated) == 0 || repeated[to] {
				within = append(within, to)
			} else {
				after = append(after, to)
			}
		}
	}
	w.begin(after)
	if len(repeated) > 0 {
		w.out = append(w.out, loop, 0x40)
		w.open = append(w.open, ^at)
	}
	w.begin(within)
	w.piece(at)
	w.end(within)
	if len(repeated) > 0 {
		w.close()
	}
	w.end(after)
}

func (w *writer) begin(pieces []int) {
	for _, to := range slices.Backward(pieces) {
		w.out = append(w.out, block, 0x40)
		w.open = append(w.open, to)
	}
}

func (w *writer) end(pieces []int) {
	for _, to := range pieces {
		w.close()
		w.write(to)
	}
}

func (w *writer) close() {
	w.out = append(w.out, end)
	w.open = w.open[:len(w.open)-1]
}

// piece writes the code of a piece, with its jumps.
func (w *writer) piece(at int) {
	p := w.pieces[at]
	for _, part := range p.parts {
		w.out = append(w.out, part.code...)
		if part.leaves() {
			w.out = put(w.out, part.op, part.inner+len(w.open)+part.to-outside)
		} else {
			w.out = put(w.out, part.op, part.inner+w.label(at, part.to))
		}
	}
	w.out = append(w.out, p.code...)
	switch {
	case p.next == none:
		w.out = append(w.out, unreachable)
	case w.label(at, p.next) > 0 || w.back(at, p.next): // else its block ends here
		w.out = put(w.out, br, w.label(at, p.next))
	}
}

// label is how far out the block is that a jump leads to.
func (w *writer) label(from, to int) int {
	if w.back(from, to) {
		to = ^to
	}
	return len(w.open) - 1 - slices.Index(w.open, to)
}
