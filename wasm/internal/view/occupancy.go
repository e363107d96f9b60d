package view

import (
	"slices"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/frame"
)

// Occupancy is the picture of who holds the slots, over time: a strip for each pool of slots, the processes' caps and the
// dependencies, whose right end is now. In it a row is a slot; or, where there are too many, or they change hands too fast
// for the eye, its share of them, sorted by how long they are held. It allocates nothing once it has seen its world.
type Occupancy struct {
	// Still says that it may not flow (reduced motion): it moves on in larger steps.
	Still bool
	// Tag is written in the corner: which of two runs it is.
	Tag string

	w, h    float32
	wide    bool // words stand beside the strips, not above
	words   float32
	lines   int     // of words that a strip has room for
	axis    float32 // where the words about time stand; 0: no room
	pools   []pool  // caps, then dependencies, as in the snapshot
	caps    int
	shown   []int // by index, from top to bottom
	order   []int
	cast    cast
	window  time.Duration // how much is in the picture at speed 1
	base    time.Duration // a step's length then
	zoom    int
	step    int64 // the newest
	now     time.Duration
	last    time.Duration // when the step before was looked at
	wrote   time.Duration // when the newest was
	written int64         // which that is
	moving  bool
	every   int64  // how many steps are drawn as one
	arr     bool   // is to be arranged anew
	fleet   int    // processes
	tagged  string // the Tag there is room for
	marks   []frame.Mark
	labels  []Label
	open, b []span
}

// pool is slots that stand for one another.
type pool struct {
	name     string
	slots    int           // the most there were
	patience time.Duration // after so long a slot is as dark as it gets: its timeout
	quick    time.Duration // how long a slot is held when all is well
	sorted   bool
	busy     int
	there    int // slots that exist
	oldest   time.Duration
	turnover float64       // a second,
	over     time.Duration // in so long
	health   model.Health
	pace     pace
	history  history
	strip    Box
}

// span is cells that look the same, from a time on.
type span struct {
	from, to int // rows
	cell     held
	x        float32
	begins   bool // with another call than the one before it
}

// NewOccupancy starts the picture of a run of s.
func NewOccupancy(s *scenario.Scenario) *Occupancy {
	o := &Occupancy{cast: newCast(s), every: 1, arr: true}
	longest := time.Duration(0)
	for _, name := range Busiest(s) {
		for _, call := range s.Operations[name].Steps {
			longest = max(longest, time.Duration(s.Policy.Calls[call].Timeout))
		}
	}
	for _, name := range scenario.Names(s.Operations) {
		if s.Processes.Cap[name] > 0 {
			o.order = append(o.order, len(o.pools))
			o.pools = append(o.pools, pool{name: name, sorted: true, health: model.Health{Slow: 1, Capacity: 1}})
		}
	}
	o.caps = len(o.pools)
	names := scenario.Names(s.Dependencies)
	for _, name := range names {
		service := s.Dependencies[name].Service
		o.pools = append(o.pools, pool{name: name, quick: time.Duration(service.Base + service.Mean)})
	}
	o.Set(s)
	for _, p := range o.pools {
		if longest == 0 {
			longest = p.patience
		}
	}
	for _, name := range Path(s) {
		o.order = append(o.order, o.caps+slices.Index(names, name))
	}
	// A few timeouts long. A step can be halved six times.
	o.window = min(max(6*longest, time.Second), 30*time.Second)
	o.base = o.window / stepsShown / 64 * 64
	return o
}

// Set takes in the rule as it is from now on.
func (o *Occupancy) Set(s *scenario.Scenario) {
	places := newTerms(s).places
	for i := range o.pools {
		p := &o.pools[i]
		if i >= o.caps {
			p.patience = places[i-o.caps].patience
			continue
		}
		p.patience = 0
		for _, call := range s.Operations[p.name].Steps {
			p.patience += time.Duration(s.Policy.Calls[call].Timeout)
		}
		if p.patience == 0 {
			p.patience = max(time.Duration(s.Operations[p.name].Deadline), time.Second)
		}
	}
}

// Resize sets the size in CSS pixels.
func (o *Occupancy) Resize(w, h float32) {
	if w != o.w || h != o.h {
		o.w, o.h, o.arr = w, h, true
	}
}

// length is a step's.
func (o *Occupancy) length() time.Duration {
	return time.Duration(shift(int64(o.base), o.zoom))
}

