package view

import (
	"math"
	"slices"
	"strings"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
)

// Told is one thing that happened, in a sentence.
type Told struct {
	At   time.Duration
	Text string
	Why  string // what stands behind it; may be empty
}

// Pages are the pages that would have gone out, each with what it goes out at and what was broken then.
func Pages(alerts []metrics.Alert) []Told {
	all := make([]Told, len(alerts))
	for i, a := range alerts {
		_, text, _ := strings.Cut(a.Sentence, ": ") // its time stands before it
		if a.Threshold > 0 {
			text += "; it pages at " + Percent(a.Threshold)
		}
		all[i] = Told{At: time.Duration(a.AtS * float64(time.Second)), Text: Capital(text) + ".", Why: Capital(a.Cause) + "."}
	}
	return all
}

// LookEvery is how often a [Teller] looks, in the run's time: however fast a run is played, the same is told of it.
const LookEvery = 100 * time.Millisecond

// Teller tells what happens in a run. The zero value is ready for one that starts.
type Teller struct {
	// All is everything told so far, in order of time. After going back some of it is later than now.
	All []Told

	meter    Meter
	narrator narrator
	then     []narrator    // for each of All, the narrator once it was told
	last     time.Duration // when it last looked
	furthest time.Duration // it has looked at all until then
}

// Trouble tells whether requests fail, as far as it has looked.
func (t *Teller) Trouble() bool { return t.narrator.trouble != noTrouble }

// SoFar is the verdict on a run that goes on, which is in trouble now, or isn't. Of requests that are still waited for
// nobody knows yet how they end; so of a run in trouble it isn't said how that ended.
func SoFar(r *metrics.Report, trouble bool) string {
	if r.DurationS < 1 {
		return "So far it is too early to say."
	}
	verdict := r.Verdict
	if i := strings.LastIndex(verdict, "; and "); trouble && i >= 0 && (r.RecoveryS != nil || r.BadSeconds == 0) {
		verdict = verdict[:i] + "; and it is not over."
	}
	if rest, quiet := strings.CutPrefix(verdict, "Nothing"); quiet {
		return "So far nothing" + rest
	}
	if strings.HasPrefix(verdict, "The ") {
		verdict = "the" + verdict[len("The"):]
	}
	return "So far: " + verdict
}

// Next is when it should look next.
func (t *Teller) Next() time.Duration { return (t.last/LookEvery + 1) * LookEvery }

// Look takes in the run as it stands.
func (t *Teller) Look(s *model.Snapshot) {
	n := t.meter.Read(s)
	t.last = s.Now
	for _, text := range t.narrator.tell(n, s) {
		if s.Now > t.furthest { // else it was told when the run first came by
			t.All = append(t.All, Told{At: s.Now, Text: text})
			t.then = append(t.then, t.narrator.clone())
		}
	}
	t.furthest = max(t.furthest, s.Now)
}

// Back says that the run has gone back to now.
func (t *Teller) Back(now time.Duration) {
	if now >= t.last {
		return
	}
	t.meter, t.last = Meter{}, now
	t.narrator = narrator{}
	if i := t.Newest(now); i >= 0 {
		t.narrator = t.then[i].clone()
	}
}

// Forget drops what was told of the time after now, which will be another.
func (t *Teller) Forget(now time.Duration) {
	n := t.Newest(now) + 1
	t.All, t.then = t.All[:n], t.then[:n]
	t.furthest = min(t.furthest, now)
}

// Newest is the last of All that is not later than now; -1 if there is none.
func (t *Teller) Newest(now time.Duration) int {
	i := len(t.All) - 1
	for i >= 0 && t.All[i].At > now {
		i--
	}
	return i
}

// narrator knows what was told, so that it is told once. The zero value knows of nothing.
type narrator struct {
	began   bool
	places  []placeTold
	budget  spell // empty
	caps    []capTold
	trouble trouble
	since   time.Duration // when requests began to fail
}

