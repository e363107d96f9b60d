package view

import (
	"slices"
	"strings"
	"testing"
	"time"

	"stormbin/engine/scenario"
)

// Everything that a scenario may have broken can be broken by hand, and what is typed is what breaks.
func TestEveryFaultCanBeTyped(t *testing.T) {
	s := find(t, "pastebin")
	sec := scenario.Duration(time.Second)
	for typed, want := range map[Typed]scenario.Fault{
		{"primary", "slow", "10", "", ""}:            {Target: "primary", Kind: "slow", Factor: 10},
		{"primary", "stall", "", "2s", "12 s"}:       {Target: "primary", Kind: "stall", Factor: 1, For: 2 * sec, At: 12 * sec},
		{"bucket", "down", "7", "1m", ""}:            {Target: "bucket", Kind: "down", Factor: 1, For: 60 * sec},
		{"cache", "blackhole", "", "", ""}:           {Target: "cache", Kind: "blackhole", Factor: 1},
		{"primary", "flaky", "20", "", ""}:           {Target: "primary", Kind: "flaky", Factor: 1, P: .2},
		{"primary", "lose", " 100 ", "", ""}:         {Target: "primary", Kind: "lose", Factor: 1, P: 1},
		{"primary", "capacity", "50", "500ms", "1s"}: {Target: "primary", Kind: "capacity", Factor: .5, For: sec / 2, At: sec},
		{"cache", "flush", "", "", ""}:               {Target: "cache", Kind: "flush", Factor: 1},
		{"read", "surge", "2.5", "", ""}:             {Target: "read", Kind: "surge", Factor: 2.5},
	} {
		got, field, err := typed.Fault(s)
		if err != nil || got != want {
			t.Errorf("%+v: %+v, want %+v (%s %v)", typed, got, want, field, err)
		}
	}
	all := map[string]bool{}
	for _, name := range Breakables(s) {
		for _, w := range Ways(s, name) {
			all[w.Kind] = true
		}
	}
	for _, w := range Surge() {
		all[w.Kind] = true
	}
	for _, kind := range []string{"slow", "stall", "down", "blackhole", "flaky", "lose", "capacity", "surge", "flush"} {
		if !all[kind] {
			t.Errorf("%s is not to be had", kind)
		}
	}
	if slices.ContainsFunc(Ways(s, "primary"), func(w Way) bool { return w.Kind == "flush" }) {
		t.Error("the primary, which is no cache, can be flushed")
	}
}

// What stands in the field at first is what is said to be usual of a link that leaves the number out, and breaks something.
func TestTheUsualIsWhatALinkIsToldToSay(t *testing.T) {
	s := find(t, "pastebin")
	for _, w := range append(Ways(s, "cache"), Surge()...) {
		target := "cache"
		if w.Kind == "surge" {
			target = "read"
		}
		typed, _, err := Typed{Target: target, Kind: w.Kind, Amount: w.Usual()}.Fault(s)
		if err != nil {
			t.Errorf("%s: %v", w.Kind, err)
		}
		l, err := scenario.ParseLink("#v1/pastebin?fault=" + target + "," + w.Kind)
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Bare) > 0 != (w.Amount != "") {
			t.Errorf("%s has the amount %q, and a link without one leaves out %v", w.Kind, w.Amount, l.Bare)
			continue
		}
		if w.Amount != "" {
			l, err = scenario.ParseLink("#v1/pastebin?" + l.Bare[0].Usual)
		}
		if err != nil || !slices.Equal(l.Scenario.Faults, []scenario.Fault{typed}) || w.Amount != "" && typed.Factor == 1 && typed.P == 0 {
			t.Errorf("%s: a link means %+v, the form %+v (%v)", w.Kind, l.Scenario.Faults, typed, err)
		}
	}
}

// What is refused is refused at its field, with what would be right, and no path that nobody typed.
func TestAFaultIsRefusedAtItsField(t *testing.T) {
	s := find(t, "pastebin")
	for typed, want := range map[Typed]string{
		{"primary", "slow", "0", "", ""}:        "amount",
		{"primary", "slow", "", "", ""}:         "amount",
		{"primary", "slow", "NaN", "", ""}:      "amount",
		{"primary", "slow", "fast", "", ""}:     "amount",
		{"primary", "flaky", "101", "", ""}:     "amount",
		{"primary", "capacity", "-1", "", ""}:   "amount",
		{"read", "surge", "1e9", "", ""}:        "amount",
		{"primary", "stall", "", "2", ""}:       "for",
		{"primary", "stall", "", "-1s", ""}:     "for",
		{"primary", "stall", "", "soon", ""}:    "for",
		{"primary", "stall", "", "2s", "later"}: "at",
		{"primary", "stall", "", "2s", "9000h"}: "at",
	} {
		f, field, err := typed.Fault(s)
		if err == nil || field != want {
			t.Errorf("%+v: %+v, %q, %v; want an error at %s", typed, f, field, err, want)
			continue
		}
		if said := err.Error(); !strings.Contains(said, "must be") || strings.Contains(said, "faults") {
			t.Errorf("%+v: %q does not say what would be right, or says a path", typed, said)
		}
	}
}

func TestPlanned(t *testing.T) {
	sec := scenario.Duration(time.Second)
	s := &scenario.Scenario{Faults: []scenario.Fault{
		{At: 20 * sec, Target: "primary", Kind: "down"},
		{At: 2 * sec, For: 3 * sec, Target: "b", Kind: "slow", Factor: 8},
		{At: 12 * sec, For: 2 * sec, Target: "b", Kind: "stall"},
	}}
	want := []Broken{{"B stalled", "at 12.0 s, for 2 s", s.Faults[2], true}, {"primary down", "at 20.0 s", s.Faults[0], true}}
	if got := Planned(s, 2*time.Second); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := Planned(s, 20*time.Second); got != nil {
		t.Errorf("nothing is to come, and yet %+v", got)
	}
}

func TestSlowToSoLong(t *testing.T) {
	s := find(t, "two-service").Clone()
	b := s.Dependencies["b"]
	for mean, want := range map[time.Duration]struct {
		factor float64
		named  string
	}{
		100 * time.Millisecond: {8, "B 8× slower for 3 s"}, 97 * time.Millisecond: {800. / 97, "B 8.25× slower for 3 s"}, 80 * time.Millisecond: {10, "B 10× slower for 3 s"},
		time.Second: {1, "B 1× slower for 3 s"},
	} {
		b.Service.Mean = scenario.Duration(mean)
		s.Dependencies["b"] = b
		f := scenario.Fault{Target: "b", Kind: "slow", For: scenario.Duration(3 * time.Second), Factor: SlowTo(&s, "b", 800*time.Millisecond)}
		if f.Factor != want.factor || ToBreak(&f) != want.named {
			t.Errorf("a B of %v is slow by %v, %q, want %v", mean, f.Factor, ToBreak(&f), want)
		}
	}
}
