//go:build js && wasm

// Package page puts the page together: a run, what plays it, what shows it, and the reader.
//
//	page.go    the parts, and what a reader can do to them
//	beat.go    what is done for each animation frame
//	stage.go   the picture's frame, and the pictures sent to it
//	labels.go  the words laid over it
//	figures.go the numbers
//	nudge.go   the one thing to do next
//	world.go   what the reader's own pastes need of it
package page

import (
	"maps"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/desk"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/panel"
	"stormbin/wasm/internal/player"
	"stormbin/wasm/internal/speak"
	"stormbin/wasm/internal/view"
)

// Page is all of it.
type Page struct {
	run      *run.Run
	scenario scenario.Scenario // as set now, with nothing broken: what a restart begins with
	snapshot model.Snapshot

	player   player.Player
	scene    *view.Scene
	meter    view.Meter
	narrator view.Narrator
	voice    speak.Voice

	panel   *panel.Panel
	stage   *stage
	labels  labels
	figures figures
	nudge   nudge
	status  *html.Text
	caption *html.Text
	verdict *html.Text

	desk *desk.Desk

	beat beat
}

// Start brings the page to life, and returns; it lives on in its event handlers.
func Start() {
	p := &Page{status: html.TextOf("status"), caption: html.TextOf("caption"), verdict: html.TextOf("verdict")}
	began := time.Now()
	p.player.Clock = func() time.Duration { return time.Since(began) }
	p.stage = newStage(p)
	p.labels.bind()
	p.figures.bind()
	p.panel = panel.New(p)
	p.nudge.bind(p)

	reduced := html.Media("(prefers-reduced-motion: reduce)")
	html.On(reduced, "change", func(html.Event) { p.still(html.Matches(reduced)) })
	first := "two-service"
	if desk.Linked() {
		first = "pastebin"
	}
	p.load(builtin(first))
	if p.still(html.Matches(reduced)); p.scene.Still {
		p.status.Set("Paused, as your system asks for little motion. Press Play when you like.")
	} else {
		p.Play()
	}
	p.panel.Ready()
	p.desk = desk.Start(world{p})
	p.loop()
}

// still says whether nothing may travel (reduced motion).
func (p *Page) still(yes bool) {
	p.scene.Still = yes
	p.figures.sampled(p.beat.sampled, yes)
	p.Repaint()
}

// builtin is a scenario of the catalogue with nothing broken: here it is the reader who breaks things.
func builtin(id string) scenario.Scenario {
	s, ok := scenario.Find(id)
	if !ok {
		panic("the page offers the scenario " + id + ", which the catalogue does not have")
	}
	s.Faults = nil
	if id == "two-service" {
		// Evenly spaced, so that what it shows does not hang on the luck of the seed.
		setArrivals(&s, "even")
	}
	return s
}

func setArrivals(s *scenario.Scenario, kind string) {
	s.Operations = maps.Clone(s.Operations)
	for name, op := range s.Operations {
		op.Arrivals = kind
		s.Operations[name] = op
	}
}

// captions say what there is to see before anything has happened.
var captions = map[string]string{
	"two-service": "Each dot is a request. B’s eight slots are the squares; whoever finds them full waits in front.",
	"pastebin":    "A read asks the cache; a miss goes on to the primary, and from there to the bucket. Each square is a slot.",
}

// load begins a run of s, from time 0.
func (p *Page) load(s scenario.Scenario) {
	if p.desk != nil {
		p.desk.Restart()
	}
	r, err := run.New(s)
	if err != nil {
		panic("a scenario that was checked before is refused: " + err.Error())
	}
	p.run, p.scenario = r, s
	still := p.scene != nil && p.scene.Still
	p.scene = view.NewScene(&s)
	p.scene.Still = still
	p.meter, p.narrator = view.Meter{}, view.Narrator{}
	p.player.Load(r)
	p.panel.Show(&s)
	p.nudge.show(s.ID)
	p.figures.show(&s)
	p.caption.Set(captions[s.ID])
	r.Snapshot(&p.snapshot)
	p.beat.sampled = 0
	p.sample()
	p.Repaint()
}

// Set changes a path of the scenario from now on.
func (p *Page) Set(path string, value any) error {
	change := scenario.Change{Path: path, Value: value}
	s := p.scenario
	if err := change.Apply(&s); err != nil {
		return err
	}
	if err := p.run.Set(path, value); err != nil {
		return err
	}
	p.scenario = s
	p.panel.Changed(&s)
	return nil
}

// slowB is what a slow B of the two services needs for one attempt: the experiment's figure, however fast B is when well.
const slowB = 800 * time.Millisecond

// Break breaks something from now on.
func (p *Page) Break(f scenario.Fault) {
	if b, ok := p.scenario.Dependencies["b"]; ok && f.Target == "b" && f.Kind == "slow" {
		f.Factor = min(max(float64(slowB)/float64(max(b.Service.Mean, 1)), 1), 1e6)
	}
	if err := p.run.Break(f); err != nil {
		p.voice.Say(err.Error(), true)
	}
	p.nudge.broke()
	p.Repaint()
}

// Mend ends all that is broken.
func (p *Page) Mend() { p.run.Mend(); p.Repaint() }

// Play, Pause, Restart, Step and Speed are the transport's.
func (p *Page) Play()           { p.player.Play(); p.panel.ShowPlaying(true); p.status.Set("") }
func (p *Page) Pause()          { p.player.Pause(); p.panel.ShowPlaying(false); p.Repaint() }
func (p *Page) Restart()        { p.load(p.scenario) }
func (p *Page) Step()           { p.player.Step(); p.panel.ShowPlaying(false); p.Repaint() }
func (p *Page) Speed(x float64) { p.player.SetSpeed(x) }

// NewSeed starts over with the next seed: small numbers, so that they can be told to somebody.
func (p *Page) NewSeed() {
	s := p.scenario
	s.Seed++
	p.load(s)
}

// Arrivals starts over with users that come evenly spaced, or by chance.
func (p *Page) Arrivals(kind string) {
	s := p.scenario
	setArrivals(&s, kind)
	p.load(s)
}

// Pick starts another scenario.
func (p *Page) Pick(id string) { p.load(builtin(id)) }

// Repaint has the next frame drawn although the world may stand still.
func (p *Page) Repaint() { p.beat.stale = true }
