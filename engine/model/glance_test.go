package model_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/model"
	"stormbin/engine/scenario"
)

// A glance shows the world as a snapshot does, and takes nothing of the sample away.
func TestAGlanceLeavesTheSample(t *testing.T) {
	s, _ := scenario.Find("two-service")
	w, twin := model.New(s.Clone()), model.New(s.Clone())
	var glanced, seen, alone model.Snapshot
	for at := 500 * ms; at <= 10_000*ms; at += 500 * ms {
		for w.Next(time.Duration(at)) {
		}
		for twin.Next(time.Duration(at)) {
		}
		w.Glance(&glanced)
		if len(glanced.Trace) > 0 {
			t.Fatalf("at %v a glance has %d events", at, len(glanced.Trace))
		}
		if at%(2_000*ms) != 0 {
			continue
		}
		w.Snapshot(&seen)
		twin.Snapshot(&alone)
		if len(seen.Trace) == 0 {
			t.Fatalf("at %v nothing was traced", at)
		}
		if diff := cmp.Diff(alone, seen); diff != "" {
			t.Fatalf("at %v, after glances: %s", at, diff)
		}
		seen.Trace, glanced.Trace = nil, nil
		if diff := cmp.Diff(seen, glanced); diff != "" {
			t.Fatalf("at %v a glance is not a snapshot: %s", at, diff)
		}
	}
}

// What a snapshot counts of effects and hits is what the report does.
func TestSnapshotCountsEffectsAndHits(t *testing.T) {
	for _, id := range []string{"pastebin", "lost-order"} {
		s, _ := scenario.Find(id)
		s.Duration = 3_000 * ms
		s.Faults = append(s.Faults, scenario.Fault{At: 1_000 * ms, For: 1_000 * ms, Target: s.Policy.Calls[anyCall(s)].Target(anyCall(s)), Kind: "lose", P: 1})
		w := model.New(s.Clone())
		for w.Next(time.Duration(3_000 * ms)) {
		}
		var seen model.Snapshot
		w.Snapshot(&seen)
		counted, any := w.Report(), int64(0)
		for _, d := range seen.Dependencies {
			want := counted.Dependencies[d.Name]
			if d.Hits != want.Hits || d.Duplicates != want.Duplicates || d.Orphans != want.Orphans {
				t.Errorf("%s: %s has %d hits, %d duplicates and %d orphans; the report %d, %d and %d",
					id, d.Name, d.Hits, d.Duplicates, d.Orphans, want.Hits, want.Duplicates, want.Orphans)
			}
			any += d.Hits + d.Duplicates + d.Orphans
		}
		if any == 0 {
			t.Errorf("%s: nothing to count", id)
		}
	}
}

// anyCall is a call that writes, if there is one.
func anyCall(s scenario.Scenario) string {
	if _, ok := s.Policy.Calls["primary_insert"]; ok {
		return "primary_insert"
	}
	for name := range s.Policy.Calls {
		return name
	}
	return ""
}
