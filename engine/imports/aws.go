package imports

import (
	"fmt"
	"slices"
	"strings"

	"stormbin/engine/scenario"
)

const awsSDK = "AWS SDK settings"

const (
	awsReference = "docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html"
	awsWaits     = "boto/botocore botocore/retries/standard.py, ExponentialBackoff"
	botoConfig   = "boto/botocore botocore/config.py, retries"
)

func awsMode(n *node) *node {
	return n.first("retryMode", "awsRetryMode", "aws.retryMode")
}

func awsAttempts(n *node) *node {
	return n.first("maxAttempts", "awsMaxAttempts", "aws.maxAttempts", "retryMaxAttempts")
}

// isAWS knows the settings by the mode, in one of its spellings, by names that only these SDKs have, and boto3's by what it
// has around its retries.
func isAWS(n *node) bool {
	most := n.at("retries", "maxAttempts")
	boto := n.at("retries", "mode") != nil || n.at("retries", "totalMaxAttempts") != nil || most != nil && most.key == "max_attempts"
	return awsMode(n) != nil || n.first("awsMaxAttempts", "aws.maxAttempts", "apiCallTimeout", "apiCallAttemptTimeout", "retryMaxAttempts") != nil || boto ||
		awsAttempts(n) != nil && awsTimeout(n) != nil
}

// awsTimeout is the time for an answer, of one attempt.
func awsTimeout(n *node) *node {
	if at := n.first("apiCallAttemptTimeout", "readTimeout", "requestTimeout", "socketTimeout"); at != nil {
		return at
	}
	return n.at("requestHandler").first("requestTimeout", "socketTimeout")
}

// awsUnit is what a bare number counts where that setting is: boto3 has seconds, JavaScript milliseconds, and Java durations.
func awsUnit(n *node) scenario.Duration {
	switch {
	case n == nil || strings.HasPrefix(n.name, "apicall"):
		return 0
	case n.name == "readtimeout" || n.name == "connecttimeout":
		return sec
	}
	return ms
}

func readAWS(n *node, d *document) {
	r := d.reading(awsSDK, n.key, n)
	retries := n.at("retries")
	mode := awsMode(n)
	if mode == nil {
		mode = retries.at("mode")
	}
	word := strings.ToLower(r.words(mode, "standard", "standard"))
	if modes := []string{"standard", "legacy", "adaptive", "adaptive_v2"}; !slices.Contains(modes, word) {
		r.fail(mode, "one of "+scenario.Nearest(word, modes[:3]))
	}

	count, countWhy := r.awsCount(n, retries, word)
	all, each := n.first("apiCallTimeout"), awsTimeout(n)
	limit, own := r.duration(all, 0, 0), r.duration(each, awsUnit(each), 0)
	if all != nil || each != nil {
		if limit > 0 && own >= limit {
			r.leave(each, "it is not less than apiCallTimeout, which all attempts have together")
			own = 0
		}
		eachWhy := written(each)
		if each != nil && each.name == "readtimeout" {
			eachWhy = eachWhy.saying("it is how long an answer may stay away, and here how long an attempt takes at the most", "")
		}
		r.together(together{limit, written(all), own, eachWhy, count, countWhy, true})
	} else {
		r.set("call.attempts", count, countWhy)
	}
	r.set("call.retry_on", whatever(), assumed("connection errors, timeouts, throttling and the statuses 500, 502, 503 and 504 are retried; error answers are all alike here", "aws/aws-sdk-go-v2 aws/retry/standard.go, DefaultRetryables"))
	r.set("call.backoff.kind", "exponential", orElse(mode, "retry_mode left out: taken for standard", awsReference).saying(
		"the bucket of tokens that bounds a client’s retries is no kind of budget here", awsReference))
	switch {
	case strings.HasPrefix(word, "adaptive"):
		r.leave(mode, word+": how it slows down when it is throttled; nobody limits rates here")
	case word == "legacy":
		r.leave(mode, "legacy: each SDK has rules of its own, which were not read; these are standard’s")
	}
	r.set("call.backoff.base", sec, assumed("the first wait is anywhere up to 1s, with the SDK for Go up to 2s, and with AWS_NEW_RETRIES_2026 up to 50ms", awsWaits))
	r.set("call.backoff.max", 20*sec, assumed("waits go up to 20s", awsWaits))
	r.set("call.jitter", "full", assumed("a wait is anywhere up to its bound", awsWaits))

	for _, at := range []*node{n.first("connectTimeout", "connectionTimeout"), n.at("requestHandler").first("connectionTimeout"), n.first("tlsNegotiationTimeout", "connectionAcquisitionTimeout")} {
		r.leave(at, "a call has one timeout, for a whole attempt, and a connection is had or refused at once")
	}
	r.leave(n.first("maxPoolConnections", "maxConnections", "maxConcurrency"), "there are no connection pools here")
	r.rest(n)
	r.done()
}

// awsCount is how many attempts there are in all.
func (r *reading) awsCount(n, retries *node, mode string) (int, why) {
	total, boto, attempts := retries.at("totalMaxAttempts"), retries.at("maxAttempts"), awsAttempts(n)
	switch {
	case total != nil:
		r.leave(boto, "total_max_attempts comes before it")
		r.leave(attempts, "retries.total_max_attempts comes before it")
		return r.count(total, 1, 3), written(total)
	case boto != nil:
		r.leave(attempts, "retries.max_attempts comes before it")
		return 1 + r.count(boto, 0, 2), written(boto).saying("boto3 doesn’t count the first attempt here", botoConfig)
	case attempts != nil:
		return r.count(attempts, 1, 3), written(attempts)
	case mode == "legacy":
		return 5, assumed("max_attempts left out: with legacy it is the SDK’s own; boto3 has four retries", botoConfig)
	}
	return 3, assumed(fmt.Sprintf("max_attempts left out: 3 with %s", mode), awsReference)
}
