//go:build js && wasm

package desk

import (
	"context"
	"slices"
	"strings"
	"time"

	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
	"stormbin/wasm/internal/words"
)

// batch is how many pastes are shown, and how many more at a time. A list of thousands then costs no more to draw than
// one of fifty, and the browser's own find still finds what is on show.
const batch = 50

// list is My pastes. It knows rows only, never a text.
type list struct {
	desk     *Desk
	search   *search
	undo     *undo
	transfer *transfer

	heading, list, every, remove, more, order html.Element
	trouble, count                            *html.Text

	pastes   []pastebin.Paste // all of them, in the order of the reader's choice, those that have expired too: clocks are set
	living   int              // how many of them have not expired
	lost     bool             // the storage is, and they with it until the page is loaded anew
	read     bool             // they have been read once
	most     int              // how many are shown
	shown    []string         // the ids on show, in order
	rows     map[string]*row  // those on show
	selected map[string]bool  // of those on show
	going    map[string]bool  // a delete is on its way
	wanted   string           // the paste whose link takes the focus when it comes back, if the heading still has it

	reading, again bool     // the rows are being read; and have to be once more
	touched        []string // what has been changed since they were
	tick           *time.Timer
}

// row is a paste on show.
type row struct {
	paste         pastebin.Paste
	li, box, link html.Element
	age, end      *html.Text
}

func newList(d *Desk) *list {
	l := &list{
		desk: d, heading: html.Find("h-list"), list: html.Find("paste-list"), every: html.Find("list-all"), remove: html.Find("list-delete"),
		more: html.Find("list-more"), order: html.Find("list-order"), trouble: html.TextOf("list-trouble"), count: html.TextOf("list-count"),
		most: batch, selected: map[string]bool{}, going: map[string]bool{},
	}
	l.search = newSearch(l)
	l.undo = newUndo(d)
	l.transfer = newTransfer(d)

	// One listener for all rows: a listener of its own would outlive each.
	html.On(l.list, "click", func(e html.Event) {
		target := html.Wrap(e.Get("target"))
		if link := html.Closest(target, "a"); link != nil && link.GetAttribute("href") == html.Fragment() {
			d.follow() // the address doesn't change, so nobody else would
		}
		if html.Closest(target, "button") != nil {
			l.delete(idOf(target))
		}
	})
	for _, e := range []html.Element{l.list, l.heading} {
		html.On(e, "keydown", func(e html.Event) {
			if ctrl := e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool(); ctrl && !e.Get("shiftKey").Bool() && strings.EqualFold(e.Key(), "z") {
				e.PreventDefault()
				l.undo.last()
			}
		})
	}
	html.On(l.list, "change", func(e html.Event) {
		box := html.Wrap(e.Get("target"))
		l.pick(html.Checked(box), idOf(box))
	})
	html.On(l.every, "change", func(html.Event) { l.pick(html.Checked(l.every), l.shown...) })
	html.On(l.remove, "click", func(html.Event) {
		var ids []string
		for _, id := range l.shown {
			if l.selected[id] {
				ids = append(ids, id)
			}
		}
		if len(ids) > 0 {
			html.Focus(l.rows[ids[0]].link) // the button is about to be disabled
			l.delete(ids...)
		}
	})
	html.On(l.order, "change", func(html.Event) { l.sort(); l.render() })
	html.On(l.more, "click", func(html.Event) {
		before := len(l.shown)
		l.most += batch
		l.render()
		if before < len(l.shown) {
			html.Focus(l.rows[l.shown[before]].link)
		}
	})
	html.On(html.Document, "visibilitychange", func(html.Event) {
		if l.read && html.Document.Get("visibilityState").String() == "visible" {
			l.render() // a timer sleeps with the machine, and a clock can be set
		}
	})
	return l
}

// ready lets the reader at the controls, or not.
func (l *list) ready(yes bool) {
	for _, e := range []html.Element{l.search.field, l.order, l.transfer.save, l.transfer.picker} {
		html.Enable(e, yes)
	}
	l.picked()
}

func idOf(e html.Element) string {
	if li := html.Closest(e, "li"); li != nil {
		return li.GetAttribute("data-id")
	}
	return ""
}

