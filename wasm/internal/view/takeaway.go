package view

import (
	"strconv"
	"strings"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// FileName is what a file about a run is called, without its ending: stormbin-pastebin-seed1-12s.
func FileName(s *scenario.Scenario, now time.Duration) string {
	id := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, s.ID)
	if id == "" {
		id = "own"
	}
	return "stormbin-" + id + "-seed" + strconv.FormatUint(s.Seed, 10) + "-" + strconv.Itoa(int(now/time.Second)) + "s"
}

// RuleLine is a rule in one line: "b: 1 s, 4 attempts on timeout, error, refused".
func RuleLine(s *scenario.Scenario) string {
	var parts []string
	for _, name := range CallOrder(s) {
		c := s.Policy.Calls[name]
		part := Title(name) + ": no timeout"
		if c.Timeout > 0 {
			part = Title(name) + ": " + Span(time.Duration(c.Timeout))
		}
		if c.Attempts > 1 && len(c.RetryOn) > 0 {
			part += ", " + strconv.Itoa(c.Attempts) + " attempts on " + strings.Join(c.RetryOn, ", ")
		}
		if c.HedgeAfter > 0 {
			part += ", hedged after " + Span(time.Duration(c.HedgeAfter))
		}
		parts = append(parts, part)
	}
	if b := s.Policy.Budget.Percent; b > 0 {
		parts = append(parts, "retry budget "+Percent(b/100))
	}
	if s.Policy.Breaker.Enabled {
		parts = append(parts, "a breaker")
	}
	return strings.Join(parts, "; ")
}

// Take is a run to be taken away: the scenario as it was played, and what came of it.
type Take struct {
	Scenario scenario.Scenario
	Report   metrics.Report
	Link     string // that opens it; "" if there is none
}

// Summary is a page for a design doc in Markdown: of b, or of both and what tells them apart, if there is an a beside it.
func Summary(a, b *Take) string {
	if a == nil {
		return metrics.Markdown(&b.Scenario, &b.Report, b.Link)
	}
	s := "# Two rules on the same traffic\n\n"
	for _, d := range metrics.Differences(&a.Report, &b.Report) {
		s += "- " + d + "\n"
	}
	return s + "\n" + lower("Run A", a) + "\n" + lower("Run B", b)
}

// lower is a run's page with a title of its own, as a part of another.
func lower(title string, t *Take) string {
	lines := strings.Split(metrics.Markdown(&t.Scenario, &t.Report, t.Link), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "# ") {
			lines[i] = "## " + title
		} else if strings.HasPrefix(line, "#") {
			lines[i] = "#" + line
		}
	}
	return strings.Join(lines, "\n")
}
