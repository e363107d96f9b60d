package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/scenario"
)

// A still is of a whole run: a bar for each second, of the requests that came in it. Those answered in time are full,
// those that failed are hatched on top of them, and above stand, hollow, the retries and hedges to the dependency that had
// the most. While something is broken the ground is grey.
//
// It stands in other people's pages, so it brings its colours, those of web/tokens.css, and a ground of its own.
const (
	wide, high  = 280, 148 // in CSS pixels at its natural size
	top, bottom = 14, 104  // of the bars
	right       = wide - 10
	letter      = 6 // about the width of one
)

// The parts of a bar, from below.
const (
	ok = iota
	failed
	retries
	hedges
	parts
)

// bar is one second.
type bar [parts]int64

func (b bar) all() int64 { return b[ok] + b[failed] + b[retries] + b[hedges] }

// barsOf are those of a run, and whom the retries and hedges are to; empty: there are none.
func barsOf(r *metrics.Report) (bars []bar, to string) {
	again := func(name string) int64 { return r.Dependencies[name].Retries + r.Dependencies[name].Hedges }
	names := slices.Sorted(maps.Keys(r.Dependencies))
	if len(names) > 0 {
		to = slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(again(a), again(b)) })
	}
	if again(to) == 0 {
		to = ""
	}
	for _, row := range r.Series {
		d := row.Dependencies[to]
		bars = append(bars, bar{ok: row.OK, failed: row.Failed, retries: d.Retries, hedges: d.Hedges})
	}
	return bars, to
}

// highest is how many the highest bar is of.
func highest(bars []bar) (most int64) {
	for _, b := range bars {
		most = max(most, b.all())
	}
	return max(most, 1)
}

// height is that of a part of a bar, if the highest is of so many. Of what is too little to be seen, a few of thousands,
// it is 0.
func height(n, most int64) float64 {
	if h := float64(n) / float64(most) * (bottom - top); h >= 0.25 {
		return h
	}
	return 0
}

// alt says in words what a still shows.
func alt(r *metrics.Report) string {
	bars, to := barsOf(r)
	most := highest(bars)
	var said []string
	for part, words := range [parts]string{"requests in time", "requests that failed", "retries to " + to, "hedges to " + to} {
		if slices.ContainsFunc(bars, func(b bar) bool { return height(b[part], most) > 0 }) {
			said = append(said, words)
		}
	}
	list := strings.Join(said, ", ")
	if i := strings.LastIndex(list, ", "); i >= 0 {
		list = list[:i] + " and" + list[i+1:]
	}
	return fmt.Sprintf("A bar for each of %s, up to %s high: %s. %s%s", metrics.Plural(len(bars), "second", "seconds"), metrics.Thousands(most), list, strings.ToUpper(r.Verdict[:1]), r.Verdict[1:])
}

// A color is a token in the light and in the dark theme.
type color struct{ light, dark string }

var token = regexp.MustCompile(`--([a-z-]+): light-dark\((#[0-9A-F]{6}), (#[0-9A-F]{6})\)`)

// colorsOf are the tokens in a style sheet that stills are drawn with, by name.
func colorsOf(css []byte) (map[string]color, error) {
	all := map[string]color{}
	for _, found := range token.FindAllStringSubmatch(string(css), -1) {
		all[found[1]] = color{found[2], found[3]}
	}
	used := map[string]color{}
	var missing []error
	for _, name := range []string{"surface", "text-muted", "border", "ok", "failed", "retry", "hedge"} {
		c, there := all[name]
		if !there {
			missing = append(missing, fmt.Errorf("there is no line --%s: light-dark(#RRGGBB, #RRGGBB)", name))
		}
		used[name] = c
	}
	return used, errors.Join(missing...)
}

