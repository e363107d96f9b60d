package run_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"stormbin/engine/metrics"
	"stormbin/engine/model"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// told is an act that has been run.
type told struct {
	lines        []string
	report       metrics.Report
	events       []model.Event // of one click
	dependencies []string      // by place
}

// wrap breaks a text into lines that a screen has room for.
func wrap(text, indent string) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		switch width := utf8.RuneCountInString(word); {
		case column == 0:
			b.WriteString(indent + word)
			column = len(indent) + width
		case column+1+width > 110:
			b.WriteString("\n" + indent + word)
			column = len(indent) + width
		default:
			b.WriteString(" " + word)
			column += 1 + width
		}
	}
	return b.String()
}

// tellCrowd tells a run second by second, then what the report makes of it.
func tellCrowd(t *testing.T, a act) told {
	s := with(t, a.id, a.set...)
	rep, err := run.Do(s)
	if err != nil {
		t.Fatal(err)
	}
	r := told{report: rep}
	above := fmt.Sprintf("%39s at %-42s", "|", a.watch)
	head := fmt.Sprintf("%8s%9s%10s%9s  |%10s%9s%9s%10s%8s", "second", "come", "answered", "fail", "attempts", "retries", "refused", "timeouts", "queue")
	if s.Policy.Breaker.Enabled {
		above += "  | breakers before " + s.Policy.Breaker.Targets[0]
		head += fmt.Sprintf("  |%12s%6s", "turned away", "open")
	}
	r.lines = append(r.lines, strings.TrimRight(above, " "), head)
	for i := 0; i < len(a.show); i += 2 {
		if i > 0 {
			r.lines = append(r.lines, "     ...")
		}
		for _, row := range rep.Series[a.show[i] : a.show[i+1]+1] {
			d := row.Dependencies[a.watch]
			n := metrics.Thousands
			line := fmt.Sprintf("%8d%9s%10s%9s  |%10s%9s%9s%10s%8s", row.TS, n(row.Offered), n(row.OK), n(row.Failed),
				n(d.Attempts), n(d.Retries), n(d.Refused), n(d.Timeouts), n(d.Queue))
			if s.Policy.Breaker.Enabled {
				d := row.Dependencies[s.Policy.Breaker.Targets[0]]
				line += fmt.Sprintf("  |%12s%6s", n(d.TurnedAway), n(d.Open))
			}
			r.lines = append(r.lines, line)
		}
	}
	r.lines = append(r.lines, "", wrap(rep.Verdict, "  "))
	for _, alert := range rep.Alerts {
		r.lines = append(r.lines, fmt.Sprintf("  paged at %s; %s.", alert.Sentence, alert.Cause))
	}
	return r
}

// tellClick tells what becomes of the only click of a run, from its trace, and from what has changed in the world with
// each event.
func tellClick(t *testing.T, a act) told {
	s := with(t, a.id, a.set...)
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	c := chronicle{s: s, world: model.New(s.Clone()), calls: map[string]int{}, sent: map[trip]time.Duration{}, served: map[trip]bool{}}
	c.dependencies = slices.Sorted(maps.Keys(s.Dependencies))
	c.before = c.world.Report()
	c.snap.Dependencies = make([]model.DependencyNow, len(c.dependencies))
	for i := range c.snap.Dependencies {
		c.snap.Dependencies[i].Health = model.Health{Slow: 1, Capacity: 1}
	}
	end := time.Duration(s.Duration)
	c.world.End(end)
	for c.look(); c.world.Next(end); c.look() {
	}
	c.world.Conclude()
	c.report = c.world.Report()
	if n := c.report.Requests.Offered; n != int64(c.operation().Copies) {
		t.Fatalf("%s: %d requests come, want those of one click", a.name, n)
	}
	return c.told
}

// chronicle writes the timeline of one click.
type chronicle struct {
	told
	s      scenario.Scenario
	world  *model.World
	snap   model.Snapshot
	before metrics.Report // as it was before the latest event
	calls  map[string]int // attempts of each call so far
	sent   map[trip]time.Duration
	served map[trip]bool
	came   time.Duration
	failed string // the call whose attempt ended badly last
}

