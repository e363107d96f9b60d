package scenario

import "time"

const (
	us  = Duration(time.Microsecond)
	ms  = Duration(time.Millisecond)
	sec = Duration(time.Second)
)

// Entry is one scenario of the catalogue: its id, and the question it is there to answer.
type Entry struct {
	ID, Question string
}

var catalogue = []struct {
	Entry
	build func() Scenario
}{
	{Entry{"two-service", "A calls B. If B is slow for three seconds, is it over after three seconds?"}, twoService},
	{Entry{"pastebin", "What does a sick cache, primary or bucket do to readers and creators under this rule?"}, pastebin},
	{Entry{"lost-order", "The answer to one order is lost on its way. With four attempts, how many orders are there?"}, lostOrder},
	{Entry{"double-click", "Two clicks at one instant with one idempotency key: is that one order or two?"}, doubleClick},
	{Entry{"hidden-retries", "What does one cache.get do against a host that swallows packets?"}, hiddenRetries},
	{Entry{"queue", "How long is the wait in one open queue, as queueing theory has it?"}, queue},
}

// List is the catalogue, in the order to show it in.
func List() []Entry {
	entries := make([]Entry, len(catalogue))
	for i, c := range catalogue {
		entries[i] = c.Entry
	}
	return entries
}

// Find is the built-in scenario of that id, as the caller's own copy. false if there is none.
func Find(id string) (Scenario, bool) {
	for _, c := range catalogue {
		if c.ID == id {
			s := c.build()
			s.ID = id
			return s, true
		}
	}
	return Scenario{}, false
}

// twoService is A calling B, which does eight at a time in 100 ms each: 80/s for the 20/s that come. While it is eight
// times slower it does 10/s.
func twoService() Scenario {
	s := blank()
	call := newOperation()
	call.Rate = 20
	call.Steps = []string{"b"}
	s.Operations = map[string]Operation{"call": call}

	b := newDependency()
	b.Slots = 8
	b.Service.Mean = 100 * ms
	s.Dependencies = map[string]Dependency{"b": b}

	line := newCall()
	line.Timeout = sec
	line.Attempts = 4
	line.RetryOn = []string{"timeout", "error", "refused"}
	s.Policy.Calls = map[string]Call{"b": line}

	s.Faults = []Fault{{At: 3 * sec, For: 3 * sec, Target: "b", Kind: "slow", Factor: 8}}
	return s
}

// pastebin is a paste service at its peak, under a rule that asks again only where nothing was sent.
func pastebin() Scenario {
	s := blank()
	// 200 creates in flight over all 23 processes, rounded up for each: 207.
	s.Processes.Count, s.Processes.Cap = 23, map[string]int{"create": 9}

	operation := func(rate float64, deadline Duration, idempotent bool, steps ...string) Operation {
		o := newOperation()
		o.Rate, o.Deadline, o.Idempotent, o.Steps = rate, deadline, idempotent, steps
		return o
	}
	read := operation(17_400, 300*ms, true, "cache_get", "primary_read", "object_get")
	read.Edge = "edge"
	s.Operations = map[string]Operation{
		"read":   read,
		"create": operation(350, 2*sec, false, "object_put", "primary_insert"),
		"delete": operation(20, sec, true, "primary_delete"),
	}

	dependency := func(slots int, mean, base Duration) Dependency {
		d := newDependency()
		d.Slots, d.Service.Dist, d.Service.Mean, d.Service.Base = slots, "exponential", mean, base
		return d
	}
	edge := newDependency() // cold: no hits, so that every read is an origin read
	edge.Slots, edge.Service.Mean = 1000, ms
	cache := dependency(64, 500*us, 0)
	cache.HitShare = 0.5
	primary := dependency(30, 2*ms, 0) // 15,000/s, of which half of the reads take 58 %
	primary.StatementTimeout = 25 * ms
	s.Dependencies = map[string]Dependency{
		"edge":    edge,
		"cache":   cache,
		"primary": primary,
		"bucket":  dependency(1000, 15*ms, 15*ms),
		"cdn":     dependency(50, 100*ms, 0),
	}

	call := func(on string, timeout Duration) Call {
		c := newCall()
		c.On, c.Timeout = on, timeout
		return c
	}
	// again allows one more attempt after a connection that was refused, so that nothing was sent.
	again := func(c Call) Call {
		c.Attempts, c.RetryOn = 2, []string{"refused"}
		c.Backoff, c.Jitter = Backoff{Kind: "constant", Base: 20 * ms}, "full"
		return c
	}
	// write gives a statement a little more than its caller's timeout, where reads have 25 ms.
	write := func(c Call) Call {
		c.StatementTimeout = 60 * ms
		return c
	}
	get := call("cache", 5*ms)
	get.Optional = true // a cache that fails is a miss
	s.Policy.Calls = map[string]Call{
		"cache_get":      get,
		"primary_read":   again(call("primary", 20*ms)),
		"object_get":     again(call("bucket", 200*ms)),
		"object_put":     call("bucket", sec),
		"primary_insert": write(call("primary", 50*ms)),
		"primary_delete": write(call("primary", 50*ms)),
		"purge":          call("cdn", 2*sec),
		"object_delete":  call("bucket", sec),
	}

	job := func(after, on, call string, delay Duration) Job {
		j := newJob() // again after 1s, 2s, 4s … 1h
		j.After, j.On, j.Call, j.Delay = after, on, call, delay
		return j
	}
	s.Jobs = map[string]Job{
		"purge":  job("delete", "effect", "purge", 0),
		"detach": job("delete", "effect", "object_delete", 0),
		"reap":   job("create", "failed", "object_delete", 10*sec), // by then nobody is still at work on it
	}
	s.Workers.Count = 8
	return s
}

