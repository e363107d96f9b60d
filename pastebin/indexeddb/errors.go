//go:build js && wasm

package indexeddb

import (
	"errors"
	"strings"
	"syscall/js"

	"stormbin/pastebin"
)

// ErrInactive is what a request comes to that was made too late for its transaction: something waited inside one.
var ErrInactive = errors.New("the transaction was over already")

// domError is a DOMException, or another error of the browser's.
type domError struct{ name, message string }

func domErrorOf(v js.Value) domError {
	return domError{v.Get("name").String(), v.Get("message").String()}
}

func (e domError) Error() string {
	if means := e.Unwrap(); means != nil {
		return means.Error() + " (" + e.name + ": " + e.message + ")"
	}
	return e.name + ": " + e.message
}

// Unwrap is what it means to a store; nil if that is nothing that a store would say.
func (e domError) Unwrap() error {
	if e.name == "UnknownError" && strings.Contains(e.message, "is closing") { // Chromium, where the specification says AbortError
		return pastebin.ErrClosed
	}
	return meanings[e.name]
}

var meanings = map[string]error{
	"QuotaExceededError":       pastebin.ErrQuota,
	"ConstraintError":          pastebin.ErrExists,
	"SecurityError":            pastebin.ErrForbidden,
	"InvalidStateError":        pastebin.ErrClosed,
	"TransactionInactiveError": ErrInactive,
	// A newer version of the page has the database now.
	"VersionError": pastebin.ErrClosed,
	// What the transactions come to of a connection that the browser closes.
	"AbortError": pastebin.ErrClosed,
}

// try makes an error of what JavaScript throws, and of a value that is not of the kind it should be.
func try(f func()) (err error) {
	defer func() {
		switch thrown := recover().(type) {
		case nil:
		case js.Error:
			err = domErrorOf(thrown.Value)
		case *js.ValueError:
			err = thrown
		default:
			panic(thrown)
		}
	}()
	f()
	return nil
}
