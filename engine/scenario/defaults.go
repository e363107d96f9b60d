package scenario

// What is left out of a scenario of one's own has the values below. A built-in's own values come before them.

func blank() Scenario {
	return Scenario{
		Version:   Version,
		Seed:      1,
		Duration:  30 * sec,
		Processes: Processes{Count: 1},
		Policy:    Policy{PropagateDeadline: true},
		BadShare:  0.01,
	}
}

func newOperation() Operation {
	return Operation{Arrivals: "poisson", Idempotent: true, Client: Client{Attempts: 1}}
}

func newDependency() Dependency {
	return Dependency{Slots: 1, Service: Service{Dist: "constant"}, Discipline: "fifo"}
}

func newCall() Call {
	return Call{Attempts: 1, Backoff: Backoff{Kind: "none"}, Jitter: "none"}
}

func newFault() Fault { return Fault{Factor: 1} }
