//go:build js && wasm

package indexeddb

import (
	"syscall/js"
	"time"
)

// Records may have been written by an older version of this page, or by anybody who opened the browser's tools. What is
// not there is read as the zero value, and so is what is of the wrong kind: a row with one bad field is better shown
// than hidden, and must not take the others with it.

func textIn(record js.Value, field string) string {
	if v := in(record, field); typeOf(v) == js.TypeString {
		return v.String()
	}
	return ""
}

func numberIn(record js.Value, field string) float64 {
	if v := in(record, field); typeOf(v) == js.TypeNumber {
		return v.Float()
	}
	return 0
}

func flagIn(record js.Value, field string) bool {
	return in(record, field).Equal(js.ValueOf(true))
}

// timeIn is a time that is kept as milliseconds since 1970.
func timeIn(record js.Value, field string) time.Time {
	v := in(record, field)
	if typeOf(v) != js.TypeNumber || !(minTime <= v.Float() && v.Float() <= maxTime) { // NaN is not
		return time.Time{}
	}
	return time.UnixMilli(int64(v.Float())).UTC()
}

// The times that RFC 3339 can write, so that no record can break an export: the years 1 to 9999.
const (
	minTime = -62135596800000
	maxTime = 253402300799999
)

// bytesIn is a copy of a Uint8Array.
func bytesIn(array js.Value) (b []byte, ok bool) {
	if !array.InstanceOf(uint8Array) {
		return nil, false
	}
	b = make([]byte, array.Length())
	js.CopyBytesToGo(b, array)
	return b, true
}

var uint8Array = js.Global().Get("Uint8Array")

// arrayOf is a copy of b as a Uint8Array: bytes that go through a string don't all come back.
func arrayOf(b []byte) js.Value {
	array := uint8Array.New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}

// in is a field of a record; undefined if that is no record.
func in(record js.Value, field string) js.Value {
	if typeOf(record) != js.TypeObject {
		return js.Undefined()
	}
	return record.Get(field)
}

// typeOf is undefined for what Go has no name for, which is a BigInt: to ask it for its type panics.
func typeOf(v js.Value) (t js.Type) {
	defer func() { _ = recover() }()
	return v.Type()
}

// above is the range of the keys after that one that are text, as all of ours are: bytes come after all text.
func above(key any) js.Value {
	return keys.Call("bound", key, uint8Array.New(0), true, true)
}

var keys = js.Global().Get("IDBKeyRange")
