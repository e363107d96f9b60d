//go:build js && wasm

package desk

import (
	"sort"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"stormbin/wasm/internal/html"
	"stormbin/wasm/internal/rich"
	"stormbin/wasm/internal/words"
)

// lines is the text of the paste that is open, line by line.
//
// The whole text stands in the page, so that the browser finds in it, prints and copies it; the numbers are no text but
// made by the style sheet. It is cut into parts, which the browser lays out only where they are seen, and which are
// filled in a few at a time, so that no frame waits for more than a moment.
type lines struct {
	view   html.Element // all of it; it scrolls
	picked func(from, to int)

	text  string
	parts []words.Part
	boxes []js.Value // of the parts
	stale []int      // the parts that are not shown as they are now, the next one first
	each  bool       // whether each row is an element of its own, so that it may be wrapped
	count int        // of lines

	marks    []words.Mark
	colours  []colour
	from, to int // the lines that are marked; 0 is none
	aim      int // the line to scroll to as soon as it is there; 0 is none

	turn      js.Func // fills some more
	scheduled bool

	row, hidden js.Value            // to be cloned
	coloured    map[string]js.Value // by the kind of token
}

// A colour is a stretch of the text, in bytes, and the kind of token that it is.
type colour struct {
	from, to int
	kind     string
}

const (
	mostWrapped = 20_000 // lines that may be elements of their own
	fewRows     = 100    // in a part whose rows are elements
	manyRows    = 500    // in a part whose rows are not
	mostMarks   = 5_000  // hidden characters that are marked
	sliceOfTime = 8 * time.Millisecond
)

// newLines enlivens the text. picked is told which lines a reader has picked.
func newLines(view html.Element, picked func(from, to int)) *lines {
	l := &lines{view: view, picked: picked, coloured: map[string]js.Value{}}
	l.row = html.Make("div", "text-row", "").Value
	l.hidden = html.Make("bdi", "unseen", "").Value
	for _, kind := range rich.Kinds {
		if kind != rich.Plain {
			l.coloured[kind] = html.Make("span", "code-"+kind, "").Value
		}
	}
	l.turn = js.FuncOf(func(js.Value, []js.Value) any {
		l.scheduled = false
		l.fill(time.Now().Add(sliceOfTime))
		return nil
	})
	html.On(view, "mousedown", func(e html.Event) {
		if l.lineAt(e) > 0 {
			e.PreventDefault() // else Shift would select text
		}
	})
	html.On(view, "click", func(e html.Event) {
		line := l.lineAt(e)
		switch {
		case line == 0:
		case e.Get("shiftKey").Bool() && l.from > 0:
			l.mark(min(l.from, line), max(l.from, line))
			l.picked(l.from, l.to)
		default:
			l.mark(line, line)
			l.picked(line, line)
		}
	})
	html.On(html.Window, "beforeprint", func(html.Event) { l.finish() })
	return l
}

// take takes text to be shown next, and gives where it has characters that can't be seen, and how many.
func (l *lines) take(text string) (marks []words.Mark, count int) {
	l.clear()
	l.text = text
	l.count = words.Lines(text)
	l.each = l.count <= mostWrapped
	l.parts = words.Parts(text, l.rows())
	l.marks, count = words.Hidden(text, mostMarks)
	return l.marks, count
}

// rows is how many rows a part has at the most, and most have.
func (l *lines) rows() int {
	if l.each {
		return fewRows
	}
	return manyRows
}

// show shows the text that was taken.
func (l *lines) show() {
	style := l.view.Get("style")
	style.Call("setProperty", "--digits", len(strconv.Itoa(l.count)))
	style.Call("setProperty", "--rows", l.rows())
	boxes := make([]any, len(l.parts))
	part := html.Make("div", "text-part", "").Value
	for i, p := range l.parts {
		box := part.Call("cloneNode")
		if p.Rows != l.rows() {
			box.Get("style").Call("setProperty", "--rows", p.Rows)
		}
		l.boxes = append(l.boxes, box)
		boxes[i] = box
	}
	l.view.Call("replaceChildren", boxes...)
	l.refill()
}

