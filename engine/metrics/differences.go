package metrics

import (
	"fmt"
	"math"
	"sort"

	"stormbin/engine/scenario"
)

// Differences says in plain words what became of one traffic in two worlds, a and b, the most important first: a few
// sentences that speak of run A and run B. Services may be called so, too: they are service A and service B here. Empty if
// there is nothing to tell.
func Differences(a, b *Report) []string {
	said := []string{}
	if a.BadSeconds != b.BadSeconds {
		said = append(said, fmt.Sprintf("Run B: %s, run A: %d.", Plural(b.BadSeconds, "bad second", "bad seconds"), a.BadSeconds))
	}
	if x, y := recovery(a), recovery(b); x != y && x != "" && y != "" {
		said = append(said, fmt.Sprintf("Run A %s; run B %s.", x, y))
	}
	more := func(inA, inB int64, did, what string) {
		who := "Run A"
		if inB > inA {
			who = "Run B"
		}
		if n := max(inA, inB) - min(inA, inB); n > 0 {
			said = append(said, fmt.Sprintf("%s %s %s more %s.", who, did, Thousands(n), what))
		}
	}
	of := fmt.Sprintf("of the %s requests in time", Thousands(a.Requests.Offered))
	if a.Requests.Offered != b.Requests.Offered { // closed users who are answered sooner ask more
		own := a.Requests.Offered
		if b.Requests.OK > a.Requests.OK {
			own = b.Requests.Offered
		}
		of = fmt.Sprintf("of its own %s requests in time", Thousands(own))
	}
	more(a.Requests.OK, b.Requests.OK, "answered", of)
	names := scenario.Names(a.Dependencies)
	apart := func(name string) int64 {
		x, y := a.Dependencies[name].Attempts, b.Dependencies[name].Attempts
		return max(x, y) - min(x, y)
	}
	sort.SliceStable(names, func(i, j int) bool { return apart(names[i]) > apart(names[j]) })
	for i, name := range names {
		x, y := a.Dependencies[name], b.Dependencies[name]
		if i > 0 && 100*apart(name) < apart(names[0]) { // next to the others it is nothing
			break
		}
		what := "attempts to " + BesideRuns(name)
		if p, q := x.Multiple(), y.Multiple(); p != q {
			what += " (in all " + p + " in run A, " + q + " in run B)"
		}
		more(x.Attempts, y.Attempts, "sent", what)
	}
	for _, name := range names {
		x, y := a.Dependencies[name], b.Dependencies[name]
		more(x.Duplicates, y.Duplicates, "left", "duplicates in "+BesideRuns(name))
		more(x.Orphans, y.Orphans, "left", "orphans in "+BesideRuns(name))
	}
	if x, y := wait(a), wait(b); x != y && endedAny(a) && endedAny(b) {
		said = append(said, fmt.Sprintf("Of those whose request ended, well or not, one in a hundred waited longer than %s in run A, %s in run B.", x, y))
	}
	return said
}

// endedAny tells whether any request ended: else there is no wait to speak of.
func endedAny(r *Report) bool { return r.Requests.Offered > r.Requests.Unfinished }

// recovery is how a run ended. Empty: nothing has happened to it that is over.
func recovery(r *Report) string {
	switch {
	case r.RecoveryS != nil && *r.RecoveryS > 0:
		return "was bad for another " + seconds(*r.RecoveryS) + " when its cause was gone"
	case r.RecoveryS != nil:
		return "was well as soon as its cause was gone"
	case len(r.Series) > 0 && r.Series[len(r.Series)-1].Bad:
		return "is still bad"
	}
	return ""
}

// wait is what 99 of a hundred users had their request end within, as people say it, so that what sounds alike is no difference:
// the tables have more of it.
func wait(r *Report) string {
	ms := math.Round(1000 * r.Requests.LatencyS.P99)
	if ms >= 1000 {
		return seconds(ms / 1000)
	}
	return short(ms, 0) + " ms"
}
