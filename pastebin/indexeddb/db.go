//go:build js && wasm

// Package indexeddb keeps pastes in the browser.
//
// One database has five object stores: primary (rows), bucket (texts, as bytes), cache, jobs and leases. Whatever must
// happen together happens in one transaction. The browser commits a transaction as soon as it has no request left to do,
// so its requests are made by callbacks alone, and no Go code waits inside one. It is saved when the browser reports it
// complete, not before.
//
//	db.go        the database: opened, lost, opened again, over
//	open.go      one try to open it
//	schema.go    the object stores, and how they came to be
//	transact.go  one transaction
//	listen.go    the browser's events
//	errors.go    the browser's errors
//	record.go    what is read of a record that anybody may have written
//	primary.go, bucket.go, cache.go, jobs.go
package indexeddb

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall/js"

	"stormbin/pastebin"
)

// DB is a database of pastes. Made by [Open]; safe for concurrent use.
//
// A browser closes a connection when it likes. The next call opens a new one, and is none the wiser; a transaction that
// was going on fails with pastebin.ErrClosed. Where that doesn't help, the DB is over: see [DB.Done].
type DB struct {
	name string
	done chan struct{}

	mu   sync.Mutex // for moments only: the browser's events take it too, and they can't wait
	conn *connection
	// again says that conn took the place of one that was lost, and has not completed a transaction yet.
	again bool
	err   error // why it is over
}

// connection is one to the database, from when it is asked for.
type connection struct {
	ready chan struct{} // closed when it is open, or never will be for err
	err   error

	value js.Value
	on    listeners
	// gone is closed when the browser has closed it. A transaction that was going on may hear of nothing else.
	gone chan struct{}
	// blocked says that another tab keeps it from being opened.
	blocked bool
}

// Open opens the database of that name and makes it if there is none. It waits for ctx, and 5 s at the most. The error
// is pastebin.ErrForbidden where pastes must be kept elsewhere; pastebin.ErrBlocked if another tab doesn't let go of an
// older version, and context.DeadlineExceeded if there was no answer in time (both, where blocked is why), so it is right
// to ask again; pastebin.ErrClosed if a newer version of this page has been here; or else the browser's own.
func Open(ctx context.Context, name string) (*DB, error) {
	db := &DB{name: name, done: make(chan struct{})}
	if _, err := db.connection(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// Stores are the stores of db.
func (db *DB) Stores() pastebin.Stores {
	return pastebin.Stores{Cache: cache{db}, Primary: primary{db}, Bucket: bucket{db}, Jobs: jobs{db}}
}

// Done is closed when db is over: it was closed, a newer version of this page has taken the database, it was deleted, or
// a connection that was lost could not be had again. Every call fails at once then, for as long as the page lives.
func (db *DB) Done() <-chan struct{} { return db.done }

// Err says why db is over, and is pastebin.ErrClosed among others. nil while it isn't.
func (db *DB) Err() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.err
}

// Close ends the connection when its transactions are done. Afterwards every store fails with pastebin.ErrClosed.
func (db *DB) Close() { db.end(pastebin.ErrClosed) }

func (db *DB) end(why error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.over(why)
}

// over is end, for who holds db.mu.
func (db *DB) over(why error) {
	if db.err != nil {
		return
	}
	if !errors.Is(why, pastebin.ErrClosed) {
		why = fmt.Errorf("%w: %w", pastebin.ErrClosed, why)
	}
	db.err = why
	db.drop()
	close(db.done)
}

// drop lets go of the connection, if there is one. The transactions that are going on over it go on.
func (db *DB) drop() {
	if c := db.conn; c != nil && c.value.Truthy() {
		c.on.release()
		c.value.Call("close")
	}
	db.conn = nil
}

// lost says that a connection is of no use any more. The first time another takes its place. If that one is lost too,
// before it was good for anything, there would be no end to it.
func (db *DB) lost(c *connection, why error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.conn != c {
		return
	}
	db.drop()
	if db.again {
		db.over(fmt.Errorf("it was opened again, and lost again: %w", why))
	}
	db.again = true
}

// good says that a transaction was completed.
func (db *DB) good() {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.again = false
}

// connection is the one that is open, or a new one.
func (db *DB) connection(ctx context.Context) (*connection, error) {
	db.mu.Lock()
	if db.err != nil {
		defer db.mu.Unlock()
		return nil, db.err
	}
	if db.conn == nil {
		db.conn = &connection{ready: make(chan struct{}), gone: make(chan struct{})}
		go db.connect(db.conn, db.again)
	}
	c := db.conn
	db.mu.Unlock()
	select {
	case <-c.ready: // no wait, so it doesn't matter whether ctx has ended
		return c, c.err
	default:
	}
	select {
	case <-c.ready:
		return c, c.err
	case <-ctx.Done():
		return nil, db.named(c.late(ctx.Err()))
	}
}

func (db *DB) named(err error) error { return fmt.Errorf("indexeddb: open %s: %w", db.name, err) }

// connect opens c. If there should be a database already, none is made: pastes that were deleted must not just seem
// never to have been.
func (db *DB) connect(c *connection, again bool) {
	defer close(c.ready)
	value, err := c.open(db.name, again)
	db.mu.Lock()
	defer db.mu.Unlock()
	if err != nil {
		c.err = db.named(err)
		if again {
			db.over(c.err)
			c.err = db.err
		}
		return
	}
	if db.err != nil { // closed meanwhile
		c.err = db.err
		value.Call("close")
		return
	}
	c.value = value
	c.on.event(value, "close", func(js.Value) {
		close(c.gone)
		db.lost(c, errors.New("the browser closed it"))
	})
	c.on.event(value, "versionchange", func(event js.Value) {
		if event.Get("newVersion").IsNull() {
			db.end(errDeleted)
		} else {
			db.end(errNewer)
		}
	})
}

// Why a DB is over.
var (
	errDeleted = errors.New("it was deleted, with all that was in it, by another tab or in the browser’s settings")
	errNewer   = errors.New("a newer version of this page, open in another tab, has taken it over: reload this one")
)

// begin begins a transaction. Over a connection that was closed unnoticed it is refused, which tells us.
func (db *DB) begin(ctx context.Context, mode mode, stores []any) (c *connection, tx js.Value, err error) {
	for {
		c, err = db.connection(ctx)
		if err != nil {
			return nil, js.Undefined(), err
		}
		err = try(func() {
			tx = c.value.Call("transaction", stores, mode.access, map[string]any{"durability": mode.durability})
		})
		var refused domError
		if !errors.As(err, &refused) || refused.name != "InvalidStateError" {
			return c, tx, err
		}
		db.lost(c, refused)
	}
}
