package pastebin_test

import (
	"bytes"
	"math/rand/v2"
	"strings"

	"pgregory.net/rapid"

	"stormbin/pastebin"
)

// samples are texts that get altered on the way by whoever takes bytes for characters, or content for markup.
func samples() map[string][]byte {
	random := make([]byte, 1000)
	source := rand.NewChaCha8([32]byte{4})
	source.Read(random)
	return map[string][]byte{
		"empty":           {},
		"an LF script":    []byte("#!/bin/sh\nset -e\necho done\n"),
		"CRLF":            []byte("a\r\nb\r\n"),
		"a mark in front": []byte("\xef\xbb\xbfx\n"),
		"NUL":             []byte("a\x00b"),
		"a lone byte":     []byte("a\xff"),
		"a lone half":     []byte("\"a\xed\xa0\xbd\""),
		"U+FFFD itself":   []byte("a\uFFFDb"),
		"markup":          []byte("$& </textarea><script>alert(1)</script>\n---\n"),
		"separators":      []byte("a\u2028b\u2029c\u0085d"),
		"random bytes":    random,
		"the largest":     bytes.Repeat([]byte("0123456789abcde\n"), pastebin.MaxSize/16),
		"a line of emoji": []byte(strings.Repeat("😀", 262_144)),
		"control bytes":   bytes.Repeat([]byte{1}, pastebin.MaxSize),
	}
}

// anyText draws a text, of characters or of bytes.
func anyText() *rapid.Generator[[]byte] {
	return rapid.OneOf(
		rapid.Map(rapid.String(), func(s string) []byte { return []byte(s) }),
		rapid.SliceOfN(rapid.Byte(), 0, 300),
	)
}

// anyTitle draws a title that is kept as it is.
func anyTitle() *rapid.Generator[string] {
	return rapid.StringN(0, 60, pastebin.MaxTitle).Filter(func(s string) bool { return !strings.HasPrefix(s, "\uFEFF") })
}

func anyLanguage() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		i := rapid.IntRange(-1, len(pastebin.Languages)-1).Draw(t, "language")
		if i < 0 {
			return ""
		}
		return pastebin.Languages[i].Name
	})
}
