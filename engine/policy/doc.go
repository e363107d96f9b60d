// Package policy is what a caller decides: how long to wait, whether to try again, when, and when not to.
//
// It is pure. Time is an argument, a [time.Duration] since the start of the run; randomness is a stream it is handed.
// It has no clock, no timer, no goroutine and no lock: whoever drives it (engine/model in virtual time, engine/live for
// ordinary blocking code) calls it from one goroutine at a time and does what the returned [Actions] say.
//
//	Rule     one line of the policy matrix: timeout, attempts, which outcomes are retried, backoff, jitter
//	Call     the machine of one logical call: events in, actions out
//	Budget   how many retries the calls of one process may add to their first attempts
//	Cap      how many operations of one kind a process holds at once (a bulkhead)
//
// A breaker would be one more thing that a Call asks before it sends, beside Budget; a hedge one more reason to send.
package policy
