package own

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stormbin/engine/json"
)

// About is which of some paths an error, of one thing, is about: the longest that its line begins with. Empty: none.
func About(err error, paths []string) string {
	longest, line := "", err.Error()
	for _, p := range paths {
		if len(p) > len(longest) && len(line) > len(p) && strings.HasPrefix(line, p) && (line[len(p)] == ':' || line[len(p)] == '.') {
			longest = p
		}
	}
	return longest
}

// Place is where something stands in a text.
type Place struct {
	Path     string
	Line     int // 1 is the first
	From, To int // its key, or value if it has none, in bytes
}

// Find is the place in a JSON text that an error, of one thing, is about. false: it is about nothing in there.
func Find(text string, err error) (Place, bool) {
	var line int
	if n, scanErr := fmt.Sscanf(err.Error(), "line %d:", &line); n == 1 && scanErr == nil {
		return lineAt(text, line), true
	}
	w := walker{text: text}
	w.value("")
	paths := make([]string, len(w.places))
	for i, p := range w.places {
		paths[i] = p.Path
	}
	path := About(err, paths)
	for i := len(w.places) - 1; i >= 0 && path != ""; i-- { // of one given twice it is the second that is one too many
		if w.places[i].Path == path {
			found := w.places[i]
			found.Line = 1 + strings.Count(text[:found.From], "\n")
			return found, true
		}
	}
	return Place{}, false
}

// lineAt is the whole of a line.
func lineAt(text string, line int) Place {
	p := Place{Line: line}
	for i, l := range strings.Split(text, "\n") {
		p.To = p.From + len(l)
		if i+1 >= line {
			break
		}
		p.From = p.To + 1
	}
	return p
}

// walker notes where everything stands in a JSON text, by bytes alone. What comes after a mistake is not noted.
type walker struct {
	text   string
	at     int
	places []Place
	depth  int
}

// deepest is more than any text is that was read.
const deepest = 32

func (w *walker) space() byte {
	w.at = len(w.text) - len(strings.TrimLeft(w.text[w.at:], " \t\r\n"))
	if w.at == len(w.text) {
		return 0
	}
	return w.text[w.at]
}

func (w *walker) value(path string) bool {
	if w.depth++; w.depth > deepest {
		return false
	}
	defer func() { w.depth-- }()
	switch w.space() {
	case '{':
		w.at++
		for w.space() == '"' {
			from := w.at
			if !w.string() {
				return false
			}
			key, err := json.Parse(w.text[from:w.at], "", json.Limits{Bytes: len(w.text)})
			if err != nil {
				return false
			}
			at := json.Join(path, key.(string))
			w.places = append(w.places, Place{Path: at, From: from, To: w.at})
			if w.space() != ':' {
				return false
			}
			w.at++
			if !w.value(at) || !w.next() {
				return false
			}
		}
		return w.end('}')
	case '[':
		w.at++
		for i := 0; w.space() != ']'; i++ {
			from, n, at := w.at, len(w.places), json.Join(path, strconv.Itoa(i))
			if !w.value(at) {
				return false
			}
			w.places = slices.Insert(w.places, n, Place{Path: at, From: from, To: w.at})
			if !w.next() {
				return false
			}
		}
		return w.end(']')
	case '"':
		return w.string()
	case 0:
		return false
	}
	from := w.at
	for w.at < len(w.text) && strings.IndexByte(" \t\r\n,]}", w.text[w.at]) < 0 {
		w.at++
	}
	return w.at > from
}

// next passes over a comma, if one is there.
func (w *walker) next() bool {
	if w.space() == ',' {
		w.at++
	}
	return w.at < len(w.text)
}

func (w *walker) end(c byte) bool {
	if w.space() != c {
		return false
	}
	w.at++
	return true
}

func (w *walker) string() bool {
	for w.at++; w.at < len(w.text); w.at++ {
		switch w.text[w.at] {
		case '\\':
			w.at++
		case '"':
			w.at++
			return true
		}
	}
	return false
}
