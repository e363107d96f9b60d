//go:build js && wasm

package desk

import (
	"context"
	"errors"
	"slices"
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
		d, gone := l.desk, 0
		var together act
		var took time.Duration
		var err error
		for _, id := range todo {
			began := time.Now()
			var span time.Duration
			span, err = d.visit("delete", func(ctx context.Context, c *live.Caller) error { return d.service.Delete(ctx, c, id) })
			delete(l.going, id)
			if took += span; err != nil {
				break
			}
			gone++
			together.pastes = append(together.pastes, deleted{id, began.Add(pastebin.UndoFor)})
			l.undo.offer(&together, gone)
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
			after = words.DeletedBefore(gone, n)
		}
		d.told(well, err, after)
		if err != nil {
			l.undo.failed(told(err)+after, todo[gone:])
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
	acts       []*act
	ticking    bool
}

// act is pastes that were deleted together, one after another: of very many the first can't be brought back any more before
// the last is deleted.
type act struct {
	pastes []deleted // that can be brought back
	late   int       // how many can't, any more
}

// deleted is a paste that can be brought back until then.
type deleted struct {
	id    string
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

// last takes the last delete back. What is deleted with it from now on is another one.
func (u *undo) last() {
	n := len(u.acts)
	if n == 0 {
		return
	}
	taken := *u.acts[n-1]
	*u.acts[n-1] = act{}
	u.acts = u.acts[:n-1]
	html.Focus(u.desk.list.heading)
	u.desk.hush()
	go u.restore(taken.pastes)
}

// failed says beside the list that these could not be deleted; nil takes that back.
func (u *undo) failed(why string, ids []string) {
	u.todo = ids
	u.text.Set(why)
	html.Show(u.again, len(ids) > 0)
}

// offer offers to bring back what was deleted together, so many so far.
func (u *undo) offer(together *act, so int) {
	if !slices.Contains(u.acts, together) {
		u.acts = append(u.acts, together)
	}
	u.failed(words.Deleted(so), nil)
	u.show()
}

// show shows what can be taken back, and for how long. That is not read aloud as it ticks.
func (u *undo) show() {
	had := len(u.acts) > 0
	u.acts = slices.DeleteFunc(u.acts, func(a *act) bool {
		for len(a.pastes) > 0 && time.Until(a.pastes[0].until) <= 0 {
			a.pastes = a.pastes[1:]
			a.late++
		}
		return len(a.pastes) == 0
	})
	n := len(u.acts)
	if had && n == 0 {
		u.text.Set("")
	}
	if html.Show(u.button, n > 0); n == 0 {
		u.left.Set("")
		return
	}
	a := u.acts[n-1]
	u.left.Set(words.UndoFor(time.Until(a.pastes[len(a.pastes)-1].until), len(a.pastes), a.late))
	if !u.ticking {
		u.ticking = true
		html.After(1000, func() { u.ticking = false; u.show() })
	}
}

// restore brings pastes back. It is the reader's own undo, so it doesn't go through the world. Those that the stores gave no
// answer about can be brought back yet.
func (u *undo) restore(pastes []deleted) {
	back := 0
	var failed error
	var left act
	var ids []string
	for _, p := range pastes {
		ids = append(ids, p.id)
		err := u.desk.service.Undelete(context.Background(), p.id)
		switch {
		case err == nil:
			back++
			continue
		case !errors.Is(err, pastebin.ErrNotFound) && !errors.Is(err, pastebin.ErrExists):
			left.pastes = append(left.pastes, p)
		}
		failed = err
	}
	if len(left.pastes) > 0 {
		u.acts = append(u.acts, &left)
	}
	u.show()
	u.failed(words.Restored(back, len(ids), reason(failed)), nil)
	u.desk.list.wanted = ids[0]
	u.desk.changed(ids...)
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
