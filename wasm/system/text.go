//go:build js && wasm

package main

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/own"
)

// text is the system as JSON.
type text struct {
	page    *page
	area    html.Element
	problem html.Element
	to      html.Element // leads to the place that it is about
}

func (t *text) bind(p *page) {
	t.page, t.area, t.problem, t.to = p, html.Find("json"), html.Find("json-problem"), html.Find("json-show")
	html.On(t.area, "input", func(html.Event) {
		p.draft.Type(html.Value(t.area))
		p.changed(t.area)
	})
	html.On(t.area, "change", func(html.Event) { p.draft.Pause() })
	html.On(t.to, "click", func(html.Event) { t.lead() })
}

// show brings the text up to date, unless it is where the reader writes, and says what is wrong in it and where.
func (t *text) show(by html.Element, problem error) {
	now := t.page.draft.Text()
	if by == nil || !by.Equal(t.area.Value) {
		html.SetValue(t.area, strings.TrimSuffix(now, "\n"))
	}
	html.Show(t.problem, problem != nil)
	html.Show(t.to, false)
	if problem == nil {
		t.area.RemoveAttribute("aria-invalid")
		return
	}
	t.area.SetAttribute("aria-invalid", "true")
	var lines []string
	for _, wrong := range scenario.Each(problem) {
		said := wrong.Error()
		if place, found := own.Find(now, wrong); found {
			html.Show(t.to, true)
			if !strings.HasPrefix(said, "line ") {
				said = "line " + strconv.Itoa(place.Line) + ": " + said
			}
		}
		lines = append(lines, said)
	}
	if several := (*scenario.Problems)(nil); errors.As(problem, &several) && several.More > 0 {
		lines = append(lines, "and "+strconv.Itoa(several.More)+" more")
	}
	if said := strings.Join(lines, "\n"); t.problem.TextContent() != said { // or it is read out again
		t.problem.SetTextContent(said)
	}
}

// lead selects the first thing that is wrong.
func (t *text) lead() {
	now := html.Value(t.area)
	var place own.Place
	found := false
	for _, wrong := range scenario.Each(t.page.draft.Problem()) {
		if place, found = own.Find(now, wrong); found {
			break
		}
	}
	if !found {
		return
	}
	html.Focus(t.area)
	t.area.Call("setSelectionRange", units(now[:place.From]), units(now[:place.To]))
	lines := strings.Count(now, "\n") + 1
	height := t.area.Get("scrollHeight").Float()
	t.area.Set("scrollTop", height*(float64(place.Line-1)/float64(lines))-t.area.Get("clientHeight").Float()/3)
}

// units is how long a text is to JavaScript.
func units(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
