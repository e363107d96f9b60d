package frame

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// The wire format, little-endian. Header:
//
//	0  version
//	1  theme: 0 light, 1 dark
//	2  how many marks
//	4  the picture's number
//	8  width, 10 height, in eighths of a pixel
//
// Then each mark:
//
//	0  shape, 1 colour, 2 alpha, 3 part, 0 of all but arcs and bands
//	4  left, 6 top, 8 right, 10 bottom, in eighths of a pixel, signed
//
// It is the sides that are rounded, not the middle and the size: marks that touch still do when they arrive.
//
// Bytes after the last mark mean nothing: buffers are pooled, and so mostly longer than what they hold.
const (
	version    = 3
	headerSize = 12
	markSize   = 12
)

// MaxMarks is how many marks a picture may have. At 0.3 µs each that is 6 ms of the stage's 16.
const MaxMarks = 20_000

// MaxSize is the largest width and height of a picture, in CSS pixels.
const MaxSize = 4095

// Size is the length in bytes of a picture of so many marks.
func Size(marks int) int { return headerSize + marks*markSize }

// Append appends the picture to buf and returns it, as append does: hand it the last one's buf[:0] and it allocates
// nothing. Marks past MaxMarks are left out; what is outside its range is moved to the range's end.
func Append(buf []byte, p *Picture) []byte {
	marks := p.Marks[:min(len(p.Marks), MaxMarks)]
	theme := byte(0)
	if p.Dark {
		theme = 1
	}
	le := binary.LittleEndian
	buf = append(buf, version, theme)
	buf = le.AppendUint16(buf, uint16(len(marks)))
	buf = le.AppendUint32(buf, p.Number)
	buf = le.AppendUint16(buf, min(max(eighths(max(p.Width, 0)), 1), MaxSize*8))
	buf = le.AppendUint16(buf, min(max(eighths(max(p.Height, 0)), 1), MaxSize*8))
	// There are thousands of them in each frame: a mark is two words.
	at := len(buf)
	buf = slices.Grow(buf, len(marks)*markSize)[:at+len(marks)*markSize]
	for i := range marks {
		m, b := &marks[i], buf[at+i*markSize:][:markSize]
		w, h := m.W/2, m.H/2
		le.PutUint32(b, uint32(m.Shape)|uint32(m.Color)<<8|uint32(m.Alpha)<<16|uint32(m.Part)<<24)
		le.PutUint64(b[4:], uint64(eighths(m.X-w))|uint64(eighths(m.Y-h))<<16|uint64(eighths(m.X+w))<<32|uint64(eighths(m.Y+h))<<48)
	}
	return buf
}

// Decode reads a picture into p, and reuses p.Marks. On an error p is not to be drawn.
func Decode(buf []byte, p *Picture) error {
	if len(buf) < headerSize {
		return fmt.Errorf("frame: %d bytes, want a header of %d", len(buf), headerSize)
	}
	le := binary.LittleEndian
	if buf[0] != version {
		return fmt.Errorf("frame: version %d, want %d: page and stage are of different builds, reload", buf[0], version)
	}
	if buf[1] > 1 {
		return fmt.Errorf("frame: theme %d, want 0 (light) or 1 (dark)", buf[1])
	}
	n := int(le.Uint16(buf[2:]))
	if n > MaxMarks {
		return fmt.Errorf("frame: %d marks, want at most %d", n, MaxMarks)
	}
	if len(buf) < Size(n) {
		return fmt.Errorf("frame: %d bytes, want %d for %d marks", len(buf), Size(n), n)
	}
	w, h := le.Uint16(buf[8:]), le.Uint16(buf[10:])
	if w == 0 || w > MaxSize*8 || h == 0 || h > MaxSize*8 {
		return fmt.Errorf("frame: size %v × %v px, want more than 0 and at most %d", float32(w)/8, float32(h)/8, MaxSize)
	}
	p.Dark = buf[1] == 1
	p.Number = le.Uint32(buf[4:])
	p.Width, p.Height = float32(w)/8, float32(h)/8
	p.Marks = p.Marks[:0]
	for i := range n {
		b := buf[headerSize+i*markSize:][:markSize]
		if b[0] >= byte(Shapes) || b[1] >= byte(Colors) || b[3] != 0 && Shape(b[0]) != Arc && Shape(b[0]) != Band {
			return fmt.Errorf("frame: mark %d has shape %d, colour %d, part %d, want under %d, under %d, 0 unless it is an arc or a band",
				i, b[0], b[1], b[3], Shapes, Colors)
		}
		l, t, r, bottom := pixels(b[4:]), pixels(b[6:]), pixels(b[8:]), pixels(b[10:])
		p.Marks = append(p.Marks, Mark{
			Shape: Shape(b[0]), Color: Color(b[1]), Alpha: b[2], Part: b[3],
			X: (l + r) / 2, Y: (t + bottom) / 2, W: r - l, H: bottom - t,
		})
	}
	return nil
}

// eighths rounds to the nearest eighth of a pixel, halves away from 0. What is no number is 0.
func eighths(px float32) uint16 {
	switch v := px * 8; {
	case v >= 0 && v < 32767:
		return uint16(int32(v + 0.5))
	case v < 0 && v > -32768:
		return uint16(int32(v - 0.5))
	case v > 0:
		return 32767
	case v < 0:
		return 1 << 15
	default: // no number
		return 0
	}
}

func pixels(b []byte) float32 { return float32(int16(binary.LittleEndian.Uint16(b))) / 8 }
