package imports

import (
	"cmp"
	"fmt"
	"strings"
)

const (
	envoyRoute   = "Envoy route"
	envoyCluster = "Envoy cluster"
)

// isEnvoyRoute knows a virtual host with its routes, a route, and the action or the retry policy of one alone.
func isEnvoyRoute(n *node) bool {
	return n.items("routes") != nil && n.items("domains") != nil || isAction(n.at("route")) || hasPolicy(n) || isRetryPolicy(n)
}

// isAction knows what a route does, by where it sends to.
func isAction(n *node) bool {
	return n.at("cluster") != nil || n.at("weightedClusters") != nil || n.at("clusterHeader") != nil || hasPolicy(n)
}

// hasPolicy knows an action by its policies, as much else has a cluster.
func hasPolicy(n *node) bool {
	return n.at("cluster") != nil && n.at("timeout") != nil || n.at("hedgePolicy") != nil || isRetryPolicy(n.at("retryPolicy"))
}

// isRetryPolicy knows one by its conditions, which Istio's and gRPC's have beside other names.
func isRetryPolicy(n *node) bool {
	return (n.at("retryOn") != nil || n.at("numRetries") != nil || n.at("perTryTimeout") != nil) && n.at("attempts") == nil
}

func readEnvoyRoute(n *node, d *document) {
	if n.items("domains") == nil {
		d.envoyRoute(n, nil)
		return
	}
	for _, route := range n.items("routes") {
		if isAction(route.at("route")) {
			d.envoyRoute(route, n.at("retryPolicy"))
		}
	}
}

// envoyRoute reads n, a route or a part of one, in a virtual host that has that retry policy, or none.
func (d *document) envoyRoute(n, inherited *node) {
	action := n
	if isAction(n.at("route")) {
		action = n.at("route")
	}
	retry := action.at("retryPolicy")
	switch {
	case isRetryPolicy(n):
		retry = n
	case retry == nil:
		retry, inherited = inherited, nil
	}
	match := n.at("match")
	name := cmp.Or(n.text("name"), match.text("prefix"), match.text("path"), match.text("pathSeparatedPrefix"), match.text("safeRegex", "regex"), action.text("cluster"))
	r := d.reading(envoyRoute, name, n)
	r.leave(n.at("name"), "its name")
	r.leave(match, "which requests it is for: choose the call that stands for them")
	r.leaveAll(action, "where it goes: choose the call that goes there", "cluster", "weightedClusters", "clusterHeader")
	r.leave(inherited, "the route has a retry policy of its own")

	timeout, retries, hedge := action.at("timeout"), retry.at("numRetries"), action.at("hedgePolicy")
	t := tries{
		limit: r.duration(timeout, 0, 15*sec), limitWhy: orElse(timeout, "timeout left out: Envoy’s 15s", timeoutsDoc),
		perTry:  retry.at("perTryTimeout"),
		retries: r.count(retries, 0, 1), countWhy: orElse(retries, "num_retries left out: Envoy’s 1", retriesDoc),
		retryOn: r.words(retry.at("retryOn"), "5xx,reset", ""), wordsWhy: written(retry.at("retryOn")),
		codes: retry.at("retriableStatusCodes"), hedge: hedge.at("hedgeOnPerTryTimeout"),
	}
	if t.retryOn == "" {
		t.retries, t.countWhy = 0, t.countWhy.saying("without retry_on Envoy retries nothing, unless a header asks for it", retriesDoc)
	}
	if r.try(t) > 1 {
		r.envoyBackoff(retry.at("retryBackOff"))
		if !d.clusters[action.text("cluster")] {
			r.maxRetries(3, assumed("the cluster’s max_retries left out: Envoy’s 3", thresholdsDoc))
		}
	}
	r.leave(retry.at("perTryIdleTimeout"), "an answer comes all at once here, so that there is no idling")
	r.leave(retry.at("rateLimitedRetryBackOff"), "here who is told when to come again (retry_after of a dependency) always comes then")
	r.leaveAll(retry, "a dependency here is not made of hosts to choose from", "retryPriority", "retryHostPredicate", "hostSelectionRetryMaxAttempts", "retryOptionsPredicates")
	r.leaveAll(retry, "requests and answers have no headers here", "retriableHeaders", "retriableRequestHeaders")
	r.leaveRest(retry.at("retryBackOff"), "there is no retry for it")
	r.leaveAll(hedge, "Envoy does not do that yet", "initialRequests", "additionalRequestChance")
	r.leaveAll(action, "a call has one timeout, for a whole attempt", "idleTimeout", "maxStreamDuration", "maxGrpcTimeout", "grpcTimeoutOffset")
	r.rest(retry)
	r.rest(n)
	r.done()
}

