package pastebin_test

import (
	"errors"
	"testing"
	"time"

	"stormbin/pastebin"
)

func TestDelete(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		p := w.saved("text")
		if _, _, err := w.Read(ctx, w.caller(), p.ID); err != nil || !w.inCache(p.ID) {
			t.Fatalf("read: %v, in the cache: %t", err, w.inCache(p.ID))
		}
		for _, when := range []string{"first", "second"} {
			if err := w.Delete(ctx, w.caller(), p.ID); err != nil {
				t.Errorf("the %s delete: %v", when, err)
			}
			_, _, err := w.Read(ctx, w.caller(), p.ID)
			wantError(t, err, 404, "This paste was deleted.")
			if !errors.Is(err, pastebin.ErrDeleted) {
				t.Errorf("cause of %v, want ErrDeleted", err)
			}
		}
		if list, err := w.List(ctx); len(list) != 0 || err != nil {
			t.Errorf("listed %+v, error %v; want none", list, err)
		}
		w.work(pastebin.UndoFor)
		if j, there := w.job(); there || w.text(p.ID) {
			t.Errorf("after the worker there is a text: %t, a job: %t %+v", w.text(p.ID), there, j)
		}
	})
}

// A delete that times out may land. Then its job must clear the cache, since the request that would have is gone.
func TestDeleteThatLandsLate(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		p := w.saved("text")
		if _, _, err := w.Read(ctx, w.caller(), p.ID); err != nil {
			t.Fatal(err)
		}
		w.sick["primary_delete"] = stalled
		err := w.Delete(ctx, w.caller(), p.ID)
		wantError(t, err, 503, "Timed out after 50 ms. The primary may still be working on it. The paste may be deleted or not;")
		time.Sleep(time.Minute)
		w.work(0)
		_, _, err = w.Read(ctx, w.caller(), p.ID)
		wantError(t, err, 404, "This paste was deleted.")
		if w.text(p.ID) {
			t.Error("its text is still there")
		}
	})
}

// An entry that no delete dropped (a slow read can put one back) may be read for CacheFor and no longer.
func TestDeletedPasteInTheCacheIsForgotten(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		p := w.saved("text")
		w.Read(ctx, w.caller(), p.ID)
		e, err := w.Cache.Get(ctx, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Delete(ctx, w.caller(), p.ID); err != nil {
			t.Fatal(err)
		}
		w.work(0)
		if err := w.Cache.Put(ctx, e); err != nil {
			t.Fatal(err)
		}
		time.Sleep(pastebin.CacheFor)
		_, _, err = w.Read(ctx, w.caller(), p.ID)
		wantError(t, err, 404, "This paste was deleted.")
	})
}

func TestUndelete(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		p := w.saved("text")
		if err := w.Delete(ctx, w.caller(), p.ID); err != nil {
			t.Fatal(err)
		}
		w.work(pastebin.UndoFor - time.Second)
		for _, again := range []bool{false, true} {
			switch err := w.Undelete(ctx, p.ID); {
			case again:
				wantError(t, err, 409, "This paste is there already.")
			case err != nil:
				t.Fatal(err)
			}
			back, text, err := w.Read(ctx, w.caller(), p.ID)
			if err != nil || back != p || string(text) != "text" {
				t.Errorf("read %+v with %q, error %v\nwant %+v", back, text, err, p)
			}
		}
		w.work(1000 * time.Hour)
		if !w.text(p.ID) {
			t.Error("the text was removed all the same")
		}

		if err := w.Delete(ctx, w.caller(), p.ID); err != nil {
			t.Fatal(err)
		}
		w.work(pastebin.UndoFor)
		wantError(t, w.Undelete(ctx, p.ID), 404, "It is too late to bring this paste back")
		wantError(t, w.Undelete(ctx, "never"), 404, "")
	})
}
