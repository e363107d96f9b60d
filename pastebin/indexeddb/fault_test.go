//go:build js && wasm

package indexeddb

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"syscall/js"
	"testing"

	"stormbin/pastebin"
)

// Faults that only the browser can make. Package web/browser makes them, and says so.
func needFault(t *testing.T, fault string) {
	t.Helper()
	if js.Global().Get("fault").Type() != js.TypeString || js.Global().Get("fault").String() != fault {
		t.Skip("needs the browser to make the fault: storage_test.go and firefox_test.go of web/browser do")
	}
}

func TestFullDisk(t *testing.T) {
	needFault(t, "full")
	db, ctx := open(t, fresh(t)), t.Context()
	s, saved := db.Stores(), 0
	text := func(i int) []byte { // noise, which the browser can't make smaller
		b := make([]byte, pastebin.MaxSize)
		rand.NewChaCha8([32]byte{byte(i)}).Read(b)
		return b
	}
	for {
		err := s.Bucket.Put(ctx, fmt.Sprint(saved), text(saved))
		if errors.Is(err, pastebin.ErrQuota) {
			t.Logf("after %d texts of 1 MiB: %v", saved, err)
			break
		}
		ok(t, err)
		saved++
		if saved == 100 {
			t.Fatal("100 MiB fit into a disk that should be full")
		}
	}
	if _, err := s.Bucket.Get(ctx, fmt.Sprint(saved)); !errors.Is(err, pastebin.ErrNotFound) {
		t.Errorf("the text that did not fit: %v, want ErrNotFound", err)
	}
	for i := range saved {
		if got, err := s.Bucket.Get(ctx, fmt.Sprint(i)); !bytes.Equal(got, text(i)) || err != nil {
			t.Errorf("text %d: %d bytes, error %v", i, len(got), err)
		}
	}
	if isOver(db) {
		t.Errorf("it is over: %v", db.Err())
	}
}

func TestClearedByTheBrowser(t *testing.T) {
	needFault(t, "cleared")
	db, ctx := open(t, fresh(t)), t.Context()
	ok(t, db.Stores().Primary.Insert(ctx, pastebin.Paste{ID: "a"}))
	err := db.transact(ctx, "test", save, []any{bucketStore}, func(tx *transaction) {
		js.Global().Set("ready", true)
		var more func(js.Value)
		more = func(js.Value) { tx.then(tx.store(bucketStore).Call("put", arrayOf([]byte("text")), "a"), more) } // for as long as it can
		more(js.Undefined())
	})
	if !errors.Is(err, pastebin.ErrClosed) {
		t.Errorf("the transaction under which it was cleared: error %v, want ErrClosed", err)
	}
	for range 2 { // the first of them may be before the browser says that it was closed
		if _, err := db.Stores().Primary.Get(ctx, "a"); !errors.Is(err, pastebin.ErrClosed) {
			t.Errorf("a call after it: error %v, want ErrClosed", err)
		}
	}
	wantOver(t, db)
	if there(t, db.name) {
		t.Error("there is a new one in its place")
	}
	t.Log(err)
	t.Log(db.Err())
	if list, err := open(t, db.name).Stores().Primary.List(ctx); len(list) != 0 || err != nil { // as after a reload
		t.Errorf("listed %+v, error %v", list, err)
	}
}
