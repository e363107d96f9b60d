package storetest

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"stormbin/pastebin"
)

func rowsComeBack(t *testing.T, s pastebin.Stores) {
	for i, title := range []string{"", "plain", "🌩️ storm", "nul \x00 inside", "\r\n\t", "עברית \u202e", "e\u0301 is not é", `"<b>&'`, "\ufffd", "__proto__"} {
		p := row(fmt.Sprint("id", i))
		p.Title, p.Size = title, i
		p.Created = noon.Add(time.Duration(i) * time.Millisecond)
		ok(t, s.Primary.Insert(t.Context(), p))
		wantRow(t, s, p)
	}
	all := full("full")
	all.Sum, all.Size = 1<<32-1, pastebin.MaxSize
	ok(t, s.Primary.Insert(t.Context(), all))
	wantRow(t, s, all)
	for id, at := range map[string]time.Time{ // all that an import takes
		"first": time.Date(1, 1, 1, 0, 0, 0, 1e6, time.UTC),
		"last":  time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC),
	} {
		p := row(id)
		p.Created, p.Expires = at, at
		ok(t, s.Primary.Insert(t.Context(), p))
		wantRow(t, s, p)
	}
}

func idsAreUnique(t *testing.T, s pastebin.Stores) {
	ctx, first, second := t.Context(), row("a"), row("a")
	second.Title = "another"
	ok(t, s.Primary.Insert(ctx, first))
	is(t, s.Primary.Insert(ctx, second, expire("a")), pastebin.ErrExists)
	wantRow(t, s, first)
	wantNoJob(t, s, noon)

	ok(t, s.Primary.Insert(ctx, row("A"))) // another letter, another id

	first = deleted(t, s, grave("a", pastebin.Removed))
	is(t, s.Primary.Insert(ctx, second), pastebin.ErrExists)
	wantRow(t, s, first)
	ok(t, s.Primary.Clear(ctx, "a", noon))
	is(t, s.Primary.Insert(ctx, second), pastebin.ErrExists)
	wantRow(t, s, bareOf(first))
}

func keysAreUnique(t *testing.T, s pastebin.Stores) {
	ctx, first, second := t.Context(), full("a"), full("b")
	second.Key = first.Key
	ok(t, s.Primary.Insert(ctx, first))
	is(t, s.Primary.Insert(ctx, second, expire("b")), pastebin.ErrExists)
	_, err := s.Primary.Get(ctx, "b")
	is(t, err, pastebin.ErrNotFound)
	wantNoJob(t, s, noon)
	wantKey(t, s, first.Key, first)

	for _, id := range []string{"none", "none either"} { // no key is no key in common
		ok(t, s.Primary.Insert(ctx, row(id)))
	}

	deleted(t, s, grave("a", pastebin.Removed))
	wantNoKey(t, s, first.Key)
	ok(t, s.Primary.Insert(ctx, second)) // the one that had it lives no more
	wantKey(t, s, second.Key, second)
}

func insertIsOneStep(t *testing.T, s pastebin.Stores) {
	ctx, reap := t.Context(), pastebin.Job{Kind: pastebin.Reap, Paste: "other", RunAt: noon.Add(-time.Second)}
	ok(t, s.Primary.Insert(ctx, row("a"), reap, expire("a")))
	wantJob(t, s, noon, taken(reap))
	wantJob(t, s, noon, taken(expire("a")))
	wantNoJob(t, s, noon)

	const n = 20
	var jobs atomic.Int32
	take := func() (there bool) {
		job, err := s.Jobs.Take(ctx, noon, noon.Add(pastebin.Lease))
		if errors.Is(err, pastebin.ErrNotFound) {
			return false
		}
		if _, rowErr := s.Primary.Get(ctx, job.Paste); err != nil || rowErr != nil {
			t.Errorf("job %+v (error %v) without its row: %v", job, err, rowErr)
		}
		jobs.Add(1)
		return err == nil
	}
	together(2*n, func(i int) {
		if i%2 == 1 {
			take()
			return
		}
		id := fmt.Sprint(i / 2)
		if err := s.Primary.Insert(ctx, row(id), expire(id)); err != nil {
			t.Error(err)
		}
	})
	for take() {
	}
	if jobs.Load() != n {
		t.Errorf("%d jobs for %d inserts", jobs.Load(), n)
	}
}