// lose takes the rows out of the list, which can't be read any more.
func (l *list) lose() {
	l.lost, l.pastes, l.rows = true, nil, nil
	l.ready(false)
	l.render()
}

// refresh reads the rows anew. Changes that come while they are being read are read once, afterwards. The reader's own
// list does not go through the world.
func (l *list) refresh() {
	if l.again = true; l.reading || l.lost {
		return
	}
	l.reading = true
	go func() {
		for l.again {
			touched := l.touched
			l.again, l.touched = false, nil
			pastes, err := l.desk.service.Primary.List(context.Background())
			if l.lost {
				return
			}
			if err != nil {
				l.trouble.Set("The list of your pastes could not be read: " + err.Error() + ". It is tried again with the next change.")
				continue
			}
			l.trouble.Set("")
			l.take(pastes)
			if slices.ContainsFunc(pastes, func(p pastebin.Paste) bool { return slices.Contains(touched, p.ID) }) {
				l.desk.storage.saved()
			}
		}
		l.reading = false
		l.desk.storage.measure()
	}()
}

// take shows what was read.
func (l *list) take(pastes []pastebin.Paste) {
	fresh := false
	known := make(map[string]bool, len(l.pastes))
	for _, p := range l.pastes {
		known[p.ID] = true
	}
	for _, p := range pastes {
		fresh = fresh || !known[p.ID]
	}
	l.pastes, l.read = pastes, true
	l.sort()
	l.search.changed(fresh)
	l.render()
	l.wanted = ""
}

// sort puts the pastes into the order of the reader's choice.
func (l *list) sort() {
	words.Sort(l.pastes, words.Order(html.Value(l.order)))
}

// drop takes a paste out of the list that was deleted just now.
func (l *list) drop(id string) {
	l.pastes = slices.DeleteFunc(l.pastes, func(p pastebin.Paste) bool { return p.ID == id })
	l.render()
}

// render shows the pastes that are there now and that the search has found, up to as many as are shown.
func (l *list) render() {
	now := time.Now()
	next := now.Add(time.Minute) // ages change
	var on []pastebin.Paste
	n, burning := 0, 0
	l.living = 0
	for _, p := range l.pastes {
		if p.ExpiredAt(now) {
			continue
		}
		l.living++
		if p.Burn {
			burning++
		}
		if !p.Expires.IsZero() && p.Expires.Before(next) {
			next = p.Expires
		}
		if l.search.finds(p.ID) {
			if n++; n <= l.most {
				on = append(on, p)
			}
		}
	}
	l.place(on, now)
	html.Show(l.more, n > len(on))
	l.transfer.burning.Set(words.Burning(burning))
	l.picked()
	if l.search.query == "" {
		l.count.Set(words.Shown(len(on), l.living))
	} else {
		l.search.tell()
	}
	if l.tick == nil {
		l.tick = time.AfterFunc(time.Until(next), l.render)
	} else {
		l.tick.Reset(time.Until(next))
	}
}

// place puts these pastes into the list, and leaves the rows as they are that stay.
func (l *list) place(on []pastebin.Paste, now time.Time) {
	rows, ids := make(map[string]*row, len(on)), make([]string, len(on))
	for i, p := range on {
		r := l.rows[p.ID]
		if r == nil || r.paste != p {
			r = newRow(p)
		}
		r.show(now)
		r.li.Get("classList").Call("toggle", "going", l.going[p.ID])
		rows[p.ID], ids[i] = r, p.ID
	}
	for id := range l.selected {
		if rows[id] == nil {
			delete(l.selected, id) // nothing is deleted that can't be seen
		}
	}
	same := slices.Equal(ids, l.shown) && l.rows != nil
	for _, id := range ids {
		same = same && rows[id] == l.rows[id]
	}
	if same {
		return
	}
	focus, control := l.focused()
	before := l.shown
	l.rows, l.shown = rows, ids
	items := make([]any, len(ids))
	for i, id := range ids {
		items[i] = rows[id].li.Value
	}
	if len(items) == 0 {
		text := "None yet."
		switch {
		case l.lost:
			text = "They can’t be read until this page is reloaded."
		case l.living > 0:
			text = "None found."
		}
		items = append(items, html.Make("li", "muted", text).Value)
	}
	l.list.Call("replaceChildren", items...)
	if focus != "" {
		l.refocus(focus, control, before)
	} else if r := rows[l.wanted]; r != nil && html.Document.Get("activeElement").Equal(l.heading.Value) {
		html.Focus(r.link)
	}
}

