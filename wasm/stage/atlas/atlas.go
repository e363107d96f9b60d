// Package atlas renders the shapes of marks, white and anti-aliased, into one image, which the stage then draws all of
// its marks from at once.
package atlas

import (
	"image"

	"stormbin/wasm/internal/frame"
)

// Sizes are what each shape is rendered at, in device pixels. A mark takes the next larger one and shrinks it a little:
// one size for all would blur the large marks and thin out the small ones.
var Sizes = [...]int{8, 12, 16, 24, 32, 48, 72}

// shapes are those with a rendering: the ones before Rect. Rect, Frame and Line are made of Solid and Edge.
const shapes = int(frame.Rect)

// margin keeps neighbours out of each other's edges.
const margin = 2

// Solid is a point around which all is white.
var Solid = image.Pt(4, 4)

// Edge is a strip whose middle row is white and whose outer rows are clear: stretched across a line it gives that soft
// edges. A line takes it from y+0.5 to y+2.5.
var Edge = image.Rect(12, 2, 28, 5)

// top is where the shapes begin, below Solid and Edge.
const top = 10

// Cell is where a shape is, rendered for marks of at most that many device pixels.
func Cell(s frame.Shape, size float32) image.Rectangle {
	level := 0
	for level < len(Sizes)-1 && float32(Sizes[level]) < size {
		level++
	}
	return cell(int(s), level)
}

func cell(shape, level int) image.Rectangle {
	y := top
	for _, s := range Sizes[:level] {
		y += s + margin
	}
	size := Sizes[level]
	x := margin + shape*(size+margin)
	return image.Rect(x, y, x+size, y+size)
}

// Render makes the image. Its pixels are white, premultiplied.
func Render() *image.RGBA {
	last := cell(shapes-1, len(Sizes)-1)
	img := image.NewRGBA(image.Rect(0, 0, last.Max.X+margin, last.Max.Y+margin))
	for y := range 2 * Solid.Y {
		for x := range 2 * Solid.X {
			cover(img, x, y, 1)
		}
	}
	for x := Edge.Min.X; x < Edge.Max.X; x++ {
		cover(img, x, Edge.Min.Y+1, 1)
	}
	for level := range Sizes {
		for shape := range shapes {
			render(img, cell(shape, level), frame.Shape(shape))
		}
	}
	return img
}

func render(img *image.RGBA, in image.Rectangle, s frame.Shape) {
	size := float64(in.Dx())
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			// The pixel's middle, in the shape's own coordinates from −1 to 1.
			u := (float64(x-in.Min.X)+0.5)/size*2 - 1
			v := (float64(y-in.Min.Y)+0.5)/size*2 - 1
			// A pixel is covered half where the outline passes through its middle, and all or not half a pixel away.
			cover(img, x, y, 0.5-distance(s, u, v)*size/2)
		}
	}
}

func cover(img *image.RGBA, x, y int, share float64) {
	a := uint8(max(0, min(1, share))*255 + 0.5)
	i := img.PixOffset(x, y)
	img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = a, a, a, a
}
