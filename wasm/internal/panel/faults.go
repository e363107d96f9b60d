//go:build js && wasm

package panel

import (
	"slices"
	"strings"
	"time"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// faults is what can be broken, by one click or put together, and the list of what is.
type faults struct {
	acts     Acts
	settings *scenario.Scenario
	shown    string // the shape of what is offered
	list     html.Element
	none     html.Element // what stands there instead of an empty list
	mend     html.Element
	rows     []brokenRow

	target, kind, amount, lasts, at html.Element
	does, amountName, button        *html.Text
	ways                            []view.Way
}

func (f *faults) bind(acts Acts) {
	f.acts = acts
	f.list, f.none, f.mend = html.Find("broken"), html.Find("broken-none"), html.Find("mend")
	for _, b := range html.All(html.Root, "[data-fault]") {
		html.On(b, "click", func(html.Event) { acts.Break(f.of(b)) })
	}
	html.On(f.mend, "click", func(html.Event) { acts.Mend() })

	f.target, f.kind, f.amount = html.Find("fault-target"), html.Find("fault-kind"), html.Find("fault-amount")
	f.lasts, f.at = html.Find("fault-for"), html.Find("fault-at")
	f.does, f.amountName, f.button = html.TextOf("fault-does"), html.TextOf("fault-amount-name"), html.TextOf("fault-do")
	for _, input := range []html.Element{f.lasts, f.at} {
		describe(input)
	}
	html.On(f.target, "change", func(html.Event) { f.offer() })
	html.On(f.kind, "change", func(html.Event) { f.ask() })
	html.On(f.at, "input", func(html.Event) { f.name() })
	html.On(html.Find("fault-form"), "submit", func(e html.Event) {
		e.PreventDefault()
		f.do()
	})
}

// of is a button's fault, which is JSON as in a scenario. Some say how long a slow one needs for an attempt, however fast it is
// when well: the experiment's figure.
func (f *faults) of(button html.Element) scenario.Fault {
	var s scenario.Scenario
	text := button.GetAttribute("data-fault")
	if err := scenario.SetText(&s, "faults", "["+text+"]"); err != nil {
		panic("data-fault " + text + ": " + err.Error())
	}
	if to, err := time.ParseDuration(button.GetAttribute("data-to")); err == nil {
		s.Faults[0].Factor = view.SlowTo(f.settings, s.Faults[0].Target, to)
	}
	return s.Faults[0]
}

// ofOperation begins the value of a target that is an operation: one may have a dependency's name.
const ofOperation = "operation:"

// show takes in the scenario on show.
func (f *faults) show(s *scenario.Scenario) {
	f.settings = s
	if now := shape(s); f.shown != now {
		f.shown = now
		f.build()
	}
	for _, b := range html.All(html.Root, "[data-to]") {
		fault := f.of(b)
		html.TextIn(b).Set(view.ToBreak(&fault))
	}
}

// build offers what a scenario has to be broken.
func (f *faults) build() {
	html.Clear(f.target)
	group := func(label string) html.Element {
		g := html.Make("optgroup", "", "")
		g.SetAttribute("label", label)
		html.Add(f.target, g)
		return g
	}
	g := group("Dependencies")
	for _, name := range view.Breakables(f.settings) {
		option(g, name, view.Title(name))
	}
	g = group("Users")
	for _, name := range view.Busiest(f.settings) {
		option(g, ofOperation+name, name)
	}
	f.offer()
}

// chosen is the target, and whether it is an operation.
func (f *faults) chosen() (name string, operation bool) {
	return strings.CutPrefix(html.Value(f.target), ofOperation)
}

// offer lists the ways to break the target.
func (f *faults) offer() {
	was := html.Value(f.kind)
	name, operation := f.chosen()
	if f.ways = view.Surge(); !operation {
		f.ways = view.Ways(f.settings, name)
	}
	html.Clear(f.kind)
	for _, w := range f.ways {
		option(f.kind, w.Kind, w.Name)
		if w.Kind == was {
			html.SetValue(f.kind, was)
		}
	}
	f.ask()
}

// ask asks for the number that the kind has.
func (f *faults) ask() {
	for _, w := range f.ways {
		if w.Kind == html.Value(f.kind) {
			f.does.Set(w.Does)
			html.Show(html.Closest(f.amount, ".field"), w.Amount != "")
			f.amountName.Set(w.Amount)
			html.SetValue(f.amount, w.Usual())
		}
	}
	f.refuse("", nil)
	f.name()
}

// name says on the button what it does.
func (f *faults) name() {
	if strings.TrimSpace(html.Value(f.at)) == "" {
		f.button.Set("Break it now")
	} else {
		f.button.Set("Plan it")
	}
}

func (f *faults) do() {
	name, _ := f.chosen()
	typed := view.Typed{Target: name, Kind: html.Value(f.kind), Amount: html.Value(f.amount), For: html.Value(f.lasts), At: html.Value(f.at)}
	fault, field, err := typed.Fault(f.settings)
	if err == nil {
		field, err = "at", f.acts.Break(fault)
	}
	f.refuse(field, err)
}

// refuse says at a field why there is no such fault.
func (f *faults) refuse(field string, why error) {
	for name, input := range map[string]html.Element{"amount": f.amount, "for": f.lasts, "at": f.at} {
		if name == field {
			html.Refuse(input, why)
		} else {
			html.Refuse(input, nil)
		}
	}
}

// brokenRow is one thing that is broken, or planned.
type brokenRow struct {
	view.Broken
	item html.Element
	left *html.Text
	drop html.Element // takes it off the timeline; nil if it is not planned
}

// ShowBroken lists what is broken at now, and what is to be.
func (p *Panel) ShowBroken(s *scenario.Scenario, now time.Duration) {
	f := &p.faults
	broken := append(view.BrokenNow(s, now), view.Planned(s, now)...)
	html.Dim(f.mend, len(broken) == 0)
	same := slices.EqualFunc(broken, f.rows, func(b view.Broken, r brokenRow) bool { return b.Fault == r.Fault && b.Planned == r.Planned })
	if !same {
		f.listAnew(broken)
	}
	for i, b := range broken {
		f.rows[i].left.Set(b.Left)
	}
}

// listAnew makes the rows. If the button that had the focus is gone, the next one has it, and after the last the heading.
func (f *faults) listAnew(broken []view.Broken) {
	focused := slices.IndexFunc(f.rows, func(r brokenRow) bool { return r.drop != nil && html.Focused(r.drop) })
	var had scenario.Fault
	if focused >= 0 {
		had = f.rows[focused].Fault
	}
	html.Clear(f.list)
	f.rows = nil
	if len(broken) == 0 {
		html.Add(f.list, f.none)
	}
	for _, b := range broken {
		f.rows = append(f.rows, f.row(b))
	}
	if focused < 0 {
		return
	}
	at := slices.IndexFunc(f.rows, func(r brokenRow) bool { return r.drop != nil && r.Fault == had })
	if at < 0 {
		at = min(focused, len(f.rows)-1)
	}
	if at >= 0 && f.rows[at].drop != nil {
		html.Focus(f.rows[at].drop)
	} else {
		html.Focus(html.Find("h-broken"))
	}
}

func (f *faults) row(b view.Broken) brokenRow {
	r := brokenRow{Broken: b, item: html.Make("li", "", "")}
	html.Add(r.item, html.Make("span", "", b.What))
	left := html.Make("span", "muted", "")
	r.left = html.TextIn(left)
	html.Add(r.item, left)
	if b.Planned {
		r.drop = html.Make("button", "takes-out", "Remove")
		r.drop.SetAttribute("type", "button")
		r.drop.SetAttribute("aria-label", "Remove: "+b.What+" "+b.Left)
		html.On(r.drop, "click", func(html.Event) { f.acts.Drop(b.Fault) })
		html.Add(r.item, r.drop)
	}
	html.Add(f.list, r.item)
	return r
}
