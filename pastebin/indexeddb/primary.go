//go:build js && wasm

package indexeddb

import (
	"context"
	"syscall/js"
	"time"

	"stormbin/pastebin"
)

type primary struct{ *DB }

func (s primary) Insert(ctx context.Context, p pastebin.Paste, jobs ...pastebin.Job) error {
	return s.transact(ctx, "insert paste "+p.ID, save, []any{primaryStore, jobsStore}, func(t *transaction) {
		t.store(primaryStore).Call("add", rowOf(p)) // if the id or the key is taken, this fails, and takes the jobs back
		t.put(jobs)
	})
}

func (s primary) Get(ctx context.Context, id string) (p pastebin.Paste, err error) {
	err = s.transact(ctx, "row of paste "+id, read, []any{primaryStore}, func(t *transaction) {
		t.found(t.store(primaryStore).Call("get", id), func(row js.Value) { p = pasteOf(row) })
	})
	return p, err
}

func (s primary) ByKey(ctx context.Context, key string) (p pastebin.Paste, err error) {
	err = s.transact(ctx, "row with the key "+key, read, []any{primaryStore}, func(t *transaction) {
		t.found(t.store(primaryStore).Call("index", byKey).Call("get", key), func(row js.Value) { p = pasteOf(row) })
	})
	return p, err
}

func (s primary) Delete(ctx context.Context, grave pastebin.Paste, jobs ...pastebin.Job) (p pastebin.Paste, err error) {
	err = s.transact(ctx, "delete paste "+grave.ID, save, []any{primaryStore, jobsStore}, func(t *transaction) {
		rows := t.store(primaryStore)
		t.found(rows.Call("get", grave.ID), func(row js.Value) {
			p = pasteOf(row)
			if !p.Deleted.IsZero() || grave.End == pastebin.Expired && !p.ExpiredAt(grave.Deleted) {
				return
			}
			p.Key, p.Deleted, p.End, p.By = "", grave.Deleted, grave.End, grave.By
			rows.Call("put", rowOf(p))
			t.put(jobs)
		})
	})
	return p, err
}

func (s primary) Undelete(ctx context.Context, id string) error {
	return s.transact(ctx, "undelete paste "+id, save, []any{primaryStore, jobsStore}, func(t *transaction) {
		rows := t.store(primaryStore)
		t.found(rows.Call("get", id), func(row js.Value) {
			p := pasteOf(row)
			switch {
			case p.Deleted.IsZero():
				t.err = pastebin.ErrExists
			case p.Bare() || p.End != pastebin.Removed:
				t.err = pastebin.ErrNotFound
			default:
				p.Deleted, p.End, p.By = time.Time{}, "", ""
				rows.Call("put", rowOf(p))
				t.store(jobsStore).Call("delete", jobKey(pastebin.Detach, id))
			}
		})
	})
}

func (s primary) Restore(ctx context.Context, p pastebin.Paste, text []byte, jobs ...pastebin.Job) error {
	array, stores := arrayOf(text), []any{primaryStore, bucketStore, jobsStore}
	return s.transact(ctx, "restore paste "+p.ID, save, stores, func(t *transaction) {
		rows := t.store(primaryStore)
		t.then(rows.Call("get", p.ID), func(row js.Value) {
			if !row.IsUndefined() && !pasteOf(row).YieldsTo(p) {
				t.err = pastebin.ErrExists
				return
			}
			rows.Call("put", rowOf(p)) // if the key is taken, this fails, and takes all back
			t.store(bucketStore).Call("put", array, p.ID)
			t.put(jobs)
		})
	})
}

func (s primary) Clear(ctx context.Context, id string, at time.Time) error {
	return s.transact(ctx, "clear paste "+id, save, []any{primaryStore, bucketStore}, func(t *transaction) {
		rows := t.store(primaryStore)
		t.then(rows.Call("get", id), func(row js.Value) {
			bare := pastebin.Paste{ID: id, Deleted: at, End: pastebin.Reaped}
			if !row.IsUndefined() {
				p := pasteOf(row)
				if p.Deleted.IsZero() {
					return
				}
				bare.Deleted, bare.End = p.Deleted, p.End
			}
			rows.Call("put", rowOf(bare))
			t.store(bucketStore).Call("delete", id)
		})
	})
}

// rowsAtOnce is how many rows are read in one turn of the page: few enough not to hold it up, many enough for few turns.
const rowsAtOnce = 200

func (s primary) List(ctx context.Context) (list []pastebin.Paste, err error) {
	err = s.transact(ctx, "list", read, []any{primaryStore}, func(t *transaction) {
		var next func(after any)
		next = func(after any) {
			t.then(t.store(primaryStore).Call("getAll", above(after), rowsAtOnce), func(rows js.Value) {
				n := rows.Length()
				if n == rowsAtOnce && ctx.Err() == nil {
					next(rows.Index(n - 1).Get("id")) // the browser reads on, while we look at these
				}
				for i := range n {
					if p := pasteOf(rows.Index(i)); p.Deleted.IsZero() {
						list = append(list, p)
					}
				}
			})
		}
		next("")
	})
	pastebin.Sort(list)
	return list, err
}

// rowOf is the record of p: what is zero isn't in it, so that the index of keys has no empty one.
func rowOf(p pastebin.Paste) map[string]any {
	row := map[string]any{"id": p.ID}
	if p.Title != "" {
		row["title"] = p.Title
	}
	if p.Language != "" {
		row["language"] = p.Language
	}
	if p.Size != 0 {
		row["size"] = p.Size
	}
	if p.Sum != 0 {
		row["sum"] = p.Sum
	}
	if p.Binary {
		row["binary"] = true
	}
	if p.Burn {
		row["burn"] = true
	}
	if p.Key != "" {
		row["key"] = p.Key
	}
	for field, at := range map[string]time.Time{"created": p.Created, "expires": p.Expires, "deleted": p.Deleted} {
		if !at.IsZero() {
			row[field] = at.UnixMilli()
		}
	}
	if p.End != "" {
		row["end"] = string(p.End)
	}
	if p.By != "" {
		row["by"] = p.By
	}
	return row
}

func pasteOf(row js.Value) pastebin.Paste {
	p := pastebin.Paste{
		ID:       textIn(row, "id"),
		Title:    textIn(row, "title"),
		Language: textIn(row, "language"),
		Size:     int(numberIn(row, "size")),
		Sum:      uint32(numberIn(row, "sum")),
		Binary:   flagIn(row, "binary"),
		Burn:     flagIn(row, "burn"),
		Key:      textIn(row, "key"),
		Created:  timeIn(row, "created"),
		Expires:  timeIn(row, "expires"),
		Deleted:  timeIn(row, "deleted"),
		End:      pastebin.End(textIn(row, "end")),
		By:       textIn(row, "by"),
	}
	if p.End == "" && !p.Deleted.IsZero() {
		p.End = pastebin.Removed // version 1 knew no other
	}
	return p
}
