package imports

import (
	"maps"
	"slices"
	"strings"

	"stormbin/engine/scenario"
)

const resilience4j = "resilience4j instance"

const (
	resilienceRetry   = "resilience4j/resilience4j resilience4j-retry/src/main/java/io/github/resilience4j/retry/RetryConfig.java"
	resilienceSpring  = "resilience4j/resilience4j resilience4j-framework-common/src/main/java/io/github/resilience4j/common/retry/configuration/CommonRetryConfigurationProperties.java, configureRetryIntervalFunction"
	resilienceWaits   = "resilience4j/resilience4j resilience4j-core/src/main/java/io/github/resilience4j/core/IntervalFunction.java"
	resilienceBreaker = "resilience4j/resilience4j resilience4j-circuitbreaker/src/main/java/io/github/resilience4j/circuitbreaker/CircuitBreakerConfig.java"
	resilienceLimiter = "resilience4j/resilience4j resilience4j-timelimiter/src/main/java/io/github/resilience4j/timelimiter/TimeLimiterConfig.java"
	resilienceCap     = "resilience4j/resilience4j resilience4j-bulkhead/src/main/java/io/github/resilience4j/bulkhead/BulkheadConfig.java"
)

// modules are the parts that a policy is written in, as [plain] has their names.
var modules = []string{"retry", "circuitbreaker", "timelimiter", "bulkhead", "threadpoolbulkhead", "ratelimiter"}

// isResilience4j knows the properties by their name, in one piece or with dots in it, and a module alone by its instances.
func isResilience4j(n *node) bool {
	return n.key == "resilience4j" || slices.ContainsFunc(n.entries, func(e *node) bool {
		instances := e.at("instances") != nil || e.at("backends") != nil || e.at("configs") != nil
		return strings.HasPrefix(e.key, "resilience4j.") || instances && slices.Contains(modules, e.name)
	})
}

// properties is what is set of one instance in one module, by the plain name.
type properties map[string]*node

// shelf is the properties by module and instance.
type shelf map[string]map[string]properties

func (s shelf) put(module, name, property string, at *node) {
	if s[module] == nil {
		s[module] = map[string]properties{}
	}
	if s[module][name] == nil {
		s[module][name] = properties{}
	}
	if !at.null() {
		s[module][name][property] = at
	}
}

// each calls f for each property.
func (s shelf) each(f func(name string, at *node)) {
	for _, module := range slices.Sorted(maps.Keys(s)) {
		for _, name := range slices.Sorted(maps.Keys(s[module])) {
			for _, property := range slices.Sorted(maps.Keys(s[module][name])) {
				f(name, s[module][name][property])
			}
		}
	}
}

// readResilience4j reads one instance at a time: what all modules say of its name. Shared configs without an instance are
// read as if each were one, since instances may be made in code.
func readResilience4j(n *node, d *document) {
	instances, configs := shelf{}, shelf{}
	spread(n, nil, func(keys []string, at *node) {
		if keys[0] == "resilience4j" {
			keys = keys[1:]
		}
		if len(keys) < 3 || !slices.Contains(modules, plain(keys[0])) {
			return
		}
		switch module, name, property := plain(keys[0]), keys[2], plain(strings.Join(keys[3:], ".")); keys[1] {
		case "instances", "backends":
			instances.put(module, name, property, at)
		case "configs":
			configs.put(module, name, property, at)
		}
	})
	if len(instances) == 0 {
		instances = configs
	}
	names := map[string]bool{}
	instances.each(func(name string, _ *node) { names[name] = true })
	for _, name := range slices.Sorted(maps.Keys(names)) {
		r := d.reading(resilience4j, name, n)
		for _, module := range modules {
			if own := instances[module][name]; own != nil {
				r.module(module, r.inherit(own, configs[module]))
			}
		}
		instances.each(func(other string, at *node) {
			if other != name {
				r.tell(at) // by a reading of its own
			}
		})
		configs.each(func(_ string, at *node) {
			r.leaveRest(at, "it is of a config that this instance doesn’t build on")
		})
		r.rest(n)
		r.done()
	}
}

