package metrics_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// ran is a built-in with some paths set, and what it came to.
func ran(t *testing.T, id string, changes ...string) (scenario.Scenario, metrics.Report) {
	t.Helper()
	s, ok := scenario.Find(id)
	if !ok {
		t.Fatalf("there is no built-in %q", id)
	}
	for _, change := range changes {
		path, value, _ := strings.Cut(change, "=")
		if err := scenario.SetText(&s, path, value); err != nil {
			t.Fatal(err)
		}
	}
	report, err := run.Do(s)
	if err != nil {
		t.Fatal(err)
	}
	return s, report
}

// The report whole: every name is known to the contract, every value the same, and what is not known is null.
func TestJSONIsTheReport(t *testing.T) {
	for _, args := range [][]string{
		{"two-service"}, {"two-service", "faults=[]", "duration=1s"}, {"two-service", "operations.call.rate=0"}, {"two-service", "seed=18446744073709551615", "duration=5s"},
		{"pastebin", "duration=1s", `faults=[{"target": "primary", "kind": "down"}]`}, {"lost-order"}, {"hidden-retries"}, {"queue", "duration=3s"},
	} {
		_, report := ran(t, args[0], args[1:]...)
		text := metrics.AppendJSON([]byte("before"), &report)
		if !bytes.HasPrefix(text, []byte("before{\n")) || !bytes.HasSuffix(text, []byte("\n}\n")) {
			t.Errorf("%q: must be added to what is there, as one object of many lines: %.20q … %.20q", args, text, text[len(text)-20:])
		}
		var back metrics.Report
		d := json.NewDecoder(bytes.NewReader(text[len("before"):]))
		d.DisallowUnknownFields()
		if err := d.Decode(&back); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		if diff := cmp.Diff(report, back); diff != "" {
			t.Errorf("%q (-report +read):\n%s", args, diff)
		}
		if null := bytes.Contains(text, []byte(`"recovery_s": null`)); null != (report.RecoveryS == nil) {
			t.Errorf("%q: recovery_s is null: %v, for %v", args, null, report.RecoveryS)
		}
	}
}

// A figure that is no number does not make a file that nobody can read.
func TestJSONOfWhatIsNoNumber(t *testing.T) {
	text := metrics.AppendJSON(nil, &metrics.Report{DurationS: math.NaN(), Series: []metrics.Row{{P99S: math.Inf(1)}}})
	if !json.Valid(text) || !bytes.Contains(text, []byte(`"duration_s": null`)) {
		t.Errorf("must be JSON, and null where there is no number:\n%s", text)
	}
}

// Every second a row, every figure of the series a column, with its unit in its name.
func TestCSVIsTheSeries(t *testing.T) {
	_, report := ran(t, "pastebin", "duration=3s", `faults=[{"target": "primary", "kind": "stall", "at": "1s", "for": "1s"}]`)
	text := metrics.AppendCSV([]byte("t"), &report)[1:]
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll() // all have as many fields as the first
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\r\n")); n != 4 || len(rows) != 4 || bytes.Count(text, []byte("\n")) != n {
		t.Fatalf("%d rows, %d line ends: want 4, each CR LF", len(rows), n)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		if _, twice := at[name]; twice || !regexp.MustCompile(`^[a-z0-9_.]+ \[[a-z0-9 ]+\]$`).MatchString(name) {
			t.Errorf("column %q is there twice, or has no unit", name)
		}
		at[name] = i
	}
	seen := 0
	check := func(second int, path string, v reflect.Value) {
		for i := range v.NumField() {
			name := strings.TrimSuffix(v.Type().Field(i).Tag.Get("json"), "_s")
			var want float64
			switch f := v.Field(i); {
			case f.Kind() == reflect.Map:
				continue
			case f.Kind() == reflect.Bool:
				want = map[bool]float64{true: 1}[f.Bool()]
			case f.CanInt():
				want = float64(f.Int())
			default:
				want = f.Float()
			}
			column := slices.IndexFunc(rows[0], func(head string) bool { return strings.HasPrefix(head, path+name+" [") })
			if column < 0 {
				t.Fatalf("no column for %s%s", path, name)
			}
			if got, err := strconv.ParseFloat(rows[1+second][column], 64); err != nil || got != want {
				t.Errorf("second %d: %s%s is %s, want %v", second, path, name, rows[1+second][column], want)
			}
			seen++
		}
	}
	for i, row := range report.Series {
		check(i, "", reflect.ValueOf(row))
		for name, o := range row.Operations {
			check(i, "operations."+name+".", reflect.ValueOf(o))
		}
		for name, d := range row.Dependencies {
			check(i, "dependencies."+name+".", reflect.ValueOf(d))
		}
	}
	if want := len(rows[0]) * len(report.Series); seen != want {
		t.Errorf("%d fields are figures of the series, of %d", seen, want)
	}
	if again := metrics.AppendCSV(nil, &report); !bytes.Equal(text, again) {
		t.Errorf("another order the second time:\n%s\n%s", rows[0], again)
	}
}

func TestCSVQuotes(t *testing.T) {
	name := "a,\"b\"\r\nc"
	text := metrics.AppendCSV(nil, &metrics.Report{
		Operations: map[string]metrics.Requests{name: {}},
		Series:     []metrics.Row{{Operations: map[string]metrics.RowOperation{name: {Ended: 3}}}},
	})
	if want := `,"operations.a,""b""` + "\r\n" + `c.ended [requests]",`; !strings.Contains(string(text), want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	if rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll(); err != nil || len(rows) != 2 || rows[1][8] != "3" {
		t.Errorf("read as %q, %v", rows, err)
	}
}
