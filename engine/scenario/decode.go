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
// error that names the path, the value and what would be right, and so is a text of more than 4 MiB, or one with more than
// 16 objects and lists in each other. If there are several they are told together, see [Problems], with what is out of
// range. That alone is no error: ranges are Validate's to check.
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
	var p problems
	if p.assign(reflect.ValueOf(&s).Elem(), top, ""); p.any() {
		checker{&p}.all(s)
		return Scenario{}, p.err()
	}
	return s, nil
}

// The kinds of single values. What would be right comes after it.
const (
	aNumber   = "a number, "
	aWhole    = "a whole number, "
	aString   = "a string in quotes, "
	aDuration = `a duration with a unit, like "20ms", of `
)

// unread adds a value that can't be read as what stands at path. Ranges tell what would be right.
func (p *problems) unread(path string, value any, kind string) {
	p.add(wrong{path: path, value: value, kind: kind, unread: true})
}

// unlike is unread for what has no range.
func (p *problems) unlike(path string, value any, right string) {
	p.add(wrong{path: path, value: value, right: right, unread: true})
}

// assign lays a tree over what dst holds already. For what it can't read it leaves there what is out of every range, so
// that whoever checks those finds it again.
func (p *problems) assign(dst reflect.Value, tree any, path string) {
	if d, ok := dst.Addr().Interface().(*Duration); ok {
		p.assignDuration(d, tree, path)
		return
	}
	switch dst.Kind() {
	case reflect.Struct:
		o, ok := tree.(json.Object)
		if !ok {
			p.unlike(path, tree, "an object, like {\""+fieldNames(dst.Type())[0]+"\": …}")
		}
		for _, m := range o {
			if p.enough() { // to say what a name might have been takes its time
				return
			}
			at := json.Join(path, m.Key)
			if f, err := field(dst, m.Key, at); err != nil {
				p.refuse(at, "%w", err)
			} else {
				p.assign(f, m.Value, at)
			}
		}
	case reflect.Map:
		o, ok := tree.(json.Object)
		if !ok {
			p.unlike(path, tree, "an object, like {\"name\": …}")
		}
		for _, m := range o {
			if m.Value == nil {
				dropEntry(dst, m.Key)
				continue
			}
			entry, _ := entryOf(dst, m.Key)
			p.assign(entry, m.Value, json.Join(path, m.Key))
			putEntry(dst, m.Key, entry)
		}
	case reflect.Slice:
		list, ok := tree.([]any)
		if !ok {
			like := "[{…}]"
			if dst.Type().Elem().Kind() == reflect.String {
				like = `["…"]`
			}
			p.unlike(path, tree, "a list, like "+like)
			return
		}
		dst.SetZero()
		for i, v := range list {
			entry := fresh(dst.Type().Elem())
			p.assign(entry, v, json.Join(path, strconv.Itoa(i)))
			dst.Set(reflect.Append(dst, entry))
		}
	case reflect.String:
		s, ok := tree.(string)
		if !ok {
			p.unread(path, tree, aString)
		}
		dst.SetString(s)
	case reflect.Bool:
		b, ok := tree.(bool)
		if !ok {
			p.unlike(path, tree, "true or false")
		}
		dst.SetBool(b)
	case reflect.Int:
		n, ok := whole(tree)
		if !ok || n > math.MaxInt32 {
			p.unread(path, tree, aWhole)
			dst.SetInt(-1)
			return
		}
		dst.SetInt(int64(n))
	case reflect.Uint64:
		n, ok := whole(tree)
		if !ok {
			p.unlike(path, tree, aWhole+"0 to 18446744073709551615")
		}
		dst.SetUint(n)
	case reflect.Float64:
		f, ok := number(tree)
		if !ok {
			p.unread(path, tree, aNumber)
			f = math.NaN()
		} else if f < 0 {
			p.unread(path, tree, "")
			f = math.NaN()
		}
		dst.SetFloat(math.Abs(f)) // −0 is 0
	case reflect.Interface:
		v := p.plain(tree, path)
		dst.SetZero()
		if v != nil {
			dst.Set(reflect.ValueOf(v))
		}
	default:
		panic("scenario: no way to read a " + dst.Type().String())
	}
}

func (p *problems) assignDuration(d *Duration, tree any, path string) {
	s, ok := tree.(string)
	t, err := time.ParseDuration(s)
	if !ok || err != nil {
		p.unread(path, tree, aDuration)
		t = -1
	} else if t < 0 {
		p.unread(path, tree, "")
	}
	*d = Duration(t)
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
func (p *problems) plain(tree any, path string) any {
	switch v := tree.(type) {
	case json.Number:
		f, ok := number(v)
		if !ok {
			p.unlike(path, tree, "a finite number")
		}
		return f
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = p.plain(v[i], json.Join(path, strconv.Itoa(i)))
		}
		return list
	case json.Object:
		m := make(map[string]any, len(v))
		for _, e := range v {
			m[e.Key] = p.plain(e.Value, json.Join(path, e.Key))
		}
		return m
	}
	return tree
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
