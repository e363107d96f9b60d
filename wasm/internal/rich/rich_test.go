package rich

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What the worker sends is what the page gets.
func TestWire(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sent := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Token {
			return Token{rapid.SampledFrom(Kinds[:]).Draw(t, "kind"), rapid.IntRange(1, MaxHighlight).Draw(t, "length")}
		})).Draw(t, "tokens")
		size := 0
		for _, token := range sent {
			size += token.Length
		}
		got, err := Decode(Append(nil, sent), size)
		if err != nil || !slices.Equal(got, sent) {
			t.Fatalf("got %v, error %v", got, err)
		}
		if _, err := Decode(Append(nil, sent), size+1); err == nil {
			t.Fatal("a byte of the text has no token, and that is no error")
		}
		if size > 0 {
			if _, err := Decode(Append(nil, sent), size-1); err == nil {
				t.Fatal("a token ends behind the text, and that is no error")
			}
		}
	})
}

// Whatever comes, what is read from it covers the text and nothing else.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"", "\x00", "\x01\x02", "\x01\x00", "\x01\x80", "\xff\x01", "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x01\x02\x03\x04"} {
		f.Add([]byte(seed), 6)
	}
	f.Fuzz(func(t *testing.T, b []byte, size int) {
		if size < 0 {
			t.Skip("no text has less than nothing")
		}
		tokens, err := Decode(b, size)
		if err != nil {
			return
		}
		for _, token := range tokens {
			if token.Length <= 0 || !slices.Contains(Kinds[:], token.Kind) {
				t.Fatalf("%+v", token)
			}
			size -= token.Length
		}
		if size != 0 {
			t.Fatalf("%d bytes are left", size)
		}
	})
}

func TestLimit(t *testing.T) {
	if err := limit(strings.Repeat("a", MaxHighlight), MaxHighlight, "coloured"); err != nil {
		t.Errorf("a text of just the limit: %v", err)
	}
	err := limit(strings.Repeat("a", 300_000), MaxHighlight, "coloured")
	var tooLarge *TooLargeError
	if !errors.As(err, &tooLarge) || err.Error() != "The text has 300,000 bytes. Up to 262,144 are coloured." {
		t.Errorf("one over it: %v", err)
	}
}
