package session

import (
	"time"

	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// undo is what can be undone, and what can be done again, the newest last. The zero value has nothing to undo.
type undo struct{ before, after []step }

// step is the way back over one thing that was done.
type step struct {
	back       []scenario.Change // of the settings
	plan, drop []scenario.Fault  // what is to be planned again, and what is to be taken off the timeline again
}

// undoMost is how many steps can be undone.
const undoMost = 200

func (u *undo) did(way step) {
	u.after = nil
	u.before = append(u.before, way)
	if len(u.before) > undoMost {
		u.before = u.before[1:]
	}
}

// Move is what has come of going a step back, or forth again. The zero value is nothing.
type Move struct {
	From, To         scenario.Scenario // the settings
	Planned, Dropped []scenario.Fault  // that are to come again, and that are not to come any more
	Past             []scenario.Fault  // whose time is over, so that they can't be planned again
}

// CanUndo and CanRedo tell whether there is anything to undo, or to do again.
func (s *Session) CanUndo() bool { return len(s.undo.before) > 0 }
func (s *Session) CanRedo() bool { return len(s.undo.after) > 0 }

// Undo goes back over the last change of the settings, or of what is planned, from now on or as [Session.To] does. Nothing
// happens if there is none.
func (s *Session) Undo() (Move, error) { return s.move(&s.undo.before, &s.undo.after) }

// Redo makes the last change again that was undone.
func (s *Session) Redo() (Move, error) { return s.move(&s.undo.after, &s.undo.before) }

func (s *Session) move(from, to *[]step) (m Move, err error) {
	if len(*from) == 0 {
		return m, nil
	}
	last := len(*from) - 1
	way := (*from)[last]
	m.From, m.To = s.set, s.set.Clone()
	for _, c := range way.back {
		if err := scenario.Set(&m.To, c.Path, c.Value); err != nil {
			return Move{}, err
		}
	}
	if err := s.change(m.To.Clone()); err != nil {
		return Move{}, err
	}
	for _, f := range way.drop {
		if s.drop(f) {
			m.Dropped = append(m.Dropped, f)
		}
	}
	for _, f := range way.plan {
		if time.Duration(f.At) <= s.front().Now() {
			m.Past = append(m.Past, f)
		} else if err := s.Plan(f); err == nil { // else there are as many as there may be by now
			m.Planned = append(m.Planned, f)
		}
	}
	*from = (*from)[:last]
	*to = append(*to, step{scenario.Diff(m.To, m.From), m.Dropped, m.Planned})
	return m, nil
}

// front is the run that has gone furthest: B may still be on its way to where A is.
func (s *Session) front() *run.Run {
	if s.pinned != nil {
		return s.pinned
	}
	return s.run
}

// Reset changes all settings back to what the session began with, but for the seed. It can be undone.
func (s *Session) Reset() (Move, error) {
	from, to := s.set, s.origin()
	return Move{From: from, To: to}, s.To(to)
}

// Changed tells whether there is anything to reset.
func (s *Session) Changed() bool { return len(scenario.Diff(s.origin(), s.set)) > 0 }

// origin is what the session began with, under the seed of now: that is no part of a rule.
func (s *Session) origin() scenario.Scenario {
	first := s.first
	first.Seed = s.set.Seed
	return first
}
