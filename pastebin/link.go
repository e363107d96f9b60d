package pastebin

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strconv"
	"strings"

	"stormbin/engine/json"
)

// Links are fragments of the page's address, so that no server sees them.
//
//	#p/ID              a paste in this browser; :L3 or :L3-9 names lines of it
//	#c1/N.SUM.PAYLOAD  a paste with its content. N is the length of PAYLOAD, in front, so that a link which was cut can
//	                   say how much is missing; SUM its CRC-32, eight hexadecimal digits. PAYLOAD is base64url of deflate
//	                   of title, language (each after its length, a uvarint) and text.
const (
	pasteLink   = "p/"
	contentLink = "c"
	version     = "1"
)

// MaxLink is how many characters a link with content may have: what mail, chats and old browsers carry whole.
const MaxLink = 2000

// Link is what a fragment names: the paste of an ID, or a Content.
type Link struct {
	ID string
	// From and To are the first and the last line it points at, from 1. 0: none.
	From, To int
	Content  *Content
}

// Content is a paste that is nowhere but in its link.
type Content struct {
	Title, Language string
	Text            []byte
}

// ErrNotALink is the error for a fragment that means something else, or nothing.
var ErrNotALink = errors.New("not a link to a paste")

// ErrTooLong is the cause where a link would be longer than MaxLink.
var ErrTooLong = errors.New("too long for a link")

// BadLink is the error for a link to a paste that can't be followed.
type BadLink struct {
	// Reason is for the reader: whole sentences.
	Reason string
}

func (e *BadLink) Error() string { return e.Reason }

// PasteLink is the fragment for the paste of that id, with the # in front.
func PasteLink(id string) string { return "#" + pasteLink + id }

// LineLink is PasteLink for some lines of it, from 1, the last included.
func LineLink(id string, from, to int) string {
	link := PasteLink(id) + ":L" + strconv.Itoa(from)
	if to != from {
		link += "-" + strconv.Itoa(to)
	}
	return link
}

// ContentLink is the fragment that carries c itself, with the # in front. The error is an [*Error], 413, its cause
// ErrTooLong, if that has more than MaxLink characters.
func ContentLink(c Content) (string, error) {
	payload := base64.RawURLEncoding.EncodeToString(deflate(c))
	link := fmt.Sprintf("#%s%s/%d.%08x.%s", contentLink, version, len(payload), crc32.ChecksumIEEE([]byte(payload)), payload)
	if len(link) > MaxLink {
		return "", &Error{
			Status: tooLarge,
			Reason: fmt.Sprintf("A link with this content would have %s characters, and at most %s are sure to arrive whole.", count(len(link)), count(MaxLink)),
			Err:    ErrTooLong,
		}
	}
	return link, nil
}

// ParseLink reads a fragment, with the # in front or without. It takes one that was percent-encoded, that ends in
// punctuation of the sentence it stood in, or that has got parameters of a tracker's. ignored is what it left out. The
// error is ErrNotALink, or a [*BadLink] that says what is wrong.
func ParseLink(fragment string) (l Link, ignored []string, err error) {
	link := strings.TrimLeft(unescape(fragment), "#")
	if link+"/" == pasteLink || link == contentLink {
		return Link{}, nil, cutShort()
	}
	if rest, ok := strings.CutPrefix(link, pasteLink); ok {
		return parsePaste(rest)
	}
	if rest, ok := strings.CutPrefix(link, contentLink); ok {
		digits := leading(rest, "0123456789")
		rest = rest[len(digits):]
		if digits != "" && (rest == "" || rest[0] == '/') {
			if digits != version {
				return Link{}, nil, bad("This link has version %s, and this page reads version %s. Load the page anew; if that does not help, the link was altered.", json.Shorten(digits), version)
			}
			return parseContent(strings.TrimPrefix(rest, "/"))
		}
	}
	return Link{}, nil, ErrNotALink
}

// unescape undoes percent-encoding, which programs that pass links on may do more than once. They don't encode what a
// link's own parts are made of, so there a % is something else.
func unescape(s string) string {
	for range 3 {
		var plain strings.Builder
		for i := 0; i < len(s); i++ {
			c := s[i]
			if c == '%' && i+2 < len(s) {
				if b, err := hex.DecodeString(s[i+1 : i+3]); err == nil && !strings.Contains(alphanumeric+"-_", string(b)) {
					c, i = b[0], i+2
				}
			}
			plain.WriteByte(c)
		}
		if plain.Len() == len(s) {
			break
		}
		s = plain.String()
	}
	return s
}

// parsePaste reads what comes after #p/.
func parsePaste(s string) (l Link, ignored []string, err error) {
	l.ID = leading(s, alphanumeric)
	rest := s[len(l.ID):]
	switch missing := idLength - len(l.ID); {
	case missing > 0 && onlyTail(rest):
		return Link{}, nil, bad("The link was cut: %d of the %d letters of its id are missing. Ask for the whole link, or copy it again.", missing, idLength)
	case !isID(l.ID):
		return Link{}, nil, bad("The link was altered: %q is no id of a paste. Copy it again from where it was made.", json.Shorten(l.ID))
	}
	if lines, ok := strings.CutPrefix(rest, ":L"); ok {
		if from, to, n := parseLines(lines); n > 0 {
			l.From, l.To = from, to
			rest = lines[n:]
		}
	}
	return l, leftOut(rest), nil
}

