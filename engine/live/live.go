// Package live drives a policy.Call for ordinary blocking code: the same decisions as in the simulation, made for a real
// piece of work, on the clock it is handed. On [Real] that is the machine's time; the page hands it the simulation's.
package live

import (
	"errors"
	"fmt"
	"time"

	"stormbin/engine/policy"
	"stormbin/engine/rng"
)

// Clock is the time that calls live in. A simulated clock must not move while a caller is at work, so callers say when
// they are: Hold, then Release once they wait again. The real clock doesn't care.
type Clock interface {
	// Now is the time since the clock's start.
	Now() time.Duration
	// At calls f once at t, or at once if t has passed, from a goroutine of its own or from the one that moves the
	// clock; f must not block. Whoever f wakes is held for by the clock: At does the Hold before it calls f.
	// Calling stop means that f is no longer wanted; it may be running already.
	At(t time.Duration, f func()) (stop func())
	Hold()
	Release()
}

// ErrRefused is what work returns, wrapped or not, when its connection failed before the request was sent. Only a layer
// that knows may say so: whoever can't tell has a plain error.
var ErrRefused = errors.New("refused before it was sent")

// ErrShed is what work returns, wrapped or not, when the server turned it away before it did anything.
type ErrShed struct {
	// After is how long the server asks to be left alone (HTTP's Retry-After). 0: it didn't say.
	After time.Duration
}

func (e ErrShed) Error() string {
	if e.After == 0 {
		return "turned away"
	}
	return fmt.Sprintf("turned away for %v", e.After)
}

// Try says which attempt one is.
type Try struct {
	Attempt int // of the call; 1 is the first
	// Library is which attempt of the client library beneath the call's own it is. 0: there is no such layer.
	Library int
	// Hedge says that the call's attempt is one beside another that is still waited for.
	Hedge bool
}

// Hop is one attempt, as its caller saw it. Where a client library is beneath the call, each of the library's attempts is
// a hop, and the call's own, which are runs of the library, are not.
type Hop struct {
	Call    string
	Attempt int
	Library int  // see Try
	Hedge   bool // see Try
	// Beaten says that it ended because its twin was answered first. Its outcome is a timeout: we stopped waiting.
	Beaten  bool
	Start   time.Duration
	End     time.Duration
	Outcome policy.Outcome
	// Left is what was left of the request's time when the attempt ended. [policy.NoDeadline] if it has none.
	Left time.Duration
}

// Failure is the error of a call that did not end well.
type Failure struct {
	Call     string
	Outcome  policy.Outcome
	Attempts int // of the call, hedges included; not those of a library beneath it
	Took     time.Duration
	Err      error // of the last attempt, where it had one
}

func (f *Failure) Error() string {
	s := fmt.Sprintf("%s: %s after %v and %d attempts", f.Call, f.Outcome, f.Took, f.Attempts)
	if f.Attempts == 1 {
		s = fmt.Sprintf("%s: %s after %v", f.Call, f.Outcome, f.Took)
	}
	if f.Err != nil {
		s += ": " + f.Err.Error()
	}
	return s
}

func (f *Failure) Unwrap() error { return f.Err }

// Caller makes the calls of one request.
type Caller struct {
	Clock Clock
	// Rule is the policy's line for a call.
	Rule func(call string) policy.Rule
	// Library, if set, is what the client library beneath a call does by itself: each attempt of the call is a run of it,
	// under that rule and the call's deadline. false: no library does anything of its own.
	Library func(call string) (policy.Rule, bool)
	// Budget, if set, bounds a call's retries, with those of the other calls to its server from the process that the
	// request runs in; nil if nothing does. Breaker, if set, is the one that stands before the server; nil if none does.
	Budget  func(call string) *policy.Budget
	Breaker func(call string) *policy.Breaker
	// Jitter is where waits are drawn from; see policy.Terms.
	Jitter *rng.Stream
	// Deadline is when the request must be over, if that is passed on to its calls; [policy.NoDeadline] if not.
	Deadline time.Duration
	// Send, if set, stands between an attempt and its work: it puts the attempt before a simulated server, which calls
	// answer, with a hold on the clock, when it is through with it. If that is with policy.OK, the work is done, whether
	// or not anybody still waits; with policy.Lost it is done too, and the caller never hears of it; with policy.Shed,
	// after is when to come again. leave says that the caller waits no more: its time is up, or the attempt was beaten,
	// and then the server may be told to stop, if the rule has it so. An outcome other than OK is an answer at once, and then
	// neither answer nor leave is ever called.
	Send func(call string, try Try, answer func(o policy.Outcome, after time.Duration)) (leave func(beaten bool), o policy.Outcome, after time.Duration)
	// Watch, if set, is told of each hop when it ends.
	Watch func(Hop)
}
