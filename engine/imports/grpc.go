package imports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stormbin/engine/scenario"
)

const grpcMethod = "gRPC method"

const (
	a6            = "grpc/proposal A6-client-retries.md"
	a6Backoff     = a6 + ", Exponential Backoff, as of pull request 452"
	a6Hedging     = a6 + ", Hedging Policy"
	a6Throttle    = a6 + ", Throttling Retry Attempts and Hedged RPCs"
	protoDuration = "protocolbuffers/protobuf src/google/protobuf/duration.proto, JSON Mapping"
	grpcTimeout   = "grpc/grpc-proto grpc/service_config/service_config.proto, MethodConfig.timeout"
)

// isGRPC knows a service config by its list of methods, and a method alone by its names and what it may have.
func isGRPC(n *node) bool {
	return n.items("methodConfig") != nil ||
		n.items("name") != nil && (n.at("retryPolicy") != nil || n.at("hedgingPolicy") != nil || n.at("timeout") != nil)
}

func readGRPC(n *node, d *document) {
	if n.items("methodConfig") == nil {
		d.grpcMethod(n, nil)
	}
	for _, method := range n.items("methodConfig") {
		d.grpcMethod(method, n)
	}
}

// grpcMethod reads one method, of a service config if that isn't nil.
func (d *document) grpcMethod(m, config *node) {
	r := d.reading(grpcMethod, methodName(m), m)
	r.leave(m.at("name"), "which methods it is for: choose the call that stands for them")
	r.grpcTimeout(m)
	r.leave(m.at("waitForReady"), "whether a call waits for a connection or fails without one: here a connection is had or refused at once")
	r.leaveAll(m, "messages have no size here", "maxRequestMessageBytes", "maxResponseMessageBytes")
	retry, hedging := m.at("retryPolicy"), m.at("hedgingPolicy")
	switch {
	case retry != nil && hedging != nil:
		r.fail(hedging, "left out, as there is a retryPolicy: gRPC takes one of them")
	case hedging != nil:
		r.grpcHedging(hedging)
	case retry != nil:
		r.grpcRetry(retry)
	default:
		r.set("call.attempts", 1, assumed("retryPolicy left out: gRPC sends a call once, but for what the server has surely not seen", a6+", Transparent Retries"))
	}
	if hedging == nil {
		r.set("call.hedge_after", scenario.Duration(0), assumed("hedgingPolicy left out: no hedge", a6Hedging))
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

func (r *reading) grpcTimeout(m *node) {
	at := m.at("timeout")
	if at == nil {
		r.set("call.timeout", scenario.Duration(0), assumed("timeout left out: gRPC’s calls have none unless their caller has", grpcTimeout))
		return
	}
	w := grpcTime(at)
	if m.at("retryPolicy") != nil {
		w = w.saying("with gRPC it is the time of the whole call, retries and all; here each attempt has that long, and one that times out is the last", a6+", Maximum Number of Retries")
	}
	r.set("call.timeout", r.above0(at), w)
}

// grpcTime is written of a duration, for which gRPC takes nothing but seconds: "0.1s".
func grpcTime(n *node) why {
	w := written(n)
	if n == nil {
		return w
	}
	text, is := n.value.(string)
	number, seconds := strings.CutSuffix(text, "s")
	if _, err := strconv.ParseFloat(number, 64); is && (!seconds || err != nil) {
		if value, ok := parseDuration(text); ok {
			w = w.saying(fmt.Sprintf("gRPC itself refuses %s: it takes seconds alone, as %q", n.shown(), figure(value)+"s"), protoDuration)
		}
	}
	return w
}

// grpcAttempts reads maxAttempts, of which gRPC takes five at the most.
func (r *reading) grpcAttempts(policy *node) (int, why) {
	const most = 5
	at := policy.at("maxAttempts")
	if at == nil {
		r.fail(policy, "with maxAttempts, 2 or more")
	}
	attempts, w := r.count(at, 2, 2), written(at)
	if attempts > most {
		attempts, w = most, w.saying("gRPC takes 5 for whatever is more", a6+", Limits on Retries and Hedges")
	}
	return attempts, w
}

func (r *reading) grpcRetry(policy *node) {
	attempts, w := r.grpcAttempts(policy)
	r.set("call.attempts", attempts, w)
	for _, needed := range []struct{ name, like string }{
		{"initialBackoff", `"0.1s"`}, {"maxBackoff", `"1s"`}, {"backoffMultiplier", "2"}, {"retryableStatusCodes", `["UNAVAILABLE"]`},
	} {
		if policy.at(needed.name) == nil {
			r.fail(policy, "with "+needed.name+", like "+needed.like)
		}
	}
	initial, most, multiplier, codes := policy.at("initialBackoff"), policy.at("maxBackoff"), policy.at("backoffMultiplier"), policy.at("retryableStatusCodes")
	r.set("call.backoff.base", r.above0(initial), grpcTime(initial))
	r.set("call.backoff.max", r.above0(most), grpcTime(most))
	r.growth(r.number(multiplier, 0, 1e9, 2), written(multiplier))
	r.set("call.jitter", "equal", assumed("gRPC’s waits are spread by a fifth to both sides; here anywhere from half of the wait to the whole", a6Backoff))
	r.grpcRetryOn(codes)
}

var statusCodes = []string{"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
	"RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"}

// grpcRetryOn reads the status codes that are retried, and says of each what it is here.
func (r *reading) grpcRetryOn(codes *node) {
	const like = `["UNAVAILABLE"]`
	list := r.list(codes, like)
	if codes != nil && len(list) == 0 {
		r.fail(codes, "a list with a status code in it, like "+like)
	}
	on, w := outcomes{}, there(codes)
	var answers, written []string
	for _, n := range list {
		name := r.statusCode(n)
		if name == "OK" {
			r.leave(n, "OK is no failure, and there is nothing to retry")
			continue
		}
		r.tell(n)
		if slices.Contains(written, name) {
			continue
		}
		written = append(written, name)
		switch name {
		case "UNAVAILABLE":
			on.add("error", "refused", "lost", "shed")
			w = w.saying("UNAVAILABLE is an error answer, a connection that was refused or broke, and what was shed", "")
		case "RESOURCE_EXHAUSTED":
			on.add("shed")
			w = w.saying("RESOURCE_EXHAUSTED is what was shed", "")
		case "DEADLINE_EXCEEDED":
			on.add("error")
			w = w.saying("DEADLINE_EXCEEDED is an error answer, of a server whose own time was over; when the caller’s is, the call has ended, and gRPC does not retry it", a6+", Maximum Number of Retries")
		default:
			on.add("error")
			answers = append(answers, name)
		}
	}
	if len(answers) > 0 {
		w = w.saying("error answers are all alike here, whichever their code: "+strings.Join(answers, ", "), "")
	}
	r.set("call.retry_on", on.words(), w)
}

// statusCode is the name of a status code, which may be its number.
func (r *reading) statusCode(n *node) string {
	name := strings.ToUpper(n.text())
	if number, ok := n.value.(float64); ok && number >= 0 && number < float64(len(statusCodes)) {
		name = statusCodes[int(number)]
	}
	if !slices.Contains(statusCodes, name) {
		r.fail(n, "one of "+scenario.Nearest(name, statusCodes))
	}
	return name
}

func (r *reading) grpcHedging(policy *node) {
	attempts, w := r.grpcAttempts(policy)
	if attempts > 2 {
		w = w.saying(fmt.Sprintf("%d may be under way at once; here one attempt and one hedge", attempts), "")
	}
	r.set("call.attempts", 1, w.saying("a hedge is not counted here", ""))
	delay := policy.at("hedgingDelay")
	if after := r.duration(delay, 0, 0); after > 0 {
		r.set("call.hedge_after", after, grpcTime(delay))
	} else {
		r.set("call.hedge_after", scenario.Duration(1), orElse(delay, "hedgingDelay left out: none", "").saying("gRPC sends all of them at once", a6Hedging))
	}
	r.set("call.hedge_cancel", true, assumed("gRPC cancels the others when one has its answer", a6Hedging))
	r.leave(policy.at("nonFatalStatusCodes"), "after these gRPC hedges at once, and after others it gives up; here an attempt that fails waits for what its twin says")
}

func (r *reading) grpcThrottling(n *node) {
	if n == nil {
		return
	}
	tokens, ratio := n.at("maxTokens"), n.at("tokenRatio")
	if tokens == nil || ratio == nil {
		r.fail(n, "with maxTokens, like 10, and tokenRatio, like 0.1")
	}
	r.set("policy.budget.kind", "tokens", there(n).saying("there it is of all calls to a server, and what may be retried counts as a failure; here each dependency has its own, and every failure does", a6Throttle))
	r.set("policy.budget.max_tokens", int(r.number(tokens, 1, 1000, 1)), written(tokens))
	w := written(ratio)
	each := r.number(ratio, 0.001, 1000, 1)
	if each > 1 {
		each, w = 1, w.saying("a success brings no more than one token here", "")
	}
	r.set("policy.budget.token_ratio", each, w)
	r.rest(n)
}
