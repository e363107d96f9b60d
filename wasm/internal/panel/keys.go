//go:build js && wasm

package panel

import (
	"strings"

	"stormbin/wasm/internal/html"
)

// keys is what the keyboard does beside moving the focus, and the page that says so.
type keys struct {
	panel *Panel
	help  html.Element
}

func (k *keys) bind(p *Panel) {
	k.panel, k.help = p, html.Find("help")
	html.On(html.Find("help-open"), "click", func(html.Event) { k.explain() })
	html.On(html.Find("help-close"), "click", func(html.Event) { k.help.Call("close") })
	html.On(html.Document, "keydown", k.pressed)
}

// explain opens the help at its beginning: left to the browser, the focus would be on the button at its end.
func (k *keys) explain() {
	k.help.Call("showModal")
	html.Focus(html.Find("h-help"))
}

// pressed takes the keys that are the page's own. None is taken that is the browser's, nor any from where people write or
// choose.
func (k *keys) pressed(e html.Event) {
	at := html.Wrap(html.Document.Get("activeElement"))
	if e.Get("defaultPrevented").Bool() || k.help.Get("open").Bool() || at == nil || writes(at) {
		return
	}
	acts := k.panel.acts
	if e.Held("ctrl") || e.Held("meta") {
		if strings.ToLower(e.Key()) == "z" && !e.Held("alt") {
			e.PreventDefault()
			if e.Held("shift") {
				acts.Redo()
			} else {
				acts.Undo()
			}
		}
		return
	}
	if e.Held("alt") || !allowed(e.Key()) {
		return
	}
	if e.Key() == "?" {
		e.PreventDefault()
		k.explain()
		return
	}
	figure := at.ID() == "figure"
	if !figure && at.TagName() != "BODY" {
		return
	}
	switch e.Key() {
	case " ":
		if !figure { // it scrolls the page
			return
		}
		k.panel.time.toggle(acts)
	case ".":
		acts.Step()
	case ",":
		acts.StepBack()
	case "r":
		acts.Restart()
	case "e":
		acts.End()
	case "p":
		if k.panel.pinned {
			acts.Unpin()
		} else {
			acts.Pin()
		}
	case "1", "2", "3", "4":
		k.panel.looks.choose(int(e.Key()[0]-'1'), acts)
	default:
		return
	}
	e.PreventDefault()
}

// allowed tells whether there is such a key here: in an embed they go with the controls that its author has chosen.
func allowed(key string) bool {
	root := html.Root.Class()
	return !root.Contains("embed") || key == " " || root.Contains("with-play") && strings.Contains(".,re", key)
}

// writes tells whether keys that are pressed in e write or choose something there.
func writes(e html.Element) bool {
	switch e.TagName() {
	case "TEXTAREA", "SELECT":
		return true
	case "INPUT":
		switch e.Get("type").String() {
		case "checkbox", "radio", "range", "file", "button":
			return false
		}
		return true
	}
	return e.Get("isContentEditable").Bool()
}

// skips are the links past everything to a panel.
func (p *Panel) skips() {
	for _, link := range html.All(html.Root, "[data-skip]") {
		id := link.GetAttribute("data-skip")
		html.On(link, "click", func(e html.Event) {
			e.PreventDefault()
			p.ShowPanel(id)
			heading := html.Find("h-" + id)
			heading.Call("focus")
		})
	}
}
