package scenario_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormbin/engine/scenario"
)

// The page can do without encoding/json, but the tests hold what is read and written against it.

// texts are at the edges of what JSON is.
var texts = []string{
	``, ` `, `x`, `{`, `[`, `{}`, `[]`, "\t[ \r\n] ", `{} {}`, `[1,]`, `[,1]`, `[1 2]`, `{"a":1,}`, `{,}`, `{"a"}`, `{"a" 1}`, `{"a":}`, `{a:1}`, `{1:1}`, `[}`, `{]`,
	`{"a":{"b":[{},[],null]},"c":"d"}`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"a":1,"a":2`, `{"":{"":1}}`, `[{"a":1},{"a":1}]`,
	`0`, `-0`, `-`, `+1`, `01`, `-01`, `1.`, `.1`, `1.5`, `1.5.5`, `1e`, `1e+`, `1E-2`, `1e05`, `1e400`, `-1e400`, `1e-400`, `0x1`, `1_0`, `1-2`, `NaN`, `Infinity`, `12345678901234567890`,
	`true`, `false`, `null`, `tru`, `truex`, `True`, `nul`, `true false`,
	`"`, `""`, `"a`, `a"`, `'a'`, `"\"\\\/\b\f\n\r\t"`, `"\`, `"\"`, `"\x"`, `"\u"`, `"\u12"`, `"\u12g4"`, `"\u+123"`, `"\U0041"`, `"\u00E9\u00e9"`, `"\u0000"`,
	"\"\n\"", "\"\x00\"", "\"\x1f\"", "\"\x7f\u2028é\U0001F600\"", "\x00", "[1\x00]", "\ufeff1", "1\u00a0", "\v1", "1\f", "\r\n1",
	`"\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"\ude00"`, `"\ude00\ud83d"`, `"\ud83d\ud83d\ude00"`, `"\ud83d\u0041"`, `"\ud83d\n"`, `"\ud83d\u"`, `"\ufffd\ufffd"`,
	"\"\xff\xfe\"", "\xff", "{\"\xff\":1,\"\xfe\":2}", "\"\xed\xa0\x80\"", "\"\xc3",
	`[[[[[[[[[[[[[1]]]]]]]]]]]]]`, `[[[[[[[[[[[[[[1]]]]]]]]]]]]]]`, `{"a":[{"a":[{"a":[{"a":[{"a":[{"a":[{"a":1}]}]}]}]}]}]}`,
}

func TestReadsWhatJSONReads(t *testing.T) {
	for _, text := range texts {
		readsLikeJSON(t, text)
	}
}

func FuzzReadsWhatJSONReads(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { readsLikeJSON(t, text) })
}

func TestReadsWhatJSONReadsOfAnything(t *testing.T) {
	parts := rapid.SliceOf(rapid.SampledFrom([]string{
		"{", "}", "[", "]", ",", ":", `"a"`, `"b":`, `"`, `\`, `\u`, `\ud83d\ude00`, "00e9", "/", "n", "true", "null", "-", "0", "1", ".", "e", "+", " ", "\n", "\x01", "\xff", "é",
	}))
	rapid.Check(t, func(t *rapid.T) {
		readsLikeJSON(t, strings.Join(parts.Draw(t, "parts"), ""))

		text, err := json.MarshalIndent(anyValue(3).Draw(t, "value"), "", rapid.SampledFrom([]string{"", "\t"}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		readsLikeJSON(t, string(text))
		text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.SampledFrom([]byte(`{}[],:"\/u0-.e x`)).Draw(t, "byte")
		readsLikeJSON(t, string(text))
	})
}

// readsLikeJSON checks that a text is JSON here if it is for encoding/json, and then has the same value.
func readsLikeJSON(t interface {
	Helper()
	Errorf(string, ...any)
}, text string) {
	t.Helper()
	s := scenario.Scenario{Changes: make([]scenario.Change, 1)}
	err := scenario.SetText(&s, "changes.0.value", text)

	const room = 13 // of 16, for a value of a change
	valid := json.Valid([]byte(text))
	if !valid && strings.Count(text, "[")+strings.Count(text, "{") > room {
		return // too deep is said before it is found not to be JSON
	}
	var want any = string([]rune(text)) // what is no JSON is a string
	wantErr := "no error"
	if valid {
		twice, depth := lookAt(json.NewDecoder(strings.NewReader(text)))
		switch tooLarge := json.Unmarshal([]byte(text), &want); {
		case depth > room:
			wantErr = "too deep"
		case twice:
			wantErr = "given twice"
		case tooLarge != nil:
			wantErr = "must be a finite number"
		}
	}
	if got := line(err); !strings.Contains(got, wantErr) {
		t.Errorf("%.200q: got %s, want %s", text, got, wantErr)
	}
	if err != nil {
		return
	}
	if diff := cmp.Diff(want, s.Changes[0].Value); diff != "" {
		t.Errorf("%.200q (-encoding/json +here):\n%s", text, diff)
	}
}

// lookAt finds in JSON what encoding/json has nothing against: a name given twice, and objects and lists that are deep
// in each other.
func lookAt(d *json.Decoder) (twice bool, depth int) {
	t, _ := d.Token()
	if t != json.Delim('{') && t != json.Delim('[') {
		return false, 0
	}
	seen := map[json.Token]bool{}
	for d.More() {
		if t == json.Delim('{') {
			key, _ := d.Token()
			twice = twice || seen[key]
			seen[key] = true
		}
		inTwice, inDepth := lookAt(d)
		twice, depth = twice || inTwice, max(depth, inDepth)
	}
	d.Token()
	return twice, depth + 1
}

func TestWritesWhatJSONReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := scenario.Scenario{Changes: []scenario.Change{{Value: anyValue(3).Draw(t, "value")}}}
		text, err := s.Full()
		if err != nil {
			t.Fatal(err)
		}
		var read struct{ Changes []struct{ Value any } }
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if diff := cmp.Diff(s.Changes[0].Value, read.Changes[0].Value); diff != "" {
			t.Errorf("(-written +read)\n%s", diff)
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, text, "", "  "); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(indented.String(), string(text)); diff != "" {
			t.Errorf("indented otherwise than by encoding/json:\n%s", diff)
		}
	})
}

