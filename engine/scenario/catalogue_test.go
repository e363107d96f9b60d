package scenario_test

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/policy"
	"stormbin/engine/scenario"
)

const ms = time.Millisecond

func TestCatalogue(t *testing.T) {
	links, err := os.ReadFile("testdata/links.txt")
	if err != nil {
		t.Fatal(err)
	}
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	var families []string
	for _, e := range scenario.List() {
		s := find(t, e.ID)
		if s.ID != e.ID || !kebab.MatchString(e.ID) || seen[e.ID] {
			t.Errorf("%q has the id %q; must be its own, and no other's, like slow-retries", e.ID, s.ID)
		}
		seen[e.ID] = true
		if e.Title == "" || !strings.HasSuffix(e.Question, "?") || !strings.HasSuffix(e.Answer, ".") || strings.ContainsAny(e.Question+e.Answer, "\n\t") {
			t.Errorf("%s has the title %q, the question %q and the answer %q", e.ID, e.Title, e.Question, e.Answer)
		}
		if !slices.Contains(families, e.Family) {
			families = append(families, e.Family)
		} else if e.Family != families[len(families)-1] {
			t.Errorf("%s is not with the others of %s", e.ID, e.Family)
		}
		if _, there := scenario.Find(e.Against); e.Against != "" && (!there || e.Against == e.ID) {
			t.Errorf("%s is to be seen against %q", e.ID, e.Against)
		}
		if !strings.Contains(string(links), "\n#v1/"+e.ID+"\t") {
			t.Errorf("links.txt has no line of %s, so nothing holds it to what it stands for", e.ID)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", e.ID, err)
		}
		// Short is for people to read: only what makes this scenario what it is.
		if short, full := write(t, s.Short), write(t, s.Full); len(short) > len(full)/3 {
			t.Errorf("%s is %d bytes of %d when short:\n%s", e.ID, len(short), len(full), short)
		}
	}
	if diff := cmp.Diff([]string{"experiment", "pastebin", "classics", "queueing"}, families); diff != "" {
		t.Error(diff)
	}
	if s, ok := scenario.Find("nothing"); ok {
		t.Errorf("found %v", s)
	}
	s := find(t, "two-service")
	clear(s.Operations)
	if len(find(t, "two-service").Operations) == 0 {
		t.Error("what is found is the caller's own, not the catalogue's")
	}
}

// The rule of a paste service, as it is taught.
func TestPastebinRule(t *testing.T) {
	s := find(t, "pastebin")
	refused := policy.Set(policy.Refused)
	once := policy.Rule{Attempts: 1}
	again := policy.Rule{Attempts: 2, RetryOn: refused, Jitter: policy.FullJitter, Backoff: policy.Backoff{Kind: policy.Constant, Base: 20 * ms}}
	for _, c := range []struct {
		call, on  string
		timeout   time.Duration
		retry     policy.Rule
		optional  bool
		statement time.Duration // where the server stops
	}{
		{"cache_get", "cache", 5 * ms, once, true, 0},
		{"primary_read", "primary", 20 * ms, again, false, 25 * ms},
		{"object_get", "bucket", 200 * ms, again, false, 0},
		{"object_put", "bucket", 1000 * ms, once, false, 0},
		{"primary_insert", "primary", 50 * ms, once, false, 60 * ms},
		{"primary_delete", "primary", 50 * ms, once, false, 60 * ms},
		{"purge", "cdn", 2000 * ms, once, false, 0},
		{"object_delete", "bucket", 1000 * ms, once, false, 0},
	} {
		line := s.Policy.Calls[c.call]
		want := c.retry
		want.Timeout = c.timeout
		if diff := cmp.Diff(want, line.Rule()); diff != "" {
			t.Errorf("%s:\n%s", c.call, diff)
		}
		statement := line.StatementTimeout
		if statement == 0 {
			statement = s.Dependencies[c.on].StatementTimeout
		}
		if line.Target(c.call) != c.on || line.Optional != c.optional || time.Duration(statement) != c.statement {
			t.Errorf("%s: on %s, optional %v, statement timeout %v", c.call, line.Target(c.call), line.Optional, statement)
		}
	}
	if len(s.Policy.Calls) != 8 || !s.Policy.PropagateDeadline {
		t.Errorf("%d calls, deadlines propagated: %v", len(s.Policy.Calls), s.Policy.PropagateDeadline)
	}
	if s.Policy.Budget.Policy().Kind != policy.NoBudget || s.Policy.Breaker.Enabled || s.Policy.Balancer.Present() {
		t.Error("a rule that hardly retries needs no budget, no breaker and no balancer's retries")
	}
	for name, o := range s.Operations {
		if o.Client.Present() {
			t.Errorf("users of %s retry", name)
		}
	}
}

