package scenario

// thrice is three retries of the primary's reads, at once and whatever went wrong.
const thrice = "policy.calls.primary_read.attempts=4&policy.calls.primary_read.retry_on=timeout,error,refused" +
	"&policy.calls.primary_read.backoff.kind=none&policy.calls.primary_read.jitter=none"

// pastes is the pastebin at its peak, and what may happen to it.
var pastes = []built{
	{
		id: "pastebin", title: "The pastebin", by: pastebin,
		question: "What does a sick cache, primary or bucket do to readers and creators under this rule?",
		answer:   "Nothing is broken yet: with 17,400 reads a second the primary is 60 % busy, and next to nobody fails. Break something.",
	},
	{
		id: "healthy", title: "A healthy peak",
		from: "pastebin", differs: "duration=10s",
		question: "What does the pastebin look like at its peak when nothing is broken?",
		answer:   "Of 17,400 reads and 350 creates a second hardly one fails, the slowest hundredth takes 76 ms, and the primary is 60 % busy.",
	},
	{
		id: "blip", title: "The primary stalls for 2 s, the rule", against: "blip-retries",
		from: "pastebin", differs: "duration=34s&fault=primary,stall,1s,2s",
		question: "The primary stands still for two seconds, and a timeout is not retried. When is it over?",
		answer:   "When its cause is: 2 seconds are bad, and the primary has 1.00 times its load. What the cache has is served throughout.",
	},
	{
		id: "blip-retries", title: "The primary stalls for 2 s, three retries", against: "blip",
		from: "blip", differs: thrice,
		question: "The primary stands still for two seconds, and each of its reads is tried up to four times. When is it over?",
		answer:   "31 s later there is no end in sight: the primary is well again, but has 4 times its load, and 50 % of the reads fail: all that the cache doesn’t have.",
	},
	{
		id: "blip-backoff", title: "The primary stalls for 2 s, backoff and jitter", against: "blip",
		from: "blip-retries", differs: "policy.calls.primary_read.backoff.kind=exponential&policy.calls.primary_read.jitter=full",
		question: "Do backoff and jitter end the storm after a stall of two seconds?",
		answer:   "No: 31 s later there is no end in sight. It is the same 4 times the load, only spread out.",
	},
	{
		id: "slow-primary", title: "A slow primary with a statement timeout", against: "slow-primary-no-limit",
		from: "pastebin", differs: "duration=24s&fault=primary,slow*10,1s,10s",
		question: "The primary is ten times slower for ten seconds, and stops each statement after 25 ms. When is it over?",
		answer:   "When its cause is: 10 seconds are bad, and never more than 270 wait, as nobody waits for longer.",
	},
	{
		id: "slow-primary-no-limit", title: "A slow primary without one", against: "slow-primary",
		from: "slow-primary", differs: "dependencies.primary.statement_timeout=0s",
		question: "The primary is ten times slower for ten seconds, and ends every read that it was sent. When is it over?",
		answer:   "11.4 s after its cause: 72,000 wait by then, and those who sent them have left. 22 seconds are bad.",
	},
	{
		id: "slow-bucket", title: "A slow bucket",
		from: "pastebin", differs: "duration=6s&dependencies.bucket.slots=100000&fault=bucket,slow*100,1s,2s",
		question: "The bucket is a hundred times slower for two seconds. What do readers and creators see?",
		answer:   "Reads that need it fail within 0.22 s and creates within 1 s. What the cache has is served throughout, and it ends 0.1 s after its cause.",
	},
	{
		id: "cold-edge", title: "A cold edge",
		from: "pastebin", differs: "duration=8s&operations.read.rate=34800&dependencies.edge.hit_share=0.5&fault=edge,flush,2s,3s",
		question: "The edge had half of the reads, and is flushed for three seconds. Can the primary take it?",
		answer:   "No: it is asked for 119 % of what it can do, and 49 % of the reads fail, nearly all that the cache doesn’t have. It ends 0.1 s after its cause.",
	},
	{
		id: "slow-cache", title: "A slow cache", against: "cache-breaker",
		from: "pastebin", differs: "duration=4s&operations.create.rate=0&operations.delete.rate=0&dependencies.cache.hit_share=0.8&fault=cache,lose*0.3,1s",
		question: "Three of ten answers of the cache don’t come in time. What does that cost?",
		answer:   "The primary has 7,700 reads a second in place of 3,500, and 0 seconds are bad: a cache that is late is a miss.",
	},
	{
		id: "cache-breaker", title: "A breaker before the cache", against: "slow-cache",
		from: "slow-cache", differs: "policy.breaker.enabled=true&policy.breaker.targets=cache&policy.breaker.on=timeout&policy.breaker.threshold=0.25",
		question: "The same cache, and a breaker before it that opens at a quarter of timeouts. What does that cost?",
		answer:   "It sends all to the primary: 17,300 reads a second for one that can do 15,000. 94 % of them fail.",
	},
	{
		id: "primary-down", title: "The primary is down", against: "primary-down-breaker",
		from: "pastebin", differs: "duration=12s&fault=primary,down,0s",
		question: "The primary refuses every connection. What does it see?",
		answer:   "17,800 connections a second: 2 for each read that the cache doesn’t have.",
	},
	{
		id: "primary-down-breaker", title: "The primary is down, with a breaker", against: "primary-down",
		from: "primary-down", differs: "policy.breaker.enabled=true&policy.breaker.targets=primary",
		question: "The primary refuses every connection, and each process has a breaker before it. What does it see?",
		answer:   "1 probe every 5 s from each of 23 processes. Users see the same error, sooner.",
	},
	{
		id: "put-timeout", title: "A PUT times out",
		from: "pastebin", differs: "duration=15s&operations.read.rate=0&operations.delete.rate=0&operations.create.arrivals=even&fault=bucket,stall,1s,2s",
		question: "The bucket stands still for two seconds. What becomes of the creates, and of their objects?",
		answer:   "212 get an error after 1 s and no link, and 302 more are turned away at the cap. When the stall ends 212 objects land that nobody refers to; the reaper removes all 212.",
	},
	{
		id: "hedging", title: "Hedging every read", against: "hedging-late",
		from: "pastebin", differs: "duration=4s&operations.create.rate=0&operations.delete.rate=0&policy.calls.primary_read.hedge_after=1ns",
		question: "Every read of the primary is sent twice, and the faster answer counts. Is that faster?",
		answer:   "It is 2 times the reads, more than the primary can do: 42 % of all reads fail, with nothing broken.",
	},
	{
		id: "hedging-late", title: "Hedging the slowest reads", against: "hedging",
		from: "hedging", differs: "policy.calls.primary_read.hedge_after=6ms",
		question: "Only a read that has had no answer for 6 ms is sent twice. What does that cost?",
		answer:   "1.05 times the load, and none fails.",
	},
	{
		id: "layers", title: "Everybody retries", against: "layers-one",
		from: "pastebin", differs: "duration=1s&operations.read.rate=1&operations.read.arrivals=even&operations.create.rate=0&operations.delete.rate=0" +
			"&dependencies.cache.hit_share=0&operations.read.client.attempts=3&policy.balancer.attempts=2&fault=primary,down,0s",
		question: "The balancer tries twice, the app twice and the client three times. What is one click on a primary that is down?",
		answer:   "12 connections: 2 times 2 times 3.",
	},
	{
		id: "layers-one", title: "One layer retries", against: "layers",
		from: "layers", differs: "operations.read.client.attempts=1&policy.balancer.attempts=1",
		question: "Only the app tries again, since it knows that nothing was sent. What is one click then?",
		answer:   "2 connections.",
	},
	{
		id: "deadline", title: "Time left is passed on", against: "deadline-lost",
		from: "pastebin", differs: "duration=2s&operations.read.rate=500&operations.read.arrivals=even&operations.create.rate=0&operations.delete.rate=0" +
			"&policy.calls.cache_get.timeout=80ms&policy.calls.object_get.retry_on=timeout&fault=cache,blackhole,0s&fault=bucket,stall,0s",
		question: "80 ms are lost in the cache, and then the bucket hangs. Do reads keep within their 300 ms?",
		answer:   "Yes: 0 of 1,000 end later, since each call is told what is left, and a second try would not fit.",
	},
	{
		id: "deadline-lost", title: "Time left is not passed on", against: "deadline",
		from: "deadline", differs: "policy.propagate_deadline=false",
		question: "The same 80 ms, and no call knows what is left of the request. Do reads keep within their 300 ms?",
		answer:   "No: 1,000 of 1,000 end later, and the bucket is asked 2 times for each, the second time for nobody.",
	},
	{
		id: "ten-times", title: "Ten times the traffic", against: "ten-times-retries",
		from: "pastebin", differs: "duration=3s&operations.read.rate=174000&operations.create.rate=3500&operations.delete.rate=200&processes.count=230" +
			"&dependencies.edge.slots=10000&dependencies.cache.slots=640&dependencies.primary.slots=300&dependencies.bucket.slots=10000" +
			"&dependencies.cdn.slots=500&workers.count=80&fault=primary,stall,500ms,1s",
		question: "Ten times the traffic on ten times of everything, and a stall of a second. Does the rule still hold?",
		answer:   "Yes: it ends with its cause, and then the primary has 91,000 queries a second again.",
	},
	{
		id: "ten-times-retries", title: "Ten times the traffic, three retries", against: "ten-times",
		from: "ten-times", differs: thrice,
		question: "Ten times the traffic on ten times of everything, and three retries. What is a stall of a second?",
		answer:   "Ten times the storm: 1.5 s later there is no end in sight, as the primary is asked for 350,000 queries a second and can do 150,000.",
	},
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