// trip is one attempt on its way, as far as a trace can tell: copies of a click that are at the same attempt at the same
// instant are one.
type trip struct {
	place, process uint16
	attempt        uint8
}

// look tells of what has happened since it looked last.
func (c *chronicle) look() {
	was := make([]model.Health, len(c.dependencies))
	for i := range was {
		was[i] = c.snap.Dependencies[i].Health
	}
	c.world.Snapshot(&c.snap)
	now := c.world.Report()
	for i, d := range c.snap.Dependencies {
		if d.Health != was[i] {
			c.say(d.Name, health(d.Health))
		}
	}
	for i, e := range c.snap.Trace {
		c.events = append(c.events, e)
		c.event(e, &now, c.snap.Trace[i+1:])
	}
	c.aftermath(&now)
	c.before = now
}

// tenth of a millisecond: what times are rounded to.
const tenth = time.Millisecond / 10

func (c *chronicle) say(who, what string) {
	tenths := int64(c.world.Now().Round(tenth) / tenth)
	c.lines = append(c.lines, fmt.Sprintf("%9s.%d ms  %-8s  %s", metrics.Thousands(tenths/10), tenths%10, who, what))
}

func health(h model.Health) string {
	switch {
	case h.Well():
		return "is well again"
	case h.Stalled:
		return "stalls: it takes things in, and gets nothing done"
	case h.Down:
		return "is down"
	case h.Blackhole:
		return "swallows whatever it is sent"
	case h.Lose > 0:
		return fmt.Sprintf("loses %v %% of its answers", 100*h.Lose)
	}
	return fmt.Sprintf("is %v times slower", h.Slow)
}

// event tells of one event. now is the report after it, and after all that came with it; rest is what that was.
func (c *chronicle) event(e model.Event, now *metrics.Report, rest []model.Event) {
	at := trip{e.Place, e.Process, e.Attempt}
	switch e.Kind {
	case model.Arrived:
		c.came = e.At
		name := slices.Sorted(maps.Keys(c.s.Operations))[e.Place]
		if strings.Contains("aeiou", name[:1]) {
			c.say("user", "asks for an "+name)
		} else {
			c.say("user", "asks for a "+name)
		}
		return
	case model.Answered:
		c.say("user", "has the answer after "+span(e.At-c.came))
		return
	case model.Failure:
		what := "gets " + reply(c.failed) + " after " + span(e.At-c.came)
		if now.Requests.Late > c.before.Requests.Late {
			what = "has left by now: it would be " + reply(c.failed) + " after " + span(e.At-c.came)
		}
		c.say("user", what)
		return
	}
	who, call := c.caller(e)
	name := c.dependencies[e.Place]
	was, is := c.before.Dependencies[name], now.Dependencies[name]
	switch e.Kind {
	case model.Sent:
		c.calls[call]++
		c.sent[at], c.served[at] = e.At, false
		what := "sends " + call + " to " + name
		if call == name {
			what = "calls " + call
		}
		if e.Holder == model.Retry {
			what += fmt.Sprintf(" again: attempt %d", c.calls[call])
		}
		c.say(who, what)
		first := func(o model.Event) bool { return o.Place == e.Place }
		if i := slices.IndexFunc(rest, first); (i < 0 || rest[i].Kind == model.Sent) && c.snap.Dependencies[e.Place].Queue > 0 {
			c.say(name, "lets it wait")
		}
	case model.Started:
		if waited := e.At - c.sent[at]; waited > 0 {
			c.say(name, "takes up what was sent "+span(waited)+" ago")
		}
	case model.Completed:
		c.served[at] = true
		what := "answers"
		if e.Holder == model.Abandoned {
			what = "is done with it, and nobody waits"
		}
		switch {
		case is.Duplicates > was.Duplicates:
			what += fmt.Sprintf("; stored, for the %s time", ordinal(is.Stored))
		case is.Stored > was.Stored:
			what += "; stored"
		case is.Repeated > was.Repeated:
			what += "; it knows the key, and stores nothing"
		case is.Hits > was.Hits:
			what += ": a hit"
		case c.s.Policy.Calls[call].Optional && e.Holder != model.Abandoned:
			what += ": a miss"
		}
		c.say(name, what)
	case model.Refusal:
		c.failed = call
		switch {
		case is.Shed > was.Shed:
			c.say(name, "turns it away, to come again later")
		case is.Refused > was.Refused:
			c.say(name, "refuses the connection")
		default:
			c.say(name, "fails at once")
		}
	case model.TimedOut, model.Beaten:
		c.failed = call
		what := "gives up on " + call + " after " + span(e.At-c.sent[at])
		if c.served[at] {
			what += ": the answer was lost"
		}
		c.say(who, what)
	case model.Killed:
		if e.Holder != model.Abandoned {
			c.failed = call
		}
		c.say(name, "stops it after "+span(e.At-c.sent[at]))
	}
}

