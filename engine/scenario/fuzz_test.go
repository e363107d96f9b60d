package scenario_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"stormbin/engine/scenario"
)

// Whatever is read can be checked, and written and read again as the same.
func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte(`{"id": "pastebin", "changes": [{"at": "1s", "path": "policy.budget", "value": {"percent": 1e1}}]}`))
	f.Add([]byte(`{"id": "x", "operations": {"a.b": {"rate": -0}}, "faults": [{"p": 1e-400}]}`))
	f.Add([]byte(`{"id": "pastebin", "operations": {"read": {"arrivals": "closed", "shape": [{"at": "1s", "factor": 2, "ramp": true}], "repeat": "2s"}},
		"dependencies": {"cache": {"keys": {"count": 9, "zipf": 1}, "service": {"dist": "table", "table": ["1ms"]}}},
		"policy": {"breaker": {"targets": ["cache"]}, "balancer": {"attempts": 2}}, "jobs": {"j": {"after": "read", "call": "purge"}}}`))
	f.Add([]byte(`{"seed": 1, "seed": 1}`))
	f.Add([]byte(`{"duration": "8760h", "bad_share": 1e400, "processes": {"count": -1e99}, "operations": {"o": {"rate": NaN, "think": "0s"}}}`))
	f.Add([]byte("{\"operations\": {\"\xff\u2028\": {}}} {"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := scenario.Parse(text)
		oneLine(t, err)
		if err != nil {
			return
		}
		oneLine(t, s.Validate())
		readsBack(t, s)
	})
}

// Set changes what it is told to, or nothing.
func FuzzSet(f *testing.F) {
	f.Add("policy.calls.cache_get.timeout", "20ms")
	f.Add("processes.cap.read", "1e1")
	f.Add("processes.cap.\x93", "0")
	f.Add("faults", `[{"at": "1s"}]`)
	f.Add("operations", `{"read": {"rate": NaN}}`)
	f.Add("operations.read.steps.0.", "null")
	f.Add("operations.read.shape", `[{}, {"at": "0s"}]`)
	f.Add("jobs.reap.backoff", `{"kind": "none"}`)
	f.Add("policy.calls.purge.library", `{"attempts": 5}`)
	f.Add("..", "-0")
	f.Add("........\r", "[[[[[[[[")
	f.Add(strings.Repeat(".", 1000), "[]")
	f.Fuzz(func(t *testing.T, path, text string) {
		s, before := find(t, "pastebin"), find(t, "pastebin")
		err := scenario.SetText(&s, path, text)
		oneLine(t, err)
		if err != nil {
			if diff := cmp.Diff(before, s); diff != "" {
				t.Errorf("changed in spite of %v:\n%s", err, diff)
			}
			return
		}
		oneLine(t, s.Validate())
		readsBack(t, s)
		twice := s.Clone()
		if err := scenario.SetText(&twice, path, text); err != nil {
			t.Errorf("the second time: %v", err)
		}
		if diff := cmp.Diff(s, twice, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("the second time it does something else:\n%s", diff)
		}
	})
}

func oneLine(t *testing.T, err error) {
	t.Helper()
	if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("an error is one line, not %q", err)
	}
	for _, one := range scenario.Each(err) {
		if len(one.Error()) > 1000 {
			t.Errorf("what is wrong is said in short, not %q", one)
		}
	}
}
