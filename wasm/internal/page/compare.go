//go:build js && wasm

package page

import (
	"slices"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// compare is what tells two runs on the same traffic apart.
type compare struct {
	page        *Page
	box         html.Element
	ofA, ofB    *html.Text
	numbers     *html.Text // the heading of the numbers, which are B's
	names       []*html.Text
	cells       [][2]*html.Text
	differences html.Element
	said        []string
	of          *run.Run // B
	fresh       bool     // it has another rule, and what came of that is still to be said
}

func (c *compare) bind(p *Page) {
	c.page, c.box = p, html.Find("compare")
	c.ofA, c.ofB = html.TextOf("rule-a"), html.TextOf("rule-b")
	c.differences, c.numbers = html.Find("differences"), html.TextOf("h-figures")
	body := html.Find("side-by-side")
	for range view.SideBySide("") {
		tr := html.Make("tr", "", "")
		th := html.Make("th", "", "")
		th.SetAttribute("scope", "row")
		a, b := html.Make("td", "n", ""), html.Make("td", "n", "")
		html.Add(tr, th)
		html.Add(tr, a)
		html.Add(tr, b)
		html.Add(body, tr)
		c.names = append(c.names, html.TextIn(th))
		c.cells = append(c.cells, [2]*html.Text{html.TextIn(a), html.TextIn(b)})
	}
}

// show says which runs are held against each other.
func (c *compare) show() {
	pinned := c.page.pinned
	if pinned == nil && html.Maybe(c.box, ":focus") != nil {
		html.Focus(html.Find("pin"))
	}
	html.Show(c.box, pinned != nil)
	html.Show(html.Find("pin-a"), pinned == nil)
	html.Show(html.Find("pin-b"), pinned != nil)
	if pinned == nil {
		c.numbers.Set("Numbers")
		return
	}
	c.numbers.Set("Numbers of run B")
	a, b := pinned.run.Settings(), c.page.session.Settings()
	ofA, ofB := view.Against(&a, b)
	if now := c.page.session.Run(); now != c.of {
		c.of, c.fresh = now, ofA != ""
	}
	if ofA == "" {
		ofA = "as it was when it was pinned"
		ofB = "the same, until you change its rule: then it begins again with that, on the same traffic"
	}
	c.ofA.Set(ofA)
	c.ofB.Set(ofB)
}

// write brings the numbers of both up to date.
func (c *compare) write() {
	a, b := c.page.pinned, c.page.shown
	if a == nil {
		return
	}
	at, name := b.numbers.Focus, ""
	if at >= 0 {
		name = b.numbers.Places[at].Name
	}
	names, ofA, ofB := view.SideBySide(name), a.numbers.Beside(at), b.numbers.Beside(at)
	for i := range c.cells {
		c.names[i].Set(names[i])
		c.cells[i][0].Set(ofA[i])
		c.cells[i][1].Set(ofB[i])
	}
}

// judge says what became of the traffic in A and in B, of which b is the report.
func (c *compare) judge(b *metrics.Report) {
	if c.page.pinned == nil {
		return
	}
	all := view.Differences(c.page.pinned.run.Report(), *b)
	if len(all) == 0 {
		all = []string{"So far run A and run B have come to the same."}
	}
	if c.fresh {
		c.fresh = false
		c.page.voice.Say(all[0], true)
	}
	c.list(all)
}

// list writes the differences, each a sentence.
func (c *compare) list(all []string) {
	if slices.Equal(all, c.said) {
		return
	}
	c.said = all
	html.Clear(c.differences)
	for _, text := range all {
		html.Add(c.differences, html.Make("li", "", text))
	}
}
