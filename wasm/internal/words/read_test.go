package words

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"stormbin/engine/live"
	"stormbin/engine/policy"
	"stormbin/pastebin"
)

// All of a text is in its parts, in order; the rows number its lines, and no row or part is too large to lay out.
func checkParts(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string, most int) {
	t.Helper()
	at, line, valid := 0, 1, utf8.ValidString(text)
	for _, p := range Parts(text, most) {
		if p.From != at || p.To <= p.From || p.Line != line {
			t.Fatalf("part %+v follows byte %d, line %d", p, at, line)
		}
		rows := RowsOf(text, p)
		if len(rows) != p.Rows || p.Rows > most || p.Rows > 1 && p.To-p.From > PartBytes {
			t.Fatalf("part %+v has %d rows", p, len(rows))
		}
		for _, r := range rows {
			if r.From != at || r.To <= r.From || r.To-r.From > PieceBytes+1 {
				t.Fatalf("row %+v follows byte %d", r, at)
			}
			want := 0
			if at == 0 || text[at-1] == '\n' {
				want = line
			}
			if r.Line != want {
				t.Fatalf("row %+v, want it to have the number %d", r, want)
			}
			piece := text[r.From:r.To]
			if i := strings.IndexByte(piece, '\n'); i >= 0 && i != len(piece)-1 || piece == "\n" && want == 0 {
				t.Fatalf("row %q of line %d", piece, line)
			}
			if valid && !utf8.ValidString(piece) {
				t.Fatalf("row %+v ends within a character", r)
			}
			if piece[len(piece)-1] == '\n' {
				line++
			}
			at = r.To
		}
	}
	if at != len(text) {
		t.Fatalf("%d of %d bytes are in parts", at, len(text))
	}
	if text != "" && text[len(text)-1] != '\n' {
		line++
	}
	if got := Lines(text); got != line-1 {
		t.Fatalf("%d lines, want %d", got, line-1)
	}
}

func TestParts(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":                       "",
		"a newline":                     "\n",
		"a line":                        "one",
		"lines":                         "one\ntwo\n\nfour\n",
		"a long line":                   strings.Repeat("x", 1<<20),
		"a line of just a piece":        strings.Repeat("x", PieceBytes) + "\ny",
		"a line of two pieces":          strings.Repeat("x", 2*PieceBytes) + "\n\n",
		"wide characters":               "a" + strings.Repeat("😀", 1<<16),
		"as many lines as there can be": strings.Repeat("\n", 1<<20),
		"no text":                       strings.Repeat("\x80", 3*PieceBytes),
	} {
		t.Run(name, func(t *testing.T) {
			checkParts(t, text, 100)
			checkParts(t, text, 1)
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.Map(rapid.IntRange(0, 3*PieceBytes), func(n int) string {
			return strings.Repeat("aä\u20ac😀", n/10) + strings.Repeat("b", n%10)
		})).Draw(t, "lines"), "\n")
		checkParts(t, text, rapid.IntRange(1, 50).Draw(t, "rows"))
	})
}

func TestHidden(t *testing.T) {
	for _, c := range []struct {
		text  string
		marks string // each as FROM-TO
		count int
	}{
		{"plain text\twith\n lines\n", "", 0},
		{"naïve 日本語 😀 العربية", "", 0},
		{"dos\r\nlines\r\n", "", 0},
		{"a\rb", "1-2", 1},
		{"a\u202Eb", "1-4", 1},
		{"colour \x1b[31m", "7-8", 1},
		{"a\u200B\u200B\u200Bb\u200B", "1-10 11-14", 4},
		{"\u200B\u202E", "0-3 3-6", 2},
		{"\uFEFFx\n", "0-3", 1},
		{"👩\u200D💻 and 🏳️\u200D🌈", "", 0}, // emoji
		{"a\u200Db", "1-4", 1},
		{"👩\u200D", "4-7", 1},
	} {
		marks, count := Hidden(c.text, 100)
		var got []string
		for _, m := range marks {
			got = append(got, fmt.Sprintf("%d-%d", m.From, m.To))
			if m.Name == "" {
				t.Errorf("%q: a mark without a name", c.text)
			}
		}
		if s := strings.Join(got, " "); s != c.marks || count != c.count {
			t.Errorf("%q: %s, %d in all; want %s, %d", c.text, s, count, c.marks, c.count)
		}
	}
}

// However many there are, no more are marked than may be, and it is said how many.
func TestHiddenIsBounded(t *testing.T) {
	text := strings.Repeat("\u200B\u200C", 1000)
	marks, count := Hidden(text, 10)
	if len(marks) != 10 || count != 2000 {
		t.Errorf("%d marks of %d characters", len(marks), count)
	}
	if s := HiddenSentence(marks, count, text); !strings.Contains(s, "2,000") || !strings.Contains(s, "first 10 ") {
		t.Errorf("says %q", s)
	}
	if s := HiddenSentence(nil, 0, "abc"); s != "" {
		t.Errorf("of none it says %q", s)
	}
}

