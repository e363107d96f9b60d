//go:build js && wasm

package page

import (
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/session"
	"stormbin/wasm/internal/view"
)

// told is what happened, in sentences, each with its time; the pages that would have gone out; and what all came to.
type told struct {
	page    *Page
	of      *telling            // the run on show
	left    map[string]*telling // by scenario: of the run that was left for another
	glance  model.Snapshot
	caption string // that was handed in last
	handed  int    // which of what was told that was; -1: none
	jumped  bool   // the run has come to where it is without being played there

	events, paged entries
	pages         []view.Told // of the alerts
	soFar         *html.Text
	report        metrics.Report // of the run on show, as it stood at judged
	judged        time.Duration
	stale         bool          // something other than time has changed what it comes to
	next          time.Duration // when to judge again, in real time
	took          time.Duration // the last time
}

// telling is what was told of one run.
type telling struct {
	run    *run.Run
	teller view.Teller
	alerts []metrics.Alert
	rows   int // how many seconds were looked at for alerts
}

// listened is a session as it is played: it is looked at every tenth of a second of its time, however fast it goes.
type listened struct {
	*session.Session
	told *told
}

// Advance is that of the session, and stops where there is something to look at.
func (l listened) Advance(to time.Duration, events int) (there bool) {
	next := min(to, l.told.of.teller.Next())
	if !l.Session.Advance(next, events) {
		return false
	}
	l.told.look()
	return next == to
}

// look has the teller look at the run on show, if it is time.
func (t *told) look() {
	if r := t.of.run; r.Now() >= t.of.teller.Next() {
		r.Glance(&t.glance)
		t.of.teller.Look(&t.glance)
		t.judge(r.Now())
	}
}

func (t *told) bind(p *Page) {
	t.page, t.left = p, map[string]*telling{}
	t.soFar = html.TextOf("so-far")
	t.events.bind(p, "events")
	t.paged.bind(p, "paged")
}

// show goes on with what was told of the run on show, or begins anew.
func (t *told) show() {
	id := t.page.session.Settings().ID
	t.of = t.left[id]
	if r := t.page.session.Run(); t.of == nil || t.of.run != r {
		t.of = &telling{run: r}
		t.left[id] = t.of
	}
	t.jumped, t.took = true, 0
	t.pages = view.Pages(t.of.alerts)
	t.stale, t.next = true, 0
}

// back says that the run may have gone back.
func (t *told) back() {
	t.of.teller.Back(t.page.session.Now())
	t.jumped = true
	t.stale, t.next = true, 0
}

// forget drops what was told of the time after at, which will be another.
func (t *told) forget(at time.Duration) {
	t.of.teller.Forget(at)
	alerts := t.of.alerts
	for len(alerts) > 0 && alerts[len(alerts)-1].AtS > at.Seconds() {
		alerts = alerts[:len(alerts)-1]
	}
	t.of.alerts, t.of.rows = alerts, min(t.of.rows, int(at/time.Second))
	t.pages = view.Pages(alerts)
	t.stale = true
}

// write brings what is on show up to date.
func (t *told) write() {
	now := t.page.session.Now()
	t.look()
	t.say(now)
	t.alert()
	t.events.write(t.of.teller.All, now)
	t.mark()
	t.paged.write(t.pages, now)
	t.judge(now)
}

// mark has the timeline know when there was something to tell.
func (t *told) mark() {
	marks := t.page.timeline.marks[:0]
	for i := range t.of.teller.All {
		marks = append(marks, t.of.teller.All[i].At)
	}
	t.page.timeline.marks = marks
}

// say hands in what has happened since it last did, or where that wasn't played but jumped over, only the newest. On the way
// to another time it waits.
func (t *told) say(now time.Duration) {
	if t.page.session.Goal() > now {
		return
	}
	newest := t.of.teller.Newest(now)
	from := t.handed + 1
	if t.jumped || newest < t.handed {
		from = newest
	}
	t.handed, t.jumped = newest, false
	for i := from; i <= newest; i++ {
		text := t.page.intro()
		if i >= 0 {
			e := &t.of.teller.All[i]
			text = "At " + view.Clock(e.At) + ": " + e.Text
		}
		if text != t.caption {
			t.caption = text
			t.page.voice.Say(text, false)
		}
	}
}

// alert looks at the seconds that are new. Whether they page hangs on those just before them, too.
func (t *told) alert() {
	rows := t.page.shown.rows
	if len(rows) <= t.of.rows {
		return
	}
	played := t.page.shown.run.Scenario()
	for _, a := range metrics.Alerts(&metrics.Report{Series: rows[max(0, t.of.rows-metrics.Quiet):]}, &played) {
		if a.AtS > float64(t.of.rows) {
			t.of.alerts = append(t.of.alerts, a)
		}
	}
	t.of.rows = len(rows)
	t.pages = view.Pages(t.of.alerts)
}

