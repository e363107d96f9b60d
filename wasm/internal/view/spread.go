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

// Strip is how spreads are drawn: a dot for each seed, over its bad seconds. Lengths are in CSS pixels.
type Strip struct {
	Width, Height float64
	Rows          []StripRow
	Axis          float64 // where the axis lies
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

// StripTick is a number on the axis.
type StripTick struct {
	X    float64
	Text string
}

const (
	discRadius  = 3.5
	discApart   = 9 // from middle to middle
	stripHeight = 76
	stripDeep   = stripHeight / discApart // so many stand one above the other
	stripGap    = 16
	stripAxis   = 38
	stripName   = 48
)

// Strips draws spreads, one under the other on one axis. Each number of bad seconds has a band of its own, as wide as
// the others; where there is no room for that, or not for all of its marks beside and above each other, neighbours share one.
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
	step := stripStep(most)
	most = max((most+step-1)/step, 1) * step
	room := max(width-left, discApart)
	at := func(bad float64) float64 { return left + (bad+.5)/float64(most+1)*room }
	bands := bands{count: min(most+1, max(int(room/discApart), 1)), most: most, left: left, room: room}
	for bands.count > 1 && bands.crowded(all) {
		bands.count--
	}

	s := Strip{Width: width}
	for i := range all {
		row := StripRow{Name: all[i].Name, Top: float64(i) * (stripHeight + stripGap)}
		row.Bottom = row.Top + stripHeight
		row.Y = row.Top + stripHeight/2
		if len(all[i].Outcomes) > 0 {
			row.Median = at(all[i].Median())
			row.dots(all[i].Outcomes, bands)
		}
		s.Rows = append(s.Rows, row)
	}
	s.Axis = float64(len(all))*(stripHeight+stripGap) - stripGap + 6
	s.Height = s.Axis + stripAxis
	for t := 0; t <= most; t += step {
		s.Ticks = append(s.Ticks, StripTick{at(float64(t)), strconv.Itoa(t)})
	}
	return s
}

// bands are what the axis is divided into.
type bands struct {
	count, most int
	left, room  float64
}

// of is which band those bad seconds are in.
func (b *bands) of(bad int) int { return bad * b.count / (b.most + 1) }

// width is how wide all are.
func (b *bands) width() float64 { return b.room / float64(b.count) }

// crowded tells whether a band has more marks than room for them.
func (b *bands) crowded(all []Spread) bool {
	most := max(int(b.width()/discApart), 1) * stripDeep
	for i := range all {
		n := make([]int, b.count)
		for _, o := range all[i].Outcomes {
			band := b.of(o.Bad)
			if n[band]++; n[band] > most {
				return true
			}
		}
	}
	return false
}

// middle is where on the axis so many columns of a band stand: about the bad seconds that it has, and within it.
func (b *bands) middle(band, columns int, bad float64) float64 {
	from, half := b.left+float64(band)*b.width(), float64(columns)*discApart/2
	return max(from+half, min(b.left+(bad+.5)/float64(b.most+1)*b.room, from+b.width()-half))
}

// dots places the seeds of each band about its middle, those that recovered first: in as many columns as there is room
// for, and closer together if that is not enough.
func (r *StripRow) dots(all []Outcome, bands bands) {
	inOrder := slices.Clone(all)
	sort.SliceStable(inOrder, func(i, j int) bool {
		a, b := inOrder[i], inOrder[j]
		return cmp.Or(cmp.Compare(bands.of(a.Bad), bands.of(b.Bad)), cmp.Compare(toInt(a.Never), toInt(b.Never))) < 0
	})
	var recovered, never []byte
	for i := 0; i < len(inOrder); {
		band, n, bad := bands.of(inOrder[i].Bad), 0, 0
		for ; i+n < len(inOrder) && bands.of(inOrder[i+n].Bad) == band; n++ {
			bad += inOrder[i+n].Bad
		}
		columns := min((n+stripDeep-1)/stripDeep, max(int(bands.width()/discApart), 1))
		middle := bands.middle(band, columns, float64(bad)/float64(n))
		deep := (n + columns - 1) / columns
		apart := min(discApart, (stripHeight-2*discRadius)/float64(max(deep-1, 1)))
		for k := range n {
			column, place := k/deep, k%deep
			in := min(deep, n-column*deep) // in this column
			x := middle + (float64(column)-float64(columns-1)/2)*discApart
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

// stripStep is how far apart the numbers on an axis to most stand: 1, 2 or 5 times a power of ten, of which there are six
// at the most.
func stripStep(most int) int {
	for step := 1; ; step *= 10 {
		for _, s := range [...]int{step, 2 * step, 5 * step} {
			if most <= 5*s {
				return s
			}
		}
	}
}
