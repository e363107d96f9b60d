package view

import (
	"strconv"

	"stormbin/engine/model"
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
)

// Labels is all the words on the stage. It is valid until the next call. Call it after Marks.
func (s *Scene) Labels() []Label {
	s.labels = s.labels[:0]
	l, snap := &s.layout, s.snapshot
	if snap == nil || len(l.Places) != len(snap.Dependencies) {
		return nil
	}
	line := l.line()
	say := func(text string, x, y float32, anchor Anchor, kind Kind) {
		s.labels = append(s.labels, Label{text, Point{x, y}, anchor, kind})
	}
	for i, at := range l.Sources {
		o := &snap.Operations[i]
		if l.Narrow() {
			say(o.Name, 4, at.Y-line, Left, Name)
			say(PerSecond(o.Rate), 4, at.Y+line-2, Left, Note)
		} else {
			say(o.Name, at.X-16, at.Y-9, Right, Name)
			say(PerSecond(o.Rate), at.X-16, at.Y+9, Right, Note)
		}
	}
	inside := 0
	for i := range snap.Processes {
		inside += snap.Processes[i].InFlight
	}
	x := l.Fleet.X + l.Fleet.W/2
	if len(snap.Processes) == 1 {
		say("A", x, l.Fleet.Y-line/2-1, Middle, Name)
		say(Count(int64(inside))+" inside", x, l.Fleet.Y+l.Fleet.H+line/2+1, Middle, Note)
	} else {
		name := " processes"
		if l.Narrow() {
			name = " apps"
		}
		say(strconv.Itoa(len(snap.Processes))+name, x, l.Fleet.Y-line/2, Middle, Name)
		say(Count(int64(inside))+" inside", x, l.Fleet.Y+l.Fleet.H+line/2-2, Middle, Note)
	}
	for _, i := range s.rows.dependencies {
		p, d := &l.Places[i], &snap.Dependencies[i]
		y := p.Y - line/2
		say(Title(d.Name), p.X, y, Left, Name)
		busy := Count(int64(s.moods[i].busy(d))) + " of " + Count(int64(len(d.Slots))) + " busy"
		if d.Queue > 0 {
			wait := Count(int64(d.Queue)) + " wait"
			if l.Narrow() && !d.Health.Well() {
				busy = wait // what is wrong needs the room
			} else {
				busy += ", " + wait
			}
		}
		say(busy, p.X+p.W, y, Right, Note)
		if !d.Health.Well() {
			say(Sickness(d.Health), p.X+wide(Title(d.Name), l.Narrow())+8, y, Left, Sick)
		}
		if bar := &s.rest[i]; bar.count > 0 && p.H > 60 {
			say("+ "+Count(int64(bar.count)), bar.top.X, bar.top.Y-9, Right, Note)
		} else if p.H > 100 {
			say("queue", p.Queue.X+2, p.Y+p.H-line/2-2, Left, Note)
		}
		s.labelYours(p, &s.moods[i], d, say)
	}
	return s.labels
}

// labelYours writes "you" at the reader's own attempt, where it is in a slot or near the head of the queue.
func (s *Scene) labelYours(p *Place, m *mood, d *model.DependencyNow, say func(string, float32, float32, Anchor, Kind)) {
	for i, h := range d.Waiting {
		if (h == model.Yours || h == model.YoursLeft) && i < p.Queue.Rows*p.Queue.Cols {
			at := p.Queue.FromRight(i)
			say("you", at.X, at.Y-16, Middle, You)
			return
		}
	}
	if m.calm {
		if m.slots.shown[model.Yours]+m.slots.shown[model.YoursLeft] > 0 {
			at := p.Slots.At(0)
			say("you", at.X, at.Y-16, Middle, You)
		}
		return
	}
	for i, slot := range d.Slots {
		if slot.Holder == model.Yours || slot.Holder == model.YoursLeft {
			at := p.Slots.At(i)
			say("you", at.X, at.Y-p.Slots.Cell/2-8, Middle, You)
			return
		}
	}
}

// wide is about how wide a name is written.
func wide(name string, narrow bool) float32 {
	if narrow {
		return float32(len(name)) * 7.5
	}
	return float32(len(name)) * 8.5
}
