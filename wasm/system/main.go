//go:build js && wasm

// System is the program of the page for the reader's own system.
//
//	main.go    the page, and what happens after each change
//	form.go    the form, made of the fields of package own
//	text.go    the JSON beside it
//	judge.go   the runs, in a worker, and the verdict
//	have.go    settings that somebody has, taken over
//	shelf.go   systems that are kept, and files
package main

import (
	"runtime/debug"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/own"
	"stormbin/wasm/internal/panel"
)

func main() {
	debug.SetGCPercent(400)
	html.Bring(start)
	select {}
}

// page is all of it.
type page struct {
	draft *own.Draft
	form  form
	text  text
	judge judge
	have  have
	shelf shelf
	undo  html.Element
	redo  html.Element
}

// start brings the page to life, a part at a time, so that whoever reads and scrolls meanwhile is not held up. Until it is
// through all controls are disabled.
func start() {
	p := &page{undo: html.Find("undo"), redo: html.Find("redo")}
	p.draft = p.shelf.begin()
	p.form.bind(p)
	p.text.bind(p)
	p.judge.bind(p)
	p.have.bind(p)
	p.shelf.bind(p)
	html.Breathe()
	panel.NewTheme(func() {})
	panel.Hints("form")
	html.On(p.undo, "click", func(html.Event) { p.back(p.draft.Undo) })
	html.On(p.redo, "click", func(html.Event) { p.back(p.draft.Redo) })
	html.On(html.Document, "keydown", p.key)
	for _, e := range html.All(html.Root, "[disabled]") {
		html.Enable(e, true)
	}
	p.changed(nil)
	html.Breathe()
	p.shelf.follow()
}

func (p *page) back(step func()) {
	step()
	p.changed(nil)
}

// key undoes, anywhere but where the browser undoes what is typed.
func (p *page) key(e html.Event) {
	if e.Key() != "z" && e.Key() != "Z" || !e.Held("ctrl") && !e.Held("meta") || e.Held("alt") {
		return
	}
	if at := html.Wrap(html.Document.Get("activeElement")); at != nil && html.Closest(at, "textarea, input:not([type=checkbox])") != nil {
		return
	}
	e.PreventDefault()
	if e.Held("shift") {
		p.back(p.draft.Redo)
	} else {
		p.back(p.draft.Undo)
	}
}

// changed brings the page up to date after a change that was made in by, nil for none of its fields: what the reader is
// writing there is left alone.
func (p *page) changed(by html.Element) {
	problem := p.draft.Problem()
	p.form.show(by, problem)
	html.Breathe()
	p.text.show(by, problem)
	p.judge.show(problem)
	html.Breathe()
	p.have.changed()
	p.shelf.changed()
	html.Dim(p.undo, !p.draft.CanUndo())
	html.Dim(p.redo, !p.draft.CanRedo())
}
