// Package run starts, steps and reports on a simulated world, and lets the reader's own request live in it.
package run

import (
	"context"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/policy"
	"stormbin/engine/rng"
	"stormbin/engine/scenario"
)

// Run is one run. What is changed while it goes on becomes part of its scenario, so that the run can be had again.
// Run is also the live.Clock of the requests that visit it: it stands still while one of them is at work.
type Run struct{}

// New starts a run of s, at time 0 with nothing done yet. The error is that of s.Validate.
func New(s scenario.Scenario) (*Run, error) { panic("not built") }

// Do runs s to the end of its duration, and until its requests have their answers.
func Do(s scenario.Scenario) (metrics.Report, error) { panic("not built") }

// Now is the virtual time.
func (r *Run) Now() time.Duration { panic("not built") }

// Advance moves on to the virtual time to, at most events events further, and stops before a visitor is overtaken. It
// tells whether it got there. It never ends at scenario's duration: a page plays on.
func (r *Run) Advance(to time.Duration, events int) (there bool) { panic("not built") }

// Step moves on to the next thing that happens to a request, and past it.
func (r *Run) Step() { panic("not built") }

// Set changes a path of the scenario from now on. The error names the path, the value and what would be right.
func (r *Run) Set(path string, value any) error { panic("not built") }

// Break starts a fault now: f.At is ignored, f.For 0 lasts until it is mended.
func (r *Run) Break(f scenario.Fault) error { panic("not built") }

// Mend ends every fault that is on now, and drops those to come.
func (r *Run) Mend() { panic("not built") }

// Scenario is what has been run so far, with everything that was set, broken and mended: Do would play it again.
func (r *Run) Scenario() scenario.Scenario { panic("not built") }

// Snapshot fills s with the world as it is.
func (r *Run) Snapshot(s *model.Snapshot) { panic("not built") }

// SampleEvery traces one request in n from now on. 1 traces all.
func (r *Run) SampleEvery(n int) { panic("not built") }

// Report is what the run came to until now.
func (r *Run) Report() metrics.Report { panic("not built") }

// At, Hold and Release make Run a live.Clock.
func (r *Run) At(t time.Duration, f func()) (stop func()) { panic("not built") }
func (r *Run) Hold()                                      { panic("not built") }
func (r *Run) Release()                                   { panic("not built") }

// Held tells whether a visitor is at work, so that the run stands still.
func (r *Run) Held() bool { panic("not built") }

// Close sends away every visitor still waiting: their attempts end as lost.
func (r *Run) Close() { panic("not built") }

// Visit is a reader's own request in the world: it runs in one of the simulated processes, under its budget and cap.
type Visit struct {
	Process int
	Budget  *policy.Budget
	Jitter  *rng.Stream
	// Deadline of the operation, from now. Bound is what its calls are told of it: NoDeadline unless it is propagated.
	Deadline, Bound time.Duration
}

// Visit lets a request of the operation in, or sheds it at the process's cap (false). Whoever visits holds the run
// (see Hold) until Leave.
func (r *Run) Visit(operation string) (*Visit, bool) { panic("not built") }

// Rule is the policy's line for a call as it is now.
func (v *Visit) Rule(call string) policy.Rule { panic("not built") }

// Serve is one attempt: it stands in the dependency's queue with the crowd's, and returns when the simulated server is
// through with it, whether or not the caller still waits. For live.Caller.Serve.
func (v *Visit) Serve(ctx context.Context, call string, attempt int) policy.Outcome {
	panic("not built")
}

// Leave ends the visit.
func (v *Visit) Leave(ok bool) { panic("not built") }
