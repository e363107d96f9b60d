package imports

import (
	"slices"
	"strconv"
	"strings"

	"stormbin/engine/scenario"
)

const grpcMethod = "gRPC method"

const (
	a6       = "grpc/proposal A6-client-retries.md"
	a6Waits  = a6 + ", Exponential Backoff, as of pull request 452"
	grpcJSON = "grpc/grpc-proto grpc/service_config/service_config.proto, MethodConfig"
)

// isGRPC knows a service config by its list of methods, and a method alone by what it may have.
func isGRPC(n *node) bool {
	return n.items("methodConfig") != nil || grpcPolicy(n) && n.items("name") != nil
}

func grpcPolicy(n *node) bool {
	return n.at("retryPolicy", "retryableStatusCodes") != nil || n.at("hedgingPolicy") != nil
}

func readGRPC(n *node, d *document) {
	config := n.at("methodConfig")
	if config == nil {
		d.grpcMethod(n, nil)
		return
	}
	for _, method := range config.entries {
		d.grpcMethod(method, n)
	}
}

// grpcMethod reads one method, of a service config if that isn't nil.
func (d *document) grpcMethod(m, config *node) {
	r := d.reading(grpcMethod, methodName(m), m)
	r.leave(m.at("name"), "which methods it is for: choose the call that stands for them")
	r.grpcTimeout(m)
	r.leave(m.at("waitForReady"), "whether a call waits for a connection or fails without one: here a connection is had or refused at once")
	for _, name := range []string{"maxRequestMessageBytes", "maxResponseMessageBytes"} {
		r.leave(m.at(name), "messages have no size here")
	}
	retry, hedging := m.at("retryPolicy"), m.at("hedgingPolicy")
	switch {
	case retry != nil && hedging != nil:
		r.fail(hedging, "left out, as there is a retryPolicy: gRPC takes one of them")
	case hedging != nil:
		r.grpcHedging(hedging)
	case retry != nil:
		r.grpcRetry(retry)
	default:
		r.set(nil, "call.attempts", 1, "retryPolicy left out: gRPC sends a call once, but for what the server has surely not seen", a6+", Transparent Retries")
	}
	if hedging == nil {
		r.set(nil, "call.hedge_after", scenario.Duration(0), "hedgingPolicy left out: no hedge", a6+", Hedging Policy")
	}
	r.rest(m)
	if config != nil {
		r.grpcThrottling(config.at("retryThrottling"))
		for _, e := range config.entries {
			if e != config.at("methodConfig") {
				r.rest(e)
			}
		}
	}
	r.done()
}

func (r *reading) grpcTimeout(m *node) {
	n := m.at("timeout")
	limit := r.duration(n, 0, 0)
	switch {
	case n == nil:
		r.set(nil, "call.timeout", limit, "timeout left out: gRPC's calls have none unless their caller has", grpcJSON+".timeout")
	case limit == 0:
		r.fail(n, `more than "0s", or left out for none`)
	case m.at("retryPolicy") != nil:
		r.set(n, "call.timeout", limit, "there all attempts have it together; here each has, and none comes after it", a6+", Maximum Number of Retries")
	default:
		r.set(n, "call.timeout", limit, "", "")
	}
}

// methodName is which methods a config is for.
func methodName(m *node) string {
	var names []string
	for _, n := range m.items("name") {
		switch service, method := n.text("service"), n.text("method"); {
		case service == "":
			names = append(names, "every method")
		case method == "":
			names = append(names, service)
		default:
			names = append(names, service+"/"+method)
		}
	}
	return strings.Join(names, ", ")
}

// grpcAttempts reads maxAttempts, of which gRPC takes five at the most.
func (r *reading) grpcAttempts(policy *node) (at *node, attempts int, note string) {
	const most = 5
	if at = policy.at("maxAttempts"); at == nil {
		r.fail(policy, "with maxAttempts, 2 or more")
		return at, 2, ""
	}
	if attempts = r.count(at, 2, 2); attempts > most {
		return at, most, "gRPC takes 5 for whatever is more"
	}
	return at, attempts, ""
}

