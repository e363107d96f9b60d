package view

import (
	"testing"

	"stormbin/engine/scenario"
)

// through lists the calls of an exit, those that break the rule with a "!".
func through(e Exit) (calls string) {
	for _, c := range e {
		calls += c.Call
		if c.Breaks != "" {
			calls += "!"
		}
		calls += " "
	}
	return calls
}

func TestExits(t *testing.T) {
	edit := func(id string, changes ...scenario.Change) scenario.Scenario {
		s := builtin(t, id)
		for _, c := range changes {
			if err := scenario.Set(&s, c.Path, c.Value); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	set := func(path string, value any) scenario.Change { return scenario.Change{Path: path, Value: value} }
	order := set("operations.call.idempotent", false)
	for _, test := range []struct {
		name  string
		s     scenario.Scenario
		exits [3]string
	}{
		{"the pastebin's rule breaks nothing", builtin(t, "pastebin"), [3]string{
			"cache_get primary_read object_get primary_delete ", "primary_read object_get ", "object_put primary_insert "}},
		{"three retries of everything break all of it", eager(builtin(t, "pastebin")), [3]string{
			"cache_get! primary_read! object_get! primary_delete! ", "cache_get! primary_read! object_get! primary_delete! ", "object_put! primary_insert! "}},
		{"two services, as everyone would", builtin(t, "two-service"), [3]string{"b! ", "b! ", ""}},
		{"no retries", edit("two-service", set("policy.calls.b.attempts", 1)), [3]string{"b ", "", ""}},
		{"one jittered retry of what was refused", edit("two-service", set("policy.calls.b.attempts", 2), set("policy.calls.b.retry_on", []string{"refused"}),
			set("policy.calls.b.backoff", map[string]any{"kind": "constant", "base": "20ms"}), set("policy.calls.b.jitter", "full")), [3]string{"b ", "b ", ""}},
		{"the same without jitter", edit("two-service", set("policy.calls.b.attempts", 2), set("policy.calls.b.retry_on", []string{"refused"})),
			[3]string{"b ", "b! ", ""}},
		{"one that does not fit", edit("pastebin", set("operations.read.deadline", "240ms")),
			[3]string{"cache_get primary_read object_get primary_delete ", "primary_read! object_get! ", "object_put primary_insert "}},
		{"an order", edit("two-service", order), [3]string{"", "", "b! "}},
		{"an order with a key may be repeated", edit("two-service", order, set("policy.calls.b.idempotency_key", true), set("policy.calls.b.attempts", 1)),
			[3]string{"b ", "", ""}},
		{"a hedge", edit("two-service", set("policy.calls.b.attempts", 1), set("policy.calls.b.hedge_after", "200ms")), [3]string{"b! ", "", ""}},
		{"what the library does by itself", builtin(t, "hidden-retries"), [3]string{"cache_get! ", "", ""}},
	} {
		exits := Exits(&test.s)
		for i, want := range test.exits {
			if got := through(exits[i]); got != want {
				t.Errorf("%s: through exit %d goes %q, want %q", test.name, i, got, want)
			}
		}
	}
}

// What is tried again after a refusal is told with how many of its retries fit, in the number that they have.
func TestRetriesAfterARefusal(t *testing.T) {
	for attempts, want := range map[int]struct{ how, breaks string }{
		2: {"1 retry, which fits, since a refusal takes no time: 225 of 300 ms, and up to 20 ms of backoff", ""},
		4: {"3 retries, which fit, since a refusal takes no time: 225 of 300 ms, and up to 20 ms of backoff", "One at most"},
		5: {"4 retries", "One at most; only 3 fit"},
	} {
		s := withCall(t, find(t, "pastebin"), "primary_read", func(c *scenario.Call) { c.Attempts = attempts })
		for _, c := range Exits(s)[1] {
			if c.Call == "primary_read" && (c.How != want.how || c.Breaks != want.breaks) {
				t.Errorf("%d attempts: %q, broken by %q; want %q, %q", attempts, c.How, c.Breaks, want.how, want.breaks)
			}
		}
	}
}
