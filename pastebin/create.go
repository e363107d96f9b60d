package pastebin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"stormbin/engine/live"
)

// How long a paste that is not kept for ever may be kept.
const (
	MinLives = time.Minute
	MaxLives = 10 * 365 * 24 * time.Hour
)

// ReapAge is how old a create must be before what it left behind is cleared up. It is far longer than any create, so
// that none is still on its way.
const ReapAge = time.Hour

// Draft is what a reader wants to save.
type Draft struct {
	// Key is made once for what the reader means to save, however often that is tried, so that it is saved once. "" is
	// none: each create makes a paste.
	Key   string
	Title string
	// Language is one of the names of [Languages]; "" is plain text.
	Language string
	Text     []byte
	// Lives is how long it is kept: 1 min to 10 years. 0 is for ever.
	Lives time.Duration
	// Burn says that it may be read once.
	Burn bool
}

// Create saves a draft as a new paste; or finds the one that was made of it, if an earlier create with the same Key was
// saved after all. Each error is an [*Error], and then there is no link: 400 or 413 if the draft can't be saved as it is,
// 503 if the bytes could not be stored, 500 if the row could not, 409 if its Key is another paste's.
//
// A create is never done over by itself: after a timeout nobody knows what became of it. The reader may, with the same Key.
func (s *Service) Create(ctx context.Context, c *live.Caller, d Draft) (Paste, error) {
	p, err := d.paste()
	if err != nil {
		return Paste{}, err
	}
	text := bytes.Clone(d.Text) // an attempt that is late may read it when the caller has moved on
	if p.ID, err = NewID(s.Rand); err != nil {
		return Paste{}, notSaved(failed, err)
	}
	p.Created = s.now()
	if d.Lives > 0 {
		p.Expires = p.Created.Add(d.Lives.Truncate(time.Millisecond))
	}

	reap, err := call(ctx, c, objectPut, func(ctx context.Context) (Job, error) { return s.put(ctx, p.ID, text) })
	if err != nil {
		_, _ = s.reapLater(ctx, p.ID) // should the bytes land yet, put does this too
		return Paste{}, notSaved(unavailable, err)
	}
	err = order(ctx, c, primaryInsert, func(ctx context.Context) error { return s.insert(ctx, p) })
	if errors.Is(err, ErrExists) {
		return s.earlier(ctx, p) // the bytes just put are the reaper's
	}
	if err != nil {
		return Paste{}, notSaved(failed, err)
	}
	// If this goes wrong, the reaper finds the row and leaves all as it is.
	_ = s.Jobs.Remove(ctx, reap)
	return p, nil
}

// paste is the row for d, but for its id and its times.
func (d Draft) paste() (Paste, error) {
	p := describe(d.Title, d.Language, d.Text)
	p.Burn, p.Key = d.Burn, d.Key
	switch {
	case len(p.Title) > MaxTitle:
		return Paste{}, tooLong("title", len(p.Title), MaxTitle)
	case p.Size > MaxSize:
		return Paste{}, tooLong("paste", p.Size, MaxSize)
	case !known(d.Language):
		return Paste{}, &Error{badRequest, fmt.Sprintf("There is no language named %q here: take one from the list, or plain text.", d.Language), nil}
	case d.Lives != 0 && (d.Lives < MinLives || d.Lives > MaxLives):
		return Paste{}, &Error{badRequest, fmt.Sprintf("A paste can’t be kept for %s: take 1 minute to 10 years, or for ever.", span(d.Lives)), nil}
	}
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
	err := s.Primary.Insert(ctx, p, expireLater(p)...)
	if errors.Is(err, ErrExists) {
		if row, err := s.Primary.Get(ctx, p.ID); err == nil && row == p {
			return nil
		}
	}
	return err
}

// expireLater is the job to look when p's time is over; none if it never is.
func expireLater(p Paste) []Job {
	if p.Expires.IsZero() {
		return nil
	}
	return []Job{{Kind: Expire, Paste: p.ID, RunAt: p.Expires}}
}

// earlier is the paste that an earlier create made of the draft that p is made of, now that p could not be inserted. It
// is rare, so to look for it is no call of the policy's.
func (s *Service) earlier(ctx context.Context, p Paste) (Paste, error) {
	taken := fmt.Errorf("insert paste %s: %w", p.ID, ErrExists)
	if p.Key == "" {
		return Paste{}, notSaved(failed, taken)
	}
	row, err := s.Primary.ByKey(ctx, p.Key)
	switch {
	case errors.Is(err, ErrNotFound): // reaped in the middle of this create, or deleted since the insert looked
		return Paste{}, notSaved(failed, taken)
	case err != nil:
		return Paste{}, notSaved(failed, err)
	case row.ExpiredAt(s.now()):
		return Paste{}, &Error{conflict, "This draft was saved before, and that paste has expired. Save it as a new one.", ErrExists}
	case !sameContent(row, p):
		return Paste{}, &Error{conflict, "This draft was saved before, and has been changed since. That paste stays as it is: save this as a new one.", ErrExists}
	}
	return row, nil
}

func notSaved(status int, err error) error {
	saved := "saved"
	var f *live.Failure
	if errors.As(err, &f) && f.Call == primaryInsert && unknown(f) {
		saved = "saved in time" // it may be yet
	}
	return &Error{status, explain(err) + " The paste was not " + saved + ", and there is no link.", err}
}
