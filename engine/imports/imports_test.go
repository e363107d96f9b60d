package imports_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/imports"
	enginejson "stormbin/engine/json"
	"stormbin/engine/scenario"
)

// tree is a document in JSON as decoders give it.
func tree(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func read(t *testing.T, text string) []imports.Found {
	t.Helper()
	found, err := imports.Read(tree(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// settings is what a policy sets, by place.
func settings(f imports.Found) map[string]any {
	m := map[string]any{}
	for _, s := range f.Set {
		m[s.To] = s.Value
	}
	return m
}

// leaves are the paths of all single values of a tree below path.
func leaves(v any, path string) (all []string) {
	switch v := v.(type) {
	case map[string]any:
		for key, e := range v {
			all = append(all, leaves(e, enginejson.Join(path, key))...)
		}
	case []any:
		for i, e := range v {
			all = append(all, leaves(e, enginejson.Join(path, strconv.Itoa(i)))...)
		}
	}
	if all == nil {
		return []string{path}
	}
	return all
}

func below(path, top string) bool {
	return top == "" || path == top || strings.HasPrefix(path, top+".")
}

// Whatever is written in a policy is told of: it is set here, or it is said why it can't be.
func allIsToldOf(t *testing.T, text string) {
	t.Helper()
	found := read(t, text)
	for _, path := range leaves(tree(t, text), "") {
		told, asked := false, false
		for _, f := range found {
			asked = asked || below(path, f.Path)
			for _, s := range f.Set {
				told = told || s.From != "" && below(path, s.From)
			}
			for _, l := range f.Left {
				told = told || below(path, l.Path)
			}
		}
		if asked && !told {
			t.Errorf("%s is dropped without a word", path)
		}
	}
	for _, f := range found {
		for _, l := range f.Left {
			if l.Path == "" || l.Why == "" || strings.Contains(l.Why, "\n") {
				t.Errorf("%s: %+v: must say which, and why, in one line", f.Name, l)
			}
		}
		for _, s := range f.Set {
			if s.From == "" && (s.Note == "" || s.Source == "") {
				t.Errorf("%s: %+v: who sets what isn't written must say why, and where that was read", f.Name, s)
			}
		}
		base, _ := scenario.Find("two-service")
		if _, err := f.Apply(base, "b"); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

func TestNothingKnown(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `null`, `3`, `"retry"`, `{"retries": 3}`} {
		_, err := imports.Read(tree(t, text))
		if !errors.Is(err, imports.ErrNothing) || !strings.Contains(err.Error(), "gRPC method") {
			t.Errorf("%s: %v: must say that nothing is known, and what would be", text, err)
		}
	}
}

func TestApplyLeavesTheRestAlone(t *testing.T) {
	before, _ := scenario.Find("pastebin")
	found := read(t, grpcConfig)
	after, err := found[0].Apply(before, "primary_read")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := scenario.Find("pastebin")
	if diff := cmp.Diff(want, before); diff != "" {
		t.Errorf("it wrote to what it was given:\n%s", diff)
	}
	if c := after.Policy.Calls["primary_read"]; c.Attempts != 4 || c.Timeout.String() != "800ms" {
		t.Errorf("%+v", c)
	}
	after.Policy.Calls["primary_read"] = before.Policy.Calls["primary_read"]
	after.Policy.Budget = before.Policy.Budget
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("it changed more than the call:\n%s", diff)
	}
	if _, err := found[0].Apply(before, "primary_raed"); err == nil || !strings.Contains(err.Error(), "one of primary_read") {
		t.Errorf("%v: must name the call", err)
	}
}
