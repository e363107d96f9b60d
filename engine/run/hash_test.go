package run_test

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files from what comes out")

//go:embed testdata/hashes.txt
var hashes string

// The same scenario and seed give the same run on every machine. The golden hashes are held natively, under wasm in node
// and in a browser. A change of what happens changes them: then look at the figures' tests, and rewrite the file with
//
//	go test ./engine/run -run TestHashes -update
func TestHashes(t *testing.T) {
	var got strings.Builder
	for _, c := range []struct {
		name string
		id   string
		set  sets
	}{
		{"experiment", "two-service", nil},
		{"experiment with backoff, jitter and a budget", "two-service", sets{"duration", "20s", "policy.budget.percent", 10,
			"policy.calls.b.backoff", map[string]any{"kind": "exponential", "base": "50ms", "max": "1s"}, "policy.calls.b.jitter", "equal"}},
		{"decorrelated", "two-service", sets{"duration", "20s",
			"policy.calls.b.backoff", map[string]any{"kind": "constant", "base": "50ms"}, "policy.calls.b.jitter", "decorrelated"}},
		{"open queue", "queue", nil},
		{"blip with the rule", "pastebin", sets{"duration", "2s", "faults", fault("primary", "stall", "500ms", "500ms")}},
		{"blip with retries", "pastebin", append(sets{"duration", "2s", "faults", fault("primary", "stall", "500ms", "500ms")}, retryEverything...)},
		{"flaky and lossy bucket", "pastebin", sets{"duration", "1s", "faults", append(
			fault("bucket", "flaky", "100ms", "500ms", "p", 0.2), fault("bucket", "lose", "300ms", "500ms", "p", 0.1)...)}},
		{"surge and slow primary", "pastebin", sets{"duration", "1s", "faults", append(
			fault("read", "surge", "100ms", "500ms", "factor", 1.7), fault("primary", "slow", "300ms", "400ms", "factor", 10)...)}},
		{"turned while it runs", "two-service", sets{"duration", "20s", "changes", []any{
			map[string]any{"at": "4s", "path": "policy.calls.b.attempts", "value": 1},
			map[string]any{"at": "8s", "path": "operations.call.rate", "value": 70},
			map[string]any{"at": "9s", "path": "dependencies.b.slots", "value": 4}}}},
	} {
		for _, seed := range []int{1, 2} {
			rep := do(t, c.id, append(sets{"seed", seed}, c.set...)...)
			fmt.Fprintf(&got, "%s seed %d: %d things happened, %s\n", c.name, seed, rep.Events, rep.TraceHash)
		}
	}
	if *update {
		if err := os.WriteFile("testdata/hashes.txt", []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := strings.Split(hashes, "\n")
	for i, line := range strings.Split(got.String(), "\n") {
		if i >= len(want) || line != want[i] {
			t.Errorf("this run is another one:\n got %s\nwant %s", line, append(want, "")[min(i, len(want))])
		}
	}
}
