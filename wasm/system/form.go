//go:build js && wasm

package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"syscall/js"
	"unicode/utf16"

	"stormbin/engine/json"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/own"
)

// form is the fields of the system. It is made anew when there are others, and else only filled.
type form struct {
	page   *page
	box    html.Element
	waits  html.Element
	fields map[string]*field // by path
	shape  string            // which fields there are
	open   map[string]bool   // which details are, by id
	to     string            // the id of what has the focus once they are made anew; "": what had it
}

// field is a field on the page.
type field struct {
	own.Field
	input   html.Element // of Words and Steps what is around them
	refused bool         // what stands in it was not taken
	told    bool         // of something that is wrong with it
	filled  bool         // it shows its value
}

func (f *form) bind(p *page) {
	f.page, f.box, f.waits = p, html.Find("form"), html.Find("form-waits")
	f.open = map[string]bool{}
}

// id is the id of what stands for a path, whatever names are in it.
func id(path string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '_':
			return r
		case r == '.':
			return '-'
		}
		return 'X'
	}, path)
}

// show brings the form up to date. by is the field that the reader is at, problem what keeps the system from running.
func (f *form) show(by html.Element, problem error) {
	s := f.page.draft.Scenario()
	fits := f.page.draft.Unread() == nil && own.Fits(&s)
	html.Show(f.waits, !fits)
	html.Enable(f.box, fits)
	to := f.to
	f.to = ""
	if !fits {
		return
	}
	sections := own.Form(&s)
	var selects html.Element
	if shape := own.Outline(sections); shape != f.shape {
		selects = f.make(sections, to)
		f.shape = shape
	}
	within := by != nil && f.box.Call("contains", by.Value).Bool() // then what was refused elsewhere stays to be mended
	var paths []string
	each(sections, func(now own.Field) {
		paths = append(paths, now.Path)
		on := f.fields[now.Path]
		same := on.filled && on.Value == now.Value && on.Yes == now.Yes && slices.Equal(on.On, now.On)
		on.Field = now
		switch {
		case by != nil && on.input.Equal(by.Value):
			on.filled = false
		case within && on.refused, same && !on.told && !on.refused:
		default:
			on.refused = false
			f.refuse(on, nil)
			f.fill(on)
			on.filled = true
		}
	})
	if selects != nil {
		selects.Call("select")
	}
	for _, wrong := range scenario.Each(problem) {
		if on := f.fields[own.About(wrong, paths)]; on != nil && !on.refused && !on.told {
			f.refuse(on, wrong)
		}
	}
}

func each(sections []own.Section, do func(own.Field)) {
	for _, section := range sections {
		for _, g := range section.Groups {
			for _, f := range slices.Concat(g.Fields, g.More) {
				do(f)
			}
		}
	}
}

// refuse says at a field what is wrong with it; nil takes that back.
func (f *form) refuse(on *field, why error) {
	if why != nil || on.told {
		html.Refuse(on.input, why)
	}
	on.told = why != nil
}

// make puts all fields on the page. What has the focus has it again, if it is still there, unless that goes to what has the
// id to. selects is that, if all of it is to be selected once it is filled, as Tab had left it: then what is typed takes its
// place.
func (f *form) make(sections []own.Section, to string) (selects html.Element) {
	had := html.Wrap(html.Document.Get("activeElement"))
	for _, d := range html.All(f.box, "details") {
		f.open[d.ID()] = d.Get("open").Bool()
	}
	focus, all := "", false
	if had != nil && f.box.Call("contains", had.Value).Bool() {
		focus, all = cmp.Or(to, had.ID()), selected(had)
	}
	f.fields = map[string]*field{}
	var made []html.Element // they come onto the page together
	for _, section := range sections {
		html.Breathe()
		made = append(made, f.section(section))
	}
	html.Clear(f.box)
	for _, section := range made {
		html.Add(f.box, section)
	}
	if focus != "" {
		if e := html.Maybe(f.box, "#"+focus); e != nil {
			html.Focus(e)
			if all {
				return e
			}
		} else {
			html.Focus(f.box)
		}
	}
	return nil
}

