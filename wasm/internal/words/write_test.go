package words

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"stormbin/pastebin"
)

func TestSize(t *testing.T) {
	for n, want := range map[int]string{
		1:                       "1 of 1,048,576 bytes",
		1204:                    "1,204 of 1,048,576 bytes",
		pastebin.MaxSize:        "1,048,576 of 1,048,576 bytes",
		pastebin.MaxSize + 1:    "1,048,577 of 1,048,576 bytes: 1 byte too many",
		pastebin.MaxSize + 1500: "1,050,076 of 1,048,576 bytes: 1,500 bytes too many",
	} {
		if got := Size(n); got != want {
			t.Errorf("of %d it says %q, want %q", n, got, want)
		}
	}
}

func TestTooLong(t *testing.T) {
	if err := TooLong("title", 256, 256); err != nil {
		t.Errorf("256 of 256 bytes: %v", err)
	}
	err := TooLong("title", 1257, 256)
	if err == nil || err.Error() != "The title has 1,257 bytes, and at most 256 fit." {
		t.Errorf("1,257 of 256 bytes: %v", err)
	}
}

func TestFile(t *testing.T) {
	for name, want := range map[string]string{
		"":                       "A file: 12 of 1,048,576 bytes, kept exactly",
		"a.txt":                  "A file, \u2068“a.txt”\u2069: 12 of 1,048,576 bytes, kept exactly",
		strings.Repeat("x", 300): "A file, \u2068“" + strings.Repeat("x", 40) + "…”\u2069: 12 of 1,048,576 bytes, kept exactly",
	} {
		if got := File(name, 12); got != want {
			t.Errorf("of %q it says %q, want %q", name, got, want)
		}
	}
}

func TestHalves(t *testing.T) {
	if got := Halves(0); got != "" {
		t.Errorf("of none it says %q", got)
	}
	for n, count := range map[int]string{1: "One character ", 1200: "1,200 characters "} {
		if got := Halves(n); !strings.HasPrefix(got, count) || !strings.Contains(got, "U+FFFD") {
			t.Errorf("of %d it says %q", n, got)
		}
	}
}

func TestOtherDrafts(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "Take up the other draft", 1200: "Take up the next of 1,200 other drafts"} {
		if got := OtherDrafts(n); got != want {
			t.Errorf("of %d it says %q, want %q", n, got, want)
		}
	}
}

func TestHeading(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		" \n---\n***\n":            "",
		"milk\nbread\n":            "milk",
		"\n\n  indented  \r\nmore": "indented",
		"---\n## Notes\n":          "Notes",
		"#!/bin/sh\n":              "#!/bin/sh",
		"#1 of 3":                  "#1 of 3",
		"買い物\n牛乳":                  "買い物",
		"one\ttwo\rthree":          "one two three",
		"\xff\xfe":                 "",
		"one two three four five six seven eight nine ten eleven twelve": "one two three four five six seven eight nine ten eleven…",
		strings.Repeat("é", 70): strings.Repeat("é", 60) + "…",
	} {
		if got := Heading([]byte(text)); got != want {
			t.Errorf("%q is called %q, want %q", text, got, want)
		}
	}
}

// Whatever the text, what it is called fits into a title and is on one line.
func TestAnyHeading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := []byte(rapid.String().Draw(t, "text"))
		got := Heading(b)
		if len(got) > pastebin.MaxTitle || strings.ContainsAny(got, "\r\n") || !utf8.ValidString(got) {
			t.Fatalf("%q is called %q", b, got)
		}
	})
}

