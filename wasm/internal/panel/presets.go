//go:build js && wasm

package panel

import (
	"strconv"

	"stormbin/engine/presets"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// presetButtons is the rules that have names, and what libraries do by themselves.
type presetButtons struct {
	buttons []html.Element // of presets.Rules, in their order
	cost    *html.Text
	call    html.Element
}

func (p *presetButtons) bind(r *rule) {
	box := html.Find("presets")
	for i, rule := range presets.Rules() {
		tip := html.Make("span", "tip field", "")
		b := html.Make("button", "", rule.Name)
		b.SetAttribute("type", "button")
		b.SetAttribute("data-preset", rule.Name)
		hint := html.Make("small", "hint", rule.Cost)
		html.Add(tip, b)
		html.Add(tip, hint)
		html.Add(box, tip)
		b.SetID("preset-" + strconv.Itoa(i))
		describe(b)
		html.Press(b, false)
		html.On(b, "click", func(html.Event) {
			s, err := presets.WithRule(r.values, rule.Name)
			if err == nil {
				err = r.acts.To(s)
			}
			html.Refuse(b, err)
		})
		p.buttons = append(p.buttons, b)
	}
	p.cost = html.TextOf("preset-cost")
	p.call = html.Find("library-call")
	p.bindLibraries(r)
}

func (p *presetButtons) bindLibraries(r *rule) {
	pick, what, do := html.Find("library"), html.TextOf("library-what"), html.Find("library-do")
	all := presets.List()
	for _, l := range all {
		option(pick, l.ID, l.Name)
	}
	tell := func() {
		for _, l := range all {
			if l.ID == html.Value(pick) {
				what.Set(l.What)
			}
		}
	}
	tell()
	html.On(pick, "change", func(html.Event) { tell() })
	html.On(do, "click", func(html.Event) {
		s, err := presets.WithLibrary(r.values, html.Value(p.call), html.Value(pick))
		if err == nil {
			err = r.acts.To(s)
		}
		html.Refuse(do, err)
	})
}

// build offers the calls of a scenario.
func (p *presetButtons) build(s *scenario.Scenario) {
	html.Clear(p.call)
	for _, name := range view.CallOrder(s) {
		option(p.call, name, name)
	}
}

// show marks the rule that holds, and says what it costs.
func (p *presetButtons) show(holds string) {
	p.cost.Set("None of these holds just now: this rule is your own.")
	for i, rule := range presets.Rules() {
		html.Press(p.buttons[i], rule.Name == holds)
		if rule.Name == holds {
			p.cost.Set(rule.Cost)
		}
	}
}

// option adds a choice to a select.
func option(pick html.Element, value, text string) {
	o := html.Make("option", "", text)
	html.SetValue(o, value)
	html.Add(pick, o)
}
