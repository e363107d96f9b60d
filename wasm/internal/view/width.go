package view

import "strings"

// The page measures its words only when it has drawn them, so that what must not overlap is settled by an estimate that is
// rather too wide: of the sans-serifs that systems have, at the sizes that page.css gives to each kind of label.

// size is of letters, in CSS pixels.
func (k Kind) size(narrow bool) float32 {
	size := float32(13)
	if k == Name {
		size = 14
	}
	if narrow {
		size--
	}
	return size
}

// width is about how wide words of a kind are.
func (k Kind) width(text string, narrow bool) float32 {
	em := float32(0)
	for _, r := range text {
		em += letter(r)
	}
	w := em * k.size(narrow)
	if k != Note {
		w *= 1.14 // bold
	}
	if k == You || k == Run {
		w += 6 // of its ground around it
	}
	return w
}

// letter is how wide a letter is, in parts of its size.
func letter(r rune) float32 {
	switch {
	case strings.ContainsRune("ijl'|’", r):
		return .31
	case strings.ContainsRune(" .,:;!/I", r):
		return .345
	case strings.ContainsRune("()-rtf", r):
		return .435
	case strings.ContainsRune("mwMW%", r):
		return .98
	case r == '+' || r == '×':
		return .84
	case r >= 'A' && r <= 'Z':
		return .77
	}
	return .64
}