func TestEditable(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "two\nlines\n": true, "a\x00b": true, "\uFEFFx\n": true, "naïve \U0001F329": true,
		"dos\r\n": false, "mac\r": false, "\xff": false, "half \xed\xa0\xbd": false,
	} {
		if got := Editable([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestLives(t *testing.T) {
	for _, c := range []struct {
		number, unit string
		want         time.Duration
	}{
		{"1", "minutes", time.Minute},
		{"90", "minutes", 90 * time.Minute},
		{"1.5", "hours", 90 * time.Minute},
		{"1,5", "hours", 90 * time.Minute},
		{" 3 ", "days", 72 * time.Hour},
		{"2", "weeks", 14 * 24 * time.Hour},
		{"10", "years", pastebin.MaxLives},
		{"0.02", "hours", 72 * time.Second},
		{"1.5000", "hours", 90 * time.Minute},
		{"1000", "days", 1000 * 24 * time.Hour},
	} {
		got, err := Lives(c.number, c.unit)
		if err != nil || got != c.want {
			t.Errorf("%s %s: %v, %v, want %v", c.number, c.unit, got, err, c.want)
		}
	}
	for _, c := range []struct{ number, unit, say string }{
		{"", "days", "how many days"},
		{"soon", "days", "“soon”"},
		{"NaN", "days", "not a number"},
		{"Inf", "days", "not a number"},
		{"1e300", "years", "too long"},
		{"0", "days", "too short"},
		{"-1", "days", "too short"},
		{"59", "seconds", "minutes, hours"},
		{"0.9", "minutes", "too short"},
		{"1,000", "days", "two ways"},
		{"2.000", "days", "two ways"},
		{" 1.500 ", "minutes", "two ways"},
		{"1,000,000", "minutes", "two ways"},
		{"1.000,5", "minutes", "not a number"},
		{"10.01", "years", "too long"},
	} {
		_, err := Lives(c.number, c.unit)
		if err == nil || !strings.Contains(err.Error(), c.say) || !strings.Contains(err.Error(), "minute") {
			t.Errorf("%s %s: %v, want it to say %q and what would be right", c.number, c.unit, err, c.say)
		}
	}
}

// What is tried again has the key that it had; whatever is changed makes another.
func TestKey(t *testing.T) {
	draft := func(t *rapid.T, name string) pastebin.Draft {
		return pastebin.Draft{
			Title:    rapid.StringN(0, 5, -1).Draw(t, name+" title"),
			Language: rapid.SampledFrom([]string{"", "go"}).Draw(t, name+" language"),
			Text:     rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, name+" text"),
			Lives:    time.Duration(rapid.IntRange(0, 2).Draw(t, name+" lives")) * time.Minute,
			Burn:     rapid.Bool().Draw(t, name+" burn"),
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := draft(t, "a"), draft(t, "b")
		same := a.Title == b.Title && a.Language == b.Language && string(a.Text) == string(b.Text) && a.Lives == b.Lives && a.Burn == b.Burn
		if got := Key("seed", a) == Key("seed", b); got != same {
			t.Errorf("%+v and %+v: the same key: %v", a, b, got)
		}
		if Key("one", a) == Key("two", a) {
			t.Errorf("%+v: two drafts of it have one key", a)
		}
	})
	moved := Key("s", pastebin.Draft{Title: "ab", Text: []byte("c")})
	if moved == Key("s", pastebin.Draft{Title: "a", Text: []byte("bc")}) {
		t.Error("what moves from the title to the text makes no difference")
	}
}

func TestPreview(t *testing.T) {
	for text, want := range map[string]string{
		"": "It is empty.", "a\xff": "It is no text.", "one\r\ntwo\n": "one\r\ntwo\n", "no end": "no end",
		strings.Repeat("x\n", 8):        strings.Repeat("x\n", 8),
		strings.Repeat("x\n", 9):        strings.Repeat("x\n", 8) + "…",
		strings.Repeat("x", 5000):       strings.Repeat("x", 2048) + "…",
		"x" + strings.Repeat("é", 2000): "x" + strings.Repeat("é", 1023) + "…",
	} {
		if got := Preview([]byte(text)); got != want {
			t.Errorf("of %.20q it shows %q, want %q", text, got, want)
		}
	}
}
