//go:build js && wasm

package indexeddb

import (
	"context"
	"errors"
	"syscall/js"
	"testing"

	"stormbin/pastebin"
)

// One request that fails takes back what the others of its transaction did.
func TestTransactionIsAllOrNothing(t *testing.T) {
	db, ctx := open(t, fresh(t)), t.Context()
	for name, breaks := range map[string]func(tx *transaction){
		"a request fails": func(tx *transaction) {
			tx.store(primaryStore).Call("add", rowOf(pastebin.Paste{ID: "there already"}))
		},
		"it is aborted without a reason": func(tx *transaction) { tx.value.Call("abort") },
		"a call throws":                  func(tx *transaction) { tx.store(primaryStore).Call("put") },
		"an answer is not what it should be": func(tx *transaction) {
			tx.then(tx.store(primaryStore).Call("count"), func(n js.Value) { n.Get("size").Int() })
		},
	} {
		t.Run(name, func(t *testing.T) {
			db.Stores().Primary.Insert(ctx, pastebin.Paste{ID: "there already"})
			err := db.transact(ctx, "test", save, []any{primaryStore, bucketStore}, func(tx *transaction) {
				tx.store(bucketStore).Call("put", arrayOf([]byte("text")), "a")
				breaks(tx)
			})
			if err == nil {
				t.Error("no error")
			}
			if _, err := db.Stores().Bucket.Get(ctx, "a"); !errors.Is(err, pastebin.ErrNotFound) {
				t.Errorf("the text is there (error %v), though its transaction failed", err)
			}
		})
	}
}

