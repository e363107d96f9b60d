package own

import (
	"errors"

	"stormbin/engine/scenario"
)

// Draft is a system as it is being written. What is typed is kept as it is, whether or not it can be read; the scenario is
// the last that could be. Begin with [New].
type Draft struct {
	text     string
	scenario scenario.Scenario
	unread   error  // why the text can't be read; the scenario is older, then
	stroke   string // what the last change was typed in, so that more of it is the same step; "": it is over
	undo     []string
	redo     []string
}

// mostUndone is how many changes can be taken back.
const mostUndone = 200

// errUnread is why a form changes nothing while its text can't be read: it would write over what is being typed.
var errUnread = errors.New("the JSON can’t be read just now: mend it first, or undo")

// New is a draft with that text, and the ones that were there before it, as Past has them.
func New(text string, past ...string) *Draft {
	d := &Draft{scenario: blank(), undo: past}
	d.read(text)
	return d
}

func blank() scenario.Scenario {
	s, err := scenario.Parse([]byte("{}"))
	if err != nil {
		panic(err)
	}
	return s
}

func (d *Draft) read(text string) {
	d.text = text
	s, err := scenario.Parse([]byte(text))
	if d.unread = err; err == nil {
		d.scenario = s
	}
}

// Text is the system as JSON, as it stands.
func (d *Draft) Text() string { return d.text }

// Scenario is the system, or the last that could be read. It may be out of range; see [Draft.Problem].
func (d *Draft) Scenario() scenario.Scenario { return d.scenario.Clone() }

// Unread is why the text is no scenario; nil if it is one.
func (d *Draft) Unread() error { return d.unread }

// Problem is all that keeps the system from being run, nil if it can be; see [scenario.Each].
func (d *Draft) Problem() error {
	if d.unread != nil {
		return d.unread
	}
	return d.scenario.Validate()
}

// Type replaces the text. What is typed in one go is one step to undo; Pause ends it.
func (d *Draft) Type(text string) { d.take(text, "the text") }

// Pause makes what is typed next a step of its own.
func (d *Draft) Pause() { d.stroke = "" }

// Replace puts another text in the place of all, as one step.
func (d *Draft) Replace(text string) { d.take(text, "") }

func (d *Draft) take(text, stroke string) {
	if text == d.text {
		return
	}
	if stroke == "" || stroke != d.stroke {
		d.undo = append(d.undo, d.text)
		d.undo = d.undo[max(0, len(d.undo)-mostUndone):]
	}
	d.redo = nil
	d.stroke = stroke
	d.read(text)
}

// Set is scenario.Set on the system, typed in one go like Type. A value of the wrong kind is refused; one out of range is
// taken, and the Problem then.
func (d *Draft) Set(path string, value any) error {
	return d.change(path, func(s *scenario.Scenario) error { return scenario.Set(s, path, value) })
}

// Change has the system changed, as one step; if there is an error it stays as it is.
func (d *Draft) Change(how func(*scenario.Scenario) error) error { return d.change("", how) }

func (d *Draft) change(stroke string, how func(*scenario.Scenario) error) error {
	if d.unread != nil {
		return errUnread
	}
	changed := d.Scenario()
	if err := how(&changed); err != nil {
		return err
	}
	text, err := changed.Short()
	if err != nil {
		return err
	}
	if len(scenario.Diff(d.scenario, changed)) > 0 || changed.ID != d.scenario.ID {
		d.take(string(text), stroke)
	}
	return nil
}

// Past is what Undo leads back to, the latest last: as many as have no more than so many bytes in all.
func (d *Draft) Past(bytes int) []string {
	from := len(d.undo)
	for from > 0 && len(d.undo[from-1]) <= bytes {
		from--
		bytes -= len(d.undo[from])
	}
	return d.undo[from:]
}

// CanUndo and CanRedo tell whether there is something to.
func (d *Draft) CanUndo() bool { return len(d.undo) > 0 }
func (d *Draft) CanRedo() bool { return len(d.redo) > 0 }

// Undo takes the last step back, Redo does it again. Without one they do nothing.
func (d *Draft) Undo() { d.step(&d.undo, &d.redo) }
func (d *Draft) Redo() { d.step(&d.redo, &d.undo) }

func (d *Draft) step(from, to *[]string) {
	d.Pause()
	if n := len(*from); n > 0 {
		*to = append(*to, d.text)
		d.read((*from)[n-1])
		*from = (*from)[:n-1]
	}
}
