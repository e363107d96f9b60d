package pastebin_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSearch(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for id, text := range map[string]string{
			"a": "The needle is HERE.\n", "b": "nothing", "c": "", "d": "ÄRGER\nmit 🌩️", "e": "\xff\x00needle\xff",
		} {
			if err := w.Bucket.Put(t.Context(), id, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		for query, want := range map[string][]string{
			"needle": {"a", "e"}, "NEEDLE": {"a", "e"}, "here.\n": {"a"}, "ärger": {"d"}, "🌩️": {"d"}, "pin": nil, "": {"a", "b", "c", "d", "e"},
		} {
			var got []string
			err := w.Search(t.Context(), query, func(ids []string, seen int) {
				got = append(got, ids...)
				if seen != 5 {
					t.Errorf("%q: %d seen, want 5", query, seen)
				}
			})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%q is in %q, error %v; want %q", query, got, err, want)
			}
		}
	})
}

// What is found is what bytes.ToLower would find.
func TestSearchIgnoresCase(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := shelf()
		text := anyText().Draw(rt, "text")
		from := rapid.IntRange(0, len(text)).Draw(rt, "from")
		query := string(text[from:rapid.IntRange(from, len(text)).Draw(rt, "to")])
		if rapid.Bool().Draw(rt, "in capitals") {
			query = strings.ToUpper(query)
		}
		if err := s.Bucket.Put(rt.Context(), "a", text); err != nil {
			rt.Fatal(err)
		}
		found := false
		if err := s.Search(rt.Context(), query, func(ids []string, _ int) { found = len(ids) == 1 }); err != nil {
			rt.Fatal(err)
		}
		if want := bytes.Contains(bytes.ToLower(text), bytes.ToLower([]byte(query))); found != want {
			rt.Errorf("%q in %q: found %v, want %v", query, text, found, want)
		}
	})
}

// A search tells as it goes, and finds each once, however many there are and however large they are.
func TestSearchInBatches(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for i := range 100 {
			text := append(bytes.Repeat([]byte{'x'}, i*1000), fmt.Sprint("number ", i%10)...)
			if err := w.Bucket.Put(t.Context(), fmt.Sprintf("%03d", i), text); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		last, calls := 0, 0
		err := w.Search(t.Context(), "Number 7", func(ids []string, seen int) {
			got = append(got, ids...)
			if calls++; seen < last {
				t.Errorf("%d seen after %d", seen, last)
			}
			last = seen
		})
		want := []string{"007", "017", "027", "037", "047", "057", "067", "077", "087", "097"}
		if err != nil || !slices.Equal(got, want) || last != 100 || calls < 3 {
			t.Errorf("found %q, error %v, %d seen in %d calls", got, err, last, calls)
		}
	})
}

func TestSearchStops(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for i := range 100 {
			if err := w.Bucket.Put(t.Context(), fmt.Sprint(i), []byte("text")); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		err := w.Search(ctx, "text", func([]string, int) {
			calls++
			cancel()
		})
		if !errors.Is(err, context.Canceled) || calls != 1 {
			t.Errorf("error %v after %d calls, want context.Canceled after one", err, calls)
		}
	})
}
