package still

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"stormbin/wasm/internal/frame"
)

func TestEveryShapeIsDrawn(t *testing.T) {
	for s := range frame.Shapes {
		if (outlines[s].path == "") != grown[s] {
			t.Errorf("shape %d: it is either an outline or drawn by itself", s)
		}
	}
}

// The shapes keep to their square, lines included, and reach near its borders: a mark is as large here as on the stage.
func TestOutlinesFillTheirSquare(t *testing.T) {
	for s, o := range outlines {
		if o.path == "" {
			continue
		}
		most := 0.
		for _, x := range numbers(t, o.path) {
			most = max(most, math.Abs(x))
		}
		most += o.wide / 2
		if most > 1 || most < .85 {
			t.Errorf("shape %d reaches to %.2f, want .85 to 1", s, most)
		}
	}
}

// numbers are the coordinates in a path, without the flags and angles of its arcs.
func numbers(t *testing.T, path string) (all []float64) {
	for _, part := range strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("MLZ", r) }) {
		for i, arc := range strings.Split(part, "A") {
			fields := strings.Fields(strings.ReplaceAll(arc, "-", " -"))
			if i > 0 {
				fields = fields[len(fields)-2:]
			}
			for _, f := range fields {
				x, err := strconv.ParseFloat(f, 64)
				if err != nil {
					t.Fatalf("%q: %v", path, err)
				}
				all = append(all, x)
			}
		}
	}
	return all
}