// spread calls f for each property in n, and for an object without any. A dot in a key is as good as an object.
func spread(n *node, keys []string, f func(keys []string, at *node)) {
	if n.object && len(n.entries) > 0 {
		for _, e := range n.entries {
			spread(e, append(slices.Clip(keys), strings.Split(e.key, ".")...), f)
		}
	} else if len(keys) > 0 {
		f(keys, n)
	}
}

// inherit is own with what it leaves out from the config that it builds on, which may build on another. All build on the
// one that is called default.
func (r *reading) inherit(own properties, configs map[string]properties) properties {
	all := maps.Clone(own)
	seen := map[string]bool{}
	for base := own["baseconfig"]; ; {
		r.leave(base, "the settings of that config are read along")
		name := r.words(base, "default", "default")
		config := configs[name]
		if config == nil && base != nil {
			r.fail(base, "the name of one of configs")
		}
		if config == nil || seen[name] {
			return all
		}
		seen[name] = true
		for _, property := range slices.Sorted(maps.Keys(config)) {
			switch at := config[property]; {
			case all[property] == nil:
				all[property] = at
			case all[property] != at && property != "baseconfig":
				r.leave(at, "the instance has its own")
			}
		}
		base = config["baseconfig"]
	}
}

func (r *reading) module(module string, p properties) {
	r.leave(p[""], "nothing is set: all has its default")
	switch module {
	case "retry":
		r.resilienceRetry(p)
	case "circuitbreaker":
		r.resilienceBreaker(p)
	case "timelimiter":
		at := p["timeoutduration"]
		r.set("call.timeout", r.duration(at, ms, sec), orElse(at, "timeoutDuration left out: 1s", resilienceLimiter))
		r.leave(p["cancelrunningfuture"], "it is for the thread that waits; whether the service hears of it is for the client to say")
	case "bulkhead":
		at := p["maxconcurrentcalls"]
		r.set("cap", max(r.count(at, 0, 25), 1), orElse(at, "maxConcurrentCalls left out: 25", resilienceCap).saying("here each process holds so many of an operation, and turns the next away", ""))
		r.leave(p["maxwaitduration"], "who finds it full is turned away at once here")
	case "threadpoolbulkhead":
		for _, property := range slices.Sorted(maps.Keys(p)) {
			r.leave(p[property], "there is no pool of threads with a queue of its own here")
		}
	case "ratelimiter":
		for _, property := range slices.Sorted(maps.Keys(p)) {
			r.leave(p[property], "nobody limits rates here")
		}
	}
	for _, property := range []string{"eventconsumerbuffersize", "registerhealthindicator", "allowhealthindicatortofail", "subscribeforevents", "writablestacktraceenabled"} {
		r.leave(p[property], "it is for being watched")
	}
}

