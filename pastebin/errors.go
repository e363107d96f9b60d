package pastebin

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"stormbin/engine/live"
	"stormbin/engine/policy"
)

// What a store answers, wrapped or not. The first two are answers like any other: the store works.
var (
	ErrNotFound = errors.New("not found")
	ErrExists   = errors.New("exists already")
	ErrQuota    = errors.New("the storage is full")
	ErrClosed   = errors.New("the storage was closed")
)

// ErrDeleted is the cause where a paste is asked for that was deleted.
var ErrDeleted = errors.New("deleted")

// The statuses of HTTP that are used. (net/http would bring megabytes into the page.)
const (
	notFound    = 404
	tooLarge    = 413
	failed      = 500
	unavailable = 503
)

// Error is how a request ended that did not end well.
type Error struct {
	// Status is the HTTP status for it.
	Status int
	// Reason is for the reader: whole sentences.
	Reason string
	// Err is the cause: ErrNotFound, ErrDeleted, a *live.Failure or an error of a store. nil where Reason is all there is.
	Err error
}

func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Status, e.Reason) }

func (e *Error) Unwrap() error { return e.Err }

// servers are the names for readers of what the calls go to.
var servers = map[string]string{
	primaryRead:   "primary",
	primaryInsert: "primary",
	primaryDelete: "primary",
	objectGet:     "bucket",
	objectPut:     "bucket",
}

// explain says in a sentence or two what became of a call.
func explain(err error) string {
	if errors.Is(err, ErrQuota) {
		return "There is no room left to store it."
	}
	var f *live.Failure
	if !errors.As(err, &f) {
		return fmt.Sprintf("Something failed: %v.", err)
	}
	server := servers[f.Call]
	tries := ""
	if f.Attempts > 1 {
		tries = fmt.Sprintf(" (%d attempts)", f.Attempts)
	}
	switch {
	case f.Outcome == policy.Timeout || f.Outcome == policy.Lost:
		return fmt.Sprintf("Timed out after %s%s. The %s may still be working on it.", wait(f.Took), tries, server)
	case f.Outcome == policy.Refused:
		return fmt.Sprintf("The %s refused the connection%s.", server, tries)
	case f.Outcome == policy.Shed:
		return fmt.Sprintf("Turned away: too many are waiting for the %s.", server)
	case f.Outcome == policy.Open:
		return fmt.Sprintf("Turned away: the breaker before the %s is open.", server)
	case f.Outcome == policy.Deadline:
		return fmt.Sprintf("There was no time left to ask the %s.", server)
	case f.Err != nil:
		return fmt.Sprintf("The %s failed%s: %v.", server, tries, f.Err)
	}
	return fmt.Sprintf("The %s failed%s.", server, tries)
}

// wait writes a duration the way a reader would: 20 ms, 1.5 s.
func wait(d time.Duration) string {
	if d < time.Second {
		return number(d.Seconds()*1000) + " ms"
	}
	return number(d.Seconds()) + " s"
}

// number has one decimal at the most.
func number(x float64) string {
	return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64)
}

// count writes n with a comma every three digits.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// tooLong is the error for something that is n bytes long and may have limit.
func tooLong(what string, n, limit int) error {
	return &Error{
		Status: tooLarge,
		Reason: fmt.Sprintf("The %s has %s bytes, and at most %s fit.", what, count(n), count(limit)),
	}
}
