package lessons

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
	"time"

	"stormbin/engine/metrics"
	"stormbin/engine/run"
	"stormbin/engine/scenario"
)

// What a number of a lesson is, is written beside it as an expression, like 17400*0.2*3 or bad_seconds. Names are those of
// the report's JSON; those of settings begin with set, like set.faults[0].for, and durations among them are in seconds.
// There is
//
//	mean(3, 6, dependencies.b.attempts)  the mean of a row's field over seconds 3 to 5
//	min(a, b), max(a, b)
type expression struct {
	report, settings any // trees, nil without a run
}

// played has each link's run, so that each is run once.
var played = map[string]expression{}

// playing is the run of a link.
func playing(link string) (expression, error) {
	if e, there := played[link]; there {
		return e, nil
	}
	l, err := scenario.ParseLink(link)
	if err != nil {
		return expression{}, err
	}
	rep, err := run.Do(l.Scenario)
	if err != nil {
		return expression{}, err
	}
	e, err := expressionOf(l.Scenario, rep)
	played[link] = e
	return e, err
}

func expressionOf(s scenario.Scenario, rep metrics.Report) (e expression, err error) {
	text, err := json.Marshal(rep)
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(text, &e.report); err != nil {
		return e, err
	}
	if text, err = s.Full(); err != nil {
		return e, err
	}
	return e, json.Unmarshal(text, &e.settings)
}

// value is what an expression comes to.
func (e expression) value(text string) (float64, error) {
	tree, err := parser.ParseExpr(text)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", text, err)
	}
	x, err := e.of(tree, e.report)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", text, err)
	}
	return x, nil
}

func (e expression) of(tree ast.Expr, names any) (float64, error) {
	switch t := tree.(type) {
	case *ast.ParenExpr:
		return e.of(t.X, names)
	case *ast.BasicLit:
		return strconv.ParseFloat(t.Value, 64)
	case *ast.BinaryExpr:
		x, err := e.of(t.X, names)
		if err != nil {
			return 0, err
		}
		y, err := e.of(t.Y, names)
		if err != nil {
			return 0, err
		}
		switch t.Op {
		case token.ADD:
			return x + y, nil
		case token.SUB:
			return x - y, nil
		case token.MUL:
			return x * y, nil
		case token.QUO:
			return x / y, nil
		}
		return 0, fmt.Errorf("%s is no operator here", t.Op)
	case *ast.CallExpr:
		return e.call(t)
	}
	path, err := pathOf(tree)
	if err != nil {
		return 0, err
	}
	if rest, ok := strings.CutPrefix(path, "set."); ok {
		return number(e.settings, rest)
	}
	return number(names, path)
}

func (e expression) call(t *ast.CallExpr) (float64, error) {
	name, _ := pathOf(t.Fun)
	if name == "mean" && len(t.Args) == 3 {
		from, err := e.of(t.Args[0], nil)
		if err != nil {
			return 0, err
		}
		to, err := e.of(t.Args[1], nil)
		if err != nil {
			return 0, err
		}
		report, _ := e.report.(map[string]any)
		rows, _ := report["series"].([]any)
		if int(to) > len(rows) || from >= to {
			return 0, fmt.Errorf("there are %d seconds", len(rows))
		}
		sum := 0.0
		for _, row := range rows[int(from):int(to)] {
			x, err := e.of(t.Args[2], row)
			if err != nil {
				return 0, err
			}
			sum += x
		}
		return sum / (to - from), nil
	}
	if len(t.Args) != 2 || name != "min" && name != "max" {
		return 0, fmt.Errorf("there is no %s of %d", name, len(t.Args))
	}
	x, err := e.of(t.Args[0], e.report)
	if err != nil {
		return 0, err
	}
	y, err := e.of(t.Args[1], e.report)
	if name == "min" {
		return math.Min(x, y), err
	}
	return math.Max(x, y), err
}

// pathOf is a.b.c of such an expression.
func pathOf(tree ast.Expr) (string, error) {
	switch t := tree.(type) {
	case *ast.Ident:
		return t.Name, nil
	case *ast.SelectorExpr:
		path, err := pathOf(t.X)
		return path + "." + t.Sel.Name, err
	case *ast.IndexExpr:
		path, err := pathOf(t.X)
		if i, ok := t.Index.(*ast.BasicLit); ok {
			return path + "." + i.Value, err
		}
	}
	return "", fmt.Errorf("%T can't be read", tree)
}

// number is what a tree has at a path, durations in seconds.
func number(tree any, path string) (float64, error) {
	for _, key := range strings.Split(path, ".") {
		missing := fmt.Errorf("there is no %s", path)
		switch at := tree.(type) {
		case map[string]any:
			field, ok := at[key]
			if !ok {
				return 0, missing
			}
			tree = field
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(at) {
				return 0, missing
			}
			tree = at[i]
		default:
			return 0, missing
		}
	}
	switch v := tree.(type) {
	case float64:
		return v, nil
	case nil: // of what never ends
		return math.Inf(1), nil
	case string:
		d, err := time.ParseDuration(v)
		return d.Seconds(), err
	}
	return 0, fmt.Errorf("%s is no number", path)
}
