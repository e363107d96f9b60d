//go:build js && wasm

package panel

import "stormbin/wasm/internal/html"

// looks is the tabs over the picture.
type looks struct{ tabs []html.Element }

func (l *looks) bind(acts Acts) {
	l.tabs = html.All(html.Find("looks"), "[role=tab]")
	for i, tab := range l.tabs {
		html.On(tab, "click", func(html.Event) { l.choose(i, acts) })
		html.On(tab, "keydown", func(e html.Event) {
			if to, ok := arrow(e, i, len(l.tabs)); ok {
				l.choose(to, acts)
				html.Focus(l.tabs[to])
			}
		})
	}
}

func (l *looks) choose(i int, acts Acts) { acts.Look(l.tabs[i].GetAttribute("data-look")) }

// ShowLook marks the look of that name as the one on show.
func (p *Panel) ShowLook(name string) {
	for i, tab := range p.looks.tabs {
		if tab.GetAttribute("data-look") == name {
			mark(p.looks.tabs, i)
			html.Find("figure").SetAttribute("aria-labelledby", tab.ID())
		}
	}
}
