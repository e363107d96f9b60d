package session

import (
	"errors"
	"math"
	"testing"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/player"
	"stormbin/wasm/internal/view"
)

// begin is a session with two services and nothing broken.
func begin(t *testing.T) *Session {
	t.Helper()
	s, _ := scenario.Find("two-service")
	s.Faults = nil
	it, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return it
}

// play goes on as the page does: first to its goal, then to the time to.
func play(s *Session, to time.Duration) {
	for to = max(to, s.Goal()); !s.Advance(to, 100); {
	}
}

// back goes a step back or forth.
func back(t *testing.T, step func() (Move, error)) Move {
	t.Helper()
	m, err := step()
	do(t, err)
	return m
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var slow = scenario.Fault{Target: "b", Kind: "slow", Factor: 8, For: scenario.Duration(3 * time.Second)}

// storm is a session in a storm that was lit at 3 s, now at 20 s.
func storm(t *testing.T) *Session {
	t.Helper()
	s := begin(t)
	play(s, 3*time.Second)
	do(t, s.Break(slow))
	play(s, 20*time.Second)
	return s
}

func counts(r *run.Run) metrics.Report { return r.Report() }

func TestPinnedRunsHaveTheSameTraffic(t *testing.T) {
	s := storm(t)
	s.Pin()
	do(t, s.Set("policy.calls.b.attempts", 1))
	play(s, 40*time.Second)
	do(t, s.Set("operations.call.rate", 30))
	do(t, s.Break(slow))
	play(s, 60*time.Second)
	a, b := counts(s.Pinned()), counts(s.Run())
	if len(a.Series) != 60 || len(b.Series) != 60 {
		t.Fatalf("%d and %d seconds, want 60 of each", len(a.Series), len(b.Series))
	}
	for i := range a.Series {
		if a.Series[i].Offered != b.Series[i].Offered {
			t.Errorf("second %d: %d requests in A, %d in B", i, a.Series[i].Offered, b.Series[i].Offered)
		}
	}
	if a.Dependencies["b"].Retries == 0 || b.Dependencies["b"].Retries != 0 {
		t.Errorf("%d retries in A and %d in B, want some and none", a.Dependencies["b"].Retries, b.Dependencies["b"].Retries)
	}
	if a.BadSeconds <= b.BadSeconds {
		t.Errorf("%d bad seconds with retries and %d without", a.BadSeconds, b.BadSeconds)
	}
}

// What B is after its rule was changed at 20 s is what it would be had it had that rule from the beginning.
func TestARuleChangedBesideAPinnedRunHoldsFromTheBeginning(t *testing.T) {
	s := storm(t)
	s.Pin()
	do(t, s.Set("policy.calls.b.attempts", 1))
	if s.Now() != 0 || s.Goal() != s.Pinned().Now() {
		t.Errorf("at %v on the way to %v, want at 0 on the way to %v", s.Now(), s.Goal(), s.Pinned().Now())
	}
	play(s, 0)

	alone := begin(t)
	do(t, alone.Set("policy.calls.b.attempts", 1))
	play(alone, 3*time.Second)
	do(t, alone.Break(slow))
	play(alone, 20*time.Second)
	if a, b := counts(alone.Run()), counts(s.Run()); a.Requests.OK != b.Requests.OK || a.Dependencies["b"].Attempts != b.Dependencies["b"].Attempts {
		t.Errorf("%d ok of %d attempts, want %d of %d", b.Requests.OK, b.Dependencies["b"].Attempts, a.Requests.OK, a.Dependencies["b"].Attempts)
	}
}

func TestPinnedAndUnchangedBIsA(t *testing.T) {
	s := storm(t)
	do(t, s.Set("policy.calls.b.attempts", 2)) // from 20 s on, in what is to be A
	play(s, 30*time.Second)
	s.Pin()
	play(s, 0)
	a, b := counts(s.Pinned()), counts(s.Run())
	// B has its rule from the beginning, so that it is A only where A's rule was never changed.
	if a.TraceHash == b.TraceHash {
		t.Errorf("B is A, though A's rule was another for 20 s")
	}
	s = storm(t)
	s.Pin()
	play(s, 0)
	if a, b := counts(s.Pinned()), counts(s.Run()); a.TraceHash != b.TraceHash {
		t.Errorf("B is not A, though the rule is the same")
	}
}

func TestWhatBreaksWhileBIsOnItsWayMeetsIt(t *testing.T) {
	s := storm(t)
	s.Pin()
	do(t, s.Break(slow)) // B has not gone anywhere yet
	play(s, 40*time.Second)
	if a, b := counts(s.Pinned()), counts(s.Run()); a.TraceHash != b.TraceHash {
		t.Errorf("A and B differ, though the same was done to both")
	}
}

func TestBothRunsGoTogether(t *testing.T) {
	s := storm(t)
	s.Pin()
	do(t, s.Set("policy.calls.b.attempts", 1))
	play(s, 0)
	for s.Now() < 25*time.Second {
		s.Advance(25*time.Second, 100)
		if apart := s.Now() - s.Pinned().Now(); apart.Abs() > stride {
			t.Fatalf("B is at %v and A at %v: more than %v apart", s.Now(), s.Pinned().Now(), stride)
		}
	}
}

func TestSeekingThereAndBackComesToTheSame(t *testing.T) {
	for _, pinned := range []bool{false, true} {
		s := storm(t)
		if pinned {
			s.Pin()
			do(t, s.Set("policy.calls.b.attempts", 1))
		}
		play(s, 20*time.Second)
		var before, after model.Snapshot
		hash := counts(s.Run()).TraceHash
		s.Run().Snapshot(&before)
		for _, to := range []time.Duration{5 * time.Second, 0, 12 * time.Second, 20 * time.Second} {
			do(t, s.Seek(to))
			if s.Goal() != to || s.Now() > to {
				t.Fatalf("sought %v: at %v, on the way to %v", to, s.Now(), s.Goal())
			}
			play(s, 0)
			if s.Now() != to || pinned && s.Pinned().Now() != to {
				t.Fatalf("sought %v, came to %v", to, s.Now())
			}
		}
		s.Run().Snapshot(&after)
		if got := counts(s.Run()).TraceHash; got != hash || after.Requests != before.Requests {
			t.Errorf("pinned %v: after going back and forth %s %v, before %s %v", pinned, got, after.Requests, hash, before.Requests)
		}
	}
}

// stepBack steps back as the page does, over several frames.
func stepBack(t *testing.T, s *Session) {
	t.Helper()
	do(t, s.StepBack())
	for {
		play(s, 0)
		if s.backs == 0 {
			return
		}
		do(t, s.Land())
	}
}

// Steps back come to the very moments that the steps on came to, whether they are asked for one by one or all at once, on
// the way to another; and none is a long task: what is done at once is a little part of a second of the run.
func TestStepsBack(t *testing.T) {
	for _, pinned := range []bool{false, true} {
		s := storm(t)
		play(s, 28*time.Second) // eight seconds after the last copy that a run keeps by itself
		if pinned {
			s.Pin()
			play(s, 0)
		}
		var times []time.Duration
		for range 12 {
			s.Step()
			times = append(times, s.Now())
		}
		for i := len(times) - 2; i >= 6; i-- {
			if stepBack(t, s); s.Now() != times[i] {
				t.Fatalf("pinned %v: a step back from %v came to %v, want %v", pinned, times[i+1], s.Now(), times[i])
			}
			if kept := s.run.Kept(s.Now()); kept > 2*time.Second {
				t.Errorf("pinned %v: the last copy was kept %v before", pinned, kept)
			}
		}
		for range 4 {
			do(t, s.StepBack())
		}
		for s.backs > 0 {
			play(s, 0)
			do(t, s.Land())
		}
		play(s, 0)
		if s.Now() != times[2] {
			t.Fatalf("pinned %v: four steps back at once from %v came to %v, want %v", pinned, times[6], s.Now(), times[2])
		}
		do(t, s.StepBack())
		do(t, s.Seek(time.Second))
		play(s, 0)
		do(t, s.Land())
		if s.Now() != time.Second || s.Goal() != time.Second {
			t.Errorf("pinned %v: going elsewhere came to %v", pinned, s.Now())
		}
	}
}

// Where hardly anything happens it is looked for further back, and at the start there is nothing before.
func TestStepsBackOverLongPauses(t *testing.T) {
	s := begin(t)
	do(t, s.Set("operations.call.rate", .02))
	play(s, 10*time.Minute)
	var at []time.Duration
	for s.Now() > 0 {
		at = append(at, s.Now())
		if stepBack(t, s); s.Now() >= at[len(at)-1] {
			t.Fatalf("a step back from %v came to %v", at[len(at)-1], s.Now())
		}
	}
	if stepBack(t, s); s.Now() != 0 || len(at) < 3 {
		t.Errorf("from the start a step back leads to %v, after %d steps", s.Now(), len(at))
	}
	for i := len(at) - 1; i > 0; i-- {
		if s.Step(); s.Now() != at[i] {
			t.Fatalf("a step on comes to %v, want %v", s.Now(), at[i])
		}
	}
}

func TestStepBackAndStep(t *testing.T) {
	s := storm(t)
	s.Pin()
	play(s, 0)
	s.Step()
	now := s.Now()
	stepBack(t, s)
	if s.Now() >= now {
		t.Fatalf("a step back from %v came to %v", now, s.Now())
	}
	s.Step()
	if s.Now() != now || s.Pinned().Now() != now {
		t.Errorf("a step back and a step came to %v and %v, want %v", s.Now(), s.Pinned().Now(), now)
	}
}

func TestUndo(t *testing.T) {
	s := begin(t)
	attempts := func() int { return s.Settings().Policy.Calls["b"].Attempts }
	if s.CanUndo() || s.CanRedo() || s.Changed() {
		t.Error("a new session has something to undo")
	}
	back(t, s.Undo)
	back(t, s.Redo)
	do(t, s.Set("policy.calls.b.attempts", 2))
	do(t, s.Set("policy.calls.b.attempts", 1))
	do(t, s.Set("policy.calls.b.attempts", 1)) // which changes nothing
	if s.Set("policy.calls.b.attempts", 0) == nil {
		t.Fatal("0 attempts were taken")
	}
	for _, want := range []int{2, 4} {
		if back(t, s.Undo); attempts() != want {
			t.Errorf("undone: %d attempts, want %d", attempts(), want)
		}
	}
	if s.CanUndo() || s.Changed() {
		t.Error("all is undone, and there is still something to undo")
	}
	back(t, s.Redo)
	if attempts() != 2 || !s.CanRedo() {
		t.Errorf("done again: %d attempts, want 2, and 1 to come", attempts())
	}
	if do(t, s.Set("policy.budget.percent", 10)); s.CanRedo() {
		t.Error("after something new there is still something to do again")
	}
	if back(t, s.Reset); s.Changed() || attempts() != 4 || s.Settings().Policy.Budget.Percent != 0 {
		t.Error("reset, and it is not what it began with")
	}
	if back(t, s.Undo); attempts() != 2 || s.Settings().Policy.Budget.Percent != 10 {
		t.Error("a reset can't be undone")
	}
	if got := s.Run().Settings().Policy.Calls["b"].Attempts; got != 2 {
		t.Errorf("the run has %d attempts, the settings 2", got)
	}
}

func TestARefusedChangeChangesNothing(t *testing.T) {
	for _, pinned := range []bool{false, true} {
		s := storm(t)
		if pinned {
			s.Pin()
			play(s, 0)
		}
		hash := counts(s.Run()).TraceHash
		for path, value := range map[string]any{"policy.calls.b.attempts": -1, "policy.calls.c.attempts": 1, "operations.call.rate": "many", "": 1} {
			if err := s.Set(path, value); err == nil {
				t.Errorf("%s = %v was taken", path, value)
			}
		}
		if s.CanUndo() || s.Changed() || counts(s.Run()).TraceHash != hash {
			t.Errorf("pinned %v: something has changed", pinned)
		}
	}
}

func TestRestart(t *testing.T) {
	s := storm(t)
	do(t, s.Set("policy.calls.b.attempts", 1))
	do(t, s.Restart())
	if s.Now() != 0 || s.Settings().Policy.Calls["b"].Attempts != 1 {
		t.Error("started over, it is not at 0 with the settings as they are")
	}
	play(s, 20*time.Second)
	if r := counts(s.Run()); r.BadSeconds < 3 || r.Dependencies["b"].Retries != 0 {
		t.Errorf("%d bad seconds and %d retries: what was broken did not come again, or the rule not from the beginning", r.BadSeconds, r.Dependencies["b"].Retries)
	}
	s = storm(t)
	s.Pin()
	play(s, 0)
	do(t, s.Restart())
	if s.Now() != 0 || s.Pinned().Now() != 0 || len(s.Run().Scenario().Faults) != 1 {
		t.Error("started over beside a pinned run, they are not both at 0 with what was broken to come")
	}
	for _, pinned := range []bool{false, true} {
		s = storm(t)
		if pinned {
			s.Pin()
		}
		s.Mend()
		do(t, s.Break(scenario.Fault{Target: "b", Kind: "down", Factor: 1}))
		do(t, s.Break(scenario.Fault{Target: "b", Kind: "slow", Factor: 2}))
		s.Mend()
		do(t, s.Restart())
		if faults := s.Run().Scenario().Faults; len(faults) != 1 || faults[0].Factor != 8 {
			t.Errorf("pinned %v: what was mended at once comes again: %v", pinned, faults)
		}
	}
}

// What a link's timeline changes is what is set, once its time has come; and no longer, where somebody goes back.
// What a scenario came with to change comes again at its time, in whatever way a run begins again; and what a reader sets is the
// last word over what had come by then, from the beginning.
func TestWhatIsToChangeComesAgain(t *testing.T) {
	came := func(at time.Duration, path string, value any) scenario.Change {
		return scenario.Change{At: scenario.Duration(at * time.Second), Path: path, Value: value}
	}
	whole, _ := scenario.Find("two-service")
	call := whole.Policy.Calls["b"]
	call.Attempts, call.Timeout = 1, scenario.Duration(2*time.Second)
	seed := func(s *Session) error {
		to := s.Settings().Clone()
		to.Seed++
		return s.To(to)
	}
	restart := (*Session).Restart
	for name, c := range map[string]struct {
		came     scenario.Change // at 5 s; at 15 s comes a budget
		set      scenario.Change // by the reader, at that time
		again    func(*Session) error
		at4, at6 int // attempts when it has begun again
		timeout  time.Duration
	}{
		"nothing is set":                 {came(5, "policy.calls.b.attempts", 1), scenario.Change{}, restart, 4, 1, time.Second},
		"another seed":                   {came(5, "policy.calls.b.attempts", 1), scenario.Change{}, seed, 4, 1, time.Second},
		"something else is set":          {came(5, "policy.calls.b.attempts", 1), came(8, "policy.calls.b.timeout", "3s"), restart, 4, 1, 3 * time.Second},
		"the same is set before":         {came(5, "policy.calls.b.attempts", 1), came(2, "policy.calls.b.attempts", 3), restart, 3, 1, time.Second},
		"the same is set after":          {came(5, "policy.calls.b.attempts", 1), came(8, "policy.calls.b.attempts", 3), restart, 3, 3, time.Second},
		"the same is set, another seed":  {came(5, "policy.calls.b.attempts", 1), came(8, "policy.calls.b.attempts", 3), seed, 3, 3, time.Second},
		"a whole call, a part of it set": {came(5, "policy.calls.b", call), came(8, "policy.calls.b.attempts", 3), restart, 3, 3, 2 * time.Second},
	} {
		for _, pinned := range []bool{false, true} {
			given, _ := scenario.Find("two-service")
			given.Faults = nil
			given.Changes = []scenario.Change{c.came, came(15, "policy.budget.percent", 10)}
			s, err := New(given)
			do(t, err)
			play(s, 2*time.Second)
			if pinned {
				s.Pin()
				play(s, 0)
			}
			if c.set.At > 0 {
				play(s, time.Duration(c.set.At))
				s.Follow()
				do(t, s.Set(c.set.Path, c.set.Value))
			}
			play(s, 10*time.Second)
			s.Follow()
			do(t, c.again(s))
			for _, want := range []struct {
				at       time.Duration
				attempts int
				timeout  time.Duration
				budget   float64
			}{{4, c.at4, 0, 0}, {6, c.at6, c.timeout, 0}, {16, c.at6, c.timeout, 10}} {
				play(s, want.at*time.Second)
				s.Follow()
				b := s.Settings().Policy.Calls["b"]
				if b.Attempts != want.attempts || want.timeout > 0 && time.Duration(b.Timeout) != want.timeout || s.Settings().Policy.Budget.Percent != want.budget {
					t.Errorf("%s, pinned %v: begun again, at %d s there are %d attempts of %v and a budget of %v, want %+v",
						name, pinned, want.at, b.Attempts, b.Timeout, s.Settings().Policy.Budget.Percent, want)
				}
				if pinned {
					if a := s.Pinned().Settings().Policy.Calls["b"].Attempts; a != map[bool]int{true: 4, false: 1}[want.at < 5] {
						t.Errorf("%s: begun again, at %d s A has %d attempts", name, want.at, a)
					}
				}
			}
		}
	}
}

// To undo what a reader has set leaves alone what came by itself.
func TestUndoLeavesTheTimelineAlone(t *testing.T) {
	given, _ := scenario.Find("two-service")
	given.Changes = []scenario.Change{{At: scenario.Duration(5 * time.Second), Path: "policy.calls.b.attempts", Value: 1}}
	s, err := New(given)
	do(t, err)
	play(s, 2*time.Second)
	do(t, s.Set("policy.calls.b.timeout", "3s"))
	play(s, 8*time.Second)
	s.Follow()
	back(t, s.Undo)
	if b := s.Settings().Policy.Calls["b"]; b.Attempts != 1 || time.Duration(b.Timeout) != time.Second {
		t.Errorf("undone there are %d attempts of %v, want 1 of 1s", b.Attempts, b.Timeout)
	}
	back(t, s.Redo)
	if b := s.Settings().Policy.Calls["b"]; b.Attempts != 1 || time.Duration(b.Timeout) != 3*time.Second {
		t.Errorf("done again there are %d attempts of %v, want 1 of 3s", b.Attempts, b.Timeout)
	}
}

func TestSettingsFollowTheTimeline(t *testing.T) {
	given, _ := scenario.Find("two-service")
	given.Changes = []scenario.Change{{At: scenario.Duration(5 * time.Second), Path: "policy.calls.b.attempts", Value: 2.}}
	s, err := New(given)
	do(t, err)
	attempts := func() int { return s.Settings().Policy.Calls["b"].Attempts }
	play(s, 4*time.Second)
	if s.Follow() || attempts() != 4 {
		t.Errorf("at 4 s: %d attempts, want 4", attempts())
	}
	play(s, 6*time.Second)
	if !s.Follow() || s.Follow() || attempts() != 2 {
		t.Errorf("at 6 s: %d attempts, want 2, told once", attempts())
	}
	do(t, s.Set("policy.calls.b.attempts", 1))
	if s.Follow() || attempts() != 1 {
		t.Errorf("the reader's own change is told as news, or there are %d attempts", attempts())
	}
	do(t, s.Seek(3*time.Second))
	play(s, 0)
	if !s.Follow() || attempts() != 4 {
		t.Errorf("back at 3 s: %d attempts, want 4", attempts())
	}
}

func TestAVisitorIsNotTakenBack(t *testing.T) {
	s, _ := scenario.Find("pastebin")
	s.Faults = nil
	it, err := New(s)
	do(t, err)
	play(it, 100*time.Millisecond)
	v := it.Run().Visit("read")
	if err := it.Seek(0); !errors.Is(err, run.ErrVisited) {
		t.Errorf("back under a request of the reader's own: %v", err)
	}
	if it.Goal() != 0 || it.Now() != 100*time.Millisecond {
		t.Errorf("refused, and yet at %v on the way to %v", it.Now(), it.Goal())
	}
	v.Leave()
}

// Starting over ends the world that a request of the reader's own is in, and so needs not wait for it, be it in A or in B.
func TestARestartWaitsForNoVisitor(t *testing.T) {
	for name, pin := range map[string]int{"alone": 0, "in B": 1, "in A": 2} {
		s, _ := scenario.Find("pastebin")
		it, err := New(s)
		do(t, err)
		play(it, 100*time.Millisecond)
		if pin == 1 {
			it.Pin()
			play(it, it.Goal())
		}
		it.Run().Visit("read")
		if pin == 2 {
			it.Pin()
		}
		if err := it.Restart(); err != nil || it.Now() != 0 || it.Goal() != 0 || it.Held() || pin > 0 && it.Pinned().Now() != 0 {
			t.Errorf("with a request of one's own %s: %v, at %v on the way to %v", name, err, it.Now(), it.Goal())
		}
	}
}

func TestPlannedFaults(t *testing.T) {
	s := storm(t)
	s.Pin()
	play(s, 0)
	f := slow
	f.At = scenario.Duration(25 * time.Second)
	do(t, s.Plan(f))
	play(s, 40*time.Second)
	if a, b := counts(s.Pinned()), counts(s.Run()); a.TraceHash != b.TraceHash || len(s.Run().Scenario().Faults) != 2 {
		t.Error("a planned fault is not the same in both runs")
	}
	f.At = scenario.Duration(time.Second)
	if s.Plan(f) == nil {
		t.Error("a fault was planned for what is past")
	}
}

// tired is a session of which a frame does no more than so many events.
type tired struct {
	*Session
	events int
}

func (s tired) Advance(to time.Duration, _ int) bool { return s.Session.Advance(to, s.events) }

// Wherever the reader goes, the rates over the last second are those of that second, however many frames it takes.
func TestRatesAfterSeeking(t *testing.T) {
	for _, events := range []int{3, 7, 100, 5000} {
		ratesAfterSeeking(t, events)
	}
}

func ratesAfterSeeking(t *testing.T, events int) {
	s := storm(t)
	var meter view.Meter
	var snapshot model.Snapshot
	real := time.Duration(0)
	p := player.Player{World: tired{s, events}, Clock: func() time.Duration { real += player.Budget; return real }}
	for _, to := range []time.Duration{60 * time.Second, 4500 * time.Millisecond, 30 * time.Second, 29900 * time.Millisecond} {
		do(t, s.Seek(to))
		var numbers *view.Numbers
		for seeking := true; seeking; {
			seeking = p.Next(16 * time.Millisecond).Seeking
			s.Run().Snapshot(&snapshot)
			numbers = meter.Read(&snapshot)
			meter.Keep(&snapshot, to)
		}
		b := func(at time.Duration) model.DependencyNow {
			var then model.Snapshot
			do(t, s.Run().Back(at))
			s.Run().Snapshot(&then)
			return then.Dependencies[0]
		}
		now, before := b(to), b(to-time.Second)
		if got, want := numbers.Places[0].Attempts(), float64(now.Attempts()-before.Attempts()); math.Abs(got-want) > 1e-6 {
			t.Errorf("at %v, %d events a frame: %v attempts a second, want %v", to, events, got, want)
		}
	}
}

// However little of a frame's work was done, what is said of two runs is of one time.
func TestTwoRunsAreLevel(t *testing.T) {
	s := storm(t)
	s.Pin()
	do(t, s.Set("policy.calls.b.attempts", 1))
	play(s, s.Goal())
	for events := range 60 {
		s.Advance(s.Now()+time.Second, events+1)
		before := max(s.Run().Now(), s.Pinned().Now())
		s.Level()
		if a, b := s.Pinned().Now(), s.Run().Now(); a != b || a != before {
			t.Fatalf("after %d events A is at %s and B at %s, want both at %s", events+1, a, b, before)
		}
	}
}

// Whatever is done on the way to a time, that is where it goes.
func TestAChangeOnTheWayChangesNoGoal(t *testing.T) {
	for name, act := range map[string]func(*Session) error{
		"the rule": func(s *Session) error { return s.Set("policy.calls.b.attempts", 2) },
		"a fault":  func(s *Session) error { return s.Break(slow) },
		"the load": func(s *Session) error { return s.Set("operations.call.rate", 30) },
		"undo":     func(s *Session) error { _, err := s.Undo(); return err },
		"the pin":  func(s *Session) error { s.Pin(); return nil },
	} {
		s := storm(t)
		s.Pin()
		do(t, s.Set("policy.calls.b.attempts", 1))
		play(s, s.Goal())
		do(t, s.Seek(40*time.Second))
		s.Advance(25*time.Second, 100)
		do(t, act(s))
		if want := 40 * time.Second; s.Goal() != want {
			t.Errorf("%s: its goal is %s, want %s", name, s.Goal(), want)
		}
	}
}

// Two scenarios side by side: each has its own rule, and both have the traffic, the faults and the seed of the one.
func TestAgainst(t *testing.T) {
	other, _ := scenario.Find("two-service")
	given := other.Clone()
	given.Seed, given.Faults = 7, []scenario.Fault{slow, {Target: "b", Kind: "down", Factor: 1, At: scenario.Duration(20 * time.Second), For: scenario.Duration(time.Second)}}
	for path, value := range map[string]any{"policy.calls.b.attempts": 1, "operations.call.rate": 15, "operations.call.arrivals": "even", "operations.call.deadline": "900ms"} {
		do(t, scenario.Set(&given, path, value))
	}
	given.Changes = []scenario.Change{{At: scenario.Duration(10 * time.Second), Path: "operations.call.rate", Value: 25.}, {At: scenario.Duration(15 * time.Second), Path: "policy.calls.b.attempts", Value: 2.}}
	s, err := Against(other, given)
	do(t, err)
	play(s, 30*time.Second)
	alone, err := run.New(given)
	do(t, err)
	for !alone.Advance(30*time.Second, 1_000_000) {
	}
	if a, b := counts(s.Run()), counts(alone); a.TraceHash != b.TraceHash {
		t.Error("B is not the run that was given")
	}
	a, b := counts(s.Pinned()), counts(s.Run())
	for i := range a.Series {
		if a.Series[i].Offered != b.Series[i].Offered {
			t.Errorf("second %d: %d requests in A, %d in B", i, a.Series[i].Offered, b.Series[i].Offered)
		}
	}
	if got := s.Pinned().Settings().Policy.Calls["b"].Attempts; got != 4 || a.Dependencies["b"].Retries <= b.Dependencies["b"].Retries {
		t.Errorf("A tries %d times, and %d again; B %d again", got, a.Dependencies["b"].Retries, b.Dependencies["b"].Retries)
	}
	do(t, s.Set("policy.calls.b.attempts", 3)) // B begins again, and still has A's traffic and what was broken
	play(s, 30*time.Second)
	if b := s.Run().Scenario(); len(b.Faults) != 2 || b.Seed != 7 || b.Operations["call"].Deadline != scenario.Duration(900*time.Millisecond) || counts(s.Run()).Requests.Offered != a.Requests.Offered {
		t.Errorf("begun again B is %+v", b)
	}

	paste, _ := scenario.Find("pastebin")
	if _, err := Against(paste, given); err == nil {
		t.Error("a pastebin was held against two services")
	}
	faster := other.Clone()
	do(t, scenario.Set(&faster, "dependencies.b.service.mean", "50ms"))
	if _, err := Against(faster, given); err == nil {
		t.Error("another B was held against this one")
	}
}

// A link can name A by the scenario whose rule it has, whoever has pinned it, and by no other.
func TestTheRuleOfA(t *testing.T) {
	for _, c := range []struct {
		what  string
		first func(t *testing.T, s *Session) // before it is pinned
		then  func(t *testing.T, s *Session)
		want  string
	}{
		{"nothing was done", nil, nil, "recovery"},
		{"B has another rule", nil, func(t *testing.T, s *Session) { do(t, s.Set("policy.calls.b.attempts", 1)) }, "recovery"},
		{"both have more traffic", nil, func(t *testing.T, s *Session) { do(t, s.Set("operations.call.rate", 30)) }, "recovery"},
		{"both have another seed", nil, func(t *testing.T, s *Session) {
			to := s.Settings().Clone()
			to.Seed = 3
			do(t, s.To(to))
		}, "recovery"},
		{"something more was broken", func(t *testing.T, s *Session) { do(t, s.Break(slow)) }, func(t *testing.T, s *Session) { play(s, time.Second); do(t, s.Break(slow)) }, "recovery"},
		{"it had played on", func(t *testing.T, s *Session) { play(s, 50*time.Second) }, nil, "recovery"},
		{"its rule was changed", func(t *testing.T, s *Session) { do(t, s.Set("policy.calls.b.attempts", 2)) }, nil, ""},
		{"there is none", nil, func(t *testing.T, s *Session) { s.Unpin() }, ""},
	} {
		given, _ := scenario.Find("recovery")
		s, err := New(given)
		do(t, err)
		play(s, 5*time.Second)
		if c.first != nil {
			c.first(t, s)
		}
		s.Pin()
		if c.then != nil {
			c.then(t, s)
		}
		got := s.RuleOfA()
		if got != c.want {
			t.Errorf("%s: A has the rule of %q, want %q", c.what, got, c.want)
		}
		if got == "" {
			continue
		}
		other, _ := scenario.Find(got)
		b := s.Run().Scenario()
		again, err := Against(other, b)
		do(t, err)
		if is := again.RuleOfA(); is != got {
			t.Errorf("%s: made again A has the rule of %q", c.what, is)
		}
		play(s, 20*time.Second)
		to := s.Now()
		play(again, to)
		if was, is := counts(s.Pinned()), counts(again.Pinned()); was.TraceHash != is.TraceHash {
			t.Errorf("%s: made again A is another run", c.what)
		}
	}
	own, _ := scenario.Find("recovery")
	own.ID = "mine"
	s, err := New(own)
	do(t, err)
	if s.Pin(); s.RuleOfA() != "" {
		t.Errorf("a scenario of one's own is taken for %s", s.RuleOfA())
	}
}

// What was broken is known wherever somebody goes, however long the strides on the way are.
func TestWhatWasBrokenIsKnownAfterSeeking(t *testing.T) {
	given, _ := scenario.Find("recovery") // slow from 3 s to 6 s
	s, err := New(given)
	do(t, err)
	var meter view.Meter
	var snapshot model.Snapshot
	for _, c := range []struct {
		to      time.Duration
		sick    bool
		wellFor time.Duration
	}{{2 * time.Second, false, 2 * time.Second}, {8 * time.Second, true, 2 * time.Second}, {4 * time.Second, true, 0}, {1 * time.Second, false, time.Second}} {
		do(t, s.Seek(c.to))
		play(s, 0)
		s.Run().Snapshot(&snapshot)
		meter.Learn(s.Run().Settings().Faults)
		b := meter.Read(&snapshot).Places[0]
		if b.WasSick != c.sick || b.WellFor != c.wellFor {
			t.Errorf("at %v B was broken: %v, and well for %v; want %v, and %v", c.to, b.WasSick, b.WellFor, c.sick, c.wellFor)
		}
	}
}
