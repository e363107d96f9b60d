//go:build js && wasm

package desk

import (
	"errors"
	"strconv"
	"strings"
	"syscall/js"
	"time"
	"unicode/utf8"

	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
	"stormbin/wasm/internal/words"
)

// editor is where a paste is written. What was typed stays in it until it is saved, and a draft of it outlives the page.
type editor struct {
	desk *Desk

	form, title, text              html.Element
	language, guess                html.Element // guess is the option of language that follows what is written
	lives, own, number, unit, burn html.Element
	create, again                  html.Element
	picker, drop, edit, back, kept html.Element // kept says what becomes of drafts
	held                           html.Element // shows what stands in for the text
	size, note                     *html.Text
	encoder, halves                js.Value // what turns a text into UTF-8, and what finds the halves of characters in one

	file    *file    // in place of the text field; nil: none
	reading js.Value // the file that is being read; undefined: none
	isReady bool     // there is something to save a paste in
	busy    bool     // a create is on its way
	edits   int      // counts what the reader changes

	failed *sent // what could not be saved, for another try; nil: nothing

	said   string // about what was done last
	lone   int    // how many halves of characters there are
	drafts drafts
}

// file is bytes that bypass the text field, and so stay exact. It is a file that was chosen, or a text that is too long for
// the field: a browser takes a quarter of a second for each change of a mebibyte in there.
type file struct {
	name   string
	bytes  []byte
	binary bool     // they are no text
	text   js.Value // the text, which drafts keep; undefined: it was a file, which no draft keeps
	lone   int      // how many halves of characters there were in the text
}

// isText tells whether it is a text that is too long for the field.
func (f *file) isText() bool { return f != nil && !f.text.IsUndefined() }

// newEditor enlivens the editor. Nothing can be saved until it is ready.
func newEditor(d *Desk) *editor {
	e := &editor{
		desk: d,
		form: html.Find("paste-form"), title: html.Find("paste-title"), text: html.Find("paste-text"),
		language: html.Find("paste-language"), lives: html.Find("paste-lives"), own: html.Find("paste-own"),
		number: html.Find("paste-number"), unit: html.Find("paste-unit"), burn: html.Find("paste-burn"),
		create: html.Find("create"), again: html.Find("paste-again"),
		picker: html.Find("paste-file"), drop: html.Find("paste-drop-file"), edit: html.Find("paste-edit-file"), back: html.Find("paste-back"), kept: html.Find("paste-kept"),
		held: html.Find("paste-held"), size: html.TextOf("paste-size"), note: html.TextOf("paste-note"),
		encoder: js.Global().Get("TextEncoder").New(), halves: js.Global().Get("RegExp").New(`\p{Surrogate}`, "gu"),
	}
	e.guess = html.In(e.language, "option")
	for _, l := range pastebin.Languages {
		option := html.Make("option", "", l.Label)
		option.SetAttribute("value", l.Name)
		html.Add(e.language, option)
	}
	for _, u := range words.Units {
		html.Add(e.unit, html.Make("option", "", u.Name))
	}
	e.clear()
	e.resume()
	e.listen()
	return e
}

// listen has the editor hear what the reader does.
func (e *editor) listen() {
	html.On(e.form, "input", func(html.Event) { e.changed("") })
	html.On(e.form, "submit", e.submit)
	html.On(e.create, "click", e.submit) // where a frame forbids forms, no submit follows
	html.On(e.again, "click", func(html.Event) {
		if e.free() && e.failed != nil {
			e.send(*e.failed)
		}
	})
	html.On(e.form, "keydown", func(ev html.Event) {
		if ev.Key() == "Enter" && (ev.Get("ctrlKey").Bool() || ev.Get("metaKey").Bool()) {
			e.submit(ev)
		}
	})
	html.On(e.picker, "change", func(html.Event) { e.take(e.picker.Get("files")) })
	html.On(e.drop, "click", func(html.Event) {
		e.letGo()
		e.changed("")
		html.Focus(e.text)
	})
	html.On(e.edit, "click", func(html.Event) { e.editFile() })
	html.On(e.back, "click", func(html.Event) { e.bringBack() })
	html.On(e.form, "paste", func(ev html.Event) {
		// A text that comes with a picture of itself, as from a spreadsheet, is a text.
		clip := ev.Get("clipboardData")
		if brings(clip, "Files") && !brings(clip, "text/plain") {
			ev.PreventDefault()
			e.take(clip.Get("files"))
			return
		}
		e.takeText(ev, clip)
	})
	html.On(e.text, "drop", func(ev html.Event) { e.takeText(ev, ev.Get("dataTransfer")) })
	// A file that is let go of anywhere would take the place of the page.
	over := func(yes bool) { e.form.Get("classList").Call("toggle", "over", yes) }
	html.On(html.Window, "dragover", func(ev html.Event) {
		if brings(ev.Get("dataTransfer"), "Files") {
			ev.PreventDefault()
			over(true)
		}
	})
	html.On(html.Window, "dragleave", func(html.Event) { over(false) })
	html.On(html.Window, "drop", func(ev html.Event) {
		over(false)
		if from := ev.Get("dataTransfer"); brings(from, "Files") {
			ev.PreventDefault()
			e.desk.world.Front()
			e.take(from.Get("files"))
		}
	})
	// Leaving the page doesn't wait for the draft's turn. What no draft can hold is asked for.
	html.On(html.Window, "pagehide", func(html.Event) { e.keep() })
	html.On(html.Window, "beforeunload", func(ev html.Event) {
		if e.busy || e.file != nil && !e.file.isText() || !e.reading.IsUndefined() || e.drafts.hasFile() {
			ev.PreventDefault()
			ev.Set("returnValue", true)
		}
	})
}

