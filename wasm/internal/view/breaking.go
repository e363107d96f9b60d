package view

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"stormbin/engine/scenario"
)

// Way is a way to break something.
type Way struct {
	Kind string // as a scenario has it
	Name string
	Does string // in one line
	// Amount is what its number is called. Empty: it has none.
	Amount string
}

// Usual is what its number is at first, as it is typed.
func (w *Way) Usual() string {
	x := scenario.Usual(w.Kind)
	if strings.HasSuffix(w.Amount, "%") {
		x *= 100
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// ways are all of them, with those of operations last.
var ways = []Way{
	{"slow", "slow", "Work begun while it is slow ends slowly.", "Times slower"},
	{"stall", "stalls", "It accepts, and serves nothing until it is over.", ""},
	{"down", "down", "It refuses every connection, at once.", ""},
	{"blackhole", "black hole", "Packets vanish: callers wait for their timeout.", ""},
	{"flaky", "flaky", "A share of its answers are errors.", "Answers that fail, %"},
	{"lose", "loses answers", "The work is done, and the caller never hears of it.", "Answers that are lost, %"},
	{"capacity", "fewer slots", "Some of its slots are gone.", "Slots that are left, %"},
	{"flush", "flushed", "It is empty: every read goes on to what it spares.", ""},
	{"surge", "surge", "More users come than usual.", "Times the load"},
}

// AllWays are the ways to break anything.
func AllWays() []Way { return ways }

// Ways are the ways to break a dependency.
func Ways(s *scenario.Scenario, dependency string) []Way {
	d := s.Dependencies[dependency]
	var fit []Way
	for _, w := range ways[:len(ways)-1] {
		if w.Kind != "flush" || d.HitShare > 0 || d.Keys.Count > 0 {
			fit = append(fit, w)
		}
	}
	return fit
}

// Surge is the one way to break an operation.
func Surge() []Way { return ways[len(ways)-1:] }

// Breakables are the dependencies, in the order of a request's way, and those that are not on it last.
func Breakables(s *scenario.Scenario) []string {
	names := Path(s)
	for _, name := range scenario.Names(s.Dependencies) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Typed is a fault as it was typed.
type Typed struct {
	Target, Kind string
	Amount       string // of those that have one
	For          string // empty: until it is mended
	At           string // empty: now
}

// Fault reads it. The field of an error is the one it is about: amount, for or at.
func (t Typed) Fault(s *scenario.Scenario) (f scenario.Fault, field string, err error) {
	probe := s.Clone()
	probe.Faults = []scenario.Fault{{Target: t.Target, Kind: t.Kind, Factor: 1}}
	for _, d := range []struct{ field, text string }{{"for", t.For}, {"at", t.At}} {
		text := strings.ReplaceAll(d.text, " ", "")
		if text == "" {
			continue
		}
		if err := scenario.Set(&probe, "faults.0."+d.field, text); err != nil {
			return f, d.field, pathless(err)
		}
	}
	if err := t.amount(&probe.Faults[0]); err != nil {
		return f, "amount", err
	}
	if wrong := scenario.Each(probe.Validate()); len(wrong) > 0 {
		field, err := "amount", wrong[0]
		for _, of := range []string{"for", "at"} {
			if strings.HasPrefix(err.Error(), "faults.0."+of) {
				field = of
			}
		}
		return f, field, pathless(err)
	}
	return probe.Faults[0], "", nil
}

// refusal is what is wrong with what was typed, and what would be right.
type refusal string

func (r refusal) Error() string { return string(r) }

// pathless is the error without the path, beside the field that it is about.
func pathless(err error) error {
	_, said, found := strings.Cut(err.Error(), ": ")
	if !found {
		return err
	}
	return refusal(said)
}

func (t Typed) amount(f *scenario.Fault) error {
	i := slices.IndexFunc(ways, func(w Way) bool { return w.Kind == t.Kind })
	if i < 0 || ways[i].Amount == "" {
		return nil
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(t.Amount), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return refusal(strconv.Quote(t.Amount) + ": must be a number")
	}
	if !strings.HasSuffix(ways[i].Amount, "%") {
		f.Factor = x
		return nil
	}
	if x < 0 || x > 100 {
		return refusal(strconv.Quote(t.Amount) + ": must be 0 to 100")
	}
	if t.Kind == "capacity" {
		f.Factor = x / 100
	} else {
		f.P = x / 100
	}
	return nil
}

// SlowTo is the factor by which a dependency is slow that needs so long for an attempt, however fast it is when well.
func SlowTo(s *scenario.Scenario, dependency string, needs time.Duration) float64 {
	mean := max(s.Dependencies[dependency].Service.Mean, 1)
	return min(max(float64(needs)/float64(mean), 1), 1e6)
}

// ToBreak names a fault that begins when it is asked for: "B 8× slower for 3 s".
func ToBreak(f *scenario.Fault) string {
	said := Title(f.Target) + " " + faultWords(f)
	if f.For > 0 {
		said += " for " + Span(time.Duration(f.For))
	}
	return said
}
