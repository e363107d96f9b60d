//go:build js && wasm

// Package html finds and enlivens the elements that the page's HTML has.
//
// It hands out the DOM library's one basic element, and not its Element interface, for two reasons. Finding the kind of
// an element, or of an event, costs tens of microseconds. And a method that is called through the interface is kept by
// the linker for each of a hundred kinds: fifty kilobytes of program a method, where the basic element's own costs nothing.
//
// Nothing here is inlined. What JavaScript is asked takes a thousand times as long as a call, and the copies would make the
// page's program larger by 150 KB.
package html

import (
	"strconv"
	"strings"
	"syscall/js"

	"honnef.co/go/js/dom/v2"
)

// Element is any element.
type Element = *dom.BasicHTMLElement

// Window and Document are this page's, Root is its html element.
var (
	Window   = &dom.BasicNode{Value: js.Global()}
	Document = &dom.BasicNode{Value: js.Global().Get("document")}
	Root     = Wrap(Document.Get("documentElement"))
)

// Fragment is what of the page's address is behind its #, with that; "" if there is none.
//
//go:noinline
func Fragment() string { return js.Global().Get("location").Get("hash").String() }

// Wrap is an element of JavaScript's, nil for null.
//
//go:noinline
func Wrap(v js.Value) Element {
	if v.IsNull() || v.IsUndefined() {
		return nil
	}
	return &dom.BasicHTMLElement{BasicElement: &dom.BasicElement{BasicNode: &dom.BasicNode{Value: v}}}
}

// Find is the element of that id. The page and its program come together, so it is a mistake in one of them if there is
// none: it panics, and says which.
//
//go:noinline
func Find(id string) Element {
	e := Wrap(Document.Call("getElementById", id))
	if e == nil {
		panic("the page has no element with the id " + id)
	}
	return e
}

// In is the first element in e that the selector matches. It panics if there is none.
//
//go:noinline
func In(e Element, selector string) Element {
	found := Maybe(e, selector)
	if found == nil {
		panic("the page has no " + selector + " in a " + e.TagName())
	}
	return found
}

// Maybe is the first element in e that the selector matches, nil if there is none.
//
//go:noinline
func Maybe(e Element, selector string) Element { return Wrap(e.Call("querySelector", selector)) }

// Closest is the nearest element around e that the selector matches, e included; nil if there is none.
//
//go:noinline
func Closest(e Element, selector string) Element { return Wrap(e.Call("closest", selector)) }

// All is every element in e that the selector matches.
//
//go:noinline
func All(e Element, selector string) []Element {
	list := e.Call("querySelectorAll", selector)
	all := make([]Element, list.Length())
	for i := range all {
		all[i] = Wrap(list.Index(i))
	}
	return all
}

// Add appends child to parent.
//
//go:noinline
func Add(parent, child Element) { parent.Call("append", child.Value) }

// Value and SetValue are of an input, a select or a textarea.
//
//go:noinline
func Value(e Element) string { return e.Get("value").String() }

//go:noinline
func SetValue(e Element, s string) { e.Set("value", s) }

//go:noinline
func Checked(e Element) bool { return e.Get("checked").Bool() }

//go:noinline
func SetChecked(e Element, on bool) { e.Set("checked", on) }

// Focus moves the focus to e, and scrolls nothing. Whoever hides what has the focus says so where it goes from there:
// the browser would start over at the top.
//
//go:noinline
func Focus(e Element) { e.Call("focus", map[string]any{"preventScroll": true}) }

// On calls f for an event of target, for as long as the page lives. f must not block.
//
//go:noinline
func On(target interface{ Underlying() js.Value }, event string, f func(Event)) {
	target.Underlying().Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
		e := Event{args[0]}
		if bringing {
			waiting = append(waiting, func() { f(e) })
		} else {
			f(e)
		}
		return nil
	}))
}

// Event is what an element tells of.
type Event struct{ js.Value }

// PreventDefault keeps the browser from doing what it does by itself.
//
//go:noinline
func (e Event) PreventDefault() { e.Call("preventDefault") }