// clear shows nothing.
func (l *lines) clear() {
	html.Clear(l.view)
	l.view.Set("scrollTop", 0)
	l.text, l.parts, l.boxes, l.stale, l.marks, l.colours = "", nil, nil, nil, nil, nil
	l.count, l.from, l.to, l.aim = 0, 0, 0, 0
}

// colour gives the text the colours of its tokens; nil takes them away.
func (l *lines) colour(tokens []rich.Token) {
	had := len(l.colours) > 0
	l.colours = nil
	at := 0
	for _, t := range tokens {
		if t.Kind != rich.Plain {
			l.colours = append(l.colours, colour{at, at + t.Length, t.Kind})
		}
		at += t.Length
	}
	if had || len(l.colours) > 0 {
		l.refill()
	}
}

// mark marks lines; 0 takes the marks away.
func (l *lines) mark(from, to int) {
	old, oldTo := l.from, l.to
	l.from, l.to = min(from, l.count), min(to, l.count)
	var now []int
	for i, p := range l.parts {
		last := p.Line + p.Rows // or less, where rows are pieces of lines
		if l.from > 0 && p.Line <= l.to && last >= l.from || old > 0 && p.Line <= oldTo && last >= old {
			now = append(now, i)
		}
	}
	l.stale = append(now, l.stale...)
	l.fill(time.Now().Add(sliceOfTime))
}

// reveal scrolls to a line.
func (l *lines) reveal(line int) {
	l.aim = min(line, l.count)
	for i, p := range l.parts {
		if i+1 == len(l.parts) || l.parts[i+1].Line > l.aim || p.Line == l.aim {
			l.stale = append([]int{i}, l.stale...)
			break
		}
	}
	l.fill(time.Now())
}

// refill has every part shown anew, in order.
func (l *lines) refill() {
	l.stale = l.stale[:0]
	for i := range l.parts {
		l.stale = append(l.stale, i)
	}
	l.fill(time.Now())
}

// finish fills all that is still to be filled, now.
func (l *lines) finish() { l.fill(time.Now().Add(time.Hour)) }

// fill shows stale parts, one at the least, until that time, and the rest in turns to come.
func (l *lines) fill(until time.Time) {
	for len(l.stale) > 0 {
		i := l.stale[0]
		l.stale = l.stale[1:]
		l.fillPart(i)
		if time.Now().After(until) {
			break
		}
	}
	if l.aim > 0 {
		l.scroll()
	}
	if len(l.stale) > 0 && !l.scheduled {
		l.scheduled = true
		js.Global().Call("setTimeout", l.turn) // frames are slow where it matters, and there are none in the background
	}
}

// scroll scrolls to the line that is aimed at, if it is there: to a third of the height, so that it is seen what it
// stands in.
func (l *lines) scroll() {
	row := html.Maybe(l.view, `[data-line="`+strconv.Itoa(l.aim)+`"]`)
	if row == nil {
		return
	}
	l.aim = 0
	top := row.Call("getBoundingClientRect").Get("top").Float() - l.view.Call("getBoundingClientRect").Get("top").Float()
	l.view.Set("scrollTop", l.view.Get("scrollTop").Float()+top-l.view.Get("clientHeight").Float()/3)
}

// fillPart shows a part as it is now. Rows are elements of their own if each is so, where they are marked or aimed at,
// and where a line goes on in another row; all others are put together.
func (l *lines) fillPart(i int) {
	p := l.parts[i]
	var rows []any
	var from, first int
	var numbers strings.Builder
	cut := func(to int) {
		if to == from {
			return
		}
		row := l.row.Call("cloneNode")
		data := row.Get("dataset")
		data.Set("line", first)
		data.Set("numbers", numbers.String())
		if l.from > 0 && first >= l.from && first <= l.to {
			row.Set("className", "text-row marked")
		}
		row.Call("append", l.content(from, to)...)
		rows = append(rows, row)
		from = to
		numbers.Reset()
	}
	from = p.From
	line := p.Line
	for _, r := range words.RowsOf(l.text, p) {
		if l.each || line == l.from || line == l.to+1 || line == l.aim || r.Line == 0 {
			cut(r.From)
		}
		if from == r.From {
			first = line
		} else {
			numbers.WriteByte('\n')
		}
		if r.Line > 0 {
			numbers.WriteString(strconv.Itoa(line))
		}
		ends := l.text[r.To-1] == '\n'
		if ends {
			line++
		}
		if r.Line == 0 || !ends {
			cut(r.To)
		}
	}
	cut(p.To)
	l.boxes[i].Call("replaceChildren", rows...)
}

