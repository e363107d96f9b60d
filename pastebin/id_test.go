package pastebin_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"regexp"
	"testing"

	"stormbin/pastebin"
)

func TestIDs(t *testing.T) {
	plain := regexp.MustCompile(`^[2-9A-HJ-NP-Za-km-z]{22}$`) // no 0 O, no 1 I l
	seen := map[string]bool{}
	used := map[rune]bool{}
	for range 2000 {
		id, err := pastebin.NewID(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if !plain.MatchString(id) {
			t.Fatalf("id %q, want one like %v", id, plain)
		}
		if seen[id] {
			t.Fatalf("id %s twice in %d", id, len(seen))
		}
		seen[id] = true
		for _, letter := range id {
			used[letter] = true
		}
	}
	if len(used) != 57 {
		t.Errorf("%d letters in use, want 57", len(used))
	}
}

func TestEveryRandomBitIsInTheID(t *testing.T) {
	seen := map[string]int{}
	for bit := range 128 {
		var b [16]byte
		b[bit/8] = 1 << (bit % 8)
		id, err := pastebin.NewID(bytes.NewReader(b[:]))
		if err != nil {
			t.Fatal(err)
		}
		if other, same := seen[id]; same {
			t.Errorf("bits %d and %d give the same id %s", other, bit, id)
		}
		seen[id] = bit
	}
}

func TestIDNeedsRandomness(t *testing.T) {
	if id, err := pastebin.NewID(bytes.NewReader(make([]byte, 15))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("id %q from 15 bytes, error %v; want io.ErrUnexpectedEOF", id, err)
	}
}
