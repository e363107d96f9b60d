package pastebin

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// IsText says whether b can be shown as text and come out again as it was: valid UTF-8 without control characters other
// than tab, line feed, carriage return, form feed and escape, which logs with colours are full of. Anything else is binary.
func IsText(b []byte) bool {
	for _, c := range b { // a byte below the blank is a character by itself
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\x1b' {
			return false
		}
	}
	return utf8.Valid(b)
}

// Invisible says whether r can't be seen where it stands, or changes how its neighbours are shown, so that a text may not
// say what it seems to. name is its code and what it is: "U+202E right-to-left override". Spaces, tabs and the ends of
// lines are seen.
func Invisible(r rune) (name string, ok bool) {
	name, ok = invisible[r]
	switch {
	case ok:
	case r == '\t' || r == '\n' || r == '\r':
		return "", false
	case unicode.IsControl(r):
		name = "control character"
	case 0xE0020 <= r && r <= 0xE007F:
		name = "tag character"
	case unicode.Is(unicode.Cf, r):
		name = "format character"
	default:
		return "", false
	}
	return fmt.Sprintf("U+%04X %s", r, name), true
}

// invisible are the names of those that are met most.
var invisible = map[rune]string{
	0x00: "NUL", 0x07: "bell", 0x08: "backspace", 0x0B: "vertical tab", 0x0C: "form feed", 0x1B: "escape", 0x7F: "delete", 0x85: "next line",

	0x061C: "Arabic letter mark", 0x200E: "left-to-right mark", 0x200F: "right-to-left mark",
	0x202A: "left-to-right embedding", 0x202B: "right-to-left embedding", 0x202C: "pop directional formatting",
	0x202D: "left-to-right override", 0x202E: "right-to-left override",
	0x2066: "left-to-right isolate", 0x2067: "right-to-left isolate", 0x2068: "first strong isolate", 0x2069: "pop directional isolate",

	0x00AD: "soft hyphen", 0x034F: "combining grapheme joiner", 0x180E: "Mongolian vowel separator",
	0x200B: "zero width space", 0x200C: "zero width non-joiner", 0x200D: "zero width joiner",
	0x2060: "word joiner", 0x2061: "function application", 0x2062: "invisible times", 0x2063: "invisible separator", 0x2064: "invisible plus",
	0xFEFF: "byte order mark",

	0x2028: "line separator", 0x2029: "paragraph separator",
	0x115F: "Hangul choseong filler", 0x1160: "Hangul jungseong filler", 0x3164: "Hangul filler", 0xFFA0: "halfwidth Hangul filler",
}