// brings tells whether something of that type is on the clipboard, or is dragged.
func brings(from js.Value, kind string) bool {
	return from.Truthy() && from.Get("types").Call("includes", kind).Bool()
}

// ready says that there are stores to save in.
func (e *editor) ready() {
	e.isReady = true
	e.allow()
}

// setBusy says that a create is on its way, so that it isn't sent twice. The button keeps the focus.
func (e *editor) setBusy(busy bool) {
	e.busy = busy
	e.create.SetAttribute("aria-disabled", strconv.FormatBool(busy))
}

// free tells whether what stands in the editor can be saved now.
func (e *editor) free() bool { return e.isReady && !e.busy && e.reading.IsUndefined() }

func (e *editor) allow() { html.Enable(e.create, e.isReady && e.reading.IsUndefined()) }

// large is the length of a text, in JavaScript's characters, from which on it is only looked at when the typing rests:
// that takes milliseconds then.
const large = 64 << 10

// changed says that the reader has changed something. said is what is to say about that.
func (e *editor) changed(said string) {
	e.edits++
	e.drafts.touched = true
	e.said = said
	if e.failed != nil && !e.failed.elsewhere {
		e.failed = nil
	}
	html.Show(e.again, e.failed != nil)
	e.desk.hush()
	mine := e.edits
	rests := e.text.Get("textLength").Int() >= large
	if !rests {
		e.look()
	}
	if rests || !e.drafts.due {
		e.drafts.due = true
		html.After(500, func() {
			if rests && mine != e.edits {
				return // it was typed on: another is to come
			}
			if rests {
				e.look()
			}
			e.keepCalmly()
		})
	}
}

// look counts what stands in the editor, guesses its language, and says what is wrong with it. It gives the text as
// JavaScript's bytes, for it has to count them; undefined for a file.
func (e *editor) look() (utf8 js.Value) {
	n, begins, name := 0, []byte(nil), html.Value(e.title)
	e.lone = 0
	if e.file != nil {
		n, begins = len(e.file.bytes), e.file.bytes[:min(len(e.file.bytes), 4096)]
		if e.file.name != "" {
			name = e.file.name
		}
		e.lone = e.file.lone
		if e.file.isText() {
			e.size.Set(words.Size(n) + ", kept exactly")
		} else {
			e.size.Set(words.File(e.file.name, n))
		}
	} else {
		text := e.text.Get("value")
		utf8 = e.encoder.Call("encode", text)
		n, begins = utf8.Length(), []byte(method("slice", text, 0, 4096).String())
		e.lone = e.halvesIn(text)
		e.size.Set("")
		if n > 0 {
			e.size.Set(words.Size(n))
		}
	}
	e.lone += e.halvesIn(e.title.Get("value"))
	language := "plain text"
	if e.file != nil && e.file.binary {
		language = "binary"
	}
	e.guess.Set("value", guessed+pastebin.Guess(name, begins))
	for _, l := range pastebin.Languages {
		if guessed+l.Name == e.guess.Get("value").String() {
			language = l.Label
		}
	}
	e.guess.SetTextContent("Guessed: " + language)
	e.title.Set("placeholder", e.heading(begins))

	html.Refuse(e.text, words.TooLong("paste", n, pastebin.MaxSize))
	html.Refuse(e.title, words.TooLong("title", len(html.Value(e.title)), pastebin.MaxTitle))
	own := html.Value(e.lives) == "own"
	html.Show(e.own, own)
	if _, err := e.livesFor(); !own || html.Value(e.number) == "" {
		html.Refuse(e.number, nil)
	} else {
		html.Refuse(e.number, err)
	}
	e.tell()
	return utf8
}

