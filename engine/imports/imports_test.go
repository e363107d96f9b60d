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
	"stormbin/engine/presets"
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

// readOne reads a text with one policy in it, which sets what is wanted, among other things.
func readOne(t *testing.T, text string, want map[string]any) imports.Found {
	t.Helper()
	allIsToldOf(t, text)
	found := read(t, text)
	if len(found) != 1 {
		t.Fatalf("%s: %+v", text, found)
	}
	got := settings(found[0])
	for to, value := range want {
		if diff := cmp.Diff(value, got[to]); diff != "" {
			t.Errorf("%s: %s:\n%s", text, to, diff)
		}
	}
	return found[0]
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

// dropped is what is written in one of the policies, and told of in none.
func dropped(tree any, found []imports.Found) (paths []string) {
	for _, path := range leaves(tree, "") {
		inside, told := false, false
		for _, f := range found {
			inside = inside || below(path, f.Path)
			for _, s := range f.Set {
				told = told || s.From != "" && below(path, s.From)
			}
			for _, l := range f.Left {
				told = told || below(path, l.Path)
			}
		}
		if inside && !told {
			paths = append(paths, path)
		}
	}
	return paths
}

// allIsToldOf says that whatever is written in a policy is set here or said why it can't be, and that it can be applied.
func allIsToldOf(t *testing.T, text string) {
	t.Helper()
	found := read(t, text)
	if paths := dropped(tree(t, text), found); len(paths) > 0 {
		t.Errorf("dropped without a word: %q", paths)
	}
	for _, f := range found {
		for _, l := range f.Left {
			if l.Path == "" || l.Why == "" {
				t.Errorf("%s: %+v: must say which, and why", f.Name, l)
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

// A setting that nobody knows is told of wherever it stands, by itself or with what it stands in.
func TestUnknownSettingsAreToldOf(t *testing.T) {
	for _, text := range []string{grpcConfig, envoyBootstrap, virtualService, destinationRule, resilience, boto3} {
		document := tree(t, text)
		var visit func(v any)
		visit = func(v any) {
			switch v := v.(type) {
			case map[string]any:
				v["unheardOf"] = 1.0
				found, err := imports.Read(document)
				if err != nil {
					t.Fatal(err)
				}
				if paths := dropped(document, found); len(paths) > 0 {
					t.Errorf("dropped without a word: %q", paths)
				}
				delete(v, "unheardOf")
				for _, e := range v {
					visit(e)
				}
			case []any:
				for _, e := range v {
					visit(e)
				}
			}
		}
		visit(document)
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

// What somebody has who writes nothing but that there are retries is what the preset of that name has.
func TestDefaultsAreThoseOfThePresets(t *testing.T) {
	for id, text := range map[string]string{
		"envoy":        `{"retry_on": "5xx"}`,
		"istio":        `{"http": [{"route": [{"destination": {"host": "b"}}]}]}`,
		"resilience4j": `{"retry": {"instances": {"b": {}}}}`,
	} {
		allIsToldOf(t, text)
		s, _ := scenario.Find("two-service")
		s.Policy.Calls["b"] = scenario.Call{Attempts: 1, Backoff: scenario.Backoff{Kind: "none"}, Jitter: "none", Library: scenario.Layer{Attempts: 1, Backoff: scenario.Backoff{Kind: "none"}, Jitter: "none"}}
		want, err := presets.WithLibrary(s, "b", id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read(t, text)[0].Apply(s, "b")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", id, diff)
		}
	}
}

// A format that only looks like one doesn't keep what is in it from being found.
func TestReadLooksOn(t *testing.T) {
	for _, text := range []string{
		`{"http": [{"retry_policy": {"retry_on": "5xx"}, "cluster": "a"}]}`,
		`{"routes": [{"redirect": {}}], "domains": ["*"], "x": {"thresholds": [{}]}}`,
		`{"trafficPolicy": {}, "y": {"retry_mode": "standard"}}`,
	} {
		if found := read(t, text); len(found) != 1 {
			t.Errorf("%s: %+v", text, found)
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
