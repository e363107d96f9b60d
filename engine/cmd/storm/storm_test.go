package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/metrics"
	"stormbin/engine/presets"
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
	own := `{"id": "own", "operations": {"o": {"steps": ["d"]}}, "dependencies": {"d": {"service": {"mean": "1ms"}}}, "policy": {"calls": {"d": {}}}}`
	if out := good(t, own, "show", "-full", "-scenario", "-"); !strings.Contains(out, `"hedge_after": "0s"`) {
		t.Errorf("want the defaults of one's own:\n%s", out)
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
		{args: "", want: []string{"no command", "list, show, run, compare, sum, presets or import"}},
		{args: "shw queue", want: []string{`"shw"`, "list, show, run, compare, sum, presets or import"}},
		{args: "list queue", want: []string{"list", `"queue"`}},
		{args: "show", want: []string{"no ID", "one of two-service, "}},
		{args: "show quene", want: []string{`"quene"`, "one of queue, "}},
		{args: "show queue pastebin", want: []string{`"queue" "pastebin"`, "one ID"}},
		{args: "show -ful queue", want: []string{"-ful", "-full"}},
		{args: "show own.json", want: []string{`"own.json": no such scenario`, "-scenario"}},
		{args: "show -scenario /nowhere.json", want: []string{"/nowhere.json"}},
		{args: "run ./own", want: []string{`"./own": no such scenario`, "-scenario"}},
		{args: "run #v1/quene", want: []string{`no scenario "quene"`, "one of queue, "}},
		{args: "run v1/queue?seed=x&sed=7", want: []string{`(1) seed: "x"`, `(2) "sed=7": means nothing in a link`}},
		{args: "run v1/queue?t=5x&sed=7", want: []string{`(1) t: "5x": must be a time, like 5s`, `(2) "sed=7": means nothing in a link`}},
		{args: "run v1/queue?seed=7&view=path&view=storm&seed=8", want: []string{`seed=8: is given more than once, and differently; must be given once`}},
		{args: "run https://a.host/#v1/queue?sed=7&view=storm", want: []string{`"sed=7": means nothing in a link; must be left out, or one of seed, `}},
		{args: "run v1/queue?view=storms&controls=plai,scrub&theme=blue&autoplay=no", want: []string{`(1) view: "storms": must be one of storm, path, `,
			`(2) controls: "plai": must be one of play, scrub, `, `(3) theme: "blue": must be one of dark, light`, `(4) autoplay: "no": must be one of 0, 1`}},
		{args: "run https://a.host/#p/paste", want: []string{`"https://a.host/#p/paste": no such scenario`}},
		{args: "compare v1/queue?seed=x queue", want: []string{`A: The link says what can’t be: seed: "x"`}},
		{args: "compare v1/queue?t=5s queue", want: []string{"duration: 5s in run A", "must be the same in both"}},
		{args: "run queue -set changes=[{}]", want: []string{`changes.0: "": cannot change`}},
		{args: "show queue -json", want: []string{"-json", "-full"}},
		{args: "run", want: []string{"no ID", "one of two-service, "}},
		{args: "run past", want: []string{`"past"`, "pastebin"}},
		{args: "run -jsn queue", want: []string{"-jsn", "-json, -preset, -rule, -scenario, -seeds, -set"}},
		{args: "run -json=perhaps queue", want: []string{`"perhaps"`, "-json"}},
		{args: "run queue -set", want: []string{"needs an argument", "-set"}},
		{args: "run queue -set seed", want: []string{`"seed"`, "PATH=VALUE"}},
		{args: "run queue -set sed=1", want: []string{"sed: no such field", "one of seed"}},
		{args: "run queue -set duration=20", want: []string{"duration: 20", `like "20ms"`}},
		{args: "run queue -set duration=5h", want: []string{`duration: "5h0m0s"`, `up to "4h0m0s"`}},
		{args: "run queue -set policy.calls.p.timeout=1s", want: []string{"policy.calls.p: no such name", "one of q"}},
		{args: "run queue -set operations.call.rate=NaN", want: []string{`operations.call.rate: "NaN"`, "a number, 0 to 1000000"}},
		{args: "run queue -set policy.breaker.threshold=2", want: []string{"policy.breaker.threshold: 2", "up to 1"}},
		{args: "run queue -set policy.calls.q.attempts=many -set sed=1 -set duration=5h", want: []string{`(1) policy.calls.q.attempts: "many": must be a whole number, 1 to 100; (2) sed: no such field`, `(3) duration: "5h0m0s"`}},
		{args: "run queue -seeds 0", want: []string{"0 seeds", "1 to 10000"}},
		{args: "run queue -seeds many", want: []string{`"many"`, "-seeds"}},
		{args: "run queue -preset q", want: []string{`"q"`, "CALL=NAME"}},
		{args: "run queue -preset q=go-reddis", want: []string{`"go-reddis"`, "one of go-redis"}},
		{args: "run queue -preset p=go-redis", want: []string{`"p"`, "one of q"}},
		{args: "run queue -rule rule", want: []string{`"rule": no such rule`, "one of the rule"}},
		{args: "compare queue", want: []string{`["queue"]`, "must be two"}},
		{args: "compare queue queue queue", want: []string{`["queue" "queue" "queue"]`, "must be two"}},
		{args: "compare quene queue", want: []string{`A: "quene"`, "one of queue"}},
		{args: "compare queue ./nowhere.json", want: []string{"B: ", "nowhere.json"}},
		{args: "compare queue " + mine, want: []string{"B: ", "mine.json", "durations: no such field"}},
		{args: "compare queue queue -b sed=1", want: []string{"B: sed: no such field"}},
		{args: "compare queue queue -a policy.calls.q.attempts=x -b sed=1", want: []string{"(1) A: policy.calls.q.attempts", "(2) B: sed: no such field"}},
		{args: "compare queue queue -a policy.calls.q.attempts=0", want: []string{"A: policy.calls.q.attempts: 0", "1 to 100"}},
		{args: "compare queue queue -b operations.call.rate=61", want: []string{"operations.call.rate: 60 in run A, 61 in run B", "must be the same in both"}},
		{args: "compare queue two-service", want: []string{"in run A", "in run B", "must be the same in both"}},
		{args: "sum", want: []string{"no ID", "one of two-service"}},
		{args: "sum queue -share 1.5", want: []string{"-share: 1.5", "0 to 1"}},
		{args: "sum queue -share NaN", want: []string{"-share: NaN", "0 to 1"}},
		{args: "sum queue -set policy.calls.q.attempts=101", want: []string{"policy.calls.q.attempts: 101", "1 to 100"}},
		{args: "presets go-redis", want: []string{"presets", `"go-redis"`}},
		{args: "import", want: []string{"[]", "must be a file"}},
		{args: "import /nowhere.json", want: []string{"/nowhere.json"}},
		{args: "import - queue pastebin", want: []string{"at the most one ID"}},
		{args: "import -", stdin: "retry_on: 5xx", want: []string{"-: line 1", "must be JSON", "YAML is for the page"}},
		{args: "import -", stdin: "[default]\noops", want: []string{"-: line 2: must be a [section]"}},
		{args: "import -", stdin: "{}", want: []string{"-: nothing that is known here", "Envoy route"}},
		{args: "import -", stdin: `{"retry_on": "5xx", "num_retries": "x"}`, want: []string{`-: num_retries: "x"`, "a whole number"}},
		{args: "import -", stdin: `{"retry_on": "5xx", "retry_on": ""}`, want: []string{"-: retry_on: given twice"}},
		{args: "import -call q -", stdin: `{"retry_on": "5xx"}`, want: []string{"no ID"}},
		{args: "import - pastebin", stdin: `{"retry_on": "5xx"}`, want: []string{`-call: ""`, "primary_read"}},
		{args: "import -call primary - pastebin", stdin: `{"retry_on": "5xx"}`, want: []string{`-call: "primary"`, "one of primary_"}},
		{args: "import - quene", stdin: `{"retry_on": "5xx"}`, want: []string{`"quene"`, "one of queue"}},
		{args: "import -scenario - -", stdin: `{"retry_on": "5xx"}`, want: []string{"-scenario", "standard input"}},
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

// One click, four orders; with a key, four attempts and one order.
func TestRunTellsOfDuplicates(t *testing.T) {
	if out, want := good(t, "", "run", "lost-order"), "b stored 4: 3 duplicates"; !strings.Contains(out, want) {
		t.Errorf("no %s in\n%s", want, out)
	}
	if out, want := good(t, "", "run", "lost-order", "-set", "policy.calls.b.idempotency_key=true"), "b stored 1: 0 duplicates, 0 orphans; 3 more were seen to be repetitions."; !strings.Contains(out, want) {
		t.Errorf("no %s in\n%s", want, out)
	}
	twice := good(t, "", "run", "lost-order", "-set", "policy.calls.b.attempts=2", "-set", "policy.calls.b.idempotency_key=true")
	if want := "b stored 1: 0 duplicates, 0 orphans; 1 more was seen to be a repetition."; !strings.Contains(twice, want) {
		t.Errorf("no %s in\n%s", want, twice)
	}
}

// What was not measured isn't told as 0; and what was counted after the end is told apart.
func TestRunTellsNothingAsNothing(t *testing.T) {
	const (
		note   = "\nRequests and attempts are followed until each has its answer; completed and busy are counted until 2 s.\n"
		minute = "\nRequests and attempts are followed for another minute; completed and busy are counted until 2 s.\n"
	)
	for _, c := range []struct {
		args      string
		row, note string
	}{
		{"-set faults=[] -set duration=2s -set dependencies.b.service.mean=1ms -set operations.call.arrivals=even", `40 40 0 0 0 0 0\.\d+ s 0\.\d+ s 0 -`, ""},
		{"-set faults=[] -set duration=2s -set operations.call.arrivals=even", `40 40 0 0 0 0 0\.\d+ s 0\.\d+ s 0 -`, note}, // two are in service
		{`-set faults=[{"target":"b","kind":"slow","for":"1s","factor":2}] -set duration=2s -set dependencies.b.service.mean=1ms -set operations.call.arrivals=even`,
			`40 40 0 0 0 0 0\.\d+ s 0\.\d+ s 0 -`, ""},
		{`-set faults=[{"target":"b","kind":"blackhole"}] -set duration=2s -set policy.calls.b.timeout=0s -set operations.call.arrivals=even`,
			`40 0 0 0 0 40 - - 2 not yet`, ""},
		{`-set faults=[{"target":"b","kind":"blackhole"}] -set duration=2s -set policy.calls.b.attempts=100 -set operations.call.arrivals=even`,
			`40 0 0 0 0 40 - - 2 not yet`, minute}, // tried once a second, for longer than that
		{`-set faults=[{"target":"b","kind":"down"}] -set duration=2s -set policy.calls.b.backoff.kind=constant -set policy.calls.b.backoff.base=1s ` +
			`-set operations.call.arrivals=even`, `40 0 40 0 0 0 \d\.\d+ s \d\.\d+ s 2 not yet`, note}, // retries come after the end
	} {
		row := regexp.MustCompile("^" + c.row + "$")
		out := good(t, "", append([]string{"run", "two-service"}, strings.Fields(c.args)...)...)
		if !slices.ContainsFunc(strings.Split(out, "\n"), func(l string) bool { return row.MatchString(strings.Join(strings.Fields(l), " ")) }) {
			t.Errorf("storm run %s: no row %s in\n%s", c.args, c.row, out)
		}
		for _, one := range []string{note, minute} {
			if strings.Contains(out, one) != (one == c.note) {
				t.Errorf("storm run %s: of what was counted after the end it must say %q\n%s", c.args, c.note, out)
			}
		}
	}
}

// Who is paged is told below the tables, with the reason; and that nobody is.
func TestRunTellsWhoIsPaged(t *testing.T) {
	out := good(t, "", "run", "two-service", "-set", "policy.calls.b.attempts=1", "-set", "operations.call.rate=60", "-set", "duration=8s")
	if !strings.Contains(out, " s: timeouts at B, ") || !strings.Contains(out, "B has been 8× slower since 3 s") {
		t.Errorf("want a page for the timeouts at B, and why:\n%s", out)
	}
	if out := good(t, "", "run", "queue", "-set", "duration=1s"); !strings.HasSuffix(out, "Nobody was paged.\n") {
		t.Errorf("want it said that all is quiet:\n%s", out)
	}
	down := good(t, "", "run", "two-service", "-set", "policy.calls.b.attempts=1", "-set", `faults=[{"target":"b","kind":"down","at":"4s"}]`, "-set", "duration=8s")
	if !strings.Contains(down, "5.0 s: failures of call, ") {
		t.Errorf("want a page for a dependency that is down:\n%s", down)
	}
}

// Eight bad seconds against three, on one traffic.
func TestCompare(t *testing.T) {
	args := strings.Fields("compare two-service two-service -set operations.call.arrivals=even -set dependencies.b.service.mean=97ms " +
		"-set faults.0.factor=8.24742268 -b policy.calls.b.attempts=1")
	out := good(t, "", args...)
	for _, want := range []string{"Run B: 3 bad seconds, run A: 8.", "more attempts to service B", "Run A: B was 8.25× slower for 3 s; with up to 4 attempts",
		"Run B: B was 8.25× slower for 3 s; with no retries"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	var c struct {
		A, B struct {
			BadSeconds int `json:"bad_seconds"`
		}
		Differences []string
	}
	if err := json.Unmarshal([]byte(good(t, "", append(args, "-json")...)), &c); err != nil {
		t.Fatal(err)
	}
	if c.A.BadSeconds != 8 || c.B.BadSeconds != 3 || len(c.Differences) == 0 {
		t.Errorf("want 8 and 3 bad seconds, and some differences: %+v", c)
	}
}

// -a and -b are for one side, and come after what is for both; a file is as good as an ID.
func TestCompareSides(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.json")
	if err := os.WriteFile(file, []byte(good(t, "", "show", "queue")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"queue queue",
		"queue " + file,
		"- queue",
		"queue queue -a policy.calls.q.attempts=4 -b policy.calls.q.attempts=4",
		"queue queue -b policy.calls.q.attempts=4 -a policy.calls.q.attempts=5 -set policy.calls.q.attempts=9",
		"queue queue -preset q=go-redis -set policy.calls.q.timeout=0s -b policy.calls.q.attempts=1",
	} {
		out := good(t, good(t, "", "show", "queue"), append(strings.Fields("compare -set duration=2s"), strings.Fields(args)...)...)
		if !strings.HasPrefix(out, "Run A and run B came to the same.\n") {
			t.Errorf("storm compare %s:\n%s", args, out)
		}
	}
}

func TestRunSeeds(t *testing.T) {
	out := good(t, "", "run", "two-service", "-seeds", "5", "-set", "duration=8s", "-set", "seed=3")
	for _, want := range []string{"5 runs of two-service, from seed 3 on. Still bad at the end, after a fault had ended: ", "median", "bad seconds", "amplification of b", "p99"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if out, want := good(t, "", "run", "queue", "-seeds", "1", "-set", "duration=1s"), "1 run of queue, from"; !strings.HasPrefix(out, want) {
		t.Errorf("no %s in\n%s", want, out)
	}
	var spread map[string]any
	if err := json.Unmarshal([]byte(good(t, "", "run", "two-service", "-json", "-seeds", "2", "-set", "duration=8s")), &spread); err != nil {
		t.Fatal(err)
	}
	keys(t, "the spread", spread, "scenario seed runs bad_seconds never_share recovery_s amplification failed_share p99_s")
	keys(t, "bad_seconds", spread["bad_seconds"].(map[string]any), "median min max")
}

// The sums of the lesson, as it says them.
func TestSum(t *testing.T) {
	timeouts := []string{"-set", "policy.calls.primary_read.attempts=4", "-set", `policy.calls.primary_read.retry_on=["timeout"]`}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"pastebin"}, []string{
			"225ms of 300ms, 75ms left",
			"225ms + 20ms = 245ms of 300ms, and up to 20ms of backoff: it fits, a second one doesn’t: 225ms + 2 × 20ms = 265ms, and up to 40ms of backoff",
			"225ms + 200ms = 425ms of 300ms, and up to 20ms of backoff: it doesn’t fit after a timeout; after a refusal, which takes no time, it does: 225ms, and up to 20ms of backoff",
			"9 × 23 processes = 207 slots, held for up to 1s by object_put when that is dead: 207/s get one",
			"after a timeout, an error or being turned away: sent once",
			"after a refusal: app makes up to 2 attempts for one click; with 20 % failing: 1.20× = 20,880/s\n", // one retry doesn’t fail twice
		}},
		{append(timeouts, "pastebin"), []string{
			"after a timeout: app makes up to 4 attempts for one click; with 20 % failing: 1.60× = 27,840/s if it is the same ones each time, 1.25× = 21,715/s if each has its own luck",
		}},
		{append(timeouts, "-share", "0.5", "pastebin"), []string{"2.50× = 43,500/s"}},
		{append(timeouts, "-set", "operations.read.client.attempts=3", "-set", "policy.balancer.attempts=2", "-set", "policy.calls.primary_read.attempts=2", "pastebin"),
			[]string{"client, balancer and app make up to 3 × 2 × 2 = 12 attempts for one click"}},
		{[]string{"pastebin", "-set", "policy.calls.primary_read.hedge_after=1ns"}, []string{"if every one is hedged: 2× = 34,800/s"}},
		{[]string{"two-service", "-set", "policy.budget.percent=10"}, []string{"no deadline", "worst: 4s if B never answers", "at most 1.10× attempts"}},
		{[]string{"two-service", "-set", "policy.budget.kind=tokens"}, []string{"budget: of each process at each dependency, retries while more than half of 10 tokens"}},
		{[]string{"two-service", "-set", "operations.call.rate=0.05"}, []string{"call: 0.05/s", "1.60× = 0.08/s"}},
		{[]string{"two-service", "-set", "operations.call.arrivals=closed", "-set", "policy.calls.b.hedge_after=6ms"},
			[]string{"app and a hedge make up to 4 × 2 = 8 attempts", "if every one is hedged: 2×\n"}},
		{[]string{"queue"}, []string{"there is no timeout on q", "worst: for ever if Q never answers"}},
		{[]string{"two-service", "-set", "operations.call.deadline=500ms"}, []string{"1s of 500ms, 500ms too much"}},
		{[]string{"two-service", "-set", "policy.calls.b.timeout=0s", "-set", "processes.cap.call=3"}, []string{"3 slots, held for ever by b when that is dead: 0/s get one"}},
	} {
		out := good(t, "", append([]string{"sum"}, c.args...)...)
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("storm sum %q: no %s in\n%s", c.args, want, out)
			}
		}
	}
	var sums map[string]any
	if err := json.Unmarshal([]byte(good(t, "", "sum", "-json", "pastebin")), &sums); err != nil {
		t.Fatal(err)
	}
	keys(t, "the sums", sums, "scenario share operations budget budget_bound")
	read := sums["operations"].(map[string]any)["read"].(map[string]any)
	keys(t, "read", read, "per_s deadline_s steps slices_s untimed left_s cap")
	keys(t, "a step", read["steps"].([]any)[0].(map[string]any), "call dependency timeout_s slice_s worst_s one_retry_s refused_s backoff_s retries_fit refused_fit too_many_backoff_s failures")
}

