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
		t.put([]pastebin.Job{j})
	})
}

// put adds jobs, in a transaction that may do more.
func (t *transaction) put(jobs []pastebin.Job) {
	for _, j := range jobs {
		t.store(jobsStore).Call("put", recordOf(j))
	}
}

func (s jobs) Take(ctx context.Context, now, until time.Time) (j pastebin.Job, err error) {
	due := keys.Call("upperBound", now.UnixMilli())
	err = s.transact(ctx, "take a job", write, []any{jobsStore}, func(t *transaction) {
		t.then(t.store(jobsStore).Call("index", byRunAt).Call("openCursor", due), func(at js.Value) {
			if at.IsNull() {
				t.err = pastebin.ErrNotFound
				return
			}
			j = jobOf(at.Get("value"))
			if j.Kind == "" || j.Paste == "" { // nothing that anybody could do; it must not keep the others from being done
				at.Call("continue")
				return
			}
			j.RunAt = until
			j.Attempts++
			at.Call("update", recordOf(j))
		})
	})
	return j, err
}

func (s jobs) Remove(ctx context.Context, j pastebin.Job) error {
	return s.transact(ctx, "remove job for paste "+j.Paste, write, []any{jobsStore}, func(t *transaction) {
		all, key := t.store(jobsStore), jobKey(j.Kind, j.Paste)
		t.then(all.Call("get", key), func(record js.Value) {
			if !record.IsUndefined() && jobOf(record).RunAt.Equal(j.RunAt) {
				all.Call("delete", key)
			}
		})
	})
}

func (s jobs) List(ctx context.Context, kind pastebin.JobKind) (list []pastebin.Job, err error) {
	ofKind := keys.Call("bound", []any{string(kind)}, []any{string(kind), []any{}}) // an array comes after all text
	err = s.transact(ctx, "list jobs to "+string(kind), read, []any{jobsStore}, func(t *transaction) {
		t.then(t.store(jobsStore).Call("getAll", ofKind), func(records js.Value) {
			for i := range records.Length() {
				if j := jobOf(records.Index(i)); j.Paste != "" { // else it is nothing that anybody could do
					list = append(list, j)
				}
			}
		})
	})
	return list, err
}

// workers is the key of the lease of who leads them.
const workers = "workers"

func (s jobs) Lead(ctx context.Context, who string, now, until time.Time) (leads bool, err error) {
	err = s.transact(ctx, "lead the workers", write, []any{leasesStore}, func(t *transaction) {
		leases := t.store(leasesStore)
		t.then(leases.Call("get", workers), func(lease js.Value) {
			leads = textIn(lease, "who") == who || !timeIn(lease, "until").After(now)
			if leads {
				leases.Call("put", map[string]any{"who": who, "until": until.UnixMilli()}, workers)
			}
		})
	})
	return leads, err
}

func jobKey(kind pastebin.JobKind, paste string) []any { return []any{string(kind), paste} }

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
		Kind:     pastebin.JobKind(textIn(record, "kind")),
		Paste:    textIn(record, "paste"),
		RunAt:    timeIn(record, "runAt"),
		Attempts: int(numberIn(record, "attempts")),
	}
}
