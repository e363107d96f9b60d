//go:build js && wasm

// Package page puts the page together: a session, what plays it, what shows it, and the reader.
//
//	page.go     the parts, and what a reader can do to them
//	beat.go     what is done for each animation frame
//	sight.go    what there is to see of a run
//	way.go      what is seen on the way to another time
//	look.go     the ways to look at it
//	stage.go    the picture, and who draws it
//	labels.go   the words laid over it
//	storm.go    the storm diagram
//	charts.go   the charts
//	timeline.go the time that was, and where in it we are
//	paths.go    what of SVG those are drawn with
//	told.go     what happened, in sentences
//	compare.go  two runs held against each other
//	seeds.go    the same under a hundred seeds
//	figures.go  the numbers
//	save.go     files to take away
//	poster.go   the picture to take away
//	nudge.go    the one thing to do next
//	menu.go     how a menu closes
//	link.go     the address, and the link to give away
//	embed.go    a figure for other people's pages
//	world.go    what the reader's own pastes need of it
package page

import (
	"cmp"
	"maps"
	"strconv"
	"time"

	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
	"stormbin/wasm/internal/desk"
	"stormbin/wasm/internal/frame"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/panel"
	"stormbin/wasm/internal/player"
	"stormbin/wasm/internal/session"
	"stormbin/wasm/internal/speak"
	"stormbin/wasm/internal/view"
)

// Page is all of it.
type Page struct {
	session *session.Session
	before  map[string]*session.Session // by scenario: what was left when another was picked
	shown   *sight                      // the run on show; B, where another is pinned
	pinned  *sight                      // A; nil: none is
	look    look

	player player.Player
	voice  speak.Voice

	panel    *panel.Panel
	stage    *stage
	marks    []frame.Mark
	words    []view.Label
	labels   labels
	storm    storm
	charts   charts
	timeline timeline
	told     told
	compare  compare
	save     save
	seeds    seeds
	figures  figures
	nudge    nudge
	link     link
	status   *html.Text
	caption  *html.Text
	heard    *html.Text // what a screen reader is told
	verdict  *html.Text
	named    *html.Text       // what its scenario is called, and what is changed in it
	differs  string           // what is changed in it, in words; "": nothing
	broken   []scenario.Fault // what broke in it when it was put on show
	still    bool             // nothing may travel (reduced motion)
	embedded bool             // only a figure, in somebody else's page

	desk *desk.Desk // nil in an embed

	beat beat
}

// Start brings the page to life, and returns; it lives on in its event handlers. It waits, like html.Await, and until it is
// through all controls are disabled.
func Start() { html.Bring(start) }

func start() {
	p := &Page{before: map[string]*session.Session{}, status: html.TextOf("status"), caption: html.TextOf("caption"), heard: html.TextOf("heard"), verdict: html.TextOf("verdict"), named: html.TextOf("named")}
	began := time.Now()
	p.player.Clock = func() time.Duration { return time.Since(began) }
	p.stage = newStage(p)
	p.labels.bind()
	p.storm.bind(p)
	html.Breathe()
	p.charts.page = p
	p.timeline.bind(p)
	p.told.bind(p)
	p.compare.bind(p)
	html.Breathe()
	p.save.bind(p)
	p.seeds.bind(p)
	p.figures.bind()
	html.Breathe()
	p.panel = panel.New(p)
	p.nudge.bind(p)
	p.link.bind(p)
	p.embedded = html.Root.Class().Contains("embed")
	html.Breathe()

	reduced := html.Media("(prefers-reduced-motion: reduce)")
	html.On(reduced, "change", func(html.Event) { p.stand(html.Matches(reduced)) })
	p.still = html.Matches(reduced)
	if !p.link.follow() {
		first := "two-service"
		if desk.Linked() {
			first = "pastebin"
		}
		p.open(begun(builtin(first)))
		if !p.link.refused {
			p.start()
		}
	}
	html.Breathe()
	p.stage.check()
	if p.embedded {
		p.lead()
		if html.Root.Class().Contains("asked") {
			p.Play()
		}
	} else {
		html.Root.Class().Remove("starting")
		p.desk = desk.Start(world{p})
		p.link.write()
	}
	html.Breathe()
	p.draw(0)
	html.Breathe()
	p.write(0, true)
	p.loop()
	p.panel.Ready() // and the desk in one go: before, who presses Create would send the form itself
	if p.desk != nil {
		p.desk.Open()
	}
}

