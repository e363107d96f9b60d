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
		oldest := entries.Call("index", byFilled)
		t.then(oldest.Call("count"), func(n js.Value) {
			excess := n.Int() - pastebin.CacheLimit
			if excess <= 0 {
				return
			}
			t.then(oldest.Call("getAllKeys", nil, excess), func(ids js.Value) {
				for i := range ids.Length() {
					entries.Call("delete", ids.Index(i))
				}
			})
		})
	})
}

func (s cache) Get(ctx context.Context, id string) (e pastebin.Entry, err error) {
	err = s.transact(ctx, "cached paste "+id, read, []any{cacheStore}, func(t *transaction) {
		t.found(t.store(cacheStore).Call("get", id), func(entry js.Value) {
			text, ok := bytesIn(entry.Get("text"))
			if !ok {
				t.err = errNoBytes
				return
			}
			e = pastebin.Entry{Paste: pasteOf(entry), Text: text, Filled: timeIn(entry, "filled")}
		})
	})
	return e, err
}

func (s cache) Remove(ctx context.Context, id string) error {
	return s.transact(ctx, "drop cached paste "+id, write, []any{cacheStore}, func(t *transaction) {
		t.store(cacheStore).Call("delete", id)
	})
}
