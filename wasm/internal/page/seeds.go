//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"
	"time"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// seeds is what the rule on show, or A's and B's, comes to under many seeds: computed in a worker.
type seeds struct {
	page         *Page
	run, stop    html.Element
	lead, count  *html.Text
	moral, since *html.Text
	status       *html.Text // is read out: at the beginning and at the end
	progress     html.Element
	figure       html.Element
	svg          html.Element
	says         html.Element
	details      html.Element
	summary      *html.Text

	worker  js.Value // undefined: none
	on      struct{ message, trouble js.Func }
	id      string // the system
	turn    int    // counts starts, so that what comes late from one that was ended is known
	spreads []view.Spread
	first   uint64 // the first seed
	at      string // the dependency whose attempts are told
	even    bool   // users come evenly spaced
	drawn   int    // how many runs are in the picture
	width   float64
	tabled  int // how many are in the table
}

// seedsRuns is how many seeds there are.
const seedsRuns = 100

func (s *seeds) bind(p *Page) {
	s.page, s.worker = p, js.Undefined()
	s.run, s.stop = html.Find("seeds-run"), html.Find("seeds-stop")
	s.lead, s.count, s.moral, s.status = html.TextOf("seeds-of"), html.TextOf("seeds-count"), html.TextOf("seeds-moral"), html.TextOf("seeds-status")
	s.progress, s.figure, s.says = html.Find("seeds-progress"), html.Find("seeds-figure"), html.Find("seeds-says")
	s.svg, s.since = html.Find("seeds-strip"), html.TextOf("seeds-since")
	s.details, s.summary = html.Find("seeds-details"), html.TextOf("seeds-summary")
	html.On(s.run, "click", func(html.Event) { s.start(); html.Focus(s.stop) })
	html.On(s.stop, "click", func(html.Event) {
		s.end("Stopped.")
		html.Focus(s.run)
	})
	html.On(s.details, "toggle", func(html.Event) { s.table() })
	html.Enable(s.run, true)
}

// show says which rules it would be for. What another system came to goes.
func (s *seeds) show() {
	if id := s.page.session.Settings().ID; id != s.id {
		s.id = id
		s.end("")
		s.spreads = nil
		s.moral.Set("")
		s.since.Set("")
		s.count.Set("")
		html.Show(s.figure, false)
		html.Show(s.details, false)
	}
	if s.page.pinned != nil {
		s.lead.Set("of run A and of run B, on the same traffic")
	} else {
		s.lead.Set("of this rule, with all that has been broken until now")
	}
}

// changed says that what was run is of another rule than the one that holds now.
func (s *seeds) changed() {
	if len(s.spreads) > 0 {
		s.since.Set("Since then something was changed. Run them again to see what that does.")
	}
}

// start has the worker begin, with the run on show and the one that is pinned as they stand.
func (s *seeds) start() {
	s.end("")
	s.turn++
	turn := s.turn
	now := s.page.session.Now()
	s.spreads = nil
	var texts []any
	for v := range s.page.sights {
		set := v.run.Scenario()
		set.Duration = scenario.Duration(max(time.Duration(s.page.session.Settings().Duration), now, s.page.session.Goal()))
		text, err := set.Short()
		if err != nil {
			panic("a scenario that runs can’t be written: " + err.Error())
		}
		texts = append(texts, string(text))
		s.spreads = append(s.spreads, view.Spread{})
		s.first, s.even = set.Seed, evenly(&set)
	}
	if len(texts) == 2 {
		s.spreads[0].Name, s.spreads[1].Name = "run A", "run B"
	}
	if s.at = ""; s.page.shown.numbers.Focus >= 0 {
		s.at = s.page.shown.numbers.Places[s.page.shown.numbers.Focus].Name
	}
	s.working(true)
	s.status.Set("Running " + strconv.Itoa(seedsRuns) + " seeds …")
	s.moral.Set("")
	s.since.Set("")
	s.drawn, s.tabled = -1, -1
	go func() {
		worker, err := html.Await(js.Global().Call("startWorker", "seeds"))
		if turn != s.turn { // ended before it began
			if err == nil {
				worker.Call("terminate")
			}
			return
		}
		if err != nil {
			s.end(err.Error())
			return
		}
		s.worker = worker
		s.on.message = js.FuncOf(func(_ js.Value, args []js.Value) any { s.hear(turn, args[0].Get("data")); return nil })
		s.on.trouble = js.FuncOf(func(_ js.Value, args []js.Value) any { // no memory, say
			args[0].Call("preventDefault")
			if turn == s.turn {
				s.end("It stopped: " + args[0].Get("message").String())
			}
			return nil
		})
		worker.Set("onmessage", s.on.message)
		worker.Set("onerror", s.on.trouble)
		worker.Call("postMessage", map[string]any{"scenarios": texts, "runs": seedsRuns})
	}()
}

// evenly tells whether all users come evenly spaced.
func evenly(s *scenario.Scenario) bool {
	for _, op := range s.Operations {
		if op.Arrivals != "even" {
			return false
		}
	}
	return true
}

// hear takes in what the worker says.
func (s *seeds) hear(turn int, data js.Value) {
	if turn != s.turn {
		return
	}
	switch {
	case !data.Get("error").IsUndefined():
		s.end("It could not be run: " + data.Get("error").String())
	case !data.Get("stopped").IsUndefined():
		s.end("It stopped: " + data.Get("stopped").String())
	case !data.Get("done").IsUndefined():
		s.end("All " + strconv.Itoa(seedsRuns) + " seeds have run.")
	default:
		o := view.Outcome{
			Seed: s.first + uint64(data.Get("run").Int()), Bad: data.Get("bad").Int(), Never: data.Get("never").Bool(), Recovery: -1,
			Failed: data.Get("failed").Float(), Amplification: 1,
		}
		if r := data.Get("recovery"); !r.IsNull() {
			o.Recovery = time.Duration(r.Float() * float64(time.Second))
		}
		if s.at != "" {
			o.Amplification = data.Get("amplification").Get(s.at).Float()
		}
		of := &s.spreads[data.Get("rule").Int()]
		of.Outcomes = append(of.Outcomes, o)
	}
}

