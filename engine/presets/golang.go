package presets

import "stormbin/engine/scenario"

func netHTTP() Preset {
	return Preset{
		ID: "net-http", Name: "Go net/http", Version: "Go 1.26.8",
		What: "Sends an idempotent request again if the idle connection it took was dead; a new connection that fails, a timeout and an error answer it hands on.",
		Layer: scenario.Layer{
			// Both idle connections may be dead; the third is new, and on a new one nothing is retried.
			Attempts: 3, RetryOn: []string{"refused", "lost"},
			Backoff: atOnce(), Jitter: "none",
		},
		Dial: connect(30 * sec),
	}
}

func netHTTPTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "again while the connection was a reused one; DefaultMaxIdleConnsPerHost 2", "golang/go src/net/http/transport.go, (*Transport).roundTrip, (*persistConn).shouldRetryRequest and DefaultMaxIdleConnsPerHost"},
			{"retry_on", "nothing written; or the connection failed before the first byte of an answer, for a request that may be replayed", "golang/go src/net/http/transport.go, (*persistConn).shouldRetryRequest"},
			{"dial.timeout", "net.Dialer Timeout 30s", "golang/go src/net/http/transport.go, DefaultTransport"},
		},
		Unsaid: []string{
			"A new connection that is refused is not retried; the format can’t tell it from a dead idle one.",
			"May be replayed: GET, HEAD, OPTIONS, TRACE, or any method with an Idempotency-Key header, if the body can be had again (Request.isReplayable).",
			"An answer is waited for without end: DefaultClient has no Timeout.",
			"TLS handshakes have 10s of their own.",
		},
	}
}

func databaseSQL() Preset {
	return Preset{
		ID: "database-sql", Name: "Go database/sql", Version: "Go 1.26.8",
		What: "Tries again, twice, if the driver says that the connection was bad and nothing was done (ErrBadConn), the last time on a new connection; everything else it hands on.",
		Layer: scenario.Layer{
			Attempts: 3, RetryOn: []string{"refused"},
			Backoff: atOnce(), Jitter: "none",
		},
	}
}

func databaseSQLTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "maxBadConnRetries 2, and once more on a new connection", "golang/go src/database/sql/sql.go, (*DB).retry"},
			{"retry_on", "ErrBadConn, which a driver may not return if the server might have done the work", "golang/go src/database/sql/sql.go, (*DB).retry; src/database/sql/driver/driver.go, ErrBadConn"},
		},
		Unsaid: []string{
			"A new connection that is refused is retried only if the driver calls that ErrBadConn.",
			"It has no timeout of its own: the context has, or the driver.",
		},
	}
}

func retryableHTTP() Preset {
	return Preset{
		ID: "go-retryablehttp", Name: "HashiCorp go-retryablehttp", Version: "commit 003bcd1",
		What: "Sends a request up to five times after any transport error and any 5xx but 501, whatever its method.",
		Layer: scenario.Layer{
			Attempts: 5, RetryOn: whatever(),
			Backoff: exponential(sec, 30*sec), Jitter: "none",
		},
	}
}

func retryableHTTPTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "defaultRetryMax 4 retries", "hashicorp/go-retryablehttp client.go, defaultRetryMax and (*Client).Do"},
			{"retry_on", "any error; status 0 and 500 up, but 501", "hashicorp/go-retryablehttp client.go, DefaultRetryPolicy"},
			{"backoff.base", "defaultRetryWaitMin 1s × 2^attempt, from 0", "hashicorp/go-retryablehttp client.go, DefaultBackoff"},
			{"backoff.max", "defaultRetryWaitMax 30s", "hashicorp/go-retryablehttp client.go, DefaultBackoff"},
		},
		Unsaid: []string{
			"Timeouts are those of the HTTP client in it (go-cleanhttp), which were not read; a request has none unless its context has.",
			"A context that has ended is not retried.",
			"Of error answers only 5xx are retried.",
		},
	}
}
