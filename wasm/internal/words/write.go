package words

import (
	"bytes"
	"errors"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"stormbin/pastebin"
	"stormbin/wasm/internal/view"
)

// Size says how much of a paste's room n bytes take: "1,204 of 1,048,576 bytes", and how many are too many.
func Size(n int) string {
	s := view.Count(int64(n)) + " of " + view.Bytes(pastebin.MaxSize)
	if n > pastebin.MaxSize {
		s += ": " + view.Bytes(int64(n-pastebin.MaxSize)) + " too many"
	}
	return s
}

// File says what stands in for the text: a file of that name, "" if it has none, and of n bytes.
func File(name string, n int) string {
	s := "A file"
	if name != "" {
		s += ", " + foreign(name)
	}
	return s + ": " + Size(n) + ", kept exactly"
}

// TooLong says that what has n bytes where limit fit; nil if they do.
func TooLong(what string, n, limit int) error {
	if n <= limit {
		return nil
	}
	return errors.New("The " + what + " has " + view.Bytes(int64(n)) + ", and at most " + view.Count(int64(limit)) + " fit.")
}

// Halves says what becomes of n lone surrogates, which are halves of characters; "" of none.
func Halves(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "One character in it is only half there (a lone surrogate), which no file can hold: it is saved as U+FFFD, �."
	}
	return view.Count(int64(n)) + " characters in it are only half there (lone surrogates), which no file can hold: each is saved as U+FFFD, �."
}

// Editable says whether a text field gives b back as it was. It makes LF of every other line end, and holds no bytes
// that are not text.
func Editable(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, '\r') < 0 }

// Preview is how b begins: its first lines, or a few words if it is no text.
func Preview(b []byte) string {
	const lines, most = 8, 2048
	switch {
	case len(b) == 0:
		return "It is empty."
	case !utf8.Valid(b):
		return "It is no text."
	}
	s := string(b[:min(len(b), most)])
	at := 0
	for range lines {
		next := strings.IndexByte(s[at:], '\n')
		if next < 0 {
			at = len(s)
			break
		}
		at += next + 1
	}
	if s = strings.ToValidUTF8(s[:at], ""); len(s) < len(b) { // which may end within a character
		s += "…"
	}
	return s
}

// OtherDrafts says on a button that n more drafts are kept, and that it takes up the next of them; "" of none.
func OtherDrafts(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "Take up the other draft"
	}
	return "Take up the next of " + view.Count(int64(n)) + " other drafts"
}

// Heading is what a text is called that was given no title: its first line with a letter or a digit in it, or a few words of
// that. It is "" if there is none.
func Heading(b []byte) string {
	const most = 60 // characters
	for line := range strings.Lines(strings.ToValidUTF8(string(b[:min(len(b), 2048)]), "")) {
		if !strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			continue
		}
		if rest := strings.TrimLeft(line, "#"); strings.HasPrefix(rest, " ") { // Markdown's own headings
			line = rest
		}
		line = strings.Join(strings.Fields(line), " ")
		if r := []rune(line); len(r) > most {
			line = string(r[:most])
			if end := strings.LastIndexByte(line, ' '); end > most/2 {
				line = line[:end]
			}
			line += "…"
		}
		return line
	}
	return ""
}

// Unit is what a time of the reader's own is counted in.
type Unit struct {
	Name string // in the plural
	Long time.Duration
}

// Units are all, the shortest first.
var Units = []Unit{
	{"minutes", time.Minute}, {"hours", time.Hour}, {"days", 24 * time.Hour}, {"weeks", 7 * 24 * time.Hour}, {"years", 365 * 24 * time.Hour},
}

// Lives is how long so many units are, for a paste that is kept so long. A comma or a dot begins a fraction, and is refused
// where it could part thousands. The error says what would be right.
func Lives(number, unit string) (time.Duration, error) {
	const right = "a paste can be kept for 1 minute to 10 years."
	number = strings.TrimSpace(number)
	if number == "" {
		return 0, errors.New("Say how many " + unit + ": " + right)
	}
	if i := strings.LastIndexAny(number, ",."); i > 0 && len(number)-i == len(",000") {
		return 0, errors.New("“" + number + "” could be read in two ways, so write it without the “" + number[i:i+1] + "”: " + right)
	}
	x, err := strconv.ParseFloat(strings.Replace(number, ",", ".", 1), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, errors.New("“" + number + "” is not a number: " + right)
	}
	for _, u := range Units {
		if u.Name != unit {
			continue
		}
		// Compared as they are: what is far too much does not fit into a Duration.
		long := x * float64(u.Long)
		switch {
		case long < float64(pastebin.MinLives):
			return 0, errors.New(number + " " + unit + " is too short: " + right)
		case long > float64(pastebin.MaxLives):
			return 0, errors.New(number + " " + unit + " is too long: " + right)
		}
		return time.Duration(math.Round(long)).Round(time.Second), nil
	}
	return 0, errors.New("There is no unit “" + unit + "”: take minutes, hours, days, weeks or years.")
}

// Key is the key of what a reader means to save: seed, which was made when the draft was begun, and a fingerprint of all
// that is in it. So what is tried again is the same, however often, and what was changed in between is not.
func Key(seed string, d pastebin.Draft) string {
	h := fnv.New64a()
	for _, part := range []string{d.Title, d.Language, d.Lives.String(), strconv.FormatBool(d.Burn)} {
		h.Write([]byte(part))
		h.Write([]byte{0xFF}) // in no text: it ends the part
	}
	h.Write(d.Text)
	return seed + "-" + strconv.FormatUint(h.Sum64(), 16)
}
