package imports

import (
	"strconv"
	"strings"

	"stormbin/engine/scenario"
)

// What Envoy does is here, and Istio is Envoy beneath: how attempts are made, how their waits grow, what bounds them, and
// how hosts are put out.

const (
	routerDoc     = "envoyproxy/envoy docs/root/configuration/http/http_filters/router_filter.rst"
	retriesDoc    = routerDoc + ", x-envoy-max-retries"
	retryOnDoc    = routerDoc + ", x-envoy-retry-on"
	perTryDoc     = routerDoc + ", x-envoy-upstream-rq-per-try-timeout-ms"
	hedgeDoc      = routerDoc + ", x-envoy-hedge-on-per-try-timeout"
	timeoutsDoc   = "envoyproxy/envoy docs/root/faq/configuration/timeouts.rst"
	thresholdsDoc = "envoyproxy/envoy api/envoy/config/cluster/v3/circuit_breaker.proto, Thresholds"
	budgetDoc     = thresholdsDoc + ".RetryBudget"
)

// tries is how a proxy is told to try.
type tries struct {
	limit    scenario.Duration // for all attempts together. 0: none
	limitWhy why
	perTry   *node
	retries  int // without the first attempt
	countWhy why
	retryOn  string
	wordsWhy why
	codes    *node // retriable_status_codes
	hedge    *node // hedge_on_per_try_timeout
}

// try says what attempts there are, and how many.
func (r *reading) try(t tries) (attempts int) {
	each := r.duration(t.perTry, 0, 0)
	switch {
	case t.perTry == nil:
	case each == 0:
		r.leave(t.perTry, "0s is none of its own: an attempt has the time for all of them")
	case t.limit > 0 && each >= t.limit:
		r.leave(t.perTry, "as it is not less than the timeout for all attempts, Envoy ignores it")
		each = 0
	}
	hedging := r.hedging(t, each)
	on := r.retryOn(t, each > 0 && !hedging)
	attempts = 1 + t.retries
	if len(on) == 0 && attempts > 1 {
		attempts, t.countWhy = 1, t.countWhy.saying("nothing happens here that it would be for", "")
	}
	if hedging {
		attempts, t.countWhy = max(1, t.retries), t.countWhy.saying("one of the retries is the hedge, which is not counted here", hedgeDoc)
		each = 0 // it is when the hedge is sent, not the end of an attempt
	}
	attempts = r.together(together{t.limit, t.limitWhy, each, written(t.perTry), attempts, t.countWhy, on["timeout"]})
	if attempts == 1 {
		r.leave(t.wordsWhy.at, "there is no retry for it")
		r.leave(t.codes, "there is no retry for it")
		return attempts
	}
	r.set("call.retry_on", on.words(), t.wordsWhy.saying("error answers are all alike here", retryOnDoc))
	if !strings.Contains(t.retryOn, "retriable-status-codes") {
		r.leave(t.codes, "retry_on does not name retriable-status-codes")
	} else if t.codes != nil {
		r.set("call.retry_on", on.words(), written(t.codes).saying("429 and 503 are shed, and other statuses from 500 on are errors", retryOnDoc))
	}
	return attempts
}

// hedging tells whether an attempt that is over its time, each, is left under way beside the next one.
func (r *reading) hedging(t tries, each scenario.Duration) bool {
	switch {
	case !r.yes(t.hedge, false):
		r.set("call.hedge_after", scenario.Duration(0), orElse(t.hedge, "no hedge is asked for", hedgeDoc))
		return false
	case each == 0:
		r.set("call.hedge_after", scenario.Duration(0), written(t.hedge).saying("without a timeout for each attempt nothing is hedged", hedgeDoc))
		return false
	}
	r.set("call.hedge_after", each, written(t.hedge).saying("an attempt that is over its time goes on beside the next; here one of each two is a hedge", hedgeDoc))
	r.set("call.hedge_after", each, written(t.perTry))
	return true
}

// retryOn is what may be retried. A word that has no place here is left.
func (r *reading) retryOn(t tries, perTry bool) outcomes {
	on := outcomes{}
	silent := []string{"refused", "lost"}
	if perTry {
		silent = append(silent, "timeout")
	}
	for word := range strings.SplitSeq(strings.ToLower(t.retryOn), ",") {
		switch word = strings.TrimSpace(word); word {
		case "":
		case "5xx", "gateway-error":
			on.add(silent...)
			on.add("error", "shed")
		case "reset":
			on.add(silent...)
		case "connect-failure", "refused-stream", "reset-before-request":
			on.add("refused")
		case "unavailable":
			on.add("error", "shed")
		case "resource-exhausted":
			on.add("shed")
		case "cancelled", "internal", "deadline-exceeded":
			on.add("error")
		case "retriable-status-codes":
			for _, code := range r.list(t.codes, "[503]") {
				status := r.count(code, 100, 100)
				if status > 599 {
					r.fail(code, "a status, 100 to 599")
				}
				on.add(status5xx(status)...)
			}
		case "retriable-4xx":
			r.leave(t.wordsWhy.at, word+": 409 is no failure of a service, and doesn’t happen here")
		case "retriable-headers":
			r.leave(t.wordsWhy.at, word+": answers have no headers here")
		case "envoy-ratelimited":
			r.leave(t.wordsWhy.at, word+": no proxy limits rates here")
		case "http3-post-connect-failure":
			r.leave(t.wordsWhy.at, word+": a connection is had at once here, or refused")
		default:
			status, err := strconv.Atoi(word) // Istio takes status codes among the words
			if err != nil {
				r.leave(t.wordsWhy.at, strconv.Quote(word)+": no such condition is known here")
			}
			on.add(status5xx(status)...)
		}
	}
	return on
}

