package model

import (
	"time"

	"stormbin/engine/des"
	"stormbin/engine/policy"
)

// library is one run of the client library under a call: for the call it is one attempt, however often the library tries.
type library struct {
	call    policy.Call
	request int32 // whose
	outer   uint8 // which attempt of the request's call
	hedge   bool
	until   time.Duration // when it is over at the latest
	out     out
	timer   des.Ticket
	after   time.Duration // of the last answer, when to come again
}

// libraryTerms is what the runs under a request's present call are made under.
func (w *World) libraryTerms(r *request) *policy.Terms {
	return &w.processes[r.process].libraries[r.line]
}

// run begins a run of the library as an attempt of request i. An outcome other than OK is its end already.
func (w *World) run(i int32, number int, hedge bool) (row int32, o policy.Outcome, after time.Duration) {
	k := w.libraries.take()
	r := &w.requests.rows[i]
	bound := w.bound(r.deadline)
	until := min(bound, Patience(w.Now(), w.lines[r.line].rule.Timeout, r.bound))
	w.libraries.rows[k] = library{request: i, outer: uint8(number), hedge: hedge, until: until}
	o, after, _ = w.driveLibrary(k, w.libraries.rows[k].call.Start(w.libraryTerms(r), w.Now(), bound))
	return k, o, after
}

// driveLibrary does what a library's call has decided. done: the run has ended, with that outcome, and if it was shed with
// a word about when to come again.
func (w *World) driveLibrary(k int32, act policy.Actions) (o policy.Outcome, after time.Duration, done bool) {
	for {
		if number := act.Abandon; number > 0 {
			w.giveUpRun(k, int(number), TimedOut)
		}
		l := &w.libraries.rows[k]
		r := &w.requests.rows[l.request]
		if act.Done {
			l.timer = 0
			w.libraries.put(k)
			if act.Outcome == policy.Deadline {
				return policy.Timeout, 0, true // to the call, time ran out while the library was at it
			}
			return act.Outcome, l.after, true
		}
		if act.Send > 0 {
			row, o, after := w.sendAttempt(l.request, k, int(l.outer), int(act.Send), l.hedge)
			l = &w.libraries.rows[k]
			r = &w.requests.rows[l.request]
			l.out = out{number: uint8(act.Send), row: row, hedge: l.hedge}
			if o != policy.OK {
				l.out, l.after = out{}, after
				act = heard(&l.call, w.libraryTerms(r), w.Now(), int(act.Send), o, after)
				continue
			}
		}
		l.timer = 0
		if act.Timer > 0 {
			l.timer = w.schedule(&w.lines[r.line].library, act.Timer, libraryEvent|uint32(k))
			if l.out.number == 0 {
				w.noteBackoff(r, l.call.Attempt()+1, act.Timer)
			}
		}
		return policy.OK, 0, false
	}
}

// libraryTimer wakes a library.
func (w *World) libraryTimer(k int32, ticket des.Ticket) {
	l := &w.libraries.rows[k]
	if l.timer != ticket {
		return
	}
	l.timer = 0
	w.libraryGoesOn(k, l.call.Timer(w.libraryTerms(&w.requests.rows[l.request]), w.Now()))
}

// libraryAnswered brings a library the answer to its attempt.
func (w *World) libraryAnswered(k int32, number int, o policy.Outcome, after time.Duration) {
	l := &w.libraries.rows[k]
	l.out, l.after = out{}, after
	w.libraryGoesOn(k, heard(&l.call, w.libraryTerms(&w.requests.rows[l.request]), w.Now(), number, o, after))
}

// libraryGoesOn does what a library's call has decided, and tells the request if that was the end of the run.
func (w *World) libraryGoesOn(k int32, act policy.Actions) {
	l := &w.libraries.rows[k]
	request, outer := l.request, int(l.outer)
	if o, after, done := w.driveLibrary(k, act); done {
		w.answered(request, outer, o, after)
	}
}

// stopLibrary is the call no longer waiting for a run.
func (w *World) stopLibrary(r *request, k int32, kind EventKind) {
	l := &w.libraries.rows[k]
	l.timer = 0
	if number := l.call.Cancel(w.libraryTerms(r), w.Now()).Abandon; number > 0 {
		w.giveUpRun(k, int(number), kind)
	}
	w.libraries.put(k)
}

// giveUpRun is a library no longer waiting for its attempt.
func (w *World) giveUpRun(k int32, number int, kind EventKind) {
	l := &w.libraries.rows[k]
	sent := l.out
	l.out = out{}
	w.giveUpAttempt(&w.requests.rows[l.request], sent, number, l.outer > 1 || number > 1, kind)
}
