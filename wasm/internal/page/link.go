//go:build js && wasm

package page

import (
	"errors"
	"strings"
	"syscall/js"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/desk"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/session"
	"stormbin/wasm/internal/view"
	"stormbin/wasm/internal/words"
)

// link is the address: what it says of a run, and the one to give away. The page never changes it.
type link struct {
	page *Page
	note html.Element
	// before is what was on show before the address named a run; nil if it did from the beginning, or does not.
	before  *session.Session
	refused bool // an embed has nothing to show

	menu, field, timed, code html.Element
	alone                    html.Element // says that A is not in it
	at, status, codeNote     *html.Text
	drawn                    bool // the QR code is of what stands in the field
	embed                    embed
}

func (l *link) bind(p *Page) {
	l.page = p
	l.note, l.menu, l.field, l.timed, l.code = html.Find("link-note"), html.Find("link-menu"), html.Find("link-field"), html.Find("link-timed"), html.Find("link-qr")
	l.alone = html.Find("link-alone")
	l.at, l.status, l.codeNote = html.TextOf("link-at"), html.TextOf("link-status"), html.TextOf("link-qr-note")
	l.embed.bind(l)
	html.On(html.Window, "hashchange", func(html.Event) { l.follow() })
	html.On(l.menu, "toggle", func(html.Event) { l.status.Set(""); l.write() })
	html.On(l.timed, "change", func(html.Event) { l.write() })
	html.On(l.field, "focus", func(html.Event) { l.field.Call("select") })
	html.On(l.code, "toggle", func(html.Event) { l.write() })
	copier(html.Find("link-copy"), l.field, l.status, l.write)

	menu(l.menu)
	share := html.Find("link-share")
	if navigator := js.Global().Get("navigator"); !navigator.Get("share").IsUndefined() {
		html.Show(share, true)
		html.On(share, "click", func(html.Event) {
			l.write()
			sent := navigator.Call("share", map[string]any{"title": "Stormbin", "url": l.field.Get("value")})
			go html.Await(sent) // who thinks better of it has an error there, and needs no word about it
		})
	}
}

// copier has a button copy what stands in a field, which write first brings up to date, and say so.
func copier(button, field html.Element, said *html.Text, write func()) {
	html.On(button, "click", func(html.Event) {
		write()
		go func() {
			if html.Copy(field.Get("value")) {
				said.Set("Copied.")
				return
			}
			field.Call("focus")
			field.Call("select")
			said.Set("This browser doesn’t let the page copy. It is selected: press Ctrl+C, or ⌘C.")
		}()
	})
}

// follow puts on show what the address names, and tells whether it names a run. What can't be followed is said.
func (l *link) follow() bool {
	fragment := html.Fragment()
	if fragment == "" && l.page.embedded {
		fragment = "#v1/two-service" // as its still picture is, see web/embed.js
	}
	read, err := scenario.ParseLink(fragment)
	switch {
	case errors.Is(err, scenario.ErrNotALink):
		l.leave(fragment)
		return false
	case err != nil:
		l.bad(err.Error())
		return false
	}
	how := view.Open(read.Rest)
	var trouble string
	now, err := session.New(read.Scenario)
	if err != nil {
		l.bad(err.Error())
		return false
	}
	if how.Against != "" {
		other, ok := scenario.Find(how.Against)
		if beside, err := session.Against(other, read.Scenario); ok && err == nil {
			now = beside
		} else {
			trouble = words.NoA(how.Against, ok, err)
		}
	} else if how.Look == "compare" {
		trouble = words.NoA("", false, nil)
	}
	p := l.page
	if l.before == nil {
		l.before = p.session
	}
	p.open(now)
	p.nudge.show("") // it is for those who come without a link
	switch how.Look {
	case "":
		p.show(lookPath)
	case "compare":
		p.show(lookPath)
		html.Root.Class().Add("comparing")
	default:
		p.Look(how.Look)
	}
	p.status.Set("")
	if how.Still {
		p.Pause()
		p.Seek(how.At)
	} else {
		p.start()
	}
	l.refuse(false)
	if trouble != "" {
		l.say(trouble, "trouble")
		return true
	}
	late := ""
	if how.At > run.Limit {
		late = words.TooLate
	}
	note := ""
	for _, one := range [...]string{words.Twice(read.Twice), words.Bare(read.Bare), late, words.Ignored(how.Ignored)} {
		if note != "" && one != "" {
			note += " "
		}
		note += one
	}
	l.say(note, "")
	return true
}

