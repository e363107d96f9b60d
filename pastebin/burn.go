package pastebin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stormbin/engine/live"
)

// BurnGrace is how long the reader of a burned paste can read it again.
const BurnGrace = 10 * time.Minute

// Burn reads a paste that may be read once. by is a name that its reader made up, not "": of all who ask, one gets the
// text, and gets it again for BurnGrace, so that an answer which went missing can be asked for again. Each error is an
// [*Error], like those of [Service.Read]; 409 if the paste is not one that is burned.
func (s *Service) Burn(ctx context.Context, c *live.Caller, id, by string) (Paste, []byte, error) {
	p, err := s.row(ctx, c, id)
	if err != nil {
		return Paste{}, nil, err
	}
	mine := s.burnedBy(p, by)
	if !mine {
		if err := s.over(p); err != nil {
			return Paste{}, nil, err
		}
		if !p.Burn {
			return Paste{}, nil, &Error{conflict, "This paste is not burned when it is read: it can just be read.", nil}
		}
	}
	text, err := s.text(ctx, c, p)
	if err != nil || mine {
		return p, text, err
	}
	at := s.now()
	grave := Paste{ID: id, Deleted: at, End: Burned, By: by}
	detach := Job{Kind: Detach, Paste: id, RunAt: at.Add(BurnGrace)}
	p, err = call(ctx, c, primaryDelete, func(ctx context.Context) (Paste, error) { return s.Primary.Delete(ctx, grave, detach) })
	switch {
	case errors.Is(err, ErrNotFound):
		return Paste{}, nil, never()
	case err != nil:
		return Paste{}, nil, &Error{unavailable, explain(err) + fmt.Sprintf(
			" The paste may have been burned, and only you can still read it: it is safe to try again within %s.", span(BurnGrace)), err}
	case !s.burnedBy(p, by):
		return Paste{}, nil, gone(p.End)
	}
	return p, text, nil
}

// burnedBy says whether p was burned by that reader, so lately that it can be read again.
func (s *Service) burnedBy(p Paste, by string) bool {
	return p.End == Burned && p.By == by && by != "" && s.now().Before(p.Deleted.Add(BurnGrace))
}
