package imports

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"stormbin/engine/json"
	"stormbin/engine/scenario"
)

// document is one that is being read.
type document struct {
	found    []Found
	clusters map[string]bool // of Envoy, for which the document says itself what bounds them
	err      error           // the first
}

func newDocument(top *node) *document {
	d := &document{clusters: map[string]bool{}}
	top.each(func(n *node) {
		if isEnvoyCluster(n) {
			d.clusters[n.text("name")] = true
		}
	})
	return d
}

// fail says that n can't be, and what it must be.
func (d *document) fail(n *node, must string) {
	if d.err == nil {
		d.err = fmt.Errorf("%s: %s: must be %s", top(n.path), n.shown(), must)
	}
}

// search reads all policies from n down. What is in one format is in no other.
func (d *document) search(n *node) {
	before := len(d.found)
	for _, f := range formats {
		if n.object && f.is(n) {
			if f.read(n, d); len(d.found) > before {
				return
			}
		}
	}
	for _, e := range n.entries {
		d.search(e)
	}
}

// reading is a policy that is being read. It keeps account of which single values it has spoken of.
type reading struct {
	*document
	Found
	told map[*node]bool
}

func (d *document) reading(kind, name string, at *node) *reading {
	return &reading{document: d, Found: Found{Kind: kind, Name: oneLine(name), Path: at.path}, told: map[*node]bool{}}
}

// places is where settings are put, in the order in which to show them.
var places = []string{"call.timeout", "call.attempts", "call.retry_on", "call.backoff", "call.jitter", "call.hedge", "cap", "queue", "policy.budget", "policy.breaker", "calls", "fault"}

// done ends the reading.
func (r *reading) done() {
	place := func(s Setting) int {
		return slices.IndexFunc(places, func(p string) bool { return strings.HasPrefix(s.To, p) })
	}
	slices.SortStableFunc(r.Set, func(a, b Setting) int { return place(a) - place(b) })
	if r.found = append(r.found, r.Found); len(r.found) > mostFound && r.err == nil {
		r.err = fmt.Errorf("%s: too many policies: must be at most %d", top(r.Path), mostFound)
	}
}

// oneLine is text that somebody else wrote, as it fits into a line.
func oneLine(text string) string {
	return json.Shorten(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " "))
}

// why is how a value is known: where it was written, or whose it is if it wasn't.
type why struct {
	at           *node // nil: it was left out
	there        bool  // it is known by being there, and what stands in it is spoken of by itself
	note, source string
}

// written is why of what stands at n.
func written(n *node) why { return why{at: n} }

// there is why of what is known from n being there at all.
func there(n *node) why { return why{at: n, there: true} }

// assumed is why of what isn't written anywhere.
func assumed(note, source string) why { return why{note: note, source: source} }

// orElse is written, or, if n was left out, whose default it is.
func orElse(n *node, note, source string) why {
	if n != nil {
		return written(n)
	}
	return assumed(note, source)
}

// saying is w with one more thing to say, which was read there.
func (w why) saying(note, source string) why {
	if w.note != "" && note != "" {
		note = "; " + note
	}
	w.note += note
	if source != "" {
		w.source = source
	}
	return w
}

// set is a setting that has a place here.
func (r *reading) set(to string, value any, w why) {
	s := Setting{To: to, Value: value}
	switch v := value.(type) {
	case scenario.Duration:
		if v > longest {
			v, w = longest, w.saying("no time in a scenario is longer than "+longest.String(), "")
		}
		s.Value = v.String()
	case int:
		if to == "call.attempts" && v > mostAttempts {
			s.Value, w = mostAttempts, w.saying("a scenario has a hundred attempts at the most", "")
		}
	}
	if w.at != nil {
		s.From = w.at.path
		if !w.there || len(w.at.entries) == 0 {
			r.tell(w.at)
		}
	}
	s.Note, s.Source = w.note, w.source
	r.Set = append(r.Set, s)
}

