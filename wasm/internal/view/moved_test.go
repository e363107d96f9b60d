package view

import (
	"strings"
	"testing"
	"time"

	"stormbin/engine/presets"
	"stormbin/engine/scenario"
)

// What has been undone is said by name, with what it was and what it is; of many only a few, or the rule they make.
func TestMoved(t *testing.T) {
	for _, c := range []struct {
		set  map[string]any
		want string
	}{
		{nil, ""},
		{map[string]any{"policy.calls.primary_read.attempts": 4}, "attempts of primary_read 2 → 4"},
		{map[string]any{"policy.calls.object_get.timeout": "1s"}, "timeout of object_get 200ms → 1s"},
		{map[string]any{"policy.calls.object_get.timeout": "0s"}, "timeout of object_get 200ms → none"},
		{map[string]any{"policy.calls.primary_read.backoff.kind": "linear"}, "backoff kind of primary_read constant → linear"},
		{map[string]any{"policy.budget.percent": 10}, "budget percent 0 → 10"},
		{map[string]any{"policy.breaker.enabled": true}, "breaker enabled off → on"},
		{map[string]any{"operations.read.rate": 20_000}, "rate of read 17400 → 20000"},
		{map[string]any{"dependencies.primary.slots": 20}, "slots of primary 30 → 20"},
		{map[string]any{"seed": 7}, "seed 1 → 7"},
		{map[string]any{"policy.calls.primary_read.retry_on": []string{"timeout", "error"}}, "what is retried of primary_read refused → timeout, error"},
	} {
		from, to := find(t, "pastebin"), find(t, "pastebin").Clone()
		for path, value := range c.set {
			if err := scenario.Set(&to, path, value); err != nil {
				t.Fatal(err)
			}
		}
		if got := Moved(from, &to); got != c.want {
			t.Errorf("%v: %q, want %q", c.set, got, c.want)
		}
	}
	from := find(t, "pastebin")
	many, err := presets.WithRule(*from, "retry everything three times")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Moved(from, &many), "“retry everything three times” holds"; len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("many: %q, want %q …", got, want)
	}
	many.Policy.Budget.Percent = 3
	if got, want := Moved(from, &many), "; and "; strings.Count(got, "→") != movedMost || !strings.Contains(got, want) {
		t.Errorf("many without a name: %q, want %d of them and how many more", got, movedMost)
	}
}

func TestReplanned(t *testing.T) {
	f := scenario.Fault{At: scenario.Duration(12 * time.Second), Target: "b", Kind: "slow", Factor: 8}
	g := scenario.Fault{At: scenario.Duration(2 * time.Second), Target: "primary", Kind: "down"}
	for _, c := range []struct {
		planned, dropped, past []scenario.Fault
		want                   string
	}{
		{nil, nil, nil, ""},
		{[]scenario.Fault{f}, nil, nil, "B 8× slower is planned again at 12.0 s"},
		{nil, []scenario.Fault{f}, nil, "B 8× slower is no longer planned at 12.0 s"},
		{[]scenario.Fault{f}, nil, []scenario.Fault{g}, "B 8× slower is planned again at 12.0 s; primary down can’t be planned again: it is past 2.0 s"},
	} {
		if got := Replanned(c.planned, c.dropped, c.past); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
