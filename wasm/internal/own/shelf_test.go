package own

import (
	"strings"
	"testing"

	"stormbin/engine/scenario"
)

func TestName(t *testing.T) {
	for typed, want := range map[string]string{" My  system ": "My system", "": "", "   ": "", strings.Repeat("é", 60): strings.Repeat("é", 60), strings.Repeat("é", 61): ""} {
		if got, err := Name(typed); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is kept as %q, %v", typed, got, err)
		}
	}
}

func TestFileName(t *testing.T) {
	for name, want := range map[string]string{"My system": "my-system.json", "Three tiers: edge, db": "three-tiers-edge-db.json", "K": "k.json", "../é": "system.json", "checkout_2": "checkout_2.json", "": "system.json", strings.Repeat("a b", 40): ""} {
		got := FileName(name)
		if want != "" && got != want || len(got) > 45 || strings.ContainsAny(got, "/\\ ") {
			t.Errorf("%q has the file %q", name, got)
		}
	}
}

// A file is taken in or it is said what is wrong with it.
func TestReadFile(t *testing.T) {
	whole := ShapeText("tiers")
	for _, good := range []string{whole, "\uFEFF" + whole, "{}"} {
		if text, err := ReadFile("x.json", []byte(good)); err != nil || text != strings.TrimPrefix(good, "\uFEFF") {
			t.Errorf("%.20q: %v", good, err)
		}
	}
	for said, bad := range map[string]string{
		"line":                       whole[:len(whole)/2],
		"no text":                    "\xff\xd8\xff\xe0",
		"4,194,304 bytes":            strings.Repeat(" ", MostFile+1),
		"dependencies.b.slot: no su": `{"dependencies": {"b": {"slot": 1}}}`,
		"must be an object":          `[1, 2]`,
	} {
		if text, err := ReadFile("x.json", []byte(bad)); err == nil || text != "" || !strings.Contains(err.Error(), said) || !strings.HasPrefix(err.Error(), "x.json ") {
			t.Errorf("%.20q: %v, want something of %q", bad, err, said)
		}
	}
}

// The link is the system, under a name that no built-in has.
func TestNamed(t *testing.T) {
	for _, test := range []struct{ shape, name, id, begins string }{
		{"service", "My checkout", "my-checkout", "#v1z/"},
		{"service", "pastebin", "own-pastebin", "#v1z/"},
		{"service", "", "system", "#v1z/"},
		{"pastebin", "mine", "pastebin", "#v1/pastebin?policy.calls.primary_read.attempts=4"},
	} {
		s := shape(t, test.shape)
		if test.shape == "pastebin" {
			if err := scenario.Set(&s, "policy.calls.primary_read.attempts", 4); err != nil {
				t.Fatal(err)
			}
		}
		link := scenario.Link{Scenario: Named(s, test.name)}.String()
		read, err := scenario.ParseLink(link)
		if err != nil || read.Scenario.ID != test.id || !strings.HasPrefix(link, test.begins) || len(scenario.Diff(s, read.Scenario)) > 0 {
			t.Errorf("%+v: %s: %v", test, link, err)
		}
	}
}

func TestShapes(t *testing.T) {
	for _, s := range Shapes() {
		d := New(ShapeText(s.ID))
		if err := d.Problem(); (err != nil) != (s.ID == "blank") {
			t.Errorf("%s: %v", s.ID, err)
		}
	}
}
