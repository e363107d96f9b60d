package view

import (
	"math"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/scenario"
)

// Numbers is what the last second of virtual time came to. Rates are the difference of two snapshots' counts.
type Numbers struct {
	Now time.Duration
	// Over is how much time the rates are taken over: a second, less at the start.
	Over                time.Duration
	Offered, OK, Failed float64 // requests a second; Failed is all that did not end ok
	// InTime is the share of the ended requests that ended ok. NaN if none ended.
	InTime float64
	Totals model.Requests
	// Operations and Places are in the snapshot's order.
	Operations []OperationNumbers
	Places     []PlaceNumbers
	// Focus is the dependency under most pressure, by index: the one to talk about. -1 if there is none.
	Focus int
}

// OperationNumbers is one operation's last second: requests a second.
type OperationNumbers struct {
	Offered, Again float64 // Again is what users sent again
	OK, Failed     float64 // Failed is all that did not end ok
}

// PlaceNumbers is one dependency's last second.
type PlaceNumbers struct {
	Name                                                             string
	First, Retries, Hedges, Refused, Timeouts, Done, ForNobody, Hits float64 // a second
	Queue, Busy, Slots                                               int
	// Used is the share of the slots that were busy, over the last second: Busy jumps too much to be read.
	Used   float64
	Health model.Health
	// WellFor is how long it has been healthy. Since the start, if it always was.
	WellFor time.Duration
	// WasSick tells whether it was anything else before.
	WasSick bool
	// Open is how many of the breakers before it are open, or half-open.
	Open int
	// TurnedAway is the calls that they end in its place, a second.
	TurnedAway float64
	Totals     Totals
}

// Totals counts since the start.
type Totals struct {
	First, Retries, Hedges, Refused, Timeouts, Done, ForNobody, Killed, MaxQueue, Hits, TurnedAway int64
}

// Attempts is all that arrived, a second.
func (p *PlaceNumbers) Attempts() float64 { return p.First + p.Retries + p.Hedges }

// Amplification is attempts per first attempt in the last second; 1 if nothing came, and no bound on it if only
// retries did.
func (p *PlaceNumbers) Amplification() float64 {
	switch {
	case p.Attempts() == 0:
		return 1
	case p.First == 0:
		return math.Inf(1)
	}
	return p.Attempts() / p.First
}

// Multiple is Amplification in words: "3.80×"; "–" where nothing was sent, to the digits that rates are written with.
func (p *PlaceNumbers) Multiple() string {
	switch {
	case whole(p.Attempts()) == 0:
		return "–"
	case p.First == 0:
		return "only retries"
	}
	return Times(p.Amplification())
}

// BusyShare is the share of the slots that are busy.
func (p *PlaceNumbers) BusyShare() float64 {
	if p.Slots == 0 {
		return 0
	}
	return float64(p.Busy) / float64(p.Slots)
}

// afterglow is how long after a place was mended that is worth saying.
const afterglow = 10 * time.Second

// window is what rates are taken over.
const window = time.Second

// Meter keeps what is needed to tell the last second. The zero value is ready for a run that starts.
type Meter struct {
	past    [40]counts // a ring, oldest at next once it is full
	next, n int
	sickAt  []time.Duration // when each dependency was last unwell; negative: never
	faults  []scenario.Fault
	beside  *Meter
	now     Numbers
}

// counts is a snapshot's counters.
type counts struct {
	at         time.Duration
	requests   model.Requests
	operations []model.Requests
	places     []Totals
	busy       []time.Duration
}

// Learn says what breaks when in the run, so that what was broken is known although nobody looked.
func (m *Meter) Learn(faults []scenario.Fault) { m.faults = faults }

// sick is when a dependency was last unwell by its faults; negative: never.
func (m *Meter) sick(name string, now time.Duration) time.Duration {
	last := time.Duration(-1)
	for _, f := range m.faults {
		if at := time.Duration(f.At); f.Target == name && f.Kind != "flush" && metrics.Harms(f) && at <= now {
			last = max(last, min(f.End(), now))
		}
	}
	return last
}