// placeTold is what was told of one dependency.
type placeTold struct {
	health                                              model.Health
	timeouts, retries, hedges, refused, nobody, breaker spell
	full, duplicates, orphans                           bool
	refuses                                             time.Duration // when it last refused because it was broken
}

// capTold is what was told of the caps on one operation.
type capTold struct {
	spell
	shed int64 // how many they had turned away
}

func (t *narrator) clone() narrator {
	c := *t
	c.places, c.caps = slices.Clone(t.places), slices.Clone(t.caps)
	return c
}

// quiet is for how long something must have been over to be told again when it comes back: what wavers is one thing.
const quiet = metrics.Quiet * time.Second

// spell is a time in which something happens, with pauses shorter than quiet. The zero value is that it never did.
type spell struct {
	on   bool
	last time.Duration // when it last happened
}

// begins tells whether something that happens, or doesn't, begins to.
func (s *spell) begins(now time.Duration, happens bool) bool {
	if !happens {
		s.on = s.on && now-s.last < quiet
		return false
	}
	was := s.on
	s.on, s.last = true, now
	return !was
}

// Repeats tells whether a caption, "At 4.7 s: …", says what the sentence does, with whatever numbers.
func Repeats(caption, sentence string) bool {
	_, said, timed := strings.Cut(caption, ": ")
	return timed && worded(said) == worded(sentence)
}

// worded is a text without its numbers.
func worded(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("0123456789,.", r) {
			return -1
		}
		return r
	}, text)
}

// trouble is how things stand, which is told with the sentence that stands above the picture.
type trouble uint8

const (
	noTrouble trouble = iota
	inTrouble
	outlasting // failing, though its cause has ended
)

// Shares at which something is told: of the attempts at a dependency that time out or are refused, that are retries, and
// that are hedges; of what it finishes, for nobody; of the requests that fail, and that may fail once all is well again.
const (
	someTimeouts = metrics.TimeoutShare
	someRetries  = .15
	someHedges   = .2
	mostly       = .5
	someFail     = .05
	fewFail      = .005
)

// tell returns what has begun or ended since it was last asked, what matters most last.
func (t *narrator) tell(n *Numbers, s *model.Snapshot) (told []string) {
	say := func(text string) { told = append(told, text) }
	if !t.began || len(t.places) != len(n.Places) {
		*t = narrator{began: true, places: make([]placeTold, len(n.Places)), caps: make([]capTold, len(s.Operations))}
		for i := range t.places {
			t.places[i].health = model.Health{Slow: 1, Capacity: 1}
		}
	}
	for i := range n.Places {
		t.tellHealth(&n.Places[i], &t.places[i], say)
	}
	// Before that much of a second has been seen, its rates are hearsay.
	if n.Over >= window/2 {
		for i := range n.Places {
			t.tellPlace(n.Now, &n.Places[i], &s.Dependencies[i], &t.places[i], say)
		}
		t.tellBudget(n, s, say)
	}
	for i := range s.Operations {
		o, was := &s.Operations[i], &t.caps[i]
		if was.begins(n.Now, o.Requests.Shed > was.shed) {
			say("The caps turn away requests to " + o.Name + ": the processes hold as many as they may.")
		}
		was.shed = o.Requests.Shed
	}
	if n.Over >= window/2 {
		t.tellTrouble(n, say)
	}
	return told
}

func (t *narrator) tellHealth(p *PlaceNumbers, was *placeTold, say func(string)) {
	if was.health == p.Health {
		return
	}
	was.health = p.Health
	switch {
	case !p.Health.Well():
		say(TitleStart(p.Name) + " is " + Sickness(p.Health) + ".")
	case p.Queue > p.Slots:
		say(TitleStart(p.Name) + " is healthy again, and " + queue(p) + ".")
	default:
		say(TitleStart(p.Name) + " is healthy again.")
	}
}