// Key is the key of a keyboard event; "" of another.
//
//go:noinline
func (e Event) Key() string {
	if k := e.Get("key"); k.Type() == js.TypeString {
		return k.String()
	}
	return ""
}

// Focused tells whether e has the focus.
//
//go:noinline
func Focused(e Element) bool { return Document.Get("activeElement").Equal(e.Value) }

// Held tells of a keyboard event whether ctrl, shift, alt or meta was held.
//
//go:noinline
func (e Event) Held(key string) bool { return e.Get(key + "Key").Bool() }

// Media is a media query, for its matches and its change event.
//
//go:noinline
func Media(query string) *dom.BasicNode {
	return &dom.BasicNode{Value: js.Global().Call("matchMedia", query)}
}

// Matches tells whether a media query holds.
//
//go:noinline
func Matches(media *dom.BasicNode) bool { return media.Get("matches").Bool() }

// Show shows or hides e.
//
//go:noinline
func Show(e Element, shown bool) { e.Set("hidden", !shown) }

// Enable enables or disables a control.
//
//go:noinline
func Enable(e Element, enabled bool) { e.Set("disabled", !enabled) }

// Dim says that a button has nothing to do just now. It keeps the focus, which a disabled one would lose.
//
//go:noinline
func Dim(e Element, dim bool) { e.SetAttribute("aria-disabled", strconv.FormatBool(dim)) }

// Press says whether a button that stays pressed is; Expand whether what a button opens is open.
//
//go:noinline
func Press(e Element, pressed bool) { e.SetAttribute("aria-pressed", strconv.FormatBool(pressed)) }

//go:noinline
func Expand(e Element, open bool) { e.SetAttribute("aria-expanded", strconv.FormatBool(open)) }

// Clone is a copy of the one element in the template of that id.
//
//go:noinline
func Clone(template string) Element {
	return Wrap(Find(template).Get("content").Get("firstElementChild").Call("cloneNode", true))
}

// Make is a new element with a class and words in it. Either may be empty.
//
//go:noinline
func Make(tag, class, text string) Element {
	e := Wrap(Document.Call("createElement", tag))
	if class != "" {
		e.SetAttribute("class", class)
	}
	if text != "" {
		e.SetTextContent(unbroken(text))
	}
	return e
}

// unbroken is s with each % on the line of its number.
func unbroken(s string) string { return strings.ReplaceAll(s, " %", "\u00a0%") }

// Clear takes everything out of e.
//
//go:noinline
func Clear(e Element) { e.Call("replaceChildren") }

// Refuse says beside a field why its value was not taken; nil takes that back. Fields that stand close together share a
// place for it, of the class errors.
//
//go:noinline
func Refuse(input Element, why error) {
	around := Closest(input, ".field")
	if shared := Maybe(around, ".errors"); shared != nil {
		around = shared
	}
	id := "error-" + input.ID()
	said := Maybe(around, "#"+id)
	if why == nil {
		input.RemoveAttribute("aria-invalid")
		input.RemoveAttribute("aria-errormessage")
		if said != nil {
			said.Remove()
		}
		return
	}
	if said == nil {
		said = Make("small", "error", "")
		said.SetID(id)
		said.SetAttribute("role", "alert")
		Add(around, said)
	}
	said.SetTextContent(why.Error())
	input.SetAttribute("aria-invalid", "true")
	input.SetAttribute("aria-errormessage", id)
}

// Text is words that change often. Writing what already stands there costs nothing.
type Text struct {
	element js.Value
	now     string
	written bool
}

// TextOf is the words of the element of that id.
//
//go:noinline
func TextOf(id string) *Text { return TextIn(Find(id)) }

// TextIn is the words of e.
//
//go:noinline
func TextIn(e Element) *Text { return &Text{element: e.Value} }

// Now is what was last written; "" if nothing was.
func (t *Text) Now() string { return t.now }

// Set writes s.
//
//go:noinline
func (t *Text) Set(s string) {
	if !t.written || t.now != s {
		t.now, t.written = s, true
		t.element.Set("textContent", unbroken(s))
	}
}
