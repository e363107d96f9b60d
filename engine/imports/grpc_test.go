package imports_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/imports"
)

const grpcConfig = `{
	"loadBalancingConfig": [{"round_robin": {}}],
	"methodConfig": [
		{
			"name": [{"service": "shop.Basket", "method": "Get"}, {"service": "shop.Stock"}],
			"timeout": "0.8s", "waitForReady": true, "maxRequestMessageBytes": 4096,
			"retryPolicy": {"maxAttempts": 4, "initialBackoff": ".05s", "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE", "aborted"]}
		},
		{"name": [{}], "timeout": {"seconds": 2, "nanos": 500000000}},
		{"name": [{"service": "shop.Search"}], "hedgingPolicy": {"maxAttempts": 3, "hedgingDelay": "30ms", "nonFatalStatusCodes": [14]}}
	],
	"retryThrottling": {"maxTokens": 20, "tokenRatio": 0.25}
}`

func TestGRPC(t *testing.T) {
	allIsToldOf(t, grpcConfig)
	found := read(t, grpcConfig)
	var names []string
	for _, f := range found {
		names = append(names, f.Name)
	}
	if diff := cmp.Diff([]string{"shop.Basket/Get, shop.Stock", "every method", "shop.Search"}, names); diff != "" {
		t.Error(diff)
	}
	throttle := map[string]any{"policy.budget.kind": "tokens", "policy.budget.max_tokens": 20, "policy.budget.token_ratio": 0.25}
	for i, want := range []map[string]any{
		{"call.timeout": "800ms", "call.attempts": 4, "call.retry_on": []string{"error", "refused", "lost", "shed"}, "call.hedge_after": "0s",
			"call.backoff.kind": "exponential", "call.backoff.base": "50ms", "call.backoff.max": "1s", "call.jitter": "equal"},
		{"call.timeout": "2.5s", "call.attempts": 1, "call.hedge_after": "0s"},
		{"call.timeout": "0s", "call.attempts": 1, "call.hedge_after": "30ms", "call.hedge_cancel": true},
	} {
		for to, value := range throttle {
			want[to] = value
		}
		if diff := cmp.Diff(want, settings(found[i])); diff != "" {
			t.Errorf("%s:\n%s", found[i].Name, diff)
		}
	}
}

