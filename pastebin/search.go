package pastebin

import (
	"bytes"
	"context"
	"time"
)

const (
	// searchBatch is how many texts are read at a time; at up to [MaxSize] each, that is 16 MiB.
	searchBatch = 16
	// searchBreak is after how many bytes a search lets others go on: a page has one thread, which draws it too.
	searchBreak = 1 << 20
)

// Search finds the texts that contain query, letter case aside, and calls found with the ids of those among each batch
// that it has been through, and with how many it has been through so far. It looks at texts only, so that some may be of
// pastes which live no more. It reads the bucket and no call stands between. It stops with ctx; the error is that, or a
// store's.
func (s *Service) Search(ctx context.Context, query string, found func(ids []string, seen int)) error {
	lower := bytes.ToLower([]byte(query))
	seen, read, after := 0, 0, ""
	for {
		batch, err := s.Bucket.Scan(ctx, after, searchBatch)
		if err != nil {
			return err
		}
		var ids []string
		for _, o := range batch {
			if err := ctx.Err(); err != nil {
				return err
			}
			if bytes.Contains(bytes.ToLower(o.Text), lower) {
				ids = append(ids, o.ID)
			}
			if read += len(o.Text); read >= searchBreak {
				read = 0
				time.Sleep(time.Millisecond)
			}
		}
		seen += len(batch)
		found(ids, seen)
		if len(batch) < searchBatch {
			return nil
		}
		after = batch[len(batch)-1].ID
	}
}