func insertRace(t *testing.T, s pastebin.Stores) {
	of := func(i int) pastebin.Paste {
		p := row("a")
		p.Size = i
		return p
	}
	won := one(t, pastebin.ErrExists, func(i int) error { return s.Primary.Insert(t.Context(), of(i)) })
	wantRow(t, s, of(won))
}

func keyRace(t *testing.T, s pastebin.Stores) {
	of := func(i int) pastebin.Paste {
		p := row(fmt.Sprint(i))
		p.Key = "the same"
		return p
	}
	won := one(t, pastebin.ErrExists, func(i int) error { return s.Primary.Insert(t.Context(), of(i), expire(of(i).ID)) })
	wantKey(t, s, "the same", of(won))
	wantList(t, s, of(won))
	wantJob(t, s, noon, taken(expire(of(won).ID)))
	wantNoJob(t, s, noon)
}

func absent(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	_, err := s.Primary.Get(ctx, "a")
	is(t, err, pastebin.ErrNotFound)
	wantNoKey(t, s, "key")
	_, err = s.Primary.Delete(ctx, grave("a", pastebin.Removed), detach("a"))
	is(t, err, pastebin.ErrNotFound)
	is(t, s.Primary.Undelete(ctx, "a"), pastebin.ErrNotFound)
	_, err = s.Primary.Get(ctx, "a")
	is(t, err, pastebin.ErrNotFound)
	wantNoJob(t, s, noon) // the job of a delete that did nothing is not there either
	wantNoText(t, s, "a")
	_, err = s.Cache.Get(ctx, "a")
	is(t, err, pastebin.ErrNotFound)

	ok(t, s.Cache.Remove(ctx, "a"))
	ok(t, s.Jobs.Remove(ctx, detach("a")))

	ok(t, s.Cache.Put(ctx, pastebin.Entry{Paste: row("a"), Filled: noon}))
	ok(t, s.Cache.Remove(ctx, "a"))
	_, err = s.Cache.Get(ctx, "a")
	is(t, err, pastebin.ErrNotFound)
}

func list(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	wantList(t, s)
	oldest, b, a, gone, bare := full("z"), row("b"), full("a"), full("gone"), row("bare")
	oldest.Created = noon.Add(-time.Millisecond)
	for _, p := range []pastebin.Paste{b, gone, bare, oldest, a} {
		ok(t, s.Primary.Insert(ctx, p))
	}
	deleted(t, s, grave("gone", pastebin.Removed))
	deleted(t, s, grave("bare", pastebin.Burned))
	ok(t, s.Primary.Clear(ctx, "bare", noon))
	ok(t, s.Primary.Clear(ctx, "never", noon))
	wantList(t, s, a, b, oldest)
}

func deleteOnce(t *testing.T, s pastebin.Stores) {
	for _, end := range []pastebin.End{pastebin.Removed, pastebin.Burned} {
		id := string(end)
		ok(t, s.Primary.Insert(t.Context(), full(id)))
		ok(t, s.Bucket.Put(t.Context(), id, []byte("text")))
		got, err := s.Primary.Delete(t.Context(), grave(id, end), detach(id), expire("of "+id))
		ok(t, err)
		if want := tombstone(full(id), grave(id, end)); got != want {
			t.Errorf("deleted %+v\nwant    %+v", got, want)
		}
		wantRow(t, s, got)
		wantNoKey(t, s, full(id).Key)
		wantText(t, s, id, []byte("text"))
		for range 2 { // both due at the same time, so in any order
			j, err := s.Jobs.Take(t.Context(), noon, noon.Add(pastebin.Lease))
			ok(t, err)
			if j != taken(detach(id)) && j != taken(expire("of "+id)) {
				t.Errorf("job %+v", j)
			}
		}
		wantNoJob(t, s, noon)
	}
}

