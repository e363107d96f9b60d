package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestStructure(t *testing.T) {
	for _, c := range []struct {
		name   string
		pieces [][]byte
		want   []byte
	}{
		{"a piece after the other",
			[][]byte{{call, 0}, {call, 1}, {ret}},
			[]byte{block, 0x40, call, 0, end, block, 0x40, call, 1, end, ret, unreachable}},
		{"a loop",
			[][]byte{{call, 0}, slices.Concat([]byte{call, 1, ifThen, 0x40}, to(1, 2), []byte{end}), {ret}},
			[]byte{block, 0x40, call, 0, end, block, 0x40, loop, 0x40, call, 1, ifThen, 0x40, br, 1, end, br, 1, end, end, ret, unreachable}},
		{"a piece that is never come to",
			[][]byte{to(2, 2), {call, 1}, {ret}},
			[]byte{block, 0x40, end, ret, unreachable}},
	} {
		f := parse(goesOn(c.pieces))
		if f == nil {
			t.Fatalf("%s: it is not read", c.name)
		}
		got, _ := f.structured(0, nil)
		if want := slices.Concat(c.want, []byte{unreachable, end}); !bytes.Equal(got, want) {
			t.Errorf("%s:\n got % x\nwant % x", c.name, got, want)
		}
	}
}

// The other function goes on where this one is entered in the middle, and after a call of what panics, if that comes back.
func TestTheOtherGoesOn(t *testing.T) {
	f := parse(goesOn([][]byte{{call, 5, brIf, 2}, {call, 1}}))
	entered := []byte{localGet, 0, ifThen, 0x40, localGet, 0, call, 9, ret, end}
	for _, c := range []struct {
		name   string
		panics map[uint64]bool
		want   []byte
	}{
		{"a call", nil, []byte{block, 0x40, call, 5, brIf, 1, end, call, 1, unreachable}},
		{"a panic", map[uint64]bool{5: true}, []byte{call, 5, brIf, 0, i32Const, 1, call, 9, ret, unreachable}},
	} {
		got, suspended := f.structured(9, c.panics)
		if want := slices.Concat(entered, c.want, []byte{unreachable, end}); !suspended || !bytes.Equal(got, want) {
			t.Errorf("%s: suspended: %t\n got % x\nwant % x", c.name, suspended, got, want)
		}
	}
}

// goesOn is the code of a function with these pieces.
func goesOn(pieces [][]byte) []byte {
	out := []byte{loop, 0x40}
	for range pieces {
		out = append(out, block, 0x40)
	}
	out = append(out, localGet, 0, brTable, byte(len(pieces)-1))
	for i := range pieces {
		out = append(out, byte(i))
	}
	out = append(out, end)
	for _, p := range pieces {
		out = append(append(out, p...), end)
	}
	return append(out, unreachable, end)
}

// Whatever jumps there are, the same pieces run in the same order.
func TestAnyJumps(t *testing.T) {
	rebuilt := 0
	for seed := range uint64(3000) {
		random := rand.New(rand.NewPCG(seed, 0))
		pieces := make([][]byte, 2+random.IntN(7))
		for i := range pieces {
			depth := byte(len(pieces) - i - 1) // of the loop
			jump := func(inner byte) []byte { return to(byte(random.IntN(len(pieces))), depth+inner) }
			for range random.IntN(3) {
				pieces[i] = append(pieces[i], call, byte(i), ifThen, 0x40)
				pieces[i] = append(append(pieces[i], jump(1)...), end)
			}
			pieces[i] = append(pieces[i], call, byte(i), 0x1a) // drop
			switch random.IntN(4) {
			case 0:
				pieces[i] = append(pieces[i], ret)
			case 1, 2:
				pieces[i] = append(pieces[i], jump(0)...)
			}
		}
		before := goesOn(pieces)
		f := parse(before)
		if f == nil {
			t.Fatalf("seed %d: it is not read", seed)
		}
		after := [][]byte{f.straightened()}
		if code, _ := f.structured(0, nil); code != nil {
			rebuilt++
			after = append(after, code)
		}
		for answers := range uint64(4) {
			want := calls(before, answers)
			for _, code := range after {
				if got := calls(code, answers); !slices.Equal(got, want) {
					t.Fatalf("seed %d, answers %d: the calls are\n%v, and were\n%v", seed, answers, got, want)
				}
			}
		}
	}
	if rebuilt < 1000 {
		t.Errorf("only %d functions can be rebuilt: that tells too little", rebuilt)
	}
}

// calls runs a function, and is the first hundred functions that it calls. Each answers 0 or 1 by chance.
func calls(code []byte, answers uint64) (called []int64) {
	type step struct {
		instruction
		end int // of a block: where it ends
	}
	var steps []step
	var open []int
	for r := (&reader{rest: code}); len(r.rest) > 0; {
		i := r.instruction()
		switch i.op {
		case block, loop, ifThen:
			open = append(open, len(steps))
		case end:
			if len(open) > 0 {
				steps[open[len(open)-1]].end = len(steps)
				open = open[:len(open)-1]
			}
		}
		steps = append(steps, step{i, 0})
	}
	random := rand.New(rand.NewPCG(answers, 1))
	var stack []int64
	pop := func() int64 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return v
	}
	number := int64(0) // local 0
	for at := 0; at < len(steps) && len(called) < 100; at++ {
		leave := func(label uint64) {
			target := open[len(open)-1-int(label)]
			open = open[:len(open)-1-int(label)]
			if at = steps[target].end; steps[target].op == loop {
				at = target - 1 // and begins anew
			}
		}
		switch s := steps[at]; s.op {
		case block, loop:
			open = append(open, at)
		case ifThen:
			if open = append(open, at); pop() == 0 {
				leave(0)
			}
		case end:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case br:
			leave(uint64(s.number))
		case brTable:
			leave(s.labels[min(pop(), int64(len(s.labels)-1))])
		case localGet:
			stack = append(stack, number)
		case localSet:
			number = pop()
		case i32Const:
			stack = append(stack, s.number)
		case call:
			called = append(called, s.number)
			stack = append(stack, int64(random.IntN(2)))
		case 0x1a:
			pop()
		case ret:
			return called
		case unreachable:
			return append(called, -1)
		default:
			panic(fmt.Sprintf("there is no %#x in this test", s.op))
		}
	}
	return called
}
