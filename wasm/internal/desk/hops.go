//go:build js && wasm

package desk

import (
	"strconv"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// hops is the table of what the reader's last request went through.
type hops struct{ all, rows html.Element }

func (t *hops) bind() { t.all, t.rows = html.Find("hops"), html.Find("hops-rows") }

// show fills it. None hides it.
func (t *hops) show(hops []view.Hop) {
	html.Clear(t.rows)
	for _, h := range hops {
		class := "bad"
		if h.OK {
			class = "good"
		}
		tr := html.Make("tr", class, "")
		for i, cell := range []string{h.Call, h.Try, h.Start, h.Took, h.Outcome, h.Left} {
			td := html.Make("td", "", cell)
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
