package scenario_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormbin/engine/scenario"
)

// By reflection, so that a field which is added later is not forgotten.
func TestCloneSharesNothing(t *testing.T) {
	s := filled(t, true)
	c := s.Clone()
	if diff := cmp.Diff(s, c); diff != "" {
		t.Fatal(diff)
	}
	apart(t, "scenario", reflect.ValueOf(s), reflect.ValueOf(c))
}

// apart reports what a and b, which are equal, both point to.
func apart(t *testing.T, path string, a, b reflect.Value) {
	t.Helper()
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			apart(t, path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))
		}
	case reflect.Slice:
		if a.Pointer() == b.Pointer() {
			t.Errorf("%s is one list for both", path)
		}
		for i := range a.Len() {
			apart(t, fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i))
		}
	case reflect.Map:
		if a.Pointer() == b.Pointer() {
			t.Errorf("%s is one map for both", path)
		}
		for _, key := range a.MapKeys() {
			apart(t, fmt.Sprintf("%s[%v]", path, key), a.MapIndex(key), b.MapIndex(key))
		}
	case reflect.Pointer, reflect.Chan, reflect.Func:
		t.Errorf("%s is a %s: how is that copied?", path, a.Kind())
	}
}

// filled has something in every field: one entry in every list and map, nothing that is 0 or empty, and all that is true
// or false as it is told. It need not be valid.
func filled(t *testing.T, truth bool) scenario.Scenario {
	t.Helper()
	var s scenario.Scenario
	fill(t, reflect.ValueOf(&s).Elem(), truth)
	return s
}

func fill(t *testing.T, v reflect.Value, truth bool) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), truth)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), truth)
	case reflect.Map:
		entry := reflect.New(v.Type().Elem()).Elem()
		fill(t, entry, truth)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("name"), entry)
	case reflect.String:
		v.SetString("word")
	case reflect.Bool:
		v.SetBool(truth)
	case reflect.Int, reflect.Int64:
		v.SetInt(77)
	case reflect.Uint64:
		v.SetUint(77)
	case reflect.Float64:
		v.SetFloat(0.375)
	case reflect.Interface:
		v.Set(reflect.ValueOf("any"))
	default:
		t.Fatalf("no way to fill a %s", v.Type())
	}
}
