//go:build js && wasm

package panel

import (
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/session"
)

// back is the ways back to how the settings were: undo, redo, reset.
type back struct{ undo, redo, reset html.Element }

func (b *back) bind(acts Acts) {
	b.undo, b.redo, b.reset = html.Find("rule-undo"), html.Find("rule-redo"), html.Find("rule-reset")
	html.On(b.undo, "click", func(html.Event) { acts.Undo() })
	html.On(b.redo, "click", func(html.Event) { acts.Redo() })
	html.On(b.reset, "click", func(html.Event) { acts.Reset() })
}

func (b *back) show(s *session.Session) {
	html.Dim(b.undo, !s.CanUndo())
	html.Dim(b.redo, !s.CanRedo())
	html.Dim(b.reset, !s.Changed())
}
