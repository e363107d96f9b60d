package view

import (
	"strconv"
	"strings"

	"stormbin/engine/model"
	"stormbin/wasm/internal/frame"
)

// Label is words on the stage, laid over it by the page.
type Label struct {
	Text string
	At   Point // of the anchor, at the words' middle height
	// Anchor is which part of the words stands there.
	Anchor Anchor
	Kind   Kind
}

// Anchor of a label: the words' left end, middle or right end.
type Anchor uint8

const (
	Left Anchor = iota
	Middle
	Right
)

// Kind of a label, which is its style.
type Kind uint8

const (
	Name Kind = iota
	Note
	Sick // what is wrong
	You  // the reader's own
	Run  // which of two pictures this is
)

// box is about where the words stand.
func (l *Label) box(narrow bool) Box {
	w := l.Kind.width(l.Text, narrow)
	h := l.Kind.size(narrow) + 2
	return Box{l.At.X - w*float32(l.Anchor)/2, l.At.Y - h/2, w, h}
}

// typesetter puts words where there is room for them: on the stage, off other words, and not across the border of a box.
// Those that matter most come first; of each the longest version is taken that fits, and none if none does.
type typesetter struct {
	labels []Label
	taken  []Box // by words
	walls  []Box // whose borders are not to be crossed
	w, h   float32
	narrow bool
}

func (t *typesetter) clear(l *Layout, rows *rows) {
	t.labels, t.taken, t.walls = t.labels[:0], t.taken[:0], t.walls[:0]
	t.w, t.h, t.narrow = l.W, l.H, l.Narrow()
	for _, i := range rows.dependencies {
		t.walls = append(t.walls, l.Places[i].Box)
	}
	t.walls = append(t.walls, l.Fleet)
	for _, at := range l.Sources {
		t.walls = append(t.walls, Box{at.X - l.source()/2, at.Y - l.source()/2, l.source(), l.source()})
	}
	if l.Workers.W > 0 {
		t.walls = append(t.walls, l.Workers.Box)
	}
	if l.Bar.W > 0 {
		t.walls = append(t.walls, l.Bar)
	}
}

// say tells whether there was room.
func (t *typesetter) say(kind Kind, anchor Anchor, x, y float32, versions ...string) bool {
	for _, text := range versions {
		l := Label{text, Point{x, y}, anchor, kind}
		b := l.box(t.narrow)
		if text == "" || !t.free(&b) {
			continue
		}
		t.labels, t.taken = append(t.labels, l), append(t.taken, b)
		return true
	}
	return false
}

func (t *typesetter) free(b *Box) bool {
	if b.X < 0 || b.Y < 0 || b.X+b.W > t.w || b.Y+b.H > t.h {
		return false
	}
	for i := range t.taken {
		o := t.taken[i]
		if o.X -= 5; b.overlaps(&Box{o.X, o.Y, o.W + 10, o.H}) {
			return false
		}
	}
	for i := range t.walls {
		if w := &t.walls[i]; b.overlaps(w) && !w.contains(b) {
			return false
		}
	}
	return true
}

func (b *Box) overlaps(o *Box) bool {
	return b.X < o.X+o.W && o.X < b.X+b.W && b.Y < o.Y+o.H && o.Y < b.Y+b.H
}

func (b *Box) contains(o *Box) bool {
	return o.X > b.X && o.Y > b.Y && o.X+o.W < b.X+b.W && o.Y+o.H < b.Y+b.H
}

