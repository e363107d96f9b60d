//go:build js && wasm

package panel

import (
	"slices"
	"strings"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/session"
	"stormbin/wasm/internal/view"
)

// rule is the settings: a row a call, what holds for all, and what it runs on.
type rule struct {
	acts    Acts
	lead    *html.Text
	back    back
	matrix  matrix
	sums    sums
	presets presetButtons
	around  around
	fields  []*field
	fixed   int    // how many of the fields are in the HTML for all scenarios; they come first
	shown   string // the scenario's shape
	values  scenario.Scenario
}

func (r *rule) bind(acts Acts) {
	r.acts = acts
	r.lead = html.TextOf("rule-lead")
	r.back.bind(acts)
	r.matrix.bind()
	r.sums.bind()
	html.Breathe()
	r.presets.bind(r)
	html.Breathe()
	r.around.bind(r)
	r.fixed = len(r.fields)
}

// fill writes what holds. What is of one scenario is made anew if it is another.
func (r *rule) fill(s *scenario.Scenario) {
	r.values = *s
	if now := shape(s); r.shown != now {
		r.shown = now
		r.fields = r.fields[:r.fixed]
		r.matrix.build(r)
		r.presets.build(s)
		html.Breathe()
		r.around.build(r)
	}
	for _, f := range r.fields {
		html.Breathe()
		f.fill(s)
	}
	r.around.fill(s)
}

// changed writes what follows from the settings.
func (r *rule) changed(now *session.Session) {
	s := now.Settings()
	r.values = *s
	r.lead.Set(view.Lasting(now.Pinned() != nil))
	r.back.show(now)
	html.Breathe()
	sum := view.TheMatrix(s)
	html.Breathe()
	r.matrix.show(s, sum.Calls)
	r.sums.show(sum.Operations)
	html.Breathe()
	r.presets.show(view.ComesTo(s))
	html.Breathe()
	r.around.show(s, sum.Budget)
}

// pathID is a path as an element's id.
func pathID(path string) string { return strings.ReplaceAll(path, ".", "-") }

// shape is what a scenario is made of, by name.
func shape(s *scenario.Scenario) string {
	names := []string{"id " + s.ID}
	for name := range s.Operations {
		names = append(names, "operation "+name)
	}
	for name := range s.Dependencies {
		names = append(names, "dependency "+name)
	}
	for name := range s.Policy.Calls {
		names = append(names, "call "+name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}
