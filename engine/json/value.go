package json

import (
	"math"
	"reflect"
	"slices"
	"strconv"
)

// treeOf is a Go value as a tree, of which only the top is one yet: a struct is an object of its fields, by their json
// tags, a map one of its names, sorted; what is nil is null, and so is a float that JSON has no number for.
func treeOf(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Struct:
		o := make(Object, v.NumField())
		for i := range o {
			o[i] = Member{v.Type().Field(i).Tag.Get("json"), v.Field(i).Interface()}
		}
		return o
	case reflect.Map:
		if v.IsNil() {
			return nil
		}
		var names []string
		values := map[string]any{}
		for _, key := range v.MapKeys() {
			names = append(names, key.String())
			values[key.String()] = v.MapIndex(key).Interface()
		}
		slices.Sort(names) // what sorts names is in every program; what sorts members would be there for this alone
		o := make(Object, len(names))
		for i, name := range names {
			o[i] = Member{name, values[name]}
		}
		return o
	case reflect.Slice:
		if v.IsNil() {
			return nil
		}
		list := make([]any, v.Len())
		for i := range list {
			list[i] = v.Index(i).Interface()
		}
		return list
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return v.Elem().Interface()
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	}
	switch {
	case v.CanInt():
		return Number(strconv.FormatInt(v.Int(), 10))
	case v.CanUint():
		return Number(strconv.FormatUint(v.Uint(), 10))
	case v.CanFloat() && math.Abs(v.Float()) <= math.MaxFloat64: // NaN isn't
		return NumberOf(v.Float(), v.Type().Bits())
	case v.CanFloat():
		return nil
	}
	panic("json: no way to write a " + v.Type().String())
}

// NumberOf is a finite float of so many bits, with no more digits than tell it from its neighbours.
func NumberOf(f float64, bits int) Number {
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && abs < 1e-6 || abs >= 1e21 {
		format = 'e'
	}
	return Number(strconv.FormatFloat(f, format, -1, bits))
}
