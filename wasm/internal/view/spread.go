package view

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"time"

	"stormbin/engine/metrics"
)

// Outcome is what a scenario came to under one seed.
type Outcome struct {
	Seed uint64
	Bad  int // seconds
	// Recovery is from the end of the last fault to the end of the last bad moment after it. Negative: it is still bad at
	// the end, or no fault ended; Never tells the first.
	Recovery      time.Duration
	Never         bool
	Failed        float64 // share of the requests
	Amplification float64 // of the dependency that is looked at
}

// Spread is what one rule came to under many seeds, in their order.
type Spread struct {
	Name     string // run A or run B; empty where there is only one
	Outcomes []Outcome
}

// Median, Least and Most are of the bad seconds. There is at least one outcome.
func (s *Spread) Median() float64 {
	bad := s.bad()
	half := len(bad) / 2
	if len(bad)%2 == 0 {
		return float64(bad[half-1]+bad[half]) / 2
	}
	return float64(bad[half])
}

func (s *Spread) bad() []int {
	bad := make([]int, len(s.Outcomes))
	for i, o := range s.Outcomes {
		bad[i] = o.Bad
	}
	sort.Sort(sort.IntSlice(bad))
	return bad
}

// Never counts the seeds that never recovered.
func (s *Spread) Never() (n int) {
	for _, o := range s.Outcomes {
		if o.Never {
			n++
		}
	}
	return n
}

// String says where the bad seconds lie: "Run A: 8 bad seconds at the median, 5 to 31; never recovered: 37 of 100."
func (s *Spread) String() string {
	if len(s.Outcomes) == 0 {
		return ""
	}
	name := ""
	if s.Name != "" {
		name = Capital(s.Name) + ": "
	}
	bad := s.bad()
	text := name + halves(s.Median()) + " bad seconds at the median, " + strconv.Itoa(bad[0]) + " to " + strconv.Itoa(bad[len(bad)-1])
	if bad[0] == bad[len(bad)-1] {
		text = name + metrics.Plural(bad[0], "bad second", "bad seconds") + " in every one"
	}
	return text + "; never recovered: " + strconv.Itoa(s.Never()) + " of " + strconv.Itoa(len(s.Outcomes)) + "."
}

