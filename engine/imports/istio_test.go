package imports_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/scenario"
)

const virtualService = `{
	"apiVersion": "networking.istio.io/v1", "kind": "VirtualService", "metadata": {"name": "basket"},
	"spec": {
		"hosts": ["basket"], "gateways": ["mesh"],
		"http": [
			{
				"name": "reads", "match": [{"method": {"exact": "GET"}}], "route": [{"destination": {"host": "basket", "subset": "v2"}, "weight": 100}],
				"timeout": "2s", "retries": {"attempts": 3, "perTryTimeout": "600ms", "retryOn": "gateway-error,connect-failure,503,moonlight", "backoff": "40ms", "retryRemoteLocalities": true},
				"fault": {"abort": {"percentage": {"value": 12.5}, "httpStatus": 503}, "delay": {"percentage": {"value": 1}, "fixedDelay": "2s"}},
				"mirror": {"host": "basket-next"}
			},
			{"match": [{"uri": {"prefix": "/admin"}}], "route": [{"destination": {"host": "basket"}}], "retries": {"attempts": 0}},
			{"route": [{"destination": {"host": "basket"}}], "corsPolicy": {"allowMethods": ["GET"]}},
			{"match": [{"uri": {"prefix": "/old"}}], "redirect": {"uri": "/new"}}
		],
		"tcp": [{"route": [{"destination": {"host": "basket"}}]}]
	}
}`

func TestIstioVirtualService(t *testing.T) {
	allIsToldOf(t, virtualService)
	found := read(t, virtualService)
	want := []map[string]any{
		{"call.timeout": "600ms", "call.attempts": 4, "call.retry_on": []string{"timeout", "error", "refused", "lost", "shed"}, "call.hedge_after": "0s",
			"call.backoff.kind": "exponential", "call.backoff.base": "40ms", "call.backoff.max": "400ms", "call.jitter": "full",
			"fault": map[string]any{"kind": "flaky", "p": 0.125}},
		{"call.timeout": "0s", "call.attempts": 1, "call.hedge_after": "0s"},
		{"call.timeout": "0s", "call.attempts": 3, "call.retry_on": []string{"refused", "shed"}, "call.hedge_after": "0s",
			"call.backoff.kind": "exponential", "call.backoff.base": "25ms", "call.backoff.max": "250ms", "call.jitter": "full"},
	}
	if len(found) != len(want) {
		t.Fatalf("%d routes: %+v", len(found), found)
	}
	for i, f := range found {
		if diff := cmp.Diff(want[i], settings(f)); diff != "" {
			t.Errorf("%s %s:\n%s", f.Path, f.Name, diff)
		}
	}
	if found[0].Name != "reads" || found[1].Name != "basket" {
		t.Errorf("named %q and %q", found[0].Name, found[1].Name)
	}

	before, _ := scenario.Find("pastebin")
	after, err := found[0].Apply(before, "primary_read")
	if err != nil {
		t.Fatal(err)
	}
	faults := append(before.Faults, scenario.Fault{Target: "primary", Kind: "flaky", P: 0.125, Factor: 1})
	if diff := cmp.Diff(faults, after.Faults); diff != "" {
		t.Errorf("one fault more, of the call's dependency:\n%s", diff)
	}
}

const destinationRule = `{
	"kind": "DestinationRule", "metadata": {"name": "basket"},
	"spec": {
		"host": "basket.shop.svc.cluster.local",
		"trafficPolicy": {
			"loadBalancer": {"simple": "LEAST_REQUEST"},
			"connectionPool": {
				"tcp": {"maxConnections": 50, "connectTimeout": "30ms", "tcpKeepalive": {"time": "7200s"}},
				"http": {"http1MaxPendingRequests": 8, "http2MaxRequests": 64, "maxRetries": 2, "maxRequestsPerConnection": 10}},
			"outlierDetection": {"consecutive5xxErrors": 7, "interval": "1m", "baseEjectionTime": "15s", "maxEjectionPercent": 100, "splitExternalLocalOriginErrors": false},
			"portLevelSettings": [{"port": {"number": 8080}, "connectionPool": {"http": {"maxRetries": 1}}}]
		},
		"subsets": [{"name": "v1", "labels": {"version": "v1"}}, {"name": "v2", "trafficPolicy": {"retryBudget": {"percent": 15}, "outlierDetection": {"consecutiveGatewayErrors": 3, "maxEjectionPercent": 50}}}]
	}
}`

func TestIstioDestinationRule(t *testing.T) {
	allIsToldOf(t, destinationRule)
	got := map[string]map[string]any{}
	for _, f := range read(t, destinationRule) {
		got[f.Name] = settings(f)
	}
	budget := func(m map[string]any, least int) map[string]any {
		m["policy.budget.kind"], m["policy.budget.percent"], m["policy.budget.min_concurrent"] = "in_flight", 0, least
		return m
	}
	want := map[string]map[string]any{
		"basket": budget(map[string]any{"cap": 64, "queue": 8, "policy.breaker.enabled": true, "policy.breaker.on": []string{"timeout", "error", "refused", "lost", "shed"},
			"policy.breaker.threshold": 1, "policy.breaker.min_calls": 7, "policy.breaker.window": "1m0s", "policy.breaker.open_for": "15s",
			"policy.breaker.probes": 1, "policy.breaker.per": "process"}, 2),
		"basket, port 8080": budget(map[string]any{}, 1),
		// It has the whole's pool. Half of the hosts may be put out, which is nothing that one dependency can do.
		"basket, subset v2": {"cap": 64, "queue": 8, "policy.budget.kind": "in_flight", "policy.budget.percent": 15.0, "policy.budget.min_concurrent": 3},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	before, _ := scenario.Find("pastebin")
	after, err := read(t, destinationRule)[0].Apply(before, "primary_read")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"primary"}, after.Policy.Breaker.Targets); diff != "" || !after.Policy.Breaker.Enabled {
		t.Errorf("the breaker is before the call's dependency alone:\n%s", diff)
	}
}

// YAML takes 503 without quotes for a number.
func TestIstioRetryOnAStatus(t *testing.T) {
	found := read(t, `{"http": [{"route": [{"destination": {"host": "a"}}], "retries": {"attempts": 1, "retryOn": 503}}]}`)
	if diff := cmp.Diff([]string{"shed"}, settings(found[0])["call.retry_on"]); diff != "" {
		t.Error(diff)
	}
}
