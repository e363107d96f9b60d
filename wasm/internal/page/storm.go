//go:build js && wasm

package page

import (
	"strconv"
	"strings"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// storm is the storm diagram: how reads that time out become a load of their own, and beside it what may be retried.
type storm struct {
	page  *Page
	chain html.Element
	steps [view.StormBoxes]stormStep

	sum, lesson, before, caption *html.Text

	retries, timeout eraser
	fault            html.Element // the button
	faultText        *html.Text
	broken           []scenario.Fault // what was erased, as it was then
	brokenAt         time.Duration

	id   string                    // the system
	kept map[string][2]view.Erased // what is erased in the others: retries, timeouts

	a, b      view.Storm
	exits     [3]html.Element // their lists of calls
	exitsNow  string
	flowed    float64       // pixels that the marks on the arrows have gone
	flowedFor time.Duration // until when
}

// stormStep is a box of the chain, and the arrow from it.
type stormStep struct {
	li, arrow, what          html.Element
	title, says, note        *html.Text
	number, whatText, other  *html.Text
	band, own, dots, ownDots html.Element
	head                     html.Element
	drawn                    view.StormArrow
	otherShown               bool
}

// eraser is a button that erases a part of the rule, and puts it back.
type eraser struct {
	what   *view.Erasable
	name   string
	button html.Element
	text   *html.Text
	erased view.Erased // as it was; nil: nothing is erased
	box    *stormStep
}

func (s *storm) bind(p *Page) {
	s.page, s.kept = p, map[string][2]view.Erased{}
	root := html.Find("storm")
	s.chain = html.In(root, ".chain")
	for i, li := range html.All(s.chain, "li") {
		arrow := html.In(li, ".arrow")
		s.steps[i] = stormStep{
			li: li, arrow: arrow,
			title: html.TextIn(html.In(li, ".title")), says: html.TextIn(html.In(li, ".says")), note: html.TextIn(html.In(li, ".note")),
			number: html.TextIn(html.In(arrow, "b")), whatText: html.TextIn(html.In(arrow, ".what")), other: html.TextIn(html.In(arrow, ".other")),
			band: html.In(arrow, ".band"), own: html.In(arrow, ".band.own"), dots: html.In(arrow, ".dots"), ownDots: html.In(arrow, ".dots.own"),
			head: html.In(arrow, ".head"),
		}
		s.steps[i].drawn.Width = -1
	}
	s.sum, s.lesson = html.TextOf("storm-sum"), html.TextOf("storm-lesson")
	s.before, s.caption = html.TextOf("storm-before"), html.TextOf("storm-caption")
	s.retries = eraser{what: &view.Retries, name: "the retries", button: html.Find("erase-retries"), box: &s.steps[view.StormRetries]}
	s.timeout = eraser{what: &view.Timeouts, name: "the timeout", button: html.Find("erase-timeout"), box: &s.steps[view.StormTimeOut]}
	for _, e := range []*eraser{&s.retries, &s.timeout} {
		e.text = html.TextIn(e.button)
		html.On(e.button, "click", func(html.Event) { s.press(e) })
	}
	s.fault = html.Find("erase-fault")
	s.faultText = html.TextIn(s.fault)
	html.On(s.fault, "click", func(html.Event) { s.mend() })
	for i, list := range html.All(html.Find("exits"), ".calls") {
		s.exits[i] = list
	}
}

// show prepares it for a scenario. What is erased of its rule can still be put back, whatever was looked at in between.
func (s *storm) show(set *scenario.Scenario) {
	s.a, s.b = view.Storm{}, view.Storm{}
	s.kept[s.id] = [2]view.Erased{s.retries.erased, s.timeout.erased}
	s.id = set.ID
	s.retries.erased, s.timeout.erased = s.kept[s.id][0], s.kept[s.id][1]
	s.broken = nil
}

// press erases a part of the rule, or puts it back.
func (s *storm) press(e *eraser) {
	set := s.page.session.Settings()
	if e.what.Holds(set, e.erased) {
		if s.page.To(e.what.PutBack(set, e.erased)) == nil {
			e.erased = nil
			s.page.voice.Say("Put back: "+e.name+" of "+metrics.The(s.b.Dependency)+".", true)
		}
		return
	}
	to, erased := e.what.Erase(set, s.b.Dependency)
	if len(erased) > 0 && s.page.To(to) == nil {
		e.erased = erased
		s.page.voice.Say("Erased: "+e.name+" of "+metrics.The(s.b.Dependency)+".", true)
	}
}

// mend ends what is broken, or breaks for the rest of its time what was mended here.
func (s *storm) mend() {
	now := s.page.session.Now()
	if on := s.on(now); on > 0 {
		played := s.page.shown.run.Scenario()
		s.broken, s.brokenAt = s.broken[:0], now
		for _, f := range played.Faults {
			if f.End() > now {
				s.broken = append(s.broken, f)
			}
		}
		s.page.Mend()
		return
	}
	broken := s.broken
	s.broken = nil
	for _, f := range broken {
		if at := time.Duration(f.At); at > s.brokenAt {
			f.At = scenario.Duration(now + at - s.brokenAt)
		} else {
			if f.For > 0 {
				f.For = scenario.Duration(f.End() - s.brokenAt)
			}
			f.At = 0
		}
		if s.page.Break(f) != nil {
			return
		}
	}
}

// on is how many faults are on.
func (s *storm) on(now time.Duration) (n int) {
	played := s.page.shown.run.Scenario()
	for _, f := range played.Faults {
		if f.On(now) {
			n++
		}
	}
	return n
}

// write brings it up to date, if it is looked at.
func (s *storm) write() {
	if s.page.look != lookStorm {
		return
	}
	set, shown := s.page.session.Settings(), s.page.shown
	s.b.Look(set, &shown.snapshot, shown.numbers)
	var others [view.StormBoxes]view.StormArrow
	if a := s.page.pinned; a != nil {
		was := a.run.Settings()
		s.a.LookAt(s.b.Dependency, &was, &a.snapshot, a.numbers)
		others = s.a.Arrows()
	}
	boxes, arrows := s.b.Boxes(), s.b.Arrows()
	for i := range s.steps {
		s.steps[i].write(&boxes[i], &arrows[i], others[i].Number)
	}
	class(s.chain, "loop", s.b.Loop)
	s.sum.Set(s.b.Sum())
	s.lesson.Set(s.b.Lesson(set))
	before, caption := s.b.Caption(set)
	s.before.Set(before)
	s.caption.Set(caption)
	s.buttons(set, shown.snapshot.Now)
	s.writeExits(set)
}

func (s *storm) buttons(set *scenario.Scenario, now time.Duration) {
	retries := s.retries.look(set, s.b.Dependency)
	s.retries.text.Set("Erase " + metrics.Plural(retries.Retries(), "retry", "retries"))
	if s.retries.erased != nil {
		s.retries.text.Set("Put back " + metrics.Plural(s.retries.erased.Retries(), "retry", "retries"))
	}
	s.timeout.look(set, s.b.Dependency)
	s.timeout.text.Set("Erase the timeout")
	if s.timeout.erased != nil {
		s.timeout.text.Set("Put back the timeout")
	}
	on := s.on(now)
	if on > 0 {
		s.broken = nil
	}
	html.Show(s.fault, on > 0 || s.broken != nil)
	class(s.steps[view.StormCeiling].li, "erased", s.broken != nil)
	switch {
	case s.broken != nil:
		s.faultText.Set("Put back " + plural(len(s.broken), "the fault", "the faults"))
	default:
		s.faultText.Set("Erase " + plural(on, "the fault", "the faults"))
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// look shows the button as things stand, and is what there is to erase.
func (e *eraser) look(set *scenario.Scenario, dependency string) view.Erased {
	if !e.what.Holds(set, e.erased) {
		e.erased = nil
	}
	_, there := e.what.Erase(set, dependency)
	html.Show(e.button, len(there) > 0 || e.erased != nil)
	class(e.box.li, "erased", e.erased != nil)
	return there
}

func (b *stormStep) write(box *view.StormBox, arrow *view.StormArrow, other string) {
	b.title.Set(box.Title)
	b.says.Set(box.Says)
	b.note.Set(box.Note)
	style(b.li, box.Mood)
	b.number.Set(arrow.Number)
	b.whatText.Set(arrow.What)
	if other != "" {
		other = "Run A:\n" + other
	}
	b.other.Set(other)
	if b.drawn == *arrow {
		return
	}
	if b.drawn.Width != arrow.Width || b.drawn.Own != arrow.Own {
		class(b.arrow, "none", arrow.Width == 0)
		own := arrow.Width * arrow.Own
		first := arrow.Width - own
		line(b.band, -own/2, first)
		line(b.own, first/2, own)
		dots(b.dots, -own/2, first, arrow.Gap())
		dots(b.ownDots, first/2, own, arrow.Gap())
		class(b.head, "own", arrow.Own > .5)
		half := number(arrow.Width/2 + 5)
		b.head.SetAttribute("d", "M0-"+half+"L12 0 0 "+half+"z")
	}
	b.drawn = *arrow
}

// line draws a band of an arrow at that distance from its middle.
func line(e html.Element, y, width float64) {
	e.SetAttribute("y1", number(y))
	e.SetAttribute("y2", number(y))
	e.SetAttribute("stroke-width", number(width))
}

// dots draws the marks that travel along a band.
func dots(e html.Element, y, width, gap float64) {
	line(e, y, min(width*.5, 9))
	e.SetAttribute("stroke-dasharray", "0 "+number(gap))
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// class gives e a class, or takes it away.
func class(e html.Element, name string, is bool) {
	if is {
		e.Class().Add(name)
	} else {
		e.Class().Remove(name)
	}
}

// flow moves the marks along the arrows with the run's time, if it is looked at.
func (s *storm) flow() {
	now := s.page.shown.snapshot.Now
	passed := now - s.flowedFor
	s.flowedFor = now
	if s.page.look != lookStorm || s.page.still || passed <= 0 {
		return
	}
	const speed, most = 40, 4 // pixels a second; a frame, beyond which they would seem to go back
	s.flowed += min(passed.Seconds()*speed, most)
	s.chain.Get("style").Call("setProperty", "--flow", number(-s.flowed)+"px")
}

func (s *storm) writeExits(set *scenario.Scenario) {
	exits := view.Exits(set)
	var all strings.Builder
	for i := range exits {
		for _, c := range exits[i] {
			all.WriteString(c.Call + "\n" + c.How + "\n" + c.Breaks + "\n")
		}
		all.WriteString("\n\n")
	}
	if s.exitsNow == all.String() {
		return
	}
	s.exitsNow = all.String()
	for i, list := range s.exits {
		html.Clear(list)
		for _, c := range exits[i] {
			template := "exit-fits"
			if c.Breaks != "" {
				template = "exit-breaks"
			}
			li := html.Clone(template)
			html.In(li, "b").SetTextContent(view.Title(c.Call))
			html.In(li, ".how").SetTextContent(c.How)
			if c.Breaks != "" {
				html.In(li, ".breaks").SetTextContent(c.Breaks)
			}
			html.Add(list, li)
		}
		if len(exits[i]) == 0 {
			html.Add(list, html.Make("li", "muted", "None of your calls."))
		}
	}
}