// halves is a number of which at most a half is left over.
func halves(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Moral is the one sentence to take away from one spread, or two on the same traffic. even says that users come evenly
// spaced, so that their coming is no luck.
func Moral(all []Spread, even bool) string {
	if len(all) == 0 || len(all[len(all)-1].Outcomes) == 0 {
		return ""
	}
	if len(all) == 2 {
		return versus(&all[0], &all[1])
	}
	s := &all[0]
	n, never, bad := len(s.Outcomes), s.Never(), s.bad()
	spread := bad[len(bad)-1] - bad[0]
	switch {
	case spread == 0 && even:
		return "Every seed comes to the same, since users come evenly spaced here. Let them come by chance, as they do, and it is another matter."
	case n == 1:
		return "One seed proves nothing."
	case never == n:
		return "No seed recovers: that is not luck, it is the rule."
	case never > 0 && never < n:
		return luckOf(n-never, n) + "; nobody should believe one."
	case spread == 0:
		return "Every seed comes to the same: luck has no say in it."
	case float64(spread) > max(3, s.Median()/2):
		return "Between the luckiest seed and the unluckiest lie " + strconv.Itoa(spread) + " bad seconds; nobody should believe one."
	}
	return "The seeds agree, within " + metrics.Plural(spread, "second", "seconds") + "."
}

// luckOf says how many of n recover, as people say it.
func luckOf(k, n int) string {
	words := [...]string{2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}
	for d := 2; d <= 10; d++ {
		if math.Abs(float64(k)/float64(n)-1/float64(d)) < .02 {
			return "One seed in " + words[d] + " recovers"
		}
	}
	if 2*k > n {
		return strconv.Itoa(k) + " of " + strconv.Itoa(n) + " seeds recover, and the others never do"
	}
	if k == 1 {
		return "Only 1 of " + strconv.Itoa(n) + " seeds recovers"
	}
	return "Only " + strconv.Itoa(k) + " of " + strconv.Itoa(n) + " seeds recover"
}

// versus holds two rules against each other seed by seed, which is on the same traffic.
func versus(a, b *Spread) string {
	n, better, worse := min(len(a.Outcomes), len(b.Outcomes)), 0, 0
	for i := range n {
		switch cmp.Compare(b.Outcomes[i].Bad, a.Outcomes[i].Bad) {
		case -1:
			better++
		case 1:
			worse++
		}
	}
	of := " of " + strconv.Itoa(n) + " seeds"
	switch {
	case better == n:
		return "Seed by seed, on the same traffic, run B has fewer bad seconds every time."
	case worse == n:
		return "Seed by seed, on the same traffic, run A has fewer bad seconds every time."
	case better+worse == 0:
		return "Seed by seed, on the same traffic, run A and run B have as many bad seconds."
	case worse == 0:
		return "On the same traffic run B has fewer bad seconds in " + strconv.Itoa(better) + of + ", and never more."
	case better == 0:
		return "On the same traffic run A has fewer bad seconds in " + strconv.Itoa(worse) + of + ", and never more."
	}
	return "On the same traffic run B has fewer bad seconds in " + strconv.Itoa(better) + of + ", and run A in " + strconv.Itoa(worse) + "; in the others they have as many."
}

// SpreadColumns names what [Outcome.Cells] holds; at is the dependency that is looked at.
func SpreadColumns(at string) [4]string {
	return [4]string{"bad seconds", "recovery", "failed", "attempts at " + metrics.The(at)}
}

// Cells is one seed's line of the table.
func (o *Outcome) Cells() [4]string {
	recovery := "–"
	switch {
	case o.Never:
		recovery = "never"
	case o.Recovery >= 0:
		recovery = strconv.FormatFloat(o.Recovery.Seconds(), 'f', 1, 64) + " s"
	}
	return [4]string{strconv.Itoa(o.Bad), recovery, Percent(o.Failed), Times(o.Amplification)}
}

// Strip is how spreads are drawn: a mark for each seed, in the bin of its bad seconds. Lengths are in CSS pixels.
type Strip struct {
	Width, Height float64
	Rows          []StripRow
	Axis          float64   // where the axis lies
	Borders       []float64 // of the bins, on the axis
	Ticks         []StripTick
}

// StripRow is one spread of a strip.
type StripRow struct {
	Name        string
	Y           float64 // of its middle
	Recovered   string  // the path of the dots
	Never       string  // the path of the crosses: seeds that never recovered
	Median      float64 // where on the axis
	Top, Bottom float64
}

// StripTick says under the middle of a bin which bad seconds it is of.
type StripTick struct {
	X    float64
	Text string
}

const (
	discRadius  = 3.5
	discApart   = 9 // from middle to middle
	stripHeight = 112
	stripDeep   = stripHeight / discApart // so many stand one above the other
	stripGap    = 16
	stripAxis   = 38
	stripName   = 48
)

// Strips draws spreads, one under the other on one axis, which is divided into bins: of a second each, or of as many as it
// takes for all marks to stand in theirs side by side.
func Strips(all []Spread, width float64) Strip {
	most, left := 0, 0.
	for i := range all {
		for _, o := range all[i].Outcomes {
			most = max(most, o.Bad)
		}
		if all[i].Name != "" {
			left = stripName
		}
	}
	bins := bins{left: left, room: max(width-left, discApart)}
	for bins.count == 0 || bins.count > 1 && bins.crowded(all) {
		bins.seconds = steps(float64(bins.seconds + 1))
		bins.count = most/bins.seconds + 1
	}

	s := Strip{Width: width}
	for i := range all {
		row := StripRow{Name: all[i].Name, Top: float64(i) * (stripHeight + stripGap)}
		row.Bottom = row.Top + stripHeight
		row.Y = row.Top + stripHeight/2
		if len(all[i].Outcomes) > 0 {
			row.Median = left + (all[i].Median()+.5)/float64(bins.seconds)*bins.width()
			row.dots(all[i].Outcomes, bins)
		}
		s.Rows = append(s.Rows, row)
	}
	s.Axis = float64(len(all))*(stripHeight+stripGap) - stripGap + 6
	s.Height = s.Axis + stripAxis
	every := steps(float64(Note.width(bins.text(bins.count-1), false)+8) / bins.width())
	for b := range bins.count {
		s.Borders = append(s.Borders, bins.middle(b)-bins.width()/2)
		if b%every == 0 {
			s.Ticks = append(s.Ticks, StripTick{bins.middle(b), bins.text(b)})
		}
	}
	s.Borders = append(s.Borders, left+bins.room)
	return s
}

// bins are what the axis is divided into.
type bins struct {
	count, seconds int // how many, and how many seconds each is of
	left, room     float64
}

// width is how wide each is, and middle where on the axis one has its middle.
func (b *bins) width() float64         { return b.room / float64(b.count) }
func (b *bins) middle(bin int) float64 { return b.left + (float64(bin)+.5)*b.width() }

// columns is how many marks have room in one side by side.
func (b *bins) columns() int { return max(int(b.width()/discApart), 1) }

// text is the bad seconds that one is of.
func (b *bins) text(bin int) string {
	first := bin * b.seconds
	if b.seconds == 1 {
		return strconv.Itoa(first)
	}
	return strconv.Itoa(first) + "–" + strconv.Itoa(first+b.seconds-1)
}

// crowded tells whether a bin has more marks than room for them.
func (b *bins) crowded(all []Spread) bool {
	if b.width() < discApart {
		return true
	}
	for i := range all {
		n := make([]int, b.count)
		for _, o := range all[i].Outcomes {
			bin := o.Bad / b.seconds
			if n[bin]++; n[bin] > b.columns()*stripDeep {
				return true
			}
		}
	}
	return false
}

// dots places the seeds of each bin about its middle, those that recovered first, in columns; closer together if not even a
// single bin has room for all.
func (r *StripRow) dots(all []Outcome, bins bins) {
	inOrder := slices.Clone(all)
	sort.SliceStable(inOrder, func(i, j int) bool {
		a, b := inOrder[i], inOrder[j]
		return cmp.Or(cmp.Compare(a.Bad/bins.seconds, b.Bad/bins.seconds), cmp.Compare(toInt(a.Never), toInt(b.Never))) < 0
	})
	var recovered, never []byte
	for i := 0; i < len(inOrder); {
		bin, n := inOrder[i].Bad/bins.seconds, 0
		for ; i+n < len(inOrder) && inOrder[i+n].Bad/bins.seconds == bin; n++ {
		}
		columns := min((n+stripDeep-1)/stripDeep, bins.columns())
		deep := (n + columns - 1) / columns
		apart := min(discApart, (stripHeight-2*discRadius)/float64(max(deep-1, 1)))
		for k := range n {
			column, place := k/deep, k%deep
			in := min(deep, n-column*deep) // in this column
			x := bins.middle(bin) + (float64(column)-float64(columns-1)/2)*discApart
			y := r.Y + (float64(in-1)/2-float64(place))*apart
			if inOrder[i+k].Never {
				never = appendCross(never, x, y)
			} else {
				recovered = appendDisc(recovered, x, y)
			}
		}
		i += n
	}
	r.Recovered, r.Never = string(recovered), string(never)
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func appendDisc(d []byte, x, y float64) []byte {
	d = append(d, 'M')
	d = appendTenth(d, x-discRadius)
	d = append(d, ' ')
	d = appendTenth(d, y)
	return append(d, "a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0"...)
}

func appendCross(d []byte, x, y float64) []byte {
	d = append(d, 'M')
	d = appendTenth(d, x-3)
	d = append(d, ' ')
	d = appendTenth(d, y-3)
	return append(d, "l6 6m0-6l-6 6"...)
}

func appendTenth(d []byte, x float64) []byte {
	return strconv.AppendFloat(d, math.Round(10*x)/10, 'f', -1, 64)
}
