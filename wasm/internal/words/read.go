package words

import (
	"errors"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"stormbin/engine/json"
	"stormbin/engine/live"
	"stormbin/pastebin"
	"stormbin/wasm/internal/view"
)

// A Part is some of the rows that a text is shown in, as many as a browser lays out in a moment.
type Part struct {
	From, To int // of the text, in bytes; where a line ends, its newline is included
	Line     int // the number of the line that the first row is of, 1 or more
	Rows     int
}

// A Row is a line of a text, or a piece of one that is too long for a browser to lay out at once.
type Row struct {
	From, To int // as in a Part
	Line     int // its number, 0 where the row goes on with the line of the row before
}

// PieceBytes is how much of one line stands in a row, and PartBytes in a part.
const (
	PieceBytes = 4 << 10
	PartBytes  = 16 << 10
)

// Parts cuts a text into parts of up to that many rows and up to PartBytes. All of the text is in them, in order. A last
// line without a newline is a line too; an empty text has none.
func Parts(text string, rows int) []Part {
	var parts []Part
	line := 1
	for from := 0; from < len(text); {
		p := Part{From: from, To: from, Line: line}
		for p.To < len(text) && p.Rows < rows {
			end := rowEnd(text, p.To)
			if p.Rows > 0 && end-from > PartBytes {
				break
			}
			if text[end-1] == '\n' {
				line++
			}
			p.To = end
			p.Rows++
		}
		parts = append(parts, p)
		from = p.To
	}
	return parts
}

// RowsOf are the rows of a part of text.
func RowsOf(text string, p Part) []Row {
	rows := make([]Row, 0, p.Rows)
	line := p.Line
	for from := p.From; from < p.To; {
		r := Row{From: from, To: rowEnd(text, from)}
		if from == 0 || text[from-1] == '\n' {
			r.Line = line
		}
		if text[r.To-1] == '\n' {
			line++
		}
		rows = append(rows, r)
		from = r.To
	}
	return rows
}

// rowEnd is where the row ends that begins at from.
func rowEnd(text string, from int) int {
	most := min(from+PieceBytes, len(text))
	if i := strings.IndexByte(text[from:most], '\n'); i >= 0 {
		return from + i + 1
	}
	if most == len(text) {
		return most
	}
	if text[most] == '\n' {
		return most + 1 // a newline in a row of its own would look like an empty line
	}
	for end := most; end > most-utf8.UTFMax; end-- {
		if utf8.RuneStart(text[end]) {
			return end
		}
	}
	return most // it isn't UTF-8 there
}

// Lines is how many lines a text has, counted as in Parts.
func Lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// LineTotal says how many lines there are: "1 line", "1,204 lines".
func LineTotal(n int) string { return some(n, "line") }

// A Mark stands for a character that can't be seen, or for several of a kind in a row.
type Mark struct {
	From, To int // of the text, in bytes
	Name     string
}

// Hidden is where a text has characters that can't be seen or that change the direction of what can, and how many they
// are in all. Marks are at most so many. A carriage return before a newline is none: that is how some systems end lines;
// nor is what joins two emoji to one.
func Hidden(text string, most int) (marks []Mark, count int) {
	var before rune
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c < 0x7F || c == '\n' || c == '\t' {
			before = rune(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		name, hidden := pastebin.Invisible(r)
		switch {
		case r == '\r':
			name, hidden = "U+000D carriage return", !strings.HasPrefix(text[i+size:], "\n")
		case r == joiner:
			hidden = hidden && !joins(before, text[i+size:])
		}
		if hidden {
			count++
			if n := len(marks); n > 0 && marks[n-1].To == i && marks[n-1].Name == name {
				marks[n-1].To = i + size
			} else if n < most {
				marks = append(marks, Mark{i, i + size, name})
			}
		}
		before = r
		i += size
	}
	return marks, count
}

// joiner is the zero width joiner.
const joiner = '\u200D'

func joins(before rune, rest string) bool {
	after, size := utf8.DecodeRuneInString(rest)
	return size > 0 && pictured(before) && pictured(after)
}

// pictured tells whether r is an emoji, or ends one: a skin tone, or what asks for the picture in place of the letter.
func pictured(r rune) bool {
	return r == '\uFE0F' || r >= 0x1F3FB && r <= 0x1F3FF || unicode.Is(unicode.So, r)
}

// HiddenSentence says how many characters Hidden found, and how many of them are marked.
func HiddenSentence(marks []Mark, count int, text string) string {
	marked := 0
	for _, m := range marks {
		marked += utf8.RuneCountInString(text[m.From:m.To])
	}
	what := " characters here are invisible or change the direction of text: they are marked."
	switch {
	case count == 0:
		return ""
	case count == 1:
		return "1 character here is invisible or changes the direction of text: it is marked."
	case marked < count:
		what = " characters here are invisible or change the direction of text: the first " + view.Count(int64(marked)) + " are marked."
	}
	return view.Count(int64(count)) + what
}

// LineRange reads what a reader types to name lines: "12", "3-9", "L3-9", "9–3".
func LineRange(s string) (from, to int, ok bool) {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '–' || r == '—' || r == ':':
			return '-'
		case unicode.IsSpace(r) || r == 'L' || r == 'l':
			return -1
		}
		return r
	}, s)
	first, second, isRange := strings.Cut(s, "-")
	from, err := strconv.Atoi(first)
	if err != nil || from < 1 {
		return 0, 0, false
	}
	if !isRange {
		return from, from, true
	}
	to, err = strconv.Atoi(second)
	if err != nil || to < 1 {
		return 0, 0, false
	}
	return min(from, to), max(from, to), true
}

