// Package storetest is the contract that every store of package pastebin must pass. A store's own test calls [Run], and
// [Reopen] if it keeps pastes for longer than the process lives.
package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stormbin/pastebin"
)

// Run tests the stores that open gives, which are empty and new each time.
func Run(t *testing.T, open func(t *testing.T) pastebin.Stores) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, pastebin.Stores)
	}{
		{"a row comes back as it was", rowsComeBack},
		{"an id is taken once", idsAreUnique},
		{"what is not there is not found", absent},
		{"a list needs no texts and is newest first", list},
		{"a text comes back byte for byte", textsComeBack},
		{"a text put again is replaced", textsAreReplaced},
		{"slices are copied in and out", slicesAreCopied},
		{"a deleted row is a tombstone with a job", deleteOnce},
		{"a row deleted again stays as it is", deleteTwice},
		{"a tombstone and its job appear together", deleteIsOneStep},
		{"one of many inserts of an id wins", insertRace},
		{"a cached paste comes back", entriesComeBack},
		{"a full cache drops the oldest", cacheIsBounded},
		{"jobs come when due, the longest due first", jobsInOrder},
		{"a job that was taken comes back when its lease ends", jobsAreLeased},
		{"a job put again replaces the first", jobsAreReplaced},
		{"a job that changed is not removed", jobsThatChanged},
		{"a job is given to one of many", takeRace},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

// Reopen tests that pastes outlive their store. Each open is of the same stores, which are empty at first and have been
// closed before they are opened again.
func Reopen(t *testing.T, open func(t *testing.T) pastebin.Stores) {
	s, ctx := open(t), t.Context()
	p, text, job := row("a"), []byte("kept\x00\xff"), pastebin.Job{Kind: pastebin.Reap, Paste: "b", RunAt: noon}
	ok(t, s.Primary.Insert(ctx, p))
	ok(t, s.Bucket.Put(ctx, "a", text))
	ok(t, s.Jobs.Put(ctx, job))

	s = open(t)
	wantRow(t, s, p)
	wantText(t, s, "a", text)
	wantJob(t, s, noon, pastebin.Job{Kind: pastebin.Reap, Paste: "b", RunAt: noon.Add(pastebin.Lease), Attempts: 1})
}

// noon is a time with milliseconds, as all times in stores are.
var noon = time.Date(2026, 1, 2, 12, 0, 0, 345_000_000, time.UTC)

func row(id string) pastebin.Paste {
	return pastebin.Paste{ID: id, Title: "title of " + id, Size: 12, Sum: 0xfedcba98, Created: noon}
}

func detach(id string) pastebin.Job {
	return pastebin.Job{Kind: pastebin.Detach, Paste: id, RunAt: noon}
}

func rowsComeBack(t *testing.T, s pastebin.Stores) {
	for i, title := range []string{"", "plain", "🌩️ storm", "nul \x00 inside", "\r\n\t", "עברית \u202e", "e\u0301 is not é", `"<b>&'`, "\ufffd"} {
		p := row(fmt.Sprint("id", i))
		p.Title, p.Size = title, i
		p.Created = noon.Add(time.Duration(i) * time.Millisecond)
		ok(t, s.Primary.Insert(t.Context(), p))
		wantRow(t, s, p)
	}
	grave := pastebin.Paste{ID: "grave", Deleted: noon}
	ok(t, s.Primary.Insert(t.Context(), grave))
	wantRow(t, s, grave)
}

func idsAreUnique(t *testing.T, s pastebin.Stores) {
	ctx, first, second := t.Context(), row("a"), row("a")
	second.Title = "another"
	ok(t, s.Primary.Insert(ctx, first))
	is(t, s.Primary.Insert(ctx, second), pastebin.ErrExists)
	wantRow(t, s, first)

	ok(t, s.Primary.Insert(ctx, row("A"))) // another letter, another id

	ok(t, s.Primary.Delete(ctx, "a", noon, detach("a")))
	is(t, s.Primary.Insert(ctx, second), pastebin.ErrExists)
	wantRow(t, s, pastebin.Paste{ID: "a", Deleted: noon})
}

func absent(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	_, err := s.Primary.Get(ctx, "a")
	is(t, err, pastebin.ErrNotFound)
	_, err = s.Bucket.Get(ctx, "a")
	is(t, err, pastebin.ErrNotFound)
	_, err = s.Cache.Get(ctx, "a")
	is(t, err, pastebin.ErrNotFound)
	is(t, s.Primary.Delete(ctx, "a", noon, detach("a")), pastebin.ErrNotFound)
	wantNoJob(t, s, noon) // the job of a delete that did nothing is not there either

	ok(t, s.Bucket.Remove(ctx, "a"))
	ok(t, s.Cache.Remove(ctx, "a"))
	ok(t, s.Jobs.Remove(ctx, detach("a")))

	ok(t, s.Bucket.Put(ctx, "a", []byte("text")))
	ok(t, s.Cache.Put(ctx, pastebin.Entry{Paste: row("a"), Filled: noon}))
	ok(t, s.Bucket.Remove(ctx, "a"))
	ok(t, s.Cache.Remove(ctx, "a"))
	_, err = s.Bucket.Get(ctx, "a")
	is(t, err, pastebin.ErrNotFound)
	_, err = s.Cache.Get(ctx, "a")
	is(t, err, pastebin.ErrNotFound)
}

func list(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	got, err := s.Primary.List(ctx)
	ok(t, err)
	if len(got) != 0 {
		t.Errorf("an empty store lists %v", got)
	}
	oldest, b, a, gone := row("z"), row("b"), row("a"), row("gone")
	oldest.Created = noon.Add(-time.Millisecond)
	for _, p := range []pastebin.Paste{b, gone, oldest, a} {
		ok(t, s.Primary.Insert(ctx, p))
	}
	ok(t, s.Primary.Delete(ctx, "gone", noon, detach("gone")))
	got, err = s.Primary.List(ctx)
	ok(t, err)
	if want := []pastebin.Paste{a, b, oldest}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("listed %v\nwant   %v", got, want)
	}
}

