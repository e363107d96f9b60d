//go:build js && wasm

package indexeddb

import (
	"fmt"
	"syscall/js"
	"testing"

	"stormbin/pastebin"
)

// What is measured beside the time is the longest turn: how long Go held up the page at a time. A frame of 100 ms is one
// that a reader notices.

func BenchmarkList(b *testing.B) {
	db, _ := filled(b, 5000, 0)
	longest := turns(b)
	for b.Loop() {
		list, err := db.Stores().Primary.List(b.Context())
		if err != nil || len(list) != 5000 {
			b.Fatalf("%d rows, error %v", len(list), err)
		}
	}
	longest()
}

func BenchmarkScan(b *testing.B) {
	for _, size := range []int{10_000, pastebin.MaxSize} {
		n := min(5000, 50<<20/size)
		db, _ := filled(b, n, size)
		for _, limit := range []int{32, 128} {
			b.Run(fmt.Sprintf("texts=%dx%d/limit=%d", n, size, limit), func(b *testing.B) {
				longest := turns(b)
				for b.Loop() {
					seen := 0
					for after := ""; ; {
						objects, err := db.Stores().Bucket.Scan(b.Context(), after, limit)
						ok(b, err)
						seen += len(objects)
						if len(objects) < limit {
							break
						}
						after = objects[limit-1].ID
					}
					if seen != n {
						b.Fatalf("%d texts", seen)
					}
				}
				longest()
			})
		}
	}
}

func BenchmarkPutLargest(b *testing.B) {
	db, text := filled(b, 0, pastebin.MaxSize)
	longest := turns(b)
	for b.Loop() {
		ok(b, db.Stores().Bucket.Put(b.Context(), "a", text))
	}
	longest()
}

// filled is a database of n rows, and as many texts of that size if that is not 0.
func filled(b *testing.B, n, size int) (*DB, []byte) {
	db, text := open(b, fresh(b)), make([]byte, size)
	for i := range text {
		text[i] = byte('a' + i%26)
	}
	ok(b, db.transact(b.Context(), "fill", write, []any{primaryStore, bucketStore}, func(t *transaction) {
		array := arrayOf(text)
		for i := range n {
			id := fmt.Sprintf("%022d", i)
			t.store(primaryStore).Call("put", rowOf(pastebin.Paste{
				ID: id, Title: fmt.Sprint("a title of usual length, number ", i), Language: "go", Size: size, Sum: 0xfedcba98, Created: noon, Expires: noon,
				Key: "key of " + id,
			}))
			if size > 0 {
				t.store(bucketStore).Call("put", array, id)
			}
		}
	}))
	return db, text
}

// turns measures the turns that Go has from now on. What it gives reports the longest.
func turns(b *testing.B) func() {
	longest := js.Global().Get("Function").New(`
		const prototype = Go.prototype, resume = prototype._resume;
		let longest = 0;
		prototype._resume = function () {
			const began = performance.now();
			resume.call(this);
			longest = Math.max(longest, performance.now() - began);
		};
		return () => {
			prototype._resume = resume;
			return longest;
		};
	`).Invoke()
	return func() { b.ReportMetric(longest.Invoke().Float(), "ms/longest-turn") }
}
