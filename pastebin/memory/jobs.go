package memory

import (
	"context"
	"fmt"
	"time"

	"stormbin/pastebin"
)

type jobs struct{ *shared }

func (s jobs) Put(_ context.Context, j pastebin.Job) error {
	s.Lock()
	defer s.Unlock()
	s.putJobs(j)
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
	s.putJobs(first)
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

func (s jobs) List(_ context.Context, kind pastebin.JobKind) (list []pastebin.Job, err error) {
	s.Lock()
	defer s.Unlock()
	for _, j := range s.jobs {
		if j.Kind == kind {
			list = append(list, j)
		}
	}
	return list, nil
}

func (s jobs) Lead(_ context.Context, who string, now, until time.Time) (bool, error) {
	s.Lock()
	defer s.Unlock()
	if s.leader.who != who && s.leader.until.After(now) {
		return false, nil
	}
	s.leader = leader{who, until}
	return true, nil
}
