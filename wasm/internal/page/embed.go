//go:build js && wasm

package page

import (
	"syscall/js"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// embed makes a figure of the run on show, for somebody else's page, and shows it as it will be.
type embed struct {
	link                    *link
	menu, view, theme, wait html.Element
	controls                []html.Element
	code, picture, around   html.Element
	copied, pictureCopied   *html.Text
	own                     html.Element // says that the picture is to be saved first
	frame                   js.Value     // the preview; undefined while it is not to be seen
	height                  int          // as the preview has told it
	shown                   string       // its address
}

// usual is how high a figure is before it has told: path and slots, with the controls that are chosen at first.
const usual = 752

func (e *embed) bind(l *link) {
	e.link, e.height = l, usual
	e.menu, e.view, e.theme, e.wait = html.Find("embed-menu"), html.Find("embed-view"), html.Find("embed-theme"), html.Find("embed-wait")
	e.code, e.picture, e.around = html.Find("embed-code"), html.Find("embed-picture"), html.Find("embed-preview")
	e.own = html.Find("embed-picture-own")
	e.controls = html.All(e.menu, "[data-control]")
	html.On(e.menu, "toggle", func(html.Event) {
		if open := e.menu.Get("open").Bool(); open {
			html.SetValue(e.view, lookNames[l.page.look])
			two := l.page.session.RuleOfA() != "" // else no link can say what A is
			html.Enable(html.In(e.view, "[value=compare]"), two)
			if two {
				html.SetValue(e.view, "compare")
			}
		}
		l.write()
	})
	html.On(l.menu, "toggle", func(html.Event) { e.write() })
	html.On(e.menu, "change", func(html.Event) { l.write() })
	e.copied, e.pictureCopied = html.TextOf("embed-copied"), html.TextOf("embed-picture-copied")
	copier(html.Find("embed-copy"), e.code, e.copied, l.write)
	copier(html.Find("embed-picture-copy"), e.picture, e.pictureCopied, l.write)
	html.On(html.Window, "message", func(event html.Event) {
		data := event.Get("data")
		if e.frame.IsUndefined() || !event.Get("source").Equal(e.frame.Get("contentWindow")) || data.Type() != js.TypeObject {
			return
		}
		if kind := data.Get("type"); kind.Type() == js.TypeString && kind.String() == "stormbin:height" {
			e.height = data.Get("height").Int()
			e.frame.Set("height", e.height)
			l.write()
		}
	})
}

// write brings the snippets and the preview up to date; where they can't be seen, there is no preview.
func (e *embed) write() {
	l := e.link
	if !l.menu.Get("open").Bool() || !e.menu.Get("open").Bool() {
		if !e.frame.IsUndefined() {
			e.frame.Call("remove")
			e.frame, e.shown = js.Undefined(), ""
		}
		return
	}
	run := l.page.played()
	figure := view.Embed{Site: site(), Link: l.page.addressAs(html.Value(e.view), html.Checked(l.timed)), Theme: html.Value(e.theme), Wait: html.Checked(e.wait), Height: e.height,
		Title: "Stormbin: what retries do when something is slow", Shown: view.StillOf(&run)}
	if figure.Shown != nil {
		figure.Title = "Stormbin: " + figure.Shown.Title
	}
	html.Show(e.own, figure.Shown == nil)
	for _, c := range e.controls {
		if html.Checked(c) {
			figure.Controls = append(figure.Controls, c.GetAttribute("data-control"))
		}
	}
	refresh(e.code, figure.Frame(), e.copied)
	refresh(e.picture, figure.Picture(), e.pictureCopied)
	figure.Wait = false // so that it tells how high it is once it is started, and not how high its still is
	address := figure.Address()
	switch {
	case e.frame.IsUndefined():
		frame := html.Make("iframe", "", "")
		frame.SetAttribute("title", "The figure as it will be")
		frame.SetAttribute("src", address)
		e.frame = frame.Value
		e.frame.Set("height", e.height)
		html.Add(e.around, frame)
	case e.shown != address:
		// In its place, and not after it: Back is the reader's.
		e.frame.Get("contentWindow").Get("location").Call("replace", address)
	}
	e.shown = address
}

// refresh writes text into field. Who has copied what stood there, perhaps before the height was known, is told.
func refresh(field html.Element, text string, said *html.Text) {
	if html.Value(field) == text {
		return
	}
	html.SetValue(field, text)
	if said.Now() != "" {
		said.Set("It has changed since: copy it again.")
	}
}

// appearing is how many times an embed is written before it is seen: what is on it only then is as high as it will be.
const appearing = 3

// appear counts them, and has the figure take the place of its still picture.
func (p *Page) appear() {
	if !p.embedded || p.beat.appearing == appearing {
		return
	}
	p.beat.stale = true
	if p.beat.appearing++; p.beat.appearing == appearing {
		there := html.Focused(html.Find("start")) // which goes
		html.Root.Class().Remove("starting")
		switch {
		case !there && !html.Root.Class().Contains("asked"):
		case p.player.Playing():
			html.Focus(html.Find("pause"))
		default:
			html.Focus(html.Find("play"))
		}
	}
}

// lead has the line under an embed lead to the same run in the whole page, as it is when it is asked for.
func (p *Page) lead() {
	whole := html.Find("whole")
	for _, event := range []string{"pointerenter", "focus", "click"} {
		html.On(whole, event, func(html.Event) {
			if !p.link.refused {
				whole.SetAttribute("href", "index.html"+p.address(true))
			}
		})
	}
}
