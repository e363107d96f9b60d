// Package memory keeps pastes in memory: for tests, and where a browser refuses storage. All is gone with the process.
package memory

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"stormbin/pastebin"
)

// New makes empty stores. They never wait, so they don't look at a ctx, and they never fail with ErrQuota or ErrClosed.
func New() pastebin.Stores {
	s := &shared{
		rows:    map[string]pastebin.Paste{},
		texts:   map[string][]byte{},
		entries: map[string]pastebin.Entry{},
		jobs:    map[jobKey]pastebin.Job{},
	}
	return pastebin.Stores{Cache: cache{s}, Primary: primary{s}, Bucket: bucket{s}, Jobs: jobs{s}}
}

type jobKey struct {
	kind  pastebin.JobKind
	paste string
}

// shared is what the four stores share: one lock, so that a step over two of them is one step.
type shared struct {
	sync.Mutex
	rows    map[string]pastebin.Paste
	texts   map[string][]byte
	entries map[string]pastebin.Entry
	jobs    map[jobKey]pastebin.Job
}

func (s *shared) putJob(j pastebin.Job) { s.jobs[jobKey{j.Kind, j.Paste}] = j }

type primary struct{ *shared }

func (s primary) Insert(_ context.Context, p pastebin.Paste) error {
	s.Lock()
	defer s.Unlock()
	if _, taken := s.rows[p.ID]; taken {
		return fmt.Errorf("insert paste %s: %w", p.ID, pastebin.ErrExists)
	}
	s.rows[p.ID] = p
	return nil
}

func (s primary) Get(_ context.Context, id string) (pastebin.Paste, error) {
	s.Lock()
	defer s.Unlock()
	p, ok := s.rows[id]
	if !ok {
		return pastebin.Paste{}, fmt.Errorf("row of paste %s: %w", id, pastebin.ErrNotFound)
	}
	return p, nil
}

func (s primary) Delete(_ context.Context, id string, at time.Time, job pastebin.Job) error {
	s.Lock()
	defer s.Unlock()
	p, ok := s.rows[id]
	if !ok {
		return fmt.Errorf("delete paste %s: %w", id, pastebin.ErrNotFound)
	}
	if p.Deleted.IsZero() {
		s.rows[id] = pastebin.Paste{ID: id, Deleted: at}
		s.putJob(job)
	}
	return nil
}

func (s primary) List(context.Context) ([]pastebin.Paste, error) {
	s.Lock()
	defer s.Unlock()
	var list []pastebin.Paste
	for _, p := range s.rows {
		if p.Deleted.IsZero() {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, pastebin.NewestFirst)
	return list, nil
}

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

func (s bucket) Remove(_ context.Context, id string) error {
	s.Lock()
	defer s.Unlock()
	delete(s.texts, id)
	return nil
}

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

type jobs struct{ *shared }

func (s jobs) Put(_ context.Context, j pastebin.Job) error {
	s.Lock()
	defer s.Unlock()
	s.putJob(j)
	return nil
}

func (s jobs) Take(_ context.Context, now, until time.Time) (pastebin.Job, error) {
	s.Lock()
	defer s.Unlock()
	var first pastebin.Job
	for _, j := range s.jobs {
		if !j.RunAt.After(now) && (first.Kind == "" || j.RunAt.Before(first.RunAt)) {
			first = j
		}
	}
	if first.Kind == "" {
		return first, fmt.Errorf("jobs due at %v: %w", now, pastebin.ErrNotFound)
	}
	first.Attempts++
	first.RunAt = until
	s.putJob(first)
	return first, nil
}

func (s jobs) Remove(_ context.Context, j pastebin.Job) error {
	s.Lock()
	defer s.Unlock()
	if k := (jobKey{j.Kind, j.Paste}); s.jobs[k].RunAt.Equal(j.RunAt) {
		delete(s.jobs, k)
	}
	return nil
}
