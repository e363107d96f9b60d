// Package json reads and writes JSON as a tree of its values, in the order in which they were written, and writes plain Go
// values. It stands in for encoding/json, which makes a page a tenth larger, forgets the order of names and takes one that
// is given twice.
package json

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A tree is a JSON value, made of these, of []any, string, bool and nil.
type (
	// Object is in the order it was written.
	Object []Member
	Member struct {
		Key   string
		Value any
	}
	// Number is a number as it was written, so that none is rounded before it is known what it is for.
	Number string
)

// Limits bound what is read.
type Limits struct {
	Bytes int
	Depth int // objects and lists that a value is in
}

// ErrSyntax is what the error for a text wraps that is not JSON.
var ErrSyntax = errors.New("not JSON")

// ToUTF8 is s with U+FFFD for each byte that isn't UTF-8. Those, and half a surrogate pair, are no fault of syntax.
func ToUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// Join is the path of key below path. A key that would make it hard to read is quoted and cut.
func Join(path, key string) string {
	const letters, most = "abcdefghijklmnopqrstuvwxyz0123456789_-", 80
	if key == "" || len(key) > most || strings.Trim(strings.ToLower(key), letters) != "" {
		key = strconv.Quote(Shorten(key))
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// Shorten cuts s to a length that fits into the line of an error.
func Shorten(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// Equal tells whether two trees are the same, the order of names included.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case Object:
		b, ok := b.(Object)
		return ok && slices.EqualFunc(a, b, func(a, b Member) bool { return a.Key == b.Key && Equal(a.Value, b.Value) })
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Equal)
	}
	return a == b
}

// Parse reads one JSON value, which stands at path; "" is the top. The error wraps ErrSyntax if it is one of syntax.
func Parse(text, path string, limits Limits) (any, error) {
	if len(text) > limits.Bytes {
		return nil, fmt.Errorf("%d bytes of JSON: must be at most %d", len(text), limits.Bytes)
	}
	r := reader{text: ToUTF8(text), deepest: limits.Depth}
	depth := 0
	if path != "" {
		depth = 1 + strings.Count(path, ".")
	}
	tree := r.value(path, depth)
	r.peek()
	if r.at < len(r.text) {
		r.fail("the end")
	}
	return tree, cmp.Or(r.err, r.twice)
}

// reader walks over a text. The first error sends it to the end, where all the rest finds nothing more to do.
type reader struct {
	text       string
	at         int
	deepest    int
	err, twice error // a name given twice doesn't stop it, as the text may turn out not to be JSON at all
}

func (r *reader) stop(err error) {
	if r.err == nil {
		r.err = err
	}
	r.at = len(r.text)
}

// fail stops where something else must be.
func (r *reader) fail(must string) {
	found := "ends"
	if c, size := utf8.DecodeRuneInString(r.text[r.at:]); size > 0 {
		found = strconv.QuoteRune(c)
	}
	line := 1 + strings.Count(r.text[:r.at], "\n")
	r.stop(fmt.Errorf("line %d: %w: %s where %s must be", line, ErrSyntax, found, must))
}