// LinesName names lines: "line 3", "lines 3–9".
func LinesName(from, to int) string {
	if from == to {
		return "line " + view.Count(int64(from))
	}
	return "lines " + view.Count(int64(from)) + "–" + view.Count(int64(to))
}

// LineField is how LineRange is given the same lines: "3", "3-9".
func LineField(from, to int) string {
	s := strconv.Itoa(from)
	if to != from {
		s += "-" + strconv.Itoa(to)
	}
	return s
}

// fileNameBytes is how long a name may be; file systems take 255 with what else is added to it.
const fileNameBytes = 120

// FileName is the name that a paste is downloaded under: its title without anything that could lead elsewhere or be read
// otherwise than it is, and an ending that says what it is.
func FileName(p pastebin.Paste, isText bool) string {
	title := p.Title
	if title == "" {
		title = "paste " + p.ID
	}
	if i := strings.LastIndexAny(title, `/\`); i >= 0 {
		title = title[i+1:]
	}
	name := strings.Map(func(r rune) rune {
		if _, hidden := pastebin.Invisible(r); hidden || r == utf8.RuneError || unicode.IsControl(r) || strings.ContainsRune(`<>:"|?*`, r) {
			return -1
		}
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, title)
	name = clipped(strings.Trim(name, " ."), fileNameBytes)
	if name == "" {
		name = "paste"
	}
	if reserved(name) {
		name = "_" + name
	}
	ends := []string{"txt"}
	if !isText {
		ends = []string{"bin"}
	} else {
		for _, l := range pastebin.Languages {
			if l.Name == p.Language && len(l.Extensions) > 0 {
				ends = l.Extensions
			}
		}
	}
	for _, end := range ends {
		if has := path.Ext(name); strings.EqualFold(strings.TrimPrefix(has, "."), strings.TrimPrefix(end, ".")) {
			return name
		}
	}
	return name + "." + strings.TrimPrefix(ends[0], ".")
}

// clipped is at most so many bytes of s, in whole characters, and without blanks or dots where it was cut.
func clipped(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return strings.TrimRight(s[:most], " .")
}

// reserved tells whether a file of that name is a device of Windows, whatever its ending.
func reserved(name string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch base = strings.TrimSpace(base); base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	number, isPort := strings.CutPrefix(base, "COM")
	if !isPort {
		number, isPort = strings.CutPrefix(base, "LPT")
	}
	return isPort && utf8.RuneCountInString(number) == 1 && strings.Contains("0123456789¹²³", number)
}

