package scenario

import (
	"slices"
	"time"
)

// What is left out of a scenario of one's own has the values below. A built-in's own values come before them.

func blank() Scenario {
	return Scenario{
		Version:   Version,
		Seed:      1,
		Duration:  30 * sec,
		Processes: Processes{Count: 1, Pick: "turn"},
		Policy: Policy{
			PropagateDeadline: true,
			Balancer:          newLayer(),
			Budget:            Budget{Kind: "ratio", MaxTokens: 10, TokenRatio: 0.1, MinConcurrent: 3},
			Breaker: Breaker{
				On: []string{"refused"}, Threshold: 0.5, MinCalls: 10, Window: sec, OpenFor: 5 * sec, Probes: 1, Per: "process",
			},
		},
		Workers:  Workers{Count: 1},
		BadShare: 0.01,
	}
}

func newOperation() Operation {
	return Operation{Arrivals: "poisson", Clients: 1, Think: sec, Copies: 1, Idempotent: true, Client: newLayer()}
}

func newDependency() Dependency {
	return Dependency{Slots: 1, Service: Service{Dist: "constant", Sigma: 1}, Discipline: "fifo", Unique: true}
}

func newCall() Call {
	return Call{Attempts: 1, Backoff: Backoff{Kind: "none"}, Jitter: "none", Library: newLayer()}
}

// newLayer sends once. What asks for more attempts means them, so everything that may be retried is.
func newLayer() Layer {
	return Layer{Attempts: 1, RetryOn: slices.Clone(retryWords), Backoff: Backoff{Kind: "none"}, Jitter: "none"}
}

func newPoint() Point { return Point{Factor: 1} }

func newJob() Job {
	return Job{On: "ok", Backoff: Backoff{Kind: "exponential", Base: sec, Max: Duration(time.Hour)}}
}

func newFault() Fault { return Fault{Factor: 1} }
