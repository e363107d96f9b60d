//go:build js && wasm

package page

import (
	"syscall/js"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// save is the menu of what can be taken away.
type save struct {
	page    *Page
	menu    html.Element
	said    html.Element
	text    html.Element
	picture html.Element
	url     string // of the file that was made last
}

func (s *save) bind(p *Page) {
	*s = save{page: p, menu: html.Find("save"), said: html.Find("save-said"), text: html.Find("save-text"), picture: html.Find("save-shown")}
	html.On(html.Find("save-picture"), "click", func(html.Event) { go s.png() })
	html.On(html.Find("save-csv"), "click", func(html.Event) {
		t := p.take(p.shown)
		s.offer(".csv", "text/csv;charset=utf-8", metrics.AppendCSV(nil, &t.Report))
	})
	html.On(html.Find("save-json"), "click", func(html.Event) {
		t := p.take(p.shown)
		s.offer(".json", "application/json", metrics.AppendJSON(nil, &t.Report))
	})
	html.On(html.Find("save-markdown"), "click", func(html.Event) { s.offer(".md", "text/markdown;charset=utf-8", []byte(p.summary())) })
	html.On(html.Find("save-print"), "click", func(html.Event) { go s.print() })

	menu(s.menu)
}

// take is a run as it stands.
func (p *Page) take(v *sight) *view.Take {
	s := v.run.Scenario()
	return &view.Take{Scenario: s, Report: v.run.Report(), Link: site() + scenario.Link{Scenario: s}.String()}
}

// summary is of what is on show, of both runs where there are two.
func (p *Page) summary() string {
	if p.pinned == nil {
		return view.Summary(nil, p.take(p.shown))
	}
	return view.Summary(p.take(p.pinned), p.take(p.shown))
}

// offer has the browser save a file. Whether it did nobody tells us, so the file stays at hand under a link; and where it
// may be forbidden what is in it is shown, to be copied.
func (s *save) offer(ending, mediaType string, b []byte) {
	p := s.page
	if s.url != "" {
		html.RevokeURL(s.url)
	}
	s.url = html.TypedURL(b, mediaType)
	name := view.FileName(p.session.Settings(), p.session.Now()) + ending
	link := html.Make("a", "", name)
	link.SetAttribute("href", s.url)
	link.SetAttribute("download", name)
	s.say("")
	html.Add(s.said, link)
	picture := mediaType == "image/png"
	boxed := sandboxed()
	html.Show(s.text, boxed && !picture)
	html.Show(s.picture, boxed && picture)
	switch {
	case !boxed:
		html.Add(s.said, html.Make("span", "", " has "+view.Bytes(int64(len(b)))+". If your browser has not saved it by itself, use the link."))
	case picture:
		s.picture.SetAttribute("src", s.url)
		html.Add(s.said, html.Make("span", "", ": this frame is sandboxed and may forbid that. Then take the picture below."))
	default:
		html.SetValue(s.text, string(b))
		html.Add(s.said, html.Make("span", "", ": this frame is sandboxed and may forbid that. Then copy the text below into a file of that name."))
	}
	link.Call("click")
}

func (s *save) say(text string) {
	html.Clear(s.said)
	s.said.SetTextContent(text)
}

// png saves the picture.
func (s *save) png() {
	s.say("Drawing …")
	b, err := s.page.poster(s.page.panel.Theme.Dark())
	if err != nil {
		s.say("There is no picture: " + err.Error() + ".")
		return
	}
	s.offer(".png", "image/png", b)
}

// print prints a sheet of its own: the picture, and the summary.
func (s *save) print() {
	sheet := html.Find("sheet")
	image := html.In(sheet, "img")
	url := ""
	if b, err := s.page.poster(false); err == nil {
		url = html.TypedURL(b, "image/png")
		image.SetAttribute("src", url)
		html.Await(image.Call("decode"))
	}
	html.Show(image, url != "")
	html.In(sheet, "pre").SetTextContent(s.page.summary())
	html.Show(sheet, true)
	var after js.Func
	after = js.FuncOf(func(js.Value, []js.Value) any {
		after.Release()
		html.Show(sheet, false)
		html.RevokeURL(url)
		return nil
	})
	js.Global().Call("addEventListener", "afterprint", after, map[string]any{"once": true})
	s.say("")
	if sandboxed() { // then it may come to nothing, and nobody tells us
		s.say("If nothing is printed: this frame is sandboxed and may not. Take the picture and the summary instead.")
	}
	js.Global().Call("print")
}

// sandboxed tells whether the page is in a frame that has no origin, and may be kept from saving files.
func sandboxed() bool { return js.Global().Get("origin").String() == "null" }
