package pastebin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"stormbin/engine/json"
)

// A file of pastes is one JSON object a line: first the header, then a paste each. It can be read by eye and by any
// program, and a damaged line costs that one paste. The header counts them, so that a file whose end is missing is
// known; those of earlier versions had no count.

// header is how the first line begins.
const (
	header     = `{"stormbin":1,"kind":"pastes"`
	fileKind   = "pastes"
	thisFormat = 1
)

// Export writes all pastes that [Service.List] gives to w in the order of their ids, for [Service.Import] to read; those
// that burn too, unread. n is how many there are in the file. A paste whose text is missing or damaged is left out, and the
// error says so in the end; if w or a store fails or ctx ends, the file ends there.
func (s *Service) Export(ctx context.Context, w io.Writer) (n int, err error) {
	list, err := s.List(ctx)
	if err != nil {
		return 0, err
	}
	if _, err := fmt.Fprintf(w, "%s,\"count\":%d}\n", header, len(list)); err != nil {
		return 0, err
	}
	missing := make(map[string]Paste, len(list)) // those whose text has not been seen yet
	for _, p := range list {
		missing[p.ID] = p
	}
	var left []error
	leave := func(p Paste, why error) { left = append(left, fmt.Errorf("paste %s is left out: %w", p.ID, why)) }
	var line []byte
	err = s.scan(ctx, func(batch []Object) error {
		for _, o := range batch {
			if err := ctx.Err(); err != nil {
				return err
			}
			p, ok := missing[o.ID]
			if !ok {
				continue
			}
			delete(missing, o.ID)
			if err := p.check(o.Text); err != nil {
				leave(p, err)
				continue
			}
			line = appendRecord(line[:0], p, o.Text)
			if _, err := w.Write(line); err != nil {
				return err
			}
			n++
		}
		return nil
	})
	if err != nil {
		return n, err
	}
	for _, p := range list {
		if _, is := missing[p.ID]; is {
			leave(p, ErrNotFound)
		}
	}
	return n, errors.Join(left...)
}

// appendRecord appends the line of a paste to b. What is not set is left out. The text is "text", or "base64" where a JSON
// string would alter it.
func appendRecord(b []byte, p Paste, text []byte) []byte {
	b = append(b, '{')
	name := func(name string) {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(json.AppendString(b, name), ':')
	}
	field := func(of, value string) {
		name(of)
		b = json.AppendString(b, value)
	}
	field("id", p.ID)
	field("title", p.Title)
	if p.Language != "" {
		field("language", p.Language)
	}
	name("size")
	b = strconv.AppendInt(b, int64(p.Size), 10)
	name("sum")
	b = strconv.AppendUint(b, uint64(p.Sum), 10)
	if p.Burn {
		name("burn")
		b = append(b, "true"...)
	}
	field("created", p.Created.Format(time.RFC3339Nano))
	if !p.Expires.IsZero() {
		field("expires", p.Expires.Format(time.RFC3339Nano))
	}
	if utf8.Valid(text) {
		field("text", string(text))
	} else {
		field("base64", base64.StdEncoding.EncodeToString(text))
	}
	return append(b, "}\n"...)
}

// fields are those of a line. The first that is not what it must be is the error.
type fields struct {
	all json.Object
	err error
}

func fieldsOf(line []byte) (*fields, error) {
	tree, err := json.Parse(string(line), "", json.Limits{Bytes: maxLine, Depth: 8})
	if err != nil {
		return nil, err
	}
	all, ok := tree.(json.Object)
	if !ok {
		return nil, errors.New("it is no object in braces")
	}
	return &fields{all: all}, nil
}

// field is the value of that name, if there is one; must says what it has to be.
func field[T any](f *fields, name, must string) (value T, there bool) {
	for _, m := range f.all {
		if m.Key != name || m.Value == nil {
			continue
		}
		if value, there = m.Value.(T); !there && f.err == nil {
			f.err = fmt.Errorf("its %s is not %s", name, must)
		}
	}
	return value, there
}

func (f *fields) text(name string) string {
	s, _ := field[string](f, name, "a string")
	return s
}

// number is one that is whole and has so many bits; 0 if there is none.
func (f *fields) number(name string, bits int) uint64 {
	digits, there := field[json.Number](f, name, "a number")
	n, err := strconv.ParseUint(string(digits), 10, bits)
	if there && err != nil && f.err == nil {
		f.err = fmt.Errorf("its %s is %s, and must be a whole number below 2^%d", name, json.Shorten(string(digits)), bits)
	}
	return n
}

// time is one that stores can keep; zero if there is none.
func (f *fields) time(name string) time.Time {
	s, there := field[string](f, name, "a time")
	t, err := time.Parse(time.RFC3339Nano, s)
	t = t.UTC().Truncate(time.Millisecond)
	if there && (err != nil || t.Year() < 1 || t.Year() > 9999) && f.err == nil {
		f.err = fmt.Errorf("its %s is %q, and must be a time like 2026-01-02T15:04:05Z, in the years 1 to 9999", name, json.Shorten(s))
	}
	return t
}

// Imported is what became of the pastes of a file so far.
type Imported struct {
	Added   int
	Had     int // there already, with the same content
	Clashed int // the id is another paste's here, which stays as it is
	Expired int // their time is over, in the file or here
	Damaged int // their line can't be read
	Missing int // the file's beginning counts them in, and it ends without them; known at its end
	// Problems says what is wrong with what clashed, has expired here alone or is damaged, with the number of the line: the
	// first 100 of them.
	Problems []string
}

const maxProblems = 100

