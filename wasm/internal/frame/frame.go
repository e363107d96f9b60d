// Package frame is what the page sends the stage: one picture's worth of marks, as bytes.
//
// The page decides where everything is; the stage draws it and decides nothing. Both are programs of their own, so this
// format, and the table of colours, are all that they share.
package frame

// Picture is all that the stage shows at one moment.
type Picture struct {
	Dark   bool   // the theme to take the colours from
	Number uint32 // counts the pictures sent, so that a later one is told from an earlier
	// Width and Height are what the marks were laid out for, in CSS pixels, kept to an eighth, up to MaxSize. While the
	// stage has another size (it is being resized), it stretches the picture.
	Width, Height float32
	// Marks are drawn in order, later ones over earlier ones. Up to MaxMarks.
	Marks []Mark
}

// Mark is one thing to draw, in CSS pixels from the stage's top left corner.
type Mark struct {
	Shape Shape
	Color Color
	Alpha uint8 // 255 is opaque
	// Part is, of an arc, how much of the circle there is, clockwise from the top: 255 is all of it. Of a band it is how
	// high its ends are, in quarters of a pixel. Of others it is 0.
	Part uint8
	// X, Y is the centre; W, H the size. The sides are kept to an eighth of a pixel, from −4,096 to 4,095.
	X, Y, W, H float32
}

// Shape of a mark. One word, one shape: see the legend.
type Shape uint8

const (
	Disc     Shape = iota // a first attempt
	Triangle              // a retry
	Diamond               // a hedge
	Ring                  // abandoned work
	Tick                  // answered in time
	Cross                 // failed
	Bar                   // shed at a cap
	Star                  // yours
	Rect                  // a filled rectangle: a slot, a queue's bar
	Frame                 // a rectangle's outline, 1 px wide: a box, a free slot
	Line                  // from (X−W/2, Y−H/2) to (X+W/2, Y+H/2), 1 px wide
	Arc                   // an arc of a circle that fills W × H, 1.5 px wide: time that is left, or that passes
	Band                  // from (X−W/2, Y−H/2) to (X+W/2, Y+H/2), as high as Part says wherever it is cut: what flows
	Shapes                // how many there are
)
