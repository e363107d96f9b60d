package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormbin/engine/json"
)

type word string

type inner struct {
	Small float64 `json:"small"`
	Words []word  `json:"words"`
}

type outer struct {
	Zulu   string             `json:"zulu"` // the order is the fields', not the alphabet's
	Alpha  bool               `json:"alpha"`
	Count  int                `json:"count"`
	Seed   uint64             `json:"seed"`
	Maybe  *float64           `json:"maybe"`
	Named  map[string]inner   `json:"named"`
	Inner  inner              `json:"inner"`
	Rows   []map[string]int64 `json:"rows"`
	Single float32            `json:"single"`
	Any    any                `json:"any"`
}

// What encoding/json writes, byte for byte after it has been read; and it reads it back as the same.
func TestWritesGoValuesAsEncodingJSONDoes(t *testing.T) {
	in := rapid.Custom(func(t *rapid.T) inner {
		return inner{rapid.Float64().Draw(t, "small"), rapid.SliceOf(rapid.Map(rapid.String(), func(s string) word { return word(s) })).Draw(t, "words")}
	})
	rapid.Check(t, func(t *rapid.T) {
		v := outer{
			Zulu: rapid.String().Draw(t, "zulu"), Alpha: rapid.Bool().Draw(t, "alpha"), Count: rapid.Int().Draw(t, "count"),
			Seed: rapid.Uint64().Draw(t, "seed"), Maybe: rapid.Ptr(rapid.Float64(), true).Draw(t, "maybe"),
			Named: rapid.MapOf(rapid.String(), in).Draw(t, "named"), Inner: in.Draw(t, "inner"),
			Rows:   rapid.SliceOf(rapid.MapOf(rapid.String(), rapid.Int64())).Draw(t, "rows"),
			Single: rapid.Float32().Draw(t, "single"), Any: rapid.OneOf(rapid.Bool().AsAny(), rapid.String().AsAny(), rapid.Just[any](nil)).Draw(t, "any"),
		}
		if rapid.Bool().Draw(t, "nil") {
			v.Named, v.Rows, v.Inner.Words = nil, nil, nil
		}
		text := json.Append(nil, &v, "\n")
		var back outer
		d := stdjson.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&back); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if diff := cmp.Diff(v, back); diff != "" {
			t.Fatalf("(-was +read)\n%s", diff)
		}
		want, err := stdjson.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tokens(t, want), tokens(t, text)); diff != "" {
			t.Fatalf("(-encoding/json +here)\n%s", diff)
		}
	})
}

// tokens is all that stands in a text, in its order.
func tokens(t *rapid.T, text []byte) (all []stdjson.Token) {
	d := stdjson.NewDecoder(bytes.NewReader(text))
	for d.More() {
		token, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, token)
		for !d.More() { // what ends here
			end, err := d.Token()
			if err != nil {
				return all
			}
			all = append(all, end)
		}
	}
	return all
}

// JSON has no number for these.
func TestWhatIsNoNumberIsNull(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := string(json.Append(nil, []float64{f, 1}, "")); got != "[null,1]" {
			t.Errorf("%v is written as %s", f, got)
		}
	}
}