// order is twoService with one write in place of the load: a click at 0s, and no other for 20 s.
func order() Scenario {
	s := twoService()
	s.Duration = 10 * sec
	s.Faults = nil
	click := newOperation()
	click.Rate, click.Arrivals, click.Idempotent = 0.05, "even", false
	click.Steps = []string{"b"}
	s.Operations = map[string]Operation{"order": click}
	return s
}

// lostOrder is a B that does what it is asked to and whose answers are all lost, so that A asks four times.
func lostOrder() Scenario {
	s := order()
	s.Faults = []Fault{{Target: "b", Kind: "lose", Factor: 1, P: 1}}
	return s
}

// doubleClick is one order sent twice at the same instant, to a B with a unique constraint.
func doubleClick() Scenario {
	s := order()
	click := s.Operations["order"]
	click.Copies = 2
	s.Operations["order"] = click
	b := s.Policy.Calls["b"]
	b.IdempotencyKey = true
	s.Policy.Calls["b"] = b
	return s
}

// hiddenRetries is one get through go-redis from a host that swallows packets, with the command's own retries off: each
// attempt is a loop of dials, 5 × 5 s + 4 × 100 ms = 25.4 s. With them on, at 4 attempts, it is more than 100 s.
//
// The figures are those of the preset go-redis, in engine/presets, where their sources are.
func hiddenRetries() Scenario {
	s := blank()
	s.Duration = 130 * sec
	get := newOperation()
	get.Rate, get.Arrivals = 0.005, "even" // at 0s, and the next at 200s
	get.Steps = []string{"cache_get"}
	s.Operations = map[string]Operation{"get": get}

	cache := newDependency()
	cache.Slots, cache.Service.Mean = 64, ms
	s.Dependencies = map[string]Dependency{"cache": cache}

	line := newCall()
	line.On = "cache"
	line.RetryOn = []string{"timeout", "refused", "lost", "shed"}
	line.Backoff, line.Jitter = Backoff{Kind: "exponential", Base: 20 * ms, Max: sec}, "full"
	line.Library.Attempts, line.Library.Timeout = 5, 5*sec
	line.Library.RetryOn = []string{"timeout", "refused"} // a dial has no other bad end
	line.Library.Backoff = Backoff{Kind: "constant", Base: 100 * ms}
	s.Policy.Calls = map[string]Call{"cache_get": line}

	s.Faults = []Fault{{Target: "cache", Kind: "blackhole", Factor: 1}}
	return s
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
