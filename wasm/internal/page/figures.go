//go:build js && wasm

package page

import (
	"math"
	"slices"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// figures is the six numbers under the verdict, and the tables of all of them.
type figures struct {
	offered, ok, failed, attempts, queue, slots *html.Text
	attemptsName, queueName, slotsName          *html.Text
	okBox, failedBox, attemptsBox               html.Element
	sample                                      *html.Text
	late                                        html.Element // that what is drawn on its way is late
	legend                                      html.Element
	requests, places                            [][]*html.Text // rows of cells
	columns                                     []int          // of each dependency, by index
}

func (f *figures) bind() {
	f.offered, f.ok, f.failed = html.TextOf("num-offered"), html.TextOf("num-ok"), html.TextOf("num-failed")
	f.attempts, f.queue, f.slots = html.TextOf("num-attempts"), html.TextOf("num-queue"), html.TextOf("num-slots")
	f.attemptsName, f.queueName, f.slotsName = html.TextOf("num-attempts-name"), html.TextOf("num-queue-name"), html.TextOf("num-slots-name")
	f.okBox = html.Closest(html.Find("num-ok"), "div")
	f.failedBox = html.Closest(html.Find("num-failed"), "div")
	f.attemptsBox = html.Closest(html.Find("num-attempts"), "div")
	f.sample, f.late, f.legend = html.TextOf("sampled"), html.Find("late"), html.Find("legend")
	f.requests = table("fig-requests", view.RequestRows, 2)
}

// show prepares the table for the dependencies of a scenario.
func (f *figures) show(s *scenario.Scenario) {
	head := html.Find("fig-names")
	html.Clear(head)
	th := func(class, text string) {
		e := html.Make("th", class, text)
		e.SetAttribute("scope", "col")
		html.Add(head, e)
	}
	th("", "attempts at")
	path := view.Path(s)
	for _, name := range path {
		th("n", view.Title(name))
	}
	f.places = table("fig-deps", view.PlaceRows, len(path))
	f.columns = f.columns[:0]
	for _, name := range scenario.Names(s.Dependencies) {
		f.columns = append(f.columns, slices.Index(path, name))
	}
}

// table fills a table's body with named rows of so many cells.
func table(id string, rows []string, columns int) [][]*html.Text {
	body := html.Find(id)
	html.Clear(body)
	var cells [][]*html.Text
	for _, name := range rows {
		tr := html.Make("tr", "", "")
		th := html.Make("th", "", name)
		th.SetAttribute("scope", "row")
		html.Add(tr, th)
		var row []*html.Text
		for range columns {
			td := html.Make("td", "n", "")
			html.Add(tr, td)
			row = append(row, html.TextIn(td))
		}
		html.Add(body, tr)
		cells = append(cells, row)
	}
	return cells
}

func (f *figures) write(n *view.Numbers) {
	f.offered.Set(view.PerSecond(n.Offered))
	f.ok.Set(view.Percent(n.InTime))
	f.failed.Set(view.PerSecond(n.Failed))
	mood := ""
	if n.InTime < .99 {
		mood = "alarm"
	}
	style(f.okBox, mood)
	style(f.failedBox, mood)
	if n.Focus >= 0 {
		p := &n.Places[n.Focus]
		f.attemptsName.Set("attempts at " + metrics.The(p.Name))
		f.queueName.Set("queue of " + metrics.The(p.Name))
		f.slotsName.Set("busy time at " + metrics.The(p.Name))
		mood = ""
		if p.Amplification() >= 1.2 {
			mood = "warm"
		}
		f.attempts.Set(p.Multiple())
		style(f.attemptsBox, mood)
		f.queue.Set(view.Count(int64(p.Queue)))
		f.slots.Set(view.Percent(math.Round(p.Used*100) / 100))
	}
	for i, row := range n.RequestCells() {
		for j, cell := range row {
			f.requests[i][j].Set(cell)
		}
	}
	for j := range n.Places {
		for i, cell := range n.Places[j].Cells() {
			f.places[i][f.columns[j]].Set(cell)
		}
	}
}

// key has the legend say what the marks mean that there may be: of hedges where some call hedges, and of who holds a slot
// where the slots have rows of their own.
func (f *figures) key(hedges, rows bool) {
	class(f.legend, "hedges", hedges)
	class(f.legend, "rows", rows)
}

// sampled says of how many requests one is drawn.
func (f *figures) sampled(n int, still bool) {
	html.Show(f.late, !still)
	switch {
	case still:
		f.sample.Set("Little motion: nothing travels")
	case n > 1:
		f.sample.Set("1 request in " + view.Count(int64(n)) + " is drawn on its way, slowed down to be seen")
	default:
		f.sample.Set("Every request is drawn on its way, slowed down to be seen")
	}
}

// style makes class the only one of e's that says how things stand.
func style(e html.Element, class string) {
	c := e.Class()
	for _, one := range [...]string{"alarm", "warm"} {
		if one == class {
			c.Add(one)
		} else {
			c.Remove(one)
		}
	}
}
