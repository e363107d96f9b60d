//go:build js && wasm

package desk

import (
	"context"
	"errors"
	"syscall/js"

	"stormbin/engine/live"
	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
	"stormbin/wasm/internal/words"
)

// submit saves what stands in the editor, unless that is under way: a key held down is one wish. What is wrong with it is
// said, and nothing is sent.
func (e *editor) submit(ev html.Event) {
	ev.PreventDefault()
	if !e.free() || ev.Get("repeat").Truthy() {
		return
	}
	if clicks := ev.Get("detail"); e.empty() && clicks.Type() == js.TypeNumber && clicks.Int() > 1 {
		return // the second click of a double one, and the first has saved everything
	}
	draft, err := e.written()
	if err != nil {
		said := ""
		if !errors.Is(err, errNothing) {
			said = "Nothing was sent: " + err.Error()
		}
		e.desk.say(said, "bad")
		return
	}
	e.send(sent{draft: draft, edits: e.edits, lone: e.lone})
}

// sent is a draft on its way.
type sent struct {
	draft     pastebin.Draft
	edits     int  // the editor's, when it was sent
	lone      int  // how many halves of characters there were in it
	elsewhere bool // it could not be saved, and is not what stands in the editor any more
}

func (e *editor) send(s sent) {
	e.failed = nil
	e.setBusy(true)
	html.Show(e.again, false)
	go e.desk.create(s)
}

func (d *Desk) create(s sent) {
	e := d.editor
	began := d.service.Now()
	var made pastebin.Paste
	took, err := d.visit("create", func(ctx context.Context, c *live.Caller) (err error) {
		made, err = d.service.Create(ctx, c, s.draft)
		return err
	})
	nextTurn() // the browser takes its time to let go of a long text: it has one of its own
	e.setBusy(false)
	if err != nil {
		s.elsewhere = s.edits != e.edits
		var refused *pastebin.Error
		if errors.As(err, &refused) && refused.Status == 409 {
			seed := newSeed() // what was made of this draft is no more: the next one is another
			s.draft.Key = words.Key(seed, s.draft)
			if !s.elsewhere {
				e.drafts.seed, e.drafts.due = seed, true
				e.keep()
			}
		}
		after := " Your paste is still in the editor, and trying again never makes two."
		if s.elsewhere {
			after = " The editor has changed since: “Try again” sends what was sent, and never makes two."
		}
		d.told("", err, words.Trouble(err)+after)
		e.failed = &s
		html.Show(e.again, true)
		e.reveal()
		return
	}
	well := "201 Saved: " + view.Bytes(int64(made.Size)) + ", in " + view.Span(took) + "."
	if made.Created.UnixMilli() < began.UnixMilli() {
		well = "201 It was saved by an earlier attempt after all, and this is its link: " + view.Bytes(int64(made.Size)) + "."
	}
	if s.lone > 0 {
		well += " " + words.Halves(s.lone)
	}
	if s.edits == e.edits {
		e.saved()
	}
	d.told(well, nil, "")
	d.share.made(made.ID, s.draft)
	e.reveal()
	d.changed(made.ID)
}

// reveal scrolls to what became of a create, if the reader is where it was asked for: at the button, or with the keyboard
// anywhere in the form.
func (e *editor) reveal() {
	at := e.create.Value
	if active := html.Document.Get("activeElement"); e.form.Call("contains", active).Bool() {
		at = active
	}
	box := at.Call("getBoundingClientRect")
	if box.Get("bottom").Float() < 0 || box.Get("top").Float() > js.Global().Get("innerHeight").Float() {
		return
	}
	for _, part := range []html.Element{e.desk.share.around, e.desk.outcome} {
		part.Call("scrollIntoView", map[string]any{"block": "nearest"})
	}
}

// saved takes out of the editor what is saved now. Behind a file there may be text that is not saved, and stays.
func (e *editor) saved() {
	behind := e.file != nil && e.text.Get("textLength").Int() > 0
	text := e.text.Get("value")
	e.forget()
	e.clear()
	if behind {
		e.text.Set("value", text)
		e.changed("")
	}
}
