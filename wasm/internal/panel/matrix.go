//go:build js && wasm

package panel

import (
	"strconv"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// matrix is the rule call by call: a table with two lines for each, and more of them behind a button.
type matrix struct {
	table html.Element
	rows  []*row
}

type row struct {
	call    string
	box     html.Element
	fits    html.Element
	short   *html.Text
	said    *html.Text // the sum in full
	summary *html.Text // how it is retried
	also    *html.Text // what is set of it behind the button
	retries toggles
	rest    map[string]html.Element // the settings of which not all matter, by name
}

func (m *matrix) bind() { m.table = html.Find("calls") }

func (m *matrix) build(r *rule) {
	m.rows = nil
	for _, body := range html.All(m.table, "tbody") {
		body.Remove()
	}
	for _, name := range view.CallOrder(&r.values) {
		html.Breathe()
		m.add(r, name)
	}
}

func (m *matrix) add(r *rule, name string) {
	e := html.Clone("call")
	html.Add(m.table, e)
	c := r.values.Policy.Calls[name]
	title := html.In(e, ".call-name")
	for _, part := range view.Breakable(name) {
		html.Add(title, html.Make("span", "", part))
		html.Add(title, html.Make("wbr", "", ""))
	}
	on := "on " + view.Title(c.Target(name))
	if view.OnlyWorkers(&r.values, name) {
		on += ", by workers"
	}
	html.In(e, ".on").SetTextContent(on)

	path := "policy.calls." + name
	row := &row{call: name, box: e, fits: html.In(e, ".fits"), rest: map[string]html.Element{}}
	row.short, row.said, row.summary = html.TextIn(row.fits), html.TextIn(html.In(e, ".said")), html.TextIn(html.In(e, ".summary"))
	row.also = html.TextIn(html.In(e, ".also"))
	m.rows = append(m.rows, row)
	for _, s := range callSettings {
		input := html.In(e, `[data-set="`+s.name+`"]`)
		if input.GetAttribute("aria-label") != "" {
			input.SetAttribute("aria-label", input.GetAttribute("aria-label")+" of "+name)
		} else {
			row.rest[s.name] = html.Closest(input, ".field")
		}
		r.add(input, path+"."+s.name, s.none, func(now *scenario.Scenario) any {
			c := now.Policy.Calls[name]
			return s.get(&c)
		})
	}
	row.retries = newToggles(e, r.acts, path+".retry_on", pathID(path+".retry_on"), func() []string { return r.values.Policy.Calls[name].RetryOn })
	for _, b := range row.retries.buttons {
		b.SetAttribute("aria-label", b.GetAttribute("aria-label")+" of "+name)
	}

	more, rest := html.In(e, ".more"), html.In(e, ".rest")
	rest.SetID(pathID(path + ".rest"))
	more.SetID(pathID(path + ".more"))
	more.SetAttribute("aria-controls", rest.ID())
	more.SetAttribute("aria-label", "More of "+name)
	html.On(more, "click", func(html.Event) {
		open := more.GetAttribute("aria-expanded") != "true"
		html.Expand(more, open)
		html.Show(rest, open)
	})
}

// callSettings are those of a call that have a field.
var callSettings = []struct {
	name string
	none any
	get  func(*scenario.Call) any
}{
	{"timeout", "0s", func(c *scenario.Call) any { return c.Timeout }},
	{"attempts", nil, func(c *scenario.Call) any { return c.Attempts }},
	{"backoff.kind", nil, func(c *scenario.Call) any { return c.Backoff.Kind }},
	{"backoff.base", "0s", func(c *scenario.Call) any { return c.Backoff.Base }},
	{"backoff.max", "0s", func(c *scenario.Call) any { return c.Backoff.Max }},
	{"jitter", nil, func(c *scenario.Call) any { return c.Jitter }},
	{"hedge_after", "0s", func(c *scenario.Call) any { return c.HedgeAfter }},
	{"hedge_cancel", nil, func(c *scenario.Call) any { return c.HedgeCancel }},
	{"statement_timeout", "0s", func(c *scenario.Call) any { return c.StatementTimeout }},
	{"idempotency_key", nil, func(c *scenario.Call) any { return c.IdempotencyKey }},
}

// show writes what follows from the settings, and shows of them what matters.
func (m *matrix) show(s *scenario.Scenario, fits map[string]view.Fit) {
	for _, row := range m.rows {
		fit := fits[row.call]
		row.short.Set(fit.Short)
		row.said.Set(fit.Said)
		row.summary.Set(view.Retrying(s, row.call))
		row.also.Set(view.Also(s, row.call))
		mark := "fits"
		if fit.Too {
			mark += " too"
		}
		row.fits.SetAttribute("class", mark)
		row.retries.fill(s.Policy.Calls[row.call].RetryOn)
		row.box.SetAttribute("data-once", strconv.FormatBool(s.Policy.Calls[row.call].Attempts == 1))
		for setting, box := range row.rest {
			html.Show(box, view.Matters(s, row.call, setting))
		}
	}
}
