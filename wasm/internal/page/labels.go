//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// labels is the words over the stage: spans that are kept, and written to only where something has changed.
type labels struct {
	box   html.Element
	spans []span
	shown int
}

type span struct {
	element js.Value
	label   view.Label
}

var kinds = [...]string{view.Name: "name", view.Note: "note", view.Sick: "sick", view.You: "you", view.Run: "run"}

var anchors = [...]string{view.Left: "0", view.Middle: "-50%", view.Right: "-100%"}

func (l *labels) bind() { l.box = html.Find("labels") }

func (l *labels) write(all []view.Label) {
	for len(l.spans) < len(all) {
		e := html.Make("span", "", "")
		html.Add(l.box, e)
		l.spans = append(l.spans, span{element: e.Value, label: view.Label{Kind: 255}})
	}
	for i := range all {
		now, was := &all[i], &l.spans[i].label
		e := l.spans[i].element
		if now.Text != was.Text {
			e.Set("textContent", now.Text)
		}
		if now.Kind != was.Kind {
			e.Set("className", kinds[now.Kind])
		}
		if now.At != was.At || now.Anchor != was.Anchor || was.Kind == 255 {
			e.Get("style").Set("transform", "translate("+pixels(now.At.X)+","+pixels(now.At.Y)+") translate("+anchors[now.Anchor]+",-50%)")
		}
		*was = *now
		if i >= l.shown {
			e.Set("hidden", false)
		}
	}
	for i := len(all); i < l.shown; i++ {
		l.spans[i].element.Set("hidden", true)
	}
	l.shown = len(all)
}

// pixels are whole, so that the words are sharp.
func pixels(x float32) string { return strconv.Itoa(int(x+.5)) + "px" }
