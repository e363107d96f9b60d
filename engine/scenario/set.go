package scenario

import (
	"errors"
	"fmt"
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
	tree, err := treeOf(reflect.ValueOf(value), readable(path))
	if err != nil {
		return err
	}
	return setTree(s, path, tree)
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
	return setTree(s, path, tree)
}

func setTree(s *Scenario, path string, tree any) error {
	if path == "" {
		return errors.New("the path is empty; must be like policy.calls.b.timeout")
	}
	if path == "id" {
		return fmt.Errorf("id: %s: cannot be set, as the defaults hang on it", show(tree))
	}
	changed := s.Clone()
	if err := set(reflect.ValueOf(&changed).Elem(), strings.Split(json.ToUTF8(path), "."), "", tree); err != nil {
		return err
	}
	*s = changed
	return nil
}

// set assigns to what the keys lead to from dst, which stands at path.
func set(dst reflect.Value, keys []string, path string, tree any) error {
	if len(keys) == 0 {
		return assign(dst, tree, path)
	}
	key, rest := keys[0], keys[1:]
	at := json.Join(path, key)
	switch dst.Kind() {
	case reflect.Struct:
		f, err := field(dst, key, at)
		if err != nil {
			return err
		}
		return set(f, rest, at, tree)
	case reflect.Map:
		if tree == nil && len(rest) == 0 {
			dropEntry(dst, key)
			return nil
		}
		entry, found := entryOf(dst, key)
		if !found && len(rest) > 0 {
			if dst.Len() == 0 {
				return fmt.Errorf("%s: no such name; %s has none yet", at, path)
			}
			return fmt.Errorf("%s: no such name; must be %s", at, oneOf(key, keysOf(dst)))
		}
		if err := set(entry, rest, at, tree); err != nil {
			return err
		}
		putEntry(dst, key, entry)
		return nil
	case reflect.Slice:
		i, err := strconv.ParseUint(key, 10, 31)
		if err != nil || int(i) >= dst.Len() {
			return fmt.Errorf("%s: no such entry; %s has %d, counted from 0", at, path, dst.Len())
		}
		return set(dst.Index(int(i)), rest, at, tree)
	}
	return fmt.Errorf("%s: no such field; %s is a single value", at, path)
}

func keysOf(m reflect.Value) []string {
	keys := make([]string, 0, m.Len())
	for _, k := range m.MapKeys() {
		keys = append(keys, k.String())
	}
	slices.Sort(keys)
	return keys
}
