package view

import (
	"math"
	"strconv"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/frame"
)

// The charts, in the order in which they stand on the page.
const (
	RequestChart = iota
	AttemptChart
	QueueChart
	SlotChart
	LatencyChart
	Charts // how many there are
)

// curve is one line of a chart.
type curve struct {
	name  string // at its end
	color frame.Color
	of    func(h *History, place int) []float32
	// fill fills what is between it and the curve of the chart whose index is on; -1: the bottom.
	fill bool
	on   int
	// more says that its own value is what it has more than that one, and that it isn't there before it ever had any.
	more bool
	tag  string // what stands at its end then
}

// charts are their lines.
var charts = [Charts][]curve{
	RequestChart: {
		{name: "offered", color: frame.TextMuted, of: func(h *History, _ int) []float32 { return h.Offered }},
		{name: "in time", color: frame.OK, of: func(h *History, _ int) []float32 { return h.InTime }},
		{name: "failed", color: frame.Failed, of: func(h *History, _ int) []float32 { return h.Failed }, fill: true, on: -1},
	},
	AttemptChart: {
		{name: "first", color: frame.First, of: func(h *History, place int) []float32 { return h.Places[place].First }, fill: true, on: -1},
		{name: "retries", color: frame.Retry, of: func(h *History, place int) []float32 { return h.Places[place].Tried }, fill: true, on: 0, more: true, tag: "+ retries"},
		{name: "hedges", color: frame.Hedge, of: func(h *History, place int) []float32 { return h.Places[place].Sent }, fill: true, on: 1, more: true, tag: "+ hedges"},
	},
	QueueChart: {
		{name: "waiting", color: frame.Queue, of: func(h *History, place int) []float32 { return h.Places[place].Queue }, fill: true, on: -1},
	},
	SlotChart: {
		{name: "busy", color: frame.Text, of: func(h *History, place int) []float32 { return h.Places[place].Busy }, fill: true, on: -1},
	},
	LatencyChart: {
		{name: "p50", color: frame.TextMuted, of: func(h *History, _ int) []float32 { return h.P50 }},
		{name: "p99", color: frame.Text, of: func(h *History, _ int) []float32 { return h.P99 }, fill: true, on: 0},
	},
}

// Sample is what charts are drawn of.
type Sample struct {
	A, B *History // A is nil where only one run is on show
	// Place is the dependency whose attempts, queue and slots are shown, by index, and Name is its name.
	Place      int
	Name       string
	Faults     []scenario.Fault // as they were, and are to be
	Capacities []Capacity       // of that dependency
	Now        time.Duration
	Span       time.Duration // that the charts show, from 0
}

// values are a curve's in a run; nil if there are none.
func (s *Sample) values(h *History, c *curve) []float32 {
	if h == nil || s.Place < 0 || s.Place >= len(h.Places) {
		return nil
	}
	return c.of(h, s.Place)
}

// side is a curve as it is drawn of a run; to is used again.
func (s *Sample) side(to side, h *History, c *curve, step int) side {
	to.values = s.values(h, c)
	if c.more && !s.ever(h, c) {
		to.values = nil
	}
	to.columns = columns(to.columns[:0], to.values, step)
	return to
}

// below is what a curve has only more of: the curve that it lies on. nil: nothing.
func (s *Sample) below(h *History, c *curve) []float32 {
	if !c.more {
		return nil
	}
	return s.values(h, &charts[AttemptChart][c.on])
}

// own is a curve's own value in a second of a run; NaN if there is none.
func (s *Sample) own(h *History, c *curve, second int) float32 {
	all, below := s.values(h, c), s.below(h, c)
	if second < 0 || second >= len(all) {
		return float32(math.NaN())
	}
	if below != nil {
		return all[second] - below[second]
	}
	return all[second]
}

// ever tells whether a curve had more than the one it lies on in any second.
func (s *Sample) ever(h *History, c *curve) bool {
	all, below := s.values(h, c), s.below(h, c)
	for i, v := range all {
		if v > below[i] {
			return true
		}
	}
	return false
}

// Chart is one chart as it is drawn, in CSS pixels. The zero value has nothing in it.
type Chart struct {
	kind          int
	width, height float32

	Title    string
	Grid     []byte // a path: a line at each tick
	Ticks    []Label
	Faults   []byte // a path: what is broken, from top to bottom
	Curves   []Curve
	Limit    []byte // a path: what there is room for
	LimitTag Label  // its name; "" if the path is empty
	// Now is where the present is, and Seen where what was seen of any run ends, which is further right after going back.
	Now, Seen float32

	plane plane
	drawn struct {
		plane plane
		place string
	}
	all  []*Label // the names, from the top
	ends []float32
}

