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
		if !errors.Is(err, errNothing) {
			e.desk.say("Nothing was sent: "+err.Error(), "bad")
		}
		return
	}
	e.setBusy(true)
	html.Show(e.again, false)
	go e.desk.create(draft)
}

func (d *Desk) create(draft pastebin.Draft) {
	e := d.editor
	edits, lone := e.edits, e.lone
	began := d.service.Now()
	var made pastebin.Paste
	took, err := d.visit("create", func(ctx context.Context, c *live.Caller) (err error) {
		made, err = d.service.Create(ctx, c, draft)
		return err
	})
	nextTurn() // the browser takes its time to let go of a long text: it has one of its own
	e.setBusy(false)
	if err != nil {
		var refused *pastebin.Error
		if errors.As(err, &refused) && refused.Status == 409 {
			e.drafts.seed = newSeed() // what was made of this draft is no more: the next one is another
			e.drafts.due = true
			e.keep()
		}
		d.told("", err, " It is still in the editor, and trying again never makes two.")
		html.Show(e.again, true)
		return
	}
	well := "201 Saved: " + view.Bytes(int64(made.Size)) + ", in " + view.Span(took) + "."
	if made.Created.UnixMilli() < began.UnixMilli() {
		well = "201 It was saved by an earlier attempt after all, and this is its link: " + view.Bytes(int64(made.Size)) + "."
	}
	if lone > 0 {
		well += " " + words.Halves(lone)
	}
	if edits == e.edits {
		e.saved()
	}
	d.told(well, nil, "")
	d.share.made(made.ID, draft)
	d.changed(made.ID)
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
