//go:build js && wasm

package page

import (
	"syscall/js"
	"time"

	"stormbin/engine/run"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// beat is what is kept from one animation frame to the next.
type beat struct {
	last    time.Duration // when it was, in the browser's time
	labels  time.Duration // when the words on the picture were last written
	words   time.Duration // and all others
	stale   bool          // something other than the passing of time has changed the picture
	sampled int
}

// Words change this often at most. The sentence and the numbers change together, so that they never disagree.
const (
	labelsEvery = 250 * time.Millisecond
	wordsEvery  = 500 * time.Millisecond
)

// loop asks for animation frames for as long as the page lives. A hidden page gets none, so nothing is computed for it.
func (p *Page) loop() {
	window := js.Global()
	var each js.Func
	each = js.FuncOf(func(_ js.Value, args []js.Value) any {
		window.Call("requestAnimationFrame", each)
		p.each(time.Duration(args[0].Float() * float64(time.Millisecond)))
		return nil
	})
	window.Call("requestAnimationFrame", each)
}

// each does one frame. now is the browser's time.
func (p *Page) each(now time.Duration) {
	since := now - p.beat.last
	p.beat.last = now
	played := p.player.Next(since)
	if p.player.Playing() && p.snapshot.Now >= run.Limit {
		p.over()
	}
	stale := p.beat.stale
	if played.Moved > 0 || stale || p.player.Playing() {
		p.draw(played.Real, now)
	}
	if stale || now-p.beat.labels >= labelsEvery {
		p.beat.labels = now
		p.write(now, stale)
	} else if p.desk.Visits() > 0 {
		p.labels.write(p.scene.Labels()) // "you" goes along with the mark
	}
	if text, ok := p.voice.Due(now); ok {
		p.caption.Set(text)
	}
	p.stage.check()
}

// over ends a run that can go no further, and the requests in it.
func (p *Page) over() {
	p.Pause()
	p.desk.Restart()
	p.status.Set("This run has come to its end, after " + view.Clock(run.Limit) + ". Restart begins another.")
}

// draw shows the world as it stands.
func (p *Page) draw(real, now time.Duration) {
	p.beat.stale = false
	p.run.Snapshot(&p.snapshot)
	numbers := p.meter.Read(&p.snapshot)
	if told := p.narrator.Tell(numbers); told != "" {
		p.voice.Say(view.Clock(p.snapshot.Now)+": "+told, false)
	}
	p.scene.Resize(p.stage.width, p.stage.height)
	p.scene.Update(&p.snapshot, view.Frame{Real: real, Speed: p.speed(), Moving: p.player.Playing()})
	marks := p.scene.Marks()
	if !p.stage.show(marks, p.panel.Theme.Dark()) {
		p.beat.stale = !p.player.Playing() && p.stage.ready // it is still to be shown
	}
}

// write brings all words up to date. at once says that it is not only time that has passed.
func (p *Page) write(now time.Duration, atOnce bool) {
	numbers := p.meter.Read(&p.snapshot)
	p.labels.write(p.scene.Labels())
	if atOnce || now-p.beat.words >= wordsEvery {
		p.beat.words = now
		p.figures.write(numbers)
		p.verdict.Set(view.Sentence(numbers))
	}
	p.nudge.look(numbers)
	p.desk.Look()

	p.sample()
	broken := p.run.Scenario()
	p.panel.ShowBroken(&broken, p.snapshot.Now)
	behind := ""
	if pace := p.player.Pace() * p.speed(); p.player.Playing() && p.player.Pace() < .9 {
		behind = "This machine manages " + view.Times(pace)
	}
	p.panel.ShowTime(view.Clock(p.snapshot.Now), behind)
}

// sample has so few requests traced that they can be followed by eye.
func (p *Page) sample() {
	rate := 0.
	for i := range p.snapshot.Operations {
		rate += p.snapshot.Operations[i].Rate
	}
	if n := view.SampleEvery(rate, p.speed(), view.Legs(&p.scenario)); n != p.beat.sampled {
		p.beat.sampled = n
		p.run.SampleEvery(n)
		p.figures.sampled(n, p.scene.Still)
	}
}

func (p *Page) speed() float64 {
	if p.player.Speed == 0 {
		return 1
	}
	return p.player.Speed
}

// typing tells whether the reader is writing something now.
func typing() bool {
	e := html.Document.Get("activeElement")
	return !e.IsNull() && (e.Get("tagName").String() == "TEXTAREA" || e.Get("tagName").String() == "INPUT")
}
