package scenario

// classics are the outages that people know by a name, on A calling B or on the pastebin.
var classics = []built{
	{
		id: "goodput-collapse", title: "Goodput collapse", against: "goodput-lifo",
		from: "two-service", differs: "operations.call.rate=100&operations.call.arrivals=even&policy.calls.b.attempts=1&faults=none",
		question: "100 requests a second for a B that can do 80, first come, first served. How many are answered in time?",
		answer:   "0 of 100, after a few seconds: B is 100 % busy with requests whose callers have left.",
	},
	{
		id: "goodput-lifo", title: "Last in, first out", against: "goodput-collapse",
		from: "goodput-collapse", differs: "dependencies.b.discipline=lifo",
		question: "The same 100 a second for 80, but who came last is served first. How many are answered in time?",
		answer:   "80 of 100, in 0.1 s each. The others wait in vain, as they would have anyway.",
	},
	{
		id: "goodput-queue-age", title: "A limit on waiting", against: "goodput-collapse",
		from: "goodput-collapse", differs: "dependencies.b.queue_age=500ms",
		question: "The same 100 a second for 80, but who has waited half a second is turned away. How many are answered in time?",
		answer:   "80 of 100, in 0.6 s each, and the others know after half a second.",
	},
	{
		id: "pool-exhaustion", title: "Pool exhaustion", against: "pool-short-timeout",
		from: "pastebin", differs: "duration=10s&processes.cap.read=100&operations.read.deadline=0s&policy.calls.object_get.timeout=5s" +
			"&dependencies.bucket.slots=100000&fault=bucket,stall,2s,5s",
		question: "A process holds 100 reads at once, and waits five seconds for the bucket, which hangs. Who is turned away?",
		answer:   "Everybody: 100 % of the reads, also of what the cache has. There are 2,300 places, each held for 5 s by one who waits for the bucket.",
	},
	{
		id: "pool-short-timeout", title: "A pool that turns over", against: "pool-exhaustion",
		from: "pool-exhaustion", differs: "policy.calls.object_get.timeout=200ms",
		question: "The same pool, and 200 ms for the bucket. Who is turned away?",
		answer:   "Hardly anybody: half of the reads are in the cache and well, and the others time out after 200 ms and give their places back.",
	},
	{
		id: "cache-stampede", title: "Cache stampede",
		from: "two-service", differs: "duration=12s&operations.call.rate=1000&operations.call.arrivals=even&operations.call.steps=cache,b" +
			`&dependencies.cache={"slots":64,"service":{"mean":"1ms"},"keys":{"count":1,"ttl":"3s"}}&policy.calls.cache={}&policy.calls.b.attempts=1&faults=none`,
		question: "1,000 a second ask a cache for one entry, which B needs 100 ms to make. What does B see when it expires?",
		answer:   "100 requests for the same entry, from all who come before it is there again. B has 8 slots and takes over a second, so that 20 of the 100 time out.",
	},
	{
		id: "gc-spiral", title: "GC death spiral", against: "gc-spiral-bounded",
		from: "two-service", differs: "operations.call.arrivals=even&policy.calls.b.attempts=1&dependencies.b.service.load=1&fault=call,surge*4,3s,3s",
		question: "The more B has to hold, the slower it gets. Four times the load for three seconds, no retries: when is it over?",
		answer:   "24 s later there is no end in sight: B can do 40 a second while it holds 8, but now does 1.4 of the 20 that come, and each is too late.",
	},
	{
		id: "gc-spiral-bounded", title: "The spiral, with a bounded queue", against: "gc-spiral",
		from: "gc-spiral", differs: "dependencies.b.queue_limit=8",
		question: "The same B, and at most eight may wait. When is it over?",
		answer:   "0.1 s after its cause: B never holds more than 16, and turns 144 away at once.",
	},
	{
		id: "sinkhole", title: "Least-connections sinkhole", against: "sinkhole-round-robin",
		from: "sinkhole-round-robin", differs: "processes.pick=least",
		question: "One process of ten has its breaker open and fails at once. What does a balancer make of it that picks the least busy?",
		answer:   "It sends nearly everything there: 100 % of the requests fail for 5 s, though 9 of 10 processes are well.",
	},
	{
		id: "sinkhole-round-robin", title: "The same with round robin", against: "sinkhole",
		from: "two-service", differs: "duration=15s&operations.call.rate=1000&operations.call.arrivals=even&dependencies.b.slots=200&processes.count=10" +
			"&policy.calls.b.attempts=1&policy.breaker.enabled=true&policy.breaker.on=error&fault=b,flaky*0.45,3s,1s",
		question: "One process of ten has its breaker open and fails at once. What does a balancer make of it that goes round?",
		answer:   "It sends it its tenth: 10 % of the requests fail for 5 s.",
	},
	{
		id: "metastable", title: "Metastable retry storm", against: "metastable-no-retries",
		from: "two-service", differs: "duration=40s&operations.call.rate=30&operations.call.arrivals=even&fault=b,stall,3s,2s",
		question: "B is 38 % busy and stalls for two seconds, and A retries three times. When is it over?",
		answer:   "35 s later there is no end in sight: 30 requests a second, tried 4 times, are 120, and B can do 80. The retries are what keeps it up.",
	},
	{
		id: "metastable-no-retries", title: "The same stall, no retries", against: "metastable",
		from: "metastable", differs: "policy.calls.b.attempts=1",
		question: "B is 38 % busy and stalls for two seconds, and nobody retries. When is it over?",
		answer:   "When its cause is: 3 seconds are bad.",
	},
}
