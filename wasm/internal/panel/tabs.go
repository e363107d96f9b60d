//go:build js && wasm

package panel

import (
	"stormbin/wasm/internal/html"
)

// tabs shows one panel at a time where there is no room for all. Where there is, they are plain sections.
type tabs struct {
	tabs   []html.Element
	panels []html.Element
}

func (t *tabs) bind() {
	for _, e := range html.All(html.Root, "[role=tab]") {
		tab := e
		i := len(t.tabs)
		t.tabs = append(t.tabs, tab)
		t.panels = append(t.panels, html.Find(tab.GetAttribute("aria-controls")))
		html.On(tab, "click", func(html.Event) { t.show(i) })
		html.On(tab, "keydown", func(e html.Event) {
			to := i
			switch e.Key() {
			case "ArrowRight":
				to = (i + 1) % len(t.tabs)
			case "ArrowLeft":
				to = (i + len(t.tabs) - 1) % len(t.tabs)
			case "Home":
				to = 0
			case "End":
				to = len(t.tabs) - 1
			default:
				return
			}
			e.PreventDefault()
			t.show(to)
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
	for j, tab := range t.tabs {
		chosen := "false"
		tab.SetAttribute("tabindex", "-1")
		if i == j {
			chosen = "true"
			tab.SetAttribute("tabindex", "0")
			t.panels[j].Class().Add("shown")
		} else {
			t.panels[j].Class().Remove("shown")
		}
		tab.SetAttribute("aria-selected", chosen)
	}
}

// ShowPanel brings the panel of that id to the front, where only one is shown.
func (p *Panel) ShowPanel(id string) {
	for i, panel := range p.tabs.panels {
		if panel.ID() == id {
			p.tabs.show(i)
		}
	}
}
