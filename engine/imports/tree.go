package imports

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"stormbin/engine/json"
)

// A document has no more values and policies than these, and no value that is in more objects and lists. An alias in YAML
// is counted each time that it is used, so that a few lines can't stand for millions.
const (
	mostValues = 200_000
	deepest    = 64
	mostFound  = 1000 // policies
)

// node is a value in a document, and where it stands.
type node struct {
	path string
	key  string // as it was written; an index in a list
	name string // the key as [plain] has it
	// value is a string, float64, bool or nil. It is nil for what has entries.
	value   any
	object  bool
	list    bool
	entries []*node // of an object by key, sorted
}

func nodeOf(tree any) (*node, error) {
	left := mostValues
	return build(tree, "", "", 0, &left)
}

func build(tree any, path, key string, depth int, left *int) (*node, error) {
	if *left--; *left < 0 {
		return nil, fmt.Errorf("%s: too much: must be at most %d values in all", top(path), mostValues)
	}
	if depth > deepest {
		return nil, fmt.Errorf("%s: too deep: must be in at most %d objects and lists", json.Shorten(path), deepest)
	}
	n := &node{path: path, key: key, name: plain(key)}
	add := func(key string, value any) error {
		at := json.Join(path, key)
		child, err := build(value, at, key, depth+1, left)
		n.entries = append(n.entries, child)
		return err
	}
	switch v := tree.(type) {
	case map[string]any:
		n.object = true
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if err := add(key, v[key]); err != nil {
				return nil, err
			}
		}
	case json.Object:
		n.object = true
		for _, m := range v {
			if err := add(m.Key, m.Value); err != nil {
				return nil, err
			}
		}
	case []any:
		n.list = true
		for i, e := range v {
			if err := add(strconv.Itoa(i), e); err != nil {
				return nil, err
			}
		}
	default:
		var ok bool
		if n.value, ok = scalar(tree); !ok {
			return nil, fmt.Errorf("%s: a Go %T: must be an object, a list, a string, a number, true, false or null", top(path), tree)
		}
	}
	return n, nil
}

// top is a path that is never empty.
func top(path string) string {
	if path == "" {
		return "the document"
	}
	return path
}

// scalar is a single value as nodes have it.
func scalar(v any) (any, bool) {
	switch v := v.(type) {
	case nil, string, bool, float64:
		return v, true
	case float32:
		return float64(v), true
	case int:
		return float64(v), true
	case int8:
		return float64(v), true
	case int16:
		return float64(v), true
	case int32:
		return float64(v), true
	case int64:
		return float64(v), true
	case uint:
		return float64(v), true
	case uint8:
		return float64(v), true
	case uint16:
		return float64(v), true
	case uint32:
		return float64(v), true
	case uint64:
		return float64(v), true
	case json.Number:
		f, _ := strconv.ParseFloat(string(v), 64) // what is too large is infinite, and refused where it stands
		return f, true
	}
	return nil, false
}

// plain is a name without what tells its spellings apart: num_retries, numRetries and num-retries are one setting.
func plain(name string) string { return strings.ToLower(separators.Replace(name)) }

var separators = strings.NewReplacer("_", "", "-", "")

// at is the value below n that these names, written likeThis, lead to, in any of their spellings. nil if there is none, or
// null.
func (n *node) at(names ...string) *node {
	for _, name := range names {
		if n = n.entry(name); n == nil {
			return nil
		}
	}
	return n
}

func (n *node) entry(name string) *node {
	if n == nil || !n.object {
		return nil
	}
	for _, e := range n.entries {
		if strings.EqualFold(e.name, name) && !e.null() {
			return e
		}
	}
	return nil
}

// first is the first of these entries of n that is there.
func (n *node) first(names ...string) *node {
	for _, name := range names {
		if at := n.entry(name); at != nil {
			return at
		}
	}
	return nil
}

// items is what stands in the list below n that these names lead to.
func (n *node) items(names ...string) []*node {
	if n = n.at(names...); n == nil || !n.list {
		return nil
	}
	return n.entries
}

// text is the string that stands below n, or the number, since YAML takes 503 for one. Empty if there is none.
func (n *node) text(names ...string) string {
	if n = n.at(names...); n == nil {
		return ""
	}
	if v, ok := n.value.(float64); ok {
		return figure(v)
	}
	s, _ := n.value.(string)
	return s
}

// leaves calls f for each single value in n; an empty object or list is one.
func (n *node) leaves(f func(*node)) {
	if len(n.entries) == 0 {
		f(n)
	}
	for _, e := range n.entries {
		e.leaves(f)
	}
}

// shown is n as errors have it.
func (n *node) shown() string {
	switch v := n.value.(type) {
	case string:
		return strconv.Quote(json.Shorten(v))
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	switch {
	case n.object:
		return "{…}"
	case n.list:
		return "[…]"
	}
	return "null"
}

// orValue is what stands in n as its value, as percentages are written, or n itself.
func (n *node) orValue() *node {
	if at := n.at("value"); at != nil {
		return at
	}
	return n
}

// null tells whether n is written, but as null.
func (n *node) null() bool { return n.value == nil && !n.object && !n.list }

// each calls f for n and all that is in it.
func (n *node) each(f func(*node)) {
	f(n)
	for _, e := range n.entries {
		e.each(f)
	}
}