// Read takes a snapshot in and tells the last second. What it returns is valid until the next Read.
func (m *Meter) Read(s *model.Snapshot) *Numbers {
	if len(m.sickAt) != len(s.Dependencies) || s.Now < m.now.Now {
		*m = Meter{faults: m.faults, beside: m.beside, sickAt: make([]time.Duration, len(s.Dependencies))}
		m.now.Now = s.Now
		for i := range m.sickAt {
			m.sickAt[i] = -1
		}
		m.now.Operations = make([]OperationNumbers, len(s.Operations))
		m.now.Places = make([]PlaceNumbers, len(s.Dependencies))
		for i := range m.past {
			m.past[i].operations = make([]model.Requests, len(s.Operations))
			m.past[i].places = make([]Totals, len(s.Dependencies))
			m.past[i].busy = make([]time.Duration, len(s.Dependencies))
		}
		m.now.Focus = -1
	}
	m.fill(s, m.edge(s.Now))
	if m.due(s.Now) {
		m.record(s)
	}
	return &m.now
}

// Beside has the meter make its records where another one has them, which is read first: then what is the same in two runs
// reads the same, too. Whoever is on the way there reads it at [Meter.After]. nil: where it likes.
func (m *Meter) Beside(other *Meter) { m.beside = other }

// After is when the first record after t was made; later than any run if there is none.
func (m *Meter) After(t time.Duration) time.Duration {
	first := scenario.Forever
	for i := range m.past[:m.n] {
		if at := m.past[i].at; at > t {
			first = min(first, at)
		}
	}
	return first
}

// due tells whether it is time for a record.
func (m *Meter) due(now time.Duration) bool {
	switch last := (m.next - 1 + len(m.past)) % len(m.past); {
	case m.n == 0:
		return true
	case m.past[last].at == now:
		return false
	case m.beside != nil && now <= m.beside.now.Now:
		return m.beside.After(now-1) == now
	default:
		return now-m.past[last].at >= window/32
	}
}

// edge is where the window starts: a whole window ago, at a point between two records, or at the oldest of all.
type edge struct {
	at   time.Duration
	a, b *counts // the records before and after it; nil if there are none
	part float64 // how far it is from a to b
}

func (m *Meter) edge(now time.Duration) (e edge) {
	for i := range m.n {
		e.a, e.b = &m.past[(m.next-1-i+2*len(m.past))%len(m.past)], e.a
		if now-e.a.at < window {
			continue
		}
		e.at = now - window
		if e.b != nil {
			e.part = float64(e.at-e.a.at) / float64(e.b.at-e.a.at)
		} else {
			e.at = e.a.at
		}
		return e
	}
	if e.a != nil {
		e.at, e.b = e.a.at, nil
	}
	return e
}

// then is what a counter stood at: records are made every thirtieth of a second or so, and in between it is taken to
// grow evenly, so that twenty a second read as twenty and not as nineteen and twenty-one in turn.
func (e *edge) then(of func(*counts) int64) float64 {
	if e.a == nil {
		return 0
	}
	then := float64(of(e.a))
	if e.b != nil {
		then += e.part * float64(of(e.b)-of(e.a))
	}
	return then
}

// Keep keeps what was just read of s if it is on its way to the time goal and just where the second begins that is told there,
// however little after another record. Without it that second would be told from what lies around its beginning.
func (m *Meter) Keep(s *model.Snapshot, goal time.Duration) {
	if m.beside != nil && m.beside.now.Now > s.Now {
		return // the other one did not keep it
	}
	if last := (m.next - 1 + len(m.past)) % len(m.past); s.Now == goal-window && m.past[last].at < s.Now {
		m.record(s)
	}
}

func (m *Meter) record(s *model.Snapshot) {
	c := &m.past[m.next]
	c.at, c.requests = s.Now, s.Requests
	for i := range s.Operations {
		c.operations[i] = s.Operations[i].Requests
	}
	for i := range s.Dependencies {
		c.places[i], c.busy[i] = totals(&s.Dependencies[i]), s.Dependencies[i].BusyTime
	}
	m.next = (m.next + 1) % len(m.past)
	m.n = min(m.n+1, len(m.past))
}

func totals(d *model.DependencyNow) Totals {
	return Totals{d.First, d.Retries, d.Hedges, d.Refused, d.Timeouts, d.Completed, d.Abandoned, d.Killed, int64(d.MaxQueue), d.Hits, d.TurnedAway}
}

