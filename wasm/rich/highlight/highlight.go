// Package highlight finds out what the parts of a text are to its language.
package highlight

import (
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"stormbin/wasm/internal/rich"
)

// Text is the tokens of text, whatever it holds, in the language of that name, one of chroma's. A language that isn't
// known, and "", has one plain token. It can take long, and for ever: some texts make a language's patterns try all there
// is, and two of the rarer languages go round in a circle at a NUL. Whoever calls it must be able to end it from outside.
func Text(text, language string) []rich.Token {
	c := newCutter(text)
	c.run(language)
	c.take(rich.Plain, c.size) // what is left
	return c.tokens
}

// cutter cuts a text into tokens, from its beginning to its end.
//
// Lexers read a text that was made even: lines end in \n, and what is no character is U+FFFD. And not all of them give
// back what they were given. So each token is held against the text as it was read, and where it is something else the
// colours end.
type cutter struct {
	even   []rune  // of the text, made even
	widths []uint8 // for each of them, how many bytes of the text it was
	size   int     // in bytes, of what isn't cut yet
	tokens []rich.Token
}

func newCutter(text string) *cutter {
	c := &cutter{size: len(text)}
	for rest := text; rest != ""; {
		r, width := utf8.DecodeRuneInString(rest)
		if r == '\r' {
			r = '\n'
			if strings.HasPrefix(rest, "\r\n") {
				width = 2
			}
		}
		c.even = append(c.even, r)
		c.widths = append(c.widths, uint8(width))
		rest = rest[width:]
	}
	return c
}

// run cuts as much as a lexer makes sense of.
func (c *cutter) run(language string) {
	if language == "" {
		return // which would be a file without an ending to the registry
	}
	lexer := lexers.Get(language)
	if lexer == nil {
		return
	}
	defer func() { recover() }() // a lexer whose rules can't go on panics; what it said until then is good
	next, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, string(c.even))
	if err != nil {
		return
	}
	for t := next(); t != chroma.EOF; t = next() {
		length, ok := c.match(t.Value)
		c.take(kindOf(t.Type), length)
		if !ok {
			return
		}
	}
}

// match takes s off what is to come, as far as it is that, and tells how many bytes of the text this was and whether it
// was all of s.
func (c *cutter) match(s string) (length int, whole bool) {
	n := 0
	for _, r := range s {
		if n == len(c.even) || r != c.even[n] {
			break
		}
		length += int(c.widths[n])
		n++
	}
	whole = n == utf8.RuneCountInString(s)
	c.even, c.widths = c.even[n:], c.widths[n:]
	return length, whole
}

// take makes a token of the next bytes, or a part of the last one if that is of the same kind.
func (c *cutter) take(kind string, length int) {
	if length == 0 {
		return
	}
	c.size -= length
	if last := len(c.tokens) - 1; last >= 0 && c.tokens[last].Kind == kind {
		c.tokens[last].Length += length
		return
	}
	c.tokens = append(c.tokens, rich.Token{Kind: kind, Length: length})
}
