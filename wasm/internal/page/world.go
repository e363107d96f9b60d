//go:build js && wasm

package page

import "stormbin/engine/run"

// world is the page as the desk sees it.
type world struct{ *Page }

// Run is the run on show. Pastes need a system that has them; the page says so if it has to change it.
func (w world) Run() *run.Run {
	if _, ok := w.session.Settings().Operations["create"]; !ok {
		w.Pick("pastebin")
		w.voice.Say("Pastes live in the pastebin, so that is the system on show now. Your request is in it.", true)
	}
	return w.session.Run()
}

func (w world) Playing() bool { return w.player.Playing() }

func (w world) Front() { w.panel.ShowPanel("paste") }