func deleteTwice(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	ok(t, s.Primary.Insert(ctx, full("a")))
	first := deleted(t, s, grave("a", pastebin.Removed))
	unchanged := func() {
		t.Helper()
		for _, end := range []pastebin.End{pastebin.Removed, pastebin.Expired, pastebin.Burned} {
			again := grave("a", end)
			again.Deleted = noon.Add(2 * time.Hour)
			got, err := s.Primary.Delete(ctx, again, detach("a"))
			ok(t, err)
			if got != first {
				t.Errorf("deleted again, as %s: %+v\nwant %+v", end, got, first)
			}
		}
		wantRow(t, s, first)
		wantNoJob(t, s, noon.Add(time.Hour))
	}
	unchanged()
	ok(t, s.Primary.Clear(ctx, "a", noon))
	first = bareOf(first)
	unchanged()
}

func deleteExpired(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	for _, test := range []struct {
		id      string
		expires time.Time
		ends    bool
	}{
		{"never", time.Time{}, false},
		{"later", noon.Add(time.Millisecond), false},
		{"now", noon, true},
		{"long since", noon.Add(-time.Hour), true},
	} {
		p, want := full(test.id), full(test.id)
		p.Expires, want.Expires = test.expires, test.expires
		if test.ends {
			want = tombstone(p, grave(test.id, pastebin.Expired))
		}
		ok(t, s.Primary.Insert(ctx, p))
		got, err := s.Primary.Delete(ctx, grave(test.id, pastebin.Expired), detach(test.id))
		ok(t, err)
		if got != want {
			t.Errorf("a paste that expires %s: %+v\nwant %+v", test.id, got, want)
		}
		wantRow(t, s, want)
		if test.ends {
			wantJob(t, s, noon, taken(detach(test.id)))
		}
		wantNoJob(t, s, noon)
	}
}

func deleteIsOneStep(t *testing.T, s pastebin.Stores) {
	const n = 20
	ctx := t.Context()
	for i := range n {
		ok(t, s.Primary.Insert(ctx, row(fmt.Sprint(i))))
	}
	var jobs atomic.Int32
	take := func() (there bool) {
		job, err := s.Jobs.Take(ctx, noon, noon.Add(pastebin.Lease))
		if errors.Is(err, pastebin.ErrNotFound) {
			return false
		}
		p, rowErr := s.Primary.Get(ctx, job.Paste)
		if err != nil || rowErr != nil || p.Deleted.IsZero() {
			t.Errorf("job %+v (error %v) while the row is %+v (error %v)", job, err, p, rowErr)
		}
		jobs.Add(1)
		return err == nil
	}
	together(2*n, func(i int) {
		if i%2 == 1 {
			take()
			return
		}
		id := fmt.Sprint(i / 2)
		if _, err := s.Primary.Delete(ctx, grave(id, pastebin.Removed), detach(id)); err != nil {
			t.Error(err)
		}
	})
	for take() {
	}
	if jobs.Load() != n {
		t.Errorf("%d jobs for %d deletes", jobs.Load(), n)
	}
}

func deleteRace(t *testing.T, s pastebin.Stores) {
	const n = 8
	ok(t, s.Primary.Insert(t.Context(), full("a")))
	var rows [n]pastebin.Paste
	together(n, func(i int) {
		mine := grave("a", pastebin.Burned)
		mine.By = fmt.Sprint("reader ", i)
		p, err := s.Primary.Delete(t.Context(), mine, detach("a"))
		if err != nil {
			t.Error(err)
		}
		rows[i] = p
	})
	winner := grave("a", pastebin.Burned)
	winner.By = rows[0].By
	for i, p := range rows {
		if p != tombstone(full("a"), winner) || p.By == "" {
			t.Errorf("reader %d is told of %+v\nreader 0 of         %+v", i, p, rows[0])
		}
	}
	wantRow(t, s, rows[0])
	wantJob(t, s, noon, taken(detach("a")))
	wantNoJob(t, s, noon)
}

