//go:build js && wasm

package indexeddb

import (
	"context"
	"slices"
	"syscall/js"
	"time"

	"stormbin/pastebin"
)

type primary struct{ *DB }

func (s primary) Insert(ctx context.Context, p pastebin.Paste) error {
	return s.transact(ctx, "insert paste "+p.ID, save, []any{primaryStore}, func(t *transaction) {
		request := t.store(primaryStore).Call("add", rowOf(p))
		t.on.event(request, "error", func(event js.Value) {
			if err := domErrorOf(request.Get("error")); err.name == "ConstraintError" {
				event.Call("preventDefault") // an answer; left alone, it would abort the transaction
				t.err = err
			}
		})
	})
}

func (s primary) Get(ctx context.Context, id string) (p pastebin.Paste, err error) {
	err = s.transact(ctx, "row of paste "+id, read, []any{primaryStore}, func(t *transaction) {
		t.then(t.store(primaryStore).Call("get", id), func(row js.Value) {
			if row.IsUndefined() {
				t.err = pastebin.ErrNotFound
				return
			}
			p = pasteOf(row)
		})
	})
	return p, err
}

func (s primary) Delete(ctx context.Context, id string, at time.Time, job pastebin.Job) error {
	return s.transact(ctx, "delete paste "+id, save, []any{primaryStore, jobsStore}, func(t *transaction) {
		rows := t.store(primaryStore)
		t.then(rows.Call("get", id), func(row js.Value) {
			switch {
			case row.IsUndefined():
				t.err = pastebin.ErrNotFound
			case pasteOf(row).Deleted.IsZero():
				rows.Call("put", rowOf(pastebin.Paste{ID: id, Deleted: at}))
				t.store(jobsStore).Call("put", recordOf(job))
			}
		})
	})
}

func (s primary) List(ctx context.Context) (list []pastebin.Paste, err error) {
	err = s.transact(ctx, "list", read, []any{primaryStore}, func(t *transaction) {
		t.then(t.store(primaryStore).Call("getAll"), func(rows js.Value) {
			for i := range rows.Length() {
				if p := pasteOf(rows.Index(i)); p.Deleted.IsZero() {
					list = append(list, p)
				}
			}
		})
	})
	slices.SortFunc(list, pastebin.NewestFirst)
	return list, err
}

// rowOf is the record of p. A tombstone has id and deleted, the others have all but deleted.
func rowOf(p pastebin.Paste) map[string]any {
	if !p.Deleted.IsZero() {
		return map[string]any{"id": p.ID, "deleted": p.Deleted.UnixMilli()}
	}
	return map[string]any{
		"id":      p.ID,
		"title":   p.Title,
		"size":    p.Size,
		"sum":     p.Sum,
		"created": p.Created.UnixMilli(),
	}
}

func pasteOf(row js.Value) pastebin.Paste {
	p := pastebin.Paste{ID: row.Get("id").String()}
	if deleted := row.Get("deleted"); !deleted.IsUndefined() {
		p.Deleted = timeOf(deleted)
		return p
	}
	p.Title = row.Get("title").String()
	p.Size = row.Get("size").Int()
	p.Sum = uint32(row.Get("sum").Float())
	p.Created = timeOf(row.Get("created"))
	return p
}

// timeOf is a time that is kept as milliseconds since 1970.
func timeOf(v js.Value) time.Time { return time.UnixMilli(int64(v.Float())).UTC() }