// Window is how much time the picture shows.
func (o *Occupancy) Window() time.Duration { return time.Duration(shift(int64(o.window), o.zoom)) }

// Due tells whether now is in another step than what was last seen, and how long a step is.
func (o *Occupancy) Due(now time.Duration) (due bool, step time.Duration) {
	return int64(now/o.length()) != o.step, o.length()
}

// Update takes in the newest snapshot. It is to be called for each, also while nobody looks at the picture: what was not
// seen is not in it.
func (o *Occupancy) Update(snap *model.Snapshot, f Frame) {
	if by := zoomOf(f.Speed) - o.zoom; by != 0 {
		o.zoom += by
		o.step = int64(o.now / o.length())
		for i := range o.pools {
			if o.pools[i].slots > 0 {
				o.pools[i].history.zoom(by, o.step)
			}
		}
	}
	o.moving = f.Moving
	o.fleet = len(snap.Processes)
	step := int64(snap.Now / o.length())
	for i := range o.pools {
		switch h := &o.pools[i].history; {
		case snap.Now < o.now:
			h.forget(step) // it may be other than it was
		case step > o.step+1 && o.pools[i].slots > 0:
			h.bridge(o.step, step)
		}
	}
	switch {
	case snap.Now < o.now:
		o.last, o.wrote, o.written = snap.Now, snap.Now, step
	case step != o.written:
		o.last, o.wrote, o.written = o.wrote, snap.Now, step
	case !o.moving:
		o.wrote = snap.Now
	}
	o.now, o.step = snap.Now, step
	if o.cast.look(snap.Dependencies) {
		o.arr = true
	}
	for i := range snap.Caps {
		c, p := &snap.Caps[i], &o.pools[i]
		o.look(p, c.Slots, c.Slots, c.Busy)
		if p.oldest = 0; len(c.Held) > 0 {
			p.oldest = snap.Now - c.Held[0]
		}
		p.turnover, p.over = p.pace.read(handed{snap.Now, p.oldest, c.Ended})
		if to := o.unseen(p); to != nil {
			var n tally
			for _, since := range c.Held {
				n.add(hold(model.First, since, snap.Now, p.patience))
			}
			n[model.First][0] += c.Busy - len(c.Held) // what is past the limit is of the newest
			n.sort(to, p.slots, p.slots)
		}
	}
	for i := range snap.Dependencies {
		d, p := &snap.Dependencies[i], &o.pools[o.caps+i]
		o.look(p, len(d.Slots), len(d.Slots), d.Busy)
		p.sorted = p.slots > mostRows/2 || p.quick < 2*o.length()
		p.health = d.Health
		p.oldest = 0
		for _, s := range d.Slots {
			if s.Holder != model.Nobody {
				p.oldest = max(p.oldest, snap.Now-s.Since)
			}
		}
		p.turnover, p.over = p.pace.read(handed{snap.Now, p.oldest, freed(d)})
		to := o.unseen(p)
		switch {
		case to == nil:
		case p.sorted:
			var n tally
			for _, s := range d.Slots {
				if s.Holder != model.Nobody {
					n.add(hold(s.Holder, s.Since, snap.Now, p.patience))
				}
			}
			n.sort(to, p.slots, len(d.Slots))
		default:
			bySlot(to, d.Slots, o.last, snap.Now, p.patience)
		}
	}
}

// look makes room for a pool's slots.
func (o *Occupancy) look(p *pool, slots, there, busy int) {
	if slots > p.slots {
		p.slots, p.history, o.arr = slots, newHistory(slots), true
	}
	p.there, p.busy = there, busy
}

// unseen is where what is seen now belongs; nil if something was seen in this step already. A step is as it was when it
// began, so that nothing changes in what has gone by. Only while the world stands it is as things stand.
func (o *Occupancy) unseen(p *pool) []held {
	if o.moving && p.history.column(o.step) != nil {
		return nil
	}
	return p.history.write(o.step)
}

