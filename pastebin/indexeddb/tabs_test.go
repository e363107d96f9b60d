//go:build js && wasm

package indexeddb

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"stormbin/pastebin"
)

// Two databases of one name are two tabs: they share nothing but what is stored.
func tabs(t *testing.T) [2]pastebin.Stores {
	name := fresh(t)
	return [2]pastebin.Stores{open(t, name).Stores(), open(t, name).Stores()}
}

// race runs f for both at once, and gives what each came to.
func race(f func(tab int) error) (errs [2]error) {
	var both sync.WaitGroup
	for tab := range errs {
		both.Go(func() { errs[tab] = f(tab) })
	}
	both.Wait()
	return errs
}

// The same draft saved in two tabs is one paste.
func TestTwoTabsWithOneKey(t *testing.T) {
	s, ctx := tabs(t), t.Context()
	for round := range 20 {
		key := fmt.Sprint("draft ", round)
		id := func(tab int) string { return fmt.Sprint(round, " of tab ", tab) }
		errs := race(func(tab int) error {
			return s[tab].Primary.Insert(ctx, pastebin.Paste{ID: id(tab), Key: key, Created: noon},
				pastebin.Job{Kind: pastebin.Expire, Paste: id(tab), RunAt: noon})
		})
		winner, loser := 0, 1
		if errs[0] != nil {
			winner, loser = 1, 0
		}
		if errs[winner] != nil || !errors.Is(errs[loser], pastebin.ErrExists) {
			t.Fatalf("both came to %v; want one to win, and ErrExists", errs)
		}
		if p, err := s[loser].Primary.ByKey(ctx, key); p.ID != id(winner) || err != nil {
			t.Errorf("by its key the other tab finds %+v, error %v; want %s", p, err, id(winner))
		}
		if job, err := s[loser].Jobs.Take(ctx, noon, noon); job.Paste != id(winner) || err != nil {
			t.Errorf("job %+v, error %v; want that of %s", job, err, id(winner))
		} else if err := s[loser].Jobs.Remove(ctx, job); err != nil {
			t.Error(err)
		}
		if job, err := s[winner].Jobs.Take(ctx, noon, noon); !errors.Is(err, pastebin.ErrNotFound) {
			t.Errorf("the one that lost has left the job %+v (error %v)", job, err)
		}
	}
}

// A paste that burns when it is read is read in one tab only.
func TestTwoTabsThatBurn(t *testing.T) {
	s, ctx := tabs(t), t.Context()
	for round := range 20 {
		id := fmt.Sprint(round)
		ok(t, s[0].Primary.Insert(ctx, pastebin.Paste{ID: id, Burn: true, Created: noon}))
		var rows [2]pastebin.Paste
		errs := race(func(tab int) (err error) {
			grave := pastebin.Paste{ID: id, Deleted: noon.Add(time.Duration(tab) * time.Second), End: pastebin.Burned, By: fmt.Sprint("tab ", tab)}
			rows[tab], err = s[tab].Primary.Delete(ctx, grave, pastebin.Job{Kind: pastebin.Detach, Paste: id, RunAt: noon})
			return err
		})
		if errs != [2]error{} {
			t.Fatal(errs)
		}
		if rows[0] != rows[1] || rows[0].By != "tab 0" && rows[0].By != "tab 1" {
			t.Errorf("one was told %+v, the other %+v; want the same, and who has it", rows[0], rows[1])
		}
		if p, err := s[1].Primary.Get(ctx, id); p != rows[0] || err != nil {
			t.Errorf("row %+v, error %v; want %+v", p, err, rows[0])
		}
	}
}

