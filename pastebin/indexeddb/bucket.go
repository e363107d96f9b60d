//go:build js && wasm

package indexeddb

import (
	"context"
	"errors"
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
		t.found(t.store(bucketStore).Call("get", id), func(array js.Value) {
			var ok bool
			if text, ok = bytesIn(array); !ok {
				t.err = errNoBytes
			}
		})
	})
	return text, err
}

var errNoBytes = errors.New("what is kept there is not bytes, so this page did not write it")

// textsAtOnce is how many texts are read in one turn of the page: few enough not to hold it up where each is of MaxSize.
// Chromium takes far longer for many at once, too: for 128 texts of 10 kB seven times as long as for eight times 16.
const textsAtOnce = 4

func (s bucket) Scan(ctx context.Context, after string, limit int) (objects []pastebin.Object, err error) {
	err = s.transact(ctx, "texts after "+after, read, []any{bucketStore}, func(t *transaction) {
		texts := t.store(bucketStore)
		t.then(texts.Call("getAllKeys", above(after), limit), func(ids js.Value) {
			objects = make([]pastebin.Object, ids.Length())
			for i := 0; i < len(objects); i += textsAtOnce {
				some := objects[i:min(i+textsAtOnce, len(objects))]
				these := keys.Call("bound", ids.Index(i), ids.Index(i+len(some)-1))
				t.then(texts.Call("getAll", these), func(arrays js.Value) {
					for j := range some {
						some[j].ID = ids.Index(i + j).String()
						some[j].Text, _ = bytesIn(arrays.Index(j)) // of what is not bytes, there is no text
					}
				})
			}
		})
	})
	return objects, err
}
