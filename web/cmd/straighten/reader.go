package main

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The instructions that matter here. Their first number is a type, a label, a local or a constant.
const (
	unreachable  = 0x00
	block        = 0x02
	loop         = 0x03
	ifThen       = 0x04
	end          = 0x0b
	br           = 0x0c
	brIf         = 0x0d
	brTable      = 0x0e
	ret          = 0x0f // return
	call         = 0x10
	callIndirect = 0x11
	localGet     = 0x20
	localSet     = 0x21
	global       = 0x23 // global.get
	i32Const     = 0x41

	noResult = -0x40 // the type of a block that leaves nothing on the stack, in one byte 0x40
)

// instruction is one instruction, with the numbers of those that matter here.
type instruction struct {
	op     byte
	number int64
	labels []uint64 // of br_table
}

func (i instruction) is(op byte, number int64) bool { return i.op == op && i.number == number }

// instruction reads the next one. The opcodes are those of "WebAssembly Core Specification", 2.0, 5.4, as far as Go knows
// them.
func (r *reader) instruction() (i instruction) {
	i.op = r.byte()
	switch op := i.op; {
	case op <= 0x01, op == 0x05, op == end, op == ret, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4:
		// nothing, else, return, drop, select, and all that calculates: no numbers
	case op == block, op == loop, op == ifThen, op == i32Const, op == 0x42: // the last is i64.const
		i.number = r.signed()
	case op == br, op == brIf, op == call, op >= localGet && op <= 0x24, op == 0x3f, op == 0x40: // locals, globals, memory's size
		i.number = int64(r.number())
	case op == brTable:
		for n := r.number(); ; n-- {
			i.labels = append(i.labels, r.number())
			if n == 0 {
				break
			}
		}
	case op == callIndirect, op >= 0x28 && op <= 0x3e: // the latter are loads and stores
		r.number()
		r.number()
	case op == 0x43: // f32.const
		r.take(4)
	case op == 0x44: // f64.const
		r.take(8)
	case op == 0xfc:
		switch more := r.number(); {
		case more <= 7: // to integers, saturating
		case more == 10: // memory.copy
			r.take(2)
		case more == 11: // memory.fill
			r.take(1)
		default:
			panic(malformed{fmt.Errorf("it has the instruction 0xfc %d, which Go did not use to have: straighten must learn it", more)})
		}
	default:
		panic(malformed{fmt.Errorf("it has the instruction %#x, which Go did not use to have: straighten must learn it", op)})
	}
	return i
}

// reader takes a program apart. What is not as it must be it panics with, as malformed.
type reader struct{ rest []byte }

type malformed struct{ error }

// stop is for the end of what reads: what a reader panicked with is its error.
func stop(err *error) {
	switch e := recover().(type) {
	case nil:
	case malformed:
		*err = e.error
	default:
		panic(e)
	}
}

var errCut = errors.New("it ends too soon")

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		panic(malformed{errCut})
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) byte() byte { return r.take(1)[0] }

// number is an integer in LEB128, as are most.
func (r *reader) number() uint64 {
	n, length := binary.Uvarint(r.rest)
	if length <= 0 {
		panic(malformed{errCut})
	}
	r.take(uint64(length))
	return n
}

// count is how many things there are to come. Each takes a byte or more.
func (r *reader) count() uint64 {
	n := r.number()
	if n > uint64(len(r.rest)) {
		panic(malformed{errCut})
	}
	return n
}

// signed is one that may be negative.
func (r *reader) signed() (n int64) {
	for shift := 0; ; shift += 7 {
		b := r.byte()
		n |= int64(b&0x7f) << shift
		if b < 0x80 {
			if b >= 0x40 && shift < 57 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
}

// sized is bytes that come after their number.
func (r *reader) sized() []byte { return r.take(r.number()) }

func sized(out, b []byte) []byte { return append(binary.AppendUvarint(out, uint64(len(b))), b...) }

// signed appends a number from 0 on as one that might be negative.
func signed(out []byte, n int64) []byte {
	for ; n >= 0x40; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}