// heading is the title of a text that was given none. One that is to be burned has none: its list would give away how it
// begins.
func (e *editor) heading(begins []byte) string {
	if html.Checked(e.burn) || e.file != nil && e.file.binary {
		return ""
	}
	return words.Heading(begins)
}

// halvesIn is how many halves of characters there are in a text.
func (e *editor) halvesIn(text js.Value) int {
	if found := method("match", text, e.halves); !found.IsNull() {
		return found.Length()
	}
	return 0
}

// method calls a method of a JavaScript string, which Go takes for no object.
func method(name string, text js.Value, args ...any) js.Value {
	return js.Global().Get("String").Get("prototype").Get(name).Call("call", append([]any{text}, args...)...)
}

// tell writes what is to say beside the text.
func (e *editor) tell() {
	var all []string
	for _, s := range []string{e.said, words.Halves(e.lone), e.drafts.trouble} {
		if s != "" {
			all = append(all, s)
		}
	}
	e.note.Set(strings.Join(all, " "))
}

// guessed begins the value of the option that follows what is written. The rest of it is the language.
const guessed = "guess "

// livesFor is how long the paste is to be kept; 0 for ever.
func (e *editor) livesFor() (time.Duration, error) {
	switch choice := html.Value(e.lives); choice {
	case "":
		return 0, nil
	case "own":
		return words.Lives(html.Value(e.number), html.Value(e.unit))
	default:
		return time.ParseDuration(choice)
	}
}

// errNothing is said where there is nothing to save.
var errNothing = errors.New("There is nothing to save yet: type or paste a text, or drop or choose a file.")

// written is what stands in the editor, to be saved; or what is wrong with it, which is said beside the field, and that
// has the focus then.
func (e *editor) written() (d pastebin.Draft, err error) {
	utf8 := e.look()
	refuse := func(field html.Element, why error) (pastebin.Draft, error) {
		html.Refuse(field, why)
		html.Focus(field)
		return pastebin.Draft{}, why
	}
	d.Title, d.Burn = html.Value(e.title), html.Checked(e.burn)
	if d.Title == "" {
		d.Title = e.title.Get("placeholder").String()
	}
	d.Language = strings.TrimPrefix(html.Value(e.language), guessed)
	if err := words.TooLong("title", len(d.Title), pastebin.MaxTitle); err != nil {
		return refuse(e.title, err)
	}
	if d.Lives, err = e.livesFor(); err != nil {
		return refuse(e.number, err)
	}
	if e.file != nil {
		d.Text = e.file.bytes
	} else {
		if err := words.TooLong("paste", utf8.Length(), pastebin.MaxSize); err != nil {
			return refuse(e.text, err)
		}
		if utf8.Length() == 0 {
			return refuse(e.text, errNothing)
		}
		d.Text = make([]byte, utf8.Length())
		js.CopyBytesToGo(d.Text, utf8)
	}
	d.Key = words.Key(e.drafts.seed, d)
	return d, nil
}

// take reads the first of files, which then stands in for the text. What stood in for it before is put aside. One that is
// too large isn't even read: it might not fit into the program's memory. Where none can be taken, nothing changes.
func (e *editor) take(files js.Value) {
	if files.Length() == 0 {
		return
	}
	from, more := files.Index(0), ""
	if n := files.Length(); n > 1 {
		more = "A paste holds one file: this is the first of the " + view.Count(int64(n)) + "."
	}
	if size := from.Get("size").Float(); size > pastebin.MaxSize {
		e.refuse(words.TooLong("file", int(size), pastebin.MaxSize).Error())
		return
	}
	e.reading = from
	e.edits++
	e.allow()
	go func() {
		b, err := html.ReadFile(from)
		if !e.reading.Equal(from) {
			return // another one was chosen meanwhile, or none
		}
		if err != nil {
			e.reading = js.Undefined()
			e.allow()
			e.refuse("That could not be read (" + err.Error() + "). It must be a file, not a folder, and still be there.")
			return
		}
		before := e.file
		if before != nil {
			e.putAside()
		}
		e.hold(&file{name: from.Get("name").String(), bytes: b})
		if title := html.Value(e.title); title == "" || before != nil && title == before.name {
			html.SetValue(e.title, e.file.name)
		}
		e.changed(more)
	}()
}

// refuse says why a file is not taken.
func (e *editor) refuse(why string) {
	html.SetValue(e.picker, "")
	e.said = why
	e.tell()
}

