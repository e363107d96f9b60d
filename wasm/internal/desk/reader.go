//go:build js && wasm

package desk

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall/js"
	"time"

	"stormbin/engine/live"
	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/keep"
	"stormbin/wasm/internal/view"
	"stormbin/wasm/internal/words"
)

// reader is the paste that is open, or what stands in its place.
type reader struct {
	desk *Desk

	article, heading           html.Element
	title, meta                *html.Text
	ends, found, left, said    *html.Text
	whole                      html.Element // around the text, however it is shown
	tools, textOnly, shareOnly []html.Element
	binary                     html.Element
	hex                        *html.Text
	wrap, field, shown         html.Element
	raw, plain                 html.Element
	lines                      *lines
	dressing                   *dressing
	picture                    *picture

	aside             html.Element // in place of the article: what can be done where there is nothing to show
	after             *html.Text
	again, burn       html.Element
	from              js.Value          // what had the focus when the paste was asked for
	typing            bool              // a key was pressed since
	names             map[string]string // by which its reader is known to a paste that is burned, by its id
	urls              []string          // of the bytes
	pageTitle         string            // while no paste is open
	id                string            // of the paste that is open or asked for; "" is none, or one that came in a link
	link              pastebin.Link     // by which it was asked for
	ignored           []string
	paste             pastebin.Paste
	bytes             []byte
	isOpen, wasBurned bool
	about             string // what is known of it, and stays so
	end               string // what became of it since
	asked             int    // counts the pastes that were asked for, so that only the last one is opened
}

const wrapKey = "stormbin-wrap"

func newReader(d *Desk) *reader {
	r := &reader{desk: d, names: map[string]string{}, pageTitle: html.Document.Get("title").String(),
		article: html.Find("paste-view"), heading: html.Find("view-heading"), title: html.TextOf("view-title"), meta: html.TextOf("view-meta"),
		ends: html.TextOf("view-ends"), found: html.TextOf("view-hidden"), left: html.TextOf("view-ignored"), said: html.TextOf("view-said"),
		whole: html.Find("view-whole"), binary: html.Find("view-binary"), hex: html.TextOf("view-hex"),
		wrap: html.Find("view-wrap"), field: html.Find("view-lines"), shown: html.Find("view-address"), raw: html.Find("view-raw"), plain: html.Find("view-plain"),
		aside: html.Find("view-aside"), after: html.TextOf("view-after"), again: html.Find("view-again"), burn: html.Find("view-burn")}
	r.textOnly = html.All(r.article, "[data-of=text]")
	r.shareOnly = html.All(r.article, "[data-of=share]")

	r.lines = newLines(html.Find("view-text"), r.picked)
	r.dressing = newDressing(r.lines)
	r.picture = newPicture(r.address)

	html.SetChecked(r.wrap, keep.Browser.Get(wrapKey) != "off")
	html.On(r.wrap, "change", func(html.Event) { r.wrapped(true) })
	html.On(r.field, "keydown", func(e html.Event) {
		if e.Key() == "Enter" {
			e.PreventDefault()
			r.typed()
		}
	})
	copier(html.Find("view-copy"), r.whole, func() js.Value { return html.String(r.bytes) })
	html.On(html.Document, "copy", func(e html.Event) {
		if !r.isOpen || r.dressing.isRendered() && !r.holdsAll() {
			return
		}
		if text, ok := r.lines.copied(r.whole); ok {
			e.Get("clipboardData").Call("setData", "text/plain", text)
			e.PreventDefault()
		}
	})
	html.On(html.Find("view-close"), "click", func(html.Event) { r.dismiss() })
	html.On(r.article, "keydown", func(e html.Event) {
		if e.Key() == "Escape" {
			e.PreventDefault()
			r.dismiss()
		}
	})
	copier(html.Find("view-link"), r.shown, func() js.Value {
		here, _, _ := strings.Cut(js.Global().Get("location").Get("href").String(), "#")
		link := pastebin.PasteLink(r.id)
		if r.id == "" {
			link = html.Fragment()
		} else if r.lines.from > 0 {
			link = pastebin.LineLink(r.id, r.lines.from, r.lines.to)
		}
		r.shown.SetTextContent(here + link) // to be selected where it can't be copied
		return js.ValueOf(here + link)
	})
	html.On(html.Find("view-clone"), "click", func(html.Event) {
		d.editor.begin(pastebin.Draft{Title: r.paste.Title, Language: r.paste.Language, Text: slices.Clone(r.bytes), Burn: r.paste.Burn})
	})
	html.On(html.Find("view-share"), "click", func(html.Event) { go d.share.offer(r.paste.Title, r.paste.Language, r.bytes) })
	html.On(html.Find("view-print"), "click", func(html.Event) { r.print() })
	html.On(r.again, "click", func(html.Event) { r.open(r.link, r.ignored) })
	html.On(r.burn, "click", func(html.Event) { r.readOnce() })
	html.On(html.Document, "keydown", func(html.Event) { r.typing = true })
	html.On(html.Document, "visibilitychange", func(html.Event) { r.tick() })
	return r
}

