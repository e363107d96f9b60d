package atlas

import (
	"image"
	"testing"

	"stormbin/wasm/internal/frame"
)

var names = [shapes]string{"disc", "triangle", "diamond", "ring", "tick", "cross", "bar", "star"}

// Colour alone must never tell marks apart, so that their shapes have to, at every size, by a good part of their area.
func TestShapesAreToldApartWithoutColour(t *testing.T) {
	img := Render()
	for level, size := range Sizes {
		for a := range shapes {
			for b := range a {
				differ := 0.0
				ca, cb := cell(a, level), cell(b, level)
				for y := range size {
					for x := range size {
						da := int(alpha(img, ca.Min.X+x, ca.Min.Y+y))
						db := int(alpha(img, cb.Min.X+x, cb.Min.Y+y))
						differ += float64(max(da, db)-min(da, db)) / 255
					}
				}
				if share := differ / float64(size*size); share < 0.1 {
					t.Errorf("at %d px %s and %s differ in %.0f %% of their square, want 10 or more", size, names[a], names[b], share*100)
				}
			}
		}
	}
}

// A shape that is cut off at its square's side looks so.
func TestShapesFitTheirSquares(t *testing.T) {
	img := Render()
	for level, size := range Sizes {
		for s := range shapes {
			c := cell(s, level)
			for i := range size {
				for _, p := range []image.Point{{c.Min.X + i, c.Min.Y}, {c.Min.X + i, c.Max.Y - 1}, {c.Min.X, c.Min.Y + i}, {c.Max.X - 1, c.Min.Y + i}} {
					// Two neighbouring pixels at most may be more than half covered: a point, not a cut.
					if a := alpha(img, p.X, p.Y); a > 200 {
						t.Errorf("%s at %d px is cut off at %v: covered %d of 255", names[s], size, p.Sub(c.Min), a)
					}
				}
			}
		}
	}
}

func TestShapesAreWhatTheirNamesSay(t *testing.T) {
	img := Render()
	const level = 4 // 32 px
	at := func(s frame.Shape, x, y float64) uint8 {
		c, size := cell(int(s), level), float64(Sizes[level])
		return alpha(img, c.Min.X+int(x*size), c.Min.Y+int(y*size))
	}
	for _, c := range []struct {
		shape frame.Shape
		x, y  float64
		full  bool
	}{
		{frame.Disc, 0.5, 0.5, true}, {frame.Disc, 0.1, 0.1, false},
		{frame.Ring, 0.5, 0.5, false}, {frame.Ring, 0.5, 0.12, true},
		{frame.Triangle, 0.5, 0.6, true}, {frame.Triangle, 0.15, 0.2, false}, {frame.Triangle, 0.85, 0.82, true},
		{frame.Diamond, 0.5, 0.5, true}, {frame.Diamond, 0.15, 0.15, false}, {frame.Diamond, 0.85, 0.85, false},
		{frame.Tick, 0.5, 0.1, false}, {frame.Tick, 0.39, 0.78, true}, {frame.Tick, 0.85, 0.22, true},
		{frame.Cross, 0.5, 0.5, true}, {frame.Cross, 0.5, 0.15, false}, {frame.Cross, 0.2, 0.2, true}, {frame.Cross, 0.8, 0.2, true},
		{frame.Bar, 0.5, 0.5, true}, {frame.Bar, 0.5, 0.12, true}, {frame.Bar, 0.2, 0.5, false},
		{frame.Star, 0.5, 0.5, true}, {frame.Star, 0.5, 0.15, true}, {frame.Star, 0.5, 0.9, false},
	} {
		if got := at(c.shape, c.x, c.y); (got == 255) != c.full || (got == 0) == c.full {
			t.Errorf("%s at %.2f, %.2f is covered %d of 255, want all: %t", names[c.shape], c.x, c.y, got, c.full)
		}
	}
}

func TestNoCellTouchesAnother(t *testing.T) {
	img := Render()
	cells := []image.Rectangle{image.Rectangle{Max: Solid.Mul(2)}, Edge}
	for level := range Sizes {
		for s := range shapes {
			cells = append(cells, cell(s, level))
		}
	}
	for i, a := range cells {
		if !a.In(img.Bounds()) {
			t.Errorf("%v is outside the image, %v", a, img.Bounds())
		}
		for _, b := range cells[:i] {
			if a.Inset(-1).Overlaps(b) {
				t.Errorf("%v and %v touch", a, b)
			}
		}
	}
}

func TestAMarkTakesTheNextLargerRendering(t *testing.T) {
	for _, c := range []struct {
		size float32
		want int
	}{{0, 8}, {8, 8}, {8.1, 12}, {13, 16}, {72, 72}, {500, 72}} {
		if got := Cell(frame.Disc, c.size).Dx(); got != c.want {
			t.Errorf("for %v px it takes the one of %d, want %d", c.size, got, c.want)
		}
	}
}

func alpha(img *image.RGBA, x, y int) uint8 { return img.RGBAAt(x, y).A }
