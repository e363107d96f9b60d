package frame

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestWhatIsSentArrives(t *testing.T) {
	var buf []byte
	var got Picture
	rapid.Check(t, func(t *rapid.T) {
		want := Picture{
			Dark:   rapid.Bool().Draw(t, "dark"),
			Number: rapid.Uint32().Draw(t, "number"),
			Width:  rapid.Float32Range(1, MaxSize).Draw(t, "width"),
			Height: rapid.Float32Range(1, MaxSize).Draw(t, "height"),
		}
		side := rapid.Float32Range(-4096, 4095)
		for range rapid.IntRange(0, 50).Draw(t, "marks") {
			m := Mark{
				Shape: Shape(rapid.IntRange(0, int(Shapes)-1).Draw(t, "shape")),
				Color: Color(rapid.IntRange(0, int(Colors)-1).Draw(t, "color")),
				Alpha: rapid.Uint8().Draw(t, "alpha"),
			}
			l, top, r, bottom := side.Draw(t, "left"), side.Draw(t, "top"), side.Draw(t, "right"), side.Draw(t, "bottom")
			m.X, m.Y, m.W, m.H = (l+r)/2, (top+bottom)/2, r-l, bottom-top
			if m.Shape == Arc || m.Shape == Band {
				m.Part = rapid.Uint8().Draw(t, "part")
			}
			want.Marks = append(want.Marks, m)
		}
		buf = Append(buf[:0], &want)
		if len(buf) != Size(len(want.Marks)) {
			t.Fatalf("%d bytes, want %d", len(buf), Size(len(want.Marks)))
		}
		// Pooled buffers are longer than what they hold.
		if err := Decode(append(buf, "left from before"...), &got); err != nil {
			t.Fatal(err)
		}
		// A side kept to an eighth of a pixel is at most a sixteenth away, and a size has two.
		near := cmp.Comparer(func(a, b float32) bool { return math.Abs(float64(a)-float64(b)) <= 1./8+1e-3 })
		if d := cmp.Diff(want, got, near, cmpopts.EquateEmpty()); d != "" {
			t.Fatal("what arrived differs (-sent +arrived):\n", d)
		}
	})
}

func TestOutOfRangeIsMovedToTheEnd(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct{ sent, want float32 }{
		{0, 0}, {0.06, 0}, {0.07, 0.125}, {-0.06, 0}, {-0.07, -0.125},
		{4095, 4095}, {1e9, 4095.875}, {inf, 4095.875},
		{-4096, -4096}, {-1e9, -4096}, {-inf, -4096}, {nan, 0},
	} {
		var got Picture
		sent := Picture{Width: 1, Height: 1, Marks: []Mark{{X: c.sent, Y: c.sent}}}
		if err := Decode(Append(nil, &sent), &got); err != nil {
			t.Fatal(err)
		}
		if m := got.Marks[0]; m.X != c.want || m.Y != c.want || m.W != 0 || m.H != 0 {
			t.Errorf("sent %v, got %+v, want a point at %v", c.sent, m, c.want)
		}
	}
}

// Between marks that touch there is nothing to be seen through, wherever they stand.
func TestWhatTouchesStillTouches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.Float32Range(0, 1000)
		a, b, c := side.Draw(t, "first"), side.Draw(t, "shared"), side.Draw(t, "last")
		var got Picture
		sent := Picture{Width: 1000, Height: 1000, Marks: []Mark{{X: (a + b) / 2, W: b - a}, {X: (b + c) / 2, W: c - b}}}
		if err := Decode(Append(nil, &sent), &got); err != nil {
			t.Fatal(err)
		}
		// Just between two eighths, a sum's own rounding may decide.
		right, left := got.Marks[0].X+got.Marks[0].W/2, got.Marks[1].X-got.Marks[1].W/2
		if edge := math.Abs(math.Mod(float64(b)*8, 1) - .5); edge > .01 && right != left {
			t.Fatalf("one ends at %v, the other begins at %v, and both were at %v", right, left, b)
		}
	})
}