// status5xx is what an answer with that status is here: nothing, if it is no failure of the service.
func status5xx(status int) []string {
	switch {
	case status == 429 || status == 503:
		return []string{"shed"}
	case status >= 500:
		return []string{"error"}
	}
	return nil
}

// proxyBackoff is the waits, of which the first is anywhere up to base and the later ones up to most.
func (r *reading) proxyBackoff(base scenario.Duration, baseWhy why, most scenario.Duration, mostWhy why) {
	r.set("call.backoff.base", base, baseWhy)
	r.set("call.backoff.max", most, mostWhy)
	r.set("call.backoff.kind", "exponential", assumed("retry n waits up to 2^n − 1 times the base; here up to 2^(n − 1) times", retriesDoc))
	r.set("call.jitter", "full", assumed("waits are fully jittered", retriesDoc))
}

// maxRequests bounds what is under way, and maxPending what waits, in each process. A scenario can't say 0.
func (r *reading) maxRequests(v int, w why) {
	if v == 0 {
		v, w = 1, w.saying("1 is the least that can be said here", "")
	}
	r.set("cap", v, w.saying("of each proxy; here each process holds so many of an operation, and turns the next away", thresholdsDoc))
}

func (r *reading) maxPending(v int, w why) {
	if v == 0 {
		v, w = 1, w.saying("1 is the least that can be said here", "")
	}
	r.set("queue", v, w.saying("each proxy’s queue for a connection; here they are all the dependency’s one queue, which refuses the next", thresholdsDoc))
}

// maxRetries bounds the retries under way at once.
func (r *reading) maxRetries(v int, w why) {
	r.set("policy.budget.kind", "in_flight", w.saying("retries under way to a cluster; here those of each process to each dependency, whichever it is", thresholdsDoc))
	r.set("policy.budget.percent", 0, w.saying("it is no share of the requests", thresholdsDoc))
	r.set("policy.budget.min_concurrent", v, w)
}

// retryBudget bounds the retries under way at once by a share of the requests.
func (r *reading) retryBudget(n, percent *node) {
	least := n.at("minRetryConcurrency")
	r.set("policy.budget.kind", "in_flight", there(n).saying("a share of the requests under way to a cluster; here of those of each process to each dependency, whichever it is", budgetDoc))
	r.set("policy.budget.percent", r.number(percent, 0, 100, 20), orElse(percent, "no share is written: Envoy’s 20 %", budgetDoc))
	r.set("policy.budget.min_concurrent", r.count(least, 0, 3), orElse(least, "min_retry_concurrency left out: Envoy’s 3", budgetDoc))
}

// outliers makes a breaker of what puts a host out that fails so many times in a row, where that may be said of all hosts.
func (r *reading) outliers(n *node, count int, countWhy why, source string) {
	if count == 0 {
		r.leave(n, "0 failures in a row: it is switched off")
		return
	}
	interval, base := n.at("interval"), n.at("baseEjectionTime")
	r.set("policy.breaker.enabled", true, written(n.at("maxEjectionPercent")).saying("every host may be put out, and a dependency here is one: a breaker before this dependency alone, in place of the policy’s", source))
	r.set("policy.breaker.on", whatever(), assumed("a 5xx and no answer are failures alike", source))
	r.set("policy.breaker.threshold", 1, assumed("failures in a row: here all calls of the window", source))
	r.set("policy.breaker.min_calls", count, countWhy)
	r.set("policy.breaker.window", max(r.duration(interval, 0, 10*sec), ms), orElse(interval, "interval left out: 10s", source))
	r.set("policy.breaker.open_for", max(r.duration(base, 0, 30*sec), ms), orElse(base, "base_ejection_time left out: 30s", source).saying("there longer each time that it happens again", source))
	r.set("policy.breaker.probes", 1, assumed("hosts come back as if nothing had been; here one call must go well first", source))
	r.set("policy.breaker.per", "process", assumed("each proxy finds out by itself", source))
	r.leaveRest(n, "another way to find out that a host is sick; here it is failures in a row")
}
