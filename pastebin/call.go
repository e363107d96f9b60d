package pastebin

import (
	"context"
	"errors"
	"sync/atomic"

	"stormbin/engine/live"
)

// call makes the named call and gives back what work answered. The error is a *live.Failure if no attempt was answered.
// ErrNotFound and ErrExists are answers, and come back as they are: the server works, and would say the same again.
//
// Attempts that were given up on may still be running, so they share nothing with the reader of the answer but one
// pointer, set whole. Whichever attempt set it last, it is an answer to the question that was asked.
func call[T any](ctx context.Context, c *live.Caller, name string, work func(context.Context) (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	var answered atomic.Pointer[answer]
	err := c.Do(ctx, name, func(ctx context.Context) error {
		value, err := work(ctx)
		if err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrExists) {
			return err
		}
		answered.Store(&answer{value, err})
		return nil
	})
	if err != nil {
		var none T
		return none, err
	}
	a := answered.Load()
	return a.value, a.err
}

// order is call for work that answers nothing but done.
func order(ctx context.Context, c *live.Caller, name string, work func(context.Context) error) error {
	_, err := call(ctx, c, name, func(ctx context.Context) (struct{}, error) { return struct{}{}, work(ctx) })
	return err
}