// start plays, unless nothing may travel.
func (p *Page) start() {
	if p.still {
		p.Pause()
		p.status.Set("Paused, as your system asks for little motion. Press Play when you like.")
	} else {
		p.Play()
	}
}

// stand says whether nothing may travel.
func (p *Page) stand(still bool) {
	p.still = still
	for s := range p.sights {
		s.path.Still, s.slots.Still = still, still
	}
	p.figures.sampled(p.beat.sampled, still)
	p.Repaint()
}

// sights are the runs that are to be seen, A before B.
func (p *Page) sights(yield func(*sight) bool) {
	if p.pinned == nil || yield(p.pinned) {
		yield(p.shown)
	}
}

// builtin is a scenario of the catalogue. Of the two to begin with nothing is broken: there it is the reader who breaks things.
func builtin(id string) scenario.Scenario {
	s, ok := scenario.Find(id)
	if !ok {
		panic("the page offers the scenario " + id + ", which the catalogue does not have")
	}
	switch id {
	case "two-service":
		s.Faults = nil
		// Evenly spaced, so that what it shows does not hang on the luck of the seed.
		setArrivals(&s, "even")
	case "pastebin":
		s.Faults = nil
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

// captions say what there is to see on the path before anything has happened.
var captions = map[string]string{
	"two-service": "A dot is a request, B’s eight squares are its slots. Who finds them full waits in front.",
	"pastebin":    "A read asks the cache; a miss goes on to the primary, and from there to the bucket. Each square is a slot.",
}

// lookCaptions are those of the ways to look at any run.
var lookCaptions = [looks]string{
	lookPath:   "A dot is a request, a square a slot. Who finds all of them taken waits in front.",
	lookStorm:  "Each arrow is what came of the box before it, in the last second.",
	lookSlots:  "Each pool of slots, up to now. Strong: held long; grey: nobody waits.",
	lookCharts: "Second by second what the run came to. It goes on at the right end.",
}

// intro is the caption of a run in which nothing has happened yet: what there is to see of it, or of the catalogue's others
// the question that they are there to answer. Where the scenario is changed they might speak of what isn't so any more: an
// embed says what is changed instead, which the page has at the top.
func (p *Page) intro() string {
	said, id := p.differs, p.session.Settings().ID
	c, ok := captions[id]
	switch e := scenario.Named(id); {
	case said != "" && p.embedded:
		return said
	case said != "" || ok && p.look != lookPath:
		return lookCaptions[p.look]
	case ok:
		return c
	case e != nil:
		return e.Question
	}
	return ""
}

// settle shows what follows from the settings as they are now. What is changed is told by how the scenario is in a link, or here
// to begin with, whichever is nearer; what is written of it is said to be of how it began, where it would be false now.
func (p *Page) settle() {
	p.panel.Changed(p.session)
	html.Breathe()
	s := p.session.Settings()
	rule := false
	p.differs = ""
	if e := scenario.Named(s.ID); e != nil {
		asked, _ := scenario.Find(s.ID)
		begins := builtin(s.ID)
		p.differs, rule = view.Changed(e.Title, s, p.broken, p.session.Run().Scenario().Faults, &asked, &begins)
	}
	p.named.Set(cmp.Or(p.differs, view.Called(s.ID)))
	for _, e := range html.All(html.Root, "[data-for]") {
		html.Show(e, e.GetAttribute("data-for") == s.ID)
		e.SetAttribute("data-past", strconv.FormatBool(rule))
	}
}

// begun is a session with s, at time 0.
func begun(s scenario.Scenario) *session.Session {
	now, err := session.New(s)
	if err != nil {
		panic("a scenario that was checked before is refused: " + err.Error())
	}
	return now
}

// open puts a session on show.
func (p *Page) open(now *session.Session) {
	p.leave()
	p.session, p.broken = now, now.Run().Scenario().Faults
	p.player.Load(way{listened{now, &p.told}, p})
	s := now.Settings()
	p.before[s.ID] = now
	html.Breathe()
	p.panel.Show(s)
	html.Breathe()
	p.settle()
	html.Breathe()
	p.nudge.show(s.ID)
	p.figures.show(s)
	html.Breathe()
	p.storm.show(s)
	html.Breathe()
	p.voice.Hush()
	p.told.caption = p.intro()
	p.caption.Set(p.told.caption)
	p.begin()
}

// leave ends the reader's own requests, whose world is about to be another.
func (p *Page) leave() { p.desk.Restart() }

// begin shows the session's runs from where they are, after one of them has become another.
func (p *Page) begin() {
	shown, pinned := p.shown, p.pinned
	sight := func(r *run.Run) *sight {
		for _, v := range [...]*sight{shown, pinned} {
			if v != nil && v.run == r {
				return v // with all that was seen of it
			}
		}
		return newSight(r, p.session.Settings(), p.still)
	}
	p.shown, p.pinned = sight(p.session.Run()), nil
	p.shown.tag("", nil)
	p.shown.meter.Beside(nil)
	if a := p.session.Pinned(); a != nil {
		p.pinned = sight(a)
		p.pinned.tag("Run A", nil)
		p.pinned.meter.Beside(nil)
		p.shown.tag("Run B", p.pinned)
		p.shown.meter.Beside(&p.pinned.meter)
	}
	html.Breathe()
	p.told.show()
	p.beat.sampled = 0
	p.sample()
	p.compare.show()
	p.seeds.show()
	p.Repaint()
}

// did says that the reader has changed what comes, and shows what follows from it.
func (p *Page) did() {
	if p.shown.run != p.session.Run() { // in which there are no requests of the reader's own
		p.leave()
		p.begin()
		p.went()
	} else {
		p.compare.show()
	}
	for s := range p.sights {
		s.forget()
	}
	p.told.forget(p.session.Now())
	p.seeds.changed()
	p.settle()
	p.Repaint()
}

// Set changes a path of the scenario from now on, or beside a pinned run from the beginning.
func (p *Page) Set(path string, value any) error {
	err := p.session.Set(path, value)
	p.did()
	return err
}

// To changes whatever differs in s, as one step that can be undone, and fills it in. What no run can change starts over.
func (p *Page) To(s scenario.Scenario) error {
	return p.refill(p.session.To(s))
}

// Undo, Redo and Reset are of the settings, and of what is planned.
func (p *Page) Undo()  { p.move("Undone: ", p.session.Undo) }
func (p *Page) Redo()  { p.move("Done again: ", p.session.Redo) }
func (p *Page) Reset() { p.move("Reset: ", p.session.Reset) }

// move goes back or forth, and says what has come of it.
func (p *Page) move(how string, move func() (session.Move, error)) {
	run := p.session.Run()
	m, err := move()
	if p.refill(err) != nil {
		return
	}
	said := view.Replanned(m.Planned, m.Dropped, m.Past)
	if settings := view.Moved(&m.From, &m.To); settings != "" {
		said = settings
	}
	if said == "" {
		return
	}
	p.voice.Say(how+said+"."+p.anew(run), true)
}

// anew says what has begun again since was was on show; nothing if nothing has.
func (p *Page) anew(was *run.Run) string {
	switch {
	case p.session.Run() == was || p.session.Goal() > 0:
		return ""
	case p.pinned != nil:
		return " Run A and run B start over, on the same traffic."
	}
	return " The run starts over."
}

func (p *Page) refill(err error) error {
	p.say(err)
	p.did()
	p.panel.Show(p.session.Settings())
	return err
}

// say tells the reader what went wrong.
func (p *Page) say(err error) {
	if err != nil {
		p.voice.Say(view.Capital(err.Error()), true)
	}
}

// Break breaks something: from now on if its At is 0, else then.
func (p *Page) Break(f scenario.Fault) error {
	if f.At > 0 {
		err := p.session.Plan(f)
		p.did()
		return err
	}
	err := p.session.Break(f)
	p.say(err)
	p.nudge.broke()
	p.did()
	return err
}

// Mend ends all that is broken, and drops what was to come.
func (p *Page) Mend() { p.session.Mend(); p.did() }

// Drop takes a fault that is to come off the timeline.
func (p *Page) Drop(f scenario.Fault) {
	p.session.Drop(f)
	p.voice.Say(view.Capital(view.Replanned(nil, []scenario.Fault{f}, nil))+". Undo plans it again.", true)
	p.did()
}

// Play, Pause, Step and Speed are the transport's.
func (p *Page) Play()           { p.player.Play(); p.panel.ShowPlaying(true); p.status.Set("") }
func (p *Page) Pause()          { p.player.Pause(); p.panel.ShowPlaying(false); p.Repaint() }
func (p *Page) Step()           { p.player.Step(); p.panel.ShowPlaying(false); p.Repaint() }
func (p *Page) Speed(x float64) { p.player.SetSpeed(x); p.sample() }

// StepBack pauses, and goes back to just before the last thing that happened.
func (p *Page) StepBack() {
	p.Pause()
	p.say(p.session.StepBack())
	p.went()
}

// Seek goes to a time, which may take a few frames.
func (p *Page) Seek(t time.Duration) {
	p.say(p.session.Seek(t))
	p.went()
}

// End pauses, and goes to the end of the scenario's duration as fast as it can; past that, as far again.
func (p *Page) End() {
	p.Pause()
	length := time.Duration(p.session.Settings().Duration)
	p.Seek((p.session.Now()/length + 1) * length)
}

// went says that time has not simply passed.
func (p *Page) went() {
	p.told.back()
	p.player.Load(way{listened{p.session, &p.told}, p})
	p.Repaint()
}

// Restart begins again at 0.
func (p *Page) Restart() {
	p.leave()
	p.again(func() { p.say(p.session.Restart()) })
	p.went()
}

// again begins what is on show again, and fills in the settings if it begins with others.
func (p *Page) again(do func()) {
	was := *p.session.Settings()
	do()
	if p.shown.run != p.session.Run() {
		p.begin()
	}
	if len(scenario.Diff(was, *p.session.Settings())) > 0 {
		p.panel.Show(p.session.Settings())
	}
	p.settle()
}

// Pin keeps this run as A, to hold another rule against it.
func (p *Page) Pin() {
	p.leave()
	p.again(p.session.Pin)
	p.voice.Say("Pinned as run A. Run B is still the same: change the rule, and it begins again with that, on the same traffic.", true)
}

// Unpin lets go of A.
func (p *Page) Unpin() {
	p.session.Unpin()
	p.begin()
	p.settle()
	p.voice.Say("Run A is gone. Run B goes on alone.", true)
}

// NewSeed starts over with the next seed: small numbers, so that they can be told to somebody.
func (p *Page) NewSeed() {
	s := p.session.Settings().Clone()
	s.Seed++
	p.Over(s)
}

// Arrivals starts over with users that come evenly spaced, or by chance.
func (p *Page) Arrivals(kind string) {
	s := p.session.Settings().Clone()
	setArrivals(&s, kind)
	p.Over(s)
}

// Over is To for what no run can change, and says that it starts over.
func (p *Page) Over(s scenario.Scenario) error {
	from, was := *p.session.Settings(), p.session.Run()
	if err := p.session.To(s); err != nil {
		return err
	}
	p.refill(nil)
	if said := view.Moved(&from, p.session.Settings()); said != "" {
		p.voice.Say(view.Capital(said)+"."+p.anew(was), true)
	}
	return nil
}

// Pick puts another scenario on show: as it was left, if it was on show before.
func (p *Page) Pick(id string) {
	if left := p.before[id]; left != nil {
		p.open(left)
	} else {
		p.open(begun(builtin(id)))
	}
}

// Repaint has the next frame drawn although the world may stand still.
func (p *Page) Repaint() { p.beat.stale = true }

// total is the load on a system, in requests a second.
func total(s *model.Snapshot) (rate float64) {
	for i := range s.Operations {
		rate += s.Operations[i].Rate
	}
	return rate
}