// selected tells whether all that stands in a field is selected.
func selected(e html.Element) bool {
	value, end := e.Get("value"), e.Get("selectionEnd")
	return value.Type() == js.TypeString && end.Type() == js.TypeNumber && end.Int() > 0 &&
		e.Get("selectionStart").Int() == 0 && end.Int() == len(utf16.Encode([]rune(value.String())))
}

func (f *form) section(section own.Section) html.Element {
	box := html.Make("section", "part", "")
	html.Add(box, html.Make("h3", "", section.Title))
	if section.Lead != "" {
		html.Add(box, html.Make("p", "muted", section.Lead))
	}
	for _, g := range section.Groups {
		html.Breathe()
		html.Add(box, f.group(section, g))
	}
	if section.List != "" {
		html.Add(box, f.adder(section))
	}
	return box
}

func (f *form) group(section own.Section, g own.Group) html.Element {
	box := html.Make("fieldset", "group", "")
	if g.Title != "" {
		html.Add(box, html.Make("legend", "", g.Title))
	}
	row := html.Make("div", "row", "")
	html.Add(box, row)
	if section.Named {
		html.Add(row, f.name(section, g))
	}
	for _, one := range g.Fields {
		html.Add(row, f.field(one))
	}
	foot := html.Make("div", "foot", "")
	if len(g.More) > 0 {
		details := html.Make("details", "", "")
		details.SetID("more-" + id(section.List+"."+g.Name))
		details.Set("open", f.open[details.ID()])
		summary := html.Make("summary", "", "More")
		summary.SetID("of-" + details.ID())
		html.Add(summary, html.Make("span", "quiet", " of "+g.Title))
		more := html.Make("div", "row", "")
		html.Add(details, summary)
		html.Add(details, more)
		for _, one := range g.More {
			html.Add(more, f.field(one))
		}
		html.Add(foot, details)
	}
	if section.List != "" {
		remove := f.button("remove-"+id(section.List+"."+g.Name), "Remove", "Remove "+g.Title, func() {
			f.page.draft.Change(func(s *scenario.Scenario) error { return remove(s, section.List, g.Name) })
			html.Focus(html.In(f.box, "#add-"+id(section.List))) // what had the focus is about to go
		})
		html.Add(foot, remove)
	}
	html.Add(box, foot)
	return box
}

func remove(s *scenario.Scenario, list, name string) error {
	if list != "faults" {
		own.Remove(s, list, name)
		return nil
	}
	i, err := strconv.Atoi(name)
	if err != nil || i >= len(s.Faults) {
		return err
	}
	s.Faults = slices.Delete(slices.Clone(s.Faults), i, i+1)
	return nil
}

// button is one that changes the system.
func (f *form) button(id, text, label string, act func()) html.Element {
	b := html.Make("button", "", text)
	b.SetAttribute("type", "button")
	b.SetID(id)
	if label != text {
		b.SetAttribute("aria-label", label)
	}
	html.On(b, "click", func(html.Event) { act(); f.page.changed(nil) })
	return b
}

// labelled is a control under its words, with a hint for who is at it.
func labelled(label, hint, class string, input html.Element) html.Element {
	around := html.Make("div", "field tip "+class, "")
	words := html.Make("label", "", label+" ")
	html.Add(words, input)
	html.Add(around, words)
	describe(around, input, hint)
	return around
}

func describe(around, input html.Element, hint string) {
	if hint == "" {
		return
	}
	small := html.Make("small", "hint", hint)
	small.SetID("hint-" + input.ID())
	input.SetAttribute("aria-describedby", small.ID())
	html.Add(around, small)
}

func input(id string) html.Element {
	e := html.Make("input", "", "")
	e.SetID(id)
	e.SetAttribute("autocomplete", "off")
	e.SetAttribute("spellcheck", "false")
	e.SetAttribute("autocapitalize", "off")
	return e
}

