package yaml

import (
	"reflect"
	"strings"
	"testing"

	"stormbin/engine/json"
)

func TestYAML(t *testing.T) {
	for text, want := range map[string]any{
		"a: 1\nb: -2.5\nc: yes\nd: true\ne: ~\nf: '1'\ng: 0x10\nh: !!str 5": json.Object{
			{Key: "a", Value: uint64(1)}, {Key: "b", Value: -2.5}, {Key: "c", Value: "yes"}, {Key: "d", Value: true}, {Key: "e"},
			{Key: "f", Value: "1"}, {Key: "g", Value: uint64(16)}, {Key: "h", Value: "5"}},
		"a: &x {n: 1, m: 2}\nb:\n  <<: *x\n  m: 3\nc: *x": json.Object{
			{Key: "a", Value: json.Object{{Key: "n", Value: uint64(1)}, {Key: "m", Value: uint64(2)}}},
			{Key: "b", Value: json.Object{{Key: "m", Value: uint64(3)}, {Key: "n", Value: uint64(1)}}},
			{Key: "c", Value: json.Object{{Key: "n", Value: uint64(1)}, {Key: "m", Value: uint64(2)}}}},
		"1: a\ntrue: b":      json.Object{{Key: "1", Value: "a"}, {Key: "true", Value: "b"}},
		"a: |\n  one\n  two": json.Object{{Key: "a", Value: "one\ntwo"}},
		"- 1\n-\n- [x]":      []any{uint64(1), nil, []any{"x"}},
		"# nothing":          []any(nil),
	} {
		got, err := read(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %#v, %v, want %#v", text, got, err, want)
		}
	}
}

// A few lines that stand for millions of values are refused, and are not counted one by one first.
func TestAFewLinesThatStandForMillions(t *testing.T) {
	aliases := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		n, next := string(rune('0'+i)), string(rune('1'+i))
		aliases += "a" + next + ": &a" + next + " [" + strings.TrimSuffix(strings.Repeat("*a"+n+", ", 10), ", ") + "]\n"
	}
	var merges strings.Builder
	merges.WriteString("a: &a {")
	for i := range 1000 {
		merges.WriteString("k" + strings.Repeat("i", i%40) + strings.Repeat("j", i/40) + ": 1, ")
	}
	merges.WriteString("z: 1}\n")
	for i := range 1000 {
		merges.WriteString("m" + strings.Repeat("i", i%40) + strings.Repeat("j", i/40) + ": {<<: *a}\n")
	}
	for name, text := range map[string]string{"aliases": aliases, "merges": merges.String()} {
		if _, err := JSON(text); err == nil || !strings.Contains(err.Error(), "too much: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever the text is, there is JSON or one line of what is wrong.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		"a: 1\nb: [x, {y: 2}]\n", "a: &x {n: 1}\nb:\n  <<: [*x, *x]\n  m: *x\n", "---\n- !!str 5\n...\n--- |\n  a\n", "? [a]\n: >-\n  b\n", "{a: &a [*a]}", "%YAML 1.2\n---\n'x'\n",
		"a: .inf\nb: .nan\nc: 0x10\nd: -2.5e3\ne: ~", "- - - 1\n  - 2", "\"\\ud800\": \xff", "a:\n\tb",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 { // its parser is slow, which its caller has to live with
			return
		}
		written, err := JSON(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") || len(err.Error()) > 1000 {
				t.Errorf("%q: an error is one short line, not %q", text, err)
			}
			return
		}
		if _, err := json.Parse(written, "", json.Limits{Bytes: 4 << 20, Depth: 2 * deepest}); err != nil {
			t.Errorf("%q is written as %q: %v", text, written, err)
		}
	})
}
