package presets

import "stormbin/engine/scenario"

func grpc() Preset {
	return Preset{
		ID: "grpc", Name: "gRPC", Version: "grpc-go, commit e26457d",
		What: "Sends again, once, what the server has surely not seen (transparent retry); without a retry policy in the service config everything else is handed on.",
		Layer: scenario.Layer{
			Attempts: 2, RetryOn: []string{"refused"},
			Backoff: atOnce(), Jitter: "none",
		},
		Dial: connect(20 * sec),
	}
}

func grpcTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "a first attempt that was not processed is sent once more", "grpc/grpc-go stream.go, (*csAttempt).shouldRetry; grpc/proposal A6-client-retries.md, Transparent Retries"},
			{"retry_on", "never left the client, or the server’s library has it but not its application", "grpc/proposal A6-client-retries.md, Transparent Retries"},
			{"dial.timeout", "minConnectTimeout 20s", "grpc/grpc-go clientconn.go, minConnectTimeout, commit 001f93a"},
		},
		Unsaid: []string{
			"What never left the client is tried until the deadline, however often.",
			"An answer is waited for without end: a call has no deadline unless the caller gives it one.",
			"After a connection has failed, calls fail at once while the next is put off: 1s, then 1.6 times as long, up to 120s, spread by a fifth (backoff/backoff.go, DefaultConfig).",
		},
	}
}

func grpcRetry() Preset {
	return Preset{
		ID: "grpc-retry", Name: "gRPC with the retry policy of its proposal", Version: "proposal A6, commit 0070717",
		What: "Not a default, but what people copy: up to four attempts on UNAVAILABLE, stopped while failures prevail (retryThrottling); other errors and deadlines are handed on.",
		Layer: scenario.Layer{
			Attempts: 4, RetryOn: []string{"error", "refused", "lost", "shed"},
			Backoff: exponential(100*ms, sec), Jitter: "full",
		},
		Dial:   connect(20 * sec),
		Budget: scenario.Budget{Kind: "tokens", MaxTokens: 10, TokenRatio: 0.1},
	}
}

func grpcRetryTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "maxAttempts 4", "grpc/proposal A6-client-retries.md, Retry Policy"},
			{"retry_on", "retryableStatusCodes UNAVAILABLE", "grpc/proposal A6-client-retries.md, Retry Policy"},
			{"backoff.base", "initialBackoff .1s, backoffMultiplier 2", "grpc/proposal A6-client-retries.md, Retry Policy"},
			{"backoff.max", "maxBackoff 1s", "grpc/proposal A6-client-retries.md, Retry Policy"},
			{"jitter", "anywhere from nothing to the wait", "grpc/grpc-go stream.go, (*csAttempt).shouldRetry, commit e26457d"},
			{"dial.timeout", "minConnectTimeout 20s", "grpc/grpc-go clientconn.go, minConnectTimeout, commit 001f93a"},
			{"budget.max_tokens", "retryThrottling maxTokens 10", "grpc/proposal A6-client-retries.md, Throttling Retry Attempts and Hedged RPCs"},
			{"budget.token_ratio", "retryThrottling tokenRatio 0.1", "grpc/proposal A6-client-retries.md, Throttling Retry Attempts and Hedged RPCs"},
		},
		Unsaid: []string{
			"Of error answers only UNAVAILABLE is retried, and only that counts against the throttle.",
			"A connect that timed out is UNAVAILABLE too, but the attempts after it fail at once while the channel backs off, so that it counts as one here.",
			"Transparent retries come on top.",
			"A server may say when to come again, or never (grpc-retry-pushback-ms).",
			"Later versions may spread the waits otherwise; that was not read.",
		},
	}
}
