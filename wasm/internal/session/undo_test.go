package session

import (
	"slices"
	"testing"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/scenario"
)

// What no run can change starts over, and the reader's work is still there: what was broken comes again, what was set stays
// set and can be undone, and A is still held against it on the same traffic.
func TestStartingOverLosesNothing(t *testing.T) {
	evenly := func(kind string) func(*scenario.Scenario) {
		return func(s *scenario.Scenario) {
			o := s.Operations["call"]
			o.Arrivals = kind
			s.Operations["call"] = o
		}
	}
	for name, c := range map[string]struct {
		change  func(*scenario.Scenario)
		traffic bool
	}{
		"the seed": {func(s *scenario.Scenario) { s.Seed = 7 }, true},
		"arrivals": {evenly("even"), true},
		"a cap":    {func(s *scenario.Scenario) { s.Processes.Cap = map[string]int{"call": 9} }, false},
	} {
		for _, pinned := range []bool{false, true} {
			s := storm(t)
			if pinned {
				s.Pin()
			}
			do(t, s.Set("policy.calls.b.attempts", 2))
			play(s, 25*time.Second)
			a, to := s.Pinned(), s.Settings().Clone()
			c.change(&to)
			do(t, s.To(to))
			if beside := pinned && !c.traffic; s.Now() != 0 || beside != (s.Goal() == 25*time.Second) {
				t.Errorf("%s, pinned %v: at %v on the way to %v", name, pinned, s.Now(), s.Goal())
			}
			if pinned && (s.Pinned() == nil || c.traffic == (s.Pinned() == a)) {
				t.Errorf("%s: A is still that of before, or is gone", name)
			}
			if faults := s.Run().Scenario().Faults; len(faults) != 1 || faults[0].Kind != "slow" {
				t.Errorf("%s, pinned %v: %+v is to break", name, pinned, faults)
			}
			play(s, 25*time.Second)
			if pinned && !slices.EqualFunc(arrivals(s.Pinned()), arrivals(s.Run()), func(x, y map[string]int64) bool { return x["call"] == y["call"] }) {
				t.Errorf("%s: other requests in A than in B", name)
			}
			if pinned && s.Pinned().Settings().Policy.Calls["b"].Attempts != 4 {
				t.Errorf("%s: A has another rule", name)
			}
			m := back(t, s.Undo)
			if c.change(&m.To); len(scenario.Diff(m.To, to)) != 0 || s.Settings().Policy.Calls["b"].Attempts != 2 {
				t.Errorf("%s, pinned %v: undone, it is not what it was", name, pinned)
			}
			play(s, 25*time.Second)
			if back(t, s.Undo); s.Settings().Policy.Calls["b"].Attempts != 4 || s.CanUndo() {
				t.Errorf("%s, pinned %v: what was done before can't be undone", name, pinned)
			}
		}
	}
}

// The seed is luck and no part of a rule: a reset leaves it alone.
func TestAResetKeepsTheSeed(t *testing.T) {
	s := storm(t)
	to := s.Settings().Clone()
	to.Seed = 7
	do(t, s.To(to))
	if s.Changed() {
		t.Error("another seed alone can be reset")
	}
	play(s, 5*time.Second)
	do(t, s.Set("policy.calls.b.attempts", 2))
	if back(t, s.Reset); s.Settings().Seed != 7 || s.Settings().Policy.Calls["b"].Attempts != 4 || s.Now() < 5*time.Second {
		t.Errorf("reset it has seed %d and is at %v", s.Settings().Seed, s.Now())
	}
}

// What is planned can be taken off the timeline, one by one or all at once, and had back while its time is still to come.
func TestAPlannedFaultCanBeDropped(t *testing.T) {
	for _, pinned := range []bool{false, true} {
		s := begin(t)
		play(s, 3*time.Second)
		if pinned {
			s.Pin() // and B is on its way
		}
		at := func(d time.Duration) scenario.Fault {
			f := slow
			f.At, f.For = scenario.Duration(d), scenario.Duration(time.Second)
			return f
		}
		for _, d := range []time.Duration{10, 20, 30} {
			do(t, s.Plan(at(d*time.Second)))
		}
		planned := func() (times []time.Duration) {
			for _, f := range s.planned() {
				times = append(times, time.Duration(f.At)/time.Second)
			}
			slices.Sort(times)
			return times
		}
		is := func(want ...time.Duration) {
			t.Helper()
			if got := planned(); !slices.Equal(got, want) {
				t.Fatalf("pinned %v: planned for %d s, want %d", pinned, got, want)
			}
			if s.Pinned() != nil && !slices.Equal(s.Run().Scenario().Faults, s.Pinned().Scenario().Faults) {
				t.Fatalf("pinned %v: not the same breaks in A and in B", pinned)
			}
		}
		s.Drop(at(20 * time.Second))
		is(10, 30)
		s.Drop(at(20 * time.Second)) // which is gone already
		if back(t, s.Undo); s.CanUndo() {
			t.Errorf("pinned %v: dropping nothing can be undone", pinned)
		}
		is(10, 20, 30)
		if m := back(t, s.Redo); !slices.Equal(m.Dropped, []scenario.Fault{at(20 * time.Second)}) {
			t.Errorf("pinned %v: done again, dropped is %v", pinned, m.Dropped)
		}
		is(10, 30)
		play(s, 12*time.Second)
		s.Mend()
		is()
		back(t, s.Undo)
		is(30)
		play(s, 25*time.Second)
		if m := back(t, s.Undo); !slices.Equal(m.Past, []scenario.Fault{at(20 * time.Second)}) || m.Planned != nil {
			t.Errorf("pinned %v: a fault whose time is over came to %+v", pinned, m)
		}
		is(30)
		play(s, 40*time.Second)
		var now model.Snapshot
		s.Run().Snapshot(&now)
		do(t, s.Seek(20500*time.Millisecond))
		play(s, 0)
		s.Run().Snapshot(&now)
		if !now.Dependencies[0].Health.Well() {
			t.Errorf("pinned %v: what was dropped has come", pinned)
		}
	}
}
