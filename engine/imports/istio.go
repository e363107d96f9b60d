package imports

import (
	"cmp"
	"fmt"
)

const (
	istioRoute = "Istio route"
	istioRule  = "Istio destination rule"
)

const (
	httpRetryDoc  = "istio/api networking/v1alpha3/virtual_service.proto, HTTPRetry"
	httpFaultDoc  = "istio/api networking/v1alpha3/virtual_service.proto, HTTPFaultInjection"
	istioRetryDoc = "istio/istio pilot/pkg/networking/core/route/retry/retry.go, defaultPolicy"
)

// isIstioRoute knows a virtual service, what it specifies, and one of its HTTP routes alone.
func isIstioRoute(n *node) bool {
	return n.items("http") != nil || n.items("spec", "http") != nil ||
		hasDestination(n) && (n.at("retries") != nil || n.at("timeout") != nil || n.at("fault") != nil)
}

func hasDestination(n *node) bool {
	to := n.items("route")
	return len(to) > 0 && to[0].at("destination") != nil
}

func readIstioRoute(n *node, d *document) {
	if hasDestination(n) {
		d.istioRoute(n, "")
		return
	}
	spec := n
	if n.at("spec") != nil {
		spec = n.at("spec")
	}
	for _, route := range spec.items("http") {
		if hasDestination(route) {
			d.istioRoute(route, n.text("metadata", "name"))
		}
	}
}

// istioRoute reads n, a route of a virtual service of that name, if it has one.
func (d *document) istioRoute(n *node, service string) {
	r := d.reading(istioRoute, cmp.Or(n.text("name"), service, n.items("route")[0].text("destination", "host")), n)
	r.leave(n.at("name"), "its name")
	r.leave(n.at("match"), "which requests it is for: choose the call that stands for them")
	r.leave(n.at("route"), "where it goes: choose the call that goes there")

	timeout, retries := n.at("timeout"), n.at("retries")
	count, words := retries.at("attempts"), retries.at("retryOn")
	t := tries{
		limit: r.duration(timeout, 0, 0), limitWhy: orElse(timeout, "timeout left out: none with Istio", httpRetryDoc+".per_try_timeout"),
		perTry:  retries.at("perTryTimeout"),
		retries: r.count(count, 0, 2), countWhy: orElse(count, "retries left out: Istio’s 2", istioRetryDoc),
		retryOn: r.words(words, "5xx,reset", "connect-failure,refused-stream,503"), wordsWhy: orElse(words, "retryOn left out: Istio’s connect-failure, refused-stream and the status 503, which is shed; gRPC’s unavailable and cancelled are left aside", istioRetryDoc),
	}
	if r.try(t) > 1 {
		backoff := retries.at("backoff")
		base := min(max(r.duration(backoff, 0, 25*ms), ms), longest)
		r.proxyBackoff(base, orElse(backoff, "backoff left out: Envoy’s 25ms", retriesDoc), min(10*base, longest), assumed("Envoy’s, ten times the base", retriesDoc))
	}
	r.leave(retries.at("retryRemoteLocalities"), "a dependency here is in one place")
	r.leave(retries.at("retryIgnorePreviousHosts"), "a dependency here is not made of hosts to choose from")
	r.leaveRest(retries.at("backoff"), "there is no retry for it")
	r.istioFault(n.at("fault"))
	r.leaveAll(n, "nothing is mirrored here", "mirror", "mirrors", "mirrorPercentage")
	r.rest(n)
	r.done()
}

// istioFault makes a fault of what is aborted, for the whole run.
func (r *reading) istioFault(n *node) {
	if abort := n.at("abort"); abort != nil {
		share := r.number(abort.at("percentage").orValue(), 0, 100, 100)
		r.set("fault", map[string]any{"kind": "flaky", "p": share / 100}, written(abort).saying(
			"a share of attempts that are answered with an error, all through the run; there before they reach the service, here by it", httpFaultDoc))
	}
	r.leave(n.at("delay"), "a fault here makes service slower by a factor, and holds a slot meanwhile; this delays before the service, by a time")
}

// isIstioRule knows a destination rule, what it specifies, and a traffic policy alone.
func isIstioRule(n *node) bool {
	if isEnvoyCluster(n) {
		return false
	}
	return n.at("spec", "trafficPolicy") != nil || n.items("spec", "subsets") != nil || n.at("trafficPolicy") != nil || isTrafficPolicy(n)
}

