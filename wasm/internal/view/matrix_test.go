package view

import (
	"math"
	"strings"
	"testing"
	"time"

	"stormbin/engine/presets"
	"stormbin/engine/scenario"
)

const millisecond = scenario.Duration(time.Millisecond)

// withCall is s with a call changed.
func withCall(t *testing.T, s *scenario.Scenario, call string, how func(*scenario.Call)) *scenario.Scenario {
	t.Helper()
	changed := s.Clone()
	c, found := changed.Policy.Calls[call]
	if !found {
		t.Fatal("no call " + call)
	}
	how(&c)
	changed.Policy.Calls[call] = c
	return &changed
}

// What is set behind the button is said in the call's row; what changes nothing there is not.
func TestWhatElseIsSet(t *testing.T) {
	for id, want := range map[string]map[string]string{
		"two-service":     {"b": ""},
		"slow-backoff":    {"b": "with exponential backoff from 100 ms, full jitter"},
		"hedging":         {"cache_get": "", "primary_read": "with constant backoff from 20 ms, full jitter, a hedge at once"},
		"hedging-late":    {"primary_read": "with constant backoff from 20 ms, full jitter, a hedge after 6 ms"},
		"idempotency-key": {"b": "with an idempotency key"},
	} {
		s := find(t, id)
		for call, want := range want {
			if got := Also(s, call); got != want {
				t.Errorf("%s, %s: %q, want %q", id, call, got, want)
			}
		}
	}
	s := withCall(t, find(t, "slow-backoff"), "b", func(c *scenario.Call) { c.Attempts = 1; c.HedgeCancel = true })
	if got := Also(s, "b"); got != "" {
		t.Errorf("with one attempt it says %q", got)
	}
}

// The lesson's sum: 225 of 300 ms, of which a retry of the lookup leaves 55, and one of the object takes 125 too much.
func TestTheSumOfTheLesson(t *testing.T) {
	s := find(t, "pastebin")
	m := TheMatrix(s)
	read := m.Operations[0]
	if want := "cache_get 5ms + primary_read 20ms + object_get 200ms = 225ms of 300ms, 75ms left"; read.Operation != "read" || read.Said != want {
		t.Errorf("%s: %s\nwant read: %s", read.Operation, read.Said, want)
	}
	for call, want := range map[string]string{
		"cache_get":    "a retry would fit: 230 of 300 ms",
		"primary_read": "a retry fits: 245 of 300 ms, and up to 20 ms of backoff",
		"object_get":   "a retry fits after a refusal (225 of 300 ms), not after a timeout (425), and up to 20 ms of backoff",
		"object_put":   "a retry would fit after a refusal (1.05 of 2 s), not after a timeout (2.05)",
		"purge":        "no user waits",
	} {
		if got := m.Calls[call].Short; got != want {
			t.Errorf("%s: %q, want %q", call, got, want)
		}
	}
	if got := m.Calls["primary_read"].Said; !strings.Contains(got, "225ms + 20ms = 245ms of 300ms") || !strings.Contains(got, "if the primary never answers") {
		t.Errorf("primary_read: %q", got)
	}
	for _, call := range CallOrder(s) {
		if _, found := m.Calls[call]; !found {
			t.Errorf("%s has no line in the sum", call)
		}
	}
	// The rule asks for one retry of both reads, after a refusal: of the object one after a timeout would be too many, and so is
	// any where the slices alone are more than the deadline.
	for _, test := range []struct {
		on    []string
		slice scenario.Duration
		too   bool
		short string
	}{
		{[]string{"refused"}, 200 * millisecond, false, "after a refusal (225 of 300 ms), not after a timeout (425)"},
		{[]string{"refused", "timeout"}, 200 * millisecond, true, "after a refusal (225 of 300 ms), not after a timeout (425)"},
		{nil, 200 * millisecond, false, "not after a timeout"},
		{[]string{"refused"}, 260 * millisecond, true, "no retry fits: 545 of 300 ms"},
	} {
		fit := TheMatrix(withCall(t, s, "object_get", func(c *scenario.Call) { c.RetryOn, c.Timeout = test.on, test.slice })).Calls["object_get"]
		if fit.Too != test.too || !strings.Contains(fit.Short, test.short) {
			t.Errorf("object_get retried on %v in %v: %+v; want %q, too many: %v", test.on, test.slice, fit, test.short, test.too)
		}
	}
	if m.Calls["primary_read"].Too || m.Calls["object_put"].Too {
		t.Errorf("too many retries: %v", m.Calls)
	}
}

// The bar is the deadline, or the sum where that is more, and tells where the deadline is passed.
func TestTheBarIsTheWholeDeadline(t *testing.T) {
	s := find(t, "pastebin")
	for timeout, late := range map[scenario.Duration]bool{200 * millisecond: false, 275 * millisecond: false, 280 * millisecond: true, time300: true} {
		m := TheMatrix(withCall(t, s, "object_get", func(c *scenario.Call) { c.Timeout = timeout }))
		read := m.Operations[0]
		sum, past := 0., 0.
		for _, p := range read.Bar {
			sum += p.Time
			if p.Late {
				past += p.Time
			}
		}
		whole := max(.3, .025+float64(timeout)/1e9)
		if math.Abs(sum-whole) > 1e-9 || math.Abs(past-(whole-.3)) > 1e-9 || read.Over != late {
			t.Errorf("with %v: a bar of %v s, %v of it past the deadline, want %v; %+v", timeout, sum, past, whole, read)
		}
	}
	if m := TheMatrix(find(t, "two-service")); m.Operations[0].Bar != nil || m.Operations[0].Said != "b 1s, and no deadline" || m.Calls["b"].Short != "no deadline" || !strings.Contains(m.Calls["b"].Said, "4s if B never answers") {
		t.Errorf("with no deadline: %+v", m)
	}
	none := TheMatrix(withCall(t, s, "object_get", func(c *scenario.Call) { c.Timeout = 0 }))
	if read := none.Operations[0]; read.Bar != nil || !strings.Contains(read.Said, "no timeout on object_get") || none.Calls["primary_read"].Short != "no bound" {
		t.Errorf("with a call that has no timeout: %+v", none)
	}
}