// Labels is all the words on the stage. It is valid until the next call. Call it after Marks.
func (s *Scene) Labels() []Label {
	l, snap, t := &s.layout, s.snapshot, &s.words
	if snap == nil || len(l.Places) != len(snap.Dependencies) {
		return nil
	}
	t.clear(l, &s.rows)
	line := l.line()
	if s.tagged {
		t.say(Run, Left, 6, 11, s.Tag)
	}
	for _, i := range s.rows.dependencies {
		p := &l.Places[i]
		t.say(Name, Left, p.X, p.Y-line/2, Title(snap.Dependencies[i].Name))
	}
	s.sayYours()
	s.sayTroubles()
	for i, at := range l.Sources {
		name, rate := snap.Operations[i].Name, snap.Operations[i].Rate
		switch {
		case l.tiny():
			_ = t.say(Name, Left, at.X+9, at.Y, name) || t.say(Note, Left, at.X+9, at.Y, name)
			t.say(Note, Left, 2, at.Y-l.source()/2-line/2, PerSecond(rate), Quantity(rate))
		case l.Narrow(): // both lines over it: the way from there leads to the right
			y := at.Y - l.source()/2
			t.say(Name, Left, 2, y-27, name)
			t.say(Note, Left, 2, y-12, PerSecond(rate), Quantity(rate))
		default:
			t.say(Name, Right, at.X-16, at.Y-9, name)
			t.say(Note, Right, at.X-16, at.Y+9, PerSecond(rate), Quantity(rate))
		}
	}
	middle, above, below := l.Fleet.middle().X, l.Fleet.Y-line/2, l.Fleet.Y+l.Fleet.H+line/2
	if n := strconv.Itoa(len(snap.Processes)); n == "1" {
		t.say(Name, Middle, middle, above, "A")
	} else {
		anchor, x := Middle, middle
		if l.Narrow() { // the ways to the right begin there
			anchor, x = Right, l.Fleet.X+l.Fleet.W
		}
		_ = t.say(Name, anchor, x, above, n+" processes", n+" apps") || t.say(Note, anchor, x, above, n+" apps", n)
	}
	for _, i := range s.rows.dependencies {
		p, d := &l.Places[i], &snap.Dependencies[i]
		busy, slots, cells := Count(int64(s.moods[i].busy(d))), Count(int64(len(d.Slots))), ""
		if p.Per > 1 {
			cells = ", " + Count(int64(p.Per)) + " to a cell"
		}
		if d.Queue > 0 {
			wait := Count(int64(d.Queue)) + " wait"
			t.say(Note, Right, p.X+p.W, p.Y-line/2, busy+" of "+slots+" busy"+cells+", "+wait, busy+" of "+slots+" busy, "+wait, busy+" busy, "+wait, wait)
		} else {
			t.say(Note, Right, p.X+p.W, p.Y-line/2, busy+" of "+slots+" busy"+cells, busy+" of "+slots+" busy", busy+" busy")
		}
	}
	s.sayFlow()
	s.sayBudget()
	if !l.Narrow() || l.Workers.W == 0 { // else it would be read as being of the workers
		inside := 0
		for i := range snap.Processes {
			inside += snap.Processes[i].InFlight
		}
		t.say(Note, Middle, middle, below, Count(int64(inside))+" inside", Count(int64(inside))+" in", Count(int64(inside)))
	}
	s.sayWorkers()
	for _, i := range s.rows.dependencies {
		p, d := &l.Places[i], &snap.Dependencies[i]
		if bar := &s.rest[i]; bar.count > 0 {
			t.say(Note, Right, bar.top.X, bar.top.Y-9, "+ "+Count(int64(bar.count)))
		} else if free := p.Queue.W - float32((d.Queue+p.Queue.Rows-1)/p.Queue.Rows)*p.Queue.Pitch; free > Note.width("queue", t.narrow)+8 && p.H > 60 {
			t.say(Note, Left, p.Queue.X+2, p.Y+p.H-line/2-2, "queue")
		}
	}
	return t.labels
}

// sayFlow says beside each dependency's name how many attempts come to it, and how many of them are retries.
func (s *Scene) sayFlow() {
	t := &s.words
	if s.Last == nil {
		return
	}
	for _, i := range s.rows.dependencies {
		p, y := &s.layout.Places[i], s.layout.Places[i].Y-s.layout.line()/2
		n := &s.Last.Places[i]
		x := p.X
		for _, b := range t.taken { // after its name, and what is wrong with it
			if b.Y < y && y < b.Y+b.H && b.X >= p.X && b.X < p.X+p.W/2 {
				x = max(x, b.X+b.W+6)
			}
		}
		all := PerSecond(n.Attempts())
		share := ""
		if n.Retries >= .005*n.Attempts() && n.Retries > 0 {
			share = all + ", " + Percent(n.Retries/n.Attempts()) + " retries"
		}
		t.say(Note, Left, x, y, share, all)
	}
}

// sayTroubles says what is wrong with each dependency, and how many of the breakers before it are open.
func (s *Scene) sayTroubles() {
	l, t := &s.layout, &s.words
	for _, i := range s.rows.dependencies {
		p, d := &l.Places[i], &s.snapshot.Dependencies[i]
		x := p.X + Name.width(Title(d.Name), t.narrow) + 7
		y := p.Y - l.line()/2
		if !d.Health.Well() {
			if d.Queue > 0 && t.narrow { // there is little room, and a word for what is wrong will do
				t.say(Note, Right, p.X+p.W, y, Count(int64(d.Queue))+" wait")
			}
			if d.Health.Stalled && d.Busy == 0 && !d.Health.Down { // why they wait, though there are slots: over those
				slots := p.Slots.middle()
				t.say(Sick, Middle, slots.X, slots.Y, "stalled: serves nobody", "serves nobody")
			}
			if t.say(Sick, Left, x, y, Sickness(d.Health), ailment(d.Health)) {
				last := &t.labels[len(t.labels)-1]
				x += Sick.width(last.Text, t.narrow) + 7
			} else { // in the box, then: it matters more than how much room there is
				t.say(Sick, Left, p.X+4, p.Y+p.H-l.line()/2-1, ailment(d.Health))
			}
		}
		if d.Open == 0 {
			continue
		}
		open := Count(int64(d.Open)) + " open"
		versions := [...]string{"open " + Count(int64(d.Open)) + " of " + Count(int64(len(s.snapshot.Processes))), open, "open"}
		if len(s.snapshot.Processes) == 1 {
			versions = [...]string{"breaker open", "open", "open"}
		}
		at := between(p.Gate, p.In(), .5)
		_ = t.say(Sick, Middle, at.X, at.Y-16, versions[0]) || t.say(Sick, Middle, at.X, at.Y+16, versions[0]) ||
			t.say(Sick, Left, x, y, versions[:]...)
	}
}

