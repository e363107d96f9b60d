package memory

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"stormbin/pastebin"
)

type primary struct{ *shared }

func (s primary) Insert(_ context.Context, p pastebin.Paste, jobs ...pastebin.Job) error {
	s.Lock()
	defer s.Unlock()
	if _, taken := s.rows[p.ID]; taken {
		return fmt.Errorf("insert paste %s: %w", p.ID, pastebin.ErrExists)
	}
	return s.add(p, jobs)
}

// add sets the row, unless another that lives has its key.
func (s primary) add(p pastebin.Paste, jobs []pastebin.Job) error {
	if _, taken := s.keys[p.Key]; taken {
		return fmt.Errorf("paste %s with the key %s: %w", p.ID, p.Key, pastebin.ErrExists)
	}
	if p.Key != "" {
		s.keys[p.Key] = p.ID
	}
	s.rows[p.ID] = p
	s.putJobs(jobs...)
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

func (s primary) ByKey(_ context.Context, key string) (pastebin.Paste, error) {
	s.Lock()
	defer s.Unlock()
	id, ok := s.keys[key]
	if !ok {
		return pastebin.Paste{}, fmt.Errorf("row with the key %s: %w", key, pastebin.ErrNotFound)
	}
	return s.rows[id], nil
}

func (s primary) Delete(_ context.Context, grave pastebin.Paste, jobs ...pastebin.Job) (pastebin.Paste, error) {
	s.Lock()
	defer s.Unlock()
	p, ok := s.rows[grave.ID]
	if !ok {
		return pastebin.Paste{}, fmt.Errorf("delete paste %s: %w", grave.ID, pastebin.ErrNotFound)
	}
	if !p.Deleted.IsZero() || grave.End == pastebin.Expired && !p.ExpiredAt(grave.Deleted) {
		return p, nil
	}
	delete(s.keys, p.Key)
	p.Key, p.Deleted, p.End, p.By = "", grave.Deleted, grave.End, grave.By
	s.rows[p.ID] = p
	s.putJobs(jobs...)
	return p, nil
}

func (s primary) Undelete(_ context.Context, id string) error {
	s.Lock()
	defer s.Unlock()
	p, ok := s.rows[id]
	if ok && p.Deleted.IsZero() {
		return fmt.Errorf("undelete paste %s: %w", id, pastebin.ErrExists)
	}
	if !ok || p.Bare() || p.End != pastebin.Removed {
		return fmt.Errorf("undelete paste %s: %w", id, pastebin.ErrNotFound)
	}
	p.Deleted, p.End, p.By = time.Time{}, "", ""
	s.rows[id] = p
	delete(s.jobs, jobKey{pastebin.Detach, id})
	return nil
}

func (s primary) Restore(_ context.Context, p pastebin.Paste, text []byte, jobs ...pastebin.Job) error {
	s.Lock()
	defer s.Unlock()
	if row, ok := s.rows[p.ID]; ok && !row.YieldsTo(p) {
		return fmt.Errorf("restore paste %s: %w", p.ID, pastebin.ErrExists)
	}
	if err := s.add(p, jobs); err != nil {
		return err
	}
	s.texts[p.ID] = bytes.Clone(text)
	return nil
}

func (s primary) Clear(_ context.Context, id string, at time.Time) error {
	s.Lock()
	defer s.Unlock()
	p, ok := s.rows[id]
	switch {
	case !ok:
		p.Deleted, p.End = at, pastebin.Reaped
	case p.Deleted.IsZero():
		return nil
	}
	s.rows[id] = pastebin.Paste{ID: id, Deleted: p.Deleted, End: p.End}
	delete(s.texts, id)
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
	pastebin.Sort(list)
	return list, nil
}