// open reads the paste of a link and shows it. ignored is what was left out of the address to read it. Where only other
// lines are asked for of the paste that is open, they are marked, and nothing is read.
func (r *reader) open(link pastebin.Link, ignored []string) {
	if r.isOpen && r.id != "" && r.id == link.ID && link.From > 0 && (link.From != r.lines.from || link.To != r.lines.to) {
		r.link = link
		r.point()
		return
	}
	r.ask(link, ignored)
	r.visit(func(ctx context.Context, c *live.Caller) (pastebin.Paste, []byte, error) {
		return r.desk.service.Read(ctx, c, link.ID)
	})
}

// readOnce reads a paste that is burned by that.
func (r *reader) readOnce() {
	id, by := r.id, r.name(r.id)
	r.ask(r.link, r.ignored)
	r.visit(func(ctx context.Context, c *live.Caller) (p pastebin.Paste, text []byte, err error) {
		p, text, err = r.desk.service.Burn(ctx, c, id, by)
		switch {
		case err == nil:
			r.desk.changed(id)
		case errors.Is(err, pastebin.ErrBurned):
			r.forget(id) // by somebody else
		}
		return p, text, err
	})
}

// ask closes what is open, and notes what is asked for now.
func (r *reader) ask(link pastebin.Link, ignored []string) {
	from := js.Global().Get("document").Get("activeElement")
	r.shut()
	r.from, r.typing, r.id, r.link, r.ignored = from, false, link.ID, link, ignored
}

// visit sends a request to read, and shows what comes of it.
func (r *reader) visit(read func(context.Context, *live.Caller) (pastebin.Paste, []byte, error)) {
	mine := r.asked
	go func() {
		var p pastebin.Paste
		var text []byte
		took, err := r.desk.visit("read", func(ctx context.Context, c *live.Caller) (err error) {
			p, text, err = read(ctx, c)
			return err
		})
		if mine != r.asked {
			return // the reader has asked for another one since
		}
		r.desk.told("200 Read: "+view.Bytes(int64(p.Size))+", in "+view.Span(took)+".", err, "")
		if err != nil {
			r.refused(err)
			return
		}
		r.wasBurned = p.Burn
		r.show(p, text)
		if p.Burn {
			r.forget(p.ID)
		}
	}()
}

// refused says what can be done about a paste that could not be read.
func (r *reader) refused(err error) {
	var e *pastebin.Error
	known := errors.As(err, &e)
	burns := errors.Is(err, pastebin.ErrBurns)
	mine := errors.Is(err, pastebin.ErrBurned) && r.hasName(r.id)
	html.Show(r.again, !known || e.Status == 503)
	html.Show(r.burn, burns || mine)
	switch {
	case burns:
		r.burn.SetTextContent("Read it, and burn it")
		r.after.Set("Nothing has been read yet. Whoever reads it is its only reader, so do it when you have the time.")
	case mine:
		r.burn.SetTextContent("Show it again")
		r.after.Set("It was this tab that burned it, and the answer may have gone missing. For ten minutes after that, this tab can have it again.")
	default:
		r.after.Set(words.After(err))
	}
	r.left.Set(words.Ignored(r.ignored))
	html.Show(r.aside, true)
	r.front(r.aside)
}