// leave is for an address that names no run. Without any it is that of the page before a link was followed.
func (l *link) leave(fragment string) {
	const nothing = "This address names nothing that can be shown here."
	if l.page.embedded {
		l.bad(nothing)
		return
	}
	if name := strings.TrimPrefix(fragment, "#"); name != "" && !desk.Linked() && html.Document.Call("getElementById", name).IsNull() {
		l.say(nothing, "trouble") // it is neither a paste nor a place in the page
	} else {
		l.say("", "")
	}
	l.refuse(false)
	if before := l.before; before != nil && fragment == "" {
		l.before = nil
		l.page.open(before)
	}
}

// bad says why the address can't be followed. What is on show must not be taken for what it names.
func (l *link) bad(why string) {
	if l.page.embedded {
		l.refuse(true)
		l.page.player.Pause()
	} else {
		why += " What is on show here is not what the link names."
	}
	l.say(why, "trouble")
}

// refuse has an embed show nothing but the note, or all of it again.
func (l *link) refuse(yes bool) {
	l.refused = yes
	if yes {
		html.Root.Class().Add("nothing")
	} else {
		html.Root.Class().Remove("nothing")
	}
}

func (l *link) say(text, class string) {
	l.note.SetTextContent(text)
	l.note.SetAttribute("class", "link-note "+class)
	html.Show(l.note, text != "")
}

// look keeps the link up to date while it can be seen. One that is selected is left alone.
func (l *link) look() {
	if l.menu.Get("open").Bool() && !html.Document.Get("activeElement").Equal(l.field.Value) {
		l.write()
	}
}

// write makes the link to what is on show: what was set, broken and mended, and when.
func (l *link) write() {
	if !l.menu.Get("open").Bool() {
		return
	}
	p := l.page
	l.at.Set("Open at " + view.Clock(p.session.Now()) + ", paused")
	html.Show(l.alone, p.session.Pinned() != nil && p.session.RuleOfA() == "")
	fragment := p.address(html.Checked(l.timed))
	address := site() + fragment
	if html.Value(l.field) != address {
		html.SetValue(l.field, address)
		l.status.Set("")
		if len(fragment) > scenario.MaxLink {
			l.status.Set("So much has been done to this run that its link is longer than a link may be.")
		}
		l.drawn = false
	}
	if !l.drawn && l.code.Get("open").Bool() {
		l.drawn = true
		square := html.In(l.code, ".qr")
		err := desk.DrawQR(square, address)
		html.Show(square, err == nil)
		l.codeNote.Set("")
		if err != nil {
			l.codeNote.Set("This link is too long for a QR code: " + err.Error() + ".")
		}
	}
	l.embed.write()
}

// site is the address of the folder that the page is in, which opens it; or, of the page as one file, that of the file.
func site() string {
	address, _, _ := strings.Cut(js.Global().Get("location").Get("href").String(), "#")
	address, _, _ = strings.Cut(address, "?")
	if html.Root.Call("hasAttribute", "data-single").Bool() {
		return address
	}
	return address[:strings.LastIndexByte(address, '/')+1]
}

// address is the fragment that names the run on show, as it was played; with where in it we are, if at says so.
func (p *Page) address(at bool) string {
	look := lookNames[p.look]
	if p.look == lookPath {
		look = "" // it begins with that anyway
	}
	return p.addressAs(look, at)
}

// addressAs is the same with another look.
func (p *Page) addressAs(look string, at bool) string {
	s := p.played()
	how := view.Opening{Still: at, At: p.session.Now(), Look: look, Against: p.session.RuleOfA()}
	return scenario.Link{Scenario: s, Rest: how.Parameters()}.String()
}

// played is the scenario of the run on show, with what was done to it.
func (p *Page) played() scenario.Scenario {
	s := p.session.Run().Scenario()
	s.Duration = p.session.Settings().Duration
	return s
}