// Hex shows bytes sixteen a row: where in the file, the bytes, and the ASCII characters among them.
func Hex(b []byte) string {
	const digits, wide = "0123456789abcdef", 16
	var s strings.Builder
	for at := 0; at < len(b); at += wide {
		for shift := 16; shift >= 0; shift -= 4 {
			s.WriteByte(digits[at>>shift&15])
		}
		s.WriteByte(' ')
		row := b[at:min(at+wide, len(b))]
		for i := range wide {
			if i == wide/2 {
				s.WriteByte(' ')
			}
			if i < len(row) {
				s.WriteString(" " + string(digits[row[i]>>4]) + string(digits[row[i]&15]))
			} else {
				s.WriteString("   ")
			}
		}
		s.WriteString("  ")
		for _, c := range row {
			if c < ' ' || c > '~' {
				c = '.'
			}
			s.WriteByte(c)
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// LineEnds says how a text's lines end, where that is not by line feeds alone; "" else.
func LineEnds(text string) string {
	crlf := strings.Count(text, "\r\n")
	switch all := strings.Count(text, "\n"); {
	case crlf == 0:
		return ""
	case crlf == all:
		return "lines end in CRLF"
	default:
		return view.Count(int64(crlf)) + " of " + view.Count(int64(all)) + " lines end in CRLF"
	}
}

// After is what a reader can do about a paste that err kept from being read. It follows the reason that err gives.
func After(err error) string {
	var e *pastebin.Error
	switch {
	case errors.Is(err, pastebin.ErrNotFound):
		return "A paste is only in the browser it was made in. This one may be in another browser, in another profile of this one, " +
			"in a private window, or at another address of this site. Open the link there, or ask whoever made it for a link with content or for the file. " +
			"If the link was typed, check it: capital letters count."
	case errors.Is(err, pastebin.ErrDeleted):
		return "Its link will never name another paste. If you have a copy of it, create a new one."
	case errors.Is(err, pastebin.ErrExpired):
		return "Its time was set when it was created. If this device’s clock is wrong, set it right and open the link again."
	case errors.Is(err, pastebin.ErrBurned):
		return "If that was not you, whoever opened it has read the text. Ask for a new paste."
	case errors.As(err, &e) && e.Status == 500:
		return "Nothing of it is shown, so that half a paste is never taken for the whole. If you have exported your pastes, " +
			"import that file."
	}
	if f := simulated(err); f != nil && f.Call != "primary_delete" { // which may have burned it
		return "All that is kept in this browser is safe: what failed is the call to " + server(f) + "."
	}
	return ""
}

// Trouble says where a call that the simulation kept from being answered failed; "" of any other error. It begins with a
// space.
func Trouble(err error) string {
	if f := simulated(err); f != nil {
		return " What failed is the call to " + server(f) + ", not this page."
	}
	return ""
}

// simulated is the failure that the simulation made up; nil if a real store failed, or something else did.
func simulated(err error) *live.Failure {
	if f := (*live.Failure)(nil); errors.As(err, &f) && f.Err == nil {
		return f
	}
	return nil
}

func server(f *live.Failure) string {
	if strings.HasPrefix(f.Call, "object_") {
		return "the simulated bucket"
	}
	return "the simulated primary"
}

// Elsewhere says that a paste which is open has come to its end in another tab; "" if it lives.
func Elsewhere(end pastebin.End) string {
	how := ""
	switch end {
	case "":
		return ""
	case pastebin.Expired:
		how = "This paste has expired."
	case pastebin.Burned:
		how = "This paste was burned by another tab."
	default:
		how = "This paste was deleted in another tab."
	}
	return how + " It is still here until you close it; a new paste from it would keep it."
}

// Ignored says what was left out of an address; "" if nothing was.
func Ignored(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return "The link was read without what does not belong to it. Left out: " + listed(parts)
}

// listed is some parts of an address, at the end of a sentence.
func listed(parts []string) string {
	const most = 3
	var named []string
	for _, part := range parts[:min(len(parts), most)] {
		named = append(named, foreign(part))
	}
	s := strings.Join(named, ", ")
	if n := len(parts) - most; n > 0 {
		s += ", and " + view.Count(int64(n)) + " more"
	}
	return s + "."
}

// foreign is a stranger's words within a sentence: quoted, so that they are not taken for ours, cut if they are long, and
// with nothing in them that can't be seen or that turns the words around them.
func foreign(s string) string {
	const isolate, end = "\u2068", "\u2069"
	var seen strings.Builder
	for _, r := range json.Shorten(s) {
		if name, hidden := pastebin.Invisible(r); hidden {
			code, _, _ := strings.Cut(name, " ")
			seen.WriteString("[" + code + "]")
		} else {
			seen.WriteRune(r)
		}
	}
	return isolate + "“" + seen.String() + "”" + end
}

// QRPath is the dark squares of a QR code as the path of an SVG picture, one unit a square and four units of margin.
func QRPath(size int, dark func(x, y int) bool) string {
	var d strings.Builder
	for y := range size {
		for x := 0; x < size; x++ {
			from := x
			for x < size && dark(x, y) {
				x++
			}
			if x > from {
				n := strconv.Itoa(x - from)
				d.WriteString("M" + strconv.Itoa(from+4) + " " + strconv.Itoa(y+4) + "h" + n + "v1h-" + n + "z")
			}
		}
	}
	return d.String()
}
