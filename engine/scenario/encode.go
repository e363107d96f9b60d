package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// Full is the scenario as indented JSON with every field, in the order of the types here, names sorted. [Parse] reads it
// back. The error is for values that JSON can't hold, which no valid scenario has.
func (s Scenario) Full() ([]byte, error) { return s.encode() }

// Short is Full without what [Parse] would fill in anyway.
func (s Scenario) Short() ([]byte, error) {
	plain := blank()
	plain.Version = 0 // a file should say what it is
	defaults := []reflect.Value{reflect.ValueOf(plain)}
	// A field may only go if a built-in of this id agrees, since its values come first.
	if builtIn, ok := Find(s.ID); ok && !reflect.DeepEqual(s, builtIn) {
		defaults = append(defaults, reflect.ValueOf(builtIn))
	}
	return s.encode(defaults...)
}

func (s Scenario) encode(defaults ...reflect.Value) ([]byte, error) {
	var b, indented bytes.Buffer
	if err := encode(&b, reflect.ValueOf(s), defaults...); err != nil {
		return nil, err
	}
	if err := json.Indent(&indented, b.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	indented.WriteByte('\n')
	return indented.Bytes(), nil
}

// encode writes v as JSON. Fields that equal those of all the defaults are left out; with no defaults, none are.
func encode(b *bytes.Buffer, v reflect.Value, defaults ...reflect.Value) error {
	if v.IsValid() {
		if d, ok := v.Interface().(time.Duration); ok {
			return encode(b, reflect.ValueOf(Duration(d)))
		}
	}
	comma := func(written bool) {
		if written {
			b.WriteByte(',')
		}
	}
	switch k := v.Kind(); {
	case k == reflect.Struct && v.Type().PkgPath() == reflect.TypeFor[Scenario]().PkgPath():
		b.WriteByte('{')
		written := false
		for i, name := range fieldNames(v.Type()) {
			var of []reflect.Value
			for _, d := range defaults {
				of = append(of, d.Field(i))
			}
			if allEqual(v.Field(i), of) {
				continue
			}
			comma(written)
			written = true
			fmt.Fprintf(b, "%q:", name)
			if err := encode(b, v.Field(i), of...); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	case k == reflect.Map && v.Type().Key() == reflect.TypeFor[string]():
		b.WriteByte('{')
		for i, key := range keysOf(v) {
			comma(i > 0)
			name, err := json.Marshal(key)
			if err != nil {
				return err
			}
			b.Write(name)
			b.WriteByte(':')
			var of []reflect.Value
			if len(defaults) > 0 {
				of = append(of, fresh(v.Type().Elem()))
			}
			for _, d := range defaults {
				if e := d.MapIndex(reflect.ValueOf(key)); e.IsValid() {
					of = append(of, e)
				}
			}
			if err := encode(b, v.MapIndex(reflect.ValueOf(key)), of...); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	case k == reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			comma(i > 0)
			var of []reflect.Value
			if len(defaults) > 0 {
				of = append(of, fresh(v.Type().Elem()))
			}
			if err := encode(b, v.Index(i), of...); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case k == reflect.Interface || k == reflect.Pointer:
		return encode(b, v.Elem())
	case k == reflect.Invalid: // what a nil leads to
		b.WriteString("null")
	default:
		leaf, err := json.Marshal(v.Interface())
		if err != nil {
			return err
		}
		b.Write(leaf)
	}
	return nil
}

// allEqual tells whether there are defaults and v is like each. A list or map that is empty is like one that is nil.
func allEqual(v reflect.Value, defaults []reflect.Value) bool {
	for _, d := range defaults {
		empty := (v.Kind() == reflect.Map || v.Kind() == reflect.Slice) && v.Len() == 0 && d.Len() == 0
		if !empty && !reflect.DeepEqual(v.Interface(), d.Interface()) {
			return false
		}
	}
	return len(defaults) > 0
}