// One tab undoes a delete while the other clears up after it. Either is fine, but not half of each.
func TestTwoTabsThatClearAndUndelete(t *testing.T) {
	s, ctx := tabs(t), t.Context()
	for round := range 20 {
		id := fmt.Sprint(round)
		ok(t, s[0].Primary.Insert(ctx, pastebin.Paste{ID: id, Title: "t", Created: noon}))
		ok(t, s[0].Bucket.Put(ctx, id, []byte("text")))
		_, err := s[0].Primary.Delete(ctx, pastebin.Paste{ID: id, Deleted: noon, End: pastebin.Removed})
		ok(t, err)
		errs := race(func(tab int) error {
			if tab == round%2 {
				return s[tab].Primary.Clear(ctx, id, noon)
			}
			return s[tab].Primary.Undelete(ctx, id)
		})
		ok(t, errs[round%2])
		undone := errs[1-round%2]
		p, err := s[0].Primary.Get(ctx, id)
		ok(t, err)
		_, textErr := s[0].Bucket.Get(ctx, id)
		switch {
		case undone == nil && p.Deleted.IsZero() && textErr == nil:
		case errors.Is(undone, pastebin.ErrNotFound) && p.Bare() && errors.Is(textErr, pastebin.ErrNotFound):
		default:
			t.Errorf("undelete came to %v; the row is %+v, the text %v", undone, p, textErr)
		}
	}
}

// One of two tabs leads the workers, and the other does when its lease is over.
func TestTwoTabsThatLead(t *testing.T) {
	s, ctx := tabs(t), t.Context()
	end := noon.Add(time.Minute)
	var leads [2]bool
	lead := func(now, until time.Time) int {
		t.Helper()
		errs := race(func(tab int) (err error) {
			leads[tab], err = s[tab].Jobs.Lead(ctx, fmt.Sprint("tab ", tab), now, until)
			return err
		})
		if errs != [2]error{} || leads[0] == leads[1] {
			t.Fatalf("they lead: %v, errors %v; want one", leads, errs)
		}
		if leads[0] {
			return 0
		}
		return 1
	}
	first := lead(noon, end)
	if again := lead(end.Add(-time.Millisecond), end); again != first {
		t.Error("the lead changed before the lease was over")
	}
	if won, err := s[1-first].Jobs.Lead(ctx, fmt.Sprint("tab ", 1-first), end, end.Add(time.Minute)); !won || err != nil {
		t.Errorf("after it the other leads: %v, error %v", won, err)
	}
}

// A tab that is killed between the bytes and the row leaves bytes that no row is about, and a job. Whoever comes next
// clears up, and only when the time has come.
func TestTabKilledBetweenTextAndRow(t *testing.T) {
	name, ctx := fresh(t), t.Context()
	killed := open(t, name)
	s := killed.Stores()
	ok(t, s.Jobs.Put(ctx, pastebin.Job{Kind: pastebin.Reap, Paste: "orphan", RunAt: noon.Add(pastebin.ReapAge)}))
	ok(t, s.Bucket.Put(ctx, "orphan", []byte("text")))
	killed.Close()

	s = open(t, name).Stores()
	worker := pastebin.Worker{Stores: s}
	_, err := worker.Run(ctx, noon.Add(pastebin.ReapAge-time.Millisecond))
	ok(t, err)
	if _, err := s.Bucket.Get(ctx, "orphan"); err != nil {
		t.Errorf("before its time the text: %v", err)
	}
	_, err = worker.Run(ctx, noon.Add(pastebin.ReapAge))
	ok(t, err)
	if _, err := s.Bucket.Get(ctx, "orphan"); !errors.Is(err, pastebin.ErrNotFound) {
		t.Errorf("at its time the text: %v, want ErrNotFound", err)
	}
	if p, err := s.Primary.Get(ctx, "orphan"); p.End != pastebin.Reaped || err != nil {
		t.Errorf("its row %+v, error %v; want a tombstone that says reaped", p, err)
	}
	if list, err := s.Primary.List(ctx); len(list) != 0 || err != nil {
		t.Errorf("listed %+v, error %v", list, err)
	}
	// Its own insert, had it only been slow, comes too late.
	if err := s.Primary.Insert(ctx, pastebin.Paste{ID: "orphan"}); !errors.Is(err, pastebin.ErrExists) {
		t.Errorf("a late insert: error %v, want ErrExists", err)
	}
}
