package presets

import "stormbin/engine/scenario"

func awsSDK() Preset {
	return Preset{
		ID: "aws-sdk-go-v2", Name: "AWS SDK for Go v2, standard mode", Version: "before the defaults of AWS_NEW_RETRIES_2026",
		What: "Sends a request up to three times after connection errors, timeouts, throttling and the statuses 500, 502, 503 and 504; other error answers it hands on.",
		Layer: scenario.Layer{
			Attempts: 3, RetryOn: whatever(),
			// Attempt numbers begin with 1, so the first wait is anywhere below 2s.
			Backoff: exponential(2*sec, 20*sec), Jitter: "full",
		},
		Dial: connect(30 * sec),
	}
}

func awsSDKTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "DefaultMaxAttempts 3", "aws/aws-sdk-go-v2 aws/retry/standard.go"},
			{"retry_on", "DefaultRetryables: connection errors, the four statuses, timeout and throttle codes", "aws/aws-sdk-go-v2 aws/retry/standard.go, DefaultRetryables; pull request 3400 on timeouts"},
			{"backoff.base", "random [0, 1) × 2^attempt seconds", "aws/aws-sdk-go-v2 aws/retry/jitter_backoff.go, backoffDelayLegacy; middleware.go, handleAttempt"},
			{"backoff.max", "DefaultMaxBackoff 20s", "aws/aws-sdk-go-v2 aws/retry/standard.go"},
			{"jitter", "random [0, 1) × the wait", "aws/aws-sdk-go-v2 aws/retry/jitter_backoff.go, backoffDelayLegacy"},
			{"dial.timeout", "DefaultDialConnectTimeout 30s", "aws/aws-sdk-go-v2 aws/transport/http/client.go"},
			{"version", "with AWS_NEW_RETRIES_2026 the base is 50ms, or 1s when throttled; the default no sooner than November 2026", "aws/aws-sdk-go-v2 issue 3416"},
		},
		Unsaid: []string{
			"A bucket of 500 tokens bounds the retries of a client: 5 for each, 10 after a timeout, given back if the retry goes well, and one for each first attempt that does. No kind of budget here is that.",
			"An answer is waited for without end.",
			"TLS handshakes have 10s of their own.",
		},
	}
}

func kafkaProducer() Preset {
	return Preset{
		ID: "kafka-producer", Name: "Apache Kafka producer", Version: "4, commit 0106e70",
		What: "Sends a batch again after every failure that may pass, for two minutes.",
		Layer: scenario.Layer{
			Attempts: 100, Timeout: 30 * sec, RetryOn: whatever(),
			Backoff: exponential(100*ms, sec), Jitter: "none",
		},
		Within: 120 * sec,
	}
}

func kafkaProducerTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "retries 2147483647", "apache/kafka clients/src/main/java/org/apache/kafka/clients/producer/ProducerConfig.java, RETRIES_CONFIG"},
			{"timeout", "request.timeout.ms 30000", "apache/kafka clients/src/main/java/org/apache/kafka/clients/producer/ProducerConfig.java, REQUEST_TIMEOUT_MS_CONFIG"},
			{"retry_on", "any request that fails with a potentially transient error", "apache/kafka clients/src/main/java/org/apache/kafka/clients/CommonClientConfigs.java, RETRIES_DOC"},
			{"backoff.base", "retry.backoff.ms 100, doubled each time", "apache/kafka clients/src/main/java/org/apache/kafka/clients/CommonClientConfigs.java, DEFAULT_RETRY_BACKOFF_MS and RETRY_BACKOFF_EXP_BASE"},
			{"backoff.max", "retry.backoff.max.ms 1000", "apache/kafka clients/src/main/java/org/apache/kafka/clients/CommonClientConfigs.java, DEFAULT_RETRY_BACKOFF_MAX_MS"},
			{"within", "delivery.timeout.ms 120000", "apache/kafka clients/src/main/java/org/apache/kafka/clients/producer/ProducerConfig.java, DELIVERY_TIMEOUT_MS_CONFIG"},
		},
		Unsaid: []string{
			"Attempts are as good as unbounded; a scenario has a hundred at the most.",
			"Waits are spread by a fifth to both sides; the format has jitter only within a wait.",
			"A retried batch is not stored twice: enable.idempotence is true.",
			"A new connection has 10s, then more, up to 30s (socket.connection.setup.timeout.ms).",
		},
	}
}