func (m *Meter) fill(s *model.Snapshot, from edge) {
	n := &m.now
	n.Now, n.Totals = s.Now, s.Requests
	n.Over = 0
	if from.a != nil {
		n.Over = s.Now - from.at
	}
	per := func(now int64, of func(*counts) int64) float64 {
		if n.Over <= 0 {
			return 0
		}
		return (float64(now) - from.then(of)) / n.Over.Seconds()
	}
	bad := func(r *model.Requests) int64 { return r.Failed + r.Shed + r.Late }
	n.Offered = per(s.Requests.Offered, func(c *counts) int64 { return c.requests.Offered })
	n.OK = per(s.Requests.OK, func(c *counts) int64 { return c.requests.OK })
	n.Failed = per(bad(&s.Requests), func(c *counts) int64 { return bad(&c.requests) })
	n.InTime = math.NaN()
	if ended := n.OK + n.Failed; ended > 0 {
		n.InTime = n.OK / ended
	}
	for i := range s.Operations {
		r := &s.Operations[i].Requests
		n.Operations[i] = OperationNumbers{
			Offered: per(r.Offered, func(c *counts) int64 { return c.operations[i].Offered }),
			Again:   per(r.Tries-r.Offered, func(c *counts) int64 { return c.operations[i].Tries - c.operations[i].Offered }),
			OK:      per(r.OK, func(c *counts) int64 { return c.operations[i].OK }),
			Failed:  per(bad(r), func(c *counts) int64 { return bad(&c.operations[i]) }),
		}
	}
	for i := range s.Dependencies {
		d, p := &s.Dependencies[i], &n.Places[i]
		t := totals(d)
		*p = PlaceNumbers{
			Name: d.Name, Queue: d.Queue, Busy: d.Busy, Slots: len(d.Slots), Health: d.Health, Totals: t,
			First:     per(t.First, func(c *counts) int64 { return c.places[i].First }),
			Retries:   per(t.Retries, func(c *counts) int64 { return c.places[i].Retries }),
			Hedges:    per(t.Hedges, func(c *counts) int64 { return c.places[i].Hedges }),
			Refused:   per(t.Refused, func(c *counts) int64 { return c.places[i].Refused }),
			Timeouts:  per(t.Timeouts, func(c *counts) int64 { return c.places[i].Timeouts }),
			Done:      per(t.Done, func(c *counts) int64 { return c.places[i].Done }),
			ForNobody: per(t.ForNobody, func(c *counts) int64 { return c.places[i].ForNobody }),
			Hits:      per(t.Hits, func(c *counts) int64 { return c.places[i].Hits }),
		}
		p.Open, p.TurnedAway = d.Open, per(t.TurnedAway, func(c *counts) int64 { return c.places[i].TurnedAway })
		p.Used = p.BusyShare()
		if n.Over > 0 && p.Slots > 0 {
			busy := float64(d.BusyTime) - from.then(func(c *counts) int64 { return int64(c.busy[i]) })
			p.Used = busy / float64(n.Over) / float64(p.Slots)
		}
		if !d.Health.Well() {
			m.sickAt[i] = s.Now
		}
		m.sickAt[i] = max(m.sickAt[i], m.sick(d.Name, s.Now))
		p.WellFor, p.WasSick = s.Now, m.sickAt[i] >= 0
		if p.WasSick {
			p.WellFor -= m.sickAt[i]
		}
	}
	m.focus()
}

// focus picks the dependency to talk about, and stays with it unless another is under clearly more pressure.
func (m *Meter) focus() {
	pressure := func(p *PlaceNumbers) float64 {
		x := p.BusyShare()
		if p.Slots > 0 {
			x += math.Min(float64(p.Queue)/float64(p.Slots), 50)
		}
		switch {
		case !p.Health.Well():
			x += 100
		case p.WasSick && p.WellFor < afterglow: // whatever was looked at before, one looks for what became of it
			x++
		}
		return x
	}
	best := m.now.Focus
	for i := range m.now.Places {
		if best < 0 || pressure(&m.now.Places[i]) > pressure(&m.now.Places[best])+.15 {
			best = i
		}
	}
	m.now.Focus = best
}
