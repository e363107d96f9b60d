// Package still draws the stage's picture on a canvas, where there is no WebGL or where a picture is to be kept, and what
// else of the page belongs on it.
//
//	outline.go  the shapes of the marks
//	canvas.go   marks and words on a canvas
//	page.go     a part of the page on a canvas, as it stands
package still

import "stormbin/wasm/internal/frame"

// outline is a shape as a path of SVG, in a square from −1 to 1.
type outline struct {
	path string
	wide float64 // of the line it is drawn with; 0: it is filled
}

// outlines are those of the shapes that have one size; what else there is depends on its own, and is drawn by itself.
// wasm/stage/atlas has the same ones as distances.
var outlines = [frame.Shapes]outline{
	frame.Disc:     {path: "M.88 0A.88 .88 0 1 1-.88 0A.88 .88 0 1 1 .88 0Z"},
	frame.Triangle: {path: "M0-.94L.94 .72L-.94 .72Z"},
	frame.Diamond:  {path: "M0-.94L.94 0L0 .94L-.94 0Z"},
	frame.Ring:     {"M.75 0A.75 .75 0 1 1-.75 0A.75 .75 0 1 1 .75 0Z", .38},
	frame.Tick:     {"M-.72 .06L-.22 .58L.72-.58", .38},
	frame.Cross:    {"M-.68-.68L.68 .68M-.68 .68L.68-.68", .38},
	frame.Bar:      {"M0-.655L0 .655", .57},
	frame.Star:     {path: "M0-.94L.249-.342L.894-.29L.402 .131L.553 .76L0 .423L-.553 .76L-.402 .131L-.894-.29L-.249-.342Z"},
}

// grown are the shapes that are drawn by themselves.
var grown = [frame.Shapes]bool{frame.Rect: true, frame.Frame: true, frame.Line: true, frame.Arc: true, frame.Band: true}
