package pastebin_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"stormbin/pastebin"
)

func TestIsText(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "plain\n": true, "a\tb\r\nc\f": true, "\x1b[31mred\x1b[0m": true, "עברית \u202e": true, "🌩️": true, "\xef\xbb\xbfx\n": true, "\uFFFD": true,
		"a\x00b": false, "\x07": false, "\xff": false, "a\xc3": false, "\xed\xa0\xbd": false, "\x1f\x8b\x08": false,
	} {
		if got := pastebin.IsText([]byte(text)); got != want {
			t.Errorf("%q is text: %t, want %t", text, got, want)
		}
	}
}

func FuzzIsText(f *testing.F) {
	for _, text := range samples() {
		if len(text) < 2000 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !pastebin.IsText(text) {
			return
		}
		// Shown as characters and taken back, it is what it was.
		if string([]rune(string(text))) != string(text) {
			t.Errorf("%q is no text", text)
		}
	})
}

func TestInvisible(t *testing.T) {
	for r, want := range map[rune]string{
		0x202E: "U+202E right-to-left override", 0x2066: "U+2066 left-to-right isolate", 0x200B: "U+200B zero width space", 0xAD: "U+00AD soft hyphen",
		0xFEFF: "U+FEFF byte order mark", 0: "U+0000 NUL", 0x1B: "U+001B escape", 0x0C: "U+000C form feed", 0x90: "U+0090 control character",
		0xE0041: "U+E0041 tag character", 0x2069: "U+2069 pop directional isolate", 0x3164: "U+3164 Hangul filler", 0xFFF9: "U+FFF9 format character",
	} {
		if got, ok := pastebin.Invisible(r); got != want || !ok {
			t.Errorf("%U is %q, %t; want %q", r, got, ok, want)
		}
	}
	for _, r := range "a \t\r\né🌩\u00a0\u3000א\ufffd" {
		if name, ok := pastebin.Invisible(r); ok {
			t.Errorf("%U is %q, want none: it is seen", r, name)
		}
	}
}

// Whatever Unicode calls a format or control character is marked, but for the white space of every text.
func TestInvisibleKnowsAll(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		name, ok := pastebin.Invisible(r)
		if want := unicode.In(r, unicode.Cf, unicode.Cc) && !strings.ContainsRune("\t\r\n", r); want && !ok {
			t.Errorf("%U is not marked", r)
		}
		if ok && (unicode.IsLetter(r) && !strings.Contains(name, "filler") || unicode.IsDigit(r) || !utf8.ValidRune(r)) {
			t.Errorf("%U is marked as %s", r, name)
		}
	}
}
