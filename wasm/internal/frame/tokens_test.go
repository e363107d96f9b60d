package frame

import (
	"image/color"
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

const stylesheet = "../../../web/tokens.css"

func TestStylesheetHasTheTable(t *testing.T) {
	css, err := os.ReadFile(stylesheet)
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^\s*--([a-z-]+):\s*light-dark\(#([0-9A-Fa-f]{6}), #([0-9A-Fa-f]{6})\);$`)
	inCSS := map[string][2]color.RGBA{}
	for _, m := range line.FindAllStringSubmatch(string(css), -1) {
		if _, twice := inCSS[m[1]]; twice {
			t.Errorf("%s has --%s twice", stylesheet, m[1])
		}
		inCSS[m[1]] = [2]color.RGBA{hex(t, m[2]), hex(t, m[3])}
	}
	for c := range Colors {
		want := [2]color.RGBA{c.RGB(false), c.RGB(true)}
		got, ok := inCSS[c.Name()]
		if !ok {
			t.Errorf("%s lacks --%s: light-dark(…, …), want %v", stylesheet, c.Name(), want)
		} else if got != want {
			t.Errorf("%s has --%s as %v, the table has %v", stylesheet, c.Name(), got, want)
		}
		delete(inCSS, c.Name())
	}
	for name := range inCSS {
		t.Errorf("%s has --%s, which the table lacks", stylesheet, name)
	}
}

func TestEachColorIsOpaqueAndNamed(t *testing.T) {
	for c := range Colors {
		if c.Name() == "" || c.RGB(false).A != 255 || c.RGB(true).A != 255 {
			t.Errorf("colour %d: name %q, light %v, dark %v", c, c.Name(), c.RGB(false), c.RGB(true))
		}
	}
}

// WCAG asks for 4.5:1 of text and 3:1 of what else must be seen.
func TestContrast(t *testing.T) {
	text := map[Color]bool{Text: true, TextMuted: true, Accent: true,
		CodeKeyword: true, CodeName: true, CodeType: true, CodeString: true, CodeNumber: true}
	for _, dark := range []bool{false, true} {
		for _, behind := range []Color{Background, Surface} {
			for c := range Colors {
				if c == Background || c == Surface {
					continue
				}
				want := 3.0
				if text[c] {
					want = 4.5
				}
				if got := contrast(c.RGB(dark), behind.RGB(dark)); got < want {
					t.Errorf("dark %t: %s on %s is %.2f:1, want %.1f:1", dark, c.Name(), behind.Name(), got, want)
				}
			}
		}
	}
}

func TestContrastOfKnownPairs(t *testing.T) {
	black, white := color.RGBA{A: 255}, color.RGBA{255, 255, 255, 255}
	grey := color.RGBA{0x76, 0x76, 0x76, 255} // the lightest grey that WCAG lets be text on white
	for _, c := range []struct {
		a, b     color.RGBA
		min, max float64
	}{
		{black, white, 21, 21},
		{white, white, 1, 1},
		{grey, white, 4.5, 4.6},
	} {
		if got := contrast(c.a, c.b); got < c.min-1e-9 || got > c.max+1e-9 {
			t.Errorf("contrast(%v, %v) = %v, want %v to %v", c.a, c.b, got, c.min, c.max)
		}
	}
}

// contrast is WCAG 2's contrast ratio.
func contrast(a, b color.RGBA) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func hex(t *testing.T, s string) color.RGBA {
	v, err := strconv.ParseUint(s, 16, 24)
	if err != nil {
		t.Fatal(err)
	}
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}
