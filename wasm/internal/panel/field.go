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
	none  any // what an empty field stands for. nil: it may not be empty
}

// add has an input set its path when it is changed. A value that is refused stays in the field with the reason beside it,
// and what held before goes on to hold.
func (r *rule) add(input html.Element, path string, none any, get func(*scenario.Scenario) any) {
	f := &field{input, path, get, none}
	r.fields = append(r.fields, f)
	input.SetAttribute("data-path", path)
	if input.ID() == "" {
		input.SetID(pathID(path))
	}
	describe(input)
	html.On(input, "change", func(html.Event) {
		html.Refuse(input, r.acts.Set(path, f.typed()))
	})
}

// typed is what stands in the field, as JSON would have it.
func (f *field) typed() any {
	if f.input.Get("type").String() == "checkbox" {
		return html.Checked(f.input)
	}
	text := strings.ReplaceAll(html.Value(f.input), " ", "") // 20 ms is how the page itself writes 20ms
	if text == "" && f.none != nil {
		return f.none
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) {
		return x
	}
	return text
}

// fill writes the value that holds.
func (f *field) fill(s *scenario.Scenario) {
	html.Refuse(f.input, nil)
	text := ""
	switch x := f.get(s).(type) {
	case bool:
		html.SetChecked(f.input, x)
		return
	case string:
		text = x
	case scenario.Duration:
		text = x.String()
	case int:
		text = strconv.Itoa(x)
	case float64:
		text = strconv.FormatFloat(x, 'f', -1, 64)
	}
	if none := f.none; none == text || none == 0 && text == "0" {
		text = ""
	}
	html.SetValue(f.input, text)
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
