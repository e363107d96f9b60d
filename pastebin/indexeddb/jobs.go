//go:build js && wasm

package indexeddb

import (
	"context"
	"syscall/js"
	"time"

	"stormbin/pastebin"
)

type jobs struct{ *DB }

func (s jobs) Put(ctx context.Context, j pastebin.Job) error {
	return s.transact(ctx, "put job for paste "+j.Paste, save, []any{jobsStore}, func(t *transaction) {
		t.store(jobsStore).Call("put", recordOf(j))
	})
}

func (s jobs) Take(ctx context.Context, now, until time.Time) (j pastebin.Job, err error) {
	due := js.Global().Get("IDBKeyRange").Call("upperBound", now.UnixMilli())
	err = s.transact(ctx, "take a job", write, []any{jobsStore}, func(t *transaction) {
		t.then(t.store(jobsStore).Call("index", byRunAt).Call("openCursor", due), func(first js.Value) {
			if first.IsNull() {
				t.err = pastebin.ErrNotFound
				return
			}
			j = jobOf(first.Get("value"))
			j.RunAt = until
			j.Attempts++
			first.Call("update", recordOf(j))
		})
	})
	return j, err
}

func (s jobs) Remove(ctx context.Context, j pastebin.Job) error {
	return s.transact(ctx, "remove job for paste "+j.Paste, write, []any{jobsStore}, func(t *transaction) {
		all, key := t.store(jobsStore), []any{string(j.Kind), j.Paste}
		t.then(all.Call("get", key), func(record js.Value) {
			if !record.IsUndefined() && jobOf(record).RunAt.Equal(j.RunAt) {
				all.Call("delete", key)
			}
		})
	})
}

func recordOf(j pastebin.Job) map[string]any {
	return map[string]any{
		"kind":     string(j.Kind),
		"paste":    j.Paste,
		"runAt":    j.RunAt.UnixMilli(),
		"attempts": j.Attempts,
	}
}

func jobOf(record js.Value) pastebin.Job {
	return pastebin.Job{
		Kind:     pastebin.JobKind(record.Get("kind").String()),
		Paste:    record.Get("paste").String(),
		RunAt:    timeOf(record.Get("runAt")),
		Attempts: record.Get("attempts").Int(),
	}
}