// ailment is a word for what is wrong.
func ailment(h model.Health) string {
	switch {
	case h.Down:
		return "down"
	case h.Blackhole:
		return "silent"
	case h.Stalled:
		return "stalled"
	case h.Flushed:
		return "flushed"
	case h.Slow != 1:
		return "slow"
	case h.Flaky > 0:
		return "failing"
	case h.Lose > 0:
		return "losing"
	default:
		return "cut"
	}
}

// sayBudget says what the followed request's time went into, and of how long the bar is a picture.
func (s *Scene) sayBudget() {
	if b := &s.layout.Bar; b.W > 0 && s.follow.going {
		kind := Note
		if s.follow.yours {
			kind = You
		}
		versions := s.budget()
		s.words.say(kind, Left, b.X-barStart, b.Y-s.layout.line()/2-1, versions[:]...)
		limit, _ := s.limit()
		s.words.say(Note, Right, b.X-3, b.Y+b.H/2+1, "0")
		s.words.say(Note, Left, b.X+b.W+5, b.Y+b.H/2+1, Span(limit))
	} else if o := s.Beside; b.W > 0 && o != nil && o.follow.going {
		s.words.say(Note, Left, b.X-barStart, b.Y-s.layout.line()/2-1, "the one of run A was not seen here", "not seen here")
	}
}

func (s *Scene) sayWorkers() {
	g, w := &s.layout.Workers, &s.snapshot.Workers
	if g.W == 0 {
		return
	}
	busy := Count(int64(w.Busy)) + " of " + Count(int64(w.Count)) + " workers busy"
	short := Count(int64(w.Count)) + " workers"
	few := Count(int64(w.Busy)) + " of " + short
	versions := [...]string{busy, short, "workers", "", ""}
	if w.Waiting > 0 {
		jobs := Count(int64(w.Waiting)) + " jobs left"
		if w.Waiting == 1 {
			jobs = "1 job left"
		}
		versions = [...]string{busy + ", " + jobs, few + ", " + jobs, jobs, short, "workers"}
		if s.words.narrow { // beside the words of the operations
			versions = [...]string{strings.TrimSuffix(jobs, " left"), short, "workers", "", ""}
		}
	}
	x, y := g.X+g.W, g.Y-s.layout.line()/2
	if !s.words.narrow || !s.words.say(Note, Middle, g.X+g.W/2, y, versions[:]...) {
		s.words.say(Note, Right, x, y, versions[:]...) // to the right leads their way
	}
}

// sayYours writes "you" at the reader's own attempt: on its way, in a slot or near the head of a queue.
func (s *Scene) sayYours() {
	at := func(x, y, r float32) {
		t := &s.words
		for far := r; far < r+48; far += 12 {
			if t.say(You, Middle, x, y-far, "you") || t.say(You, Middle, x, y+far, "you") || t.say(You, Left, x+far, y, "you") || t.say(You, Right, x-far, y, "you") {
				return
			}
		}
	}
	for i := range s.flights.all {
		if f := &s.flights.all[i]; f.color == frame.Yours && f.done >= 0 && f.kind != fades && f.kind != stays {
			p, _, _ := s.look(f)
			at(p.X, p.Y, 17)
			return
		}
	}
	for _, i := range s.rows.dependencies {
		p, d, m := &s.layout.Places[i], &s.snapshot.Dependencies[i], &s.moods[i]
		for k, h := range d.Waiting {
			if (h == model.Yours || h == model.YoursLeft) && k < p.Queue.Rows*p.Queue.Cols {
				q := p.Queue.FromRight(k)
				at(q.X, q.Y, 16)
				return
			}
		}
		if m.calm && m.slots.shown[model.Yours]+m.slots.shown[model.YoursLeft] > 0 {
			g := p.Slots.At(0)
			at(g.X, g.Y, 16)
			return
		}
		for k := range d.Slots {
			if h := d.Slots[k].Holder; !m.calm && (h == model.Yours || h == model.YoursLeft) {
				g := p.Slots.At(k)
				at(g.X, g.Y, max(p.Slots.Cell/2+8, 16))
				return
			}
		}
	}
}