func (r *reading) grpcRetry(policy *node) {
	at, attempts, note := r.grpcAttempts(policy)
	r.attempts(at, attempts, note, a6+", Limits on Retries and Hedges")

	initial, most, multiplier := policy.at("initialBackoff"), policy.at("maxBackoff"), policy.at("backoffMultiplier")
	for _, needed := range []struct {
		at   *node
		name string
	}{{initial, `initialBackoff, like "0.1s"`}, {most, `maxBackoff, like "1s"`}, {multiplier, "backoffMultiplier, like 2"}} {
		if needed.at == nil {
			r.fail(policy, "with "+needed.name)
		}
	}
	r.set(initial, "call.backoff.base", r.above0(initial), "", "")
	r.set(most, "call.backoff.max", r.above0(most), "", "")
	r.multiplier(multiplier, r.number(multiplier, 0, 1e9, 2))
	r.set(nil, "call.jitter", "equal", "gRPC's waits are spread by a fifth to both sides; here anywhere from half of the wait to the whole", a6Waits)

	codes := policy.at("retryableStatusCodes")
	if len(codes.items()) == 0 {
		r.fail(policy, `with retryableStatusCodes, like ["UNAVAILABLE"]`)
		return
	}
	on := map[string]bool{}
	for _, code := range codes.items() {
		r.statusCode(code, on)
	}
	r.set(codes, "call.retry_on", words(on), "a broken or refused connection is UNAVAILABLE, and so is what was shed; error answers are all alike here", "")
}

// above0 is the duration that n says, of which there must be some.
func (r *reading) above0(n *node) scenario.Duration {
	v := r.duration(n, 0, 0)
	if n != nil && v == 0 {
		r.fail(n, `more than "0s"`)
	}
	return v
}

// multiplier says how waits grow.
func (r *reading) multiplier(n *node, by float64) {
	switch {
	case by == 2:
		r.set(n, "call.backoff.kind", "exponential", "", "")
	case by == 1:
		r.set(n, "call.backoff.kind", "constant", "", "")
	case by < 1:
		r.set(n, "call.backoff.kind", "constant", "waits shrink; here they stay as they are", "")
	default:
		r.set(n, "call.backoff.kind", "exponential", "each wait is "+figure(by)+" times the one before; here it is twice as long", "")
	}
}

var statusCodes = []string{"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
	"RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"}

// statusCode adds what a status code, or its number, is here.
func (r *reading) statusCode(n *node, on map[string]bool) {
	name, _ := n.value.(string)
	if number, ok := n.value.(float64); ok && number >= 0 && int(number) < len(statusCodes) {
		name = statusCodes[int(number)]
	}
	if !slices.Contains(statusCodes, strings.ToUpper(name)) {
		r.fail(n, "a status code, as "+scenario.Nearest(strings.ToUpper(name), statusCodes))
	}
	switch strings.ToUpper(name) {
	case "UNAVAILABLE":
		for _, w := range []string{"error", "refused", "lost", "shed"} {
			on[w] = true
		}
	case "RESOURCE_EXHAUSTED":
		on["shed"] = true
	default:
		on["error"] = true
	}
}

func (r *reading) grpcHedging(policy *node) {
	at, attempts, note := r.grpcAttempts(policy)
	if attempts > 2 {
		note = join(note, strconv.Itoa(attempts)+" may be under way at once; here one attempt and one hedge")
	}
	r.set(at, "call.attempts", 1, join("the hedge is not counted here", note), "")
	delay := policy.at("hedgingDelay")
	after := r.duration(delay, 0, 0)
	if after == 0 {
		r.set(delay, "call.hedge_after", scenario.Duration(1), left(delay, "gRPC sends all of them at once"), a6+", Hedging Policy")
	} else {
		r.set(delay, "call.hedge_after", after, "", "")
	}
	r.leave(policy.at("nonFatalStatusCodes"), "after these gRPC hedges at once, and after others it gives up; here an attempt that fails waits for what its twin says")
	r.set(nil, "call.hedge_cancel", true, "gRPC cancels the others when one has its answer", a6+", Hedging Policy")
}

func (r *reading) grpcThrottling(n *node) {
	if n == nil {
		return
	}
	tokens, ratio := n.at("maxTokens"), n.at("tokenRatio")
	if tokens == nil || ratio == nil {
		r.fail(n, "with maxTokens, like 10, and tokenRatio, like 0.1")
		return
	}
	r.set(n, "policy.budget.kind", "tokens", "there it is for all calls to a server, and what may be retried counts as a failure; here every failure does", a6+", Throttling Retry Attempts and Hedged RPCs")
	most := r.number(tokens, 1, 1000, 1)
	r.set(tokens, "policy.budget.max_tokens", int(most), "", "")
	each := r.number(ratio, 0.001, 1000, 1)
	if each > 1 {
		r.set(ratio, "policy.budget.token_ratio", 1, "a success earns no more than one token here", "")
		return
	}
	r.set(ratio, "policy.budget.token_ratio", each, "", "")
}
