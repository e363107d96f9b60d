//go:build js && wasm

package panel

import (
	"time"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// faults is the buttons that break something, and the list of what is broken.
type faults struct {
	list html.Element
	now  []view.Broken
	left []*html.Text
}

func (f *faults) bind(acts Acts) {
	f.list = html.Find("broken")
	for _, b := range html.All(html.Root, "[data-fault]") {
		fault := parseFault(b.GetAttribute("data-fault"))
		html.On(b, "click", func(html.Event) { acts.Break(fault) })
	}
	html.On(html.Find("mend"), "click", func(html.Event) { acts.Mend() })
}

// parseFault reads a button's fault, which is JSON as in a scenario.
func parseFault(text string) scenario.Fault {
	var s scenario.Scenario
	if err := scenario.SetText(&s, "faults", "["+text+"]"); err != nil {
		panic("data-fault " + text + ": " + err.Error())
	}
	return s.Faults[0]
}

// ShowBroken lists what is broken at now.
func (p *Panel) ShowBroken(s *scenario.Scenario, now time.Duration) {
	f := &p.faults
	broken := view.BrokenNow(s, now)
	same := len(broken) == len(f.now) && len(f.left) == max(len(broken), 1)
	for i := range broken {
		same = same && broken[i].What == f.now[i].What
	}
	f.now = broken
	if !same {
		html.Clear(f.list)
		f.left = nil
		for _, b := range broken {
			li := html.Make("li", "", b.What)
			left := html.Make("span", "muted", "")
			html.Add(li, left)
			html.Add(f.list, li)
			f.left = append(f.left, html.TextIn(left))
		}
		if len(broken) == 0 {
			li := html.Make("li", "muted", "Nothing.")
			html.Add(f.list, li)
			f.left = append(f.left, html.TextIn(li))
		}
	}
	for i, b := range broken {
		f.left[i].Set(b.Left)
	}
}
