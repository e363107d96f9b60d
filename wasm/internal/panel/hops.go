//go:build js && wasm

package panel

import (
	"strconv"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// Hops shows what the reader's last request went through. None hides it.
func (s *Shelf) Hops(hops []view.Hop) {
	html.Clear(s.rows)
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
		html.Add(s.rows, tr)
	}
	html.Show(s.hops, len(hops) > 0)
}

func percent(x float64) string { return strconv.FormatFloat(x*100, 'f', 2, 64) + "%" }