// still draws the run of a report.
func still(r *metrics.Report, faults []scenario.Fault, colors map[string]color) []byte {
	bars, _ := barsOf(r)
	most := highest(bars)
	scale := metrics.Thousands(most) + " /s"
	left := float64(12 + letter*len(scale))
	second := (right - left) / float64(max(len(bars), 1))
	across := func(seconds float64) float64 { return left + min(seconds, float64(len(bars)))*second }

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img"><title>%[3]s</title><style>`, wide, high, escaped.Replace(alt(r)))
	names := slices.Sorted(maps.Keys(colors))
	scheme := func(which func(color) string) {
		b.WriteString("svg{")
		for _, name := range names {
			fmt.Fprintf(&b, "--%s:%s;", name, which(colors[name]))
		}
		b.WriteString("}")
	}
	scheme(func(c color) string { return c.light })
	b.WriteString("@media(prefers-color-scheme:dark){")
	scheme(func(c color) string { return c.dark })
	b.WriteString("}.ground{fill:var(--surface)}.broken{fill:var(--text-muted);opacity:.2}.ok{fill:var(--ok)}.failed{fill:url(#hatch)}" +
		".hatch{stroke:var(--failed);stroke-width:3}.retries,.hedges{fill:none}.retries{stroke:var(--retry)}.hedges{stroke:var(--hedge)}.axis{stroke:var(--border)}" +
		"text{fill:var(--text-muted);font:11px system-ui,sans-serif}</style>" +
		`<pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 2h4"/></pattern>`)
	fmt.Fprintf(&b, `<rect class="ground" width="%d" height="%d"/>`, wide, high)

	isBroken := false
	for _, f := range faults {
		from, to := across(time.Duration(f.At).Seconds()), across(f.End().Seconds())
		if to > from {
			isBroken = true
			fmt.Fprintf(&b, `<path class="broken" d="%s"/>`, box(from, top-6, to-from, bottom-top+6))
		}
	}
	var drawn [parts]strings.Builder
	for i, one := range bars {
		from, gap, below := across(float64(i)), min(second/6, 1.5), float64(bottom)
		for part, n := range one {
			h := height(n, most)
			switch {
			case h == 0:
			case part == retries || part == hedges: // hollow: the line lies within the bar
				drawn[part].WriteString(box(from+gap+.5, below-h+.5, max(second-2*gap-1, .1), max(h-1, .1)))
			default:
				drawn[part].WriteString(box(from+gap, below-h, second-2*gap, h))
			}
			below -= h
		}
	}
	type key struct{ class, means string }
	var keys []key
	for part, k := range [parts]key{{"ok", "in time"}, {"failed", "failed"}, {"retries", "retries"}, {"hedges", "hedges"}} {
		if d := drawn[part].String(); d != "" {
			fmt.Fprintf(&b, `<path class="%s" d="%s"/>`, k.class, d)
			keys = append(keys, k)
		}
	}
	fmt.Fprintf(&b, `<path class="axis" d="M%.1f %d.5H%d"/>`, left, bottom, right)
	if isBroken {
		keys = append(keys, key{"broken", "broken"})
	}
	fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="end">%s</text><text x="%.1[1]f" y="%[4]d" text-anchor="end">0</text>`, left-4, top+8, scale, bottom)
	fmt.Fprintf(&b, `<text x="%.1f" y="%d">0</text><text x="%d" y="%[2]d" text-anchor="end">%[4]d s</text>`, left, bottom+14, right, len(bars))
	x := 10.0
	for _, k := range keys {
		fmt.Fprintf(&b, `<path class="%s" d="%s"/><text x="%.1f" y="%d">%s</text>`, k.class, box(x+.5, high-17.5, 8, 8), x+13, high-9, k.means)
		x += float64(13 + letter*len(k.means) + 12)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// box is a path around a rectangle, to the tenth of a pixel.
func box(x, y, w, h float64) string { return fmt.Sprintf("M%.1f %.1fh%.1fv%.1fh%.1fz", x, y, w, h, -w) }

// escaped makes a text safe in SVG.
var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;")
