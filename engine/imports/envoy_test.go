package imports_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/imports"
	"stormbin/engine/scenario"
)

// A bootstrap with a listener, as people have it, names in both spellings.
const envoyBootstrap = `{
	"node": {"id": "edge-1", "cluster": "edge"},
	"static_resources": {
		"listeners": [{"filter_chains": [{"filters": [{"name": "http", "typed_config": {
			"@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
			"route_config": {"virtual_hosts": [{
				"name": "shop", "domains": ["*"],
				"retry_policy": {"retry_on": "connect-failure"},
				"routes": [
					{
						"name": "search", "match": {"prefix": "/search"},
						"route": {"cluster": "search", "timeout": "1s", "idle_timeout": "5s", "priority": "HIGH",
							"retry_policy": {"retry_on": "5xx, retriable-4xx,retriable-status-codes", "num_retries": 7, "per_try_timeout": "0.25s",
								"retriable_status_codes": [429, 504], "per_try_idle_timeout": "0.1s", "host_selection_retry_max_attempts": 3,
								"retry_host_predicate": [{"name": "envoy.retry_host_predicates.previous_hosts"}],
								"retry_back_off": {"base_interval": "0.01s"},
								"rate_limited_retry_back_off": {"reset_headers": [{"name": "Retry-After", "format": "SECONDS"}]}}}
					},
					{"match": {"path": "/health"}, "direct_response": {"status": 200}},
					{"match": {"prefix": "/stock"}, "route": {"cluster": "stock"}},
					{"match": {"prefix": "/feed"}, "route": {"cluster": "feed", "timeout": "0s",
						"hedgePolicy": {"hedgeOnPerTryTimeout": true, "initialRequests": 1},
						"retryPolicy": {"retryOn": "5xx", "numRetries": 1, "perTryTimeout": "0.05s", "retryBackOff": {"baseInterval": "0.02s", "maxInterval": "0.04s"}}}}
				]
			}]}
		}}]}]}],
		"clusters": [
			{"name": "search", "connect_timeout": "0.5s", "type": "STRICT_DNS", "load_assignment": {"cluster_name": "search", "endpoints": [{"priority": 0}]},
				"circuit_breakers": {"thresholds": [
					{"priority": "HIGH", "max_requests": 9},
					{"priority": "DEFAULT", "max_connections": 100, "max_requests": 200, "max_retries": 5, "track_remaining": true, "retry_budget": {"budget_percent": {"value": 25}}},
					{"max_requests": 1}]},
				"outlier_detection": {"consecutive_5xx": 3, "interval": "5s"}},
			{"name": "feed", "circuitBreakers": {"thresholds": [{"maxPendingRequests": 0, "maxRetries": 4294967295}]},
				"commonLbConfig": {"healthyPanicThreshold": {"value": 0}},
				"outlierDetection": {"maxEjectionPercent": 100, "consecutive5xx": 3, "baseEjectionTime": "10s", "enforcingSuccessRate": 0}}
		]
	}
}`

