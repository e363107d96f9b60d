package pastebin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stormbin/engine/live"
)

// CacheFor is how long an entry of the cache is believed. A delete drops the entry, its purge job drops it again; if
// both went wrong, or a slow read put the entry back, a deleted paste is read for this much longer and no more.
const CacheFor = 10 * time.Minute

// Read is the paste of that id and its text. Each error is an [*Error]: 404 if it never was, was deleted, has expired or
// was burned (the cause is ErrNotFound, ErrDeleted, ErrExpired or ErrBurned), 503 if a store did not answer in time or at
// all, 500 if the text that came back is not the one that was saved. Never half a paste.
//
// A paste that is burned when it is read is not read here: then the error is a 403, its cause ErrBurns, and the row comes
// with it. See [Service.Burn].
func (s *Service) Read(ctx context.Context, c *live.Caller, id string) (Paste, []byte, error) {
	if e, ok := s.cached(ctx, c, id); ok {
		if e.Paste.ExpiredAt(s.now()) {
			return Paste{}, nil, gone(Expired)
		}
		return e.Paste, e.Text, nil
	}
	p, err := s.row(ctx, c, id)
	if err != nil {
		return Paste{}, nil, err
	}
	if err := s.over(p); err != nil {
		return Paste{}, nil, err
	}
	if p.Burn {
		return p, nil, burns()
	}
	text, err := s.text(ctx, c, p)
	if err != nil {
		return Paste{}, nil, err
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

// row asks the primary for the row of id.
func (s *Service) row(ctx context.Context, c *live.Caller, id string) (Paste, error) {
	p, err := call(ctx, c, primaryRead, func(ctx context.Context) (Paste, error) { return s.Primary.Get(ctx, id) })
	switch {
	case errors.Is(err, ErrNotFound):
		return Paste{}, never()
	case err != nil:
		return Paste{}, &Error{unavailable, explain(err), err}
	}
	return p, nil
}

// text asks the bucket for the text of p.
func (s *Service) text(ctx context.Context, c *live.Caller, p Paste) ([]byte, error) {
	text, err := call(ctx, c, objectGet, func(ctx context.Context) ([]byte, error) { return s.Bucket.Get(ctx, p.ID) })
	switch {
	case errors.Is(err, ErrNotFound):
		// Deleted since we asked for the row, most likely. It is rare, so to look again is no step of the policy's.
		if p, err := s.Primary.Get(ctx, p.ID); err == nil {
			if err := s.over(p); err != nil {
				return nil, err
			}
		}
		return nil, &Error{failed, "The text of this paste is missing from the bucket.", nil}
	case err != nil:
		return nil, &Error{unavailable, explain(err), err}
	}
	if err := p.check(text); err != nil {
		return nil, &Error{failed, fmt.Sprintf("The text of this paste is damaged: %v.", err), err}
	}
	return text, nil
}

// over says why p can't be read any more; nil if it can.
func (s *Service) over(p Paste) error {
	switch {
	case !p.Deleted.IsZero():
		return gone(p.End)
	case p.ExpiredAt(s.now()):
		return gone(Expired)
	}
	return nil
}