func isTrafficPolicy(n *node) bool {
	return n.at("connectionPool") != nil || n.at("outlierDetection") != nil
}

func readIstioRule(n *node, d *document) {
	spec := n
	if n.at("spec") != nil {
		spec = n.at("spec")
	}
	name := cmp.Or(n.text("metadata", "name"), spec.text("host"), n.text("name"))
	if isTrafficPolicy(n) {
		d.trafficPolicy(n, nil, name)
	}
	whole := spec.at("trafficPolicy")
	if whole != nil {
		d.trafficPolicy(whole, nil, name)
	}
	for _, subset := range spec.items("subsets") {
		if policy := subset.at("trafficPolicy"); policy != nil {
			d.trafficPolicy(policy, whole, name+", subset "+subset.text("name"))
		}
	}
}

// trafficPolicy reads n, which has from the policy of the whole service, if that isn't nil, what it leaves out.
func (d *document) trafficPolicy(n, whole *node, name string) {
	r := d.reading(istioRule, name, n)
	part := func(name string) *node {
		if at := n.at(name); at != nil {
			return at
		}
		return whole.at(name)
	}
	tcp, http, budget := part("connectionPool").at("tcp"), part("connectionPool").at("http"), part("retryBudget")
	if at := http.at("http2MaxRequests"); at != nil {
		r.maxRequests(r.count(at, 0, 0), written(at))
	}
	if at := http.at("http1MaxPendingRequests"); at != nil {
		r.maxPending(r.count(at, 0, 0), written(at))
	}
	switch at := http.at("maxRetries"); {
	case budget != nil:
		r.leave(at, "retryBudget stands in its place")
		r.retryBudget(budget, budget.at("percent"))
	case at != nil:
		r.maxRetries(r.count(at, 0, 0), written(at))
	}
	r.leave(tcp.at("maxConnections"), "a connection carries one request with HTTP/1.1 and many with HTTP/2; here there are only the dependency’s slots")
	r.leave(tcp.at("connectTimeout"), "a call has one timeout, for a whole attempt, and a connection is had or refused at once")
	const kept = "there are no connections here that could be kept, only attempts"
	r.leaveAll(tcp, kept, "tcpKeepalive", "idleTimeout", "maxConnectionDuration")
	r.leaveAll(http, kept, "idleTimeout", "maxRequestsPerConnection", "h2UpgradePolicy", "useClientProtocol", "maxConcurrentStreams")
	r.leave(n.at("loadBalancer"), "a dependency here is not made of hosts to choose from")
	r.leave(n.at("tls"), "nothing is encrypted here")
	r.istioOutliers(part("outlierDetection"))
	ports := n.items("portLevelSettings")
	for _, port := range ports {
		r.tell(port) // by a reading of its own
	}
	r.rest(n)
	if len(r.Set)+len(r.Left) > 0 {
		r.done()
	}
	for _, port := range ports {
		d.trafficPolicy(port, nil, name+", port "+port.text("port", "number"))
	}
}

func (r *reading) istioOutliers(n *node) {
	const source = "istio/api networking/v1alpha3/destination_rule.proto, OutlierDetection"
	least := r.count(n.at("minHealthPercent"), 0, 0)
	switch most := r.count(n.at("maxEjectionPercent"), 0, 10); {
	case n == nil:
	case most < 100:
		r.leave(n, fmt.Sprintf("it puts out %d %% of the hosts at the most, and a dependency here is one host", most))
	case least > 0:
		r.leave(n, fmt.Sprintf("with less than %d %% of the hosts left all of them are called, and a dependency here is one host", least))
	default:
		r.set("policy.breaker.enabled", true, orElse(n.at("minHealthPercent"), "minHealthPercent left out: 0", source).saying("hosts that were put out are not called, however many they are", source))
		consecutive := n.at("consecutive5xxErrors")
		for _, other := range []string{"consecutiveGatewayErrors", "consecutiveErrors"} {
			if consecutive == nil {
				consecutive = n.at(other)
			}
		}
		r.outliers(n, r.count(consecutive, 0, 5), orElse(consecutive, "consecutive5xxErrors left out: Istio’s 5", source), source)
	}
}
