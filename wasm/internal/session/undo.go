package session

import "stormbin/engine/scenario"

// undo is the settings as they were, and as they were again before that was undone. The zero value has nothing to undo.
type undo struct{ before, after []scenario.Scenario }

// undoMost is how many steps can be undone.
const undoMost = 200

func (u *undo) done(before scenario.Scenario) {
	u.after = nil
	u.before = append(u.before, before)
	if len(u.before) > undoMost {
		u.before = u.before[1:]
	}
}

// CanUndo and CanRedo tell whether there is anything to undo, or to do again.
func (s *Session) CanUndo() bool { return len(s.undo.before) > 0 }
func (s *Session) CanRedo() bool { return len(s.undo.after) > 0 }

// Undo changes the settings back to what they were before the last change, from now on. Nothing happens if there is none.
func (s *Session) Undo() error { return s.move(&s.undo.before, &s.undo.after) }

// Redo makes the last change again that was undone.
func (s *Session) Redo() error { return s.move(&s.undo.after, &s.undo.before) }

func (s *Session) move(from, to *[]scenario.Scenario) error {
	if len(*from) == 0 {
		return nil
	}
	last := len(*from) - 1
	now := s.set
	if err := s.change((*from)[last]); err != nil {
		return err
	}
	*from = (*from)[:last]
	*to = append(*to, now)
	return nil
}

// Reset changes all settings back to what the session began with. It can be undone.
func (s *Session) Reset() error { return s.To(s.first) }

// Changed tells whether the settings are other than what the session began with.
func (s *Session) Changed() bool { return len(scenario.Diff(s.first, s.set)) > 0 }