// Curve is one line.
type Curve struct {
	Color frame.Color
	// Line and Fill are paths of the run on show, Other is the line of the one that is pinned.
	Line, Fill, Other []byte
	Tag               Label // its name, at its end; "" if it isn't there

	a, b side
}

// Room around a chart's numbers, in pixels: for ticks left of it and below, and names right of it.
const (
	chartLeft   = 48
	chartRight  = 78
	chartTop    = 8
	chartBottom = 22
	tagHeight   = 14
)

// NewChart is one of the charts.
func NewChart(kind int) *Chart {
	c := &Chart{kind: kind}
	for _, k := range charts[kind] {
		c.Curves = append(c.Curves, Curve{Color: k.color})
	}
	return c
}

// Resize sets the size of the chart with its ticks and names.
func (c *Chart) Resize(width, height float32) { c.width, c.height = width, height }

// Top and Bottom are the upper and lower end of the part with numbers.
func (c *Chart) Top() float32    { return chartTop }
func (c *Chart) Bottom() float32 { return c.height - chartBottom }

// Update draws it anew.
func (c *Chart) Update(s *Sample) {
	c.plane = newPlane(chartLeft, chartTop, c.width-chartLeft-chartRight, c.height-chartTop-chartBottom, float32(s.Span.Seconds()))
	p := &c.plane
	for i := range c.Curves {
		of, k := &charts[c.kind][i], &c.Curves[i]
		k.a, k.b = s.side(k.a, s.A, of, p.step), s.side(k.b, s.B, of, p.step)
	}
	tick := c.fit(s)
	if *p != c.drawn.plane || s.Name != c.drawn.place {
		c.drawn.plane, c.drawn.place = *p, s.Name
		c.Title = chartTitle(c.kind, metrics.The(s.Name))
		c.ticks(tick)
	}
	c.Faults = p.spans(c.Faults[:0], s.Faults)
	c.Limit, c.LimitTag = c.Limit[:0], Label{}
	if of := c.limit(); of != nil && len(s.Capacities) > 0 {
		c.Limit = p.stairs(c.Limit, s.Capacities, of)
		if now := &s.Capacities[capacityAt(s.Capacities, s.Now)]; len(c.Limit) > 0 && of(now) <= p.scale.to {
			c.LimitTag = Label{Text: limitNames[c.kind], At: Point{0, p.y(of(now))}, Kind: Note}
		}
	}
	for i := range c.Curves {
		of, k := &charts[c.kind][i], &c.Curves[i]
		k.Fill, k.Tag = k.Fill[:0], Label{}
		k.Line, k.Other = p.line(k.Line[:0], k.b.values, k.b.columns), p.line(k.Other[:0], k.a.values, k.a.columns)
		if of.fill {
			low := side{}
			if of.on >= 0 {
				low = c.Curves[of.on].b
			}
			k.Fill = p.band(k.Fill, low, k.b)
		}
		if last := lastOf(k.b.values); last >= 0 {
			k.Tag = Label{Text: of.name, At: Point{0, p.y(k.b.values[last])}}
			if of.more {
				k.Tag.Text = of.tag
			}
			if last+1 < len(k.b.values) { // where it has no value now, its name is where it ended
				k.Tag.At.X = p.x(float32(last+1)) + 6
			}
		}
	}
	c.Now = p.x(min(float32(s.Now.Seconds()), p.span))
	c.Seen = max(c.Now, p.x(min(float32(s.B.Seconds()), p.span)))
	if s.A != nil {
		c.Seen = max(c.Seen, p.x(min(float32(s.A.Seconds()), p.span)))
	}
	c.tags()
}

// lastOf is the index of the last value that is one, -1 if none is.
func lastOf(values []float32) int {
	for i := len(values) - 1; i >= 0; i-- {
		if values[i] == values[i] {
			return i
		}
	}
	return -1
}

// limit is what there is room for, nil where a chart has no such thing.
func (c *Chart) limit() func(*Capacity) float32 {
	switch c.kind {
	case AttemptChart:
		return func(c *Capacity) float32 { return float32(c.Rate) }
	case SlotChart:
		return func(c *Capacity) float32 { return float32(c.Slots) }
	}
	return nil
}

var limitNames = [Charts]string{AttemptChart: "ceiling", SlotChart: "slots"}

