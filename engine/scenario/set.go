package scenario

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"stormbin/engine/json"
)

// Set changes what stands at a path, like policy.calls.b.timeout or faults.0.for, as if value stood there in JSON. The
// value may be a Go value of the field's type, or what its JSON would be in plain Go ("20ms", 4, []string{"error"}).
//
// A path goes through what is there; only its last part may name something new, with its whole value:
// operations.search, given an object, is a new operation. Given nil it is none: it is removed, if it was there. If there
// is an error, s is as it was. Ranges are Validate's to check.
func Set(s *Scenario, path string, value any) error {
	var p problems
	p.set(s, path, value)
	return p.err()
}

// SetText is Set with a value as people type it: JSON if it is JSON, a string if it isn't.
func SetText(s *Scenario, path, text string) error {
	tree, err := json.Parse(text, readable(path), limits)
	if errors.Is(err, json.ErrSyntax) {
		return Set(s, path, text)
	}
	if err != nil {
		return err
	}
	var p problems
	p.setTree(s, path, tree)
	return p.err()
}

// set is Set.
func (p *problems) set(s *Scenario, path string, value any) {
	tree, err := treeOf(reflect.ValueOf(value), readable(path))
	if err != nil {
		p.refuse(path, "%w", err)
		return
	}
	p.setTree(s, path, tree)
}

// setTree is set, of a tree. What it adds to p is of kinds, and none of it but that keeps it from changing s.
func (p *problems) setTree(s *Scenario, path string, tree any) {
	switch path {
	case "":
		p.refuse(path, "the path is empty; must be like policy.calls.b.timeout")
		return
	case "id":
		p.refuse(path, "id: %s: cannot be set, as the defaults hang on it", show(tree))
		return
	}
	changed := s.Clone()
	var found problems
	found.walk(reflect.ValueOf(&changed).Elem(), strings.Split(json.ToUTF8(path), "."), "", tree)
	if !found.any() {
		*s = changed
		return
	}
	kinds := len(found.list)
	checker{&found}.scenario(changed) // to know what would be right
	for _, w := range found.list[:kinds] {
		p.add(w)
	}
}

// walk assigns to what the keys lead to from dst, which stands at path.
func (p *problems) walk(dst reflect.Value, keys []string, path string, tree any) {
	if len(keys) == 0 {
		p.assign(dst, tree, path)
		return
	}
	key, rest := keys[0], keys[1:]
	at := json.Join(path, key)
	switch dst.Kind() {
	case reflect.Struct:
		if f, err := field(dst, key, at); err != nil {
			p.refuse(at, "%w", err)
		} else {
			p.walk(f, rest, at, tree)
		}
	case reflect.Map:
		if tree == nil && len(rest) == 0 {
			dropEntry(dst, key)
			return
		}
		entry, found := entryOf(dst, key)
		switch {
		case !found && len(rest) > 0 && dst.Len() == 0:
			p.refuse(at, "%s: no such name; %s has none yet", at, path)
		case !found && len(rest) > 0:
			p.refuse(at, "%s: no such name; must be %s", at, oneOf(key, keysOf(dst)))
		default:
			p.walk(entry, rest, at, tree)
			putEntry(dst, key, entry)
		}
	case reflect.Slice:
		i, err := strconv.ParseUint(key, 10, 31)
		if err != nil || int(i) >= dst.Len() {
			p.refuse(at, "%s: no such entry; %s has %d, counted from 0", at, path, dst.Len())
			return
		}
		p.walk(dst.Index(int(i)), rest, at, tree)
	default:
		p.refuse(at, "%s: no such field; %s is a single value", at, path)
	}
}

func keysOf(m reflect.Value) []string {
	keys := make([]string, 0, m.Len())
	for _, k := range m.MapKeys() {
		keys = append(keys, k.String())
	}
	slices.Sort(keys)
	return keys
}
