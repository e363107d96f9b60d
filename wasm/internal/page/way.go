//go:build js && wasm

package page

import (
	"time"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/view"
)

// way is a session as it is played. On its way to another time it is looked at in small steps as soon as it is near, so
// that the picture of who holds the slots is there whole, and not only from then on; and what is told of its last second is
// read when it was read in A.
type way struct {
	listened
	page *Page
}

// Advance is the session's, listened to.
func (w way) Advance(to time.Duration, events int) (there bool) {
	now, goal := w.Now(), w.Goal()
	if now >= goal {
		return w.listened.Advance(to, events)
	}
	slots, stop := w.page.shown.slots, to
	if near := goal - slots.Window(); now < near {
		stop = min(to, near)
	} else {
		_, step := slots.Due(now)
		stop = min(to, now+step)
	}
	record := scenario.Forever
	if a := w.page.pinned; a != nil {
		record = a.meter.After(now)
		stop = min(stop, record)
	}
	there = w.listened.Advance(stop, events)
	if w.Now() == record {
		w.page.shown.peek()
	}
	for s := range w.page.sights {
		s.glance(view.Frame{Speed: w.page.speed(), Moving: true})
	}
	return there && stop == to
}
