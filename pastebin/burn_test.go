package pastebin_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"stormbin/engine/policy"
	"stormbin/pastebin"
)

// burning is a paste that may be read once.
func (w *world) burning() pastebin.Paste {
	w.t.Helper()
	d := draft("once")
	d.Burn = true
	p, err := w.Create(w.t.Context(), w.caller(), d)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// wantBurned checks that nobody of that name gets the text.
func (w *world) wantBurned(id, by string) {
	w.t.Helper()
	p, text, err := w.Burn(w.t.Context(), w.caller(), id, by)
	wantError(w.t, err, 404, "This paste was burned: it could be read once, and has been.")
	if !errors.Is(err, pastebin.ErrBurned) || p != (pastebin.Paste{}) || text != nil {
		w.t.Errorf("%s gets %+v with %q, error %v", by, p, text, err)
	}
}

func (w *world) wantRead(id, by string) {
	w.t.Helper()
	p, text, err := w.Burn(w.t.Context(), w.caller(), id, by)
	if err != nil || string(text) != "once" || p.ID != id {
		w.t.Errorf("%s gets %+v with %q, error %v; want the text", by, p, text, err)
	}
}

func TestReadOfWhatBurns(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		saved := w.burning()
		for range 2 { // to ask burns nothing
			p, text, err := w.Read(t.Context(), w.caller(), saved.ID)
			wantError(t, err, 403, "This paste is burned when it is read")
			if !errors.Is(err, pastebin.ErrBurns) || p != saved || text != nil {
				t.Errorf("read %+v with %q, error %v; want the row alone", p, text, err)
			}
			if hops := strings.Join(w.hops, ", "); hops != "cache_get ok, primary_read ok" {
				t.Errorf("hops %s", hops)
			}
		}
		w.wantRead(saved.ID, "a")
		if hops := strings.Join(w.hops, ", "); hops != "primary_read ok, object_get ok, primary_delete ok" {
			t.Errorf("hops %s", hops)
		}
		if w.inCache(saved.ID) {
			t.Error("what was to be read once is in the cache")
		}
		_, _, err := w.Read(t.Context(), w.caller(), saved.ID)
		wantError(t, err, 404, "This paste was burned")
		if list, err := w.List(t.Context()); len(list) != 0 || err != nil {
			t.Errorf("listed %+v, error %v", list, err)
		}
	})
}

func TestBurnedForOneOfMany(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		const n = 8
		p := w.burning()
		var readers sync.WaitGroup
		var texts [n]string
		for i := range n {
			c := w.caller()
			c.Watch = nil
			readers.Go(func() {
				_, text, err := w.Burn(t.Context(), c, p.ID, fmt.Sprint("reader ", i))
				if texts[i] = string(text); err != nil && !errors.Is(err, pastebin.ErrBurned) {
					t.Error(err)
				}
			})
		}
		readers.Wait()
		if got := strings.Join(texts[:], ""); got != "once" {
			t.Errorf("%d readers got %q, want the text for one", n, texts)
		}
	})
}

// The delete times out, and lands or doesn't. Whoever asked can ask again, and nothing is lost.
func TestBurnTriedAgain(t *testing.T) {
	for name, sick := range map[string]sickness{
		"it lands late": stalled,
		"it is lost":    {time.Second, policy.Error},
		"the answer is": {after: ms, outcome: policy.Lost},
		"it fails":      fails,
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				p := w.burning()
				w.sick["primary_delete"] = sick
				_, text, err := w.Burn(t.Context(), w.caller(), p.ID, "a")
				wantError(t, err, 503, "The paste may have been burned, and only you can still read it: it is safe to try again within 10 minutes.")
				if text != nil {
					t.Errorf("a failed burn gave %q", text)
				}
				time.Sleep(pastebin.BurnGrace - time.Minute)
				w.work(0)
				delete(w.sick, "primary_delete")
				w.wantRead(p.ID, "a")
				w.wantRead(p.ID, "a")
				w.wantBurned(p.ID, "b")
			})
		})
	}
}

func TestBurnGrace(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.burning()
		w.wantRead(p.ID, "a")
		burned := time.Now()
		w.wantBurned(p.ID, "b")
		w.wantBurned(p.ID, "")
		time.Sleep(time.Until(burned.Add(pastebin.BurnGrace)) - time.Second)
		w.work(0)
		w.wantRead(p.ID, "a")
		time.Sleep(time.Second)
		w.wantBurned(p.ID, "a") // whether a worker has been there or not
		if !w.text(p.ID) {
			t.Error("the text is gone before a worker came")
		}
		w.work(0)
		if w.text(p.ID) {
			t.Error("the text is still there")
		}
		w.wantBurned(p.ID, "a")
	})
}

// A clock that jumps must not give a burned paste to another.
func TestBurnedStaysBurned(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		p := w.burning()
		w.wantRead(p.ID, "a")
		for _, jump := range []time.Duration{-time.Hour, 1000 * time.Hour} {
			w.jump = jump
			w.wantBurned(p.ID, "b")
		}
	})
}

func TestBurnOfOthers(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		plain := w.saved("text")
		_, _, err := w.Burn(t.Context(), w.caller(), plain.ID, "a")
		wantError(t, err, 409, "This paste is not burned when it is read: it can just be read.")
		_, _, err = w.Burn(t.Context(), w.caller(), "never", "a")
		wantError(t, err, 404, "There never was a paste with this id.")

		removed := w.burning()
		if err := w.Delete(t.Context(), w.caller(), removed.ID); err != nil {
			t.Fatal(err)
		}
		_, _, err = w.Burn(t.Context(), w.caller(), removed.ID, "a")
		wantError(t, err, 404, "This paste was deleted.")

		d := draft("once")
		d.Burn, d.Lives = true, time.Hour
		late, err := w.Create(t.Context(), w.caller(), d)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		_, _, err = w.Burn(t.Context(), w.caller(), late.ID, "a")
		wantError(t, err, 404, "This paste has expired.")
	})
}
