// Package speak decides which caption is on show, so that a screen reader isn't talked over: at most one new caption a
// second, the newest, and what concerns the reader's own request before what the crowd does.
package speak

import "time"

// Pause is the least time between two captions.
const Pause = time.Second

// Voice keeps what is to be said. The zero value has nothing to say.
type Voice struct {
	next   string
	own    bool // next is about the reader's own request
	last   time.Duration
	spoken bool
}

// Say hands in a caption. One that waits is replaced, unless it was about the reader's own request and this isn't.
func (v *Voice) Say(text string, own bool) {
	if text == "" || v.next != "" && v.own && !own {
		return
	}
	v.next, v.own = text, own
}

// Due returns the caption to show at now, which is real time; false if there is none or the last is too fresh.
func (v *Voice) Due(now time.Duration) (string, bool) {
	if v.next == "" || v.spoken && now-v.last < Pause {
		return "", false
	}
	text := v.next
	v.next, v.own, v.last, v.spoken = "", false, now, true
	return text, true
}