// A wait that ended is no work undone.
func TestWorkOutlivesTheWait(t *testing.T) {
	s := open(t, fresh(t)).Stores()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Bucket.Put(ctx, "a", []byte("text")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if text, err := s.Bucket.Get(t.Context(), "a"); string(text) != "text" || err != nil {
		t.Errorf("read %q, error %v", text, err)
	}
}

// A request that comes too late is a mistake of ours, and has a name.
func TestRequestThatComesTooLate(t *testing.T) {
	db := open(t, fresh(t))
	var bucket js.Value
	ok(t, db.transact(t.Context(), "test", read, []any{bucketStore}, func(tx *transaction) { bucket = tx.store(bucketStore) }))
	if err := try(func() { bucket.Call("get", "a") }); !errors.Is(err, ErrInactive) {
		t.Errorf("error %v, want ErrInactive", err)
	}
}

// In Chromium a write that is too much succeeds as a request, and its transaction aborts. All that writes must say so, and
// leave nothing.
func TestFull(t *testing.T) {
	db, ctx := open(t, fresh(t)), t.Context()
	s, kept := db.Stores(), pastebin.Paste{ID: "kept", Title: "kept", Created: noon}
	ok(t, s.Primary.Insert(ctx, kept))
	ok(t, s.Primary.Insert(ctx, pastebin.Paste{ID: "removed", Title: "removed", Created: noon}))
	gone, err := s.Primary.Delete(ctx, pastebin.Paste{ID: "removed", Deleted: noon, End: pastebin.Removed})
	ok(t, err)
	job := pastebin.Job{Kind: pastebin.Reap, Paste: "a", RunAt: noon}

	fill := js.Global().Get("Function").New("method", `return function (...args) {
		const request = method.apply(this, args), tx = this.transaction;
		request.addEventListener("success", () => {
			Object.defineProperty(tx, "error", { value: new DOMException("no room", "QuotaExceededError") });
			tx.abort();
		});
		return request;
	}`)
	writes := map[string]func() error{
		"a text": func() error { return s.Bucket.Put(ctx, "a", []byte("text")) },
		"a row":  func() error { return s.Primary.Insert(ctx, pastebin.Paste{ID: "a", Key: "k"}, job) },
		"a tombstone": func() error {
			_, err := s.Primary.Delete(ctx, pastebin.Paste{ID: "kept", Deleted: noon, End: pastebin.Removed}, job)
			return err
		},
		"an undo":    func() error { return s.Primary.Undelete(ctx, "removed") },
		"a restore":  func() error { return s.Primary.Restore(ctx, pastebin.Paste{ID: "a"}, []byte("text"), job) },
		"a clearing": func() error { return s.Primary.Clear(ctx, "removed", noon) },
		"a copy":     func() error { return s.Cache.Put(ctx, pastebin.Entry{Paste: pastebin.Paste{ID: "a"}, Filled: noon}) },
		"a job":      func() error { return s.Jobs.Put(ctx, job) },
		"a lead":     func() error { _, err := s.Jobs.Lead(ctx, "a", noon, noon.Add(pastebin.Lease)); return err },
	}
	for name, write := range writes {
		t.Run(name, func(t *testing.T) {
			store := js.Global().Get("IDBObjectStore").Get("prototype")
			for _, method := range []string{"add", "put"} {
				patch(t, store, method, fill.Invoke(store.Get(method)))
			}
			if err := write(); !errors.Is(err, pastebin.ErrQuota) {
				t.Errorf("error %v, want ErrQuota", err)
			}
		})
	}

	for _, want := range []pastebin.Paste{kept, gone} {
		if p, err := s.Primary.Get(ctx, want.ID); p != want || err != nil {
			t.Errorf("row %+v, error %v; want %+v", p, err, want)
		}
	}
	for name, read := range map[string]func() error{
		"row":  func() error { _, err := s.Primary.Get(ctx, "a"); return err },
		"text": func() error { _, err := s.Bucket.Get(ctx, "a"); return err },
		"copy": func() error { _, err := s.Cache.Get(ctx, "a"); return err },
		"job":  func() error { _, err := s.Jobs.Take(ctx, noon, noon); return err },
	} {
		if err := read(); !errors.Is(err, pastebin.ErrNotFound) {
			t.Errorf("there is a %s (error %v), though there was no room for it", name, err)
		}
	}
	if lead, err := s.Jobs.Lead(ctx, "b", noon, noon.Add(pastebin.Lease)); !lead || err != nil {
		t.Errorf("b leads: %v, error %v; a's lease was not kept, so it should", lead, err)
	}
	if isOver(db) {
		t.Errorf("it is over: %v", db.Err())
	}
}

// What a reader would miss is on the disk when it is said to be saved.
func TestSavedIsOnTheDisk(t *testing.T) {
	s, ctx := open(t, fresh(t)).Stores(), t.Context()
	database, made := js.Global().Get("IDBDatabase").Get("prototype"), js.Global().Get("Array").New()
	patch(t, database, "transaction", js.Global().Get("Function").New("begin", "made", `return function (...args) {
		const tx = begin.apply(this, args);
		made.push(tx);
		return tx;
	}`).Invoke(database.Get("transaction"), made))
	grave := pastebin.Paste{ID: "a", Deleted: noon, End: pastebin.Removed}
	for _, call := range []struct {
		name string
		err  error
	}{
		{"put a text", s.Bucket.Put(ctx, "a", []byte("text"))},
		{"put a job", s.Jobs.Put(ctx, pastebin.Job{Kind: pastebin.Reap, Paste: "a", RunAt: noon})},
		{"insert", s.Primary.Insert(ctx, pastebin.Paste{ID: "a"})},
		{"delete", func() error { _, err := s.Primary.Delete(ctx, grave); return err }()},
		{"clear", s.Primary.Clear(ctx, "a", noon)},
		{"restore", s.Primary.Restore(ctx, pastebin.Paste{ID: "a", Created: noon}, []byte("text"))},
		{"delete again", func() error { _, err := s.Primary.Delete(ctx, grave); return err }()},
		{"undelete", s.Primary.Undelete(ctx, "a")},
	} {
		ok(t, call.err)
		if durability := made.Call("shift").Get("durability").String(); durability != "strict" {
			t.Errorf("%s: durability %s, want strict", call.name, durability)
		}
	}
}
