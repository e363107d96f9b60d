package scenario

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"

	"stormbin/engine/json"
)

// Full is the scenario as indented JSON with every field, in the order of the types here, names sorted. [Parse] reads it
// back; for that, what a built-in of its id has and it has not is null. The error is for values that JSON can't hold, which
// no valid scenario has.
func (s Scenario) Full() ([]byte, error) {
	tree, err := treeOf(reflect.ValueOf(s), "")
	if err != nil {
		return nil, err
	}
	if builtIn, ok := Find(s.ID); ok {
		tree = withNulls(tree, mustTree(reflect.ValueOf(builtIn)))
	}
	return append(json.Append(nil, tree, "\n"), '\n'), nil
}

// Short is Full without what [Parse] would fill in anyway.
func (s Scenario) Short() ([]byte, error) {
	tree, err := treeOf(reflect.ValueOf(s), "")
	if err != nil {
		return nil, err
	}
	plain := blank()
	plain.Version = 0 // a file should say what it is
	defaults := []any{mustTree(reflect.ValueOf(plain))}
	// A field may only go if a built-in of this id agrees, since its values come first.
	if builtIn, ok := Find(s.ID); ok {
		if t := mustTree(reflect.ValueOf(builtIn)); !json.Equal(tree, t) {
			defaults = append(defaults, t)
			tree = withNulls(tree, t)
		}
	}
	return append(json.Append(nil, prune(tree, reflect.TypeOf(s), defaults), "\n"), '\n'), nil
}

// treeOf is v, which stands at path, as a tree.
func treeOf(v reflect.Value, path string) (any, error) {
	if !v.IsValid() { // what a nil leads to
		return nil, nil
	}
	switch d := v.Interface().(type) {
	case time.Duration:
		return d.String(), nil
	case Duration:
		return d.String(), nil
	}
	switch k := v.Kind(); {
	case k == reflect.Struct && v.Type().PkgPath() == reflect.TypeFor[Scenario]().PkgPath():
		o := json.Object{}
		for i, name := range fieldNames(v.Type()) {
			value, err := treeOf(v.Field(i), json.Join(path, name))
			if err != nil {
				return nil, err
			}
			o = append(o, json.Member{Key: name, Value: value})
		}
		return o, nil
	case k == reflect.Map:
		values := map[string]reflect.Value{}
		for _, key := range v.MapKeys() {
			values[json.ToUTF8(fmt.Sprint(key))] = v.MapIndex(key)
		}
		o := json.Object{}
		for _, name := range Names(values) {
			value, err := treeOf(values[name], json.Join(path, name))
			if err != nil {
				return nil, err
			}
			o = append(o, json.Member{Key: name, Value: value})
		}
		return o, nil
	case k == reflect.Slice:
		list := []any{}
		for i := range v.Len() {
			value, err := treeOf(v.Index(i), json.Join(path, strconv.Itoa(i)))
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case k == reflect.Interface || k == reflect.Pointer:
		return treeOf(v.Elem(), path)
	case k == reflect.String:
		return json.ToUTF8(v.String()), nil
	case k == reflect.Bool:
		return v.Bool(), nil
	case v.CanInt():
		return json.Number(strconv.FormatInt(v.Int(), 10)), nil
	case v.CanUint():
		return json.Number(strconv.FormatUint(v.Uint(), 10)), nil
	case v.CanFloat() && math.Abs(v.Float()) <= math.MaxFloat64: // NaN isn't
		return json.NumberOf(v.Float(), v.Type().Bits()), nil
	}
	return nil, problem(path, v.Interface(), "a value that JSON can hold")
}

// mustTree is treeOf for our own defaults.
func mustTree(v reflect.Value) any {
	tree, err := treeOf(v, "")
	if err != nil {
		panic(err)
	}
	return tree
}

// withNulls is an object with a null for each name that the built-in has and it has not, all through. The names of a
// struct are in both.
func withNulls(tree, builtIn any) any {
	o, ok := tree.(json.Object)
	had, both := builtIn.(json.Object)
	if !ok || !both {
		return tree
	}
	for _, b := range had {
		i := slices.IndexFunc(o, func(m json.Member) bool { return m.Key == b.Key })
		if i >= 0 {
			o[i].Value = withNulls(o[i].Value, b.Value)
			continue
		}
		after := 0
		for after < len(o) && o[after].Key < b.Key {
			after++
		}
		o = slices.Insert(o, after, json.Member{Key: b.Key})
	}
	return o
}

// prune leaves out the fields that equal those of all the defaults, which are trees of the same type t, at least one.
func prune(tree any, t reflect.Type, defaults []any) any {
	switch t.Kind() {
	case reflect.Struct:
		kept := json.Object{}
		for i, m := range tree.(json.Object) {
			var of []any
			for _, d := range defaults {
				of = append(of, d.(json.Object)[i].Value)
			}
			if slices.ContainsFunc(of, func(d any) bool { return !json.Equal(m.Value, d) }) {
				kept = append(kept, json.Member{Key: m.Key, Value: prune(m.Value, t.Field(i).Type, of)})
			}
		}
		return kept
	case reflect.Map:
		for i, m := range tree.(json.Object) {
			if m.Value == nil {
				continue
			}
			of := []any{mustTree(fresh(t.Elem()))}
			for _, d := range defaults {
				for _, other := range d.(json.Object) {
					if other.Key == m.Key {
						of = append(of, other.Value)
					}
				}
			}
			tree.(json.Object)[i].Value = prune(m.Value, t.Elem(), of)
		}
	case reflect.Slice:
		for i, e := range tree.([]any) {
			tree.([]any)[i] = prune(e, t.Elem(), []any{mustTree(fresh(t.Elem()))})
		}
	}
	return tree
}