// texts are the ones that get altered on the way by whoever takes bytes for characters.
func texts() map[string][]byte {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return map[string][]byte{
		"empty":              {},
		"one newline":        []byte("\n"),
		"emoji":              []byte("🌩️👩‍👩‍👧"),
		"NUL":                []byte("a\x00b\x00"),
		"CRLF, LF and CR":    []byte("a\r\nb\nc\r"),
		"byte order mark":    []byte("\xef\xbb\xbfa"),
		"a lone surrogate":   []byte("\xed\xa0\x80"),
		"a lone byte of two": []byte("a\x80b\xc3"),
		"every byte":         all,
		"the largest":        bytes.Repeat([]byte("0123456789abcde\xff"), pastebin.MaxSize/16),
	}
}

func textsComeBack(t *testing.T, s pastebin.Stores) {
	for name, text := range texts() {
		ok(t, s.Bucket.Put(t.Context(), name, text))
	}
	for name, text := range texts() {
		wantText(t, s, name, text)
	}
}

func textsAreReplaced(t *testing.T, s pastebin.Stores) {
	ok(t, s.Bucket.Put(t.Context(), "a", []byte("a long text")))
	ok(t, s.Bucket.Put(t.Context(), "a", []byte("short")))
	wantText(t, s, "a", []byte("short"))
}

func slicesAreCopied(t *testing.T, s pastebin.Stores) {
	ctx, text := t.Context(), []byte("as it was")
	ok(t, s.Bucket.Put(ctx, "a", text))
	ok(t, s.Cache.Put(ctx, pastebin.Entry{Paste: row("a"), Text: text, Filled: noon}))
	copy(text, "no longer")
	for range 2 { // what comes out is scribbled on too, and then read again
		got, err := s.Bucket.Get(ctx, "a")
		ok(t, err)
		e, err := s.Cache.Get(ctx, "a")
		ok(t, err)
		if string(got) != "as it was" || string(e.Text) != "as it was" {
			t.Errorf("the bucket has %q and the cache %q, after their slices were written to", got, e.Text)
		}
		clear(got)
		clear(e.Text)
	}
}

func deleteOnce(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	ok(t, s.Primary.Insert(ctx, row("a")))
	ok(t, s.Primary.Delete(ctx, "a", noon, detach("a")))
	wantRow(t, s, pastebin.Paste{ID: "a", Deleted: noon})
	wantJob(t, s, noon, pastebin.Job{Kind: pastebin.Detach, Paste: "a", RunAt: noon.Add(pastebin.Lease), Attempts: 1})
}

func deleteTwice(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	ok(t, s.Primary.Insert(ctx, row("a")))
	ok(t, s.Primary.Delete(ctx, "a", noon, detach("a")))
	ok(t, s.Jobs.Remove(ctx, detach("a")))
	ok(t, s.Primary.Delete(ctx, "a", noon.Add(time.Second), detach("a")))
	wantRow(t, s, pastebin.Paste{ID: "a", Deleted: noon})
	wantNoJob(t, s, noon)
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
		if err := s.Primary.Delete(ctx, id, noon, detach(id)); err != nil {
			t.Error(err)
		}
	})
	for take() {
	}
	if jobs.Load() != n {
		t.Errorf("%d jobs for %d deletes", jobs.Load(), n)
	}
}

func insertRace(t *testing.T, s pastebin.Stores) {
	const n = 8
	errs := make([]error, n)
	together(n, func(i int) {
		p := row("a")
		p.Size = i
		errs[i] = s.Primary.Insert(t.Context(), p)
	})
	won := -1
	for i, err := range errs {
		switch {
		case err == nil && won >= 0:
			t.Errorf("inserts %d and %d both won", won, i)
		case err == nil:
			won = i
		default:
			is(t, err, pastebin.ErrExists)
		}
	}
	if won < 0 {
		t.Fatal("no insert won")
	}
	p := row("a")
	p.Size = won
	wantRow(t, s, p)
}

