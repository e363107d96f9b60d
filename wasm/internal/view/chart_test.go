package view

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var nan = float32(math.NaN())

// plain, lineOf and bandOf are what a chart does step by step.
func plain(left, top, width, height, span float32, s scale) *plane {
	p := newPlane(left, top, width, height, span)
	p.scale = s
	return &p
}

func lineOf(p *plane, values []float32) []byte {
	return p.line(nil, values, columns(nil, values, p.step))
}

func bandOf(p *plane, low, high []float32) []byte {
	return p.band(nil, side{low, columns(nil, low, p.step)}, side{high, columns(nil, high, p.step)})
}

// drawnPoint is a point of a path; start says that the pen was put down there.
type drawnPoint struct {
	x, y  float32
	start bool
}

var command = regexp.MustCompile(`([MVHLz])(-?[0-9.]+)?(?: (-?[0-9.]+))?`)

// points reads the points of a path.
func points(t *testing.T, path []byte) (all []drawnPoint) {
	t.Helper()
	if rest := command.ReplaceAll(path, nil); len(rest) > 0 {
		t.Fatalf("not a path: %q in %q", rest, path)
	}
	number := func(text []byte) float32 {
		v, err := strconv.ParseFloat(string(text), 32)
		if err != nil {
			t.Fatalf("not a path: %v in %q", err, path)
		}
		return float32(v)
	}
	var at drawnPoint
	for _, m := range command.FindAllSubmatch(path, -1) {
		switch at.start = false; m[1][0] {
		case 'M', 'L':
			at = drawnPoint{number(m[2]), number(m[3]), m[1][0] == 'M'}
		case 'H':
			at.x = number(m[2])
		case 'V':
			at.y = number(m[2])
		case 'z':
			continue
		}
		all = append(all, at)
	}
	return all
}

func close(a, b float32) bool { return math.Abs(float64(a-b)) <= .051 }

// someValues are random ones with gaps and peaks.
func someValues(r *rand.Rand, n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		switch r.IntN(8) {
		case 0:
			values[i] = nan
		case 1:
			values[i] = 0
		case 2:
			values[i] = 1000
		default:
			values[i] = float32(r.IntN(1000))
		}
	}
	return values
}

// What a line shows of a column of seconds is its least and its most, as somebody finds them who looks at each second: at
// its beginning, and up to its end.
func TestLineHasTheLeastAndTheMostOfEachColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		span, width := float32(1+r.IntN(2000)), float32(20+r.IntN(400))
		p := plain(40, 8, width, 100, span, scale{to: 1000})
		values := someValues(r, r.IntN(int(span)+1))
		drawn := points(t, lineOf(p, values))
		broken := true // nothing goes on from here
		for from := 0; from < len(values); from += p.step {
			to := min(from+p.step, len(values))
			low, high, any := float32(math.Inf(1)), float32(math.Inf(-1)), false
			for _, v := range values[from:to] {
				if v == v {
					low, high, any = min(low, v), max(high, v), true
				}
			}
			if !any {
				broken = true
				continue
			}
			begins, ends := p.x(float32(from)), p.x(float32(to))
			ys := map[float32]bool{}
			n := 0
			for n < len(drawn) && close(drawn[n].x, begins) && n < 2 {
				if drawn[n].start != (broken && n == 0) {
					t.Fatalf("the seconds from %d on: begins anew %v, want %v", from, drawn[n].start, broken)
				}
				for _, v := range [...]float32{low, high} {
					ys[v] = ys[v] || close(drawn[n].y, p.y(v))
				}
				if n++; low == high {
					break
				}
			}
			if !ys[low] || !ys[high] || n == len(drawn) || !close(drawn[n].x, ends) || drawn[n].y != drawn[n-1].y {
				t.Fatalf("the seconds from %d on: %v of %v, want %v and %v from %v to %v", from, ys, drawn, low, high, begins, ends)
			}
			drawn, broken = drawn[n+1:], false
		}
		if len(drawn) > 0 {
			t.Fatalf("%d points too many", len(drawn))
		}
	}
}

// A band is as high as the highest and as low as the lowest of each column.
func TestBandIsAsWideAsAnySecondOfAColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		span, width := float32(1+r.IntN(2000)), float32(20+r.IntN(400))
		p := plain(40, 8, width, 100, span, scale{to: 2000})
		n := r.IntN(int(span) + 1)
		var low []float32
		if round%2 == 0 {
			low = someValues(r, n)
		}
		high := someValues(r, n)
		drawn := points(t, bandOf(p, low, high))
		at := func(x, y float32) bool {
			return slices.ContainsFunc(drawn, func(d drawnPoint) bool { return close(d.x, x) && close(d.y, y) })
		}
		runs, was := 0, false
		for from := 0; from < n; from += p.step {
			to := min(from+p.step, n)
			top, bottom := nan, nan
			for i := from; i < to; i++ {
				if high[i] == high[i] && !(top >= high[i]) {
					top = high[i]
				}
				if low == nil {
					bottom = 0
				} else if low[i] == low[i] && !(bottom <= low[i]) {
					bottom = low[i]
				}
			}
			filled := top == top && bottom == bottom
			for _, x := range [...]float32{p.x(float32(from)), p.x(float32(to))} {
				if filled && !(at(x, p.y(top)) && at(x, p.y(bottom))) {
					t.Fatalf("the seconds from %d to %d, between %v and %v: not all its corners are in %v", from, to, bottom, top, drawn)
				}
			}
			if filled && !was {
				runs++
			}
			was = filled
		}
		for _, d := range drawn {
			if d.start {
				runs--
			}
		}
		if runs != 0 {
			t.Fatalf("%d pieces are missing", runs)
		}
	}
}

