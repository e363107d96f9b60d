//go:build js && wasm

package desk

import (
	"strconv"
	"strings"
	"time"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// hops is the table of what the reader's last request went through.
type hops struct {
	all, rows html.Element
	time      *html.Text // that the bars are drawn against
}

func (t *hops) bind() {
	t.all, t.rows, t.time = html.Find("hops"), html.Find("hops-rows"), html.TextOf("hops-time")
}

// show fills it with hops, whose bars are drawn against so much time. None hides it.
func (t *hops) show(hops []view.Hop, time time.Duration) {
	html.Clear(t.rows)
	t.time.Set(view.Span(time))
	for _, h := range hops {
		class := "bad"
		if h.OK {
			class = "good"
		}
		tr := html.Make("tr", class, "")
		for i, cell := range []string{h.Call, h.Try, h.Start, h.Took, h.Outcome, h.Left} {
			td := html.Make("td", "", "")
			for i, part := range strings.SplitAfter(cell, "_") { // a long name may break there
				if i > 0 {
					html.Add(td, html.Make("wbr", "", ""))
				}
				td.Call("append", part)
			}
			if of := []string{"", "try", "at", "took", "", "left"}[i]; of != "" {
				td.SetAttribute("data-of", of) // for where there is no room for a head
			}
			if i != 0 && i != 4 {
				td.SetAttribute("class", "n")
			}
			html.Add(tr, td)
		}
		td, bar := html.Make("td", "bar", ""), html.Make("i", "", "")
		bar.Get("style").Set("left", percent(h.From))
		bar.Get("style").Set("width", percent(h.Width))
		html.Add(td, bar)
		html.Add(tr, td)
		html.Add(t.rows, tr)
	}
	html.Show(t.all, len(hops) > 0)
}

func percent(x float64) string { return strconv.FormatFloat(x*100, 'f', 2, 64) + "%" }