func (r *reading) envoyBackoff(n *node) {
	base, most := n.at("baseInterval"), n.at("maxInterval")
	if n != nil && base == nil {
		r.fail(n, `with base_interval, like "0.025s"`)
	}
	wait := r.duration(base, 0, 25*ms)
	if wait == 0 {
		r.fail(base, `more than "0s"`)
	}
	limit := r.duration(most, 0, min(10*min(wait, longest), longest))
	if most != nil && limit < wait {
		r.fail(most, "base_interval or more")
	}
	r.proxyBackoff(wait, orElse(base, "retry_back_off left out: Envoy’s 25ms", retriesDoc), limit, orElse(most, "max_interval left out: ten times the base", retriesDoc))
}

// isEnvoyCluster knows a cluster, and its circuit breakers alone.
func isEnvoyCluster(n *node) bool {
	cluster := n.at("name") != nil || n.at("loadAssignment") != nil || n.at("connectTimeout") != nil || n.at("lbPolicy") != nil
	return n.at("circuitBreakers") != nil || n.items("thresholds") != nil || cluster && n.at("outlierDetection") != nil
}

func readEnvoyCluster(n *node, d *document) {
	r := d.reading(envoyCluster, n.text("name"), n)
	r.leave(n.at("name"), "its name")
	breakers := n
	if at := n.at("circuitBreakers"); at != nil {
		breakers = at
	}
	var limits *node
	for _, t := range r.list(breakers.at("thresholds"), `[{"max_retries": 3}]`) {
		switch priority := strings.ToUpper(t.text("priority")); {
		case priority != "" && priority != "DEFAULT":
			r.leave(t, "all calls have one priority here, the default one")
		case limits == nil:
			limits = t
			r.leave(t.at("priority"), "all calls have one priority here, the default one")
		default:
			r.leave(t, "Envoy takes the first for a priority")
		}
	}
	r.leave(breakers.at("perHostThresholds"), "a dependency here is not made of hosts")
	r.envoyLimits(limits)
	r.envoyOutliers(n)
	r.leave(n.at("connectTimeout"), "a call has one timeout, for a whole attempt, and a connection is had or refused at once")
	r.rest(n)
	r.done()
}

func (r *reading) envoyLimits(n *node) {
	requests, pending, retries, budget := n.at("maxRequests"), n.at("maxPendingRequests"), n.at("maxRetries"), n.at("retryBudget")
	r.maxRequests(r.count(requests, 0, 1024), orElse(requests, "max_requests left out: Envoy’s 1024", thresholdsDoc))
	r.maxPending(r.count(pending, 0, 1024), orElse(pending, "max_pending_requests left out: Envoy’s 1024", thresholdsDoc))
	if budget == nil {
		r.maxRetries(r.count(retries, 0, 3), orElse(retries, "max_retries left out: Envoy’s 3", thresholdsDoc))
	} else {
		r.leave(retries, "retry_budget stands in its place")
		r.retryBudget(budget, budget.at("budgetPercent").orValue())
	}
	r.leave(n.at("maxConnections"), "a connection carries one request with HTTP/1.1 and many with HTTP/2; here there are only the dependency’s slots")
	r.leave(n.at("maxConnectionPools"), "there are no connection pools here")
	r.leave(n.at("trackRemaining"), "it is for Envoy’s statistics")
}

func (r *reading) envoyOutliers(cluster *node) {
	const source = "envoyproxy/envoy api/envoy/config/cluster/v3/outlier_detection.proto"
	n := cluster.at("outlierDetection")
	if n == nil {
		return
	}
	threshold := cluster.at("commonLbConfig", "healthyPanicThreshold").orValue()
	least := r.number(threshold, 0, 100, 50)
	switch most := r.count(n.at("maxEjectionPercent"), 0, 10); {
	case most < 100:
		r.leave(n, fmt.Sprintf("it puts out %d %% of the hosts at the most, and a dependency here is one host", most))
	case least > 0:
		r.leave(n, fmt.Sprintf("with less than %s %% of the hosts left Envoy sends to all of them (healthy_panic_threshold), and a dependency here is one host", figure(least)))
	default:
		r.set("policy.breaker.enabled", true, written(threshold).saying("hosts that were put out are not called, however many they are", source))
		consecutive := n.at("consecutive5xx")
		r.outliers(n, r.count(consecutive, 0, 5), orElse(consecutive, "consecutive_5xx left out: Envoy’s 5", source), source)
	}
}
