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
	ErrNotFound  = errors.New("not found")
	ErrExists    = errors.New("exists already")
	ErrQuota     = errors.New("the storage is full")
	ErrClosed    = errors.New("the storage was closed")
	ErrForbidden = errors.New("this page may not store anything in this browser")
	ErrBlocked   = errors.New("another tab keeps the storage shut")
)

// Why a paste is not to be had, as the cause of an [*Error].
var (
	ErrDeleted = errors.New("deleted")
	ErrExpired = errors.New("expired")
	ErrBurned  = errors.New("burned")
	ErrBurns   = errors.New("burned when it is read")
)

// The statuses of HTTP that are used. (net/http would bring megabytes into the page.)
const (
	badRequest  = 400
	forbidden   = 403
	notFound    = 404
	conflict    = 409
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
	// Err is the cause: ErrNotFound, ErrDeleted and the like, a *live.Failure or an error of a store. nil where Reason is all
	// there is.
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
	case unknown(f):
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

// unknown says whether nobody knows what became of the call's work.
func unknown(f *live.Failure) bool { return f.Outcome == policy.Timeout || f.Outcome == policy.Lost }

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

// span writes a duration of minutes to years in its largest unit: 10 minutes, 1.5 hours.
func span(d time.Duration) string {
	unit, name := time.Second, "second"
	for _, u := range []struct {
		size time.Duration
		name string
	}{{time.Minute, "minute"}, {time.Hour, "hour"}, {24 * time.Hour, "day"}, {365 * 24 * time.Hour, "year"}} {
		if d.Abs() >= u.size {
			unit, name = u.size, u.name
		}
	}
	s := number(float64(d) / float64(unit))
	if s != "1" {
		name += "s"
	}
	return s + " " + name
}

// never is the error for a paste that is not there, and gone for one that was.
func never() error { return &Error{notFound, "There never was a paste with this id.", ErrNotFound} }

func gone(end End) error {
	switch end {
	case Expired:
		return &Error{notFound, "This paste has expired.", ErrExpired}
	case Burned:
		return &Error{notFound, "This paste was burned: it could be read once, and has been.", ErrBurned}
	case Reaped:
		return never()
	}
	return &Error{notFound, "This paste was deleted.", ErrDeleted}
}

func burns() error {
	return &Error{forbidden, "This paste is burned when it is read: it can be read once, and then it is gone.", ErrBurns}
}

// tooLong is the error for something that is n bytes long and may have limit.
func tooLong(what string, n, limit int) error {
	return &Error{
		Status: tooLarge,
		Reason: fmt.Sprintf("The %s has %s bytes, and at most %s fit.", what, count(n), count(limit)),
	}
}
