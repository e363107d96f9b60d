//go:build js && wasm

package page

import (
	"math"
	"slices"
	"strconv"
	"syscall/js"
	"time"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/view"
)

// timeline is the time of the run from its beginning, with what was broken when, and where in it we are. What is dragged
// and has the focus is an input that nobody sees, over a picture of the time.
type timeline struct {
	page  *Page
	input html.Element
	seen  bool // it is on the screen
	width float32

	view                               view.Timeline
	drawn                              drawn
	load, failed, queue, faults, ticks path
	part                               [3]path // of the second that is not over
	veil, now                          upright
	knob                               js.Value
	words, names                       lettering
	named                              []view.Label
	queueName, queueScale              *html.Text
	value, max, text                   string

	// marks are the times of what there is to be told.
	marks []time.Duration

	wanted  time.Duration
	asked   bool // wanted is gone to with the next frame
	each    js.Func
	dragged bool
	played  bool // it played when it was taken hold of
}

// drawn is what the picture was drawn of.
type drawn struct {
	history *view.History
	version int
	place   int
	span    time.Duration
	width   float32
	marks   int
	faults  []scenario.Fault
}

func (t *timeline) bind(p *Page) {
	t.page = p
	t.input = html.Find("time")
	t.queueName, t.queueScale = html.TextOf("time-queue"), html.TextOf("time-scale")
	svg := html.Find("time-picture").Value
	const tall = view.TimelineBottom - view.TimelineTop
	layered(svg, layer{&t.faults, "faults"}, layer{&t.load, "fill load"}, layer{&t.part[0], "fill load"},
		layer{&t.failed, "fill failed"}, layer{&t.part[1], "fill failed"}, layer{&t.queue, "line queue"}, layer{&t.part[2], "line queue"}, layer{&t.ticks, "marks"})
	t.veil = uprightIn(svg, "veil", view.TimelineTop, tall)
	floor := uprightIn(svg, "floor", view.TimelineBottom, 1)
	floor.element.Call("setAttribute", "width", "100%")
	t.words = letteringIn(svg, "ticks")
	t.now = uprightIn(svg, "now", view.TimelineTop-4, tall+8)
	t.knob = shape(svg, "path", "knob")
	t.names = letteringIn(svg, "names") // over the knob, which is seen elsewhere too
	t.value, t.max = "", ""
	t.each = js.FuncOf(func(js.Value, []js.Value) any { t.seek(); return nil })

	box := html.Find("timeline")
	watched(box, &t.seen, p.Repaint)
	measured(box, func(width float32) { t.width = width; p.Repaint() })
	html.On(t.input, "input", func(html.Event) {
		if x, err := strconv.ParseFloat(html.Value(t.input), 64); err == nil {
			t.ask(time.Duration(math.Round(x*10)) * time.Second / 10)
		}
	})
	html.On(t.input, "pointerdown", func(html.Event) {
		t.dragged, t.played = true, p.player.Playing()
		if t.played {
			p.Pause()
		}
	})
	for _, event := range [...]string{"pointerup", "pointercancel"} {
		html.On(html.Window, event, func(html.Event) { t.drop() })
	}
	html.On(t.input, "keydown", t.key)
	html.Enable(t.input, true)
}

// drop ends a drag, and goes on if it played before.
func (t *timeline) drop() {
	if !t.dragged {
		return
	}
	t.dragged = false
	if t.played {
		t.page.Play()
	}
}

// key goes by a tenth of a second, by a second, or to an end: from where it is now, which the input may not show yet.
func (t *timeline) key(e html.Event) {
	at := t.at()
	switch e.Key() {
	case "ArrowLeft", "ArrowDown":
		at -= time.Second / 10
	case "ArrowRight", "ArrowUp":
		at += time.Second / 10
	case "PageDown":
		at -= time.Second
	case "PageUp":
		at += time.Second
	case "Home":
		at = 0
	case "End":
		at = t.span()
	default:
		return
	}
	e.PreventDefault()
	// To a whole tenth, as it is said.
	t.ask(min(max(0, at.Round(time.Second/10)), t.span()))
}

