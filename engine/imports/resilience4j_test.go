package imports_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/imports"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

const resilience = `{
	"server": {"port": 8080},
	"resilience4j": {
		"retry": {
			"retry-aspect-order": 2,
			"configs": {
				"default": {"maxAttempts": 4, "waitDuration": 200, "registerHealthIndicator": true},
				"patient": {"base-config": "default", "wait-duration": "2s", "enableExponentialBackoff": true, "exponentialBackoffMultiplier": 2, "exponentialMaxWaitDuration": "PT8S"},
				"unused": {"maxAttempts": 9, "waitDuration": null, "ignoreExceptions": ["a.B"]}
			},
			"instances": {
				"stock": {"baseConfig": "patient", "enable-randomized-wait": true, "max-attempts": 3,
					"retryExceptions": ["java.util.concurrent.TimeoutException", "java.net.ConnectException", "shop.stock.StockException"],
					"ignoreExceptions": ["shop.stock.NotFoundException"], "resultPredicate": "shop.stock.IsEmpty"},
				"mail": {"ignoreExceptions": "java.net.SocketTimeoutException, java.lang.IllegalStateException"}
			}
		},
		"circuitbreaker": {"instances": {"stock": {"slidingWindowType": "TIME_BASED", "slidingWindowSize": 20, "minimumNumberOfCalls": 40, "failureRateThreshold": 25,
			"waitDurationInOpenState": "15s", "permittedNumberOfCallsInHalfOpenState": 3, "slowCallRateThreshold": 80, "slowCallDurationThreshold": "2s",
			"automaticTransitionFromOpenToHalfOpenEnabled": true, "recordExceptions": ["org.springframework.web.client.HttpServerErrorException"]}}},
		"timelimiter": {"instances": {"stock": {"timeoutDuration": "1500ms", "cancelRunningFuture": true}}},
		"bulkhead": {"instances": {"stock": {"maxConcurrentCalls": 12, "maxWaitDuration": 0}}},
		"thread-pool-bulkhead": {"instances": {"mail": {"maxThreadPoolSize": 4}}},
		"ratelimiter": {"instances": {"mail": {"limitForPeriod": 10, "limitRefreshPeriod": "1s"}}}
	}
}`

