package scenario

import (
	"reflect"
	"slices"

	"stormbin/engine/json"
)

// Diff is the fewest changes that, Set one after the other on from, make to of it: a path for each value that differs, in
// the order of the types here, names sorted. Lists are one value; so is an entry of a map that one of them hasn't got, nil
// where it is to that hasn't. The version and the id are never among them. Half-way the scenario need not be valid.
//
// Values are what Set takes, in plain Go, as if read from JSON; only the seed, which a float64 can't hold, is a uint64.
// Both scenarios are valid, or at least of values that JSON can hold. At is 0 in all.
func Diff(from, to Scenario) []Change {
	to.Version, to.ID = from.Version, from.ID
	return diff(nil, "", reflect.ValueOf(from), reflect.ValueOf(to))
}

// diff adds to changes what makes to of from, which stand at path.
func diff(changes []Change, path string, from, to reflect.Value) []Change {
	switch from.Kind() {
	case reflect.Struct:
		for i, name := range fieldNames(from.Type()) {
			changes = diff(changes, json.Join(path, name), from.Field(i), to.Field(i))
		}
		return changes
	case reflect.Map:
		names := append(keysOf(from), keysOf(to)...)
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			key, at := reflect.ValueOf(name), json.Join(path, name)
			was, is := from.MapIndex(key), to.MapIndex(key)
			switch {
			case !is.IsValid():
				changes = append(changes, Change{Path: at})
			case !was.IsValid():
				changes = append(changes, Change{Path: at, Value: plainOf(is, at)})
			default:
				changes = diff(changes, at, was, is)
			}
		}
		return changes
	}
	if json.Equal(mustTree(from), mustTree(to)) {
		return changes
	}
	return append(changes, Change{Path: path, Value: plainOf(to, path)})
}

// plainOf is v as JSON would be read.
func plainOf(v reflect.Value, path string) any {
	if v.CanUint() {
		return v.Uint()
	}
	return new(problems).plain(mustTree(v), path) // what a tree of ours has is all finite
}