func (r *reading) resilienceRetry(p properties) {
	count, wait, exponential, random := p["maxattempts"], p["waitduration"], p["enableexponentialbackoff"], p["enablerandomizedwait"]
	multiplier, most, factor := p["exponentialbackoffmultiplier"], p["exponentialmaxwaitduration"], p["randomizedwaitfactor"]
	r.set("call.attempts", r.count(count, 1, 3), orElse(count, "maxAttempts left out: 3", resilienceRetry))
	r.set("call.backoff.base", r.duration(wait, ms, 500*ms), orElse(wait, "waitDuration left out: 500ms", resilienceRetry))
	grows, spreads := r.yes(exponential, false), r.yes(random, false)
	if wait == nil {
		grows, spreads = false, false
		for _, at := range []*node{exponential, random} {
			r.leave(at, "without waitDuration resilience4j doesn’t look at it")
		}
		exponential, random = nil, nil
	}
	if grows {
		r.growth(r.number(multiplier, 1, 1e9, 1.5), written(exponential))
		r.growth(r.number(multiplier, 1, 1e9, 1.5), orElse(multiplier, "exponentialBackoffMultiplier left out: 1.5", resilienceWaits))
		r.set("call.backoff.max", r.duration(most, ms, 0), orElse(most, "exponentialMaxWaitDuration left out: waits have no bound", resilienceWaits))
	} else {
		r.set("call.backoff.kind", "constant", orElse(exponential, "waits do not grow", resilienceSpring))
		r.set("call.backoff.max", scenario.Duration(0), assumed("waits do not grow", resilienceSpring))
		for _, at := range []*node{multiplier, most} {
			r.leave(at, "waits do not grow, as enableExponentialBackoff is not true")
		}
	}
	switch share := r.number(factor, 0, 1, 0.5); {
	case !spreads || share == 0:
		r.set("call.jitter", "none", orElse(random, "waits are not randomised", resilienceSpring))
		r.leave(factor, "waits are not randomised")
	default:
		jitter, here := "equal", "; here anywhere from half of the wait to the whole"
		if share > 0.75 {
			jitter, here = "full", "; here anywhere up to the wait"
		}
		r.set("call.jitter", jitter, written(random).saying("waits are spread by "+figure(share)+" of themselves to both sides"+here, resilienceWaits))
		if factor != nil {
			r.set("call.jitter", jitter, written(factor))
		}
	}
	r.exceptions("call.retry_on", p["retryexceptions"], p["ignoreexceptions"], "retryExceptions left out: any exception", resilienceRetry)
	for _, property := range []string{"retryexceptionpredicate", "resultpredicate", "intervalbifunction", "consumeresultbeforeretryattempt"} {
		r.leave(p[property], "it is code, and that isn’t in the document")
	}
	r.leave(p["failaftermaxattempts"], "it is for how a failure is told")
}

func (r *reading) resilienceBreaker(p properties) {
	threshold, calls, size, kind := p["failureratethreshold"], p["minimumnumberofcalls"], p["slidingwindowsize"], p["slidingwindowtype"]
	open, probes := p["waitdurationinopenstate"], p["permittednumberofcallsinhalfopenstate"]
	r.set("policy.breaker.enabled", true, assumed("a circuit breaker is written: here it is before this dependency alone, in place of the policy’s", resilienceBreaker))
	r.exceptions("policy.breaker.on", p["recordexceptions"], p["ignoreexceptions"], "recordExceptions left out: any exception", resilienceBreaker)
	share := r.number(threshold, 0, 100, 50) / 100
	if threshold != nil && share == 0 {
		r.fail(threshold, "more than 0, up to 100")
	}
	r.set("policy.breaker.threshold", share, orElse(threshold, "failureRateThreshold left out: 50 %", resilienceBreaker))
	window, least := max(r.count(size, 1, 100), 1), r.count(calls, 1, 100)
	callsWhy := orElse(calls, "minimumNumberOfCalls left out: 100", resilienceBreaker)
	switch word := strings.ToUpper(r.words(kind, "COUNT_BASED", "COUNT_BASED")); word {
	case "TIME_BASED":
		seconds := min(scenario.Duration(window), longest/sec) * sec
		r.set("policy.breaker.window", seconds, written(kind))
		r.set("policy.breaker.window", seconds, orElse(size, "slidingWindowSize left out: 100, which are seconds", resilienceBreaker))
	case "COUNT_BASED":
		// In the time of so many calls there are now more, now fewer; a verdict must not wait for the former.
		if most := max(window*4/5, 1); least > most {
			least, callsWhy = most, callsWhy.saying("at most four fifths of the window’s calls, as how many come in its time varies", resilienceBreaker)
		}
		r.set("calls", window, orElse(kind, "slidingWindowType left out: COUNT_BASED", resilienceBreaker).saying("the last calls; here the time in which a process makes so many", resilienceBreaker))
		r.set("calls", window, orElse(size, "slidingWindowSize left out: 100", resilienceBreaker))
	default:
		r.fail(kind, "COUNT_BASED or TIME_BASED")
	}
	r.set("policy.breaker.min_calls", least, callsWhy)
	r.set("policy.breaker.open_for", max(r.duration(open, ms, 60*sec), ms), orElse(open, "waitDurationInOpenState left out: 60s", resilienceBreaker))
	r.set("policy.breaker.probes", min(r.count(probes, 1, 10), 1000), orElse(probes, "permittedNumberOfCallsInHalfOpenState left out: 10", resilienceBreaker).saying(
		"there the share of failures among them decides; here all must go well", resilienceBreaker))
	r.set("policy.breaker.per", "process", assumed("each process has its own", resilienceBreaker))
	for _, property := range []string{"slowcallratethreshold", "slowcalldurationthreshold"} {
		r.leave(p[property], "a slow call that goes well is no failure to a breaker here")
	}
	r.leave(p["automatictransitionfromopentohalfopenenabled"], "when its time is over the next call is a probe, either way")
	r.leave(p["maxwaitdurationinhalfopenstate"], "a probe whose caller has left gives its place to another here")
	for _, property := range []string{"enableexponentialbackoff", "exponentialbackoffmultiplier", "exponentialmaxwaitdurationinopenstate", "enablerandomizedwait", "randomizedwaitfactor"} {
		r.leave(p[property], "it stays open for the same time each time here")
	}
	for _, property := range []string{"recordfailurepredicate", "recordexceptionpredicate", "recordresultpredicate", "ignoreexceptionpredicate"} {
		r.leave(p[property], "it is code, and that isn’t in the document")
	}
}

