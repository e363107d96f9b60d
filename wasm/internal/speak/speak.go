// Package speak decides which caption is on show, and what a screen reader is told, so that it isn't talked over: at most one
// thing a second. On show is the newest, and what concerns the reader's own request before what the crowd does; told is all
// that has happened since.
package speak

import (
	"strings"
	"time"
)

const (
	// Pause is the least time between two captions.
	Pause = time.Second
	// most is how many captions are told at once: the newest.
	most = 8
)

// Voice keeps what is to be said. The zero value has nothing to say.
type Voice struct {
	next   string
	own    bool     // next is about the reader's own request
	all    []string // that wait
	last   time.Duration
	spoken bool
}

// Say hands in a caption. One that waits is on show no more, unless it was about the reader's own request and this isn't.
func (v *Voice) Say(text string, own bool) {
	if n := len(v.all); text == "" || n > 0 && v.all[n-1] == text {
		return
	}
	v.all = append(v.all, text)
	v.all = v.all[max(0, len(v.all)-most):]
	if v.next == "" || own || !v.own {
		v.next, v.own = text, own
	}
}

// Hush drops what waits: it is of another run.
func (v *Voice) Hush() { v.next, v.own, v.all = "", false, nil }

// Due returns the caption to show at now, which is real time, and all that is to be told; false if there is none or the
// last is too fresh.
func (v *Voice) Due(now time.Duration) (caption, told string, ok bool) {
	if v.next == "" || v.spoken && now-v.last < Pause {
		return "", "", false
	}
	caption, told = v.next, strings.Join(v.all, " ")
	v.Hush()
	v.last, v.spoken = now, true
	return caption, told, true
}