// content is a stretch of the text as what is appended to an element: words, spans for the tokens, and what stands for
// characters that can't be seen.
func (l *lines) content(from, to int) []any {
	var out []any
	marks := l.marks[sort.Search(len(l.marks), func(i int) bool { return l.marks[i].To > from }):]
	colours := l.colours[sort.Search(len(l.colours), func(i int) bool { return l.colours[i].to > from }):]
	for from < to {
		if len(marks) > 0 && marks[0].From <= from {
			end := min(marks[0].To, to)
			out = append(out, l.unseen(marks[0].Name, l.text[from:end]))
			from = end
			if marks[0].To <= end {
				marks = marks[1:]
			}
			continue
		}
		end := to
		if len(marks) > 0 {
			end = min(end, marks[0].From)
		}
		for len(colours) > 0 && colours[0].to <= from {
			colours = colours[1:]
		}
		kind := rich.Plain
		if len(colours) > 0 {
			if c := colours[0]; c.from > from {
				end = min(end, c.from)
			} else {
				end, kind = min(end, c.to), c.kind
			}
		}
		piece := html.String([]byte(l.text[from:end]))
		if kind == rich.Plain {
			out = append(out, piece)
		} else {
			e := l.coloured[kind].Call("cloneNode")
			e.Set("textContent", piece)
			out = append(out, e)
		}
		from = end
	}
	return out
}

// unseen stands for characters of that name, which can't be seen.
func (l *lines) unseen(name, text string) js.Value {
	e := l.hidden.Call("cloneNode")
	code, _, _ := strings.Cut(name, " ")
	if n := len([]rune(text)); n > 1 {
		code += " ×" + strconv.Itoa(n)
	}
	e.Get("dataset").Set("code", code)
	e.Set("title", name)
	e.Set("textContent", html.String([]byte(text)))
	return e
}

// lineAt is the line whose number an event points at, 0 if it is at none.
func (l *lines) lineAt(e html.Event) int {
	row := e.Get("target").Call("closest", ".text-row")
	if row.IsNull() {
		return 0
	}
	gutter := js.Global().Call("parseFloat", js.Global().Call("getComputedStyle", row).Get("paddingLeft")).Float()
	if e.Get("clientX").Float() > l.view.Call("getBoundingClientRect").Get("left").Float()+gutter {
		return 0
	}
	line, _ := strconv.Atoi(row.Get("dataset").Get("line").String())
	if rows := 1 + strings.Count(row.Get("dataset").Get("numbers").String(), "\n"); rows > 1 {
		box := row.Call("getBoundingClientRect")
		height := box.Get("height").Float() / float64(rows)
		line += max(0, min(rows-1, int((e.Get("clientY").Float()-box.Get("top").Float())/height)))
	}
	return line
}

// copied is what a reader has selected of the text; ok is false if anything else is selected too, or nothing.
func (l *lines) copied(whole html.Element) (text js.Value, ok bool) {
	selection := js.Global().Call("getSelection")
	if selection.Get("rangeCount").Int() == 0 || selection.Get("isCollapsed").Bool() {
		return js.Value{}, false
	}
	within := selection.Call("getRangeAt", 0).Get("commonAncestorContainer")
	switch {
	case within.Equal(whole.Value):
		return html.String([]byte(l.text)), true
	case !l.view.Call("contains", within).Bool():
		return js.Value{}, false
	}
	l.finish()
	return selection.Call("getRangeAt", 0).Call("toString"), true
}
