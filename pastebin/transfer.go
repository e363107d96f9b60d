package pastebin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"
)

// A file of pastes is one JSON object a line: first the header, then a paste each. It can be read by eye and by any
// program, and a damaged line costs that one paste.

// header is the first line.
type header struct {
	Version int    `json:"stormbin"`
	Kind    string `json:"kind"`
}

var thisHeader = header{Version: 1, Kind: "pastes"}

// record is the line of a paste. Its text is in Text, or in Base64 where a JSON string would alter it.
type record struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"`
	Language string    `json:"language,omitempty"`
	Size     int       `json:"size"`
	Sum      uint32    `json:"sum"`
	Burn     bool      `json:"burn,omitempty"`
	Created  time.Time `json:"created"`
	Expires  time.Time `json:"expires,omitzero"`
	Text     *string   `json:"text,omitempty"`
	Base64   []byte    `json:"base64,omitempty"`
}

// Export writes all pastes that [Service.List] gives to w, for [Service.Import] to read; those that burn too, unread. n is
// how many there are in the file. A paste whose text is missing or damaged is left out, and the error says so in the end;
// if w or a store fails or ctx ends, the file ends there.
func (s *Service) Export(ctx context.Context, w io.Writer) (n int, err error) {
	list, err := s.List(ctx)
	if err != nil {
		return 0, err
	}
	out := json.NewEncoder(w)
	if err := out.Encode(thisHeader); err != nil {
		return 0, err
	}
	var left []error
	for _, p := range list {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		text, err := s.Bucket.Get(ctx, p.ID)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return n, err
		}
		if err == nil {
			err = p.check(text)
		}
		if err != nil {
			left = append(left, fmt.Errorf("paste %s is left out: %w", p.ID, err))
			continue
		}
		if err := out.Encode(recordOf(p, text)); err != nil {
			return n, err
		}
		n++
	}
	return n, errors.Join(left...)
}

func recordOf(p Paste, text []byte) record {
	r := record{
		ID: p.ID, Title: p.Title, Language: p.Language, Size: p.Size, Sum: p.Sum, Burn: p.Burn, Created: p.Created, Expires: p.Expires,
	}
	if utf8.Valid(text) {
		t := string(text)
		r.Text = &t
	} else {
		r.Base64 = text
	}
	return r
}

// Imported is what became of the pastes of a file so far.
type Imported struct {
	Added   int
	Had     int // there already, with the same content
	Clashed int // the id is another paste's here, which stays as it is
	Expired int // their time is over
	Damaged int // their line can't be read
	// Problems says what is wrong with what clashed or is damaged, with the number of the line: the first 100 of them.
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
			if err := checkHeader(line); err != nil {
				return sum, err
			}
		} else if err == errLongLine {
			sum.Damaged++
			sum.problem(n, "it is longer than any paste's")
			found(sum)
		} else if len(line) > 0 {
			if err := s.importLine(ctx, n, line, &sum); err != nil {
				return sum, err
			}
			found(sum)
		}
		if err == io.EOF {
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

func checkHeader(line []byte) error {
	var h header
	err := json.Unmarshal(bytes.TrimPrefix(line, []byte("\uFEFF")), &h)
	switch {
	case err != nil || h.Version < 1 || h.Kind != thisHeader.Kind:
		return &Error{badRequest, `This is not a file of pastes: those begin with {"stormbin":1,"kind":"pastes"}.`, nil}
	case h.Version > thisHeader.Version:
		return &Error{badRequest, fmt.Sprintf("This file was written by a newer Stormbin: it has version %d, and this one reads version %d.", h.Version, thisHeader.Version), nil}
	}
	return nil
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
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return Paste{}, nil, fmt.Errorf("it is no JSON object of a paste: %w", err)
	}
	text := r.Base64
	if r.Text != nil {
		if r.Base64 != nil {
			return Paste{}, nil, errors.New("it has both text and base64")
		}
		text = []byte(*r.Text)
	}
	p := describe(r.Title, r.Language, text)
	p.ID, p.Burn, p.Created, p.Expires = r.ID, r.Burn, wholeMS(r.Created), wholeMS(r.Expires)
	if !known(p.Language) {
		p.Language = "" // one that this version doesn't know
	}
	switch {
	case !isID(p.ID):
		return Paste{}, nil, fmt.Errorf("%q is no id of a paste", p.ID)
	case len(p.Title) > MaxTitle:
		return Paste{}, nil, fmt.Errorf("its title has %s bytes, and at most %s fit", count(len(p.Title)), count(MaxTitle))
	case p.Size > MaxSize:
		return Paste{}, nil, fmt.Errorf("its text has %s bytes, and at most %s fit", count(p.Size), count(MaxSize))
	case p.Created.IsZero():
		return Paste{}, nil, errors.New("it does not say when the paste was created")
	case p.Size != r.Size || p.Sum != r.Sum:
		return Paste{}, nil, fmt.Errorf("its text has %s bytes with checksum %d, where %s with checksum %d were exported", count(p.Size), p.Sum, count(r.Size), r.Sum)
	}
	return p, text, nil
}

// wholeMS is t as stores keep it.
func wholeMS(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}
