package main

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// function is the code of a function that has a loop and a table, as in the comment of the package, in its pieces.
type function struct {
	head   []byte   // up to the loop
	top    []byte   // the loop, the blocks and the table
	table  []uint64 // of each number the piece that it leads to; the last is for all other numbers
	pieces []piece
	tail   []byte // what comes after the loop
}

// piece is a piece of code: parts one after the other, and some more code.
type piece struct {
	parts []part
	code  []byte
	next  int // the piece that it goes on with at its end; none if with none
	calls int // at its end, by number: there it may be suspended, and then goes on with next; none: none, or it is not known which
}

const none = -1

// part is code, and a jump after it.
type part struct {
	code  []byte
	op    byte // br or br_if
	inner int  // it is in so many blocks of the piece's own
	to    int  // the piece that it leads to; outside and more: out of the loop, and of so many blocks around that
}

const outside = 1 << 32

// leaves tells whether a part ends with a jump out of the loop: there the function is suspended.
func (p part) leaves() bool { return p.to >= outside }

// parse reads a function. nil: it has another form.
func parse(code []byte) *function {
	r := &reader{rest: code}
	f, blocks := begin(r)
	if f == nil || !r.instruction().is(end, 0) {
		return nil
	}
	for range blocks {
		p := f.piece(r, blocks)
		if p == nil {
			return nil
		}
		f.pieces = append(f.pieces, *p)
	}
	f.tail = r.rest
	for len(r.rest) > 0 {
		if r.instruction().is(localGet, 0) {
			return nil // a piece's number is good for something else, too
		}
	}
	return f
}

// begin reads a function up to its table and with it. blocks is how many there are around that, which is how many pieces.
func begin(r *reader) (f *function, blocks int) {
	f = &function{}
	for code := r.rest; ; {
		before := code[:len(code)-len(r.rest)]
		switch i := r.instruction(); {
		case f.head == nil && (i.op == global || i.op == localSet && i.number != 0): // Go's stack pointer
		case f.head == nil && i.is(block, noResult): // to be left when the function is suspended
		case f.head == nil && i.is(loop, noResult):
			f.head = append([]byte{}, before...)
		case f.head != nil && i.is(block, noResult):
			blocks++
		case f.head != nil && i.is(localGet, 0):
			f.table = r.instruction().labels
			f.top = code[len(f.head) : len(code)-len(r.rest)]
			if f.table == nil || slices.Max(f.table) >= uint64(blocks) {
				return nil, 0
			}
			return f, blocks
		default:
			return nil, 0
		}
	}
}

// piece reads the next piece, with the end of its block. nil: the piece's number or the loop have another use.
func (f *function) piece(r *reader, blocks int) *piece {
	at := len(f.pieces)
	inner, later := 0, blocks-at-1 // later: so many pieces
	p := &piece{next: none, calls: none}
	from, falls, called := r.rest, true, none
	cut := func(before []byte, op byte, to int) {
		p.parts = append(p.parts, part{from[:len(from)-len(before)], op, inner, to})
		from = r.rest
	}
	for {
		before := r.rest
		i := r.instruction()
		if i.op == end && inner == 0 {
			p.code = from[:len(from)-len(before)]
			break
		}
		if inner == 0 {
			falls = i.op != ret && i.op != unreachable && i.op != br
		}
		switch i.op {
		case call:
			called = int(i.number)
		case callIndirect:
			called = none
		case block, loop, ifThen:
			inner++
		case end:
			inner--
		case i32Const:
			if jump := next(r, localSet, 0, br); jump != nil && jump.number() == uint64(inner+later) {
				r.rest = jump.rest
				falls = falls && inner > 0
				cut(before, br, int(f.table[min(uint64(i.number), uint64(len(f.table)-1))]))
			}
		case localSet:
			if scratch := next(r, i32Const, 0, localGet, 0); scratch != nil && i.number == 0 {
				r.rest = scratch.rest // before an indirect call it only changes the order of two values
			}
		case localGet:
			if i.number == 0 {
				return nil
			}
		case brTable:
			if slices.Max(i.labels) >= uint64(inner) {
				return nil
			}
		case br, brIf:
			switch out := int(i.number) - inner; {
			case out < 0: // within the piece
			case out < later:
				cut(before, i.op, at+1+out)
			case out == later:
				return nil // to the loop, by a number that was set who knows where
			default:
				cut(before, i.op, outside+out-later-1)
			}
		}
	}
	if falls && later > 0 {
		p.next = at + 1
	}
	if n := len(p.parts) - 1; n >= 0 && len(p.code) == 0 && p.parts[n].inner == 0 {
		switch last := p.parts[n]; {
		case last.leaves() && last.op == brIf:
			p.calls = called
		case !last.leaves() && last.op == br:
			p.code, p.next, p.parts = last.code, last.to, p.parts[:n]
		}
	}
	return p
}

// next is what comes after these bytes, if they are the next ones of r; nil if not.
func next(r *reader, bs ...byte) *reader {
	if !bytes.HasPrefix(r.rest, bs) {
		return nil
	}
	return &reader{rest: r.rest[len(bs):]}
}

// straightened is the function with its pieces as they were, and straight jumps to those that come later.
func (f *function) straightened() []byte {
	out := slices.Concat(f.head, f.top, []byte{end})
	for at, p := range f.pieces {
		later := len(f.pieces) - at - 1
		for _, part := range p.parts {
			out = append(out, part.code...)
			if part.leaves() {
				out = put(out, part.op, part.inner+later+1+part.to-outside)
			} else {
				out = f.jump(out, part.op, part.inner, at, part.to)
			}
		}
		out = append(out, p.code...)
		if p.next != none && p.next != at+1 {
			out = f.jump(out, br, 0, at, p.next)
		}
		out = append(out, end)
	}
	return append(out, f.tail...)
}

// jump appends a jump from within so many blocks of a piece to another, or back to itself.
func (f *function) jump(out []byte, op byte, inner, from, to int) []byte {
	if to > from {
		return put(out, op, inner+to-from-1)
	}
	number := slices.Index(f.table, uint64(to))
	out = signed(append(out, i32Const), int64(number))
	return put(append(out, localSet, 0), op, inner+len(f.pieces)-from-1)
}

// put appends an instruction that has a number.
func put(out []byte, op byte, number int) []byte {
	return binary.AppendUvarint(append(out, op), uint64(number))
}
