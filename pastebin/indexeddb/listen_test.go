//go:build js && wasm

package indexeddb

import (
	"context"
	"errors"
	"fmt"
	"syscall/js"
	"testing"
	"time"

	"stormbin/pastebin"
)

// Go keeps a handler until it is released, whatever becomes of what it listens to. So each that was ever made is called
// when all is over: only one that was released says so.
func TestHandlersAreReleased(t *testing.T) {
	name := fresh(t)
	remove(t, name) // its cleanup makes handlers too, of the test's own
	wrappers := js.Global().Get("Array").New()
	maker := js.Global().Get("Go").Get("prototype")
	patch(t, maker, "_makeFuncWrapper", js.Global().Get("Function").New("make", "made", `return function (id) {
		const wrapper = make.call(this, id);
		made.push(wrapper);
		return wrapper;
	}`).Invoke(maker.Get("_makeFuncWrapper"), wrappers))

	everything(t, name)

	console := js.Global().Get("console")
	released := js.Global().Get("Array").New()
	patch(t, console, "error", js.Global().Get("Function").New("said", "return (...what) => said.push(what.join(' '))").Invoke(released))
	event := js.Global().Get("Event").New("leaked")
	made := wrappers.Length()
	for i := range made {
		wrappers.Index(i).Invoke(event)
	}
	if made == 0 || released.Length() != made {
		t.Errorf("%d of %d handlers were released", released.Length(), made)
	}
	t.Logf("%d handlers were made, and %d released", made, released.Length())
}

// everything goes down every path that makes handlers.
func everything(t *testing.T, name string) {
	ctx := t.Context()
	ended, end := context.WithCancel(ctx)
	end()
	job := pastebin.Job{Kind: pastebin.Detach, Paste: "a", RunAt: noon}

	// Each call; for something and for nothing, waited for and not.
	db := mustOpen(t, name)
	s := db.Stores()
	for _, ctx := range []context.Context{ctx, ended, ctx} {
		_ = s.Primary.Insert(ctx, pastebin.Paste{ID: "a", Key: "k"}, job)
		_ = s.Primary.Insert(ctx, pastebin.Paste{ID: "b", Key: "k"}, job)
		_, _ = s.Primary.ByKey(ctx, "k")
		_, _ = s.Primary.Get(ctx, "a")
		_, _ = s.Primary.Get(ctx, "none")
		_, _ = s.Primary.List(ctx)
		_, _ = s.Primary.Delete(ctx, pastebin.Paste{ID: "a", Deleted: noon, End: pastebin.Removed}, job)
		_, _ = s.Primary.Delete(ctx, pastebin.Paste{ID: "none", Deleted: noon, End: pastebin.Removed}, job)
		_ = s.Primary.Undelete(ctx, "a")
		_ = s.Primary.Undelete(ctx, "none")
		_ = s.Primary.Restore(ctx, pastebin.Paste{ID: "a"}, []byte("text"), job)
		_ = s.Primary.Restore(ctx, pastebin.Paste{ID: "c"}, []byte("text"), job)
		_ = s.Primary.Clear(ctx, "a", noon)
		_ = s.Primary.Clear(ctx, "d", noon)
		_ = s.Bucket.Put(ctx, "a", []byte("text"))
		_, _ = s.Bucket.Get(ctx, "a")
		_, _ = s.Bucket.Get(ctx, "none")
		_, _ = s.Bucket.Scan(ctx, "", 2)
		_ = s.Jobs.Put(ctx, job)
		_, _ = s.Jobs.Take(ctx, noon, noon.Add(time.Hour))
		_, _ = s.Jobs.Take(ctx, noon, noon.Add(time.Hour))
		_ = s.Jobs.Remove(ctx, job)
		_, _ = s.Jobs.Lead(ctx, "a", noon, noon)
		for i := range pastebin.CacheLimit + 2 {
			_ = s.Cache.Put(ctx, pastebin.Entry{Paste: pastebin.Paste{ID: fmt.Sprint(i)}, Filled: noon})
		}
		_, _ = s.Cache.Get(ctx, "1")
		_ = s.Cache.Remove(ctx, "1")
	}

	// Transactions that fail in every way.
	for _, breaks := range []func(tx *transaction){
		func(tx *transaction) { tx.value.Call("abort") },
		func(tx *transaction) { tx.store(primaryStore).Call("put") },
		func(tx *transaction) {
			tx.then(tx.store(primaryStore).Call("count"), func(n js.Value) { n.Get("size").Int() })
		},
		func(tx *transaction) { db.kill() },
	} {
		if err := db.transact(ctx, "test", save, []any{primaryStore}, breaks); err == nil {
			t.Error("a transaction that should have failed did not")
		}
	}
	_, _ = s.Primary.Get(ended, "a") // opens it again, and doesn't wait for that
	_, err := s.Primary.Get(ctx, "a")
	ok(t, err)
	if err := db.transact(ended, "test", save, []any{primaryStore}, func(*transaction) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	db.kill()
	_, err = s.Primary.Get(ctx, "a")
	ok(t, err)
	db.Close()

	// Every end of an open, and of a DB.
	released := upgrades
	upgrades = append(released[:len(released):len(released)], func(_, tx js.Value) { tx.Call("abort") })
	if _, err := Open(ctx, name); err == nil {
		t.Error("an upgrade that should have failed did not")
	}
	upgrades = released
	if _, err := Open(ended, name); err == nil {
		t.Error("an open that nobody waited for worked")
	}
	mustOpen(t, name).Close() // comes after it, so that it is over
	upgrades = released[:1]
	if _, err := Open(ctx, name); err == nil {
		t.Error("a newer version was opened")
	}
	upgrades = released
	deleted := mustOpen(t, name)
	run(t, `await new Promise((well, badly) => {
		const request = indexedDB.deleteDatabase(a);
		request.onsuccess = well;
		request.onerror = badly;
	})`, name)
	<-deleted.Done()
}

func mustOpen(t *testing.T, name string) *DB {
	t.Helper()
	db, err := Open(t.Context(), name)
	ok(t, err)
	return db
}
