package view

import (
	"slices"
	"testing"
	"time"

	"stormbin/engine/live"
	"stormbin/engine/policy"
)

func TestHops(t *testing.T) {
	ms := time.Millisecond
	began := 5 * time.Second
	hops := []live.Hop{
		{Call: "cache_get", Attempt: 1, Start: began, End: began + 480*time.Microsecond, Outcome: policy.OK, Left: 300*ms - 480*time.Microsecond},
		{Call: "primary_read", Attempt: 1, Start: began + 60*ms, End: began + 80*ms, Outcome: policy.Timeout, Left: 220 * ms},
	}
	got := Hops(hops, began, began+300*ms)
	want := []Hop{
		{Call: "cache_get", Try: "1", Start: "0 ms", Took: "0.48 ms", Outcome: "answered", Left: "299.5 ms", From: 0, Width: .0016, OK: true},
		{Call: "primary_read", Try: "1", Start: "60 ms", Took: "20 ms", Outcome: "timed out", Left: "220 ms", From: .2, Width: 1. / 15},
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n%+v\nwant\n%+v", got, want)
	}
	hops[1].Left = policy.NoDeadline
	got = Hops(hops, began, policy.NoDeadline)
	if got[1].Left != "–" || got[1].From != .75 || got[1].Width != .25 {
		t.Errorf("with no deadline: %+v, want the bars against the 80 ms it took", got[1])
	}
	if late := Hops(hops, began, began+70*ms)[1]; late.From+late.Width > 1 {
		t.Errorf("a bar ends at %v of its place", late.From+late.Width)
	}
}

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago", 90 * time.Minute: "1 hour ago", 49 * time.Hour: "2 days ago",
		-time.Hour: "just now",
	} {
		if got := Age(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
