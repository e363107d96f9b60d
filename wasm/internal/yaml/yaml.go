// Package yaml writes YAML as JSON. Its parser is slow at what is written to be slow, so that whoever has no time for that
// runs it in a worker, which can be ended: see wasm/yaml.
package yaml

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"stormbin/engine/json"
)

// deepest is how many objects and lists a value may be in.
const deepest = 100

var errDeep = fmt.Errorf("a value is in more than %d objects and lists", deepest)

// most is how many values there may be, with all that aliases stand for.
const most = 200_000

var errMuch = fmt.Errorf("too much: with all that its aliases stand for there are more than %d values", most)

// JSON is YAML as JSON, several documents as a list of them. An alias is what it stands for. The error is one line.
func JSON(text string) (string, error) {
	tree, err := read(text)
	if err != nil {
		return "", err
	}
	left := most
	if !fits(tree, &left) {
		return "", errMuch
	}
	return string(json.Append(nil, tree, "")), nil
}

// fits tells whether there are no more values in a tree than are left, and takes them from that.
func fits(tree any, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	switch v := tree.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !fits(e, left) })
	case json.Object:
		return !slices.ContainsFunc(v, func(m json.Member) bool { return !fits(m.Value, left) })
	}
	return true
}

// read is a text as a tree of package json's.
func read(text string) (tree any, err error) {
	if tooDeep(text) {
		return nil, errDeep
	}
	defer func() { // the parser's own mistakes are no reason to end the page
		if r := recover(); r != nil {
			tree, err = nil, errors.New("not YAML that can be read here")
		}
	}()
	file, err := parser.ParseBytes([]byte(text), 0)
	if err != nil {
		return nil, syntax(err)
	}
	r := reader{anchors: map[string]any{}}
	var documents []any
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if tree := r.value(d.Body, 0); tree != nil {
			documents = append(documents, tree)
		}
	}
	switch {
	case r.err != nil:
		return nil, r.err
	case len(documents) == 1:
		return documents[0], nil
	}
	return documents, nil
}

// tooDeep tells of a text that would keep the parser busy for minutes: brackets in brackets, or lists in lists on one line.
func tooDeep(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			if depth++; depth > deepest {
				return true
			}
		case ']', '}':
			depth--
		}
	}
	return strings.Contains(text, strings.Repeat("- ", deepest)) || strings.Contains(text, strings.Repeat("? ", deepest))
}

// syntax is a parser's error in one line. Its own words show the text, at length.
func syntax(err error) error {
	var at interface {
		GetToken() *token.Token
		GetMessage() string
	}
	if !errors.As(err, &at) || at.GetToken() == nil {
		return errors.New("not YAML, nor JSON, nor an AWS config file")
	}
	message, _, _ := strings.Cut(at.GetMessage(), "\n")
	return wrong(at.GetToken(), message)
}

func wrong(at *token.Token, what string) error {
	return fmt.Errorf("line %d: not YAML: %s", at.Position.Line, what)
}

// reader makes a tree of what was parsed. After the first error it goes no further.
type reader struct {
	anchors map[string]any // what each stands for, once it is whole
	merged  int            // entries, so far
	err     error
}

func (r *reader) fail(err error) any {
	if r.err == nil {
		r.err = err
	}
	return nil
}

func (r *reader) value(n ast.Node, depth int) any {
	if depth > deepest {
		return r.fail(errDeep)
	}
	if r.err != nil {
		return nil
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return r.object(n.Values, depth)
	case *ast.MappingValueNode: // an object of one
		return r.object([]*ast.MappingValueNode{n}, depth)
	case *ast.SequenceNode:
		list := []any{}
		for _, v := range n.Values {
			list = append(list, r.value(v, depth+1))
		}
		return list
	case *ast.AnchorNode:
		v := r.value(n.Value, depth)
		r.anchors[n.Name.GetToken().Value] = v
		return v
	case *ast.AliasNode:
		name := n.Value.GetToken().Value
		v, found := r.anchors[name]
		if !found {
			return r.fail(wrong(n.GetToken(), fmt.Sprintf("*%s stands for nothing that came before it", json.Shorten(name))))
		}
		return v
	case *ast.TagNode:
		if n.Start.Value == "!!str" && n.Value != nil {
			return n.Value.GetToken().Value
		}
		if n.Value == nil {
			return nil
		}
		return r.value(n.Value, depth)
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.BoolNode:
		return n.Value
	case *ast.IntegerNode:
		return n.Value
	case *ast.FloatNode:
		return n.Value
	case *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value
	}
	return nil // null, and comments
}

// object is the entries, and of those that are merged into it the ones that it has not got itself.
func (r *reader) object(entries []*ast.MappingValueNode, depth int) json.Object {
	o := json.Object{}
	has := map[string]bool{}
	var merged []any
	for _, e := range entries {
		v := r.value(e.Value, depth+1)
		key := e.Key.GetToken().Value
		switch k := e.Key.(type) {
		case *ast.MergeKeyNode:
			if list, ok := v.([]any); ok {
				merged = append(merged, list...)
			} else {
				merged = append(merged, v)
			}
			continue
		case *ast.MappingKeyNode:
			if k.Value != nil {
				key = k.Value.GetToken().Value
			}
		}
		if has[key] {
			r.fail(wrong(e.Key.GetToken(), fmt.Sprintf("%q is given twice", json.Shorten(key))))
		}
		has[key] = true
		o = append(o, json.Member{Key: key, Value: v})
	}
	for _, from := range merged {
		from, _ := from.(json.Object)
		if r.merged += len(from); r.merged > most {
			r.fail(errMuch)
			return nil
		}
		for _, m := range from {
			if !has[m.Key] {
				has[m.Key] = true
				o = append(o, m)
			}
		}
	}
	return o
}