// exceptions is what these classes are here, those to count and those not to, each a list or a string with commas.
func (r *reading) exceptions(to string, count, ignore *node, ifLeft, source string) {
	on := outcomes{}
	if count == nil {
		on.add(whatever()...)
	}
	classes(count, func(_ *node, name string) { on.add(exception(name)...) })
	classes(ignore, func(_ *node, name string) {
		if known(name) {
			for _, w := range exception(name) {
				delete(on, w)
			}
		}
	})
	if count == nil {
		r.set(to, on.words(), assumed(ifLeft, source))
	}
	classes(count, func(at *node, name string) {
		r.set(to, on.words(), written(at).saying(name+" is "+strings.Join(exception(name), ", "), ""))
	})
	classes(ignore, func(at *node, name string) {
		if known(name) {
			r.set(to, on.words(), written(at).saying(name+" is "+strings.Join(exception(name), ", "), ""))
		} else {
			r.leave(at, name+": an answer that is no failure of the service doesn’t happen here")
		}
	})
}

// classes calls f for each class that n names, without its package.
func classes(n *node, f func(at *node, name string)) {
	at := []*node{n}
	if n != nil && n.list {
		at = n.entries
	}
	for _, at := range at {
		for class := range strings.SplitSeq(at.text(), ",") {
			class = strings.TrimSpace(class)
			if name := class[strings.LastIndexAny(class, ".$")+1:]; name != "" {
				f(at, oneLine(name))
			}
		}
	}
}

// throws is what exceptions are here, by a part of their class's name; the first that fits counts. What no name fits is an
// error answer.
var throws = []struct {
	part  string
	words []string
}{
	{"ConnectTimeout", []string{"refused"}},
	{"Timeout", []string{"timeout"}},
	{"ConnectException", []string{"refused"}},
	{"UnknownHost", []string{"refused"}},
	{"NoRouteToHost", []string{"refused"}},
	{"TooManyRequests", []string{"shed"}},
	{"ServiceUnavailable", []string{"error", "shed"}},
	{"ServerError", []string{"error", "shed"}},
	{"FeignException", []string{"error", "shed"}},
	{"WebClientResponse", []string{"error", "shed"}},
	{"SocketException", []string{"refused", "lost"}},
	{"IOException", []string{"timeout", "refused", "lost"}},
	{"ResourceAccess", []string{"timeout", "refused", "lost"}},
	{"WebClientRequest", []string{"timeout", "refused", "lost"}},
	{"RetryableException", []string{"timeout", "refused", "lost"}},
}

func exception(name string) []string {
	switch name {
	case "Throwable", "Exception", "RuntimeException":
		return whatever()
	}
	for _, t := range throws {
		if strings.Contains(name, t.part) {
			return t.words
		}
	}
	return []string{"error"}
}

// known tells whether it is more than a guess what the exception is.
func known(name string) bool { return !slices.Equal(exception(name), []string{"error"}) }