const time300 = 300 * millisecond

// One call of several operations is judged by the one with the least time for it.
func TestACallIsJudgedByItsTightestOperation(t *testing.T) {
	s := find(t, "pastebin").Clone()
	slow := s.Operations["read"]
	slow.Rate, slow.Deadline = 1e5, scenario.Duration(10*time.Second)
	s.Operations["patient"] = slow
	if got := TheMatrix(&s).Calls["object_get"].Short; !strings.Contains(got, "not after a timeout (425)") {
		t.Error(got)
	}
}

func TestOnlyWhatMattersIsAskedFor(t *testing.T) {
	s := find(t, "two-service")
	is := func(s *scenario.Scenario, call string, want map[string]bool) {
		t.Helper()
		for setting, want := range want {
			if got := Matters(s, call, setting); got != want {
				t.Errorf("%s of %s matters: %v", setting, call, got)
			}
		}
	}
	is(s, "b", map[string]bool{"backoff.kind": true, "backoff.base": false, "jitter": false, "hedge_cancel": false, "hedge_after": true, "idempotency_key": false})
	waits := withCall(t, s, "b", func(c *scenario.Call) {
		c.Backoff = scenario.Backoff{Kind: "constant", Base: millisecond}
		c.HedgeAfter = 100 * millisecond
	})
	is(waits, "b", map[string]bool{"backoff.kind": true, "backoff.base": true, "backoff.max": false, "jitter": true, "hedge_cancel": true})
	for _, grows := range []func(*scenario.Call){
		func(c *scenario.Call) { c.Backoff.Kind = "linear" },
		func(c *scenario.Call) { c.Jitter = "decorrelated" },
	} {
		is(withCall(t, waits, "b", grows), "b", map[string]bool{"backoff.max": true})
	}
	once := withCall(t, waits, "b", func(c *scenario.Call) { c.Attempts = 1 })
	is(once, "b", map[string]bool{"backoff.kind": false, "backoff.base": false, "backoff.max": false, "jitter": false})
	nothing := withCall(t, waits, "b", func(c *scenario.Call) { c.RetryOn = nil })
	is(nothing, "b", map[string]bool{"backoff.kind": false, "backoff.base": false, "jitter": false})
	is(find(t, "pastebin"), "object_put", map[string]bool{"idempotency_key": true})
	is(find(t, "pastebin"), "primary_read", map[string]bool{"idempotency_key": false})
}

func TestTheRuleThatHoldsIsNamed(t *testing.T) {
	if got := Holds(find(t, "pastebin")); got != "the rule" {
		t.Errorf("the pastebin's: %q", got)
	}
	for _, id := range []string{"two-service", "pastebin"} {
		for _, r := range presets.Rules() {
			with, err := presets.WithRule(*find(t, id), r.Name)
			if err != nil {
				t.Fatal(err)
			}
			if got := Holds(&with); got != r.Name {
				t.Errorf("%s with %s: %q", id, r.Name, got)
			}
			for call, c := range with.Policy.Calls {
				c.Attempts += 3
				with.Policy.Calls[call] = c
			}
			if got := Holds(&with); got != "" {
				t.Errorf("%s with more than %s: %q", id, r.Name, got)
			}
		}
	}
}

// A rule that differs from one that has a name only in what changes nothing comes to it.
func TestARuleComesToTheOneThatDoesTheSame(t *testing.T) {
	backoff := scenario.Backoff{Kind: "constant", Base: millisecond}
	for _, test := range []struct {
		is   string
		how  func(*scenario.Call)
		want string
	}{
		{"one attempt, whatever is retried", func(c *scenario.Call) { c.Attempts = 1 }, "no retries"},
		{"one attempt, with a backoff", func(c *scenario.Call) { c.Attempts, c.Backoff, c.Jitter = 1, backoff, "full" }, "no retries"},
		{"four attempts, and nothing is retried", func(c *scenario.Call) { c.RetryOn = nil }, "no retries"},
		{"four attempts", func(*scenario.Call) {}, "retry everything three times"},
		{"a backoff that is waited for", func(c *scenario.Call) { c.Backoff = backoff }, ""},
		{"one attempt and a hedge", func(c *scenario.Call) { c.Attempts, c.HedgeAfter = 1, millisecond }, ""},
	} {
		s := withCall(t, find(t, "two-service"), "b", test.how)
		if got := ComesTo(s); got != test.want {
			t.Errorf("%s: %q, want %q", test.is, got, test.want)
		}
	}
}

func BenchmarkWhatFollowsFromAChange(b *testing.B) {
	s, _ := scenario.Find("pastebin")
	for b.Loop() {
		TheMatrix(&s)
		Holds(&s)
	}
}
