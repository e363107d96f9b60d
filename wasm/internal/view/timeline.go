package view

import (
	"math"
	"slices"
	"strconv"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// Timeline is the time of a run from 0 to its end as it is drawn, in CSS pixels: what came and what failed, who waited,
// what was broken, and what there is to be told. The zero value has nothing in it; the page has the height, 80, from its start.
type Timeline struct {
	Load, Failed []byte // paths to fill
	Queue        []byte // the path of a line
	// PartLoad, PartFailed and PartQueue are the same of the second that is not over.
	PartLoad, PartFailed, PartQueue []byte
	// Most is what the height stands for where it is who waits: the most at the end of a second. 0: nobody did.
	Most   float32
	Marks  []byte // a path: a tick for each mark
	Spans  []byte // a path: when something is broken, from top to bottom
	Faults []Broke
	Ticks  []Label

	plane   plane
	columns []column
}

// Broke is something broken as a timeline shows it.
type Broke struct {
	Text     string // "B 8× slower"
	X, Width float32
	// TextX is where its name begins, which is not written where another's stands.
	TextX float32
	Named bool
}

// A timeline from top to bottom: the names of what was broken, the numbers, the marks, the time.
const (
	TimelineNames  = 4  // the middle of the names, over the handle
	TimelineTop    = 20 // of the numbers
	TimelineBottom = 54
	timelineMarks  = 56
	markHeight     = 6
	timelineTicks  = 72
	// TimelineEdge is how far the first and the last moment are from the edges: half of the handle that is dragged.
	TimelineEdge = 8
)

// TimelineSpan is how much time a timeline has: all of the scenario's, and what was seen or is sought beyond it.
func TimelineSpan(duration, furthest time.Duration) time.Duration {
	return max(duration, furthest, time.Second)
}

// Update draws it anew: the seconds of h, the queue of its dependency at place, and a tick at each mark. Those of equal
// pixels are one.
func (t *Timeline) Update(h *History, place int, faults []scenario.Fault, marks []time.Duration, span time.Duration, width float32) {
	was := t.plane
	t.plane = newPlane(TimelineEdge, TimelineTop, width-2*TimelineEdge, TimelineBottom-TimelineTop, float32(span.Seconds()))
	p := &t.plane
	if p.span != was.span || p.width != was.width {
		t.ticks()
	}
	p.scale.to = most(h.Offered, h.Failed)
	t.Load, t.Failed = t.area(t.Load[:0], h.Offered), t.area(t.Failed[:0], h.Failed)
	t.Queue, t.Most = t.Queue[:0], 0
	if place >= 0 && place < len(h.Places) {
		q, queue := *p, h.Places[place].Queue
		q.scale.to = most(queue)
		if len(queue) > 0 {
			t.Most = slices.Max(queue)
		}
		t.columns = columns(t.columns[:0], queue, p.step)
		t.Queue = q.line(t.Queue, queue, t.columns)
	}
	t.Marks = t.Marks[:0]
	last := float32(math.Inf(-1))
	for _, at := range marks {
		x := p.x(float32(at.Seconds()))
		if x-last < 1 {
			continue
		}
		last = x
		t.Marks = append(point(t.Marks, 'M', x, timelineMarks), 'v', '0'+markHeight)
	}
	t.Spans = p.spans(t.Spans[:0], faults)
	t.broken(faults)
}

// Rest draws what was seen of the second after those of h, as high as the rates of n, which is of the last second, and whose
// now it is in; nothing if it isn't.
func (t *Timeline) Rest(h *History, place int, n *Numbers) {
	p := &t.plane
	t.PartLoad, t.PartFailed, t.PartQueue = t.PartLoad[:0], t.PartFailed[:0], t.PartQueue[:0]
	from, now := float32(h.Seconds()), float32(n.Now.Seconds())
	if now <= from || now > from+1 {
		return
	}
	x, wide := p.x(from), p.x(now)-p.x(from)
	bar := func(dst []byte, rate float64) []byte {
		y := p.y(float32(rate))
		return box(dst, x, y, wide, p.top+p.height-y)
	}
	t.PartLoad, t.PartFailed = bar(t.PartLoad, n.Offered), bar(t.PartFailed, n.Failed)
	if place >= 0 && place < len(n.Places) {
		q := *p
		q.scale.to = max(t.Most, 1)
		t.PartQueue = tenth(append(point(t.PartQueue, 'M', x, q.y(float32(n.Places[place].Queue))), 'h'), wide)
	}
}

func (t *Timeline) area(dst []byte, values []float32) []byte {
	t.columns = columns(t.columns[:0], values, t.plane.step)
	return t.plane.band(dst, side{}, side{values, t.columns})
}

// most is the most of all values, and at least 1.
func most(columns ...[]float32) float32 {
	m := float32(1)
	for _, c := range columns {
		for _, v := range c {
			m = max(m, v)
		}
	}
	return m
}

func (t *Timeline) ticks() {
	p := &t.plane
	t.Ticks = t.Ticks[:0]
	every := timeTick(p.span, p.width, 90)
	for at := time.Duration(0); at <= seconds(p.span); at += every {
		l := Label{tickTime(at, every), Point{p.x(float32(at.Seconds())), timelineTicks}, Middle, Note}
		half := roomFor(l.Text) / 2
		if l.At.X < half {
			l.Anchor, l.At.X = Left, p.left
		} else if l.At.X > p.left+p.width+TimelineEdge-half {
			l.Anchor, l.At.X = Right, p.left+p.width+TimelineEdge
		}
		t.Ticks = append(t.Ticks, l)
	}
}

// broken places what is broken, and names as much of it as there is room for: a name may reach beyond what it names, but
// not into another.
func (t *Timeline) broken(faults []scenario.Fault) {
	p := &t.plane
	t.Faults = t.Faults[:0]
	for i := range faults {
		x, w, ok := p.broken(&faults[i])
		if !ok {
			continue
		}
		b := Broke{Text: Title(faults[i].Target) + " " + faultWords(&faults[i]), X: x, Width: w, Named: true}
		room := roomFor(b.Text)
		b.TextX = max(0, min(x, p.left+p.width+TimelineEdge-room))
		for j := range t.Faults {
			if o := &t.Faults[j]; o.Named && b.TextX < o.TextX+roomFor(o.Text)+4 && o.TextX < b.TextX+room+4 {
				b.Named = false
			}
		}
		t.Faults = append(t.Faults, b)
	}
}

// QueueName says whose queue a timeline shows.
func QueueName(place string) string { return "waiting for " + metrics.The(place) }

// QueueScale says what the height of its line stands for.
func (t *Timeline) QueueScale() string {
	if t.Most < 1 {
		return ""
	}
	return ", " + Count(int64(t.Most)) + " at most at a second’s end"
}

// X is where a moment is.
func (t *Timeline) X(at time.Duration) float32 {
	return t.plane.x(min(float32(at.Seconds()), t.plane.span))
}

// Seen is where what was seen ends.
func (t *Timeline) Seen(h *History) float32 {
	return t.plane.x(min(float32(h.Seconds()), t.plane.span))
}

// Moment says how things stood at a time: "12.3 s, B 8× slower, 40 % failed". What failed is of the second around it, or of
// the last one that is over.
func Moment(h *History, faults []scenario.Fault, at time.Duration) string {
	text := Clock(at)
	for i := range faults {
		if faults[i].On(at) {
			text += ", " + Title(faults[i].Target) + " " + faultWords(&faults[i])
		}
	}
	second := min(int(at/time.Second), h.Seconds()-1)
	if second < 0 || int(at/time.Second)-second > 1 {
		return text
	}
	if failed, ended := h.Failed[second], h.Failed[second]+h.InTime[second]; ended > 0 {
		return text + ", " + Percent(float64(failed/ended)) + " failed"
	}
	if h.Offered[second] > 0 {
		return text + ", nobody answered"
	}
	return text + ", nothing came"
}

// Tenths writes a time in seconds as a range input has it: to a tenth, and like Clock the one that has been reached.
func Tenths(t time.Duration) string {
	return strconv.FormatFloat(float64(t/(100*time.Millisecond))/10, 'f', 1, 64)
}
