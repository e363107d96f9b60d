//go:build js && wasm

package desk

import (
	"context"
	"errors"
	"syscall/js"

	"stormbin/pastebin"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/keep"
	"stormbin/wasm/internal/rich"
	"stormbin/wasm/internal/words"
)

// dressing is what makes the text that is open easier to read: its colours, and Markdown as it is meant to look. Both
// come from a program that is loaded when it is first needed.
type dressing struct {
	lines              *lines
	language, rendered html.Element // a select, and whether Markdown is rendered
	toggle             html.Element // around rendered
	markdown           html.Element
	note               *html.Text

	text string
	stop context.CancelFunc // of what is being made; nil: nothing is
}

// renderedKey is where it is remembered how the reader likes Markdown.
const renderedKey = "stormbin-rendered"

func newDressing(l *lines) *dressing {
	d := &dressing{lines: l, language: html.Find("view-language"), rendered: html.Find("view-rendered"), toggle: html.Find("view-toggle"),
		markdown: html.Find("view-markdown"), note: html.TextOf("view-colours")}
	for _, language := range pastebin.Languages {
		option := html.Make("option", "", language.Label)
		option.SetAttribute("value", language.Name)
		html.Add(d.language, option)
	}
	html.On(d.language, "change", func(html.Event) { d.dress() })
	html.On(d.rendered, "change", func(html.Event) {
		keep.Browser.Put(renderedKey, map[bool]string{true: "on", false: "off"}[html.Checked(d.rendered)])
		d.dress()
	})
	return d
}

// show is told which text is open, and what it is written in.
func (d *dressing) show(text, language string) {
	d.clear()
	d.text = text
	html.SetValue(d.language, language)
	html.SetChecked(d.rendered, language == "markdown" && keep.Browser.Get(renderedKey) == "on")
	d.dress()
}

// clear ends what is being made, and shows the plain text.
func (d *dressing) clear() {
	if d.stop != nil {
		d.stop()
		d.stop = nil
	}
	d.note.Set("")
	html.Clear(d.markdown)
	html.SetChecked(d.rendered, false)
	d.reveal(false)
	d.text = ""
}

// reveal shows either Markdown as it is meant, or the text.
func (d *dressing) reveal(markdown bool) {
	html.Show(d.markdown, markdown)
	html.Show(d.lines.view, !markdown)
}

// isRendered tells whether Markdown is on show, and not the text.
func (d *dressing) isRendered() bool { return !d.markdown.Get("hidden").Bool() }

// dress makes what is chosen now.
func (d *dressing) dress() {
	if d.stop != nil {
		d.stop()
	}
	ctx, stop := context.WithCancel(context.Background())
	d.stop = stop
	text, language := d.text, html.Value(d.language)
	html.Show(d.toggle, language == "markdown")
	if language != "markdown" {
		html.SetChecked(d.rendered, false)
	}
	d.note.Set("")
	if html.Checked(d.rendered) {
		d.make(ctx, "Markdown is on its way …", func() error {
			made, err := rich.Markdown(ctx, text)
			if err == nil && ctx.Err() == nil {
				d.markdown.Set("innerHTML", made) // made so that nothing in it can run, load or style anything
				d.mark()
				d.reveal(true)
				d.reach()
			}
			return err
		})
		return
	}
	d.reveal(false)
	d.lines.colour(nil)
	if language == "" || text == "" {
		return
	}
	d.make(ctx, "Colours are on their way …", func() error {
		tokens, err := rich.Highlight(ctx, text, language)
		if err == nil && ctx.Err() == nil {
			d.lines.colour(tokens)
		}
		return err
	})
}

// mark marks the characters that can't be seen in what Markdown has come to, as they are in the text; some are made by it
// only. Mostly there are none.
func (d *dressing) mark() {
	if _, count := words.Hidden(d.markdown.TextContent(), 0); count == 0 {
		return
	}
	var nodes []js.Value
	const texts = 4 // NodeFilter.SHOW_TEXT
	for walk := html.Document.Call("createTreeWalker", d.markdown.Value, texts); walk.Call("nextNode").Truthy(); {
		nodes = append(nodes, walk.Get("currentNode"))
	}
	most := mostMarks
	for _, node := range nodes {
		text := node.Get("data").String()
		marks, _ := words.Hidden(text, most)
		most -= len(marks)
		var out []any
		at := 0
		for _, m := range marks {
			out = append(out, text[at:m.From], d.lines.unseen(m.Name, text[m.From:m.To]))
			at = m.To
		}
		if len(marks) > 0 {
			node.Call("replaceWith", append(out, text[at:])...)
		}
	}
}

// reach lets the keyboard at what scrolls in Markdown: once it is there and on show, for before that nothing has a width.
func (d *dressing) reach() {
	for _, e := range html.All(d.markdown, "pre, table") {
		if e.Get("scrollWidth").Int() > e.Get("clientWidth").Int() {
			e.SetAttribute("tabindex", "0")
		}
	}
}

// make does what waits, and says so, and why it came to nothing.
func (d *dressing) make(ctx context.Context, meanwhile string, do func() error) {
	d.note.Set(meanwhile)
	go func() {
		err := do()
		switch {
		case ctx.Err() != nil: // something else is wanted now
		case err == nil:
			d.note.Set("")
		default:
			d.note.Set(sorry(err))
		}
	}()
}

// sorry says why a text is shown plain.
func sorry(err error) string {
	var large *rich.TooLargeError
	if errors.As(err, &large) {
		return err.Error()
	}
	return "The text is shown plain: " + err.Error()
}
