package scenario

// queueing is what theory has a formula for.
var queueing = []built{
	{
		id: "queue", title: "One open queue", by: queue,
		question: "How long is the wait in one open queue, as queueing theory has it?",
		answer:   "With 8 slots that are 75 % busy it is 18 ms on average, for 100 ms of work, says theory; with this seed it is 16 ms.",
	},
}

// queue is one open queue, M/M/8 at three quarters of its capacity: 60/s for 8 slots of 10/s each.
func queue() Scenario {
	s := blank()
	s.Duration = 60 * sec
	call := newOperation()
	call.Rate = 60
	call.Steps = []string{"q"}
	s.Operations = map[string]Operation{"call": call}

	q := newDependency()
	q.Slots = 8
	q.Service.Dist, q.Service.Mean = "exponential", 100*ms
	s.Dependencies = map[string]Dependency{"q": q}

	s.Policy.Calls = map[string]Call{"q": newCall()}
	return s
}
