//go:build js && wasm

package desk

import (
	"slices"
	"syscall/js"

	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/keep"
)

// Where drafts are kept. The draft is there twice: the tab's own, so that two tabs don't write over each other's, and what
// was typed last in any, for a new tab to begin with. What was put aside is the tab's.
const (
	draftKey = "stormbin-draft"
	asideKey = "stormbin-aside"
)

// drafts is what becomes of what is typed and not saved yet.
type drafts struct {
	seed      string // of the key of what is made of this draft; see [words.Key]
	touched   bool   // by the reader, since it was begun
	due       bool   // it is about to be kept
	inBrowser bool   // keep.Browser has it
	trouble   string // what is to say about what could not be kept
	aside     []aside
}

// aside is a draft that another one took the place of.
type aside struct {
	record js.Value
	file   *file // no storage keeps it; nil: the record is all of it
}

func (d *drafts) hasFile() bool {
	return slices.ContainsFunc(d.aside, func(a aside) bool { return a.file != nil })
}

func newSeed() string {
	seed, err := pastebin.NewID(html.Random{})
	if err != nil {
		panic("the browser's random bytes, which cannot fail, failed: " + err.Error())
	}
	return seed
}

// fields are the controls whose values make a draft, by the names that they are kept under.
func (e *editor) fields() map[string]html.Element {
	return map[string]html.Element{
		"title": e.title, "text": e.text, "language": e.language, "lives": e.lives, "number": e.number, "unit": e.unit,
	}
}

// record is what is kept of a draft. It stays JavaScript's: a long text isn't copied, and half a character stays half a one.
func (e *editor) record() js.Value {
	r := js.Global().Get("Object").New()
	r.Set("seed", e.drafts.seed)
	r.Set("burn", html.Checked(e.burn))
	for name, field := range e.fields() {
		r.Set(name, field.Get("value"))
	}
	if e.file.isText() { // then the field is empty
		r.Set("text", e.file.text)
		r.Set("beside", true)
	}
	if e.language.Get("selectedIndex").Int() == 0 {
		r.Set("language", js.Null()) // guessed
	}
	return r
}

// fill puts a record into the editor.
func (e *editor) fill(r js.Value) {
	e.clear()
	e.drafts.seed = r.Get("seed").String()
	html.SetChecked(e.burn, r.Get("burn").Truthy())
	for name, field := range e.fields() {
		if v := r.Get(name); name == "text" && r.Get("beside").Truthy() && v.Type() == js.TypeString {
			e.hold(e.textFile(v))
		} else if v.Type() == js.TypeString {
			field.Set("value", v)
		}
	}
	for _, choice := range []html.Element{e.language, e.lives, e.unit} {
		if choice.Get("selectedIndex").Int() < 0 { // an earlier page had other ones
			choice.Set("selectedIndex", 0)
		}
	}
	e.drafts.touched = true
	e.look()
}

// holds tells whether there is anything in a record that would be a pity to lose.
func holds(r js.Value) bool {
	// Truthy would copy the text to Go, to see that it is not empty.
	some := js.Global().Get("Boolean")
	return r.Type() == js.TypeObject && (some.Invoke(r.Get("title")).Bool() || some.Invoke(r.Get("text")).Bool())
}

// unkept is the file in the editor that no record holds; nil if there is none.
func (e *editor) unkept() *file {
	if e.file.isText() {
		return nil
	}
	return e.file
}

func (e *editor) empty() bool { return e.file == nil && !holds(e.record()) }

// resume goes on with the draft that was kept.
func (e *editor) resume() {
	for _, store := range []keep.Store{keep.Tab, keep.Browser} {
		if r := parse(store.Value(draftKey)); holds(r) {
			e.fill(r)
			break
		}
	}
	if all := parse(keep.Tab.Value(asideKey)); all.InstanceOf(js.Global().Get("Array")) {
		for i := range all.Length() {
			if r := all.Index(i); holds(r) {
				e.drafts.aside = append(e.drafts.aside, aside{record: r})
			}
		}
	}
	html.Show(e.back, len(e.drafts.aside) > 0)
}

// keep keeps the draft as it is now, if it was changed since.
func (e *editor) keep() {
	if e.drafts.due {
		e.keepIn(keep.Browser)
		e.keepIn(keep.Tab)
	}
}

// keepCalmly is keep where there is time: a store takes tens of milliseconds for a long text, so each has its own turn.
func (e *editor) keepCalmly() {
	if e.drafts.due {
		e.keepIn(keep.Browser)
		html.After(0, func() { e.keepIn(keep.Tab) })
	}
}

func (e *editor) keepIn(store keep.Store) {
	d := &e.drafts
	if store == keep.Tab { // the last one
		d.due = false
	}
	if e.empty() {
		e.forget()
		return
	}
	kept := store.Put(draftKey, js.Global().Get("JSON").Call("stringify", e.record()))
	if store == keep.Browser {
		d.inBrowser = kept
		return
	}
	d.trouble = ""
	switch {
	case !kept && d.inBrowser:
		keep.Tab.Forget(draftKey) // it is older
	case !kept:
		d.trouble = notKept
	}
	e.tell()
}

const notKept = "This draft is not kept: the browser gives the page no more room for it. It is lost if you close or reload the page before it is saved."

// forget takes the draft out of where it is kept.
func (e *editor) forget() {
	keep.Tab.Forget(draftKey)
	r := parse(keep.Browser.Value(draftKey))
	if r.Type() == js.TypeObject && r.Get("seed").String() == e.drafts.seed { // else it is another tab's
		keep.Browser.Forget(draftKey)
	}
	e.drafts.trouble = ""
	e.tell()
}

// putAside makes room for another draft. What the reader has not touched is not theirs, and there where it came from.
func (e *editor) putAside() {
	if !e.empty() && e.drafts.touched {
		e.drafts.aside = append(e.drafts.aside, aside{e.record(), e.unkept()})
		e.keepAside()
	}
}

// bringBack brings back what was put aside last. What is in the editor goes to the end of the line, so that pressing on
// comes back to it.
func (e *editor) bringBack() {
	d := &e.drafts
	last := d.aside[len(d.aside)-1]
	d.aside = d.aside[:len(d.aside)-1]
	if !e.empty() && d.touched {
		d.aside = slices.Insert(d.aside, 0, aside{e.record(), e.unkept()})
	}
	e.fill(last.record)
	if last.file != nil {
		e.hold(last.file)
	}
	e.changed("")
	e.keepAside()
	e.show()
}

func (e *editor) keepAside() {
	html.Show(e.back, len(e.drafts.aside) > 0)
	var all []any
	for _, a := range e.drafts.aside {
		all = append(all, a.record)
	}
	if !keep.Tab.Put(asideKey, js.Global().Get("JSON").Call("stringify", all)) {
		e.drafts.trouble = notKept
		e.tell()
	}
}

// parse is what a JSON text says; null if it is none.
func parse(text js.Value) (v js.Value) {
	defer func() {
		if recover() != nil {
			v = js.Null()
		}
	}()
	return js.Global().Get("JSON").Call("parse", text)
}
