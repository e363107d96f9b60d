package scenario

// experiment is A calling B, and what A does when B is slow, flaky or never heard of again.
var experiment = []built{
	{
		id: "two-service", title: "A calls B", by: twoService,
		question: "A calls B. If B is slow for three seconds, is it over after three seconds?",
		answer:   "That is luck: with this seed 0 seconds are bad, with others it never ends. 20 requests a second, tried 4 times, are 80, and more B cannot do.",
	},
	{
		id: "slow", title: "B is slow, no retries", against: "slow-retries",
		from: "two-service", differs: "operations.call.arrivals=even&policy.calls.b.attempts=1&fault=b,slow*8,3s",
		question: "B is eight times slower from now on, and nobody retries. What becomes of 20 requests a second?",
		answer:   "B can do 10 a second, so its queue grows by 10 a second. Soon 0 of 20 are answered in time, and B works only for callers who have left.",
	},
	{
		id: "slow-retries", title: "B is slow, three retries", against: "slow",
		from: "slow", differs: "policy.calls.b.attempts=4",
		question: "B is slow, and A tries up to four times. Who is helped?",
		answer:   "Nobody: B has 4 times the traffic, users wait 4 s in place of 1, and 0 more are answered.",
	},
	{
		id: "slow-backoff", title: "B is slow, backoff and jitter", against: "slow-retries",
		from: "slow-retries", differs: "policy.calls.b.backoff.kind=exponential&policy.calls.b.backoff.base=100ms&policy.calls.b.jitter=full",
		question: "Do backoff and jitter rescue a slow B?",
		answer:   "No: it is still 4 times the traffic, only spread out, and 0 more are answered. Users wait 4.3 s.",
	},
	{
		id: "slow-budget", title: "B is slow, a retry budget", against: "slow-retries",
		from: "slow-retries", differs: "policy.budget.percent=10",
		question: "What does a retry budget of a tenth do for a slow B?",
		answer:   "In all it holds the traffic at 1.1 times. That does not mend B, but 329 wait in its queue after half a minute, and without a budget 1,744.",
	},
	{
		id: "recovery-no-retries", title: "Slow for 3 s, no retries", against: "recovery",
		from: "two-service", differs: "duration=20s&operations.call.arrivals=even&policy.calls.b.attempts=1&dependencies.b.service.mean=97ms&fault=b,slow*8.25,3s,3s",
		question: "B is slow for three seconds, and nobody retries. When is it over?",
		answer:   "When its cause is: 3 seconds are bad.",
	},
	{
		id: "recovery", title: "Slow for 3 s, three retries", against: "recovery-no-retries",
		from: "recovery-no-retries", differs: "policy.calls.b.attempts=4",
		question: "B is slow for three seconds, and A retries three times. When is it over?",
		answer:   "8 seconds are bad, and not 3: B is well again, but first it works through the retries of callers who have left.",
	},
	{
		id: "recovery-budget", title: "Slow for 3 s, a retry budget", against: "recovery",
		from: "recovery", differs: "policy.budget.percent=10",
		question: "The same three seconds and three retries, with a retry budget of a tenth: when is it over?",
		answer:   "3 seconds are bad, as without retries; B has 1.03 times the traffic.",
	},
	{
		id: "recovery-100ms", title: "Slow for 3 s, and never well again",
		from: "recovery", differs: "duration=40s&dependencies.b.service.mean=100ms&fault=b,slow*8,3s,3s",
		question: "B takes 100 ms when it is well, and not 97. Does that matter?",
		answer:   "It decides between 8 bad seconds and for ever: 20 requests a second, tried 4 times, are 80, and B at 100 ms can do 80. After 34 s there is no end in sight.",
	},
	{
		id: "breaker", title: "Slow for 3 s, a breaker", against: "recovery-no-retries",
		from: "recovery-no-retries", differs: "policy.breaker.enabled=true&policy.breaker.on=timeout",
		question: "What does a breaker that counts timeouts do when B is slow?",
		answer:   "It sends nothing for 5 s, until a probe finds B well. That makes 7 bad seconds out of 3 slow ones; but an error comes after 0 s in place of 1, and B has room.",
	},
	{
		id: "herd", title: "A herd in step", against: "herd-jitter",
		from: "two-service", differs: `duration=20s&operations.call.rate=8&operations.call.arrivals=even&operations.call.repeat=10s` +
			`&operations.call.shape=[{"at":"0s","factor":1000},{"at":"10ms","factor":0}]&dependencies.b.queue_limit=8` +
			`&policy.calls.b.retry_on=refused&policy.calls.b.backoff.kind=constant&policy.calls.b.backoff.base=2s&faults=none`,
		question: "80 come at once, B has room for 16, and the others all come back after the same two seconds. How many get through?",
		answer:   "64 of 80, 16 each time they come. All attempts together are 2.8 times the requests.",
	},
	{
		id: "herd-jitter", title: "A herd out of step", against: "herd",
		from: "herd", differs: "policy.calls.b.jitter=full",
		question: "The same 80, but each comes back after a random part of two seconds. How many get through?",
		answer:   "80 of 80, with 1.9 times the requests. This is what jitter is good for: many who failed together.",
	},
	{
		id: "flaky-no-retries", title: "Flaky, no retries", against: "flaky",
		from: "two-service", differs: "duration=60s&operations.call.arrivals=even&policy.calls.b.attempts=1&fault=b,flaky*0.2,0s",
		question: "B is fast, but one call in five fails at once. What do users see?",
		answer:   "80 % are answered.",
	},
	{
		id: "flaky", title: "Flaky, three retries", against: "flaky-no-retries",
		from: "flaky-no-retries", differs: "policy.calls.b.attempts=4&policy.calls.b.backoff.kind=exponential&policy.calls.b.backoff.base=50ms&policy.calls.b.jitter=full",
		question: "B is fast, but one call in five fails at once. Do retries help?",
		answer:   "Yes: 99.8 % are answered, for 1.25 times the traffic. It is single calls that fail, and B has room.",
	},
	{
		id: "lost-order", title: "An order whose answer is lost", by: lostOrder, against: "idempotency-key",
		question: "The answer to one order is lost on its way. With four attempts, how many orders are there?",
		answer:   "4 orders for 1 click, and the user sees an error. No answer doesn’t mean that nothing happened.",
	},
	{
		id: "idempotency-key", title: "The same with an idempotency key", against: "lost-order",
		from: "lost-order", differs: "policy.calls.b.idempotency_key=true",
		question: "Each attempt at the order carries the same key. How many orders are there?",
		answer:   "1 order for 4 attempts. The user still sees an error, but may ask again with that key.",
	},
	{
		id: "double-click", title: "One key, twice at one instant", by: doubleClick, against: "double-click-lookup",
		question: "Two clicks at one instant with one idempotency key: is that one order or two?",
		answer:   "1 order for 2 clicks: a unique constraint decides, there where they meet.",
	},
	{
		id: "double-click-lookup", title: "One key, looked up first", against: "double-click",
		from: "double-click", differs: "dependencies.b.unique=false",
		question: "Two clicks with one key, which B looks up before it stores the order. One order or two?",
		answer:   "2 orders for 2 clicks: each looks before the other has stored anything.",
	},
	{
		id: "hidden-retries", title: "Retries that nobody wrote", by: hiddenRetries, against: "hidden-retries-nested",
		question: "What does one cache.get do against a host that swallows packets?",
		answer:   "It hangs for 25.4 s: the client library dials 5 times, for 5 s each.",
	},
	{
		id: "hidden-retries-nested", title: "Retries of retries", against: "hidden-retries",
		from: "hidden-retries", differs: "policy.calls.cache_get.attempts=4",
		question: "The library also retries the whole command, up to four attempts. How long does one cache.get hang?",
		answer:   "For more than 100 s: 4 attempts of 5 dials each are 20.",
	},
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
