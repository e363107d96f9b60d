package metrics

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"stormbin/engine/json"
	"stormbin/engine/scenario"
)

// sickShare is the share of the attempts that fail in the multiplication of a design doc.
const sickShare = 0.2

// Markdown is a page for a design doc on s, which is valid, and on r, a run of it: the verdict, the rule, its sum and what
// it multiplies, what broke and when, what came of it, and who would have been paged. The rule is the one that the run began
// with; changes stand among what broke. link leads to the run; empty: there is none.
func Markdown(s *scenario.Scenario, r *Report, link string) string {
	m := &page{}
	title := "Timeouts and retries"
	if s.ID != "" {
		title += " of " + s.ID
	}
	m.line("# ", title)
	m.line("", r.Verdict)
	about := fmt.Sprintf("Seed %d, %s, trace hash %s.", r.Seed, seconds(r.DurationS), r.TraceHash)
	if r.CutShort {
		about = fmt.Sprintf("Seed %d, cut short after %s, trace hash %s.", r.Seed, seconds(r.DurationS), r.TraceHash)
	}
	m.line("", about)

	m.line("## ", "The rule")
	m.rule(s)
	sums := Sum(s, sickShare)
	m.line("## ", "The sum")
	m.sum(&sums)
	m.line("## ", "The multiplication, if "+percent(sickShare)+" of the attempts fail")
	m.multiplication(&sums)
	m.line("## ", "What broke, and when")
	m.events(s, r)
	m.line("## ", "What came of it")
	m.outcome(r)
	m.line("## ", "Who would have been paged")
	pages := make([]string, len(r.Alerts))
	for i, a := range r.Alerts {
		pages[i] = a.Sentence + "; " + a.Cause + "."
	}
	m.list(pages, "Nobody.")
	if link != "" {
		m.WriteString("[This run, to be changed and run again](<" + address(link) + ">)\n\n")
	}
	return strings.TrimSuffix(m.String(), "\n")
}

// rule is the policy as a table, and what of it is not of one call.
func (m *page) rule(s *scenario.Scenario) {
	m.row("call", "timeout", "attempts", "retried on", "before a retry")
	m.row("---", "---", "---:", "---", "---")
	var more []string
	for _, name := range scenario.Names(s.Policy.Calls) {
		c := s.Policy.Calls[name]
		timeout, on, wait := "none", "nothing", ""
		if c.Timeout > 0 {
			timeout = c.Timeout.String()
		}
		if c.Attempts > 1 && len(c.RetryOn) > 0 {
			on, wait = strings.Join(c.RetryOn, ", "), waits(c.Backoff, c.Jitter)
		}
		m.row(name, timeout, Thousands(int64(c.Attempts)), on, wait)
		if c.HedgeAfter > 0 {
			more = append(more, fmt.Sprintf("%s is sent a second time when there is no answer after %s.", name, c.HedgeAfter))
		}
		if c.Library.Present() {
			more = append(more, "The library under "+name+layer(c.Library))
		}
	}
	m.WriteString("\n")
	for _, name := range scenario.Names(s.Operations) {
		if o := s.Operations[name]; o.Client.Present() {
			more = append(more, "A user of "+name+layer(o.Client))
		}
	}
	if s.Policy.Balancer.Present() {
		more = append(more, "The balancer"+layer(s.Policy.Balancer))
	}
	if words, _ := sumBudget(s); words != "" {
		more = append(more, "Budget, of each process at each dependency: "+words+".")
	}
	if b := s.Policy.Breaker; b.Enabled {
		where := "every dependency"
		if len(b.Targets) > 0 {
			where = All(b.Targets)
		}
		more = append(more, fmt.Sprintf("A breaker before %s opens for %s when %s of at least %s within %s end with %s.",
			where, b.OpenFor, percent(b.Threshold), Plural(b.MinCalls, "call", "calls"), b.Window, cmp.Or(strings.Join(b.On, ", "), "nothing")))
	}
	if !s.Policy.PropagateDeadline {
		more = append(more, "A call is not told how much time its request has left.")
	}
	m.list(more, "")
}

// layer is how often a layer tries.
func layer(l scenario.Layer) string {
	said, each := " tries once", ""
	if retries(l) {
		said = " tries " + often(l.Attempts) + " on " + strings.Join(l.RetryOn, ", ") + ", " + waits(l.Backoff, l.Jitter)
		each = "each "
	}
	if l.Timeout > 0 {
		said += ", " + each + "for up to " + l.Timeout.String()
	}
	return said + "."
}

// waits is the wait before a retry.
func waits(b scenario.Backoff, jitter string) string {
	if b.Kind == "none" || b.Base == 0 {
		return "at once"
	}
	said := b.Kind + " " + b.Base.String()
	if b.Kind != "constant" && b.Max > 0 {
		said += " up to " + b.Max.String()
	}
	if jitter != "none" {
		said += ", " + jitter + " jitter"
	}
	return said
}