// name is the field of a thing's own name, by which all others call it.
func (f *form) name(section own.Section, g own.Group) html.Element {
	in := input("name-" + id(section.List+"."+g.Name))
	html.SetValue(in, g.Name)
	html.On(in, "change", func(html.Event) {
		to := strings.TrimSpace(html.Value(in))
		err := f.page.draft.Change(func(s *scenario.Scenario) error { return own.Rename(s, section.List, g.Name, to) })
		html.Refuse(in, err)
		if err == nil {
			html.After(0, func() { // when the focus is where it was on its way to
				was, is := id(section.List+"."+g.Name), id(section.List+"."+to)
				if d := html.Maybe(f.box, "#more-"+was); d != nil {
					f.open["more-"+is] = d.Get("open").Bool()
				}
				if at := html.Wrap(html.Document.Get("activeElement")); at != nil {
					if before, after, found := strings.Cut(at.ID(), was); found && (after == "" || after[0] == '-') {
						f.to = before + is + after
					}
				}
				f.page.changed(nil)
			})
		}
	})
	return labelled("Name", "All that refers to it follows. a-z, 0-9, _ and -.", "", in)
}

// adder is the line that adds to a list.
func (f *form) adder(section own.Section) html.Element {
	around := html.Make("div", "field add", "")
	name := ""
	var in html.Element
	if section.Named {
		in = input("new-" + id(section.List))
		in.SetAttribute("aria-label", section.Add+": its name")
		in.SetAttribute("placeholder", "name")
		html.Add(around, in)
	}
	b := html.Make("button", "", section.Add)
	b.SetAttribute("type", "button")
	b.SetID("add-" + id(section.List))
	act := func() {
		if in != nil {
			name = strings.TrimSpace(html.Value(in))
		}
		err := f.page.draft.Change(func(s *scenario.Scenario) error { return own.Add(s, section.List, name) })
		if err != nil {
			at := b
			if in != nil {
				at = in
				html.Focus(in)
			}
			html.Refuse(at, err)
			return
		}
		f.page.changed(nil)
		s := f.page.draft.Scenario()
		first := "name-" + id(section.List+"."+name)
		if in == nil {
			first = id(section.List) + "-" + strconv.Itoa(len(s.Faults)-1) + "-target"
		}
		if e := html.Maybe(f.box, "#"+first); e != nil {
			e.Call("focus")
		}
	}
	html.On(b, "click", func(html.Event) { act() })
	if in != nil {
		html.On(in, "keydown", func(e html.Event) {
			if e.Key() == "Enter" {
				e.PreventDefault()
				act()
			}
		})
	}
	html.Add(around, b)
	return around
}

// field makes one of the fields.
func (f *form) field(one own.Field) html.Element {
	on := &field{Field: one}
	f.fields[one.Path] = on
	switch one.Kind {
	case own.Yes:
		in := input(id(one.Path))
		in.SetAttribute("type", "checkbox")
		on.input = in
		html.On(in, "change", func(html.Event) { f.set(on, html.Checked(in)); f.page.draft.Pause() })
		around := html.Make("div", "field check tip", "")
		words := html.Make("label", "", "")
		html.Add(words, in)
		html.Add(words, html.Make("span", "", one.Label))
		html.Add(around, words)
		describe(around, in, one.Hint)
		return around
	case own.Choice:
		in := html.Make("select", "", "")
		in.SetID(id(one.Path))
		in.SetAttribute("autocomplete", "off")
		for _, option := range one.Options {
			html.Add(in, choice(option, cmp.Or(one.Said[option], option, one.None)))
		}
		on.input = in
		html.On(in, "change", func(html.Event) { f.set(on, html.Value(in)); f.page.draft.Pause() })
		return labelled(one.Label, one.Hint, "", in)
	case own.Words:
		return f.words(on)
	case own.Steps:
		return f.steps(on)
	}
	in := input(id(one.Path))
	if one.None != "" {
		in.SetAttribute("placeholder", one.None)
	}
	if one.Kind == own.Number {
		in.SetAttribute("inputmode", "decimal")
	}
	on.input = in
	// What can't be is only said once it is written to its end: 20 is on the way to 20ms.
	html.On(in, "input", func(html.Event) { f.typed(on, false) })
	html.On(in, "change", func(html.Event) { f.typed(on, true); f.page.draft.Pause() })
	return labelled(one.Label, one.Hint, "", in)
}

func choice(value, words string) html.Element {
	option := html.Make("option", "", words)
	option.SetAttribute("value", value)
	return option
}

