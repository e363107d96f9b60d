//go:build js && wasm

package indexeddb

import (
	"context"
	"syscall/js"

	"stormbin/pastebin"
)

type bucket struct{ *DB }

func (s bucket) Put(ctx context.Context, id string, text []byte) error {
	array := arrayOf(text)
	return s.transact(ctx, "put text of paste "+id, save, []any{bucketStore}, func(t *transaction) {
		t.store(bucketStore).Call("put", array, id)
	})
}

func (s bucket) Get(ctx context.Context, id string) (text []byte, err error) {
	err = s.transact(ctx, "text of paste "+id, read, []any{bucketStore}, func(t *transaction) {
		t.then(t.store(bucketStore).Call("get", id), func(array js.Value) {
			if array.IsUndefined() {
				t.err = pastebin.ErrNotFound
				return
			}
			text = bytesOf(array)
		})
	})
	return text, err
}

func (s bucket) Remove(ctx context.Context, id string) error {
	return s.transact(ctx, "remove text of paste "+id, save, []any{bucketStore}, func(t *transaction) {
		t.store(bucketStore).Call("delete", id)
	})
}

// arrayOf is a copy of b as a Uint8Array: bytes that go through a string don't all come back.
func arrayOf(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}

func bytesOf(array js.Value) []byte {
	b := make([]byte, array.Length())
	js.CopyBytesToGo(b, array)
	return b
}
