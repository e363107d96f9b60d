//go:build js && wasm

package indexeddb

import (
	"context"
	"errors"
	"fmt"
	"syscall/js"

	"stormbin/pastebin"
)

// mode is what a transaction may do, and when it counts as done.
type mode struct{ access, durability string }

var (
	read  = mode{"readonly", "default"}
	write = mode{"readwrite", "relaxed"} // done when the system has it: for what can be had again
	save  = mode{"readwrite", "strict"}  // done when it is on the disk
)

// transact runs one transaction over the stores and waits until it is complete or aborted. body makes the first requests
// and must not wait for anything; [transaction.then] makes those that follow from an answer. what is for the error.
//
// When ctx ends the wait is over, and the transaction goes on. When the browser closes the connection, nothing of a
// transaction that was going on is kept.
func (db *DB) transact(ctx context.Context, what string, mode mode, stores []any, body func(*transaction)) error {
	if err := db.attempt(ctx, mode, stores, body); err != nil {
		return fmt.Errorf("indexeddb: %s: %w", what, err)
	}
	return nil
}

func (db *DB) attempt(ctx context.Context, mode mode, stores []any, body func(*transaction)) error {
	conn, value, err := db.begin(ctx, mode, stores)
	if err != nil {
		return err
	}
	t := &transaction{value: value}
	done := make(chan error, 1)
	t.on.event(value, "complete", func(js.Value) {
		t.on.release()
		db.good()
		done <- t.err
	})
	t.on.event(value, "abort", func(js.Value) { // after error, and alone where the disk is full
		t.on.release()
		if cause := value.Get("error"); t.err == nil && cause.Truthy() {
			t.err = domErrorOf(cause)
		}
		if t.err == nil {
			t.err = errAborted
		}
		done <- t.err
	})
	t.attempt(func() { body(t) })
	select {
	case err = <-done:
		return err
	case <-conn.gone:
		t.on.release()
		select {
		case err = <-done: // both at once
			return err
		default:
			return fmt.Errorf("%w by the browser in the middle of this", pastebin.ErrClosed)
		}
	case <-ctx.Done():
		go func() {
			select {
			case <-done:
			case <-conn.gone:
				t.on.release()
			}
		}()
		return ctx.Err()
	}
}

// errAborted is what a transaction comes to that the browser ended without saying why.
var errAborted = errors.New("the browser took it back")

// transaction is one that is going on.
type transaction struct {
	value js.Value
	on    listeners
	err   error // what it comes to. Set without aborting, it is an answer: there is no such thing
}

func (t *transaction) store(name string) js.Value { return t.value.Call("objectStore", name) }

// then calls f with the request's result. A request that fails aborts the transaction, so nobody needs to look.
func (t *transaction) then(request js.Value, f func(result js.Value)) {
	t.on.event(request, "success", func(js.Value) {
		t.attempt(func() { f(request.Get("result")) })
	})
}

// found is then, for one record; it comes to ErrNotFound if that is not there.
func (t *transaction) found(request js.Value, f func(record js.Value)) {
	t.then(request, func(record js.Value) {
		if record.IsUndefined() {
			t.err = pastebin.ErrNotFound
			return
		}
		f(record)
	})
}

// attempt calls f, and aborts the transaction if it throws.
func (t *transaction) attempt(f func()) {
	if err := try(f); err != nil {
		t.err = err
		_ = try(func() { t.value.Call("abort") }) // throws if it is over
	}
}
