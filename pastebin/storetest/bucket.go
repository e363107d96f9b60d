package storetest

import (
	"bytes"
	"slices"
	"testing"

	"stormbin/pastebin"
)

// texts are the ones that get altered on the way by whoever takes bytes for characters.
func texts() map[string][]byte {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return map[string][]byte{
		"empty":              {},
		"one newline":        []byte("\n"),
		"emoji":              []byte("🌩️👩‍👩‍👧"),
		"NUL":                []byte("a\x00b\x00"),
		"CRLF, LF and CR":    []byte("a\r\nb\nc\r"),
		"byte order mark":    []byte("\xef\xbb\xbfa"),
		"a lone surrogate":   []byte("\xed\xa0\x80"),
		"a lone byte of two": []byte("a\x80b\xc3"),
		"every byte":         all,
		"the largest":        bytes.Repeat([]byte("0123456789abcde\xff"), pastebin.MaxSize/16),
	}
}

func textsComeBack(t *testing.T, s pastebin.Stores) {
	for name, text := range texts() {
		ok(t, s.Bucket.Put(t.Context(), name, text))
	}
	for name, text := range texts() {
		wantText(t, s, name, text)
	}
}

func textsAreReplaced(t *testing.T, s pastebin.Stores) {
	ok(t, s.Bucket.Put(t.Context(), "a", []byte("a long text")))
	ok(t, s.Bucket.Put(t.Context(), "a", []byte("short")))
	wantText(t, s, "a", []byte("short"))
}

func slicesAreCopied(t *testing.T, s pastebin.Stores) {
	ctx, text := t.Context(), []byte("as it was")
	ok(t, s.Bucket.Put(ctx, "a", text))
	ok(t, s.Cache.Put(ctx, pastebin.Entry{Paste: row("a"), Text: text, Filled: noon}))
	copy(text, "no longer")
	for range 2 { // what comes out is scribbled on too, and then read again
		got, err := s.Bucket.Get(ctx, "a")
		ok(t, err)
		e, err := s.Cache.Get(ctx, "a")
		ok(t, err)
		if string(got) != "as it was" || string(e.Text) != "as it was" {
			t.Errorf("the bucket has %q and the cache %q, after their slices were written to", got, e.Text)
		}
		clear(got)
		clear(e.Text)
	}
}

func scan(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	scanned := func(after string, limit int, want ...string) {
		t.Helper()
		objects, err := s.Bucket.Scan(ctx, after, limit)
		ok(t, err)
		var got []string
		for _, o := range objects {
			got = append(got, o.ID)
			if string(o.Text) != "text of "+o.ID+"\xff" {
				t.Errorf("%s has the text %q", o.ID, o.Text)
			}
			clear(o.Text) // it is a copy
		}
		if !slices.Equal(got, want) {
			t.Errorf("after %q, %d: %q\nwant %q", after, limit, got, want)
		}
	}
	scanned("", 3)
	for _, id := range []string{"b", "Z", "aa", "2", "a"} {
		ok(t, s.Bucket.Put(ctx, id, []byte("text of "+id+"\xff")))
	}
	scanned("", 1, "2")
	scanned("", 2, "2", "Z")
	scanned("Z", 2, "a", "aa")
	scanned("aa", 2, "b")
	scanned("aab", 2, "b") // whether there is one of that id or not
	scanned("b", 2)
	scanned("", 5, "2", "Z", "a", "aa", "b")
	scanned("", 500, "2", "Z", "a", "aa", "b")
}
