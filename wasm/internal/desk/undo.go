//go:build js && wasm

package desk

import (
	"context"
	"errors"
	"time"

	"stormbin/engine/live"
	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
	"stormbin/wasm/internal/words"
)

// delete deletes pastes, each by a request of its own, one after another. It stops at the first that goes wrong.
func (l *list) delete(ids ...string) {
	var todo []string
	for _, id := range ids {
		if id != "" && !l.going[id] {
			l.going[id] = true
			todo = append(todo, id)
		}
	}
	if len(todo) == 0 {
		return
	}
	l.render()
	go func() {
		d, began := l.desk, time.Now()
		var gone []string
		var took time.Duration
		var err error
		for _, id := range todo {
			var span time.Duration
			span, err = d.visit("delete", func(ctx context.Context, c *live.Caller) error { return d.service.Delete(ctx, c, id) })
			delete(l.going, id)
			if took += span; err != nil {
				break
			}
			gone = append(gone, id)
			l.undo.offer(gone, began)
			l.drop(id)
			if d.reader.id == id {
				d.reader.close()
			}
		}
		for _, id := range todo {
			delete(l.going, id)
		}
		well, after := "204 Deleted, in "+view.Span(took)+".", ""
		if n := len(todo); n > 1 {
			well = "204 " + words.Deleted(n) + " It took " + view.Span(took) + "."
			after = words.DeletedBefore(len(gone), n)
		}
		d.told(well, err, after)
		if err != nil {
			l.undo.failed(told(err)+after, todo[len(gone):])
		}
		l.render()
		d.changed(todo...)
		d.workIn(pastebin.UndoFor + time.Second)
	}()
}

// undo takes deletes back, the last one first.
type undo struct {
	desk       *Desk
	text, left *html.Text
	button     html.Element
	again      html.Element // deletes what could not be deleted
	todo       []string
	acts       []act
	ticking    bool
}

// act is a delete that can be taken back until then.
type act struct {
	ids   []string
	until time.Time
}

func newUndo(d *Desk) *undo {
	u := &undo{desk: d, text: html.TextOf("undo-text"), left: html.TextOf("undo-left"), button: html.Find("undo"), again: html.Find("delete-again")}
	html.On(u.button, "click", func(html.Event) { u.last() })
	html.On(u.again, "click", func(html.Event) {
		html.Focus(d.list.heading)
		d.list.delete(u.todo...)
	})
	return u
}

// last takes the last delete back.
func (u *undo) last() {
	n := len(u.acts)
	if n == 0 {
		return
	}
	act := u.acts[n-1]
	u.acts = u.acts[:n-1]
	html.Focus(u.desk.list.heading)
	u.desk.hush()
	go u.restore(act)
}

// failed says beside the list that these could not be deleted; nil takes that back.
func (u *undo) failed(why string, ids []string) {
	u.todo = ids
	u.text.Set(why)
	html.Show(u.again, len(ids) > 0)
}

// offer offers to bring back what was deleted by a request that began then, as well as what else was deleted with it.
func (u *undo) offer(ids []string, began time.Time) {
	until := began.Add(pastebin.UndoFor)
	if n := len(u.acts); n > 0 && u.acts[n-1].until.Equal(until) {
		u.acts = u.acts[:n-1]
	}
	u.acts = append(u.acts, act{ids, until})
	u.failed(words.Deleted(len(ids)), nil)
	u.show()
}

// show shows what can be taken back, and for how long. That is not read aloud as it ticks.
func (u *undo) show() {
	n := len(u.acts)
	if n > 0 && time.Until(u.acts[n-1].until) <= 0 { // and those before it are older
		u.acts, n = nil, 0
		u.text.Set("")
	}
	if html.Show(u.button, n > 0); n == 0 {
		u.left.Set("")
		return
	}
	u.left.Set("for " + words.Seconds(time.Until(u.acts[n-1].until)))
	if !u.ticking {
		u.ticking = true
		html.After(1000, func() { u.ticking = false; u.show() })
	}
}

// restore brings pastes back. It is the reader's own undo, so it doesn't go through the world. Those that the stores gave no
// answer about can be brought back yet.
func (u *undo) restore(a act) {
	back := 0
	var failed error
	var left []string
	for _, id := range a.ids {
		err := u.desk.service.Undelete(context.Background(), id)
		switch {
		case err == nil:
			back++
			continue
		case !errors.Is(err, pastebin.ErrNotFound) && !errors.Is(err, pastebin.ErrExists):
			left = append(left, id)
		}
		failed = err
	}
	if len(left) > 0 {
		u.acts = append(u.acts, act{left, a.until})
	}
	u.show()
	u.failed(words.Restored(back, len(a.ids), reason(failed)), nil)
	u.desk.list.wanted = a.ids[0]
	u.desk.changed(a.ids...)
}

// reason is an error as whole sentences; "" of none.
func reason(err error) string {
	var e *pastebin.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Reason
	case errors.Is(err, pastebin.ErrQuota):
		return "There is no room left to store it."
	}
	return err.Error() + "."
}
