//go:build js && wasm

package panel

import (
	"math"
	"strconv"
	"strings"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
)

// field is one setting: an input, and the path in the scenario that it sets.
type field struct {
	input html.Element
	path  string
	get   func(*scenario.Scenario) any
}

// bind has the field set its path when it is changed. A value that is refused stays in the field with the reason
// beside it, and what held before goes on to hold.
func (f *field) bind(acts Acts) {
	f.input.SetAttribute("data-path", f.path)
	if f.input.ID() == "" {
		f.input.SetID(strings.ReplaceAll(f.path, ".", "-"))
	}
	describe(f.input)
	html.On(f.input, "change", func(html.Event) {
		html.Refuse(f.input, acts.Set(f.path, f.typed()))
	})
}

// typed is what stands in the field, as JSON would have it.
func (f *field) typed() any {
	v := f.input
	if v.Get("type").String() == "checkbox" {
		return html.Checked(f.input)
	}
	text := strings.TrimSpace(html.Value(f.input))
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) {
		return x
	}
	return text
}

// fill writes the value that holds.
func (f *field) fill(s *scenario.Scenario) {
	html.Refuse(f.input, nil)
	switch x := f.get(s).(type) {
	case bool:
		html.SetChecked(f.input, x)
	case string:
		html.SetValue(f.input, x)
	case int:
		html.SetValue(f.input, strconv.Itoa(x))
	case float64:
		html.SetValue(f.input, strconv.FormatFloat(x, 'f', -1, 64))
	}
}

// describe ties a control to its hint, for those who hear the page.
func describe(input html.Element) {
	tip := html.Closest(input, ".tip")
	if tip == nil {
		return
	}
	hint := html.Maybe(tip, ".hint")
	if hint.ID() == "" {
		hint.SetID("hint-" + input.ID())
	}
	input.SetAttribute("aria-describedby", hint.ID())
}
