package pastebin_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"stormbin/pastebin"
	"stormbin/pastebin/memory"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// stubborn fails to remove texts while broken is set.
type stubborn struct {
	pastebin.Bucket
	broken bool
}

var errStubborn = errors.New("stubborn")

func (s *stubborn) Remove(ctx context.Context, id string) error {
	if s.broken {
		return errStubborn
	}
	return s.Bucket.Remove(ctx, id)
}

func TestFailingJobWaitsLongerEachTime(t *testing.T) {
	s, ctx := memory.New(), t.Context()
	bucket := &stubborn{s.Bucket, true}
	s.Bucket = bucket
	w := pastebin.Worker{Stores: s}
	put(t, s, pastebin.Job{Kind: pastebin.Detach, Paste: "a", RunAt: noon})

	now := noon
	for _, wait := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second} {
		if done, err := w.Run(ctx, now); done != 0 || !errors.Is(err, errStubborn) || !strings.Contains(err.Error(), "detach paste a") {
			t.Fatalf("at %v: %d done, error %v", now, done, err)
		}
		now = now.Add(wait)
		if done, err := w.Run(ctx, now.Add(-time.Millisecond)); done != 0 || err != nil {
			t.Fatalf("before %v: %d done, error %v; it should still wait", now, done, err)
		}
	}
	bucket.broken = false
	if done, err := w.Run(ctx, now); done != 1 || err != nil {
		t.Errorf("mended: %d done, error %v", done, err)
	}
	if done, err := w.Run(ctx, now.Add(1000*time.Hour)); done != 0 || err != nil {
		t.Errorf("done already: %d done, error %v", done, err)
	}
}

func TestFailingJobDoesNotStopTheOthers(t *testing.T) {
	s, ctx := memory.New(), t.Context()
	put(t, s, pastebin.Job{Kind: "dance", Paste: "a", RunAt: noon.Add(-time.Hour)})
	put(t, s, pastebin.Job{Kind: pastebin.Detach, Paste: "b", RunAt: noon})
	put(t, s, pastebin.Job{Kind: pastebin.Detach, Paste: "c", RunAt: noon})
	done, err := pastebin.Worker{Stores: s}.Run(ctx, noon)
	if done != 2 || err == nil || !strings.Contains(err.Error(), `"dance"`) {
		t.Errorf("%d done, error %v; want 2, and one that names the dance", done, err)
	}
}

// A worker that dies in the middle loses nothing: the job comes due again, and doing it over does no harm.
func TestReapIsDoneOver(t *testing.T) {
	s, ctx := memory.New(), t.Context()
	bucket := &stubborn{s.Bucket, true}
	s.Bucket = bucket
	w := pastebin.Worker{Stores: s}
	if err := s.Bucket.Put(ctx, "a", []byte("text")); err != nil {
		t.Fatal(err)
	}
	put(t, s, pastebin.Job{Kind: pastebin.Reap, Paste: "a", RunAt: noon})
	if _, err := w.Run(ctx, noon); !errors.Is(err, errStubborn) { // the id is taken, the text is still there
		t.Fatal(err)
	}
	bucket.broken = false
	if done, err := w.Run(ctx, noon.Add(time.Hour)); done != 1 || err != nil {
		t.Fatalf("%d done, error %v", done, err)
	}
	if _, err := s.Bucket.Get(ctx, "a"); !errors.Is(err, pastebin.ErrNotFound) {
		t.Errorf("the orphan is still there: %v", err)
	}
}

func TestWorkerStopsWithItsContext(t *testing.T) {
	s := memory.New()
	put(t, s, pastebin.Job{Kind: pastebin.Detach, Paste: "a", RunAt: noon})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if done, err := (pastebin.Worker{Stores: s}).Run(ctx, noon); done != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d done, error %v; want none, and context.Canceled", done, err)
	}
}

func put(t *testing.T, s pastebin.Stores, j pastebin.Job) {
	t.Helper()
	if err := s.Jobs.Put(t.Context(), j); err != nil {
		t.Fatal(err)
	}
}