// ask has the next frame go to a time. Of several within one frame the newest is gone to.
func (t *timeline) ask(at time.Duration) {
	t.wanted = at
	t.show(at)
	if !t.asked {
		t.asked = true
		js.Global().Call("requestAnimationFrame", t.each)
	}
}

func (t *timeline) seek() {
	t.asked = false
	t.page.Seek(t.wanted)
	t.show(t.at()) // back, if it was refused
}

// at is where it is, or is to be in a moment.
func (t *timeline) at() time.Duration {
	if t.asked {
		return t.wanted
	}
	return max(t.page.session.Now(), t.page.session.Goal())
}

// span is how much time it shows.
func (t *timeline) span() time.Duration {
	furthest := t.at()
	for s := range t.page.sights {
		furthest = max(furthest, time.Duration(s.history.Seconds())*time.Second)
	}
	return view.TimelineSpan(time.Duration(t.page.session.Settings().Duration), furthest)
}

// write brings it up to date.
func (t *timeline) write() {
	if !t.seen || t.width < 1 {
		return
	}
	s := t.page.shown
	faults := s.run.Scenario().Faults
	place, name := t.page.place(faults)
	t.queueName.Set(view.QueueName(name))
	now := drawn{&s.history, s.history.Version, place, t.span(), t.width, len(t.marks), faults}
	if !t.drawn.same(&now) {
		t.drawn = now
		t.draw()
	}
	t.view.Rest(&s.history, place, s.numbers)
	for i, d := range [...][]byte{t.view.PartLoad, t.view.PartFailed, t.view.PartQueue} {
		t.part[i].set(d)
	}
	t.queueScale.Set(t.view.QueueScale())
	t.show(t.at())
}

func (d *drawn) same(o *drawn) bool {
	return d.history == o.history && d.version == o.version && d.place == o.place && d.span == o.span && d.width == o.width &&
		d.marks == o.marks && slices.Equal(d.faults, o.faults)
}

func (t *timeline) draw() {
	v, d := &t.view, &t.drawn
	v.Update(d.history, d.place, d.faults, t.marks, d.span, d.width)
	t.load.set(v.Load)
	t.failed.set(v.Failed)
	t.queue.set(v.Queue)
	t.faults.set(v.Spans)
	t.ticks.set(v.Marks)
	t.words.write(v.Ticks)
	t.named = t.named[:0]
	for i := range v.Faults {
		if b := &v.Faults[i]; b.Named {
			t.named = append(t.named, view.Label{Text: b.Text, At: view.Point{X: b.TextX, Y: view.TimelineNames}})
		}
	}
	t.names.write(t.named)
	if max := view.Tenths(d.span); max != t.max {
		t.max = max
		t.input.SetAttribute("max", max)
	}
}

// show shows where it is: a time that it is on its way to, too.
func (t *timeline) show(at time.Duration) {
	if t.drawn.history == nil {
		return
	}
	x := t.view.X(at)
	t.veil.move(x, max(0, t.view.Seen(t.drawn.history)-x), false)
	if t.now.x != x-1 {
		t.knob.Call("setAttribute", "d", "M"+number(float64(x-6))+" "+number(float64(view.TimelineTop-5))+"h12v4l-6 6l-6 -6z")
	}
	t.now.move(x-1, 2, false)
	// A time that passes by itself is not read out: only one that the reader went to.
	if t.page.player.Playing() && !t.asked && html.Focused(t.input) && t.value != "" {
		return
	}
	if value := view.Tenths(at); value != t.value || value != html.Value(t.input) {
		t.value = value
		html.SetValue(t.input, value)
	}
	if text := view.Moment(t.drawn.history, t.drawn.faults, at); text != t.text {
		t.text = text
		t.input.SetAttribute("aria-valuetext", text)
	}
}
