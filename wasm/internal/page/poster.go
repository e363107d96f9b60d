//go:build js && wasm

package page

import (
	"errors"

	"stormbin/wasm/internal/frame"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/still"
	"stormbin/wasm/internal/view"
)

// margin is around everything on a poster, sharpness how many pixels it has in one of CSS's.
const (
	margin    = 24
	sharpness = 2
)

// poster is what is on show as a picture to take away: the sentence, the picture with its words and what they mean, the
// numbers, the rule, and what run it is. It waits, like html.Await.
func (p *Page) poster(dark bool) ([]byte, error) {
	c := still.New()
	if c == nil {
		return nil, errors.New("this browser draws none")
	}
	c.Dark = dark
	b := poster{Page: p, Canvas: c}
	b.width, b.height = p.stage.width, p.stage.height
	if p.look == lookCharts { // they are drawn when they are looked at, and a menu is far above them
		seen := p.charts.seen
		p.charts.seen, p.charts.last = true, 0
		p.charts.write()
		p.charts.seen = seen
	}
	if !p.look.onStage() {
		b.part = html.Find(lookNames[p.look])
		box := b.part.GetBoundingClientRect()
		b.width, b.height = float32(box.Width()), float32(box.Height())
	}
	c.Resize(1, 1, 1)
	b.measuring = true
	if err := b.draw(); err != nil {
		return nil, err
	}
	whole := view.Box{W: b.width + 2*margin, H: b.y + margin}
	c.Resize(whole.W, whole.H, sharpness)
	c.Fill(whole, frame.Background)
	b.measuring = false
	if err := b.draw(); err != nil {
		return nil, err
	}
	return c.PNG()
}

// poster is drawn from top to bottom, twice: first to find out how high it is.
type poster struct {
	*Page
	*still.Canvas
	part          html.Element // of the page; nil: the picture is the stage's
	width, height float32      // of the picture
	y             float32      // how far it is
	measuring     bool
}

func (b *poster) draw() error {
	b.y = margin
	size := 22
	if b.width < 560 {
		size = 18
	}
	b.say(textOf("verdict"), size, "600", frame.Text)
	b.y += 12
	top := view.Point{X: margin, Y: b.y}
	if b.part == nil {
		if !b.measuring {
			b.Fill(view.Box{X: top.X, Y: top.Y, W: b.width, H: b.height}, frame.Surface)
			b.Marks(b.marks, top)
			b.Labels(b.onStage(), top, html.Matches(html.Media("(max-width: 719px)")))
			b.Mark(frame.Mark{Shape: frame.Frame, Color: frame.Border, Alpha: 120, X: top.X + b.width/2, Y: top.Y + b.height/2, W: b.width, H: b.height})
		}
	} else if !b.measuring {
		if err := b.Part(b.part, top); err != nil {
			return err
		}
	}
	b.y += b.height + 12
	b.say(textOf("caption"), 14, "400", frame.Text)
	if b.part == nil {
		b.legend()
	}
	b.y += 8
	b.numbers()
	b.y += 8
	for s := range b.sights {
		rule := s.run.Settings()
		which := ""
		if b.pinned != nil {
			which = map[bool]string{true: "Run A: ", false: "Run B: "}[s == b.pinned]
		}
		b.say(which+view.RuleLine(&rule), 13, "400", frame.TextMuted)
	}
	set := b.session.Settings()
	b.y += 4
	b.say("Stormbin: "+set.ID+", seed "+textOf("seed")+", at "+view.Clock(b.session.Now()), 13, "600", frame.Text)
	return nil
}

// textOf is what an element of the page says.
func textOf(id string) string { return html.Find(id).TextContent() }

// say writes a paragraph.
func (b *poster) say(text string, size int, weight string, color frame.Color) {
	b.Font(size, weight)
	high := float32(size) * 1.4
	for _, line := range b.Wrap(text, b.width) {
		if !b.measuring {
			b.Write(line, margin, b.y+high/2, view.Left, color)
		}
		b.y += high
	}
}

// legends is what the marks mean. Those of holders are colours of slots too.
var legends = [...]struct {
	shape  frame.Shape
	color  frame.Color
	means  string
	holder bool
}{
	{frame.Disc, frame.First, "first attempt", true},
	{frame.Triangle, frame.Retry, "retry", true},
	{frame.Diamond, frame.Hedge, "hedge", true},
	{frame.Ring, frame.Abandoned, "abandoned: nobody waits", true},
	{frame.Tick, frame.OK, "answered in time", false},
	{frame.Cross, frame.Failed, "failed", false},
	{frame.Bar, frame.Shed, "turned away", false},
	{frame.Star, frame.Yours, "yours", true},
}

// legend says what those marks mean that are in the picture.
func (b *poster) legend() {
	b.Font(13, "400")
	x, started := float32(margin), false
	for _, l := range legends {
		if !b.has(l.shape, l.color, l.holder) {
			continue
		}
		w := 20 + b.Width(l.means) + 18
		if started && x+w > margin+b.width {
			x = margin
			b.y += 20
		}
		if !b.measuring {
			b.Mark(frame.Mark{Shape: l.shape, Color: l.color, Alpha: 255, X: x + 7, Y: b.y + 14, W: 12, H: 12})
			b.Write(l.means, x+20, b.y+14, view.Left, frame.Text)
		}
		x, started = x+w, true
	}
	if started {
		b.y += 24
	}
}

func (b *poster) has(shape frame.Shape, color frame.Color, holder bool) bool {
	for i := range b.marks {
		if m := &b.marks[i]; m.Color == color && (m.Shape == shape || holder && m.Shape == frame.Rect) {
			return true
		}
	}
	return false
}

// numbers writes the six of the page, in columns.
func (b *poster) numbers() {
	all := [...]struct{ name, value string }{
		{"offered", textOf("num-offered")}, {"in time", textOf("num-ok")}, {"failed", textOf("num-failed")},
		{textOf("num-attempts-name"), textOf("num-attempts")}, {textOf("num-queue-name"), textOf("num-queue")}, {textOf("num-slots-name"), textOf("num-slots")},
	}
	columns := 6
	if b.width < 720 {
		columns = 3
	}
	wide := b.width / float32(columns)
	b.Font(13, "400")
	const line = 17
	high := 0 // of the names
	for _, n := range all {
		high = max(high, len(b.Wrap(n.name, wide-10)))
	}
	for i, n := range all {
		if i > 0 && i%columns == 0 {
			b.y += float32(high)*line + 36
		}
		if b.measuring {
			continue
		}
		x, y := margin+float32(i%columns)*wide, b.y
		b.Font(13, "400")
		lines := b.Wrap(n.name, wide-10)
		y += float32(high-len(lines)) * line // above their numbers, whatever stands over them
		for _, text := range lines {
			b.Write(text, x, y+line/2, view.Left, frame.TextMuted)
			y += line
		}
		b.Font(20, "400")
		b.Write(n.value, x, y+15, view.Left, frame.Text)
	}
	b.y += float32(high)*line + 34
}