// An effect is not drawn before its cause: of what is counted second by second, nothing rises or falls before the second
// in which it was counted, nor goes on after it.
func TestNothingIsDrawnBeforeItsSecond(t *testing.T) {
	const second = 3
	for _, width := range []float32{60, 270, 800} {
		p := plain(40, 8, width, 100, 10, scale{to: 100})
		values := make([]float32, 10)
		values[second] = 80
		for name, path := range map[string][]byte{"line": lineOf(p, values), "band": bandOf(p, nil, values)} {
			high := false
			for _, d := range points(t, path) {
				if close(d.y, p.y(0)) {
					continue
				}
				high = true
				if d.x < p.x(second)-.051 || d.x > p.x(second+1)+.051 {
					t.Errorf("%v px, %s: at %v it is at %v, though nothing was counted but from %v to %v", width, name, d.x, d.y, p.x(second), p.x(second+1))
				}
			}
			if !high {
				t.Errorf("%v px, %s: what was counted is not there", width, name)
			}
		}
	}
}

func TestOneSecondOfFourHoursIsSeen(t *testing.T) {
	const hours = 4 * 3600
	values := make([]float32, hours)
	for i := range values {
		values[i] = 100
	}
	values[9_999], values[12_345] = 1000, 0
	p := plain(48, 8, 280, 100, hours, scale{to: 1000})
	path := lineOf(p, values)
	drawn := points(t, path)
	peak, hole := false, false
	for _, d := range drawn {
		peak = peak || close(d.y, p.y(1000)) && math.Abs(float64(d.x-p.x(9_999.5))) <= 1
		hole = hole || close(d.y, p.y(0)) && math.Abs(float64(d.x-p.x(12_345.5))) <= 1
	}
	if !peak || !hole {
		t.Errorf("the peak is seen %v, the hole %v", peak, hole)
	}
	if most := 3 * 280; len(drawn) > most {
		t.Errorf("%d points, want no more than %d", len(drawn), most)
	}
	if low, high := p.y(100), p.y(1000); len(bandOf(p, nil, values)) == 0 || low < high {
		t.Error("no band")
	}
	buffer := make([]byte, 0, 2*len(path))
	all := columns(nil, values, p.step)
	if n := testing.AllocsPerRun(10, func() { buffer = p.line(buffer[:0], values, all) }); n > 0 {
		t.Errorf("%v allocations for a line", n)
	}
}