func (f *form) typed(on *field, done bool) {
	err := f.page.draft.Set(on.Path, on.Typed(html.Value(on.input)))
	on.refused = err != nil
	switch {
	case err == nil:
		f.refuse(on, nil)
		f.page.changed(on.input)
	case done:
		f.refuse(on, err)
	}
}

func (f *form) set(on *field, value any) {
	on.refused = false
	f.refuse(on, f.page.draft.Set(on.Path, value))
	f.page.changed(on.input)
}

// words are boxes to tick.
func (f *form) words(on *field) html.Element {
	box := html.Make("fieldset", "field checks tip wide", "")
	box.SetID(id(on.Path))
	html.Add(box, html.Make("legend", "", on.Label))
	for _, option := range on.Options {
		in := input(id(json.Join(on.Path, option)))
		in.SetAttribute("type", "checkbox")
		in.SetAttribute("value", option)
		words := html.Make("label", "", "")
		html.Add(words, in)
		html.Add(words, html.Make("span", "", option))
		html.Add(box, words)
		html.On(in, "change", func(html.Event) {
			chosen := []any{}
			for _, in := range html.All(box, "input") {
				if html.Checked(in) {
					chosen = append(chosen, html.Value(in))
				}
			}
			f.set(on, chosen)
			f.page.draft.Pause()
		})
	}
	on.input = box
	describe(box, box, on.Hint)
	return box
}

// steps are a list in order. Each can be moved up and taken out, and others put at the end.
func (f *form) steps(on *field) html.Element {
	box := html.Make("fieldset", "field steps wide", "")
	box.SetID(id(on.Path))
	html.Add(box, html.Make("legend", "", on.Label))
	list := html.Make("ol", "", "")
	html.Add(box, list)
	put := func(steps []string) {
		all := []any{}
		for _, s := range steps {
			all = append(all, s)
		}
		f.page.draft.Set(on.Path, all)
		f.page.draft.Pause()
	}
	button := func(i int, does string) string { return id(json.Join(on.Path, strconv.Itoa(i))) + "-" + does }
	for i, step := range on.On {
		li := html.Make("li", "", "")
		html.Add(li, html.Make("span", "", step))
		if i > 0 {
			html.Add(li, f.button(button(i, "up"), "↑", step+" earlier", func() {
				steps := slices.Clone(on.On)
				steps[i-1], steps[i] = steps[i], steps[i-1]
				put(steps)
				f.to = button(i-1, "up") // it goes along
				if i == 1 {
					f.to = button(0, "out")
				}
			}))
		}
		html.Add(li, f.button(button(i, "out"), "×", step+" out", func() {
			put(slices.Delete(slices.Clone(on.On), i, i+1))
			f.to = button(min(i, len(on.On)-2), "out") // of what has come into its place, or is the last now
			if len(on.On) == 1 {
				f.to = box.ID() + "-next"
			}
		}))
		html.Add(list, li)
	}
	if len(on.Options) > 0 {
		in := html.Make("select", "", "")
		in.SetID(box.ID() + "-next")
		in.SetAttribute("aria-label", "Call to add")
		for _, option := range on.Options {
			html.Add(in, choice(option, option))
		}
		more := html.Make("div", "add", "")
		html.Add(more, in)
		html.Add(more, f.button(box.ID()+"-add", "Add", "Add the call", func() { put(append(slices.Clone(on.On), html.Value(in))) }))
		html.Add(box, more)
	} else {
		html.Add(box, html.Make("p", "muted", "There is no call yet: add a dependency, and one to it comes along."))
	}
	on.input = box
	return box
}

// fill writes the value that holds.
func (f *form) fill(on *field) {
	switch on.Kind {
	case own.Yes:
		html.SetChecked(on.input, on.Yes)
	case own.Words:
		for _, in := range html.All(on.input, "input") {
			html.SetChecked(in, slices.Contains(on.On, html.Value(in)))
		}
	case own.Steps: // are made anew
	case own.Choice:
		if html.SetValue(on.input, on.Value); html.Value(on.input) != on.Value { // a word that the form does not know
			html.Add(on.input, choice(on.Value, on.Value))
			html.SetValue(on.input, on.Value)
		}
	default:
		html.SetValue(on.input, on.Value)
	}
}
