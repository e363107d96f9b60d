//go:build js && wasm

// Package indexeddb keeps pastes in the browser.
//
// One database has four object stores: primary (rows), bucket (texts, as bytes), cache and jobs. Whatever must happen
// together happens in one transaction. The browser commits a transaction as soon as it has no request left to do, so its
// requests are made by callbacks alone, and no Go code waits inside one. It is saved when the browser reports it
// complete, not before.
//
//	db.go        the connection: opened, lost, opened again
//	schema.go    the object stores, and how they came to be
//	transact.go  one transaction
//	errors.go    the browser's errors
//	primary.go, bucket.go, cache.go, jobs.go
package indexeddb

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall/js"
	"time"

	"stormbin/pastebin"
)

// openTimeout bounds the wait for a database. Another tab that holds on to an old version blocks it for as long as it
// likes.
const openTimeout = 5 * time.Second

// DB is a database of pastes. Made by [Open]; safe for concurrent use.
type DB struct {
	name string
	// makeWay closes a connection when another tab wants to upgrade or delete the database.
	makeWay js.Func

	mu     sync.Mutex
	conn   *connection // nil while there is none
	closed bool
}

// connection is one to a database.
type connection struct {
	js.Value
	// gone is closed when the browser has closed the connection by itself, as it does when storage is cleared. A
	// transaction that was going on then may hear of nothing else.
	gone chan struct{}
}

func newConnection(value, makeWay js.Value) *connection {
	c := &connection{value, make(chan struct{})}
	var on listeners
	on.event(value, "close", func(js.Value) {
		on.release()
		close(c.gone)
	})
	value.Set("onversionchange", makeWay)
	return c
}

// Open opens the database of that name and makes it if there is none. It waits for ctx, and 5 s at the most. The error
// carries the browser's reason, such as SecurityError where storage is forbidden; then pastes must be kept elsewhere.
func Open(ctx context.Context, name string) (*DB, error) {
	db := &DB{
		name: name,
		makeWay: js.FuncOf(func(conn js.Value, _ []js.Value) any {
			conn.Call("close")
			return nil
		}),
	}
	if _, err := db.connection(ctx); err != nil {
		db.makeWay.Release()
		return nil, err
	}
	return db, nil
}

// Stores are the stores of db.
func (db *DB) Stores() pastebin.Stores {
	return pastebin.Stores{Cache: cache{db}, Primary: primary{db}, Bucket: bucket{db}, Jobs: jobs{db}}
}

// Close ends the connection when its transactions are done. Afterwards every store fails with pastebin.ErrClosed.
func (db *DB) Close() {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return
	}
	db.closed = true
	if db.conn != nil {
		db.conn.Set("onversionchange", nil)
		db.conn.Call("close")
	}
	db.makeWay.Release()
}

// connection is the one that is open, or a new one.
func (db *DB) connection(ctx context.Context) (*connection, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil, pastebin.ErrClosed
	}
	if db.conn == nil {
		value, err := connect(ctx, db.name)
		if err != nil {
			return nil, fmt.Errorf("indexeddb: open %s: %w", db.name, err)
		}
		db.conn = newConnection(value, db.makeWay.Value)
	}
	return db.conn, nil
}

// lost says that a connection is of no use any more.
func (db *DB) lost(conn *connection) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.conn == conn {
		db.conn = nil
	}
}

// begin begins a transaction. A browser may close a connection at any time (storage cleared, another tab upgraded), and
// refuses the next transaction then; so a refusal is answered with one new connection.
func (db *DB) begin(ctx context.Context, mode mode, stores []any) (conn *connection, tx js.Value, err error) {
	for again := false; ; again = true {
		conn, err = db.connection(ctx)
		if err != nil {
			return nil, js.Undefined(), err
		}
		err = try(func() {
			tx = conn.Call("transaction", stores, mode.access, map[string]any{"durability": mode.durability})
		})
		var refused domError
		if err == nil || again || !errors.As(err, &refused) || refused.name != "InvalidStateError" {
			return conn, tx, err
		}
		db.lost(conn)
	}
}

// connect opens a new connection.
func connect(ctx context.Context, name string) (js.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	var factory, request js.Value
	// Where storage is forbidden, even looking may throw: Get can't catch that, a call can.
	if err := try(func() { factory = js.Global().Get("Reflect").Call("get", js.Global(), "indexedDB") }); err != nil {
		return js.Undefined(), err
	}
	if !factory.Truthy() {
		return js.Undefined(), errors.New("this browser has no IndexedDB, or keeps it from this page")
	}
	if err := try(func() { request = factory.Call("open", name, len(upgrades)) }); err != nil {
		return js.Undefined(), err
	}

	type opened struct {
		conn js.Value
		err  error
	}
	var (
		on      listeners
		done    = make(chan opened, 1)
		left    bool // nobody waits any more
		blocked bool
	)
	on.event(request, "blocked", func(js.Value) { blocked = true })
	on.event(request, "upgradeneeded", func(event js.Value) {
		if err := try(func() { upgrade(request.Get("result"), event.Get("oldVersion").Int()) }); err != nil {
			request.Get("transaction").Call("abort") // and error follows
		}
	})
	on.event(request, "success", func(js.Value) {
		on.release()
		if conn := request.Get("result"); left {
			conn.Call("close")
		} else {
			done <- opened{conn: conn}
		}
	})
	on.event(request, "error", func(event js.Value) {
		on.release()
		event.Call("preventDefault") // reported here, and not by the browser's console too
		done <- opened{err: domErrorOf(request.Get("error"))}
	})

	select {
	case o := <-done:
		return o.conn, o.err
	case <-ctx.Done():
		left = true
		select {
		case o := <-done: // both at once
			return o.conn, o.err
		default:
		}
		if blocked {
			return js.Undefined(), fmt.Errorf("another tab holds an older version open, close it: %w", ctx.Err())
		}
		return js.Undefined(), fmt.Errorf("no answer from the browser: %w", ctx.Err())
	}
}
