//go:build js && wasm

package panel

import (
	"strconv"

	"honnef.co/go/js/dom/v2"

	"stormbin/wasm/internal/html"
)

// transport is play, pause, restart, step and speed.
type transport struct {
	play, pause   *dom.HTMLButtonElement
	clock, behind *html.Text
}

func (t *transport) bind(acts Acts) {
	t.play, t.pause = html.Find[*dom.HTMLButtonElement]("play"), html.Find[*dom.HTMLButtonElement]("pause")
	t.clock, t.behind = html.TextOf("clock"), html.TextOf("behind")
	html.On(t.play, "click", func(dom.Event) { acts.Play(); t.pause.Focus() })
	html.On(t.pause, "click", func(dom.Event) { acts.Pause(); t.play.Focus() })
	html.On(html.Find[dom.Element]("restart"), "click", func(dom.Event) { acts.Restart() })
	html.On(html.Find[dom.Element]("step"), "click", func(dom.Event) { acts.Step() })
	speed := html.Find[*dom.HTMLSelectElement]("speed")
	html.On(speed, "change", func(dom.Event) {
		if x, err := strconv.ParseFloat(speed.Value(), 64); err == nil {
			acts.Speed(x)
		}
	})
}

// ShowPlaying shows whether it plays: the one button of the two that does something.
func (p *Panel) ShowPlaying(playing bool) {
	html.Show(p.time.play, !playing)
	html.Show(p.time.pause, playing)
}

// ShowTime shows the virtual time, and what is to be said about how it passes.
func (p *Panel) ShowTime(clock, behind string) {
	p.time.clock.Set(clock)
	p.time.behind.Set(behind)
}