// showContent shows a paste that came in the address itself.
func (r *reader) showContent(c pastebin.Content, ignored []string) {
	r.ask(pastebin.Link{}, ignored)
	r.desk.say("", "")
	go r.show(pastebin.Paste{Title: c.Title, Language: c.Language, Size: len(c.Text)}, c.Text)
}

// show shows a paste. A large one is looked through in several turns, so that no frame waits for all of it.
func (r *reader) show(p pastebin.Paste, text []byte) {
	mine := r.asked
	isText := pastebin.IsText(text)
	r.paste, r.bytes = p, text
	r.title.Set(words.TitleOf(p))
	r.left.Set(words.Ignored(r.ignored))
	html.Show(r.binary, !isText)
	for _, e := range r.textOnly {
		html.Show(e, isText)
	}
	for _, e := range r.shareOnly {
		html.Show(e, !p.Burn)
	}
	r.about = view.Bytes(int64(p.Size))
	if isText {
		s := string(text)
		if nextTurn(); mine != r.asked {
			return
		}
		marks, count := r.lines.take(s)
		r.found.Set(words.HiddenSentence(marks, count, s))
		if r.lines.count > 0 {
			r.about += ", " + words.LineTotal(r.lines.count)
		}
		if ends := words.LineEnds(s); ends != "" {
			r.about += " (" + ends + ")"
		}
		if nextTurn(); mine != r.asked {
			return
		}
		r.lines.show()
		html.Enable(r.wrap, r.lines.each)
		r.wrapped(false)
		r.dressing.show(s, p.Language)
	} else {
		r.about = "Binary, " + r.about
		r.hex.Set(words.Hex(text[:min(len(text), hexBytes)]))
	}
	if nextTurn(); mine != r.asked {
		return
	}
	r.urls = []string{html.ObjectURL(text), html.TypedURL(text, "text/plain;charset=utf-8")}
	r.raw.SetAttribute("href", r.urls[0])
	r.plain.SetAttribute("href", r.urls[1])
	r.raw.SetAttribute("download", words.FileName(p, isText))
	if p.Created.IsZero() {
		r.about += ", came in its link and is not kept in this browser"
	} else {
		r.about += ", created " + p.Created.Local().Format("2 January 2006, 15:04")
	}
	if nextTurn(); mine != r.asked {
		return
	}
	r.isOpen = true
	html.Document.Set("title", words.TitleOf(p)+" – Stormbin")
	html.Show(r.article, true)
	r.dressing.reach()
	go func() {
		for mine == r.asked {
			time.Sleep(r.tick())
		}
	}()
	r.front(r.heading)
	r.point()
}

// hexBytes is how many bytes of a binary paste are shown.
const hexBytes = 256

// point marks the lines that the link names, and scrolls to them.
func (r *reader) point() {
	from, to := r.link.From, r.link.To
	switch {
	case from == 0:
		return
	case from > r.lines.count:
		r.said.Set("The link names " + words.LinesName(from, to) + ", and this text has " + view.Count(int64(r.lines.count)) + ".")
		return
	}
	r.lines.mark(from, to)
	r.lines.reveal(from)
	html.SetValue(r.field, words.LineField(r.lines.from, r.lines.to))
}

// picked puts lines that were picked into the address.
func (r *reader) picked(from, to int) {
	html.SetValue(r.field, words.LineField(from, to))
	which := words.LinesName(from, to)
	if r.id == "" {
		r.said.Set("Marked: " + which + ".")
		return
	}
	r.link = pastebin.Link{ID: r.id, From: from, To: to}
	if may(func() { js.Global().Get("history").Call("replaceState", nil, "", pastebin.LineLink(r.id, from, to)) }) {
		r.said.Set("The address is now a link to " + which + ".")
	} else {
		r.said.Set("Marked: " + which + ". This frame may not change its address.")
	}
}