// fit makes the scale so that it has room for all that was seen of both runs, and for what there is room for unless that
// is so much more that what was seen would be flat. It gives the distance between ticks.
func (c *Chart) fit(s *Sample) (tick float32) {
	least, most := float32(math.Inf(1)), float32(0)
	for i := range c.Curves {
		for _, e := range [...]*side{&c.Curves[i].a, &c.Curves[i].b} {
			for _, column := range e.columns {
				if column.least >= 0 {
					most = max(most, e.values[column.most])
					if low := e.values[column.least]; low > 0 {
						least = min(least, low)
					}
				}
			}
		}
	}
	if c.kind == LatencyChart {
		c.plane.scale = timeScale(least, most)
		return 0
	}
	if of := c.limit(); of != nil {
		top := most
		for i := range s.Capacities {
			if v := of(&s.Capacities[i]); v > top && (v <= 4*most || c.kind == SlotChart) {
				top = v
			}
		}
		most = top
	}
	c.plane.scale, tick = countScale(most)
	return tick
}

// ticks writes the numbers at the axes.
func (c *Chart) ticks(tick float32) {
	p := &c.plane
	c.Grid, c.Ticks = c.Grid[:0], c.Ticks[:0]
	add := func(v float32, text string) {
		y := p.y(v)
		c.Grid = append(point(c.Grid, 'M', p.left, y), 'h')
		c.Grid = tenth(c.Grid, p.width)
		c.Ticks = append(c.Ticks, Label{text, Point{p.left - 6, y}, Right, Note})
	}
	if p.scale.log {
		decades := int(math.Round(math.Log10(float64(p.scale.to / p.scale.from))))
		for i, every := 0, (decades+4)/5; i <= decades; i += every {
			v := p.scale.from * float32(math.Pow10(i))
			add(v, Span(seconds(v)))
		}
	} else {
		for i := 0; float32(i)*tick <= p.scale.to; i++ {
			add(float32(i)*tick, short(float32(i)*tick))
		}
	}
	y, every := p.top+p.height+12, timeTick(p.span, p.width, 52)
	for t := time.Duration(0); t <= seconds(p.span); t += every {
		c.Ticks = append(c.Ticks, Label{tickTime(t, every), Point{p.x(float32(t.Seconds())), y}, Middle, Note})
	}
}

// short writes a number at a tick, where there is room for six characters.
func short(v float32) string {
	switch {
	case v >= 1e6:
		return strconv.FormatFloat(float64(v)/1e6, 'f', -1, 32) + " M"
	case v >= 1e5:
		return strconv.FormatFloat(float64(v)/1e3, 'f', -1, 32) + " k"
	}
	return Count(int64(v))
}

// seconds is a number of them as a span, to the microsecond.
func seconds(v float32) time.Duration {
	return time.Duration(math.Round(float64(v)*1e6)) * time.Microsecond
}

// spans appends the path of what is broken, as far as it is in the chart.
func (p *plane) spans(dst []byte, faults []scenario.Fault) []byte {
	for i := range faults {
		if x, w, ok := p.broken(&faults[i]); ok {
			dst = box(dst, x, p.top, w, p.height)
		}
	}
	return dst
}

// broken is from where on and how wide a fault is, at least a pixel; false if it comes after what the plane shows.
func (p *plane) broken(f *scenario.Fault) (x, w float32, ok bool) {
	from, to := float32(time.Duration(f.At).Seconds()), p.span
	if f.End() != scenario.Forever {
		to = min(to, float32(f.End().Seconds()))
	}
	if from >= p.span {
		return 0, 0, false
	}
	return p.x(from), max(1, p.x(to)-p.x(from)), true
}

// tags puts the names where the lines end, one below the other where those are close.
func (c *Chart) tags() {
	p := &c.plane
	all := c.all[:0]
	put := func(l *Label) {
		if l.Text == "" {
			return
		}
		if l.At.X == 0 {
			l.At.X = c.Seen + 6
		}
		i := len(all)
		for all = append(all, nil); i > 0 && all[i-1].At.Y > l.At.Y; i-- {
			all[i] = all[i-1]
		}
		all[i] = l
	}
	// Of lines that end at one height, the upper one is that which was drawn last.
	for i := len(c.Curves) - 1; i >= 0; i-- {
		put(&c.Curves[i].Tag)
	}
	put(&c.LimitTag)
	c.all, c.ends = all, c.ends[:0]
	for _, l := range all {
		c.ends = append(c.ends, l.At.Y)
	}
	apart(c.ends, tagHeight, p.top, p.top+p.height-4)
	for i, l := range all {
		l.At.Y = c.ends[i]
	}
}

