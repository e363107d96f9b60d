// Package session is what a reader does to a run: sets, breaks, seeks, undoes, and pins it to hold another against it. It
// knows no page, so that it is tested natively.
//
//	session.go  the run on show, and what happens to it
//	course.go   how it begins again
//	pin.go      another run beside it, on the same traffic
//	undo.go     back to how it was before
package session

import (
	"slices"
	"time"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// Session is a run on show, and beside it another if one is pinned. Made by [New].
type Session struct {
	first  scenario.Scenario // as it was given: what Reset goes back to
	set    scenario.Scenario // as it stands now, without what breaks when
	came   []scenario.Change // what the run on show had on its timeline to change when it began
	passed int               // how many of the run's changes are in set
	run    *run.Run
	pinned *run.Run // nil: none is
	goal   time.Duration
	backs  int             // steps back that wait until it is there
	reach  time.Duration   // how far back it was looked for what was before; 0: it was not yet
	keep   []time.Duration // on the way, when the world is to be copied
	undo   undo
}

// New begins a session with a run of s from time 0. Its faults and changes are on its timeline. The error is that of
// s.Validate.
func New(s scenario.Scenario) (*Session, error) {
	r, err := run.New(s)
	if err != nil {
		return nil, err
	}
	s = s.Clone()
	came := s.Changes
	s.Faults, s.Changes = nil, nil
	return &Session{first: s, set: s.Clone(), came: came, run: r}, nil
}

// Run is the run on show; B, where another is pinned.
func (s *Session) Run() *run.Run { return s.run }

// Pinned is A, the run that the one on show is held against; nil if there is none.
func (s *Session) Pinned() *run.Run { return s.pinned }

// Settings is the scenario as it stands now, with nothing broken. It is not to be written to.
func (s *Session) Settings() *scenario.Scenario { return &s.set }

// Set changes a path from now on; beside a pinned run, from the beginning, unless it is the load, which changes for both.
// The error names the path, the value and what would be right; then nothing has changed.
func (s *Session) Set(path string, value any) error {
	after := s.set.Clone()
	if err := (scenario.Change{Path: path, Value: value}).Apply(&after); err != nil {
		return err
	}
	return s.To(after)
}

// To changes whatever differs in to, as Set does, and is undone as one. What is not a matter of settings, like its
// faults, is not looked at. For what no run can change (the seed, how users come, how many a process may hold) it starts
// over at 0, as Restart does; beside a pinned run A starts over, too, if its traffic is another.
func (s *Session) To(to scenario.Scenario) error {
	to = to.Clone()
	to.Faults, to.Changes = nil, nil
	back := scenario.Diff(to, s.set)
	if err := s.change(to); err != nil {
		return err
	}
	if len(back) > 0 {
		s.undo.did(step{back: back})
	}
	return nil
}

// change makes the settings those of to, in which nothing breaks or changes.
func (s *Session) change(to scenario.Scenario) error {
	changes := scenario.Diff(s.set, to)
	if s.pinned != nil {
		return s.changeBeside(to, changes)
	}
	if slices.ContainsFunc(changes, fixed) {
		return s.over(s.course(to, changes))
	}
	if err := s.run.Change(changes); err != nil {
		return err
	}
	s.set = to
	return nil
}

// fixed tells whether no run can make the change while it goes on.
func fixed(c scenario.Change) bool { return !scenario.Changeable(c.Path) }

// over begins again at 0, and goes that course, with what was broken at its time.
func (s *Session) over(c course) error {
	again := c.scenario()
	again.Faults = lasting(s.run.Scenario().Faults)
	r, err := run.New(again)
	if err != nil {
		return err
	}
	s.run, s.set, s.came, s.passed, s.goal, s.backs, s.keep = r, c.begin, c.changes, 0, 0, 0, nil
	return nil
}

// lasting is faults without those that were mended at once, while nothing happened: they take some nanoseconds each.
func lasting(faults []scenario.Fault) []scenario.Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f scenario.Fault) bool {
		return f.For > 0 && f.For < scenario.Duration(time.Microsecond) && f.Kind != "flush"
	})
}

// Break breaks something from now on, and beside a pinned run in both.
func (s *Session) Break(f scenario.Fault) error {
	return s.both(func(r *run.Run) error { return r.Break(f) })
}

// Plan has something break at f.At, which is to come.
func (s *Session) Plan(f scenario.Fault) error {
	return s.both(func(r *run.Run) error { return r.Plan(f) })
}

// Drop takes a fault off the timeline that is to come, which can be undone. Nothing happens if there is no such fault.
func (s *Session) Drop(f scenario.Fault) {
	if s.drop(f) {
		s.undo.did(step{plan: []scenario.Fault{f}})
	}
}

func (s *Session) drop(f scenario.Fault) (found bool) {
	if !slices.Contains(s.planned(), f) {
		return false
	}
	s.both(func(r *run.Run) error { found = r.Drop(f); return nil })
	return found
}

// Mend ends all that is broken, and drops what is to come; that can be undone.
func (s *Session) Mend() {
	dropped := s.planned()
	s.both(func(r *run.Run) error { r.Mend(); return nil })
	if len(dropped) > 0 {
		s.undo.did(step{plan: dropped})
	}
}

// planned is what is to break.
func (s *Session) planned() (all []scenario.Fault) {
	r := s.front()
	for _, f := range r.Scenario().Faults {
		if time.Duration(f.At) > r.Now() {
			all = append(all, f)
		}
	}
	return all
}