func (t *narrator) tellPlace(now time.Duration, p *PlaceNumbers, d *model.DependencyNow, was *placeTold, say func(string)) {
	all := p.Attempts()
	// some tells whether a rate is at least one a second, and that share of all.
	some := func(rate, of, share float64) bool { return rate >= 1 && rate >= share*of }
	name := metrics.The(p.Name)
	if was.timeouts.begins(now, some(p.Timeouts, all, someTimeouts)) {
		say("The first attempts at " + name + " time out: nobody waits for them any more.")
	}
	switch full := p.Queue > p.Slots && p.BusyShare() >= .99; {
	case full && !was.full:
		was.full = true
		say("All " + Count(int64(p.Slots)) + " slots of " + name + " are busy, and more wait than it has slots.")
	case was.full && p.Queue == 0:
		was.full = false
		say("The queue of " + name + " is empty again.")
	}
	if p.Health.Down || p.Health.Flaky > 0 {
		was.refuses = now
	}
	if was.refused.begins(now, some(p.Refused, all, someTimeouts) && (was.refuses == 0 || now-was.refuses > window)) {
		say(TitleStart(p.Name) + " has no room left to wait in: whoever comes now is refused.")
	}
	if was.retries.begins(now, some(p.Retries, all, someRetries)) {
		say("Callers try again: retries add to the load of " + name + ".")
	}
	if was.hedges.begins(now, some(p.Hedges, all, someHedges)) {
		say("Hedges add to the load of " + name + ": " + Percent(p.Hedges/all) + " of the attempts are second ones, sent while the first was out.")
	}
	if open := d.Open > 0; open && was.breaker.begins(now, true) {
		say("A breaker before " + name + " opens: calls fail at once, and " + name + " is left alone.")
	} else if !open && was.breaker.on {
		was.breaker = spell{}
		say("No breaker before " + name + " is open any more.")
	}
	if d.Duplicates > 0 && !was.duplicates {
		was.duplicates = true
		say("The first duplicate: " + name + " has stored the same thing twice, since a write was sent again that had gone well.")
	}
	if d.Orphans > 0 && !was.orphans {
		was.orphans = true
		say("The first orphan: " + name + " has stored something that nothing refers to.")
	}
	if was.nobody.begins(now, p.Done >= 1 && p.ForNobody >= mostly*p.Done) {
		say(TitleStart(p.Name) + " works for nobody: most of what it finishes, its caller no longer waits for.")
	}
}

// tellBudget tells when most processes may retry nothing more, and something fails that would be retried.
func (t *narrator) tellBudget(n *Numbers, s *model.Snapshot, say func(string)) {
	empty := 0
	for i := range s.Processes {
		if s.Processes[i].Tokens == 0 {
			empty++
		}
	}
	fails := false
	for i := range n.Places {
		p := &n.Places[i]
		fails = fails || p.Timeouts+p.Refused >= 1
	}
	if t.budget.begins(n.Now, fails && 2*empty > len(s.Processes)) {
		say("The retry budget is empty: what fails now is not tried again.")
	}
}

func (t *narrator) tellTrouble(n *Numbers, say func(string)) {
	share := 1 - n.InTime
	silent := math.IsNaN(share) && n.Totals.InFlight > 0 && n.Over >= window
	if silent {
		share = 1 // nobody is answered
	}
	var cause *PlaceNumbers
	if n.Focus >= 0 {
		cause = &n.Places[n.Focus]
	}
	ended := cause != nil && cause.Health.Well() && cause.WasSick && cause.WellFor >= window
	if silent { // the first answers will say more
		ended = ended && cause.WellFor >= 3*window
	}
	switch {
	case t.trouble == noTrouble && share >= someFail:
		t.trouble, t.since = inTrouble, n.Now
		if ended {
			t.trouble = outlasting
		}
		say(Sentence(n))
	case t.trouble == inTrouble && ended && share >= someFail:
		t.trouble = outlasting
		say(Sentence(n))
	case t.trouble == outlasting && cause != nil && !cause.Health.Well():
		t.trouble = inTrouble
	case t.trouble != noTrouble && share < fewFail && n.Now-t.since > window:
		t.trouble = noTrouble
		if bad := n.Totals.Failed + n.Totals.Shed + n.Totals.Late; bad > 0 { // else the first were only long on their way
			say("It is over: answers come in time again.")
		}
	}
}