func TestEnvoy(t *testing.T) {
	allIsToldOf(t, envoyBootstrap)
	budget := func(m map[string]any, least int) map[string]any {
		m["policy.budget.kind"], m["policy.budget.percent"], m["policy.budget.min_concurrent"] = "in_flight", 0, least
		return m
	}
	want := map[string]map[string]any{
		// Of eight attempts of 250ms four begin in 1s. The budget is its cluster's, which is in the document.
		"Envoy route search": {"call.timeout": "250ms", "call.attempts": 4, "call.retry_on": []string{"timeout", "error", "refused", "lost", "shed"}, "call.hedge_after": "0s",
			"call.backoff.kind": "exponential", "call.backoff.base": "10ms", "call.backoff.max": "100ms", "call.jitter": "full"},
		// Its virtual host's policy, and the defaults.
		"Envoy route /stock": budget(map[string]any{"call.timeout": "15s", "call.attempts": 2, "call.retry_on": []string{"refused"}, "call.hedge_after": "0s",
			"call.backoff.kind": "exponential", "call.backoff.base": "25ms", "call.backoff.max": "250ms", "call.jitter": "full"}, 3),
		// The one retry is the hedge.
		"Envoy route /feed": {"call.timeout": "0s", "call.attempts": 1, "call.hedge_after": "50ms"},
		"Envoy cluster search": {"cap": 200, "queue": 1024,
			"policy.budget.kind": "in_flight", "policy.budget.percent": 25.0, "policy.budget.min_concurrent": 3},
		"Envoy cluster feed": budget(map[string]any{"cap": 1024, "queue": 1, "policy.breaker.enabled": true, "policy.breaker.on": []string{"timeout", "error", "refused", "lost", "shed"},
			"policy.breaker.threshold": 1, "policy.breaker.min_calls": 3, "policy.breaker.window": "10s", "policy.breaker.open_for": "10s",
			"policy.breaker.probes": 1, "policy.breaker.per": "process"}, 1_000_000_000),
	}
	got := map[string]map[string]any{}
	for _, f := range read(t, envoyBootstrap) {
		got[f.Kind+" "+f.Name] = settings(f)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The parts that people paste are known without what is around them.
func TestEnvoyParts(t *testing.T) {
	for _, c := range []struct {
		text, kind string
		want       map[string]any // among the settings
	}{
		{`{"retry_on": "gateway-error", "num_retries": 3}`, "Envoy route", map[string]any{"call.attempts": 4, "call.timeout": "15s", "call.retry_on": []string{"error", "refused", "lost", "shed"}}},
		{`{"retry_policy": {"retry_on": "reset", "num_retries": "2", "per_try_timeout": {"nanos": 20000000}}, "timeout": "0.5s"}`, "Envoy route",
			map[string]any{"call.attempts": 3, "call.timeout": "20ms", "call.retry_on": []string{"timeout", "refused", "lost"}}},
		{`{"retry_on": "reset", "retriable_status_codes": [500]}`, "Envoy route", map[string]any{"call.retry_on": []string{"refused", "lost"}}},
		{`{"retry_on": "retriable-status-codes,wind", "retriable_status_codes": [500, 404, "503"]}`, "Envoy route", map[string]any{"call.retry_on": []string{"error", "shed"}}},
		{`{"retry_on": "", "num_retries": 3}`, "Envoy route", map[string]any{"call.attempts": 1}},
		{`{"match": {"prefix": "/"}, "route": {"cluster": "a", "retry_policy": {"num_retries": 5}}}`, "Envoy route", map[string]any{"call.attempts": 1}},
		{`{"cluster": "a", "timeout": "PT2S", "retry_policy": {"retry_on": "5xx", "per_try_timeout": "3s"}}`, "Envoy route", map[string]any{"call.attempts": 2, "call.timeout": "2s"}},
		{`{"cluster": "a", "timeout": "7200h", "retry_policy": {"retry_on": "5xx", "num_retries": 5000}}`, "Envoy route", map[string]any{"call.attempts": 100, "call.timeout": "4h0m0s"}},
		{`{"circuit_breakers": {"thresholds": [{"retry_budget": {}}]}}`, "Envoy cluster",
			map[string]any{"policy.budget.kind": "in_flight", "policy.budget.percent": 20.0, "policy.budget.min_concurrent": 3, "cap": 1024, "queue": 1024}},
		{`{"thresholds": [{"max_requests": 12}]}`, "Envoy cluster", map[string]any{"cap": 12}},
	} {
		if found := readOne(t, c.text, c.want); found.Kind != c.kind {
			t.Errorf("%s: %+v", c.text, found)
		}
	}
}

// What a process holds is for each operation that makes the call, and what waits is of all processes together.
func TestEnvoyClusterApplied(t *testing.T) {
	before, _ := scenario.Find("pastebin")
	found := read(t, `{"name": "db", "circuit_breakers": {"thresholds": [{"max_requests": 10, "max_pending_requests": 20}]}}`)
	after, err := found[0].Apply(before, "primary_read")
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range after.Operations {
		want := before.Processes.Cap[name]
		for _, step := range o.Steps {
			if step == "primary_read" {
				want = 10
			}
		}
		if got := after.Processes.Cap[name]; got != want {
			t.Errorf("%s: cap %d, want %d", name, got, want)
		}
	}
	if got, want := after.Dependencies["primary"].QueueLimit, 20*before.Processes.Count; got != want {
		t.Errorf("queue_limit %d, want %d", got, want)
	}
}

func TestEnvoyErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"retry_on": "5xx", "num_retries": -1}`, "num_retries: -1: must be a whole number, 0 or more"},
		{`{"retry_on": "5xx", "num_retries": 1.5}`, "num_retries: 1.5: must be a whole number, 0 or more"},
		{`{"retry_on": "5xx", "per_try_timeout": "fast"}`, `per_try_timeout: "fast": must be a duration, like "0.25s", 0s or more`},
		{`{"retry_on": "5xx", "per_try_timeout": "-1s"}`, `per_try_timeout: "-1s": must be a duration, like "0.25s", 0s or more`},
		{`{"retry_on": "5xx", "retry_back_off": {"max_interval": "1s"}}`, `retry_back_off: {…}: must be with base_interval`},
		{`{"retry_on": "5xx", "retry_back_off": {"base_interval": "2s", "max_interval": "1s"}}`, `retry_back_off.max_interval: "1s": must be base_interval or more`},
		{`{"retry_on": "retriable-status-codes", "retriable_status_codes": [50]}`, "retriable_status_codes.0: 50: must be a whole number, 100 or more"},
		{`{"thresholds": [{"retry_budget": {"budget_percent": {"value": 120}}}]}`, "thresholds.0.retry_budget.budget_percent.value: 120: must be a number, 0 to 100"},
		{`{"retry_on": ["5xx"], "num_retries": 2}`, `retry_on: […]: must be words, like "5xx,reset"`},
		{`{"retry_on": "retriable-status-codes", "retriable_status_codes": 503}`, "retriable_status_codes: 503: must be a list, like [503]"},
		{`{"circuit_breakers": {"thresholds": {"max_retries": 3}}}`, "circuit_breakers.thresholds: {…}: must be a list"},
		{`{"thresholds": [{"max_retries": "some"}]}`, `thresholds.0.max_retries: "some": must be a whole number`},
		{`{"hedge_policy": {"hedge_on_per_try_timeout": 3}}`, `hedge_policy.hedge_on_per_try_timeout: 3: must be true or false`},
	} {
		_, err := imports.Read(tree(t, c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%v\nmust say\n%s", c.text, err, c.want)
		}
	}
}
