package scenario

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"stormbin/engine/json"
)

// problem is the one line that every error here is: where, what, and what would be right.
func problem(path string, value any, right string) error {
	return fmt.Errorf("%s: %s: must be %s", path, show(value), right)
}

// Problems is the error for what has several things wrong with it. It is one line as well, with a number before each.
type Problems struct {
	List []error // two to 8, each of one line
	More int     // how many were found besides; with 100 nothing more is looked for
}

const mostTold, mostFound = 8, 100

func (p *Problems) Error() string {
	var b strings.Builder
	for i, err := range p.List {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "(%d) %s", i+1, err)
	}
	if p.More > 0 {
		fmt.Fprintf(&b, "; and %d more", p.More)
	}
	return b.String()
}

func (p *Problems) Unwrap() []error { return p.List }

// Each is the single things that are wrong, each an error of one line: those of a [*Problems], or err itself. nil has none.
func Each(err error) []error {
	var several *Problems
	switch {
	case err == nil:
		return nil
	case errors.As(err, &several):
		return several.List
	}
	return []error{err}
}

// Join is one error for all that is wrong: nil if all are nil. What two of them say is said once.
func Join(errs ...error) error {
	var all []error
	said := map[string]bool{}
	more := 0
	for _, err := range errs {
		for _, one := range Each(err) {
			if !said[one.Error()] {
				said[one.Error()] = true
				all = append(all, one)
			}
		}
		if several := (*Problems)(nil); errors.As(err, &several) {
			more += several.More
		}
	}
	return joined(all, more)
}

// joined is the error for these and more others.
func joined(all []error, more int) error {
	switch {
	case len(all) == 0:
		return nil
	case len(all) == 1 && more == 0:
		return all[0]
	}
	told := min(len(all), mostTold)
	return &Problems{List: all[:told], More: more + len(all) - told}
}

// problems collects what is wrong: one thing for each path, and nothing of what would be in something that isn't there.
type problems struct {
	list []wrong
	at   map[string]int // of a path, the index in list
}

// wrong is one thing that is.
type wrong struct {
	path  string
	value any
	kind  string // what value must be before it can be right; empty: it is that
	right string // known as soon as ranges are checked
	// unread says that value is of no kind that could be read, and so is not in the scenario.
	unread bool
	err    error // in place of value and right
}

func (w wrong) error() error {
	switch {
	case w.err != nil:
		return w.err
	case w.kind != "" && w.right != "":
		return problem(w.path, w.value, w.kind+w.right)
	case w.kind != "":
		return problem(w.path, w.value, strings.TrimRight(w.kind, ", "))
	}
	return problem(w.path, w.value, w.right)
}

// any tells whether something is wrong, enough whether so much is that it needn't be known what else.
func (p *problems) any() bool    { return len(p.list) > 0 }
func (p *problems) enough() bool { return len(p.list) >= mostFound }

// add adds what is wrong. Of what could not be read, which has been added before, it says what would be right.
func (p *problems) add(w wrong) {
	if i, found := p.at[w.path]; found {
		if p.list[i].right == "" {
			p.list[i].right = w.right
		}
		return
	}
	for i := strings.LastIndexByte(w.path, '.'); i >= 0; i = strings.LastIndexByte(w.path[:i], '.') {
		if j, found := p.at[w.path[:i]]; found && p.list[j].unread {
			return
		}
	}
	if p.enough() {
		return
	}
	if p.at == nil {
		p.at = map[string]int{}
	}
	p.at[w.path] = len(p.list)
	p.list = append(p.list, w)
}

// refuse adds what says all there is to say.
func (p *problems) refuse(path string, format string, args ...any) {
	p.add(wrong{path: path, err: fmt.Errorf(format, args...)})
}

// err is one error for all; nil for none.
func (p *problems) err() error {
	var told []error
	for _, w := range p.list[:min(len(p.list), mostTold)] {
		told = append(told, w.error())
	}
	return joined(told, len(p.list)-len(told))
}

// readable is a path that somebody else made up, as errors show it: key by key as join does, and none deeper than there is.
func readable(path string) string {
	shown := ""
	for i, key := range strings.Split(path, ".") {
		if i > limits.Depth {
			return shown + ".…"
		}
		shown = json.Join(shown, key)
	}
	return shown
}

// note is a value told in words, not quoted.
type note string

// show writes a value briefly, on one line.
func show(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(json.Shorten(v))
	case Duration:
		return strconv.Quote(v.String())
	case json.Number:
		return json.Shorten(string(v))
	case float64:
		return json.Shorten(plainNumber(v))
	case json.Object:
		if len(v) == 0 {
			return "{}"
		}
		return "{…}"
	case []any:
		return "[…]"
	}
	return json.Shorten(fmt.Sprintf("%v", value))
}

// oneOf lists the words that would have been right, of which there is at least one.
func oneOf(word string, known []string) string { return "one of " + Nearest(word, known) }

// oneAt is oneOf for the names that stand at a path of the scenario, of which there may be none.
func oneAt(path, name string, known []string) string {
	switch {
	case len(known) == 0 && name == "":
		return fmt.Sprintf("one of %s; there is none yet", path)
	case len(known) == 0:
		return fmt.Sprintf("one of %s; there is none yet: add %s", path, json.Join(path, name))
	}
	return fmt.Sprintf("one of %s: %s", path, Nearest(name, known))
}

// mostKnown is how many words there may be for a line to have room for all; of more it names the fewKnown that are nearest.
const mostKnown, fewKnown = 30, 10

// Nearest lists known words, of which there is at least one: the one spelled most like word first and the others in their
// order; or of very many a few that are like it.
func Nearest(word string, known []string) string {
	nearest := 0
	word = word[:min(len(word), 100)] // one that long is like none
	for i := range known {
		if distance(word, known[i]) < distance(word, known[nearest]) {
			nearest = i
		}
	}
	list := slices.Concat(known[nearest:nearest+1], known[:nearest], known[nearest+1:])
	if len(list) <= mostKnown {
		return strings.Join(list, ", ")
	}
	sort.SliceStable(list, func(i, j int) bool { return distance(word, list[i]) < distance(word, list[j]) })
	return fmt.Sprintf("%s or %d more", strings.Join(list[:fewKnown], ", "), len(list)-fewKnown)
}

// distance is how many letters must be changed, added or left out to get from a to b (Levenshtein's).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
