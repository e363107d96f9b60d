//go:build js && wasm

package desk

import "stormbin/engine/run"

// World is the page around the desk: the simulated world that a reader's requests go through, and what shows it.
type World interface {
	// Run is the run that is on show. If its system has no pastes, the pastebin takes its place first, and the page says so.
	Run() *run.Run
	// Playing tells whether the world goes on. Play lets it.
	Playing() bool
	Play()
	// Front brings the desk to the front, where only one panel is shown.
	Front()
}
