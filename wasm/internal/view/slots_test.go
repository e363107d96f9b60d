package view

import (
	"image/color"
	"math"
	"testing"

	"stormbin/engine/model"
	"stormbin/wasm/internal/frame"
)

// However dark a slot is, the mark in it has the colour that the legend gives it, and 3:1 against what it lies on.
func TestAMarkIsSeenInItsSlot(t *testing.T) {
	g := Grid{Cell: 40, Cols: 1, Rows: 1}
	for _, h := range [...]model.Holder{model.First, model.Retry, model.Hedge, model.Abandoned, model.Yours} {
		shape, own := mark(h)
		for held := float32(0); held <= 1; held += 1. / 64 {
			s := Scene{}
			s.drawCell(&g, 0, h, held)
			last := s.marks[len(s.marks)-1]
			if last.Shape != shape || last.Color != own {
				t.Fatalf("held for %v of its time it is a mark of shape %d and colour %s", held, last.Shape, last.Color.Name())
			}
			for _, dark := range []bool{false, true} {
				ground := frame.Surface.RGB(dark)
				for _, m := range s.marks[:len(s.marks)-1] {
					if m.Shape == frame.Rect || m.Shape == frame.Disc && m.W > last.W {
						ground = over(ground, m.Color.RGB(dark), m.Alpha)
					}
				}
				if c := contrast(own.RGB(dark), ground); c < 3 {
					t.Errorf("%s, dark %v, held for %.2f: %.2f:1", own.Name(), dark, held, c)
				}
			}
		}
	}
}

func over(ground, c color.RGBA, alpha uint8) color.RGBA {
	mix := func(g, c uint8) uint8 { return uint8((int(g)*(255-int(alpha)) + int(c)*int(alpha)) / 255) }
	return color.RGBA{mix(ground.R, c.R), mix(ground.G, c.G), mix(ground.B, c.B), 255}
}

// contrast is the contrast of WCAG.
func contrast(a, b color.RGBA) float64 {
	linear := func(v uint8) float64 {
		if s := float64(v) / 255; s > .04045 {
			return math.Pow((s+.055)/1.055, 2.4)
		} else {
			return s / 12.92
		}
	}
	light := func(c color.RGBA) float64 { return .2126*linear(c.R) + .7152*linear(c.G) + .0722*linear(c.B) }
	x, y := light(a)+.05, light(b)+.05
	return max(x, y) / min(x, y)
}