// end ends the worker, if there is one, and says why. What it came to until then stays.
func (s *seeds) end(why string) {
	s.turn++
	if !s.worker.IsUndefined() {
		s.worker.Call("terminate")
		s.worker = js.Undefined()
		s.on.message.Release()
		s.on.trouble.Release()
	}
	focused := html.Maybe(html.Find("seeds"), "#seeds-stop:focus") != nil
	s.working(false)
	if focused {
		html.Focus(s.run)
	}
	s.write()
	if moral := view.Moral(s.spreads, s.even); moral != "" {
		s.moral.Set(moral)
	}
	s.status.Set(why)
}

// working shows the progress, or the button.
func (s *seeds) working(yes bool) {
	html.Show(s.run, !yes)
	html.Show(s.stop, yes)
	html.Show(s.progress, yes)
}

// write brings what is on show up to date.
func (s *seeds) write() {
	done := 0
	for i := range s.spreads {
		done += len(s.spreads[i].Outcomes)
	}
	if len(s.spreads) == 0 {
		return
	}
	width := html.Closest(s.svg, "figure").GetBoundingClientRect().Width()
	if done == s.drawn && width == s.width {
		return
	}
	s.drawn, s.width = done, width
	s.progress.Set("value", done/len(s.spreads))
	s.count.Set(strconv.Itoa(done/len(s.spreads)) + " of " + strconv.Itoa(seedsRuns))
	html.Show(s.figure, done > 0)
	html.Show(s.details, done > 0)
	if done == 0 {
		return
	}
	if width == 0 { // it was hidden until now
		width = html.Closest(s.svg, "figure").GetBoundingClientRect().Width()
		s.width = width
	}
	s.draw(view.Strips(s.spreads, width))
	html.Clear(s.says)
	for i := range s.spreads {
		if text := s.spreads[i].String(); text != "" {
			html.Add(s.says, html.Make("p", "", text))
		}
	}
	s.summary.Set("The " + strconv.Itoa(done) + " runs as a table")
	s.table()
}

// draw writes the picture anew: a row of dots for each rule.
func (s *seeds) draw(strip view.Strip) {
	html.Clear(s.svg)
	s.svg.SetAttribute("viewBox", "0 0 "+length(strip.Width)+" "+length(strip.Height))
	s.svg.SetAttribute("width", length(strip.Width))
	s.svg.SetAttribute("height", length(strip.Height))
	s.line(0, strip.Axis, strip.Width, strip.Axis, "axis")
	for _, x := range strip.Borders {
		s.line(x, strip.Axis, x, strip.Axis+4, "axis")
	}
	for _, t := range strip.Ticks {
		s.words(t.X, strip.Axis+18, t.Text, "tick")
	}
	s.words(strip.Width/2, strip.Axis+34, "bad seconds", "tick")
	for _, row := range strip.Rows {
		s.path(row.Recovered, "recovered")
		s.path(row.Never, "never")
		s.line(row.Median, row.Top-4, row.Median, row.Bottom+4, "median")
		s.words(0, row.Y+5, row.Name, "name")
	}
}

func (s *seeds) shape(kind, class string) html.Element {
	e := html.Wrap(html.Document.Call("createElementNS", "http://www.w3.org/2000/svg", kind))
	e.SetAttribute("class", class)
	html.Add(s.svg, e)
	return e
}

func (s *seeds) path(d, class string) {
	if d != "" {
		s.shape("path", class).SetAttribute("d", d)
	}
}

func (s *seeds) line(x1, y1, x2, y2 float64, class string) {
	s.path("M"+length(x1)+" "+length(y1)+"L"+length(x2)+" "+length(y2), class)
}

func (s *seeds) words(x, y float64, text, class string) {
	e := s.shape("text", class)
	e.SetAttribute("x", length(x))
	e.SetAttribute("y", length(y))
	e.SetTextContent(text)
}

func length(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// table writes the table anew, if it is open.
func (s *seeds) table() {
	if len(s.spreads) == 0 || s.tabled == s.drawn || !s.details.Get("open").Bool() {
		return
	}
	s.tabled = s.drawn
	head, body := html.Find("seeds-head"), html.Find("seeds-rows")
	html.Clear(head)
	html.Clear(body)
	th := func(to html.Element, scope, class, text string) {
		e := html.Make("th", class, text)
		e.SetAttribute("scope", scope)
		html.Add(to, e)
	}
	th(head, "col", "", "seed")
	for i := range s.spreads {
		name := s.spreads[i].Name
		if name != "" {
			name += ": "
		}
		for _, column := range view.SpreadColumns(s.at) {
			th(head, "col", "n", name+column)
		}
	}
	for n := range s.spreads[0].Outcomes {
		tr := html.Make("tr", "", "")
		th(tr, "row", "", strconv.FormatUint(s.spreads[0].Outcomes[n].Seed, 10))
		for i := range s.spreads {
			if n >= len(s.spreads[i].Outcomes) {
				continue
			}
			for _, cell := range s.spreads[i].Outcomes[n].Cells() {
				html.Add(tr, html.Make("td", "n", cell))
			}
		}
		html.Add(body, tr)
	}
}
