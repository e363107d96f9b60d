package imports

import (
	"fmt"

	"stormbin/engine/scenario"
)

// document is one that is being read.
type document struct {
	top   *node
	found []Found
	err   error // the first
}

// fail says that n can't be, and what it must be.
func (d *document) fail(n *node, must string) {
	if d.err == nil {
		d.err = fmt.Errorf("%s: %s: must be %s", top(n.path), n.shown(), must)
	}
}

// search reads all policies from n down.
func (d *document) search(n *node) {
	if d.err != nil {
		return
	}
	if n.object {
		for _, f := range formats {
			if f.is(n) {
				f.read(n, d)
				return
			}
		}
	}
	for _, e := range n.entries {
		d.search(e)
	}
}

// reading is a policy that is being read. It keeps account of which values it has spoken of.
type reading struct {
	*document
	Found
	told map[*node]bool
}

func (d *document) reading(kind, name string, at *node) *reading {
	return &reading{document: d, Found: Found{Kind: kind, Name: name, Path: at.path}, told: map[*node]bool{}}
}

// set says what n comes to here. A nil n is a setting that was left out.
func (r *reading) set(n *node, to string, value any, note, source string) {
	s := Setting{To: to, Value: value, Note: note, Source: source}
	if n != nil {
		s.From = n.path
		r.tell(n)
	}
	if d, ok := value.(scenario.Duration); ok {
		if d > longest {
			d = longest
			s.Note = join(s.Note, "no time in a scenario is longer than 4h")
		}
		s.Value = d.String()
	}
	r.Set = append(r.Set, s)
}

// leave says why n has no place here. A nil n was not written.
func (r *reading) leave(n *node, why string) {
	if n != nil {
		r.Left = append(r.Left, Left{n.path, why})
		r.tell(n)
	}
}

func (r *reading) tell(n *node) { n.leaves(func(leaf *node) { r.told[leaf] = true }) }

// rest leaves what in n has not been spoken of.
func (r *reading) rest(n *node) {
	n.leaves(func(leaf *node) {
		switch {
		case r.told[leaf]:
		case leaf.value == nil && !leaf.object && !leaf.list:
			r.leave(leaf, "null is as if it were left out")
		default:
			r.leave(leaf, "this says nothing about timeouts and retries that is known here")
		}
	})
}

// done ends the reading.
func (r *reading) done() { r.found = append(r.found, r.Found) }

// attempts says how many there are in all, where n holds them or what they are counted from.
func (r *reading) attempts(n *node, count int, note, source string) {
	const most = 100
	if count > most {
		count, note = most, join(note, "a scenario has a hundred attempts at the most")
	}
	r.set(n, "call.attempts", count, note, source)
}

// backoff says how long it waits before a retry: base, times times as long with each, up to most.
func (r *reading) backoff(base, most *node, first, limit scenario.Duration, source string) {
	r.set(base, "call.backoff.base", first, left(base, "waits begin with "+first.String()), source)
	r.set(most, "call.backoff.max", limit, left(most, "they go up to "+limit.String()), source)
}

// left is a note for what may have been left out.
func left(n *node, note string) string {
	if n == nil {
		return "left out: " + note
	}
	return ""
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// words is those of all that are in the set, in the order in which scenarios have them.
func words(set map[string]bool) []string {
	list := []string{}
	for _, w := range []string{"timeout", "error", "refused", "lost", "shed"} {
		if set[w] {
			list = append(list, w)
		}
	}
	return list
}
