package presets

import "stormbin/engine/scenario"

func goRedis() Preset {
	return Preset{
		ID: "go-redis", Name: "go-redis", Version: "9.22.0",
		What: "Sends a command up to four times after a timeout, a broken connection or a full server, and dials up to five times for each; most error answers it hands on.",
		Layer: scenario.Layer{
			Attempts: 4, RetryOn: []string{"timeout", "refused", "lost", "shed"},
			// The first retry already doubles: RetryBackoff shifts by the attempt's number, which is 1 by then.
			Backoff: exponential(20*ms, sec), Jitter: "full",
		},
		Dial: scenario.Layer{
			Attempts: 5, Timeout: 5 * sec, RetryOn: []string{"timeout", "refused"},
			Backoff: constant(100 * ms), Jitter: "none",
		},
	}
}

func goRedisTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "MaxRetries 3, so four in all", "redis/go-redis options.go, (*Options).init"},
			{"retry_on", "a dial that failed, a timeout, EOF, and the answer \"ERR max number of clients reached\"", "redis/go-redis error.go, shouldRetry"},
			{"backoff.base", "MinRetryBackoff 10ms, shifted by the attempt’s number", "redis/go-redis options.go, (*Options).init; internal/internal.go, RetryBackoff; redis.go, (*baseClient)._process"},
			{"backoff.max", "MaxRetryBackoff 1s", "redis/go-redis options.go, (*Options).init"},
			{"jitter", "a random part of the shifted wait, on top of MinRetryBackoff", "redis/go-redis internal/internal.go, RetryBackoff"},
			{"dial.attempts", "DialerRetries 5, the first included", "redis/go-redis options.go, (*Options).init; internal/pool/pool.go, (*ConnPool).dialConn"},
			{"dial.timeout", "DialTimeout 5s, for each dial", "redis/go-redis options.go, (*Options).init; internal/pool/pool.go, (*ConnPool).dialConn; pull request 3705"},
			{"dial.retry_on", "whatever the dialer fails with", "redis/go-redis internal/pool/pool.go, (*ConnPool).dialConn"},
			{"dial.backoff.base", "DialerRetryTimeout 100ms, none after the last dial", "redis/go-redis options.go, (*Options).init; internal/pool/pool.go, dialConn and dialRetryBackoff"},
			{"version", "the defaults of 9.22.0: reads 5s, backoff 10ms to 1s; up to 9.21 they were 3s, 8ms and 512ms", "redis/go-redis pull request 3918; release notes of 9.22.0"},
		},
		Unsaid: []string{
			"On an open connection an answer is waited for 5s (ReadTimeout), and that is retried too.",
			"A wait before a retry is never shorter than 10ms.",
			"Of the error answers LOADING, READONLY, MASTERDOWN, CLUSTERDOWN and TRYAGAIN are retried.",
			"After as many failed dials as the pool has places every further command fails at once, until a probe a second gets through.",
			"Before pull request 3705 (February 2026) the 5s were for all five dials together, so that the dial loop took 5s.",
		},
	}
}

func ioredis() Preset {
	return Preset{
		ID: "ioredis", Name: "ioredis", Version: "6.0.0",
		What:  "Keeps a command while it reconnects, up to twenty times, and sends it again on the new connection; error answers it hands on.",
		Layer: once(),
		Dial: scenario.Layer{
			Attempts: 21, Timeout: 10 * sec, RetryOn: []string{"timeout", "refused", "lost"},
			Backoff: exponential(50*ms, 5*sec), Jitter: "none",
		},
	}
}

func ioredisTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "a command is sent once on each connection", "redis/ioredis lib/redis/event_handler.ts, readyHandler"},
			{"dial.attempts", "maxRetriesPerRequest 20: the queue is flushed when 21 connections have closed", "redis/ioredis lib/redis/RedisOptions.ts, DEFAULT_REDIS_OPTIONS; lib/redis/event_handler.ts, closeHandler"},
			{"dial.timeout", "connectTimeout 10000", "redis/ioredis lib/redis/RedisOptions.ts, DEFAULT_REDIS_OPTIONS"},
			{"dial.retry_on", "every close of the connection; autoResendUnfulfilledCommands true", "redis/ioredis lib/redis/event_handler.ts, closeHandler and readyHandler"},
			{"dial.backoff.base", "retryStrategy 50 × 2^(times−1) ms", "redis/ioredis pull request 2160"},
			{"dial.backoff.max", "retryStrategy at most 5s", "redis/ioredis pull request 2160"},
		},
		Unsaid: []string{
			"0 to 199ms of jitter come on top of each wait; the format has jitter only within a wait.",
			"On an open connection an answer is waited for without end (no commandTimeout).",
			"Reconnecting goes on after the command has failed.",
			"maxRetriesPerRequest and connectTimeout were read in versions before 6; pull request 2160, which changed the defaults for 6, does not name them.",
			"Up to version 5 the waits were 50ms, 100ms and so on up to 2s, without jitter.",
		},
	}
}

func redisPy() Preset {
	return Preset{
		ID: "redis-py", Name: "redis-py", Version: "8.0.0",
		What: "Tries a command, or the connection it needs, up to eleven times after timeouts and connection errors; error answers it hands on.",
		Layer: scenario.Layer{
			Attempts: 11, Timeout: 5 * sec, RetryOn: []string{"timeout", "refused", "lost"},
			// compute(failures) is asked with 1 first, so the first wait is already doubled.
			Backoff: exponential(20*ms, sec), Jitter: "full",
		},
	}
}

func redisPyTold() Told {
	return Told{
		Sources: []Source{
			{"attempts", "10 retries", "redis/redis-py pull request 4082"},
			{"timeout", "socket_timeout and socket_connect_timeout 5s each", "redis/redis-py pull request 4082"},
			{"retry_on", "ConnectionError and TimeoutError", "redis/redis-py redis/asyncio/retry.py, Retry; redis/connection.py, AbstractConnection.connect"},
			{"backoff.base", "ExponentialWithJitterBackoff(base=0.01): base × 2^failures", "redis/redis-py pull request 4082; redis/backoff.py, ExponentialWithJitterBackoff.compute; redis/asyncio/retry.py, call_with_retry"},
			{"backoff.max", "cap=1", "redis/redis-py pull request 4082"},
			{"jitter", "random.random() × the wait", "redis/redis-py redis/backoff.py, ExponentialWithJitterBackoff.compute"},
		},
		Unsaid: []string{
			"A command whose connection breaks under it is tried again around the connect loop: each of its ten retries may connect eleven times (send_packed_command calls connect_check_health).",
			"The cap comes after the jitter, so that long waits are 1s more often than full jitter has it.",
			"Before pull request 4082 it was 3 retries with base 1s and cap 10s.",
		},
	}
}
