//go:build js && wasm

// Package html finds and enlivens the elements that the page's HTML has. Wrapping an element costs tens of
// microseconds, so whoever needs one often finds it once and keeps it.
package html

import (
	"fmt"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// Document is this page's.
var Document = dom.GetWindow().Document()

// Find is the element of that id, as a T. The page and its program come together, so it is a mistake in one of them if
// there is none: it panics, and says which.
func Find[T dom.Element](id string) T {
	return as[T](Document.GetElementByID(id), "#"+id)
}

// In is the first element in e that the selector matches, as a T. It panics if there is none.
func In[T dom.Element](e dom.Element, selector string) T {
	return as[T](e.QuerySelector(selector), selector)
}

func as[T dom.Element](e dom.Element, name string) T {
	t, ok := e.(T)
	if !ok {
		panic(fmt.Sprintf("the page has no %s that is a %T, but %T", name, t, e))
	}
	return t
}

// All is every element in the document that the selector matches.
func All(selector string) []dom.Element { return Document.QuerySelectorAll(selector) }

// On calls f for an event of e, for as long as the page lives. f must not block.
func On(e dom.EventTarget, event string, f func(dom.Event)) { e.AddEventListener(event, false, f) }

// Key is the key of a keyboard event; "" of another.
func Key(e dom.Event) string {
	if k := e.Underlying().Get("key"); k.Type() == js.TypeString {
		return k.String()
	}
	return ""
}

// Media is a media query, for its matches and its change event.
func Media(query string) *dom.BasicNode {
	return &dom.BasicNode{Value: js.Global().Call("matchMedia", query)}
}

// Matches tells whether a media query holds.
func Matches(media *dom.BasicNode) bool { return media.Get("matches").Bool() }

// Show shows or hides e.
func Show(e dom.Element, shown bool) { e.Underlying().Set("hidden", !shown) }

// Enable enables or disables a control.
func Enable(e dom.Element, enabled bool) { e.Underlying().Set("disabled", !enabled) }

// Clone is a copy of the one element in the template of that id.
func Clone(template string) dom.Element {
	content := Find[*dom.HTMLTemplateElement](template).Underlying().Get("content")
	return dom.WrapElement(content.Get("firstElementChild").Call("cloneNode", true))
}

// Make is a new element with a class and words in it. Either may be empty.
func Make(tag, class, text string) dom.Element {
	e := Document.CreateElement(tag)
	if class != "" {
		e.SetAttribute("class", class)
	}
	if text != "" {
		e.SetTextContent(text)
	}
	return e
}

// Clear takes everything out of e.
func Clear(e dom.Element) { e.Underlying().Call("replaceChildren") }

// Text is words that change often. Writing what already stands there costs nothing.
type Text struct {
	element js.Value
	now     string
	written bool
}

// TextOf is the words of the element of that id.
func TextOf(id string) *Text { return TextIn(Find[dom.Element](id)) }

// TextIn is the words of e.
func TextIn(e dom.Element) *Text { return &Text{element: e.Underlying()} }

// Set writes s.
func (t *Text) Set(s string) {
	if !t.written || t.now != s {
		t.now, t.written = s, true
		t.element.Set("textContent", s)
	}
}
