package memory

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"stormbin/pastebin"
)

type bucket struct{ *shared }

func (s bucket) Put(_ context.Context, id string, text []byte) error {
	s.Lock()
	defer s.Unlock()
	s.texts[id] = bytes.Clone(text)
	return nil
}

func (s bucket) Get(_ context.Context, id string) ([]byte, error) {
	s.Lock()
	defer s.Unlock()
	text, ok := s.texts[id]
	if !ok {
		return nil, fmt.Errorf("text of paste %s: %w", id, pastebin.ErrNotFound)
	}
	return bytes.Clone(text), nil
}

func (s bucket) Scan(_ context.Context, after string, limit int) ([]pastebin.Object, error) {
	s.Lock()
	defer s.Unlock()
	ids := slices.Sorted(maps.Keys(s.texts))
	from, found := slices.BinarySearch(ids, after)
	if found {
		from++
	}
	var objects []pastebin.Object
	for _, id := range ids[from:min(from+limit, len(ids))] {
		objects = append(objects, pastebin.Object{ID: id, Text: bytes.Clone(s.texts[id])})
	}
	return objects, nil
}
