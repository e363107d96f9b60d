package pastebin

import (
	"context"
	"io"
	"slices"
	"time"
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

// Service answers requests. All fields are needed.
type Service struct {
	Stores
	// Rand makes ids, so it must not be predictable.
	Rand io.Reader
	// Now is the wall clock, which dates pastes and jobs; safe for concurrent use. How long a call takes is the caller's
	// clock's affair.
	Now func() time.Time
}

// List is all pastes that can be read, the newest first. It reads rows only, and no call stands between: a reader's own
// list does not go through the storm.
func (s *Service) List(ctx context.Context) ([]Paste, error) {
	list, err := s.Primary.List(ctx)
	now := s.now()
	return slices.DeleteFunc(list, func(p Paste) bool { return p.ExpiredAt(now) }), err
}

// now is the time to the millisecond, which is what stores keep.
func (s *Service) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
