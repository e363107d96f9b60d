package memory

import (
	"bytes"
	"context"
	"fmt"

	"stormbin/pastebin"
)

type cache struct{ *shared }

func (s cache) Put(_ context.Context, e pastebin.Entry) error {
	s.Lock()
	defer s.Unlock()
	e.Text = bytes.Clone(e.Text)
	s.entries[e.Paste.ID] = e
	if len(s.entries) > pastebin.CacheLimit {
		oldest := e
		for _, e := range s.entries {
			if e.Filled.Before(oldest.Filled) {
				oldest = e
			}
		}
		delete(s.entries, oldest.Paste.ID)
	}
	return nil
}

func (s cache) Get(_ context.Context, id string) (pastebin.Entry, error) {
	s.Lock()
	defer s.Unlock()
	e, ok := s.entries[id]
	if !ok {
		return pastebin.Entry{}, fmt.Errorf("cached paste %s: %w", id, pastebin.ErrNotFound)
	}
	e.Text = bytes.Clone(e.Text)
	return e, nil
}

func (s cache) Remove(_ context.Context, id string) error {
	s.Lock()
	defer s.Unlock()
	delete(s.entries, id)
	return nil
}
