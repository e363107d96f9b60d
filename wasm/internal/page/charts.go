//go:build js && wasm

package page

import (
	"slices"
	"strconv"
	"time"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// charts are the numbers over time, of both runs where there are two. One second can be read off, in all of them at once.
type charts struct {
	page   *Page
	seen   bool // they are on the screen
	width  float32
	key    html.Element
	all    [view.Charts]chart
	sample view.Sample
	drawn  struct {
		drawn
		pinned     *view.History
		version    int // of that
		now        time.Duration
		capacities []view.Capacity
	}
	last    time.Duration // when they were drawn
	reading int           // the second that is read off; -1: the last that is over
}

// chart is one of them.
type chart struct {
	view    *view.Chart
	plot    html.Element
	title   *html.Text
	text    *html.Text
	value   string
	faults  path
	grid    path
	limit   path
	curves  []curvePaths
	veil    upright
	now     upright
	reading upright
	ticks   lettering
	tags    []lettering

	details html.Element
	body    html.Element
	head    html.Element
	note    html.Element
	columns []string
	rows    struct{ version, seconds int }
}

type curvePaths struct{ line, fill, other path }

// chartHeight is that of a chart, with what is written below it.
const chartHeight = 156

// make puts them on the page, when they are looked at first.
func (c *charts) make() {
	c.reading = -1
	c.sample.B = &view.History{} // until they are written first, keys may come
	box := html.Find("charts")
	c.key = html.Find("charts-key")
	for kind := range c.all {
		section := html.Clone("chart")
		html.Add(box, section)
		c.all[kind].bind(c, kind, section)
	}
	watched(box, &c.seen, c.page.Repaint)
	measured(c.all[0].plot, func(width float32) { c.width, c.last = width, 0; c.page.Repaint() })
}

func (k *chart) bind(c *charts, kind int, section html.Element) {
	k.view = view.NewChart(kind)
	k.plot = html.In(section, ".plot")
	k.title, k.text = html.TextIn(html.In(section, "h3")), html.TextIn(html.In(section, ".reading"))
	svg := html.In(section, "svg").Value
	svg.Call("setAttribute", "height", strconv.Itoa(chartHeight))
	k.view.Resize(0, chartHeight)
	top, tall := k.view.Top(), k.view.Bottom()-k.view.Top()
	k.curves = make([]curvePaths, len(k.view.Curves))
	layers := []layer{{&k.faults, "faults"}, {&k.grid, "grid"}}
	for i := range k.curves {
		layers = append(layers, layer{&k.curves[i].fill, "fill " + k.view.Curves[i].Color.Name()})
	}
	for i := range k.curves {
		name := k.view.Curves[i].Color.Name()
		layers = append(layers, layer{&k.curves[i].other, "other " + name}, layer{&k.curves[i].line, "line " + name})
	}
	layered(svg, append(layers, layer{&k.limit, "limit"})...)
	k.veil, k.now = uprightIn(svg, "veil", top, tall), uprightIn(svg, "now", top, tall)
	k.reading = uprightIn(svg, "read", top, tall)
	k.ticks = letteringIn(svg, "ticks")
	for i := range k.view.Curves {
		k.tags = append(k.tags, letteringIn(svg, "tag "+k.view.Curves[i].Color.Name()))
	}
	k.tags = append(k.tags, letteringIn(svg, "tag text-muted"))

	k.details, k.head, k.body = html.In(section, "details"), html.In(section, "thead tr"), html.In(section, "tbody")
	k.note = html.In(section, ".note")
	html.On(k.details, "toggle", func(html.Event) { k.table(&c.sample) })

	html.On(k.plot, "pointermove", func(e html.Event) { c.point(k.view.Second(float32(e.Get("offsetX").Float()), &c.sample)) })
	html.On(k.plot, "pointerleave", func(html.Event) { c.point(-1) })
	html.On(k.plot, "blur", func(html.Event) { c.point(-1) })
	html.On(k.plot, "click", func(e html.Event) {
		c.page.Seek(time.Duration(k.view.Second(float32(e.Get("offsetX").Float()), &c.sample)) * time.Second)
	})
	html.On(k.plot, "keydown", func(e html.Event) { c.press(e) })
}

// press moves the reading by keys, and goes there.
func (c *charts) press(e html.Event) {
	last := c.sample.B.Seconds() - 1
	at := c.second()
	switch e.Key() {
	case "ArrowLeft", "ArrowDown":
		at--
	case "ArrowRight", "ArrowUp":
		at++
	case "PageDown":
		at -= 10
	case "PageUp":
		at += 10
	case "Home":
		at = 0
	case "End":
		at = last
	case "Enter":
		c.page.Seek(time.Duration(max(at, 0)) * time.Second)
		e.PreventDefault()
		return
	case "Escape":
		c.point(-1)
		return
	default:
		return
	}
	e.PreventDefault()
	c.point(max(0, min(at, last)))
}

// second is the one that is read off.
func (c *charts) second() int {
	if c.reading >= 0 {
		return c.reading
	}
	return int(c.page.shown.snapshot.Now/time.Second) - 1
}

// point reads off another second: -1 is the last that is over.
func (c *charts) point(second int) {
	if second != c.reading {
		c.reading = second
		c.tell(true)
	}
}

// write brings them up to date, if they are looked at.
func (c *charts) write() {
	p := c.page
	if p.look != lookCharts {
		return
	}
	if c.key == nil {
		c.make()
	}
	if !c.seen || c.width < 1 || c.last > 0 && p.beat.last-c.last < wordsEvery-labelsEvery/2 {
		return
	}
	c.last = p.beat.last
	s := p.shown
	seen := s.snapshot.Now
	for each := range p.sights {
		seen = max(seen, time.Duration(each.history.Seconds())*time.Second)
	}
	played := s.run.Scenario()
	place, name := p.place(played.Faults)
	c.sample = view.Sample{
		B: &s.history, Place: place, Name: name, Faults: played.Faults, Capacities: view.Capacities(&played, name),
		Now: s.snapshot.Now, Span: view.ChartSpan(seen, view.TimelineSpan(time.Duration(p.session.Settings().Duration), seen)),
	}
	version := 0
	if p.pinned != nil {
		c.sample.A, version = &p.pinned.history, p.pinned.history.Version
	}
	html.Show(c.key, p.pinned != nil)
	now := drawn{&s.history, s.history.Version, c.sample.Place, c.sample.Span, c.width, 0, c.sample.Faults}
	if d := &c.drawn; !d.same(&now) || d.pinned != c.sample.A || d.version != version || d.now != c.sample.Now || !slices.Equal(d.capacities, c.sample.Capacities) {
		d.drawn, d.pinned, d.version, d.now, d.capacities = now, c.sample.A, version, c.sample.Now, c.sample.Capacities
		for i := range c.all {
			c.all[i].draw(&c.sample, c.width)
		}
		c.tell(false)
	}
}

// tell writes what there is at the second that is read off. A time that passes by itself is not read out: only what the
// reader pointed at.
func (c *charts) tell(pointed bool) {
	if c.drawn.history == nil {
		return // they are still to be drawn, and say it then
	}
	at := c.second()
	last := strconv.Itoa(max(0, c.sample.B.Seconds()-1))
	for i := range c.all {
		k := &c.all[i]
		text := k.view.Read(&c.sample, at)
		k.text.Set(text)
		x := k.view.Reading(max(at, 0))
		k.reading.move(x-.5, 1, c.reading < 0)
		if pointed || !html.Focused(k.plot) {
			k.plot.SetAttribute("aria-valuemax", last)
			k.plot.SetAttribute("aria-valuenow", strconv.Itoa(max(0, min(at, c.sample.B.Seconds()-1))))
			k.plot.SetAttribute("aria-valuetext", text)
		}
	}
}

func (k *chart) draw(s *view.Sample, width float32) {
	v := k.view
	v.Resize(width, chartHeight)
	v.Update(s)
	if v.Title != k.value {
		k.value = v.Title
		k.title.Set(v.Title)
		k.plot.SetAttribute("aria-label", v.Title)
	}
	k.faults.set(v.Faults)
	k.grid.set(v.Grid)
	k.limit.set(v.Limit)
	for i := range v.Curves {
		of, to := &v.Curves[i], &k.curves[i]
		to.fill.set(of.Fill)
		to.line.set(of.Line)
		to.other.set(of.Other)
		k.tags[i].write([]view.Label{of.Tag})
	}
	k.tags[len(v.Curves)].write([]view.Label{v.LimitTag})
	k.veil.move(v.Now, v.Seen-v.Now, false)
	k.now.move(v.Now-.5, 1, false)
	k.ticks.write(v.Ticks)
	k.table(s)
}

// table writes the seconds' values as a table, if it is open.
func (k *chart) table(s *view.Sample) {
	if !k.details.Get("open").Bool() {
		return
	}
	if columns := k.view.Columns(s); !slices.Equal(columns, k.columns) {
		k.columns, k.rows.seconds = columns, -1
		html.Clear(k.head)
		for i, name := range columns {
			class := "n"
			if i == 0 {
				class = ""
			}
			th := html.Make("th", class, name)
			th.SetAttribute("scope", "col")
			html.Add(k.head, th)
		}
	}
	if k.rows.version == s.B.Version && k.rows.seconds == s.B.Seconds() {
		return
	}
	k.rows.version, k.rows.seconds = s.B.Version, s.B.Seconds()
	html.Show(k.note, s.B.Seconds() > view.TableMost)
	k.body.Set("innerHTML", string(k.view.Table(nil, s)))
}

// place is the dependency that charts are of, by index and by name.
func (p *Page) place(faults []scenario.Fault) (int, string) {
	var runs [2]*view.History
	n := 0
	for s := range p.sights {
		runs[n] = &s.history
		n++
	}
	i := view.Focus(p.session.Settings(), faults, runs[:n]...)
	if i < 0 {
		i = max(0, p.shown.numbers.Focus)
	}
	return i, p.shown.numbers.Places[i].Name
}
