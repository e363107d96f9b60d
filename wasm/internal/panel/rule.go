//go:build js && wasm

package panel

import (
	"slices"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// rule is the settings: a row a call, what holds for all, and the load.
type rule struct {
	acts   Acts
	calls  html.Element
	load   html.Element
	slices html.Element
	fixed  []*field // in the HTML for all scenarios
	fields []*field // of the scenario on show
	rows   []*row
	shown  string // the scenario's id
	values scenario.Scenario
}

// row is one call's line of the policy matrix.
type row struct {
	call    string
	summary *html.Text
	retries []html.Element
}

func (r *rule) bind(acts Acts) {
	r.acts = acts
	r.calls, r.load, r.slices = html.Find("calls"), html.Find("load"), html.Find("slices")
	for id, get := range map[string]func(*scenario.Scenario) any{
		"budget":    func(s *scenario.Scenario) any { return s.Policy.Budget.Percent },
		"propagate": func(s *scenario.Scenario) any { return s.Policy.PropagateDeadline },
		"b-needs": func(s *scenario.Scenario) any {
			return s.Dependencies["b"].Service.Mean.String()
		},
	} {
		input := html.Find(id)
		f := &field{input: input, path: input.GetAttribute("data-path"), get: get}
		f.bind(acts)
		r.fixed = append(r.fixed, f)
	}
}

// fill writes what holds. The rows are made anew if it is another scenario.
func (r *rule) fill(s *scenario.Scenario) {
	if r.shown != s.ID {
		r.shown = s.ID
		r.build(s)
	}
	for _, f := range append(r.fields, r.fixed...) {
		if html.Closest(f.input, "[hidden]") == nil {
			f.fill(s)
		}
	}
	for _, row := range r.rows {
		for _, box := range row.retries {
			word := box.GetAttribute("data-retry")
			html.SetChecked(box, slices.Contains(s.Policy.Calls[row.call].RetryOn, word))
		}
	}
	r.words(s)
}

// words writes what follows from the settings.
func (r *rule) words(s *scenario.Scenario) {
	r.values = *s
	for _, row := range r.rows {
		row.summary.Set(view.Retrying(s, row.call))
	}
	html.Clear(r.slices)
	for i, line := range view.Slices(s) {
		if i == 0 {
			html.Add(r.slices, html.Make("span", "", "Timeouts one after another, and the deadline they share"))
		}
		span := html.Make("span", "", line.Operation)
		html.Add(span, html.Make("span", "", line.Sum))
		html.Add(r.slices, span)
	}
}

func (r *rule) build(s *scenario.Scenario) {
	r.fields, r.rows = nil, nil
	html.Clear(r.calls)
	for _, name := range view.CallOrder(s) {
		r.addCall(s, name, len(s.Policy.Calls) == 1)
	}
	html.Clear(r.load)
	for _, name := range view.Busiest(s) {
		e := html.Clone("rate")
		html.In(e, "label > span").SetTextContent(name + " /s")
		html.Add(r.load, e)
		r.add(html.In(e, "input"), "operations."+name+".rate", func(s *scenario.Scenario) any { return s.Operations[name].Rate })
	}
}

func (r *rule) add(input html.Element, path string, get func(*scenario.Scenario) any) *field {
	f := &field{input: input, path: path, get: get}
	f.bind(r.acts)
	r.fields = append(r.fields, f)
	return f
}

func (r *rule) addCall(s *scenario.Scenario, name string, open bool) {
	e := html.Clone("call")
	html.Add(r.calls, e)
	c := s.Policy.Calls[name]
	legend := html.In(e, "legend")
	legend.SetTextContent(name)
	on := "on " + view.Title(c.Target(name))
	if view.OnlyWorkers(s, name) {
		on += ", by workers"
	}
	html.Add(legend, html.Make("span", "", on))
	html.In(e, "details").Set("open", open)
	row := &row{call: name, summary: html.TextIn(html.In(e, "summary"))}
	r.rows = append(r.rows, row)

	path := "policy.calls." + name
	line := func(get func(scenario.Call) any) func(*scenario.Scenario) any {
		return func(s *scenario.Scenario) any { return get(s.Policy.Calls[name]) }
	}
	for setting, get := range map[string]func(scenario.Call) any{
		"timeout":      func(c scenario.Call) any { return c.Timeout.String() },
		"attempts":     func(c scenario.Call) any { return c.Attempts },
		"backoff.kind": func(c scenario.Call) any { return c.Backoff.Kind },
		"backoff.base": func(c scenario.Call) any { return c.Backoff.Base.String() },
		"jitter":       func(c scenario.Call) any { return c.Jitter },
	} {
		r.add(html.In(e, `[data-set="`+setting+`"]`), path+"."+setting, line(get))
	}
	row.retries = html.All(e, "[data-retry]")
	for _, box := range row.retries {
		box.SetID("policy-calls-" + name + "-retry-on-" + box.GetAttribute("data-retry"))
		describe(box)
		html.On(box, "change", func(html.Event) {
			html.Refuse(box, r.acts.Set(path+".retry_on", row.retryOn(r.values.Policy.Calls[name].RetryOn)))
		})
	}
}

// retryOn is what is ticked, and what was in the rule before that has no box.
func (r *row) retryOn(before []string) []string {
	words := []string{}
	for _, w := range before {
		if w == "lost" || w == "shed" {
			words = append(words, w)
		}
	}
	for _, box := range r.retries {
		if html.Checked(box) {
			words = append(words, box.GetAttribute("data-retry"))
		}
	}
	return words
}