// aftermath tells what has come of what was done.
func (c *chronicle) aftermath(now *metrics.Report) {
	for _, name := range slices.Sorted(maps.Keys(now.Jobs)) {
		was, is := c.before.Jobs[name], now.Jobs[name]
		if is.Made > was.Made {
			what := "have a job now: " + name
			if delay := time.Duration(c.s.Jobs[name].Delay); delay > 0 {
				what += ", due in " + span(delay)
			}
			c.say("workers", what)
		}
		if is.Done > was.Done {
			c.say("workers", "are done with it: "+name)
		}
	}
	for _, name := range c.dependencies {
		was, is := c.before.Dependencies[name], now.Dependencies[name]
		if is.Orphans > was.Orphans {
			c.say(name, "has an orphan: it is stored, and nothing refers to it")
		}
		if is.Reaped > was.Reaped {
			c.say(name, "has it no more: the orphan is gone")
		}
	}
}

// caller is who has sent an attempt, and as which call.
func (c *chronicle) caller(e model.Event) (who, call string) {
	goesThere := func(call string) bool { return c.s.Policy.Calls[call].Target(call) == c.dependencies[e.Place] }
	if int(e.Process) == c.s.Processes.Count {
		for _, j := range c.s.Jobs {
			if goesThere(j.Call) {
				return "worker", j.Call
			}
		}
	}
	steps := c.operation().Steps
	call = steps[slices.IndexFunc(steps, goesThere)]
	if c.s.Policy.Calls[call].Library.Present() {
		return "library", call
	}
	return "process", call
}

// operation is the one that the click is of.
func (c *chronicle) operation() scenario.Operation {
	for _, o := range c.s.Operations {
		if o.Rate > 0 {
			return o
		}
	}
	return scenario.Operation{}
}

// reply is what a process says to its user when this call has failed it.
func reply(call string) string {
	switch call {
	case "primary_read", "object_get", "object_put", "primary_delete":
		return "a 503"
	case "primary_insert":
		return "a 500 and no link"
	}
	return "an error"
}

func span(d time.Duration) string {
	if d >= time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.1f ms", float64(d.Round(tenth))/float64(time.Millisecond))
}

func ordinal(n int64) string {
	switch n {
	case 1:
		return "first"
	case 2:
		return "second"
	case 3:
		return "third"
	}
	return fmt.Sprintf("%dth", n)
}

// outlasted is for how many seconds the trouble has outlasted its cause.
func (r *told) outlasted() float64 {
	if r.report.RecoveryS == nil {
		return math.Inf(1)
	}
	return *r.report.RecoveryS
}

// when is the time of the first event of a kind at a dependency, or about the request if that is empty; −1 if there is
// none.
func (r *told) when(kind model.EventKind, dependency string) time.Duration {
	for _, e := range r.events {
		about := ""
		if e.Kind != model.Arrived && e.Kind != model.Answered && e.Kind != model.Failure {
			about = r.dependencies[e.Place]
		}
		if e.Kind == kind && about == dependency {
			return e.At
		}
	}
	return -1
}
