package json

import (
	"encoding/json"
	"strings"
	"testing"
)

// What is written is read by another reader as what it was, with U+FFFD for each byte that isn't UTF-8.
func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "plain", "a\"b\\c", "\x00\n\r\t\x1f\x7f", "é 😀 \u2028\ufffd", "\xff\xfe", "a\xffb\x00", "\"", "end\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		written := AppendString([]byte("x"), s)
		var read string
		if err := json.Unmarshal(written[1:], &read); err != nil || written[0] != 'x' {
			t.Fatalf("%q is written as %s: %v", s, written, err)
		}
		if want := string([]rune(s)); read != want {
			t.Errorf("%q is read as %q, want %q", s, read, want)
		}
	})
}

func BenchmarkAppendString(b *testing.B) {
	for name, s := range map[string]string{
		"text":     strings.Repeat("a line of words, as most of what is written has them\n", 200),
		"newlines": strings.Repeat("\n", 1<<20),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			var out []byte
			for b.Loop() {
				out = AppendString(out[:0], s)
			}
		})
	}
}
