//go:build js && wasm

package desk

import (
	"syscall/js"

	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
	"stormbin/wasm/internal/words"
)

// share is the link to the paste that was made, and the link that holds a paste.
type share struct {
	desk                *Desk
	around, link, whole html.Element
	where               *html.Text
	held                pastebin.Draft // the paste that was made

	content, says, long, copy, file html.Element
	url                             string // of the file
}

func newShare(d *Desk) *share {
	s := &share{
		desk: d, where: html.TextOf("paste-where"),
		around: html.Find("paste-made"), link: html.Find("paste-link"), whole: html.Find("share-content"),
		content: html.Find("content-made"), says: html.Find("content-says"), long: html.Find("content-link"),
		copy: html.Find("copy-content"), file: html.Find("content-file"),
	}
	copier(html.Find("copy-link"), s.link, func() js.Value { return s.link.Get("href") })
	copier(s.copy, s.long, func() js.Value { return s.long.Get("href") })
	html.On(s.whole, "click", func(html.Event) { s.offer(s.held.Title, s.held.Language, s.held.Text) })
	return s
}

// made shows the link to the paste that was made of a draft.
func (s *share) made(id string, of pastebin.Draft) {
	s.held = of
	s.link.SetAttribute("href", pastebin.PasteLink(id))
	s.link.SetTextContent(s.link.Get("href").String())
	s.where.Set("only in this browser")
	if !s.desk.storage.kept {
		s.where.Set("only in this page, until it is closed or reloaded")
	}
	html.Show(s.whole, !of.Burn) // else it could be read as often as one likes
	html.Show(s.around, true)
}

// clear hides the links.
func (s *share) clear() {
	html.Show(s.around, false)
	html.Show(s.content, false)
	s.link.RemoveAttribute("href")
	s.link.SetTextContent("")
	s.held = pastebin.Draft{}
	s.letGo()
}

func (s *share) letGo() {
	if s.url != "" {
		html.RevokeURL(s.url)
		s.url = ""
	}
}

// offer shows the link that holds a whole paste, and where that is too long for a link the file to send instead.
func (s *share) offer(title, language string, text []byte) {
	s.letGo()
	link, err := pastebin.ContentLink(pastebin.Content{Title: title, Language: language, Text: text})
	html.Show(s.long, err == nil)
	html.Show(s.copy, err == nil)
	html.Show(s.file, err != nil)
	html.Show(s.content, true)
	if err == nil {
		s.long.SetAttribute("href", link)
		s.long.SetTextContent(s.long.Get("href").String())
		s.says.SetTextContent("This link holds the whole paste in " + view.Count(int64(len(link))) +
			" characters. It opens in any browser, and whoever has it has the text: it can’t be taken back.")
		s.copy.Call("focus")
		return
	}
	s.url = html.ObjectURL(text)
	s.file.SetAttribute("href", s.url)
	s.file.SetAttribute("download", words.FileName(pastebin.Paste{Title: title, Language: language}, pastebin.IsText(text)))
	s.says.SetTextContent(reason(err) + " Send the file instead.")
	s.file.Call("focus")
}

// copier has a button copy what of gives, and say so. Where the browser doesn't allow that, it selects what shows it, and
// says that.
func copier(button, shown html.Element, of func() js.Value) {
	said := html.Make("span", "said", "")
	said.SetAttribute("role", "status")
	button.Call("after", said.Value)
	times := 0
	html.On(button, "click", func(html.Event) {
		text := of()
		times++
		mine := times
		go func() {
			if html.Copy(text) {
				said.SetTextContent("Copied")
			} else {
				js.Global().Call("getSelection").Call("selectAllChildren", shown.Value)
				said.SetTextContent("The browser does not let the page copy. It is selected: press Ctrl+C, or ⌘C.")
			}
			html.After(4000, func() {
				if mine == times {
					said.SetTextContent("")
				}
			})
		}()
	})
}
