package pastebin_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"stormbin/engine/policy"
	"stormbin/pastebin"
	"stormbin/pastebin/memory"
)

func TestReadFaults(t *testing.T) {
	for _, test := range []struct {
		name     string
		sick     map[string]sickness
		rules    map[string]policy.Rule
		want     int
		took     time.Duration
		hops     string
		sentence string
	}{
		{
			name: "nothing is wrong",
			want: 200, took: 3 * ms, hops: "cache_get ok, primary_read ok, object_get ok",
		},
		{
			name: "the cache is slow", sick: map[string]sickness{"cache_get": stalled},
			want: 200, took: 7 * ms, hops: "cache_get timeout, primary_read ok, object_get ok",
		},
		{
			name: "the cache is down", sick: map[string]sickness{"cache_get": refuses},
			want: 200, took: 3 * ms, hops: "cache_get refused, primary_read ok, object_get ok",
		},
		{
			name: "the primary stalls", sick: map[string]sickness{"primary_read": stalled},
			want: 503, took: 21 * ms, hops: "cache_get ok, primary_read timeout",
			sentence: "Timed out after 20 ms. The primary may still be working on it.",
		},
		{
			name: "the primary stalls, for one who asks four times", sick: map[string]sickness{"primary_read": stalled},
			rules: map[string]policy.Rule{"primary_read": {Timeout: 20 * ms, Attempts: 4, RetryOn: policy.Set(policy.Timeout)}},
			want:  503, took: 81 * ms,
			hops:     "cache_get ok, primary_read timeout, primary_read timeout, primary_read timeout, primary_read timeout",
			sentence: "Timed out after 80 ms (4 attempts). The primary may still be working on it.",
		},
		{
			name: "the primary is down", sick: map[string]sickness{"primary_read": refuses},
			want: 503, took: 2 * ms, hops: "cache_get ok, primary_read refused",
			sentence: "The primary refused the connection.",
		},
		{
			name: "the bucket stalls", sick: map[string]sickness{"object_get": stalled},
			want: 503, took: 202 * ms, hops: "cache_get ok, primary_read ok, object_get timeout",
			sentence: "Timed out after 200 ms. The bucket may still be working on it.",
		},
		{
			name: "the bucket fails", sick: map[string]sickness{"object_get": fails},
			want: 503, took: 3 * ms, hops: "cache_get ok, primary_read ok, object_get error",
			sentence: "The bucket failed.",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				const text = "a\r\n\x00🌩️\xff\n"
				saved := w.saved(text)
				w.sick, w.rules = test.sick, test.rules
				start := time.Now()
				p, got, err := w.Read(t.Context(), w.caller(), saved.ID)
				if took := time.Since(start); took != test.took {
					t.Errorf("took %v, want %v", took, test.took)
				}
				if s := status(err, 200); s != test.want {
					t.Errorf("status %d (%v), want %d", s, err, test.want)
				}
				if hops := strings.Join(w.hops, ", "); hops != test.hops {
					t.Errorf("hops %s\nwant %s", hops, test.hops)
				}
				if err == nil && (p != saved || string(got) != text) {
					t.Errorf("read %+v with %q\nwant %+v with %q", p, got, saved, text)
				}
				if err != nil {
					wantError(t, err, test.want, test.sentence)
					if p != (pastebin.Paste{}) || got != nil {
						t.Errorf("a failed read gave %+v with %q", p, got)
					}
				}
			})
		})
	}
}

func TestReadPastItsDeadline(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.saved("text")
		w.sick["primary_read"] = sickness{after: 15 * ms}
		c := w.caller()
		c.Deadline = 10 * ms
		_, _, err := w.Read(t.Context(), c, p.ID)
		wantError(t, err, 503, "Timed out after 9 ms.")
	})
}

func TestNotFound(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		_, _, err := w.Read(t.Context(), w.caller(), "never")
		wantError(t, err, 404, "There never was a paste with this id.")
		if !errors.Is(err, pastebin.ErrNotFound) {
			t.Errorf("cause of %v, want ErrNotFound", err)
		}
		if hops := strings.Join(w.hops, ", "); hops != "cache_get ok, primary_read ok" {
			t.Errorf("hops %s: a row that is not there is an answer, and no failure", hops)
		}
		wantError(t, w.Delete(t.Context(), w.caller(), "never"), 404, "There never was a paste with this id.")
	})
}

func TestCacheHit(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		saved := w.saved("text")
		read := func() (pastebin.Paste, string, error) {
			p, text, err := w.Read(t.Context(), w.caller(), saved.ID)
			return p, string(text), err
		}
		if _, _, err := read(); err != nil {
			t.Fatal(err)
		}
		w.sick["primary_read"], w.sick["object_get"] = refuses, refuses
		p, text, err := read()
		if p != saved || text != "text" || err != nil {
			t.Errorf("read %+v with %q, error %v", p, text, err)
		}
		if hops := strings.Join(w.hops, ", "); hops != "cache_get ok" {
			t.Errorf("hops %s, want cache_get ok", hops)
		}
		time.Sleep(pastebin.CacheFor)
		_, _, err = read()
		wantError(t, err, 503, "The primary refused the connection.")
	})
}

func TestDamage(t *testing.T) {
	for _, test := range []struct {
		name     string
		damage   func(w *world, id string) error
		want     int
		sentence string
	}{
		{"cut short", func(w *world, id string) error { return w.Bucket.Put(w.t.Context(), id, []byte("te")) },
			500, "The text of this paste is damaged: 2 bytes came back where 4 were saved."},
		{"altered", func(w *world, id string) error { return w.Bucket.Put(w.t.Context(), id, []byte("tent")) },
			500, "The text of this paste is damaged: the bytes that came back have checksum"},
		{"missing", func(w *world, id string) error { w.Bucket = memory.New().Bucket; return nil },
			500, "The text of this paste is missing from the bucket."},
		{"damaged in the cache alone", func(w *world, id string) error {
			p, err := w.Primary.Get(w.t.Context(), id)
			if err != nil {
				return err
			}
			return w.Cache.Put(w.t.Context(), pastebin.Entry{Paste: p, Text: []byte("te"), Filled: time.Now().UTC().Truncate(ms)})
		}, 200, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				p := w.saved("text")
				if err := test.damage(w, p.ID); err != nil {
					t.Fatal(err)
				}
				_, text, err := w.Read(t.Context(), w.caller(), p.ID)
				if test.want != 200 {
					wantError(t, err, test.want, test.sentence)
				} else if err != nil || string(text) != "text" {
					t.Errorf("read %q, error %v", text, err)
				}
			})
		})
	}
}

// Deleted between the two halves of a read: that is a 404, and no damage.
func TestDeletedWhileRead(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.saved("text")
		w.sick["object_get"] = sickness{after: 100 * ms}
		reader, deleter := w.caller(), w.caller()
		deleter.Watch = nil
		var read sync.WaitGroup
		read.Go(func() {
			_, _, err := w.Read(t.Context(), reader, p.ID)
			wantError(t, err, 404, "This paste was deleted.")
		})
		time.Sleep(50 * ms)
		if err := w.Delete(t.Context(), deleter, p.ID); err != nil {
			t.Error(err)
		}
		w.work(pastebin.UndoFor)
		read.Wait()
	})
}