// peek passes over white space. It is 0 at the end.
func (r *reader) peek() byte {
	r.at = len(r.text) - len(strings.TrimLeft(r.text[r.at:], " \t\r\n"))
	if r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

// take passes over c, if that is next after white space.
func (r *reader) take(c byte) bool {
	r.peek()
	return r.one(string(c))
}

func (r *reader) value(path string, depth int) any {
	switch c := r.peek(); c {
	case '{', '[':
		if depth == r.deepest {
			r.stop(fmt.Errorf("%s: too deep; must be in at most %d objects and lists", path, r.deepest))
			return nil
		}
		r.at++
		if c == '{' {
			return r.object(path, depth+1)
		}
		return r.list(path, depth+1)
	case '"':
		return r.string("a string")
	case 't':
		return r.word("true", true)
	case 'f':
		return r.word("false", false)
	case 'n':
		return r.word("null", nil)
	}
	return r.number()
}

func (r *reader) object(path string, depth int) Object {
	o := Object{}
	seen := map[string]bool{}
	for r.more('}', len(o)) {
		key := r.string("a name in quotes")
		at := Join(path, key)
		if seen[key] && r.twice == nil {
			r.twice = fmt.Errorf("%s: given twice; give it once", at)
		}
		seen[key] = true
		if !r.take(':') {
			r.fail("a colon")
		}
		o = append(o, Member{key, r.value(at, depth)})
	}
	return o
}

func (r *reader) list(path string, depth int) []any {
	list := []any{}
	for r.more(']', len(list)) {
		list = append(list, r.value(Join(path, strconv.Itoa(len(list))), depth))
	}
	return list
}

// more tells whether another entry comes after the n so far, and passes over what stands before it.
func (r *reader) more(end byte, n int) bool {
	if r.err != nil || r.take(end) {
		return false
	}
	if n > 0 && !r.take(',') {
		r.fail("a comma or " + string(end))
	}
	return r.err == nil
}

func (r *reader) word(word string, value any) any {
	if !strings.HasPrefix(r.text[r.at:], word) {
		r.fail("a value")
		return nil
	}
	r.at += len(word)
	return value
}

func (r *reader) number() Number {
	from, must := r.at, "a value"
	if r.one("-") {
		must = "a digit"
	}
	if !r.one("0") { // nothing but a fraction or an exponent may follow that
		r.digits(must)
	}
	if r.one(".") {
		r.digits("a digit")
	}
	if r.one("eE") {
		r.one("+-")
		r.digits("a digit")
	}
	return Number(r.text[from:r.at])
}

func (r *reader) digits(must string) {
	const digit = "0123456789"
	if !r.one(digit) {
		r.fail(must)
	}
	for r.one(digit) {
	}
}

// one passes over one of these characters, if that is next.
func (r *reader) one(of string) bool {
	is := r.at < len(r.text) && strings.IndexByte(of, r.text[r.at]) >= 0
	if is {
		r.at++
	}
	return is
}

// string reads a string in quotes; must is what the error calls it if there is none.
func (r *reader) string(must string) string {
	if !r.take('"') {
		r.fail(must)
	}
	var s []byte
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			return string(s)
		case c == '\\':
			s = utf8.AppendRune(s, r.escape())
		case c < ' ':
			r.fail(`an escape like \n`)
		default:
			s = append(s, c)
			r.at++
		}
	}
	r.fail("a closing quote")
	return ""
}

func (r *reader) escape() rune {
	rest := r.text[r.at:]
	if len(rest) > 1 {
		if i := strings.IndexByte(`"\/bfnrt`, rest[1]); i >= 0 {
			r.at += 2
			return rune("\"\\/\b\f\n\r\t"[i])
		}
	}
	first, ok := utf16Unit(rest)
	if !ok {
		r.fail(`an escape like \n or \u00e9`)
		return 0
	}
	r.at += 6
	if second, ok := utf16Unit(rest[6:]); ok {
		if both := utf16.DecodeRune(first, second); both != utf8.RuneError {
			r.at += 6
			return both
		}
	}
	return first
}

// utf16Unit is what s begins with, written as \u and four hex digits.
func utf16Unit(s string) (rune, bool) {
	if len(s) < 6 || s[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}

// Append writes as JSON a tree, or a Go value of structs whose fields all have a json tag with nothing but their name, of
// maps by name, lists, pointers and single values. Each entry is on a line of its own: newline is a line's end and the
// indent of the next. If it is empty, all is on one line.
func Append(b []byte, value any, newline string) []byte {
	deeper := newline
	if newline != "" {
		deeper += "  "
	}
	switch v := value.(type) {
	case Object:
		b = append(b, '{')
		for i, m := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(AppendString(append(b, deeper...), m.Key), ": "...)
			b = Append(b, m.Value, deeper)
		}
		if len(v) > 0 {
			b = append(b, newline...)
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = Append(append(b, deeper...), e, deeper)
		}
		if len(v) > 0 {
			b = append(b, newline...)
		}
		return append(b, ']')
	case string:
		return AppendString(b, v)
	case Number:
		return append(b, v...)
	case bool:
		return strconv.AppendBool(b, v)
	case nil:
		return append(b, "null"...)
	}
	return Append(b, treeOf(reflect.ValueOf(value)), newline)
}

// AppendString writes s as a JSON string. A byte that isn't UTF-8 is U+FFFD in it.
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0 // what comes after it and needs no change is appended in one piece
	for i := 0; i < len(s); {
		c := s[i]
		if ' ' <= c && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[from:i]...)
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = utf8.AppendRune(b, r)
		}
		i += n
		from = i
	}
	return append(append(b, s[from:]...), '"')
}
