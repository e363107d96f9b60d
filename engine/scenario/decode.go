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

// limits are far beyond any scenario: a few times what the longest session of changes takes, and no field is in more than
// six objects and lists.
var limits = json.Limits{Bytes: 4 << 20, Depth: 16}

// Parse reads a scenario from JSON. If its id is that of a built-in, whatever it leaves out is as there: objects are
// merged key by key, lists are taken whole, and an operation, cap, dependency, call or job that is null is left out. If
// not, it has the plain defaults.
//
// It is strict. An unknown field, a value of the wrong kind, a duration without its unit, a key given twice: each is an
// error that names the path, the value and what would be right. So is a text of more than 4 MiB, or one with more than 16
// objects and lists in each other. Ranges are Validate's to check.
func Parse(data []byte) (Scenario, error) {
	tree, err := json.Parse(string(data), "", limits)
	if err != nil {
		return Scenario{}, err
	}
	top, ok := tree.(json.Object)
	if !ok {
		return Scenario{}, fmt.Errorf("%s: a scenario must be an object, like {\"id\": \"two-service\"}", show(tree))
	}
	s := blank()
	for _, m := range top {
		if id, ok := m.Value.(string); ok && m.Key == "id" {
			if builtIn, ok := Find(id); ok {
				s = builtIn
			}
		}
	}
	if err := assign(reflect.ValueOf(&s).Elem(), top, ""); err != nil {
		return Scenario{}, err
	}
	return s, nil
}

// assign lays a tree over what dst holds already. dst may be half changed when there is an error.
func assign(dst reflect.Value, tree any, path string) error {
	if d, ok := dst.Addr().Interface().(*Duration); ok {
		return assignDuration(d, tree, path)
	}
	switch dst.Kind() {
	case reflect.Struct:
		o, ok := tree.(json.Object)
		if !ok {
			return problem(path, tree, "an object, like {\""+fieldNames(dst.Type())[0]+"\": …}")
		}
		for _, m := range o {
			at := json.Join(path, m.Key)
			f, err := field(dst, m.Key, at)
			if err != nil {
				return err
			}
			if err := assign(f, m.Value, at); err != nil {
				return err
			}
		}
	case reflect.Map:
		o, ok := tree.(json.Object)
		if !ok {
			return problem(path, tree, "an object, like {\"name\": …}")
		}
		for _, m := range o {
			if m.Value == nil {
				dropEntry(dst, m.Key)
				continue
			}
			entry, _ := entryOf(dst, m.Key)
			if err := assign(entry, m.Value, json.Join(path, m.Key)); err != nil {
				return err
			}
			putEntry(dst, m.Key, entry)
		}
	case reflect.Slice:
		list, ok := tree.([]any)
		if !ok {
			like := "[{…}]"
			if dst.Type().Elem().Kind() == reflect.String {
				like = `["…"]`
			}
			return problem(path, tree, "a list, like "+like)
		}
		dst.SetZero()
		for i, v := range list {
			entry := fresh(dst.Type().Elem())
			if err := assign(entry, v, json.Join(path, strconv.Itoa(i))); err != nil {
				return err
			}
			dst.Set(reflect.Append(dst, entry))
		}
	case reflect.String:
		s, ok := tree.(string)
		if !ok {
			return problem(path, tree, "a string, like \"…\" in quotes")
		}
		dst.SetString(s)
	case reflect.Bool:
		b, ok := tree.(bool)
		if !ok {
			return problem(path, tree, "true or false")
		}
		dst.SetBool(b)
	case reflect.Int:
		n, ok := whole(tree)
		if !ok || n > math.MaxInt32 {
			return problem(path, tree, "a whole number, 0 to 2147483647")
		}
		dst.SetInt(int64(n))
	case reflect.Uint64:
		n, ok := whole(tree)
		if !ok {
			return problem(path, tree, "a whole number, 0 to 18446744073709551615")
		}
		dst.SetUint(n)
	case reflect.Float64:
		f, ok := number(tree)
		if !ok || f < 0 {
			return problem(path, tree, "a finite number, 0 or more")
		}
		dst.SetFloat(math.Abs(f)) // −0 is 0
	case reflect.Interface:
		v, err := plain(tree, path)
		if err != nil {
			return err
		}
		dst.SetZero()
		if v != nil {
			dst.Set(reflect.ValueOf(v))
		}
	default:
		panic("scenario: no way to read a " + dst.Type().String())
	}
	return nil
}

