//go:build js && wasm

// Package panel is the controls of the page: it turns what a reader does into calls of Acts, and shows how things stand.
//
//	panel.go      the whole, and what belongs to no part
//	rule.go       the settings, all together
//	matrix.go     the rule call by call
//	sums.go       what the timeouts come to
//	presets.go    rules by name, and what libraries do
//	around.go     what holds for all calls, the load, and what it runs on
//	back.go       undo, redo, reset
//	field.go      one setting: a value is taken, or refused beside its field
//	toggles.go    a list of words, each on or off
//	hints.go      where the lines are that say what a control costs
//	faults.go     what can be broken, and what is
//	keys.go       what the keyboard does, and the help that says so
//	transport.go  play, pause, restart, step, speed
//	looks.go      the ways to look at a run
//	tabs.go       one panel at a time, where there is no room for all
//	theme.go      light and dark
//	scenarios.go  the scenarios to choose from
package panel

import (
	"strconv"

	"stormbin/engine/scenario"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/session"
)

// Acts is what a reader can do to the world.
type Acts interface {
	// Set changes a path of the scenario; To changes whatever differs, as one step. The error is for the reader.
	Set(path string, value any) error
	To(s scenario.Scenario) error
	Undo()
	Redo()
	Reset()
	// Break breaks something, from now on or at a set time. The error is for the reader.
	Break(f scenario.Fault) error
	// Drop takes a fault that is to come off the timeline.
	Drop(f scenario.Fault)
	Mend()
	Play()
	Pause()
	Restart()
	Step()
	StepBack()
	// End goes on to the end of the scenario, as fast as it can.
	End()
	Speed(x float64)
	// Look shows the run another way: path, storm, slots, charts.
	Look(name string)
	// Pin keeps the run on show to hold another against it; Unpin lets go of it.
	Pin()
	Unpin()
	NewSeed()
	// Over starts over with s, for what a run can't change. The error is for the reader.
	Over(s scenario.Scenario) error
	Pick(id string)
	// Arrivals starts over with users that come evenly spaced, or by chance (poisson).
	Arrivals(kind string)
	// Repaint says that colours have changed.
	Repaint()
}

// Panel is all controls.
type Panel struct {
	acts     Acts
	scenario scenarios
	arrivals html.Element
	seed     *html.Text
	rule     rule
	faults   faults
	time     transport
	looks    looks
	Theme    *Theme
	tabs     tabs
	keys     keys
	pinned   bool // a run is held against the one on show
}

// New enlivens the controls, which stay disabled until Ready, and the keys with them. It waits, like html.Await.
func New(acts Acts) *Panel {
	p := &Panel{acts: acts, seed: html.TextOf("seed")}
	p.scenario.bind(acts)
	html.Breathe()
	html.On(html.Find("pin"), "click", func(html.Event) { acts.Pin() })
	html.On(html.Find("unpin"), "click", func(html.Event) { acts.Unpin() })
	html.On(html.Find("new-seed"), "click", func(html.Event) { acts.NewSeed() })
	p.arrivals = html.Find("arrivals")
	describe(p.arrivals)
	html.On(p.arrivals, "change", func(html.Event) { acts.Arrivals(html.Value(p.arrivals)) })
	html.Breathe()
	p.rule.bind(acts)
	html.Breathe()
	p.faults.bind(acts)
	p.time.bind(acts)
	p.looks.bind(acts)
	html.Breathe()
	p.tabs.bind()
	p.skips()
	p.Theme = NewTheme(acts.Repaint)
	Hints("rule", "break", "numbers", "new-seed")
	return p
}

// Ready lets the reader at the controls.
func (p *Panel) Ready() {
	for _, e := range html.All(html.Root, "button:disabled, input:disabled, select:disabled, textarea:disabled") {
		html.Enable(e, true)
	}
	p.keys.bind(p)
}

// Show fills everything in from the scenario as it stands now.
func (p *Panel) Show(s *scenario.Scenario) {
	p.scenario.show(s.ID)
	p.seed.Set(strconv.FormatUint(s.Seed, 10))
	for _, e := range html.All(html.Root, "[data-system]") {
		html.Show(e, e.GetAttribute("data-system") == system(s))
	}
	for _, op := range s.Operations {
		html.SetValue(p.arrivals, op.Arrivals)
	}
	p.faults.show(s)
	html.Breathe()
	p.rule.fill(s)
}

// Changed says that one setting has changed: what follows from it is shown, and what stands in the fields is left alone.
func (p *Panel) Changed(s *session.Session) {
	p.pinned = s.Pinned() != nil
	p.faults.settings = s.Settings()
	p.rule.changed(s)
}
