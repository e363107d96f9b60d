//go:build js && wasm

package indexeddb

import (
	"context"
	"errors"
	"fmt"
	"syscall/js"
	"testing"

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

func needBrowser(t testing.TB) {
	t.Helper()
	if !js.Global().Get("indexedDB").Truthy() {
		t.Skip("no indexedDB here: this test runs in a browser, with make test-browser")
	}
}

// fresh is the name of a database that does not exist yet, and is deleted when the test is over.
func fresh(t testing.TB) string {
	t.Helper()
	needBrowser(t)
	name := fmt.Sprintf("%s %v", t.Name(), js.Global().Get("performance").Call("now").Float())
	t.Cleanup(func() { remove(t, name) })
	return name
}

func open(t testing.TB, name string) *DB {
	t.Helper()
	db, err := Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// raw opens a database as any page could.
func raw(t testing.TB, name string, version int) js.Value {
	t.Helper()
	return settled(t, js.Global().Get("indexedDB").Call("open", name, version))
}

// remove deletes a database, as any page could.
func remove(t testing.TB, name string) {
	t.Helper()
	settled(t, js.Global().Get("indexedDB").Call("deleteDatabase", name))
}

// there says whether there is a database of that name.
func there(t testing.TB, name string) bool {
	t.Helper()
	all := run(t, `return await indexedDB.databases()`)
	for i := range all.Length() {
		if all.Index(i).Get("name").String() == name {
			return true
		}
	}
	return false
}

// settled waits for a request, and gives its result.
func settled(t testing.TB, request js.Value) js.Value {
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

// run runs a script that may await, with those arguments as a, b, c, and gives what it returns.
func run(t testing.TB, script string, args ...any) js.Value {
	t.Helper()
	f := js.Global().Get("Function").New("a", "b", "c", "return (async () => { "+script+" })()")
	var (
		done = make(chan js.Value, 1)
		fail = make(chan js.Value, 1)
	)
	keep := func(c chan js.Value) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any {
			c <- args[0]
			return nil
		})
	}
	well, badly := keep(done), keep(fail)
	defer well.Release()
	defer badly.Release()
	f.Invoke(args...).Call("then", well, badly)
	select {
	case v := <-done:
		return v
	case err := <-fail:
		t.Fatalf("%s: %v", script, domErrorOf(err))
		return js.Undefined()
	}
}

// patch sets a property of a JavaScript object for as long as the test takes.
func patch(t testing.TB, object js.Value, property string, value any) {
	t.Helper()
	define := func(descriptor any) { js.Global().Get("Object").Call("defineProperty", object, property, descriptor) }
	own := js.Global().Get("Object").Call("getOwnPropertyDescriptor", object, property)
	define(map[string]any{"value": value, "configurable": true, "writable": true})
	t.Cleanup(func() {
		if own.IsUndefined() {
			js.Global().Get("Reflect").Call("deleteProperty", object, property)
		} else {
			define(own)
		}
	})
}

func function(body string) js.Value { return js.Global().Get("Function").New(body) }

// kill closes the connection the way a browser does: without being asked, and with an event.
func (db *DB) kill() {
	conn := db.conn.value
	conn.Call("close")
	conn.Call("dispatchEvent", js.Global().Get("Event").New("close"))
}

func isOver(db *DB) bool {
	select {
	case <-db.Done():
		return true
	default:
		return false
	}
}

// wantOver checks that db is over for good.
func wantOver(t *testing.T, db *DB) {
	t.Helper()
	<-db.Done()
	if err := db.Err(); !errors.Is(err, pastebin.ErrClosed) {
		t.Errorf("it is over for %v, want ErrClosed", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nothing is waited for any more
	for range 2 {
		if _, err := db.Stores().Primary.List(ctx); !errors.Is(err, pastebin.ErrClosed) {
			t.Errorf("a list: error %v, want ErrClosed", err)
		}
	}
}