func undelete(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	for _, id := range []string{"a", "b"} {
		ok(t, s.Primary.Insert(ctx, full(id)))
		ok(t, s.Bucket.Put(ctx, id, []byte("text")))
		_, err := s.Primary.Delete(ctx, grave(id, pastebin.Removed), detach(id))
		ok(t, err)
	}
	ok(t, s.Jobs.Put(ctx, expire("a")))
	for _, again := range []bool{false, true} {
		if err := s.Primary.Undelete(ctx, "a"); again {
			is(t, err, pastebin.ErrExists)
		} else {
			ok(t, err)
		}
		back := full("a")
		back.Key = ""
		wantRow(t, s, back)
		wantList(t, s, back)
		wantText(t, s, "a", []byte("text"))
		wantNoKey(t, s, full("a").Key)
	}
	for range 2 { // its detach job is gone, and nothing else
		j, err := s.Jobs.Take(ctx, noon, noon.Add(pastebin.Lease))
		ok(t, err)
		if j != taken(expire("a")) && j != taken(detach("b")) {
			t.Errorf("job %+v", j)
		}
	}
	wantNoJob(t, s, noon)
	ok(t, s.Primary.Clear(ctx, "a", noon)) // it lives
	wantText(t, s, "a", []byte("text"))

	ok(t, s.Jobs.Put(ctx, detach("a"))) // and of one that lives nothing is removed
	is(t, s.Primary.Undelete(ctx, "a"), pastebin.ErrExists)
	wantJob(t, s, noon, taken(detach("a")))
}

func undeleteOthers(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	for _, end := range []pastebin.End{pastebin.Burned, pastebin.Expired, pastebin.Removed} {
		p := full(string(end))
		p.Expires = noon
		ok(t, s.Primary.Insert(ctx, p))
		gone := deleted(t, s, grave(p.ID, end))
		if end == pastebin.Removed {
			ok(t, s.Primary.Clear(ctx, p.ID, noon))
			gone = bareOf(gone)
		}
		ok(t, s.Jobs.Put(ctx, detach(p.ID)))
		is(t, s.Primary.Undelete(ctx, p.ID), pastebin.ErrNotFound)
		wantRow(t, s, gone)
		wantJob(t, s, noon, taken(detach(p.ID)))
	}
	ok(t, s.Primary.Clear(ctx, "reaped", noon))
	is(t, s.Primary.Undelete(ctx, "reaped"), pastebin.ErrNotFound)
}

func restore(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	for name, prepare := range map[string]func(id string){
		"nothing": func(string) {},
		"a tombstone": func(id string) {
			ok(t, s.Primary.Insert(ctx, row(id)))
			ok(t, s.Bucket.Put(ctx, id, []byte("an older and longer text")))
			deleted(t, s, grave(id, pastebin.Burned))
		},
		"a bare tombstone": func(id string) { ok(t, s.Primary.Clear(ctx, id, noon)) },
		"only a text":      func(id string) { ok(t, s.Bucket.Put(ctx, id, []byte("an orphan"))) },
	} {
		prepare(name)
		text := []byte("text\x00\xff")
		ok(t, s.Primary.Restore(ctx, full(name), text, expire(name)))
		copy(text, "no longer")
		wantRow(t, s, full(name))
		wantKey(t, s, full(name).Key, full(name))
		wantText(t, s, name, []byte("text\x00\xff"))
		wantJob(t, s, noon, taken(expire(name)))
		wantNoJob(t, s, noon)
	}
}

func restoreOverLiving(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	ok(t, s.Primary.Restore(ctx, full("a"), []byte("first")))
	other, sameKey := row("a"), row("b")
	sameKey.Key = full("a").Key
	for _, p := range []pastebin.Paste{other, sameKey} {
		is(t, s.Primary.Restore(ctx, p, []byte("second"), expire(p.ID)), pastebin.ErrExists)
	}
	wantList(t, s, full("a"))
	wantText(t, s, "a", []byte("first"))
	wantNoText(t, s, "b")
	wantNoJob(t, s, noon)

	ok(t, s.Primary.Clear(ctx, "c", noon)) // a tombstone whose place can't be taken stays as it is
	sameKey.ID = "c"
	is(t, s.Primary.Restore(ctx, sameKey, []byte("second")), pastebin.ErrExists)
	wantRow(t, s, pastebin.Paste{ID: "c", Deleted: noon, End: pastebin.Reaped})
}

