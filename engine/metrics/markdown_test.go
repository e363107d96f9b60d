package metrics_test

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// rendered is Markdown as its readers see it: as HTML, and as the text of that, a line for each block and | between cells.
func rendered(t *testing.T, markdown string) (page, text string) {
	t.Helper()
	var out strings.Builder
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(markdown), &out); err != nil {
		t.Fatal(err)
	}
	page = out.String()
	text = regexp.MustCompile(`\s*</t[dh]>\s*<t[dh][^>]*>`).ReplaceAllString(page, " | ")
	text = html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(text, ""))
	return page, text
}

func says(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

// All that a design doc needs of the lesson's storm: 225 of 300, 27,840 a second, and what it came to.
func TestMarkdownTellsTheStorm(t *testing.T) {
	s, r := ran(t, "pastebin", "duration=3s", "policy.calls.primary_read.attempts=4", `policy.calls.primary_read.retry_on=["timeout"]`,
		`faults=[{"target": "primary", "kind": "stall", "at": "1s", "for": "1s"}, {"target": "bucket", "kind": "slow", "at": "500ms", "factor": 1}, {"target": "cdn", "kind": "down", "at": "5s"}]`,
		`changes=[{"at": "1500ms", "path": "policy.budget", "value": {"percent": 20}}]`)
	page, text := rendered(t, metrics.Markdown(&s, &r, "https://example.org/#v1/pastebin?a=1&b=2"))
	says(t, text, "Timeouts and retries of pastebin", r.Verdict, r.TraceHash,
		"\nprimary_read | 20ms | 4 | timeout | constant 20ms, full jitter\n", "\nobject_put | 1s | 1 | nothing | \n",
		"read: cache_get 5ms + primary_read 20ms + object_get 200ms = 225ms of 300ms, 75ms left.",
		"read, one retry of object_get: 225ms + 200ms = 425ms of 300ms, and up to 20ms of backoff: it doesn’t fit after a timeout; after a refusal, which takes no time, it does: 225ms, and up to 20ms of backoff.",
		"read, one retry of primary_read: 225ms + 20ms = 245ms of 300ms, and up to 20ms of backoff: it fits, a second one doesn’t: 225ms + 2 × 20ms = 265ms, and up to 40ms of backoff.",
		"207 slots, held for up to 1s by object_put",
		"read, primary_read after a timeout: app makes up to 4 attempts for one click; with 20 % failing: 1.60× = 27,840/s if it is the same ones",
		"From 1 s to 2 s: primary stalled.\nAt 1.5 s: policy.budget was set to {\"percent\": 20}.\n",
		metrics.Plural(r.BadSeconds, "bad second", "bad seconds")+" of 3.",
	)
	for _, never := range []string{"bucket was", "cdn was"} { // that slowed nothing, and that was not yet
		if strings.Contains(text, never) {
			t.Errorf("%q, which did not come to be, in\n%s", never, text)
		}
	}
	primary := r.Dependencies["primary"]
	most := int64(0)
	for _, row := range r.Series {
		most = max(most, row.Dependencies["primary"].Retries)
	}
	says(t, text, fmt.Sprintf("primary | %s | %.2f× | %s/s | %s/s | 0", metrics.Thousands(primary.Attempts), primary.Amplification,
		metrics.Thousands((primary.Attempts-primary.FirstAttempts+1)/3), metrics.Thousands(most)))
	if len(r.Alerts) == 0 {
		t.Error("nobody is paged in a storm")
	}
	for _, a := range r.Alerts {
		says(t, text, a.Sentence+"; "+a.Cause+".")
	}
	says(t, page, `<a href="https://example.org/#v1/pastebin?a=1&amp;b=2">`)
}

// Whatever retries, hedges or holds back is told.
func TestMarkdownTellsTheWholePolicy(t *testing.T) {
	s, r := ran(t, "two-service", "duration=1s", "policy.budget.percent=10", "policy.breaker.enabled=true", "policy.balancer.attempts=2", "policy.calls.b.hedge_after=300ms",
		`policy.calls.b.library={"attempts": 3, "timeout": "5s", "backoff": {"kind": "exponential", "base": "100ms", "max": "1s"}}`,
		"operations.call.client.attempts=3", "policy.propagate_deadline=false")
	_, text := rendered(t, metrics.Markdown(&s, &r, ""))
	says(t, text,
		"b is sent a second time when there is no answer after 300ms.",
		"The library under b tries 3 times on timeout, error, refused, lost, shed, exponential 100ms up to 1s, each for up to 5s.",
		"A user of call tries 3 times on ", "The balancer tries twice on ",
		"Budget, of each process at each dependency: at most 1.10× attempts for each first one, but for 10 in hand.",
		"A breaker before every dependency opens for 5s when 50 % of at least 10 calls within 1s end with refused.",
		"A call is not told how much time its request has left.",
		"client, balancer, app, library and a hedge make up to 3 × 2 × 4 × 3 × 2 = 144 attempts for one click",
		"if every one is hedged: 2× = 40/s", "the budget lets through: at most 1.10×",
	)
}

// What there is nothing of is said, and no link leads to nowhere.
func TestMarkdownOfACalmRun(t *testing.T) {
	s, r := ran(t, "queue", "duration=1s")
	page, text := rendered(t, metrics.Markdown(&s, &r, ""))
	says(t, text, "q | none | 1 | nothing", "Nothing is tried again", "What broke, and when\nNothing.\n", "Who would have been paged\nNobody.\n", "0 bad seconds of 1.")
	if strings.Contains(page, "<a") {
		t.Errorf("a link where there is none:\n%s", page)
	}
	for _, more := range []string{"breaker", "Budget", "balancer", "library", "A user"} {
		if strings.Contains(text, more) {
			t.Errorf("%q, which isn't there, in\n%s", more, text)
		}
	}
}

// A name is text, whatever is in it, and a table stays a table.
func TestMarkdownTakesNamesAsText(t *testing.T) {
	const name = "_a|b_\nc*d*`e`[f](g)<i>&amp;\\|~~h~~__j__ k_l"
	const shown = "_a|b_ c*d*`e`[f](g)<i>&amp;\\|~~h~~__j__ k_l"
	s, r := ran(t, "two-service", "duration=1s")
	s.ID = name
	s.Policy.Calls = map[string]scenario.Call{name: s.Policy.Calls["b"]}
	s.Faults[0].Target, s.Faults[0].At = name, 0
	o := s.Operations["call"]
	o.Steps = []string{name}
	s.Operations = map[string]scenario.Operation{name: o}
	r.Dependencies = map[string]metrics.Dependency{name: r.Dependencies["b"]}
	r.Verdict = name + " is it."
	r.Alerts = []metrics.Alert{{Sentence: "1.0 s: " + name, Cause: name}}
	page, text := rendered(t, metrics.Markdown(&s, &r, "https://example.org/> [x](y)\n|"))
	says(t, text, "retries of "+shown, shown+" is it.", shown+" | 1s | 4 |", shown+": "+shown+" 1s", "From 0 s to the end: "+shown+" was 8× slower.", shown+"; "+shown+".", shown+" | "+fmt.Sprint(r.Dependencies[name].Attempts))
	for _, markup := range []string{"<em>", "<strong>", "<code>", "<i>", "<del>", `href="g"`, `href="y"`} {
		if strings.Contains(page, markup) {
			t.Errorf("a name or link became %s in\n%s", markup, page)
		}
	}
	if n := strings.Count(page, "<table>"); n != 2 || strings.Count(page, "<a ") != 1 {
		t.Errorf("%d tables and %d links, want 2 and 1:\n%s", n, strings.Count(page, "<a "), page)
	}
	for row := range strings.SplitSeq(page, "<tr>") {
		if n := strings.Count(row, "<td"); n != 0 && n != 5 && n != 6 {
			t.Errorf("a row of %d cells:\n%s", n, row)
		}
	}
}