// What gRPC itself would refuse.
func TestGRPCErrors(t *testing.T) {
	method := func(policy string) string { return `{"methodConfig": [{"name": [{}], ` + policy + `}]}` }
	good := `"maxAttempts": 3, "initialBackoff": "1s", "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]`
	for _, c := range []struct{ policy, want string }{
		{`"retryPolicy": {` + strings.Replace(good, "3", "1", 1) + `}`, "methodConfig.0.retryPolicy.maxAttempts: 1: must be a whole number, 2 or more"},
		{`"retryPolicy": {` + strings.Replace(good, `"maxAttempts": 3, `, "", 1) + `}`, "methodConfig.0.retryPolicy: {…}: must be with maxAttempts, 2 or more"},
		{`"retryPolicy": {` + strings.Replace(good, `"1s"`, `"soon"`, 1) + `}`, `methodConfig.0.retryPolicy.initialBackoff: "soon": must be a duration, like "0.25s", 0s or more`},
		{`"retryPolicy": {` + strings.Replace(good, `"1s"`, `1`, 1) + `}`, `methodConfig.0.retryPolicy.initialBackoff: 1: must be a duration, like "0.25s", 0s or more`},
		{`"retryPolicy": {` + strings.Replace(good, "UNAV", "UNAN", 1) + `}`, `retryableStatusCodes.0: "UNANAILABLE": must be one of UNAVAILABLE`},
		{`"retryPolicy": {` + good + `}, "hedgingPolicy": {"maxAttempts": 2}`, "methodConfig.0.hedgingPolicy: {…}: must be left out"},
		{`"timeout": "0s"`, `methodConfig.0.timeout: "0s": must be more than "0s"`},
	} {
		_, err := imports.Read(tree(t, method(c.policy)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%v\nmust say\n%s", c.policy, err, c.want)
		}
	}
}

// Each status code is taken over or left, and nothing is said of those that aren't there.
func TestGRPCStatusCodes(t *testing.T) {
	answer := []string{"error"}
	codes := []struct {
		name string
		want []string
	}{
		{"OK", []string{}}, {"CANCELLED", answer}, {"UNKNOWN", answer}, {"INVALID_ARGUMENT", answer}, {"DEADLINE_EXCEEDED", answer}, {"NOT_FOUND", answer},
		{"ALREADY_EXISTS", answer}, {"PERMISSION_DENIED", answer}, {"RESOURCE_EXHAUSTED", []string{"shed"}}, {"FAILED_PRECONDITION", answer}, {"ABORTED", answer},
		{"OUT_OF_RANGE", answer}, {"UNIMPLEMENTED", answer}, {"INTERNAL", answer}, {"UNAVAILABLE", []string{"error", "refused", "lost", "shed"}}, {"DATA_LOSS", answer},
		{"UNAUTHENTICATED", answer},
	}
	config := func(codes string) string {
		return `{"methodConfig": [{"name": [{}], "retryPolicy": {"maxAttempts": 3, "initialBackoff": "1s", "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": [` + codes + `]}}]}`
	}
	for number, code := range codes {
		for _, written := range []string{strconv.Quote(code.name), strconv.Itoa(number)} {
			allIsToldOf(t, config(written))
			found := read(t, config(written))[0]
			said := ""
			for _, s := range found.Set {
				if s.To == "call.retry_on" {
					said = s.Note
				}
			}
			for _, l := range found.Left {
				said += " " + l.Why
			}
			if got := settings(found)["call.retry_on"]; !cmp.Equal(got, any(code.want)) {
				t.Errorf("%s: %v, want %v", written, got, code.want)
			}
			for _, other := range codes {
				if words := strings.FieldsFunc(said, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) }); slices.Contains(words, other.name) != (other.name == code.name) {
					t.Errorf("%s: of %s it is said: %s", written, other.name, said)
				}
			}
		}
	}
	several := `"ABORTED", "OK", "INTERNAL", "ABORTED", "RESOURCE_EXHAUSTED"`
	allIsToldOf(t, config(several))
	found := read(t, config(several))[0]
	if got := settings(found)["call.retry_on"]; !cmp.Equal(got, any([]string{"error", "shed"})) || len(found.Left) != 2 { // the methods' names, and OK
		t.Errorf("%s: %v; left %v", several, got, found.Left)
	}
}

// gRPC takes a duration in seconds and in nothing else; others are understood, and it is said that gRPC would not.
func TestGRPCDurations(t *testing.T) {
	for text, seconds := range map[string]string{"0.1s": "", ".1s": "", "1s": "", "100ms": "0.1s", "1m": "60s", "1m30s": "90s", "PT2S": "2s"} {
		config := `{"methodConfig": [{"name": [{}], "timeout": "` + text + `", "retryPolicy": {"maxAttempts": 3, "initialBackoff": "` + text + `", "maxBackoff": "` + text +
			`", "backoffMultiplier": 2, "retryableStatusCodes": [14]}}, {"name": [{}], "hedgingPolicy": {"maxAttempts": 2, "hedgingDelay": "` + text + `"}}]}`
		told := 0
		for _, found := range read(t, config) {
			for _, s := range found.Set {
				if strings.Contains(s.Note, "gRPC itself refuses "+strconv.Quote(text)) && strings.Contains(s.Note, strconv.Quote(seconds)) {
					told++
				} else if strings.Contains(s.Note, "refuses") {
					t.Errorf("%s, %s: %s", text, s.To, s.Note)
				}
			}
		}
		want := 4
		if seconds == "" {
			want = 0
		}
		if told != want {
			t.Errorf("%s: told %d times, want %d", text, told, want)
		}
	}
}