// typed marks the lines that stand in the field.
func (r *reader) typed() {
	value := strings.TrimSpace(html.Value(r.field))
	from, to, ok := words.LineRange(value)
	switch {
	case !ok:
		r.said.Set("“" + value + "” names no lines. Write a number like 12, or two like 3-9.")
	case from > r.lines.count:
		r.said.Set("There is no line " + view.Count(int64(from)) + ": this text has " + view.Count(int64(r.lines.count)) + ".")
	default:
		r.lines.mark(from, to)
		r.lines.reveal(from)
		r.picked(r.lines.from, r.lines.to)
	}
}

// wrapped wraps long lines or not, as the reader has it.
func (r *reader) wrapped(chosen bool) {
	wrap := html.Checked(r.wrap)
	if chosen {
		keep.Browser.Put(wrapKey, map[bool]string{true: "on", false: "off"}[wrap])
	}
	class := "lines"
	if wrap && r.lines.each {
		class += " wrap"
	}
	r.lines.view.SetAttribute("class", class)
	if !r.lines.each {
		r.said.Set("With more than " + view.Count(mostWrapped) + " lines, long ones are not wrapped.")
	}
}

// holdsAll tells whether the selection is of the whole text, however it is shown.
func (r *reader) holdsAll() bool {
	selection := js.Global().Call("getSelection")
	return selection.Get("rangeCount").Int() > 0 &&
		selection.Call("getRangeAt", 0).Get("commonAncestorContainer").Equal(r.whole.Value)
}

// mostLinked is up to how many bytes it is worth a moment to see whether they fit into a link.
const mostLinked = 64 << 10

// address is the link for a QR code: one that works elsewhere if there is one.
func (r *reader) address() (link, note string) {
	whole, err := "", pastebin.ErrTooLong
	if len(r.bytes) <= mostLinked {
		whole, err = pastebin.ContentLink(pastebin.Content{Title: r.paste.Title, Language: r.paste.Language, Text: r.bytes})
	}
	switch {
	case err == nil:
		return whole, "The link holds the text itself, so it opens on any device."
	case r.id == "":
		return html.Fragment(), "The link holds the text itself, so it opens on any device."
	case r.lines.from > 0:
		link = pastebin.LineLink(r.id, r.lines.from, r.lines.to)
	default:
		link = pastebin.PasteLink(r.id)
	}
	return link, "This link opens the paste only in this browser: the text is too long to be in a link itself. For another device, send the file."
}

// print prints the paste. A sandboxed frame may not, and then nothing happens, not even an error.
func (r *reader) print() {
	began := false
	var heard js.Func
	heard = js.FuncOf(func(js.Value, []js.Value) any { began = true; return nil })
	defer heard.Release()
	js.Global().Call("addEventListener", "beforeprint", heard)
	defer js.Global().Call("removeEventListener", "beforeprint", heard)
	js.Global().Call("print")
	if !began {
		r.said.Set("This frame may not print. Open the page by itself, or download the file and print that.")
	}
}

// elsewhere says that another tab has changed pastes; the one that is open may be among them.
func (r *reader) elsewhere(ids ...string) {
	if !r.isOpen || r.id == "" || !slices.Contains(ids, r.id) {
		return
	}
	mine := r.asked
	go func() {
		p, err := r.desk.service.Primary.Get(context.Background(), r.id)
		if err != nil && !errors.Is(err, pastebin.ErrNotFound) || mine != r.asked {
			return
		}
		if err != nil {
			p.End = pastebin.Removed
		}
		r.end = words.Elsewhere(p.End)
		r.tick()
	}()
}

// tick says how long the paste still lives, and what became of it; and gives how long that stays as it is.
func (r *reader) tick() (next time.Duration) {
	next = 30 * time.Second
	if !r.isOpen {
		return next
	}
	p, meta := r.paste, r.about
	ends := r.end
	if !p.Expires.IsZero() && p.Deleted.IsZero() {
		left := time.Until(p.Expires)
		if left > 0 {
			meta += ", " + words.Expiry(left)
			next = min(next, left)
		} else if ends == "" {
			ends = words.Elsewhere(pastebin.Expired)
		}
	}
	if r.wasBurned {
		ends = "This was its only reading: the paste is burned. Copy or download what you need, it is gone when you close or reload this page."
	}
	r.meta.Set(meta + ".")
	r.ends.Set(ends)
	return next
}

