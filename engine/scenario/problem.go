package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stormbin/engine/json"
)

// problem is the one line that every error here is: where, what, and what would be right.
func problem(path string, value any, right string) error {
	return fmt.Errorf("%s: %s: must be %s", path, show(value), right)
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
	if len(known) == 0 {
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
	for i := range known {
		if distance(word, known[i]) < distance(word, known[nearest]) {
			nearest = i
		}
	}
	list := slices.Concat(known[nearest:nearest+1], known[:nearest], known[nearest+1:])
	if len(list) <= mostKnown {
		return strings.Join(list, ", ")
	}
	slices.SortStableFunc(list, func(a, b string) int { return distance(word, a) - distance(word, b) })
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