func assignDuration(d *Duration, tree any, path string) error {
	s, ok := tree.(string)
	t, err := time.ParseDuration(s)
	if !ok || err != nil {
		return problem(path, tree, "a duration with a unit, like \"20ms\"")
	}
	if t < 0 {
		return problem(path, tree, "0s or more")
	}
	*d = Duration(t)
	return nil
}

// number is the finite number that a tree is, if it is one.
func number(tree any) (float64, bool) {
	n, ok := tree.(json.Number)
	f, err := strconv.ParseFloat(string(n), 64)
	return f, ok && err == nil
}

// whole is the whole number that a tree is, if it is one: 8, 8.0 and 8e0 are the same.
func whole(tree any) (uint64, bool) {
	n, ok := tree.(json.Number)
	if u, err := strconv.ParseUint(string(n), 10, 64); ok && err == nil {
		return u, true
	}
	f, ok := number(tree)
	const exact = 1 << 53
	return uint64(math.Abs(f)), ok && f >= 0 && f <= exact && f == math.Trunc(f)
}

// plain is a tree in ordinary Go values: string, bool, float64, []any, map[string]any, nil.
func plain(tree any, path string) (any, error) {
	switch v := tree.(type) {
	case json.Number:
		f, ok := number(v)
		if !ok {
			return nil, problem(path, tree, "a finite number")
		}
		return f, nil
	case []any:
		list := make([]any, len(v))
		for i := range v {
			var err error
			if list[i], err = plain(v[i], json.Join(path, strconv.Itoa(i))); err != nil {
				return nil, err
			}
		}
		return list, nil
	case json.Object:
		m := make(map[string]any, len(v))
		for _, e := range v {
			var err error
			if m[e.Key], err = plain(e.Value, json.Join(path, e.Key)); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	return tree, nil
}

// field is the field of a struct that has this name in JSON.
func field(v reflect.Value, name, path string) (reflect.Value, error) {
	names := fieldNames(v.Type())
	i := slices.Index(names, name)
	if i < 0 {
		return v, fmt.Errorf("%s: no such field; must be %s", path, oneOf(name, names))
	}
	return v.Field(i), nil
}

func fieldNames(t reflect.Type) []string {
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = t.Field(i).Tag.Get("json")
	}
	return names
}

// entryOf is a copy of a map's entry; of the defaults if there is none.
func entryOf(m reflect.Value, key string) (entry reflect.Value, found bool) {
	entry = fresh(m.Type().Elem())
	old := m.MapIndex(reflect.ValueOf(key))
	if old.IsValid() {
		entry.Set(old)
	}
	return entry, old.IsValid()
}

func putEntry(m reflect.Value, key string, entry reflect.Value) {
	if m.IsNil() {
		m.Set(reflect.MakeMap(m.Type()))
	}
	m.SetMapIndex(reflect.ValueOf(key), entry)
}

// dropEntry leaves a map without that entry, which need not be there.
func dropEntry(m reflect.Value, key string) {
	if !m.IsNil() {
		m.SetMapIndex(reflect.ValueOf(key), reflect.Value{})
	}
}

// fresh is a new value with its defaults.
func fresh(t reflect.Type) reflect.Value {
	p := reflect.New(t)
	switch v := p.Interface().(type) {
	case *Operation:
		*v = newOperation()
	case *Dependency:
		*v = newDependency()
	case *Call:
		*v = newCall()
	case *Layer:
		*v = newLayer()
	case *Point:
		*v = newPoint()
	case *Job:
		*v = newJob()
	case *Fault:
		*v = newFault()
	}
	return p.Elem()
}
