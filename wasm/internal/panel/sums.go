//go:build js && wasm

package panel

import (
	"math"
	"strconv"
	"time"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// sums is what the timeouts of each operation come to: words, and a bar as long as its deadline.
type sums struct{ box html.Element }

func (s *sums) bind() { s.box = html.Find("slices") }

func (s *sums) show(all []view.Together) {
	html.Clear(s.box)
	for _, t := range all {
		li := html.Make("li", "", "")
		html.Add(li, html.Make("b", "", t.Operation))
		html.Add(li, html.Make("span", "", t.Said))
		if t.Over {
			li.SetAttribute("class", "over")
		}
		if t.Bar != nil {
			bar := html.Make("span", "slice-bar", "")
			bar.SetAttribute("aria-hidden", "true")
			end := 0.
			for _, p := range t.Bar {
				end += p.Time
				class := "slice"
				switch {
				case p.Call == "":
					class = "left"
				case p.Late:
					class = "late"
				}
				part := html.Make("span", class, "")
				part.Get("style").Set("flexGrow", strconv.FormatFloat(p.Time*1e9, 'f', 0, 64)) // below 1 in all it would leave room
				html.Add(bar, part)
			}
			bar.SetAttribute("data-end", view.Span(time.Duration(math.Round(end*1e3))*time.Millisecond))
			html.Add(li, bar)
		}
		html.Add(s.box, li)
	}
}