// tooLong is the size in bytes from which on a text that comes at once stands beside the field.
const tooLong = 256 << 10

// takeText has a long text that is pasted or dropped into the empty field stand in for it. What would go into the middle of
// another text is the browser's to put there, and so is what is too large to be saved, for the reader to cut.
func (e *editor) takeText(ev html.Event, from js.Value) {
	if e.file != nil || !ev.Get("target").Equal(e.text.Value) || e.text.Get("textLength").Int() > 0 || !brings(from, "text/plain") {
		return
	}
	if f := e.textFile(from.Call("getData", "text/plain")); tooLong <= len(f.bytes) && len(f.bytes) <= pastebin.MaxSize {
		ev.PreventDefault()
		e.hold(f)
		e.changed("So long a text makes a text field slow, so it is kept beside it, whole. “Edit it as text” puts it in.")
	}
}

// textFile is a text to stand in for the field.
func (e *editor) textFile(text js.Value) *file {
	utf8 := e.encoder.Call("encode", text)
	f := &file{bytes: make([]byte, utf8.Length()), text: text, lone: e.halvesIn(text)}
	js.CopyBytesToGo(f.bytes, utf8)
	return f
}

// hold has a file stand in for the text.
func (e *editor) hold(f *file) {
	e.file, e.reading = f, js.Undefined()
	focus := html.Document.Get("activeElement")
	html.SetValue(e.picker, "")
	html.Enable(e.text, f == nil)
	html.Show(e.text, f == nil)
	html.Show(e.held, f != nil)
	html.Show(e.drop, f != nil)
	html.Show(e.edit, f != nil && utf8.Valid(f.bytes))
	e.held.SetTextContent("")
	if f != nil {
		f.binary = !pastebin.IsText(f.bytes)
		e.held.SetTextContent(words.Preview(f.bytes))
	}
	e.drop.SetTextContent(map[bool]string{true: "Take it out", false: "Use the text instead"}[f.isText()])
	e.allow()
	switch {
	case f != nil && focus.Equal(e.text.Value):
		html.Focus(e.held)
	case f == nil && focus.Equal(e.held.Value):
		html.Focus(e.text)
	}
}

// letGo goes back from the file to the text. What may be nowhere else is put aside: a text that stood beside the field, and
// what is on its way to be saved.
func (e *editor) letGo() {
	if e.file.isText() || e.busy {
		e.putAside()
	}
	e.hold(nil)
}

// editFile makes a text of the file.
func (e *editor) editFile() {
	f := e.file
	if e.text.Get("textLength").Int() > 0 {
		e.putAside()
	}
	e.hold(nil)
	if f.isText() {
		e.text.Set("value", f.text)
	} else {
		e.text.Set("value", html.String(f.bytes))
	}
	said := ""
	if !words.Editable(f.bytes) {
		said = "Every line ends in LF now: a text field holds no other line ends."
	}
	e.changed(said)
	html.Focus(e.text)
}

// begin puts the title, the language and the text of a paste into the editor, to be saved as a new one. What was there
// is put aside. A text that the field would alter goes in as a file, and one that is too long for it stands beside it.
func (e *editor) begin(from pastebin.Draft) {
	e.putAside()
	e.clear()
	html.SetValue(e.title, from.Title)
	html.SetValue(e.language, from.Language)
	html.SetChecked(e.burn, from.Burn)
	switch {
	case !words.Editable(from.Text):
		e.hold(&file{bytes: from.Text})
	case len(from.Text) >= tooLong:
		e.hold(&file{bytes: from.Text, text: html.String(from.Text)})
	default:
		e.text.Set("value", html.String(from.Text))
	}
	said := ""
	if from.Burn {
		said = "What it comes from burns after reading, and so does this one, unless you choose otherwise."
	}
	e.changed(said)
	e.drafts.touched = false
	e.show()
}

// show brings the editor before the reader's eyes, and the focus into it.
func (e *editor) show() {
	field := e.text
	if e.file != nil {
		field = e.title
	}
	field.Call("focus")
}

// clear makes the editor empty, for another draft.
func (e *editor) clear() {
	e.hold(nil)
	for _, field := range []html.Element{e.title, e.text, e.lives, e.number} {
		html.SetValue(field, "")
	}
	html.SetChecked(e.burn, false)
	e.language.Set("selectedIndex", 0)
	html.SetValue(e.unit, "days")
	e.drafts.seed, e.drafts.touched, e.drafts.place, e.drafts.stamp = newSeed(), false, "", ""
	e.said = ""
	e.look()
}
