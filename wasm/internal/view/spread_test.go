package view

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// spreadOf is outcomes with those bad seconds; negative ones never recovered.
func spreadOf(name string, bad ...int) Spread {
	s := Spread{Name: name}
	for i, b := range bad {
		o := Outcome{Seed: uint64(i + 1), Bad: max(b, -b), Recovery: time.Second}
		if b < 0 {
			o.Never, o.Recovery = true, -1
		}
		s.Outcomes = append(s.Outcomes, o)
	}
	return s
}

// repeated is a number n times.
func repeated(n, bad int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = bad
	}
	return all
}

func TestSpreadInWords(t *testing.T) {
	for want, s := range map[string]Spread{
		"Run A: 6 bad seconds at the median, 3 to 27; never recovered: 1 of 3.": spreadOf("run A", 6, -27, 3),
		"4.5 bad seconds at the median, 3 to 6; never recovered: 0 of 2.":       spreadOf("", 6, 3),
		"3 bad seconds in every one; never recovered: 0 of 2.":                  spreadOf("", 3, 3),
		"1 bad second in every one; never recovered: 0 of 1.":                   spreadOf("", 1),
		"Run B: 57 bad seconds in every one; never recovered: 2 of 2.":          spreadOf("run B", -57, -57),
		"": spreadOf("run B"),
	} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestMoral(t *testing.T) {
	third := append(repeated(33, 8), repeated(67, -57)...)
	for _, c := range []struct {
		want string
		all  []Spread
		even bool
	}{
		{"One seed in three recovers; nobody should believe one.", []Spread{spreadOf("", third...)}, false},
		{"63 of 100 seeds recover, and the others never do; nobody should believe one.", []Spread{spreadOf("", append(repeated(63, 8), repeated(37, -57)...)...)}, false},
		{"Only 1 of 100 seeds recovers; nobody should believe one.", []Spread{spreadOf("", append(repeated(99, -57), 8)...)}, false},
		{"No seed recovers: that is not luck, it is the rule.", []Spread{spreadOf("", -57, -56)}, false},
		{"Every seed comes to the same: luck has no say in it.", []Spread{spreadOf("", 3, 3)}, false},
		{"Every seed comes to the same, since users come evenly spaced here. Let them come by chance, as they do, and it is another matter.", []Spread{spreadOf("", -57, -57)}, true},
		{"The seeds agree, within 1 second.", []Spread{spreadOf("", 3, 4, 3)}, true},
		{"Between the luckiest seed and the unluckiest lie 9 bad seconds; nobody should believe one.", []Spread{spreadOf("", 3, 12, 3)}, false},
		{"Seed by seed, on the same traffic, run B has fewer bad seconds every time.", []Spread{spreadOf("run A", 8, -57), spreadOf("run B", 3, 4)}, false},
		{"Seed by seed, on the same traffic, run A has fewer bad seconds every time.", []Spread{spreadOf("run A", 3, 4), spreadOf("run B", 8, -57)}, false},
		{"Seed by seed, on the same traffic, run A and run B have as many bad seconds.", []Spread{spreadOf("run A", 3, 4), spreadOf("run B", 3, 4)}, false},
		{"On the same traffic run B has fewer bad seconds in 1 of 3 seeds, and run A in 1; in the others they have as many.", []Spread{spreadOf("run A", 3, 4, 5), spreadOf("run B", 2, 4, 6)}, false},
		{"On the same traffic run B has fewer bad seconds in 1 of 2 seeds, and never more.", []Spread{spreadOf("run A", 3, 4), spreadOf("run B", 2, 4)}, false},
		{"", nil, false},
		{"", []Spread{spreadOf("run A", 3), spreadOf("run B")}, false},
	} {
		if got := Moral(c.all, c.even); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

var (
	dotAt   = regexp.MustCompile(`M(-?[\d.]+) (-?[\d.]+)a`)
	crossAt = regexp.MustCompile(`M(-?[\d.]+) (-?[\d.]+)l`)
)

func number(t *rapid.T, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Each seed has its mark, of the kind that it is, within its row and between the borders of the bin that says its bad seconds.
func TestStripHasAMarkForEachSeed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []Spread
		for i := range rapid.IntRange(1, 2).Draw(t, "rules") {
			all = append(all, spreadOf([]string{"A", "B"}[i], rapid.SliceOfN(rapid.IntRange(-300, 300), 0, 120).Draw(t, "bad")...))
		}
		width := rapid.Float64Range(200, 1000).Draw(t, "width")
		s := Strips(all, width)
		if s.Width != width || len(s.Rows) != len(all) {
			t.Fatalf("%v wide, %d rows", s.Width, len(s.Rows))
		}
		for i, row := range s.Rows {
			never := all[i].Never()
			dots, crosses := dotAt.FindAllStringSubmatch(row.Recovered, -1), crossAt.FindAllStringSubmatch(row.Never, -1)
			if len(dots) != len(all[i].Outcomes)-never || len(crosses) != never {
				t.Fatalf("%d dots and %d crosses for %d seeds, %d of which never recovered", len(dots), len(crosses), len(all[i].Outcomes), never)
			}
			for _, m := range append(dots, crosses...) {
				x, y := number(t, m[1]), number(t, m[2])
				if x < -.1 || x+2*discRadius > width+.1 || y < row.Top-.1 || y > row.Bottom+.1 {
					t.Errorf("a mark at %v, %v: outside of %v × %v to %v", x, y, width, row.Top, row.Bottom)
				}
			}
			var want, got []int // in each bin
			_, last, ranges := strings.Cut(s.Ticks[0].Text, "–")
			seconds := 1
			if ranges {
				seconds = int(number(t, last)) + 1
			}
			for k := 1; k < len(s.Borders); k++ {
				of, in := 0, 0
				for _, o := range all[i].Outcomes {
					if o.Bad/seconds == k-1 {
						of++
					}
				}
				for kind, marks := range [...][][]string{dots, crosses} {
					for _, m := range marks {
						if x := number(t, m[1]); x > s.Borders[k-1]-.1 && x+[...]float64{2 * discRadius, 6}[kind] < s.Borders[k]+.1 {
							in++
						}
					}
				}
				want, got = append(want, of), append(got, in)
			}
			if !slices.Equal(got, want) {
				t.Errorf("in bins of %d s are %v marks, of seeds there are %v", seconds, got, want)
			}
		}
		for k := 1; k < len(s.Ticks); k++ {
			if s.Ticks[k].X-s.Ticks[k-1].X < float64(Note.width(s.Ticks[k].Text, true))+4 {
				t.Errorf("ticks at %v and %v", s.Ticks[k-1].X, s.Ticks[k].X)
			}
		}
		if last := s.Ticks[len(s.Ticks)-1]; last.X > width || !strings.HasPrefix(s.Ticks[0].Text, "0") {
			t.Errorf("ticks from %q to %v", s.Ticks[0].Text, last.X)
		}
	})
}

// A hundred seeds are a hundred marks that can be counted, however many come to the same.
func TestMarksOfSeedsStandApart(t *testing.T) {
	for name, bad := range map[string][]int{
		"all alike": repeated(100, -57), "two ways it ends": append(repeated(63, 8), repeated(37, -57)...),
		"one of them wide": append(repeated(37, -57), 3, 4, 4, 5, 5, 5, 6, 7, 8, 9, 31),
	} {
		for _, width := range []float64{241, 328, 816} {
			row := Strips([]Spread{spreadOf("run A", bad...), spreadOf("run B", repeated(100, 2)...)}, width).Rows[0]
			var at [][2]float64
			for kind, found := range [][][]string{dotAt.FindAllStringSubmatch(row.Recovered, -1), crossAt.FindAllStringSubmatch(row.Never, -1)} {
				for _, m := range found {
					x, _ := strconv.ParseFloat(m[1], 64)
					y, _ := strconv.ParseFloat(m[2], 64)
					middle := [2]float64{x + discRadius, y}
					if kind == 1 {
						middle = [2]float64{x + 3, y + 3}
					}
					for _, o := range at {
						if d := math.Hypot(o[0]-middle[0], o[1]-middle[1]); d < discApart-.2 {
							t.Fatalf("%s, %v px wide: marks at %v and %v", name, width, o, middle)
						}
					}
					at = append(at, middle)
				}
			}
			if len(at) != len(bad) {
				t.Errorf("%s, %v px wide: %d marks", name, width, len(at))
			}
		}
	}
}

func TestStripPutsMoreBadSecondsFurtherRight(t *testing.T) {
	s := Strips([]Spread{spreadOf("", 0, 5, 10)}, 300)
	got := dotAt.FindAllStringSubmatch(s.Rows[0].Recovered, -1)
	var last float64 = -100
	for i, m := range got {
		x, err := strconv.ParseFloat(m[1], 64)
		if err != nil || x <= last {
			t.Errorf("dot %d at %v, after %v", i, x, last)
		}
		if tick := s.Ticks[len(s.Ticks)-1]; i == 2 && (tick.Text != "10" || math.Abs(x+discRadius-tick.X) > .1) {
			t.Errorf("10 bad seconds at %v, the tick %s at %v", x+discRadius, tick.Text, tick.X)
		}
		last = x
	}
	if middle := (s.Ticks[0].X + s.Ticks[len(s.Ticks)-1].X) / 2; math.Abs(s.Rows[0].Median-middle) > .1 {
		t.Errorf("the median of 0, 5 and 10 at %v", s.Rows[0].Median)
	}
}

func TestOutcomeCells(t *testing.T) {
	o := Outcome{Bad: 8, Recovery: 5200 * time.Millisecond, Failed: .134, Amplification: 4}
	if got := strings.Join(cells(o), "|"); got != "8|5.2 s|13 %|4.00×" {
		t.Error(got)
	}
	o.Never, o.Recovery = true, -1
	if got := cells(o)[1]; got != "never" {
		t.Error(got)
	}
	o.Never = false
	if got := cells(o)[1]; got != "–" {
		t.Error(got)
	}
}

func cells(o Outcome) []string { c := o.Cells(); return c[:] }
