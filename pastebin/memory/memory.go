// Package memory keeps pastes in memory: for tests, and where a browser refuses storage. All is gone with the process.
//
//	memory.go   what the stores share
//	primary.go, bucket.go, cache.go, jobs.go
package memory

import (
	"sync"
	"time"

	"stormbin/pastebin"
)

// New makes empty stores. They never wait, so they don't look at a ctx, and they never fail with ErrQuota or ErrClosed.
func New() pastebin.Stores {
	s := &shared{
		rows:    map[string]pastebin.Paste{},
		keys:    map[string]string{},
		texts:   map[string][]byte{},
		entries: map[string]pastebin.Entry{},
		jobs:    map[jobKey]pastebin.Job{},
	}
	return pastebin.Stores{Cache: cache{s}, Primary: primary{s}, Bucket: bucket{s}, Jobs: jobs{s}}
}

// shared is what the four stores share: one lock, so that a step over several of them is one step.
type shared struct {
	sync.Mutex
	rows    map[string]pastebin.Paste
	keys    map[string]string // ids of the living by their keys
	texts   map[string][]byte
	entries map[string]pastebin.Entry
	jobs    map[jobKey]pastebin.Job
	leader  leader
}

type jobKey struct {
	kind  pastebin.JobKind
	paste string
}

// leader leads the workers until then.
type leader struct {
	who   string
	until time.Time
}

func (s *shared) putJobs(jobs ...pastebin.Job) {
	for _, j := range jobs {
		s.jobs[jobKey{j.Kind, j.Paste}] = j
	}
}