func TestLineRange(t *testing.T) {
	for text, want := range map[string]string{
		"12": "12-12", "3-9": "3-9", "9-3": "3-9", "L3": "3-3", "L3-L9": "3-9", " 3 – 9 ": "3-9", "3:9": "3-9",
		"": "", "0": "", "-1": "", "3-": "", "-9": "", "3-0": "", "x": "", "1-2-3": "", "99999999999999999999": "",
	} {
		got := ""
		if from, to, ok := LineRange(text); ok {
			got = fmt.Sprintf("%d-%d", from, to)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.IntRange(1, 1e9).Draw(t, "a")
		b := rapid.IntRange(a, 1e9).Draw(t, "b")
		if from, to, ok := LineRange(LineField(a, b)); !ok || from != a || to != b {
			t.Errorf("%s is read as %d, %d, %t", LineField(a, b), from, to, ok)
		}
	})
}

func TestFileName(t *testing.T) {
	for _, c := range []struct {
		title, language string
		binary          bool
		want            string
	}{
		{"main.go", "go", false, "main.go"},
		{"main", "go", false, "main.go"},
		{"MAIN.GO", "go", false, "MAIN.GO"},
		{"README.markdown", "markdown", false, "README.markdown"},
		{"notes", "", false, "notes.txt"},
		{"notes.txt", "", false, "notes.txt"},
		{"", "", false, "paste k7.txt"},
		{"../../etc/passwd", "", false, "passwd.txt"},
		{`C:\boot.ini`, "", false, "boot.ini.txt"},
		{"..", "", false, "paste.txt"},
		{".bashrc", "", false, "bashrc.txt"},
		{"photo\u202Egpj.exe", "", false, "photogpj.exe.txt"},
		{"a\r\nb\x00c\td", "", false, "abcd.txt"},
		{`a<b>:"|?*c`, "", false, "abc.txt"},
		{"\uFFFD\xff", "", false, "paste.txt"},
		{"page.html", "", false, "page.html.txt"},
		{"photo.png", "", true, "photo.png.bin"},
		{"image", "go", true, "image.bin"},
		{"con", "", false, "_con.txt"},
		{"LPT1.txt", "", false, "_LPT1.txt"},
		{"console", "", false, "console.txt"},
		{"COM¹", "", false, "_COM¹.txt"},
		{"lpt³.log", "", false, "_lpt³.log.txt"},
		{"CONIN$", "", false, "_CONIN$.txt"},
		{"conout$.txt", "", false, "_conout$.txt"},
		{"COM12", "", false, "COM12.txt"},
		{"COM", "", false, "COM.txt"},
		{strings.Repeat("ä", 200), "", false, strings.Repeat("ä", 60) + ".txt"},
	} {
		if got := FileName(pastebin.Paste{ID: "k7", Title: c.title, Language: c.language}, !c.binary); got != c.want {
			t.Errorf("%q in %q, binary %t: %q, want %q", c.title, c.language, c.binary, got, c.want)
		}
	}
}

// No title makes a name that leads elsewhere, that hides what it is, or that no file can have.
func FuzzFileName(f *testing.F) {
	for _, title := range []string{"", "a/b", "con.", "\u202E", "\xff.", " . ", strings.Repeat("é.", 300)} {
		f.Add(title, true)
	}
	f.Fuzz(func(t *testing.T, title string, isText bool) {
		name := FileName(pastebin.Paste{ID: "k7", Title: title}, isText)
		end := ".txt"
		if !isText {
			end = ".bin"
		}
		base := strings.TrimSuffix(name, end)
		if !strings.HasSuffix(strings.ToLower(name), end) || base == "" || !utf8.ValidString(name) || len(name) > 255 ||
			strings.HasPrefix(name, ".") || strings.HasPrefix(name, " ") || strings.ContainsAny(name, "/\\:*?\"<>|") {
			t.Fatalf("%q becomes %q", title, name)
		}
		for _, r := range name {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("%q becomes %q, with %U", title, name, r)
			}
		}
	})
}

func TestHex(t *testing.T) {
	got := Hex([]byte("\x00\x01 0123456789~\x7f\xffAB"))
	want := "00000  00 01 20 30 31 32 33 34  35 36 37 38 39 7e 7f ff  .. 0123456789~..\n" +
		"00010  41 42" + strings.Repeat(" ", 45) + "AB\n"
	if got != want {
		t.Errorf("%q\nwant\n%q", got, want)
	}
	if got := Hex(nil); got != "" {
		t.Errorf("of no bytes: %q", got)
	}
}