// Second is the second under x; as near as there is one.
func (c *Chart) Second(x float32, s *Sample) int {
	return max(0, min(c.plane.second(x), s.B.Seconds()-1))
}

// Reading is where the middle of a second is.
func (c *Chart) Reading(second int) float32 { return c.plane.x(float32(second) + .5) }

func chartTitle(kind int, place string) string {
	switch kind {
	case RequestChart:
		return "Requests, a second"
	case AttemptChart:
		return "Attempts at " + place + ", a second"
	case QueueChart:
		return "Waiting for " + place + ", at each second’s end"
	case SlotChart:
		return "Slots busy at " + place
	}
	return "How long users wait: p50 to p99"
}

// write writes a value of a chart. NaN is none.
func writeValue(kind int, v float32) string {
	switch {
	case v != v:
		return "–"
	case kind == LatencyChart:
		return Span(seconds(v))
	case kind == SlotChart: // a mean
		return Quantity(float64(v))
	}
	return Count(int64(v + .5))
}

// Read says what a chart has at a second, in one line: "From 12 to 13 s: offered 20, in time 4, failed 16 /s; B 8× slower."
func (c *Chart) Read(s *Sample, second int) string {
	if s.B.Seconds() == 0 {
		return "Nothing yet: the first second is not over."
	}
	second = max(0, min(second, s.B.Seconds()-1))
	text, between := "From "+during(second)+":", ","
	if s.A != nil {
		between = ";" // each is two numbers
	}
	for i := range charts[c.kind] {
		k := &charts[c.kind][i]
		if k.more && !s.ever(s.B, k) && !s.ever(s.A, k) {
			continue
		}
		if i > 0 {
			text += between
		}
		text += " " + k.name + " "
		if s.A != nil {
			text += "in run A " + writeValue(c.kind, s.own(s.A, k, second)) + ", in run B "
		}
		text += writeValue(c.kind, s.own(s.B, k, second))
	}
	switch c.kind {
	case RequestChart, AttemptChart:
		text += " /s"
	case QueueChart:
		text += " at its end"
	}
	at := time.Duration(second) * time.Second
	if of := c.limit(); of != nil && len(s.Capacities) > 0 {
		room := of(&s.Capacities[capacityAt(s.Capacities, at)])
		if c.kind == SlotChart {
			text += " of " + Count(int64(room))
		} else {
			text += "; ceiling " + Count(int64(room+.5)) + " /s"
		}
	}
	for i := range s.Faults {
		if f := &s.Faults[i]; time.Duration(f.At) < at+time.Second && at < f.End() { // in any part of it
			text += "; " + Title(f.Target) + " " + faultWords(f)
		}
	}
	return text + "."
}

// when writes the second that begins then.
func during(second int) string {
	if second < 59 {
		return strconv.Itoa(second) + " to " + when(second+1)
	}
	return when(second) + " to " + when(second+1)
}

func when(second int) string {
	if second < 60 {
		return strconv.Itoa(second) + " s"
	}
	return Span(time.Duration(second) * time.Second)
}

// TableMost is how many seconds the table behind a chart has at the most: the last ones.
const TableMost = 600

// Columns are the heads of the table behind a chart.
func (c *Chart) Columns(s *Sample) []string {
	names := []string{"second"}
	for i := range charts[c.kind] {
		name := charts[c.kind][i].name
		if s.A != nil {
			names = append(names, "run A: "+name)
			name = "run B: " + name
		}
		names = append(names, name)
	}
	return names
}

// Table appends the rows of that table as HTML. There is nothing of a reader's in it.
func (c *Chart) Table(dst []byte, s *Sample) []byte {
	n := s.B.Seconds()
	for second := max(0, n-TableMost); second < n; second++ {
		dst = append(dst, `<tr><th scope="row">`...)
		dst = strconv.AppendInt(dst, int64(second), 10)
		dst = append(dst, "</th>"...)
		for i := range charts[c.kind] {
			k := &charts[c.kind][i]
			if s.A != nil {
				dst = cellOf(dst, writeValue(c.kind, s.own(s.A, k, second)))
			}
			dst = cellOf(dst, writeValue(c.kind, s.own(s.B, k, second)))
		}
		dst = append(dst, "</tr>"...)
	}
	return dst
}

func cellOf(dst []byte, text string) []byte {
	dst = append(dst, `<td class="n">`...)
	return append(append(dst, text...), "</td>"...)
}
