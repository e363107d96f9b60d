//go:build js && wasm

package panel

import (
	"syscall/js"

	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/keep"
	"stormbin/wasm/internal/view"
)

// Editor is where a paste is written. What was typed stays in it until it is saved, and a draft of it outlives the page.
type Editor struct {
	title, text, create, picker, drop html.Element
	size                              *html.Text
	file                              []byte // in place of the text
	isFile                            bool
	reading                           js.Value // the file that is being read; undefined: none
	busy                              bool     // a create is on its way
	drafts                            bool     // a draft is about to be kept
}

// A draft is kept twice: the tab's own, so that two tabs don't write over each other's, and what was typed last in any,
// for a new tab to begin with.
const (
	draftTitle = "stormbin-draft-title"
	draftText  = "stormbin-draft-text"
)

// NewEditor enlivens the editor. create is called with what is to be saved.
func NewEditor(create func(title string, text []byte)) *Editor {
	e := &Editor{
		title: html.Find("paste-title"), text: html.Find("paste-text"), create: html.Find("create"), picker: html.Find("paste-file"),
		drop: html.Find("paste-drop-file"), size: html.TextOf("paste-size"),
	}
	form := html.Find("paste-form")
	for _, store := range []keep.Store{keep.Tab, keep.Browser} {
		title, text := store.Get(draftTitle), store.Get(draftText)
		if title != "" || text != "" {
			html.SetValue(e.title, title)
			html.SetValue(e.text, text)
			break
		}
	}
	e.sizeUp()

	submit := func(ev html.Event) {
		ev.PreventDefault()
		if e.free() {
			create(html.Value(e.title), e.bytes())
		}
	}
	html.On(form, "submit", submit)
	html.On(e.create, "click", submit) // where a frame forbids forms, no submit follows
	html.On(form, "input", func(html.Event) { e.sizeUp(); e.draft() })
	html.On(e.picker, "change", func(html.Event) { e.take(e.picker.Get("files")) })
	html.On(e.drop, "click", func(html.Event) { e.letGo(); html.Focus(e.text) })
	html.On(form, "dragover", func(ev html.Event) { ev.PreventDefault() })
	html.On(form, "drop", func(ev html.Event) {
		if files := ev.Get("dataTransfer").Get("files"); files.Length() > 0 {
			ev.PreventDefault()
			e.take(files)
		}
	})
	// Leaving the page doesn't wait for the draft's turn.
	html.On(html.Window, "pagehide", func(html.Event) { e.keep() })
	return e
}

// bytes is what is to be saved: a file's own bytes, or the text as UTF-8, with the line ends that the browser gives it.
func (e *Editor) bytes() []byte {
	if e.isFile {
		return e.file
	}
	return []byte(html.Value(e.text))
}

// take reads the first of files, which then stands in for the text. One that is too large isn't even read: it might not
// fit into the program's memory.
func (e *Editor) take(files js.Value) {
	if files.Length() == 0 {
		return
	}
	file := files.Index(0)
	if size := int64(file.Get("size").Float()); size > pastebin.MaxSize {
		e.letGo()
		e.size.Set("That file has " + view.Bytes(size) + ", and at most " + view.Bytes(pastebin.MaxSize) + " fit.")
		return
	}
	e.reading = file
	e.allow()
	go func() {
		b, err := html.ReadFile(file)
		if !e.reading.Equal(file) {
			return // another one was chosen meanwhile, or none
		}
		if err != nil {
			e.letGo()
			e.size.Set("The file could not be read: " + err.Error())
			return
		}
		e.reading = js.Undefined()
		e.file, e.isFile = b, true
		if name := file.Get("name").String(); html.Value(e.title) == "" {
			html.SetValue(e.title, name)
		}
		html.Enable(e.text, false)
		html.Show(e.drop, true)
		e.sizeUp()
		e.allow()
	}()
}

// letGo goes back from the file to the text.
func (e *Editor) letGo() {
	e.file, e.isFile, e.reading = nil, false, js.Undefined()
	html.SetValue(e.picker, "")
	html.Enable(e.text, true)
	html.Show(e.drop, false)
	e.sizeUp()
	e.allow()
}

func (e *Editor) sizeUp() {
	switch n := int64(len(e.bytes())); {
	case e.isFile:
		e.size.Set("file: " + view.Bytes(n) + ", kept exactly")
	case n > 0:
		e.size.Set(view.Bytes(n))
	default:
		e.size.Set("")
	}
}

// draft keeps what is typed, half a second after it was.
func (e *Editor) draft() {
	if !e.drafts {
		e.drafts = true
		html.After(500, e.keep)
	}
}

func (e *Editor) keep() {
	if e.drafts {
		e.drafts = false
		for _, store := range []keep.Store{keep.Tab, keep.Browser} {
			store.Put(draftTitle, html.Value(e.title))
			store.Put(draftText, html.Value(e.text))
		}
	}
}

// Saved takes out of the editor what is saved now, unless something else has been typed since. Behind a file there may be
// text that is not saved, and stays.
func (e *Editor) Saved(title string, text []byte) {
	if html.Value(e.title) != title || string(e.bytes()) != string(text) {
		return
	}
	wasFile := e.isFile
	e.letGo()
	html.SetValue(e.title, "")
	if wasFile {
		e.draft()
		return
	}
	html.SetValue(e.text, "")
	e.sizeUp()
	keep.Tab.Forget(draftTitle)
	keep.Tab.Forget(draftText)
	if keep.Browser.Get(draftText) == string(text) { // else it is another tab's
		keep.Browser.Forget(draftTitle)
		keep.Browser.Forget(draftText)
	}
}

// Busy says that a create is on its way, so that it isn't sent twice.
func (e *Editor) Busy(busy bool) {
	e.busy = busy
	e.allow()
}

// free tells whether what stands in the editor can be saved now.
func (e *Editor) free() bool { return !e.busy && e.reading.IsUndefined() }

func (e *Editor) allow() { html.Enable(e.create, e.free()) }
