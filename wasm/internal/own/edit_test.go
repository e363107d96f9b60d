package own

import (
	"strings"
	"testing"

	"stormbin/engine/scenario"
)

// Renamed, everything is as it was under another name: what refers to it follows, and back it is the same again.
func TestRename(t *testing.T) {
	for id, s := range systems(t) {
		for list, names := range map[string][]string{operations: scenario.Names(s.Operations), dependencies: scenario.Names(s.Dependencies), calls: scenario.Names(s.Policy.Calls)} {
			for _, name := range names {
				renamed := s.Clone()
				if err := Rename(&renamed, list, name, "quite-new"); err != nil {
					t.Errorf("%s: %s %s: %v", id, list, name, err)
					continue
				}
				if err := renamed.Validate(); err != nil {
					t.Errorf("%s: %s %s renamed: %v", id, list, name, err)
				}
				if err := Rename(&renamed, list, "quite-new", name); err != nil {
					t.Fatal(err)
				}
				for _, c := range scenario.Diff(s, renamed) {
					if !strings.HasSuffix(c.Path, ".on") { // what was left out is now said
						t.Errorf("%s: %s %s renamed and back: %s is %v", id, list, name, c.Path, c.Value)
					}
				}
			}
		}
	}
}

func TestNamesThatCantBe(t *testing.T) {
	s, _ := scenario.Find("pastebin")
	for _, name := range []string{"", "Primary DB", "cache", strings.Repeat("x", 41), "a.b", "é"} {
		was := s.Clone()
		if err := Rename(&s, dependencies, "primary", name); err == nil || !strings.HasPrefix(err.Error(), "dependencies: ") || len(scenario.Diff(was, s)) > 0 {
			t.Errorf("renamed to %q: %v", name, err)
		}
		if err := Add(&s, dependencies, name); err == nil || len(scenario.Diff(was, s)) > 0 {
			t.Errorf("added %q: %v", name, err)
		}
	}
	if err := Rename(&s, dependencies, "primary", "primary"); err != nil {
		t.Errorf("its own name: %v", err)
	}
}

// Removed, it is gone from everything that referred to it, and what is left has nothing wrong with it but what it lacks.
func TestRemove(t *testing.T) {
	for id, s := range systems(t) {
		for list, names := range map[string][]string{operations: scenario.Names(s.Operations), dependencies: scenario.Names(s.Dependencies), calls: scenario.Names(s.Policy.Calls)} {
			for _, name := range names {
				left := s.Clone()
				Remove(&left, list, name)
				err := left.Validate()
				if err != nil && !strings.Contains(err.Error(), ".steps: 0 steps") && !strings.HasPrefix(err.Error(), "operations: {}") {
					t.Errorf("%s: %s without %s: %v", id, list, name, err)
				}
				if was, _ := s.Clone().Full(); !strings.Contains(string(was), name) {
					t.Fatalf("%s has no %s", id, name)
				}
			}
		}
	}
	s, _ := scenario.Find("primary-down-breaker")
	Remove(&s, dependencies, "primary")
	if s.Policy.Breaker.Enabled {
		t.Error("a breaker before the primary alone is now one before everything")
	}
}

// From nothing: a dependency brings its call along, and an operation makes it.
func TestAdd(t *testing.T) {
	s := blank()
	if err := Add(&s, faults, ""); err == nil {
		t.Error("something can break where there is nothing")
	}
	for _, what := range []struct{ list, name string }{{dependencies, "db"}, {operations, "read"}, {faults, ""}, {calls, "write"}} {
		if err := Add(&s, what.list, what.name); err != nil {
			t.Fatalf("%s %s: %v", what.list, what.name, err)
		}
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	if o := s.Operations["read"]; len(o.Steps) != 1 || o.Steps[0] != "db" {
		t.Errorf("read makes %v", o.Steps)
	}
	if c := s.Policy.Calls["write"]; c.On != "db" {
		t.Errorf("write goes on %q", c.On)
	}
	if len(s.Faults) != 1 || s.Faults[0].Target != "db" || s.Faults[0].Kind != "stall" {
		t.Errorf("what breaks is %v", s.Faults)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"cache_get", "primary_read", "object_get"}
	for name, want := range map[string]string{"object_get": "object_get", "Primary_Read": "primary_read", "shop.primary_read.v1": "primary_read", "object": "object_get", "": "cache_get", "search": "cache_get"} {
		if got := Nearest(name, names); got != want {
			t.Errorf("%q is taken for %s, want %s", name, got, want)
		}
	}
}