func TestTooMuchStillMakesAPicture(t *testing.T) {
	var got Picture
	for _, size := range []float32{-1, 0, 1e9, float32(math.NaN())} {
		sent := Picture{Width: size, Height: size, Marks: make([]Mark, MaxMarks+7)}
		if err := Decode(Append(nil, &sent), &got); err != nil {
			t.Errorf("size %v: %v", size, err)
		}
		if len(got.Marks) != MaxMarks {
			t.Errorf("%d marks, want the first %d", len(got.Marks), MaxMarks)
		}
	}
}

func TestBadBytesAreNamed(t *testing.T) {
	good := Append(nil, &Picture{Width: 300, Height: 200, Marks: make([]Mark, 3)})
	for _, c := range []struct {
		name  string
		spoil func(b []byte) []byte
		want  string // in the error
	}{
		{"nothing", func(b []byte) []byte { return nil }, "0 bytes, want a header"},
		{"cut header", func(b []byte) []byte { return b[:headerSize-1] }, "want a header"},
		{"cut mark", func(b []byte) []byte { return b[:len(b)-1] }, "want 48 for 3 marks"},
		{"version", func(b []byte) []byte { b[0] = 9; return b }, "version 9"},
		{"theme", func(b []byte) []byte { b[1] = 2; return b }, "theme 2"},
		{"too many", func(b []byte) []byte { b[2], b[3] = 255, 255; return b }, "65535 marks"},
		{"no width", func(b []byte) []byte { b[8], b[9] = 0, 0; return b }, "size 0 × 200"},
		{"height", func(b []byte) []byte { b[10], b[11] = 255, 255; return b }, "size 300 × 8191"},
		{"shape", func(b []byte) []byte { b[headerSize] = byte(Shapes); return b }, "mark 0"},
		{"colour", func(b []byte) []byte { b[headerSize+markSize+1] = byte(Colors); return b }, "mark 1"},
		{"part of what is no arc", func(b []byte) []byte { b[headerSize+2*markSize+3] = 1; return b }, "mark 2"},
	} {
		err := Decode(c.spoil(append([]byte(nil), good...)), new(Picture))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

// Whatever comes, Decode does not panic, and what it takes can be sent again as it was.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{})
	f.Add(Append(nil, &Picture{Width: 1, Height: 1}))
	f.Add(Append(nil, &Picture{Dark: true, Number: 7, Width: 300, Height: 200,
		Marks: []Mark{{Shape: Line, Color: Queue, Alpha: 9, X: -4096, Y: 4095, W: -1, H: 0.125}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		var p Picture
		if Decode(b, &p) != nil {
			return
		}
		again := Append(nil, &p)
		if string(again) != string(b[:len(again)]) {
			t.Fatalf("% x became % x", b, again)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	p, buf := benchPicture()
	b.ReportAllocs()
	for b.Loop() {
		buf = Append(buf[:0], p)
	}
}

func BenchmarkDecode(b *testing.B) {
	p, buf := benchPicture()
	b.ReportAllocs()
	for b.Loop() {
		if err := Decode(buf, p); err != nil {
			b.Fatal(err)
		}
	}
}

func TestNothingIsAllocatedPerFrame(t *testing.T) {
	p, buf := benchPicture()
	if n := testing.AllocsPerRun(10, func() {
		buf = Append(buf[:0], p)
		if err := Decode(buf, p); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a frame, want 0", n)
	}
}

func benchPicture() (*Picture, []byte) {
	p := &Picture{Width: 700, Height: 400, Marks: make([]Mark, 2000)}
	for i := range p.Marks {
		p.Marks[i] = Mark{Shape: Shape(i % int(Shapes)), Color: Color(i % int(Colors)), Alpha: 255,
			X: float32(i % 700), Y: float32(i % 400), W: 8, H: 8}
	}
	return p, Append(nil, p)
}
