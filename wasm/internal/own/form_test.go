package own

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"stormbin/engine/scenario"
)

// systems are some to try things on: between them they have something at every path.
func systems(t *testing.T) map[string]scenario.Scenario {
	t.Helper()
	all := map[string]scenario.Scenario{}
	for _, id := range []string{"herd-jitter", "lost-order", "double-click", "primary-down-breaker", "cache-stampede", "gc-spiral-bounded", "metastable", "queue"} {
		found := false
		if all[id], found = scenario.Find(id); !found {
			t.Fatalf("there is no %s any more; try another", id)
		}
	}
	for _, s := range Shapes() {
		read, err := scenario.Parse([]byte(ShapeText(s.ID)))
		if err != nil {
			t.Fatal(err)
		}
		all["shape "+s.ID] = read
	}
	return all
}

func fieldsOf(s *scenario.Scenario) (all []Field) {
	for _, section := range Form(s) {
		for _, g := range section.Groups {
			all = append(append(all, g.Fields...), g.More...)
		}
	}
	return all
}

// set is what the page does when a field is left as it is shown.
func (f Field) set() any {
	switch f.Kind {
	case Yes:
		return f.Yes
	case Words, Steps:
		return f.On
	case Choice:
		return f.Value
	}
	return f.Typed(f.Value)
}

// Every field shows the value at its path: setting it to what it shows changes nothing.
func TestFieldsShowWhatIsAtTheirPaths(t *testing.T) {
	for id, s := range systems(t) {
		seen := map[string]bool{}
		for _, f := range fieldsOf(&s) {
			if seen[f.Path] {
				t.Errorf("%s: two fields for %s", id, f.Path)
			}
			seen[f.Path] = true
			changed := s.Clone()
			if err := scenario.Set(&changed, f.Path, f.set()); err != nil {
				t.Errorf("%s: %s: as it is shown it is refused: %v", id, f.Path, err)
				continue
			}
			for _, c := range scenario.Diff(s, changed) {
				if c.Path == "processes.cap."+strings.TrimPrefix(f.Path, "processes.cap.") && s.Processes.Cap[strings.TrimPrefix(f.Path, "processes.cap.")] == 0 {
					continue // 0 is no cap, too
				}
				t.Errorf("%s: %s: as it is shown it sets %s to %v", id, f.Path, c.Path, c.Value)
			}
			if f.Label == "" {
				t.Errorf("%s: %s has no label", id, f.Path)
			}
			if f.Kind == Choice && !slices.Contains(f.Options, f.Value) {
				t.Errorf("%s: %s can't be chosen as it is: %q of %q", id, f.Path, f.Value, f.Options)
			}
		}
	}
}

// What is out of range, or of the wrong kind, is told at its field, and at its line of the text.
func TestErrorsAreToldWhereTheyAre(t *testing.T) {
	for _, test := range []struct {
		path  string
		value any
		line  string // has this in it
	}{
		{"operations.request.rate", 2e6, `"rate"`},
		{"operations.request.deadline", "9h", `"deadline"`},
		{"operations.request.steps", []string{}, `"request"`}, // what is left out stands in nothing nearer
		{"operations.request.steps", []string{"db", "cache"}, `"cache"`},
		{"dependencies.db.slots", 0, `"slots"`},
		{"dependencies.db.service.mean", "0s", `"service"`},
		{"policy.calls.db.attempts", 101, `"attempts"`},
		{"policy.calls.db.on", "cache", `"on"`},
		{"policy.budget.percent", 2000, `"percent"`},
		{"faults.0.kind", "surge", `"target"`},
		{"duration", "0s", `"duration"`},
		{"bad_share", 2, `"bad_share"`},
	} {
		d := New(ShapeText("service"))
		s := d.Scenario()
		var paths []string
		for _, f := range fieldsOf(&s) {
			paths = append(paths, f.Path)
		}
		if err := d.Set(test.path, test.value); err != nil {
			t.Errorf("%s = %v: %v", test.path, test.value, err)
			continue
		}
		problem := d.Problem()
		if problem == nil {
			t.Errorf("%s = %v: nothing is wrong with it", test.path, test.value)
			continue
		}
		want := test.path
		if want == "faults.0.kind" {
			want = "faults.0.target" // which is none of a surge's
		}
		if at := About(problem, paths); at != want {
			t.Errorf("%s = %v: %v: told at %q", test.path, test.value, problem, at)
		}
		place, found := Find(d.Text(), problem)
		line := strings.Split(d.Text(), "\n")[max(place.Line, 1)-1]
		if !found || !strings.Contains(line, test.line) || !strings.Contains(test.line, d.Text()[place.From:place.To]) {
			t.Errorf("%s = %v: %v: told at line %d (%v), %q, %q of it", test.path, test.value, problem, place.Line, found, line, d.Text()[place.From:place.To])
		}
	}
}

