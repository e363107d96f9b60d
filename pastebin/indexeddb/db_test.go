//go:build js && wasm

package indexeddb

import (
	"context"
	"errors"
	"strings"
	"syscall/js"
	"testing"

	"stormbin/pastebin"
)

// Browsers close connections as they like. The next request must not notice, however often it happens.
func TestConnectionThatDied(t *testing.T) {
	for name, die := range map[string]func(*DB){
		"with an event": (*DB).kill,
		"unnoticed":     func(db *DB) { db.conn.value.Call("close") },
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t, fresh(t))
			s, ctx := db.Stores(), t.Context()
			ok(t, s.Bucket.Put(ctx, "a", []byte("text")))
			for range 3 {
				die(db)
				if text, err := s.Bucket.Get(ctx, "a"); string(text) != "text" || err != nil {
					t.Errorf("read %q, error %v", text, err)
				}
			}
			if isOver(db) {
				t.Errorf("it is over: %v", db.Err())
			}
		})
	}
}

// Where the browser closes it in the middle of a transaction, that may hear of nothing more: no error, no abort.
func TestConnectionThatDiesInATransaction(t *testing.T) {
	db, ctx := open(t, fresh(t)), t.Context()
	for name, mode := range map[string]mode{"reading": read, "writing": write, "saving": save} {
		t.Run(name, func(t *testing.T) {
			dead := false
			die := js.FuncOf(func(js.Value, []js.Value) any {
				db.kill()
				return nil
			})
			defer die.Release()
			err := db.transact(ctx, "test", mode, []any{bucketStore}, func(tx *transaction) {
				var more func(js.Value)
				more = func(js.Value) { // as long as it asks, the transaction goes on
					if !dead {
						tx.then(tx.store(bucketStore).Call("count"), more)
					}
				}
				more(js.Undefined())
				js.Global().Call("queueMicrotask", die)
			})
			dead = true
			if !errors.Is(err, pastebin.ErrClosed) {
				t.Errorf("error %v, want ErrClosed", err)
			}
			if err := db.Stores().Bucket.Put(ctx, "a", []byte("text")); err != nil {
				t.Errorf("the next one: %v", err)
			}
		})
	}
}

// A connection that dies whenever it is opened must not be opened for ever.
func TestConnectionThatCanNotLive(t *testing.T) {
	db := open(t, fresh(t))
	patch(t, js.Global().Get("IDBDatabase").Get("prototype"), "transaction",
		function("throw new DOMException('The database connection is closing.', 'InvalidStateError')"))
	if err := db.Stores().Bucket.Put(t.Context(), "a", nil); !errors.Is(err, pastebin.ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
	wantOver(t, db)
}

// A connection that is lost, and a browser that gives no other.
func TestConnectionThatCanNotBeHadAgain(t *testing.T) {
	db := open(t, fresh(t))
	db.kill()
	patch(t, js.Global().Get("IDBFactory").Get("prototype"), "open", function("throw new DOMException('no more', 'SecurityError')"))
	if isOver(db) {
		t.Fatalf("it is over before it was tried: %v", db.Err())
	}
	_, err := db.Stores().Primary.List(t.Context())
	if !errors.Is(err, pastebin.ErrClosed) || !errors.Is(err, pastebin.ErrForbidden) {
		t.Errorf("error %v, want ErrClosed for ErrForbidden", err)
	}
	wantOver(t, db)
}

func TestClosed(t *testing.T) {
	db := open(t, fresh(t))
	if isOver(db) || db.Err() != nil {
		t.Errorf("over before it was closed: %v", db.Err())
	}
	db.Close()
	db.Close()
	wantOver(t, db)
}

// Another tab with a newer version must not have to wait for this one, which says that it is out of date from then on.
func TestMakesWayForANewerVersion(t *testing.T) {
	name := fresh(t)
	db := open(t, name)
	newer := raw(t, name, len(upgrades)+1)
	defer newer.Call("close")
	wantOver(t, db)
	if err := db.Err(); !strings.Contains(err.Error(), "newer version") {
		t.Errorf("it is over for %v, want the newer version", err)
	}
	if _, err := Open(t.Context(), name); !errors.Is(err, pastebin.ErrClosed) {
		t.Errorf("opened again: error %v, want ErrClosed", err)
	}
}

// What was asked for before another tab wants the database is still done.
func TestMakesWayOnlyWhenItsTransactionsAreDone(t *testing.T) {
	name := fresh(t)
	db := open(t, name)
	saved := make(chan error, 1)
	started := make(chan struct{})
	go func() {
		saved <- db.transact(t.Context(), "test", save, []any{bucketStore}, func(tx *transaction) {
			tx.store(bucketStore).Call("put", arrayOf([]byte("text")), "a")
			close(started)
		})
	}()
	<-started
	newer := raw(t, name, len(upgrades)+1)
	defer newer.Call("close")
	ok(t, <-saved)
	text := settled(t, newer.Call("transaction", bucketStore).Call("objectStore", bucketStore).Call("get", "a"))
	if b, _ := bytesIn(text); string(b) != "text" {
		t.Errorf("the newer version finds %q", b)
	}
}

// Pastes that were deleted with their database must not just seem never to have been: no empty one takes its place.
func TestDeletedByAnother(t *testing.T) {
	for name, remove := range map[string]func(t *testing.T, db *DB){
		"by another tab": func(t *testing.T, db *DB) { remove(t, db.name) },
		"with the site's data": func(t *testing.T, db *DB) {
			db.kill()
			remove(t, db.name)
			if _, err := db.Stores().Primary.Get(t.Context(), "a"); !errors.Is(err, pastebin.ErrClosed) {
				t.Errorf("the first call after it: error %v, want ErrClosed", err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t, fresh(t))
			ok(t, db.Stores().Primary.Insert(t.Context(), pastebin.Paste{ID: "a"}))
			remove(t, db)
			wantOver(t, db)
			if err := db.Err(); !strings.Contains(err.Error(), "deleted") {
				t.Errorf("it is over for %v, want that it was deleted", err)
			}
			if there(t, db.name) {
				t.Error("there is a new one in its place")
			}
			open(t, db.name) // as after a reload
		})
	}
}

// One who waits for a connection must not have to wait longer than it wants to.
func TestWaitForAConnectionEndsWithItsContext(t *testing.T) {
	name := fresh(t)
	db := open(t, name)
	db.kill()
	other := raw(t, name, len(upgrades))
	request := js.Global().Get("indexedDB").Call("deleteDatabase", name) // waits for other, and all that comes after for it
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := db.Stores().Primary.List(ctx)
		failed <- err
	}()
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	other.Call("close")
	settled(t, request)
}
