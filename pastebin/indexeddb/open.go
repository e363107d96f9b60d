//go:build js && wasm

package indexeddb

import (
	"context"
	"fmt"
	"syscall/js"
	"time"

	"stormbin/pastebin"
)

// openTimeout bounds the wait for a database. Another tab that holds on to an old version blocks it for as long as it
// likes.
const openTimeout = 5 * time.Second

// open opens the database, and waits for that. exists says that there should be one.
func (c *connection) open(name string, exists bool) (js.Value, error) {
	var factory, request js.Value
	// Where storage is forbidden, even looking may throw: Get can't catch that, a call can.
	if err := try(func() { factory = js.Global().Get("Reflect").Call("get", js.Global(), "indexedDB") }); err != nil {
		return js.Undefined(), err
	}
	if !factory.Truthy() {
		return js.Undefined(), fmt.Errorf("%w: it has no IndexedDB", pastebin.ErrForbidden)
	}
	if err := try(func() { request = factory.Call("open", name, len(upgrades)) }); err != nil {
		return js.Undefined(), err
	}

	var (
		on     listeners
		done   = make(chan error, 1)
		left   bool                    // nobody waits any more
		tx     js.Value                // the upgrade, if there is one
		failed func(cause error) error // says that it failed
	)
	on.event(request, "blocked", func(js.Value) { c.blocked = true })
	on.event(request, "upgradeneeded", func(event js.Value) {
		c.blocked = false
		tx = request.Get("transaction")
		from := event.Get("oldVersion").Int()
		if from == 0 && exists {
			failed = func(error) error { return errDeleted }
			tx.Call("abort") // and error follows
			return
		}
		failed = func(cause error) error {
			return fmt.Errorf("upgrading it from version %d to %d failed, and all in it is as it was: %w", from, len(upgrades), cause)
		}
		if err := try(func() { upgrade(request.Get("result"), tx, from) }); err != nil {
			wrap := failed
			failed = func(error) error { return wrap(err) }
			tx.Call("abort")
		}
	})
	on.event(request, "success", func(js.Value) {
		on.release()
		if left {
			request.Get("result").Call("close")
		}
		done <- nil
	})
	on.event(request, "error", func(event js.Value) {
		on.release()
		event.Call("preventDefault") // reported here, and not by the browser's console too
		cause := request.Get("error")
		if failed == nil {
			done <- domErrorOf(cause)
			return
		}
		if why := tx.Get("error"); why.Truthy() { // the request's own error is only that it was aborted
			cause = why
		}
		done <- failed(domErrorOf(cause))
	})

	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	select {
	case err := <-done:
		return request.Get("result"), err
	case <-ctx.Done():
		left = true
		return js.Undefined(), c.late(ctx.Err())
	}
}

// late is the error for a wait that ended before the connection was there.
func (c *connection) late(err error) error {
	if c.blocked {
		return fmt.Errorf("%w, with an older version of this page: close it or reload it: %w", pastebin.ErrBlocked, err)
	}
	return fmt.Errorf("no answer from the browser: %w", err)
}