// anyValue is what JSON can be in plain Go.
func anyValue(depth int) *rapid.Generator[any] {
	leaf := []*rapid.Generator[any]{
		rapid.String().AsAny(), rapid.StringMatching(`["\\/<&\x00-\x20\x7f]*`).AsAny(), rapid.Float64().AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil),
	}
	if depth == 0 {
		return rapid.OneOf(leaf...)
	}
	inner := anyValue(depth - 1)
	return rapid.OneOf(append(leaf,
		rapid.SliceOfN(inner, 0, 4).AsAny(),
		rapid.MapOfN(rapid.String(), inner, 0, 4).AsAny(),
	)...)
}

func TestWhatIsNotUTF8(t *testing.T) {
	s := find(t, "two-service")
	s.Changes = make([]scenario.Change, 1)
	if err := scenario.Set(&s, "changes.0.value", map[string]any{"a\xff": "b\xff\xfe"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"a\ufffd": "b\ufffd\ufffd"}, s.Changes[0].Value); diff != "" {
		t.Error(diff)
	}
	readsBack(t, s)
}

func TestFullSaysWhatJSONCannotHold(t *testing.T) {
	for want, spoil := range map[string]func(*scenario.Scenario){
		`bad_share: NaN: must be a value that JSON can hold`:              func(s *scenario.Scenario) { s.BadShare = math.NaN() },
		`policy.budget.percent: -Inf: must be a value that JSON can hold`: func(s *scenario.Scenario) { s.Policy.Budget.Percent = math.Inf(-1) },
		`changes.0.value.a.1: (0+1i): must be a value that JSON can hold`: func(s *scenario.Scenario) { s.Changes = []scenario.Change{{Value: map[string]any{"a": []any{1, 1i}}}} },
	} {
		s := find(t, "two-service")
		spoil(&s)
		for name, write := range map[string]func() ([]byte, error){"Full": s.Full, "Short": s.Short} {
			if text, err := write(); line(err) != want || text != nil {
				t.Errorf("%s: got %s, want %s", name, line(err), want)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	deep := func(n int) string {
		return fmt.Sprintf(`{"changes": [{"value": %s1%s}]}`, strings.Repeat("[", n-3), strings.Repeat("]", n-3))
	}
	padded := func(n int) string { return "{}" + strings.Repeat(" ", n-2) }
	for _, c := range []struct{ in, want string }{
		{deep(16), "no error"},
		{deep(17), "changes.0.value.0.0.0.0.0.0.0.0.0.0.0.0.0: too deep; must be in at most 16 objects and lists"},
		{padded(4 << 20), "no error"},
		{padded(4<<20 + 1), "4194305 bytes of JSON: must be at most 4194304"},
	} {
		if _, err := scenario.Parse([]byte(c.in)); line(err) != c.want {
			t.Errorf("%.60s\n got %s\nwant %s", c.in, line(err), c.want)
		}
	}
	// What was set may be written, and must be read again.
	s := find(t, "two-service")
	s.Changes = make([]scenario.Change, 1)
	if got, want := line(scenario.SetText(&s, "changes.0.value", strings.Repeat("[", 14)+strings.Repeat("]", 14))), "too deep"; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}

	s = find(t, "pastebin")
	for range 10_000 {
		s.Changes = append(s.Changes, scenario.Change{Path: "policy.calls.primary_insert.statement_timeout", Value: "20ms"})
	}
	readsBack(t, s)
}