// What can be brought back is as it was, or as it was and back already.
func restoreOverRemoved(t *testing.T, s pastebin.Stores) {
	ctx, p := t.Context(), full("a")
	ok(t, s.Primary.Restore(ctx, p, []byte("first")))
	gone := deleted(t, s, grave("a", pastebin.Removed))
	for _, alter := range []func(*pastebin.Paste){
		func(p *pastebin.Paste) { p.Title += "!" },
		func(p *pastebin.Paste) { p.Language = "" },
		func(p *pastebin.Paste) { p.Size++ },
		func(p *pastebin.Paste) { p.Sum++ },
		func(p *pastebin.Paste) { p.Burn = false },
	} {
		other := p
		alter(&other)
		is(t, s.Primary.Restore(ctx, other, []byte("second"), expire("a")), pastebin.ErrExists)
		wantRow(t, s, gone)
		wantText(t, s, "a", []byte("first"))
		wantNoJob(t, s, noon)
	}
	ok(t, s.Primary.Restore(ctx, p, []byte("first")))
	wantRow(t, s, p)
	is(t, s.Primary.Undelete(ctx, "a"), pastebin.ErrExists)

	deleted(t, s, grave("a", pastebin.Removed))
	ok(t, s.Primary.Clear(ctx, "a", noon)) // now it can't be brought back
	other := row("a")
	ok(t, s.Primary.Restore(ctx, other, []byte("second")))
	wantRow(t, s, other)
}

func restoreAgain(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	for i := range 3 {
		text := fmt.Append(nil, "text ", i)
		ok(t, s.Primary.Restore(ctx, full("a"), text))
		wantText(t, s, "a", text)
		deleted(t, s, grave("a", pastebin.Removed))
	}
	ok(t, s.Primary.Undelete(ctx, "a"))
	wantText(t, s, "a", []byte("text 2"))
}

func restoreRace(t *testing.T, s pastebin.Stores) {
	text := func(i int) []byte { return fmt.Append(nil, "text ", i) }
	of := func(i int) pastebin.Paste {
		p := row("a")
		p.Sum = uint32(i)
		return p
	}
	won := one(t, pastebin.ErrExists, func(i int) error { return s.Primary.Restore(t.Context(), of(i), text(i)) })
	wantRow(t, s, of(won))
	wantText(t, s, "a", text(won))
}

func clearDead(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	for _, end := range []pastebin.End{pastebin.Removed, pastebin.Burned} {
		id := string(end)
		ok(t, s.Primary.Insert(ctx, full(id)))
		ok(t, s.Bucket.Put(ctx, id, []byte("text")))
		gone := deleted(t, s, grave(id, end))
		for range 2 {
			ok(t, s.Primary.Clear(ctx, id, noon.Add(time.Hour)))
			wantRow(t, s, bareOf(gone))
			wantNoText(t, s, id)
		}
	}
	ok(t, s.Bucket.Put(ctx, "orphan", []byte("text")))
	ok(t, s.Bucket.Put(ctx, "neighbour", []byte("text")))
	ok(t, s.Primary.Clear(ctx, "orphan", noon))
	reaped := pastebin.Paste{ID: "orphan", Deleted: noon, End: pastebin.Reaped}
	wantRow(t, s, reaped)
	wantNoText(t, s, "orphan")
	is(t, s.Primary.Insert(ctx, row("orphan")), pastebin.ErrExists)

	ok(t, s.Bucket.Put(ctx, "orphan", []byte("late"))) // what lands late goes too
	ok(t, s.Primary.Clear(ctx, "orphan", noon.Add(time.Hour)))
	wantRow(t, s, reaped)
	wantNoText(t, s, "orphan")
	wantText(t, s, "neighbour", []byte("text"))
}

func clearLiving(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	ok(t, s.Primary.Restore(ctx, full("a"), []byte("text")))
	ok(t, s.Primary.Clear(ctx, "a", noon.Add(1000*time.Hour))) // expired or not: that is for Delete to say
	wantRow(t, s, full("a"))
	wantText(t, s, "a", []byte("text"))
}

