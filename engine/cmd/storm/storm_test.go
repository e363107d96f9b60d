package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/scenario"
)

// call runs storm and splits what came of it.
func call(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	code = storm(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// good is call for what must go well.
func good(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	code, out, errs := call(stdin, args...)
	if code != 0 || errs != "" {
		t.Fatalf("storm %q: exit %d, %s", args, code, errs)
	}
	return out
}

func TestList(t *testing.T) {
	out := good(t, "", "list")
	for _, e := range scenario.List() {
		if !strings.Contains(out, e.ID) || !strings.Contains(out, e.Question) {
			t.Errorf("no %s in\n%s", e.ID, out)
		}
	}
}

func TestShowIsAScenario(t *testing.T) {
	for _, args := range [][]string{{"show", "pastebin"}, {"show", "-full", "pastebin"}, {"show", "pastebin", "-full"}} {
		s, err := scenario.Parse([]byte(good(t, "", args...)))
		if err != nil {
			t.Fatal(err)
		}
		want, _ := scenario.Find("pastebin")
		if diff := cmp.Diff(want, s); diff != "" {
			t.Errorf("%q:\n%s", args, diff)
		}
	}
	short, full := good(t, "", "show", "queue"), good(t, "", "show", "-full", "queue")
	if strings.Contains(short, "hedge_after") || !strings.Contains(full, `"hedge_after": "0s"`) {
		t.Errorf("only -full spells out the defaults:\n%s\n%s", short, full)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"-h"}, {"--help"}, {"run", "-h"}, {"show", "queue", "--help"}} {
		if out := good(t, "", args...); !strings.HasPrefix(out, "usage:") {
			t.Errorf("storm %q: %s", args, out)
		}
	}
}

func TestUserErrors(t *testing.T) {
	mine := filepath.Join(t.TempDir(), "mine.json")
	if err := os.WriteFile(mine, []byte(`{"id": "mine", "durations": "1s"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, stdin string
		want        []string // in the one line
	}{
		{args: "", want: []string{"no command", "list, show or run"}},
		{args: "shw queue", want: []string{`"shw"`, "list, show or run"}},
		{args: "list queue", want: []string{"list", `"queue"`}},
		{args: "show", want: []string{"no ID", "two-service, pastebin, queue"}},
		{args: "show quene", want: []string{`"quene"`, "queue, two-service, pastebin"}},
		{args: "show queue pastebin", want: []string{`"queue" "pastebin"`, "one ID"}},
		{args: "show -ful queue", want: []string{"-ful", "-full"}},
		{args: "show queue -json", want: []string{"-json", "-full"}},
		{args: "run", want: []string{"no ID", "two-service, pastebin, queue"}},
		{args: "run past", want: []string{`"past"`, "pastebin"}},
		{args: "run -jsn queue", want: []string{"-jsn", "-json, -scenario, -set"}},
		{args: "run -json=perhaps queue", want: []string{`"perhaps"`, "-json"}},
		{args: "run queue -set", want: []string{"needs an argument", "-set"}},
		{args: "run queue -set seed", want: []string{`"seed"`, "PATH=VALUE"}},
		{args: "run queue -set sed=1", want: []string{"sed: no such field", "one of seed"}},
		{args: "run queue -set duration=20", want: []string{"duration: 20", `like "20ms"`}},
		{args: "run queue -set duration=5h", want: []string{`duration: "5h0m0s"`, `up to "4h0m0s"`}},
		{args: "run queue -set policy.calls.p.timeout=1s", want: []string{"policy.calls.p: no such name", "one of q"}},
		{args: "run queue -set operations.call.rate=NaN", want: []string{`operations.call.rate: "NaN"`, "a finite number"}},
		{args: "run queue -set policy.breaker.enabled=true", want: []string{"policy.breaker.enabled: true", "not simulated yet"}},
		{args: "run -scenario /nowhere.json", want: []string{"/nowhere.json"}},
		{args: "run -scenario " + mine, want: []string{"mine.json", "durations: no such field", "one of duration"}},
		{args: "run -scenario -", stdin: "{", want: []string{"line 1", "not JSON"}},
		{args: "run -scenario -", stdin: "{}", want: []string{"operations: {}", "at least one operation"}},
		{args: "run -scenario - queue", stdin: `{"id": "two-service"}`, want: []string{`"queue"`, `"two-service"`}},
	} {
		code, out, errs := call(c.stdin, strings.Fields(c.args)...)
		if code != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "storm: ") {
			t.Errorf("storm %s: exit %d, stdout %q, stderr %q", c.args, code, out, errs)
		}
		for _, want := range c.want {
			if !strings.Contains(errs, want) {
				t.Errorf("storm %s: no %s in: %s", c.args, want, errs)
			}
		}
	}
	if code, _, errs := call("", "show", "-two\nlines"); code != 2 || strings.Count(errs, "\n") != 1 {
		t.Errorf("exit %d, %q", code, errs)
	}
}

func TestRunJSON(t *testing.T) {
	out := good(t, "", "run", "two-service", "-json", "-set", "duration=8s")
	var report map[string]any
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	keys(t, "the report", report, "scenario seed duration_s events trace_hash requests dependencies bad_seconds recovery_s metastable verdict series")
	requests := report["requests"].(map[string]any)
	keys(t, "requests", requests, "offered ok failed shed late outcomes latency_s")
	keys(t, "latency_s", requests["latency_s"].(map[string]any), "p50 p95 p99 max")
	b := report["dependencies"].(map[string]any)["b"].(map[string]any)
	keys(t, "b", b, "first_attempts attempts amplification retries refused timeouts completed abandoned_completed killed max_queue utilization wait_s in_system_mean stored duplicates")
	keys(t, "wait_s", b["wait_s"].(map[string]any), "mean p50 p99")
	if report["scenario"] != "two-service" || report["seed"] != 1.0 || report["duration_s"] != 8.0 {
		t.Errorf("it ran %v, seed %v, for %v s", report["scenario"], report["seed"], report["duration_s"])
	}
	if rows := report["series"].([]any); len(rows) != 8 {
		t.Errorf("%d rows for 8 seconds", len(rows))
	}
}

func keys(t *testing.T, what string, object map[string]any, want string) {
	t.Helper()
	for key := range strings.FieldsSeq(want) {
		if _, ok := object[key]; !ok {
			t.Errorf("%s has no %s", what, key)
		}
	}
}

func TestRunTakesTheSameScenarioFromEverywhere(t *testing.T) {
	shown := good(t, "", "show", "-full", "two-service")
	file := filepath.Join(t.TempDir(), "s.json")
	if err := os.WriteFile(file, []byte(shown), 0o600); err != nil {
		t.Fatal(err)
	}
	want := good(t, "", "run", "-json", "two-service")
	for _, args := range [][]string{
		{"run", "two-service", "-json"},
		{"run", "-json", "-scenario", file},
		{"run", "-json", "-scenario", file, "two-service"},
		{"run", "-json", "-scenario", "-"},
		{"run", "-json", "-set", "seed=2", "-set", "seed=1", "two-service"},
		{"run", "-json", "two-service", "-set", "policy.calls.b.timeout=1s", "-set", "operations.call.arrivals=poisson"},
	} {
		if diff := cmp.Diff(want, good(t, shown, args...)); diff != "" {
			t.Errorf("storm %q:\n%s", args, diff)
		}
	}
	if good(t, "", "run", "-json", "-set", "seed=2", "two-service") == want {
		t.Error("another seed is another run")
	}
}

func TestRunTells(t *testing.T) {
	out := good(t, "", "run", "pastebin", "-set", "duration=200ms")
	lines := strings.Split(out, "\n")
	if !strings.HasSuffix(lines[0], ".") {
		t.Errorf("the verdict comes first, as a sentence: %s", lines[0])
	}
	for _, name := range []string{"bucket", "cache", "primary"} {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), name+" ") }) {
			t.Errorf("no row for %s:\n%s", name, out)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestCannotWrite(t *testing.T) {
	var errs strings.Builder
	if code := storm([]string{"list"}, strings.NewReader(""), full{}, &errs); code != 1 || !strings.Contains(errs.String(), "no space left") {
		t.Errorf("exit %d, %s", code, errs.String())
	}
}
