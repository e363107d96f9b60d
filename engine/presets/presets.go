// Package presets is the retries that nobody wrote: what client libraries and proxies do out of the box, each figure
// with the place where it was read. Beside them are those that people do write, as rules for a whole policy.
//
// presets.go is what a preset is, how it is put on a call, and the sum that people care about; rules.go is the rules, by
// name; the other files hold the presets, by where one meets them.
//
// # How a preset is read
//
// A [scenario.Layer] has one timeout for a whole attempt, from asking for a connection to the answer, where most
// libraries have one for connecting and another, or none, for the answer. A preset with a Dial has the one for
// connecting, which is what counts against a host that swallows packets while no connection to it is open. In a
// simulation it bounds the answer too, so that a server that is slow, not gone, is given up where the library would have
// waited on. The others have the one for the answer. What a preset leaves out so is in its Unsaid.
//
// Nor has the format a word for a connection that was open and turns out to be dead. If nothing was sent on it, that is
// refused here; if something was, lost.
//
// # To add one
//
// Write a function that returns a [Preset], in the file where a reader would look for it, and name it in [List]; beside it
// one that returns what is [Told] of it, and name that in [Tell]. Read every figure in the source of one version, not in a
// blog and not from memory; give each its Source, whose What is the name that the figure has in a scenario (attempts,
// dial.timeout, budget.percent). What the format can't say goes to Unsaid, and so does what could not be read. A test
// fails for a figure without a source. Work out what one call may take at the worst by hand, and add it to the table in
// worst_test.go.
package presets

