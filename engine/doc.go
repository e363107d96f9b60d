// Package engine is the map of the simulation; the code is in the packages below it.
//
//	policy     what a caller decides: timeout, retry, backoff, hedge, budget, breaker, cap. A Call is the machine that composes them
//	live       drives a Call for ordinary blocking code, on the clock it is handed
//	rng        named random streams; every draw is an integer, and the same on every machine
//	des        the virtual clock and the queue of what is still to happen
//	json       JSON as a tree, small enough for a page
//	scenario   the value that says everything about a run, read strictly, and the built-in ones
//	model      the world built from a scenario; drives Calls in virtual time
//	metrics    histograms, the windows that outages are judged in, the report, its verdict and its alerts, and the sum
//	run        starts, steps, changes and goes back in a world, lets a reader's own request visit it, and compares two
//	presets    the retries you did not write: what client libraries do by default, each figure with its source
//	imports    the retries that you did write: settings of proxies, meshes, libraries and SDKs, read into a policy
//	cmd/storm  all of that on the command line
//
// # One policy, two clocks
//
// Whether to wait on, to try again or to give up is decided in one place, policy.Call: events in, actions out. The model
// drives thousands of them a second in virtual time; live drives the one behind a reader's own click. A run.Visit is a
// clock that live can use, so that the reader's request stands in the same queues as the crowd's and the world waits for
// it: it stops at every event that concerns the visitor, and goes on when the visitor has reacted.
//
// # Time, chance, sameness
//
// A time is a [time.Duration] since the start of the run, an integer number of nanoseconds; nothing here asks the
// machine what time it is, live.Real excepted. Randomness is a named stream of (seed, name). The n-th arrival and what
// it asks of each dependency depend on the seed and on n alone, so two policies can be judged on the very same traffic.
// What decides anything is an integer, or a few floating-point operations that are kept from being fused, since every machine
// rounds those alike; so one scenario gives one trace hash, natively and under wasm.
//
// # At one instant
//
// First what the scenario has planned (faults, changes), then requests that come in, then all else in the order in which
// it was set up. A live change takes effect a nanosecond after it is made, and is kept with that time, so a session that
// somebody played can be run again to the same hash.
//
// # Layers
//
// A client, a balancer, a process and a client library may each try again by themselves, and each that does is a Call of its
// own: an attempt of an upper one is a run of the one beneath. So 2 × 2 × 3 attempts multiply here as they do in life. One
// who has nothing to do is not there.
//
// # How it is known to be right
//
// model/twin_*_test.go is the same world as plainly as it can be written: a sorted list, maps and closures. It and the model
// agree event for event on thousands of drawn scenarios. run/theory_test.go holds the model against queueing theory,
// run/figures_*_test.go against every figure that the lesson and the experiment name, and run/testdata/stories.txt tells
// in words what happens.
//
// Where does a thing go? A caller's decision: policy. A thing that takes time: model. A number shown: metrics. A library's
// defaults: presets.
package engine
