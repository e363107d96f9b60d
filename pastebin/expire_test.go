package pastebin_test

import (
	"errors"
	"testing"
	"time"

	"stormbin/pastebin"
)

// lasting is a paste that is kept for so long.
func (w *world) lasting(lives time.Duration) pastebin.Paste {
	w.t.Helper()
	d := draft("text")
	d.Lives = lives
	p, err := w.Create(w.t.Context(), w.caller(), d)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// readable reads a paste, and checks that if it can't be read, that is because it has expired.
func (w *world) readable(id string) bool {
	w.t.Helper()
	_, text, err := w.Read(w.t.Context(), w.caller(), id)
	if err == nil {
		if string(text) != "text" {
			w.t.Errorf("read %q", text)
		}
		return true
	}
	wantError(w.t, err, 404, "This paste has expired.")
	if !errors.Is(err, pastebin.ErrExpired) || text != nil {
		w.t.Errorf("read %q; cause of %v, want ErrExpired", text, err)
	}
	return false
}

func TestExpires(t *testing.T) {
	for _, cached := range []bool{false, true} {
		inWorld(t, func(t *testing.T, w *world) {
			p := w.lasting(5 * time.Minute)
			time.Sleep(time.Until(p.Expires) - 10*ms)
			if cached && !w.readable(p.ID) {
				t.Error("expired before its time")
			}
			if list, err := w.List(t.Context()); len(list) != 1 || err != nil {
				t.Errorf("listed %+v, error %v; want it", list, err)
			}
			time.Sleep(time.Until(p.Expires))
			if w.readable(p.ID) {
				t.Errorf("read after its time; in the cache: %t", cached)
			}
			if list, err := w.List(t.Context()); len(list) != 0 || err != nil {
				t.Errorf("listed %+v, error %v; want none", list, err)
			}
		})
	}
}

func TestExpiredBytesAreRemoved(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.lasting(time.Hour)
		time.Sleep(time.Hour)
		w.work(0)
		if !w.text(p.ID) {
			t.Error("removed at the first look")
		}
		time.Sleep(pastebin.ExpiryGrace)
		w.work(0)
		if j, there := w.job(); w.text(p.ID) || w.inCache(p.ID) || there {
			t.Errorf("a text is there: %t, in the cache: %t, a job: %t %+v", w.text(p.ID), w.inCache(p.ID), there, j)
		}
		if w.readable(p.ID) {
			t.Error("read")
		}
		w.jump = -24 * time.Hour
		if w.readable(p.ID) {
			t.Error("read with the clock set back, though it has ended")
		}
	})
}

// A clock that jumps to next year and back must cost nothing.
func TestClockThatJumps(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.lasting(48 * time.Hour)
		w.jump = 365 * 24 * time.Hour
		if w.readable(p.ID) {
			t.Error("read, though by the clock it has expired")
		}
		for range 50 { // minutes, in which the page's worker runs
			time.Sleep(time.Minute)
			w.work(w.jump)
		}
		w.jump = 0
		if !w.readable(p.ID) {
			t.Error("not read with the clock set right")
		}
		w.work(0)
		if list, err := w.List(t.Context()); len(list) != 1 || err != nil {
			t.Errorf("listed %+v, error %v; want it", list, err)
		}
	})
}

// However often a clock jumps, it costs nothing as long as it is right in between: it is the jumps that are not believed.
func TestClockThatJumpsAgain(t *testing.T) {
	for _, jumps := range [][]time.Duration{
		{24 * time.Hour, 48 * time.Hour},
		{48 * time.Hour, 24 * time.Hour, 72 * time.Hour},
		{20 * time.Minute, 10 * 365 * 24 * time.Hour},
	} {
		inWorld(t, func(t *testing.T, w *world) {
			p := w.lasting(10 * time.Minute)
			for _, jump := range jumps {
				w.work(jump)
				w.work(0)
			}
			if !w.readable(p.ID) || !w.text(p.ID) {
				t.Fatalf("jumps of %v have ended it", jumps)
			}
			for range 3 { // in its own time it goes all the same
				time.Sleep(pastebin.ExpiryGrace)
				w.work(0)
			}
			if w.text(p.ID) {
				t.Error("never removed")
			}
		})
	}
}

// The second look finds that the clock was set right meanwhile: then the paste is looked at again in its time.
func TestLapseOfWhatHasNotExpired(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.lasting(time.Hour)
		time.Sleep(time.Minute)
		put(t, w.Stores, pastebin.Job{Kind: pastebin.Lapse, Paste: p.ID, RunAt: w.now()})
		w.work(0)
		if !w.readable(p.ID) {
			t.Fatal("ended before its time")
		}
		time.Sleep(time.Hour)
		w.work(0)
		time.Sleep(pastebin.ExpiryGrace)
		w.work(0)
		if w.text(p.ID) {
			t.Error("never removed")
		}
	})
}

// The job to expire a paste comes while the paste is deleted, and the delete is undone.
func TestExpiresAfterUndelete(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.lasting(time.Hour)
		time.Sleep(time.Hour - 10*time.Second)
		if err := w.Delete(t.Context(), w.caller(), p.ID); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Second)
		w.work(0)
		if err := w.Undelete(t.Context(), p.ID); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			time.Sleep(pastebin.ExpiryGrace)
			w.work(0)
		}
		if w.text(p.ID) {
			t.Error("never removed")
		}
		if w.readable(p.ID) {
			t.Error("read")
		}
	})
}

func TestExpireOfWhatHasEnded(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.lasting(time.Hour)
		if err := w.Delete(t.Context(), w.caller(), p.ID); err != nil {
			t.Fatal(err)
		}
		w.work(pastebin.UndoFor)
		w.work(10 * pastebin.ExpiryGrace)
		if j, there := w.job(); there {
			t.Errorf("there is still the job %+v", j)
		}
		_, _, err := w.Read(t.Context(), w.caller(), p.ID)
		wantError(t, err, 404, "This paste was deleted.")
	})
}
