package view

import (
	"strconv"
	"strings"
	"time"
)

// Labels is all the words of the picture. It is valid until the next call. Call it after Marks.
func (o *Occupancy) Labels() []Label {
	o.labels = o.labels[:0]
	if o.arr {
		return nil
	}
	say := func(text string, x, y float32, anchor Anchor, kind Kind) {
		if text != "" {
			o.labels = append(o.labels, Label{text, Point{x, y}, anchor, kind})
		}
	}
	if o.Tag != "" {
		say(o.Tag, 6, 11, Left, Run)
	}
	for _, i := range o.shown {
		p := &o.pools[i]
		o.name(p, i < o.caps, say)
		if at, h := p.yours(o.step); h != 0 && p.strip.H > 24 {
			say("you", at.X-12, at.Y, Right, You)
		}
	}
	if o.axis > 0 && len(o.shown) > 0 {
		s := &o.pools[o.shown[0]].strip
		left, right := Span(o.Window())+" ago", "now"
		say(left, s.X, o.axis, Left, Note)
		say(right, s.X+s.W, o.axis, Right, Note)
		room := s.W - 2*max(o.width(Note, left), o.width(Note, right)) - 24
		say(o.fitting(room, "stronger: held longer, up to its timeout; grey: nobody waits for it", "stronger: held longer; grey: nobody waits", "strong: long held; grey: for nobody", "stronger: held longer"), s.X+s.W/2, o.axis, Middle, Note)
		if before := s.W * (1 - float32(o.now)/float32(o.Window())); s.H >= 18 {
			say(o.fitting(before-16, "before the start"), s.X+before/2, s.Y+s.H/2, Middle, Note)
		}
	}
	return o.labels
}

// name writes what a pool is, and how it stands: all of it that there is room for, what matters most first.
func (o *Occupancy) name(p *pool, isCap bool, say func(string, float32, float32, Anchor, Kind)) {
	title, state := Title(p.name), ""
	kind := Note
	if !p.health.Well() {
		state, kind = Sickness(p.health), Sick
	}
	few := Count(int64(p.busy)) + " of " + Count(int64(p.there))
	busy := few + " busy"
	whole := busy
	if isCap {
		whole = few + " in " + processes(o.fleet)
	} else if p.health.Stalled && p.busy == 0 { // why they wait
		whole = busy + ", serves nobody"
	}
	oldest := ""
	if p.busy > 0 {
		oldest = "oldest " + Span(p.oldest.Truncate(time.Millisecond))
		if p.oldest < time.Millisecond {
			oldest = "oldest " + Span(p.oldest)
		}
	}
	turn := PerSecond(p.turnover) + " turn over"
	over := turn
	if p.over > 3*time.Second/2 {
		over += " in the last " + Span(p.over.Round(100*time.Millisecond))
	}
	sorted := ""
	if p.sorted {
		sorted = "sorted, held longest at the bottom"
		if p.slots > p.history.rows {
			sorted = "in shares, held longest at the bottom"
		}
	}

	s := &p.strip
	if !o.wide {
		y := s.Y - 10
		say(title, s.X, y, Left, Name)
		x := s.X + o.width(Name, title) + 8
		if kind == Sick {
			if w := o.width(Sick, state) + 8; w < s.X+s.W-x-o.width(Note, busy) {
				say(state, x, y, Left, Sick)
				x += w
			}
		}
		say(o.fitting(s.X+s.W-x, join(whole, over, oldest), join(busy, over, oldest), join(busy, turn, oldest), join(busy, oldest), busy, few), s.X+s.W, y, Right, Note)
		return
	}
	x, room := s.X+s.W+24, o.words-4
	var lines []string
	switch o.lines {
	case 0:
		return
	case 1:
		lines = []string{""}
	case 2:
		lines = []string{"", o.fitting(room, join(whole, oldest), join(busy, oldest), busy, few)}
	case 3:
		lines = []string{"", o.fitting(room, whole, busy, few), o.fitting(room, join(over, oldest), over, turn, oldest)}
	default:
		lines = []string{"", o.fitting(room, whole, busy, few), o.fitting(room, join(over, oldest), over, turn, oldest), o.fitting(room, sorted, "sorted by how long held")}
	}
	for len(lines) > 1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	const line = 19
	y := s.Y + s.H/2 - float32(len(lines)-1)*line/2
	say(title, x, y, Left, Name)
	if len(lines) == 1 && kind != Sick {
		state = o.fitting(room-o.width(Name, title)-8, busy, few)
	}
	after := o.width(Name, title) + 8
	if len(lines) > 1 && len(lines) < 4 && kind != Sick && p.sorted {
		say(o.fitting(room-after, join(state, "sorted by how long held"), state, ""), x+after, y, Left, Note)
	} else if o.width(kind, state) <= room-after {
		say(state, x+after, y, Left, kind)
	}
	for i, text := range lines[1:] {
		say(text, x, y+float32(i+1)*line, Left, Note)
	}
}

func processes(n int) string {
	if n == 1 {
		return "one process"
	}
	return strconv.Itoa(n) + " processes"
}

// join is the parts that there are, with commas.
func join(parts ...string) string {
	var s []string
	for _, p := range parts {
		if p != "" {
			s = append(s, p)
		}
	}
	return strings.Join(s, ", ")
}

// fitting is the first of the notes that fits, "" if none does.
func (o *Occupancy) fitting(room float32, texts ...string) string {
	for _, text := range texts {
		if o.width(Note, text) <= room {
			return text
		}
	}
	return ""
}

func (o *Occupancy) width(k Kind, text string) float32 { return k.width(text, o.w < narrow) }