func (i *Imported) problem(line int, format string, args ...any) {
	if len(i.Problems) < maxProblems {
		i.Problems = append(i.Problems, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
	}
}

// Import adds the pastes of a file that [Service.Export] wrote, under their own ids, and calls found after each with what
// there is so far. What is here already stays as it is. A damaged line is named and the rest taken. The error is an
// [*Error], 400, if r has no such file at all, or r's, or a store's; then what was added before stays.
func (s *Service) Import(ctx context.Context, r io.Reader, found func(Imported)) (Imported, error) {
	var sum Imported
	left := 0 // of those that the file begins by counting
	in := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return sum, err
		}
		line, err := readLine(in)
		if err != nil && err != io.EOF && err != errLongLine {
			return sum, err
		}
		if n == 1 {
			count, err := readHeader(line)
			if err != nil {
				return sum, err
			}
			left = count
		} else if err == errLongLine {
			left--
			sum.Damaged++
			sum.problem(n, "it is longer than any paste’s")
			found(sum)
		} else if len(line) > 0 {
			left--
			if err := s.importLine(ctx, n, line, &sum); err != nil {
				return sum, err
			}
			found(sum)
		}
		if err == io.EOF {
			sum.Missing = max(left, 0)
			return sum, nil
		}
	}
}

// maxLine is more than the line of the largest paste has: a JSON string has at most six bytes for one of the text.
const maxLine = 6*MaxSize + 64<<10

var errLongLine = errors.New("the line is too long")

// readLine is the next line, without white space around it. The error is io.EOF with the last one; errLongLine if it was
// too long, and has been skipped.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case long && (err == nil || err == io.EOF):
			err = errLongLine
		}
		return bytes.TrimSpace(line), err
	}
}

// readHeader is how many pastes the first line counts; 0 if it doesn't.
func readHeader(line []byte) (count int, err error) {
	f, err := fieldsOf(bytes.TrimPrefix(line, []byte("\uFEFF")))
	version := uint64(0)
	if err == nil && f.text("kind") == fileKind {
		version, count = f.number("stormbin", 31), int(f.number("count", 31))
		err = f.err
	}
	switch {
	case err != nil || version < 1:
		return 0, &Error{badRequest, "This is not a file of pastes: those begin with " + header + ".", nil}
	case version > thisFormat:
		return 0, &Error{badRequest, fmt.Sprintf("This file was written by a newer Stormbin: it has version %d, and this one reads version %d.", version, thisFormat), nil}
	}
	return count, nil
}

// importLine takes in one paste. The error is a store's.
func (s *Service) importLine(ctx context.Context, n int, line []byte, sum *Imported) error {
	p, text, err := parseRecord(line)
	if err != nil {
		sum.Damaged++
		sum.problem(n, "%v", err)
		return nil
	}
	if p.ExpiredAt(s.now()) {
		sum.Expired++
		return nil
	}
	err = s.Primary.Restore(ctx, p, text, expireLater(p)...)
	if err == nil {
		sum.Added++
		_ = s.Cache.Remove(ctx, p.ID) // of a paste that the id may have been before; like a delete's
		return nil
	}
	if !errors.Is(err, ErrExists) {
		return err
	}
	row, err := s.Primary.Get(ctx, p.ID)
	switch {
	case err != nil:
		return err
	case !row.Deleted.IsZero():
		sum.Clashed++
		sum.problem(n, "paste %s was deleted here just now, with another content, and can still be brought back", p.ID)
	case row.ExpiredAt(s.now()):
		sum.Expired++
		sum.problem(n, "paste %s has expired here before it does in the file: once it is cleared away, in an hour or two, it can be imported", p.ID)
	case sameContent(row, p):
		sum.Had++
	default:
		sum.Clashed++
		sum.problem(n, "paste %s is here with another content", p.ID)
	}
	return nil
}

// parseRecord is the paste of a line and its text.
func parseRecord(line []byte) (Paste, []byte, error) {
	f, err := fieldsOf(line)
	if err != nil {
		return Paste{}, nil, fmt.Errorf("it is no JSON object of a paste: %s", strings.TrimPrefix(err.Error(), "line 1: ")) // it has no other
	}
	plain, isPlain := field[string](f, "text", "a string")
	packed, isPacked := field[string](f, "base64", "a string")
	if isPlain && isPacked {
		return Paste{}, nil, errors.New("it has both text and base64")
	}
	text := []byte(plain)
	if isPacked {
		if text, err = base64.StdEncoding.DecodeString(packed); err != nil {
			return Paste{}, nil, fmt.Errorf("its base64: %w", err)
		}
	}
	p := describe(f.text("title"), f.text("language"), text)
	p.ID, p.Created, p.Expires = f.text("id"), f.time("created"), f.time("expires")
	p.Burn, _ = field[bool](f, "burn", "true or false")
	size, sum := f.number("size", 31), uint32(f.number("sum", 32))
	if f.err != nil {
		return Paste{}, nil, f.err
	}
	if !known(p.Language) {
		p.Language = "" // one that this version doesn't know
	}
	switch {
	case !isID(p.ID):
		return Paste{}, nil, fmt.Errorf("%q is no id of a paste", json.Shorten(p.ID))
	case len(p.Title) > MaxTitle:
		return Paste{}, nil, fmt.Errorf("its title has %s bytes, and at most %s fit", count(len(p.Title)), count(MaxTitle))
	case p.Size > MaxSize:
		return Paste{}, nil, fmt.Errorf("its text has %s bytes, and at most %s fit", count(p.Size), count(MaxSize))
	case p.Created.IsZero():
		return Paste{}, nil, errors.New("it does not say when the paste was created")
	case p.Size != int(size) || p.Sum != sum:
		return Paste{}, nil, fmt.Errorf("its text has %s bytes with checksum %d, where %s with checksum %d were exported", count(p.Size), p.Sum, count(int(size)), sum)
	}
	return p, text, nil
}