// leave says why n, if it was written, has no place here.
func (r *reading) leave(n *node, why string) {
	if n != nil {
		r.Left = append(r.Left, Left{n.path, why})
		r.tell(n)
	}
}

// leaveAll is leave for each of those entries of n.
func (r *reading) leaveAll(n *node, why string, names ...string) {
	for _, name := range names {
		r.leave(n.at(name), why)
	}
}

func (r *reading) tell(n *node) { n.leaves(func(leaf *node) { r.told[leaf] = true }) }

// rest leaves what in n has not been spoken of, each object and list as a whole if none of it has.
func (r *reading) rest(n *node) {
	r.leaveRest(n, "nothing about timeouts or retries that is known here")
}

func (r *reading) leaveRest(n *node, why string) {
	if n == nil {
		return
	}
	all, none := true, true
	n.leaves(func(leaf *node) { all, none = all && r.told[leaf], none && !r.told[leaf] })
	switch {
	case all:
	case !none || n.path == r.Path && len(n.entries) > 0:
		for _, e := range n.entries {
			r.leaveRest(e, why)
		}
	case n.null():
		r.leave(n, "null is as if it were left out")
	default:
		r.leave(n, why)
	}
}

// together is attempts that may have a time together, and each one of its own. 0: none. The zero limitWhy is that nothing is
// known of the first.
type together struct {
	limit    scenario.Duration
	limitWhy why
	each     scenario.Duration
	eachWhy  why
	attempts int
	countWhy why
	retried  bool // an attempt that is over its time is
}

// together sets how long an attempt is waited for and how many there are, and tells how many.
//
// Here nothing bounds them together. So there are as many as begin in the time for all, if each takes the whole of its own
// and that is retried; and if none has its own, each has the time for all.
func (r *reading) together(t together) (attempts int) {
	attempts = t.attempts
	const all = "the time for all attempts; "
	switch {
	case t.each == 0 && t.limit > 0 && attempts > 1:
		note := all + "here each attempt has that long"
		if !t.retried {
			note += ", and one that times out is the last"
		}
		r.set("call.timeout", t.limit, t.limitWhy.saying(note, ""))
	case t.each == 0 && t.limitWhy == (why{}):
		r.set("call.timeout", t.each, t.eachWhy)
	case t.each == 0:
		r.set("call.timeout", t.limit, t.limitWhy)
	case t.limit == 0:
		r.set("call.timeout", t.each, t.eachWhy)
		if t.limitWhy != (why{}) {
			r.set("call.timeout", t.each, t.limitWhy.saying("nothing bounds all attempts together", ""))
		}
	default:
		r.set("call.timeout", t.each, t.eachWhy)
		if begin := int((t.limit + t.each - 1) / t.each); t.retried && attempts > begin {
			attempts, t.countWhy = begin, t.countWhy.saying(fmt.Sprintf("that many attempts of %s begin in the %s for all", t.each, t.limit), "")
		}
		r.set("call.attempts", attempts, t.limitWhy.saying(all+"here it bounds how many begin, and does not cut the last one short", ""))
	}
	r.set("call.attempts", attempts, t.countWhy)
	return attempts
}

// growth says how waits grow.
func (r *reading) growth(by float64, w why) {
	kind := "exponential"
	switch {
	case by < 1:
		kind, w = "constant", w.saying("waits shrink; here they stay as they are", "")
	case by == 1:
		kind = "constant"
	case by != 2:
		w = w.saying("each wait is "+figure(by)+" times the one before; here it is twice as long", "")
	}
	r.set("call.backoff.kind", kind, w)
}

// outcomes is a set of the words for what an attempt may come to.
type outcomes map[string]bool

func (o outcomes) add(words ...string) {
	for _, w := range words {
		o[w] = true
	}
}

// words is those in the set, in the order in which scenarios have them.
func (o outcomes) words() []string {
	list := []string{}
	for _, w := range whatever() {
		if o[w] {
			list = append(list, w)
		}
	}
	return list
}

// whatever is all of them.
func whatever() []string { return []string{"timeout", "error", "refused", "lost", "shed"} }
