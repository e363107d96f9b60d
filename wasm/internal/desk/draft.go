//go:build js && wasm

package desk

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"syscall/js"

	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/keep"
	"stormbin/wasm/internal/words"
)

// Where drafts are kept. Each is there twice. A tab has its own, and those that were put aside in it, for when it is loaded
// anew. And the browser has each that a reader has typed in, for a new tab to go on with: under draftKey, or if another one
// is there under draftKey and a number. No tab writes over what another one has written there, nor takes it away.
const (
	draftKey = "stormbin-draft"
	asideKey = "stormbin-aside"
)

// drafts is what becomes of what is typed and not saved yet.
type drafts struct {
	seed      string // of the key of what is made of this draft; see [words.Key]
	touched   bool   // by the reader, since it was begun
	due       bool   // it is about to be kept
	place     string // the key that keep.Browser has it under; "": it hasn't yet
	stamp     string // of what this tab has put there last, or found there
	inBrowser bool   // keep.Browser has it as it is now
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
		panic("the browser’s random bytes, which cannot fail, failed: " + err.Error())
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
	r.Set("stamp", e.drafts.stamp) // the first, for drafts.isMine to find it
	r.Set("place", e.drafts.place)
	r.Set("at", js.Global().Get("Date").Call("now"))
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
	e.drafts.seed, e.drafts.place, e.drafts.stamp = r.Get("seed").String(), wordIn(r, "place"), wordIn(r, "stamp")
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

// wordIn is a short text in a record; "" if it has none of that name.
func wordIn(r js.Value, name string) string {
	if v := r.Get(name); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
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

// resume goes on with the draft that was kept: the tab's own, or in a new tab the one that was typed last in any, and then
// the others are put aside.
func (e *editor) resume() {
	d := &e.drafts
	if all := parse(keep.Tab.Value(asideKey)); all.InstanceOf(js.Global().Get("Array")) {
		for i := range all.Length() {
			if r := all.Index(i); holds(r) {
				d.aside = append(d.aside, aside{record: r})
			}
		}
	}
	if own := parse(keep.Tab.Value(draftKey)); holds(own) {
		e.fill(own)
	} else if kept := inBrowser(); len(kept) > 0 && len(d.aside) == 0 {
		for _, r := range kept[:len(kept)-1] {
			d.aside = append(d.aside, aside{record: r})
		}
		e.fill(kept[len(kept)-1])
	}
	e.tellAside()
}

// inBrowser are the drafts that the browser has, those that were typed last at the end.
func inBrowser() (kept []js.Value) {
	keys, _ := browserKeys()
	for _, key := range keys {
		if !strings.HasPrefix(key, draftKey) {
			continue
		}
		if r := parse(keep.Browser.Value(key)); holds(r) {
			r.Set("place", key)
			kept = append(kept, r)
		}
	}
	at := func(i int) float64 {
		if v := kept[i].Get("at"); v.Type() == js.TypeNumber {
			return v.Float()
		}
		return 0
	}
	sort.SliceStable(kept, func(i, j int) bool { return at(i) < at(j) })
	return kept
}

// browserKeys are the keys under which the browser keeps something; ok is false where it lets the page keep nothing.
func browserKeys() (keys []string, ok bool) {
	defer func() { _ = recover() }()
	all := js.Global().Get("Object").Call("keys", js.Global().Get("Reflect").Call("get", js.Global(), string(keep.Browser)))
	for i := range all.Length() {
		keys = append(keys, all.Index(i).String())
	}
	return keys, true
}

// isMine tells whether the browser still has what this tab has put there, or found there.
func (d *drafts) isMine() bool {
	begins := `{"stamp":"` + d.stamp + `"`
	if d.stamp == "" {
		begins = `{"seed":` // by an earlier page, which had no stamps
	}
	kept := keep.Browser.Value(d.place)
	return d.place != "" && kept.Type() == js.TypeString && method("startsWith", kept, begins).Bool()
}

// put puts the draft where the browser keeps it, and tells whether it could.
func (e *editor) put() bool {
	d := &e.drafts
	if !d.isMine() {
		d.place = draftKey
		for n := 2; !keep.Browser.Value(d.place).IsNull(); n++ {
			d.place = draftKey + "-" + strconv.Itoa(n)
		}
	}
	before := d.stamp
	d.stamp = newSeed()
	if keep.Browser.Put(d.place, js.Global().Get("JSON").Call("stringify", e.record())) {
		return true
	}
	d.stamp = before
	return false
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
	if !holds(e.record()) {
		e.forget()
		return
	}
	if store == keep.Browser {
		d.inBrowser = d.touched && e.put() // what the reader has not touched is there where it came from
		return
	}
	kept := keep.Tab.Put(draftKey, js.Global().Get("JSON").Call("stringify", e.record()))
	d.trouble = ""
	switch {
	case !kept && d.inBrowser:
		keep.Tab.Forget(draftKey) // it is older
	case !kept:
		d.trouble = notKept()
	}
	e.tell()
}

// notKept says that a draft is not kept, and why.
func notKept() string {
	why := "gives the page no more room for it"
	if _, ok := browserKeys(); !ok {
		why = "does not let this page keep anything"
	}
	return "This draft is not kept: the browser " + why + ". It is lost if you close or reload the page before it is saved."
}

// forget takes the draft out of where it is kept.
func (e *editor) forget() {
	d := &e.drafts
	keep.Tab.Forget(draftKey)
	if d.isMine() {
		keep.Browser.Forget(d.place)
	}
	d.place, d.stamp, d.trouble = "", "", ""
	e.tell()
}

// putAside makes room for another draft. What the reader has not touched is not theirs, and there where it came from.
func (e *editor) putAside() {
	if d := &e.drafts; !e.empty() && d.touched {
		d.aside = append(d.aside, e.leave())
		e.keepAside()
	}
}

// leave keeps the draft as it is now where it is, and has what comes after it kept elsewhere.
func (e *editor) leave() aside {
	d := &e.drafts
	if d.due {
		e.keepIn(keep.Browser)
	}
	left := aside{e.record(), e.unkept()}
	d.place, d.stamp = "", ""
	return left
}

// bringBack brings back what was put aside last. What is in the editor goes to the end of the line, so that pressing on
// comes back to it.
func (e *editor) bringBack() {
	d := &e.drafts
	last := d.aside[len(d.aside)-1]
	d.aside = d.aside[:len(d.aside)-1]
	if !e.empty() && d.touched {
		d.aside = slices.Insert(d.aside, 0, e.leave())
	}
	e.fill(last.record)
	if last.file != nil {
		e.hold(last.file)
	}
	e.changed("")
	e.keepAside()
	e.show()
}

// tellAside says how many drafts were put aside, and what becomes of them.
func (e *editor) tellAside() {
	e.back.SetTextContent(words.OtherDrafts(len(e.drafts.aside)))
	html.Show(e.back, len(e.drafts.aside) > 0)
	html.Show(e.kept, len(e.drafts.aside) > 0)
}

func (e *editor) keepAside() {
	e.tellAside()
	var all []any
	for _, a := range e.drafts.aside {
		all = append(all, a.record)
	}
	if !keep.Tab.Put(asideKey, js.Global().Get("JSON").Call("stringify", all)) {
		e.drafts.trouble = notKept()
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