// A rule is put on all of a policy; what is set after it, holds, and what was set before is gone.
func TestRules(t *testing.T) {
	out := good(t, "", "presets")
	for _, r := range presets.Rules() {
		if !strings.Contains(out, r.Name) || !strings.Contains(out, r.Cost) {
			t.Errorf("no %s in\n%s", r.Name, out)
		}
		with := good(t, "", "run", "two-service", "-json", "-rule", r.Name)
		s, _ := scenario.Find("two-service")
		s, err := presets.WithRule(s, r.Name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := s.Full()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(good(t, string(text), "run", "-json", "-scenario", "-"), with); diff != "" {
			t.Errorf("-rule %q is another run:\n%s", r.Name, diff)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-rule", "no retries", "-set", "policy.calls.b.attempts=9", "-set", `policy.calls.b.retry_on=["error"]`}, "after an error: app makes up to 9 attempts"},
		{[]string{"-set", "policy.calls.b.attempts=9", "-rule", "no retries"}, "after a timeout, an error, a refusal or being turned away: sent once"},
	} {
		if out := good(t, "", append([]string{"sum", "two-service"}, c.args...)...); !strings.Contains(out, c.want) {
			t.Errorf("%q: no %s in\n%s", c.args, c.want, out)
		}
	}
}

// A preset is what -preset puts on a call; what is set after it, holds.
func TestPresets(t *testing.T) {
	out := good(t, "", "presets")
	for _, p := range presets.List() {
		if !strings.Contains(out, p.ID) || !strings.Contains(out, p.What) {
			t.Errorf("no %s in\n%s", p.ID, out)
		}
	}
	p, _ := presets.Find("go-redis")
	plain := good(t, "", "sum", "two-service")
	with := good(t, "", "sum", "two-service", "-preset", "b=go-redis")
	if want := fmt.Sprintf("app makes up to %d attempts", p.Layer.Attempts); with == plain || !strings.Contains(with, want) {
		t.Errorf("no %s in\n%s", want, with)
	}
	if after := good(t, "", "sum", "two-service", "-preset", "b=go-redis", "-set", "policy.calls.b.attempts=9"); !strings.Contains(after, "app makes up to 9 attempts") {
		t.Errorf("what is set after a preset doesn't hold:\n%s", after)
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

// A run that has more in it than a run may have says so, and for how long it went.
func TestCutShortIsTold(t *testing.T) {
	var out bytes.Buffer
	if err := tell(&out, metrics.Report{CutShort: true, DurationS: 99.5}); err != nil {
		t.Fatal(err)
	}
	if want := "Cut short after 99.5 s, as no more than 1,000,000,000 things may happen in a run."; !strings.Contains(out.String(), want) {
		t.Errorf("it tells\n%s\nand not %q", out.String(), want)
	}
}
