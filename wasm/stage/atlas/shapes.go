package atlas

import (
	"math"

	"stormbin/wasm/internal/frame"
)

// point is in a shape's own coordinates: −1 to 1, y downwards.
type point struct{ x, y float64 }

// edge is how near to ±1 a shape comes: its anti-aliased outline must fit at the smallest size too.
const edge = 0.94

var (
	triangle = []point{{0, -edge}, {edge, 0.72}, {-edge, 0.72}}
	diamond  = []point{{0, -edge}, {edge, 0}, {0, edge}, {-edge, 0}}
	star     = makeStar(0.45)
	tick     = []point{{-0.72, 0.06}, {-0.22, 0.58}, {0.72, -0.58}}
)

// half is half of a stroke's width.
const half = 0.19

// distance is how far a point is outside the shape's outline; inside it is negative.
func distance(s frame.Shape, x, y float64) float64 {
	p := point{x, y}
	switch s {
	case frame.Disc:
		return math.Hypot(x, y) - 0.88 // a little less: a disc looks larger than a triangle of its width
	case frame.Triangle:
		return polygon(triangle, p)
	case frame.Diamond:
		return polygon(diamond, p)
	case frame.Ring:
		return math.Abs(math.Hypot(x, y)-(edge-half)) - half
	case frame.Tick:
		return min(segment(tick[0], tick[1], p), segment(tick[1], tick[2], p)) - half
	case frame.Cross:
		const c = 0.68
		return min(segment(point{-c, -c}, point{c, c}, p), segment(point{-c, c}, point{c, -c}, p)) - half
	case frame.Bar:
		return segment(point{0, -edge + half*1.5}, point{0, edge - half*1.5}, p) - half*1.5
	case frame.Star:
		return polygon(star, p)
	}
	panic("not a rendered shape")
}

// makeStar is one with five points and the given inner radius.
func makeStar(inner float64) []point {
	var ps []point
	for i := range 10 {
		r := 1.0
		if i%2 == 1 {
			r = inner
		}
		sin, cos := math.Sincos(float64(i) * math.Pi / 5)
		ps = append(ps, point{r * sin * edge, -r * cos * edge})
	}
	return ps
}

// segment is the distance from p to the line between a and b.
func segment(a, b, p point) float64 {
	abx, aby := b.x-a.x, b.y-a.y
	t := ((p.x-a.x)*abx + (p.y-a.y)*aby) / (abx*abx + aby*aby)
	t = max(0, min(1, t))
	return math.Hypot(p.x-a.x-t*abx, p.y-a.y-t*aby)
}

// polygon is the distance from p to a polygon's outline, negative inside.
func polygon(ps []point, p point) float64 {
	d, inside := math.Inf(1), false
	for i, a := range ps {
		b := ps[(i+1)%len(ps)]
		d = min(d, segment(a, b, p))
		// A ray to the right crosses the outline an odd number of times only from inside.
		if (a.y > p.y) != (b.y > p.y) && p.x < a.x+(p.y-a.y)/(b.y-a.y)*(b.x-a.x) {
			inside = !inside
		}
	}
	if inside {
		return -d
	}
	return d
}
