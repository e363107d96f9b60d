// Package storetest is the contract that every store of package pastebin must pass. A store's own test calls [Run], and
// [Reopen] if it keeps pastes for longer than the process lives.
//
//	storetest.go  the list of tests, and what they share
//	primary.go    rows, and how they end
//	bucket.go, cache.go, jobs.go
package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
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
		{"a key is taken once among the living", keysAreUnique},
		{"a row and its jobs appear together", insertIsOneStep},
		{"one of many inserts of an id wins", insertRace},
		{"one of many inserts of a key wins", keyRace},
		{"what is not there is not found", absent},
		{"a list needs no texts and is newest first", list},
		{"a deleted row is a tombstone with jobs", deleteOnce},
		{"a row deleted again stays as it is", deleteTwice},
		{"a row expires when its time is over", deleteExpired},
		{"a tombstone and its job appear together", deleteIsOneStep},
		{"one of many who delete a row is named in it", deleteRace},
		{"a row that was removed comes back", undelete},
		{"what did not end by removal does not", undeleteOthers},
		{"a paste is restored with its text and jobs", restore},
		{"the living are not restored over", restoreOverLiving},
		{"what can be brought back is not restored over", restoreOverRemoved},
		{"a restore and a delete go on from each other", restoreAgain},
		{"one of many restores wins", restoreRace},
		{"what is cleared leaves a bare tombstone", clearDead},
		{"what lives is not cleared", clearLiving},
		{"a clear and an insert: one of them", clearOrInsert},
		{"a clear and an undelete: one of them", clearOrUndelete},
		{"a clear and a restore: the restore", clearOrRestore},
		{"a text comes back byte for byte", textsComeBack},
		{"a text put again is replaced", textsAreReplaced},
		{"slices are copied in and out", slicesAreCopied},
		{"texts are scanned in order, some at a time", scan},
		{"a cached paste comes back", entriesComeBack},
		{"a full cache drops the oldest", cacheIsBounded},
		{"jobs come when due, the longest due first", jobsInOrder},
		{"a job that was taken comes back when its lease ends", jobsAreLeased},
		{"a job put again replaces the first", jobsAreReplaced},
		{"a job that changed is not removed", jobsThatChanged},
		{"jobs are listed by kind", jobsOfAKind},
		{"a job is given to one of many", takeRace},
		{"one leads at a time", lead},
		{"one of many leads", leadRace},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

// Reopen tests that pastes outlive their store. Each open is of the same stores, which are empty at first and have been
// closed before they are opened again.
func Reopen(t *testing.T, open func(t *testing.T) pastebin.Stores) {
	s, ctx := open(t), t.Context()
	p, text, job := full("a"), []byte("kept\x00\xff"), pastebin.Job{Kind: pastebin.Reap, Paste: "b", RunAt: noon}
	burned, bare := full("burned"), full("bare")
	ok(t, s.Primary.Insert(ctx, p))
	ok(t, s.Bucket.Put(ctx, "a", text))
	ok(t, s.Jobs.Put(ctx, job))
	ok(t, s.Primary.Insert(ctx, burned))
	ok(t, s.Primary.Insert(ctx, bare))
	burned = deleted(t, s, grave("burned", pastebin.Burned))
	deleted(t, s, grave("bare", pastebin.Removed))
	ok(t, s.Primary.Clear(ctx, "bare", noon))

	s = open(t)
	wantRow(t, s, p)
	wantRow(t, s, burned)
	wantRow(t, s, bareOf(grave("bare", pastebin.Removed)))
	wantText(t, s, "a", text)
	wantJob(t, s, noon, pastebin.Job{Kind: pastebin.Reap, Paste: "b", RunAt: noon.Add(pastebin.Lease), Attempts: 1})
	again := row("c")
	again.Key = p.Key
	is(t, s.Primary.Insert(ctx, again), pastebin.ErrExists)
}

// noon is a time with milliseconds, as all times in stores are.
var noon = time.Date(2026, 1, 2, 12, 0, 0, 345_000_000, time.UTC)

// row is one with no more than every row has.
func row(id string) pastebin.Paste {
	return pastebin.Paste{ID: id, Title: "title of " + id, Size: 12, Sum: 0xfedcba98, Created: noon}
}

// full is one with all that a row can have while it lives.
func full(id string) pastebin.Paste {
	p := row(id)
	p.Language, p.Binary, p.Burn, p.Key, p.Expires = "go", true, true, "key of "+id, noon.Add(time.Hour)
	return p
}

// grave is what a row is to end as, at noon.
func grave(id string, end pastebin.End) pastebin.Paste {
	g := pastebin.Paste{ID: id, Deleted: noon, End: end}
	if end == pastebin.Burned {
		g.By = "reader"
	}
	return g
}

// tombstone is what the row becomes.
func tombstone(p, grave pastebin.Paste) pastebin.Paste {
	p.Key, p.Deleted, p.End, p.By = "", grave.Deleted, grave.End, grave.By
	return p
}

func bareOf(p pastebin.Paste) pastebin.Paste {
	return pastebin.Paste{ID: p.ID, Deleted: p.Deleted, End: p.End}
}

func detach(id string) pastebin.Job {
	return pastebin.Job{Kind: pastebin.Detach, Paste: id, RunAt: noon}
}

func expire(id string) pastebin.Job {
	return pastebin.Job{Kind: pastebin.Expire, Paste: id, RunAt: noon}
}

// taken is the job after it was taken once at noon.
func taken(j pastebin.Job) pastebin.Job {
	j.RunAt, j.Attempts = noon.Add(pastebin.Lease), 1
	return j
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

func wantNoText(t *testing.T, s pastebin.Stores, id string) {
	t.Helper()
	got, err := s.Bucket.Get(t.Context(), id)
	if !errors.Is(err, pastebin.ErrNotFound) {
		t.Errorf("text %s: %s (error %v), want none", id, short(got), err)
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