func mongodb() Preset {
	return Preset{
		ID: "mongodb", Name: "MongoDB drivers, reads", Version: "manual, drivers for server 4.2 and later",
		What: "Sends a read once more after a network error and after some server errors.",
		Layer: scenario.Layer{
			Attempts: 2, RetryOn: []string{"refused", "lost"},
			Backoff: atOnce(), Jitter: "none",
		},
	}
}

func mongodbTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "retried a single time, by default", "www.mongodb.com/docs/manual/core/retryable-reads"},
			{"retry_on", "certain network or server errors", "www.mongodb.com/docs/manual/core/retryable-reads"},
		},
		Unsaid: []string{
			"Server errors that mean that a primary is gone are retried too; the format has one word for all error answers.",
			"Aggregations that write, with $out or $merge, are not retried.",
			"Its timeouts, for choosing a server and for connecting, were not read.",
		},
	}
}

func elasticsearch() Preset {
	return Preset{
		ID: "go-elasticsearch", Name: "Elasticsearch client for Go", Version: "elastic-transport-go, commit 0094c5a",
		What: "Sends a request up to four times, at once and whatever its method, after any transport error and the statuses 502, 503 and 504; other error answers it hands on.",
		Layer: scenario.Layer{
			Attempts: 4, RetryOn: whatever(),
			Backoff: atOnce(), Jitter: "none",
		},
		Dial: connect(30 * sec),
	}
}

func elasticsearchTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "defaultMaxRetries 3", "elastic/elastic-transport-go elastictransport/elastictransport.go"},
			{"retry_on", "any error if there is no RetryOnError; defaultRetryOnStatus 502, 503, 504", "elastic/elastic-transport-go elastictransport/elastictransport.go, (*Client).Perform"},
			{"backoff.kind", "no wait unless RetryBackoff is set", "elastic/elastic-transport-go elastictransport/elastictransport.go, (*Client).Perform"},
			{"dial.timeout", "net/http’s DefaultTransport: 30s", "elastic/elastic-transport-go elastictransport/elastictransport.go, New; golang/go src/net/http/transport.go, DefaultTransport"},
		},
		Unsaid: []string{
			"With several nodes each retry goes to another.",
			"An answer is waited for without end.",
			"Of error answers only 502, 503 and 504 are retried.",
		},
	}
}

func temporal() Preset {
	return Preset{
		ID: "temporal", Name: "Temporal activities", Version: "Ruby SDK documentation",
		What: "Runs an activity again after every failure, at longer and longer intervals, for ever.",
		Layer: scenario.Layer{
			Attempts: 100, RetryOn: whatever(),
			Backoff: exponential(sec, 100*sec), Jitter: "none",
		},
	}
}

func temporalTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "max_attempts 0, no maximum", "rubydoc.info/gems/temporalio/Temporalio/RetryPolicy"},
			{"retry_on", "an activity that fails is retried by default", "docs.temporal.io/encyclopedia/retry-policies"},
			{"backoff.base", "initial_interval 1.0s, backoff_coefficient 2.0", "rubydoc.info/gems/temporalio/Temporalio/RetryPolicy"},
			{"backoff.max", "max_interval 100 × initial_interval", "rubydoc.info/gems/temporalio/Temporalio/RetryPolicy"},
		},
		Unsaid: []string{
			"Attempts are unbounded; a scenario has a hundred at the most.",
			"The time for one attempt is for who writes the activity to say.",
			"Errors named as not retryable end it.",
		},
	}
}