// both does something to the run on show, and to the one that is pinned.
func (s *Session) both(do func(*run.Run) error) error {
	if s.pinned == nil {
		return do(s.run)
	}
	if err := do(s.pinned); err != nil {
		return err
	}
	if s.run.Now() == s.pinned.Now() {
		return do(s.run)
	}
	s.again(s.course(s.set, nil)) // it is on its way there, and will meet it on the timeline
	return nil
}

// Restart begins again at 0. What was broken comes again at its time, and so does what the scenario came with to change; what
// was set by hand holds from the beginning. Beside a pinned run both begin again.
func (s *Session) Restart() error {
	c := s.course(s.set, nil)
	if s.pinned != nil {
		return s.bothOver(c, nil)
	}
	return s.over(c)
}

// Follow takes in what the run's timeline has changed by now, which a link or a reader who then went back has put there. It
// tells whether that has made the settings others.
func (s *Session) Follow() bool {
	now := s.run.Settings()
	passed := 0
	for passed < len(now.Changes) && time.Duration(now.Changes[passed].At) <= s.run.Now() {
		passed++
	}
	if passed == s.passed {
		return false
	}
	s.passed = passed
	now.Faults, now.Changes = nil, nil
	if len(scenario.Diff(s.set, now)) == 0 {
		return false
	}
	s.set = now
	return true
}

// Seek goes to the time t. Back is at once as far as the last moment that was kept a second before t, so that the second
// which rates are taken over can be seen; the rest of the way, and forward, is [Session.Goal] for whoever plays it. The
// error is run.ErrVisited.
func (s *Session) Seek(t time.Duration) error {
	t = min(max(t, 0), run.Limit)
	if t == s.run.Now() && s.goal <= t {
		return nil
	}
	s.backs, s.keep = 0, nil
	return s.rewind(max(t-time.Second, 0), t)
}

// StepBack goes back to just before the last thing that happened. What that was is only known of a time that was gone to: on the
// way to another one it waits for [Session.Land], and so it does while the run goes to where it is once more. The error is
// run.ErrVisited.
func (s *Session) StepBack() error {
	if err := s.run.Rewind(s.run.Now()); err != nil {
		return err
	}
	if s.backs == 0 {
		s.reach = 0
	}
	s.backs++
	return s.Land()
}

// Land takes a step back that has waited for the run to be where it was asked for. None is a long task: all that there is to
// do is on the way. The error is run.ErrVisited.
func (s *Session) Land() error {
	if s.backs == 0 || s.goal > s.Now() {
		return nil
	}
	now, from := s.run.Now(), time.Duration(0)
	there, known := s.run.Before()
	if known {
		s.backs--
		s.reach = 0
		now, from = there, max(there-time.Second, 0)
	} else { // look for it, further back each time
		s.reach = max(time.Second, 10*s.reach)
		from = max(now-s.reach, 0)
	}
	s.keep = nil
	if s.run.Kept(from) > stepReach {
		s.keep = []time.Duration{max(from-stepReach, 0)} // from where the next steps back are not far
	}
	err := s.rewind(from, now)
	if err != nil {
		s.backs = 0
	}
	return err
}

// stepReach is how long before the way back from a step the world is copied, so that many more are as near.
const stepReach = 100 * time.Millisecond

// rewind goes back to from, or before, on the way to the time to.
func (s *Session) rewind(from, to time.Duration) error {
	if err := s.run.Rewind(from); err != nil {
		return err
	}
	if s.pinned != nil {
		if err := s.pinned.Rewind(from); err != nil {
			return err
		}
	}
	s.goal = to
	return nil
}

// Goal is where the session is to be; it is on its way there, as fast as it can, if that is later than Now.
func (s *Session) Goal() time.Duration { return s.goal }

// Now is the time of what is on show.
func (s *Session) Now() time.Duration { return s.run.Now() }

// Held tells whether a request of the reader's own is at work, so that time stands still.
func (s *Session) Held() bool { return s.run.Held() }

// Step goes on to the next thing that happens in the run on show.
func (s *Session) Step() {
	s.run.Step()
	if s.pinned != nil {
		s.pinned.Advance(s.run.Now(), stepEvents)
	}
}

// Level has the one of two runs that a frame has left behind go on to where the other is, which is not far: what is said of
// them is of one time. On the way to another time nothing is said.
func (s *Session) Level() {
	if s.pinned == nil || s.goal > s.Now() {
		return
	}
	ahead := max(s.run.Now(), s.pinned.Now())
	s.run.Advance(ahead, stepEvents)
	s.pinned.Advance(ahead, stepEvents)
}

// stepEvents is more than happens in a pinned run while the other makes a step.
const stepEvents = 1_000_000

// stride is how far one of two runs may be ahead of the other on their way, so that both have their share of a frame.
const stride = 5 * time.Millisecond

// Advance goes on to the time to, at most events events further in one run, and tells whether it got there. Two runs take
// turns, so it may have to be asked again.
func (s *Session) Advance(to time.Duration, events int) (there bool) {
	to = min(to, run.Limit)
	if len(s.keep) > 0 && s.keep[0] <= to {
		if s.advance(s.keep[0], events) {
			s.both(func(r *run.Run) error { r.Keep(); return nil })
			s.keep = s.keep[1:]
		}
		return false
	}
	return s.advance(to, events)
}

func (s *Session) advance(to time.Duration, events int) (there bool) {
	on := s.run.Advance
	if s.goal > s.Now() {
		on = s.run.Approach
	}
	if s.pinned == nil {
		return on(to, events)
	}
	a, b := s.pinned.Now(), s.run.Now()
	switch {
	case b <= a && b < to:
		on(min(to, a+stride), events)
	case a < to:
		s.pinned.Advance(min(to, b+stride), events)
	}
	return s.run.Now() >= to && s.pinned.Now() >= to
}
