package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// problem is the one line that every error here is: where, what, and what would be right.
func problem(path string, value any, right string) error {
	return fmt.Errorf("%s: %s: must be %s", path, show(value), right)
}

// join is the path of key below path. A key that would make it hard to read is quoted and cut.
func join(path, key string) string {
	if key == "" || len(key) > 2*maxName || strings.Trim(strings.ToLower(key), nameLetters) != "" {
		key = strconv.Quote(shorten(key))
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// readable is a path that somebody else made up, as errors show it: key by key as join does, and none deeper than there is.
func readable(path string) string {
	shown := ""
	for i, key := range strings.Split(path, ".") {
		if i > maxDepth {
			return shown + ".…"
		}
		shown = join(shown, key)
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
		return strconv.Quote(shorten(v))
	case Duration:
		return strconv.Quote(v.String())
	case numeral:
		return shorten(string(v))
	case float64:
		return shorten(plainNumber(v))
	case object:
		if len(v) == 0 {
			return "{}"
		}
		return "{…}"
	case []any:
		return "[…]"
	}
	return shorten(fmt.Sprintf("%v", value))
}

func shorten(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// oneOf lists the words that would have been right, of which there is at least one.
func oneOf(word string, known []string) string { return "one of " + Nearest(word, known) }

// oneAt is oneOf for the names that stand at a path of the scenario, of which there may be none.
func oneAt(path, name string, known []string) string {
	if len(known) == 0 {
		return fmt.Sprintf("one of %s; there is none yet: add %s", path, join(path, name))
	}
	return fmt.Sprintf("one of %s: %s", path, Nearest(name, known))
}

// Nearest lists known words, of which there is at least one: the one spelled most like word first and the others in their order.
func Nearest(word string, known []string) string {
	nearest := 0
	for i := range known {
		if distance(word, known[i]) < distance(word, known[nearest]) {
			nearest = i
		}
	}
	return strings.Join(slices.Concat(known[nearest:nearest+1], known[:nearest], known[nearest+1:]), ", ")
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
