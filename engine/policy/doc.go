// Package policy is what a caller decides: how long to wait, whether to try again, when, and when not to.
//
// It is pure. Time is an argument, a [time.Duration] since the start of the run; randomness is a stream it is handed.
// It has no clock, no timer, no goroutine and no lock: whoever drives it (engine/model in virtual time, engine/live for
// ordinary blocking code) calls it from one goroutine at a time and does what the returned [Actions] say.
//
//	Rule     one line of the policy matrix: timeout, attempts, which outcomes are retried, backoff, jitter, hedge
//	Call     the machine of one logical call: events in, actions out
//	Terms    what a call is made under, handed to each event: a rule, a budget, a breaker, and a stream for the jitter
//	Budget   how many retries and hedges one process may add to its first attempts at one server
//	Breaker  whether a server is worth calling at all just now
//	Jitter   how waits are spread
//	Cap      how many operations of one kind a process holds at once (a bulkhead); whoever starts a call asks it
//
// A Call asks the breaker before each attempt that it sends, tells it how each has ended, and does the same with the
// budget for each retry and hedge. Both keep an exact account: what was let through, reserved or begun is settled once,
// however the call ends.
package policy