// dismiss closes the paste at the reader's wish. The address names no paste any more; where a frame forbids to say so, it
// is closed all the same.
func (r *reader) dismiss() {
	location := js.Global().Get("location")
	may(func() {
		js.Global().Get("history").Call("pushState", nil, "", location.Get("pathname").String()+location.Get("search").String())
	})
	r.close()
}

// close closes the paste that is open, and gives the focus back to where it came from, or to the paste's row, and brings
// that into sight.
func (r *reader) close() {
	active := js.Global().Get("document").Get("activeElement")
	had := r.article.Call("contains", active).Bool() || r.aside.Call("contains", active).Bool()
	from, row := r.from, r.desk.list.rows[r.id]
	r.shut()
	if !had {
		return
	}
	to := html.Find("h-paste")
	switch {
	case from.Truthy() && from.Get("isConnected").Bool() && from.Get("offsetParent").Truthy() && !from.Equal(html.Document.Get("body")):
		to = html.Wrap(from)
	case row != nil:
		to = row.link
	}
	html.Focus(to)
	to.Call("scrollIntoView", map[string]any{"block": "nearest"})
}

// shut closes what is open and leaves the focus alone.
func (r *reader) shut() {
	r.asked++
	for _, url := range r.urls {
		html.RevokeURL(url)
	}
	r.urls, r.bytes, r.paste, r.id, r.link, r.ignored, r.end = nil, nil, pastebin.Paste{}, "", pastebin.Link{}, nil, ""
	r.isOpen, r.wasBurned = false, false
	r.from = js.Undefined()
	r.dressing.clear()
	r.lines.clear()
	r.picture.hide()
	for _, t := range []*html.Text{r.title, r.meta, r.ends, r.found, r.left, r.said, r.hex, r.after} {
		t.Set("")
	}
	html.SetValue(r.field, "")
	r.shown.SetTextContent("")
	html.Document.Set("title", r.pageTitle)
	r.raw.RemoveAttribute("href")
	r.plain.RemoveAttribute("href")
	html.Show(r.article, false)
	html.Show(r.aside, false)
}

// front brings what has come to where the reader looks, unless the reader has moved on to something else: to typing,
// above all. A field that just had the focus when the link was followed is no reason.
func (r *reader) front(e html.Element) {
	active := js.Global().Get("document").Get("activeElement")
	if active.Truthy() && !active.Equal(html.Document.Get("body")) {
		if !active.Equal(r.from) || r.typing && active.Call("matches", "input, textarea, select").Bool() {
			return
		}
	}
	html.Focus(e)
	e.Call("scrollIntoView", map[string]any{"block": "start"})
}

// name is what the reader of a paste that is burned is known by: made once for this tab and paste, so that who asks again
// after an answer that went missing is known.
func (r *reader) name(id string) string {
	if !r.hasName(id) {
		name, err := pastebin.NewID(html.Random{})
		if err != nil {
			panic("there is no randomness: " + err.Error()) // html.Random never fails
		}
		r.names[id] = name
		keep.Tab.Put(nameKey(id), name)
	}
	return r.names[id]
}

func (r *reader) hasName(id string) bool {
	if r.names[id] == "" {
		r.names[id] = keep.Tab.Get(nameKey(id))
	}
	return r.names[id] != ""
}

// forget forgets the name: the paste has been seen.
func (r *reader) forget(id string) {
	if r.hasName(id) {
		delete(r.names, id)
		keep.Tab.Forget(nameKey(id))
	}
}

func nameKey(id string) string { return "stormbin-burn-" + id }

// may does what a browser may forbid, and tells whether it did not.
func may(do func()) (did bool) {
	defer func() { did = recover() == nil }()
	do()
	return true
}
