//go:build js && wasm

package indexeddb

import (
	"context"
	"syscall/js"

	"stormbin/pastebin"
)

type cache struct{ *DB }

func (s cache) Put(ctx context.Context, e pastebin.Entry) error {
	entry := rowOf(e.Paste)
	entry["text"] = arrayOf(e.Text)
	entry["filled"] = e.Filled.UnixMilli()
	return s.transact(ctx, "cache paste "+e.Paste.ID, write, []any{cacheStore}, func(t *transaction) {
		entries := t.store(cacheStore)
		entries.Call("put", entry)
		t.then(entries.Call("count"), func(n js.Value) {
			if n.Int() <= pastebin.CacheLimit {
				return
			}
			t.then(entries.Call("index", byFilled).Call("openKeyCursor"), func(oldest js.Value) {
				entries.Call("delete", oldest.Get("primaryKey"))
			})
		})
	})
}

func (s cache) Get(ctx context.Context, id string) (e pastebin.Entry, err error) {
	err = s.transact(ctx, "cached paste "+id, read, []any{cacheStore}, func(t *transaction) {
		t.then(t.store(cacheStore).Call("get", id), func(entry js.Value) {
			if entry.IsUndefined() {
				t.err = pastebin.ErrNotFound
				return
			}
			e = pastebin.Entry{Paste: pasteOf(entry), Text: bytesOf(entry.Get("text")), Filled: timeOf(entry.Get("filled"))}
		})
	})
	return e, err
}

func (s cache) Remove(ctx context.Context, id string) error {
	return s.transact(ctx, "drop cached paste "+id, write, []any{cacheStore}, func(t *transaction) {
		t.store(cacheStore).Call("delete", id)
	})
}
