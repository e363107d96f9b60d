// Package frame is what the page sends the stage: one picture's worth of marks, as bytes.
//
// The page decides where everything is; the stage draws it and decides nothing. Both are programs of their own, so this
// format is all that they share.
package frame

// Mark is one thing to draw, in CSS pixels from the stage's top left corner.
type Mark struct {
	Shape Shape
	Color Color
	Alpha uint8 // 255 is opaque
	// X, Y is the centre; W, H the size. Each is kept to an eighth of a pixel, from −4,096 to 4,095.
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
	Frame                 // a rectangle's outline: a box, a free slot
	Line                  // from (X−W/2, Y−H/2) to (X+W/2, Y+H/2)
	Shapes                // how many there are
)

// Color is an index into the token table.
type Color uint8
