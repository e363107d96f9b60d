//go:build js && wasm

package indexeddb

import (
	"syscall/js"

	"stormbin/pastebin"
)

// domError is a DOMException, or another error of the browser's.
type domError struct{ name, message string }

func domErrorOf(v js.Value) domError {
	return domError{v.Get("name").String(), v.Get("message").String()}
}

func (e domError) Error() string { return e.name + ": " + e.message }

// Unwrap is what it means to a store.
func (e domError) Unwrap() error {
	switch e.name {
	case "QuotaExceededError":
		return pastebin.ErrQuota
	case "ConstraintError":
		return pastebin.ErrExists
	case "VersionError": // a newer version of the page has the database now
		return pastebin.ErrClosed
	}
	return nil
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