func (m *page) sum(sums *Sums) {
	var said []string
	for _, name := range scenario.Names(sums.Operations) {
		o := sums.Operations[name]
		said = append(said, fmt.Sprintf("%s: %s.", name, o.Sum()))
		for _, step := range o.Steps {
			if fits := o.OneRetry(step); fits != "" {
				said = append(said, fmt.Sprintf("%s, one retry of %s: %s.", name, step.Call, fits))
			}
		}
		if o.Cap != nil {
			said = append(said, fmt.Sprintf("%s, cap: %s.", name, o.Cap.Words()))
		}
	}
	m.list(said, "")
}

func (m *page) multiplication(sums *Sums) {
	var said []string
	for _, name := range scenario.Names(sums.Operations) {
		for _, step := range sums.Operations[name].Steps {
			for _, f := range step.Failures {
				if f.Attempts > 1 {
					said = append(said, fmt.Sprintf("%s, %s after %s: %s.", name, step.Call, f.After(), step.Multiplied(f, sums.Share)))
				}
			}
			if load := step.Hedged(); load != "" {
				said = append(said, fmt.Sprintf("%s, %s if every one is hedged: %s.", name, step.Call, load))
			}
		}
	}
	if sums.Budget != "" && len(said) > 0 {
		said = append(said, "Of what the app sends, the budget lets through: "+sums.Budget+".")
	}
	m.list(said, "Nothing is tried again, so that there is no load but the requests.")
}

// events is the faults, then the changes, that came to be within the run.
func (m *page) events(s *scenario.Scenario, r *Report) {
	var said []string
	came := func(at scenario.Duration) bool { return time.Duration(at).Seconds() < r.DurationS }
	for _, f := range s.Faults {
		until := "to the end"
		if f.End().Seconds() <= r.DurationS {
			until = "to " + seconds(f.End().Seconds())
		}
		if Harms(f) && came(f.At) {
			said = append(said, fmt.Sprintf("From %s %s: %s %s.", seconds(time.Duration(f.At).Seconds()), until, f.Target, ailment(f)))
		}
	}
	for _, c := range s.Changes {
		if came(c.At) {
			said = append(said, fmt.Sprintf("At %s: %s was set to %s.", seconds(time.Duration(c.At).Seconds()), c.Path, json.Append(nil, c.Value, "")))
		}
	}
	m.list(said, "Nothing.")
}

func (m *page) outcome(r *Report) {
	q := r.Requests
	m.list([]string{
		fmt.Sprintf("%s of %d.", Plural(r.BadSeconds, "bad second", "bad seconds"), len(r.Series)),
		fmt.Sprintf("%s: %s ok, %s failed, %s shed, %s late, %s unfinished.", Plural(int(q.Offered), "request", "requests"),
			Thousands(q.OK), Thousands(q.Failed), Thousands(q.Shed), Thousands(q.Late), Thousands(q.Unfinished)),
	}, "")
	m.row("dependency", "attempts", "amplification", "extra attempts", "in the worst second", "duplicates")
	m.row("---", "---:", "---:", "---:", "---:", "---:")
	for _, name := range scenario.Names(r.Dependencies) {
		d := r.Dependencies[name]
		worst := int64(0)
		for _, row := range r.Series {
			second := row.Dependencies[name]
			worst = max(worst, second.Retries+second.Hedges)
		}
		mean := 0.0
		if r.DurationS > 0 {
			mean = float64(d.Attempts-d.FirstAttempts) / r.DurationS
		}
		m.row(name, Thousands(d.Attempts), d.Multiple(), perSecond(mean), perSecond(float64(worst)), Thousands(d.Duplicates))
	}
	m.WriteString("\n")
}

// page is Markdown as it grows. What is written on it is plain text, in which nothing is markup.
type page struct{ strings.Builder }

// line is a paragraph, or a heading after the mark.
func (m *page) line(mark, text string) { m.WriteString(mark + plain(text) + "\n\n") }

// list is a point for each text; if there are none, that word.
func (m *page) list(texts []string, none string) {
	if len(texts) == 0 && none != "" {
		m.line("", none)
	}
	for _, text := range texts {
		m.WriteString("- " + plain(text) + "\n")
	}
	if len(texts) > 0 {
		m.WriteString("\n")
	}
}

// row is of a table.
func (m *page) row(cells ...string) {
	for _, c := range cells {
		m.WriteString("| " + plain(c) + " ")
	}
	m.WriteString("|\n")
}

// plain is text in which nothing is markup, on one line.
func plain(text string) string {
	var b []byte
	letter := func(i int) bool { return i >= 0 && i < len(text) && strings.IndexByte(" \n\r_.,:;", text[i]) < 0 }
	for i, c := range []byte(text) {
		within := c == '_' && letter(i-1) && letter(i+1) // of a word, as names have it: that is none
		switch {
		case c == '\n' || c == '\r':
			c = ' '
		case strings.IndexByte("\\`|*_[]<>&~#", c) >= 0 && !within:
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return string(b)
}

// address is a link between < and >, with what would end it in hex.
func address(link string) string {
	var b []byte
	for _, c := range []byte(link) {
		if c <= ' ' || strings.IndexByte(`<>|\`, c) >= 0 {
			b = fmt.Appendf(b, "%%%02X", c)
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}
