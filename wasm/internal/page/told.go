//go:build js && wasm

package page

import (
	"time"

	"stormbin/wasm/internal/view"
)

// told is what happened, in sentences, each with its time.
type told struct{ page *Page }

func (t *told) bind(p *Page) { t.page = p }

// show begins anew, with a run of which nothing was told.
func (t *told) show() {}

// tell takes in what happened at at.
func (t *told) tell(at time.Duration, text string) {
	t.page.voice.Say(view.Clock(at)+": "+text, false)
}

// forget drops what was told of the time after at, which will be another.
func (t *told) forget(at time.Duration) {}

// write brings what is on show up to date.
func (t *told) write() {}