// arrange places the strips.
func (o *Occupancy) arrange() {
	o.arr, o.tagged = false, o.Tag
	o.shown = o.shown[:0]
	for _, i := range o.order {
		if i < o.caps || o.cast.in[i-o.caps] {
			o.shown = append(o.shown, i)
		}
	}
	n := float32(max(1, len(o.shown)))
	pad, top, gutter := min(16, o.w/40), float32(8), float32(24)
	if o.Tag != "" && o.h > 60 {
		top = 24
	}
	line := float32(19)
	o.wide = o.w >= narrow
	o.words = min(232, o.w*.32)
	foot := float32(6)
	o.axis = 0
	if o.h >= 150 {
		foot = 24
		o.axis = o.h - 13
	}
	gap := min(12, o.h/40)
	each := (o.h - top - foot) / n
	if !o.wide {
		line, gutter = 17, 12
		if each < line+10 {
			o.wide, o.words = true, 84 // no room above: names beside
		}
	}
	above := float32(0)
	if o.wide {
		if o.lines = int((each - 1) / line); o.lines == 0 && each >= 16 {
			o.lines = 1
		}
	} else {
		above, o.words, o.lines = line, 0, 1
	}
	x := pad
	width := max(1, o.w-pad-gutter-o.words-4)
	for k, i := range o.shown {
		p := &o.pools[i]
		height := max(1, each-gap-above)
		y := top + float32(k)*each + above
		if tall := float32(p.history.rows) * 48; n == 1 && height > tall {
			y += (height - tall) / 2
			height = tall
		}
		p.strip = Box{x, y, width, height}
	}
}

// markLimit is how many marks the picture has at most, or about that many.
const markLimit = 4000

// Marks is the picture. It is valid until the next call.
func (o *Occupancy) Marks() []frame.Mark {
	if o.arr || o.Tag != o.tagged {
		o.arrange()
	}
	for least := max(1, int64(3*stepsShown/max(o.strip(), 1))); ; o.every *= 2 {
		o.every = max(o.every, least)
		o.marks = o.marks[:0]
		for _, i := range o.shown {
			o.draw(&o.pools[i])
		}
		if len(o.marks) <= markLimit || o.every >= stepsShown {
			break
		}
	}
	if len(o.marks) < markLimit/3 {
		o.every = 1
	}
	return o.marks
}

// strip is how wide the strips are.
func (o *Occupancy) strip() float32 {
	if len(o.shown) == 0 {
		return 0
	}
	return o.pools[o.shown[0]].strip.W
}

func (o *Occupancy) add(shape frame.Shape, color frame.Color, alpha uint8, x, y, w, h float32) {
	o.marks = append(o.marks, frame.Mark{Shape: shape, Color: color, Alpha: alpha, X: x, Y: y, W: w, H: h})
}

// draw draws a strip.
func (o *Occupancy) draw(p *pool) {
	s := &p.strip
	mx, my := s.X+s.W/2, s.Y+s.H/2
	o.add(frame.Rect, frame.SlotFree, 14, mx, my, s.W, s.H) // what was not seen stays as this: much paler than any slot
	length := o.length()
	now := o.now
	if o.Still {
		now = now / (8 * length) * (8 * length)
	}
	group := time.Duration(o.every) * length
	x := func(k int64) float32 { // where group k begins
		part := float32(now-time.Duration(k)*group) / float32(stepsShown*length)
		return min(max(s.X+s.W*(1-part), s.X), s.X+s.W)
	}
	first := max(0, int64((now-stepsShown*length)/group))
	last := int64(now / group)
	seen := s.X + s.W
	// What was seen stands on the surface.
	at := len(o.marks)
	o.add(frame.Rect, frame.Surface, 255, 0, 0, 0, 0)
	o.open = o.open[:0]
	taken := uint64(0) // the rows that were taken anew since the last group, by bits: those of slots are no more
	for k := first; k <= last; k++ {
		var cells []held
		anew := uint64(0)
		for step := k * o.every; step < (k+1)*o.every; step++ {
			c := p.history.column(step)
			for i := range c {
				if c[i] != gone && c[i]&begun != 0 {
					taken |= 1 << i
				}
			}
			if c != nil && (cells == nil || k == last && !o.moving) {
				cells, anew, taken = c, anew|taken, 0
			}
		}
		if cells != nil {
			seen = min(seen, x(k))
		}
		o.column(p, cells, anew, x(k))
	}
	o.column(p, nil, 0, s.X+s.W)
	o.marks[at].X, o.marks[at].Y, o.marks[at].W, o.marks[at].H = (seen+s.X+s.W)/2, my, s.X+s.W-seen, s.H
	if p.health.Well() {
		o.add(frame.Frame, frame.Border, 255, mx, my, s.W+2, s.H+2)
	} else {
		o.add(frame.Frame, frame.Failed, 255, mx, my, s.W+2, s.H+2)
		o.add(frame.Frame, frame.Failed, 255, mx, my, s.W+4, s.H+4)
	}
	o.holders(p)
}

