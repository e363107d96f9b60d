//go:build js && wasm

package panel

import (
	"math"
	"strconv"
	"strings"

	"honnef.co/go/js/dom/v2"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
)

// field is one setting: an input, and the path in the scenario that it sets.
type field struct {
	input dom.Element
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
	html.On(f.input, "change", func(dom.Event) {
		refuse(f.input, acts.Set(f.path, f.typed()))
	})
}

// typed is what stands in the field, as JSON would have it.
func (f *field) typed() any {
	v := f.input.Underlying()
	if v.Get("type").String() == "checkbox" {
		return v.Get("checked").Bool()
	}
	text := strings.TrimSpace(v.Get("value").String())
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) {
		return x
	}
	return text
}

// fill writes the value that holds.
func (f *field) fill(s *scenario.Scenario) {
	refuse(f.input, nil)
	switch x := f.get(s).(type) {
	case bool:
		f.input.Underlying().Set("checked", x)
	case string:
		f.input.Underlying().Set("value", x)
	case int:
		f.input.Underlying().Set("value", strconv.Itoa(x))
	case float64:
		f.input.Underlying().Set("value", strconv.FormatFloat(x, 'f', -1, 64))
	}
}

// describe ties a control to its hint, for those who hear the page.
func describe(input dom.Element) {
	tip := input.Closest(".tip")
	if tip == nil {
		return
	}
	hint := tip.QuerySelector(".hint")
	if hint.ID() == "" {
		hint.SetID("hint-" + input.ID())
	}
	input.SetAttribute("aria-describedby", hint.ID())
}

// refuse says beside a field why its value was not taken; nil takes that back.
func refuse(input dom.Element, why error) {
	around := input.Closest(".field")
	said := around.QuerySelector(".error")
	if why == nil {
		input.RemoveAttribute("aria-invalid")
		if said != nil {
			said.Remove()
		}
		return
	}
	if said == nil {
		said = html.Make("small", "error", "")
		said.SetAttribute("role", "alert")
		around.AppendChild(said)
	}
	said.SetTextContent(why.Error())
	input.SetAttribute("aria-invalid", "true")
}