// parseLines reads 3 or 3-9, or 3-L9. n is how long that is; 0 if it is no such thing.
func parseLines(s string) (from, to, n int) {
	first := leading(s, "0123456789")
	from, err := strconv.Atoi(first)
	if err != nil || from < 1 {
		return 0, 0, 0
	}
	n, to = len(first), from
	if rest, ok := strings.CutPrefix(s[n:], "-"); ok {
		rest = strings.TrimPrefix(rest, "L")
		second := leading(rest, "0123456789")
		if last, err := strconv.Atoi(second); err == nil && last > 0 {
			n, to = len(s)-len(rest)+len(second), last
		}
	}
	return min(from, to), max(from, to), n
}

// parseContent reads what comes after #c1/.
func parseContent(s string) (l Link, ignored []string, err error) {
	digits := leading(s, "0123456789")
	rest := s[len(digits):]
	switch {
	case rest == "":
		return Link{}, nil, cutShort()
	case digits == "" || len(digits) > 7 || rest[0] != '.':
		return Link{}, nil, altered()
	}
	length, _ := strconv.Atoi(digits)
	whole := len(digits) + len(".") + sumLength + len(".") + length
	sum := leading(rest[1:], "0123456789abcdef")
	sum = sum[:min(len(sum), sumLength)]
	rest = rest[1+len(sum):]
	payload := ""
	if len(sum) == sumLength && strings.HasPrefix(rest, ".") {
		payload = leading(rest[1:], alphanumeric+"-_")
		rest = rest[1+len(payload):]
	}
	right := len(sum) == sumLength && sum == fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(payload)))
	ignored = leftOut(rest)
	switch {
	case right && len(payload) == length:
	case right && payload != "", len(payload) >= length, !onlyTail(rest), len(rest) == 1 && len(s) == whole:
		// As much as there should be, but not the same; or something that no cut leaves.
		return Link{}, nil, altered()
	default:
		missing := whole - (len(s) - len(rest))
		front := len(contentLink) + len(version) + len("#/")
		return Link{}, nil, bad("The link was cut: %s of its %s characters are missing. Ask for the whole link, or copy it again.", count(missing), count(front+whole))
	}
	c, err := inflate(payload)
	if err != nil {
		return Link{}, nil, altered()
	}
	return Link{Content: &c}, ignored, nil
}

// sumLength is how many digits a checksum has.
const sumLength = 8

const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// leading is the beginning of s that has these characters only.
func leading(s, characters string) string {
	return s[:len(s)-len(strings.TrimLeft(s, characters))]
}

// leftOut is what came after a link that is not its, in parts: punctuation, and parameters each.
func leftOut(rest string) (parts []string) {
	for rest != "" {
		n := 1 + strings.IndexAny(rest[1:], "&?")
		if n == 0 {
			n = len(rest)
		}
		parts = append(parts, rest[:n])
		rest = rest[n:]
	}
	return parts
}

// onlyTail says whether rest is what programs and sentences add to a link, and no part of it that was altered.
func onlyTail(rest string) bool {
	return !slices.ContainsFunc(leftOut(rest), func(part string) bool {
		parameter := (part[0] == '&' || part[0] == '?') && strings.Contains(part, "=")
		return !parameter && strings.Trim(part, ".,;:!?)>]}'\"’”»… \t\r\n") != ""
	})
}

func bad(format string, args ...any) error { return &BadLink{fmt.Sprintf(format, args...)} }

func cutShort() error {
	return bad("The link was cut: most of it is missing. Ask for the whole link, or copy it again.")
}

func altered() error {
	return bad("The link was altered: its content does not match its checksum. Copy it again from where it was made.")
}

// deflate packs c.
func deflate(c Content) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the error is for other levels
	for _, s := range []string{c.Title, c.Language} {
		w.Write(binary.AppendUvarint(nil, uint64(len(s))))
		io.WriteString(w, s)
	}
	w.Write(c.Text)
	w.Close()
	return b.Bytes()
}

// inflate unpacks what deflate made. Whoever makes one by hand gets no more than a paste may have.
func inflate(payload string) (c Content, err error) {
	packed, err := base64.RawURLEncoding.Strict().DecodeString(payload)
	if err != nil {
		return Content{}, err
	}
	const most = MaxSize + 4*MaxTitle
	in := bytes.NewReader(packed)
	all, err := io.ReadAll(io.LimitReader(flate.NewReader(in), most+1))
	if err != nil {
		return Content{}, err
	}
	if len(all) > most {
		return Content{}, ErrTooLong
	}
	var fields [2]string
	for i := range fields {
		n, size := binary.Uvarint(all)
		if size <= 0 || n > uint64(len(all)-size) {
			return Content{}, io.ErrUnexpectedEOF
		}
		fields[i], all = string(all[size:size+int(n)]), all[size+int(n):]
	}
	c = Content{Title: cleanTitle(fields[0]), Language: fields[1], Text: all}
	if !known(c.Language) {
		c.Language = ""
	}
	if len(c.Title) > MaxTitle || len(c.Text) > MaxSize || in.Len() > 0 {
		return Content{}, ErrTooLong
	}
	return c, nil
}
