package pastebin

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"strings"
	"time"
)

// Limits of one paste, in bytes.
const (
	MaxSize  = 1 << 20
	MaxTitle = 256
)

// Paste is what is known of a paste without its text: its row in the primary.
//
// A deleted paste leaves a tombstone, which has only ID and Deleted. It keeps the id taken for ever, so that a link
// never comes to mean something else, and so that "deleted" can be told from "never was".
type Paste struct {
	ID string
	// Title is valid UTF-8 without a byte order mark in front; may be empty.
	Title string
	// Size and Sum are of the text: its length in bytes and its CRC-32 (IEEE). They tell half a paste, or another's
	// text, from the one that was saved.
	Size int
	Sum  uint32
	// Created and Deleted are UTC, in whole milliseconds. Deleted is zero while the paste lives.
	Created time.Time
	Deleted time.Time
}

// NewestFirst is the order of a list: by Created, and by ID where that is the same. For slices.SortFunc.
func NewestFirst(a, b Paste) int {
	return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
}

// describe is the row for text under title. Title bytes that are not UTF-8 become U+FFFD, and a byte order mark in
// front is dropped: not every store could give those back. The text is kept as it is.
func describe(title string, text []byte) Paste {
	title = strings.TrimLeft(strings.ToValidUTF8(title, "\uFFFD"), "\uFEFF")
	return Paste{Title: title, Size: len(text), Sum: crc32.ChecksumIEEE(text)}
}

// check says what is wrong with text as the text of p.
func (p Paste) check(text []byte) error {
	if len(text) != p.Size {
		return fmt.Errorf("%s bytes came back where %s were saved", count(len(text)), count(p.Size))
	}
	if sum := crc32.ChecksumIEEE(text); sum != p.Sum {
		return fmt.Errorf("the bytes that came back have checksum %08x, those that were saved %08x", sum, p.Sum)
	}
	return nil
}
