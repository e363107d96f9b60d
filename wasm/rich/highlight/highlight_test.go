package highlight

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2/lexers"
	"pgregory.net/rapid"

	"stormbin/pastebin"
	"stormbin/wasm/internal/rich"
)

func TestParts(t *testing.T) {
	for _, c := range []struct{ language, text, part, want string }{
		{"go", "package main // say\n", "package", rich.Keyword},
		{"go", "package main // say\n", "// say", rich.Comment},
		{"go", "var s string = \"été\"\r\nx := 12", `"été"`, rich.String},
		{"go", "var s string = \"été\"\r\nx := 12", "string", rich.Type},
		{"go", "var s string = \"été\"\r\nx := 12", "12", rich.Number},
		{"go", "func add() { return nil }", "add", rich.Function},
		{"go", "func add() { return nil }", "nil", rich.Literal},
		{"go", "//go:build js\npackage main", "//go:build js", rich.Directive},
		{"json", `{"key": "value"}`, `"key"`, rich.Tag},
		{"json", `{"key": "value"}`, `"value"`, rich.String},
		{"json", `[true, -1.5]`, "true", rich.Literal},
		{"json", `[true, -1.5]`, "-1.5", rich.Number},
		{"html", `<a href="x">y &amp; z</a>`, "href", rich.Attribute},
		{"html", `<a href="x">y &amp; z</a>`, "y", rich.Plain},
		{"html", `<a href="x">y &amp; z</a>`, "&amp;", rich.Literal},
		{"html", `<b><script>let x = 1</script>`, "let", rich.Keyword},
		{"css", "a { color: red }", "color", rich.Keyword},
		{"python", "# say\nclass A:\n  pass", "# say", rich.Comment},
		{"python", "# say\nclass A:\n  pass", "A", rich.Type},
		{"python", "@cached\ndef f(): pass", "@cached", rich.Attribute},
		{"bash", "if true; then echo \"$HOME\"; fi", "then", rich.Keyword},
		{"sql", "SELECT a FROM b -- say", "SELECT", rich.Keyword},
		{"diff", "--- a\n+++ b\n-old\n+new\n", "-old\n", rich.Deleted},
		{"diff", "--- a\n+++ b\n-old\n+new\n", "+new\n", rich.Inserted},
		{"markdown", "# one\n\nsome **bold** words\n", "# one", rich.Heading},
		{"markdown", "# one\n\nsome **bold** words\n", "**bold**", rich.Strong},
		{"c", "#include <stdio.h>\nint x;", "#include", rich.Directive},
		{"", "package main", "package", rich.Plain},
		{"klingon", "package main", "package", rich.Plain},
	} {
		at, found := 0, false
		for _, token := range Text(c.text, c.language) {
			part := c.text[at : at+token.Length]
			if token.Kind == c.want && strings.Contains(part, c.part) {
				found = true
			}
			at += token.Length
		}
		if !found {
			t.Errorf("%s %q: no %q token has %q in it: %v", c.language, c.text, c.want, c.part, Text(c.text, c.language))
		}
	}
}

// Every language that the pastebin offers can be coloured, under the same name.
func TestTheLanguagesOfThePastebinAreKnown(t *testing.T) {
	for _, l := range pastebin.Languages {
		if l.Name == "" {
			continue
		}
		lexer := lexers.Get(l.Name)
		if lexer == nil {
			t.Errorf("%s (%s): no such language here", l.Name, l.Label)
			continue
		}
		if c := lexer.Config(); !slices.Contains(c.Aliases, l.Name) && !strings.EqualFold(c.Name, l.Name) {
			t.Errorf("%s (%s) is taken for %s", l.Name, l.Label, c.Name)
		}
	}
}

// awkward are texts that lexers may choke on.
var awkward = []string{
	"", "\n", "\r", "\r\n", "\n\r", "a", "a\r\nb\rc\n", "\x00", "a\x00b", "\xff", "a\xffb\xc3", "\xf0\x9f\x98", "\xef\xbb\xbfx\n", "\ufffd\xff\ufffd",
	"😀", "e\u0301", "\u2028", "\u202e", "\"", "'", "`", "\"\"\"", "/*", "*/", "<!--", "<script>", "</script>", "<?php", "<%", "{{", "}}", "{%", "---\n", "---\na: b\n---\n# c\n",
	"((((", "))))", "]]]]", "}}}}", "\\", "\\\r\n", "#", "#!/bin/sh\r\nx", "@@ -1 +1 @@", "<<EOF\nx", "$(", "${", "$$", "%", "&", "a b c", "0x", "1e", "1.", ".5", "::", "->",
	"```go\nx\n```\n", "```\r\nx\r\n```", "Begin\n end.", "if then else fi", "\t\v\f ", " \u00a0",
}

// Not all lexers give back what they are given, and some panic.
func TestEveryLanguageEndsWithAllOfTheText(t *testing.T) {
	for _, language := range names() {
		for _, text := range awkward {
			check(t, text, language)
		}
		check(t, strings.Join(awkward, " "), language)
	}
}

func TestAnyText(t *testing.T) {
	languages := names()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.OneOf(rapid.SampledFrom(awkward), rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		text := strings.Join(rapid.SliceOfN(parts, 0, 20).Draw(t, "parts"), "")
		check(t, text, rapid.SampledFrom(languages).Draw(t, "language"))
	})
}

func FuzzText(f *testing.F) {
	languages := names()
	for i, text := range awkward {
		f.Add(uint8(i), text)
	}
	f.Fuzz(func(t *testing.T, language uint8, text string) {
		if len(text) > 1<<10 {
			t.Skip("some patterns try all there is, and take seconds")
		}
		check(t, text, languages[int(language)%len(languages)])
	})
}

// A line as long as a text may be is a line like others.
func TestOneLongLine(t *testing.T) {
	object := `{"name": "été", "n": [1, 2.5e3, true, null], "s": "\u00e9\n"}, `
	line := strings.Repeat(object, rich.MaxHighlight/len(object))
	for _, language := range []string{"json", "go"} {
		check(t, line, language)
	}
}

func names() []string {
	var names []string
	for _, l := range pastebin.Languages {
		names = append(names, l.Name)
	}
	return names
}

// check holds what is said of a text's tokens.
func check(t interface{ Fatalf(string, ...any) }, text, language string) {
	at, last := 0, "none yet"
	for i, token := range Text(text, language) {
		switch end := at + token.Length; {
		case !slices.Contains(rich.Kinds[:], token.Kind):
			t.Fatalf("%s %q: token %d is a %q", language, text, i, token.Kind)
		case token.Kind == last:
			t.Fatalf("%s %q: tokens %d and %d are both %q", language, text, i-1, i, last)
		case token.Length <= 0 || end > len(text):
			t.Fatalf("%s %q: token %d is %d bytes from %d", language, text, i, token.Length, at)
		case splits(text, end):
			t.Fatalf("%s %q: token %d ends within a character, at %d", language, text, i, end)
		default:
			at, last = end, token.Kind
		}
	}
	if at != len(text) {
		t.Fatalf("%s %q: the tokens end at %d, the text at %d", language, text, at, len(text))
	}
}

// splits tells whether a character of text begins before at and ends behind it.
func splits(text string, at int) bool {
	for i := max(0, at-utf8.UTFMax+1); i < at; i++ {
		if _, n := utf8.DecodeRuneInString(text[i:]); n > 1 && i+n > at && utf8.RuneStart(text[i]) {
			return true
		}
	}
	return false
}
