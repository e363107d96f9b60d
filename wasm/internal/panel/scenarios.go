//go:build js && wasm

package panel

import (
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// scenarios is the choice of a scenario: the catalogue by family, and after it what a link has brought. The HTML has two of
// them, for before the program is there.
type scenarios struct {
	choice html.Element
	shown  string // the id of the one on show
}

func (s *scenarios) bind(acts Acts) {
	s.choice = html.Find("scenario")
	html.Clear(s.choice)
	var family html.Element
	last := ""
	for _, e := range scenario.List() {
		if e.Family != last {
			last = e.Family
			family = html.Make("optgroup", "", "")
			family.SetAttribute("label", scenario.FamilyName(e.Family))
			html.Add(s.choice, family)
		}
		s.offer(family, e.ID, e.Title)
	}
	html.On(s.choice, "change", func(html.Event) {
		if id := html.Value(s.choice); id != "" {
			acts.Pick(id)
		} else { // nothing is chosen, as by a program that fills in forms
			html.SetValue(s.choice, s.shown)
		}
	})
}

func (s *scenarios) offer(in html.Element, id, title string) {
	option := html.Make("option", "", title)
	option.SetAttribute("value", id)
	html.Add(in, option)
}

// show marks the scenario of that id as the one on show.
func (s *scenarios) show(id string) {
	s.shown = id
	html.SetValue(s.choice, id)
	if html.Value(s.choice) != id {
		s.offer(s.choice, id, view.Called(id))
		html.SetValue(s.choice, id)
	}
}

// system is which of the two systems that have words of their own a scenario is of; empty: neither.
func system(s *scenario.Scenario) string {
	if _, ok := s.Operations["create"]; ok {
		return "pastebin"
	}
	if _, ok := s.Dependencies["b"]; ok {
		return "two-service"
	}
	return ""
}
