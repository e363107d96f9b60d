//go:build js && wasm

package page

import (
	"iter"
	"syscall/js"
	"time"

	"stormbin/engine/run"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/speak"
	"stormbin/wasm/internal/view"
)

// beat is what is kept from one animation frame to the next.
type beat struct {
	last    time.Duration // when it was, in the browser's time
	labels  time.Duration // when the words on the picture were last written
	words   time.Duration // and all others
	stale   bool          // something other than the passing of time has changed the picture
	sampled int
	seeking bool
	said    time.Duration // when it was last said where it is on its way

	appearing int // how often an embed was written before it is seen
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
	p.stage.check()
	played := p.player.Next(since)
	if p.player.Playing() && p.session.Now() >= run.Limit {
		p.over()
	}
	p.land()
	seeking := p.session.Goal() > p.session.Now()
	p.session.Level()
	p.seeking(seeking, now)
	if seeking { // what is drawn at the end is told from what was before
		from := p.session.Goal() - time.Second
		if p.pinned != nil { // the request that is followed in A is followed in B
			from = min(from, p.pinned.path.Follows())
		}
		for s := range p.sights {
			if p.session.Now() > from {
				s.peek() // what is under way when it is there is drawn
			} else {
				s.read()
			}
			s.meter.Keep(&s.snapshot, p.session.Goal())
		}
	}
	// On its way to another time nothing is drawn and said but now and then: it would be a blur.
	due, stale := now-p.beat.labels >= labelsEvery, p.beat.stale && !seeking
	if !seeking && (played.Moved > 0 || stale || p.player.Playing()) || seeking && due {
		p.draw(played.Real)
	}
	if stale || due {
		p.beat.labels = now
		p.write(now, stale)
		p.appear()
	} else if p.desk.Visits() > 0 {
		p.labels.write(p.onStage()) // "you" goes along with the mark
	}
	if caption, told, ok := p.voice.Due(now); ok {
		p.caption.Set(caption)
		p.heard.Set(told)
		p.echo()
	}
}

// seeking says that it is on its way to another time, if that takes a while, and where: once a second, since it is read out.
func (p *Page) seeking(yes bool, now time.Duration) {
	if yes != p.beat.seeking {
		p.beat.seeking, p.beat.said = yes, now
		p.panel.ShowSeeking(yes)
		if !yes {
			p.status.Set("")
			p.Repaint()
		}
	}
	if yes && now-p.beat.said >= speak.Pause {
		p.beat.said = now
		p.status.Set("On the way to " + view.Clock(p.session.Goal()) + ": at " + view.Clock(p.session.Now()) + " …")
	}
}

// land takes a step back that has waited until the run was where it was asked for.
func (p *Page) land() {
	now := p.session.Now()
	if err := p.session.Land(); err != nil || p.session.Now() < now {
		p.say(err)
		p.went()
	}
}

// over ends a run that can go no further, and the requests in it.
func (p *Page) over() {
	p.Pause()
	p.leave()
	p.status.Set("This run has come to its end, after " + view.Clock(run.Limit) + ". Restart begins another.")
}

// draw shows the world as it stands.
func (p *Page) draw(real time.Duration) {
	// Where nobody sees the stage, what is on it is made for its words alone.
	due := p.stage.seen || p.beat.stale || p.beat.last-p.beat.labels >= labelsEvery
	p.beat.stale = false
	frame := view.Frame{Real: real, Speed: p.speed(), Moving: p.player.Playing()}
	for s := range p.sights {
		if due {
			s.read()
		} else {
			s.peek()
		}
		s.slots.Update(&s.snapshot, frame)
	}
	p.storm.flow()
	if !due || !p.look.onStage() {
		return
	}
	p.marks = p.marks[:0]
	for s, top := range p.strips() {
		picture := s.picture(p.look)
		picture.Resize(p.stage.width, p.stage.height/p.runs())
		picture.Update(&s.snapshot, frame)
		from := len(p.marks)
		p.marks = append(p.marks, picture.Marks()...)
		for i := range p.marks[from:] {
			p.marks[from+i].Y += top
		}
	}
	if p.stage.seen && !p.stage.show(p.marks, p.panel.Theme.Dark()) {
		p.beat.stale = !p.player.Playing() && p.stage.draws() // it is still to be shown
	}
}

// runs is how many are on show.
func (p *Page) runs() float32 {
	if p.pinned != nil {
		return 2
	}
	return 1
}

// strips are the runs on show, and where on the stage the picture of each begins.
func (p *Page) strips() iter.Seq2[*sight, float32] {
	return func(yield func(*sight, float32) bool) {
		top := float32(0)
		for s := range p.sights {
			if !yield(s, top) {
				return
			}
			top += p.stage.height / p.runs()
		}
	}
}

// onStage is all the words on the stage.
func (p *Page) onStage() []view.Label {
	p.words = p.words[:0]
	if !p.look.onStage() {
		return nil
	}
	for s, top := range p.strips() {
		from := len(p.words)
		p.words = append(p.words, s.picture(p.look).Labels()...)
		for i := range p.words[from:] {
			p.words[from+i].At.Y += top
		}
	}
	return p.words
}

// write brings all words up to date. at once says that it is not only time that has passed.
func (p *Page) write(now time.Duration, atOnce bool) {
	p.labels.write(p.onStage())
	if atOnce || now-p.beat.words >= wordsEvery {
		p.beat.words = now
		html.Breathe()
		p.figures.write(p.shown.numbers)
		p.key()
		p.verdict.Set(view.Sentence(p.shown.numbers))
		p.echo()
		html.Breathe()
		p.storm.write()
		p.charts.write()
		html.Breathe()
		p.told.write()
		html.Breathe()
		p.compare.write()
		p.seeds.write()
		p.link.look()
	}
	if p.session.Follow() {
		p.panel.Show(p.session.Settings())
		p.settle()
	}
	p.timeline.write()
	html.Breathe()
	p.nudge.look(p.shown.numbers)
	p.desk.Look()

	p.sample()
	played := p.shown.run.Scenario()
	p.panel.ShowBroken(&played, p.shown.snapshot.Now)
	behind := ""
	if pace := p.player.Pace() * p.speed(); p.player.Playing() && p.player.Pace() < .9 {
		behind = "This machine manages " + view.Times(pace)
	}
	p.panel.ShowTime(view.Clock(p.shown.snapshot.Now), behind)
}

// key brings the legend up to date.
func (p *Page) key() {
	hedges, rows := false, false
	for s := range p.sights {
		hedges = hedges || s.path.Hedges()
		rows = rows || s.slots.Rows()
	}
	p.figures.key(hedges, rows)
}

// echo hides the caption where the verdict has its words with newer numbers. It keeps its place.
func (p *Page) echo() {
	class := html.Find("caption").Class()
	if view.Repeats(p.caption.Now(), p.verdict.Now()) {
		class.Add("echo")
	} else {
		class.Remove("echo")
	}
}

// sample has so few requests traced that they can be followed by eye.
func (p *Page) sample() {
	n := view.SampleEvery(total(&p.shown.snapshot), p.speed(), view.Legs(p.session.Settings()), p.stage.width)
	if n != p.beat.sampled {
		p.beat.sampled = n
		for s := range p.sights {
			s.run.SampleEvery(n)
		}
		p.figures.sampled(n, p.still)
	}
}

func (p *Page) speed() float64 {
	if p.player.Speed == 0 {
		return 1
	}
	return p.player.Speed
}
