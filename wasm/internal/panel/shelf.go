//go:build js && wasm

package panel

import (
	"syscall/js"
	"time"
	"unicode/utf8"

	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// Shelf is the pastes that there are, the one that is open, and what became of the last request.
type Shelf struct {
	acts          ShelfActs
	outcome       html.Element
	waiting, note html.Element
	made, link    html.Element
	list          html.Element
	article       html.Element
	title, meta   *html.Text
	text          html.Element
	raw           html.Element
	open          []byte
	url           string // of the raw bytes
	hops          html.Element
	rows          html.Element
}

// ShelfActs is what a reader can do with pastes.
type ShelfActs interface {
	Open(id string)
	Delete(id string)
	Play()
}

// NewShelf enlivens the shelf.
func NewShelf(acts ShelfActs) *Shelf {
	s := &Shelf{
		acts: acts, outcome: html.Find("paste-status"), waiting: html.Find("held-note"), note: html.Find("store-note"),
		made: html.Find("paste-made"), link: html.Find("paste-link"), list: html.Find("paste-list"), article: html.Find("paste-view"),
		title: html.TextOf("view-title"), meta: html.TextOf("view-meta"), text: html.Find("view-text"), raw: html.Find("view-raw"),
		hops: html.Find("hops"), rows: html.Find("hops-rows"),
	}
	html.On(html.Find("held-play"), "click", func(html.Event) {
		html.Focus(html.Find("h-paste"))
		acts.Play()
	})
	copier(html.Find("copy-link"), s.link, func() js.Value { return s.link.Get("href") })
	copier(html.Find("view-copy"), s.text, func() js.Value { return html.String(s.open) })
	return s
}

// copier has a button copy what of gives. Where the browser doesn't allow that, it selects what shows it.
func copier(button, shown html.Element, of func() js.Value) {
	words := button.TextContent()
	html.On(button, "click", func(html.Event) {
		text := of()
		go func() {
			said := "Copied"
			if !html.Copy(text) {
				js.Global().Call("getSelection").Call("selectAllChildren", shown.Value)
				said = "Selected, copy it"
			}
			button.SetTextContent(said)
			html.After(1500, func() { button.SetTextContent(words) })
		}()
	})
}

// Note says that something is not as it should be with what is kept; "" says that it is again.
func (s *Shelf) Note(text string) {
	s.note.SetTextContent(text)
	html.Show(s.note, text != "")
}

// Waiting shows whether a request waits because the world is paused.
func (s *Shelf) Waiting(waits bool) { html.Show(s.waiting, waits) }

// Outcome says what became of a request.
func (s *Shelf) Outcome(text string, class string) {
	s.outcome.SetTextContent(text)
	s.outcome.SetAttribute("class", "outcome "+class)
}

// Made shows the link to a new paste; "" hides it.
func (s *Shelf) Made(id string) {
	html.Show(s.made, id != "")
	if id == "" {
		s.link.RemoveAttribute("href")
		s.link.SetTextContent("")
		return
	}
	s.link.SetAttribute("href", "#p/"+id)
	s.link.SetTextContent(s.link.Get("href").String())
}

// List shows the pastes.
func (s *Shelf) List(pastes []pastebin.Paste, now time.Time) {
	html.Clear(s.list)
	if len(pastes) == 0 {
		html.Add(s.list, html.Make("li", "muted", "None yet."))
	}
	for _, p := range pastes {
		li := html.Make("li", "", "")
		a := html.Make("a", "", titleOf(p))
		a.SetAttribute("href", "#p/"+p.ID)
		html.On(a, "click", func(e html.Event) {
			if js.Global().Get("location").Get("hash").String() == "#p/"+p.ID {
				s.acts.Open(p.ID) // the address doesn't change, so nobody else would
			}
		})
		remove := html.Make("button", "", "Delete")
		remove.SetAttribute("type", "button")
		remove.SetAttribute("aria-label", "Delete "+titleOf(p))
		html.On(remove, "click", func(html.Event) {
			html.Focus(s.list)
			s.acts.Delete(p.ID)
		})
		for _, e := range []html.Element{
			a, html.Make("span", "muted", view.Bytes(int64(p.Size))), html.Make("span", "muted", view.Age(now.Sub(p.Created))), remove,
		} {
			html.Add(li, e)
		}
		html.Add(s.list, li)
	}
}

func titleOf(p pastebin.Paste) string {
	if p.Title == "" {
		return "Untitled " + p.ID[:min(len(p.ID), 6)]
	}
	return p.Title
}

// Show opens a paste.
func (s *Shelf) Show(p pastebin.Paste, text []byte) {
	s.open = text
	s.title.Set(titleOf(p))
	meta := view.Bytes(int64(p.Size)) + ", created " + p.Created.Local().Format("2 January 2006, 15:04")
	if !utf8.Valid(text) {
		meta += ". Not all of it is text: what isn’t is shown as �. The download is exact."
	}
	s.meta.Set(meta)
	s.text.Set("textContent", html.String(text))
	if s.url != "" {
		html.RevokeURL(s.url)
	}
	s.url = html.ObjectURL(text)
	s.raw.SetAttribute("href", s.url)
	s.raw.SetAttribute("download", p.ID+".txt")
	html.Show(s.article, true)
}

// Hide closes the paste that is open.
func (s *Shelf) Hide() { s.open = nil; html.Show(s.article, false) }