func TestTyped(t *testing.T) {
	for _, test := range []struct {
		f    Field
		text string
		want any
	}{
		{Field{Kind: Number}, "17,400", uint64(17400)},
		{Field{Kind: Number}, " 20 ", uint64(20)},
		{Field{Kind: Number}, "1,5", "1,5"}, // which says neither 1.5 nor 15
		{Field{Kind: Number}, "1,000,000", uint64(1000000)},
		{Field{Kind: Number}, "18446744073709551615", uint64(18446744073709551615)},
		{Field{Kind: Number}, "0.5", .5},
		{Field{Kind: Number}, "1000,000", "1000,000"},
		{Field{Kind: Number}, ",500", ",500"},
		{Field{Kind: Number}, "NaN", "NaN"},
		{Field{Kind: Number}, "", ""},
		{Field{Kind: Number, None: "none", empty: 0}, "", 0},
		{Field{}, "20 ms", "20ms"},
		{Field{None: "none", empty: "0s"}, " ", "0s"},
		{Field{}, "20", "20"},
	} {
		if got := test.f.Typed(test.text); fmt.Sprint(got) != fmt.Sprint(test.want) || fmt.Sprintf("%T", got) != fmt.Sprintf("%T", test.want) {
			t.Errorf("%q in %+v is %v (%T), want %v (%T)", test.text, test.f, got, got, test.want, test.want)
		}
	}
}

func TestFits(t *testing.T) {
	s := blank()
	s.Dependencies = map[string]scenario.Dependency{}
	for i := range 100 {
		s.Dependencies[fmt.Sprint("d", i)] = scenario.Dependency{}
	}
	if !Fits(&s) {
		t.Error("a hundred dependencies, the most that are valid, don't fit")
	}
	s.Dependencies["one-more"] = scenario.Dependency{}
	if Fits(&s) {
		t.Error("more than can be valid fit")
	}
}

// Whatever is typed, the fields stay where they are.
func TestNothingThatIsTypedMovesAField(t *testing.T) {
	for _, of := range Shapes() {
		id, s := of.ID, shape(t, of.ID)
		outline := Outline(Form(&s))
		for _, f := range fieldsOf(&s) {
			if f.Kind != Text && f.Kind != Number {
				continue
			}
			for _, typed := range []string{"0", "1", "999999", "0s", "7ms"} {
				changed := s.Clone()
				if scenario.Set(&changed, f.Path, f.Typed(typed)) == nil && Outline(Form(&changed)) != outline {
					t.Errorf("%s: with %s in %s the form has other fields", id, typed, f.Path)
				}
			}
		}
	}
	s := shape(t, "tiers")
	outline := Outline(Form(&s))
	for path, value := range map[string]any{
		"operations.view.arrivals": "closed", "dependencies.cache.service.dist": "lognormal", "faults.0.kind": "flaky",
		"policy.budget.kind": "tokens", "policy.breaker.enabled": true, "operations.view.steps": []string{"db_read", "cache"},
	} {
		changed := s.Clone()
		if err := scenario.Set(&changed, path, value); err != nil || Outline(Form(&changed)) == outline {
			t.Errorf("with %s %v the form is the same: %v", path, value, err)
		}
	}
}
