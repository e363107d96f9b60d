package frame

import "image/color"

// Color is an index into the token table.
type Color uint8

// The tokens. The first eight are the marks of the legend: one word, one colour, one shape.
const (
	First Color = iota
	Retry
	Hedge
	Abandoned // work that nobody waits for
	OK        // answered in time
	Failed
	Shed  // turned away at a cap
	Yours // the reader's own

	Background // behind everything
	Surface    // a panel or a box that stands out from it
	Border     // lines around things
	Text
	TextMuted
	Accent   // what can be acted on
	SlotFree // a slot that nobody holds
	Queue    // a queue too long to be drawn one by one

	// A text in colours; what isn't here is as other text.
	CodeKeyword
	CodeName
	CodeType
	CodeString
	CodeNumber

	Colors // how many there are
)

// token is one line of the table. web/tokens.css has the same lines, and a test holds the two together.
type token struct {
	name        string // its custom property, without the dashes
	light, dark uint32 // 0xRRGGBB
}

var tokens = [Colors]token{
	First:     {"first", 0x0072B2, 0x56B4E9},
	Retry:     {"retry", 0xD55E00, 0xE8833A},
	Hedge:     {"hedge", 0x9A6A00, 0xE69F00},
	Abandoned: {"abandoned", 0x6B7280, 0x9CA3AF},
	OK:        {"ok", 0x00795A, 0x2FBF95},
	Failed:    {"failed", 0xB3261E, 0xF2867D},
	Shed:      {"shed", 0xB3261E, 0xF2867D},
	Yours:     {"yours", 0xA0408A, 0xE29BCB},

	Background: {"background", 0xFBFBFA, 0x14171A},
	Surface:    {"surface", 0xFFFFFF, 0x1B1F24},
	Border:     {"border", 0x868D96, 0x707982},
	Text:       {"text", 0x1B1F24, 0xE8EAED},
	TextMuted:  {"text-muted", 0x59616B, 0xA3AAB3},
	Accent:     {"accent", 0x4A4FC4, 0xA5AAFF},
	SlotFree:   {"slot-free", 0x868D96, 0x707982},
	Queue:      {"queue", 0x5B7C99, 0x7FA0BD},

	CodeKeyword: {"code-keyword", 0x8A3A94, 0xD9A3E3},
	CodeName:    {"code-name", 0x0B5FA5, 0x7FBDF5},
	CodeType:    {"code-type", 0x0B6E70, 0x6CC7C5},
	CodeString:  {"code-string", 0x2F6B1E, 0x9CCB86},
	CodeNumber:  {"code-number", 0x9A4A0F, 0xE8AC7C},
}

// RGB is the colour in the light or the dark theme, opaque.
func (c Color) RGB(dark bool) color.RGBA {
	v := tokens[c].light
	if dark {
		v = tokens[c].dark
	}
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

// Name is the token's CSS custom property without its dashes: "text-muted".
func (c Color) Name() string { return tokens[c].name }