func TestPathsOfLittle(t *testing.T) {
	p := plain(0, 0, 100, 100, 10, scale{to: 10})
	for _, test := range []struct {
		name string
		got  []byte
		want string
	}{
		{"no seconds", lineOf(p, nil), ""},
		{"no seconds filled", bandOf(p, nil, nil), ""},
		{"one second", lineOf(p, []float32{5}), "M0 50H10"},
		{"one second filled is a second wide", bandOf(p, nil, []float32{5}), "M0 50V50H10V100H0z"},
		{"only gaps", lineOf(p, []float32{nan, nan}), ""},
		{"only gaps filled", bandOf(p, nil, []float32{nan, nan}), ""},
		{"zeros", lineOf(p, []float32{0, 0}), "M0 100H10V100H20"},
		{"a gap", lineOf(p, []float32{0, nan, 10, 10}), "M0 100H10M20 0H30V0H40"},
		{"beyond the scale", lineOf(p, []float32{20, -1}), "M0 0H10V100H20"},
	} {
		if string(test.got) != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}

func TestNumbersInPaths(t *testing.T) {
	for x, want := range map[float32]string{0: "0", 1: "1", 1.25: "1.3", -.04: "0", -.06: "-0.1", -12.34: "-12.3", 99.96: "100", 1e5: "100000"} {
		if got := string(tenth(nil, x)); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
}

// A scale of counts has all of them on it, wastes less than a tick, and its ticks are numbers that people use.
func TestCountScale(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		most := float32(math.Floor(math.Pow(10, r.Float64()*7) - 1))
		s, tick := countScale(most)
		if s.from != 0 || s.to < most || s.to-most >= tick && most > 0 {
			t.Fatalf("%v: up to %v by %v", most, s.to, tick)
		}
		if n := s.to / tick; n < 1 || n > 5 || n != float32(math.Trunc(float64(n))) {
			t.Fatalf("%v: %v ticks", most, n)
		}
		if lead := strings.TrimRight(strconv.Itoa(int(tick)), "0"); lead != "1" && lead != "2" && lead != "5" {
			t.Fatalf("%v: a tick each %v", most, tick)
		}
	}
	if s, tick := countScale(0); s.to != 1 || tick != 1 {
		t.Errorf("nothing: up to %v by %v, want 1 by 1", s.to, tick)
	}
}

func TestTimeScale(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, test := range []struct{ least, most, from, to float32 }{
		{.02, .5, .01, 1}, {.1, .1, .1, 1}, {.001, .001, .001, .01}, {.0005, 30, .0001, 100}, {.1, 1, .1, 1},
		{inf, 0, .001, 1}, {nan, nan, .001, 1}, {.001, inf, .001, 1},
	} {
		s := timeScale(test.least, test.most)
		if math.Abs(float64(s.from/test.from-1)) > 1e-3 || math.Abs(float64(s.to/test.to-1)) > 1e-3 {
			t.Errorf("%v to %v: a scale from %v to %v, want %v to %v", test.least, test.most, s.from, s.to, test.from, test.to)
		}
		for _, v := range []float32{0, s.from, s.to, s.to * 2} {
			if at := s.at(v); !(at >= 0 && at <= 1) {
				t.Errorf("%v stands at %v", v, at)
			}
		}
	}
	if s := timeScale(.001, 1); math.Abs(float64(s.at(.01))-1./3) > 1e-3 {
		t.Errorf("10 ms of 1 ms to 1 s stand at %v, want a third", s.at(.01))
	}
}

func TestTicksOfTime(t *testing.T) {
	for _, test := range []struct {
		t, tick time.Duration
		want    string
	}{
		{0, time.Second, "0"}, {5 * time.Second, 5 * time.Second, "5 s"}, {90 * time.Second, 30 * time.Second, "90 s"},
		{time.Minute, time.Minute, "1 min"}, {time.Hour, 20 * time.Minute, "1 h"}, {80 * time.Minute, 20 * time.Minute, "80 min"},
	} {
		if got := tickTime(test.t, test.tick); got != test.want {
			t.Errorf("%v is written %q, want %q", test.t, got, test.want)
		}
	}
	for _, span := range []float32{1, 10, 60, 130, 3600, 4 * 3600} {
		for _, width := range []float32{200, 800} {
			if tick := float32(timeTick(span, width, 50).Seconds()); tick/span*width < 50 && tick < 4*3600 {
				t.Errorf("%v s on %v pixels: a tick each %v s", span, width, tick)
			}
		}
	}
}

func TestChartSpan(t *testing.T) {
	s := time.Second
	for _, test := range []struct{ seen, all, want time.Duration }{
		{0, 60 * s, 10 * s}, {10 * s, 60 * s, 10 * s}, {11 * s, 60 * s, 20 * s}, {59 * s, 60 * s, 60 * s}, {0, 5 * s, 5 * s},
		{70 * s, 60 * s, 60 * s}, {0, 0, s}, {3 * time.Hour, 4 * time.Hour, 4 * time.Hour},
	} {
		if got := ChartSpan(test.seen, test.all); got != test.want {
			t.Errorf("%v of %v: %v, want %v", test.seen, test.all, got, test.want)
		}
	}
}

func TestApart(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		ys := make([]float32, r.IntN(6))
		for i := range ys {
			ys[i] = float32(r.IntN(110)) - 5
			if i > 0 {
				ys[i] = max(ys[i], ys[i-1])
			}
		}
		was := append([]float32(nil), ys...)
		apart(ys, 14, 0, 100)
		fits := true
		for i := range was {
			fits = fits && was[i] >= 0 && was[i] <= 100 && (i == 0 || was[i]-was[i-1] >= 14)
		}
		for i, y := range ys {
			if y < 0 || y > 100 || i > 0 && y-ys[i-1] < 14 {
				t.Fatalf("%v became %v", was, ys)
			}
			if fits && y != was[i] {
				t.Fatalf("%v had room, and became %v", was, ys)
			}
		}
	}
}

func TestStairs(t *testing.T) {
	p := plain(0, 0, 100, 100, 10, scale{to: 100})
	s := time.Second
	all := []Capacity{{0, 8, 80}, {3 * s, 8, 10}, {6 * s, 8, 200}, {8 * s, 8, 80}, {20 * s, 8, 5}}
	rate := func(c *Capacity) float32 { return float32(c.Rate) }
	if got, want := string(p.stairs(nil, all, rate)), "M0 20H30L30 90H60M80 20H100"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := p.stairs(nil, nil, rate); len(got) != 0 {
		t.Errorf("%q of nothing", got)
	}
}
