package pastebin

import (
	"context"
	"time"
)

// Stores is where pastes are kept. Package storetest says exactly what is asked of each, and tests it.
//
// A ctx bounds how long an answer is waited for, not the work: what was asked for may still happen after it ended.
// Slices are copied on the way in and on the way out. All of it may be used by many goroutines at once. Any method may
// fail with [ErrClosed] or with an error of the store's own, and any that writes with [ErrQuota]; then nothing of what
// it should have written is there.
type Stores struct {
	Cache   Cache
	Primary Primary
	Bucket  Bucket
	Jobs    Jobs
}

// Primary holds the rows, at most one for each id, and at most one that lives for each Key other than "".
//
// What it does to a row together with its text or its jobs is done in one step: all of it or nothing.
type Primary interface {
	// Insert adds a row and its jobs. ErrExists if the id is taken, by a tombstone too, or the key.
	Insert(ctx context.Context, p Paste, jobs ...Job) error
	// Get is the row of id, which may be a tombstone. ErrNotFound if there is none.
	Get(ctx context.Context, id string) (Paste, error)
	// ByKey is the living row of that key, which is not "". ErrNotFound if there is none.
	ByKey(ctx context.Context, key string) (Paste, error)
	// Delete makes a tombstone of the row, with Deleted, End and By as in grave, and adds the jobs. It gives the row as it
	// is then. Of a row that is a tombstone already it changes nothing and adds no job; that is no error. Nor does it change
	// one where grave says Expired and the row does not expire by grave.Deleted. ErrNotFound if there is no row.
	Delete(ctx context.Context, grave Paste, jobs ...Job) (Paste, error)
	// Undelete gives the row of id its life back, and removes its Detach job. ErrExists if it lives; ErrNotFound if there is
	// no row or a bare tombstone, or one that was not Removed. The row has no Key then.
	Undelete(ctx context.Context, id string) error
	// Restore adds a row, its text and its jobs. It takes the place of a tombstone that yields to it (see [Paste.YieldsTo]) and
	// of what that left. ErrExists if there is a row of the id that doesn't, or if one with the key lives.
	Restore(ctx context.Context, p Paste, text []byte, jobs ...Job) error
	// Clear removes the bytes of id unless its row lives, and leaves a bare tombstone: the one that there is, or if there
	// is no row one that says Reaped at that time.
	Clear(ctx context.Context, id string, at time.Time) error
	// List is every row that is not a tombstone, in the order of NewestFirst.
	List(ctx context.Context) ([]Paste, error)
}

// Object is a text and its id.
type Object struct {
	ID   string
	Text []byte
}

// Bucket holds the texts.
type Bucket interface {
	// Put stores the text of id, in place of any before it.
	Put(ctx context.Context, id string, text []byte) error
	// Get is the text of id. ErrNotFound if there is none.
	Get(ctx context.Context, id string) ([]byte, error)
	// Scan is the first texts whose ids come after that one, in the order of their bytes: at most limit (1 or more), fewer
	// only where there are no more. After "" come all.
	Scan(ctx context.Context, after string, limit int) ([]Object, error)
}

// CacheLimit is how many entries a cache holds. At up to [MaxSize] each, that is 32 MiB.
const CacheLimit = 32

// Entry is a whole paste as it was at one time.
type Entry struct {
	Paste  Paste
	Text   []byte
	Filled time.Time // UTC, in whole milliseconds
}

// Cache holds copies of pastes, and may lose any of them at any time.
type Cache interface {
	// Put keeps an entry in place of any of that id, and drops those with the oldest Filled beyond CacheLimit.
	Put(ctx context.Context, e Entry) error
	// Get is the entry of id. ErrNotFound if there is none.
	Get(ctx context.Context, id string) (Entry, error)
	// Remove drops it. It is no error if there is none.
	Remove(ctx context.Context, id string) error
}

// JobKind says what a job does.
type JobKind string

const (
	// Reap clears up after a create: unless the paste has a row, its bytes are removed.
	Reap JobKind = "reap"
	// Detach removes the bytes of a paste that lives no more.
	Detach JobKind = "detach"
	// Purge removes the cache's copy of such a paste.
	Purge JobKind = "purge"
	// Expire looks at a paste whose time seems to be over. Clocks jump, so it only files Lapse.
	Expire JobKind = "expire"
	// Lapse looks again a while later, and if the time is still over it ends the paste.
	Lapse JobKind = "lapse"
)

// Job is something to do about a paste, at least once.
type Job struct {
	Kind  JobKind
	Paste string
	// RunAt is when it is due: UTC, in whole milliseconds. While a worker has it, that is the end of the worker's lease,
	// so a job whose worker died comes due again by itself.
	RunAt time.Time
	// Attempts is how often it was taken.
	Attempts int
}

// Jobs holds the jobs, at most one of a kind for each paste.
type Jobs interface {
	// Put adds a job, in place of any of that kind for that paste.
	Put(ctx context.Context, job Job) error
	// Take gives the job that has been due the longest at now, and to nobody else before until: it counts the attempt
	// and sets RunAt to until. Jobs due at the same time come in any order. ErrNotFound if none is due.
	Take(ctx context.Context, now, until time.Time) (Job, error)
	// Remove removes a job that was put or taken, unless it was put or taken again since, with another RunAt: then
	// there is still something to do. It is no error if there is none.
	Remove(ctx context.Context, job Job) error
	// List is the jobs of a kind, in any order.
	List(ctx context.Context, kind JobKind) ([]Job, error)
	// Lead says whether who leads the workers: nobody else until then. It is so if nobody led at now, or who did already.
	// For where the browser has no better way to have one tab do the work.
	Lead(ctx context.Context, who string, now, until time.Time) (bool, error)
}
