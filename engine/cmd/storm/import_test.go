package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const envoyRoute = `{"match": {"prefix": "/b"}, "route": {"cluster": "b", "timeout": "1s", "priority": "HIGH", "retry_policy": {"retry_on": "5xx", "num_retries": 3, "per_try_timeout": "0.25s"}}}`

func TestImportTellsWhatIsSetAndWhatIsLeft(t *testing.T) {
	out := good(t, envoyRoute, "import", "-")
	for _, want := range []string{
		`Envoy route "/b":`,
		`call.timeout = "250ms", from route.retry_policy.per_try_timeout`,
		`call.attempts = 4, from route.retry_policy.num_retries`,
		`policy.budget.min_concurrent = 3: the cluster’s max_retries left out: Envoy’s 3`,
		`no place here for route.priority: `,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if strings.Contains(out, "before:") {
		t.Errorf("nothing was run:\n%s", out)
	}
}

// The verdicts are those of runs of the scenario with what the import says it sets.
func TestImportTellsWhatItComesTo(t *testing.T) {
	out := good(t, envoyRoute, "import", "-set", "seed=2", "-", "two-service")
	before := good(t, "", "run", "-set", "seed=2", "two-service")
	after := good(t, "", "run", "-set", "seed=2", "-set", "policy.calls.b.timeout=250ms", "-set", "policy.calls.b.attempts=4",
		"-set", `policy.calls.b.retry_on=["timeout","error","refused","lost","shed"]`,
		"-set", `policy.calls.b.backoff={"kind": "exponential", "base": "25ms", "max": "250ms"}`, "-set", "policy.calls.b.jitter=full",
		"-set", `policy.budget={"kind": "in_flight", "percent": 0, "min_concurrent": 3}`, "two-service")
	for what, report := range map[string]string{"  before: ": before, "  after:  ": after} {
		verdict, _, _ := strings.Cut(report, "\n")
		if !strings.Contains(out, what+verdict+"\n") {
			t.Errorf("no %s%s in\n%s", what, verdict, out)
		}
	}
	if !strings.Contains(out, `policy.calls.b.attempts = 4`) {
		t.Errorf("paths are those of the scenario:\n%s", out)
	}
	own := filepath.Join(t.TempDir(), "own.json")
	if err := os.WriteFile(own, []byte(good(t, "", "show", "-full", "two-service")), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := good(t, envoyRoute, "import", "-set", "seed=2", "-call", "b", "-scenario", own, "-"); got != out {
		t.Errorf("want the same for a scenario from a file:\n%s", got)
	}
}

func TestImportOfAWSConfig(t *testing.T) {
	out := good(t, "# mine\n[profile batch]\nmax_attempts = 7\nretry_mode = standard\n", "import", "-")
	for _, want := range []string{`AWS SDK settings "profile batch"`, "call.attempts = 7, from max_attempts"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}
