package presets

import "stormbin/engine/scenario"

func requests() Preset {
	return Preset{
		ID: "requests", Name: "Python Requests", Version: "commit 0034aaf",
		What:  "Retries nothing, and waits for ever.",
		Layer: once(),
	}
}

func requestsTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "DEFAULT_RETRIES 0", "psf/requests src/requests/adapters.py, HTTPAdapter.__init__"},
			{"timeout", "timeout=None", "psf/requests src/requests/adapters.py, BaseAdapter.send"},
		},
		Unsaid: []string{"With max_retries set it retries failed lookups, connections and connect timeouts, never what has reached the server."},
	}
}

func axiosRetry() Preset {
	return Preset{
		ID: "axios-retry", Name: "axios-retry", Version: "commit 09745ad",
		What: "Sends a request up to four times after a network error, and after a 5xx if the method is idempotent; a timeout it hands on.",
		Layer: scenario.Layer{
			Attempts: 4, RetryOn: []string{"error", "refused", "lost", "shed"},
			Backoff: atOnce(), Jitter: "none",
		},
	}
}

func axiosRetryTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "retries 3", "softonic/axios-retry src/index.ts, DEFAULT_OPTIONS"},
			{"retry_on", "isNetworkOrIdempotentRequestError, which leaves out ECONNABORTED", "softonic/axios-retry src/index.ts, DEFAULT_OPTIONS, isNetworkError and isRetryableError"},
			{"backoff.kind", "retryDelay noDelay", "softonic/axios-retry src/index.ts, DEFAULT_OPTIONS"},
		},
		Unsaid: []string{
			"Idempotent are GET, HEAD, OPTIONS, PUT and DELETE.",
			"A network error is retried for other methods too, unless the package is-retry-allowed knows better.",
			"A timeout is axios’s own and is for all attempts together (shouldResetTimeout false); axios’s default was not read.",
		},
	}
}

func okHTTP() Preset {
	return Preset{
		ID: "okhttp", Name: "OkHttp", Version: "5, commit 04de4cb",
		What: "Sends a request again if a pooled connection was dead or another address of the host is left; a slow answer and an error answer it hands on.",
		Layer: scenario.Layer{
			Attempts: 2, Timeout: 10 * sec, RetryOn: []string{"refused", "lost"},
			Backoff: atOnce(), Jitter: "none",
		},
	}
}

func okHTTPTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "retryOnConnectionFailure true, while there is a route left: one pooled connection, then a new one", "square/okhttp okhttp/src/main/kotlin/okhttp3/OkHttpClient.kt, Builder; internal/http/RetryAndFollowUpInterceptor.kt, recover"},
			{"timeout", "connectTimeout, readTimeout and writeTimeout 10s each", "square/okhttp okhttp/src/main/kotlin/okhttp3/OkHttpClient.kt, Builder, commit 0073f34"},
			{"retry_on", "any IOException but a protocol problem or a timeout after sending began", "square/okhttp okhttp/src/main/kotlin/okhttp3/internal/http/RetryAndFollowUpInterceptor.kt, isRecoverable"},
		},
		Unsaid: []string{
			"A host with several addresses is tried at each of them, a connect timeout included.",
			"A body that can be sent only once is not sent again.",
			"A 408, and a 503 with Retry-After: 0, are sent once more.",
			"The whole call has no bound (callTimeout 0).",
		},
	}
}

func polly() Preset {
	return Preset{
		ID: "polly", Name: "Polly retry strategy", Version: "8, commit 243b044",
		What: "Runs what it is given up to four times after any exception but a cancellation.",
		Layer: scenario.Layer{
			Attempts: 4, RetryOn: whatever(),
			Backoff: constant(2 * sec), Jitter: "none",
		},
	}
}

func pollyTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "DefaultRetryCount 3 retries", "App-vNext/Polly src/Polly.Core/Retry/RetryConstants.cs"},
			{"retry_on", "any exception except OperationCanceledException", "App-vNext/Polly src/Polly.Core/Retry/RetryStrategyOptions.TResult.cs, ShouldHandle"},
			{"backoff.base", "DefaultBackoffType Constant, DefaultBaseDelay 2s, UseJitter false", "App-vNext/Polly src/Polly.Core/Retry/RetryConstants.cs; RetryStrategyOptions.TResult.cs, UseJitter"},
		},
		Unsaid: []string{
			"A timeout is a strategy of its own; without one nothing bounds an attempt.",
			"Whether an error answer is an exception is for what it is given to say.",
		},
	}
}

func dotnetHTTP() Preset {
	return Preset{
		ID: "dotnet-http", Name: ".NET standard resilience handler", Version: "Microsoft.Extensions.Http.Resilience 8, commit 188c41c",
		What: "Sends a request up to four times after a timeout, a transport error or a 5xx, all of it within thirty seconds.",
		Layer: scenario.Layer{
			Attempts: 4, Timeout: 10 * sec, RetryOn: whatever(),
			Backoff: exponential(2*sec, 0), Jitter: "full",
		},
		Within: 30 * sec,
	}
}

func dotnetHTTPTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "Polly’s DefaultRetryCount 3 retries", "App-vNext/Polly src/Polly.Core/Retry/RetryConstants.cs"},
			{"timeout", "AttemptTimeout 10s", "dotnet/extensions src/Libraries/Microsoft.Extensions.Http.Resilience/Resilience/HttpStandardResilienceOptions.cs"},
			{"retry_on", "timeouts, 5xx and HttpRequestException", "dotnet/extensions src/Libraries/Microsoft.Extensions.Http.Resilience/Polly/HttpRetryStrategyOptions.cs"},
			{"backoff.base", "BackoffType Exponential, Polly’s DefaultBaseDelay 2s", "dotnet/extensions src/Libraries/Microsoft.Extensions.Http.Resilience/Polly/HttpRetryStrategyOptions.cs; App-vNext/Polly src/Polly.Core/Retry/RetryConstants.cs"},
			{"jitter", "UseJitter true", "dotnet/extensions src/Libraries/Microsoft.Extensions.Http.Resilience/Polly/HttpRetryStrategyOptions.cs"},
			{"within", "TotalRequestTimeout, a timeout strategy with Polly’s default of 30s", "dotnet/extensions src/Libraries/Microsoft.Extensions.Http.Resilience/Resilience/HttpStandardResilienceOptions.cs; App-vNext/Polly src/Polly.Core/Timeout/TimeoutStrategyOptions.cs"},
		},
		Unsaid: []string{
			"Its jitter is a formula of Polly’s own, with 2s as the median of the first wait; full jitter stands for it.",
			"A Retry-After header sets the wait.",
			"A rate limiter comes before it, and a circuit breaker stands between the retries and the attempt’s timeout.",
		},
	}
}

func resilience4j() Preset {
	return Preset{
		ID: "resilience4j", Name: "resilience4j Retry", Version: "commit 0124df7",
		What: "Runs what it is given up to three times after any exception.",
		Layer: scenario.Layer{
			Attempts: 3, RetryOn: whatever(),
			Backoff: constant(500 * ms), Jitter: "none",
		},
	}
}

func resilience4jTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "DEFAULT_MAX_ATTEMPTS 3", "resilience4j/resilience4j resilience4j-retry/src/main/java/io/github/resilience4j/retry/RetryConfig.java"},
			{"retry_on", "DEFAULT_RECORD_FAILURE_PREDICATE: any Throwable", "resilience4j/resilience4j resilience4j-retry/src/main/java/io/github/resilience4j/retry/RetryConfig.java"},
			{"backoff.base", "DEFAULT_WAIT_DURATION 500ms, always the same", "resilience4j/resilience4j resilience4j-retry/src/main/java/io/github/resilience4j/retry/RetryConfig.java, DEFAULT_INTERVAL_FUNCTION"},
		},
		Unsaid: []string{
			"A timeout is a module of its own; without one nothing bounds an attempt.",
			"Whether an error answer is an exception is for what it is given to say.",
		},
	}
}

func springRetry() Preset {
	return Preset{
		ID: "spring-retry", Name: "Spring Retry @Retryable", Version: "commit 0a7a4cc",
		What: "Runs a method up to three times, a second apart, after any exception.",
		Layer: scenario.Layer{
			Attempts: 3, RetryOn: whatever(),
			Backoff: constant(sec), Jitter: "none",
		},
	}
}

func springRetryTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "maxAttempts 3, the first included", "spring-projects/spring-retry src/main/java/org/springframework/retry/annotation/Retryable.java"},
			{"retry_on", "include and exclude empty: all exceptions", "spring-projects/spring-retry src/main/java/org/springframework/retry/annotation/Retryable.java"},
			{"backoff.base", "a fixed delay of 1000ms", "spring-projects/spring-retry src/main/java/org/springframework/retry/annotation/Backoff.java, commit 004d277"},
		},
		Unsaid: []string{
			"It has no timeout: nothing bounds an attempt.",
			"Whether an error answer is an exception is for the method to say.",
		},
	}
}

func finagle() Preset {
	return Preset{
		ID: "finagle", Name: "Finagle requeues", Version: "commit 0e26b57",
		What: "Sends again, at once, what was surely not worked on, within a budget of a fifth of the requests and ten a second; what may have been worked on it hands on.",
		Layer: scenario.Layer{
			// A fifth of a full balance: 10/s × the 10s that deposits live = 100 retries.
			Attempts: 21, RetryOn: []string{"refused", "shed"},
			Backoff: atOnce(), Jitter: "none",
		},
		Budget: scenario.Budget{Kind: "ratio", Percent: 20, FloorPerSecond: 10},
	}
}

func finagleTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "MaxRequeuesPerReq 0.2 of the budget’s balance, which is 100 for a client without traffic", "twitter/finagle finagle-core/src/main/scala/com/twitter/finagle/service/Retries.scala; RequeueFilter.scala, apply; RetryBudget.scala, DefaultTtl"},
			{"retry_on", "RetryableWriteException, and what the server turned away (NACK)", "twitter/finagle finagle-core/src/main/scala/com/twitter/finagle/service/RequeueFilter.scala"},
			{"backoff.kind", "emptyBackoffSchedule, all zero", "twitter/finagle finagle-core/src/main/scala/com/twitter/finagle/service/Retries.scala, Budget"},
			{"budget.percent", "percentCanRetry 0.2", "twitter/finagle finagle-core/src/main/scala/com/twitter/finagle/service/RetryBudget.scala, apply"},
			{"budget.floor_per_second", "minRetriesPerSec 10", "twitter/finagle finagle-core/src/main/scala/com/twitter/finagle/service/RetryBudget.scala, apply"},
		},
		Unsaid: []string{
			"The more traffic, the more requeues one request may have: a fifth of what the balance is then.",
			"Its budget holds what ten seconds bring in, ours ten retries.",
			"Its timeouts were not read.",
		},
	}
}