// column goes on with one column of cells, which begins at x; nil: nothing is known there. Cells that go on as they were,
// and those that stand over one another, are one mark; not those of the rows in anew, where another call begins.
func (o *Occupancy) column(p *pool, cells []held, anew uint64, x float32) {
	next := o.b[:0]
	if p.sorted {
		for from := 0; from < len(cells); {
			to := from + 1
			for to < len(cells) && cells[to] == cells[from] {
				to++
			}
			next = append(next, span{from, to, cells[from], x, false})
			from = to
		}
	} else {
		for i, c := range cells {
			if c != gone {
				c &^= begun
			}
			next = append(next, span{i, i + 1, c, x, anew>>i&1 != 0})
		}
	}
	i := 0
	for _, was := range o.open {
		for i < len(next) && next[i].from < was.from {
			i++
		}
		if i < len(next) && next[i].from == was.from && next[i].to == was.to && next[i].cell == was.cell && !next[i].begins {
			next[i].x, next[i].begins = was.x, was.begins
		} else {
			o.emit(p, &was, x)
		}
	}
	o.open, o.b = next, o.open
}

// alphas is how dark a slot is by how long it is held.
var alphas = [shades]uint8{140, 168, 196, 225, 255}

// emit draws a span that ends at x.
func (o *Occupancy) emit(p *pool, s *span, x float32) {
	if s.cell == 0 || x <= s.x {
		return
	}
	pitch := p.pitch()
	y, h := p.row(s.from, s.to)
	if s.cell == gone {
		o.add(frame.Rect, frame.SlotFree, 40, (s.x+x)/2, y, x-s.x, h)
		return
	}
	if !p.sorted && pitch >= 5 {
		h--
		if who := s.cell.holder(); pitch >= 6 && (who == model.Abandoned || who == model.YoursLeft) {
			h = h / 2 // hollow elsewhere, thin here
		}
	}
	if s.begins && x-s.x >= 3 { // or calls end to end would be one long one
		s.x++
	}
	_, color := mark(s.cell.holder())
	o.add(frame.Rect, color, alphas[s.cell.shade()], (s.x+x)/2, y, x-s.x, h)
}

func (p *pool) pitch() float32 { return p.strip.H / float32(max(1, p.history.rows)) }

// row is the middle of some rows, and their height. The first is the lowest.
func (p *pool) row(from, to int) (y, h float32) {
	pitch := p.pitch()
	return p.strip.Y + p.strip.H - float32(from+to)/2*pitch, float32(to-from) * pitch
}

// Rows tells whether some slots have rows of their own that are high enough to say at their end who holds them now.
func (o *Occupancy) Rows() bool {
	return slices.ContainsFunc(o.shown, func(i int) bool { return o.pools[i].marked() })
}

func (p *pool) marked() bool { return p.pitch() >= 9 && !p.sorted }

// holders draws who holds each slot now beside the strip, where there is room; and the reader's own in any case.
func (o *Occupancy) holders(p *pool) {
	cells := p.history.column(o.step)
	if p.marked() {
		for i, c := range cells {
			if c == 0 || c == gone {
				continue
			}
			shape, color := mark(c.holder())
			y, h := p.row(i, i+1)
			side := min(12, h-2)
			o.add(shape, color, 255, p.strip.X+p.strip.W+9, y, side, side)
		}
	}
	if at, h := p.yours(o.step); h != model.Nobody {
		shape, color := mark(h)
		o.add(shape, color, 255, at.X, at.Y, 16, 16)
	}
}

// yours is where the reader's own is in the newest column, and whether it was given up on; Nobody if it is not there.
func (p *pool) yours(step int64) (Point, model.Holder) {
	for i, c := range p.history.column(step) {
		if h := c.holder(); c != gone && (h == model.Yours || h == model.YoursLeft) {
			y, _ := p.row(i, i+1)
			return Point{p.strip.X + p.strip.W - 9, y}, h
		}
	}
	return Point{}, model.Nobody
}
