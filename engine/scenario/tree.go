package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// object is a JSON object in the order it was written. A tree is made of these, of []any, string, bool, json.Number
// and nil.
type object []member

type member struct {
	key   string
	value any
}

// parseTree reads one JSON value, which stands at path.
func parseTree(data []byte, path string) (any, error) {
	// This pass finds every fault of syntax, trailing data and too deep a nesting; the one below has none left to find
	// but the same key twice.
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		if at, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("line %d: not JSON: %w", 1+bytes.Count(data[:at.Offset], []byte("\n")), err)
		}
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return next(d, path)
}

func next(d *json.Decoder, path string) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		o := object{}
		seen := map[string]bool{}
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			key := k.(string)
			at := join(path, key)
			if seen[key] {
				return nil, fmt.Errorf("%s: given twice; give it once", at)
			}
			seen[key] = true
			v, err := next(d, at)
			if err != nil {
				return nil, err
			}
			o = append(o, member{key, v})
		}
		_, err := d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := next(d, join(path, fmt.Sprint(len(list))))
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	}
	return t, nil
}
