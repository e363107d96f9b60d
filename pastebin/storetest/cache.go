package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"stormbin/pastebin"
)

func entriesComeBack(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	for _, text := range texts() {
		want := pastebin.Entry{Paste: full("a"), Text: text, Filled: noon}
		want.Paste.Size = len(text)
		ok(t, s.Cache.Put(ctx, want))
		got, err := s.Cache.Get(ctx, "a")
		ok(t, err)
		if got.Paste != want.Paste || got.Filled != want.Filled || !bytes.Equal(got.Text, want.Text) {
			t.Errorf("cached %v and %d bytes at %v\nwant   %v and %d bytes at %v",
				got.Paste, len(got.Text), got.Filled, want.Paste, len(want.Text), want.Filled)
		}
	}
}

func cacheIsBounded(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	put := func(i int, at time.Duration) {
		ok(t, s.Cache.Put(ctx, pastebin.Entry{Paste: row(fmt.Sprint(i)), Text: []byte{byte(i)}, Filled: noon.Add(at * time.Second)}))
	}
	for i := range pastebin.CacheLimit {
		put(i, time.Duration(i))
	}
	put(0, 1000) // again, so that 1 is the oldest
	put(pastebin.CacheLimit, 2000)
	for i := range pastebin.CacheLimit + 1 {
		_, err := s.Cache.Get(ctx, fmt.Sprint(i))
		if dropped := errors.Is(err, pastebin.ErrNotFound); dropped != (i == 1) {
			t.Errorf("entry %d: %v; only entry 1 should have been dropped", i, err)
		}
	}
}
