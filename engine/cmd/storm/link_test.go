package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

const played = "#v1/two-service?policy.calls.b.attempts=2&fault=b,slow*8,2s,3s&4s@policy.calls.b.attempts=1&t=6.5s"

// What is run of a link is what the page has on show when it opens it: with all that is in it, and until its t.
func TestALinkIsRunUntilItsTime(t *testing.T) {
	var got metrics.Report
	if err := json.Unmarshal([]byte(good(t, "", "run", "-json", played)), &got); err != nil {
		t.Fatal(err)
	}
	l, err := scenario.ParseLink(played)
	if err != nil {
		t.Fatal(err)
	}
	page, err := run.New(l.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	for !page.Advance(6500*time.Millisecond, 1_000_000) {
	}
	want := page.Report()
	if got.DurationS != 6.5 || got.Requests.Offered != want.Requests.Offered || want.Requests.Offered == 0 {
		t.Errorf("%d requests in %v s, want %d in 6.5", got.Requests.Offered, got.DurationS, want.Requests.Offered)
	}
	// What is on its way then has its answer in a report, and none yet on the page.
	if waiting := want.Requests.Offered - want.Requests.OK - want.Requests.Failed - want.Requests.Shed - want.Requests.Late; got.Requests.Unfinished != 0 || want.Requests.Unfinished != waiting {
		t.Errorf("%d are unfinished in the report, %d on the page, where %d wait", got.Requests.Unfinished, want.Requests.Unfinished, waiting)
	}
	if len(got.Series) == 0 || len(got.Series) != len(want.Series) {
		t.Fatalf("%d seconds, want %d", len(got.Series), len(want.Series))
	}
	for i, row := range want.Series {
		if diff := cmp.Diff(row.Dependencies, got.Series[i].Dependencies); diff != "" {
			t.Errorf("second %d of b:\n%s", i, diff)
		}
	}
	if g, w := got.Dependencies["b"], want.Dependencies["b"]; g.Completed != w.Completed || g.AbandonedCompleted != w.AbandonedCompleted || w.AbandonedCompleted == 0 {
		t.Errorf("b did %d, %d for nobody; want %d, %d", g.Completed, g.AbandonedCompleted, w.Completed, w.AbandonedCompleted)
	}
}

// A link may stand wherever an ID may, in any of the ways in which it is passed on.
func TestLinksAreTakenAsIDs(t *testing.T) {
	spelt := []string{"run", "two-service", "-set", "policy.calls.b.attempts=2", "-set", `faults=[{"target": "b", "kind": "slow", "factor": 8, "at": "2s", "for": "3s"}]`,
		"-set", `changes=[{"at": "4s", "path": "policy.calls.b.attempts", "value": 1}]`, "-set"}
	want := good(t, "", append(spelt, "duration=6.5s")...)
	l, err := scenario.ParseLink(played)
	if err != nil {
		t.Fatal(err)
	}
	l.Scenario.ID = "mine" // so that it is packed
	packed := l.String()
	if !strings.HasPrefix(packed, "#v1z/") {
		t.Fatalf("the link of one's own is %s", packed)
	}
	for _, link := range []string{played, played[1:], "https://a.host/stormbin/" + played, "http://127.0.0.1:8080/system.html" + played + "&view=storm&against=queue&theme=dark", packed} {
		if got := good(t, "", "run", link); got != want {
			t.Errorf("%s\n%s\nwant\n%s", link, got, want)
		}
	}
	if got, want := good(t, "", "run", "-set", "duration=3s", played), good(t, "", append(spelt, "duration=3s")...); got != want {
		t.Errorf("with a duration of its own\n%s\nwant\n%s", got, want)
	}
	for at, duration := range map[string]string{"1m39s": "99s", "1ns": "1ms", "9h": "4h"} { // past the scenario's duration a run goes on; there is a limit at both ends
		if got, want := good(t, "", "show", "#v1/queue?t="+at), good(t, "", "show", "#v1/queue?duration="+duration); got != want {
			t.Errorf("opened at %s it is\n%s", at, got)
		}
	}
	if got, want := good(t, "", "show", "#v1/queue?t=0s"), good(t, "", "show", "queue"); got != want {
		t.Errorf("opened at its beginning it is not the whole run:\n%s", got)
	}
	if got, want := good(t, "", "sum", "v1/queue"), good(t, "", "sum", "queue"); got != want {
		t.Errorf("the sum is\n%s", got)
	}
	if got, want := good(t, "", "compare", "#v1/queue?seed=2", "https://a.host/#v1/queue?seed=2&policy.calls.q.attempts=1"), good(t, "", "compare", "-set", "seed=2", "queue", "queue", "-b", "policy.calls.q.attempts=1"); got != want {
		t.Errorf("compared it is\n%s", got)
	}
	if got, want := good(t, envoyRoute, "import", "-", "#v1/two-service?seed=2"), good(t, envoyRoute, "import", "-set", "seed=2", "-", "two-service"); got != want {
		t.Errorf("with settings put on it\n%s", got)
	}
}
