package session

import (
	"errors"
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"stormbin/engine/presets"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

var (
	monkeys     = flag.Int("monkeys", 40, "how many random sessions TestMonkeys has")
	firstMonkey = flag.Uint64("monkey", 1, "the seed of the first of them; the others follow")
)

// Whatever is done in whatever order, the settings are valid, A and B have the same traffic, each is a run that can be had
// again from its scenario, and all can be undone and done again. Some sessions come with changes of their own.
func TestMonkeys(t *testing.T) {
	for seed := *firstMonkey; seed < *firstMonkey+uint64(*monkeys); seed++ {
		m := monkey{T: t, Rand: rand.New(rand.NewPCG(seed, 0))}
		m.begin()
		for range 5 + m.IntN(40) {
			m.act()
			if err := m.s.Settings().Validate(); err != nil {
				t.Fatalf("seed %d: after %q the settings are not valid: %v", seed, m.did, err)
			}
		}
		if err := m.check(); err != nil {
			t.Fatalf("seed %d: %v, after %q", seed, err, m.did)
		}
	}
}

type monkey struct {
	*testing.T
	*rand.Rand
	s                     *Session
	operation, dependency string
	call                  string
	came                  bool // with changes on its timeline
	did                   []string
}

func (m *monkey) begin() {
	id := []string{"two-service", "recovery", "pastebin", "slow-budget"}[m.IntN(4)]
	set, _ := scenario.Find(id)
	m.operation, m.dependency, m.call = "call", "b", "b"
	if id == "pastebin" {
		m.operation, m.dependency, m.call = "read", "primary", "primary_read"
		for name, o := range set.Operations { // a hundredth of its load, or a monkey takes all day
			o.Rate /= 100
			set.Operations[name] = o
		}
	}
	for range m.IntN(3) { // it comes with a timeline of its own
		at := scenario.Duration(len(set.Changes)*5+m.IntN(5)) * scenario.Duration(time.Second)
		set.Changes = append(set.Changes, m.of(
			scenario.Change{At: at, Path: "policy.calls." + m.call + ".attempts", Value: 3},
			scenario.Change{At: at, Path: "policy.calls." + m.call, Value: set.Policy.Calls[m.call]},
			scenario.Change{At: at, Path: "policy.budget.percent", Value: 20},
			scenario.Change{At: at, Path: "operations." + m.operation + ".rate", Value: 15},
		).(scenario.Change))
	}
	s, err := New(set)
	if err != nil {
		m.Fatal(err)
	}
	m.s, m.came, m.did = s, len(set.Changes) > 0, []string{id}
}

func (m *monkey) of(all ...any) any { return all[m.IntN(len(all))] }

func (m *monkey) fault(at time.Duration) scenario.Fault {
	f := scenario.Fault{Target: m.dependency, Kind: m.of("slow", "down", "stall", "flaky", "nonsense").(string), Factor: 3, P: .4, At: scenario.Duration(at)}
	f.For = scenario.Duration(m.IntN(4)) * scenario.Duration(time.Second)
	return f
}

func (m *monkey) soon(span time.Duration) time.Duration { return time.Duration(m.Int64N(int64(span))) }

// act does one thing. What is refused, as much is, has changed nothing; whoever finds otherwise is check.
func (m *monkey) act() {
	s := m.s
	over := func(change func(*scenario.Scenario)) {
		to := s.Settings().Clone()
		change(&to)
		s.To(to)
	}
	acts := []struct {
		name string
		do   func()
	}{
		{"play", func() {
			to := s.Now() + m.soon(3*time.Second)
			for range m.IntN(200) {
				s.Advance(to, 1+m.IntN(2000))
			}
			s.Level()
		}},
		{"arrive", m.arrive},
		{"set", func() {
			paths := map[string]any{
				"policy.calls." + m.call + ".attempts":          m.of(1, 2, 4, 0, "many"),
				"policy.calls." + m.call + ".timeout":           m.of("100ms", "1s", "0s", "-1s"),
				"policy.budget.percent":                         m.of(0, 10, 50),
				"policy.breaker.enabled":                        m.of(true, false),
				"dependencies." + m.dependency + ".slots":       m.of(4, 8, 0),
				"operations." + m.operation + ".rate":           m.of(10, 30, -1),
				"operations." + m.operation + ".arrivals":       m.of("even"), // which a run refuses
				"policy.calls." + m.call + ".backoff.kind":      m.of("none", "linear", "exponential"),
				"policy.calls." + m.call + ".backoff.base":      m.of("10ms", "1s"),
				"dependencies." + m.dependency + ".queue_limit": m.of(0, 20),
			}
			for _, path := range slices.Sorted(maps.Keys(paths)) {
				if m.IntN(len(paths)) == 0 {
					s.Set(path, paths[path])
				}
			}
		}},
		{"rule", func() {
			rules := presets.Rules()
			if with, err := presets.WithRule(*s.Settings(), rules[m.IntN(len(rules))].Name); err == nil {
				s.To(with)
			}
		}},
		{"seed", func() { over(func(to *scenario.Scenario) { to.Seed = m.Uint64N(5) }) }},
		{"arrivals", func() {
			over(func(to *scenario.Scenario) {
				o := to.Operations[m.operation]
				o.Arrivals = m.of("even", "poisson").(string)
				to.Operations[m.operation] = o
			})
		}},
		{"cap", func() {
			over(func(to *scenario.Scenario) { to.Processes.Cap = map[string]int{m.operation: m.IntN(20)} })
		}},
		{"break", func() { s.Break(m.fault(0)) }},
		{"plan", func() { s.Plan(m.fault(s.Now() + m.soon(10*time.Second))) }},
		{"drop", func() {
			for _, f := range s.Run().Scenario().Faults {
				if m.IntN(2) == 0 {
					s.Drop(f)
				}
			}
		}},
		{"mend", s.Mend},
		{"pin", s.Pin},
		{"unpin", s.Unpin},
		{"restart", func() { s.Restart() }},
		{"seek", func() { s.Seek(m.soon(20 * time.Second)) }},
		{"step", s.Step},
		{"step back", func() { s.StepBack() }},
		{"land", func() { s.Land() }},
		{"undo", func() { s.Undo() }},
		{"redo", func() { s.Redo() }},
		{"reset", func() { s.Reset() }},
		{"follow", func() { s.Follow() }},
	}
	act := acts[m.IntN(len(acts))]
	switch roll := m.IntN(10); { // time passes, and two runs are most often beside each other
	case roll < 3:
		act = acts[0]
	case roll == 3 && s.Pinned() == nil:
		act.name, act.do = "pin", s.Pin
	}
	m.did = append(m.did, act.name)
	act.do()
}

// arrive goes to where the session is on its way to.
func (m *monkey) arrive() {
	for {
		play(m.s, 0)
		if m.s.backs == 0 {
			break
		}
		if err := m.s.Land(); err != nil {
			m.Fatal(err)
		}
	}
	m.s.Level()
}

func (m *monkey) check() error {
	s := m.s
	m.arrive()
	s.Level()
	runs := []*run.Run{s.Run()}
	if a := s.Pinned(); a != nil {
		runs = append(runs, a)
		if a.Now() != s.Now() {
			return errors.New("A and B are not at one time")
		}
		x, y := arrivals(a), arrivals(s.Run())
		for i := range x {
			if x[i][m.operation] != y[i][m.operation] {
				return errors.New("A and B have not the same traffic")
			}
		}
	}
	for _, r := range runs {
		again, err := run.New(r.Scenario())
		if err != nil {
			return err
		}
		for !again.Advance(r.Now(), 1_000_000) {
		}
		if again.Report().TraceHash != r.Report().TraceHash {
			return errors.New("from its scenario it is another run")
		}
	}
	last := s.Settings().Clone()
	undone := 0
	for ; s.CanUndo(); undone++ {
		if _, err := s.Undo(); err != nil {
			return err
		}
	}
	for ; undone > 0; undone-- {
		if _, err := s.Redo(); err != nil {
			return err
		}
	}
	if !m.came && len(scenario.Diff(last, *s.Settings())) > 0 { // else it may begin again before what came
		return errors.New("undone and done again it is not what it was")
	}
	return nil
}
