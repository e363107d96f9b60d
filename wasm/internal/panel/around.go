//go:build js && wasm

package panel

import (
	"slices"
	"strconv"
	"strings"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// around is what holds for all calls, the load, and what it all runs on.
type around struct {
	budget  *html.Text
	kinds   []html.Element // of budgets: what only some of them have
	breaker html.Element   // what only matters with one
	counts  toggles        // as failures for the breaker
	caps    html.Element
	capOf   map[string]html.Element // by operation
	load    html.Element
	runsOn  html.Element
}

func (a *around) bind(r *rule) {
	a.budget = html.TextOf("budget-words")
	a.kinds = html.All(html.Root, "[data-kind]")
	a.breaker = html.Find("breaker-more")
	a.caps, a.load, a.runsOn = html.Find("caps"), html.Find("load"), html.Find("runs-on")
	for _, f := range []struct {
		id   string
		none any
		get  func(*scenario.Policy) any
	}{
		{"budget-kind", nil, func(p *scenario.Policy) any { return p.Budget.Kind }},
		{"budget", 0, func(p *scenario.Policy) any { return p.Budget.Percent }},
		{"budget-tokens", nil, func(p *scenario.Policy) any { return p.Budget.MaxTokens }},
		{"budget-earns", nil, func(p *scenario.Policy) any { return p.Budget.TokenRatio }},
		{"budget-floor", 0, func(p *scenario.Policy) any { return p.Budget.FloorPerSecond }},
		{"budget-least", 0, func(p *scenario.Policy) any { return p.Budget.MinConcurrent }},
		{"breaker", nil, func(p *scenario.Policy) any { return p.Breaker.Enabled }},
		{"breaker-threshold", nil, func(p *scenario.Policy) any { return p.Breaker.Threshold }},
		{"breaker-open", nil, func(p *scenario.Policy) any { return p.Breaker.OpenFor }},
		{"breaker-window", nil, func(p *scenario.Policy) any { return p.Breaker.Window }},
		{"breaker-least", nil, func(p *scenario.Policy) any { return p.Breaker.MinCalls }},
		{"breaker-probes", nil, func(p *scenario.Policy) any { return p.Breaker.Probes }},
		{"breaker-per", nil, func(p *scenario.Policy) any { return p.Breaker.Per }},
		{"propagate", nil, func(p *scenario.Policy) any { return p.PropagateDeadline }},
	} {
		html.Breathe()
		input := html.Find(f.id)
		r.add(input, input.GetAttribute("data-path"), f.none, func(s *scenario.Scenario) any { return f.get(&s.Policy) })
	}
	a.counts = newToggles(a.breaker, r.acts, "policy.breaker.on", "breaker-on", func() []string { return r.values.Policy.Breaker.On })
}

// build makes what is of one scenario.
func (a *around) build(r *rule) {
	s := &r.values
	html.Clear(a.load)
	html.Clear(a.caps)
	a.capOf = map[string]html.Element{}
	for _, name := range view.Busiest(s) {
		html.Breathe()
		e := html.Clone("rate")
		html.In(e, "label > span").SetTextContent(name + " /s")
		html.Add(a.load, e)
		r.add(html.In(e, "input"), "operations."+name+".rate", nil, func(s *scenario.Scenario) any { return s.Operations[name].Rate })
		a.addCap(r, name)
	}
	html.Clear(a.runsOn)
	for _, name := range view.Breakables(s) {
		html.Breathe()
		a.addDependency(r, name)
	}
}

// addCap is a cap on an operation. A run can't change it, so that it starts over.
func (a *around) addCap(r *rule, name string) {
	e := html.Clone("cap")
	html.In(e, "label > span").SetTextContent(name)
	html.Add(a.caps, e)
	path := "processes.cap." + name
	input := html.In(e, "input")
	input.SetID(pathID(path))
	describe(input)
	a.capOf[name] = input
	html.On(input, "change", func(html.Event) {
		s := r.values.Clone()
		var most any // nil: none
		if text := strings.TrimSpace(html.Value(input)); text != "" {
			most = text
			if n, err := strconv.Atoi(text); err == nil {
				most = n
			}
		}
		err := scenario.Set(&s, path, most)
		if err == nil {
			err = r.acts.Over(s)
		}
		html.Refuse(input, err)
	})
}

func (a *around) addDependency(r *rule, name string) {
	e := html.Clone("dependency")
	html.In(e, "legend").SetTextContent(view.Title(name))
	html.Add(a.runsOn, e)
	for _, f := range []struct {
		name string
		none any
		get  func(*scenario.Dependency) any
	}{
		{"slots", nil, func(d *scenario.Dependency) any { return d.Slots }},
		{"service.mean", "0s", func(d *scenario.Dependency) any { return d.Service.Mean }},
		{"statement_timeout", "0s", func(d *scenario.Dependency) any { return d.StatementTimeout }},
		{"cancel", nil, func(d *scenario.Dependency) any { return d.Cancel }},
	} {
		r.add(html.In(e, `[data-set="`+f.name+`"]`), "dependencies."+name+"."+f.name, f.none,
			func(s *scenario.Scenario) any {
				d := s.Dependencies[name]
				return f.get(&d)
			})
	}
	if base := r.values.Dependencies[name].Service.Base; base > 0 {
		html.In(e, ".base").SetTextContent("and " + base.String() + " before that, always")
	}
}

// fill writes what no field does by itself.
func (a *around) fill(s *scenario.Scenario) {
	for name, input := range a.capOf {
		html.Refuse(input, nil)
		text := ""
		if most := s.Processes.Cap[name]; most > 0 {
			text = strconv.Itoa(most)
		}
		html.SetValue(input, text)
	}
}

// show shows what matters.
func (a *around) show(s *scenario.Scenario, budget string) {
	if budget == "" {
		budget = "no bound"
	}
	a.budget.Set(budget)
	for _, e := range a.kinds {
		html.Show(e, slices.Contains(strings.Fields(e.GetAttribute("data-kind")), s.Policy.Budget.Kind))
	}
	html.Show(a.breaker, s.Policy.Breaker.Enabled)
	a.counts.fill(s.Policy.Breaker.On)
}
