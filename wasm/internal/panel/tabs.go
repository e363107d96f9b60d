//go:build js && wasm

package panel

import (
	"stormbin/wasm/internal/html"
)

// tabs shows one panel at a time where there is no room for all. Where there is, they are plain sections.
type tabs struct {
	bar    html.Element
	tabs   []html.Element
	panels []html.Element
}

func (t *tabs) bind() {
	t.bar = html.In(html.Root, ".tabs")
	for _, e := range html.All(t.bar, "[role=tab]") {
		tab := e
		i := len(t.tabs)
		t.tabs = append(t.tabs, tab)
		t.panels = append(t.panels, html.Find(tab.GetAttribute("aria-controls")))
		html.On(tab, "click", func(html.Event) { t.bring(i) })
		html.On(tab, "keydown", func(e html.Event) {
			to, ok := arrow(e, i, len(t.tabs))
			if !ok {
				return
			}
			t.bring(to)
			html.Focus(t.tabs[to])
		})
	}
	narrow := html.Media("(max-width: 1099px)")
	t.role(html.Matches(narrow))
	html.On(narrow, "change", func(html.Event) { t.role(html.Matches(narrow)) })
}

// role makes the sections tab panels, or sections again.
func (t *tabs) role(narrow bool) {
	for i, p := range t.panels {
		if narrow {
			p.SetAttribute("role", "tabpanel")
			p.SetAttribute("aria-labelledby", t.tabs[i].ID())
		} else {
			p.RemoveAttribute("role")
			p.SetAttribute("aria-labelledby", "h-"+p.ID())
		}
	}
}

func (t *tabs) show(i int) {
	mark(t.tabs, i)
	for j, p := range t.panels {
		if i == j {
			p.Class().Add("shown")
		} else {
			p.Class().Remove("shown")
		}
	}
}

// bring shows a panel from its top, if that isn't in the upper two thirds of the window: another may have been scrolled
// through, further than this one is long, and the tabs are at the window's foot where the panels are below it.
func (t *tabs) bring(i int) {
	t.show(i)
	edge := func(e html.Element, name string) float64 { return e.Call("getBoundingClientRect").Get(name).Float() }
	if top := edge(t.panels[i], "top"); top < edge(t.bar, "bottom") || top > html.Window.Get("innerHeight").Float()*2/3 {
		t.panels[i].Call("scrollIntoView", map[string]any{"block": "start"})
	}
}

// mark makes tab i the chosen one, and the one that Tab comes to.
func mark(tabs []html.Element, i int) {
	for j, tab := range tabs {
		chosen, index := "false", "-1"
		if i == j {
			chosen, index = "true", "0"
		}
		tab.SetAttribute("tabindex", index)
		tab.SetAttribute("aria-selected", chosen)
	}
}

// arrow is which of n tabs a key pressed on tab i leads to; false if it leads to none.
func arrow(e html.Event, i, n int) (to int, ok bool) {
	switch e.Key() {
	case "ArrowRight":
		to = (i + 1) % n
	case "ArrowLeft":
		to = (i + n - 1) % n
	case "Home":
		to = 0
	case "End":
		to = n - 1
	default:
		return i, false
	}
	e.PreventDefault()
	return to, true
}

// ShowPanel brings the panel of that id to the front, where only one is shown.
func (p *Panel) ShowPanel(id string) {
	for i, panel := range p.tabs.panels {
		if panel.ID() == id {
			p.tabs.show(i)
		}
	}
}
