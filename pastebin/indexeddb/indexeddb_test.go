//go:build js && wasm

package indexeddb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall/js"
	"testing"
	"time"

	"stormbin/pastebin"
	"stormbin/pastebin/storetest"
)

func TestStores(t *testing.T) {
	storetest.Run(t, func(t *testing.T) pastebin.Stores { return open(t, fresh(t)).Stores() })
}

func TestReopen(t *testing.T) {
	name := fresh(t)
	var last *DB
	storetest.Reopen(t, func(t *testing.T) pastebin.Stores {
		if last != nil {
			last.Close()
		}
		last = open(t, name)
		return last.Stores()
	})
}

// Browsers close connections as they like. The next request must not notice.
func TestConnectionThatDied(t *testing.T) {
	db := open(t, fresh(t))
	s, ctx := db.Stores(), t.Context()
	if err := s.Bucket.Put(ctx, "a", []byte("text")); err != nil {
		t.Fatal(err)
	}
	db.conn.Call("close")
	if text, err := s.Bucket.Get(ctx, "a"); string(text) != "text" || err != nil {
		t.Errorf("read %q, error %v", text, err)
	}
}

// Where the browser closes it in the middle of a transaction, that may hear of nothing more: no error, no abort.
func TestConnectionThatDiesInATransaction(t *testing.T) {
	db, ctx := open(t, fresh(t)), t.Context()
	for name, mode := range map[string]mode{"reading": read, "writing": write, "saving": save} {
		t.Run(name, func(t *testing.T) {
			dead := false
			err := db.transact(ctx, "test", mode, []any{bucketStore}, func(tx *transaction) {
				conn := db.conn
				var more func(js.Value)
				more = func(js.Value) { // as long as it asks, the transaction goes on
					if !dead {
						tx.then(tx.store(bucketStore).Call("count"), more)
					}
				}
				more(js.Undefined())
				js.Global().Call("queueMicrotask", js.FuncOf(func(js.Value, []js.Value) any {
					conn.Call("close")
					return conn.Call("dispatchEvent", js.Global().Get("Event").New("close"))
				}))
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

func TestClosed(t *testing.T) {
	db := open(t, fresh(t))
	db.Close()
	db.Close()
	if _, err := db.Stores().Primary.List(t.Context()); !errors.Is(err, pastebin.ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
}

// Another tab with a newer version must not have to wait for this one, which says that it is out of date from then on.
func TestMakesWayForANewerVersion(t *testing.T) {
	name := fresh(t)
	db := open(t, name)
	newer := settled(t, js.Global().Get("indexedDB").Call("open", name, len(upgrades)+1))
	defer newer.Call("close")
	if _, err := db.Stores().Primary.List(t.Context()); !errors.Is(err, pastebin.ErrClosed) {
		t.Errorf("error %v, want ErrClosed", err)
	}
	if _, err := Open(t.Context(), name); !errors.Is(err, pastebin.ErrClosed) {
		t.Errorf("opened again: error %v, want ErrClosed", err)
	}
}

// A tab that never lets go of an old version keeps the database shut. Whoever waits for it must get to know.
func TestBlocked(t *testing.T) {
	name := fresh(t)
	old := settled(t, js.Global().Get("indexedDB").Call("open", name, 1))
	upgrades = append(upgrades, func(js.Value) {})
	defer func() { upgrades = upgrades[:len(upgrades)-1] }()

	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := Open(ctx, name)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), name+": another tab") {
		t.Errorf("error %v, want one that says another tab holds %s", err, name)
	}

	// The open that was given up on goes through now, and must let go by itself: else the delete would never end.
	old.Call("close")
	settled(t, js.Global().Get("indexedDB").Call("deleteDatabase", name))
}

func TestUpgradeThatFails(t *testing.T) {
	released := upgrades
	defer func() { upgrades = released }()
	upgrades = []func(js.Value){func(db js.Value) { db.Call("createObjectStore") }}
	name := fresh(t)
	if _, err := Open(t.Context(), name); err == nil || !strings.Contains(err.Error(), "open "+name) {
		t.Errorf("error %v, want one that names %s", err, name)
	}
	upgrades = released
	open(t, name) // nothing of the failed one is left
}

func TestRefused(t *testing.T) {
	throws := js.Global().Get("Function").New("throw new DOMException('not in a sandbox', 'SecurityError')")
	for name, test := range map[string]struct {
		factory any
		want    string
	}{
		"forbidden": {map[string]any{"open": throws}, "SecurityError: not in a sandbox"},
		"absent":    {js.Undefined(), "this browser has no IndexedDB"},
	} {
		t.Run(name, func(t *testing.T) {
			needBrowser(t)
			be := func(factory any) {
				js.Global().Get("Object").Call("defineProperty", js.Global(), "indexedDB",
					map[string]any{"value": factory, "configurable": true})
			}
			defer be(js.Global().Get("indexedDB"))
			be(test.factory)
			if _, err := Open(t.Context(), "refused"); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
	open(t, fresh(t))
}

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

func needBrowser(t *testing.T) {
	t.Helper()
	if !js.Global().Get("indexedDB").Truthy() {
		t.Skip("no indexedDB here: this test runs in a browser, with make test-browser")
	}
}

// fresh is the name of a database that does not exist yet, and is deleted when the test is over.
func fresh(t *testing.T) string {
	t.Helper()
	needBrowser(t)
	name := fmt.Sprintf("%s %v", t.Name(), js.Global().Get("performance").Call("now").Float())
	t.Cleanup(func() { settled(t, js.Global().Get("indexedDB").Call("deleteDatabase", name)) })
	return name
}

func open(t *testing.T, name string) *DB {
	t.Helper()
	db, err := Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// settled waits for a request, and gives its result.
func settled(t *testing.T, request js.Value) js.Value {
	t.Helper()
	var on listeners
	defer func() { on.release() }()
	done := make(chan string, 1)
	on.event(request, "success", func(js.Value) { done <- "success" })
	on.event(request, "error", func(js.Value) { done <- "error" })
	if event := <-done; event != "success" {
		t.Fatal(domErrorOf(request.Get("error")))
	}
	return request.Get("result")
}
