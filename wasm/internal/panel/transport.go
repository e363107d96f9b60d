//go:build js && wasm

package panel

import (
	"strconv"

	"stormbin/wasm/internal/html"
)

// transport is play, pause, restart, step and speed.
type transport struct {
	play, pause   html.Element
	clock, behind *html.Text
	face          html.Element // of the clock
	playing       bool
}

func (t *transport) bind(acts Acts) {
	t.play, t.pause = html.Find("play"), html.Find("pause")
	t.clock, t.behind, t.face = html.TextOf("clock"), html.TextOf("behind"), html.Find("clock")
	html.On(t.play, "click", func(html.Event) { acts.Play(); html.Focus(t.pause) })
	html.On(t.pause, "click", func(html.Event) { acts.Pause(); html.Focus(t.play) })
	html.On(html.Find("restart"), "click", func(html.Event) { acts.Restart() })
	html.On(html.Find("step"), "click", func(html.Event) { acts.Step() })
	html.On(html.Find("step-back"), "click", func(html.Event) { acts.StepBack() })
	html.On(html.Find("end"), "click", func(html.Event) { acts.End() })
	speed := html.Find("speed")
	html.On(speed, "change", func(html.Event) {
		if x, err := strconv.ParseFloat(html.Value(speed), 64); err == nil {
			acts.Speed(x)
		}
	})
}

// toggle plays, or pauses.
func (t *transport) toggle(acts Acts) {
	if t.playing {
		acts.Pause()
	} else {
		acts.Play()
	}
}

// ShowPlaying shows whether it plays: the one button of the two that does something.
func (p *Panel) ShowPlaying(playing bool) {
	p.time.playing = playing
	html.Show(p.time.play, !playing)
	html.Show(p.time.pause, playing)
}

// ShowTime shows the virtual time, and what is to be said about how it passes.
func (p *Panel) ShowTime(clock, behind string) {
	p.time.clock.Set(clock)
	p.time.behind.Set(behind)
}

// ShowSeeking marks the clock as one that is on its way to another time.
func (p *Panel) ShowSeeking(yes bool) {
	p.time.face.SetAttribute("aria-busy", strconv.FormatBool(yes))
}
