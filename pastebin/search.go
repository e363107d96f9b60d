package pastebin

import (
	"bytes"
	"context"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	// scanBatch is how many texts are read at a time; at up to [MaxSize] each, that is 16 MiB.
	scanBatch = 16
	// scanBreak is after how many bytes a search lets others go on: a page has one thread, which draws it too.
	scanBreak = 1 << 20
)

// Search finds the texts that contain query, letter case aside, and calls found with the ids of those among each batch
// that it has been through, and with how many it has been through so far. It looks at texts only, so that some may be of
// pastes which live no more. It reads the bucket and no call stands between. It stops with ctx; the error is that, or a
// store's.
func (s *Service) Search(ctx context.Context, query string, found func(ids []string, seen int)) error {
	wanted := appendLower(nil, []byte(query))
	var lower []byte // used again for each text: a copy of each would be much garbage
	seen, read := 0, 0
	return s.scan(ctx, func(batch []Object) error {
		var ids []string
		for _, o := range batch {
			if err := ctx.Err(); err != nil {
				return err
			}
			if lower = appendLower(lower[:0], o.Text); bytes.Contains(lower, wanted) {
				ids = append(ids, o.ID)
			}
			if read += len(o.Text); read >= scanBreak {
				read = 0
				time.Sleep(time.Millisecond)
			}
		}
		seen += len(batch)
		found(ids, seen)
		return nil
	})
}

// scan calls each with all texts, a batch at a time, until it fails.
func (s *Service) scan(ctx context.Context, each func(batch []Object) error) error {
	for after := ""; ; {
		batch, err := s.Bucket.Scan(ctx, after, scanBatch)
		if err != nil {
			return err
		}
		if err := each(batch); err != nil {
			return err
		}
		if len(batch) < scanBatch {
			return nil
		}
		after = batch[len(batch)-1].ID
	}
}

// appendLower appends text to b, in lower case.
func appendLower(b, text []byte) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			b = append(b, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		b = utf8.AppendRune(b, unicode.ToLower(r))
		i += n
	}
	return b
}
