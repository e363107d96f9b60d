package presets

import "stormbin/engine/scenario"

func envoy() Preset {
	return Preset{
		ID: "envoy", Name: "Envoy, retry on 5xx", Version: "documentation at commit 040783c",
		What: "Once it is told to retry on 5xx it sends a request once more after a 5xx, a reset or a refused connection, with three retries under way at the most; its route timeout it hands on.",
		Layer: scenario.Layer{
			Attempts: 2, Timeout: 15 * sec, RetryOn: []string{"error", "refused", "lost", "shed"},
			Backoff: exponential(25*ms, 250*ms), Jitter: "full",
		},
		Budget: scenario.Budget{Kind: "in_flight", Percent: 0, MinConcurrent: 3},
	}
}

func envoyTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "number of retries defaults to 1", "envoyproxy/envoy docs/root/configuration/http/http_filters/router_filter.rst, x-envoy-retry-on"},
			{"timeout", "route timeout 15s, which includes all retries", "envoyproxy/envoy docs/root/faq/configuration/timeouts.rst, commit 073db22; router_filter.rst, x-envoy-max-retries"},
			{"retry_on", "5xx: any 5xx, or no answer at all; a request over its timeout is not retried", "envoyproxy/envoy docs/root/configuration/http/http_filters/router_filter.rst, x-envoy-retry-on"},
			{"backoff.base", "25ms, fully jittered", "envoyproxy/envoy docs/root/configuration/http/http_filters/router_filter.rst, x-envoy-max-retries"},
			{"backoff.max", "ten times the base", "envoyproxy/envoy docs/root/configuration/http/http_filters/router_filter.rst, x-envoy-max-retries"},
			{"jitter", "fully jittered", "envoyproxy/envoy docs/root/configuration/http/http_filters/router_filter.rst, x-envoy-max-retries"},
			{"budget.min_concurrent", "max_retries 3 in parallel, of a cluster", "envoyproxy/envoy api/envoy/config/cluster/v3/circuit_breaker.proto, Thresholds, commit 01c2c1f"},
		},
		Unsaid: []string{
			"With no retry policy and no x-envoy-retry-on header it retries nothing.",
			"The 15s are for all attempts together; here each has them.",
			"A new connection fails after 5s (connect_timeout), and that is retried.",
			"Retry n waits up to 2^n − 1 times 25ms: the same as here for the one retry that there is.",
		},
	}
}

func envoyBudget() Preset {
	p := envoy()
	p.ID, p.Name = "envoy-budget", "Envoy, retry on 5xx, with a retry budget"
	p.What = "As envoy, but with an empty retry_budget, which allows retries for a fifth of the requests under way, and three whatever the traffic."
	p.Budget.Percent = 20
	return p
}

func envoyBudgetTold() Told {
	t := envoyTold()
	t.Sources = append(t.Sources[:len(t.Sources)-1],
		Source{"budget.percent", "budget_percent 20%", "envoyproxy/envoy api/envoy/config/cluster/v3/circuit_breaker.proto, RetryBudget, commit 01c2c1f"},
		Source{"budget.min_concurrent", "min_retry_concurrency 3", "envoyproxy/envoy api/envoy/config/cluster/v3/circuit_breaker.proto, RetryBudget, commit 01c2c1f"},
	)
	return t
}

func istio() Preset {
	return Preset{
		ID: "istio", Name: "Istio", Version: "commit 126806a",
		What: "Sends every request of the mesh up to three times after a refused connection or stream and after a 503, on another host if there is one, though nobody has asked for it; it waits for an answer for ever.",
		Layer: scenario.Layer{
			Attempts: 3, RetryOn: []string{"refused", "shed"},
			Backoff: exponential(25*ms, 250*ms), Jitter: "full",
		},
	}
}

func istioTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "NumRetries 2", "istio/istio pilot/pkg/networking/core/route/retry/retry.go, defaultPolicy"},
			{"timeout", "no timeout, per try or in all", "istio/api networking/v1alpha3/virtual_service.proto, HTTPRetry.per_try_timeout, commit 01bf2a6"},
			{"retry_on", "connect-failure,refused-stream,unavailable,cancelled,retriable-status-codes, the last being 503", "istio/istio pilot/pkg/networking/core/route/retry/retry.go, defaultPolicy"},
			{"backoff.base", "25ms+: Envoy’s", "istio/api networking/v1alpha3/virtual_service.proto, HTTPRetry.attempts; envoyproxy/envoy docs/root/configuration/http/http_filters/router_filter.rst, x-envoy-max-retries"},
			{"backoff.max", "Envoy’s, ten times the base", "envoyproxy/envoy docs/root/configuration/http/http_filters/router_filter.rst, x-envoy-max-retries"},
			{"jitter", "Envoy’s, full", "envoyproxy/envoy docs/root/configuration/http/http_filters/router_filter.rst, x-envoy-max-retries"},
		},
		Unsaid: []string{
			"gRPC answers UNAVAILABLE and CANCELLED are retried too.",
			"The second retry waits up to 75ms, not 50: Envoy’s waits grow by 2^n − 1.",
			"With the feature that leaves 503 out only refused connections and streams remain.",
			"How long it waits for a connection, and its bound on parallel retries, were not read.",
		},
	}
}

func nginx() Preset {
	return Preset{
		ID: "nginx", Name: "nginx proxy_pass to two servers", Version: "commit 003b2cd",
		What: "Hands a request to the next server of the upstream after an error of the connection or a timeout, until none is left; an error answer it hands on.",
		Layer: scenario.Layer{
			Attempts: 2, Timeout: 60 * sec, RetryOn: []string{"timeout", "refused", "lost"},
			Backoff: atOnce(), Jitter: "none",
		},
	}
}

func nginxTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "proxy_next_upstream_tries 0, no bound but the number of servers; two are assumed", "nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_next_upstream_tries, read where others quote it"},
			{"timeout", "proxy_read_timeout 60s", "nginx/nginx src/http/modules/ngx_http_proxy_module.c, ngx_http_proxy_merge_loc_conf"},
			{"retry_on", "proxy_next_upstream error timeout", "nginx/nginx src/http/modules/ngx_http_proxy_module.c, ngx_http_proxy_merge_loc_conf"},
		},
		Unsaid: []string{
			"Each retry goes to another server; here all go to the one dependency.",
			"POST, LOCK and PATCH are not handed on once they have been sent.",
			"Nothing is handed on once a part of the answer has gone to the client.",
			"A read timeout is between two reads, not for the whole answer.",
			"How long it waits for a connection was not read in this version.",
		},
	}
}
