package pasted

import (
	"strings"

	"stormbin/engine/imports"
	"stormbin/engine/json"
	"stormbin/engine/scenario"
)

// Honoured is a setting that is taken over.
type Honoured struct {
	From   string   // its path within what was found; empty: it was left out there, and the default holds
	To     []string // path = value
	Note   string
	Source string
}

// Heading is what something was taken for, and its own name.
func Heading(f imports.Found) string {
	if f.Name == "" {
		return f.Kind
	}
	return f.Kind + " “" + json.Shorten(f.Name) + "”"
}

// Lines is what of something that was found is taken over, put on a call of s; and what isn't, whose paths are within it too.
func Lines(f imports.Found, s scenario.Scenario, call string) (taken []Honoured, left []imports.Left) {
	within := func(path string) string {
		if inner, ok := strings.CutPrefix(path, f.Path+"."); ok {
			return inner
		}
		return path
	}
	for _, setting := range f.Set {
		h := Honoured{From: within(setting.From), Note: setting.Note, Source: setting.Source}
		for _, c := range setting.On(s, call) {
			h.To = append(h.To, c.Path+" = "+string(json.Append(nil, c.Value, "")))
		}
		if len(h.To) == 0 {
			h.To = []string{setting.To + " = " + string(json.Append(nil, setting.Value, ""))}
		}
		taken = append(taken, h)
	}
	for _, l := range f.Left {
		left = append(left, imports.Left{Path: within(l.Path), Why: l.Why})
	}
	return taken, left
}
