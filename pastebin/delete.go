package pastebin

import (
	"context"
	"errors"
	"time"

	"stormbin/engine/live"
)

// UndoFor is how long a delete can be undone.
const UndoFor = time.Minute

// Delete removes the paste of that id. nil (a 204) if it is gone, also if it was gone before. Each error is an [*Error]:
// 404 if it never was, 503 if the primary did not answer; then it may be gone or not, and to ask again is safe.
func (s *Service) Delete(ctx context.Context, c *live.Caller, id string) error {
	at := s.now()
	grave := Paste{ID: id, Deleted: at, End: Removed}
	detach := Job{Kind: Detach, Paste: id, RunAt: at.Add(UndoFor)}
	err := order(ctx, c, primaryDelete, func(ctx context.Context) error {
		_, err := s.Primary.Delete(ctx, grave, detach)
		return err
	})
	switch {
	case errors.Is(err, ErrNotFound):
		return never()
	case err != nil:
		return &Error{unavailable, explain(err) + " The paste may be deleted or not; it is safe to try again.", err}
	}
	// The purge job does this once more, so it doesn't matter if it goes wrong. See CacheFor.
	_ = s.Cache.Remove(ctx, id)
	return nil
}

// Undelete brings back a paste that was deleted no longer than UndoFor ago. It is the reader's own undo, so no call stands
// between. The error is an [*Error] if it is too late (404) or the paste is there already (409), else a store's.
func (s *Service) Undelete(ctx context.Context, id string) error {
	err := s.Primary.Undelete(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return &Error{notFound, "It is too late to bring this paste back: its text has been removed.", err}
	case errors.Is(err, ErrExists):
		return &Error{conflict, "This paste is there already.", err}
	}
	return err
}