// judge says what the run came to so far: once a second, and less often where that takes longer than a hundredth of the time. One
// time of a busy machine says little, so that what takes long is tried again after a while.
func (t *told) judge(now time.Duration) {
	clock := t.page.player.Clock
	if now == t.judged && !t.stale || t.page.session.Goal() > now {
		return
	}
	// A is held against B only where both are at one time.
	if a := t.page.session.Pinned(); a != nil && a.Now() != now {
		return
	}
	start := clock()
	if start < t.next || t.took > tooLong && t.page.player.Playing() && start < t.next+300*t.took {
		return
	}
	t.judged, t.stale = now, false
	t.report = t.page.shown.run.Report()
	t.soFar.Set(view.SoFar(&t.report, t.of.teller.Trouble()))
	t.page.compare.judge(&t.report)
	t.took = clock() - start
	t.next = start + max(time.Second, 100*t.took)
}

// tooLong is for how long judging may hold up what moves: of an hour it takes longer, and waits for a pause, or for long.
const tooLong = 30 * time.Millisecond

// entries is a list of what was told, the newest first. Each is a button that goes there. Tab gets to one of them, and the
// arrow keys to the others.
type entries struct {
	page  *Page
	list  html.Element
	none  html.Element // what stands there instead of an empty list
	rows  []entry
	stop  html.Element // where Tab gets
	going bool         // an entry has the focus
}

type entry struct {
	told   view.Told
	item   html.Element
	button html.Element
	later  bool
}

func (l *entries) bind(p *Page, id string) {
	l.page, l.list, l.none = p, html.Find(id), html.Find(id+"-none")
	html.On(l.list, "focusin", func(e html.Event) {
		l.going = true
		l.tab(html.Closest(html.Wrap(e.Get("target")), "button"))
	})
	html.On(l.list, "focusout", func(html.Event) { l.going = false })
	html.On(l.list, "keydown", func(e html.Event) { l.key(e) })
	html.On(l.list, "click", func(e html.Event) {
		button := html.Closest(html.Wrap(e.Get("target")), "button")
		for i := range l.rows {
			if button != nil && l.rows[i].button.Equal(button.Value) {
				p.Pause()
				p.Seek(l.rows[i].told.At)
			}
		}
	})
}

// tab makes a button the one that Tab gets to.
func (l *entries) tab(button html.Element) {
	if button == nil {
		return
	}
	if l.stop != nil {
		l.stop.Set("tabIndex", -1)
	}
	l.stop = button
	button.Set("tabIndex", 0)
}

// key moves among the entries. The newest is on top.
func (l *entries) key(e html.Event) {
	at := -1
	for i := range l.rows {
		if l.rows[i].button.Equal(l.stop.Value) {
			at = i
		}
	}
	switch e.Key() {
	case "ArrowDown":
		at = max(at-1, 0)
	case "ArrowUp":
		at = min(at+1, len(l.rows)-1)
	case "Home":
		at = len(l.rows) - 1
	case "End":
		at = 0
	default:
		return
	}
	e.PreventDefault()
	l.rows[at].button.Call("focus")
}

// write brings the list up to date. What is later than now is paler.
func (l *entries) write(all []view.Told, now time.Duration) {
	same := 0
	for same < min(len(all), len(l.rows)) && l.rows[same].told == all[same] {
		same++
	}
	focused := false
	for _, row := range l.rows[same:] {
		focused = focused || l.going && row.button.Equal(l.stop.Value)
		row.item.Remove()
	}
	changed := same < len(l.rows) || same < len(all)
	l.rows = l.rows[:same]
	for _, told := range all[same:] {
		l.rows = append(l.rows, l.add(told))
	}
	for i := range l.rows {
		row := &l.rows[i]
		if later := row.told.At > now; later != row.later {
			row.later = later
			if later {
				row.item.Class().Add("later")
			} else {
				row.item.Class().Remove("later")
			}
		}
	}
	if !changed {
		return
	}
	html.Show(l.list, len(l.rows) > 0)
	html.Show(l.none, len(l.rows) == 0)
	if len(l.rows) == 0 {
		l.stop = nil
		if focused {
			html.Focus(html.Find("h-told"))
		}
		return
	}
	if newest := l.rows[len(l.rows)-1].button; focused {
		html.Focus(newest)
	} else if !l.going {
		l.tab(newest)
	}
}

func (l *entries) add(told view.Told) entry {
	e := entry{told: told, item: html.Make("li", "", ""), button: html.Make("button", "event", "")}
	e.button.SetAttribute("type", "button")
	e.button.Set("tabIndex", -1)
	html.Add(e.button, html.Make("span", "at", view.Clock(told.At)))
	html.Add(e.button, html.Make("span", "what", " "+told.Text))
	if told.Why != "" {
		html.Add(e.button, html.Make("small", "why", " "+told.Why))
	}
	html.Add(e.item, e.button)
	l.list.Call("prepend", e.item.Value)
	return e
}
