package pastebin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"stormbin/engine/live"
)

// The calls, as the policy knows them.
const (
	cacheGet      = "cache_get"
	primaryRead   = "primary_read"
	primaryInsert = "primary_insert"
	primaryDelete = "primary_delete"
	objectGet     = "object_get"
	objectPut     = "object_put"
)

// CacheFor is how long an entry of the cache is believed. A delete drops the entry, its detach job drops it again; if
// both went wrong, or a slow read put the entry back, a deleted paste is read for this much longer and no more.
const CacheFor = 10 * time.Minute

// ReapAge is how old a create must be before what it left behind is cleared up. It is far longer than any create, so
// that none is still on its way.
const ReapAge = time.Hour

// Service answers requests. All fields are needed.
type Service struct {
	Stores
	// Rand makes ids, so it must not be predictable.
	Rand io.Reader
	// Now is the wall clock, which dates pastes and jobs; safe for concurrent use. How long a call takes is the caller's clock's affair.
	Now func() time.Time
}

// Read is the paste of that id and its text. Each error is an [*Error]: 404 if it never was or was deleted (the cause is
// ErrNotFound or ErrDeleted), 503 if a store did not answer in time or at all, 500 if the text that came back is not the
// one that was saved. Never half a paste.
func (s *Service) Read(ctx context.Context, c *live.Caller, id string) (Paste, []byte, error) {
	if e, ok := s.cached(ctx, c, id); ok {
		return e.Paste, e.Text, nil
	}
	p, err := call(ctx, c, primaryRead, func(ctx context.Context) (Paste, error) { return s.Primary.Get(ctx, id) })
	switch {
	case errors.Is(err, ErrNotFound):
		return Paste{}, nil, never()
	case err != nil:
		return Paste{}, nil, &Error{unavailable, explain(err), err}
	case !p.Deleted.IsZero():
		return Paste{}, nil, deleted()
	}
	text, err := call(ctx, c, objectGet, func(ctx context.Context) ([]byte, error) { return s.Bucket.Get(ctx, id) })
	switch {
	case errors.Is(err, ErrNotFound):
		// Deleted since we asked for the row, most likely. It is rare, so to look again is no step of the policy's.
		if p, err := s.Primary.Get(ctx, id); err == nil && !p.Deleted.IsZero() {
			return Paste{}, nil, deleted()
		}
		return Paste{}, nil, &Error{failed, "The text of this paste is missing from the bucket.", nil}
	case err != nil:
		return Paste{}, nil, &Error{unavailable, explain(err), err}
	}
	if err := p.check(text); err != nil {
		return Paste{}, nil, &Error{failed, fmt.Sprintf("The text of this paste is damaged: %v.", err), err}
	}
	// The reader has the answer and doesn't wait for this, so it is no call of the policy's; nor does it matter if it
	// goes wrong.
	_ = s.Cache.Put(ctx, Entry{Paste: p, Text: text, Filled: s.now()})
	return p, text, nil
}

// cached is the cache's entry, if it has one that can be believed. Whatever goes wrong with a cache is a miss.
func (s *Service) cached(ctx context.Context, c *live.Caller, id string) (Entry, bool) {
	e, err := call(ctx, c, cacheGet, func(ctx context.Context) (Entry, error) { return s.Cache.Get(ctx, id) })
	if err != nil || e.Paste.check(e.Text) != nil {
		return Entry{}, false
	}
	age := s.now().Sub(e.Filled)
	return e, 0 <= age && age < CacheFor // a clock that was set back makes it older, not younger
}

// Create saves text under title as a new paste. Each error is an [*Error], and then there is no link: 413 if either is
// too long, 503 if the bytes could not be stored, 500 if the row could not.
//
// A create is never done over: after a timeout nobody knows what became of it, and a second might make two.
func (s *Service) Create(ctx context.Context, c *live.Caller, title string, text []byte) (Paste, error) {
	p := describe(title, text)
	if len(p.Title) > MaxTitle {
		return Paste{}, tooLong("title", len(p.Title), MaxTitle)
	}
	if p.Size > MaxSize {
		return Paste{}, tooLong("paste", p.Size, MaxSize)
	}
	text = bytes.Clone(text) // an attempt that is late may read it when the caller has moved on
	id, err := NewID(s.Rand)
	if err != nil {
		return Paste{}, notSaved(failed, err)
	}
	p.ID, p.Created = id, s.now()

	reap, err := call(ctx, c, objectPut, func(ctx context.Context) (Job, error) { return s.put(ctx, id, text) })
	if err != nil {
		_, _ = s.reapLater(ctx, id) // should the bytes land yet, put does this too
		return Paste{}, notSaved(unavailable, err)
	}
	if err := order(ctx, c, primaryInsert, func(ctx context.Context) error { return s.insert(ctx, p) }); err != nil {
		return Paste{}, notSaved(failed, err)
	}
	// If this goes wrong, the reaper finds the row and leaves all as it is.
	_ = s.Jobs.Remove(ctx, reap)
	return p, nil
}

// put stores the bytes, and before them the job to clear them up: whatever happens next, be it that the tab is closed,
// bytes without a row are not kept for ever. A PUT that lands late is dated from then.
func (s *Service) put(ctx context.Context, id string, text []byte) (reap Job, err error) {
	if reap, err = s.reapLater(ctx, id); err != nil {
		return Job{}, err
	}
	return reap, s.Bucket.Put(ctx, id, text)
}

func (s *Service) reapLater(ctx context.Context, id string) (Job, error) {
	job := Job{Kind: Reap, Paste: id, RunAt: s.now().Add(ReapAge)}
	return job, s.Jobs.Put(ctx, job)
}

// insert adds the row. Where a rule sends it again after a timeout, the first may have landed: that is success too.
func (s *Service) insert(ctx context.Context, p Paste) error {
	err := s.Primary.Insert(ctx, p)
	if errors.Is(err, ErrExists) {
		if row, err := s.Primary.Get(ctx, p.ID); err == nil && row == p {
			return nil
		}
	}
	return err
}

// Delete removes the paste of that id. nil (a 204) if it is gone, also if it was gone before. Each error is an [*Error]:
// 404 if it never was, 503 if the primary did not answer; then it may be gone or not, and to ask again is safe.
func (s *Service) Delete(ctx context.Context, c *live.Caller, id string) error {
	at := s.now()
	job := Job{Kind: Detach, Paste: id, RunAt: at}
	err := order(ctx, c, primaryDelete, func(ctx context.Context) error { return s.Primary.Delete(ctx, id, at, job) })
	switch {
	case errors.Is(err, ErrNotFound):
		return never()
	case err != nil:
		return &Error{unavailable, explain(err) + " The paste may be deleted or not; it is safe to try again.", err}
	}
	// The detach job does this once more, so it doesn't matter if it goes wrong. See CacheFor.
	_ = s.Cache.Remove(ctx, id)
	return nil
}

// List is all pastes, the newest first. It reads rows only, and no call stands between: a reader's own list does not
// go through the storm.
func (s *Service) List(ctx context.Context) ([]Paste, error) { return s.Primary.List(ctx) }

// now is the time to the millisecond, which is what stores keep.
func (s *Service) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }

func never() error { return &Error{notFound, "There never was a paste with this id.", ErrNotFound} }

func deleted() error { return &Error{notFound, "This paste was deleted.", ErrDeleted} }

func notSaved(status int, err error) error {
	return &Error{status, explain(err) + " The paste was not saved, and there is no link.", err}
}
