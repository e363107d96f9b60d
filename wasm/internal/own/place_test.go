package own

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stormbin/engine/json"
	"stormbin/engine/scenario"
)

// Every value of every system is found at the line that its key stands in.
func TestFindTheLine(t *testing.T) {
	for id, s := range systems(t) {
		full, err := s.Full()
		if err != nil {
			t.Fatal(err)
		}
		text := string(full)
		tree, err := json.Parse(text, "", json.Limits{Bytes: len(text), Depth: 16})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(text, "\n")
		last := 0
		var walk func(tree any, path string)
		walk = func(tree any, path string) {
			o, ok := tree.(json.Object)
			if !ok {
				return
			}
			for _, m := range o {
				at := json.Join(path, m.Key)
				place, found := Find(text, fmt.Errorf("%s: 0: must be something else", at))
				if !found || place.Path != at || !strings.HasPrefix(strings.TrimSpace(lines[place.Line-1]), `"`+m.Key+`": `) || place.Line <= last {
					t.Fatalf("%s: %s is said to be at %+v (%v), after line %d: %q", id, at, place, found, last, lines[place.Line-1])
				}
				last = place.Line
				walk(m.Value, at)
			}
		}
		walk(tree, "")
	}
}

func TestFindWhatIsWrong(t *testing.T) {
	for _, test := range []struct{ text, at string }{
		{"{\n\"version\": 1,\n\"duraton\": \"3s\"\n}", `"duraton"`},
		{"{\n\"duration\": 3\n}", `"duration"`},
		{"{\n\"seed\": 1,\n\"seed\": 2\n}", `"seed": 2`},
		{"{\n\"seed\": 1,\n\"duration\" \"3s\"\n}", `"duration" "3s"`},
		{"{\n\"seed\": 1,\n", ""},
		{"", ""},
		{"{\"faults\": [\n{\"kind\": \"stall\"},\n{\"kind\": 7}]}", `{"kind": 7}]}`},
		{"{\"operations\": {\n\"Big one\": {\"rate\": \"x\"}}}", `"Big one"`},
	} {
		_, err := scenario.Parse([]byte(test.text))
		if err == nil {
			t.Fatalf("%q can be read", test.text)
		}
		place, found := Find(test.text, scenario.Each(err)[0])
		if !found {
			t.Errorf("%q: %v: not found", test.text, err)
			continue
		}
		if lines := strings.Split(test.text, "\n"); !strings.HasPrefix(lines[place.Line-1], test.at) || test.at == "" && place.Line != len(lines) {
			t.Errorf("%q: %v: said to be at line %d, want the one with %s", test.text, err, place.Line, test.at)
		}
	}
	if place, found := Find(ShapeText("service"), errors.New("nothing of it")); found {
		t.Errorf("what is about nothing in it is found at %+v", place)
	}
	// Of what is not written the place is what it would stand in.
	if place, found := Find(ShapeText("service"), errors.New("policy.breaker.threshold: 2: must be less")); !found || place.Path != "policy" {
		t.Errorf("what is left out is found at %+v, %v", place, found)
	}
}

// Whatever stands there, looking for a place ends, and the place is in the text.
func TestFindInAnything(t *testing.T) {
	whole := ShapeText("tiers")
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(0, len(whole)).Draw(t, "from")
		text := whole[:from] + rapid.StringOfN(rapid.RuneFrom([]rune("{}[]\",:\\ \n1t")), 0, 40, -1).Draw(t, "between") + whole[rapid.IntRange(from, len(whole)).Draw(t, "to"):]
		err := errors.New("operations.view.rate: 0: must be more")
		if _, bad := scenario.Parse([]byte(text)); bad != nil {
			err = scenario.Each(bad)[0]
		}
		if place, found := Find(text, err); found && (place.From < 0 || place.From > place.To || place.To > len(text) || place.Line < 1 || place.Line > 1+strings.Count(text, "\n")) {
			t.Fatalf("%q: %v: %+v", text, err, place)
		}
	})
	deep := strings.Repeat("[", 100_000)
	if _, found := Find(deep, errors.New("0.0: deep: must be less")); found {
		t.Error("a place was found in what is too deep to be read")
	}
}