func entriesComeBack(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	for _, text := range texts() {
		want := pastebin.Entry{Paste: row("a"), Text: text, Filled: noon}
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

func jobsInOrder(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	put := func(paste string, at time.Duration) {
		ok(t, s.Jobs.Put(ctx, pastebin.Job{Kind: pastebin.Reap, Paste: paste, RunAt: noon.Add(at)}))
	}
	put("second", 0)
	put("first", -2*time.Hour)
	put("later", time.Hour)
	put("soon", time.Millisecond)
	for _, paste := range []string{"first", "second"} {
		wantJob(t, s, noon, pastebin.Job{Kind: pastebin.Reap, Paste: paste, RunAt: noon.Add(pastebin.Lease), Attempts: 1})
	}
	wantNoJob(t, s, noon)
}

func jobsAreLeased(t *testing.T, s pastebin.Stores) {
	job := detach("a")
	ok(t, s.Jobs.Put(t.Context(), job))
	end := noon.Add(pastebin.Lease)
	job.RunAt, job.Attempts = end, 1
	wantJob(t, s, noon, job)
	wantNoJob(t, s, end.Add(-time.Millisecond))
	job.RunAt, job.Attempts = end.Add(pastebin.Lease), 2
	wantJob(t, s, end, job)
}

func jobsAreReplaced(t *testing.T, s pastebin.Stores) {
	ctx, job := t.Context(), detach("a")
	ok(t, s.Jobs.Put(ctx, job))
	job.RunAt, job.Attempts = noon.Add(time.Hour), 3
	ok(t, s.Jobs.Put(ctx, job))
	wantNoJob(t, s, noon)
	other := pastebin.Job{Kind: pastebin.Reap, Paste: "a", RunAt: noon} // another kind is another job
	ok(t, s.Jobs.Put(ctx, other))
	wantJob(t, s, noon, pastebin.Job{Kind: pastebin.Reap, Paste: "a", RunAt: noon.Add(pastebin.Lease), Attempts: 1})
	wantNoJob(t, s, noon)
}

func jobsThatChanged(t *testing.T, s pastebin.Stores) {
	ctx := t.Context()
	ok(t, s.Jobs.Put(ctx, detach("a")))
	taken, err := s.Jobs.Take(ctx, noon, noon.Add(pastebin.Lease))
	ok(t, err)
	again := detach("a")
	again.RunAt = noon.Add(time.Second)
	ok(t, s.Jobs.Put(ctx, again))
	ok(t, s.Jobs.Remove(ctx, taken))
	taken, err = s.Jobs.Take(ctx, again.RunAt, noon.Add(time.Hour))
	ok(t, err)
	ok(t, s.Jobs.Remove(ctx, taken))
	wantNoJob(t, s, noon.Add(2*time.Hour))
}

func takeRace(t *testing.T, s pastebin.Stores) {
	const n = 8
	ok(t, s.Jobs.Put(t.Context(), detach("a")))
	errs := make([]error, n)
	together(n, func(i int) {
		_, errs[i] = s.Jobs.Take(t.Context(), noon, noon.Add(pastebin.Lease))
	})
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			is(t, err, pastebin.ErrNotFound)
		}
	}
	if won != 1 {
		t.Errorf("%d workers got the one job", won)
	}
}

func together(n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func is(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %q", err, want)
	}
}

func wantRow(t *testing.T, s pastebin.Stores, want pastebin.Paste) {
	t.Helper()
	got, err := s.Primary.Get(t.Context(), want.ID)
	ok(t, err)
	if got != want {
		t.Errorf("row %+v\nwant %+v", got, want)
	}
}

func wantText(t *testing.T, s pastebin.Stores, id string, want []byte) {
	t.Helper()
	got, err := s.Bucket.Get(t.Context(), id)
	ok(t, err)
	if !bytes.Equal(got, want) {
		t.Errorf("text %s: %s\nwant %s", id, short(got), short(want))
	}
}

// wantJob takes a job at now, for the usual lease.
func wantJob(t *testing.T, s pastebin.Stores, now time.Time, want pastebin.Job) {
	t.Helper()
	got, err := s.Jobs.Take(t.Context(), now, now.Add(pastebin.Lease))
	ok(t, err)
	if got != want {
		t.Errorf("job %+v\nwant %+v", got, want)
	}
}

func wantNoJob(t *testing.T, s pastebin.Stores, now time.Time) {
	t.Helper()
	got, err := s.Jobs.Take(t.Context(), now, now.Add(pastebin.Lease))
	if !errors.Is(err, pastebin.ErrNotFound) {
		t.Errorf("at %v there is the job %+v (error %v), want none", now, got, err)
	}
}

func short(b []byte) string {
	s := fmt.Sprintf("%d bytes %q", len(b), b[:min(len(b), 40)])
	if len(b) > 40 {
		s = strings.TrimSuffix(s, `"`) + `…"`
	}
	return s
}