func TestLineEnds(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a\nb\n": "", "a\rb": "", "a\r\nb\r\n": "lines end in CRLF", "a\r\nb\n": "1 of 2 lines end in CRLF",
	} {
		if got := LineEnds(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Each way of not being there has its own words, and what went by isn't said to have been elsewhere.
func TestAfter(t *testing.T) {
	seen := map[string]error{}
	for _, err := range []error{pastebin.ErrNotFound, pastebin.ErrDeleted, pastebin.ErrExpired, pastebin.ErrBurned} {
		says := After(&pastebin.Error{Status: 404, Reason: "…", Err: err})
		if says == "" {
			t.Errorf("%v: nothing is said", err)
		}
		if other := seen[says]; other != nil {
			t.Errorf("%v and %v: both %q", err, other, says)
		}
		seen[says] = err
		if elsewhere := strings.Contains(says, "another browser"); elsewhere != (err == pastebin.ErrNotFound) {
			t.Errorf("%v: %q", err, says)
		}
	}
	if says := After(errors.New("the world was started over")); says != "" {
		t.Errorf("of what nothing is known of: %q", says)
	}
}

// It is said what the simulation made up, and only of that. What may have burned a paste is not said to have left it safe.
func TestTroubleOfTheSimulation(t *testing.T) {
	for _, test := range []struct {
		failure live.Failure
		server  string // "": it was none
		safe    bool
	}{
		{live.Failure{Call: "primary_read", Outcome: policy.Refused}, "primary", true},
		{live.Failure{Call: "object_get", Outcome: policy.Timeout}, "bucket", true},
		{live.Failure{Call: "primary_delete", Outcome: policy.Timeout}, "primary", false},
		{live.Failure{Call: "primary_insert", Outcome: policy.Error, Err: pastebin.ErrQuota}, "", false},
	} {
		err := &pastebin.Error{Status: 503, Reason: "…", Err: &test.failure}
		after, trouble := After(err), Trouble(err)
		if safe := strings.Contains(after, "safe"); safe != test.safe || safe && !strings.Contains(after, "simulated "+test.server) {
			t.Errorf("%v: %q; safe: %t, want %t", err, after, safe, test.safe)
		}
		if (trouble != "") != (test.server != "") || !strings.Contains(trouble, test.server) {
			t.Errorf("%v: %q, want it to name the %s", err, trouble, test.server)
		}
	}
}

func TestIgnored(t *testing.T) {
	for _, test := range []struct {
		parts []string
		want  string // after what says that something was left out
	}{
		{[]string{"."}, "“.”."},
		{[]string{"&utm_source=x", "?fbclid=y"}, "“&utm_source=x”, “?fbclid=y”."},
		{[]string{"a\u202Eb\x00\u2069c"}, "“a[U+202E]b[U+0000][U+2069]c”."},
		{[]string{strings.Repeat("é", 1e6)}, "“" + strings.Repeat("é", 40) + "…”."},
		{[]string{".", "&a=1", "&b=2", "&c=3", "&d=4"}, "“.”, “&a=1”, “&b=2”, and 2 more."},
	} {
		got := strings.NewReplacer("\u2068", "", "\u2069", "").Replace(Ignored(test.parts))
		if _, named, _ := strings.Cut(got, "Left out: "); named != test.want {
			t.Errorf("%.100q: %.300q, want %q", test.parts, named, test.want)
		}
	}
	if got := Ignored(nil); got != "" {
		t.Errorf("of nothing it says %q", got)
	}
}

// Whatever stands after a link, the sentence about it stays in the direction it has, and is short.
func FuzzIgnored(f *testing.F) {
	f.Add("\u202Eall is well\u2069\u2066")
	f.Add("\xff\x00")
	f.Fuzz(func(t *testing.T, part string) {
		said := Ignored([]string{part, part, part, part})
		depth := 0
		for _, r := range said {
			switch _, hidden := pastebin.Invisible(r); {
			case r == '\u2068':
				depth++
			case r == '\u2069':
				depth--
			case hidden:
				t.Fatalf("%q: %U in %q", part, r, said)
			}
			if depth < 0 || depth > 1 {
				t.Fatalf("%q: not isolated in %q", part, said)
			}
		}
		if depth != 0 || len([]rune(said)) > 1200 {
			t.Fatalf("%q: %q", part, said)
		}
	})
}

// Dark squares are in the path, and light ones are not.
func TestQRPath(t *testing.T) {
	rows := []string{
		"##.#",
		"....",
		".###",
		"#..#",
	}
	path := QRPath(4, func(x, y int) bool { return rows[y][x] == '#' })
	want := "M4 4h2v1h-2z" + "M7 4h1v1h-1z" + "M5 6h3v1h-3z" + "M4 7h1v1h-1z" + "M7 7h1v1h-1z"
	if path != want {
		t.Errorf("%s, want %s", path, want)
	}
}