// races is how often two are set on each other. Which wins is chance; what is there then is not.
const races = 20

// clearAgainst sets Clear of the i-th id on something else done to it, and gives what that came to. Clear itself never fails.
func clearAgainst(t *testing.T, s pastebin.Stores, i int, other func(id string) error) error {
	t.Helper()
	id := fmt.Sprint(i)
	var err, cleared error
	together(2, func(who int) {
		if who == i%2 {
			err = other(id)
		} else {
			cleared = s.Primary.Clear(t.Context(), id, noon)
		}
	})
	ok(t, cleared)
	return err
}

func clearOrInsert(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	for i := range races {
		id := fmt.Sprint(i)
		ok(t, s.Bucket.Put(ctx, id, []byte("text")))
		inserted := clearAgainst(t, s, i, func(id string) error { return s.Primary.Insert(ctx, row(id)) })
		if inserted == nil {
			wantRow(t, s, row(id))
			wantText(t, s, id, []byte("text"))
		} else {
			is(t, inserted, pastebin.ErrExists)
			wantRow(t, s, pastebin.Paste{ID: id, Deleted: noon, End: pastebin.Reaped})
			wantNoText(t, s, id)
		}
	}
}

func clearOrUndelete(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	for i := range races {
		id := fmt.Sprint(i)
		ok(t, s.Primary.Restore(ctx, row(id), []byte("text")))
		gone := deleted(t, s, grave(id, pastebin.Removed))
		undeleted := clearAgainst(t, s, i, func(id string) error { return s.Primary.Undelete(ctx, id) })
		if undeleted == nil {
			wantRow(t, s, row(id))
			wantText(t, s, id, []byte("text"))
		} else {
			is(t, undeleted, pastebin.ErrNotFound)
			wantRow(t, s, bareOf(gone))
			wantNoText(t, s, id)
		}
	}
}

func clearOrRestore(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	for i := range races {
		id := fmt.Sprint(i)
		ok(t, s.Primary.Restore(ctx, row(id), []byte("before")))
		deleted(t, s, grave(id, pastebin.Burned))
		ok(t, clearAgainst(t, s, i, func(id string) error { return s.Primary.Restore(ctx, row(id), []byte("after")) }))
		wantRow(t, s, row(id))
		wantText(t, s, id, []byte("after"))
	}
}

// deleted is the row of grave's id, ended so.
func deleted(t *testing.T, s pastebin.Stores, grave pastebin.Paste) pastebin.Paste {
	t.Helper()
	p, err := s.Primary.Delete(t.Context(), grave)
	ok(t, err)
	return p
}

// one has many do the same, of whom one must succeed and the others have the error. It is the one's number.
func one(t *testing.T, others error, do func(i int) error) (won int) {
	t.Helper()
	errs := make([]error, 8)
	together(len(errs), func(i int) { errs[i] = do(i) })
	won = -1
	for i, err := range errs {
		switch {
		case err == nil && won >= 0:
			t.Errorf("%d and %d both won", won, i)
		case err == nil:
			won = i
		default:
			is(t, err, others)
		}
	}
	if won < 0 {
		t.Fatal("nobody won")
	}
	return won
}

func wantKey(t *testing.T, s pastebin.Stores, key string, want pastebin.Paste) {
	t.Helper()
	got, err := s.Primary.ByKey(t.Context(), key)
	ok(t, err)
	if got != want {
		t.Errorf("the key %s has %+v\nwant %+v", key, got, want)
	}
}

func wantNoKey(t *testing.T, s pastebin.Stores, key string) {
	t.Helper()
	got, err := s.Primary.ByKey(t.Context(), key)
	if !errors.Is(err, pastebin.ErrNotFound) {
		t.Errorf("the key %s has %+v (error %v), want none", key, got, err)
	}
}

func wantList(t *testing.T, s pastebin.Stores, want ...pastebin.Paste) {
	t.Helper()
	got, err := s.Primary.List(t.Context())
	ok(t, err)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("listed %v\nwant   %v", got, want)
	}
}