import (
	"fmt"
	"slices"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

const (
	ms  = scenario.Duration(time.Millisecond)
	sec = scenario.Duration(time.Second)
)

// Preset is what one library or proxy does by default. Its slices are the caller's own.
type Preset struct {
	ID      string // a name as scenarios have them, like go-redis
	Name    string // as its makers write it
	Version string // in which the figures were read
	What    string // one sentence: what it retries by itself, and what it does not
	// Layer is its retries. Its timeout is 0s where Dial has it.
	Layer scenario.Layer
	// Dial is the loop beneath each of its attempts that gets a connection. The zero value: none.
	Dial scenario.Layer
	// Within bounds one call with all its retries. 0s: nothing does. What has it has neither Dial nor Budget.
	Within scenario.Duration
	// Budget bounds the retries of all calls together; only the figures of its own kind are set. Kind "": none.
	Budget scenario.Budget
}

// Told is what there is to say of a preset beside its figures. It stands apart from them, so that a program which only puts
// presets on calls, as the page's does, is not the larger for it.
type Told struct {
	Sources []Source
	Unsaid  []string // what a scenario can't say of it, and what could not be read
}

// Source is where a figure was read.
type Source struct {
	What   string // the figure's name in a scenario, with dial. or budget. before it where it stands there
	Figure string // what it says there
	Source string // repository, path and symbol, or the address of a document
}

// List is all presets, in the order to show them in.
func List() []Preset {
	return []Preset{
		goRedis(), ioredis(), redisPy(),
		netHTTP(), databaseSQL(), retryableHTTP(),
		requests(), axiosRetry(), okHTTP(), polly(), dotnetHTTP(), resilience4j(), springRetry(), finagle(),
		grpc(), grpcRetry(),
		envoy(), envoyBudget(), istio(), nginx(),
		awsSDK(), kafkaProducer(), mongodb(), elasticsearch(), temporal(),
	}
}

// Tell is what there is to say of the preset of that id. The zero value if there is none.
func Tell(id string) Told {
	tell := map[string]func() Told{
		"go-redis": goRedisTold, "ioredis": ioredisTold, "redis-py": redisPyTold,
		"net-http": netHTTPTold, "database-sql": databaseSQLTold, "go-retryablehttp": retryableHTTPTold,
		"requests": requestsTold, "axios-retry": axiosRetryTold, "okhttp": okHTTPTold, "polly": pollyTold, "dotnet-http": dotnetHTTPTold,
		"resilience4j": resilience4jTold, "spring-retry": springRetryTold, "finagle": finagleTold,
		"grpc": grpcTold, "grpc-retry": grpcRetryTold,
		"envoy": envoyTold, "envoy-budget": envoyBudgetTold, "istio": istioTold, "nginx": nginxTold,
		"aws-sdk-go-v2": awsSDKTold, "kafka-producer": kafkaProducerTold, "mongodb": mongodbTold, "go-elasticsearch": elasticsearchTold,
		"temporal": temporalTold,
	}[id]
	if tell == nil {
		return Told{}
	}
	return tell()
}

// Find is the preset of that id. false if there is none.
func Find(id string) (Preset, bool) {
	for _, p := range List() {
		if p.ID == id {
			return p, true
		}
	}
	return Preset{}, false
}

// Apply makes the call retry as p does: Layer becomes the call's own attempts, timeout, retry_on, backoff and jitter, Dial
// its library, and Budget the policy's; a policy's budget stays as it is if p has none. With Within the call is sent once
// and waits so long, and Layer is its library. If there is an error, s is as it was.
func (p Preset) Apply(s *scenario.Scenario, call string) error {
	changed := s.Clone()
	line, found := changed.Policy.Calls[call]
	if !found {
		right := "a call of the scenario, which has none"
		if names := scenario.Names(changed.Policy.Calls); len(names) > 0 {
			right = "one of " + scenario.Nearest(call, names)
		}
		return fmt.Errorf("policy.calls: %q: must be %s", call, right)
	}
	changed.Policy.Calls[call] = p.on(line)
	changed.Policy.Budget = budget(changed.Policy.Budget, p.Budget)
	if err := changed.Validate(); err != nil {
		return err
	}
	*s = changed
	return nil
}

// on is the call with p's retries in place of its own.
func (p Preset) on(c scenario.Call) scenario.Call {
	own, library := p.Layer, p.Dial
	if p.Within > 0 {
		own, library = once(), p.Layer
		own.Timeout = p.Within
	}
	if !library.Present() {
		library = once()
	}
	c.Attempts, c.Timeout, c.RetryOn = own.Attempts, own.Timeout, slices.Clone(own.RetryOn)
	c.Backoff, c.Jitter = own.Backoff, own.Jitter
	c.Library = library
	c.Library.RetryOn = slices.Clone(library.RetryOn)
	return c
}

// Worst is how long one call takes against a black hole: its attempts, each as long as its timeout or as the dial loop
// beneath it, and the longest waits between them. false if nothing bounds it.
func (p Preset) Worst() (time.Duration, bool) {
	worst := metrics.Worst(p.on(scenario.Call{}))
	return worst, worst > 0
}

// budget is had with the figures of b's kind in place of its own.
func budget(had, b scenario.Budget) scenario.Budget {
	if b.Kind != "" {
		had.Kind = b.Kind
	}
	switch b.Kind {
	case "ratio":
		had.Percent, had.FloorPerSecond = b.Percent, b.FloorPerSecond
	case "tokens":
		had.MaxTokens, had.TokenRatio = b.MaxTokens, b.TokenRatio
	case "in_flight":
		had.Percent, had.MinConcurrent = b.Percent, b.MinConcurrent
	}
	return had
}

// once sends once, and waits for ever.
func once() scenario.Layer {
	return scenario.Layer{Attempts: 1, Backoff: atOnce(), Jitter: "none"}
}

// connect is one try to get a connection.
func connect(timeout scenario.Duration) scenario.Layer {
	l := once()
	l.Timeout = timeout
	return l
}

func atOnce() scenario.Backoff { return scenario.Backoff{Kind: "none"} }

func constant(wait scenario.Duration) scenario.Backoff {
	return scenario.Backoff{Kind: "constant", Base: wait}
}

func exponential(base, most scenario.Duration) scenario.Backoff {
	return scenario.Backoff{Kind: "exponential", Base: base, Max: most}
}

// whatever is retry_on of what asks no question.
func whatever() []string { return []string{"timeout", "error", "refused", "lost", "shed"} }
