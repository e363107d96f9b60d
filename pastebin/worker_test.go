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

// stubborn fails to clear while broken is set.
type stubborn struct {
	pastebin.Primary
	broken bool
}

var errStubborn = errors.New("stubborn")

func (s *stubborn) Clear(ctx context.Context, id string, at time.Time) error {
	if s.broken {
		return errStubborn
	}
	return s.Primary.Clear(ctx, id, at)
}

func TestFailingJobWaitsLongerEachTime(t *testing.T) {
	s, ctx := memory.New(), t.Context()
	primary := &stubborn{s.Primary, true}
	s.Primary = primary
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
	primary.broken = false
	if done, err := w.Run(ctx, now); done != 2 || err != nil { // it, and the purge that it files
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
	if done != 4 || err == nil || !strings.Contains(err.Error(), `"dance"`) { // each detach files a purge
		t.Errorf("%d done, error %v; want 4, and one that names the dance", done, err)
	}
}

// A worker that dies in the middle loses nothing: the job comes due again, and doing it over does no harm.
func TestReapIsDoneOver(t *testing.T) {
	s, ctx := memory.New(), t.Context()
	primary := &stubborn{s.Primary, true}
	s.Primary = primary
	w := pastebin.Worker{Stores: s}
	if err := s.Bucket.Put(ctx, "a", []byte("text")); err != nil {
		t.Fatal(err)
	}
	put(t, s, pastebin.Job{Kind: pastebin.Reap, Paste: "a", RunAt: noon})
	if _, err := w.Run(ctx, noon); !errors.Is(err, errStubborn) {
		t.Fatal(err)
	}
	primary.broken = false
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

// What a create left behind may lie about longer than it should. It must not take a paste with it that can still be
// brought back, or read again.
func TestReapLeavesWhatEndedToItsDetach(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		removed, burned := w.saved("text"), w.burning()
		if err := w.Delete(t.Context(), w.caller(), removed.ID); err != nil {
			t.Fatal(err)
		}
		w.wantRead(burned.ID, "a")
		for _, p := range []pastebin.Paste{removed, burned} {
			put(t, w.Stores, pastebin.Job{Kind: pastebin.Reap, Paste: p.ID, RunAt: w.now()})
		}
		w.work(0)
		w.wantRead(burned.ID, "a")
		if err := w.Undelete(t.Context(), removed.ID); err != nil {
			t.Error(err)
		}
	})
}

// A job may be done over at any time, by a worker that was away for long: no order of them harms what lives.
func TestJobsOfTheLiving(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.lasting(pastebin.MaxLives)
		for range 2 {
			for _, kind := range []pastebin.JobKind{pastebin.Reap, pastebin.Detach, pastebin.Purge, pastebin.Expire, pastebin.Lapse} {
				put(t, w.Stores, pastebin.Job{Kind: kind, Paste: p.ID, RunAt: w.now()})
			}
			w.work(pastebin.Lease)
			if !w.readable(p.ID) {
				t.Fatal("it has ended")
			}
		}
	})
}