// Off the request path, and again until it is done: first after a second, and then ever more rarely.
func TestPastebinJobs(t *testing.T) {
	s := find(t, "pastebin")
	again := scenario.Backoff{Kind: "exponential", Base: dur(time.Second), Max: dur(time.Hour)}
	want := map[string]scenario.Job{
		"purge":  {After: "delete", On: "effect", Call: "purge", Backoff: again},
		"detach": {After: "delete", On: "effect", Call: "object_delete", Backoff: again},
		"reap":   {After: "create", On: "failed", Call: "object_delete", Delay: dur(10 * time.Second), Backoff: again},
	}
	if diff := cmp.Diff(want, s.Jobs); diff != "" {
		t.Error(diff)
	}
	if age := s.Jobs["reap"].Delay; age <= s.Operations["create"].Deadline {
		t.Errorf("reaped at the age of %v, when its create may still be under way", age)
	}
}

func TestPastebinNumbers(t *testing.T) {
	s := find(t, "pastebin")
	read, create := s.Operations["read"], s.Operations["create"]
	if read.Rate != 17_400 || create.Rate != 350 {
		t.Errorf("reads %v/s, creates %v/s", read.Rate, create.Rate)
	}
	if !read.Idempotent || create.Idempotent || !s.Operations["delete"].Idempotent {
		t.Error("reads and deletes may be done twice, creates may not")
	}

	slices := time.Duration(0)
	for _, step := range read.Steps {
		slices += time.Duration(s.Policy.Calls[step].Timeout)
	}
	budget := time.Duration(read.Deadline)
	primary, object := time.Duration(s.Policy.Calls["primary_read"].Timeout), time.Duration(s.Policy.Calls["object_get"].Timeout)
	if budget != 300*ms || slices != 225*ms {
		t.Errorf("slices %v of %v", slices, budget)
	}
	if slices+primary != 245*ms || slices+object != 425*ms {
		t.Errorf("with a retried primary read %v, with a retried object get %v", slices+primary, slices+object)
	}
	if create.Deadline != dur(2*time.Second) {
		t.Errorf("a create has %v", create.Deadline)
	}

	if n := s.Processes.Count * s.Processes.Cap["create"]; s.Processes.Count != 23 || n < 200 || n >= 200+23 {
		t.Errorf("%d processes hold %d creates; 200, rounded up for each", s.Processes.Count, n)
	}
	if got := capacity(s.Dependencies["primary"]); got != 15_000 {
		t.Errorf("the primary can do %v/s", got)
	}
	toPrimary := read.Rate * (1 - s.Dependencies["cache"].HitShare)
	if share := toPrimary / 15_000; share < 0.575 || share > 0.585 {
		t.Errorf("reads take %.3f of the primary", share)
	}
	if bucket := s.Dependencies["bucket"].Service; bucket.Base != dur(15*ms) || bucket.Mean != dur(15*ms) {
		t.Errorf("an object takes %v + %v", bucket.Base, bucket.Mean)
	}
}