func TestResilience4j(t *testing.T) {
	allIsToldOf(t, resilience)
	got := map[string]map[string]any{}
	for _, f := range read(t, resilience) {
		got[f.Name] = settings(f)
	}
	want := map[string]map[string]any{
		"stock": {"call.attempts": 3, "call.backoff.kind": "exponential", "call.backoff.base": "2s", "call.backoff.max": "8s", "call.jitter": "equal",
			"call.retry_on": []string{"timeout", "error", "refused"}, "call.timeout": "1.5s", "cap": 12,
			"policy.breaker.enabled": true, "policy.breaker.on": []string{"error", "shed"}, "policy.breaker.threshold": 0.25, "policy.breaker.min_calls": 40,
			"policy.breaker.window": "20s", "policy.breaker.open_for": "15s", "policy.breaker.probes": 3, "policy.breaker.per": "process"},
		"mail": {"call.attempts": 4, "call.backoff.kind": "constant", "call.backoff.base": "200ms", "call.backoff.max": "0s", "call.jitter": "none",
			"call.retry_on": []string{"error", "refused", "lost", "shed"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Properties may stand with dots, modules alone, and shared configs without an instance.
func TestResilience4jSpellings(t *testing.T) {
	for _, c := range []struct {
		text, name string
		want       map[string]any // among the settings
	}{
		{`{"resilience4j.retry.instances.pay.max-attempts": "5", "resilience4j.timelimiter": {"instances": {"pay": {"timeoutDuration": "PT0.25S"}}}, "spring": {"profiles": "x"}}`, "pay",
			map[string]any{"call.attempts": 5, "call.timeout": "250ms", "call.backoff.base": "500ms"}},
		{`{"retry": {"configs": {"default": {"maxAttempts": 2, "enableExponentialBackoff": true}}}}`, "default",
			map[string]any{"call.attempts": 2, "call.backoff.kind": "constant", "call.backoff.base": "500ms"}},
		{`{"retry": {"backends": {"x": {"wait_duration": 100, "enable_randomized_wait": true, "randomized_wait_factor": 0.9, "enable_exponential_backoff": "true"}}}}`, "x",
			map[string]any{"call.backoff.kind": "exponential", "call.jitter": "full", "call.backoff.max": "0s"}},
	} {
		if found := readOne(t, c.text, c.want); found.Name != c.name {
			t.Errorf("%s: %+v", c.text, found)
		}
	}
}

// A window of so many calls is the time in which a process makes them: 100 of 20 a second are 5s.
func TestResilience4jCountsCalls(t *testing.T) {
	found := read(t, `{"circuitbreaker": {"instances": {"b": {"slidingWindowSize": 100}}}}`)
	for _, c := range []struct{ path, value, want string }{
		{"operations.call.rate", "20", "5s"},
		{"processes.count", "3", "15s"},
		{"operations.call.rate", "0", "4h0m0s"},
		{"operations.call.rate", "1000000", "1ms"},
		{"operations.call.steps", `["b", "b"]`, "2.5s"},
		{"operations.call.arrivals", "closed", "1m40s"}, // one user who thinks for a second
	} {
		s, _ := scenario.Find("two-service")
		if err := scenario.SetText(&s, c.path, c.value); err != nil {
			t.Fatal(err)
		}
		after, err := found[0].Apply(s, "b")
		if err != nil {
			t.Fatal(err)
		}
		if got := after.Policy.Breaker.Window.String(); got != c.want {
			t.Errorf("%s=%s: window %s, want %s", c.path, c.value, got, c.want)
		}
		if got := after.Policy.Breaker; got.MinCalls != 80 || got.Threshold != 0.5 || got.OpenFor.String() != "1m0s" || got.Probes != 10 {
			t.Errorf("defaults: %+v", got)
		}
	}
}

func TestResilience4jErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"retry": {"instances": {"a": {"maxAttempts": 0}}}}`, "retry.instances.a.maxAttempts: 0: must be a whole number, 1 or more"},
		{`{"retry": {"instances": {"a": {"baseConfig": "lost"}}}}`, `retry.instances.a.baseConfig: "lost": must be the name of one of configs`},
		{`{"retry": {"instances": {"a": {"waitDuration": "a while"}}}}`, `waitDuration: "a while": must be a duration, like "250ms", or a number of milliseconds`},
		{`{"circuitbreaker": {"instances": {"a": {"failureRateThreshold": 150}}}}`, "failureRateThreshold: 150: must be a number, 0 to 100"},
		{`{"circuitbreaker": {"instances": {"a": {"failureRateThreshold": 0}}}}`, "failureRateThreshold: 0: must be more than 0"},
		{`{"circuitbreaker": {"instances": {"a": {"slidingWindowType": "SOME"}}}}`, `slidingWindowType: "SOME": must be COUNT_BASED or TIME_BASED`},
	} {
		_, err := imports.Read(tree(t, c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%v\nmust say\n%s", c.text, err, c.want)
		}
	}
	// A config that builds on itself ends, too.
	read(t, `{"retry": {"configs": {"a": {"baseConfig": "b"}, "b": {"baseConfig": "a"}}, "instances": {"x": {"baseConfig": "a"}}}}`)
}

// It opens at the load it was read for, however evenly calls come: when all of them fail, a window later nothing is sent.
func TestResilience4jBreakerOpens(t *testing.T) {
	s, _ := scenario.Find("two-service")
	for path, value := range map[string]string{
		"operations.call.arrivals": "even", "policy.calls.b.attempts": "1", "duration": "20s",
		"faults": `[{"target": "b", "kind": "down", "at": "5s"}]`,
	} {
		if err := scenario.SetText(&s, path, value); err != nil {
			t.Fatal(err)
		}
	}
	s, err := read(t, `{"circuitbreaker": {"instances": {"b": {}}}}`)[0].Apply(s, "b")
	if err != nil {
		t.Fatal(err)
	}
	report, err := run.Do(s)
	if err != nil {
		t.Fatal(err)
	}
	// Half of 100 calls have failed after 2.5 of the 15 s in which it is down.
	if open := report.Requests.Outcomes["open"]; open < 200 || open > 270 {
		t.Errorf("%d requests met an open breaker, of 300 while b was down: %v", open, report.Requests.Outcomes)
	}
}