// focused is the row that has the focus, and the kind of its control; "" if none has.
func (l *list) focused() (id, control string) {
	e := html.Wrap(html.Document.Get("activeElement"))
	if e == nil || !l.list.Call("contains", e.Value).Bool() {
		return "", ""
	}
	return idOf(e), e.TagName()
}

// refocus gives the focus back to what had it. If that is gone, the next row takes it, or else the one before.
func (l *list) refocus(id, control string, before []string) {
	if r := l.rows[id]; r != nil {
		html.Focus(html.In(r.li, strings.ToLower(control)))
		return
	}
	at := slices.Index(before, id)
	after := before[at+1:]
	for _, next := range after {
		if r := l.rows[next]; r != nil {
			html.Focus(r.link)
			return
		}
	}
	if n := len(l.shown); n > 0 {
		html.Focus(l.rows[l.shown[n-1]].link)
		return
	}
	html.Focus(l.heading)
}

func newRow(p pastebin.Paste) *row {
	title := words.TitleOf(p)
	li := html.Make("li", "", "")
	li.SetAttribute("data-id", p.ID)

	around, box := html.Make("label", "", ""), html.Make("input", "", "")
	box.SetAttribute("type", "checkbox")
	box.SetAttribute("aria-label", "Select "+title)
	html.Add(around, box)

	link := html.Make("a", "", "")
	link.SetAttribute("href", "#p/"+p.ID)
	link.SetAttribute("title", title) // which may not fit
	html.Add(link, html.Make("bdi", "", title))

	about := html.Make("p", "muted", "")
	age, end := html.Make("span", "n", ""), html.Make("span", "end", "")
	for _, e := range []html.Element{
		html.Make("span", "", words.Kind(p)), html.Make("span", "n", view.Bytes(int64(p.Size))), age, end,
	} {
		html.Add(about, e)
	}

	remove := html.Make("button", "", "Delete")
	remove.SetAttribute("type", "button")
	remove.SetAttribute("aria-label", "Delete "+title)
	for _, e := range []html.Element{around, link, about, remove} {
		html.Add(li, e)
	}
	return &row{paste: p, li: li, box: box, link: link, age: html.TextIn(age), end: html.TextIn(end)}
}

// show brings up to date what time changes.
func (r *row) show(now time.Time) {
	r.age.Set(view.Age(now.Sub(r.paste.Created)))
	var end []string
	if r.paste.Burn {
		end = append(end, "burns when read")
	}
	if !r.paste.Expires.IsZero() {
		end = append(end, words.Expiry(r.paste.Expires.Sub(now)))
	}
	r.end.Set(strings.Join(end, ", "))
}

// pick selects pastes, or no longer.
func (l *list) pick(yes bool, ids ...string) {
	for _, id := range ids {
		if yes {
			l.selected[id] = true
		} else {
			delete(l.selected, id)
		}
	}
	l.picked()
}

// picked shows what is selected.
func (l *list) picked() {
	for id, r := range l.rows {
		html.SetChecked(r.box, l.selected[id])
	}
	n := len(l.selected)
	html.Enable(l.every, len(l.shown) > 0)
	html.SetChecked(l.every, n > 0 && n == len(l.shown))
	l.every.Set("indeterminate", n > 0 && n < len(l.shown))
	html.Enable(l.remove, n > 0)
	text := "Delete selected"
	if n > 0 {
		text = "Delete " + view.Count(int64(n)) + " selected"
	}
	l.remove.SetTextContent(text)
}

// changed says that these pastes are not what they were: the list shows it, and other tabs are told. No ids are many.
func (d *Desk) changed(ids ...string) {
	d.list.touched = append(d.list.touched, ids...)
	d.list.refresh()
	d.tabs.tell(ids)
}
