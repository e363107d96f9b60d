package imports_test

import (
	"encoding/json"
	"strings"
	"testing"

	"stormbin/engine/imports"
	"stormbin/engine/scenario"
)

// Whatever comes, it ends in an error of one line, or in policies that leave a scenario valid or are refused in one line.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		grpcConfig, envoyBootstrap, virtualService, destinationRule, resilience,
		`{"retry_on": "5xx", "num_retries": 1e300, "per_try_timeout": {"seconds": 9e18, "nanos": 1}}`,
		`{"retries": {"mode": "adaptive"}, "read_timeout": 1e308}`, `{"retry_mode": "standard", "read_timeout": 0}`, `{"apiCallTimeout": "0s"}`,
		`{"resilience4j.": {"": {"..": 3}}, "resilience4j...": [null]}`,
		`{"http": [{"route": [{"destination": {}}], "retries": {"attempts": 2147483647, "perTryTimeout": "1ns"}, "timeout": "8760h"}]}`,
		`{"thresholds": [null, 3, {"retry_budget": "20%"}]}`,
		`{"methodConfig": [[], {"name": [{"service": {}}], "retryPolicy": []}]}`,
		strings.Repeat(`{"route":`, 70) + `{}` + strings.Repeat(`}`, 70),
	} {
		f.Add([]byte(text))
	}
	base, _ := scenario.Find("pastebin")
	oneLine := func(t *testing.T, err error) {
		if err.Error() == "" || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: must be one line", err)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var v any
		if json.Unmarshal(text, &v) != nil {
			v = string(text)
		}
		found, err := imports.Read(v)
		if err != nil {
			oneLine(t, err)
		}
		fromText, err := imports.ReadAWSConfig(string(text))
		if err != nil {
			oneLine(t, err)
		}
		for _, f := range append(found, fromText...) {
			said := []string{f.Kind, f.Name, f.Path}
			for _, s := range f.Set {
				said = append(said, s.From, s.To, s.Note, s.Source)
				if s.From == "" && (s.Note == "" || s.Source == "") {
					t.Errorf("%+v: whose default is it, and where was that read?", s)
				}
			}
			for _, l := range f.Left {
				said = append(said, l.Path, l.Why)
			}
			if s := strings.Join(said, ""); strings.ContainsAny(s, "\n\r\x1b") {
				t.Errorf("%q: must be lines", s)
			}
			after, err := f.Apply(base, "primary_read")
			if err != nil {
				oneLine(t, err)
			} else if err := after.Validate(); err != nil {
				t.Errorf("%s leaves a scenario that is not valid: %v", f.Path, err)
			}
		}
	})
}

// A document that is too deep or too large is refused, however little text it took.
func TestReadIsBounded(t *testing.T) {
	deep := any("x")
	for range 100_000 {
		deep = []any{deep}
	}
	wide := any("x")
	for range 40 { // as aliases in YAML do
		wide = []any{wide, wide}
	}
	many := []any{}
	for range 2000 {
		many = append(many, map[string]any{"retry_on": "5xx"})
	}
	for name, tree := range map[string]any{"too deep": deep, "too much": wide, "too many": many} {
		if _, err := imports.Read(tree); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: must say that it is %s", err, name)
		}
	}
}

// Every kind of number that a decoder may give is one.
func TestReadTakesAnyNumber(t *testing.T) {
	for _, n := range []any{int(3), int8(3), int16(3), int32(3), int64(3), uint(3), uint8(3), uint16(3), uint32(3), uint64(3), float32(3), 3.0, "3"} {
		found, err := imports.Read(map[string]any{"retry_on": "5xx", "num_retries": n})
		if err != nil || settings(found[0])["call.attempts"] != 4 {
			t.Errorf("%T: %v, %+v", n, err, found)
		}
	}
	if _, err := imports.Read(map[string]any{"retry_on": struct{}{}}); err == nil || !strings.Contains(err.Error(), "retry_on: a Go struct {}") {
		t.Errorf("%v: must say what it can't be", err)
	}
}