func TestTwoServiceNumbers(t *testing.T) {
	s := find(t, "two-service")
	slow := s.Faults[0]
	if healthy := capacity(s.Dependencies["b"]); healthy != 80 || healthy/slow.Factor != 10 {
		t.Errorf("B does %v/s, %v/s when slow", healthy, healthy/slow.Factor)
	}
	if slow.Kind != "slow" || slow.At != dur(3*time.Second) || slow.End() != 6*time.Second {
		t.Errorf("%+v", slow)
	}
	want := policy.Rule{Timeout: time.Second, Attempts: 4, RetryOn: policy.Set(policy.Timeout, policy.Error, policy.Refused)}
	if diff := cmp.Diff(want, s.Policy.Calls["b"].Rule()); diff != "" {
		t.Error(diff)
	}
	if s.Operations["call"].Rate != 20 {
		t.Errorf("A sends %v/s", s.Operations["call"].Rate)
	}
}

func TestQueueNumbers(t *testing.T) {
	s := find(t, "queue")
	if got := capacity(s.Dependencies["q"]); got != 80 || s.Operations["call"].Rate != 60 {
		t.Errorf("%v/s for a capacity of %v/s", s.Operations["call"].Rate, got)
	}
	if diff := cmp.Diff(policy.Rule{Attempts: 1}, s.Policy.Calls["q"].Rule()); diff != "" {
		t.Error(diff)
	}
}

// clicks is how many requests come: evenly spaced, the first at 0s.
func clicks(s scenario.Scenario, operation string) int {
	o := s.Operations[operation]
	n := math.Ceil(time.Duration(s.Duration).Seconds() * o.Rate)
	return int(n) * o.Copies
}

func TestLostOrderIsOneClick(t *testing.T) {
	s := find(t, "lost-order")
	o, b := s.Operations["order"], s.Policy.Calls["b"]
	if clicks(s, "order") != 1 || o.Arrivals != "even" || o.Idempotent {
		t.Errorf("%+v", o)
	}
	if b.Attempts != 4 || b.Timeout != dur(time.Second) || b.IdempotencyKey {
		t.Errorf("%+v", b)
	}
	if f := s.Faults[0]; f.Kind != "lose" || f.P != 1 || f.At != 0 || f.End() != scenario.Forever {
		t.Errorf("%+v", f)
	}
}

func TestDoubleClickIsTwoRequestsWithOneKey(t *testing.T) {
	s := find(t, "double-click")
	if clicks(s, "order") != 2 || s.Operations["order"].Idempotent || !s.Policy.Calls["b"].IdempotencyKey || !s.Dependencies["b"].Unique {
		t.Errorf("%+v", s)
	}
}

func TestHiddenRetriesTake(t *testing.T) {
	s := find(t, "hidden-retries")
	if f := s.Faults[0]; clicks(s, "get") != 1 || f.Kind != "blackhole" || f.At != 0 || f.End() != scenario.Forever {
		t.Errorf("%+v", s)
	}
	// A dial of 5 s, five times, with 100 ms between: 25.4 s, where one would have thought of 5.
	line := s.Policy.Calls["cache_get"]
	get := loop(line.Library.Rule())
	if line.Timeout != 0 || line.Attempts != 1 || get != 25_400*ms {
		t.Errorf("one get takes %v, %d times", get, line.Attempts)
	}
	// With the retries that are on by default, and the run is long enough to see it.
	line.Attempts = 4
	rule := line.Rule()
	rule.Timeout = get
	if took := loop(rule); took < 100*time.Second || took > time.Duration(s.Duration) {
		t.Errorf("four take %v, in a run of %v", took, s.Duration)
	}
}

// loop is how long a rule takes if every attempt times out, without jitter.
func loop(r policy.Rule) (took time.Duration) {
	for n := range r.Attempts {
		took += r.Timeout
		if n > 0 {
			took += r.Backoff.Wait(n)
		}
	}
	return took
}

func capacity(d scenario.Dependency) float64 {
	return float64(d.Slots) / time.Duration(d.Service.Base+d.Service.Mean).Seconds()
}
